//! Tables and JSON lines with one byte changed, inserted or removed. Every row must be in the output or in the rejects,
//! no string may stay unconverted silently, and few rows may be affected.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::{Arc, LazyLock, Mutex};

use gridmill::engine::{Convert, RejectsTo};
use gridmill::framing::{Column, Framing, JsonLines, Table as Columns};
use gridmill::output::Target;
use gridmill::source::{Input, Reading};

use crate::random::{Rng, often};
use crate::support::{Folder, boards, gzip, v2};

/// The number of strings. A file has each of them at most once, unless it has more rows.
const STRINGS: usize = 200;

/// Strings and their results.
static POOL: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let lines = String::from_utf8(boards("plain", STRINGS, 7)).unwrap();
    lines.lines().map(|line| (line.to_string(), v2(line))).collect()
});

/// The result for a string of the pool.
static BECOMES: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| POOL.iter().map(|(old, new)| (old.as_str(), new.as_str())).collect());

#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    /// Few quotes.
    Csv,
    /// Every field between quotes, some with line ends.
    Quoted,
    /// The string first, and nothing else but a solution.
    Pairs,
    Tsv,
    Json,
}

const SHAPES: [Shape; 5] = [Shape::Csv, Shape::Quoted, Shape::Pairs, Shape::Tsv, Shape::Json];

/// A file, row by row, and the expected output.
struct Table {
    shape: Shape,
    header: bool,
    text: Vec<u8>,
    expected: Vec<u8>,
    /// The ranges of each row in the text and in the expected output, including the header.
    rows: Vec<(Range<usize>, Range<usize>)>,
}

impl Table {
    fn new(shape: Shape, header: bool, rows: usize, rng: &mut Rng) -> Self {
        let (text, expected) = (Vec::new(), Vec::new());
        let mut table = Self { shape, header: header && shape != Shape::Json, text, expected, rows: Vec::new() };
        if table.header {
            let names = match shape {
                Shape::Csv => "id,bd,note,rating",
                Shape::Quoted => "\"id\",\"bd\",\"note\",\"rating\"",
                Shape::Pairs => "bd,solution",
                _ => "id\tbd\tnote\trating",
            };
            table.push(&format!("{names}\n"), &format!("{names}\n"));
        }
        for n in 0..rows {
            let (old, new) = &POOL[n % STRINGS];
            let end = if rng.once_in(20) { "\r\n" } else { "\n" };
            let [old, new] = row(shape, n, [old, new], rng);
            table.push(&(old + end), &(new + end));
        }
        table
    }

    fn push(&mut self, old: &str, new: &str) {
        let (at, to) = (self.text.len(), self.expected.len());
        self.text.extend_from_slice(old.as_bytes());
        self.expected.extend_from_slice(new.as_bytes());
        self.rows.push((at..self.text.len(), to..self.expected.len()));
    }

    fn framing(&self) -> Box<dyn Framing> {
        let number = if self.shape == Shape::Pairs { 1 } else { 2 };
        let column = if self.header { Column::Name("bd".into()) } else { Column::Number(number) };
        let table = match self.shape {
            Shape::Json => return Box::new(JsonLines::new("/bd").unwrap()),
            Shape::Tsv => Columns::tsv(column),
            _ => Columns::csv(column),
        };
        Box::new(if self.header { table } else { table.without_header() })
    }
}

/// A row around a string, before and after.
fn row(shape: Shape, n: usize, strings: [&str; 2], rng: &mut Rng) -> [String; 2] {
    let plain = *rng.pick(&["", "a note", "7", "ünï ☃", "a note that is longer than any string would be, with words"]);
    let special =
        *rng.pick(&["a, b", "two\nlines", "1,2,3,4\n5,6,7,8\n", "say \"\"hi\"\"", "", ", at the start", "\n"]);
    let rating = rng.below(100);
    strings.map(|string| match shape {
        Shape::Csv if n % 7 == 3 => format!("r{n},{string},\"{special}\",{rating}"),
        Shape::Csv if n % 7 == 5 => format!("r{n},\"{string}\",{plain},{rating}"),
        Shape::Csv => format!("r{n},{string},{plain},{rating}"),
        Shape::Quoted if n % 3 == 1 => format!("\"r{n}\",\"{string}\",\"{special}\",\"{rating}\""),
        Shape::Quoted => format!("\"r{n}\",\"{string}\",\"{plain}\",\"{rating}\""),
        Shape::Pairs => format!("{string},{}", strings[0].replace('0', "9")),
        Shape::Tsv => format!("r{n}\t{string}\t{plain}\t{rating}"),
        Shape::Json => format!("{{\"id\":\"r{n}\",\"bd\":\"{string}\",\"note\":\"{plain}\",\"n\":[{rating},null]}}"),
    })
}

/// A reader that gives a few bytes at a time.
pub(crate) struct Few(pub io::Cursor<Vec<u8>>, pub usize);

impl Read for Few {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(self.1);
        self.0.read(&mut buffer[..most])
    }
}

/// The result of a run: the output and the rejects, or an error.
type Ran = Result<(Vec<u8>, Vec<u8>), String>;

/// A writer whose bytes can be read afterwards.
#[derive(Clone, Default)]
pub(crate) struct Shared(pub Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn converted(table: &Table, input: Input, reading: Reading, chunk_size: usize, threads: usize) -> Ran {
    let (output, rejects) = (Shared::default(), Shared::default());
    let report = Convert::new(Target::Writer { name: "memory".into(), writer: Box::new(output.clone()) })
        .input(input)
        .framing(table.framing())
        .rejects(RejectsTo::Writer(Box::new(rejects.clone())))
        .reading(reading)
        .chunk_size(chunk_size)
        .threads(threads)
        .run()
        .map_err(|error| error.to_string().split_once(": ").map_or(String::new(), |(_, words)| words.to_string()))?;
    let [output, rejects] = [output, rejects].map(|shared| shared.0.lock().unwrap().clone());
    assert_eq!(report.counts.rejected as usize, count(&rejects, b'\n').saturating_sub(1));
    // Each way of reading has another name for its input.
    let rows = rejects.split_inclusive(|&byte| byte == b'\n');
    let unnamed = rows.flat_map(|row| &row[row.iter().position(|&byte| byte == b'\t').unwrap_or(0)..]);
    Ok((output, unnamed.copied().collect()))
}

fn from_memory(text: &[u8]) -> Input {
    Input::Reader { name: "text".into(), reader: Box::new(io::Cursor::new(text.to_vec())) }
}

fn count(text: &[u8], byte: u8) -> usize {
    text.iter().filter(|&&other| other == byte).count()
}

/// A byte that is changed, inserted or removed.
fn damage(text: &[u8], at: usize, rng: &mut Rng) -> Vec<u8> {
    const BYTES: &[u8] = b"\"\"\"\n\n,,\t\t{}[]:\\' x5\r\0\xff#N";
    let byte = if rng.once_in(4) { rng.below(256) as u8 } else { *rng.pick(BYTES) };
    let mut damaged = text.to_vec();
    match rng.below(3) {
        0 => damaged[at] = byte,
        1 => damaged.insert(at, byte),
        _ => _ = damaged.remove(at),
    }
    damaged
}

/// The ranges of rejected records in the text, including their line ends.
pub(crate) fn rejected_places(text: &[u8], rejects: &[u8]) -> Vec<Range<usize>> {
    let rows = rejects.split(|&byte| byte == b'\n').skip(1).filter(|row| !row.is_empty());
    rows.map(|row| {
        let fields: Vec<_> = row.split(|&byte| byte == b'\t').collect();
        let start: usize = std::str::from_utf8(fields[2]).unwrap().parse().unwrap();
        let line: usize = std::str::from_utf8(fields[1]).unwrap().parse().unwrap();
        assert_eq!(count(&text[..start], b'\n') + 1, line, "{}", String::from_utf8_lossy(row));
        let record = unescaped(fields[6]);
        assert!(text[start..].starts_with(&record), "{}", String::from_utf8_lossy(row));
        let end = start + record.len();
        let line_end = text[end..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |feed| end + feed + 1);
        assert!(matches!(&text[end..line_end], b"\n" | b"\r\n" | b""), "{}", String::from_utf8_lossy(row));
        start..line_end
    })
    .collect()
}

/// The bytes of a record in a reject row.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let (byte, length) = match (text[at], text.get(at + 1)) {
            (b'\\', Some(b't')) => (b'\t', 2),
            (b'\\', Some(b'n')) => (b'\n', 2),
            (b'\\', Some(b'r')) => (b'\r', 2),
            (b'\\', Some(b'\\')) => (b'\\', 2),
            (b'\\', Some(b'x')) => {
                let digits = std::str::from_utf8(&text[at + 2..at + 4]).unwrap();
                (u8::from_str_radix(digits, 16).unwrap(), 4)
            }
            (byte, _) => (byte, 1),
        };
        out.push(byte);
        at += length;
    }
    out
}

/// Checks that the lines of a part of the text that were not rejected are in the output, with each string converted.
fn check_lines(text: &[u8], rejected: &[Range<usize>], output: &[u8]) {
    let (mut kept, mut at) = (Vec::new(), 0);
    for place in rejected {
        kept.extend_from_slice(&text[at..place.start]);
        at = place.end;
    }
    kept.extend_from_slice(&text[at..]);
    assert_eq!(count(&kept, b'\n'), count(output, b'\n'), "lines");
    for (old, new) in kept.split(|&byte| byte == b'\n').zip(output.split(|&byte| byte == b'\n')) {
        let shown = String::from_utf8_lossy(old);
        let known = old.windows(81).filter_map(|part| BECOMES.get_key_value(std::str::from_utf8(part).ok()?));
        let expected = known.fold(shown.to_string(), |line, (old, new)| line.replacen(old, new, 1));
        // A string that was damaged, but still is valid.
        let other = || {
            let part = shown.split([',', '\t', '"', '\r']).find(|part| part.len() == 81);
            part.map(|part| shown.replacen(part, &v2(part), 1))
        };
        let new = String::from_utf8_lossy(new);
        assert!(new == expected || other().is_some_and(|other| new == other), "{shown}\nbecame\n{new}");
    }
}

/// Checks the result for a damaged text. `at` is the position of the damage.
fn check(table: &Table, damaged: &[u8], at: usize, ran: &Ran) {
    // The first row determines how all others are read.
    let in_first = table.shape != Shape::Json && at < table.rows[0].0.end;
    let (output, rejects) = match ran {
        Ok(ran) => ran,
        Err(message) => {
            assert!(in_first, "{message}");
            return;
        }
    };
    // The rows before and after the damage are as expected.
    let row = |n: usize| &table.expected[table.rows[n].1.clone()];
    let (mut first, mut start) = (0, 0);
    while first < table.rows.len() && output[start..].starts_with(row(first)) {
        start += row(first).len();
        first += 1;
    }
    let (mut last, mut end) = (table.rows.len(), output.len());
    while last > first && output[start..end].ends_with(row(last - 1)) {
        end -= row(last - 1).len();
        last -= 1;
    }
    assert!(in_first || last - first <= 3, "{} rows are affected", last - first);
    let from = table.rows.get(first).map_or(table.text.len(), |(row, _)| row.start);
    let to = if first < last { table.rows[last - 1].0.end } else { from } + damaged.len() - table.text.len();
    let rejected = rejected_places(damaged, rejects);
    assert!(rejected.iter().all(|place| from <= place.start && place.end <= to), "good rows are rejected");
    let rejected: Vec<_> = rejected.iter().map(|place| place.start - from..place.end - from).collect();
    check_lines(&damaged[from..to], &rejected, &output[start..end]);
}

/// Messages that damage must cause; otherwise the test did not try enough.
const SEEN: &[&str] = &[
    "a quote in the row is not closed",
    "between two rows missing",
    "delimiter before its string missing",
    "an extra delimiter",
    "after its closing quote",
    "expected at least",
    "not valid JSON",
];

/// Damages a table several times, and returns the rejects. `again` converts the text in another way, with the same
/// result.
fn damages(
    table: &Table,
    times: usize,
    rng: &mut Rng,
    mut again: impl FnMut(&[u8], &mut Rng) -> Option<Ran>,
) -> String {
    let mut said = String::new();
    for round in 0..times {
        let at = rng.below(table.text.len());
        let damaged = damage(&table.text, at, rng);
        let context = Context { table, round, at, damaged: &damaged };
        let ran = converted(table, from_memory(&damaged), Reading::Auto, 1 << 20, 1);
        check(table, &damaged, at, &ran);
        if let Some(other) = again(&damaged, rng) {
            assert!(other == ran, "another way of reading, or other chunks, change the result");
        }
        drop(context);
        said.extend(ran.iter().map(|(_, rejects)| String::from_utf8_lossy(rejects)));
    }
    said
}

/// Describes a failure.
struct Context<'t> {
    table: &'t Table,
    round: usize,
    at: usize,
    damaged: &'t [u8],
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let Self { table, round, at, damaged } = self;
            let near = at.saturating_sub(300)..(*at + 300).min(damaged.len());
            let near = String::from_utf8_lossy(&damaged[near]);
            eprintln!("{:?}, header {}, round {round}, byte {at}:\n{near}", table.shape, table.header);
        }
    }
}

/// Small files, in chunks of any size, with any number of threads, and read in any way.
#[test]
fn one_byte_costs_its_row_however_it_is_read() {
    let folder = Folder::new();
    let (mut rng, mut said) = (Rng(41), String::new());
    for shape in SHAPES {
        for header in [true, false] {
            let table = Table::new(shape, header, 150, &mut rng);
            assert_eq!(
                converted(&table, from_memory(&table.text), Reading::Auto, 1 << 20, 1),
                Ok((table.expected.clone(), Vec::new()))
            );
            said += &damages(&table, 150, &mut rng, |damaged, rng| {
                let size = *rng.pick(&[1, 7, 100, 1000, 10_000]);
                let threads = 1 + rng.below(4);
                let (input, reading) = match rng.below(4) {
                    0 => (Input::File(folder.write("text", damaged)), Reading::Mapped),
                    1 => (Input::File(folder.write("text", damaged)), Reading::Read),
                    2 => (Input::File(folder.write("text.gz", gzip(damaged))), Reading::Auto),
                    _ => {
                        let reader = Box::new(Few(io::Cursor::new(damaged.to_vec()), 1 + rng.below(3000)));
                        (Input::Reader { name: "text".into(), reader }, Reading::Auto)
                    }
                };
                Some(converted(&table, input, reading, size, threads))
            });
        }
    }
    for words in SEEN {
        assert!(said.contains(words), "{words} was never said");
    }
}

/// Damages of files of 10,000 rows: `times` in all.
fn of_many(times: usize) {
    let mut rng = Rng(42);
    for shape in SHAPES {
        let table = Table::new(shape, true, 10_000, &mut rng);
        damages(&table, times / SHAPES.len(), &mut rng, |damaged, rng| {
            rng.once_in(10).then(|| converted(&table, from_memory(damaged), Reading::Auto, 64 << 10, 2))
        });
    }
}

#[test]
fn one_byte_costs_its_row_of_many() {
    of_many(often(50, 150));
}

#[test]
#[ignore = "takes longer, so only .ci/run runs it"]
fn one_byte_in_a_thousand_files() {
    of_many(1000);
}
