//! Decides what a line may be without looking at the lines around it.

use super::glyphs::{EMPTY_SIGNS, has_mixed_weight, has_rule, has_word, is_border_glyph};
use super::letter_row::LetterRow;
use super::line::{Token, TokenKind, TokenLine};
use super::rows::{has_nine_cells, is_header, is_row};

/// What a line may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineClass {
    /// It has only spaces.
    Blank,
    /// Words, a comment, a code fence or brackets: not part of a grid.
    Text,
    /// A letter for each cell of a map, or a word.
    Letters,
    /// A string that may be a board in some format. The grid reader neither reads nor copies it.
    String,
    /// A number or a date. Above a grid, this is the title of the grid.
    Number,
    /// A border that cannot be a row.
    Border,
    /// A border with a horizontal rule, or a row of nine empty cells.
    RuleOrRow,
    /// A border of spaces and bars, or a row of nine empty cells.
    SpaceOrRow,
    /// Column names that are letters.
    Header,
    /// Nine cells, with or without a label. The line may also be the column names.
    Row,
    /// It has cells, but not nine, or something that has no meaning in a row.
    Malformed,
}

/// A line of one word with at least this many characters is a string.
const MIN_SINGLE_STRING: usize = 30;
/// A word with at least this many characters is a string; the shortest board in plain has this length.
const MIN_STRING: usize = 81;

impl TokenLine {
    /// Decides what this line may be. `text` is the line before it was normalised to glyphs.
    pub(super) fn classify(&self, text: &[u8]) -> LineClass {
        match self.classify_single(text) {
            LineClass::Text if LetterRow::read(self).is_some() => LineClass::Letters,
            class => class,
        }
    }

    /// Decides the same without looking for letters.
    fn classify_single(&self, text: &[u8]) -> LineClass {
        let glyphs = self.glyphs.bytes.trim_ascii();
        let text = text.trim_ascii();
        match (glyphs, text) {
            (_, []) => LineClass::Blank,
            (_, [b'#', ..]) if glyphs.starts_with(b"#") && !self.is_row_of_signs() => LineClass::Text,
            (_, [b'`', b'`', b'`', ..] | [b'~', b'~', b'~', ..]) => LineClass::Text,
            ([], _) => LineClass::Text,
            // The first line of a MiniZinc array: `start = array2d(1..9, 1..9, [|`.
            ([.., b'[', b'|'], _) => LineClass::Text,
            _ if glyphs.iter().all(|&glyph| is_border_glyph(glyph)) => self.classify_border(glyphs),
            _ if self.glyphs.has_unknown_escape => {
                if has_digit(glyphs) {
                    LineClass::Malformed
                } else {
                    LineClass::Text
                }
            }
            _ if is_row(self) => LineClass::Row,
            _ if is_header(self) => LineClass::Header,
            _ if self.is_string(text) => LineClass::String,
            _ if self.is_number() => LineClass::Number,
            _ if has_word(glyphs) => {
                if self.is_row_of_signs() || self.has_cells_beside_words() {
                    LineClass::Malformed
                } else {
                    LineClass::Text
                }
            }
            _ if has_digit(glyphs) || self.count_cells() >= 9 => LineClass::Malformed,
            _ => LineClass::Text,
        }
    }

    /// Whether the line is a row of a grid of other signs than digits: of a Str8ts (`#...31.8.`), or of a side above 9
    /// (`6......A8FE.5.12`).
    fn is_row_of_signs(&self) -> bool {
        let mut glyphs = [0_u8; 25];
        let mut width = 0;
        for word in self.words() {
            for &glyph in word {
                let Some(room) = glyphs.get_mut(width) else { return false };
                *room = glyph;
                width += 1;
            }
        }
        let glyphs = &glyphs[..width];
        let last = match width {
            9 => b'i',
            12 => b'c',
            16 => b'g',
            25 => b'p',
            _ => return false,
        };
        let count = |is: &dyn Fn(u8) -> bool| glyphs.iter().filter(|&&glyph| is(glyph)).count();
        let empty = count(&|glyph| b".0".contains(&glyph));
        let black = if width == 9 { count(&|glyph| glyph == b'#') } else { 0 };
        let digits = count(&|glyph| (b'1'..=b'9').contains(&glyph));
        let letters = count(&|glyph| (b'a'..=last).contains(&(glyph | 0x20)));
        let words = self.words().count();
        let is_row = words == 1 || words == width || self.words().all(|word| word.len() * words == width);
        // `#20240517` and `#1.2.2024` are titles, `#561.924.` is a row.
        let dots = count(&|glyph| glyph == b'.');
        let is_title = black == 1 && (dots == 0 || self.is_number() && !glyphs.ends_with(b"."));
        is_row
            && !is_title
            && empty + black + digits + letters == width
            && empty + black > 0
            && digits + black > 0
            && black < width
    }

    /// Classifies a line whose glyphs can all be part of a border.
    fn classify_border(&self, glyphs: &[u8]) -> LineClass {
        // `|-|-|-|` may be a border as well as a row.
        let has_rule = has_rule(glyphs) || !glyphs.contains(&b' ') && glyphs.windows(3).any(|three| three == b"|-|");
        if !has_rule && self.words().next().is_some() {
            return if is_row(self) { LineClass::Row } else { LineClass::Text };
        }
        match has_nine_cells(self, &self.tokens) {
            true if has_rule => LineClass::RuleOrRow,
            true => LineClass::SpaceOrRow,
            false if has_mixed_weight(glyphs) => LineClass::Malformed,
            false => LineClass::Border,
        }
    }

    /// Returns how many cells the line seems to have.
    pub(super) fn count_cells(&self) -> usize {
        let is_cell = |word: &&[u8]| word.iter().all(|byte| byte.is_ascii_digit() || EMPTY_SIGNS.contains(byte));
        let words = self.words().filter(is_cell).count();
        if words > 3 { words } else { self.words().filter(is_cell).map(<[u8]>::len).sum() }
    }

    /// Whether the line contains a string: a word as long as a board, a long word that is the only one in the line, or
    /// a link to a board.
    fn is_string(&self, text: &[u8]) -> bool {
        let is_single = self.words().count() == 1;
        let is_long = |word: &[u8]| {
            let is_link = memchr::memmem::find(word, b"://").is_some();
            word.len() >= if is_single { MIN_SINGLE_STRING } else { MIN_STRING } && has_digit(word) && !is_link
        };
        text.split(u8::is_ascii_whitespace).chain(self.words()).any(is_long)
            || memchr::memmem::find(text, b"bd=").is_some()
    }

    /// Whether the line is one number, or a date with or without a time.
    fn is_number(&self) -> bool {
        let without_punctuation = |word: &[u8]| -> Vec<u8> {
            let start = word.iter().take_while(|byte| b"(#".contains(byte)).count();
            let end = word.iter().rposition(|byte| !b".):,".contains(byte)).map_or(start, |last| last + 1);
            word[start.min(end)..end].to_vec()
        };
        let words: Vec<Vec<u8>> = self.words().map(without_punctuation).collect();
        match &words[..] {
            // Nine digits are a row, and so may be eight, unless a colon follows.
            [number] if number.iter().all(u8::is_ascii_digit) => {
                // `1...` is a row of four cells.
                (1..=6).contains(&number.len()) && !self.words().any(|word| word.ends_with(b".."))
                    || number.len() < 15 && self.glyphs.bytes.trim_ascii_end().ends_with(b":")
            }
            [date] => is_date(date),
            [date, time] => is_date(date) && is_date(time),
            _ => false,
        }
    }

    /// Whether a line with words also has cells: many of them, or the separators of many; or, at one end of the line,
    /// nine cells together or empty-cell signs among digits.
    fn has_cells_beside_words(&self) -> bool {
        let is_cell = |token: &Token| {
            let word = token.span.of(&self.glyphs);
            token.kind == TokenKind::Word && word.iter().all(|byte| byte.is_ascii_digit() || EMPTY_SIGNS.contains(byte))
        };
        let is_other = |token: &Token| token.kind == TokenKind::Word && !is_cell(token);
        let count = |tokens: &[Token]| tokens.iter().filter(|token| is_cell(token)).count();
        // Round brackets are rather those of words: `Rating 7.2 (ER), 7.2 (EP), 2.6 (ED)`.
        let is_between =
            |token: &&Token| token.kind != TokenKind::Word && !matches!(token.span.of(&self.glyphs), [b'(' | b')']);
        let between = self.tokens.iter().filter(is_between).count();
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
        let glyphs = || cells.iter().flat_map(|token| token.span.of(&self.glyphs));
        let is_empty_sign = |sign: &u8| *sign != b'0' && EMPTY_SIGNS.contains(sign);
        let is_row = glyphs().count() >= 7 && glyphs().any(u8::is_ascii_digit) && glyphs().any(is_empty_sign);
        is_row || has_nine_cells(self, cells)
    }
}

fn has_digit(glyphs: &[u8]) -> bool {
    glyphs.iter().any(u8::is_ascii_digit)
}

/// Whether a word is a date or a time: `2024-05-17`, `17.5.2024`, `5/17/24`, `12:30`.
fn is_date(word: &[u8]) -> bool {
    b"-./:".iter().any(|separator| {
        let parts = word.split(|byte| byte == separator);
        let is_part = |part: &[u8]| (1..=4).contains(&part.len()) && part.iter().all(u8::is_ascii_digit);
        (2..=3).contains(&parts.clone().count()) && parts.clone().all(is_part)
    })
}
