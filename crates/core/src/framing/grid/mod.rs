//! Sudokus over several lines, as people paste them and as programs write them. Bytes in; boards out, or the reason why not.
//!
//! - `glyphs`: a line as signs, where all ways to draw a line, a point or a space are the same.
//! - `line`: signs as tokens, and where nine cells stand in them: the layouts of a row.
//! - `sort`: what a line may be: a row, a border, text.
//! - `rows`: nine rows to a board.
//! - `alone`: boards of one line.
//! - `block`: lines that follow each other to boards.
//!
//! A block of lines is a board only if every line of it is accounted for: nine rows of nine cells in one layout, and besides only
//! what is known to stand around them: borders, names of columns, labels of rows, a title. Whatever is left over voids the whole
//! block, since a digit without a cell means that the cells of the others were guessed. So does a second reading. Digits are
//! the only thing that tells a grid from a drawing of lines, and a wrong board looks as good as a right one.
//!
//! What words stand in, and numbers above a grid, is text: it is passed over, and counted.

mod alone;
mod block;
mod glyphs;
mod line;
mod rows;
mod sort;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use super::lines::line_at;
use super::{Asked, Entry, Framing, Piece, Rows, TextRow, Unsuited, count_lines};
use crate::board::{Batch, Cell, Kind, Shape, Side};
use crate::error::{Code, Reject};
use crate::formats::{Id, write_one};
use block::{Item, Part};
use line::Line;
use sort::Sort;

pub(super) static GRID: Entry = Entry {
    name: "grid",
    plural: "grids",
    help: "Sudokus over several lines, with or without borders and candidates; each becomes a line",
    flags: &[],
    make: |_| Ok(Box::new(Grids::default())),
};

/// Sudokus over several lines. Each becomes a line; what stands between them stays, and is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Grids {
    kind: Option<Kind>,
}

impl Framing for Grids {
    fn needs_whole_inputs(&self) -> Option<&'static str> {
        Some("has more than 1 GiB, too much for grids; cut it in two")
    }

    fn check(&self, asked: &Asked) -> Result<(), String> {
        let words = if asked.from.is_some() {
            "grids are in no format; leave --from out"
        } else if !asked.names.is_empty() {
            "a solution cannot be appended to a grid; leave --solutions out"
        } else {
            return Ok(());
        };
        Err(words.into())
    }

    fn begin(&mut self, _: &Piece, asked: &Asked) -> Result<(), Unsuited> {
        self.kind = asked.hints.kind;
        Ok(())
    }

    /// Grids as rows whose strings are their boards: plain ones, if all they have are digits, else version 2.
    fn rows(&self, piece: &Piece, _: bool, rows: &mut Rows) {
        let mut blocks = Blocks::new(piece.text);
        for block in &mut blocks {
            let (start, end, next) = (block.start as u32, block.end as u32, block.next as u32);
            let string = block.cells.and_then(|cells| grid_string(&cells, self.kind));
            let row = TextRow { start, end, next, line: block.line as u32, fields: 0, list: false };
            rows.take_string(row, string);
        }
        rows.text = blocks.lines_of_text();
        rows.lines = count_lines(piece.text);
    }
}

fn grid_string(cells: &[GridCell; 81], kind: Option<Kind>) -> Result<String, Reject> {
    let digit = |cell: &GridCell| match cell {
        GridCell::Empty => Some('0'),
        GridCell::Given(digit) => Some(char::from(b'0' + digit)),
        GridCell::Solved(_) | GridCell::Candidates(_) => None,
    };
    if let Some(plain) = cells.iter().map(digit).collect() {
        return Ok(plain);
    }
    let mut batch = Batch::new();
    batch.reset(Shape::new(kind.filter(|kind| kind.is_plain()).unwrap_or(Kind::Sudoku), Side::NINE), 1);
    for (at, &cell) in cells.iter().enumerate() {
        batch.set_cell(
            0,
            at,
            match cell {
                GridCell::Empty => Cell::Empty,
                GridCell::Given(digit) => Cell::Clue(digit),
                GridCell::Solved(digit) => Cell::Solved(digit),
                GridCell::Candidates(set) => Cell::Candidates(set.into()),
            },
        );
    }
    write_one(&batch, 0, Id::V2)
}

/// What stands in a cell of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GridCell {
    /// Nothing.
    Empty,
    /// A digit: most grids do not say whether it was given.
    Given(u8),
    /// A digit of which the grid says that it was not given.
    Solved(u8),
    /// Candidates: digit d is bit d - 1.
    Candidates(u16),
}

/// A grid, or lines that look like one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Its first byte.
    pub start: usize,
    /// One past its last byte; the line end does not count.
    pub end: usize,
    /// One past its line end.
    pub next: usize,
    /// Its first line, from 0.
    pub line: u64,
    /// Its cells, row by row, or what keeps it from having them.
    pub cells: Result<[GridCell; 81], Reject>,
}

/// The grids of a text, in order.
///
/// ```
/// use gridmill_core::framing::{Blocks, GridCell};
///
/// let text = "Puzzle 7 (easy)\n    1 2 3   4 5 6   7 8 9\nA | 5 3 . | . 7 . | . . . |\nB | 6 . . | 1 9 5 | . . . |\n";
/// let mut grids = Blocks::new(text.as_bytes());
/// let block = grids.next().expect("something like a grid");
/// assert_eq!(block.line, 1);
/// assert!(block.cells.is_err(), "it has two rows");
/// assert_eq!((grids.next(), grids.lines_of_text()), (None, 1));
/// ```
pub struct Blocks<'t> {
    text: &'t [u8],
    at: usize,
    number: u32,
    line: Line,
    /// Lines that may belong together.
    open: Vec<Item>,
    /// Where among them the paragraph at hand begins.
    paragraph: usize,
    /// The rows of each paragraph before it, and the blank lines between two of them, where there are several.
    run: Option<Run>,
    /// Blank lines right before the line at hand.
    blanks: u32,
    /// What stands above the lines that are open.
    heading: Option<Heading>,
    ready: VecDeque<Block>,
    /// Memory for rows.
    rows: Vec<Line>,
    lines_of_text: u64,
}

/// Paragraphs of few rows, which may be one grid together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    rows: usize,
    blanks: Option<u32>,
}

/// The headline of a drawing by `show`: its kind, and cells that are given, solved, with candidates and empty.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Heading {
    kind: String,
    cells: [usize; 4],
}

impl<'t> Blocks<'t> {
    /// The grids of a text, which has at most 4 GiB.
    pub fn new(text: &'t [u8]) -> Self {
        Self {
            text,
            at: 0,
            number: 0,
            line: Line::default(),
            open: Vec::new(),
            paragraph: 0,
            run: None,
            blanks: 0,
            heading: None,
            ready: VecDeque::new(),
            rows: Vec::new(),
            lines_of_text: 0,
        }
    }

    /// Lines so far that are no part of a grid, nor of what looks like one. Blank ones do not count.
    pub fn lines_of_text(&self) -> u64 {
        self.lines_of_text
    }

    /// Takes the next line. False at the end of the text.
    fn step(&mut self) -> bool {
        let Some(line) = line_at(self.text, self.at) else {
            self.close();
            return false;
        };
        let (text, number) = (&self.text[line.start..line.end], self.number);
        (self.at, self.number) = (line.next, number + 1);
        self.line.read(text);
        let item = |part| Item {
            part,
            is_named: self.line.glyphs.is_named,
            is_apart: false,
            start: line.start as u32,
            end: line.end as u32,
            next: line.next as u32,
            number,
        };
        if let Some(cells) = alone::board(text, &self.line) {
            let block = item(Part::Odd).block(cells);
            self.close();
            self.ready.push_back(block);
            return true;
        }
        let sort = self.line.sort(text);
        match Part::of(sort) {
            Some(part) => {
                let item = item(part);
                self.take(item);
            }
            None if sort == Sort::Blank => self.end_paragraph(),
            None if sort == Sort::String => {
                let words = "a string or a link is no grid: strings are read without --framing grid, links with --framing links";
                let block = item(Part::Odd).block(Err(Reject::whole(Code::Length, words)));
                self.close();
                self.ready.push_back(block);
            }
            None => {
                self.close();
                self.lines_of_text += 1;
                self.heading = Heading::read(text);
            }
        }
        true
    }

    /// Takes a line that may be part of a grid.
    fn take(&mut self, mut item: Item) {
        let is_first = self.open.len() == self.paragraph;
        if is_first && self.paragraph > 0 {
            let is_same_run = match &mut self.run {
                Some(run) => *run.blanks.get_or_insert(self.blanks) == self.blanks,
                None => true,
            };
            if !is_same_run || item.part == Part::Number {
                self.close();
            }
        }
        item.is_apart = self.blanks > 0;
        self.blanks = 0;
        self.open.push(item);
    }

    /// A blank line: the lines so far are a paragraph, which may go together with those of as few rows.
    fn end_paragraph(&mut self) {
        self.blanks += 1;
        let paragraph = &self.open[self.paragraph..];
        if paragraph.is_empty() {
            return;
        }
        if self.names_columns(paragraph) {
            return;
        }
        let rows = block::rows_of_a_part(paragraph, |item| self.is_header(item));
        if self.run.is_some_and(|run| Some(run.rows) != rows) {
            // These rows are not like those of the paragraphs before.
            let last = self.open.split_off(self.paragraph);
            self.close();
            self.open = last;
            self.blanks = 1;
        }
        match rows {
            Some(rows) => {
                self.run = self.run.or(Some(Run { rows, blanks: None }));
                self.paragraph = self.open.len();
            }
            None => {
                self.close();
                self.blanks = 1;
            }
        }
    }

    /// Whether lines are but the names of columns and borders: rows may follow after a blank line.
    fn names_columns(&self, items: &[Item]) -> bool {
        let mut names = items.iter().filter(|item| item.part != Part::Border);
        names.next().is_some_and(|item| self.is_header(item)) && names.next().is_none()
    }

    /// Whether a line may be the names of columns.
    fn is_header(&self, item: &Item) -> bool {
        item.part == Part::Header
            || item.part == Part::Row && {
                let mut line = Line::default();
                line.read(&self.text[item.start as usize..item.end as usize]);
                rows::is_header(&line)
            }
    }

    /// Makes blocks of the lines that are open.
    fn close(&mut self) {
        let items = std::mem::take(&mut self.open);
        let heading = self.heading.take();
        (self.paragraph, self.run, self.blanks) = (0, None, 0);
        if !items.is_empty() {
            let mut reader = block::Reader { text: self.text, lines: &mut self.rows };
            let found = reader.blocks(&items, heading.as_ref());
            self.lines_of_text += found.lines_of_text;
            self.ready.extend(found.blocks);
        }
    }
}

impl Iterator for Blocks<'_> {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        loop {
            if let Some(block) = self.ready.pop_front() {
                return Some(block);
            }
            if !self.step() {
                return self.ready.pop_front();
            }
        }
    }
}

impl Heading {
    /// `v2, sudoku 9x9: 29 clues, 52 with candidates`.
    fn read(line: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(line).ok()?;
        let (_, board) = line.split_once(", ")?;
        let (board, counts) = board.split_once(": ")?;
        let (kind, shape) = board.split_once(' ')?;
        let (rows, columns) = shape.split_once('x')?;
        (rows.parse::<u8>().is_ok() && columns.starts_with(rows)).then_some(())?;
        let counts = counts.split([';', '(']).next().unwrap_or_default();
        let mut cells = [0; 4];
        for count in counts.trim().split(", ") {
            let (number, words) = count.split_once(' ')?;
            let place = ["clues", "solved", "with candidates", "empty"].iter().position(|known| *known == words)?;
            cells[place] = number.parse().ok()?;
        }
        Some(Self { kind: kind.into(), cells })
    }

    /// The board below the headline as it says: without colours, a drawing may not tell solved digits from given ones.
    ///
    /// # Errors
    /// It is another kind of board, or has other cells than the headline says.
    fn settle(&self, mut cells: [GridCell; 81]) -> Result<[GridCell; 81], String> {
        if self.kind != "sudoku" {
            return Err(format!("the line above says that it is a drawing of kind {}", self.kind));
        }
        let is_digit = |cell: &GridCell| matches!(cell, GridCell::Given(_) | GridCell::Solved(_));
        let digits = cells.iter().filter(|cell| is_digit(cell)).count();
        if self.cells[0] == 0 && self.cells[1] == digits {
            for cell in &mut cells {
                if let GridCell::Given(digit) = *cell {
                    *cell = GridCell::Solved(digit);
                }
            }
        }
        let mut counts = [0; 4];
        for cell in &cells {
            counts[match cell {
                GridCell::Given(_) => 0,
                GridCell::Solved(_) => 1,
                GridCell::Candidates(_) => 2,
                GridCell::Empty => 3,
            }] += 1;
        }
        if counts != self.cells {
            let [given, solved, ..] = self.cells;
            let words =
                "the line above says that {given} digits are given and {solved} solved, which the grid does not show";
            return Err(words.replace("{given}", &given.to_string()).replace("{solved}", &solved.to_string()));
        }
        Ok(cells)
    }
}

/// The other cells of a cell's row, column and box.
fn seen(at: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (at / 9, at % 9);
    (0..81).filter(move |&other| {
        let (r, c) = (other / 9, other % 9);
        other != at && (r == row || c == column || r / 3 == row / 3 && c / 3 == column / 3)
    })
}
