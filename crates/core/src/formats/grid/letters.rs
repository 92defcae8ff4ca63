//! Finds maps of letters: squares of lines that have one letter for each cell. A single such line is a word.

use super::companion::is_map_of_signs;
use super::grid_line::GridLine;
use super::letter_row::{EMPTY, LetterRow, WIDTH};
use super::line::TokenLine;

/// The fewest rows of a map of width 9, some of whose rows look like something else.
const FEWEST_ROWS: usize = 6;

/// Lines of letters with nothing but borders and blank lines between them.
#[derive(Debug, Default)]
pub(super) struct LetterLines {
    rows: Vec<(GridLine, LetterRow)>,
    /// The index of the first row after the last blank line.
    paragraph: usize,
}

/// A map of letters.
#[derive(Debug)]
pub(super) struct LetterMap {
    /// The number of its lines, without borders.
    pub(super) lines: usize,
    pub(super) first: GridLine,
    pub(super) last: GridLine,
}

impl LetterLines {
    /// Reads a line as the next row, even if it could be a row of a sudoku, too. A few lines with letters may be titles.
    pub(super) fn take(&self, line: &TokenLine) -> Option<LetterRow> {
        let paragraph = &self.rows[self.paragraph..];
        let (_, first) = paragraph.first()?;
        let has_letters = paragraph.iter().any(|(_, row)| row.signs.iter().any(u8::is_ascii_alphabetic));
        let least = if has_letters { 3 } else { 1 };
        let is_open = (least..first.width).contains(&paragraph.len());
        LetterRow::read_any(line).filter(|row| is_open && first.is_like(row))
    }

    /// Whether this row goes on with the rows before, if there are any.
    pub(super) fn is_like(&self, row: &LetterRow) -> bool {
        self.rows.first().is_none_or(|(_, first)| first.is_like(row))
    }

    pub(super) fn push(&mut self, line: GridLine, row: LetterRow) {
        self.rows.push((line, row));
    }

    /// Reads a blank line. A paragraph that is a map by itself is complete. Returns it
    /// with what was found before, if that is so.
    pub(super) fn end_paragraph(&mut self) -> Option<Vec<LetterMap>> {
        let paragraph = &self.rows[self.paragraph..];
        if is_square(paragraph) && is_map(paragraph) {
            let paragraph = self.rows.split_off(self.paragraph);
            let mut maps = self.finish();
            maps.push(map(&paragraph));
            return Some(maps);
        }
        self.paragraph = self.rows.len();
        None
    }

    /// Ends the lines and returns the maps that they are. The others are text; lines above a map may be its titles.
    pub(super) fn finish(&mut self) -> Vec<LetterMap> {
        let rows = std::mem::take(&mut self.rows);
        self.paragraph = 0;
        let Some((_, first)) = rows.first() else { return Vec::new() };
        let width = first.width;
        if width == WIDTH && (FEWEST_ROWS..WIDTH).contains(&rows.len()) && is_map(&rows) {
            return vec![map(&rows)];
        }
        rows[rows.len() % width..].chunks(width).filter(|rows| is_map(rows)).map(map).collect()
    }
}

fn is_square(rows: &[(GridLine, LetterRow)]) -> bool {
    rows.first().is_some_and(|(_, first)| first.width == rows.len())
}

fn is_map(rows: &[(GridLine, LetterRow)]) -> bool {
    let Some((_, first)) = rows.first() else { return false };
    let signs: Vec<u8> = rows.iter().flat_map(|(_, row)| row.signs[..row.width].iter().copied()).collect();
    let filled = signs.iter().filter(|sign| !EMPTY.contains(sign)).count();
    filled * 9 >= signs.len() && is_map_of_signs(&signs, first.width)
}

fn map(rows: &[(GridLine, LetterRow)]) -> LetterMap {
    LetterMap { lines: rows.len(), first: rows[0].0, last: rows[rows.len() - 1].0 }
}
