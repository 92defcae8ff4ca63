//! Reads jigsaws of two parts: the clues, and a map with a sign for the region of each cell.

use super::companions::{is_map_of_regions, is_pair};
use super::losses::Holds;
use super::neutral::{NeutralBoard, NeutralRegions};
use super::notation::{Notation, OneBoard};
use super::samples::{BadSample, Good, Samples};
use super::{About, Format, Hints, LayoutDoc};
use crate::board::{Kind, Shape};
use crate::error::{Code, Reject, escape};
use crate::kernels::tables::BLANKS;

/// The format `jigsaw-pair`.
pub(super) struct JigsawPair;

static ABOUT: About = About {
    id: Format::JigsawPair,
    name: "jigsaw-pair",
    summary: "clues and a map of regions, or the other way round, one sign for each cell",
    layouts: &[LayoutDoc {
        kinds: "jigsaw, sudoku, sides 6, 8 and 9",
        body: "81 clues and 81 signs, nine of each",
        length: "162, 163 with a separator",
    }],
};

/// The sides of boards.
const SIDES: [usize; 3] = [6, 8, 9];

impl Notation for JigsawPair {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn resembles(&self, text: &[u8]) -> bool {
        let (signs, side) = signs(text);
        side.is_some_and(|side| is_pair(&signs, side))
            && text.iter().all(|byte| byte.is_ascii_graphic() || matches!(byte, b' ' | b'\t'))
    }

    fn read(&self, text: &[u8], _: &Hints) -> Result<OneBoard, Reject> {
        let (signs, side) = signs(text);
        let side = side.ok_or_else(|| super::text::wrong_length(&signs, "162 (or 72 or 128 for sides 6 and 8)"))?;
        let [first, second] = [&signs[..side * side], &signs[side * side..]];
        let read = |clues, map| is_map_of_regions(map, side).then(|| read_clues(clues, side));
        let (clues, map) = match (read(second, first), read(first, second)) {
            (None, None) => {
                let words = format!("neither half is a map of {side} regions of {side} cells");
                return Err(Reject::whole(Code::Region, words));
            }
            (Some(Ok(_)), Some(Ok(_))) => {
                return Err(Reject::whole(
                    Code::Ambiguous,
                    "both halves can be the map of regions, and both the clues",
                ));
            }
            (Some(Ok(clues)), _) => (clues, first),
            (_, Some(clues)) => (clues?, second),
            (Some(clues), None) => (clues?, first),
        };
        let mut board = NeutralBoard::new(side)?;
        board.cells.iter_mut().zip(clues).for_each(|(cell, clue)| cell.given = clue);
        board.regions = NeutralRegions::Numbers(map.iter().map(|&sign| Some(sign.into())).collect());
        board.into_board()
    }

    fn holds(&self, _: Shape) -> Holds {
        Holds::all(&[Kind::Jigsaw, Kind::Sudoku])
    }
}

/// The signs of a text, without separators if it has any, and the side of the board that they are of.
fn signs(text: &[u8]) -> (Vec<u8>, Option<usize>) {
    let side = |length: usize| SIDES.into_iter().find(|side| 2 * side * side == length);
    let text = text.trim_ascii();
    if side(text.len()).is_some() {
        return (text.to_vec(), side(text.len()));
    }
    let is_sign = |byte: &u8| !byte.is_ascii_whitespace() && !b",;|:".contains(byte);
    let signs: Vec<u8> = text.iter().copied().filter(is_sign).collect();
    let side = side(signs.len());
    (signs, side)
}

/// Reads clues: digits, and one sign for empty cells.
fn read_clues(signs: &[u8], side: usize) -> Result<Vec<u8>, Reject> {
    let mut blank = None;
    let clue = |(at, &sign): (usize, &u8)| {
        let fault = |words: String| Err(Reject::at(Code::Digit, at, side, words));
        match sign {
            b'1'..=b'9' if usize::from(sign - b'0') <= side => Ok(sign - b'0'),
            _ if !BLANKS.contains(&sign) => {
                fault(format!("'{}' is neither a digit nor an empty cell", escape(&[sign])))
            }
            _ if *blank.get_or_insert(sign) != sign => fault("two signs for empty cells".to_string()),
            _ => Ok(0),
        }
    };
    signs.iter().enumerate().map(clue).collect()
}

pub(super) const SAMPLES: &[Samples] = &[Samples {
    good: &[
        Good::same(
            Kind::Jigsaw,
            ".........8...7341.1.....3..5....4.7.42.6..5..3.9.57......4.5.2..9....8..2.1......111222333112222333111122443556666443555566443757666844757888849757889999777889999",
        ),
        Good::same(
            Kind::Jigsaw,
            "AAABBBCCCAABBBBCCCAAAABBDDCEEFFFFDDCEEEEFFDDCGEGFFFHDDGEGHHHHDIGEGHHIIIIGGGHHIIII000000000800073410100000300500004070420600500309057000000405020090000800201000000",
        ),
        Good::same(
            Kind::Jigsaw,
            ".........8...7341.1.....3..5....4.7.42.6..5..3.9.57......4.5.2..9....8..2.1......,AAABBBCCCAABBBBCCCAAAABBDDCEEFFFFDDCEEEEFFDDCGEGFFFHDDGEGHHHHDIGEGHHIIIIGGGHHIIII",
        ),
        Good::same(
            Kind::Sudoku,
            "---------8---7341-1-----3--5----4-7-42-6--5--3-9-57------4-5-2--9----8--2-1------111222333111222333111222333444555666444555666444555666777888999777888999777888999",
        ),
        Good::same(Kind::Jigsaw, "1...................................aabbccaabbccaabbccddeeffddeeffddeeff"),
    ],
    bad: &[
        BadSample {
            text: ".........8...7341.1.....3..5....4.7.42.6..5..3.9.57......4.5.2..9....8..2.1......11122233311222233311112244355666644355556644375766684475788884975788999977788999",
            code: Code::Length,
            cell: None,
        },
        BadSample {
            text: ".........8...7341.1.....3..5....4.7.42.6..5..3.9.57......4.5.2..9....8..2.1......111222333112222333111122443556666443555566443757666844757888849757889999777889991",
            code: Code::Region,
            cell: None,
        },
        BadSample {
            text: "x........8...7341.1.....3..5....4.7.42.6..5..3.9.57......4.5.2..9....8..2.1......111222333112222333111122443556666443555566443757666844757888849757889999777889999",
            code: Code::Digit,
            cell: Some((1, 2)),
        },
        BadSample {
            text: "Q........8...7341.1.....3..5....4.7.42.6..5..3.9.57......4.5.2..9....8..2.1......111222333112222333111122443556666443555566443757666844757888849757889999777889999",
            code: Code::Digit,
            cell: Some((1, 1)),
        },
        BadSample {
            text: "111111111222222222333333333444444444555555555666666666777777777888888888999999999111222333111222333111222333444555666444555666444555666777888999777888999777888999",
            code: Code::Ambiguous,
            cell: None,
        },
    ],
}];
