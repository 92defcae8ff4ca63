//! The engine, compared with a naive model that processes line after line in memory. Output, rejects and counts must be
//! the same for any chunk size, any number of threads and any way of reading.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read, Write};
use std::sync::{Arc, LazyLock, Mutex};

use gridmill::board::{Batch, Cell, FillCandidates, Kind, fill_candidates};
use gridmill::engine::{Bad, Conversion, Convert, RejectsTo};
use gridmill::error::{Code, Error, Reject, escape};
use gridmill::formats::{Evidence, Format, Hints, REGISTRY, flatten, losses, read_one, recognise, weigh, write_one};
use gridmill::kernels;
use gridmill::output::Target;
use gridmill::source::{Input, Reading};
use proptest::prelude::*;

use crate::support::{Folder, HEADER, archive, boards, gzip};

/// A generated line: its index in the pool, with its line end.
type Lines = Vec<(usize, u8)>;

/// Lines of every kind: good strings of every format, bad ones, comments, blank lines, and lines that are too long or
/// nearly so.
static POOL: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut pool: Vec<Vec<u8>> = ["", "", "#", "# a comment", "##", "#\tx", "#x", " ", "\r", "0", "S9B", "\u{feff}"]
        .iter()
        .map(|line| line.as_bytes().to_vec())
        .collect();
    for format in REGISTRY {
        for samples in format.about().id.samples() {
            pool.extend(samples.good.iter().map(|good| good.text.as_bytes().to_vec()));
            pool.extend(samples.bad.iter().map(|bad| bad.text.as_bytes().to_vec()));
        }
        let made = boards(format.about().name, 6, 17);
        for (n, line) in made.split(|&b| b == b'\n').filter(|line| !line.is_empty()).enumerate() {
            // Unchanged, with a damaged cell, a byte shorter, a byte longer, and with the start of a comment.
            let mut damaged = line.to_vec();
            damaged[(40 + n).min(line.len() - 1)] = b"\0\xffz~#\r"[n];
            pool.extend([line.to_vec(), line.to_vec(), line.to_vec(), damaged]);
            pool.push([&line[1..], b""][n % 2].to_vec());
            pool.push([line, &b"0"[..]].concat());
            pool.push([b"# ", &line[2..]].concat());
        }
    }
    pool
});

/// Lines of about the maximal length; only a few, since they are slow.
static LONG: LazyLock<Vec<Vec<u8>>> =
    LazyLock::new(|| [65_535, 65_536, 65_537, 65_538, 140_000].map(|length| vec![b'1'; length]).into());

fn lines() -> impl Strategy<Value = Lines> {
    // Runs of one line, as in files, and single lines. The numbers are taken modulo the size of the pool.
    let run = (0..100_000_usize, 0..12_u8, prop_oneof![3 => Just(1_usize), 1 => 2..90_usize]);
    prop::collection::vec(run, 0..12)
        .prop_map(|runs| runs.into_iter().flat_map(|(line, end, count)| vec![(line, end); count]).collect())
}

/// The text of lines.
fn text(lines: &Lines, mark: bool, newline: bool) -> Vec<u8> {
    let mut text = if mark { b"\xef\xbb\xbf".to_vec() } else { Vec::new() };
    for (n, &(line, end)) in lines.iter().enumerate() {
        let pool = if line % 997 == 3 { &LONG } else { &POOL };
        text.extend_from_slice(&pool[line % pool.len()]);
        if newline || n + 1 < lines.len() {
            text.extend_from_slice(if end == 0 { b"\r\n" } else { b"\n" });
        }
    }
    text
}

/// The result of a run.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Result_ {
    pub output: Vec<u8>,
    pub rejects: String,
    stopped: bool,
    /// lines, records, rejected, bytes written, records with losses, solved cells, cells left with nothing. Unknown for
    /// a run that was stopped.
    counts: [u64; 7],
    codes: BTreeMap<Code, u64>,
    inputs: Vec<[u64; 3]>,
}

/// The model.
pub(crate) struct Model {
    plan: Conversion,
    evidence: Evidence,
    /// The last byte written, and the index of its input.
    last: Option<(usize, u8)>,
    result: Result_,
}

/// The lines of a text: start, content and line end.
fn split(text: &[u8]) -> Vec<(usize, &[u8], &[u8])> {
    let mut at = 0;
    let line = |line: &[u8]| {
        let content = line.strip_suffix(b"\n").map_or(line, |rest| rest.strip_suffix(b"\r").unwrap_or(rest));
        at += line.len();
        (at - line.len(), content.len())
    };
    let places: Vec<_> = text.split_inclusive(|&b| b == b'\n').map(line).collect();
    let ends = places.iter().skip(1).map(|place| place.0).chain([text.len()]);
    places.iter().zip(ends).map(|(&(at, length), end)| (at, &text[at..at + length], &text[at + length..end])).collect()
}

/// Whether a line is neither empty nor a comment. For formats whose strings can begin with `#`, only `# ` begins a
/// comment.
fn is_record(line: &[u8], from: Option<Format>) -> bool {
    let comment = match from {
        Some(Format::Wolfram) => line.starts_with(b"# "),
        _ => line == b"#" || [b"# ", b"#\t", b"##"].iter().any(|start| line.starts_with(*start)),
    };
    !line.is_empty() && !comment
}

/// The content without a byte order mark, and the length of the mark.
fn unmarked(text: &[u8]) -> (&[u8], usize) {
    text.strip_prefix(b"\xef\xbb\xbf").map_or((text, 0), |rest| (rest, 3))
}

impl Model {
    /// Converts inputs, one record at a time.
    pub(crate) fn run(plan: Conversion, inputs: &[Vec<u8>]) -> Result_ {
        let mut model = Self { plan, evidence: Evidence::default(), last: None, result: Result_::default() };
        let all = inputs.iter().flat_map(|text| split(unmarked(text).0));
        for (_, line, _) in all.filter(|(_, line, _)| is_record(line, plan.from) && line.len() <= 65_536) {
            if let Ok(form) = recognise(line, plan.from, &plan.hints)
                && let Some(verdict) = weigh(&form, line)
            {
                model.evidence.add(&form, verdict);
            }
        }
        let leads = inputs.iter().position(|text| !text.is_empty());
        for (input, text) in inputs.iter().enumerate() {
            model.input(input, text, leads == Some(input));
            if model.result.stopped {
                break;
            }
        }
        model.result
    }

    /// Converts an input. `leads` says that all inputs before it are empty.
    fn input(&mut self, input: usize, text: &[u8], leads: bool) {
        let (text, mark) = unmarked(text);
        self.result.inputs.push([0; 3]);
        if leads {
            self.write(input, &b"\xef\xbb\xbf"[..mark]);
            self.last = None; // a byte order mark alone is not a line
        }
        for (number, (at, line, end)) in split(text).into_iter().enumerate() {
            self.result.counts[0] += 1;
            self.result.inputs[input][0] += 1;
            if !is_record(line, self.plan.from) {
                self.write(input, &[line, end].concat());
                continue;
            }
            self.result.counts[1] += 1;
            self.result.inputs[input][1] += 1;
            match self.convert(line) {
                Ok(string) => self.write(input, &[string.as_bytes(), end].concat()),
                Err(reject) => {
                    self.reject(input, number, at + mark, line, &reject);
                    match self.plan.bad {
                        Bad::Reject | Bad::Null => {}
                        Bad::Keep => self.write(input, &[line, end].concat()),
                        Bad::Stop => {
                            self.result.stopped = true;
                            return;
                        }
                    }
                }
            }
        }
    }

    fn write(&mut self, input: usize, bytes: &[u8]) {
        let Some(&last) = bytes.last() else { return };
        if self.last.is_some_and(|(before, byte)| before != input && byte != b'\n') {
            self.result.output.push(b'\n');
        }
        self.result.output.extend_from_slice(bytes);
        self.last = Some((input, last));
        self.result.counts[3] = self.result.output.len() as u64;
    }

    fn convert(&mut self, line: &[u8]) -> Result<String, Reject> {
        if line.len() > 65_536 {
            let words = "longer than 65536 bytes: not a puzzle string";
            return Err(Reject::whole(Code::TooLong, words));
        }
        let mut one = read_one(line, self.plan.from, &self.plan.hints, &self.evidence)?;
        self.result.counts[6] += u64::from(fill_candidates(&mut one.batch, 0, self.plan.candidates) as u32);
        let format = self.plan.to.codec();
        let form = format.writes(one.batch.shape())?;
        let mut lost = losses(&one.batch, 0, &format.holds(form));
        lost.join(&one.losses);
        let written = match write_one(&one.batch, 0, self.plan.to) {
            Err(reject) if reject.code == Code::Unsupported => return Err(reject),
            _ if lost.is_empty() => write_one(&one.batch, 0, self.plan.to)?,
            _ if lost.need_consent() && !self.plan.lossy => {
                return Err(lost.reject(self.plan.to.name(), one.batch.shape().side.get()));
            }
            _ => {
                let mut flat = Batch::new();
                flatten(&one.batch, form.shape, &format.holds(form), &mut flat);
                self.result.counts[4] += 1;
                write_one(&flat, 0, self.plan.to)?
            }
        };
        if matches!(one.form.id, Format::V0 | Format::V1) {
            let cells = 0..one.batch.shape().side.cells();
            self.result.counts[5] += cells.filter(|&i| matches!(one.batch.cell(0, i), Cell::Solved(_))).count() as u64;
        }
        Ok(written)
    }

    fn reject(&mut self, input: usize, number: usize, at: usize, line: &[u8], reject: &Reject) {
        self.result.counts[2] += 1;
        self.result.inputs[input][2] += 1;
        *self.result.codes.entry(reject.code).or_default() += 1;
        if self.result.rejects.is_empty() {
            self.result.rejects.push_str(HEADER);
        }
        let cell = reject.cell.map_or("-".to_string(), |cell| cell.to_string());
        let record = match reject.code {
            Code::TooLong => format!("{}...{}", escape(&line[..256]), line.len()),
            _ => escape(line),
        };
        let (number, code, message) = (number + 1, reject.code, escape(reject.message.as_bytes()));
        let row = format!("in{input}\t{number}\t{at}\t{cell}\t{code}\t{message}\t{record}\n");
        self.result.rejects.push_str(&row);
    }
}

#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A reader that gives a few bytes at a time.
struct Drops(Cursor<Vec<u8>>, usize);

impl Read for Drops {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(self.1);
        self.0.read(&mut buffer[..most])
    }
}

/// How to run the engine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct How {
    /// The size of chunks.
    pub chunk: usize,
    /// The number of threads.
    pub threads: usize,
    /// The type of input: text in a file, or a reader of text or of an archive.
    pub way: usize,
    /// Whether to compress the output.
    pub zstd: bool,
    /// One of the available kernels.
    pub kernel: usize,
}

/// The result of the engine.
pub(crate) fn engine(plan: Conversion, inputs: &[Vec<u8>], how: How) -> Result_ {
    let folder = Folder::new();
    let (output, rejects) = (Memory::default(), Memory::default());
    let mut convert = Convert::new(Target::Writer { name: "out".into(), writer: Box::new(output.clone()) })
        .conversion(plan)
        .rejects(RejectsTo::Writer(Box::new(rejects.clone())))
        .reading(if how.way == 0 { Reading::Auto } else { Reading::Read })
        .chunk_size(how.chunk)
        .threads(how.threads);
    for (n, text) in inputs.iter().enumerate() {
        let name = format!("in{n}");
        let bytes = match how.way {
            4 => gzip(text),
            5 => archive(text, 1 + how.chunk * 7),
            _ => text.clone(),
        };
        convert = convert.input(match how.way {
            0 | 1 => Input::File(folder.write(&name, bytes)),
            2 => Input::Reader { name, reader: Box::new(Drops(Cursor::new(bytes), 1)) },
            _ => Input::Reader { name, reader: Box::new(Drops(Cursor::new(bytes), 1000)) },
        });
    }
    let kernels: Vec<_> = kernels::available().into_iter().collect();
    convert = convert.kernel(kernels[how.kernel % kernels.len()]);
    if how.zstd {
        convert = convert.zstd(1);
    }
    let done = convert.run();
    let mut output = output.0.lock().unwrap().clone();
    // A run that stops before the first chunk is written leaves nothing.
    let nothing = matches!(done, Err(Error::Stopped(_))) && output.is_empty();
    if how.zstd && !nothing {
        output = zstd::decode_all(&output[..]).expect("an archive");
    }
    // Files have longer names; the model only knows the last part.
    let rejects = String::from_utf8(rejects.0.lock().unwrap().clone()).expect("UTF-8");
    let rejects = rejects.replace(&format!("{}/", folder.path().display()), "");
    match done {
        Ok(report) => {
            let counts = &report.counts;
            Result_ {
                output,
                rejects,
                stopped: false,
                counts: [
                    counts.lines,
                    counts.records,
                    counts.rejected,
                    counts.bytes_out,
                    counts.lossy_records,
                    counts.solved_cells,
                    counts.cells_left_with_nothing,
                ],
                codes: counts.codes.clone(),
                inputs: report.inputs.iter().map(|i| [i.lines, i.records, i.rejected]).collect(),
            }
        }
        Err(Error::Stopped(_)) => Result_ { output, rejects, stopped: true, ..Result_::default() },
        Err(error) => panic!("{error}"),
    }
}

fn plans() -> impl Strategy<Value = Conversion> {
    let from = prop_oneof![
        4 => Just(None),
        1 => prop::sample::select(REGISTRY.map(|format| Some(format.about().id)).to_vec()),
    ];
    let to = prop_oneof![3 => Just(Format::V2), 1 => prop::sample::select(REGISTRY.map(|format| format.about().id).to_vec())];
    let bad = prop::sample::select(vec![Bad::Reject, Bad::Reject, Bad::Keep, Bad::Keep, Bad::Stop]);
    let candidates = prop::sample::select(vec![
        FillCandidates::Keep,
        FillCandidates::Keep,
        FillCandidates::Keep,
        FillCandidates::None,
        FillCandidates::Full,
        FillCandidates::Auto,
    ]);
    let kind = prop_oneof![3 => Just(None), 1 => prop::sample::select(Kind::all().collect::<Vec<_>>()).prop_map(Some)];
    (from, to, bad, any::<bool>(), candidates, kind).prop_map(|(from, to, bad, lossy, candidates, kind)| Conversion {
        from,
        to,
        bad,
        lossy,
        candidates,
        hints: Hints { kind, ..Hints::default() },
        ..Conversion::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 3000, ..ProptestConfig::default() })]

    #[test]
    fn the_engine_does_what_one_line_after_the_other_does(
        files in prop::collection::vec((lines(), prop::bool::weighted(0.1), prop::bool::weighted(0.6)), 1..4),
        plan in plans(),
        chunk in prop_oneof![1..40_usize, 40..2000_usize, Just(1 << 20)],
        threads in 1..4_usize,
        way in 0..6_usize,
        zstd in prop::bool::weighted(0.2),
        kernel in 0..6_usize,
    ) {
        let inputs: Vec<_> = files.iter().map(|(lines, mark, newline)| text(lines, *mark, *newline)).collect();
        let mut expected = Model::run(plan, &inputs);
        if expected.stopped {
            (expected.counts, expected.codes, expected.inputs) = Default::default();
        }
        let found = engine(plan, &inputs, How { chunk, threads, way, zstd, kernel });
        prop_assert_eq!(String::from_utf8_lossy(&found.output), String::from_utf8_lossy(&expected.output));
        prop_assert_eq!(&found.rejects, &expected.rejects);
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn the_pool_has_good_and_bad_lines_of_every_format() {
    for format in REGISTRY {
        let id = format.about().id;
        let (good, bad): (Vec<_>, Vec<_>) =
            POOL.iter().partition(|line| read_one(line, Some(id), &Hints::default(), &Evidence::default()).is_ok());
        assert!(good.len() >= 15 && bad.len() >= 15, "{id}");
    }
}
