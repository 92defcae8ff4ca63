//! Reads a row of CSV, field by field.

use memchr::{memchr, memchr_iter, memchr3};

/// The state of reading a row. The text may come in several pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowScan {
    delimiter: u8,
    state: State,
    /// The number of fields that have begun.
    pub(super) fields: usize,
    /// Whether there is text between a closing quote and the end of its field.
    malformed: bool,
    /// Whether a field without quotes around it contains a quote.
    bare_quote: bool,
    /// The number of line ends between quotes.
    pub(super) line_ends: u64,
    /// The number of line ends before the last opening quote.
    before_quote: u64,
    /// The number of line ends before the first quoted field that contains a line end.
    before_first: Option<u64>,
}

/// The state before the next byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    FieldStart,
    /// In a field without quotes around it.
    Bare,
    /// In a quoted field.
    Inside,
    /// After a quote that closes the field, unless another quote follows.
    Closed,
    /// After a closing quote and a CR, which must belong to a line end.
    ClosedWithCr,
}

impl RowScan {
    /// The state at the start of a row.
    pub(super) fn new(delimiter: u8) -> Self {
        Self {
            delimiter,
            state: State::FieldStart,
            fields: 1,
            malformed: false,
            bare_quote: false,
            line_ends: 0,
            before_quote: 0,
            before_first: None,
        }
    }

    /// Continues at byte `at` of `text`. Returns the start of the next row, or `None` if this row does not end in the
    /// text.
    pub(super) fn read(&mut self, text: &[u8], mut at: usize) -> Option<usize> {
        while let Some(&byte) = text.get(at) {
            match self.state {
                State::Inside => {
                    let quote = memchr(b'"', &text[at..]).map(|quote| at + quote);
                    self.count_line_ends(&text[at..quote.unwrap_or(text.len())]);
                    at = quote?;
                    self.state = State::Closed;
                }
                State::Closed | State::ClosedWithCr if byte == b'\n' => return Some(at + 1),
                State::Closed => self.after_quote(byte),
                State::FieldStart if byte == b'"' => {
                    self.state = State::Inside;
                    self.before_quote = self.line_ends;
                }
                State::FieldStart | State::Bare | State::ClosedWithCr => {
                    self.malformed |= self.state == State::ClosedWithCr;
                    self.state = State::Bare;
                    at += memchr3(self.delimiter, b'"', b'\n', &text[at..])?;
                    match text[at] {
                        b'\n' => return Some(at + 1),
                        b'"' => self.bare_quote = true,
                        _ => self.begin_field(),
                    }
                }
            }
            at += 1;
        }
        None
    }

    /// Counts the line ends in text between quotes.
    fn count_line_ends(&mut self, text: &[u8]) {
        let line_ends = memchr_iter(b'\n', text).count() as u64;
        if line_ends > 0 {
            self.before_first.get_or_insert(self.before_quote);
            self.line_ends += line_ends;
        }
    }

    fn after_quote(&mut self, byte: u8) {
        match byte {
            b'"' => self.state = State::Inside,
            b'\r' => self.state = State::ClosedWithCr,
            _ if byte == self.delimiter => self.begin_field(),
            _ => {
                self.malformed = true;
                self.state = State::Bare;
            }
        }
    }

    fn begin_field(&mut self) {
        self.fields += 1;
        self.state = State::FieldStart;
    }

    /// Whether a quote is open.
    pub(super) fn is_inside(&self) -> bool {
        self.state == State::Inside
    }

    /// The number of line ends before the quote that is probably stray: the open quote, or else that of the first field
    /// with a line end. 0 if there is neither.
    pub(super) fn lines_before_quote(&self) -> u64 {
        if self.is_inside() { self.before_quote } else { self.before_first.unwrap_or(0) }
    }

    /// Whether the row has `width` fields (if given), no open quote, and no text after a closing quote.
    pub(super) fn fits(&self, width: Option<usize>) -> bool {
        !self.is_inside() && !self.malformed && width.is_none_or(|width| width == self.fields)
    }

    /// Whether the row conforms to RFC 4180 and has `width` fields.
    pub(super) fn is_clean(&self, width: usize) -> bool {
        self.fits(Some(width)) && !self.bare_quote
    }

    /// Whether there is text after a closing quote.
    pub(super) fn is_malformed(&self) -> bool {
        self.malformed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The end of the row, the number of its fields, and whether it fits and is clean. Checks that reading it in pieces
    /// of any size gives the same.
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
            ("\"a\"\"\nb\"\nd\n", (Some(8), 1, true, true)), // two quotes are one, and the field continues
            ("a\"b\nc\n", (Some(4), 1, true, false)),        // no field begins at the quote
            ("\"a\" \"\nb\n", (Some(6), 1, false, false)),   // nor at this one
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
