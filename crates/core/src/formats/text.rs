//! Utilities for text: the buffer that encoders append to, lines, and the characters and numbers that explainers
//! examine.

use std::fmt;

use crate::error::{Code, Reject, escape, plural};
use crate::kernels::SLACK;
use crate::kernels::tables::DIGIT36;

/// A buffer for output. Its memory stays initialised between uses, so that encoders can overwrite it without clearing
/// it first.
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

/// The maximum number of digits of a number.
pub const MOST_DIGITS: usize = 10;

/// Writes a number in decimal to the start of `room`, and returns its number of digits. `room` has at least
/// [`MOST_DIGITS`] bytes.
#[inline(always)]
pub fn put_number(room: &mut [u8], number: u32) -> usize {
    // Most numbers are small. The last digit is written after the tens, or over them if they are 0.
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
    /// Makes an empty text.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes an empty text with room for `bytes` bytes, in memory that the allocator has zeroed.
    pub fn with_room(bytes: usize) -> Self {
        Self { bytes: vec![0; bytes + SLACK], len: 0 }
    }

    /// Returns the number of bytes written.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing was written.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the written bytes.
    #[inline]
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Returns the written bytes, for changing them.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.len]
    }

    /// Removes everything, but keeps the memory.
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

    /// Returns the space after the written bytes, of at least `more` bytes plus the [`SLACK`] of kernels. Its contents
    /// are unspecified.
    #[inline]
    pub fn room(&mut self, more: usize) -> &mut [u8] {
        let need = self.len + more + SLACK;
        if self.bytes.len() < need {
            self.grow(need);
        }
        &mut self.bytes[self.len..need]
    }

    /// Grows to the next power of two, or only by a quarter if the text is large: each thread has a large one.
    #[cold]
    fn grow(&mut self, need: usize) {
        let size = if need > 256 << 10 { need + need / 4 } else { need.next_power_of_two() };
        self.bytes.reserve_exact(size - self.bytes.len());
        self.bytes.resize(size, 0);
    }

    /// Adds the first `more` bytes of [`Text::room`] to the written bytes.
    #[inline]
    pub fn advance(&mut self, more: usize) {
        self.len += more;
        assert!(self.len <= self.bytes.len());
    }
}

/// A line of a text, as byte offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// The offset of its first byte.
    pub start: usize,
    /// The offset after its last byte, not counting the line end (LF or CRLF).
    pub end: usize,
    /// The offset of the next line.
    pub next: usize,
}

/// Returns the line that begins at `start`, or `None` at the end of the text. A CR is part of the line end only
/// directly before a LF.
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

/// Returns the value of a base-32 digit in upper or lower case, or more than 31 for other bytes. This is pure
/// arithmetic, which compilers can vectorise.
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

/// Returns the value of one to nine decimal digits.
pub(super) fn decimal(digits: &[u8]) -> Option<u32> {
    let is_number = (1..=9).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| digits.iter().fold(0, |value, digit| 10 * value + u32::from(digit - b'0')))
}

/// A character of a string that may not be UTF-8. An invalid byte counts as one character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Character {
    /// A character.
    Char(char),
    /// A byte that is not UTF-8.
    Byte(u8),
}

impl Character {
    /// Returns the byte of an ASCII character.
    pub(super) fn ascii(self) -> Option<u8> {
        match self {
            Self::Char(c) if c.is_ascii() => Some(c as u8),
            _ => None,
        }
    }

    /// Returns the character in quotes, escaped for a terminal.
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

/// Returns the characters of a string.
pub(super) fn characters(text: &[u8]) -> Vec<Character> {
    let mut characters = Vec::with_capacity(text.len());
    for part in text.utf8_chunks() {
        characters.extend(part.valid().chars().map(Character::Char));
        characters.extend(part.invalid().iter().copied().map(Character::Byte));
    }
    characters
}

/// Returns the number of characters of a string.
pub(super) fn length(text: &[u8]) -> usize {
    if text.is_ascii() { text.len() } else { characters(text).len() }
}

/// Rejects a string of the wrong length.
pub(super) fn wrong_length(text: &[u8], expected: &str) -> Reject {
    Reject::whole(Code::Length, format!("{0} character{1}, expected {expected}", length(text), plural(length(text))))
}

/// Splits a string at its only comma, if the two parts have `first` and `second` characters.
pub(super) fn two_parts(
    characters: &[Character],
    first: usize,
    second: usize,
) -> Result<(&[Character], &[Character]), Reject> {
    let wrong = |words: String| Err(Reject::whole(Code::Length, words));
    let commas = characters.iter().filter(|&&character| character == Character::Char(',')).count();
    if commas != 1 {
        return wrong(format!("{commas} commas, expected 1"));
    }
    let before = characters.iter().position(|&character| character == Character::Char(',')).unwrap_or(0);
    let after = characters.len() - before - 1;
    if (before, after) != (first, second) {
        return wrong(format!(
            "{before} character{} before the comma and {after} after it, expected {first} and {second}",
            plural(before)
        ));
    }
    Ok((&characters[..first], &characters[first + 1..]))
}

/// Reads the number of cell `cell`, which has a fixed width, most significant digit first. Digits are ASCII, in upper
/// or lower case.
pub(super) fn number(characters: &[Character], base: u16, cell: usize, side: usize) -> Result<u64, Reject> {
    let mut value = 0;
    for character in characters {
        let digit = character.ascii().map_or(u16::MAX, |byte| DIGIT36[byte as usize]);
        if digit >= base {
            let words = format!("{} is not a base-{base} digit", character.quoted());
            return Err(Reject::at(Code::Digit, cell, side, words));
        }
        value = value * u64::from(base) + u64::from(digit);
    }
    Ok(value)
}

/// Finds the first cell, of `width` characters, that is not a number or for whose number `check` returns a message.
pub(super) fn explain_cells(
    characters: &[Character],
    base: u16,
    width: usize,
    side: usize,
    check: impl Fn(usize, u64) -> Option<(Code, String)>,
) -> Option<Reject> {
    characters.chunks(width).enumerate().find_map(|(cell, digits)| match number(digits, base, cell, side) {
        Err(reject) => Some(reject),
        Ok(value) => check(cell, value).map(|(code, words)| Reject::at(code, cell, side, words)),
    })
}
