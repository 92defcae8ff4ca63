//! Reads and writes the format `offset32`: 162 base-32 digits, two for each cell: 0 empty, 1-9 solved, 11-19 clue,
//! 20+mask candidates. It has the length and the digits of v1, so it is never guessed.

use super::samples::{BadSample, Good, Samples};
use super::text::{characters, explain_cells, wrong_length};
use super::{About, Codec, Form, Format, Hints, Holds, Layout, LayoutDoc, Records, StringsOut};
use crate::board::{Batch, Kind, Shape, Side};
use crate::error::{Code, Reject};
use crate::kernels::{Decoded, Kernel, all_bits};

/// The format `offset32`.
pub(super) struct Offset32;

const WIDTH: usize = 162;

static ABOUT: About = About {
    id: Format::Offset32,
    name: "offset32",
    summary: "base 32 with offsets, proposed once; never detected, use --from",
    layouts: &[LayoutDoc {
        kinds: "sudoku",
        body: "two digits a cell: 0 empty, 1-9 solved, 11-19 clue, 20+mask candidates",
        length: "162",
    }],
};

impl Codec for Offset32 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognise(&self, text: &[u8], hints: &Hints) -> Result<Form, Reject> {
        if super::text::length(text) != WIDTH {
            return Err(wrong_length(text, "162"));
        }
        let kind = super::plain_kind(hints, "offset32")?;
        Ok(Form { id: Format::Offset32, shape: Shape::new(kind, Side::NINE), layout: Layout::Spec, width: WIDTH })
    }

    fn decode(&self, form: Form, records: Records, batch: &mut Batch, kernel: &Kernel) -> Decoded {
        batch.reset(form.shape, records.len());
        Decoded { good: (kernel.codecs.decode_offset32)(records.texts(), batch.codes16_mut()), ..Decoded::default() }
    }

    fn explain(&self, _: Form, text: &[u8]) -> Reject {
        let characters = characters(text);
        if characters.len() != WIDTH {
            return wrong_length(text, "162");
        }
        let fault = explain_cells(&characters, 32, 2, 9, |_, value| {
            (value == 10 || value == 20 || value > 531)
                .then(|| (Code::Range, format!("{value} is not a cell code (0-9, 11-19, 21-531)")))
        });
        fault.unwrap_or_else(|| super::no_fault("offset32"))
    }

    fn writes(&self, shape: Shape) -> Result<Form, Reject> {
        super::need_side_nine(shape, "offset32")?;
        let shape = Shape::new(Kind::Sudoku, Side::NINE);
        Ok(Form { id: Format::Offset32, shape, layout: Layout::Spec, width: WIDTH })
    }

    fn holds(&self, _: Form) -> Holds {
        Holds { regions: false, cages: false, operators: false, black: false, ..Holds::all(&[Kind::Sudoku]) }
    }

    fn encode(&self, _: Form, batch: &Batch, kernel: &Kernel, out: StringsOut<'_>) -> u64 {
        out.fixed(WIDTH, batch.len(), |out, pitch| {
            (kernel.codecs.encode_offset32)(batch.codes16(), out, pitch);
            all_bits(batch.len())
        })
    }
}

pub(super) const SAMPLES: &[Samples] = &[Samples {
    good: &[Good::same(
        Kind::Sudoku,
        "0b0002040608000000000000000c0d0e0f0g0h0i0j0000gj0000000000000000000000000000000000000000000000000000000000000000\
         00000000000000000000000000000000000000000000000l0m",
    )],
    bad: &[
        BadSample { text: "0b", code: Code::Length, cell: None },
        BadSample {
            text: "0b0002040608000000000000000c0d0e0f0g0h0i0j000a000000000000000000000000000000000000000000000000000000000000\
                   00000000000000000000000000000000000000000000000000000l0m",
            code: Code::Range,
            cell: Some((3, 5)),
        },
        BadSample {
            text: "0b0002040608000000000000000c0d0e0f0g0h0i0j0000000000000000000000000000000000000000000000000000000000000000\
                   00000000000000000000000000000000000000000000000000000l0z",
            code: Code::Digit,
            cell: Some((9, 9)),
        },
    ],
}];
