//! Grids in a text: line after line, until what was read is one, or none.

use std::collections::VecDeque;

use super::block::{self, Item, Part};
use super::heading::Heading;
use super::line::Line;
use super::sort::Sort;
use super::{GridBlock, alone, of_json, rows};
use crate::error::{Code, Reject};
use crate::formats::line_at;

/// The grids of a text, in order.
///
/// ```
/// use gridmill_core::formats::GridBlocks;
///
/// let text = "Puzzle 7 (easy)\n    1 2 3   4 5 6   7 8 9\nA | 5 3 . | . 7 . | . . . |\nB | 6 . . | 1 9 5 | . . . |\n";
/// let mut grids = GridBlocks::new(text.as_bytes());
/// let block = grids.next().expect("something like a grid");
/// assert_eq!(block.line, 1);
/// assert!(block.cells.is_err(), "it has two rows");
/// assert_eq!((grids.next(), grids.lines_of_text()), (None, 1));
/// ```
#[derive(Debug)]
pub struct GridBlocks<'t> {
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
    ready: VecDeque<GridBlock>,
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

impl<'t> GridBlocks<'t> {
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
                let strings = "a string or a link is not a grid; read strings without --framing grid, and links with --framing links";
                let words = of_json(text).map_or(strings.to_string(), |words| format!("the line {words}"));
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

impl Iterator for GridBlocks<'_> {
    type Item = GridBlock;

    fn next(&mut self) -> Option<GridBlock> {
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
