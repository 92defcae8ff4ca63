//! Reads and writes the format `v1`: base 32 with a fixed width for each cell. A value is a mask of digits, shifted
//! left to make room for flags.

mod killer;
mod layout_rules;
mod str8ts;

mod sudoku;

use super::text::wrong_length;
use super::{
    About, Codec, Form, Format, Hints, Holds, Layout, LayoutDoc, LayoutRules, Records, Samples, StringsOut, cages,
};
use crate::board::{Batch, Kind, Shape};
use crate::error::Reject;
use crate::kernels::{Decoded, Kernel};

/// The format `v1`.
pub(super) struct V1;

static ABOUT: About = About {
    id: Format::V1,
    name: "v1",
    summary: "base 32, masks and flags; a single candidate is a solved cell",
    layouts: &[
        LayoutDoc { kinds: "sudoku", body: "two digits a cell: mask<<1 | clue", length: "162" },
        LayoutDoc { kinds: "killer", body: "sum<<3 | colour-1, a comma, mask<<1", length: "325" },
        LayoutDoc { kinds: "str8ts", body: "three digits a cell: mask<<2 | black<<1 | clue", length: "243" },
    ],
};

impl Codec for V1 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognise(&self, text: &[u8], hints: &Hints) -> Result<Form, Reject> {
        match super::text::length(text) {
            162 => sudoku::form(super::plain_kind(hints, "v1")?),
            243 => {
                let kind = super::kind_for(hints, "v1", Kind::Str8ts, Kind::has_black)?;
                Ok(str8ts::form(kind, hints.layouts.get(Format::V1).unwrap_or(Layout::Undecided)))
            }
            325 => {
                super::kind_for(hints, "v1", Kind::Killer, |kind| kind == Kind::Killer)?;
                Ok(killer::form())
            }
            _ => Err(wrong_length(text, "162 (sudoku), 243 (str8ts) or 325 (killer: 162, a comma and 162)")),
        }
    }

    fn decode(&self, form: Form, records: Records, batch: &mut Batch, kernel: &Kernel) -> Decoded {
        match form.width {
            killer::WIDTH => killer::decode(form, records, batch, kernel),
            str8ts::WIDTH => str8ts::decode(form, records, batch, kernel),
            _ => sudoku::decode(form, records, batch, kernel),
        }
    }

    fn explain(&self, form: Form, text: &[u8]) -> Reject {
        match form.width {
            killer::WIDTH => killer::explain(text),
            str8ts::WIDTH => str8ts::explain(super::evidence::likely_form(form, text), text),
            _ => sudoku::explain(form, text),
        }
    }

    fn writes(&self, shape: Shape) -> Result<Form, Reject> {
        super::need_side_nine(shape, "v1")?;
        match shape.kind {
            Kind::Killer | Kind::KillerJigsaw => Ok(killer::form()),
            kind if kind.has_black() => Ok(str8ts::form(Kind::Str8ts, Layout::Site)),
            _ => sudoku::form(Kind::Sudoku),
        }
    }

    fn holds(&self, form: Form) -> Holds {
        match form.width {
            killer::WIDTH => killer::holds(),
            str8ts::WIDTH => str8ts::holds(),
            _ => sudoku::holds(form),
        }
    }

    fn encode(&self, form: Form, batch: &Batch, kernel: &Kernel, out: StringsOut<'_>) -> u64 {
        match form.width {
            killer::WIDTH => killer::encode(batch, kernel, out),
            str8ts::WIDTH => str8ts::encode(form, batch, out),
            _ => sudoku::encode(batch, kernel, out),
        }
    }

    fn unwritable(&self, form: Form, batch: &Batch, board: usize) -> Option<Reject> {
        if form.width == killer::WIDTH { cages::refuse_open(batch, board) } else { None }
    }

    fn rewrite(
        &self,
        [from, to]: [Form; 2],
        records: Records,
        kernel: &Kernel,
        out: StringsOut<'_>,
    ) -> Option<Decoded> {
        let bodies = kernel.codecs.v1_to_pairs36.filter(|_| from.width == sudoku::WIDTH)?;
        super::v2::bodies(to, records.len(), out, |out, pitch| bodies(records.texts(), out, pitch))
    }

    fn layout_rules(&self) -> Option<&'static dyn LayoutRules> {
        Some(&layout_rules::V1Layouts)
    }
}

pub(super) const SAMPLES: &[Samples] = &[sudoku::SAMPLES, killer::SAMPLES, str8ts::SAMPLES];
