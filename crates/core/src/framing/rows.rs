//! Rows, and the strings in them: what all framings but lines find.

use std::borrow::Cow;
use std::ops::Range;

use super::MAX_ROW;
use crate::error::{Code, Reject};
use crate::formats::Records;

/// A string's place in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StringPlace {
    /// The first byte of it.
    pub start: u32,
    /// One past its last byte; quotes around it are none of it.
    pub end: u32,
    /// It stands between quotes.
    pub quoted: bool,
    /// Which of the columns, or pointers, it is that it stands at, from 0 in the order in which they were named.
    pub column: u16,
}

/// A row that has strings, or is refused; others too where all were asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextRow {
    /// The first byte.
    pub start: u32,
    /// One past the last byte; its line end does not count.
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

/// Elements of a row's list that are no strings, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoStrings {
    /// The index of the row.
    pub row: usize,
    /// The number of the string that they stand before, if one follows in the row.
    pub before: usize,
    /// How many they are.
    pub count: u32,
}

/// Rows, strings and refusals after which a part of a text is full: a chunk of good strings has fewer.
const MOST_ROWS: usize = 32 << 10;
const MOST_REFUSED: usize = 2 << 10;

/// Strings of a row; no string of a format is so short that more of them fit a row.
pub(super) const MOST_STRINGS: u32 = (MAX_ROW / 32) as u32;

/// The rows of a text, and the strings in them.
#[derive(Debug, Default)]
pub struct Rows {
    /// Where the strings stand in the text.
    pub fields: Vec<StringPlace>,
    /// Those strings that are not what stands in the text: by the number of their field, and where each is in `own`.
    meant: Vec<(usize, Range<usize>)>,
    own: Vec<u8>,
    /// Where the solutions stand that came with the strings, if they have some: one for each string, of no bytes where it is missing.
    solutions: Vec<StringPlace>,
    /// As `meant`, for solutions.
    meant_solutions: Vec<(usize, Range<usize>)>,
    /// Elements of lists that are no strings, where all rows were asked for.
    pub no_strings: Vec<NoStrings>,
    /// The rows they stand in.
    pub rows: Vec<TextRow>,
    /// Why rows are refused, by their index.
    pub refused: Vec<(usize, Reject)>,
    /// Rows without a string: an empty field, or one that says that there is none.
    pub without: u64,
    /// Lines that are no part of a record, where that can be told, and not blank.
    pub text: u64,
    /// Lines of the text.
    pub lines: u64,
    /// Where reading stopped, if that was before the end of the text because there are many rows.
    pub stopped: Option<usize>,
}

/// The strings of rows, and the solutions that came with them, as ranges for a converter.
#[derive(Debug, Default)]
pub struct RowStrings {
    /// All strings and solutions, where some are not what stands in the text.
    own: Vec<u8>,
    is_own: bool,
    starts: Vec<u32>,
    ends: Vec<u32>,
    solutions: Vec<Range<u32>>,
}

impl RowStrings {
    /// Takes the strings of rows of `text`, in order.
    pub fn take(&mut self, rows: &Rows, text: &[u8]) {
        let Self { own, is_own, starts, ends, solutions } = self;
        own.clear();
        starts.clear();
        ends.clear();
        solutions.clear();
        *is_own = !rows.meant.is_empty() || !rows.meant_solutions.is_empty();
        if !*is_own {
            starts.extend(rows.fields.iter().map(|field| field.start));
            ends.extend(rows.fields.iter().map(|field| field.end));
            solutions.extend(rows.solutions.iter().map(|place| place.start..place.end));
            return;
        }
        let mut push = |string: &[u8]| {
            let start = own.len() as u32;
            own.extend_from_slice(string);
            start..own.len() as u32
        };
        for string in rows.strings(text) {
            let place = push(string);
            starts.push(place.start);
            ends.push(place.end);
        }
        solutions.extend(rows.as_meant(text, &rows.solutions, &rows.meant_solutions).map(push));
    }

    /// The strings of the rows that were taken, of this text.
    pub fn records<'t>(&'t self, text: &'t [u8]) -> Records<'t> {
        let Self { own, is_own, starts, ends, .. } = self;
        Records { bytes: if *is_own { own } else { text }, starts, ends }
    }

    /// The solutions that came with the strings, in the bytes of [`RowStrings::records`]: one for each, or none at all.
    pub fn solutions(&self) -> &[Range<u32>] {
        &self.solutions
    }
}

/// What a string means, and where it stands.
pub(super) type FoundString<'t> = (Cow<'t, [u8]>, StringPlace);

impl StringPlace {
    pub(super) fn new(place: Range<usize>, quoted: bool) -> Self {
        Self { start: place.start as u32, end: place.end as u32, quoted, column: 0 }
    }
}

impl Rows {
    /// No rows, but the memory of those that were.
    pub fn clear(&mut self) {
        let Self {
            fields,
            meant,
            own,
            solutions,
            meant_solutions,
            no_strings,
            rows,
            refused,
            without,
            text,
            lines,
            stopped,
        } = self;
        no_strings.clear();
        fields.clear();
        meant.clear();
        own.clear();
        solutions.clear();
        meant_solutions.clear();
        rows.clear();
        refused.clear();
        (*without, *text, *lines) = (0, 0, 0);
        *stopped = None;
    }

    /// Leaves out the strings after the first `most`, which are of the last row.
    pub fn truncate(&mut self, most: usize) {
        let Some(last) = self.rows.last_mut() else { return };
        last.fields -= self.fields.len().saturating_sub(most) as u32;
        self.keep(most);
    }

    /// Leaves out the strings after the first `most`, with their solutions.
    pub(super) fn keep(&mut self, most: usize) {
        self.fields.truncate(most);
        self.solutions.truncate(most);
        for meant in [&mut self.meant, &mut self.meant_solutions] {
            let kept = meant.partition_point(|(of, _)| *of < most);
            meant.truncate(kept);
        }
    }

    /// Whether there are so many rows that reading should stop after the one at hand.
    pub(super) fn is_full(&self) -> bool {
        self.fields.len().max(self.rows.len()) >= MOST_ROWS || self.refused.len() >= MOST_REFUSED
    }

    /// The strings, as they are meant.
    pub fn strings<'t>(&'t self, text: &'t [u8]) -> impl Iterator<Item = &'t [u8]> {
        self.as_meant(text, &self.fields, &self.meant)
    }

    fn as_meant<'t>(
        &'t self,
        text: &'t [u8],
        places: &'t [StringPlace],
        meant: &'t [(usize, Range<usize>)],
    ) -> impl Iterator<Item = &'t [u8]> {
        let mut meant = meant.iter().peekable();
        places.iter().enumerate().map(move |(number, place)| match meant.next_if(|(of, _)| *of == number) {
            Some((_, own)) => &self.own[own.clone()],
            None => &text[place.start as usize..place.end as usize],
        })
    }

    /// Takes a string of the row that is being read: what stands in the text, or owned, what that means. False if it holds a
    /// line end, and so is none.
    pub(super) fn push(&mut self, value: Cow<'_, [u8]>, field: StringPlace) -> bool {
        // A bare field ends where its line does.
        if value.last() == Some(&b'\r') || field.quoted && memchr::memchr(b'\n', &value).is_some() {
            return false;
        }
        match value {
            Cow::Owned(value) => self.push_meant(&value, field),
            Cow::Borrowed(_) => self.fields.push(field),
        }
        true
    }

    /// Takes a row of one line whose strings, which were taken before, stand in the text as they are meant, without a line end.
    #[inline]
    pub(super) fn take_bare(&mut self, row: TextRow) {
        self.rows.push(row);
        self.lines += 1;
    }

    /// Takes the solution that came with the string that was taken last, if one did.
    pub(super) fn push_solution(&mut self, solution: Option<FoundString>) {
        if let Some((Cow::Owned(value), _)) = &solution {
            let start = self.own.len();
            self.own.extend_from_slice(value);
            self.meant_solutions.push((self.solutions.len(), start..self.own.len()));
        }
        self.solutions.push(solution.map_or(StringPlace::new(0..0, false), |(_, place)| place));
    }

    /// Takes the solution of string `at`, which may not be taken yet.
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

    /// Takes an element of a list, in the row that is being read, that is no string.
    pub(super) fn push_none(&mut self) {
        let (row, before) = (self.rows.len(), self.fields.len());
        match self.no_strings.last_mut().filter(|last| last.row == row && last.before == before) {
            Some(last) => last.count += 1,
            None => self.no_strings.push(NoStrings { row, before, count: 1 }),
        }
    }

    /// Takes a string that is not what stands in the text.
    fn push_meant(&mut self, value: &[u8], field: StringPlace) {
        let start = self.own.len();
        self.own.extend_from_slice(value);
        self.meant.push((self.fields.len(), start..self.own.len()));
        self.fields.push(field);
    }

    /// Takes a row with the string that it means, or refuses it.
    pub(super) fn take_string(&mut self, row: TextRow, string: Result<impl AsRef<[u8]>, Reject>) {
        let field = StringPlace { start: row.start, end: row.end, quoted: false, column: 0 };
        let found = string.map(|string| {
            self.push_meant(string.as_ref(), field);
            1
        });
        self.take(row, found, false);
    }

    /// Refuses a row, without any of its strings.
    pub(super) fn refuse(&mut self, row: TextRow, reject: Reject) {
        self.keep(self.fields.len() - row.fields as usize);
        self.refused.push((self.rows.len(), reject));
        self.rows.push(TextRow { fields: 0, ..row });
    }

    /// Records what was found at a row.
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

/// What a value is that holds a line end.
pub(super) fn holds_line_end() -> Reject {
    Reject::whole(Code::Digit, "the string contains a line end, which puzzle strings never do")
}
