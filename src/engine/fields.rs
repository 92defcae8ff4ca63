//! Rows of text whose strings stand in fields: the strings are converted where they stand, and everything else is copied.

use std::ops::Range;

use super::account::Account;
use super::appended::{Appended, What};
use super::outcome::{self, Outcome};
use super::put_back::PutBack;
use crate::convert::{Bad, Conversion, Converted, Converter, Emit};
use crate::formats::{Evidence, Records};
use crate::framing::{Framing, Left, Piece, Rewritten, RowStrings, Rows, count_lines};
use crate::kernels::Kernel;
use crate::source::Chunk;

/// Converts the strings of one chunk of rows after the other.
pub(super) struct FieldWorker<'f> {
    framing: &'f dyn Framing,
    appended: Vec<(What, String)>,
    plan: Conversion,
    converter: Converter,
    /// Counts what is not to count: the other strings of rows with a bad one.
    spare: Converter,
    rows: Rows,
    strings: RowStrings,
    /// A string of the chunk at hand waits for what others say.
    tied: bool,
    outcome: Outcome,
}

impl<'f> FieldWorker<'f> {
    /// A worker for a conversion.
    pub(super) fn new(
        framing: &'f dyn Framing,
        appended: &Appended,
        plan: Conversion,
        kernel: &'static Kernel,
    ) -> Self {
        let emit = if plan.emit == Emit::AsTheyAre { Emit::Nothing } else { plan.emit };
        let inner = Conversion { emit, from: framing.format(plan.from), ..plan };
        let bad = if framing.keeps_refused() { Bad::Keep } else { plan.bad };
        Self {
            framing,
            appended: appended.columns(plan.emit),
            plan: Conversion { bad, ..plan },
            converter: Converter::new(inner, kernel),
            spare: Converter::new(inner, kernel),
            rows: Rows::default(),
            strings: RowStrings::default(),
            tied: false,
            outcome: Outcome::default(),
        }
    }

    pub(super) fn begin(&mut self) {
        self.outcome.clear();
        self.tied = false;
    }

    pub(super) fn copy(&mut self, bytes: &[u8]) {
        if self.plan.emit != Emit::Nothing {
            self.outcome.text.push(bytes);
        }
    }

    pub(super) fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    pub(super) fn is_tied(&self) -> bool {
        self.tied
    }

    pub(super) fn has_weighed(&self) -> bool {
        self.converter.converted().weighed
    }

    pub(super) fn know(&mut self, evidence: Evidence) {
        self.spare.know(evidence);
        self.converter.know(evidence);
    }

    pub(super) fn weigh(&self, chunk: &Chunk, whole: Range<usize>, window: usize) -> Evidence {
        let text = &chunk.text()[whole.clone()];
        let mut rows = Rows::default();
        let body = self.header(chunk, text).min(text.len());
        self.framing.rows(&piece(chunk, whole.start + body..whole.end), false, &mut rows);
        let within = rows.rows.iter().take_while(|row| body + (row.start as usize) < window);
        let fields: usize = within.map(|row| row.fields as usize).sum();
        self.converter.weigh(rows.strings(&text[body..]).take(fields))
    }

    pub(super) fn convert(&mut self, chunk: &Chunk, whole: Range<usize>) {
        let text = &chunk.text()[whole.clone()];
        if self.plan.emit == Emit::Encoded
            && let Some(done) = self.framing.rewrite(&piece(chunk, whole.clone()))
        {
            take_rewritten(done, text, &mut self.outcome);
            self.outcome.counts.lines -= goes_on(chunk, text);
            return;
        }
        let body = self.header(chunk, text);
        let (header, text) = text.split_at(body);
        self.rows.clear();
        let piece = piece(chunk, whole.start + body..whole.end);
        self.framing.rows(&piece, !self.appended.is_empty(), &mut self.rows);
        let records = self.strings.of(&self.rows, text);
        let Ok(converted) = self.converter.convert(records) else {
            self.tied = true;
            return;
        };
        let counts = &mut self.outcome.counts;
        *counts = converted.counts.clone();
        let mut found = self.rows.fields.len() + self.rows.refused.len();
        if let Some((starts, ends)) = spare_strings(&self.rows, records, converted) {
            let spare = Records { bytes: records.bytes, starts: &starts, ends: &ends };
            // What is not tied among all of them is not tied here.
            if let Ok(spare) = self.spare.convert(spare) {
                counts.subtract(&spare.counts);
                found -= starts.len();
            }
        }
        (counts.without, counts.text) = (self.rows.without, self.rows.text);
        counts.lines = self.rows.lines + memchr::memchr_iter(b'\n', header).count() as u64 - goes_on(chunk, text);
        self.outcome.account.found = found as u64;
        self.outcome.header = (body > 0).then(|| header.to_vec());
        let mut back = PutBack::new(self.framing, &self.plan, &self.appended, converted, &mut self.outcome);
        back.header(header, chunk.input == 0);
        back.rows(text, &self.rows);
    }

    /// Bytes of the header at the start of a chunk.
    fn header(&self, chunk: &Chunk, text: &[u8]) -> usize {
        if chunk.first { self.framing.header(text) } else { 0 }
    }
}

/// A row with a bad string is one bad record: all strings of such rows but the first bad one, if there are any.
fn spare_strings(rows: &Rows, records: Records<'_>, converted: &Converted) -> Option<(Vec<u32>, Vec<u32>)> {
    if converted.refused.is_empty() || rows.rows.iter().all(|row| row.fields < 2) {
        return None;
    }
    let mut bad = converted.refused.iter().map(|refusal| refusal.record).peekable();
    let (mut first, mut starts, mut ends) = (0, Vec::new(), Vec::new());
    for row in &rows.rows {
        let strings = first..first + row.fields as usize;
        first = strings.end;
        let Some(chosen) = bad.next_if(|at| strings.contains(at)) else { continue };
        while bad.next_if(|at| strings.contains(at)).is_some() {}
        for at in strings.filter(|&at| at != chosen) {
            starts.push(records.starts[at]);
            ends.push(records.ends[at]);
        }
    }
    (!starts.is_empty()).then_some((starts, ends))
}

/// Takes a text whose strings were exchanged all at once. Those that cannot be stay as they are.
fn take_rewritten(done: Rewritten, text: &[u8], outcome: &mut Outcome) {
    outcome.text.push(done.text.as_deref().unwrap_or(text));
    outcome.counts.lines = count_lines(text);
    outcome.counts.records = done.rewritten + done.kept + done.left.len() as u64;
    outcome.account = Account { found: outcome.counts.records, good: done.rewritten + done.kept };
    for Left { at, line, record, reject } in done.left {
        outcome.counts.reject(reject.code);
        outcome.rows.push(outcome::row(line - 1, at, &record, reject, false));
    }
}

/// A part of a chunk.
pub(super) fn piece(chunk: &Chunk, range: Range<usize>) -> Piece<'_> {
    let start = range.start;
    Piece { text: &chunk.text()[range], start, quotes: chunk.quotes.as_ref(), owed: chunk.owed }
}

/// 1 where the last line of a chunk goes on in the next one, which counts it: text with links is cut there if it must be.
fn goes_on(chunk: &Chunk, text: &[u8]) -> u64 {
    u64::from(!chunk.last && text.last().is_some_and(|&byte| byte != b'\n'))
}
