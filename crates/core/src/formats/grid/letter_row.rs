//! A line of a map of letters: one letter or other sign for each cell. It may also be a word.

use super::glyphs::OTHER;
use super::line::TokenLine;

/// The most letters of a line of a map: one more than the largest side.
pub(super) const MOST: usize = 26;
/// The width of sudokus of side 9.
pub(super) const WIDTH: usize = 9;
/// Signs of cells that belong to no piece, or of white cells.
pub(super) const EMPTY: &[u8] = b".-_";

/// Signs that people take for cells of a map when letters do not suffice, and for black cells.
const SIGNS: &[u8] = b"#@$%&+=?!*~^";
/// Fewer signs than this in a line are no row of a map.
const FEWEST_SIGNS: usize = 4;

/// A line with one letter for each cell, or another sign if there are four or more: an empty cell, a black or white square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LetterRow {
    pub(super) signs: [u8; MOST],
    pub(super) width: usize,
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
        for _ in 0..number_words(line) {
            words.next();
        }
        let count = words.clone().count();
        let are_cells = words.clone().skip(1).all(|word| word.len() == 1);
        let has_colon = || words.clone().next().is_some_and(|label| label.ends_with(b":"));
        if are_cells && (count == WIDTH + 1 || count > FEWEST_SIGNS && has_colon()) {
            // A label, of at most three characters.
            words.next().filter(|label| label.len() <= 3)?;
        }
        let is_boolean = |word: &[u8]| word.eq_ignore_ascii_case(b"true") || word.eq_ignore_ascii_case(b"false");
        let are_booleans = count == WIDTH && words.clone().all(is_boolean);
        let are_boxes = count == 3 && words.clone().all(|word| word.len() == 3);
        let is_spaced = count > 3;
        let (mut signs, mut width) = ([0; MOST], 0);
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
        let is_other =
            |sign: &u8| width >= FEWEST_SIGNS && (EMPTY.contains(sign) || SIGNS.contains(sign) || *sign == OTHER);
        let is_sign = |sign: &u8| sign.is_ascii_alphabetic() || is_other(sign);
        (is_width(width) && signs[..width].iter().all(is_sign)).then_some(Self { signs, width, is_spaced })
    }

    /// Whether it has letters, as words and titles have.
    pub(super) fn has_letters(&self) -> bool {
        self.signs.iter().any(|sign| sign.is_ascii_alphabetic() && !sign.eq_ignore_ascii_case(&b'x'))
    }

    /// Whether both lines may be rows of the same map.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (self.width, self.is_spaced) == (other.width, other.is_spaced)
    }
}

/// How many words at the start of a line are the number of its row: `3`, `3)`, `r3:`, `Row 3:`.
pub(super) fn number_words(line: &TokenLine) -> usize {
    let mut words = line.words();
    let is_row = words.clone().next().is_some_and(|word| word.eq_ignore_ascii_case(b"row"));
    if is_row {
        words.next();
    }
    let number = words.next().and_then(row_number);
    if number.is_some() && words.next().is_some() { 1 + usize::from(is_row) } else { 0 }
}

/// The number of a row that a word is.
pub(super) fn row_number(word: &[u8]) -> Option<usize> {
    let word = word.strip_prefix(b"r").or(word.strip_prefix(b"R")).unwrap_or(word);
    let end = word.iter().rposition(|byte| !b":.)".contains(byte))? + 1;
    let digits = std::str::from_utf8(&word[..end]).ok()?;
    digits.parse().ok().filter(|_| digits.len() <= 2)
}

/// Whether maps have this side: those of sudokus, and of KenKen.
pub(super) fn is_side(width: usize) -> bool {
    matches!(width, 3..=9 | 16 | 25)
}

/// Whether a row of a map has this width, or one that has a cell too many or too few.
fn is_width(width: usize) -> bool {
    (width - usize::from(width > 9)..=width + 1).any(is_side) && width > 2
}
