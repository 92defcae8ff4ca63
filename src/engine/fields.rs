//! Converts rows with strings in fields: the strings are converted in place, and everything else is copied.

use std::ops::Range;

use super::appended::{Appended, AppendedColumn};
use super::chunk_bounds::mark_length;
use super::cross_check::CrossCheck;
use super::outcome::{Outcome, RecordAt, TableHeader};
use super::put_back::{PutBack, StringResults, TextAs};
use super::solved_strings::SolvedStrings;
use crate::board::BATCH;
use crate::convert::{Bad, Conversion, Converted, Converter, Emit};
use crate::error::Refused;
use crate::formats::{EvidenceSource, Records};
use crate::framing::{Framing, Piece, RewrittenText, RowStrings, Rows, count_lines};
use crate::kernels::Kernel;
use crate::source::Chunk;

/// Converts the strings in rows, one chunk after the other.
pub(super) struct FieldWorker<'f> {
    framing: &'f dyn Framing,
    appended: Vec<AppendedColumn>,
    plan: Conversion,
    kernel: &'static Kernel,
    converter: Converter,
    rows: Rows,
    strings: RowStrings,
    solved: SolvedStrings,
    /// About how many strings are converted in one call. It is reduced if the solver had many messages about earlier
    /// strings.
    max_strings: usize,
    outcome: Outcome,
}

impl<'f> FieldWorker<'f> {
    /// A worker for this plan.
    pub(super) fn new(
        framing: &'f dyn Framing,
        appended: &Appended,
        plan: Conversion,
        kernel: &'static Kernel,
    ) -> Self {
        let emit = if plan.emit == Emit::AsTheyAre { Emit::Nothing } else { plan.emit };
        let inner = Conversion { emit, from: framing.format(plan.from), ..plan };
        let bad = if framing.facts().keeps_refused { Bad::Keep } else { plan.bad };
        Self {
            framing,
            appended: appended.columns(framing),
            plan: Conversion { bad, ..plan },
            kernel,
            converter: Converter::new(inner, kernel),
            rows: Rows::default(),
            strings: RowStrings::default(),
            solved: SolvedStrings::new(&plan, kernel),
            max_strings: usize::MAX,
            outcome: Outcome::default(),
        }
    }

    pub(super) fn begin_chunk(&mut self) {
        self.max_strings = usize::MAX;
        self.begin();
    }

    pub(super) fn begin(&mut self) {
        self.outcome.clear();
    }

    pub(super) fn copy(&mut self, bytes: &[u8]) {
        if TextAs::of(self.framing, &self.plan) == TextAs::Copied {
            self.outcome.text.push(bytes);
        }
    }

    pub(super) fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    pub(super) fn has_weighed(&self) -> bool {
        self.converter.converted().weighed
    }

    /// See [`super::framed::Framed::start`].
    pub(super) fn convert(&mut self, chunk: &Chunk, whole: Range<usize>, evidence: &dyn EvidenceSource) -> usize {
        let text = &chunk.text()[whole.clone()];
        if self.plan.emit.writes()
            && self.plan.emit != Emit::Digits
            && let Some(done) = self.framing.rewrite(&piece(chunk, whole.clone(), self.kernel))
        {
            if done.text.is_none() && self.outcome.text.is_empty() && whole.end == chunk.text().len() {
                self.outcome.as_it_is = Some(whole.clone());
            } else {
                self.outcome.text.push(done.text.as_deref().unwrap_or(text));
            }
            take_rewritten(done, text, &mut self.outcome);
            self.outcome.counts.lines -= cut_lines(chunk, whole.clone());
            return whole.end;
        }
        let begins = chunk.shape.first && whole.start <= mark_length(chunk);
        let body = if begins { self.framing.header(text) } else { 0 };
        let (header, text) = text.split_at(body);
        let start = whole.start + body;
        let end = self.find_rows(chunk, start..whole.end);
        let end = self.convert_rows(chunk, start..end, evidence);
        let text = &text[..end - start];
        let converted = self.converter.converted();
        let counts = &mut self.outcome.counts;
        *counts = converted.counts.clone();
        let mut found = self.rows.fields.len() + self.rows.refused.len();
        let others = uncounted_strings(&self.rows, converted);
        found -= others.len();
        converted.uncount(others, counts);
        (counts.without, counts.text) = (self.rows.without, self.rows.text);
        counts.lines =
            self.rows.lines + memchr::memchr_iter(b'\n', header).count() as u64 - cut_lines(chunk, start..end);
        self.outcome.cross_check.found = found as u64;
        self.outcome.header =
            (body > 0).then(|| TableHeader { text: header.to_vec(), names: self.framing.names(header) });
        self.solved.take(converted, self.strings.records(text));
        let results = StringResults { converted, solved: &self.solved };
        let mut back = PutBack::new(self.framing, &self.plan, &self.appended, results, &mut self.outcome);
        back.header(header, chunk.leads);
        back.rows(text, &self.rows);
        end
    }

    /// Finds the rows of a part of a chunk. Returns where the last one ends: memory limits may stop it before the end
    /// of the part.
    fn find_rows(&mut self, chunk: &Chunk, part: Range<usize>) -> usize {
        self.rows.clear();
        self.framing.rows(&piece(chunk, part.clone(), self.kernel), !self.appended.is_empty(), &mut self.rows);
        self.rows.stopped.map_or(part.end, |stopped| part.start + stopped)
    }

    /// Converts the strings of the rows that were found in a part of a chunk. If there are too many messages about
    /// them, converts only the strings of the first rows. Returns where these rows end.
    fn convert_rows(&mut self, chunk: &Chunk, part: Range<usize>, evidence: &dyn EvidenceSource) -> usize {
        let text = &chunk.text()[part.clone()];
        self.strings.take(&self.rows, text);
        let records = self.strings.records(text);
        self.converter.give_rows(self.rows.rows.iter().map(|row| row.fields));
        self.converter.give_names(self.rows.names());
        if self.plan.given_solutions {
            self.converter.give_solutions(self.strings.solutions().iter().cloned());
        }
        if !self.framing.facts().rows_stand_alone {
            self.converter.convert(records, evidence);
            return part.end;
        }
        let mut kept = convert_bounded(&mut self.converter, &self.rows, records, self.max_strings, evidence);
        if let Err(answered) = self.converter.finish_bounded(records.slice(0..kept.strings)) {
            self.max_strings = answered;
            // All strings of a row are converted together.
            let fewer = RowPrefix::within(&self.rows, answered);
            kept = if fewer.rows > 0 { fewer } else { RowPrefix::first_row(&self.rows, kept.strings) };
            self.converter.convert(records.slice(0..kept.strings), evidence);
        }
        if kept.rows == self.rows.rows.len() && kept.strings == self.rows.fields.len() {
            return part.end;
        }
        let end = part.start + self.rows.rows[kept.rows - 1].next as usize;
        self.find_rows(chunk, part.start..end);
        self.rows.truncate(kept.strings);
        end
    }
}

/// The first rows of a part of a chunk, with the number of their strings.
struct RowPrefix {
    rows: usize,
    strings: usize,
}

impl RowPrefix {
    /// The rows whose strings are all among the first `strings`.
    fn within(rows: &Rows, strings: usize) -> Self {
        let mut kept = Self { rows: 0, strings: 0 };
        for row in &rows.rows {
            let with = kept.strings + row.fields as usize;
            if with > strings {
                break;
            }
            kept = Self { rows: kept.rows + 1, strings: with };
        }
        kept
    }

    /// The first row, and at most `strings` of its strings.
    fn first_row(rows: &Rows, strings: usize) -> Self {
        let fields = rows.rows.first().map_or(0, |row| row.fields as usize);
        Self { rows: 1, strings: fields.min(strings) }
    }
}

/// Begins a conversion of the strings of rows, and stops early if there are many messages about them. It stops at the
/// end of a row, or in a bad row after the string that decides its outcome.
fn convert_bounded(
    converter: &mut Converter,
    rows: &Rows,
    records: Records<'_>,
    max_strings: usize,
    evidence: &dyn EvidenceSource,
) -> RowPrefix {
    converter.begin();
    let all = RowPrefix { rows: rows.rows.len(), strings: records.len() };
    // Calls end at the ends of rows if possible, as groups do.
    let several = rows.rows.iter().any(|row| row.fields > 1);
    let mut ends = rows.rows.iter().scan(0, |end, row| {
        *end += row.fields as usize;
        Some(*end)
    });
    let mut ends = several.then_some(&mut ends).into_iter().flatten().peekable();
    let mut next = 0;
    while next < records.len() {
        let most = records.len().min(next + BATCH);
        let of_rows = std::iter::from_fn(|| ends.next_if(|&end| end <= most)).last();
        let end = of_rows.filter(|&end| end > next).unwrap_or(most);
        converter.add(records.slice(next..end), evidence);
        next = end;
        if next < records.len() && (converter.is_full() || next >= max_strings) {
            let kept = RowPrefix::within(rows, next);
            if kept.strings == next {
                return kept;
            }
            let last = converter.converted().refused.last();
            if last.is_some_and(|refusal| refusal.record >= kept.strings) {
                return RowPrefix { rows: kept.rows + 1, strings: next };
            }
        }
    }
    all
}

/// Returns the strings that must not be counted: a row with a bad string is one bad record, so all its strings except
/// the first bad one.
fn uncounted_strings(rows: &Rows, converted: &Converted) -> Vec<usize> {
    let mut others = Vec::new();
    if converted.refused.is_empty() || rows.rows.iter().all(|row| row.fields < 2) {
        return others;
    }
    let mut bad = converted.refused.iter().map(|refusal| refusal.record).peekable();
    let mut first = 0;
    for row in &rows.rows {
        let strings = first..first + row.fields as usize;
        first = strings.end;
        let Some(chosen) = bad.next_if(|at| strings.contains(at)) else { continue };
        while bad.next_if(|at| strings.contains(at)).is_some() {}
        others.extend(strings.filter(|&at| at != chosen));
    }
    others
}

/// Counts the results for a text whose strings were all rewritten at once. Strings that cannot be rewritten stay
/// unchanged.
fn take_rewritten(done: RewrittenText, text: &[u8], outcome: &mut Outcome) {
    outcome.counts.lines = count_lines(text);
    outcome.counts.kept = done.kept;
    outcome.counts.records = done.rewritten + done.kept + done.left.len() as u64;
    outcome.cross_check = CrossCheck { found: outcome.counts.records, good: done.rewritten + done.kept, reported: 0 };
    done.lost.iter().for_each(|losses| outcome.counts.lose(losses));
    for Refused { at, line, record, reject, .. } in done.left {
        outcome.counts.reject(reject.code);
        outcome.add_row(RecordAt { line, at, bytes: &record }, reject, false);
    }
}

/// A part of a chunk, as framings take it.
pub(super) fn piece<'c>(chunk: &'c Chunk, range: Range<usize>, kernel: &'static Kernel) -> Piece<'c> {
    let start = range.start;
    Piece { text: &chunk.text()[range], start, quotes: chunk.shape.quotes.as_ref(), kernel, before: chunk.shape.before }
}

/// Returns 1 if the last line of a part of the chunk goes on after it, where it is counted; otherwise 0. Only text with links and
/// XML may be cut within a line.
fn cut_lines(chunk: &Chunk, part: Range<usize>) -> u64 {
    let is_last = chunk.shape.last && part.end == chunk.text().len();
    u64::from(!is_last && chunk.text()[part].last().is_some_and(|&byte| byte != b'\n'))
}
