//! Rows, and the strings in them.

use std::ops::Range;

use crate::error::{Code, Reject};

/// A string's place in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// The first byte of it.
    pub start: u32,
    /// Behind its last byte; quotes around it are none of it.
    pub end: u32,
    /// It stands between quotes.
    pub quoted: bool,
}

/// A row that has strings, or is refused; others too where all were asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The first byte.
    pub start: u32,
    /// Behind the last byte; its line end does not count.
    pub end: u32,
    /// Where the next row begins.
    pub next: u32,
    /// The line of its first byte, from 0.
    pub line: u32,
    /// How many strings it has.
    pub fields: u32,
    /// Its strings stand in a list.
    pub list: bool,
}

/// The rows of a text.
#[derive(Debug, Default)]
pub struct Rows {
    /// The strings, as they are meant, each followed by a line feed.
    pub values: Vec<u8>,
    /// Where they stand.
    pub fields: Vec<Field>,
    /// The rows they stand in.
    pub rows: Vec<Row>,
    /// Why rows are refused, by their index.
    pub refused: Vec<(usize, Reject)>,
    /// Rows without a string: an empty field, or one that says that there is none.
    pub without: u64,
    /// Lines of the text.
    pub lines: u64,
}

impl Rows {
    /// No rows, but the memory of those that were.
    pub fn clear(&mut self) {
        let Self { values, fields, rows, refused, without, lines } = self;
        values.clear();
        fields.clear();
        rows.clear();
        refused.clear();
        (*without, *lines) = (0, 0);
    }

    /// Takes a string of the row that is being read. False if it holds a line end, and so is none.
    pub(super) fn push(&mut self, value: &[u8], field: Field) -> bool {
        // A bare field ends where its line does.
        if value.last() == Some(&b'\r') || field.quoted && memchr::memchr(b'\n', value).is_some() {
            return false;
        }
        self.push_line(value, field);
        true
    }

    /// Takes a string that holds no line end.
    #[inline]
    pub(super) fn push_line(&mut self, value: &[u8], field: Field) {
        self.values.extend_from_slice(value);
        self.values.push(b'\n');
        self.fields.push(field);
    }

    /// Takes a row with the string that it means, or refuses it.
    pub fn take_string(&mut self, row: Row, string: Result<&str, &Reject>) {
        let field = Field { start: row.start, end: row.end, quoted: false };
        let found = string.map(|string| u32::from(self.push(string.as_bytes(), field))).map_err(Clone::clone);
        self.take(row, found, false);
    }

    /// Refuses a row, without any of its strings.
    pub(super) fn refuse(&mut self, row: Row, reject: Reject) {
        let strings = row.fields as usize;
        if strings > 0 {
            self.fields.truncate(self.fields.len() - strings);
            let last = self.values.len() - 1;
            let ends = memchr::memrchr_iter(b'\n', &self.values[..last]);
            let from = ends.take(strings).nth(strings - 1).map_or(0, |end| end + 1);
            self.values.truncate(from);
        }
        self.refused.push((self.rows.len(), reject));
        self.rows.push(Row { fields: 0, ..row });
    }

    /// Takes down what was found at a row.
    pub(super) fn take(&mut self, row: Row, found: Result<u32, Reject>, all: bool) {
        match found {
            Ok(0) => {
                self.without += 1;
                if all {
                    self.rows.push(Row { fields: 0, ..row });
                }
            }
            Ok(fields) => self.rows.push(Row { fields, ..row }),
            Err(reject) => self.refuse(row, reject),
        }
    }
}

/// What a value is that holds a line end.
pub(super) fn holds_line_end() -> Reject {
    Reject::whole(Code::Digit, "the string holds a line end; no puzzle string does")
}

/// A place as bytes of a text.
pub(super) fn field(place: Range<usize>, quoted: bool) -> Field {
    Field { start: place.start as u32, end: place.end as u32, quoted }
}
