//! `grid`: sudokus over several lines, as people paste them and as programs write them. Boards out of text, or the reason why not;
//! none are written.
//!
//! - `find`: grids in a text, which goes on before and after them.
//! - `glyphs`: a line as signs, where all ways to draw a line, a point or a space are the same.
//! - `line`: signs as tokens, and where nine cells stand in them: the layouts of a row.
//! - `sort`: what a line may be: a row, a border, text.
//! - `rows`: nine rows to a board.
//! - `alone`: boards of one line.
//! - `block`: lines that follow each other to boards.
//! - `heading`: the line above a drawing by `show`.
//!
//! A block of lines is a board only if every line of it is accounted for: nine rows of nine cells in one layout, and besides only
//! what is known to stand around them: borders, names of columns, labels of rows, a title. Whatever is left over voids the whole
//! block, since a digit without a cell means that the cells of the others were guessed. So does a second reading. Digits are
//! the only thing that tells a grid from a drawing of lines, and a wrong board looks as good as a right one.
//!
//! What words stand in, and numbers above a grid, is text: it is passed over, and counted.
//!
//! A grid is found by being read. So that it is read once, whoever found one in a text gives its cells as they are in memory
//! ([`grid_cells`]), and not its lines once more.

mod alone;
mod block;
mod find;
mod glyphs;
mod heading;
mod line;
mod rows;
mod sort;
#[cfg(test)]
mod tests;

use super::samples::{BadSample, Good, Samples};
use super::{About, Form, Format, Hints, Holds, Id, Layout, LayoutDoc, Records, Text};
use crate::board::{Batch, Cell, Codes, Kind, Shape, Side};
use crate::error::{Code, Reject};
use crate::kernels::{Decoded, Kernel};

pub use find::GridBlocks;

/// The cells of a grid, row by row: empty, clues, solved, candidates. Most grids do not say which digits are clues; those are.
pub type Cells = [Cell; 81];

/// A grid, or lines that look like one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GridBlock {
    /// Its first byte.
    pub start: usize,
    /// One past its last byte; the line end does not count.
    pub end: usize,
    /// One past its line end.
    pub next: usize,
    /// Its first line, from 0.
    pub line: u64,
    /// Its cells, row by row, or what keeps it from having them.
    pub cells: Result<Cells, Reject>,
}

/// Cells in memory: a NUL, which no text of a grid has, and two bytes a cell.
const WIDTH: usize = 1 + 2 * 81;

const CODES: Codes = Codes::new(Side::NINE, false);

/// The format.
#[derive(Debug)]
pub(super) struct Grid;

static ABOUT: About = About {
    id: Id::Grid,
    name: "grid",
    summary: "a sudoku over several lines; found with --framing grid, not written",
    layouts: &[LayoutDoc {
        kinds: "sudoku",
        body: "nine rows of nine cells, with or without borders, labels and candidates",
        length: "any",
    }],
};

/// The cells of a grid that was found, as a string of this format.
pub fn grid_cells(cells: &Cells) -> [u8; WIDTH] {
    let mut string = [0; WIDTH];
    for (pair, &cell) in string[1..].chunks_exact_mut(2).zip(cells) {
        pair.copy_from_slice(&(CODES.write(cell) as u16).to_le_bytes());
    }
    string
}

/// What to do about a line of JSON that holds more than a grid, after the line's number or by itself.
fn of_json(line: &[u8]) -> Option<&'static str> {
    let start = line.trim_ascii_start();
    let object = start.strip_prefix(b"[").unwrap_or(start);
    object.starts_with(b"{").then_some(
        "is JSON with more than a grid in it, and --framing grid would lose the rest: make the grid a string, for example with \
         jq -c '.puzzle |= (flatten | join(\"\"))', and use --framing jsonl --field /puzzle",
    )
}

/// The codes of such a string.
fn codes(text: &[u8]) -> Option<impl Iterator<Item = u16> + '_> {
    let codes = text.strip_prefix(b"\0").filter(|_| text.len() == WIDTH)?;
    Some(codes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])))
}

/// Without the feature nobody can name this format, and what reads grids is not linked.
#[cfg(not(feature = "grids"))]
fn read(_: &[u8]) -> Result<Cells, Reject> {
    Err(Reject::whole(Code::Unsupported, "this build cannot read grids"))
}

/// The cells of a text that is one grid.
#[cfg(feature = "grids")]
fn read(text: &[u8]) -> Result<Cells, Reject> {
    let mut blocks = GridBlocks::new(text);
    let length = |words: &str| Err(Reject::whole(Code::Length, words));
    match (blocks.next(), blocks.next()) {
        (Some(block), None) => block.cells,
        (None, _) => length("it has no row of 9 cells"),
        (Some(_), Some(_)) => length("these are several grids"),
    }
}

impl Format for Grid {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognise(&self, text: &[u8], hints: &Hints) -> Result<Form, Reject> {
        let kind = hints.kind.unwrap_or(Kind::Sudoku);
        if !kind.is_plain() {
            let words = format!("a grid has no {}, which --kind {kind} needs", super::needs(kind));
            return Err(Reject::whole(Code::Unsupported, words));
        }
        let shape = Shape::new(kind, Side::NINE);
        let width = if codes(text).is_some() { WIDTH } else { 0 };
        Ok(Form { id: Id::Grid, shape, layout: Layout::Spec, width })
    }

    fn decode(&self, form: Form, records: Records, batch: &mut Batch, _: &Kernel) -> Decoded {
        batch.reset(form.shape, records.len());
        let mut good = 0;
        for board in 0..records.len() {
            let is_good = match codes(records.get(board)) {
                Some(codes) => {
                    let start = board * batch.stride();
                    let to = &mut batch.codes16_mut()[start..start + 81];
                    to.iter_mut().zip(codes).for_each(|(to, code)| *to = code);
                    to.iter().all(|&code| u32::from(code) <= CODES.max())
                }
                None => read(records.get(board)).is_ok_and(|cells| {
                    cells.iter().enumerate().for_each(|(at, &cell)| batch.set_cell(board, at, cell));
                    true
                }),
            };
            good |= u64::from(is_good) << board;
        }
        Decoded { good, ..Decoded::default() }
    }

    fn explain(&self, _: Form, text: &[u8]) -> Reject {
        if let Some(mut codes) = codes(text) {
            let cell = codes.position(|code| u32::from(code) > CODES.max());
            return cell.map_or_else(
                || super::no_fault("grid"),
                |cell| Reject::at(Code::Range, cell, 9, "there is no such cell code"),
            );
        }
        read(text).map_or_else(|reject| reject, |_| super::no_fault("grid"))
    }

    fn writes(&self, _: Shape) -> Result<Form, Reject> {
        Err(Reject::whole(Code::Unsupported, "grids can be read but not written; 'gridmill show' draws boards"))
    }

    fn holds(&self, _: Form) -> Holds {
        Holds { regions: false, cages: false, operators: false, black: false, ..Holds::all(&[Kind::Sudoku]) }
    }

    fn encode(&self, _: Form, _: &Batch, _: &Kernel, _: &mut Text, _: usize, _: &mut [usize]) -> u64 {
        0 // it has no form to be written in
    }
}

pub(super) const SAMPLES: Samples = Samples {
    good: &[Good {
        kind: Kind::Sudoku,
        text: "1 . . | . . . | 5 6 9\n4 9 2 | . 5 6 | 1 . 8\n. 5 6 | 1 . 9 | 2 4 .\n------+-------+------\n\
               . . 9 | 6 4 . | 8 . 1\n. 6 4 | . 1 . | . . .\n2 1 8 | . 3 5 | 6 . 4\n------+-------+------\n\
               . 4 . | 5 . . | . 1 6\n9 . 5 | . 6 1 | 4 . 2\n6 2 1 | . . . | . . 5\n",
        canonical: Some("100000569492056108056109240009640801064010000218035604040500016905061402621000005"),
    }],
    bad: &[BadSample { text: "100000569\n492056108\n", code: Code::Length, cell: None }],
};
