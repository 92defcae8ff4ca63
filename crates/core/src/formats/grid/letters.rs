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
        let has_letters = has_letters(paragraph);
        let least = if has_letters { 3 } else { 1 };
        let is_open = (least..first.width).contains(&paragraph.len());
        LetterRow::read_any(line).filter(|row| is_open && first.is_like(row))
    }

    /// Reads a line of empty signs as the next row of a mask, though it could be a border or text.
    pub(super) fn take_empty(&self, line: &TokenLine) -> Option<LetterRow> {
        let is_empty = |row: &LetterRow| row.signs[..row.width].iter().all(|sign| EMPTY.contains(sign));
        self.take(line).filter(|row| is_empty(row) && !has_letters(&self.rows))
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
        let mut rows = std::mem::take(&mut self.rows);
        let last = rows.split_off(std::mem::take(&mut self.paragraph).min(rows.len()));
        if is_square(&last) && is_map(&last) {
            return maps_of(&rows).into_iter().chain([map(&last)]).collect();
        }
        rows.extend(last);
        maps_of(&rows)
    }
}

/// The maps that rows are, without anything else beside them. If there are more rows than those of some maps, it is not known which
/// are those, so all are one map, which has no square.
fn maps_of(rows: &[(GridLine, LetterRow)]) -> Vec<LetterMap> {
    let Some((_, first)) = rows.first() else { return Vec::new() };
    let width = first.width;
    let least = if width == WIDTH { FEWEST_ROWS } else { (2 * width).div_ceil(3) };
    let may_lack_rows = width == WIDTH || !has_letters(rows);
    if may_lack_rows && (least..width).contains(&rows.len()) && is_map(rows) {
        return vec![map(rows)];
    }
    let more = rows.len() % width;
    let squares = |rows: &[(GridLine, LetterRow)]| -> Vec<LetterMap> {
        rows.chunks_exact(width).filter(|rows| is_map(rows)).map(map).collect()
    };
    let [upper, lower] = [squares(&rows[..rows.len() - more]), squares(&rows[more..])];
    if more > 0 && !(upper.is_empty() && lower.is_empty()) { vec![map(rows)] } else { lower }
}

/// Whether some of these rows have letters, as words and titles have.
fn has_letters(rows: &[(GridLine, LetterRow)]) -> bool {
    rows.iter().any(|(_, row)| row.has_letters())
}

fn is_square(rows: &[(GridLine, LetterRow)]) -> bool {
    rows.first().is_some_and(|(_, first)| first.width == rows.len())
}

fn is_map(rows: &[(GridLine, LetterRow)]) -> bool {
    let Some((_, first)) = rows.first() else { return false };
    let signs: Vec<u8> = rows.iter().flat_map(|(_, row)| row.signs[..row.width].iter().copied()).collect();
    let filled = signs.iter().filter(|sign| !EMPTY.contains(sign)).count();
    let least = if has_letters(rows) { signs.len().div_ceil(9) } else { 1 };
    filled >= least && is_map_of_signs(&signs, first.width)
}

fn map(rows: &[(GridLine, LetterRow)]) -> LetterMap {
    LetterMap { lines: rows.len(), first: rows[0].0, last: rows[rows.len() - 1].0 }
}
