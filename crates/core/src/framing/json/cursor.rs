//! Reads a flat JSON object without escapes, token by token.

use std::ops::Range;

/// A position in a line.
pub(super) struct Cursor<'t> {
    pub(super) line: &'t [u8],
    /// The position of the next byte.
    pub(super) at: usize,
}

impl Cursor<'_> {
    /// Skips spaces, and returns the next byte without passing it.
    pub(super) fn peek(&mut self) -> Option<u8> {
        while *self.line.get(self.at)? == b' ' {
            self.at += 1;
        }
        Some(self.line[self.at])
    }

    /// Skips spaces and passes `byte`, if it is the next one.
    pub(super) fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// The range of the string whose opening quote was passed. Passes its closing quote. A string that is not closed
    /// ends with the line, so that the caller does not find the byte that must follow.
    pub(super) fn string_contents(&mut self) -> Range<usize> {
        let start = self.at;
        let rest = &self.line[start..];
        // Most keys are short, so the first 16 bytes are searched without a call of `memchr`.
        let mut chunks = rest.as_chunks().0.iter().take(2).zip([0, 8]);
        let short = chunks.find_map(|(chunk, before)| Some(before + first_quote(chunk)?));
        let length = short.or_else(|| memchr::memchr(b'"', rest));
        let end = length.map_or(self.line.len(), |length| start + length);
        self.at = end + usize::from(length.is_some());
        start..end
    }

    /// Passes a number, `true`, `false` or `null`; false if there is none.
    pub(super) fn skip_bare_value(&mut self) -> bool {
        let rest = &self.line[self.at..];
        // Most of these values are whole numbers.
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if (digits == 1 || digits > 1 && rest[0] != b'0') && matches!(rest.get(digits), Some(b' ' | b',' | b'}')) {
            self.at += digits;
            return true;
        }
        let length = rest.iter().position(|byte| b" ,}\n".contains(byte)).unwrap_or(rest.len());
        self.at += length;
        let word = &rest[..length];
        matches!(word, b"true" | b"false" | b"null") || is_number(word)
    }
}

/// The position of the first quote.
fn first_quote(bytes: &[u8; 8]) -> Option<usize> {
    let differ = u64::from_le_bytes(*bytes) ^ u64::from_le_bytes([b'"'; 8]);
    // The top bit of each byte that is 0. Bytes above the first of these may have it, too.
    let zeros = differ.wrapping_sub(u64::from_le_bytes([1; 8])) & !differ & u64::from_le_bytes([0x80; 8]);
    (zeros != 0).then(|| zeros.trailing_zeros() as usize / 8)
}

/// Whether a word is a JSON number.
pub(super) fn is_number(word: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = word.strip_prefix(b"-").unwrap_or(word);
    let whole = digits(rest);
    if whole == 0 || whole > 1 && rest[0] == b'0' {
        return false;
    }
    let mut rest = &rest[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let length = digits(fraction);
        if length == 0 {
            return false;
        }
        rest = &fraction[length..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = exponent.strip_prefix(b"-").or(exponent.strip_prefix(b"+")).unwrap_or(exponent);
        let length = digits(exponent);
        return length > 0 && length == exponent.len();
    }
    rest.is_empty()
}
