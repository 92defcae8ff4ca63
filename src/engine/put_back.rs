//! Puts new strings in the place of the old ones in rows, and writes what else belongs to a row.

use std::iter::Peekable;
use std::ops::Range;
use std::slice::Iter;

use super::appended::{AppendedColumn, ColumnContent};
use super::outcome::{Outcome, RecordAt, SolvedLine, collects_keys};
use super::solved_strings::SolvedStrings;
use crate::convert::{Bad, Conversion, Converted, Emit, RecordFacts, SolvedCell};
use crate::error::{Code, Refusal, Reject};
use crate::formats::{MOST_DIGITS, put_number};
use crate::framing::{ChosenAs, Framing, NoStrings, Rows, StringPlace, TextRow, Value};

/// Reassembles rows.
pub(super) struct PutBack<'b> {
    framing: &'b dyn Framing,
    plan: &'b Conversion,
    appended: &'b [AppendedColumn],
    results: StringResults<'b>,
    messages: RowMessages<'b>,
    outcome: &'b mut Outcome,
    text: TextAround<'b>,
    header: HeaderSize,
    /// All new strings can be put in the place of old ones unchanged.
    verbatim: bool,
    /// Elements of the row's list that are not strings.
    no_strings: &'b [NoStrings],
}

/// What became of the strings of rows.
#[derive(Clone, Copy)]
pub(super) struct StringResults<'b> {
    pub(super) converted: &'b Converted,
    /// Solutions in appended columns that digits alone would not tell.
    pub(super) solved: &'b SolvedStrings,
}

/// What becomes of the text around strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextAs {
    /// It is copied.
    Copied,
    /// It is not written.
    LeftOut,
    /// It is not written, and each chosen record is, on a line of its own: see [`ChosenAs`].
    Lines,
}

impl TextAs {
    pub(super) fn of(framing: &dyn Framing, plan: &Conversion) -> Self {
        match plan.emit {
            Emit::Nothing | Emit::Digits => Self::LeftOut,
            _ if plan.checks.grades.is_some() && framing.facts().chosen != ChosenAs::Rows => Self::Lines,
            _ => Self::Copied,
        }
    }
}

/// The messages about strings that are still to be reported.
struct RowMessages<'b> {
    refused: Peekable<Iter<'b, Refusal>>,
    notices: Peekable<Iter<'b, Refusal>>,
    solved: Peekable<Iter<'b, SolvedCell>>,
}

/// The text of the rows.
struct TextAround<'b> {
    bytes: &'b [u8],
    /// What is before this position is already in the outcome.
    copied: usize,
    becomes: TextAs,
    /// What is written of each string, if each is written on a line of its own.
    listed: Vec<&'b [u8]>,
}

/// The size of the header before the rows.
#[derive(Default)]
struct HeaderSize {
    bytes: usize,
    lines: u64,
}

impl<'b> PutBack<'b> {
    pub(super) fn new(
        framing: &'b dyn Framing,
        plan: &'b Conversion,
        appended: &'b [AppendedColumn],
        results: StringResults<'b>,
        outcome: &'b mut Outcome,
    ) -> Self {
        let converted = results.converted;
        Self {
            framing,
            plan,
            appended,
            results,
            messages: RowMessages {
                refused: converted.refused.iter().peekable(),
                notices: converted.notices.iter().peekable(),
                solved: converted.solved.iter().peekable(),
            },
            outcome,
            text: TextAround { bytes: b"", copied: 0, becomes: TextAs::of(framing, plan), listed: Vec::new() },
            header: HeaderSize::default(),
            verbatim: framing.is_bare(converted.text.as_slice()),
            no_strings: &[],
        }
    }

    /// Writes the header before the rows, with the names of the appended columns. If several inputs are one table, only
    /// the header of the `first` is written.
    pub(super) fn header(&mut self, header: &[u8], first: bool) {
        let lines = memchr::memchr_iter(b'\n', header).count() as u64;
        self.header = HeaderSize { bytes: header.len(), lines };
        if header.is_empty() || !first || self.text.becomes != TextAs::Copied {
            return;
        }
        let line = header.strip_suffix(b"\n").unwrap_or(header);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        self.outcome.text.push(line);
        for column in self.appended {
            self.framing.append_name(&column.name, &mut self.outcome.text);
        }
        self.outcome.text.push(&header[line.len()..]);
    }

    /// Writes all rows of a text, and reports the messages about their strings.
    pub(super) fn rows(&mut self, text: &'b [u8], rows: &'b Rows) {
        self.text.bytes = text;
        self.text.listed = match (self.text.becomes, self.framing.facts().chosen) {
            (TextAs::Lines, ChosenAs::Places) => {
                rows.fields.iter().map(|field| &text[field.start as usize..field.end as usize]).collect()
            }
            (TextAs::Lines, _) => rows.strings(text).collect(),
            _ => Vec::new(),
        };
        let collects = collects_keys(self.plan);
        let passed_over = !self.results.converted.passed_over.is_empty();
        let messages = !rows.refused.is_empty() || passed_over || self.messages.are_some();
        if !messages && self.verbatim && !collects && self.write_all_good(rows) {
            let (strings, good) = (rows.fields.len(), rows.rows.iter().filter(|row| row.fields > 0).count());
            self.outcome.cross_check.good = good as u64;
            self.uncount(strings - good);
            return;
        }
        let mut refused = rows.refused.iter().peekable();
        let (mut first, mut no_strings) = (0, &rows.no_strings[..]);
        for (index, row) in rows.rows.iter().enumerate() {
            let strings = first..first + row.fields as usize;
            first = strings.end;
            let of_list = no_strings.iter().take_while(|none| none.row == index).count();
            (self.no_strings, no_strings) = no_strings.split_at(of_list);
            let mut of_row = None;
            if let Some((_, reject)) = refused.next_if(|(of, _)| *of == index) {
                self.outcome.counts.records += 1;
                self.outcome.counts.reject(reject.code);
                self.report(row, reject.clone(), false);
                of_row = Some(reject.code);
            }
            let mut good = of_row.is_none();
            good &= self.report_strings(row, &strings);
            if good {
                // In a row with bad strings, the other strings are already uncounted.
                self.uncount(strings.len().saturating_sub(1));
            }
            if good && passed_over && self.passes_over(row, strings.clone()) {
                continue;
            }
            if good && let Err(reject) = self.write_good(row, &rows.fields[strings.clone()], strings.start) {
                self.outcome.counts.reject(reject.code);
                self.report(row, reject, false);
                good = false;
            }
            self.outcome.cross_check.good += u64::from(good && !strings.is_empty());
            if collects && (row.fields > 0 || of_row.is_some()) {
                let line = self.header.lines + u64::from(row.line);
                self.outcome.collect(self.results.converted, strings.clone(), good, line);
            }
            self.list_solved(row, &strings, good);
            if !good && self.handle_bad(row, of_row) {
                return;
            }
        }
        self.copy_to(self.text.bytes.len());
    }

    /// Leaves out a good row if the grade of one of its strings was not asked for. Such a row is one record that was
    /// passed over.
    fn passes_over(&mut self, row: &TextRow, strings: Range<usize>) -> bool {
        let left_out = strings.filter(|&string| self.results.converted.is_passed_over(string)).count() as u64;
        if left_out == 0 {
            return false;
        }
        self.outcome.counts.passed_over -= left_out - 1;
        self.copy_to(row.start as usize);
        self.text.copied = row.next as usize;
        true
    }

    /// Subtracts strings that were counted as records but are further strings of a record.
    fn uncount(&mut self, strings: usize) {
        self.outcome.counts.records -= strings as u64;
        self.outcome.cross_check.found -= strings as u64;
    }

    /// Writes rows that are all good and have no messages, as in most chunks. Returns false and does nothing if the
    /// rows must be written one by one.
    fn write_all_good(&mut self, rows: &Rows) -> bool {
        match self.plan.emit {
            Emit::Nothing => {}
            _ if self.text.becomes != TextAs::Copied => return false,
            _ if !self.appended.is_empty() => match self.appends_bare() && self.has_one_string_per_row(rows) {
                true => self.append_all(rows),
                false => return false,
            },
            Emit::AsTheyAre => self.outcome.text.push(self.text.bytes),
            _ => self.replace_all(&rows.fields),
        }
        true
    }

    /// Whether all values are appended as they are.
    fn appends_bare(&self) -> bool {
        self.framing.facts().appends_bare && !self.appended.iter().any(|column| column.content.has_words())
    }

    /// Whether each row has exactly one string, all strings are in the first column, and the old strings stay.
    fn has_one_string_per_row(&self, rows: &Rows) -> bool {
        let keeps =
            !self.plan.emit.writes() || self.appended.iter().any(|column| column.content == ColumnContent::String);
        let is_one = |(row, field): (&TextRow, &StringPlace)| row.fields == 1 && field.column == 0;
        keeps
            && self.appended.iter().all(|column| column.source == 0)
            && rows.rows.len() == rows.fields.len()
            && rows.rows.iter().zip(&rows.fields).all(is_one)
    }

    /// Appends the values of the new columns to all rows.
    fn append_all(&mut self, rows: &Rows) {
        let number = |column: &AppendedColumn| match column.label[..] {
            [delimiter] => Some((delimiter, column.content.number_getter()?)),
            _ => None,
        };
        if let Some(numbers) = self.appended.iter().map(number).collect::<Option<Vec<_>>>() {
            return self.append_numbers(rows, &numbers);
        }
        let out = &mut self.outcome.text;
        let mut copied = 0;
        for (at, row) in rows.rows.iter().enumerate() {
            let end = row.end as usize;
            out.push(&self.text.bytes[copied..end]);
            for column in self.appended {
                match column.label[..] {
                    [delimiter] => out.push_byte(delimiter),
                    ref label => out.push(label),
                }
                column.content.value(self.results.converted, self.results.solved, at).write(out);
            }
            copied = end;
        }
        out.push(&self.text.bytes[copied..]);
    }

    /// Appends numbers to all rows, each after its delimiter.
    fn append_numbers(&mut self, rows: &Rows, numbers: &[(u8, impl Fn(&RecordFacts) -> Option<u32>)]) {
        let most = rows.rows.len() * numbers.len() * (1 + MOST_DIGITS);
        let room = self.outcome.text.room(self.text.bytes.len() + most);
        let (mut length, mut copied) = (0, 0);
        for (at, row) in rows.rows.iter().enumerate() {
            let part = &self.text.bytes[copied..row.end as usize];
            room[length..length + part.len()].copy_from_slice(part);
            length += part.len();
            let facts = self.results.converted.facts(at);
            for (delimiter, number) in numbers {
                room[length] = *delimiter;
                length += 1;
                if let Some(number) = number(&facts) {
                    length += put_number(&mut room[length..], number);
                }
            }
            copied = row.end as usize;
        }
        let part = &self.text.bytes[copied..];
        room[length..length + part.len()].copy_from_slice(part);
        self.outcome.text.advance(length + part.len());
    }

    /// Replaces all old strings by new ones.
    fn replace_all(&mut self, fields: &[StringPlace]) {
        let room = self.outcome.text.room(self.text.bytes.len() + self.results.converted.text.len());
        let (mut length, mut copied, mut from) = (0, 0, 0);
        let mut put = |part: &[u8]| {
            room[length..length + part.len()].copy_from_slice(part);
            length += part.len();
        };
        let strings = self.results.converted.text.as_slice();
        for (field, &end) in fields.iter().zip(&self.results.converted.ends) {
            put(&self.text.bytes[copied..field.start as usize]);
            put(&strings[from..end]);
            (copied, from) = (field.end as usize, end);
        }
        put(&self.text.bytes[copied..]);
        self.outcome.text.advance(length);
    }

    /// Reports the messages about the strings of a row. If there are bad strings, reports only the messages about the
    /// first of them. Returns whether all strings are good.
    fn report_strings(&mut self, row: &TextRow, strings: &Range<usize>) -> bool {
        let bad = self.messages.refused.next_if(|refusal| strings.contains(&refusal.record));
        while self.messages.refused.next_if(|refusal| strings.contains(&refusal.record)).is_some() {}
        if let Some(refusal) = bad {
            self.report(row, refusal.reject.clone(), false);
        }
        while let Some(notice) = self.messages.notices.next_if(|notice| strings.contains(&notice.record)) {
            if bad.is_none_or(|refusal| refusal.record == notice.record) {
                self.report(row, notice.reject.clone(), bad.is_none());
            }
        }
        bad.is_none()
    }

    /// Reports a message about a row.
    fn report(&mut self, row: &TextRow, reject: Reject, warning: bool) {
        let bytes = &self.text.bytes[row.start as usize..row.end as usize];
        let (line, at) = (self.header.lines + u64::from(row.line), self.header.bytes + row.start as usize);
        // A row may be kept although one of its strings is too long.
        let is_cut = reject.code == Code::TooLong && bytes.len() > self.framing.facts().longest;
        self.outcome.add_row_cut(RecordAt { line, at, bytes }, reject, warning, is_cut);
    }

    /// Lists the solved cells in the strings of a good row, under the line of the row.
    fn list_solved(&mut self, row: &TextRow, strings: &Range<usize>, good: bool) {
        let line = self.header.lines + u64::from(row.line);
        while let Some(&SolvedCell { cell, side, .. }) = self.messages.solved.next_if(|of| strings.contains(&of.record))
        {
            if good {
                self.outcome.solved.push(SolvedLine { line, cell, side });
            }
        }
    }

    /// Removes a bad row, keeps it, or stops at it. `of_row` is the reason if the row itself is bad and not one of its
    /// strings. Returns true to stop.
    fn handle_bad(&mut self, row: &TextRow, of_row: Option<Code>) -> bool {
        match self.plan.bad {
            Bad::Keep if self.framing.appends_to_refused(of_row) => self.append(row, &[], 0..0),
            Bad::Keep => {}
            // Text has no nulls: `Convert::run` reports that as an error.
            Bad::Reject | Bad::Null => {
                self.copy_to(row.start as usize);
                self.text.copied = row.next as usize;
            }
            Bad::Stop => {
                self.copy_to(row.start as usize);
                self.outcome.stopped = true;
            }
        }
        self.outcome.stopped
    }

    /// Copies the text before `to` that was not copied yet.
    fn copy_to(&mut self, to: usize) {
        if self.text.becomes == TextAs::Copied {
            self.outcome.text.push(&self.text.bytes[self.text.copied..to]);
        }
        self.text.copied = to;
    }

    /// Writes a good row with its new strings. If it returns an error, nothing was written.
    fn write_good(&mut self, row: &TextRow, fields: &[StringPlace], first: usize) -> Result<(), Reject> {
        let strings = first..first + fields.len();
        if self.plan.emit == Emit::Digits {
            return self.write_digits(fields, strings);
        }
        if self.text.becomes == TextAs::Lines {
            for string in &self.text.listed[strings] {
                self.outcome.text.push(string);
                self.outcome.text.push_byte(b'\n');
            }
            return Ok(());
        }
        if !self.verbatim {
            strings.clone().try_for_each(|at| self.framing.fits(self.results.converted.string(at)))?;
        }
        if self.plan.emit.writes() && !self.appended.iter().any(|column| column.content == ColumnContent::String) {
            fields
                .iter()
                .zip(strings.clone())
                .for_each(|(field, at)| self.replace(field, self.results.converted.string(at)));
        }
        self.append(row, fields, strings);
        Ok(())
    }

    /// Writes the digits of a row, one line for each of its strings. If strings are in several columns, the row must
    /// have one in each, and they are written in the order in which the columns were named.
    fn write_digits(&mut self, fields: &[StringPlace], strings: Range<usize>) -> Result<(), Reject> {
        let columns = self.framing.columns().len();
        if columns == 1 || fields.is_empty() {
            strings.for_each(|string| self.push_digits(string));
            return Ok(());
        }
        let of_column = |column| fields.iter().position(|field| usize::from(field.column) == column);
        if fields.len() != columns || !(0..columns).all(|column| of_column(column).is_some()) {
            let words = format!("the row does not have a string in each of the {columns} columns");
            return Err(Reject::whole(Code::Column, words));
        }
        (0..columns).filter_map(of_column).for_each(|at| self.push_digits(strings.start + at));
        Ok(())
    }

    fn push_digits(&mut self, string: usize) {
        self.outcome.text.push(self.results.converted.string(string));
        self.outcome.text.push_byte(b'\n');
    }

    /// Replaces a string by a new one.
    fn replace(&mut self, field: &StringPlace, string: &[u8]) {
        self.copy_to(field.start as usize);
        match self.verbatim {
            true => self.outcome.text.push(string),
            false => self.framing.put(string, field.quoted, &mut self.outcome.text),
        }
        self.text.copied = field.end as usize;
    }

    /// Appends to a row the values of the new columns, or empty values if it has no strings.
    fn append(&mut self, row: &TextRow, fields: &[StringPlace], strings: Range<usize>) {
        if self.appended.is_empty() || self.plan.emit == Emit::Nothing {
            return;
        }
        let (start, end) = (row.start as usize, row.end as usize);
        self.copy_to(start + self.framing.end_of_fields(&self.text.bytes[start..end]));
        let (framing, results, no_strings) = (self.framing, self.results, self.no_strings);
        let out = &mut self.outcome.text;
        for AppendedColumn { content, label, source, .. } in self.appended {
            let value = |at| content.value(results.converted, results.solved, at);
            match fields {
                [one] if one.column == *source && no_strings.is_empty() => {
                    framing.append(label, &[value(strings.start)], row.list, out);
                }
                _ => {
                    let of_column = fields.iter().zip(strings.clone()).filter(|(field, _)| field.column == *source);
                    let values = Value::of_list(no_strings, of_column.map(|(_, at)| (at, value(at))));
                    framing.append(label, &values, row.list, out);
                }
            }
        }
    }
}

impl RowMessages<'_> {
    fn are_some(&mut self) -> bool {
        self.refused.peek().is_some() || self.notices.peek().is_some() || self.solved.peek().is_some()
    }
}
