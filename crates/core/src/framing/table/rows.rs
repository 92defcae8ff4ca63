//! Reads the rows of a table, and the strings in their wanted columns.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2, memmem};

use super::delimiter_flag;
use super::escapes::{Chain, Extent, is_escaped};
use super::marks::{MarkCursor, RecordedMarks};
use super::misplaced::{Ragged, SHORTEST};
use super::plain::PlainRows;
use super::wanted::{ColumnRole, Null, Wanted};
use crate::error::{Code, Reject, plural};
use crate::framing::MAX_ROW;
use crate::framing::rows::{FoundString, Rows, StringPlace, TextRow, holds_line_end, too_long_row};
use crate::kernels::Kernel;

/// Tells whether a text ends in a string of some format.
pub(super) type EndsInRecord<'f> = &'f dyn Fn(&[u8]) -> bool;

/// A text whose rows are read.
#[derive(Clone, Copy)]
pub(super) struct RowsText<'t> {
    /// It begins at the start of a row.
    pub(super) text: &'t [u8],
    /// Whether rows without a string are added, too.
    pub(super) all: bool,
    pub(super) ends_in_record: EndsInRecord<'t>,
}

/// How the rows of a table are written, and which columns have the strings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RowReader {
    /// The byte between two fields: neither a quote nor part of a line end.
    pub(super) delimiter: u8,
    /// Whether fields may be quoted (CSV). Otherwise quotes have no special meaning (TSV).
    pub(super) quotes: bool,
    /// Whether a backslash may have the meaning described in [`super::escapes`].
    pub(super) escapes: bool,
    /// The columns to read, from left to right.
    pub(super) wanted: Vec<Wanted>,
    /// The number of fields in the first row, if known.
    pub(super) width: Option<usize>,
    /// Whether every row must have as many fields as the first, because values are appended.
    pub(super) exact_width: bool,
    /// The user's text for "no string".
    pub(super) null: Null,
}

/// A field as it was read.
pub(super) struct ReadField {
    /// The range of its contents, without the quotes around them.
    place: Range<usize>,
    quoted: bool,
    /// Whether it contains doubled quotes, each of which stands for one.
    escaped: bool,
    /// Whether there is text between its closing quote and the next delimiter, or no closing quote.
    malformed: bool,
    /// The position of the delimiter or line feed after it, or the end of the text.
    end: usize,
}

impl ReadField {
    /// A field without quotes around it.
    pub(super) fn bare(place: Range<usize>) -> Self {
        Self { end: place.end, place, quoted: false, escaped: false, malformed: false }
    }
}

/// The fields of a row. They are read one by one, because a row may have millions.
#[derive(Clone)]
pub(super) struct Fields<'t> {
    reader: &'t RowReader,
    text: &'t [u8],
    /// Where the next field begins, or the next row.
    pub(super) at: usize,
    ended: bool,
}

impl Iterator for Fields<'_> {
    type Item = ReadField;

    #[inline(never)]
    fn next(&mut self) -> Option<ReadField> {
        if self.ended {
            return None;
        }
        let read = self.reader.read_field(self.text, self.at);
        self.ended = self.text.get(read.end) != Some(&self.reader.delimiter);
        self.at = read.end + 1;
        Some(read)
    }
}

impl<'t> Fields<'t> {
    /// The unescaped text of a field.
    pub(super) fn name(&self, read: &ReadField) -> Cow<'t, [u8]> {
        let delimited = self.text.get(read.end) == Some(&self.reader.delimiter);
        let place = if delimited { read.place.clone() } else { self.reader.without_cr(self.text, read) };
        unescape(&self.text[place], read.escaped)
    }
}

/// A field of a column with strings, and the one with its solution, if there is a column for it.
struct FieldWithSolution<'r> {
    /// The index of the column among those with strings.
    column: u16,
    read: &'r ReadField,
    solution: Option<&'r ReadField>,
}

/// Plain rows, and the marks that divide a text into them.
struct PlainCursor<'t> {
    rows: PlainRows,
    marks: MarkCursor<'t>,
}

/// A row as it was read.
struct ReadRow {
    /// The first byte.
    start: usize,
    /// The position of its line feed, or the end of the text.
    feed: usize,
    /// The line of its first byte, from 0.
    line: u32,
    /// How many fields it has.
    fields: usize,
    /// How many line ends are in its fields.
    line_ends: u64,
}

impl RowReader {
    /// Finds the rows of a text. Refuses the rows in `spoiled`, which have a stray quote.
    pub(super) fn rows(&self, whole: RowsText<'_>, spoiled: &[Range<usize>], marks: MarkCursor, rows: &mut Rows) {
        let text = whole.text;
        let mut plain = PlainCursor { rows: PlainRows::new(&self.wanted, self.width, &self.null), marks };
        let mut at = 0;
        for bad in spoiled {
            self.rows_between(RowsText { text: &text[..bad.start], ..whole }, at, &mut plain, rows);
            if rows.stopped.is_some() {
                return;
            }
            let why = "a quote in the row is not closed, or closed in another row; reading resumes with the next row";
            refuse_whole(text, bad.clone(), why.into(), rows);
            at = bad.end;
            plain.marks.skip_to(at);
        }
        self.rows_between(whole, at, &mut plain, rows);
    }

    /// A cursor over the delimiters, line feeds and quotes of `text`. `recorded` are those that were found while the
    /// chunk that begins with `text` was cut.
    pub(super) fn marks<'t>(
        &self,
        text: &'t [u8],
        kernel: &'static Kernel,
        recorded: Option<&'t RecordedMarks>,
    ) -> MarkCursor<'t> {
        let quote = if self.quotes { b'"' } else { b'\n' };
        MarkCursor::new(text, 0, [self.delimiter, b'\n', quote], kernel).with(recorded)
    }

    /// Reads the rows from `at` to the end of a text, none of which is spoiled.
    fn rows_between(&self, whole: RowsText<'_>, mut at: usize, plain: &mut PlainCursor, rows: &mut Rows) {
        let PlainCursor { rows: plain, marks } = plain;
        let RowsText { text, ends_in_record, .. } = whole;
        let (mut found, mut chain) = (Vec::new(), Chain::new());
        while at < text.len() {
            if rows.is_full() {
                rows.stopped = Some(at);
                return;
            }
            let next = plain.take(text, at, marks, rows);
            if next > at {
                at = next;
                continue;
            }
            let mut row = self.read_row(text, at, rows, &mut found);
            let mut extent = self.extent(text, &row, &mut chain);
            if let Extent::Joined(end) = extent {
                row = self.read_joined(text, at..end, &row, &mut found);
                if self.has_other_strings(text, &row, &found, ends_in_record) {
                    extent = Extent::Unclear(end);
                }
            }
            if let Extent::Unclear(end) = extent {
                refuse_whole(text, at..end, self.unclear(), rows);
                marks.skip_to(end);
                at = end;
                continue;
            }
            rows.lines += row.line_ends;
            marks.skip_to(row.feed + 1);
            at = (row.feed + 1).min(text.len());
            self.take_row(whole, row, &found, rows);
        }
    }

    /// The fields of the row at the start of `text`.
    pub(super) fn fields<'t>(&'t self, text: &'t [u8]) -> Fields<'t> {
        Fields { reader: self, text, at: 0, ended: false }
    }

    /// The start of the row after the first one that is not empty.
    pub(super) fn header_end(&self, text: &[u8]) -> usize {
        let row = after_empty_lines(text);
        let mut fields = self.fields(row);
        fields.by_ref().for_each(drop);
        text.len() - row.len() + fields.at.min(row.len())
    }

    /// Reads any row, field by field. Puts its wanted fields into `found`.
    #[cold]
    fn read_row(&self, text: &[u8], start: usize, rows: &Rows, found: &mut Vec<ReadField>) -> ReadRow {
        let line = rows.lines as u32;
        let (mut fields, mut line_ends, mut at) = (0, 0, start);
        found.clear();
        loop {
            let read = self.read_field(text, at);
            if read.quoted {
                line_ends += memchr_iter(b'\n', &text[read.place.clone()]).count() as u64;
            }
            let (end, delimited) = (read.end, text.get(read.end) == Some(&self.delimiter));
            if self.wanted.get(found.len()).is_some_and(|wanted| wanted.column == fields) {
                found.push(read);
            }
            fields += 1;
            if !delimited {
                return ReadRow { start, feed: end, line, fields, line_ends };
            }
            at = end + 1;
        }
    }

    /// The extent of a row whose first line was read.
    fn extent(&self, text: &[u8], row: &ReadRow, chain: &mut Chain) -> Extent {
        match self.width.filter(|_| self.escapes && memchr(b'\\', &text[row.start..row.feed]).is_some()) {
            Some(width) => chain.extent(text, row.start, self.delimiter, width),
            None => Extent::Line,
        }
    }

    /// Reads a row in which backslashes have their special meaning, and whose first line is `first`. Puts its wanted fields
    /// into `found`.
    #[cold]
    fn read_joined(&self, text: &[u8], place: Range<usize>, first: &ReadRow, found: &mut Vec<ReadField>) -> ReadRow {
        let Range { start, end } = place;
        let feed = if text[start..end].ends_with(b"\n") { end - 1 } else { end };
        found.clear();
        let (mut fields, mut at) = (0, start);
        loop {
            let mut places = memchr_iter(self.delimiter, &text[at..feed]).map(|place| at + place);
            let delimiter = places.find(|&place| !is_escaped(&text[start..], place - start));
            if self.wanted.get(found.len()).is_some_and(|wanted| wanted.column == fields) {
                found.push(ReadField::bare(at..delimiter.unwrap_or(feed)));
            }
            fields += 1;
            let Some(delimiter) = delimiter else { break };
            at = delimiter + 1;
        }
        let line_ends = memchr_iter(b'\n', &text[start..feed]).count() as u64;
        ReadRow { start, feed, line: first.line, fields, line_ends }
    }

    /// Whether a line after the first one, if it is a row of its own, has a string that is not among the fields `found`.
    #[cold]
    fn has_other_strings(&self, text: &[u8], row: &ReadRow, found: &[ReadField], ends_in_record: EndsInRecord) -> bool {
        let mut start = row.start;
        text[row.start..row.feed].split(|&byte| byte == b'\n').any(|line| {
            let at = start;
            let fields = self.fields(line).map(|read| at + read.place.start..at + read.place.end);
            let is_first = at == row.start;
            start += line.len() + 1;
            let strings = self.wanted.iter().filter(|wanted| wanted.strings().is_some());
            let mut places = strings.filter_map(|wanted| fields.clone().nth(wanted.column));
            !is_first
                && places.any(|place| {
                    let field = &text[place.clone()];
                    let is_known = found.iter().any(|read| read.place == place);
                    !is_known && ends_in_record(field.strip_suffix(b"\r").unwrap_or(field))
                })
        })
    }

    /// The message about a row whose extent is unclear.
    fn unclear(&self) -> String {
        format!(
            "a backslash ends the line, and both are possible: the row goes on in the next line, as MySQL and MariaDB write line \
             ends in fields, or ends here; --framing csv --delimiter {} makes every line a row",
            delimiter_flag(self.delimiter)
        )
    }

    /// Adds a row with its strings, which are in the fields `found`, or refuses it.
    fn take_row(&self, whole: RowsText<'_>, row: ReadRow, found: &[ReadField], rows: &mut Rows) {
        let RowsText { text, all, ends_in_record } = whole;
        let ReadRow { start, feed, line, fields, .. } = row;
        // If a quote is never closed, its field was already counted with the last line feed.
        rows.lines += u64::from(feed < text.len() || text.last() != Some(&b'\n'));
        let next = (feed + 1).min(text.len());
        let end = if feed < text.len() && feed > start && text[feed - 1] == b'\r' { feed - 1 } else { feed };
        if end == start {
            return; // An empty line is copied unchanged.
        }
        let mut row = TextRow { start: start as u32, end: end as u32, next: next as u32, line, fields: 0, list: false };
        if end - start > MAX_ROW {
            return rows.refuse(row, too_long_row());
        }
        if let Some(missing) = self.wanted[found.len()..].last() {
            let message =
                format!("the row has {fields} column{}, expected at least {}", plural(fields), missing.column + 1);
            return rows.refuse(row, Reject::whole(Code::Column, message));
        }
        let strings =
            || self.wanted.iter().zip(found).filter_map(|(wanted, read)| Some((wanted, wanted.strings()?, read)));
        if let Some(width) = self.width.filter(|&width| width != fields) {
            for (wanted, _, read) in strings().filter(|(_, _, read)| end - start >= read.place.len() + SHORTEST) {
                let (ragged, is_empty) = (&text[start..end], read.place.is_empty());
                let fields = self.fields(ragged).map(|read| read.place.start - usize::from(read.quoted)..read.end);
                let ragged = Ragged { row: ragged, fields, column: wanted.column, is_empty, width };
                if let Some(reject) = ragged.misplaced(ends_in_record) {
                    return rows.refuse(row, reject);
                }
            }
            if self.exact_width {
                return rows.refuse(row, wrong_width(fields, width));
            }
        }
        for (_, column, read) in strings() {
            let is_solution = |wanted: &Wanted| wanted.role == ColumnRole::Solutions(column);
            let solution = self.wanted.iter().zip(found).find(|(wanted, _)| is_solution(wanted));
            let fields = FieldWithSolution { column, read, solution: solution.map(|(_, read)| read) };
            match self.take_string(text, fields, rows) {
                Ok(taken) => row.fields += taken,
                Err(reject) => return rows.refuse(row, reject),
            }
        }
        rows.take(row, Ok(row.fields), all);
    }

    /// Adds the string of a field, if there is one, with the solution that came with it. Returns the number of strings
    /// added.
    fn take_string(&self, text: &[u8], fields: FieldWithSolution<'_>, rows: &mut Rows) -> Result<u32, Reject> {
        let FieldWithSolution { column, read, solution } = fields;
        let Some((value, place)) = self.value(text, read)? else { return Ok(0) };
        let solution = solution.map(|read| self.value(text, read)).transpose()?;
        if !rows.push(value, StringPlace { column, ..place }) {
            return Err(holds_line_end());
        }
        if let Some(solution) = solution {
            rows.push_solution(solution);
        }
        Ok(1)
    }

    /// The unescaped text of a field and its position, unless it means "no string".
    fn value<'t>(&self, text: &'t [u8], read: &ReadField) -> Result<Option<FoundString<'t>>, Reject> {
        let delimited = text.get(read.end) == Some(&self.delimiter);
        let place = if delimited { read.place.clone() } else { self.without_cr(text, read) };
        let raw = &text[place.clone()];
        if read.malformed {
            let message = "the field has text after its closing quote, or no closing quote";
            return Err(Reject::whole(Code::Column, message));
        }
        if self.null.matches(raw, read.quoted) {
            return Ok(None);
        }
        if !read.quoted && memchr(b'\n', raw).is_some() {
            return Err(holds_line_end());
        }
        Ok(Some((unescape(raw, read.escaped), StringPlace::new(place, read.quoted))))
    }

    /// The range of a field that ends its row. If it is not quoted, leaves out the CR of the line end.
    fn without_cr(&self, text: &[u8], read: &ReadField) -> Range<usize> {
        let Range { start, end } = read.place;
        let has_cr = !read.quoted && end > start && end < text.len() && text[end - 1] == b'\r';
        start..end - usize::from(has_cr)
    }

    /// Reads the field at `at`.
    fn read_field(&self, text: &[u8], at: usize) -> ReadField {
        if self.quotes && text.get(at) == Some(&b'"') {
            return self.read_quoted(text, at + 1);
        }
        let end = self.field_end(text, at);
        ReadField::bare(at..end)
    }

    /// The position of the next delimiter or line feed.
    fn field_end(&self, text: &[u8], at: usize) -> usize {
        memchr2(self.delimiter, b'\n', &text[at..]).map_or(text.len(), |end| at + end)
    }

    /// Reads a quoted field, whose contents begin at `start`.
    fn read_quoted(&self, text: &[u8], start: usize) -> ReadField {
        let (mut at, mut escaped) = (start, false);
        loop {
            let Some(quote) = memchr(b'"', &text[at..]).map(|quote| at + quote) else {
                let end = text.len();
                return ReadField { place: start..end, quoted: true, escaped, malformed: true, end };
            };
            if text.get(quote + 1) == Some(&b'"') {
                escaped = true;
                at = quote + 2;
                continue;
            }
            let end = self.field_end(text, quote + 1);
            let rest = &text[quote + 1..end];
            let is_end = rest.is_empty() || rest == b"\r" && text.get(end) == Some(&b'\n');
            return ReadField { place: start..quote, quoted: true, escaped, malformed: !is_end, end };
        }
    }
}

/// The refusal of a row with `fields` fields, to which nothing can be appended.
#[cold]
fn wrong_width(fields: usize, width: usize) -> Reject {
    let s = plural(fields);
    let message =
        format!("the row has {fields} field{s}, the first row {width}; appended values would end up in another column");
    Reject::whole(Code::Column, message)
}

/// Refuses all of a row, whose fields are not known.
fn refuse_whole(text: &[u8], place: Range<usize>, why: String, rows: &mut Rows) {
    let bytes = &text[place.clone()];
    let content = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let content = if bytes.ends_with(b"\r\n") { &content[..content.len() - 1] } else { content };
    let (start, end, next) = (place.start as u32, (place.start + content.len()) as u32, place.end as u32);
    let row = TextRow { start, end, next, line: rows.lines as u32, fields: 0, list: false };
    rows.lines += memchr_iter(b'\n', bytes).count() as u64 + u64::from(!bytes.ends_with(b"\n"));
    rows.refuse(row, Reject::whole(Code::Column, why));
}

/// Skips the empty lines at the start of a text.
pub(super) fn after_empty_lines(mut text: &[u8]) -> &[u8] {
    while let Some(rest) = text.strip_prefix(b"\n").or_else(|| text.strip_prefix(b"\r\n")) {
        text = rest;
    }
    text
}

/// The contents of a field with one quote for each two.
fn unescape(raw: &[u8], escaped: bool) -> Cow<'_, [u8]> {
    if !escaped {
        return Cow::Borrowed(raw);
    }
    let mut out = Vec::with_capacity(raw.len());
    let mut copied = 0;
    for at in memmem::find_iter(raw, b"\"\"") {
        out.extend_from_slice(&raw[copied..=at]);
        copied = at + 2;
    }
    out.extend_from_slice(&raw[copied..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests;
