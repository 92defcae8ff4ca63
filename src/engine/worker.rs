//! One chunk of text to the text that it becomes: records are found, decoded, changed, encoded and put back among what
//! stands around them. Pure: bytes in, bytes and counts out.

use super::counts::Counts;
use super::plan::{Bad, Conversion, Level, Written};
use super::verdicts::{Verdicts, judge};
use crate::board::{BATCH, Batch, Cell, Kind, Notes, Shape, fill_notes};
use crate::check::{self, Problem};
use crate::error::{Code, Reject};
use crate::formats::{
    By, Evidence, Flavour, Form, Holds, Id, Losses, Records, Text, Verdict, again, flatten, losses, recognise,
    settle_weighed, weigh,
};
use crate::kernels::{Kernel, all_bits};
use crate::records::{Line, MAX_LINE, is_no_record, line_at, line_of_width};

/// Bytes of a line that is too long which its reject row shows.
pub const SHOWN: usize = 256;

/// A refused record of a chunk.
#[derive(Debug, Clone)]
pub struct Row {
    /// The line, from 0 in its chunk.
    pub line: u64,
    /// Its first byte, from 0 in its chunk.
    pub at: usize,
    /// Why.
    pub reject: Reject,
    /// The record, or the first 256 bytes of a line that is too long.
    pub record: Vec<u8>,
    /// The whole length of a line that is too long.
    pub too_long: Option<u64>,
    /// It only warns: the record is not refused for it.
    pub warning: bool,
}

/// A cell read as solved that may have been a single candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solved {
    /// The line, from 0 in its chunk.
    pub line: u64,
    /// The cell, from 0.
    pub cell: u16,
    /// The side of its board.
    pub side: u8,
}

/// Records of one form that follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stretch {
    /// The line of the first, from 0 in its chunk.
    pub(super) line: u64,
    /// Their format.
    pub(super) id: Id,
    /// Their kind.
    pub(super) kind: Kind,
}

/// What became of a chunk.
#[derive(Default)]
pub struct Outcome {
    /// The text.
    pub text: Text,
    /// The refused records, in order.
    pub rows: Vec<Row>,
    /// The solved cells to be listed, in order.
    pub solved: Vec<Solved>,
    /// Where records of another form begin than those before, if that was asked for.
    pub(super) stretches: Vec<Stretch>,
    /// What was counted.
    pub counts: Counts,
    /// The header that the chunk begins with.
    pub(super) header: Option<Vec<u8>>,
    /// `--bad stop` met a bad record: the text ends before it, and its row is the last.
    pub stopped: bool,
}

impl Outcome {
    fn clear(&mut self) {
        self.text.clear();
        self.rows.clear();
        self.solved.clear();
        self.stretches.clear();
        self.counts.clear();
        self.header = None;
        self.stopped = false;
    }
}

/// How boards of one source shape are written, or why they cannot be.
struct Way {
    source: Shape,
    target: Result<Target, Reject>,
}

#[derive(Clone, Copy)]
struct Target {
    form: Form,
    holds: Holds,
    /// Boards of the source shape keep all that their kind says.
    whole: bool,
}

/// Up to 64 records of one form that follow each other, with what stands between them. Positions are bytes of the text.
struct Run {
    form: Option<Form>,
    len: usize,
    /// Each record's line, from 0 in the chunk.
    lines: [u64; BATCH],
    starts: [u32; BATCH],
    ends: [u32; BATCH],
    /// Behind the record's own line end.
    nexts: [u32; BATCH],
    /// Behind the lines that follow it and are no records.
    gaps: [u32; BATCH],
    /// Lines were found by their width alone: a line end, a comment or a string of another form may hide in one.
    guessed: bool,
    /// Every record is followed by one LF and by the next record.
    uniform: bool,
    /// Str8ts records whose layout was to be found, by what it was found.
    layouts: [u64; By::ALL.len()],
}

impl Run {
    fn new() -> Self {
        Self {
            form: None,
            len: 0,
            lines: [0; BATCH],
            starts: [0; BATCH],
            ends: [0; BATCH],
            nexts: [0; BATCH],
            gaps: [0; BATCH],
            guessed: false,
            uniform: true,
            layouts: [0; By::ALL.len()],
        }
    }

    fn push(&mut self, line: Line, number: u64) {
        self.lines[self.len] = number;
        self.starts[self.len] = line.start as u32;
        self.ends[self.len] = line.end as u32;
        self.nexts[self.len] = line.next as u32;
        self.gaps[self.len] = line.next as u32;
        // With a CR the next line begins two bytes on; without any line end, none.
        self.uniform &= line.next == line.end + 1;
        self.len += 1;
    }

    /// Takes `lines` lines of one width and pitch that begin at a cursor.
    fn push_all(&mut self, from: Cursor, width: usize, pitch: usize, lines: usize) {
        let places = self.len..self.len + lines;
        let at = |n: usize| (from.at + n * pitch) as u32;
        self.lines[places.clone()].iter_mut().enumerate().for_each(|(n, line)| *line = from.line + n as u64);
        self.starts[places.clone()].iter_mut().enumerate().for_each(|(n, start)| *start = at(n));
        self.ends[places.clone()].iter_mut().enumerate().for_each(|(n, end)| *end = at(n) + width as u32);
        self.nexts[places.clone()].iter_mut().enumerate().for_each(|(n, next)| *next = at(n + 1));
        self.gaps[places].iter_mut().enumerate().for_each(|(n, gap)| *gap = at(n + 1));
        self.uniform &= pitch == width + 1;
        self.len += lines;
    }

    fn records<'a>(&'a self, text: &'a [u8]) -> Records<'a> {
        Records { bytes: text, starts: &self.starts[..self.len], ends: &self.ends[..self.len] }
    }
}

/// What a line is taken for.
enum Seen {
    /// A record of this form; of a Str8ts string whose layout was to be found, with what it was found by.
    Record(Form, Option<By>),
    Refused(Reject),
    /// A Str8ts string whose layout is for the other strings to say, and they were not asked yet.
    Tied,
}

/// Where the next line begins: its first byte and its number, from 0 in the chunk.
#[derive(Clone, Copy, PartialEq)]
struct Cursor {
    at: usize,
    line: u64,
}

/// A worker: converts one chunk after the other with memory of its own.
pub struct Worker {
    plan: Conversion,
    kernel: &'static Kernel,
    run: Run,
    batch: Batch,
    flat: Batch,
    scratch: Text,
    ends: [usize; BATCH],
    /// Records of the run at hand that lost something in reading.
    doubtful: u64,
    /// Refusals of the run at hand, by record.
    refused: Vec<(usize, Reject)>,
    /// What else is to be said of records of the run at hand, in order.
    notices: Vec<(usize, Reject)>,
    /// How many solutions boards have.
    verdicts: Verdicts,
    way: Option<Way>,
    /// What the first strings say of Str8ts layouts, once they were asked.
    evidence: Option<Evidence>,
    /// A string of the chunk at hand waits for that.
    tied: bool,
    /// The chunk at hand has Str8ts strings whose layout was to be found.
    weighed: bool,
    /// Every line is a record: comments stand between records of text, not in the fields of tables.
    every_line: bool,
    /// Stretches are listed.
    stretches: bool,
    /// What became of the chunk at hand.
    pub outcome: Outcome,
}

impl Worker {
    /// A worker for a conversion.
    pub fn new(plan: Conversion, kernel: &'static Kernel) -> Self {
        Self {
            plan,
            kernel,
            run: Run::new(),
            batch: Batch::new(),
            flat: Batch::new(),
            scratch: Text::new(),
            ends: [0; BATCH],
            doubtful: 0,
            refused: Vec::new(),
            notices: Vec::new(),
            verdicts: Verdicts::new(plan.checks, plan.written, kernel),
            way: None,
            evidence: None,
            tied: false,
            weighed: false,
            every_line: false,
            stretches: false,
            outcome: Outcome::default(),
        }
    }

    /// Takes every line for a record, also those that look like comments; lists stretches if asked to.
    pub(super) fn with_every_line(self, stretches: bool) -> Self {
        Self { every_line: true, stretches, ..self }
    }

    /// Begins a chunk.
    pub fn begin(&mut self) {
        self.outcome.clear();
        self.tied = false;
        self.weighed = false;
    }

    /// Whether [`Worker::convert`] met a string whose Str8ts layout it cannot tell without what others say. Then nothing of
    /// the chunk counts: [`Worker::know`] and begin again.
    pub fn is_tied(&self) -> bool {
        self.tied
    }

    /// Whether the chunk may have something to say of Str8ts layouts: see [`Worker::weigh`].
    pub fn has_weighed(&self) -> bool {
        self.weighed
    }

    /// What the first strings of the inputs say of Str8ts layouts.
    pub fn know(&mut self, evidence: Evidence) {
        self.evidence = Some(evidence);
    }

    /// What the records that begin in the first `window` bytes of whole lines say of Str8ts layouts.
    pub fn weigh(&self, text: &[u8], window: usize) -> Evidence {
        let mut evidence = Evidence::default();
        let lines = std::iter::successors(line_at(text, 0), |line| line_at(text, line.next));
        for line in lines.take_while(|line| line.start < window) {
            let content = &text[line.start..line.end];
            if self.is_no_record(content) {
                continue;
            }
            if let Ok(form) = self.recognise(content)
                && form.flavour == Flavour::Undecided
            {
                evidence.add(&form, weigh(&form, content));
            }
        }
        evidence
    }

    /// Copies bytes through.
    pub fn copy(&mut self, bytes: &[u8]) {
        if self.plan.written != Written::Nothing {
            self.outcome.text.push(bytes);
        }
    }

    /// Converts whole lines: `text` begins at the start of a line and ends at the end of one or of its input. Call it once a
    /// chunk; rows and lines are numbered from its start.
    pub fn convert(&mut self, text: &[u8]) {
        if self.plan.checks.level < Level::Unique {
            return self.pass(text);
        }
        let before = self.outcome.text.len();
        self.verdicts.begin();
        self.pass(text);
        if !self.tied && !self.verdicts.settle() {
            self.outcome.text.truncate(before);
            self.outcome.rows.clear();
            self.outcome.solved.clear();
            self.outcome.stretches.clear();
            self.outcome.counts.clear();
            self.outcome.stopped = false;
            self.pass(text);
        }
    }

    /// Works through whole lines once.
    fn pass(&mut self, text: &[u8]) {
        let mut cursor = Cursor { at: 0, line: 0 };
        // Up to here lines are found by their ends, since a run whose lines were guessed did not decode.
        let mut careful = 0;
        loop {
            let end = self.collect(text, cursor, careful);
            if self.tied {
                return;
            }
            if self.outcome.stopped || self.run.len == 0 {
                cursor = end;
                break;
            }
            if self.process(text) {
                cursor = end;
            } else {
                cursor = Cursor { at: self.run.starts[0] as usize, line: self.run.lines[0] };
                careful = end.at;
            }
            if self.outcome.stopped {
                break;
            }
        }
        self.outcome.counts.lines += cursor.line;
    }

    /// Collects the next run. What stands before it and is no record is copied, records that no format knows are refused.
    fn collect(&mut self, text: &[u8], mut cursor: Cursor, careful: usize) -> Cursor {
        self.run.len = 0;
        self.run.guessed = false;
        self.run.uniform = true;
        self.run.layouts = [0; By::ALL.len()];
        while self.run.len < BATCH {
            if cursor.at >= careful
                && let Some(next) = self.guess(text, cursor)
            {
                cursor = next;
                continue;
            }
            let Some(line) = line_at(text, cursor.at) else { break };
            if !self.look(text, line, cursor.line) {
                break;
            }
            cursor = Cursor { at: line.next, line: cursor.line + 1 };
            if self.outcome.stopped {
                break;
            }
        }
        cursor
    }

    /// Takes lines into the run that by their width, their ends and what stands in them look like more of the form at hand.
    /// Returns where the first of the other lines begins, or nothing if the next one is such already.
    fn guess(&mut self, text: &[u8], cursor: Cursor) -> Option<Cursor> {
        let form = self.run.form.as_ref().filter(|form| form.width > 0)?;
        let (width, at, auto) = (form.width, cursor.at, self.plan.from.is_none());
        let pitch = line_of_width(text, at, width)?.next - at;
        let most = (BATCH - self.run.len).min((text.len() - at) / pitch);
        let same_end =
            |n: &usize| line_of_width(text, at + n * pitch, width).is_some_and(|l| l.next - l.start == pitch);
        let same_form = |n: &usize| again(form, &text[at + n * pitch..][..width], auto, &self.plan.hints);
        let lines = (0..most).take_while(same_end).take_while(same_form).count();
        if lines == 0 {
            return None;
        }
        self.run.guessed = true;
        self.run.push_all(cursor, width, pitch, lines);
        Some(Cursor { at: at + lines * pitch, line: cursor.line + lines as u64 })
    }

    /// Takes a line into the run, or copies or refuses it. False if the run at hand has to be processed first.
    fn look(&mut self, text: &[u8], line: Line, number: u64) -> bool {
        let content = &text[line.start..line.end];
        if self.is_no_record(content) {
            match self.run.len {
                0 => self.copy(&text[line.start..line.next]),
                n => {
                    self.run.gaps[n - 1] = line.next as u32;
                    self.run.uniform = false;
                }
            }
            return true;
        }
        match self.see(content) {
            Seen::Record(form, by) => {
                if self.run.len > 0 && self.run.form != Some(form) {
                    return false;
                }
                self.run.form = Some(form);
                self.run.push(line, number);
                if let Some(by) = by {
                    self.run.layouts[by as usize] += 1;
                }
                true
            }
            Seen::Tied => {
                self.tied = true;
                false
            }
            Seen::Refused(_) if self.run.len > 0 => false,
            Seen::Refused(reject) => {
                self.outcome.counts.records += 1;
                self.refuse(text, line.start..line.end, line.next, number, reject);
                true
            }
        }
    }

    /// Whether a line is copied through.
    fn is_no_record(&self, content: &[u8]) -> bool {
        !self.every_line && is_no_record(content, self.plan.from == Some(Id::Wolfram))
    }

    /// What a line is, and for Str8ts in which layout.
    fn see(&mut self, content: &[u8]) -> Seen {
        let form = match self.recognise(content) {
            Ok(form) if form.flavour == Flavour::Undecided => form,
            Ok(form) => return Seen::Record(form, None),
            Err(reject) => return Seen::Refused(reject),
        };
        self.weighed = true;
        let verdict = weigh(&form, content);
        let evidence = match (&self.evidence, verdict) {
            (None, Verdict::Tied(_)) => return Seen::Tied,
            (None, _) => &Evidence::default(), // not asked
            (Some(evidence), _) => evidence,
        };
        match settle_weighed(form, content, verdict, evidence) {
            Ok((form, by)) => Seen::Record(form, Some(by)),
            Err(reject) => Seen::Refused(reject),
        }
    }

    fn recognise(&self, content: &[u8]) -> Result<Form, Reject> {
        if content.len() > MAX_LINE {
            return Err(too_long(MAX_LINE));
        }
        recognise(content, self.plan.from, &self.plan.hints)
    }

    /// Refuses a record: counts it, and drops it, copies it or stops, as the plan says.
    fn refuse(&mut self, text: &[u8], record: std::ops::Range<usize>, next: usize, line: u64, reject: Reject) {
        self.outcome.counts.reject(reject.code);
        let length = record.len();
        let too_long = (reject.code == Code::TooLong).then_some(length as u64);
        let shown = if too_long.is_some() { length.min(SHOWN) } else { length };
        let bytes = text[record.start..record.start + shown].to_vec();
        self.outcome.rows.push(Row { line, at: record.start, reject, record: bytes, too_long, warning: false });
        match self.plan.bad {
            Bad::Reject => {}
            Bad::Keep => self.outcome.text.push(&text[record.start..next]),
            Bad::Stop => self.outcome.stopped = true,
        }
    }

    /// Converts the run. False if its lines were guessed and the guess was wrong; then nothing was done.
    fn process(&mut self, text: &[u8]) -> bool {
        let Some(form) = self.run.form else { return true };
        if self.rewrite(text, form) {
            return true;
        }
        let all = all_bits(self.run.len);
        let records = self.run.records(text);
        let decoded = form.id.format().decode(form, records, &mut self.batch, self.kernel);
        if decoded.good != all && self.run.guessed && self.guess_was_wrong(text, form, decoded.good) {
            return false;
        }
        self.doubtful = decoded.doubtful & decoded.good;
        self.refused.clear();
        self.notices.clear();
        for i in bits(all & !decoded.good) {
            self.refused.push((i, form.id.format().explain(form, records.get(i))));
        }
        self.count(form);
        if self.plan.notes != Notes::Keep {
            for i in bits(decoded.good) {
                let left = fill_notes(&mut self.batch, i, self.plan.notes);
                self.outcome.counts.cells_left_with_nothing += left as u64;
            }
        }
        let good = self.check(text, form, decoded.good);
        let written = match self.plan.written {
            Written::Encoded => match self.way(self.batch.shape()) {
                Ok(target) => self.encode(text, target, good),
                Err(reject) => {
                    self.refused.extend(bits(good).map(|i| (i, reject.clone())));
                    self.assemble(text, 0)
                }
            },
            _ => self.pass_on(text, form, good),
        };
        if decoded.solved > 0 {
            self.count_solved(written, if written == all { Some(decoded.solved) } else { None });
        }
        true
    }

    /// Takes a kernel's straight way from text to text, if there is one and nothing is to be seen to on it. True if the run is
    /// done; otherwise nothing was.
    fn rewrite(&mut self, text: &[u8], form: Form) -> bool {
        let plan = &self.plan;
        let looked_at = plan.checks.level > Level::Syntax || plan.checks.clue_counts || plan.list_solved;
        if looked_at || plan.notes != Notes::Keep || plan.written != Written::Encoded || !self.run.uniform {
            return false;
        }
        let Ok(target) = self.way(form.shape) else { return false };
        if !target.whole {
            return false;
        }
        let (records, out) = (self.run.records(text), &mut self.outcome.text);
        let forms = [form, target.form];
        let done = form.id.format().rewrite(forms, records, self.kernel, out, 1, &mut self.ends);
        let Some(decoded) = done else { return false };
        let bytes = self.outcome.text.as_mut_slice();
        self.ends[..self.run.len].iter().for_each(|&end| bytes[end] = b'\n');
        self.count(form);
        self.outcome.counts.solved_cells += u64::from(decoded.solved);
        true
    }

    /// Counts the records of the run.
    fn count(&mut self, form: Form) {
        self.outcome.counts.records += self.run.len as u64;
        self.outcome.counts.form(form.id, form.shape.kind, self.run.len as u64);
        if self.stretches {
            let stretch = Stretch { line: self.run.lines[0], id: form.id, kind: form.shape.kind };
            self.outcome.stretches.push(stretch);
        }
        self.outcome.counts.layouts(form.id, form.flavour, self.run.layouts);
    }

    /// Checks the boards in `good` as the plan says. Returns those that pass; the others are refused.
    fn check(&mut self, text: &[u8], form: Form, good: u64) -> u64 {
        let (level, all_given) = (self.plan.checks.level, !form.id.format().holds(form).clue);
        if self.plan.checks.clue_counts {
            bits(good).for_each(|i| self.count_givens(i, all_given));
        }
        if level == Level::Unique && !self.verdicts.answered() {
            // What is against a rule has no solution, so the answers will tell.
            self.verdicts.ask(&self.batch, good, all_given);
            return good;
        }
        if level == Level::Syntax {
            return good;
        }
        // One by one the rules take as long as the search, and where that found the solution of a board of givens alone, they
        // have nothing to say; but regions may.
        let later = level == Level::Unique && !check::is_quick(&self.batch) && !form.shape.kind.has_regions();
        let fine = if later { 0 } else { check::fine(&self.batch, good, self.kernel) };
        let mut passed = good;
        self.scratch.clear();
        self.ends.fill(0);
        for i in bits(if level == Level::Unique { good } else { good & !fine }) {
            let mut problems = Vec::new();
            if level == Level::Unique {
                problems.extend(self.count_solutions(text, i, all_given));
            }
            let nothing = fine >> i & 1 == 1 || later && problems.is_empty() && self.is_given(i, all_given);
            if !nothing {
                let rules = check::problems(&self.batch, i);
                // Where a rule says why there is no solution, that is enough.
                if rules.iter().any(|problem| !problem.warning) {
                    problems.retain(|problem| problem.reject.code != Code::NoSolution);
                }
                problems.splice(0..0, rules);
            }
            if self.note(i, problems) {
                passed &= !(1 << i);
            }
        }
        passed
    }

    /// What a board's solutions say against it. Where solutions are written, writes the record with its own into the scratch
    /// text.
    fn count_solutions(&mut self, text: &[u8], i: usize, all_given: bool) -> Option<Problem> {
        let answer = self.verdicts.answer(&self.batch, i, all_given);
        if self.plan.written == Written::Solved {
            self.scratch.push(self.run.records(text).get(i));
            self.scratch.push(b"\t");
            let solution = answer.solution.unwrap_or_default();
            solution.iter().for_each(|&digit| self.scratch.push(&[DIGITS[usize::from(digit)]]));
            self.ends[i] = self.scratch.len();
        }
        judge(&self.batch, i, &answer, &self.plan.checks).map(|reject| Problem { reject, warning: false })
    }

    /// Whether a board holds nothing but givens.
    fn is_given(&self, i: usize, all_given: bool) -> bool {
        let more = |cell| match self.batch.cell(i, cell) {
            Cell::Solved(_) => !all_given,
            Cell::Candidates(_) => true,
            _ => false,
        };
        !(0..self.batch.shape().side.cells()).any(more)
    }

    /// Takes down what was found of a record: the first problem refuses it. True if it does.
    fn note(&mut self, i: usize, problems: Vec<Problem>) -> bool {
        let (warnings, problems): (Vec<_>, Vec<_>) = problems.into_iter().partition(|problem| problem.warning);
        let refused = !problems.is_empty();
        let all = self.plan.checks.all;
        let mut codes = Vec::new();
        for Problem { mut reject, warning } in problems.into_iter().chain(warnings) {
            let is_new = !codes.contains(&reject.code);
            codes.push(reject.code);
            if warning {
                if is_new {
                    self.outcome.counts.warn(reject.code);
                }
                reject.message.insert_str(0, "warning: ");
            } else if codes.len() == 1 {
                self.refused.push((i, reject));
                continue;
            } else if is_new && all {
                *self.outcome.counts.codes.entry(reject.code).or_default() += 1;
            }
            if all {
                self.notices.push((i, reject));
            }
        }
        refused
    }

    fn count_givens(&mut self, i: usize, all_given: bool) {
        let cells = (0..self.batch.shape().side.cells()).map(|cell| self.batch.cell(i, cell));
        let given = |cell: &Cell| match cell {
            Cell::Clue(_) | Cell::BlackClue(_) => true,
            Cell::Solved(_) => all_given,
            _ => false,
        };
        let clues = cells.filter(given).count();
        *self.outcome.counts.clue_counts.entry(clues as u16).or_default() += 1;
    }

    /// Passes good records on as they are, or leaves them. Returns those that are good after all.
    fn pass_on(&mut self, text: &[u8], form: Form, good: u64) -> u64 {
        let mut passed = good;
        for i in bits(good & self.doubtful) {
            let losses = form.id.format().read_losses(form, self.run.records(text).get(i));
            let mut reject = losses.reject("", self.batch.shape().side.get());
            reject.message = format!("reading it loses: {losses}");
            self.refused.push((i, reject));
            passed &= !(1 << i);
        }
        // Of those that could not be read there is nothing in the scratch text.
        (1..self.run.len).for_each(|i| self.ends[i] = self.ends[i].max(self.ends[i - 1]));
        let all = all_bits(self.run.len);
        if passed == all && self.plan.written != Written::Solved && self.notices.is_empty() {
            let (first, last) = (self.run.starts[0] as usize, self.run.gaps[self.run.len - 1] as usize);
            self.copy(&text[first..last]);
            return all;
        }
        self.assemble(text, passed)
    }

    /// Whether a refused record of guessed lines holds a line end, is a comment, or is of another form than the others when it
    /// is looked at alone. (One that is not refused has only digits of the form, and [`again`] knows what else those can be.)
    fn guess_was_wrong(&self, text: &[u8], form: Form, good: u64) -> bool {
        let records = self.run.records(text);
        bits(all_bits(self.run.len) & !good).any(|i| {
            let record = records.get(i);
            memchr::memchr(b'\n', record).is_some()
                || self.is_no_record(record)
                || self.recognise(record).ok() != Some(form)
        })
    }

    /// How boards of a shape are written; worked out once for each shape.
    fn way(&mut self, source: Shape) -> Result<Target, Reject> {
        let way = match self.way.take() {
            Some(way) if way.source == source => way,
            _ => {
                let format = self.plan.to.format();
                let target = format.writes(source).map(|form| {
                    let form =
                        form.write_as(self.plan.str8ts_write.filter(|_| form.id == Id::V2).unwrap_or(form.flavour));
                    let holds = format.holds(form);
                    Target { form, holds, whole: holds.whole_shape(source) }
                });
                Way { source, target }
            }
        };
        self.way.insert(way).target.clone()
    }

    /// Encodes the well-formed boards and puts the run together. Returns the records that were written.
    fn encode(&mut self, text: &[u8], target: Target, good: u64) -> u64 {
        let format = target.form.id.format();
        let all = all_bits(self.run.len);
        let said = !self.notices.is_empty();
        if good == all && !said && target.whole && self.doubtful == 0 && self.run.uniform && !self.batch.has_groups() {
            let start = self.outcome.text.len();
            let out = &mut self.outcome.text;
            let held = format.encode(target.form, &self.batch, self.kernel, out, 1, &mut self.ends);
            if held == all {
                let bytes = self.outcome.text.as_mut_slice();
                self.ends[..self.run.len].iter().for_each(|&end| bytes[end] = b'\n');
                return all;
            }
            self.outcome.text.truncate(start);
        }
        let written = self.encode_apart(text, target, good);
        self.assemble(text, written)
    }

    /// Encodes into the scratch text, sorting out losses. Returns the records that can be written.
    fn encode_apart(&mut self, text: &[u8], target: Target, good: u64) -> u64 {
        let format = target.form.id.format();
        self.scratch.clear();
        let mut held = 0;
        if target.whole {
            held = format.encode(target.form, &self.batch, self.kernel, &mut self.scratch, 0, &mut self.ends);
        }
        if !target.holds.groups && self.batch.has_groups() {
            let kind = self.batch.shape().kind;
            let lost = |&i: &usize| self.batch.groups(i).is_some_and(|groups| !groups.implied_by(kind));
            bits(good).filter(lost).for_each(|i| held &= !(1 << i));
        }
        let losing = good & !held | self.doubtful;
        if losing == 0 {
            return good;
        }
        let mut written = good;
        for i in bits(losing) {
            if let Some(reject) = self.refusal(text, target, i, held) {
                self.refused.push((i, reject));
                written &= !(1 << i);
            }
        }
        if losing & written == 0 {
            return written;
        }
        flatten(&self.batch, target.form.shape, &target.holds, &mut self.flat);
        self.scratch.clear();
        let held = format.encode(target.form, &self.flat, self.kernel, &mut self.scratch, 0, &mut self.ends);
        for i in bits(written & !held) {
            self.refused.push((i, no_loss_found(target.form.id)));
        }
        written &= held;
        for i in bits(losing & written) {
            let losses = self.losses(text, target, i);
            self.outcome.counts.lose(&losses);
        }
        written
    }

    /// Why a record that loses something, or was not held, is not written.
    fn refusal(&self, text: &[u8], target: Target, i: usize, held: u64) -> Option<Reject> {
        if held >> i & 1 == 0
            && let Some(reject) = target.form.id.format().unwritable(target.form, &self.batch, i)
        {
            return Some(reject);
        }
        let losses = self.losses(text, target, i);
        if losses.is_empty() {
            return Some(no_loss_found(target.form.id));
        }
        (!self.plan.lossy).then(|| losses.reject(target.form.id.name(), self.batch.shape().side.get()))
    }

    /// What a record lost in reading, and would lose in writing.
    fn losses(&self, text: &[u8], target: Target, i: usize) -> Losses {
        let mut losses = losses(&self.batch, i, &target.holds);
        if let Some(form) = self.run.form.filter(|_| self.doubtful >> i & 1 == 1) {
            losses.join(&form.id.format().read_losses(form, self.run.records(text).get(i)));
        }
        losses
    }

    /// Puts the run together: encoded records in place of the old ones, what stands between them as it was.
    fn assemble(&mut self, text: &[u8], written: u64) -> u64 {
        let mut refused = std::mem::take(&mut self.refused);
        refused.sort_by_key(|&(i, _)| i);
        let mut refused_in_order = refused.drain(..);
        let mut notices = std::mem::take(&mut self.notices).into_iter().peekable();
        let mut done = 0;
        for i in 0..self.run.len {
            let (start, end) = (self.run.starts[i] as usize, self.run.ends[i] as usize);
            let (next, gap) = (self.run.nexts[i] as usize, self.run.gaps[i] as usize);
            if written >> i & 1 == 1 {
                let from = if i == 0 { 0 } else { self.ends[i - 1] };
                match self.plan.written {
                    Written::Encoded | Written::Solved => {
                        self.outcome.text.push(&self.scratch.as_slice()[from..self.ends[i]]);
                        self.outcome.text.push(&text[end..next]);
                    }
                    Written::AsTheyAre => self.outcome.text.push(&text[start..next]),
                    Written::Nothing => {}
                }
                done |= 1 << i;
            } else if let Some((_, reject)) = refused_in_order.next() {
                self.refuse(text, start..end, next, self.run.lines[i], reject);
                if self.outcome.stopped {
                    self.outcome.counts.records -= (self.run.len - i - 1) as u64;
                    break;
                }
            }
            while let Some((_, reject)) = notices.next_if(|(of, _)| *of == i) {
                let (record, warning) = (text[start..end].to_vec(), written >> i & 1 == 1);
                let line = self.run.lines[i];
                self.outcome.rows.push(Row { line, at: start, reject, record, too_long: None, warning });
            }
            self.copy(&text[next..gap]);
        }
        drop(refused_in_order);
        self.refused = refused;
        done
    }

    /// Counts the solved cells of the records that were written, and lists them if asked to.
    fn count_solved(&mut self, written: u64, known: Option<u32>) {
        if let (Some(cells), false) = (known, self.plan.list_solved) {
            self.outcome.counts.solved_cells += u64::from(cells);
            return;
        }
        let side = self.batch.shape().side;
        for i in bits(written) {
            for cell in (0..side.cells()).filter(|&cell| matches!(self.batch.cell(i, cell), Cell::Solved(_))) {
                self.outcome.counts.solved_cells += 1;
                if self.plan.list_solved {
                    let (line, cell, side) = (self.run.lines[i], cell as u16, side.get() as u8);
                    self.outcome.solved.push(Solved { line, cell, side });
                }
            }
        }
    }
}

/// Digits as they are written in solutions: after 9 the letters, as in v2; a point for a black cell without a digit.
const DIGITS: &[u8; 26] = b".123456789ABCDEFGHIJKLMNOP";

/// The refusal of a board that a format does not take although nothing of it would be lost: a fault of this program, and not
/// to be hidden.
fn no_loss_found(target: Id) -> Reject {
    Reject::whole(
        Code::Unsupported,
        format!("internal error: {target} does not take this board, but no loss was found"),
    )
}

/// The refusal of a line, or a row, of more than `longest` bytes.
pub fn too_long(longest: usize) -> Reject {
    let message = match longest {
        MAX_LINE => format!("a line of more than {MAX_LINE} bytes is no puzzle string"),
        _ => format!("a row has at most {longest} bytes (in CSV: is a quote never closed?)"),
    };
    Reject::whole(Code::TooLong, message)
}

/// The numbers of the bits that are set.
fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(bit)
    })
}
