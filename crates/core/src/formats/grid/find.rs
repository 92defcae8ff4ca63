//! Finds grids in a text, each by itself: reads line by line until the lines read so far are a grid, or cannot be one.

use super::block::{self, FoundBlock, FoundBlocks};
use super::classify::LineClass;
use super::companion::Companion;
use super::grid_line::{GridLine, LineRole};
use super::heading::Heading;
use super::letter_row::LetterRow;
use super::letters::{LetterLines, LetterMap};
use super::line::TokenLine;
use super::{GridBlock, LONGEST_LINE, is_too_long_for_grid, json_advice, one_line, rows};
use crate::error::{Code, Reject};
use crate::formats::{advice::not_a_grid, line_at};

/// An iterator over the grids of a text, in order, each read by itself: as if nothing beside it said more about it.
/// [`GridBlocks`](super::GridBlocks) also looks at what is beside them.
#[derive(Debug)]
pub struct EachGrid<'t> {
    text: &'t [u8],
    /// The offset and number of the next line.
    at: usize,
    number: u32,
    /// The current line.
    line: TokenLine,
    pending: PendingLines,
    /// The heading above the pending lines.
    heading: Option<Heading>,
    /// Lines of letters before the pending lines, which are borders as long as there are any.
    letters: LetterLines,
    found: FoundBlocks,
    /// Memory for rows, which is reused.
    rows: Vec<TokenLine>,
}

/// The lines that may belong to the same grid.
#[derive(Debug, Default)]
struct PendingLines {
    lines: Vec<GridLine>,
    /// The index of the line at which the current paragraph begins.
    paragraph_start: usize,
    /// The run of paragraphs to which the paragraphs before the current one belong, if there are any.
    run: Option<ParagraphRun>,
    /// The number of blank lines directly before the current line.
    blank_lines: u32,
}

/// Consecutive paragraphs with the same small number of rows, which together may be one grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ParagraphRun {
    rows: usize,
    /// The number of blank lines between two of the paragraphs, once it is known.
    blank_lines: Option<u32>,
}

impl<'t> EachGrid<'t> {
    /// Makes an iterator over the grids of a text of at most 4 GiB.
    pub fn new(text: &'t [u8]) -> Self {
        Self::of_rest(text, 0)
    }

    /// Makes an iterator over the grids of the rest of a text, which follows this many lines. Lines are those of the
    /// whole text, in messages, too.
    pub fn of_rest(text: &'t [u8], lines: usize) -> Self {
        Self {
            text,
            at: 0,
            number: u32::try_from(lines).unwrap_or(u32::MAX),
            line: TokenLine::default(),
            pending: PendingLines::default(),
            heading: None,
            letters: LetterLines::default(),
            found: FoundBlocks::default(),
            rows: Vec::new(),
        }
    }

    /// Returns how many lines so far belong to no grid and to nothing that looks like a grid. Blank lines do not count.
    pub fn lines_of_text(&self) -> u64 {
        self.found.lines_of_text
    }

    /// Reads the next line. Returns false at the end of the text.
    fn read_line(&mut self) -> bool {
        let Some(line) = line_at(self.text, self.at) else {
            self.flush();
            return false;
        };
        let (text, number) = (&self.text[line.start..line.end], self.number);
        (self.at, self.number) = (line.next, number.saturating_add(1));
        let grid_line = |role, has_list_name| GridLine {
            role,
            has_list_name,
            follows_blank_line: false,
            start: line.start as u32,
            end: line.end as u32,
            next: line.next as u32,
            number,
        };
        if is_too_long_for_grid(text) {
            let words = json_advice(text).map_or_else(
                || format!("longer than {LONGEST_LINE} bytes: not a line of a grid"),
                |words| format!("the line {words}"),
            );
            let block = grid_line(LineRole::Malformed, false).block(Err(Reject::whole(Code::TooLong, words)));
            self.flush();
            self.found.blocks.push_back(block);
            return true;
        }
        self.line.read(text);
        let grid_line = |role| grid_line(role, self.line.glyphs.has_list_name);
        if let Some(cells) = one_line::read_board(text, &self.line) {
            let block = grid_line(LineRole::Malformed).block(cells);
            self.flush();
            self.found.blocks.push_back(block);
            return true;
        }
        let class = self.line.classify(text);
        if let Some(row) = letter_row(&self.line, class, &self.letters) {
            let line = grid_line(LineRole::Malformed);
            self.push_letters(line, row);
            return true;
        }
        match LineRole::of(class) {
            Some(role) => {
                let grid_line = grid_line(role);
                self.push(grid_line);
            }
            None if class == LineClass::Blank => {
                if let Some(maps) = self.letters.end_paragraph() {
                    self.take_letters(maps);
                }
                self.end_paragraph();
            }
            None if class == LineClass::String => {
                let words = json_advice(text).map_or_else(|| not_a_grid(text), |words| format!("the line {words}"));
                let block = grid_line(LineRole::Malformed).block(Err(Reject::whole(Code::Length, words)));
                self.flush();
                self.found.blocks.push_back(block);
            }
            None => {
                self.flush();
                self.found.lines_of_text += 1;
                self.heading = Heading::read(text);
            }
        }
        true
    }

    /// Adds a line of letters, and the line before it that could be column names.
    fn push_letters(&mut self, line: GridLine, row: LetterRow) {
        let above = self
            .pending
            .lines
            .last()
            .copied()
            .filter(|above| above.role == LineRole::Header && self.pending.blank_lines == 0);
        let above = above.and_then(|above| {
            let mut tokens = TokenLine::default();
            tokens.read(&self.text[above.start as usize..above.end as usize]);
            LetterRow::read(&tokens).filter(|names| names.is_like(&row)).map(|names| (above, names))
        });
        if above.is_some() {
            self.pending.lines.pop();
        }
        self.flush_pending();
        for (line, row) in above.into_iter().chain([(line, row)]) {
            self.found.lines_of_text += 1;
            self.letters.push(line, row);
        }
    }

    /// Decides what the last lines of letters are.
    fn finish_letters(&mut self) {
        let maps = self.letters.finish();
        self.take_letters(maps);
    }

    /// Makes blocks of maps of letters, which were counted as lines of text.
    fn take_letters(&mut self, maps: Vec<LetterMap>) {
        for LetterMap { lines, first, last, is_whole } in maps {
            self.found.lines_of_text -= lines as u64;
            self.found.blocks.push_back(match is_whole {
                true => FoundBlock::companion(&first, &last, Companion::Letters),
                false => FoundBlock::part_of_map(&first, &last),
            });
        }
    }

    /// Adds a line that may be part of a grid to the pending lines.
    fn push(&mut self, mut line: GridLine) {
        if !line.role.may_be_border() {
            self.finish_letters();
        }
        let is_first = self.pending.lines.len() == self.pending.paragraph_start;
        if is_first && self.pending.paragraph_start > 0 {
            let is_same_run = match &mut self.pending.run {
                Some(run) => *run.blank_lines.get_or_insert(self.pending.blank_lines) == self.pending.blank_lines,
                None => true,
            };
            if !is_same_run || line.role == LineRole::Number {
                self.flush();
            }
        }
        line.follows_blank_line = self.pending.blank_lines > 0;
        self.pending.blank_lines = 0;
        self.pending.lines.push(line);
    }

    /// Reads a blank line. It ends a paragraph, which may form a grid together with other paragraphs of the same number
    /// of rows.
    fn end_paragraph(&mut self) {
        self.pending.blank_lines += 1;
        let paragraph = &self.pending.lines[self.pending.paragraph_start..];
        if paragraph.is_empty() {
            return;
        }
        if self.are_column_names(paragraph) {
            return;
        }
        let rows = block::paragraph_rows(paragraph, |line| self.is_header(line));
        if self.pending.run.is_some_and(|run| Some(run.rows) != rows) {
            // The number of rows differs from that of the paragraphs before, so this paragraph begins a new run.
            let last = self.pending.lines.split_off(self.pending.paragraph_start);
            self.flush();
            self.pending.lines = last;
            self.pending.blank_lines = 1;
        }
        match rows {
            Some(rows) => {
                self.pending.run = self.pending.run.or(Some(ParagraphRun { rows, blank_lines: None }));
                self.pending.paragraph_start = self.pending.lines.len();
            }
            None => {
                self.flush();
                self.pending.blank_lines = 1;
            }
        }
    }

    /// Whether these lines are only column names and borders. The rows may then follow after a blank line.
    fn are_column_names(&self, lines: &[GridLine]) -> bool {
        let mut names = lines.iter().filter(|line| line.role != LineRole::Border);
        names.next().is_some_and(|line| self.is_header(line)) && names.next().is_none()
    }

    /// Whether a line may be the column names.
    fn is_header(&self, line: &GridLine) -> bool {
        line.role == LineRole::Header
            || line.role == LineRole::Row && {
                let mut tokens = TokenLine::default();
                tokens.read(&self.text[line.start as usize..line.end as usize]);
                rows::is_header(&tokens)
            }
    }

    /// Makes blocks of the lines of letters and of the pending lines.
    fn flush(&mut self) {
        self.finish_letters();
        self.flush_pending();
    }

    /// Makes blocks of the pending lines.
    fn flush_pending(&mut self) {
        let PendingLines { lines, .. } = std::mem::take(&mut self.pending);
        let heading = self.heading.take();
        if !lines.is_empty() {
            let mut reader = block::BlockReader { text: self.text, rows: &mut self.rows };
            reader.read_blocks(&lines, heading.as_ref(), &mut self.found);
        }
    }
}

/// Reads a line of letters: one that could only be text, or any that goes on with such lines.
pub(super) fn letter_row(line: &TokenLine, class: LineClass, before: &LetterLines) -> Option<LetterRow> {
    match class {
        LineClass::Letters => LetterRow::read(line),
        LineClass::Header | LineClass::Row | LineClass::Malformed => before.take(line),
        LineClass::Text | LineClass::Border | LineClass::RuleOrRow | LineClass::SpaceOrRow => before.take_empty(line),
        _ => None,
    }
}

impl Iterator for EachGrid<'_> {
    type Item = GridBlock;

    fn next(&mut self) -> Option<GridBlock> {
        loop {
            if let Some(block) = self.found.blocks.pop_front() {
                return Some(block.into());
            }
            if !self.read_line() {
                return self.found.blocks.pop_front().map(GridBlock::from);
            }
        }
    }
}
