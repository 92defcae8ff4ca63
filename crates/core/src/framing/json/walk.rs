//! A quick walk through a line of JSON that is plain to see.

use std::ops::Range;

/// A walk through a line.
pub(super) struct Walk<'t> {
    pub(super) line: &'t [u8],
    pub(super) at: usize,
}

impl Walk<'_> {
    /// The next byte that is no space; it is not passed.
    pub(super) fn next(&mut self) -> Option<u8> {
        while *self.line.get(self.at)? == b' ' {
            self.at += 1;
        }
        Some(self.line[self.at])
    }

    /// Passes a byte that has to come next.
    pub(super) fn expect(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then(|| self.at += 1)
    }

    /// The string whose opening quote was passed; passes the closing one. One that is not closed ends with the line, and then
    /// nothing follows that has to.
    pub(super) fn string_end(&mut self) -> Range<usize> {
        let start = self.at;
        let rest = &self.line[start..];
        // Keys are short.
        let mut near = rest.as_chunks().0.iter().take(2).zip([0, 8]);
        let near = near.find_map(|(eight, before)| Some(before + first_quote(eight)?));
        let length = near.or_else(|| memchr::memchr(b'"', rest));
        let end = length.map_or(self.line.len(), |length| start + length);
        self.at = end + usize::from(length.is_some());
        start..end
    }

    /// Passes a number, `true`, `false` or `null`; false if there is none.
    pub(super) fn number_or_name(&mut self) -> bool {
        let rest = &self.line[self.at..];
        // Most are whole numbers.
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

/// Where the first quote stands.
fn first_quote(bytes: &[u8; 8]) -> Option<usize> {
    let differ = u64::from_le_bytes(*bytes) ^ u64::from_le_bytes([b'"'; 8]);
    // The top bit of each byte that is 0; above the first of them perhaps others, too.
    let none = differ.wrapping_sub(u64::from_le_bytes([1; 8])) & !differ & u64::from_le_bytes([0x80; 8]);
    (none != 0).then(|| none.trailing_zeros() as usize / 8)
}

/// Whether these are all the characters of a JSON number.
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
