//! `gridmill bench --summary`: one table of what most people ask about.

use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::ensure;
use serde_json::{Value, json};

use super::measure::{Data, Figure, Task, alternate, measure};
use super::{BenchFlags, MOST_SPREAD, made, puzzle_text};
use crate::amounts::{grouped, rate};
use crate::board::Kind;
use crate::engine::{CheckLevel, Conversion, Convert};
use crate::formats::Format;
use crate::kernels::Kernel;
use crate::output::{Scratch, Target};
use crate::source::Input;

/// One row: what was measured, and what is beside it.
pub(super) struct SummaryRow {
    name: String,
    threads: usize,
    figure: Figure,
    beside: &'static str,
    /// The rate as a share of that of what is beside it.
    share: f64,
}

/// The amount of text with puzzles, in MiB. Grades take the longest, so there is less for them: each puzzle once.
const PUZZLES: u16 = 8;

/// The number of different puzzles: fewer for a small text.
fn puzzle_count(flags: &BenchFlags) -> u64 {
    super::BOARDS.min(256 * u64::from(flags.timing.size))
}

/// Measures all rows.
pub(super) fn rows(kernel: &'static Kernel, threads: usize, flags: &BenchFlags) -> anyhow::Result<Vec<SummaryRow>> {
    let runs = flags.timing.runs.into();
    let lines = made(Format::V1, Kind::Sudoku, flags)?.ok_or_else(|| anyhow::anyhow!("v1 holds no sudokus"))?;
    let one = |name: &str, data: &Data, task| -> anyhow::Result<SummaryRow> {
        let figure = measure(data, task, kernel, 1, runs)?;
        let share = figure.share();
        Ok(SummaryRow { name: name.into(), threads: 1, figure, beside: "memcpy", share })
    };
    let convert = Task::Convert { from: Some(Format::V1), to: Format::V2 };
    let mut rows = vec![
        one("decode: v1 to boards", &lines, Task::Decode)?,
        one("convert: v1 to v2 in memory", &lines, convert)?,
        from_file_to_file(&lines, kernel, threads, runs)?,
    ];
    drop(lines);
    let puzzles = puzzle_count(flags);
    let text = puzzle_text(Format::Plain, Kind::Sudoku, puzzles)?;
    let data =
        |size: u16| Data::repeated("minimal sudokus".into(), Format::Plain, Kind::Sudoku, text.as_slice(), size.into());
    let many = data(flags.timing.size.min(PUZZLES));
    let mut unique = one("unique: one solution?", &many, Task::Validate { level: CheckLevel::Unique })?;
    let mut canon = one("canon: form and key", &many, Task::Canon)?;
    let mut grade = one("grade: which techniques?", &data(0), Task::Grade)?;
    let of_unique = unique.figure.lines_per_second();
    for row in [&mut canon, &mut grade] {
        (row.beside, row.share) = ("unique", row.figure.lines_per_second() / of_unique);
    }
    // Solving is no work on text, so a share of memcpy would say nothing.
    (unique.beside, unique.share) = ("", 1.0);
    rows.extend([unique, canon, grade]);
    Ok(rows)
}

/// Converts a file to another one, in alternation with copying it through a buffer. Both are files without a name in the
/// system's folder for temporary files, so nothing remains of them however the program ends.
fn from_file_to_file(data: &Data, kernel: &'static Kernel, threads: usize, runs: usize) -> anyhow::Result<SummaryRow> {
    let folder = std::env::temp_dir();
    let mut old = Scratch::create_beside(&folder)?;
    old.append(data.text())?;
    let work = || convert_file(&old, &folder, kernel, threads);
    let copy = || {
        let mut new = Scratch::create_beside(&folder)?;
        let (mut reader, mut buffer) = (old.reader(), vec![0; 128 << 10]);
        loop {
            match reader.read(&mut buffer)? {
                0 => return Ok(()),
                length => new.append(&buffer[..length])?,
            };
        }
    };
    let figure = alternate(data, runs, copy, work)?;
    let share = figure.share();
    Ok(SummaryRow {
        name: "convert: v1 to v2, file to file".into(),
        threads,
        figure,
        beside: "copy of the file",
        share,
    })
}

/// Converts a file. Returns the number of good lines.
fn convert_file(old: &Scratch, folder: &Path, kernel: &'static Kernel, threads: usize) -> anyhow::Result<u64> {
    let new = FileWriter(Scratch::create_beside(folder)?);
    let output = Target::Writer { name: "a temporary file".into(), writer: Box::new(new) };
    let input = Input::Reader { name: "a temporary file".into(), reader: Box::new(old.reader()) };
    let plan = Conversion { from: Some(Format::V1), ..Conversion::default() };
    let report = Convert::new(output).input(input).conversion(plan).kernel(kernel).threads(threads).run()?;
    ensure!(report.counts.rejected == 0, "a good string was refused");
    Ok(report.counts.records)
}

/// A temporary file that a run writes.
struct FileWriter(Scratch);

impl Write for FileWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.append(bytes).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The rows as a table.
pub(super) fn table(rows: &[SummaryRow], kernel: &Kernel, flags: &BenchFlags) -> String {
    let mut text = format!(
        "{}, kernel {}; median of {} runs in alternation with what is beside them\n\n",
        crate::platform::processor(),
        kernel.name,
        flags.timing.runs
    );
    text.push_str(&format!(
        "{:<36} {:>7} {:>16} {:>11}   {:<26} {:>6}\n",
        "what", "threads", "", "", "beside", "spread"
    ));
    for row in rows {
        let beside = if row.beside.is_empty() { String::new() } else { format!("{:.2} x {}", row.share, row.beside) };
        text.push_str(&format!(
            "{:<36} {:>7} {:>16} {:>11}   {beside:<26} {:>5.0}%\n",
            row.name,
            row.threads,
            rate(row.figure.lines_per_second(), "lines/s"),
            rate(row.figure.bytes_per_second(), "B/s"),
            row.figure.spread() * 100.0,
        ));
    }
    text.push_str(&format!(
        "\nRates beside those of the text of one memcpy, of copying the file through a buffer of 128 KiB, and of 'unique'. The\n\
         puzzles are {} minimal sudokus.\n",
        grouped(puzzle_count(flags))
    ));
    if rows.iter().any(|row| row.figure.spread() > MOST_SPREAD) {
        text.push_str("Spreads above 25 %: the machine is busy. Run it again when nothing else runs.\n");
    }
    text
}

/// The rows for `--json`.
pub(super) fn as_json(rows: &[SummaryRow]) -> Vec<Value> {
    let row = |row: &SummaryRow| {
        json!({
            "what": row.name,
            "threads": row.threads,
            "lines": row.figure.lines,
            "bytes": row.figure.bytes,
            "lines_per_second": row.figure.lines_per_second(),
            "bytes_per_second": row.figure.bytes_per_second(),
            "beside": (!row.beside.is_empty()).then_some(row.beside),
            "share": (!row.beside.is_empty()).then_some(row.share),
            "seconds": row.figure.seconds,
        })
    };
    rows.iter().map(row).collect()
}
