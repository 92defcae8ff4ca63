//! Reads plain sudokus that are lists: 81 digits separated by commas and optional spaces, with 0 for an empty cell. The
//! side may precede the list as `9:`. These boards are written as 81 characters.

use crate::board::{Batch, Kind, Shape, Side};
use crate::error::{Code, Reject};
use crate::formats::samples::{BadSample, Good, Samples};
use crate::formats::text::{Character, characters};
use crate::formats::{Form, Format, Layout, Records, no_fault};
use crate::kernels::{Decoded, ROW9};

/// The width 0, because spaces make strings differ in length.
pub(super) const WIDTH: usize = 0;
/// The number of commas in a list.
pub(super) const COMMAS: usize = 80;
/// The side, which may precede the first digit.
const SIDE: &str = "9:";

/// Returns the form for a kind, which the string itself cannot name.
pub(super) fn form(kind: Kind) -> Form {
    Form { id: Format::Plain, shape: Shape::new(kind, Side::NINE), layout: Layout::Spec, width: WIDTH }
}

pub(super) fn decode(form: Form, records: Records, batch: &mut Batch) -> Decoded {
    batch.reset(form.shape, records.len());
    let mut good = 0;
    for (i, codes) in batch.codes16_mut().chunks_exact_mut(ROW9).enumerate() {
        good |= u64::from(decode_board(records.get(i), &mut codes[..81])) << i;
    }
    Decoded { good, ..Decoded::default() }
}

/// Decodes one board. Returns false if the string is invalid.
fn decode_board(text: &[u8], codes: &mut [u16]) -> bool {
    let mut rest = text.strip_prefix(SIDE.as_bytes()).unwrap_or(text);
    for (cell, code) in codes.iter_mut().enumerate() {
        if cell > 0 {
            let Some(after) = rest.strip_prefix(b",") else { return false };
            let spaces = after.iter().take_while(|&&byte| byte == b' ').count();
            rest = &after[spaces..];
        }
        let [digit @ b'0'..=b'9', after @ ..] = rest else { return false };
        *code = u16::from(digit - b'0');
        rest = after;
    }
    rest.is_empty()
}

pub(super) fn explain(text: &[u8]) -> Reject {
    let characters = characters(text);
    let side = SIDE.len();
    let digits = if text.starts_with(SIDE.as_bytes()) { &characters[side..] } else { &characters[..] };
    let mut values = digits.split(|&character| character == Character::Char(',')).enumerate();
    let fault = values.find_map(|(cell, value)| {
        let spaces = value.iter().take_while(|&&character| cell > 0 && character == Character::Char(' ')).count();
        Some((cell, fault(&value[spaces..])?))
    });
    fault.map_or_else(|| no_fault("plain"), |(cell, (code, words))| Reject::at(code, cell, 9, words))
}

/// Returns the fault of a value, if it has one.
fn fault(value: &[Character]) -> Option<(Code, String)> {
    let is_digit = |character: &&Character| character.ascii().is_some_and(|byte| byte.is_ascii_digit());
    if let Some(bad) = value.iter().find(|character| !is_digit(character)) {
        return Some((Code::Digit, format!("{} is not a decimal digit", bad.quoted())));
    }
    match value {
        [] => Some((Code::Digit, "no digit between two commas".to_string())),
        [_] => None,
        [Character::Char('0'), ..] => Some((Code::Digit, "a value with a leading zero".to_string())),
        _ => Some((Code::Range, "a value of more than 9 (lists of masks are v0)".to_string())),
    }
}

pub(super) const SAMPLES: Samples = Samples {
    good: &[
        Good {
            kind: Kind::Sudoku,
            text: "5,3,0,0,7,0,0,0,0,6,0,0,1,9,5,0,0,0,0,9,8,0,0,0,0,6,0,8,0,0,0,6,0,0,0,3,4,0,0,8,0,3,0,0,1,7,0,0,0,2,0,0,0,6,\
                   0,6,0,0,0,0,2,8,0,0,0,0,4,1,9,0,0,5,0,0,0,0,8,0,0,7,9",
            canonical: Some("530070000600195000098000060800060003400803001700020006060000280000419005000080079"),
        },
        Good {
            kind: Kind::Sudoku,
            text: "9:5, 3, 0,  0,7,0,0,0,0,6,0,0,1,9,5,0,0,0,0,9,8,0,0,0,0,6,0,8,0,0,0,6,0,0,0,3,4,0,0,8,0,3,0,0,1,7,0,0,0,2,0,0,\
                   0,6,0,6,0,0,0,0,2,8,0,0,0,0,4,1,9,0,0,5,0,0,0,0,8,0,0,7, 9",
            canonical: Some("530070000600195000098000060800060003400803001700020006060000280000419005000080079"),
        },
    ],
    bad: &[
        BadSample {
            text: "5,3,0,0,7,0,0,0,0,6,0,0,1,9,5,0,0,0,0,9,8,0,0,0,0,6,0,8,0,0,0,6,0,0,0,3,4,0,0,8,0,3,0,0,1,7,0,0,0,2,0,0,0,6,\
                   0,6,0,0,0,0,2,8,0,0,0,0,4,1,9,0,0,5,0,0,0,0,8,0,0,7",
            code: Code::Length,
            cell: None,
        },
        BadSample {
            text: "5,.,0,0,7,0,0,0,0,6,0,0,1,9,5,0,0,0,0,9,8,0,0,0,0,6,0,8,0,0,0,6,0,0,0,3,4,0,0,8,0,3,0,0,1,7,0,0,0,2,0,0,0,6,\
                   0,6,0,0,0,0,2,8,0,0,0,0,4,1,9,0,0,5,0,0,0,0,8,0,0,7,9",
            code: Code::Digit,
            cell: Some((1, 2)),
        },
        BadSample {
            text: "5,3 ,0,0,7,0,0,0,0,6,0,0,1,9,5,0,0,0,0,9,8,0,0,0,0,6,0,8,0,0,0,6,0,0,0,3,4,0,0,8,0,3,0,0,1,7,0,0,0,2,0,0,0,6,\
                   0,6,0,0,0,0,2,8,0,0,0,0,4,1,9,0,0,5,0,0,0,0,8,0,0,7,9",
            code: Code::Digit,
            cell: Some((1, 2)),
        },
        BadSample {
            text: "5,3,0,0,7,0,0,0,0,6,0,0,1,9,5,0,0,0,0,9,8,0,0,0,0,6,0,8,0,0,0,6,0,0,0,3,4,0,0,8,0,3,0,0,1,7,0,0,0,2,0,0,0,6,\
                   0,6,0,0,0,0,2,8,0,0,0,0,4,1,9,0,0,5,0,0,0,0,8,0,0,7,",
            code: Code::Digit,
            cell: Some((9, 9)),
        },
        BadSample {
            text: "5,3,0,0,7,0,0,0,0,6,0,0,1,9,5,0,0,0,0,9,8,0,0,0,0,6,0,8,0,0,0,6,0,0,0,3,4,0,0,8,0,3,0,0,1,7,0,0,0,2,0,0,0,6,\
                   0,6,0,0,0,0,2,8,0,0,0,0,4,1,9,0,0,5,0,0,0,0,8,0,0,7,12",
            code: Code::Range,
            cell: Some((9, 9)),
        },
    ],
};
