//! Converts lines of text: finds the records, converts them, and puts the new strings in the place of the old ones. It
//! has no side effects: bytes in, bytes and counts out.

use std::fmt;

use super::appended::{Appended, ColumnContent};
use super::cross_check::CrossCheck;
use super::outcome::{Outcome, RecordAt, SolvedLine, collects_keys};
use super::solved_strings::SolvedStrings;
use crate::board::BATCH;
use crate::convert::{Bad, Canonize, Conversion, Converter, Emit};
use crate::error::Refusal;
use crate::formats::{EvidenceSource, Format, Records, begins_like_a_comment};
use crate::framing::{Framing, count_lines, is_no_record, line_at, line_of_width};
use crate::kernels::Kernel;

/// Converts the lines of one chunk after the other, and reuses its memory.
pub struct Worker {
    plan: Conversion,
    appended: Vec<ColumnContent>,
    solved: SolvedStrings,
    /// Each line has a tab and a map after its string; the map is to be applied to the string.
    has_maps: bool,
    converter: Converter,
    lines: LineRecords,
    /// About how many records are converted in one call. It is reduced if the solver had many messages about earlier
    /// records.
    max_records: usize,
    /// The result for the current chunk.
    pub outcome: Outcome,
}

/// The records among the lines of a text.
#[derive(Default)]
struct LineRecords {
    /// Where each begins and ends.
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// Each record is immediately followed by its line end and the next record, and all line ends are like those of new
    /// strings.
    uniform: bool,
    /// The length of this line end, which is that of the first line of the text.
    line_end: usize,
    /// Every line is a record.
    all_records: bool,
}

impl LineRecords {
    /// Begins a text whose first line end has this length.
    fn begin(&mut self, line_end: usize) {
        self.truncate(0);
        (self.uniform, self.all_records, self.line_end) = (true, true, line_end);
    }

    /// Forgets the records from this one on.
    fn truncate(&mut self, len: usize) {
        self.starts.truncate(len);
        self.ends.truncate(len);
    }

    /// The records from number `first` on.
    fn records<'t>(&'t self, text: &'t [u8], first: usize) -> Records<'t> {
        Records { bytes: text, starts: &self.starts[first..], ends: &self.ends[first..] }
    }
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker").field("plan", &self.plan).finish_non_exhaustive()
    }
}

impl Worker {
    /// A worker for this plan.
    pub fn new(plan: Conversion, kernel: &'static Kernel) -> Self {
        Self {
            plan,
            appended: Vec::new(),
            solved: SolvedStrings::new(&plan, kernel),
            has_maps: plan.canonical.is_some_and(|canonical| canonical.canonize == Canonize::Mapped),
            converter: Converter::new(plan, kernel).with_line_feeds(),
            lines: LineRecords::default(),
            max_records: usize::MAX,
            outcome: Outcome::default(),
        }
    }

    /// Sets what is appended to each good line, after a tab.
    #[must_use]
    pub(super) fn appending(self, appended: &Appended, framing: &dyn Framing) -> Self {
        Self { appended: appended.columns(framing).into_iter().map(|column| column.content).collect(), ..self }
    }

    /// Begins a chunk.
    pub fn begin_chunk(&mut self) {
        self.max_records = usize::MAX;
        self.begin();
    }

    /// Begins a part of a chunk.
    pub fn begin(&mut self) {
        self.outcome.clear();
    }

    /// Whether the chunk may contain evidence about layouts.
    pub fn has_weighed(&self) -> bool {
        self.converter.converted().weighed
    }

    /// Copies bytes to the output unchanged.
    pub fn copy(&mut self, bytes: &[u8]) {
        if !matches!(self.plan.emit, Emit::Nothing | Emit::Digits) {
            self.outcome.text.push(bytes);
        }
    }

    /// Converts whole lines: `text` begins at the start of a line and ends at the end of a line or of its input. Rows
    /// and lines are numbered from its start. Returns how many bytes were converted. That is all of them, unless the
    /// lines have so many problems that the messages should be written first, or so many puzzles that these should be
    /// solved first; in that case it is fewer, up to the end of a line. Then call [`Worker::begin`], and this function
    /// again with the rest. `evidence` is asked if the layout of a string depends on other strings.
    pub fn convert(&mut self, text: &[u8], evidence: &dyn EvidenceSource) -> usize {
        let read = self.start(text, evidence);
        self.finish(&text[..read], None, evidence)
    }

    /// Does the first half of [`Worker::convert`]: finds the records and converts them as far as this is possible without
    /// the solver. Returns how many bytes it read: the text for [`Worker::finish`].
    pub(super) fn start(&mut self, text: &[u8], evidence: &dyn EvidenceSource) -> usize {
        self.converter.begin();
        if self.outcome.text.is_empty() {
            // The new strings often are the whole text of the outcome, so that one large buffer is enough.
            self.converter.swap_text(&mut self.outcome.text);
        }
        let carriage_returns = line_at(text, 0).is_some_and(|line| line.next - line.end == 2);
        self.lines.begin(1 + usize::from(carriage_returns));
        self.converter.end_lines(carriage_returns);
        self.read(text, evidence)
    }

    /// Does the second half of [`Worker::convert`]. If `next` has started with the text that it will finish next, the
    /// solver begins with the puzzles of that text when it has too few of this one.
    pub(super) fn finish(&mut self, text: &[u8], next: Option<&mut Self>, evidence: &dyn EvidenceSource) -> usize {
        let mut next = next.map(|next| &mut next.converter);
        let converted = self.finish_beside(text, next.as_deref_mut(), evidence);
        if let Some(next) = next {
            self.converter.hand_over(next);
        }
        converted
    }

    /// Whether [`Worker::finish`] can use a worker that has started with the next text.
    pub(super) fn wants_next(&self) -> bool {
        self.converter.wants_next()
    }

    fn finish_beside(&mut self, text: &[u8], next: Option<&mut Converter>, evidence: &dyn EvidenceSource) -> usize {
        let mut text = text;
        let records = self.lines.records(text, 0);
        if let Err(answered) = self.converter.finish_beside(records, next) {
            text = &text[..self.lines.starts[answered] as usize];
            self.max_records = answered;
            self.lines.truncate(answered);
            self.converter.convert(self.lines.records(text, 0), evidence);
            self.lines.uniform = false;
        }
        let first_bad = self.converter.converted().refused.first().filter(|_| self.plan.bad == Bad::Stop).cloned();
        match first_bad {
            Some(refusal) => self.stop_at(text, refusal, evidence),
            None => self.put_back(text),
        }
        text.len()
    }

    /// Finds the records, and converts them as far as this is possible without the solver. Returns where it stopped.
    fn read(&mut self, text: &[u8], evidence: &dyn EvidenceSource) -> usize {
        if self.has_maps {
            return self.read_with_maps(text, evidence);
        }
        // Before this position, lines are found by their line ends, because lines that were found by their width could
        // not be read.
        let (mut at, mut unguessed) = (0, 0);
        while !self.converter.is_full() && self.lines.starts.len() < self.max_records {
            if at >= unguessed
                && let Some(guessed) = self.guess(text, at)
            {
                match guessed {
                    Guessed::Converted(next) => {
                        at = next;
                        continue;
                    }
                    Guessed::Unread(next) => unguessed = next,
                }
            }
            let first = self.lines.starts.len();
            at = self.find(text, at);
            if self.lines.starts.len() == first {
                return text.len();
            }
            self.converter.add(self.lines.records(text, first), evidence);
        }
        at
    }

    /// Finds all records and the maps after them, and converts the records.
    fn read_with_maps(&mut self, text: &[u8], evidence: &dyn EvidenceSource) -> usize {
        let (mut at, mut found) = (0, usize::MAX);
        while found != self.lines.starts.len() {
            found = self.lines.starts.len();
            at = self.find(text, at);
        }
        self.lines.uniform = false;
        // The map follows a tab, if there is one.
        let map = |&end: &u32| {
            let whole = end_of_line(text, end as usize) as u32;
            whole.min(end + 1)..whole
        };
        self.converter.give_solutions(self.lines.ends.iter().map(map));
        self.converter.add(self.lines.records(text, 0), evidence);
        text.len()
    }

    /// Converts the next lines on the assumption that they are like the ones before, judging by their widths, line ends
    /// and contents. Returns `None` if the next line is not.
    fn guess(&mut self, text: &[u8], at: usize) -> Option<Guessed> {
        let width = self.converter.likely_width()?;
        let pitch = line_of_width(text, at, width)?.next - at;
        let most = BATCH.min((text.len() - at) / pitch);
        let same_end =
            |n: &usize| line_of_width(text, at + n * pitch, width).is_some_and(|l| l.next - l.start == pitch);
        let lines = (0..most).take_while(same_end).count();
        let first = self.lines.starts.len();
        self.lines.starts.extend((0..lines).map(|n| (at + n * pitch) as u32));
        self.lines.ends.extend((0..lines).map(|n| (at + n * pitch + width) as u32));
        let converted = self.converter.add_alike(self.lines.records(text, first));
        self.lines.truncate(first + converted);
        if converted == 0 {
            return Some(Guessed::Unread(at + lines * pitch));
        }
        self.lines.uniform &= pitch == width + self.lines.line_end;
        Some(Guessed::Converted(at + converted * pitch))
    }

    /// Finds up to 64 records by their line ends, starting at the start of a line. Returns where the next line begins.
    fn find(&mut self, text: &[u8], mut at: usize) -> usize {
        let most = self.lines.starts.len() + BATCH;
        while self.lines.starts.len() < most
            && let Some(line) = line_at(text, at)
        {
            at = line.next;
            if self.is_no_record(&text[line.start..line.end]) {
                (self.lines.uniform, self.lines.all_records) = (false, false);
                continue;
            }
            // After a line that ends with CR LF, the next line begins two bytes after the record's end. Without a line
            // end there is no next line.
            self.lines.uniform &= line.next == line.end + self.lines.line_end;
            self.lines.starts.push(line.start as u32);
            let tab = if self.has_maps { memchr::memchr(b'\t', &text[line.start..line.end]) } else { None };
            self.lines.ends.push(tab.map_or(line.end, |tab| line.start + tab) as u32);
        }
        at
    }

    /// Whether a line is not a record, and is copied unchanged.
    fn is_no_record(&self, content: &[u8]) -> bool {
        is_between_records(&self.plan, content)
    }

    /// Stops at the first bad record: only what precedes it is converted and counted.
    fn stop_at(&mut self, text: &[u8], refusal: Refusal, evidence: &dyn EvidenceSource) {
        let record = refusal.record;
        let (start, end) = (self.lines.starts[record] as usize, self.lines.ends[record] as usize);
        self.lines.truncate(record);
        let before = self.lines.records(text, 0);
        // Once in a run. Counting each record by itself, to take the rest out of the results, would slow all others down.
        self.converter.convert_first(before, evidence);
        self.lines.uniform = false;
        self.put_back(&text[..start]);
        let counts = &mut self.outcome.counts;
        counts.records += 1;
        counts.lines += 1;
        counts.reject(refusal.reject.code);
        self.outcome.cross_check.found += 1;
        let line = count_lines(&text[..start]);
        let end = if self.has_maps { end_of_line(text, end) } else { end };
        let record = RecordAt { line, at: start, bytes: &text[start..end] };
        self.outcome.add_row(record, refusal.reject, false);
        self.outcome.stopped = true;
    }

    /// Puts the new strings in the place of the old ones, and makes the rows of messages.
    fn put_back(&mut self, text: &[u8]) {
        let outcome = &mut self.outcome;
        let converted = self.converter.converted();
        outcome.counts = converted.counts.clone();
        outcome.cross_check = CrossCheck {
            found: self.lines.starts.len() as u64,
            good: (converted.ends.len() - converted.refused.len() - converted.passed_over.len()) as u64,
            reported: 0,
        };
        // If every line is a record, the lines need not be counted again.
        outcome.counts.lines = match self.lines.all_records {
            true => self.lines.starts.len() as u64,
            false => count_lines(text),
        };
        debug_assert_eq!(outcome.counts.lines, count_lines(text), "lines of a text");
        self.report(text);
        if collects_keys(&self.plan) {
            self.collect(text);
        }
        let refused = !self.converter.converted().refused.is_empty();
        let all_pass = self.converter.converted().passed_over.is_empty();
        // Lines of refused records are left out with their line ends, and refused records have no text.
        let without_refused = !refused || self.plan.bad == Bad::Reject;
        let bare = self.appended.is_empty();
        match self.plan.emit {
            Emit::Nothing => {}
            Emit::Digits => self.outcome.text.push(self.converter.converted().text.as_slice()),
            emit if emit.writes() && bare && self.lines.uniform && without_refused => {
                match self.outcome.text.is_empty() {
                    true => self.converter.swap_text(&mut self.outcome.text),
                    false => self.outcome.text.push(self.converter.converted().text.as_slice()),
                }
            }
            Emit::AsTheyAre if bare && all_pass && (!refused || self.plan.bad == Bad::Keep) => {
                self.outcome.text.push(text)
            }
            _ => self.assemble(text),
        }
    }

    /// Collects the keys of all records.
    fn collect(&mut self, text: &[u8]) {
        let Self { converter, outcome, lines, plan, .. } = self;
        let converted = converter.converted();
        let mut refused = converted.refused.iter().map(|refusal| refusal.record).peekable();
        let (mut line, mut counted) = (0, 0);
        for (record, &start) in lines.starts.iter().enumerate() {
            if plan.facts.map {
                line += count_lines(&text[counted..start as usize]);
                counted = start as usize;
            }
            let good = refused.next_if_eq(&record).is_none();
            outcome.collect(converted, record..record + 1, good, line);
        }
    }

    /// Makes the rows of refused records, notices and solved cells, with their lines.
    fn report(&mut self, text: &[u8]) {
        let Self { converter, outcome, lines: LineRecords { starts, ends, .. }, has_maps, .. } = self;
        let converted = converter.converted();
        let whole = |end: u32| if *has_maps { end_of_line(text, end as usize) } else { end as usize };
        let (mut line, mut counted) = (0, 0);
        let mut place = |record: usize| {
            let start = starts[record] as usize;
            line += count_lines(&text[counted..start]);
            counted = start;
            (line, start, &text[start..whole(ends[record])])
        };
        let mut refused = converted.refused.iter().peekable();
        let mut notices = converted.notices.iter().peekable();
        loop {
            let said = match (refused.peek(), notices.peek()) {
                (Some(refusal), Some(notice)) if refusal.record > notice.record => notices.next(),
                (Some(_), _) => refused.next(),
                (None, _) => notices.next(),
            };
            let Some(Refusal { record, reject, .. }) = said else { break };
            let warning = converted.refused.binary_search_by_key(record, |refusal| refusal.record).is_err();
            let (line, at, bytes) = place(*record);
            outcome.add_row(RecordAt { line, at, bytes }, reject.clone(), warning);
        }
        let (mut line, mut counted) = (0, 0);
        for solved in &converted.solved {
            let start = starts[solved.record] as usize;
            line += count_lines(&text[counted..start]);
            counted = start;
            outcome.solved.push(SolvedLine { line, cell: solved.cell, side: solved.side });
        }
    }

    /// Assembles the text: new strings replace the old ones, and the text between them is copied.
    fn assemble(&mut self, text: &[u8]) {
        let Self { converter, outcome, lines, plan, appended, solved, has_maps, .. } = self;
        let converted = converter.converted();
        solved.take(converted, lines.records(text, 0));
        let mut refused = converted.refused.iter().map(|refusal| refusal.record).peekable();
        outcome.cross_check.good = 0;
        let mut copied = 0;
        for (record, (&start, &end)) in lines.starts.iter().zip(&lines.ends).enumerate() {
            let (start, end) = (start as usize, end as usize);
            let (is_refused, passed_over) = (refused.next_if_eq(&record).is_some(), converted.is_passed_over(record));
            if is_refused || passed_over {
                if passed_over || plan.bad == Bad::Reject {
                    outcome.text.push(&text[copied..start]);
                    copied = line_at(text, end).map_or(text.len(), |rest| rest.next);
                }
                continue;
            }
            outcome.cross_check.good += 1;
            if plan.emit.writes() {
                let string = converted.string(record);
                outcome.text.push(&text[copied..start]);
                outcome.text.push(&string[..string.len().saturating_sub(lines.line_end)]);
                copied = if *has_maps { end_of_line(text, end) } else { end };
            } else if !appended.is_empty() {
                outcome.text.push(&text[copied..end]);
                copied = end;
            }
            for what in appended.iter() {
                outcome.text.push(b"\t");
                what.value(converted, solved, record).write(&mut outcome.text);
            }
        }
        outcome.text.push(&text[copied..]);
    }
}

/// Whether a line is not a record, such as an empty line or a comment.
pub(super) fn is_between_records(plan: &Conversion, line: &[u8]) -> bool {
    is_no_record(line, plan.from == Some(Format::Wolfram)) && (plan.from.is_some() || !begins_like_a_comment(line))
}

/// Returns the end of the line that contains the position `end`.
fn end_of_line(text: &[u8], end: usize) -> usize {
    line_at(text, end).map_or(end, |rest| rest.end)
}

/// What happened to guessed lines, with the start of the lines that follow.
enum Guessed {
    Converted(usize),
    /// Some of them cannot be read: a line end or a comment may be inside one.
    Unread(usize),
}
