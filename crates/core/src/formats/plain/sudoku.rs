//! Reads and writes plain sudokus: 81 digits 1 to 9 and blanks `0 . _ - * x X ?`, in any mixture. They are written with
//! `0`.

use crate::board::{Batch, Kind, Shape, Side};
use crate::error::{Code, Reject};
use crate::formats::samples::{BadSample, Good, Samples};
use crate::formats::text::{characters, wrong_length};
use crate::formats::{Form, Format, Holds, Layout, Records, StringsOut};
use crate::kernels::tables::{BAD, PLAIN_TO_CODE};
use crate::kernels::{Decoded, Kernel};

pub(super) const WIDTH: usize = 81;

/// Returns the form for a kind, which the string itself cannot name.
pub(super) fn form(kind: Kind) -> Form {
    Form { id: Format::Plain, shape: Shape::new(kind, Side::NINE), layout: Layout::Spec, width: WIDTH }
}

pub(super) fn holds(_: Form) -> Holds {
    Holds::clues(&[Kind::Sudoku])
}

pub(super) fn decode(form: Form, records: Records, batch: &mut Batch, kernel: &Kernel) -> Decoded {
    batch.reset(form.shape, records.len());
    Decoded { good: (kernel.codecs.decode_plain)(records.texts(), batch.codes16_mut()), ..Decoded::default() }
}

pub(super) fn encode(batch: &Batch, kernel: &Kernel, out: StringsOut<'_>) -> u64 {
    out.fixed(WIDTH, batch.len(), |out, pitch| (kernel.codecs.encode_plain)(batch.codes16(), out, pitch))
}

pub(super) fn explain(_: Form, text: &[u8]) -> Reject {
    let characters = characters(text);
    if characters.len() != WIDTH {
        return wrong_length(text, "81");
    }
    let fault = characters.iter().enumerate().find_map(|(cell, character)| {
        let known = character.ascii().is_some_and(|byte| PLAIN_TO_CODE[byte as usize] != BAD);
        let words = || format!("{} is neither a digit 1-9 nor a blank (0 . _ - * x X ?)", character.quoted());
        (!known).then(|| Reject::at(Code::Digit, cell, 9, words()))
    });
    fault.unwrap_or_else(|| crate::formats::no_fault("plain"))
}

pub(super) const SAMPLES: Samples = Samples {
    good: &[
        Good::same(Kind::Sudoku, "100000569492056108056109240009640801064010000218035604040500016905061402621000005"),
        Good {
            kind: Kind::Sudoku,
            text: "1.....569492.561.8.561.924...964-8-1-64-1----218_356_4_4_5xxX16905061402621?****5",
            canonical: Some("100000569492056108056109240009640801064010000218035604040500016905061402621000005"),
        },
    ],
    bad: &[
        BadSample {
            text: "10000056949205610805610924000964080106401000021803560404050001690506140262100000",
            code: Code::Length,
            cell: None,
        },
        BadSample {
            text: "1000005694920561080561092400096408010640a0000218035604040500016905061402621000005",
            code: Code::Digit,
            cell: Some((5, 5)),
        },
        BadSample {
            text: "10000056949205610805610924000964080106401000021803560404050001690506140262100000\u{0665}",
            code: Code::Digit,
            cell: Some((9, 9)),
        },
    ],
};
