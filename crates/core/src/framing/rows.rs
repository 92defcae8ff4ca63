//! The rows of a text and the strings in them, as found by the framings other than lines.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::MAX_ROW;
use crate::error::{Code, Reject};
use crate::formats::{Names, Records};

/// The position of a string in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct StringPlace {
    /// Its first byte.
    pub start: u32,
    /// One past its last byte, not counting quotes around it.
    pub end: u32,
    /// Whether it is between quotes.
    pub quoted: bool,
    /// The index of its column or pointer among those that the user gave.
    pub column: u16,
}

/// A row with strings, or a refused row. Rows without a string are included only on request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextRow {
    /// Its first byte.
    pub start: u32,
    /// One past its last byte, not counting the line end.
    pub end: u32,
    /// The start of the next row.
    pub next: u32,
    /// The line of its first byte, from 0.
    pub line: u32,
    /// How many strings it has.
    pub fields: u32,
    /// Whether its strings are in a list.
    pub list: bool,
}

/// Consecutive elements of a row's list that are not strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoStrings {
    /// The index of the row.
    pub row: usize,
    /// The index, within the row, of the string after them.
    pub before: usize,
    /// Their number.
    pub count: u32,
}

/// The number of rows or strings after which reading stops. A chunk of good strings has fewer.
const MOST_ROWS: usize = 32 << 10;
/// The number of refusals after which reading stops.
const MOST_REFUSED: usize = 2 << 10;

/// The most strings of a row. Strings of all formats are so long that no more of them fit into a row.
pub(super) const MOST_STRINGS: u32 = (MAX_ROW / 32) as u32;

/// The rows of a text, and the strings in them.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Rows {
    /// The positions of the strings in the text.
    pub fields: Vec<StringPlace>,
    /// The positions of the solutions that came with the strings, if there are any: one for each string, or an empty
    /// range if it is missing.
    solutions: Vec<StringPlace>,
    unescaped: Unescaped,
    /// The indices of strings whose title or author stands elsewhere in the text, and these names.
    names: Vec<(usize, Arc<Names>)>,
    /// Elements of lists that are not strings, if all rows were requested.
    pub no_strings: Vec<NoStrings>,
    /// The rows of the strings.
    pub rows: Vec<TextRow>,
    /// The indices of refused rows, and the reasons.
    pub refused: Vec<(usize, Reject)>,
    /// The number of rows without a string: their field is empty, or contains the text for null.
    pub without: u64,
    /// The number of lines that are neither blank nor part of a record, in framings that have such lines.
    pub text: u64,
    /// The number of lines of the text.
    pub lines: u64,
    /// Where reading stopped because there are many rows, if it did.
    pub stopped: Option<usize>,
}

/// What contained escapes in the text.
#[derive(Debug, Default)]
struct Unescaped {
    /// All of it, without escapes.
    bytes: Vec<u8>,
    /// Strings: the indices of their fields, and their ranges in `bytes`.
    strings: Vec<(usize, Range<usize>)>,
    /// The same for solutions.
    solutions: Vec<(usize, Range<usize>)>,
}

/// The strings of rows, and the solutions that came with them, as ranges for a converter.
#[derive(Debug, Default)]
pub struct RowStrings {
    /// All strings and solutions, if some of them contained escapes.
    unescaped: Vec<u8>,
    is_unescaped: bool,
    starts: Vec<u32>,
    ends: Vec<u32>,
    solutions: Vec<Range<u32>>,
}

impl RowStrings {
    /// Takes the strings of the rows of `text`, in order.
    pub fn take(&mut self, rows: &Rows, text: &[u8]) {
        let Self { unescaped, is_unescaped, starts, ends, solutions } = self;
        unescaped.clear();
        starts.clear();
        ends.clear();
        solutions.clear();
        *is_unescaped = !rows.unescaped.strings.is_empty() || !rows.unescaped.solutions.is_empty();
        if !*is_unescaped {
            starts.extend(rows.fields.iter().map(|field| field.start));
            ends.extend(rows.fields.iter().map(|field| field.end));
            solutions.extend(rows.solutions.iter().map(|place| place.start..place.end));
            return;
        }
        let mut push = |string: &[u8]| {
            let start = unescaped.len() as u32;
            unescaped.extend_from_slice(string);
            start..unescaped.len() as u32
        };
        for string in rows.strings(text) {
            let place = push(string);
            starts.push(place.start);
            ends.push(place.end);
        }
        solutions.extend(rows.unescaped_strings(text, &rows.solutions, &rows.unescaped.solutions).map(push));
    }

    /// The strings as records.
    pub fn records<'t>(&'t self, text: &'t [u8]) -> Records<'t> {
        let Self { unescaped, is_unescaped, starts, ends, .. } = self;
        Records { bytes: if *is_unescaped { unescaped } else { text }, starts, ends }
    }

    /// The solutions that came with the strings, as ranges of the same bytes: one for each string, or none.
    pub fn solutions(&self) -> &[Range<u32>] {
        &self.solutions
    }
}

/// A string without escapes, and its position.
pub(super) type FoundString<'t> = (Cow<'t, [u8]>, StringPlace);

impl StringPlace {
    pub(super) fn new(place: Range<usize>, quoted: bool) -> Self {
        Self { start: place.start as u32, end: place.end as u32, quoted, column: 0 }
    }
}

impl Rows {
    /// Removes everything and keeps the memory.
    pub fn clear(&mut self) {
        let Self { fields, solutions, unescaped, names, no_strings, rows, refused, without, text, lines, stopped } =
            self;
        names.clear();
        no_strings.clear();
        fields.clear();
        unescaped.bytes.clear();
        unescaped.strings.clear();
        unescaped.solutions.clear();
        solutions.clear();
        rows.clear();
        refused.clear();
        (*without, *text, *lines) = (0, 0, 0);
        *stopped = None;
    }

    /// Removes the strings after the first `most`, which belong to the last row.
    pub fn truncate(&mut self, most: usize) {
        let Some(last) = self.rows.last_mut() else { return };
        last.fields -= self.fields.len().saturating_sub(most) as u32;
        self.truncate_strings(most);
    }

    /// Removes the strings after the first `most`, with their solutions.
    pub(super) fn truncate_strings(&mut self, most: usize) {
        self.fields.truncate(most);
        self.solutions.truncate(most);
        self.names.truncate(self.names.partition_point(|(index, _)| *index < most));
        for unescaped in [&mut self.unescaped.strings, &mut self.unescaped.solutions] {
            let kept = unescaped.partition_point(|(index, _)| *index < most);
            unescaped.truncate(kept);
        }
    }

    /// How many rows of one string each can be added until it [is full](Self::is_full).
    pub(super) fn room(&self) -> usize {
        if self.is_full() { 0 } else { MOST_ROWS - self.fields.len().max(self.rows.len()) }
    }

    /// Whether reading should stop after the current row, because there are many rows.
    pub(super) fn is_full(&self) -> bool {
        self.fields.len().max(self.rows.len()) >= MOST_ROWS || self.refused.len() >= MOST_REFUSED
    }

    /// The names that stand elsewhere in the text than their strings, with the indices of these, in order.
    pub fn names(&self) -> &[(usize, Arc<Names>)] {
        &self.names
    }

    /// Sets the names of the last string, unless they are empty.
    pub(super) fn set_names(&mut self, names: Arc<Names>) {
        if *names != Names::default() {
            self.names.push((self.fields.len() - 1, names));
        }
    }

    /// The strings, without escapes.
    pub fn strings<'t>(&'t self, text: &'t [u8]) -> impl Iterator<Item = &'t [u8]> {
        self.unescaped_strings(text, &self.fields, &self.unescaped.strings)
    }

    /// The strings at `places`, some of which were unescaped.
    fn unescaped_strings<'t>(
        &'t self,
        text: &'t [u8],
        places: &'t [StringPlace],
        unescaped: &'t [(usize, Range<usize>)],
    ) -> impl Iterator<Item = &'t [u8]> {
        let mut unescaped = unescaped.iter().peekable();
        places.iter().enumerate().map(move |(number, place)| match unescaped.next_if(|(index, _)| *index == number) {
            Some((_, range)) => &self.unescaped.bytes[range.clone()],
            None => &text[place.start as usize..place.end as usize],
        })
    }

    /// Adds a string of the current row: owned if it was unescaped, otherwise borrowed. Returns false if it contains a
    /// line end, which no string may.
    pub(super) fn push(&mut self, value: Cow<'_, [u8]>, field: StringPlace) -> bool {
        // An unquoted field cannot contain a line feed, since it ends with its line.
        if value.last() == Some(&b'\r') || field.quoted && memchr::memchr(b'\n', &value).is_some() {
            return false;
        }
        match value {
            Cow::Owned(value) => self.push_unescaped(&value, field),
            Cow::Borrowed(_) => self.fields.push(field),
        }
        true
    }

    /// Adds rows of one line and one string each, and the solutions that came with them, if any. There must be equally
    /// many of each. The strings must not contain escapes or line ends.
    #[inline]
    pub(super) fn take_plain(
        &mut self,
        fields: impl Iterator<Item = StringPlace>,
        solutions: Option<impl Iterator<Item = StringPlace>>,
        rows: impl Iterator<Item = TextRow>,
    ) {
        if let Some(solutions) = solutions {
            self.solutions.extend(solutions);
        }
        self.fields.extend(fields);
        let before = self.rows.len();
        self.rows.extend(rows);
        self.lines += (self.rows.len() - before) as u64;
    }

    /// Adds a row of one line, whose strings were already added. They must not contain escapes or line ends.
    #[inline]
    pub(super) fn take_plain_row(&mut self, row: TextRow) {
        self.rows.push(row);
        self.lines += 1;
    }

    /// Adds the solution that came with the last string, if there is one.
    pub(super) fn push_solution(&mut self, solution: Option<FoundString>) {
        if let Some((Cow::Owned(value), _)) = &solution {
            let range = self.add_bytes(value);
            self.unescaped.solutions.push((self.solutions.len(), range));
        }
        self.solutions.push(solution.map_or(StringPlace::new(0..0, false), |(_, place)| place));
    }

    /// Sets the solution of string number `at`. The solutions of strings before it that have none yet become empty.
    #[inline]
    pub(super) fn set_solution(&mut self, at: usize, place: StringPlace) {
        if self.solutions.len() == at {
            return self.solutions.push(place);
        }
        if self.solutions.len() < at {
            self.solutions.resize(at + 1, StringPlace::new(0..0, false));
        }
        self.solutions[at] = place;
    }

    /// Adds a list element of the current row that is not a string.
    pub(super) fn push_none(&mut self) {
        let (row, before) = (self.rows.len(), self.fields.len());
        match self.no_strings.last_mut().filter(|last| last.row == row && last.before == before) {
            Some(last) => last.count += 1,
            None => self.no_strings.push(NoStrings { row, before, count: 1 }),
        }
    }

    /// Adds a string that differs from the text.
    fn push_unescaped(&mut self, value: &[u8], field: StringPlace) {
        let range = self.add_bytes(value);
        self.unescaped.strings.push((self.fields.len(), range));
        self.fields.push(field);
    }

    /// Stores the bytes of an unescaped string, and returns their range.
    fn add_bytes(&mut self, bytes: &[u8]) -> Range<usize> {
        let start = self.unescaped.bytes.len();
        self.unescaped.bytes.extend_from_slice(bytes);
        start..self.unescaped.bytes.len()
    }

    /// Adds a row with its string, or refuses it.
    pub(super) fn take_string(&mut self, row: TextRow, string: Result<impl AsRef<[u8]>, Reject>) {
        self.take_quoted(row, false, string);
    }

    /// The same, and says what [`RowWriter::put`](super::RowWriter::put) is told about quotes.
    pub(super) fn take_quoted(&mut self, row: TextRow, quoted: bool, string: Result<impl AsRef<[u8]>, Reject>) {
        let field = StringPlace { start: row.start, end: row.end, quoted, column: 0 };
        let found = string.map(|string| {
            self.push_unescaped(string.as_ref(), field);
            1
        });
        self.take(row, found, false);
    }

    /// Refuses a row, and adds none of its strings.
    pub(super) fn refuse(&mut self, row: TextRow, reject: Reject) {
        self.truncate_strings(self.fields.len() - row.fields as usize);
        self.refused.push((self.rows.len(), reject));
        self.rows.push(TextRow { fields: 0, ..row });
    }

    /// Adds a row with its strings, or refuses it.
    pub(super) fn take(&mut self, row: TextRow, found: Result<u32, Reject>, all: bool) {
        match found {
            Ok(0) => {
                self.without += 1;
                if all {
                    self.rows.push(TextRow { fields: 0, ..row });
                }
            }
            Ok(fields) => self.rows.push(TextRow { fields, ..row }),
            Err(reject) => self.refuse(row, reject),
        }
    }
}

/// The refusal of a row of more than [`MAX_ROW`] bytes.
pub fn too_long_row() -> Reject {
    Reject::whole(Code::TooLong, format!("a row has at most {MAX_ROW} bytes"))
}

/// The refusal of a value that contains a line end.
pub(super) fn holds_line_end() -> Reject {
    Reject::whole(Code::Digit, "the string contains a line end, which puzzle strings never do")
}
