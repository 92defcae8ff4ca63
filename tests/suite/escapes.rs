//! TSV in which backslashes stand before line ends and tabs: tables as MySQL and MariaDB write them, and tables in which
//! a backslash is a character like any other. However a table is read, a row is converted or rejected as a whole.

use std::io::Cursor;
use std::ops::Range;

use gridmill::engine::{Convert, RejectsTo};
use gridmill::framing::{Column, Table};
use gridmill::output::Target;
use gridmill::source::{Input, Reading};

use crate::damaged_rows::{Few, Shared, rejected_places};
use crate::random::{Rng, often};
use crate::support::{Folder, PLAIN, archive, boards, convert, gridmill, gzip, run, v2};

/// A table, row by row, before and after.
struct Sample {
    header: bool,
    /// The number of the column with the strings.
    strings: usize,
    text: Vec<u8>,
    rows: Vec<Range<usize>>,
    expected: Vec<Vec<u8>>,
}

impl Sample {
    /// A table of random fields. If `escapes`, they have line ends and tabs, and are written as MySQL does.
    fn new(escapes: bool, strings: &[(String, String)], rng: &mut Rng) -> Self {
        let width = 2 + rng.below(5);
        let (header, column) = (rng.once_in(2), rng.below(width));
        let end = *rng.pick(&["\n", "\n", "\r\n"]);
        let mut sample = Self { header, strings: column + 1, text: vec![], rows: vec![], expected: vec![] };
        if header {
            let names: Vec<_> = (0..width).map(|n| format!("c{n}")).collect();
            sample.push([names.join("\t"), names.join("\t")].map(|row| row + end));
        }
        let (rows, clean) = (1 + rng.below(50), rng.below(10));
        for n in 0..=rows {
            let (old, new) = rng.pick(strings);
            let special: &[&str] = match (escapes, end) {
                _ if n == clean.min(rows) => &["a"],
                (true, "\n") => &["\\\n", "\\\t", "\\\\", "\\\n"],
                (true, _) => &["\\\r\n", "\\\t", "\\\\", "\\\r\n"],
                (false, _) => &["\\", "\\\\", "N", "\\"],
            };
            let fields: Vec<_> = (0..width).map(|_| field(special, rng)).collect();
            let row = [old, new].map(|string| {
                let mut fields = fields.clone();
                fields[column].clone_from(string);
                fields.join("\t") + end
            });
            sample.push(row);
        }
        // Without its line end, a last field that ends in one is not complete.
        if rng.once_in(3) && !sample.text.ends_with(format!("\\{end}{end}").as_bytes()) {
            sample.text.truncate(sample.text.len() - end.len());
            let (last, row) = (sample.expected.last_mut().unwrap(), sample.rows.last_mut().unwrap());
            last.truncate(last.len() - end.len());
            row.end = sample.text.len();
        }
        sample
    }

    fn push(&mut self, [old, new]: [String; 2]) {
        let at = self.text.len();
        self.text.extend_from_slice(old.as_bytes());
        self.rows.push(at..self.text.len());
        self.expected.push(new.into_bytes());
    }

    /// The output and the rejects.
    fn converted(&self, input: Input, reading: Reading, chunk_size: usize, threads: usize) -> (Vec<u8>, Vec<u8>) {
        let (output, rejects) = (Shared::default(), Shared::default());
        let table = Table::tsv(Column::Number(self.strings));
        Convert::new(Target::Writer { name: "memory".into(), writer: Box::new(output.clone()) })
            .input(input)
            .framing(Box::new(if self.header { table } else { table.without_header() }))
            .rejects(RejectsTo::Writer(Box::new(rejects.clone())))
            .reading(reading)
            .chunk_size(chunk_size)
            .threads(threads)
            .run()
            .expect("a table");
        let [output, rejects] = [output, rejects].map(|shared| shared.0.lock().unwrap().clone());
        // Each way of reading has another name for its input.
        let rows = rejects.split_inclusive(|&byte| byte == b'\n');
        (
            output,
            rows.flat_map(|row| &row[row.iter().position(|&byte| byte == b'\t').unwrap_or(0)..]).copied().collect(),
        )
    }

    /// Converts the table in several ways, and returns the numbers of rows that were rejected and that were not.
    fn check(&self, folder: &Folder, rng: &mut Rng) -> (usize, usize) {
        let from_memory = || Input::Reader { name: "t".into(), reader: Box::new(Cursor::new(self.text.clone())) };
        let ran = self.converted(from_memory(), Reading::Auto, 1 << 20, 1);
        let shown = || String::from_utf8_lossy(&self.text);
        let rejected = rejected_places(&self.text, &ran.1);
        let mut kept = Vec::new();
        for (row, expected) in self.rows.iter().zip(&self.expected) {
            match rejected.iter().find(|place| place.start < row.end && row.start < place.end) {
                Some(place) => assert!(place.start <= row.start && row.end <= place.end, "half of a row:\n{}", shown()),
                None => kept.extend_from_slice(expected),
            }
        }
        let difference = || format!("{}\nbecame\n{}", shown(), String::from_utf8_lossy(&ran.0));
        assert!(ran.0 == kept, "column {}:\n{}", self.strings, difference());
        for _ in 0..4 {
            let (size, threads) = (*rng.pick(&[1, 7, 100, 1000, 10_000]), 1 + rng.below(4));
            let (input, reading) = match rng.below(5) {
                0 => (Input::File(folder.write("text", &self.text)), Reading::Mapped),
                1 => (Input::File(folder.write("text", &self.text)), Reading::Read),
                2 => (Input::File(folder.write("text.gz", gzip(&self.text))), Reading::Auto),
                3 => (Input::File(folder.write("text.zst", self.frames(rng))), Reading::Auto),
                _ => {
                    let reader = Box::new(Few(Cursor::new(self.text.clone()), 1 + rng.below(300)));
                    (Input::Reader { name: "text".into(), reader }, Reading::Auto)
                }
            };
            assert!(self.converted(input, reading, size, threads) == ran, "in chunks of {size}:\n{}", shown());
        }
        (rejected.len(), self.rows.len())
    }

    /// The table as an archive whose frames end at any line ends.
    fn frames(&self, rng: &mut Rng) -> Vec<u8> {
        archive(&self.text, 1 + rng.below(self.text.len()))
    }
}

/// A field with some of these parts.
fn field(special: &[&str], rng: &mut Rng) -> String {
    let parts =
        (0..rng.below(8)).map(|_| if rng.once_in(3) { *rng.pick(special) } else { *rng.pick(&["a", "7", " ", "ü"]) });
    parts.collect()
}

fn strings() -> Vec<(String, String)> {
    let text = String::from_utf8(boards("v1", 30, 3)).expect("text");
    text.lines().map(|line| (line.to_string(), v2(line))).collect()
}

#[test]
fn no_half_of_a_row_is_converted() {
    let (folder, strings, mut rng) = (Folder::new(), strings(), Rng(43));
    for escapes in [true, false] {
        let (mut rejected, mut rows) = (0, 0);
        for _ in 0..often(100, 400) {
            let found = Sample::new(escapes, &strings, &mut rng).check(&folder, &mut rng);
            (rejected, rows) = (rejected + found.0, rows + found.1);
        }
        // Few rows of such fields can be read in both ways.
        assert!(rejected * 10 < rows, "{escapes}: {rejected} of {rows}");
    }
}

/// The rows of a table without a header: number, string, note.
fn noted(notes: &[&str]) -> String {
    notes.iter().enumerate().map(|(n, note)| format!("{n}\t{PLAIN}\t{note}\n")).collect()
}

const FLAGS: [&str; 5] = ["--framing", "tsv", "--no-header", "--column", "2"];

#[test]
fn every_command_reads_rows_over_several_lines() {
    let old =
        noted(&["x", "one\\\ntwo\\\n\\\nthree", "a\\\tb", "two\\\r\nlines", "C:\\boards\\\\", "C:\\boards\\", "y"]);
    let new = old.replace(PLAIN, &v2(PLAIN));
    assert_eq!(convert(FLAGS, old.as_bytes()).good(), new.as_bytes());
    let of =
        |command: &str, more: &[&str]| run(gridmill([command, "-q"]).args(FLAGS).args(more), old.as_bytes()).good();
    assert_eq!(of("validate", &[]), b"");
    let appended = String::from_utf8(of("convert", &["--to-column", "new"])).expect("text");
    assert!(
        appended.starts_with(&format!("0\t{PLAIN}\tx\t{}\n1\t{PLAIN}\tone\\\ntwo\\\n\\\nthree\t{0}\n2\t", v2(PLAIN)))
    );
    assert_eq!(appended.matches(&v2(PLAIN)).count(), 7);
    let solved = String::from_utf8(of("solve", &["--to-column", "solution"])).expect("text");
    assert_eq!((solved.matches(PLAIN).count(), solved.lines().count()), (7, old.lines().count()));
    let first = noted(&["x"]);
    assert_eq!(of("dedupe", &[]), first.as_bytes());
    assert_eq!(of("dedupe", &["--invert"]), old.as_bytes()[first.len()..]);
}

#[test]
fn what_could_be_one_row_or_several_is_rejected() {
    for (note, words) in [
        // An empty line is no row.
        ("text\\\n", "a backslash ends the line"),
        // All delimiters of the second line may belong to a field.
        ("text\\\n5\\\tnote\\\tx", "a backslash ends the line"),
    ] {
        let text = noted(&["x", note, "y"]);
        let done = convert([&FLAGS[..], &["--bad", "reject"]].concat(), text.as_bytes());
        assert_eq!(done.code, Some(1), "{note}: {done:?}");
        assert!(
            done.stderr.contains(words) && done.stderr.contains("--framing csv --delimiter tab"),
            "{}",
            done.stderr
        );
        assert_eq!(done.text().lines().count(), 2, "{note}: {}", done.text());
        let lines =
            convert(["--framing", "csv", "--delimiter", "tab", "--no-header", "--column", "1"], text.as_bytes());
        assert!(!lines.stderr.contains(words));
    }
    // The second line would be a row of fewer fields that has a string.
    let done = convert(FLAGS, format!("{}2\\\t{PLAIN}\n", noted(&["x", "see\\"])).as_bytes());
    assert!(done.code == Some(1) && done.stderr.contains("both are possible"), "{done:?}");
    assert_eq!(done.text().lines().count(), 1);
}

/// Lines that all end in backslashes: rows, or a row that is longer than rows may be. Neither takes memory without limit.
#[test]
fn thousands_of_lines_that_end_in_backslashes() {
    let folder = Folder::new();
    let paths: String = (0..200_000).map(|n| format!("{n}\t{PLAIN}\tC:\\boards\\{n}\\\n")).collect();
    let path = folder.write("paths.tsv", &paths);
    let mut limited = gridmill(["convert", "-q", "-j", "2", path.to_str().unwrap()]);
    let out = run(limited.args(FLAGS), b"").good();
    assert!(out == paths.replace(PLAIN, &v2(PLAIN)).as_bytes());
    let long = format!("{}\\\n", "note ".repeat(200)).repeat(3500);
    let (good, overlong) = (noted(&["x", &long]), noted(&["x", &long.repeat(5), "y"]));
    assert!(convert(FLAGS, good.as_bytes()).good() == good.replace(PLAIN, &v2(PLAIN)).as_bytes());
    let done = run(gridmill(["convert", "-q"]).args(FLAGS), overlong.as_bytes());
    assert!(done.code == Some(1) && done.text().lines().count() == 4);
    assert_eq!(done.stderr.matches("the row has 1 column").count(), 5 * 3500 - 1);
}
