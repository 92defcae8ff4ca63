//! Samples of puzzles of f-puzzles, good and bad.

use crate::board::Kind;
use crate::error::Code;
use crate::formats::samples::{BadSample, Good, Samples};

pub(in crate::formats) const SAMPLES: &[Samples] = &[Samples {
    good: &[
        Good {
            kind: Kind::Sudoku,
            text: "N4IgzglgXgpiBcBOANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZY8qhABYeoAMYs2MDAAUWoiGQCyJDAGsw+AE\
                  zJByABwBdEcd4ngIkKUrVt6Ri3acYXA8kIWrApPXut4HblNeS35qXTsmPwDnIPNYkOsEAFYfSMdA81d3eM9qADZUh38nMzME\
                  rwB2QqiS2Jc3OL5E+BSIouiy3IQUNpqMj1CEAGZq9JjG4yyJuuCu+CresdK6qeWmrz1R4ozy6laGNO3xzsH4cIP22syG3YQF\
                  i77jmen1/K2OlYaB5pHFo7Xvl4eg8ljlTps/h9rtlGrd4LYQf9nms4XRISUDEYgA",
            canonical: None,
        },
        Good {
            kind: Kind::Sudoku,
            text: "https://www.f-puzzles.com/?load=N4IgzglgXgpiBcBOANCALhNAbO8QEEACDbOVAQwFc0ALAewCcEQBlOgWxgCM6ATA\
                  TxCoGlHGBhpmAOUbtyWQmEq86Aa0qERYwuQAOurPwB0QkAHMGEXggDaN0ADd5lXAEZUZiA5gA7BGhEYAF9kR2dcABYQ0ABjX\
                  zQYBgAFXxiILABZcgZVMFsAJmQI5AAOAF1oytCq4GiQJywXBELzL19/QKCy5Hs6hqakDza/eACXGvrwhGLW7xGx4Oql2tDJx\
                  twAViG5jvHq7t7ltYGANm320c7lif7cAHZz+auV2oOX483H3cX324QUWYXBY3KbwADMX0uexelTeNRB6wQD0BT2h8P2PRhRz\
                  +8BKkOBqxxWxR33RYUR8Bmnh2UJ+XUxHyR+OeZIRp2ZaIxh3JAwhJNprMJoIB1KBLKFFLx/IJr0xbNwLVFqLp11VPLcHOCZW\
                  64DojQwdBGNgADMhTeazZaLdarbabfa7Y6Hc6na6Xe63Z6Pd6rRUgA==",
            canonical: Some(
                "N4IgzglgXgpiBcBOANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZY8qhABYeoAMYs2MDAAUWoiGQCyJDAGsw+AE\
                zJByABwBdEcd4ngIkKUrVt6Ri3acYXA8kIWrApPXut4HblNeS35qXTsmPwDnIPNYkOsEAFYfSMdA81d3eM9qADZUh38nMzME\
                rwB2QqiS2Jc3OL5E+BSIouiy3IQUNpqMj1CEAGZq9JjG4yyJuuCu+CresdK6qeWmrz1R4ozy6laGNO3xzsH4cIP22syG3YQF\
                i77jmen1/K2OlYaB5pHFo7Xvl4eg8ljlTps/h9rtlGrd4LYQf9nms4XRISUDEYgA",
            ),
        },
        Good {
            kind: Kind::SudokuX,
            text: "N4IgzglgXgpiBcA2ANCA5gJwgEwQbT2AF9ljSSzQA3AQwBsBXOeAZlTQipgDsEAXDEwpEAuskLDyUyqPEzpk4mIkLVSuYs3l\
                  l83cJFiQ2CDTQB7bvQDU/QTFTHTF+gFpbQoA",
            canonical: None,
        },
        Good {
            kind: Kind::Windoku,
            text: "N4IgzglgXgpiBcBOANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYHv3vyGCRxclQQAmeoxbtOMLgF1khfiFKVq\
                  KdLNbwO3URvHUALDKb7Di0cLFaEAVktyDCoSrXHNE+ADZXaw87H1MEAHYg+SMBPi84k0d4F10rGNtE321o91j1bIQAZlybe0\
                  9VOPLeJL8otLcy0KqE6oc/AA5SkPbqVIZ0vMz7WvNu/ITRyPHh5pHCgJny1pqFkobg/OappCWw5K6NjIrvLPD4aSOhtradui\
                  uypRUQGAAPDhIMGAYAe31CEAAYxgZDIYHwIAASpIAMKSECoaEwooIqGwsyoyFFOGY7EoxHYjGIsw44nIzEkjFKdTA0Hg+B4N\
                  Ew/yY2ERVkwjq45nc9kEzkUnlkvlQklc6k1WlgiGQ/ykqFy/EKmFEqEReWQ9VKzUqzEdDX67X6qk0kHShnKlmIuUi2UCxHqq\
                  1qmG29VcxH6p2Q/W2/Xi5RcIA===",
            canonical: None,
        },
        Good {
            kind: Kind::ColourSudoku,
            text: "N4IgzglgXgpiBcBOANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYHv3vyGCRxclQQAmeoxbtOMLgF1khfiFKVq\
                  KdLNbwO3URvHUALDKb7Di0cLFaEAVktyDCoSrXHNE+ADZXaw87H1MEAHYg+SMBPi84k0d4F10rGNtE321o91j1bIQAZlybe0\
                  9VOPLeJL8otLcy0KqE6oc/AA5SkPbqVIZ0vMz7WvNu/ITRyPHh5pHCgJny1pqFkobg/OappCWw5K6NjIrvLPD4aSOhtradui\
                  uypRUQbAgwACsAewhmNkxPigABzAxyAA",
            canonical: None,
        },
        Good {
            kind: Kind::Jigsaw,
            text: "N4IgzglgXgpiBcA2ANCA5gJwgEwQbT2AF9ljSQMY0IB7AOwQEYSzWiBdZQln8y6+ggAMvYp26lRU8W0ly2MqfJ6LlaseyJA=",
            canonical: None,
        },
        Good {
            kind: Kind::Killer,
            text: "N4IgzglgXgpiBcA2ANCA5gJwgEwQbT2AF9ljSSzKiBdZQih8p42+5xq1q99rj/8nx7cWtEAGsIAGykwMAYwCGaOPEIh5MGWH\
                  wgASgEYAwgZCpDRgEwgxAN0VSArqpABmEBQ1apOtfuPu5sYALDao9k4uAKwepF7auhYxQUaIYSARzgggAOyxoJoJfnqWJmb6\
                  pdZ2DlnwIAYADPnxPomlgRVGodWR2e6eha3FpcmdaT21IDED3r54+q5l5otV4TUuABzNg3MLRh16i91rvXWN27OJi6OHqemZ\
                  Lv1xO4nBS/pvqxnr2WkzRfM9G8Dm9jt9TiAtv8hoC3jc3uMTpNztDdnoou90VZ7j86qFUYkMQcMWCHr8LgD9BibhjEeDJlDn\
                  pdiohMayvmSzqYCSz9uU9KzSbiQPimZSBUYbqy6ZyQH9qEQgA===",
            canonical: None,
        },
        Good {
            kind: Kind::KillerJigsaw,
            text: "N4IgzglgXgpiBcA2ANCA5gJwgEwQbT2AF9ljSQMY0IB7AOwQEYSzWiBdZQln8y6+ggAMvYp26lRU8W0ly2MqfJ6LlasZxABr\
                  CABtdMDAGMAhmjjxCIIzH1h8IAEqMAwoxCpnLgEwhNANxNdAFcLEABmEBZrW117SydXSM9XABY/VECQsIBWKPIbOwcvPJSXR\
                  AyQLNCEEAB2fNBCuOLvNw8nNt8AoJr4EEYhRpiihMc25M6XdJ7s2sjo5vi8KdKpitm+kDzF2OWncPbPQ+7M3rCADmGl4sPJx\
                  0OZs7n+weu925c1h/LK6rCFgUPmNUkcnKDTlVzrUKrtRitHKD7qCnlCXiArnCWiCvh1Eb9NmE3lj9o4cmCyT4/tD+ukScVyf\
                  dyaj/jD3vCnOTvuSNs8tpigRzHIgKSLIazXu56WMRfcRSyaSA6YLsQiRd8Rby0VtYewiEA==",
            canonical: None,
        },
        Good {
            kind: Kind::Killer,
            text: "N4IgzglgXgpiBcA2ANCA5gJwgEwQbT2AF9ljSSzKiBdZQih8p42+5xq1q99rj/8nx7cWtEAGsIAGykwMAYwCGaOPEIh5MGWH\
                  wgASgEYAwgZCpDRgExn9lqyGoUNWqTrX7jAZhsWALA6dNbV0LAFYfY0QfOyixADdFKQBXVRAADhBAlzc8WxMfT3zHUmdg9z0\
                  7b3M7f3NC6zqjKv1fJoCSoNcQu3DG2v1C3pajcOLQTpyBo1jUBOTU6yyy3L1W03NWhv1Q+zHSrvLW/r0d453R2cSUhBADRY7\
                  skNao8x2X/UQjY8+hvU+ZkBza7wW4AdkyD2W23yrza5k+6w+9nhbXiV1SBgAnJlHEA==",
            canonical: None,
        },
        Good {
            kind: Kind::ColourSudoku,
            text: "fpuzzlesN4IgzglgXgpiBcBOANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYHv3vyGCRxclQQAmeoxbtOMLgF1\
                  khfiFKVqKdLNbwO3URvHUALDKb7Di0cLFaEAVktyDCoSrXHNE+ADZXaw87H1MEAHYg+SMBPi84k0d4F10rGNtE321o91j1bI\
                  QAZlybe09VOPLeJL8otLcy0KqE6oc/AA5SkPbqVIZ0vMz7WvNu/ITRyPHh5pHCgJny1pqFkobg/OappCWw5K6NjIrvLPD4aS\
                  OhtraduiuypRUQbAgwACsAewhmNkxPigABzAxyAA",
            canonical: Some(
                "N4IgzglgXgpiBcBOANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYHv3vyGCRxclQQAmeoxbtOMLgF1khfiFKVq\
                KdLNbwO3URvHUALDKb7Di0cLFaEAVktyDCoSrXHNE+ADZXaw87H1MEAHYg+SMBPi84k0d4F10rGNtE321o91j1bIQAZlybe0\
                9VOPLeJL8otLcy0KqE6oc/AA5SkPbqVIZ0vMz7WvNu/ITRyPHh5pHCgJny1pqFkobg/OappCWw5K6NjIrvLPD4aSOhtradui\
                uypRUQbAgwACsAewhmNkxPigABzAxyAA",
            ),
        },
    ],
    bad: &[
        BadSample {
            text: "N4IgzglgXgpiBcBOANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZY8qhABYeoAMYs2MDAAUWoiGQCyJDAGsw+AE\
                  zJByABwBdEcd4ngIkKUrVt6Ri3acYXA8kIWrApPXut4HblNeS35qXTsmPwDnIPNYkOsEAFYfSMdA81d3eM9qADZUh38nMzME\
                  rwB2QqiS",
            code: Code::Digit,
            cell: None,
        },
        BadSample {
            text: "N4IgzglgXgpiBcBOANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYHv3vyGCRxclQQAmeoxbtOMLgF1khfiFKVq\
                  KdLNbwO3URvHUALDKb7Di0cLFaEAVktyDCoSrXHNE+ADZXaw87H1MEAHYg+SMBPi84k0d4F10rGNtE321o91j1bIQAZlybe0\
                  9VOPLeJL8otLcy0KqE6oc/AA5SkPbqVIZ0vMz7WvNu/ITRyPHh5pHCgJny1pqFkobg/OappCWw5K6NjIrvLPD4aSOhtradui\
                  uypRUQNgALGAwAWwB7T5g2D74UBkCDMGBgfB4EAAJRoAGEaCBULC4ZIQE9lKgSMw2BAANbMCBoV5sY5AA===",
            code: Code::Unsupported,
            cell: None,
        },
        BadSample {
            text: "N4IgzglgXgpiBcBOANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYHv3vyGCRxclQQAmeoxbtOMLgF1khfiFKVq\
                  KdLNbwO3URvHUALDKb7Di0cLFaEAVktyDCoSrXHNE+ADZXaw87H1MEAHYg+SMBPi84k0d4F10rGNtE321o91j1bIQAZlybe0\
                  9VOPLeJL8otLcy0KqE6oc/AA5SkPbqVIZ0vMz7WvNu/ITRyPHh5pHCgJny1pqFkobg/OappCWw5K6NjIrvLPD4aSOhtradui\
                  uypRUQbAgSNAB7ZnIAamOgA=",
            code: Code::Unsupported,
            cell: None,
        },
        BadSample {
            text: "N4IgzglgXgpiBcBOANCA5gJwgEwQbT2AF9ljSSzKLqBdZQ68pq5ouh1zl497xv8r37CubegIm1xIyYOmiFPGkSA=",
            code: Code::Length,
            cell: None,
        },
        BadSample {
            text: "N4IgzglgXgpiBcA2ANCA5gJwgEwQbT2AF9ljSSzKiBdZQiikANwEMAbAVzngHYHzytegKoiadUZIZCpYwRP6zi1akSA=",
            code: Code::Range,
            cell: Some((2, 3)),
        },
        BadSample {
            text: "N4IgzglgXgpiBcA2ANCA5gJwgEwQbT2AF9ljSSzKiBdZQiikANwEMAbAVznhAA8QG5crXpCqYmnXHSGImROFTB84tWpEgA==",
            code: Code::Digit,
            cell: Some((2, 3)),
        },
        BadSample {
            text: "N4IgzglgXgpiBcA2ANCA5gJwgEwQbT2AF9ljSSzKiBdZQih8p42+5xq1q99rj/8nx7cWtEAGsIAGykwMAYwCGaOPEIh5MGWH\
                  wgASgHYAwgEYQ1GkSA==",
            code: Code::Range,
            cell: None,
        },
        BadSample { text: "N4IgzglgXgpiBcBOAvkA", code: Code::Length, cell: None },
        BadSample { text: "plain", code: Code::Header, cell: None },
    ],
}];
