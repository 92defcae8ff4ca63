//! `plain`: decimal digits, one a cell; every digit is a clue (S0, S1, S3).

mod sudoku;

use super::text::{Text, wrong_length};
use super::{About, Form, Format, Hints, Holds, Id, Layout, Records, Samples};
use crate::board::{Batch, Kind, Shape};
use crate::error::Reject;
use crate::kernels::{Decoded, Kernel};

/// The format.
pub struct Plain;

static ABOUT: About = About {
    id: Id::Plain,
    name: "plain",
    summary: "digits and blanks; every digit is a clue",
    layouts: &[Layout { kinds: "sudoku", body: "1-9 and blanks 0 . _ - * x X ?", length: "81" }],
};

impl Format for Plain {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognise(&self, text: &[u8], hints: &Hints) -> Result<Form, Reject> {
        match super::text::length(text) {
            81 => Ok(sudoku::form(super::plain_kind(hints, "plain")?)),
            162 | 244 => Err(super::not_yet("killer and str8ts strings of plain")),
            _ => Err(wrong_length(text, "81 (sudoku), 162 (str8ts) or 244 (killer)")),
        }
    }

    fn decode(&self, form: Form, records: Records, batch: &mut Batch, kernel: &Kernel) -> Decoded {
        sudoku::decode(form, records, batch, kernel)
    }

    fn explain(&self, form: Form, text: &[u8]) -> Reject {
        sudoku::explain(form, text)
    }

    fn writes(&self, shape: Shape) -> Result<Form, Reject> {
        super::need_side_nine(shape, "plain")?;
        if matches!(shape.kind, Kind::Killer | Kind::KillerJigsaw) || shape.kind.has_black() {
            return Err(super::not_yet("writing killer and str8ts strings of plain"));
        }
        Ok(sudoku::form(Kind::Sudoku))
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
