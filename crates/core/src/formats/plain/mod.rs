//! Reads and writes the format `plain`: a digit for each cell. Every digit is a clue.

mod alphabets;
mod killer;
mod list;
mod rewrite;
mod sides;
mod str8ts;
mod sudoku;

use super::text::wrong_length;
use super::{About, Codec, Form, Format, Hints, Holds, Layout, LayoutDoc, Records, Samples, StringsOut, cages};
use crate::board::{Batch, Kind, Shape, Side};
use crate::error::{Code, Reject};
use crate::kernels::{Decoded, Kernel};

/// The format `plain`.
pub(super) struct Plain;

static ABOUT: About = About {
    id: Format::Plain,
    name: "plain",
    summary: "digits and blanks; every digit is a clue",
    layouts: &[
        LayoutDoc { kinds: "sudoku", body: "1-9 and blanks 0 . _ - * x X ?", length: "81" },
        LayoutDoc {
            kinds: "sudoku",
            body: "81 of 0-9 separated by commas; a leading 9: and spaces are read",
            length: "161 and more",
        },
        LayoutDoc {
            kinds: "sudoku of side 6, 8, 16, 25",
            body: "a sign for each cell, in one of five alphabets",
            length: "36 to 625",
        },
        LayoutDoc { kinds: "killer", body: "81 colours 1-5, a comma, 81 sums of two digits", length: "244" },
        LayoutDoc { kinds: "str8ts", body: "81 clues, then 81 of 0 and 1 (black)", length: "162" },
    ],
};

impl Codec for Plain {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognise(&self, text: &[u8], hints: &Hints) -> Result<Form, Reject> {
        if memchr::memchr_iter(b',', text).count() == list::COMMAS {
            return Ok(list::form(super::plain_kind(hints, "plain")?));
        }
        match super::text::length(text) {
            81 => Ok(sudoku::form(super::plain_kind(hints, "plain")?)),
            162 => Ok(str8ts::form(super::kind_for(hints, "plain", Kind::Str8ts, Kind::has_black)?)),
            244 => {
                super::kind_for(hints, "plain", Kind::Killer, |kind| kind == Kind::Killer)?;
                Ok(killer::form())
            }
            _ if sides::has_length(text) => sides::recognise(text, hints),
            length => match SIDES_OF_OTHERS.into_iter().find(|side| side * side == length) {
                Some(side) => Err(Reject::whole(
                    Code::Unsupported,
                    format!("a sudoku of side {side}: no format has sudokus of this side"),
                )),
                None => Err(wrong_length(
                    text,
                    "81 (sudoku), 162 (str8ts), 244 (killer: 81, a comma and 162), 80 commas, or 36, 64, 256 or 625 (sudokus of other sides)",
                )),
            },
        }
    }

    fn decode(&self, form: Form, records: Records, batch: &mut Batch, kernel: &Kernel) -> Decoded {
        match form.width {
            _ if is_of_other_side(form) => sides::decode(form, records, batch),
            killer::WIDTH => killer::decode(form, records, batch, kernel),
            str8ts::WIDTH => str8ts::decode(form, records, batch),
            list::WIDTH => list::decode(form, records, batch),
            _ => sudoku::decode(form, records, batch, kernel),
        }
    }

    fn explain(&self, form: Form, text: &[u8]) -> Reject {
        match form.width {
            _ if is_of_other_side(form) => sides::explain(form, text),
            killer::WIDTH => killer::explain(text),
            str8ts::WIDTH => str8ts::explain(text),
            list::WIDTH => list::explain(text),
            _ => sudoku::explain(form, text),
        }
    }

    fn writes(&self, shape: Shape) -> Result<Form, Reject> {
        if !shape.kind.has_black() && !shape.kind.has_cages() && alphabets::SIDES.contains(&shape.side) {
            return Ok(in_alphabet(Shape::new(Kind::Sudoku, shape.side), Layout::Digits));
        }
        super::need_side_nine(shape, "plain")?;
        Ok(match shape.kind {
            Kind::Killer | Kind::KillerJigsaw => killer::form(),
            kind if kind.has_black() => str8ts::form(Kind::Str8ts),
            _ => sudoku::form(Kind::Sudoku),
        })
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
            _ if is_of_other_side(form) => sides::encode(form, batch, out),
            killer::WIDTH => killer::encode(batch, out),
            str8ts::WIDTH => str8ts::encode(batch, out),
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
        match from.width {
            sudoku::WIDTH => rewrite::rewrite(to, records, kernel, out),
            _ => None,
        }
    }
}

/// The sign for empty cells that sudokus are written with.
pub(super) fn written_blank(form: &Form) -> u8 {
    alphabets::of_blank(form.layout)
}

/// Why sudokus of a form of another side than 9 cannot be written in an alphabet, or with a sign for empty cells.
pub(super) fn refuses(form: &Form, alphabet: Option<Layout>, blank: Option<u8>) -> Option<Reject> {
    let (side, written) = (form.shape.side, form.layout);
    if let Some(alphabet) = alphabet.filter(|&alphabet| !has_side(alphabet, side)) {
        return Some(alphabets::lacks_side(alphabet, side));
    }
    let blank = blank.filter(|&blank| !alphabets::can_have_blank(written, side, blank)).map(char::from)?;
    let words = format!(
        "{blank} cannot stand for empty cells of side {side} in alphabet {written}; use another sign with --blank"
    );
    Some(Reject::whole(Code::Unsupported, words))
}

/// Whether strings of a form are sudokus of another side than 9.
fn is_of_other_side(form: Form) -> bool {
    form.shape.side != Side::NINE
}

pub(super) use alphabets::{SIDES_OF_OTHERS, has_side};
pub(super) use sides::{
    decode_grids, detect as detect_side, has_length as has_length_of_side, in_alphabet, is_same as is_same_side,
    is_side, recognise as recognise_side, repeats, square_digits,
};

pub(super) const SAMPLES: &[Samples] =
    &[sudoku::SAMPLES, list::SAMPLES, sides::SAMPLES, killer::SAMPLES, str8ts::SAMPLES];
