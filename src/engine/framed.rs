//! A worker for any framing. Strings in rows are taken out, converted as lines, and put back where they stood; everything else
//! of the rows is copied.

use std::iter::Peekable;
use std::ops::Range;

use super::framing::{Appended, Settled, What, lines};
use super::worker::{Outcome, Row, SHOWN, Solved, Stretch, Worker};
use crate::convert::{Bad, Conversion, Written};
use crate::error::{Code, Reject};
use crate::formats::{Evidence, Id, Text};
use crate::kernels::Kernel;
use crate::records::{Field, Row as Place, Rows};
use crate::relink::{Left, Relink};
use crate::source::Chunk;

/// Converts one chunk after the other, whatever its framing.
pub(super) struct Framed<'f> {
    framing: &'f Settled,
    appended: Vec<(What, String)>,
    worker: Worker,
    /// What the run does; the worker keeps bad strings, since it is for their rows to go or stay.
    plan: Conversion,
    rows: Rows,
    /// The strings as they were converted, one a line.
    converted: Text,
}

impl<'f> Framed<'f> {
    /// A worker for a conversion.
    pub(super) fn new(framing: &'f Settled, appended: &Appended, plan: Conversion, kernel: &'static Kernel) -> Self {
        let worker = match framing {
            Settled::Lines => Worker::new(plan, kernel),
            _ => {
                let written = if plan.written == Written::AsTheyAre { Written::Nothing } else { plan.written };
                // The boards of links are looked at as version 2, whatever the links have; grids are in no format.
                let from = match framing {
                    Settled::Links(_) => Some(Id::V2),
                    Settled::Grid(_) => None,
                    _ => plan.from,
                };
                let inner = Conversion { bad: Bad::Keep, written, from, ..plan };
                Worker::new(inner, kernel).with_every_line()
            }
        };
        let appended = appended.columns(plan.written);
        // A link that is refused is still part of its text.
        let bad = if matches!(framing, Settled::Links(_)) { Bad::Keep } else { plan.bad };
        let plan = Conversion { bad, ..plan };
        Self { framing, appended, worker, plan, rows: Rows::default(), converted: Text::new() }
    }

    /// How records stand in the text.
    pub(super) fn framing(&self) -> &'f Settled {
        self.framing
    }

    /// Begins a chunk.
    pub(super) fn begin(&mut self) {
        self.worker.begin();
    }

    /// Copies bytes through.
    pub(super) fn copy(&mut self, bytes: &[u8]) {
        if self.plan.written != Written::Nothing {
            self.worker.outcome.text.push(bytes);
        }
    }

    /// What became of the chunk.
    pub(super) fn outcome(&self) -> &Outcome {
        &self.worker.outcome
    }

    /// See [`Worker::is_tied`].
    pub(super) fn is_tied(&self) -> bool {
        self.worker.is_tied()
    }

    /// See [`Worker::has_weighed`].
    pub(super) fn has_weighed(&self) -> bool {
        self.worker.has_weighed()
    }

    /// See [`Worker::know`].
    pub(super) fn know(&mut self, evidence: Evidence) {
        self.worker.know(evidence);
    }

    /// What the records that begin in the first `window` bytes of whole rows say of Str8ts layouts.
    pub(super) fn weigh(&self, chunk: &Chunk, text: &[u8], window: usize) -> Evidence {
        if *self.framing == Settled::Lines {
            return self.worker.weigh(text, window);
        }
        let mut rows = Rows::default();
        let body = self.header(chunk, text).min(text.len());
        self.framing.rows(&text[body..], chunk.quotes, false, &mut rows);
        let within = rows.rows.iter().take_while(|row| body + (row.start as usize) < window);
        let fields: usize = within.map(|row| row.fields as usize).sum();
        let ends = memchr::memchr_iter(b'\n', &rows.values);
        let end = fields.checked_sub(1).and_then(|last| ends.take(fields).nth(last)).map_or(0, |end| end + 1);
        self.worker.weigh(&rows.values[..end], end)
    }

    /// Converts whole records: `text` begins at the start of one and ends at the end of one or of its input.
    pub(super) fn convert(&mut self, chunk: &Chunk, text: &[u8]) {
        if *self.framing == Settled::Lines {
            return self.worker.convert(text);
        }
        if let Settled::Links(links) = self.framing
            && self.plan.written == Written::Encoded
        {
            return rewrite_links(links, text, &mut self.worker.outcome);
        }
        let body = self.header(chunk, text);
        let mut rows = std::mem::take(&mut self.rows);
        rows.clear();
        self.framing.rows(&text[body..], chunk.quotes, !self.appended.is_empty(), &mut rows);
        let before = self.worker.outcome.text.len();
        self.worker.convert(&rows.values);
        if !self.worker.is_tied() && self.one_string_a_bad_row(&mut rows) {
            self.worker.outcome.text.truncate(before);
            let kept = std::mem::take(&mut self.worker.outcome.text);
            self.worker.begin();
            self.worker.outcome.text = kept;
            self.worker.convert(&rows.values);
        }
        if !self.worker.is_tied() {
            self.put_back(chunk, text, body, before, &rows);
        }
        self.rows = rows;
    }

    /// Bytes of the header at the start of a chunk.
    fn header(&self, chunk: &Chunk, text: &[u8]) -> usize {
        match self.framing {
            Settled::Table { table, header: Some(_) } if chunk.first => table.header(text).1,
            _ => 0,
        }
    }

    /// A row with a bad string is one bad record: of its strings only the first bad one is left, so that the others are not
    /// counted as converted. True if that changed anything.
    fn one_string_a_bad_row(&self, rows: &mut Rows) -> bool {
        if rows.rows.iter().all(|row| row.fields < 2) {
            return false;
        }
        let mut bad = self.bad_strings().peekable();
        let (mut first, mut spare) = (0, Vec::new());
        for row in &mut rows.rows {
            let fields = first..first + row.fields as u64;
            first = fields.end;
            let Some(chosen) = bad.next_if(|at| fields.contains(at)) else { continue };
            while bad.next_if(|at| fields.contains(at)).is_some() {}
            spare.extend(fields.filter(|&at| at != chosen));
            row.fields = 1;
        }
        drop(bad);
        if spare.is_empty() {
            return false;
        }
        let mut spare = spare.into_iter().peekable();
        let mut left = Vec::with_capacity(rows.values.len());
        let mut places = Vec::with_capacity(rows.fields.len());
        for (at, (value, &place)) in rows.values.split_inclusive(|&byte| byte == b'\n').zip(&rows.fields).enumerate() {
            if spare.next_if_eq(&(at as u64)).is_none() {
                left.extend_from_slice(value);
                places.push(place);
            }
        }
        (rows.values, rows.fields) = (left, places);
        true
    }

    /// The numbers of the strings that were refused, in order.
    fn bad_strings(&self) -> impl Iterator<Item = u64> + '_ {
        self.worker.outcome.rows.iter().filter(|row| !row.warning).map(|row| row.line)
    }

    /// Puts the converted strings, which are the outcome's text from `before` on, back into their rows.
    fn put_back(&mut self, chunk: &Chunk, text: &[u8], body: usize, before: usize, rows: &Rows) {
        let outcome = &mut self.worker.outcome;
        std::mem::swap(&mut outcome.text, &mut self.converted);
        let (copied, converted) = self.converted.as_slice().split_at(before);
        outcome.text.clear();
        outcome.text.push(copied);
        let reports = std::mem::take(&mut outcome.rows);
        let solved = std::mem::take(&mut outcome.solved);
        let stretches = std::mem::take(&mut outcome.stretches);
        let header_lines = memchr::memchr_iter(b'\n', &text[..body]).count() as u64;
        outcome.counts.without = rows.without;
        outcome.counts.lines = rows.lines + header_lines;
        outcome.header = (body > 0).then(|| text[..body].to_vec());
        let special = match self.framing {
            Settled::Table { table, .. } => table.delimiter,
            _ => b'\\',
        };
        let mut back = Back {
            framing: self.framing,
            plan: &self.plan,
            appended: &self.appended,
            outcome,
            text: &text[body..],
            body,
            lines: header_lines,
            copied: 0,
            converted,
            width: width(converted, rows.fields.len()),
            bare: memchr::memchr2(special, b'"', converted).is_none(),
            stretches: &stretches,
            solved: solved.into_iter().peekable(),
        };
        // Several inputs are one table, with one header.
        if chunk.input == 0 && body > 0 && back.plan.written != Written::Nothing {
            back.header(&text[..body]);
        }
        back.rows(rows, reports);
    }
}

/// Puts new strings into links. Those that cannot be rewritten stay as they are.
fn rewrite_links(links: &Relink, text: &[u8], outcome: &mut Outcome) {
    let done = links.text(text);
    outcome.text.push(done.text.as_deref().unwrap_or(text));
    outcome.counts.lines = lines(text);
    outcome.counts.records = done.rewritten + done.kept + done.left.len() as u64;
    for Left { at, line, link, reject } in done.left {
        outcome.counts.reject(reject.code);
        let line = line - 1;
        outcome.rows.push(Row { line, at, reject, record: link, too_long: None, warning: false });
    }
}

/// The bytes of each of so many lines, if all have the same; else 0.
fn width(lines: &[u8], count: usize) -> usize {
    let Some(width) = memchr::memchr(b'\n', lines).filter(|width| (width + 1) * count == lines.len()) else { return 0 };
    // There are as many line ends as lines, so that those which are looked at are all.
    let same = lines.chunks_exact(width + 1).all(|line| line[width] == b'\n');
    if same { width } else { 0 }
}

/// Rows being put back together.
struct Back<'b> {
    framing: &'b Settled,
    plan: &'b Conversion,
    appended: &'b [(What, String)],
    outcome: &'b mut Outcome,
    /// The rows.
    text: &'b [u8],
    /// Where they begin behind the header, and on which line.
    body: usize,
    lines: u64,
    /// Up to here they are in the outcome.
    copied: usize,
    /// Converted strings that were not put back yet, one a line.
    converted: &'b [u8],
    /// Bytes of each of them; 0 if they differ.
    width: usize,
    /// None of them has a byte that is to be quoted or escaped.
    bare: bool,
    /// Where strings of another form begin, as far as they were not come to.
    stretches: &'b [Stretch],
    solved: Peekable<std::vec::IntoIter<Solved>>,
}

impl<'b> Back<'b> {
    /// The header, with the names of what is appended.
    fn header(&mut self, header: &[u8]) {
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

    /// All rows, with what was said of their strings.
    fn rows(&mut self, rows: &Rows, reports: Vec<Row>) {
        let nothing_to_say = rows.refused.is_empty() && reports.is_empty() && self.solved.peek().is_none();
        let only_replaced = self.plan.written == Written::Encoded && self.appended.is_empty() && self.bare;
        if nothing_to_say && only_replaced && self.width > 0 {
            return self.replace_all(&rows.fields);
        }
        let mut reports = reports.into_iter().peekable();
        let mut refused = rows.refused.iter().peekable();
        let mut first = 0;
        for (index, place) in rows.rows.iter().enumerate() {
            let strings = first..first + place.fields as usize;
            first = strings.end;
            let mut good = true;
            if let Some((_, reject)) = refused.next_if(|(of, _)| *of == index) {
                self.outcome.counts.records += 1;
                self.outcome.counts.reject(reject.code);
                self.report(place, reject.clone(), None, false);
                good = false;
            }
            while let Some(row) = reports.next_if(|row| strings.contains(&(row.line as usize))) {
                good &= row.warning;
                self.report(place, row.reject, row.too_long, row.warning);
            }
            if good && let Err(reject) = self.good(place, &rows.fields[strings.clone()], strings.start) {
                self.outcome.counts.reject(reject.code);
                self.report(place, reject, None, false);
                good = false;
            } else if !good {
                strings.clone().for_each(|_| _ = self.next_string());
            }
            self.list_solved(place, &strings, good);
            if !good && self.bad(place) {
                return;
            }
        }
        self.copy_to(self.text.len());
    }

    /// Puts new strings of one width in the place of all old ones: as most chunks are.
    fn replace_all(&mut self, fields: &[Field]) {
        let room = self.outcome.text.room(self.text.len() + self.converted.len());
        let (mut length, mut copied) = (0, 0);
        let mut put = |part: &[u8]| {
            room[length..length + part.len()].copy_from_slice(part);
            length += part.len();
        };
        for (field, line) in fields.iter().zip(self.converted.chunks_exact(self.width + 1)) {
            put(&self.text[copied..field.start as usize]);
            put(&line[..self.width]);
            copied = field.end as usize;
        }
        put(&self.text[copied..]);
        self.outcome.text.advance(length);
    }

    /// Takes down what is said of a row.
    fn report(&mut self, place: &Place, reject: Reject, too_long: Option<u64>, warning: bool) {
        let row = &self.text[place.start as usize..place.end as usize];
        let shown = if too_long.is_some() { row.len().min(SHOWN) } else { row.len() };
        let (line, at) = (self.lines + u64::from(place.line), self.body + place.start as usize);
        let (record, too_long) = (row[..shown].to_vec(), too_long.map(|_| row.len() as u64));
        self.outcome.rows.push(Row { line, at, reject, record, too_long, warning });
    }

    /// Lists the solved cells of a good row's strings under the row's line.
    fn list_solved(&mut self, place: &Place, strings: &Range<usize>, good: bool) {
        let line = self.lines + u64::from(place.line);
        while let Some(solved) = self.solved.next_if(|solved| strings.contains(&(solved.line as usize))) {
            if good {
                self.outcome.solved.push(Solved { line, ..solved });
            }
        }
    }

    /// Leaves out, keeps, or ends with a bad row. True if that is the end.
    fn bad(&mut self, place: &Place) -> bool {
        match self.plan.bad {
            // A row of a table still needs all columns; a line that may be no JSON stays as it is.
            Bad::Keep if matches!(self.framing, Settled::Table { .. }) => self.append(place, &[], 0),
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
        if self.plan.written != Written::Nothing {
            self.outcome.text.push(&self.text[self.copied..to]);
        }
        self.copied = to;
    }

    /// The next of the converted strings.
    fn next_string(&mut self) -> &'b [u8] {
        let all = self.converted;
        let end = match self.width {
            0 => memchr::memchr(b'\n', all).unwrap_or(all.len()),
            width => width.min(all.len()),
        };
        self.converted = &all[(end + 1).min(all.len())..];
        &all[..end]
    }

    /// Puts the strings of a good row back. On an error nothing of it was.
    fn good(&mut self, place: &Place, fields: &[Field], first: usize) -> Result<(), Reject> {
        if self.plan.written == Written::Nothing || self.plan.written == Written::AsTheyAre {
            return Ok(());
        }
        if let ([field], []) = (fields, self.appended) {
            let string = self.next_string();
            self.fits(string)?;
            self.replace(field, string);
            return Ok(());
        }
        let strings: Vec<&[u8]> = fields.iter().map(|_| self.next_string()).collect();
        strings.iter().try_for_each(|string| self.fits(string))?;
        if self.plan.written == Written::Encoded && !self.appended.iter().any(|(what, _)| *what == What::String) {
            fields.iter().zip(&strings).for_each(|(field, string)| self.replace(field, string));
        }
        self.append(place, &strings, first);
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
    fn append(&mut self, place: &Place, strings: &[&[u8]], first: usize) {
        if self.appended.is_empty() {
            return;
        }
        let end = self.end_of_fields(place);
        self.copy_to(end);
        for (what, name) in self.appended {
            let cells: Vec<_> = strings.iter().zip(first..).map(|(string, at)| self.cell(*what, string, at)).collect();
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
    fn cell<'c>(&self, what: What, string: &'c [u8], at: usize) -> &'c [u8]
    where
        'b: 'c,
    {
        let tab = || memchr::memrchr(b'\t', string);
        let stretch = || {
            let behind = self.stretches.partition_point(|stretch| stretch.line <= at as u64);
            behind.checked_sub(1).map(|last| self.stretches[last])
        };
        match what {
            What::String => string,
            What::Solution => tab().map_or(b"", |tab| &string[tab + 1..]),
            What::Format => stretch().map_or(b"", |stretch| stretch.id.name().as_bytes()),
            What::Kind => stretch().map_or(b"", |stretch| stretch.kind.name().as_bytes()),
        }
    }
}
