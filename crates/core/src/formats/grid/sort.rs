//! What a line may be, looked at alone.

use super::glyphs::{has_word, is_level, is_of_border, is_uneven};
use super::line::{Line, Token, TokenKind};
use super::rows::{BLANKS, has_nine_cells, is_header, is_row};

/// What a line may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// Nothing stands in it.
    Blank,
    /// Words, a comment, a code fence, brackets: no part of a grid.
    Text,
    /// A string that may be a board of some format, which here is neither read nor copied.
    String,
    /// A number or date, which above a grid is its title.
    Number,
    /// A border, or one that may also be a row of empty cells.
    Border,
    RuleOrRow,
    SpaceOrRow,
    /// The names of columns as letters.
    Header,
    /// Nine cells, with or without a label: this may also be the names of columns.
    Row,
    /// It has cells, but not nine, or something that cannot be accounted for.
    Odd,
}

/// Characters without a space from which on something is a string and no word.
const STRING: usize = 30;
/// The fewest characters of a board in plain.
const PLAIN: usize = 81;

impl Line {
    /// What this line may be, whose text is `text`.
    pub(super) fn sort(&self, text: &[u8]) -> Sort {
        let signs = self.glyphs.bytes.trim_ascii();
        let text = text.trim_ascii();
        match (signs, text) {
            (_, []) => Sort::Blank,
            (_, [b'#', ..]) if signs.starts_with(b"#") => Sort::Text,
            (_, [b'`', b'`', b'`', ..] | [b'~', b'~', b'~', ..]) => Sort::Text,
            ([], _) => Sort::Text,
            _ if signs.iter().all(|&sign| is_of_border(sign)) => self.border(signs),
            _ if self.glyphs.is_strange => {
                if has_digit(signs) {
                    Sort::Odd
                } else {
                    Sort::Text
                }
            }
            _ if is_row(self) => Sort::Row,
            _ if is_header(self) => Sort::Header,
            _ if self.is_string(text) => Sort::String,
            _ if self.is_number() => Sort::Number,
            _ if has_word(signs) => {
                if self.has_cells_beside_words() {
                    Sort::Odd
                } else {
                    Sort::Text
                }
            }
            _ if has_digit(signs) || self.cells() >= 9 => Sort::Odd,
            _ => Sort::Text,
        }
    }

    /// Signs that are all of borders.
    fn border(&self, signs: &[u8]) -> Sort {
        // `|-|-|-|` is as good a border as a row.
        let is_level = is_level(signs) || !signs.contains(&b' ') && signs.windows(3).any(|three| three == b"|-|");
        if !is_level && self.words().next().is_some() {
            return if is_row(self) { Sort::Row } else { Sort::Text };
        }
        match has_nine_cells(self, &self.tokens) {
            true if is_level => Sort::RuleOrRow,
            true => Sort::SpaceOrRow,
            false if is_uneven(signs) => Sort::Odd,
            false => Sort::Border,
        }
    }

    /// How many cells the line seems to have.
    pub(super) fn cells(&self) -> usize {
        let is_cell = |word: &&[u8]| word.iter().all(|byte| byte.is_ascii_digit() || BLANKS.contains(byte));
        let words = self.words().filter(is_cell).count();
        if words > 3 { words } else { self.words().filter(is_cell).map(<[u8]>::len).sum() }
    }

    /// A word that is too long for one: of a board's length, or all that stands in the line; or a link to a board.
    fn is_string(&self, text: &[u8]) -> bool {
        let is_alone = self.words().count() == 1;
        let is_long = |word: &[u8]| {
            let is_link = memchr::memmem::find(word, b"://").is_some();
            word.len() >= if is_alone { STRING } else { PLAIN } && has_digit(word) && !is_link
        };
        text.split(u8::is_ascii_whitespace).chain(self.words()).any(is_long)
            || memchr::memmem::find(text, b"bd=").is_some()
    }

    /// One number, or a date with or without a time.
    fn is_number(&self) -> bool {
        let trimmed = |word: &[u8]| -> Vec<u8> {
            let start = word.iter().take_while(|byte| b"(#".contains(byte)).count();
            let end = word.iter().rposition(|byte| !b".):,".contains(byte)).map_or(start, |last| last + 1);
            word[start.min(end)..end].to_vec()
        };
        let words: Vec<Vec<u8>> = self.words().map(trimmed).collect();
        match &words[..] {
            [number] if number.iter().all(u8::is_ascii_digit) => (1..=6).contains(&number.len()),
            [date] => is_date(date),
            [date, time] => is_date(date) && is_date(time),
            _ => false,
        }
    }

    /// Cells beside words: many of them, or what stands between many; or at one end of the line nine together, or signs for empty
    /// cells among digits.
    fn has_cells_beside_words(&self) -> bool {
        let is_cell = |token: &Token| {
            let word = token.place.of(&self.glyphs);
            token.kind == TokenKind::Word && word.iter().all(|byte| byte.is_ascii_digit() || BLANKS.contains(byte))
        };
        let is_other = |token: &Token| token.kind == TokenKind::Word && !is_cell(token);
        let count = |tokens: &[Token]| tokens.iter().filter(|token| is_cell(token)).count();
        let between = self.tokens.iter().filter(|token| token.kind != TokenKind::Word).count();
        let is_row = self.words().next().is_some_and(|word| word.eq_ignore_ascii_case(b"row"));
        if between >= 8
            || is_row && count(&self.tokens) >= 1
            || self.tokens.split(is_other).any(|tokens| count(tokens) >= 5)
        {
            return true;
        }
        let mut ends = self.tokens.split(is_other);
        let (Some(first), Some(last)) = (ends.next(), ends.next_back()) else { return false };
        let cells = match (count(first), count(last)) {
            (1.., 0) => first,
            (0, 1..) => last,
            _ => return false,
        };
        let signs = || cells.iter().flat_map(|token| token.place.of(&self.glyphs));
        let is_sign = |sign: &u8| *sign != b'0' && BLANKS.contains(sign);
        let is_row = signs().count() >= 7 && signs().any(u8::is_ascii_digit) && signs().any(is_sign);
        is_row || has_nine_cells(self, cells)
    }
}

fn has_digit(signs: &[u8]) -> bool {
    signs.iter().any(u8::is_ascii_digit)
}

/// `2024-05-17`, `17.5.2024`, `5/17/24`, `12:30`.
fn is_date(word: &[u8]) -> bool {
    b"-./:".iter().any(|separator| {
        let parts = word.split(|byte| byte == separator);
        let is_part = |part: &[u8]| (1..=4).contains(&part.len()) && part.iter().all(u8::is_ascii_digit);
        (2..=3).contains(&parts.clone().count()) && parts.clone().all(is_part)
    })
}
