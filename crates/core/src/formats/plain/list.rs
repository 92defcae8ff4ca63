//! plain sudoku as a list: 81 digits separated by commas and optional spaces, with 0 for a blank. The side as `9:` may
//! precede the list. Written as 81 characters.

use crate::board::{Batch, Kind, Shape, Side};
use crate::error::{Code, Reject};
use crate::formats::samples::{BadSample, Good, Samples};
use crate::formats::text::{Glyph, glyphs};
use crate::formats::{Form, Id, Layout, Records, no_fault};
use crate::kernels::{Decoded, ROW9};

/// Strings differ in length because of spaces.
pub(super) const WIDTH: usize = 0;
/// Commas of a list.
pub(super) const COMMAS: usize = 80;
/// What may precede the first digit.
const SIDE: &str = "9:";

/// The form for a kind, which the string itself cannot name.
pub(super) fn form(kind: Kind) -> Form {
    Form { id: Id::Plain, shape: Shape::new(kind, Side::NINE), layout: Layout::Spec, width: WIDTH }
}

pub(super) fn decode(form: Form, records: Records, batch: &mut Batch) -> Decoded {
    batch.reset(form.shape, records.len());
    let mut good = 0;
    for (i, codes) in batch.codes16_mut().chunks_exact_mut(ROW9).enumerate() {
        good |= u64::from(fill(records.get(i), &mut codes[..81])) << i;
    }
    Decoded { good, ..Decoded::default() }
}

/// Fills in the codes of one board. Returns false for any fault.
fn fill(text: &[u8], codes: &mut [u16]) -> bool {
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
    let glyphs = glyphs(text);
    let side = SIDE.len();
    let digits = if text.starts_with(SIDE.as_bytes()) { &glyphs[side..] } else { &glyphs[..] };
    let mut values = digits.split(|&glyph| glyph == Glyph::Char(',')).enumerate();
    let fault = values.find_map(|(cell, value)| {
        let spaces = value.iter().take_while(|&&glyph| cell > 0 && glyph == Glyph::Char(' ')).count();
        Some((cell, fault(&value[spaces..])?))
    });
    fault.map_or_else(|| no_fault("plain"), |(cell, (code, words))| Reject::at(code, cell, 9, words))
}

/// The fault of a value, if it has one.
fn fault(value: &[Glyph]) -> Option<(Code, String)> {
    let is_digit = |glyph: &&Glyph| glyph.ascii().is_some_and(|byte| byte.is_ascii_digit());
    if let Some(bad) = value.iter().find(|glyph| !is_digit(glyph)) {
        return Some((Code::Digit, format!("{} is not a decimal digit", bad.quoted())));
    }
    match value {
        [] => Some((Code::Digit, "no digit between two commas".to_string())),
        [_] => None,
        [Glyph::Char('0'), ..] => Some((Code::Digit, "a value with a leading zero".to_string())),
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
