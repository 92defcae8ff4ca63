//! The common form of JSON lines that one program wrote: the same keys in the same order, with the same bytes between the values.

use std::ops::Range;

use memchr::memchr2;

use super::walk::Walk;

/// The form of a flat object: the bytes before each value, and after the last one.
#[derive(Debug, Default)]
pub(super) struct Pattern {
    values: Vec<(Literal, ValueClass)>,
    end: Literal,
    /// The bytes of all literals.
    bytes: Vec<u8>,
}

/// The class of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueClass {
    /// A string, with its number among the wanted ones, if it is wanted.
    String(Option<usize>),
    /// A number, `true`, `false` or `null`.
    Bare,
}

/// Bytes that every line of the pattern has, as a range of [`Pattern::bytes`].
#[derive(Debug, Clone, Default)]
struct Literal {
    place: Range<usize>,
    /// The first sixteen bytes and a mask for shorter literals, so that one step compares them.
    first: u128,
    mask: u128,
}

impl Pattern {
    /// The pattern of a line (without its line end) that was read by [`Walk`], and whose wanted strings are at `found`.
    pub(super) fn of(line: &[u8], found: &[Range<usize>]) -> Option<Self> {
        let (mut pattern, mut passed) = (Self::default(), 0);
        let mut walk = Walk { line, at: 0 };
        walk.expect(b'{')?;
        loop {
            walk.expect(b'"')?;
            walk.string_end();
            walk.expect(b':')?;
            let is_string = walk.next()? == b'"';
            walk.at += usize::from(is_string);
            let literal = pattern.literal(&line[passed..walk.at]);
            let class = if is_string {
                let value = walk.string_end();
                passed = value.end;
                ValueClass::String(found.iter().position(|place| *place == value))
            } else {
                walk.number_or_name();
                passed = walk.at;
                ValueClass::Bare
            };
            pattern.values.push((literal, class));
            if walk.next()? != b',' {
                break;
            }
            walk.at += 1;
        }
        pattern.end = pattern.literal(&[&line[passed..], b"\n"].concat());
        Some(pattern)
    }

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

    /// Finds the wanted strings, relative to the start of the line, if the line at the start of `text` follows this pattern. Returns the
    /// length of the line with its line feed, or `None` for other lines and near the end of the text.
    #[inline]
    pub(super) fn follow(&self, text: &[u8], found: &mut [Range<usize>]) -> Option<usize> {
        let mut walk = Walk { line: text, at: 0 };
        for (literal, class) in &self.values {
            self.pass(literal, &mut walk)?;
            match *class {
                ValueClass::Bare => walk.number_or_name().then_some(())?,
                ValueClass::String(wanted) => {
                    let start = walk.at;
                    walk.at += memchr2(b'"', b'\n', &text[start..])?;
                    if let Some(wanted) = wanted {
                        found[wanted] = start..walk.at;
                        (walk.at > start).then_some(())?;
                    }
                }
            }
        }
        self.pass(&self.end, &mut walk)?;
        Some(walk.at)
    }

    /// Skips a literal, if it is there.
    #[inline(always)]
    fn pass(&self, literal: &Literal, walk: &mut Walk) -> Option<()> {
        let rest = &walk.line[walk.at..];
        if (u128::from_ne_bytes(*rest.first_chunk()?) ^ literal.first) & literal.mask != 0 {
            return None;
        }
        let place = literal.place.clone();
        if place.len() > 16 && !rest.starts_with(&self.bytes[place.clone()]) {
            return None;
        }
        walk.at += place.len();
        Some(())
    }
}
