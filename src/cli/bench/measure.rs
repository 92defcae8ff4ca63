//! Measures one figure: a task on a text, which is first checked and then timed in alternation with memcpy.

use std::fmt;
use std::hint::black_box;
use std::time::Instant;

use anyhow::{bail, ensure};

use crate::board::{BATCH, Batch, Kind};
use crate::canon::CanonicalForm;
use crate::engine::{CHUNK_SIZE, CanonicalPlan, Canonize, CheckLevel, Checks, Conversion, Counts, Emit, Facts, Worker};
use crate::error::Code;
use crate::formats::{
    Codec, Evidence, Form, Format, FormatLayouts, Hints, REGISTRY, Records, StringsOut, Text, recognise,
};
use crate::framing::{count_lines, line_at};
use crate::kernels::{Kernel, SCALAR};

/// What is done with a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    /// From strings to boards, with every check of the format.
    Decode,
    /// From boards to strings.
    Encode,
    /// From strings to strings: lines, decoding, encoding, as in a run of `convert` between reading and writing.
    Convert { from: Option<Format>, to: Format },
    /// From strings to verdicts, as in a run of `validate` between reading and reporting.
    Validate { level: CheckLevel },
    /// From strings to canonical strings with their keys, as in a run of `canon --key`.
    Canon,
    /// From strings to grades, as in a run of `validate --add grade`.
    Grade,
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decode => f.pad("decode"),
            Self::Encode => f.pad("encode"),
            Self::Convert { to, .. } => f.pad(&format!("convert to {to}")),
            Self::Validate { level } => f.pad(&format!("validate {}", level.name())),
            Self::Canon => f.pad("canon"),
            Self::Grade => f.pad("grade"),
        }
    }
}

/// The text to work on.
pub(super) struct Data {
    pub(super) name: String,
    text: Vec<u8>,
    /// Every different line of this text occurs in its first `unique` bytes.
    unique: usize,
    lines: u64,
    /// The form of all lines, if it is the same.
    form: Option<Form>,
    kind: Option<Kind>,
}

impl Data {
    /// The text.
    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    /// The text of a file.
    pub(super) fn of_file(name: String, text: Vec<u8>) -> anyhow::Result<Self> {
        ensure!(!text.is_empty(), "{name}: is empty; there is nothing to measure");
        let lines = memchr::memchr_iter(b'\n', &text).count() as u64 + u64::from(text.last() != Some(&b'\n'));
        Ok(Self { name, unique: text.len(), text, lines, form: None, kind: None })
    }

    /// Converts the text once, without evidence about layouts, and counts its records.
    pub(super) fn convert_once(&self, kernel: &'static Kernel) -> Counts {
        let (mut worker, mut counts) = (worker(None, Format::V2, None, kernel), Counts::default());
        for chunk in chunks(&self.text) {
            convert(&mut worker, chunk);
            counts.add(&worker.outcome.counts);
        }
        counts
    }

    /// Lines of one form, repeated up to `mebibytes`.
    pub(super) fn repeated(name: String, format: Format, kind: Kind, text: &[u8], mebibytes: usize) -> Self {
        let lines = count_lines(text);
        let times = (mebibytes << 20).div_ceil(text.len()).max(1);
        let first = line_at(text, 0).map_or(text, |line| &text[line.start..line.end]);
        let form = recognise(first, Some(format), &hints(Some(kind))).ok();
        Self { name, unique: text.len(), text: text.repeat(times), lines: lines * times as u64, form, kind: Some(kind) }
    }
}

/// The layouts are those that the program writes, so that only decoding is measured.
fn hints(kind: Option<Kind>) -> Hints {
    let written = |layouts: FormatLayouts, format: &&dyn Codec| match format.layout_rules() {
        Some(rules) if kind.is_some() => layouts.with(format.about().id, rules.all()[0]),
        _ => layouts,
    };
    Hints { kind, layouts: REGISTRY.iter().fold(FormatLayouts::default(), written), ..Hints::default() }
}

/// The result of a measurement.
#[derive(Debug, Clone)]
pub(super) struct Figure {
    pub(super) bytes: usize,
    pub(super) lines: u64,
    /// The times of all runs, in ascending order.
    pub(super) seconds: Vec<f64>,
    /// The median time of what was measured in alternation: memcpy of the same text, unless something else is said.
    pub(super) beside: f64,
}

impl Figure {
    fn median(&self) -> f64 {
        self.seconds[self.seconds.len() / 2]
    }

    pub(super) fn lines_per_second(&self) -> f64 {
        self.lines as f64 / self.median()
    }

    pub(super) fn bytes_per_second(&self) -> f64 {
        self.bytes as f64 / self.median()
    }

    /// The rate as a share of that of what was measured in alternation.
    pub(super) fn share(&self) -> f64 {
        self.beside / self.median()
    }

    /// Returns how much longer the slowest run took than the fastest.
    pub(super) fn spread(&self) -> f64 {
        self.seconds.last().zip(self.seconds.first()).map_or(0.0, |(slowest, fastest)| slowest / fastest - 1.0)
    }
}

/// Checks a task on a text, and times it.
///
/// # Errors
/// The result of the task is wrong, so there is no figure.
pub(super) fn measure(
    data: &Data,
    task: Task,
    kernel: &'static Kernel,
    threads: usize,
    runs: usize,
) -> anyhow::Result<Figure> {
    check(data, task, kernel)?;
    let mut job = TimedTask::new(data, task, kernel, threads)?;
    let mut copy = vec![1; data.text.len()];
    let memcpy = || {
        copy.copy_from_slice(black_box(&data.text));
        black_box(&mut copy);
        Ok(())
    };
    alternate(data, runs, memcpy, || job.run(data))
}

/// Times some work on a text, which returns the number of good lines, in alternation with something beside it.
pub(super) fn alternate(
    data: &Data,
    runs: usize,
    mut beside: impl FnMut() -> anyhow::Result<()>,
    mut work: impl FnMut() -> anyhow::Result<u64>,
) -> anyhow::Result<Figure> {
    let (mut seconds, mut copies) = (Vec::with_capacity(runs), Vec::with_capacity(runs));
    for run in 0..=runs {
        let begun = Instant::now();
        beside()?;
        let copied = begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        let lines = work()?;
        let took = begun.elapsed().as_secs_f64();
        ensure!(lines == data.lines, "{lines} of {} lines were done", data.lines);
        // The first run is a warm-up.
        if run > 0 {
            seconds.push(took);
            copies.push(copied);
        }
    }
    seconds.sort_by(f64::total_cmp);
    copies.sort_by(f64::total_cmp);
    Ok(Figure { bytes: data.text.len(), lines: data.lines, seconds, beside: copies[copies.len() / 2] })
}

/// Compares the results of a kernel for every different line with those of the scalar kernel, and these with the line.
fn check(data: &Data, task: Task, kernel: &'static Kernel) -> anyhow::Result<()> {
    let text = &data.text[..data.unique];
    match task {
        Task::Decode | Task::Encode => {
            let form = one_form(data)?;
            let (by, again) = if task == Task::Decode { (kernel, &SCALAR) } else { (&SCALAR, kernel) };
            let (mut batch, mut out, mut ends) = (Batch::new(), Text::new(), [0; BATCH]);
            each_batch(text, form, |records| {
                let good = form.id.codec().decode(form, records, &mut batch, by).good;
                out.clear();
                form.id.codec().encode(form, &batch, again, StringsOut { text: &mut out, gap: 1, ends: &mut ends });
                let mut from = 0;
                for (i, &end) in ends[..records.len()].iter().enumerate() {
                    ensure!(good >> i & 1 == 1, "a good string was refused");
                    ensure!(&out.as_slice()[from..end] == records.get(i), "a string did not come back");
                    from = end + 1;
                }
                Ok(())
            })
        }
        Task::Convert { from, to } => {
            let mut worker = worker(from, to, data.kind, kernel);
            let mut scalar = self::worker(from, to, data.kind, &SCALAR);
            let mut back = from.map(|from| self::worker(Some(to), from, data.kind, &SCALAR));
            for chunk in chunks(text) {
                convert(&mut worker, chunk);
                convert(&mut scalar, chunk);
                let (converted, expected) = (&worker.outcome, &scalar.outcome);
                ensure!(
                    converted.text.as_slice() == expected.text.as_slice(),
                    "the text differs from the scalar kernel's"
                );
                ensure!(converted.counts == expected.counts, "the counts differ from the scalar kernel's");
                if let Some(back) = &mut back {
                    convert(back, converted.text.as_slice());
                    ensure!(back.outcome.text.as_slice() == chunk, "the text did not come back");
                }
            }
            Ok(())
        }
        Task::Canon | Task::Grade => {
            let (mut worker, mut scalar) = (fact_finder(task, kernel), fact_finder(task, &SCALAR));
            for chunk in chunks(text) {
                convert(&mut worker, chunk);
                convert(&mut scalar, chunk);
                let (found, expected) = (&worker.outcome, &scalar.outcome);
                ensure!(found.counts.rejected == 0, "a good string was refused");
                ensure!(found.text.as_slice() == expected.text.as_slice(), "the text differs from the scalar kernel's");
                ensure!(found.counts == expected.counts, "the counts differ from the scalar kernel's");
            }
            Ok(())
        }
        Task::Validate { level } => {
            let mut worker = validator(level, data.kind, kernel);
            let mut lines = 0;
            for chunk in chunks(text) {
                convert(&mut worker, chunk);
                let first = worker.outcome.rows.first().map(|row| row.reject.to_string()).unwrap_or_default();
                ensure!(worker.outcome.counts.rejected == 0, "a good string was refused: {first}");
                lines += worker.outcome.counts.lines;
            }
            ensure!(lines == memchr::memchr_iter(b'\n', text).count() as u64, "lines were passed over");
            // Also checks that bad strings are rejected.
            ensure!(level < CheckLevel::Rules || spoiled(&mut worker, text), "a bad string was taken for a good one");
            Ok(())
        }
    }
}

/// Whether the first line is rejected for at least one digit when its first given is set to each digit in turn.
fn spoiled(worker: &mut Worker, text: &[u8]) -> bool {
    let Some(line) = line_at(text, 0) else { return false };
    let mut record = text[line.start..line.next].to_vec();
    let places = 0..line.end;
    places.rev().any(|at| {
        let old = record[at];
        let refused = (b'1'..=b'9').filter(|&digit| digit != old).any(|digit| {
            record[at] = digit;
            convert(worker, &record);
            worker.outcome.rows.iter().any(|row| row.reject.code >= Code::Duplicate)
        });
        record[at] = old;
        refused
    })
}

fn validator(level: CheckLevel, kind: Option<Kind>, kernel: &'static Kernel) -> Worker {
    let checks = Checks { level, ..Checks::default() };
    let plan = Conversion { hints: hints(kind), checks, emit: Emit::Nothing, ..Conversion::default() };
    Worker::new(plan, kernel)
}

/// A worker that makes canonical strings with keys, or finds grades.
fn fact_finder(task: Task, kernel: &'static Kernel) -> Worker {
    let canon = task == Task::Canon;
    let canonical = CanonicalPlan::new(Canonize::Form(CanonicalForm::Solution));
    let plan = Conversion {
        hints: hints(Some(Kind::Sudoku)),
        emit: if canon { Emit::Encoded } else { Emit::Nothing },
        facts: Facts { key: canon, grade: !canon, ..Facts::default() },
        canonical: canon.then_some(canonical),
        ..Conversion::default()
    };
    Worker::new(plan, kernel)
}

fn one_form(data: &Data) -> anyhow::Result<Form> {
    match data.form {
        Some(form) => Ok(form),
        None => bail!("the strings are not of one form"),
    }
}

fn worker(from: Option<Format>, to: Format, kind: Option<Kind>, kernel: &'static Kernel) -> Worker {
    let kind = kind.filter(|_| from != Some(Format::V2)); // v2 strings name their kind
    let hints = Hints { kind, ..hints(Some(Kind::Sudoku)) };
    let hints = if from.is_some() { hints } else { Hints::default() };
    Worker::new(Conversion { from, to, hints, ..Conversion::default() }, kernel)
}

fn convert(worker: &mut Worker, chunk: &[u8]) {
    worker.begin();
    worker.convert(chunk, &Evidence::default());
}

/// Splits a text into chunks of whole lines, each about as large as a chunk of a run.
fn chunks(mut text: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let near = CHUNK_SIZE.min(text.len());
        let end = memchr::memchr(b'\n', &text[near..]).map_or(text.len(), |more| near + more + 1);
        let (chunk, rest) = text.split_at(end);
        text = rest;
        (!chunk.is_empty()).then_some(chunk)
    })
}

/// Calls `work` for every 64 lines of a text.
fn each_batch(text: &[u8], form: Form, mut work: impl FnMut(Records) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let (mut starts, mut ends) = ([0; BATCH], [0; BATCH]);
    for chunk in chunks(text) {
        let (mut at, mut len) = (0, 0);
        while at < chunk.len() {
            let end = match form.width {
                0 => memchr::memchr(b'\n', &chunk[at..]).map_or(chunk.len(), |length| at + length),
                width => at + width,
            };
            (starts[len], ends[len]) = (at as u32, end as u32);
            (at, len) = (end + 1, len + 1);
            if len == BATCH || at >= chunk.len() {
                work(Records { bytes: chunk, starts: &starts[..len], ends: &ends[..len] })?;
                len = 0;
            }
        }
    }
    Ok(())
}

/// A task with all its memory, ready to be timed.
enum TimedTask {
    Decode { form: Form, kernel: &'static Kernel, batch: Batch },
    Encode { form: Form, kernel: &'static Kernel, batches: Vec<Batch>, out: Text },
    Convert { workers: Vec<Worker> },
}

/// The number of batches that are encoded in turn: more than fit into the first-level cache.
const BATCHES: usize = 64;

impl TimedTask {
    fn new(data: &Data, task: Task, kernel: &'static Kernel, threads: usize) -> anyhow::Result<Self> {
        Ok(match task {
            Task::Decode => Self::Decode { form: one_form(data)?, kernel, batch: Batch::new() },
            Task::Encode => {
                let form = one_form(data)?;
                let mut batches = Vec::new();
                each_batch(&data.text[..data.unique], form, |records| {
                    if batches.len() < BATCHES && records.len() == BATCH {
                        let mut batch = Batch::new();
                        form.id.codec().decode(form, records, &mut batch, &SCALAR);
                        batches.push(batch);
                    }
                    Ok(())
                })?;
                ensure!(!batches.is_empty(), "there are too few strings");
                Self::Encode { form, kernel, batches, out: Text::new() }
            }
            Task::Convert { from, to } => {
                Self::Convert { workers: (0..threads).map(|_| worker(from, to, data.kind, kernel)).collect() }
            }
            Task::Validate { level } => {
                Self::Convert { workers: (0..threads).map(|_| validator(level, data.kind, kernel)).collect() }
            }
            Task::Canon | Task::Grade => {
                Self::Convert { workers: (0..threads).map(|_| fact_finder(task, kernel)).collect() }
            }
        })
    }

    /// Performs the task once on the whole text. Returns the number of good lines.
    fn run(&mut self, data: &Data) -> anyhow::Result<u64> {
        let mut lines = 0;
        match self {
            Self::Decode { form, kernel, batch } => each_batch(&data.text, *form, |records| {
                let good = form.id.codec().decode(*form, records, batch, kernel).good;
                lines += u64::from(good.count_ones());
                black_box(&*batch);
                Ok(())
            })?,
            Self::Encode { form, kernel, batches, out } => {
                let mut ends = [0; BATCH];
                for batch in batches.iter().cycle() {
                    if out.len() >= CHUNK_SIZE {
                        black_box(out.as_slice());
                        out.clear();
                    }
                    let boards = (data.lines - lines).min(BATCH as u64);
                    let held =
                        form.id.codec().encode(*form, batch, kernel, StringsOut { text: out, gap: 1, ends: &mut ends });
                    lines += u64::from(held.count_ones()).min(boards);
                    if lines == data.lines || held == 0 {
                        break;
                    }
                }
                out.clear();
            }
            Self::Convert { workers } => {
                lines = convert_all(workers, &data.text);
            }
        }
        Ok(lines)
    }
}

/// Converts a text on as many threads as there are workers, each of which converts a part. Returns the number of lines.
fn convert_all(workers: &mut [Worker], text: &[u8]) -> u64 {
    let work = |worker: &mut Worker, part: &[u8]| {
        let mut lines = 0;
        for chunk in chunks(part) {
            convert(worker, chunk);
            black_box(worker.outcome.text.as_slice());
            lines += worker.outcome.counts.lines;
        }
        lines
    };
    if let [worker] = workers {
        return work(worker, text);
    }
    let mut left = text;
    let count = workers.len();
    std::thread::scope(|scope| {
        let mut running = Vec::new();
        for (i, worker) in workers.iter_mut().enumerate() {
            let near = left.len() / (count - i);
            let end = match i + 1 == count {
                true => left.len(),
                false => memchr::memchr(b'\n', &left[near..]).map_or(left.len(), |more| near + more + 1),
            };
            let (part, rest) = left.split_at(end);
            left = rest;
            running.push(scope.spawn(move || work(worker, part)));
        }
        running.into_iter().map(|thread| thread.join().unwrap_or(0)).sum()
    })
}
