//! Recognises lines of JSON that have the same keys in the same order and the same bytes between the values, as one
//! program writes them.

use std::ops::Range;

use memchr::memchr2;

use super::cursor::Cursor;

/// The longest line of which a pattern is kept. It takes 16 times as much memory as a line of short values.
const LONGEST: usize = 16 << 10;

/// The pattern of a flat object: the bytes before each value, and after the last one.
#[derive(Debug, Default)]
pub(super) struct ObjectPattern {
    values: Vec<(Literal, ValueClass)>,
    end: Literal,
    /// The bytes of all literals.
    bytes: Vec<u8>,
}

/// The class of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueClass {
    /// A string, with its index among the wanted strings if it is one of them.
    String(Option<usize>),
    /// A number, `true`, `false` or `null`.
    Bare,
}

/// Bytes that every line of the pattern contains, as a range of [`ObjectPattern::bytes`].
#[derive(Debug, Clone, Default)]
struct Literal {
    place: Range<usize>,
    /// The first 16 bytes, and a mask for shorter literals, so that one instruction compares them.
    first: u128,
    mask: u128,
}

impl ObjectPattern {
    /// The pattern of a line (without its line end) that was read by [`Cursor`] and whose wanted strings are at
    /// `found`. `None` if the line is too long.
    pub(super) fn of(line: &[u8], found: &[Range<usize>]) -> Option<Self> {
        if line.len() > LONGEST {
            return None;
        }
        let (mut pattern, mut passed) = (Self::default(), 0);
        let mut cursor = Cursor { line, at: 0 };
        cursor.expect(b'{')?;
        loop {
            cursor.expect(b'"')?;
            cursor.string_contents();
            cursor.expect(b':')?;
            let is_string = cursor.peek()? == b'"';
            cursor.at += usize::from(is_string);
            let literal = pattern.literal(&line[passed..cursor.at]);
            let class = if is_string {
                let value = cursor.string_contents();
                passed = value.end;
                ValueClass::String(found.iter().position(|place| *place == value))
            } else {
                cursor.skip_bare_value();
                passed = cursor.at;
                ValueClass::Bare
            };
            pattern.values.push((literal, class));
            if cursor.peek()? != b',' {
                break;
            }
            cursor.at += 1;
        }
        pattern.end = pattern.literal(&[&line[passed..], b"\n"].concat());
        Some(pattern)
    }

    /// Adds the bytes of a literal.
    fn literal(&mut self, bytes: &[u8]) -> Literal {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        let (mut first, mut mask) = ([0; 16], [0; 16]);
        for (at, &byte) in bytes.iter().enumerate().take(16) {
            (first[at], mask[at]) = (byte, 0xff);
        }
        let [first, mask] = [first, mask].map(u128::from_ne_bytes);
        Literal { place: start..self.bytes.len(), first, mask }
    }

    /// Matches the line at the start of `text`. If it has this pattern, puts the positions of the wanted strings in the
    /// line into `found`, and returns the length of the line with its line feed. Returns `None` for other lines, and
    /// for all lines near the end of the text.
    #[inline]
    pub(super) fn match_line(&self, text: &[u8], found: &mut [Range<usize>]) -> Option<usize> {
        let mut cursor = Cursor { line: text, at: 0 };
        for (literal, class) in &self.values {
            self.pass(literal, &mut cursor)?;
            match *class {
                ValueClass::Bare => cursor.skip_bare_value().then_some(())?,
                ValueClass::String(wanted) => {
                    let start = cursor.at;
                    cursor.at += memchr2(b'"', b'\n', &text[start..])?;
                    if let Some(wanted) = wanted {
                        found[wanted] = start..cursor.at;
                        (cursor.at > start).then_some(())?;
                    }
                }
            }
        }
        self.pass(&self.end, &mut cursor)?;
        Some(cursor.at)
    }

    /// Passes a literal, if it comes next.
    #[inline(always)]
    fn pass(&self, literal: &Literal, cursor: &mut Cursor) -> Option<()> {
        let rest = &cursor.line[cursor.at..];
        if (u128::from_ne_bytes(*rest.first_chunk()?) ^ literal.first) & literal.mask != 0 {
            return None;
        }
        let place = literal.place.clone();
        if place.len() > 16 && !rest.starts_with(&self.bytes[place.clone()]) {
            return None;
        }
        cursor.at += place.len();
        Some(())
    }
}
