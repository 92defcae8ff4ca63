//! New strings put back where the old ones stood in rows, with what else is to be written of a row.

use std::iter::Peekable;
use std::ops::Range;
use std::slice::Iter;

use super::framing::{Settled, What};
use super::outcome::{Outcome, RejectRow, SHOWN, SolvedLine};
use crate::convert::{Bad, Conversion, Converted, Emit, Refusal, SolvedCell};
use crate::error::{Code, Reject};
use crate::framing::{Field, Row as Place, Rows};

/// Rows being put back together.
pub(super) struct PutBack<'b> {
    framing: &'b Settled,
    plan: &'b Conversion,
    appended: &'b [(What, String)],
    converted: &'b Converted,
    outcome: &'b mut Outcome,
    /// The rows.
    text: &'b [u8],
    /// Where they begin after the header, and on which line.
    body: usize,
    lines: u64,
    /// Up to here they are in the outcome.
    copied: usize,
    /// None of the new strings has a byte that is to be quoted or escaped.
    bare: bool,
    refused: Peekable<Iter<'b, Refusal>>,
    notices: Peekable<Iter<'b, Refusal>>,
    solved: Peekable<Iter<'b, SolvedCell>>,
}

impl<'b> PutBack<'b> {
    pub(super) fn new(
        framing: &'b Settled,
        plan: &'b Conversion,
        appended: &'b [(What, String)],
        converted: &'b Converted,
        outcome: &'b mut Outcome,
    ) -> Self {
        let special = match framing {
            Settled::Table { table, .. } => table.delimiter,
            _ => b'\\',
        };
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
            bare: memchr::memchr2(special, b'"', converted.text.as_slice()).is_none(),
            refused: converted.refused.iter().peekable(),
            notices: converted.notices.iter().peekable(),
            solved: converted.solved.iter().peekable(),
        }
    }

    /// The header that stands before the rows, with the names of what is appended; where several inputs are one table, only
    /// that of the `first` is written.
    pub(super) fn header(&mut self, header: &[u8], first: bool) {
        self.body = header.len();
        self.lines = memchr::memchr_iter(b'\n', header).count() as u64;
        if header.is_empty() || !first || self.plan.emit == Emit::Nothing {
            return;
        }
        let line = header.strip_suffix(b"\n").unwrap_or(header);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        self.outcome.text.push(line);
        if let Settled::Table { table, .. } = self.framing {
            for (_, name) in self.appended {
                self.outcome.text.push(&[table.delimiter]);
                self.write(name.as_bytes(), false);
            }
        }
        self.outcome.text.push(&header[line.len()..]);
    }

    /// All rows of a text, with what was said of their strings.
    pub(super) fn rows(&mut self, text: &'b [u8], rows: &Rows) {
        self.text = text;
        let said = !rows.refused.is_empty() || self.refused.peek().is_some() || self.notices.peek().is_some();
        let only_replaced = self.plan.emit == Emit::Encoded && self.appended.is_empty() && self.bare;
        if only_replaced && !said && self.solved.peek().is_none() {
            self.outcome.account.good = rows.fields.len() as u64;
            return self.replace_all(&rows.fields);
        }
        let mut refused = rows.refused.iter().peekable();
        let mut first = 0;
        for (index, place) in rows.rows.iter().enumerate() {
            let strings = first..first + place.fields as usize;
            first = strings.end;
            let mut good = true;
            if let Some((_, reject)) = refused.next_if(|(of, _)| *of == index) {
                self.outcome.counts.records += 1;
                self.outcome.counts.reject(reject.code);
                self.report(place, reject.clone(), false);
                good = false;
            }
            good &= self.report_strings(place, &strings);
            if good && let Err(reject) = self.good(place, &rows.fields[strings.clone()], strings.start) {
                self.outcome.counts.reject(reject.code);
                self.report(place, reject, false);
                good = false;
            }
            self.outcome.account.good += if good { strings.len() as u64 } else { 0 };
            self.list_solved(place, &strings, good);
            if !good && self.bad(place) {
                return;
            }
        }
        self.copy_to(self.text.len());
    }

    /// Puts new strings in the place of all old ones: as most chunks are.
    fn replace_all(&mut self, fields: &[Field]) {
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
    fn report_strings(&mut self, place: &Place, strings: &Range<usize>) -> bool {
        let bad = self.refused.next_if(|refusal| strings.contains(&refusal.record));
        while self.refused.next_if(|refusal| strings.contains(&refusal.record)).is_some() {}
        if let Some(refusal) = bad {
            self.report(place, refusal.reject.clone(), false);
        }
        while let Some(notice) = self.notices.next_if(|notice| strings.contains(&notice.record)) {
            if bad.is_none_or(|refusal| refusal.record == notice.record) {
                self.report(place, notice.reject.clone(), bad.is_none());
            }
        }
        bad.is_none()
    }

    /// Reports something of a row.
    fn report(&mut self, place: &Place, reject: Reject, warning: bool) {
        let row = &self.text[place.start as usize..place.end as usize];
        let too_long = (reject.code == Code::TooLong).then_some(row.len() as u64);
        let shown = if too_long.is_some() { row.len().min(SHOWN) } else { row.len() };
        let (line, at) = (self.lines + u64::from(place.line), self.body + place.start as usize);
        self.outcome.rows.push(RejectRow { line, at, reject, record: row[..shown].to_vec(), too_long, warning });
    }

    /// Lists the solved cells of a good row's strings under the row's line.
    fn list_solved(&mut self, place: &Place, strings: &Range<usize>, good: bool) {
        let line = self.lines + u64::from(place.line);
        while let Some(&SolvedCell { cell, side, .. }) = self.solved.next_if(|of| strings.contains(&of.record)) {
            if good {
                self.outcome.solved.push(SolvedLine { line, cell, side });
            }
        }
    }

    /// Leaves out, keeps, or ends with a bad row. True if that is the end.
    fn bad(&mut self, place: &Place) -> bool {
        match self.plan.bad {
            // A row of a table still needs all columns; a line that may be no JSON stays as it is.
            Bad::Keep if matches!(self.framing, Settled::Table { .. }) => self.append(place, 0..0),
            Bad::Keep => {}
            Bad::Reject => {
                self.copy_to(place.start as usize);
                self.copied = place.next as usize;
            }
            Bad::Stop => {
                self.copy_to(place.start as usize);
                self.outcome.stopped = true;
            }
        }
        self.outcome.stopped
    }

    /// Copies what stands before `to` and was not copied yet.
    fn copy_to(&mut self, to: usize) {
        if self.plan.emit != Emit::Nothing {
            self.outcome.text.push(&self.text[self.copied..to]);
        }
        self.copied = to;
    }

    /// Puts the strings of a good row back. On an error nothing of it was.
    fn good(&mut self, place: &Place, fields: &[Field], first: usize) -> Result<(), Reject> {
        if self.plan.emit == Emit::Nothing || self.plan.emit == Emit::AsTheyAre {
            return Ok(());
        }
        let strings = first..first + fields.len();
        strings.clone().try_for_each(|at| self.fits(self.converted.string(at)))?;
        if self.plan.emit == Emit::Encoded && !self.appended.iter().any(|(what, _)| *what == What::String) {
            fields.iter().zip(strings.clone()).for_each(|(field, at)| self.replace(field, self.converted.string(at)));
        }
        self.append(place, strings);
        Ok(())
    }

    /// Whether a string can stand in a field.
    fn fits(&self, string: &[u8]) -> Result<(), Reject> {
        match self.framing {
            Settled::Table { table, .. } if !self.bare && !table.quotes && string.contains(&table.delimiter) => {
                let message = "the new string holds the delimiter, and a field of TSV cannot be quoted; use csv";
                Err(Reject::whole(Code::Column, message))
            }
            _ => Ok(()),
        }
    }

    /// Puts a string in a field's place.
    fn replace(&mut self, field: &Field, string: &[u8]) {
        self.copy_to(field.start as usize);
        match self.bare {
            true => self.outcome.text.push(string),
            false => self.write(string, field.quoted),
        }
        self.copied = field.end as usize;
    }

    /// Writes a string as what stands in a field; `quoted` is whether there are quotes around it already.
    fn write(&mut self, string: &[u8], quoted: bool) {
        let out = &mut self.outcome.text;
        let Settled::Table { table, .. } = self.framing else {
            // Strings are ASCII; what JSON escapes of that are quotes and backslashes.
            let escaped = serde_json::to_string(&String::from_utf8_lossy(string)).unwrap_or_default();
            let inner = escaped.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default();
            return out.push(inner.as_bytes());
        };
        let special = |byte: &u8| [table.delimiter, b'"', b'\r', b'\n'].contains(byte);
        if !table.quotes || !string.iter().any(special) {
            return out.push(string);
        }
        let around: &[u8] = if quoted { b"" } else { b"\"" };
        out.push(around);
        for part in string.split_inclusive(|&byte| byte == b'"') {
            out.push(part);
            out.push(if part.ends_with(b"\"") { b"\"" } else { b"" });
        }
        out.push(around);
    }

    /// Appends to a row what is to be said of its strings; of no strings, that there are none.
    fn append(&mut self, place: &Place, strings: Range<usize>) {
        if self.appended.is_empty() {
            return;
        }
        let end = self.end_of_fields(place);
        self.copy_to(end);
        for (what, name) in self.appended {
            let cells: Vec<_> = strings.clone().map(|at| self.cell(*what, at)).collect();
            match self.framing {
                Settled::Table { table, .. } => {
                    self.outcome.text.push(&[table.delimiter]);
                    cells.iter().for_each(|cell| self.write(cell, false));
                }
                _ => self.append_json(name, &cells, place.list),
            }
        }
    }

    fn append_json(&mut self, name: &str, cells: &[&[u8]], list: bool) {
        self.outcome.text.push(b",\"");
        self.write(name.as_bytes(), true);
        self.outcome.text.push(b"\":");
        if cells.is_empty() {
            return self.outcome.text.push(b"null");
        }
        self.outcome.text.push(if list { b"[" } else { b"" });
        for (at, cell) in cells.iter().enumerate() {
            self.outcome.text.push(if at > 0 { b",\"" } else { b"\"" });
            self.write(cell, true);
            self.outcome.text.push(b"\"");
        }
        self.outcome.text.push(if list { b"]" } else { b"" });
    }

    /// Where something can be appended to a row: at its end, or before the bracket that closes it.
    fn end_of_fields(&self, place: &Place) -> usize {
        let (start, end) = (place.start as usize, place.end as usize);
        match self.framing {
            Settled::Json(_) => memchr::memrchr(b'}', &self.text[start..end]).map_or(end, |bracket| start + bracket),
            _ => end,
        }
    }

    /// What is said of string `at` of the chunk.
    fn cell(&self, what: What, at: usize) -> &'b [u8] {
        let form = || self.converted.form(at);
        match what {
            What::String | What::Solution => self.converted.string(at),
            What::Format => form().map_or(b"", |form| form.id.name().as_bytes()),
            What::Kind => form().map_or(b"", |form| form.shape.kind.name().as_bytes()),
        }
    }
}
