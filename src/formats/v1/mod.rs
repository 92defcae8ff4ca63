//! `v1`: base 32 at a fixed width, masks of digits shifted up to make room for flags (S0, S1, S3).

mod sudoku;

use super::text::{Text, wrong_length};
use super::{About, Form, Format, Hints, Holds, Id, Layout, Records, Samples};
use crate::board::{Batch, Kind, Shape};
use crate::error::{Code, Reject};
use crate::kernels::{Decoded, Kernel};

/// The format.
pub struct V1;

static ABOUT: About = About {
    id: Id::V1,
    name: "v1",
    summary: "base 32, masks and flags; one candidate alone is a solved cell",
    layouts: &[Layout { kinds: "sudoku", body: "two digits a cell: mask<<1 | clue", length: "162" }],
};

impl Format for V1 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognise(&self, text: &[u8], hints: &Hints) -> Result<Form, Reject> {
        match super::text::length(text) {
            162 => sudoku::form(super::plain_kind(hints, "v1")?),
            325 | 243 => Err(super::not_yet("killer and str8ts strings of v1")),
            _ => Err(wrong_length(text, "162 (sudoku), 243 (str8ts) or 325 (killer)")),
        }
    }

    fn decode(&self, form: Form, records: Records, batch: &mut Batch, kernel: &Kernel) -> Decoded {
        sudoku::decode(form, records, batch, kernel)
    }

    fn explain(&self, form: Form, text: &[u8]) -> Reject {
        sudoku::explain(form, text)
    }

    fn writes(&self, shape: Shape) -> Result<Form, Reject> {
        if shape.side.get() != 9 {
            return Err(Reject::whole(Code::Unsupported, format!("v1 has no boards of side {}", shape.side)));
        }
        if matches!(shape.kind, Kind::Killer | Kind::KillerJigsaw) || shape.kind.has_black() {
            return Err(super::not_yet("writing killer and str8ts strings of v1"));
        }
        sudoku::form(Kind::Sudoku)
    }

    fn holds(&self, form: Form) -> Holds {
        sudoku::holds(form)
    }

    fn encode(
        &self,
        form: Form,
        batch: &Batch,
        kernel: &Kernel,
        out: &mut Text,
        gap: usize,
        ends: &mut [usize],
    ) -> u64 {
        sudoku::encode(form, batch, kernel, out, gap, ends)
    }

    fn samples(&self) -> Samples {
        sudoku::SAMPLES
    }
}
