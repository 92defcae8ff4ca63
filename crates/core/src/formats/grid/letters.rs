//! Finds maps of letters: squares of lines that have one letter for each cell. A single such line is a word.

use super::block::GridLine;
use super::companion::is_map_of_signs;
use super::glyphs::OTHER;
use super::line::TokenLine;

/// The widths of maps: those of sudokus, and of KenKen.
const WIDTHS: std::ops::RangeInclusive<usize> = 3..=9;
/// A map of this width may lack rows that look like something else.
const WIDTH: usize = 9;
const FEWEST_ROWS: usize = 6;
/// Signs of cells that belong to no piece, or of white cells.
const EMPTY: &[u8] = b".-_";

/// A line with one letter for each cell, or another sign if there are nine: an empty cell, a black or white square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LetterRow {
    signs: [u8; WIDTH],
    width: usize,
    is_spaced: bool,
}

impl LetterRow {
    /// Reads a line in which not all cells are empty.
    pub(super) fn read(line: &TokenLine) -> Option<Self> {
        Self::read_any(line).filter(|row| row.signs[..row.width].iter().any(|sign| !EMPTY.contains(sign)))
    }

    /// Reads a line in which other cells may be empty, as it may be between lines with letters.
    pub(super) fn read_any(line: &TokenLine) -> Option<Self> {
        let mut words = line.words();
        let count = words.clone().count();
        if count == WIDTH + 1 && words.clone().skip(1).all(|word| word.len() == 1) {
            // A label, of at most three characters.
            words.next().filter(|label| label.len() <= 3)?;
        }
        let is_boolean = |word: &[u8]| word.eq_ignore_ascii_case(b"true") || word.eq_ignore_ascii_case(b"false");
        let are_booleans = count == WIDTH && words.clone().all(is_boolean);
        let are_boxes = count == 3 && words.clone().all(|word| word.len() == 3);
        let is_spaced = count > 3;
        let (mut signs, mut width) = ([0; WIDTH], 0);
        for word in words {
            let word = if are_booleans { &word[..1] } else { word };
            if word.len() > 1 && count > 1 && !are_boxes {
                return None;
            }
            for sign in word {
                *signs.get_mut(width)? = *sign;
                width += 1;
            }
        }
        let is_other = |sign: &u8| width == WIDTH && (EMPTY.contains(sign) || [b'#', OTHER].contains(sign));
        let is_sign = |sign: &u8| sign.is_ascii_alphabetic() || is_other(sign);
        (WIDTHS.contains(&width) && signs[..width].iter().all(is_sign)).then_some(Self { signs, width, is_spaced })
    }

    /// Whether both lines may be rows of the same map.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (self.width, self.is_spaced) == (other.width, other.is_spaced)
    }
}

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
