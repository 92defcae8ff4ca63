//! Reads and writes plain Str8ts: 81 digits of clues (0 for none), then 81 digits that are 1 for black and 0 for white.

use crate::board::{Batch, Kind, Shape, Side};
use crate::error::{Code, Reject};
use crate::formats::samples::{BadSample, Good, Samples};
use crate::formats::text::{characters, explain_cells, wrong_length};
use crate::formats::{Form, Format, Holds, Layout, Records, StringsOut, no_fault};
use crate::kernels::Decoded;

pub(super) const WIDTH: usize = 162;
/// The code of an empty black cell at side 9. The code of a black clue is this code plus the digit.
const BLACK: u16 = 10;

/// Returns the form for one of the Str8ts kinds, which the string itself cannot name.
pub(super) fn form(kind: Kind) -> Form {
    Form { id: Format::Plain, shape: Shape::new(kind, Side::NINE), layout: Layout::Spec, width: WIDTH }
}

pub(super) fn holds() -> Holds {
    Holds { black: true, ..Holds::clues(&[Kind::Str8ts]) }
}

pub(super) fn decode(form: Form, records: Records, batch: &mut Batch) -> Decoded {
    batch.reset(form.shape, records.len());
    let mut good = 0;
    for (i, codes) in batch.codes16_mut().chunks_exact_mut(form.shape.stride()).enumerate() {
        let (digits, colours) = records.get(i).split_at(81);
        let mut bad = false;
        for ((code, &digit), &colour) in codes.iter_mut().zip(digits).zip(colours) {
            let (digit, black) = (digit.wrapping_sub(b'0'), colour.wrapping_sub(b'0'));
            bad |= digit > 9 || black > 1;
            *code = u16::from(digit) + BLACK * u16::from(black);
        }
        good |= u64::from(!bad) << i;
    }
    Decoded { good, ..Decoded::default() }
}

pub(super) fn explain(text: &[u8]) -> Reject {
    let characters = characters(text);
    if characters.len() != WIDTH {
        return wrong_length(text, "162");
    }
    let (digits, colours) = characters.split_at(81);
    explain_cells(digits, 10, 1, 9, |_, _| None)
        .or_else(|| {
            explain_cells(colours, 10, 1, 9, |_, colour| {
                (colour > 1).then(|| (Code::Range, format!("{colour} is not a cell colour (0 white, 1 black)")))
            })
        })
        .unwrap_or_else(|| no_fault("plain"))
}

pub(super) fn encode(batch: &Batch, out: StringsOut<'_>) -> u64 {
    out.fixed(WIDTH, batch.len(), |out, pitch| {
        let mut lossless = 0;
        for (i, codes) in batch.codes16().chunks_exact(batch.stride()).enumerate() {
            let (digits, colours) = out[i * pitch..][..WIDTH].split_at_mut(81);
            let mut more = false;
            for ((&code, digit), colour) in codes.iter().zip(digits).zip(colours) {
                let black = code.wrapping_sub(BLACK) < 10;
                let clue = if black { code - BLACK } else { code };
                *digit = if clue < 10 { b'0' + clue as u8 } else { b'0' };
                *colour = b'0' + u8::from(black);
                more |= code >= 2 * BLACK;
            }
            lossless |= u64::from(!more) << i;
        }
        lossless
    })
}

pub(super) const SAMPLES: Samples = Samples {
    good: &[Good::same(
        Kind::Str8ts,
        "00000000900000006093000000000000400000300000000072000009000020000000001010000002000000001100000000000000\
             0000011001100001100011000000000000001000001000000100000000",
    )],
    bad: &[
        BadSample {
            text: "00000000900000006093000000000000400000300000000072000009000020000000001010000002000000001100000000\
                   00000000000110011000011000110000000000000010000010000001000000000",
            code: Code::Length,
            cell: None,
        },
        BadSample {
            text: "0000.000900000006093000000000000400000300000000072000009000020000000001010000002000000001100000000\
                   0000000000011001100001100011000000000000001000001000000100000000",
            code: Code::Digit,
            cell: Some((1, 5)),
        },
        BadSample {
            text: "00000000900000006093000000000000400000300000000072000009000020000000001010000002000000021100000000\
                   0000000000011001100001100011000000000000001000001000000100000000",
            code: Code::Range,
            cell: Some((1, 7)),
        },
        BadSample {
            text: "00000000900000006093000000000000400000300000000072000009000020000000001010000002000000001100000000\
                   000000000001100110000110001100000000000000100000100000010000000x",
            code: Code::Digit,
            cell: Some((9, 9)),
        },
    ],
};
