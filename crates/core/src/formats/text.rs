//! Text utilities: the buffer that encoders append to, lines, and characters and numbers for explainers.

use std::fmt;

use crate::error::{Code, Reject, escape, plural};
use crate::kernels::SLACK;
use crate::kernels::tables::DIGIT36;

/// A buffer for bytes to be written. Its memory stays initialised between uses, so that encoders can overwrite it
/// without clearing it first.
#[derive(Default)]
pub struct Text {
    bytes: Vec<u8>,
    len: usize,
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Text").field("len", &self.len).finish_non_exhaustive()
    }
}

/// The size to grow to: double, but only a quarter more for large texts.
#[cold]
fn grown(need: usize) -> usize {
    if need > 4 << 20 { need + need / 4 } else { need.next_power_of_two() }
}

/// The most digits of a number.
pub const MOST_DIGITS: usize = 10;

/// Writes a number in decimal at the start of some room; returns how many digits it has. There is room for
/// [`MOST_DIGITS`].
#[inline(always)]
pub fn put_number(room: &mut [u8], number: u32) -> usize {
    // Most are small: a second digit takes the place after the first one's, or that one's.
    if number >= 100 {
        return put_large_number(room, number);
    }
    let tens = (number / 10) as u8;
    let second = usize::from(tens > 0);
    room[0] = b'0' + tens;
    room[second] = b'0' + (number % 10) as u8;
    1 + second
}

#[inline(never)]
fn put_large_number(room: &mut [u8], number: u32) -> usize {
    let digits = number.checked_ilog10().unwrap_or(0) as usize + 1;
    let mut rest = number;
    for place in room[..digits].iter_mut().rev() {
        *place = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    digits
}

impl Text {
    /// An empty text.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty text with room for `bytes` bytes, in memory that the allocator has zeroed.
    pub fn with_room(bytes: usize) -> Self {
        Self { bytes: vec![0; bytes + SLACK], len: 0 }
    }

    /// The number of bytes written.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing was written.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// What was written.
    #[inline]
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// What was written, for changing it.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.len]
    }

    /// Removes everything and keeps the memory.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Removes everything after the first `len` bytes.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Appends bytes.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) {
        self.room(bytes.len())[..bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    /// Appends a byte.
    #[inline]
    pub fn push_byte(&mut self, byte: u8) {
        self.room(1)[0] = byte;
        self.len += 1;
    }

    /// Appends a number in decimal.
    #[inline]
    pub fn push_number(&mut self, number: u32) {
        self.len += put_number(self.room(MOST_DIGITS), number);
    }

    /// Room for `more` bytes and the kernels' [`SLACK`] after what was written; its contents are unspecified.
    #[inline]
    pub fn room(&mut self, more: usize) -> &mut [u8] {
        let need = self.len + more + SLACK;
        if self.bytes.len() < need {
            self.bytes.resize(grown(need), 0);
        }
        &mut self.bytes[self.len..need]
    }

    /// Marks `more` bytes of the room as written.
    #[inline]
    pub fn advance(&mut self, more: usize) {
        self.len += more;
        assert!(self.len <= self.bytes.len());
    }
}

/// A line of a text, as positions of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// Its first byte.
    pub start: usize,
    /// One past its last byte, not counting the line end (LF or CRLF).
    pub end: usize,
    /// Where the next line begins.
    pub next: usize,
}

/// The line that begins at `start`, or `None` at the end of the text. A CR belongs to the line end only before a LF.
#[inline]
pub fn line_at(text: &[u8], start: usize) -> Option<Line> {
    if start >= text.len() {
        return None;
    }
    Some(match memchr::memchr(b'\n', &text[start..]) {
        None => Line { start, end: text.len(), next: text.len() },
        Some(length) => {
            let newline = start + length;
            let end = if length > 0 && text[newline - 1] == b'\r' { newline - 1 } else { newline };
            Line { start, end, next: newline + 1 }
        }
    })
}

/// The value of a base-32 digit in either case, or more than 31 for other bytes. Pure arithmetic, which compilers can
/// vectorise.
#[inline(always)]
pub(super) fn value32(byte: u8) -> u8 {
    let decimal = byte.wrapping_sub(b'0');
    let letter = (byte | 0x20).wrapping_sub(b'a');
    if decimal < 10 {
        decimal
    } else if letter < 22 {
        letter + 10
    } else {
        0xff
    }
}

/// A character of a string that may not be UTF-8. An invalid byte counts as one character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Glyph {
    /// A character.
    Char(char),
    /// A byte that is not UTF-8.
    Byte(u8),
}

impl Glyph {
    /// The byte of an ASCII character.
    pub(super) fn ascii(self) -> Option<u8> {
        match self {
            Self::Char(c) if c.is_ascii() => Some(c as u8),
            _ => None,
        }
    }

    /// The character in quotes, escaped for a terminal.
    pub(super) fn quoted(self) -> String {
        match self {
            Self::Char(c) => {
                let mut utf8 = [0; 4];
                format!("'{}'", escape(c.encode_utf8(&mut utf8).as_bytes()))
            }
            Self::Byte(b) => format!("byte 0x{b:02x}"),
        }
    }
}

/// The characters of a string.
pub(super) fn glyphs(text: &[u8]) -> Vec<Glyph> {
    let mut glyphs = Vec::with_capacity(text.len());
    for part in text.utf8_chunks() {
        glyphs.extend(part.valid().chars().map(Glyph::Char));
        glyphs.extend(part.invalid().iter().copied().map(Glyph::Byte));
    }
    glyphs
}

/// The number of characters of a string.
pub(super) fn length(text: &[u8]) -> usize {
    if text.is_ascii() { text.len() } else { glyphs(text).len() }
}

/// The refusal of a string of the wrong length.
pub(super) fn wrong_length(text: &[u8], expected: &str) -> Reject {
    Reject::whole(Code::Length, format!("{0} character{1}, expected {expected}", length(text), plural(length(text))))
}

/// The two halves of a string around its only comma, if they are `first` and `second` characters long.
pub(super) fn two_parts(glyphs: &[Glyph], first: usize, second: usize) -> Result<(&[Glyph], &[Glyph]), Reject> {
    let wrong = |words: String| Err(Reject::whole(Code::Length, words));
    let commas = glyphs.iter().filter(|&&glyph| glyph == Glyph::Char(',')).count();
    if commas != 1 {
        return wrong(format!("{commas} commas, expected 1"));
    }
    let before = glyphs.iter().position(|&glyph| glyph == Glyph::Char(',')).unwrap_or(0);
    let after = glyphs.len() - before - 1;
    if (before, after) != (first, second) {
        return wrong(format!(
            "{before} character{} before the comma and {after} after it, expected {first} and {second}",
            plural(before)
        ));
    }
    Ok((&glyphs[..first], &glyphs[first + 1..]))
}

/// The number of fixed width of cell `cell`, most significant digit first, with ASCII digits in either case.
pub(super) fn number(glyphs: &[Glyph], base: u16, cell: usize, side: usize) -> Result<u64, Reject> {
    let mut value = 0;
    for glyph in glyphs {
        let digit = glyph.ascii().map_or(u16::MAX, |byte| DIGIT36[byte as usize]);
        if digit >= base {
            let words = format!("{} is not a base-{base} digit", glyph.quoted());
            return Err(Reject::at(Code::Digit, cell, side, words));
        }
        value = value * u64::from(base) + u64::from(digit);
    }
    Ok(value)
}

/// Finds the first cell, of `width` characters each, for whose number `check` returns a message.
///
/// Reports a bug if there is none, since explainers only get strings that a kernel refused.
pub(super) fn explain_cells(
    glyphs: &[Glyph],
    base: u16,
    width: usize,
    side: usize,
    check: impl Fn(usize, u64) -> Option<(Code, String)>,
) -> Option<Reject> {
    glyphs.chunks(width).enumerate().find_map(|(cell, digits)| match number(digits, base, cell, side) {
        Err(reject) => Some(reject),
        Ok(value) => check(cell, value).map(|(code, words)| Reject::at(code, cell, side, words)),
    })
}
