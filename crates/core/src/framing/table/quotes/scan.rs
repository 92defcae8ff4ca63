//! A row of CSV, field by field.

use memchr::{memchr, memchr_iter, memchr3};

/// A row as far as it was read: over several pieces of text, if need be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowScan {
    delimiter: u8,
    place: Place,
    /// Fields that began.
    pub(super) fields: usize,
    /// Text stands between a closing quote and the end of its field.
    malformed: bool,
    /// A quote stands in a field that has none around it.
    bare_quote: bool,
    /// Line ends between quotes.
    pub(super) line_ends: u64,
    /// Those before the quote that opened last.
    before_quote: u64,
    /// Those before the first quote after which there are some.
    before_first: Option<u64>,
}

/// What the next byte follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    FieldStart,
    Bare,
    Inside,
    /// A quote that closes, unless another one follows.
    Closed,
    /// That, and a CR, which belongs to a line end.
    ClosedWithCr,
}

impl RowScan {
    /// A row at its start.
    pub(super) fn new(delimiter: u8) -> Self {
        Self {
            delimiter,
            place: Place::FieldStart,
            fields: 1,
            malformed: false,
            bare_quote: false,
            line_ends: 0,
            before_quote: 0,
            before_first: None,
        }
    }

    /// Reads on at `at`. Where the next row begins, if this one ends in the text.
    pub(super) fn read(&mut self, text: &[u8], mut at: usize) -> Option<usize> {
        while let Some(&byte) = text.get(at) {
            match self.place {
                Place::Inside => {
                    let quote = memchr(b'"', &text[at..]).map(|quote| at + quote);
                    self.between_quotes(&text[at..quote.unwrap_or(text.len())]);
                    at = quote?;
                    self.place = Place::Closed;
                }
                Place::Closed | Place::ClosedWithCr if byte == b'\n' => return Some(at + 1),
                Place::Closed => self.after_quote(byte),
                Place::FieldStart if byte == b'"' => {
                    self.place = Place::Inside;
                    self.before_quote = self.line_ends;
                }
                Place::FieldStart | Place::Bare | Place::ClosedWithCr => {
                    self.malformed |= self.place == Place::ClosedWithCr;
                    self.place = Place::Bare;
                    at += memchr3(self.delimiter, b'"', b'\n', &text[at..])?;
                    match text[at] {
                        b'\n' => return Some(at + 1),
                        b'"' => self.bare_quote = true,
                        _ => self.field(),
                    }
                }
            }
            at += 1;
        }
        None
    }

    fn between_quotes(&mut self, text: &[u8]) {
        let line_ends = memchr_iter(b'\n', text).count() as u64;
        if line_ends > 0 {
            self.before_first.get_or_insert(self.before_quote);
            self.line_ends += line_ends;
        }
    }

    fn after_quote(&mut self, byte: u8) {
        match byte {
            b'"' => self.place = Place::Inside,
            b'\r' => self.place = Place::ClosedWithCr,
            _ if byte == self.delimiter => self.field(),
            _ => {
                self.malformed = true;
                self.place = Place::Bare;
            }
        }
    }

    fn field(&mut self) {
        self.fields += 1;
        self.place = Place::FieldStart;
    }

    /// Whether a quote is open.
    pub(super) fn is_inside(&self) -> bool {
        self.place == Place::Inside
    }

    /// The line ends before the quote to blame, if one is: the one that is open, or the first that goes over a line end.
    pub(super) fn lines_before_quote(&self) -> u64 {
        if self.is_inside() { self.before_quote } else { self.before_first.unwrap_or(0) }
    }

    /// Whether it has the fields of the first row, and ends no quote in the middle of text.
    pub(super) fn fits(&self, width: Option<usize>) -> bool {
        !self.is_inside() && !self.malformed && width.is_none_or(|width| width == self.fields)
    }

    /// Whether it is as RFC 4180 has it, with as many fields.
    pub(super) fn is_clean(&self, width: usize) -> bool {
        self.fits(Some(width)) && !self.bare_quote
    }

    /// Whether text stands after a closing quote.
    pub(super) fn is_malformed(&self) -> bool {
        self.malformed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the row ends, its fields, and whether it is well-formed and clean: the same in pieces of any size.
    fn read(text: &str) -> (Option<usize>, usize, bool, bool) {
        let text = text.as_bytes();
        let mut whole = RowScan::new(b',');
        let end = whole.read(text, 0);
        for size in 1..text.len() {
            let (mut scan, mut at) = (RowScan::new(b','), 0);
            let found = text.chunks(size).find_map(|piece| {
                let found = scan.read(piece, 0).map(|end| at + end);
                at += piece.len();
                found
            });
            assert_eq!((found, scan), (end, whole), "in pieces of {size}");
        }
        (end, whole.fields, whole.fits(None), whole.is_clean(whole.fields))
    }

    #[test]
    fn rows() {
        for (text, expected) in [
            ("a,b\nc", (Some(4), 2, true, true)),
            ("\n", (Some(1), 1, true, true)),
            ("\"a\nb\",\"c\"\r\nd", (Some(11), 2, true, true)),
            ("\"a\"\"\nb\"\nd\n", (Some(8), 1, true, true)), // two quotes are one, and the field goes on
            ("a\"b\nc\n", (Some(4), 1, true, false)),        // no field begins there
            ("\"a\" \"\nb\n", (Some(6), 1, false, false)),   // nor there
            ("\"a\"\rb,c\n", (Some(8), 2, false, false)),
            ("\"\"\nb\n", (Some(3), 1, true, true)),
            ("\"\",\"\"\"\"\n", (Some(8), 2, true, true)),
            ("\"a\nb\n", (None, 1, false, false)), // never closed
            ("a,b", (None, 2, true, true)),
        ] {
            assert_eq!(read(text), expected, "{text:?}");
        }
    }
}
