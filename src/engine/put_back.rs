//! New strings put back where the old ones stood in rows, with what else is to be written of a row.

use std::iter::{self, Peekable};
use std::ops::Range;
use std::slice::Iter;

use super::appended::{AppendedColumn, What};
use super::outcome::{Outcome, SolvedLine, collects_keys};
use crate::convert::{Bad, Conversion, Converted, Emit, RecordFacts, Refusal, SolvedCell};
use crate::error::{Code, Reject};
use crate::formats::{MOST_DIGITS, put_number};
use crate::framing::{Framing, NoStrings, Rows, StringPlace, TextRow, Value};

/// Rows being put back together.
pub(super) struct PutBack<'b> {
    framing: &'b dyn Framing,
    plan: &'b Conversion,
    appended: &'b [AppendedColumn],
    converted: &'b Converted,
    outcome: &'b mut Outcome,
    /// The rows.
    text: &'b [u8],
    /// Where they begin after the header, and on which line.
    body: usize,
    lines: u64,
    /// Up to here they are in the outcome.
    copied: usize,
    /// All of the new strings can stand where the old ones do as they are.
    bare: bool,
    refused: Peekable<Iter<'b, Refusal>>,
    notices: Peekable<Iter<'b, Refusal>>,
    solved: Peekable<Iter<'b, SolvedCell>>,
    /// Columns with strings.
    columns: usize,
    /// Keys are collected.
    collects: bool,
    /// Elements of the row's list that are no strings.
    no_strings: &'b [NoStrings],
}

impl<'b> PutBack<'b> {
    pub(super) fn new(
        framing: &'b dyn Framing,
        plan: &'b Conversion,
        appended: &'b [AppendedColumn],
        converted: &'b Converted,
        outcome: &'b mut Outcome,
    ) -> Self {
        Self {
            framing,
            plan,
            appended,
            converted,
            outcome,
            text: b"",
            body: 0,
            lines: 0,
            copied: 0,
            bare: framing.is_bare(converted.text.as_slice()),
            refused: converted.refused.iter().peekable(),
            notices: converted.notices.iter().peekable(),
            solved: converted.solved.iter().peekable(),
            columns: framing.columns().len(),
            collects: collects_keys(plan),
            no_strings: &[],
        }
    }

    /// The header that stands before the rows, with the names of what is appended; where several inputs are one table, only
    /// that of the `first` is written.
    pub(super) fn header(&mut self, header: &[u8], first: bool) {
        self.body = header.len();
        self.lines = memchr::memchr_iter(b'\n', header).count() as u64;
        if header.is_empty() || !first || !self.copies() {
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

    /// All rows of a text, with what was said of their strings.
    pub(super) fn rows(&mut self, text: &'b [u8], rows: &'b Rows) {
        self.text = text;
        let said = !rows.refused.is_empty() || self.refused.peek().is_some() || self.notices.peek().is_some();
        if !said && self.bare && !self.collects && self.solved.peek().is_none() && self.all_good(rows) {
            let (strings, good) = (rows.fields.len(), rows.rows.iter().filter(|row| row.fields > 0).count());
            self.outcome.account.good = good as u64;
            self.count_no_more(strings - good);
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
                // Of a row with bad strings the others were never counted.
                self.count_no_more(strings.len().saturating_sub(1));
            }
            if good && let Err(reject) = self.good(row, &rows.fields[strings.clone()], strings.start) {
                self.outcome.counts.reject(reject.code);
                self.report(row, reject, false);
                good = false;
            }
            self.outcome.account.good += u64::from(good && !strings.is_empty());
            if self.collects && (row.fields > 0 || of_row.is_some()) {
                let line = self.lines + u64::from(row.line);
                self.outcome.collect(self.converted, strings.clone(), good, line);
            }
            self.list_solved(row, &strings, good);
            if !good && self.bad(row, of_row) {
                return;
            }
        }
        self.copy_to(self.text.len());
    }

    /// So many strings were counted as records, and are but further ones of records that have others.
    fn count_no_more(&mut self, strings: usize) {
        self.outcome.counts.records -= strings as u64;
        self.outcome.account.found -= strings as u64;
    }

    /// Writes rows that are all good and of which nothing is said: as most chunks are. False, and nothing is done, where that takes
    /// a look at each of them.
    fn all_good(&mut self, rows: &Rows) -> bool {
        match self.plan.emit {
            Emit::Nothing => {}
            Emit::Digits => return false,
            _ if !self.appended.is_empty() => match self.framing.appends_bare() && self.is_one_a_row(rows) {
                true => self.append_all(rows),
                false => return false,
            },
            Emit::AsTheyAre => self.outcome.text.push(self.text),
            _ => self.replace_all(&rows.fields),
        }
        true
    }

    /// Whether each row has one string, all in one column, and keeps it.
    fn is_one_a_row(&self, rows: &Rows) -> bool {
        let keeps = !self.plan.emit.writes() || self.appended.iter().any(|column| column.what == What::String);
        let is_one = |(row, field): (&TextRow, &StringPlace)| row.fields == 1 && field.column == 0;
        keeps
            && self.appended.iter().all(|column| column.of == 0)
            && rows.rows.len() == rows.fields.len()
            && rows.rows.iter().zip(&rows.fields).all(is_one)
    }

    /// Appends what is to be said of their strings to all rows.
    fn append_all(&mut self, rows: &Rows) {
        let number = |column: &AppendedColumn| match column.label[..] {
            [delimiter] => Some((delimiter, column.what.number()?)),
            _ => None,
        };
        if let Some(numbers) = self.appended.iter().map(number).collect::<Option<Vec<_>>>() {
            return self.append_numbers(rows, &numbers);
        }
        let out = &mut self.outcome.text;
        let mut copied = 0;
        for (at, row) in rows.rows.iter().enumerate() {
            let end = row.end as usize;
            out.push(&self.text[copied..end]);
            for column in self.appended {
                match column.label[..] {
                    [delimiter] => out.push_byte(delimiter),
                    ref label => out.push(label),
                }
                column.what.of(self.converted, at).write(out);
            }
            copied = end;
        }
        out.push(&self.text[copied..]);
    }

    /// Appends numbers to all rows, each after its delimiter.
    fn append_numbers(&mut self, rows: &Rows, numbers: &[(u8, impl Fn(&RecordFacts) -> Option<u32>)]) {
        let most = rows.rows.len() * numbers.len() * (1 + MOST_DIGITS);
        let room = self.outcome.text.room(self.text.len() + most);
        let (mut length, mut copied) = (0, 0);
        for (at, row) in rows.rows.iter().enumerate() {
            let part = &self.text[copied..row.end as usize];
            room[length..length + part.len()].copy_from_slice(part);
            length += part.len();
            let facts = self.converted.facts(at);
            for (delimiter, number) in numbers {
                room[length] = *delimiter;
                length += 1;
                if let Some(number) = number(&facts) {
                    length += put_number(&mut room[length..], number);
                }
            }
            copied = row.end as usize;
        }
        let part = &self.text[copied..];
        room[length..length + part.len()].copy_from_slice(part);
        self.outcome.text.advance(length + part.len());
    }

    /// Puts new strings in the place of all old ones.
    fn replace_all(&mut self, fields: &[StringPlace]) {
        let room = self.outcome.text.room(self.text.len() + self.converted.text.len());
        let (mut length, mut copied, mut from) = (0, 0, 0);
        let mut put = |part: &[u8]| {
            room[length..length + part.len()].copy_from_slice(part);
            length += part.len();
        };
        let strings = self.converted.text.as_slice();
        for (field, &end) in fields.iter().zip(&self.converted.ends) {
            put(&self.text[copied..field.start as usize]);
            put(&strings[from..end]);
            (copied, from) = (field.end as usize, end);
        }
        put(&self.text[copied..]);
        self.outcome.text.advance(length);
    }

    /// Reports what was said of the strings of a row: of a row with bad strings only what concerns the first of them. Whether
    /// all are good.
    fn report_strings(&mut self, row: &TextRow, strings: &Range<usize>) -> bool {
        let bad = self.refused.next_if(|refusal| strings.contains(&refusal.record));
        while self.refused.next_if(|refusal| strings.contains(&refusal.record)).is_some() {}
        if let Some(refusal) = bad {
            self.report(row, refusal.reject.clone(), false);
        }
        while let Some(notice) = self.notices.next_if(|notice| strings.contains(&notice.record)) {
            if bad.is_none_or(|refusal| refusal.record == notice.record) {
                self.report(row, notice.reject.clone(), bad.is_none());
            }
        }
        bad.is_none()
    }

    /// Reports something of a row.
    fn report(&mut self, row: &TextRow, reject: Reject, warning: bool) {
        let text = &self.text[row.start as usize..row.end as usize];
        let (line, at) = (self.lines + u64::from(row.line), self.body + row.start as usize);
        // A row may be kept although one of its strings is too long.
        let is_cut = reject.code == Code::TooLong && text.len() > self.framing.longest();
        self.outcome.tell_cut(line, at, text, reject, warning, is_cut);
    }

    /// Lists the solved cells of a good row's strings under the row's line.
    fn list_solved(&mut self, row: &TextRow, strings: &Range<usize>, good: bool) {
        let line = self.lines + u64::from(row.line);
        while let Some(&SolvedCell { cell, side, .. }) = self.solved.next_if(|of| strings.contains(&of.record)) {
            if good {
                self.outcome.solved.push(SolvedLine { line, cell, side });
            }
        }
    }

    /// Leaves out, keeps, or ends with a bad row; `of_row` is why, if it is not for its strings. True if that is the end.
    fn bad(&mut self, row: &TextRow, of_row: Option<Code>) -> bool {
        match self.plan.bad {
            Bad::Keep if self.framing.appends_to_refused(of_row) => self.append(row, &[], 0..0),
            Bad::Keep => {}
            // There are no nulls in text: `Convert::run` says so.
            Bad::Reject | Bad::Null => {
                self.copy_to(row.start as usize);
                self.copied = row.next as usize;
            }
            Bad::Stop => {
                self.copy_to(row.start as usize);
                self.outcome.stopped = true;
            }
        }
        self.outcome.stopped
    }

    /// Whether what stands around strings is written.
    fn copies(&self) -> bool {
        !matches!(self.plan.emit, Emit::Nothing | Emit::Digits)
    }

    /// Copies what stands before `to` and was not copied yet.
    fn copy_to(&mut self, to: usize) {
        if self.copies() {
            self.outcome.text.push(&self.text[self.copied..to]);
        }
        self.copied = to;
    }

    /// Puts the strings of a good row back. On an error nothing of it was.
    fn good(&mut self, row: &TextRow, fields: &[StringPlace], first: usize) -> Result<(), Reject> {
        let strings = first..first + fields.len();
        if self.plan.emit == Emit::Digits {
            return self.digits(fields, strings);
        }
        if !self.bare {
            strings.clone().try_for_each(|at| self.framing.fits(self.converted.string(at)))?;
        }
        if self.plan.emit.writes() && !self.appended.iter().any(|column| column.what == What::String) {
            fields.iter().zip(strings.clone()).for_each(|(field, at)| self.replace(field, self.converted.string(at)));
        }
        self.append(row, fields, strings);
        Ok(())
    }

    /// Writes the digits of a row, a line for each of its strings: where these stand in several columns, one of each, in the order
    /// in which the columns were named.
    fn digits(&mut self, fields: &[StringPlace], strings: Range<usize>) -> Result<(), Reject> {
        if self.columns == 1 || fields.is_empty() {
            strings.for_each(|string| self.push_digits(string));
            return Ok(());
        }
        let of_column = |column| fields.iter().position(|field| usize::from(field.column) == column);
        if fields.len() != self.columns || !(0..self.columns).all(|column| of_column(column).is_some()) {
            let words = format!("the row does not have a string in each of the {} columns", self.columns);
            return Err(Reject::whole(Code::Column, words));
        }
        (0..self.columns).filter_map(of_column).for_each(|at| self.push_digits(strings.start + at));
        Ok(())
    }

    fn push_digits(&mut self, string: usize) {
        self.outcome.text.push(self.converted.string(string));
        self.outcome.text.push_byte(b'\n');
    }

    /// Puts a string in the place of another.
    fn replace(&mut self, field: &StringPlace, string: &[u8]) {
        self.copy_to(field.start as usize);
        match self.bare {
            true => self.outcome.text.push(string),
            false => self.framing.put(string, field.quoted, &mut self.outcome.text),
        }
        self.copied = field.end as usize;
    }

    /// Appends to a row what is to be said of its strings; of no strings, that there are none.
    fn append(&mut self, row: &TextRow, fields: &[StringPlace], strings: Range<usize>) {
        if self.appended.is_empty() || self.plan.emit == Emit::Nothing {
            return;
        }
        let (start, end) = (row.start as usize, row.end as usize);
        self.copy_to(start + self.framing.end_of_fields(&self.text[start..end]));
        let (framing, converted, no_strings) = (self.framing, self.converted, self.no_strings);
        let out = &mut self.outcome.text;
        for AppendedColumn { what, label, of, .. } in self.appended {
            let said = |at| what.of(converted, at);
            match fields {
                [one] if one.column == *of && no_strings.is_empty() => {
                    framing.append(label, &[said(strings.start)], row.list, out);
                }
                _ => {
                    let of_column = fields.iter().zip(strings.clone()).filter(|(field, _)| field.column == *of);
                    let values = with_nothing(of_column.map(|(_, at)| (at, said(at))), no_strings);
                    framing.append(label, &values, row.list, out);
                }
            }
        }
    }
}

/// What is said of strings, by their numbers, with nothing where others stand in their list.
fn with_nothing<'v>(said: impl Iterator<Item = (usize, Value<'v>)>, no_strings: &[NoStrings]) -> Vec<Value<'v>> {
    let nothing = |none: &NoStrings| iter::repeat_n(Value::Nothing, none.count as usize);
    let (mut values, mut none) = (Vec::new(), no_strings.iter().peekable());
    for (at, value) in said {
        while let Some(none) = none.next_if(|none| none.before <= at) {
            values.extend(nothing(none));
        }
        values.push(value);
    }
    values.extend(none.flat_map(nothing));
    values
}
