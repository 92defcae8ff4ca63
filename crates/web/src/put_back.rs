//! Replaces the strings of a text by new ones, and copies everything else.

use std::collections::HashSet;
use std::ops::Range;

use gridmill_core::canon::Key;
use gridmill_core::convert::{Bad, Conversion, Converted};
use gridmill_core::formats::{Form, Text, line_at};
use gridmill_core::framing::{Framing, RewrittenText, Rows, TextRow, Value};

use crate::framed::SolutionColumn;
use crate::lines::RecordLines;
use crate::summary::{Summary, TextPosition};

/// What is written.
#[derive(Clone, Copy)]
pub(crate) struct PutBackPlan<'r> {
    pub(crate) plan: &'r Conversion,
    pub(crate) detects: bool,
    /// The text between records.
    pub(crate) copies: bool,
    /// Where new strings go, if they do not replace the old ones.
    pub(crate) solution: Option<&'r SolutionColumn>,
}

/// Writes a text with its new strings.
pub(crate) struct TextPutBack<'r> {
    pub(crate) text: &'r [u8],
    /// The text's position in the input.
    pub(crate) at: TextPosition,
    pub(crate) what: PutBackPlan<'r>,
    /// Keys of earlier records; what has one of them is left out.
    pub(crate) seen: Option<&'r mut HashSet<Key>>,
    pub(crate) summary: &'r mut Summary,
    pub(crate) out: &'r mut Text,
    pub(crate) copied: usize,
}

impl TextPutBack<'_> {
    /// Writes lines, some of which are records. New strings have line feeds.
    pub(crate) fn lines(mut self, lines: &RecordLines, converted: &Converted) {
        let writes = self.what.plan.emit.writes();
        let all_new = writes && lines.nothing_else || !self.what.copies && !self.what.detects;
        if all_new && converted.refused.is_empty() {
            self.summary.all_good(converted, lines.starts.len());
            return self.out.push(converted.text.as_slice());
        }
        let mut refused = converted.refused.iter().peekable();
        let (mut line, mut counted) = (0, 0);
        for (record, (&start, &end)) in lines.starts.iter().zip(&lines.ends).enumerate() {
            let (start, end) = (start as usize, end as usize);
            let Some(refusal) = refused.next_if(|refusal| refusal.record == record) else {
                self.good(converted.form(record));
                self.summary.more_good(1);
                if self.is_duplicate(converted, record..record + 1) {
                    self.leave_out(start, line_at(self.text, end).map_or(self.text.len(), |rest| rest.next));
                } else if writes {
                    let string = converted.string(record);
                    self.replace(start, end, |out| out.push(string.strip_suffix(b"\n").unwrap_or(string)));
                }
                continue;
            };
            line += memchr::memchr_iter(b'\n', &self.text[counted..start]).count() as u64;
            counted = start;
            self.summary.refuse(self.place(line, start), &self.text[start..end], &refusal.reject);
            self.refused(start, line_at(self.text, end).map_or(self.text.len(), |rest| rest.next));
        }
        self.copy_to(self.text.len());
    }

    /// Writes the rows of a framing. A row with a bad string counts as one bad record.
    pub(crate) fn rows(mut self, framing: &dyn Framing, rows: &Rows, converted: &Converted) {
        let mut of_rows = rows.refused.iter().peekable();
        let (mut first, mut no_strings) = (0, &rows.no_strings[..]);
        let replaces = self.what.plan.emit.writes() && self.what.solution.is_none();
        for (index, row) in rows.rows.iter().enumerate() {
            let strings = first..first + row.fields as usize;
            first = strings.end;
            let of_list;
            let in_row = no_strings.iter().take_while(|none| none.row == index).count();
            (of_list, no_strings) = no_strings.split_at(in_row);
            let of_row = of_rows.next_if(|(of, _)| *of == index).map(|(_, reject)| reject.clone());
            let of_strings = || strings.clone().find_map(|at| converted.refusal(at).cloned());
            let unfit = || strings.clone().find_map(|at| framing.fits(converted.string(at)).err());
            let (start, next) = (row.start as usize, row.next as usize);
            let code_of_row = of_row.as_ref().map(|reject| reject.code);
            if let Some(reject) = of_row.or_else(of_strings).or_else(unfit) {
                let record = &self.text[start..row.end as usize];
                self.summary.refuse(self.place(row.line.into(), start), record, &reject);
                self.refused(start, next);
                if self.what.plan.bad == Bad::Keep && framing.appends_to_refused(code_of_row) {
                    self.append(framing, row, &Value::of_list(of_list, std::iter::empty()));
                }
                continue;
            }
            self.summary.more_good(u64::from(row.fields > 0));
            if row.fields > 0 && self.is_duplicate(converted, strings.clone()) {
                self.leave_out(start, next);
                continue;
            }
            let values = strings.clone().map(|at| (at, Value::Text(converted.string(at))));
            let values = if self.what.solution.is_some() { Value::of_list(of_list, values) } else { Vec::new() };
            for (field, at) in rows.fields[strings.clone()].iter().zip(strings) {
                self.good(converted.form(at));
                if replaces {
                    let (start, end) = (field.start as usize, field.end as usize);
                    self.replace(start, end, |out| framing.put(converted.string(at), field.quoted, out));
                }
            }
            self.append(framing, row, &values);
        }
        self.summary.without(rows.without);
        self.copy_to(self.text.len());
    }

    /// Writes a text whose strings were all replaced at once, except those that cannot be.
    pub(crate) fn rewritten(self, done: RewrittenText) {
        self.summary.more_good(done.rewritten + done.kept);
        for left in &done.left {
            let at = self.place(left.line, left.at);
            self.summary.refuse(at, &left.record, &left.reject);
        }
        self.out.push(done.text.as_deref().unwrap_or(self.text));
    }

    fn place(&self, line: u64, byte: usize) -> TextPosition {
        TextPosition { line: self.at.line + line, byte: self.at.byte + byte as u64 }
    }

    fn good(&mut self, form: Option<Form>) {
        self.summary.string(form);
        if self.what.detects
            && let Some(form) = form
        {
            let shape = form.shape;
            let layout = if form.has_layouts() { form.layout.name() } else { "" };
            let line = format!("{}\t{}\t{}\t{layout}\n", form.id, shape.kind, shape.side);
            self.out.push(line.as_bytes());
        }
    }

    fn refused(&mut self, start: usize, next: usize) {
        if self.what.detects {
            self.out.push(b"\n");
        }
        if self.what.plan.bad == Bad::Reject {
            self.leave_out(start, next);
        }
    }

    fn leave_out(&mut self, start: usize, next: usize) {
        self.copy_to(start);
        self.copied = next;
    }

    /// Whether a record with these strings is the same as an earlier one.
    fn is_duplicate(&mut self, converted: &Converted, strings: Range<usize>) -> bool {
        let Some(seen) = &mut self.seen else { return false };
        let is_new = seen.insert(converted.key_of_row(strings));
        self.summary.more_duplicates(u64::from(!is_new));
        !is_new
    }

    /// Appends solutions to a row, if that is where they go.
    fn append(&mut self, framing: &dyn Framing, row: &TextRow, values: &[Value]) {
        let Some(solution) = self.what.solution else { return };
        let (start, end) = (row.start as usize, row.end as usize);
        self.copy_to(start + framing.end_of_fields(&self.text[start..end]));
        framing.append(&solution.label, values, row.list, self.out);
    }

    fn replace(&mut self, start: usize, end: usize, put: impl FnOnce(&mut Text)) {
        self.copy_to(start);
        put(self.out);
        self.copied = end;
    }

    /// Copies the text up to `to` that was not copied yet.
    fn copy_to(&mut self, to: usize) {
        if self.what.copies {
            self.out.push(&self.text[self.copied..to]);
        }
        self.copied = to;
    }
}
