//! Samples of ids of SudokuPad, good and bad.

use crate::board::Kind;
use crate::error::Code;
use crate::formats::samples::{BadSample, Good, Samples};

pub(in crate::formats) const SAMPLES: &[Samples] = &[Samples {
    good: &[
        Good { kind: Kind::Sudoku, text: "scf5NlQ19j9mGca3OIN1bWGk2m41TjS79", canonical: None },
        Good { kind: Kind::SudokuX, text: "scf5NlQ19j9mGca3OIN1bWGk2m41TjS79*x", canonical: None },
        Good { kind: Kind::Windoku, text: "scf5NlQ19j9mGca3OIN1bWGk2m41TjS79*w", canonical: None },
        Good {
            kind: Kind::Sudoku,
            text: "https://sudokupad.app/scf5NlQ19j9mGca3OIN1bWGk2m41TjS79?setting-nogrid=1",
            canonical: Some("scf5NlQ19j9mGca3OIN1bWGk2m41TjS79"),
        },
        Good {
            kind: Kind::SudokuX,
            text: "sudokupad://puzzle/scf5NlQ19j9mGca3OIN1bWGk2m41TjS79*xtA %2A%2A star*aA. Setter",
            canonical: Some("scf5NlQ19j9mGca3OIN1bWGk2m41TjS79*x"),
        },
        Good {
            kind: Kind::Sudoku,
            text: "https://app.crackingthecryptic.com/sudoku/?puzzleid=classic53C7E6C195E98E6B8D6D34C8B3C17D2D6B6E\
                  28E419C5E8C79",
            canonical: Some("scf5NlQ19j9mGca3OIN1bWGk2m41TjS79"),
        },
        Good {
            kind: Kind::Sudoku,
            text: "sclN4SwJgXA5AtghmAplANAYwM4QKwAZ2IQDaRwAbjgL4rkQDM1KNFA7I0wLoqkUBs7tAIzVaAThEVs7LkWYRxcgBzsmtfi\
                  hm1lTVXxW0GmigBYBFbXIY6hlIxDY65AJn16Zc9Y9oul1d7ohTOWE5BQCpfwCLOQcxWy4AJ0ISInxcGXxBDJQnGUEUdO58r\
                  KKcmScC8pQSogrcmVSUOmzjbOw8po7W0vbuCua+lG7alHaG/F5slmzFDsnS6dLZwfmRxZHZhrpK7m2a7dzuYx2iY5rjw6Js\
                  E+ua6/ruIm2Bp6GZbd7TzqO3n8/rl7XYbXMaPbarbbrbbLL6rY7rY4w66ra7ra6bR68E5YmpYy4sE4EmoEy6KE5kmpkh4kL\
                  EvLHDLGfAkvAnDAmfMkvMnDMmgmkoVZY9ZYmEE1YE9YEmFk1Zk9ZkzZcNBwYi0KAAFxA6oANoQAAQASXVAB0oBg9XA9erEB\
                  h1VAJNAEgBXXVYPUAOQA9gl4Nq9RgnWBPQBrJ1652ui0AByj2oAngA6e0cShAA==",
            canonical: Some("scf5NlQ19j9mGca3OIN1bWGk2m41TjS79"),
        },
        Good {
            kind: Kind::Jigsaw,
            text: "ctcN4IgxgpgNlDOIC4DaTQDcCGUCuFEFYBfAGlEgDsAXAJwgFsNqBreZARmICYBdE4PgaUH8h3YqmGSh0kfzESZU2ZPnLF6\
                  tXPGalu1bo0rtBnYv2GLy86ZsDuYkLQDmASwD25ViiQAGYj/k/NnkOAPEOYPCueU5/GOJIpFieKIBme3FfYnTxPwAWQOJ8E\
                  OICqOLxWJyk0viKrJ55LIA2QoB2QoAOEtaojqjuyuJemv6a7qbUuPEpxKmUpDzpxYT5JYX8Zc3EzcbMqeqpsqQp+qXqpeOl\
                  +s3qzePN4snh+SmxqcGVkaWxpc/NkabMabCaZZrLcGJcELNrLWGJWELTrLZGJZF7FDg6rg47g+qw6qw46w+rI6rI47Ip5gl\
                  7icFjcGfWEjWFjWGfZEjZFjZETByQGAAZRcAC88Ah8D5CEA",
            canonical: Some(
                "fpuzN4IgzglgXgpiBcBOANCA5gJwgEwQbT1ADcBDAGwFc54BWVNCImAOwQBcMqBfZUAYxZsYGAAos+EMgFkSGANZh8ARmQAmA\
                Lo9QGGAwD2reEq0nep4CfXJC5rSB37DABltm3FqzfeuL3s599An2CA4L8g/2sI6LCPKNiE0PCEyK8Y5O91TSA==",
            ),
        },
        Good {
            kind: Kind::SudokuX,
            text: "sclN4YwpgXA2lwG4QKwF8A06PoLqqpzOe+2uxJRxhZqVZtlpdOATpDFAAyoeFcCMvVACZCfbqNQDcYkbiHi5kwvJGFOqAMy\
                  CALIMQSt01LqP7FhqPJOXU+tVwBsggOyCAHBKdHXRj4q82PjYeahoKUGFSEcKE2uFxUXGyUIjhqVGpqrjRFmHWYWZQcRZx1\
                  nGFqRap1ql22WEBYUFhfkWoAXFBca2pAalBqSHZDuEjUSPJzuFTUVPJbuELUQtZMCMWI9YjhVMWU9ZThQsWC9YLdWvthCNB\
                  I61TAVNBU60LAQtBCyE4ADbQwAB3AAO0HUPFwAE5UBCsDgQBANNoAEJIgCiIwALgALCBCNCAkEwKHg9QwuEI5FozE4vFYZB\
                  AA=",
            canonical: Some("scftooooooooooooK*x"),
        },
        Good {
            kind: Kind::Windoku,
            text: "sclN4YwpgXA2lwG4QKwF8A06PoLqqpzOe+2uxJRxhZqVZtlpdOATpDFAAyoeFcCMvVACZCfbqNQDcYkbiHi5kwvJGFOqAMy\
                  CALIMQSt01LqP7FhqPJOXU+tVwBsggOyCAHBKdHXRj4q82PjYeahoKUGFSEcKE2uFxUXGyUIjhqVGpqrjRFmHWYWZQcRZx1\
                  nGFqRap1ql22WEBYUFhfkWoAXFBca2pAalBqSHZDuEjUSPJzuFTUVPJbuELUQtZMCMWI9YjhVMWU9ZThQsWC9YLdWvthCNB\
                  I61TAVNBU60LAQtBCyE4AK7QoAAXaBCAB0mTBOAA7hAwgALGGoEBCCAAYg4aEBwLB7QhqGhcIRSNR6NQmKgDmxoLM+NQ8LC\
                  RLRGJAQPJ2Ip1IRdMRyMZWGQQA=",
            canonical: Some("scftooooooooooooK*w"),
        },
        Good {
            kind: Kind::ColourSudoku,
            text: "sclN4YwpgXA2lwG4QKwF8A06PoLqqpzOe+2uxJRxhZqVZtlpdOATpDFAAyoeFcCMvVACZCfbqNQDcYkbiHi5kwvJGFOqAMy\
                  CALIMQSt01LqP7FhqPJOXU+tVwBsggOyCAHBKdHXRj4q82PjYeahoKUGFSEcKE2uFxUXGyUIjhqVGpqrjRFmHWYWZQcRZx1\
                  nGFqRap1ql22WEBYUFhfkWoAXFBca2pAalBqSHZDuEjUSPJzuFTUVPJbuELUQtZMCMWI9YjhVMWU9ZThQsWC9YLdWvthCNB\
                  I61TAVNBU60LAQtBCyE4AOYANgB7ABGAEM/tAAOQAEwAlgBnABWAJhADsAC4QrDIIA",
            canonical: Some(
                "fpuzN4IgzglgXgpiBcBOANCA5gJwgEwQbT1ADcBDAGwFc54BWVNCImAOwQBcMqBfZYHv3vyGCRfALrJCwgTOlyJU0XKVKFsle\
                s1c1yrRu2S9R+Yd1nVp/Vdk7r58RJDYIYAFYB7CMzaZ3FAA5g7JwwXEA===",
            ),
        },
        Good {
            kind: Kind::Killer,
            text: "sclN4YwpgXA2lA08PgXVnRCVvbT3mrxwL1xOO1IpQCdIYoAGWBzJgRldgCZM3nfYHVHx6ou/MYMziemRrADMnACycArAKXD\
                  Yq7Rslao43Udga5TAGycA7JwAcA69rvbHk56denHchRKh/IUDuTGUA8ODw0Sg1ALjguNlUEMN/E399KHDDcJNwrLjDOJM48\
                  xT/T39vf3ds2E9w73C6uM847zjfFMsA3uDemJsA4eDhmPsAyeDJ5Jhew16TXqzhw2GTYazJw0mTSfL5hsxe71664c9h72G6\
                  yc9J70nfFBAAQ2hQOnkWVHZOZIANwgbDiAFcAHYASwAjmDIAAXAC+sC+0HkhiYJiY5WBoNgkNh8IgyNR4HRVlsDiQKDx4Oh\
                  cMRKLRMD4vygfGCIhpsDpBIZxNJLI5igEJj4uJB9KJTLJ3z4nj43j43T5hMZJOZ5Jg4nZ4mCMh5aoFsuF4kMxmkZiNUv5Ms\
                  1cvR4k84m84lVtvVgq13387KCmH8QM9Jodwv8aR0gettJD9qF2pCVVgNVgHvxXtNifC7MiYVCsYzoYT3xy+fyMd5cY1JfR4\
                  UaKfz6elNZ96Li7ISmCSNqL8bbMCK3ajqDKvZb3sdg+Oo8bs+bdtbU6gvXZ/ROBarfaXwoWG+WleN/eXvU8pw3C8zYcTw3Z\
                  o0w43Hi8nwrWD5HUC2T6vtZgl3fNxpt+xYDlAkzstMmCzMBx7CjsUEfgcME7om9wIU8QGFhOTJIEiQA===",
            canonical: Some(
                "fpuzN4IgzglgXgpiBcBOANCA5gJwgEwQbT2AF9ljSSzKLryBdZQmq8l54+x1p7rjtn/nQaCR3PgIm9hk0UM6zR4rssX0QAawg\
                AbLTAwBjAIZo48QiH0wdYfCABKARgDCDkKkdOATG/vOAzCBqAG6GWgCupiAOAKwgFBZWWjZmvk4ALD4ese7OAGyBqCHhkTFxp\
                AnWth4A7JnOABx1TogFIEURCFGx8ZaVKXaeLpmD3u6DAcGhHfBdZaC9SVWDGWNO2faD+ZPFnaU9icl4G061q42rLdvTs/t9R3\
                Z+Q+6Po/aPE4VTJd3lC4dv6Uyj3WDycW0+Oxme1+Byqj1OAPOAMuEOu0PmsP6aSe9mxrzs2I+bS+ux+GLuuMB7mxIOx4OJkJu\
                MIpBJOmWxSNZKIZaLJFUW/WiOLsQvxQqJ7W+c35/xFVPsQpBQvpktJ0r+VSFCLlnKF3NVUL5Gv6uWFpvxpolJMN6sx91NK3sp\
                pBppV1qZ5IF9rZ7lNnNN+vd6JlVWqwrD+LDVsZweN9zDjrsYZBYbdMaNdvsYe1Yc5YcD6dtLPqwpL+JL0d5Ra99hLiZLIJLaa\
                rtxrdhL2pLnJLBZbzLbiGFg/xg8rUtbssHicHIMHzfH/cnPvsg85g9749oRCAA",
            ),
        },
    ],
    bad: &[
        BadSample { text: "scf5NlQ19j9mGca3OIN1bWGk2m41TjS7y", code: Code::Digit, cell: None },
        BadSample {
            text: "scf5555555555555555555555555555555555555555555555555555555555555555555555555555555555*",
            code: Code::Length,
            cell: None,
        },
        BadSample {
            text: "classicAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA5",
            code: Code::Length,
            cell: None,
        },
        BadSample { text: "scf5NlQ19j9mGca3OIN1bWGk2m41TjS79*q", code: Code::Unsupported, cell: None },
        BadSample { text: "https://sudokupad.app/wsj7iunsg6", code: Code::Remote, cell: None },
        BadSample { text: "wsj7iunsg6", code: Code::Header, cell: None },
        BadSample { text: "https://sudokupad.app/what is this?", code: Code::Header, cell: None },
        BadSample {
            text: "sclN4SwJgXA5AtghmAplANAYwM4QKwAZ2IQDaRwAbjgL4rkQDM1KNFA7I0wLoqkUBs7tAIzVaAThEVs7LkWYRxcgBzsmtfi\
                  hm1lTVXxW0GmigBYBFbXIY6hlIxDY65AJn16Zc9Y9oul1d7ohTOWE5BQCpfwCLOQcxWy4AJ0ISInxcGXxBDJQnGUEUdO58r\
                  KKcmScC8pQ",
            code: Code::Digit,
            cell: None,
        },
        BadSample { text: "sclN4YwpgXA2lwG4QB4F8C6rlA=", code: Code::Digit, cell: None },
        BadSample {
            text: "sclN4YwpgXA2lwG4QKwF8A06PoLqqpzOe+2uxJRxhZqVZtlpdOATpDFAAyoeFcCMvVACZCfbqNQDcYkbiHi5kwvJGFOqAMy\
                  CALIMQSt01LqP7FhqPJOXU+tVwBsggOyCAHBKdHXRj4q82PjYeahoKUGFSEcKE2uFxUXGyUIjhqVGpqrjRFmHWYWZQcRZx1\
                  nGFqRap1ql22WEBYUFhfkWoAXFBca2pAalBqSHZDuEjUSPJzuFTUVPJbuELUQtZMCMWI9YjhVMWU9ZThQsWC9YLdWvthCNB\
                  I61TAVNBU60LAQtBCyE4ADbQwAB3AAO0E4ADpUhwIbwIcZoTgAC4ACwgfA4yBwAFswAiAIYAE1xeIgwFxADsEQBLADWZMpA\
                  HMkQiIAjkMggA==",
            code: Code::Unsupported,
            cell: None,
        },
        BadSample { text: "sclN4YwpgXA2lA0C6s6OYgTpK8C+Q==", code: Code::Unsupported, cell: None },
        BadSample { text: "sclN4YwpgXA2lwG4QIwF8A06C6qrtVnm2uGWATpFBskA===", code: Code::Unsupported, cell: None },
        BadSample {
            text: "sclN4YwpgXA2lA08PgXVnWowDsAuAnMAtgIa4DWAztAIwAMSAvosqkwimq+68x019/04sBKfNBg1YdVJKrtJAJnZUpy2HNQ\
                  qlqBap3r2upeyiSAzPNgAWSwFY1FzdbX39jqLpv77JyQDZLAHZLAA41AKdgpzD9CI9YKPiwkzM9KFSNdNhtKCs0vMy8nNs0\
                  ksyS41Qs91SvLNdc2Hc8uryGkvcSupKfKtS41MTUmMa4vMS8kZK4ksSS5Kq/NKXMpZzAtI3MjZyQtL3MvcqYJfcluqWGjfc\
                  Nuo2Gvfc9ur3ek9g4pcSlkY24jcSGxGezie0Se2SDCAA==",
            code: Code::Range,
            cell: Some((2, 3)),
        },
        BadSample {
            text: "sclN4YwpgXA2lA08PgXVnRCVvbT3mrxwL1xOO1IpQCdIYoAGWATiTYF8g==",
            code: Code::Range,
            cell: None,
        },
        BadSample {
            text: "sclN4YwpgXA2lA08PgXVnRCVvbT3mrxwL1xOO1IpQCdIYoAGWBzJgRldgCZM3nfYHVHx6ou/MYMziemRrADMnACycArAKXD\
                  Yq7Rslao43Udga5TAGycA7JwAcA69rvbHk56denHchRKh/IUDuTGUA8ODw0Sg1ALjguNlUEMN/E399KHDDcJNwrLjDOJM48\
                  xT/T39vf3ds2E9w73C6uM847zjfFMsA3uDemJsA4eDhmPsAyeDJ5Jhew16TXqzhw2GTYazJw0mTSfL5hsxe71664c9h72G6\
                  yc9J70nfFBAAQ2hQOnkWVHYkFAANwg4QArgA7ACWAEdQZAAGYAXyQiKAA=",
            code: Code::Unsupported,
            cell: None,
        },
        BadSample { text: "sclN4SwJgXA5Adg9gFwBYhgcwARIKYCdtQA0CICANttAIYYnkEC+QA=", code: Code::Length, cell: None },
    ],
}];
