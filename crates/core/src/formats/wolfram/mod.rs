//! Reads and writes the format `wolfram`: up to five parts in base 68, separated by `|`: clues, candidates, layout,
//! outlined groups and coloured groups.

mod parts;
mod radix;
mod samples;
mod triples;
mod write;

use parts::{Fault, PartsMemory};

use super::samples::Samples;
use super::text::length;
use super::{About, Codec, Form, Format, Hints, Holds, Layout, LayoutDoc, Records, StringsOut};
use crate::board::{Batch, Groups, Kind, Shape, Side};
use crate::error::{Code, Reject};
use crate::kernels::{Decoded, Kernel, ROW9};

/// The format `wolfram`.
pub(super) struct Wolfram;

static ABOUT: About = About {
    id: Format::Wolfram,
    name: "wolfram",
    summary: "base-68 parts: clues, candidates, layout, groups; groups determine the kind; no solved cells",
    layouts: &[LayoutDoc {
        kinds: "sudoku, sudoku-x, windoku, colour-sudoku, jigsaw",
        body: "up to five parts joined by '|'",
        length: "1 and more",
    }],
};

/// The kinds that groups can imply.
const KINDS: [Kind; 5] = [Kind::Sudoku, Kind::SudokuX, Kind::Windoku, Kind::ColourSudoku, Kind::Jigsaw];

impl Codec for Wolfram {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognise(&self, text: &[u8], _: &Hints) -> Result<Form, Reject> {
        let count = memchr::memchr_iter(b'|', text).count() + 1;
        if count > PARTS {
            return Err(Reject::whole(Code::Length, format!("{count} parts, expected at most {PARTS}")));
        }
        let parts = split(text);
        if parts[0].is_empty() {
            return Err(Reject::whole(Code::Length, "the clues are missing".to_string()));
        }
        Ok(form(kind(&parts)))
    }

    fn decode(&self, form: Form, records: Records, batch: &mut Batch, _: &Kernel) -> Decoded {
        batch.reset(form.shape, records.len());
        let mut scratch = PartsMemory::new();
        let mut decoded = Decoded::default();
        for i in 0..records.len() {
            match decode(records.get(i), batch, i, &mut scratch) {
                Ok(()) => decoded.good |= 1 << i,
                Err(_) if batch.groups(i).is_some() => batch.groups_mut(i).clear(),
                Err(_) => {}
            }
        }
        decoded
    }

    fn explain(&self, form: Form, text: &[u8]) -> Reject {
        let mut batch = Batch::new();
        batch.reset(form.shape, 1);
        let Err((part, fault)) = decode(text, &mut batch, 0, &mut PartsMemory::new()) else {
            return super::no_fault("wolfram");
        };
        let name = ["clues", "candidates", "layout", "outlined groups", "coloured groups"][part];
        let (code, cell, words) = fault.words();
        let words = format!("the {name}: {words}");
        match cell {
            Some(cell) => Reject::at(code, cell, 9, words),
            None => Reject::whole(code, words),
        }
    }

    fn writes(&self, shape: Shape) -> Result<Form, Reject> {
        super::need_side_nine(shape, "wolfram")?;
        Ok(form(match shape.kind {
            kind if KINDS.contains(&kind) => kind,
            Kind::KillerJigsaw => Kind::Jigsaw,
            _ => Kind::Sudoku,
        }))
    }

    fn holds(&self, _: Form) -> Holds {
        Holds { solved: false, cages: false, operators: false, groups: true, black: false, ..Holds::all(&KINDS) }
    }

    fn encode(&self, form: Form, batch: &Batch, _: &Kernel, out: StringsOut<'_>) -> u64 {
        write::encode(form.shape.kind, batch, out)
    }

    fn unwritable(&self, form: Form, batch: &Batch, board: usize) -> Option<Reject> {
        (form.shape.kind == Kind::Jigsaw && !write::has_nine_regions_of_nine(batch, board)).then(|| {
            let words = "wolfram stores regions as nine groups of nine cells, which this board does not have";
            Reject::whole(Code::Unsupported, words)
        })
    }
}

pub(super) const SAMPLES: &[Samples] = &[samples::SAMPLES];

const PARTS: usize = 5;

fn form(kind: Kind) -> Form {
    Form { id: Format::Wolfram, shape: Shape::new(kind, Side::NINE), layout: Layout::Spec, width: 0 }
}

/// Splits a string of at most five parts. Missing parts are empty.
fn split(text: &[u8]) -> [&[u8]; PARTS] {
    let mut parts = [&text[..0]; PARTS];
    parts.iter_mut().zip(text.split(|&byte| byte == b'|')).for_each(|(part, text)| *part = text);
    parts
}

/// Returns the kind that the layout and the groups imply. For an invalid string it returns any kind, because `decode`
/// rejects it.
fn kind(&[_, _, layout, outlined, coloured]: &[&[u8]; PARTS]) -> Kind {
    if layout.is_empty() && outlined.is_empty() {
        // Nearly all strings have one of these two forms. The others need memory for their groups.
        if coloured.is_empty() {
            return Kind::Sudoku;
        }
        if let Some(kind) = write::kind_of_canonical_groups(coloured) {
            return kind;
        }
    }
    if write::is_canonical_boxless_layout(layout) {
        return Kind::Jigsaw;
    }
    let mut scratch = PartsMemory::new();
    match parts::has_boxes(layout, &mut scratch) {
        Ok(true) => {}
        Ok(false) => return Kind::Jigsaw,
        Err(_) => return Kind::Sudoku,
    }
    let mut groups = Groups::default();
    let read = parts::groups(outlined, &mut scratch, &mut groups.outlined)
        .and_then(|()| parts::groups(coloured, &mut scratch, &mut groups.coloured));
    read.ok().and_then(|()| groups.kind()).unwrap_or(Kind::Sudoku)
}

/// Decodes a string into board `board`. An error says which part is invalid, and why.
fn decode(text: &[u8], batch: &mut Batch, board: usize, scratch: &mut PartsMemory) -> Result<(), (usize, Fault)> {
    let parts @ [clues, candidates, layout, outlined, coloured] = split(text);
    if let Some(part) = parts.iter().position(|part| is_too_long(part)) {
        return Err((part, Fault::TooLong));
    }
    let codes = &mut batch.codes16_mut()[board * ROW9..][..81];
    let digits = parts::clues(clues, scratch).map_err(|fault| (0, fault))?;
    codes.iter_mut().zip(digits).for_each(|(code, &digit)| *code = digit.into());
    parts::candidates(candidates, codes, scratch).map_err(|fault| (1, fault))?;
    let boxes = parts::has_boxes(layout, scratch).map_err(|fault| (2, fault))?;
    if boxes && outlined.is_empty() && coloured.is_empty() {
        return Ok(());
    }
    let groups = batch.groups_mut(board);
    parts::groups(outlined, scratch, &mut groups.outlined).map_err(|fault| (3, fault))?;
    parts::groups(coloured, scratch, &mut groups.coloured).map_err(|fault| (4, fault))?;
    if !boxes {
        let mut regions = [0; 81];
        parts::regions(&groups.outlined, &mut regions).map_err(|fault| (3, fault))?;
        groups.outlined.clear();
        batch.regions_mut()[board * ROW9..][..81].copy_from_slice(&regions);
    }
    Ok(())
}

/// Whether a part has too many characters, not counting leading zeros.
fn is_too_long(part: &[u8]) -> bool {
    part.len() > parts::MAX_CHARACTERS && length(parts::significant(part)) > parts::MAX_CHARACTERS
}

/// Whether a string of unknown format may be assumed to be of this format (docs/FORMATS.md, "wolfram"): it has 35 to 45
/// characters that decode to clues without repeats in rows, columns and boxes, it contains a character that no other
/// format has, and it has no header of v2.
pub(super) fn is_likely(text: &[u8]) -> bool {
    let clues = split(text)[0];
    if !(35..=45).contains(&length(clues)) || !text.iter().any(|byte| b"|!@#$%&".contains(byte)) {
        return false;
    }
    if super::v2::read_header(text).is_ok() {
        return false;
    }
    let mut scratch = PartsMemory::new();
    let Ok(digits) = parts::clues(clues, &mut scratch) else { return false };
    let (mut rows, mut columns, mut boxes) = ([0_u16; 9], [0_u16; 9], [0_u16; 9]);
    digits.iter().enumerate().filter(|(_, digit)| **digit != 0).all(|(i, &digit)| {
        let (bit, row, column) = (1 << digit, i / 9, i % 9);
        let houses = [&mut rows[row], &mut columns[column], &mut boxes[row / 3 * 3 + column / 3]];
        houses.into_iter().all(|seen| std::mem::replace(seen, *seen | bit) & bit == 0)
    })
}
