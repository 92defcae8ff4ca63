//! Strings of penpa-edit, for tests and documents.

use crate::board::Kind;
use crate::error::Code;
use crate::formats::samples::{BadSample, Good, Samples};

pub(in crate::formats) const SAMPLES: &[Samples] = &[Samples {
    good: &[
        Good {
            kind: Kind::Sudoku,
            text: "zZVfa9swFMXf8ymKnvWgqz9Xkt9GtzyNFdaMMYwpYbh0EBaWNGwktJ99R7KMNa0wxl6G6tsfh2PpyJZvjt9O28MoI4YJUkn\
                  CMEHlK9j0p8rYfHncjd3VzddRvjo9PuwP3dXm+15KebNey/vt7jiu+uIdVr0gIYXGRWJ4Pt8+90JIGlaX8/vucr7r+uFJnj\
                  8sGBa87S6o77qL0EF0vXC4MU+D+WISzCIYnQS/CJaSwJVgk0CV4JIQK4GbVVzrcNkRFoHbVdg3Dt86vGuiB5UEWwmmmSP8d\
                  kto9hJNs/2Yc+hFINUGIeVbhXR7F7VZSOsmLmnTpCFtmwdH2jfPlkz7LMnEZhNk1S/z4DRQPhOfcl3nqnPd4MjIs8n1da4q\
                  V5fr2+x5g5NEgSVFLKQxY4hSKz1xBNPE0MBuYg1OG8xswHZiSvrssRU7MBdmsC/+pIei+4oDOBZGBqMmNgpMy5ym8tui4zv\
                  VrrAlcMnGYC57YeTkkt8lffaYipGfS37GWlzyu6SX/MwVIz+XPIwMXPIz8nu1zOkrfyi6B8fC6Cw6lmwRnUbNbMApA17ax/\
                  zqrnO1uXJ+pT71iL/rImb+0PTcNNIn0adWN7Wr+b8a0ARxEJPFLBZ6yfLvZ/KPm+zxzqkZ7v9S0OfR0sVxv7s7ng7328+j6\
                  PIvwdNK/BD56g2MdvgJ",
            canonical: None,
        },
        Good {
            kind: Kind::Sudoku,
            text: "https://swaroopg92.github.io/penpa-edit/#m=solve&p=zZTdahsxEIXv9ymKrnWh0c9I2rvQ1FelhSallMUEUxxS\
                  MITaMZQ1ybP3aFZmVfUFirzDx2E0OvrxnH6dd8e9zhguaaMJwyUjX/LlZ+q4//ly2I/v9M355en5CND682ajH3eH036YatZ\
                  2mBQprSw+Utu3+e5tUkrTdrjMX8bL/DBO21c9f10xrXg3XhA/jRdlkxonFTBRyqBeLoJbBWeLEFfBUxG4EXwRqBFCEXIjcL\
                  dK6DOCZKRV4H4Vjl1G7DNi6KwnUwTfCK6rkf6Zkrq9ZNdtP4sPuwpkeiNkYq+Q7WdR74Ws7eySdZ0bsr47OLKxO1ty/VmSy\
                  90myJu/6uA1kLyJ7xI3Eq3EezwZPTuJtxKNxCDxo+R8wEuixJoyFrKomLK2xi6cwbQwNHBY2ILLBoUd2C9MRb/m+IYDmCsz\
                  ONb8oqeqx4YTOFeGB2cWdgZMa03X5Puq4x9qQ2VP4OqNwVz3wvDJ1X8o+jXHNQz/XP0z1uLqPxS9+mduGP65+mF44Oqf4T+\
                  atWZs8lPVIzhXRk+xuXrL6DHmyg5cPODSvsnVvZfoJbJcaSw9YhgmnAd1I/xfCnog2p06PR8eTufj4+7HXo3SJV8H9VvJNz\
                  kk+u0f",
            canonical: None,
        },
        Good {
            kind: Kind::SudokuX,
            text: "https://swaroopg92.github.io/penpa-edit/#m=edit&p=zVRNaxsxEL37VwSddZBGGn3sLbT1qTTQJISwmBBSh5YaD\
                  HEMZU3y2/s0O5s1uYSQS9jV+Gn89GZWM9Ju/2v7d2+9b28o1lkgGznJKLG9Tp+LP4+bdXdiT/ePv7cPANaeLZf2/nazWy96\
                  Lyv9atEbb6whDG9Wz8P5c29M8x+Gn91huOn61ZMdLmdYZnjeHWB/dAcTi+lEyIsMvF7+uxa7FEtiL7DUDkHsV7FOLIv9Lpx\
                  vUKTkLGU2HSG5FIDLiDNbqk5xAQ6CgyMb3IQDcBw51QGz+uMRZuCkOAFn5be1Rf35CBfgqrja4Mcc8AvsZ01yM580HwInaF\
                  yCflDNCP04YfCj6gfosOrEOmOGDmssRgMwKR9rWWMxHWHE4qgY386aAzf9NGsmnvlJ80ngFI2boF9Us4BflV/Ar1oXzqgRO\
                  F4Kg4KVqpNSx133L1vkdUL4hpB1EvKYuH/JRAUAEH4SKGyj85M0miQlndSIoG6K01ojTnForOMYB8UmmuK0yqQpThy3Wibo\
                  LTh0UiGQRQDteSVN+kVsFJukeXM7Fe86Nx8/J2+m06Ov/Ksnfy4P7iBcN2a33dzs9g/3t3dr08kt9bQw/4yMPrRrbvUf",
            canonical: None,
        },
        Good {
            kind: Kind::Jigsaw,
            text: "m=edit&p=zZNNSwMxEIbv/RWScw752MwmexO1J1GwFZFlkSJbFArFfoBsaX+7b2an7OJFxItkM/vwMpm8YZLtx36xaXXC8F\
                  EbbTF8NDxjkT8jY/6+W7XVhb7c797WG4DW99OpXi5W23ZSS1YzqZVVWjlMq5pTNzvVSmnbTA7dQ3XoXqq6OeruccA44Kw6I\
                  N5VB+WiqmoVsJDLoF7Kgh8E77JQngWss7z6meOUo+M4R3HdeY7XHA3HwPGWc26wp41B24SNHSqmCE49x6SdcaKDbc/4g33P\
                  JnPo2YGd6M6DC+ECLDk26yR6GDGBS8nJehS9HHEEJ2H48aZnb8B2qOlH+YXo6LELwoUFizcCk5yL4J/Ef8j6OcePGGchOQt\
                  hLxL/Ievin2jE8E/ih+CBxD/Bf2mGmuUoP4pegpMwbqVL4i3hlpoze3D2gGY+cUuvOBYciVtd5lv2q3v491v1o50a3bHfRv\
                  hfCt40nq/arlcv2/1muXhtVcWv/jhRn4pn7ZFYNF8=",
            canonical: None,
        },
        Good {
            kind: Kind::Killer,
            text: "zZRNaxsxEIbv/hVB5znoYzX6uIW2PpUEkpQQxBJMcWjBEGrHENYkv72vpHG85JhcglbDo2E0eiXNavdvv9quKaG5SJoMmou\
                  69TjUT0u7+fu0WeczOt8//XncAogul0t6WG1260WRqHFRlFGkLLpR4+t0/VqUIjMuDtNVPkz3uYwvNP06YTzhdT7AXjRr8k\
                  GFGFUu6szVBKRC4jY0vo+NNrY5rK4OTLprU5fN2mZvkJkm1+z3ZnWzvtmfLeYHljKRyaSkskXemMhq2zmBTWf4wL6zBVsn7\
                  MBDZ1P9x5hhxh7MwgwOEl/9UfxhxhGchKHB6c5Og80pp5vFD+LHRVovPBiwaGMwy14YOln0++o/xrgZQz+LfsZaLPp99Yt+\
                  5hlDP4sehgYW/Qz9QZ9yhll8FH8AJ2GUnk2iLaEU9ZEduGrApd22q/vWq4RCxFJGtxqhkEIfxKHWsOmDWi0E4+oQU4eWgHM\
                  p9ejSSAVH61BXBUeGHXIA1j/AUwqU4oh6CbVOP1DJnynN+V7nst/kVP3mXfNfy4NXAQ+A2j1u7nf77cPq91rl9m68LNSzar\
                  04BA7jfw==",
            canonical: None,
        },
        Good {
            kind: Kind::KillerJigsaw,
            text: "zZRPaxsxEMXv/hRB5znoz2ok7a0k9am00KSUIpZggkMKhlA7hrIm+ex9Gk3qpcfkUmSNf3rMSk/S7B5+HTf7LRW0kMmSQwv\
                  ZSs9D+1ltNz+fdtvxgj4cnx4e9wCiL+s13W92h+2qata0qsYZMh7dmellvn6pxpCbVqf563iab8c6PdP87Yz5jNfjCfGzRD\
                  eeTMrZjNVchDYBmVRYhi72sbPOi+BtE/DQD3l0LdFLvMHMNAeJVxKtxCjxk+R8xFIuR3IFy3nMWzK4dM6FvPWqg11n/INDZ\
                  9s4dvZgr7oP4EF5AGuOazqrHhfM4KQ5Tc+qpwVncFGGn2A7Bwt25znDIn9QHRfso/LgwOqNwaz7Yvhn9R+b/poTFoy9sO6F\
                  sRar/9h09c+8YPhn9cPwwOqf4T/Z85xpkZ9VT+CijJL0Rb0VlKh95QBuHnCZ3+VKL3v1UMpYylmpHUol9UEeWm27PmhVRAi\
                  hDfHoIBPwWGs7ujJRxdEG1FvFkWGHnIDtzYhUEpU8oY5Sq983VPh7Sna516Xtv3aaf/dPi/+Xgq8FPgzm8Li7PRz395u7rR\
                  nle/K8Mr+N9BqQOEx/AA==",
            canonical: None,
        },
        Good {
            kind: Kind::Sudoku,
            text: "https://swaroopg92.github.io/penpa-edit/#m=edit&p=pVJNSwMxEL3vr5A5z6H5mGzJTdSeRMFWRJalLLJFoVDst\
                  iC7tL/d2deU9CYqkzwej8fLJJnuc99sWw5absoTNlo2BOypH9ck1eJjt27jFV/vd++brRLmx9mMV826a4squeqiIkNMVreh\
                  +tjPjxURm7oY+qc49MtY1QfunzOdZjqPg+JDHMhaiggyiGFyEGwWPASXBYHgsxAgSBZKCOEs6FEGB74CZ0ALXGg/3DvgLXA\
                  CFOA9PHfapjGejfUUrSY6fbqxTXCr3J24VY87e9wFH3VJXJSHxIPyMnt88ovmS8oXzZeU79UjZ4+74KOe8kXzJeWL5kuZPS\
                  H5g/Jy5Hq5F1zxBuiBAVcvx4/61Vf+/5V/bKeyFmN7Kvk71+HVOaVus152++2qeWspYrwPBX0RdqUPzL7+Bg==",
            canonical: None,
        },
    ],
    bad: &[
        BadSample { text: "plain", code: Code::Digit, cell: None },
        BadSample {
            text: "zZTLahwxEEX3/RWm11qo9ChJvQuxZxViiB1CaBrjxYQYDCZ+bHqIvz1X6hpaqfxA0HRxuJRKtySNXn693T8fTcHw2VhDGD7\
                  b9uVQf1bG7cPr43G6MB/eXn8+PQOMuT4czI/7x5fjMEvWMswjjWZ0+Ghc3teb93kcDS3Daf0ynda7aV5+m/XrjnnHm+mE+H\
                  k6jS6P0zxGTGxlUK9Uwe+Cd1VIuxCoCtwJoQrUCbEKpRNYrRJ1RmwZeRdYr8JJZSSdkaKynm0VQid4VSP/MyWrXopX7Zfmw\
                  +0CWW2EbNIKOT2L",
            code: Code::Digit,
            cell: None,
        },
        BadSample {
            text: "zZTLahwxEEX3/RWm11qo9ChJvQuxZxViiB1CaBrjxYQYDCZ+bHqIvz1X6hpa-fxA0HRxuJRKtySNXn693T8fTcHw2VhDGD7\
                  b9uVQf1bG7cPr43G6MB/eXn8+PQOMuT4czI/7x5fjMEvWMswjjWZ0+Ghc3teb93kcDS3Daf0ynda7aV5+m/XrjnnHm+mE+H\
                  k6jS6P0zxGTGxlUK9Uwe+Cd1VIuxCoCtwJoQrUCbEKpRNYrRJ1RmwZeRdYr8JJZSSdkaKynm0VQid4VSP/MyWrXopX7Zfmw\
                  +0CWW2EbNIKOT2LtBdyTtkl55UbckFtHLmk9pa83kvyRTVBwf5VB7eB2p343uKhRdfiLa6MWX2Lly3aFmOLn1rOFW4SZTZU\
                  sJBDxVyMs27jAqaNoYHjxg5cG2zswWFjqvo5J3QcwSzM4CT5Vc+ip44zuAjDg7cbewumvabv8oPo+Ie6KBwILN4YzNILwye\
                  L/1j1c47vGP5Z/DPWYvEfqy7+mTuGfxY/DA8s/hn+k91rpi4/i57ARRhviivireCNsWf24OoBh/atHd3HFkOL3I401TdiGG\
                  bsB6kR/y8Fb+DyBw==",
            code: Code::Digit,
            cell: None,
        },
        BadSample {
            text: "https://swaroopg92.github.io/penpa-edit/#m=edit&p=y0it0DEFQmMLLjDIoDMfAA==",
            code: Code::Unsupported,
            cell: None,
        },
        BadSample {
            text: "Dce7DYAwDEXRnineAOloYJxEsZJIwRb+iPWx7mmuvVGVyp2d11G5gwWPKGEvJito4fBJRvhEu8EktzpWMmzhAWKJMX8=",
            code: Code::Length,
            cell: None,
        },
        BadSample {
            text: "zZTNat0wEIX3foritRaakTSSvCtN76q00KSUYkzI4pYGAqX52fjSPHuP5DFW1Rcouh4+HcajI92xnn693D2eTcZwyVhDGC7\
                  Z+iRfflbHzf3zw3l6Y96+PP/4+Qgw5tPpZL7fPTydh1mzlmEeaTQj46FxeV2vX+dxNLQMl/XzdFlvp3n5bdYvB6YDr6fL6H\
                  mcCPwRzGmc5jHg9VoMVXMR3CE4LkI8BE9FkEbwRaBGCEXIjSDdKqHPCDUjHYL0q0jsMmKfEUNnPdki+EZwXY30zyup20t23\
                  fZz9cGHQLY3Qjb2CnH/FvVeiLmzS+w6N8S+Ozji2J0tuf4syeVuE+TtX3XQDTRdEL/VeKqRa7yZ5pmT4bwsZnXoIrNe1Whr\
                  DDV+qKnv0VCUxFDGeozCKRu2vHEG08bQwGFjBpd9VnZgvzEVfc/xDQewKAs4an7Rk+qxYXjnrAwPzm7sLJiOmq7J96rjc+W\
                  g7Ams3gQsuheBT1H/oeh7jmsY/kX9C9YS9R+Krv5FGoZ/UT8CD6L+Bf6jPWrGJj+pHsFZGRcMZ/WWceHYnR1YPViP/6vcCP\
                  UQYcJ6nZSTINGJt9uR1knAnksH0W4k7AWibLuuk4QCUQs4iwKpFkCnfK398q5GX6PUPorllhqG0nDUjfB/KbiFlz8=",
            code: Code::Unsupported,
            cell: None,
        },
        BadSample {
            text: "bZBPSwMxEMXv+RQy5zlkkl03k5uoexIFWxEJQXpYaaEg9s8li/3sTmZb14NM8svjMbwks/86rnYDNlI+oEWqxVZ3aOqy51p\
                  uDtshXuHN8bD+3IlAfOp7/Fht94NJ565sEhAgONkE+VQWpwSAlM1YnuNY3mPK31heZhlmuYij8DGOQAGiBpHGCLgabjacrY\
                  b/Y1A1moshQaRxb8pe6ZRLuQ2LV94prbJVPmjPvTyiazF4iA4hMLKdlEcmVTKfiyJkNymH7H89nhQj2U6kpL5q9q2yUV7rn\
                  V39vzGJwjR/bP8/Zbr5Bw==",
            code: Code::Unsupported,
            cell: None,
        },
        BadSample {
            text: "zZNLS8RAEITv+ytkznOYZ89MbqLuSRRcRSQE2cOKwoK4j0uC+9utdDokeBHxIp0UH0UzqaQ7+4/jerfRBeWzNtqifDZ859B\
                  fRur+7bDdVGf6/Hh4fd8BtL5dLvXLervfLGrpaha1skorh9uq5tSuTrVS2jaLrr2ruva5qptP3T5MmCdcVR30htWyPrEuWR\
                  3rPVp161kvWQ1rZL3mnquqUzaTtqWoyiFILtoZN3AB24HhgePADuy8sAeHgW3vjz1hxhFMwgRO0t/7Wfw04wwuwsjgzcDeg\
                  O10pp/1B/ExGReFgwVLNgKTvAshJ0n+2Ptjj58x8pPkJzyLJH/sfclPNGPkJ8lDyECSn5A/menMNOvP4idwEcYuuSLZCnbL\
                  jOzBfQYM7ZFHd8EaWIlHmvrd+NX2qIBPUo8bOSvbYMtVUs3f9+vHwDXmZ79V/F8O/tXmCw==",
            code: Code::Range,
            cell: Some((2, 2)),
        },
        BadSample {
            text: "zZDLCsIwEEX3+QqZ9SySPjRmJ2pXomArIiFIFxGFYrGPTYL9dtOhoJ8gd+ZwZ7gwJO2rLxuLy6BYIkcRFEtOLZOx+KTi0VV\
                  WzXDVd/e6CQbxkGV4K6vWMj2lDNMgACEKLcAMLh80AArDvDsq765Kmze609fKr82VD9wTBfFCzIgRsQhRdDFxQ+TElLijzF\
                  Z5qJ8WVBSGM63WxIQ4p+hivMmYjiS9+Vfpf23Cn5oP",
            code: Code::Range,
            cell: None,
        },
        BadSample {
            text: "zZPNSsNAFIX3eQqZ9SzmJ7mZyU7UrkTBVkSGUEqpKBaK/dkktM/umZtbEnwCucnh43CYnGQmh5/Tar/REeODNtpifDB8hzJ\
                  fRmbxddxumht9ezp+7vYArZ9nM/2x2h42RZJUWyRllVYOt1XtpZtfklLatkXfvTR9t2xSe9bd64hhxHnTQ59YLes764zVsS\
                  4Q1Z1nvWc1rBXrI2ceml7ZQNrGqBqHIiFqZ9zAEWwHhgeuBnZg54U9uBzYZv+aKSdcgUmYwLXksx/EryccwFEYHbwZ2BuwH\
                  df0k3wpPnbGVcKlBUs3ApO8C6EnSf8q+9eMnzD6k/QnPIukf5V96U80YfQn6UPoQNKf0L8245r1JB/Er8FRGGfJRekWcbbM\
                  lT04d8CmvfHW3bGWrMRbWmdV6+1u/a2alGzbnosi4evYP1P9Lwd/QvsL",
            code: Code::Unsupported,
            cell: None,
        },
    ],
}];
