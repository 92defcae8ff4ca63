//! `gridmill bench`: selects what is measured, and shows the results.

mod chart;
mod measure;
mod summary;

use std::path::PathBuf;
use std::time::SystemTime;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use serde_json::{Value, json};

use super::flags::{kind_parser, level_parser, refused_columns, written_parser};
use super::outputs::{CommandInputs, Outputs};
use super::{GOOD, print_beside, print_stderr};
use crate::amounts::{counted, grouped, rate};
use crate::board::{Batch, Kind, Shape, Side};
use crate::engine::{CheckLevel, kernel};
use crate::error::shown_path;
use crate::formats::{Format, REGISTRY, Text, write_one};
use crate::kernels::{self, Kernel};
use crate::make::{Clues, Maker, MakerMemory, Mix, UniqueMaker};
use crate::output::Claim;
use crate::platform::processor;
use crate::solve::BatchSolver;
use measure::{Data, Figure, Task, measure};

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:
  gridmill bench
      every format and kind (about a minute)
  gridmill bench --summary
      the six figures that README gives, for this machine
  gridmill bench --format v1 --svg v1.svg
      one format, with a chart
  gridmill bench boards.txt
      your own strings, to v2
  gridmill bench --level unique
      puzzles of every kind, solved
  gridmill bench --json | jq '.rows[]'

All work is on text in memory; no other file is read, and none is written, but
for temporary files of --summary. A FILE has one string on each line. 'decode' turns
strings into boards with every check, 'encode' is the reverse, and 'convert' is
everything that 'gridmill convert' does between reading and writing. Results are
checked before they are timed: against the scalar kernel, and by converting
back.",
    next_help_heading = "Measurement"
)]
pub(super) struct BenchFlags {
    /// Convert the strings of this file to v2, instead of generated boards.
    #[arg(value_name = "FILE", help_heading = None)]
    pub(super) file: Option<PathBuf>,

    /// Measure 'validate' at this level, on generated puzzles with one solution or on those of the file.
    #[arg(long, value_parser = level_parser(CheckLevel::Syntax), value_name = "LEVEL")]
    pub(super) level: Option<CheckLevel>,

    /// One table of what most people ask about: decoding, converting in memory and from file to file, unique solutions,
    /// canonical forms and grades, each with its rate, and beside a limit where there is one. With the best kernel, or that of
    /// --kernel. Temporary files without a name are in the system's folder for them. About half a minute.
    #[arg(long, conflicts_with_all = ["file", "level", "format", "kind", "svg", "force"])]
    pub(super) summary: bool,

    #[command(flatten)]
    pub(super) boards: BoardChoice,

    /// Only this kernel (see --version).
    #[arg(long, value_name = "KERNEL")]
    pub(super) kernel: Option<String>,

    #[command(flatten)]
    pub(super) timing: TimingFlags,

    /// Print the figures as JSON.
    #[arg(long, help_heading = "Output")]
    pub(super) json: bool,

    /// Also write a bar chart; '-' is stdout, and the table then goes to stderr.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) svg: Option<PathBuf>,

    /// Replace an existing chart.
    #[arg(short, long, help_heading = "Output")]
    pub(super) force: bool,
}

/// How long is measured.
#[derive(Debug, Args)]
#[command(next_help_heading = "Measurement")]
pub(super) struct TimingFlags {
    /// MiB of text; should be much more than the caches hold.
    #[arg(long, default_value_t = 64, value_name = "MIB", conflicts_with = "file", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(super) size: u16,

    /// Number of runs; the median is shown.
    #[arg(long, default_value_t = 7, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(super) runs: u16,

    /// The larger number of threads to measure; 0 means one per core.
    #[arg(short = 'j', long, default_value_t = 0, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub(super) threads: u16,
}

/// Which boards are generated.
#[derive(Debug, Args)]
#[command(next_help_heading = "Measurement")]
pub(super) struct BoardChoice {
    /// Only this format.
    #[arg(long, value_parser = written_parser(), value_name = "FORMAT", conflicts_with = "file")]
    pub(super) format: Option<Format>,

    /// Only boards of this kind.
    #[arg(long, value_parser = kind_parser(), conflicts_with = "file")]
    pub(super) kind: Option<Kind>,
}

/// The number of boards that are generated. The text repeats them until it is large enough.
const BOARDS: u64 = 64 * 256;

/// One row of the result.
struct Measurement {
    data: String,
    task: String,
    kernel: &'static str,
    threads: usize,
    figure: Figure,
}

pub(super) fn run(flags: &BenchFlags) -> anyhow::Result<u8> {
    let reads =
        flags.file.as_ref().map_or(CommandInputs::Nothing, |file| CommandInputs::Files(std::slice::from_ref(file)));
    let mut outputs = Outputs::new(&reads, flags.force, true)?;
    let chart = outputs.named("--svg", flags.svg.as_deref())?;
    let stdout_is_taken = chart.as_ref().is_some_and(Claim::is_stdout);
    if flags.json {
        outputs.stdout("the figures (--json)")?;
    } else if !stdout_is_taken {
        outputs.stdout("the table")?;
    }
    let chart = outputs.lazily(chart)?;
    let kernels = chosen_kernels(flags)?;
    let threads = match flags.timing.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        n => n.into(),
    };
    if flags.summary {
        let rows = summary::rows(kernels[0], threads, flags)?;
        let text = match flags.json {
            true => format!("{:#}\n", described(summary::as_json(&rows), flags)),
            false => summary::table(&rows, kernels[0], flags),
        };
        print_beside(false, &text)?;
        return Ok(GOOD);
    }
    let rows = match &flags.file {
        Some(path) => {
            let name = shown_path(path);
            let text = std::fs::read(path).with_context(|| format!("{name}: cannot read"))?;
            if text.starts_with(&[0x1f, 0x8b]) || text.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
                bail!("{name}: is compressed; bench needs text, so decompress it first");
            }
            if let Some(words) = refused_columns(&text, "bench") {
                bail!("{name}: {words}");
            }
            let data = Data::of_file(name, text)?;
            check_records(&data, kernels[0])?;
            file_rows(&data, &kernels, threads, flags)?
        }
        None if flags.level.is_some() => puzzle_rows(&kernels, threads, flags)?,
        None => made_rows(&kernels, threads, flags)?,
    };
    if rows.is_empty() {
        bail!("nothing matches --format and --kind; 'gridmill formats' lists what exists");
    }
    if let Some(mut file) = chart {
        file.write(chart::svg(&rows, &processor(), flags.level.is_some()).as_bytes())?;
        file.finish()?;
    }
    let text = if flags.json { format!("{:#}\n", as_json(&rows, flags)) } else { table(&rows, flags) };
    print_beside(stdout_is_taken, &text)?;
    Ok(GOOD)
}

fn chosen_kernels(flags: &BenchFlags) -> anyhow::Result<Vec<&'static Kernel>> {
    match &flags.kernel {
        Some(name) => Ok(vec![kernels::by_name(name)?]),
        // GRIDMILL_KERNEL selects the kernel in every command.
        None if std::env::var_os("GRIDMILL_KERNEL").is_some_and(|name| !name.is_empty()) => Ok(vec![kernel()?]),
        None => Ok(kernels::available()),
    }
}

/// Checks that some records of a file can be read. Says how many cannot: they take another time.
fn check_records(data: &Data, kernel: &'static Kernel) -> anyhow::Result<()> {
    let counts = data.convert_once(kernel);
    let (records, name) = (counted(counts.records, "record"), &data.name);
    let Some((code, _)) = counts.codes.iter().max_by_key(|(_, count)| **count) else {
        anyhow::ensure!(counts.records > 0, "{name}: has no records, so there is nothing to measure");
        return Ok(());
    };
    anyhow::ensure!(
        counts.rejected < counts.records,
        "{name}: none of its {records} can be read (most are refused as '{code}'), so there is nothing to measure; bench \
         takes one string on each line"
    );
    print_stderr(&format!(
        "{name}: {} of {records} cannot be read (most are refused as '{code}'); the rates include them",
        grouped(counts.rejected)
    ));
    Ok(())
}

/// Converts the records of a file to v2, or validates them, with every kernel.
fn file_rows(
    data: &Data,
    kernels: &[&'static Kernel],
    threads: usize,
    flags: &BenchFlags,
) -> anyhow::Result<Vec<Measurement>> {
    let convert = Task::Convert { from: None, to: Format::V2 };
    let task = flags.level.map_or(convert, |level| Task::Validate { level });
    let mut rows = Vec::new();
    for &kernel in kernels {
        for threads in thread_counts(threads) {
            rows.push(row(data, task, kernel, threads, flags)?);
        }
    }
    Ok(rows)
}

/// Returns 1 and, if it is larger, the given number.
fn thread_counts(threads: usize) -> impl Iterator<Item = usize> {
    [1, threads].into_iter().take(if threads > 1 { 2 } else { 1 })
}

/// Measures every format and kind in each direction.
fn made_rows(kernels: &[&'static Kernel], threads: usize, flags: &BenchFlags) -> anyhow::Result<Vec<Measurement>> {
    let mut rows = Vec::new();
    for format in REGISTRY.iter().map(|format| format.about().id) {
        if flags.boards.format.is_some_and(|wanted| wanted != format) {
            continue;
        }
        for kind in Kind::all().filter(|&kind| flags.boards.kind.is_none_or(|wanted| wanted == kind)) {
            let Some(data) = made(format, kind, flags)? else { continue };
            // The kernels only differ for the boards that most databases consist of. Other boards use the same code in
            // all kernels.
            let several = kind == Kind::Sudoku && format.name() != "v0" && format.name() != "wolfram";
            let kernels = if several { kernels } else { &kernels[..1] };
            let mut tasks = vec![Task::Decode, Task::Encode];
            if format != Format::V2 {
                tasks.push(Task::Convert { from: Some(format), to: Format::V2 });
            } else if kind == Kind::Sudoku {
                tasks.push(Task::Convert { from: Some(Format::V2), to: Format::V1 });
            }
            for task in tasks {
                for &kernel in kernels {
                    let most = if matches!(task, Task::Convert { .. }) { threads } else { 1 };
                    for threads in thread_counts(most) {
                        rows.push(row(&data, task, kernel, threads, flags)?);
                    }
                }
            }
        }
    }
    Ok(rows)
}

/// Validates puzzles with one solution: minimal sudokus, and for other kinds the clues that are drawn and needed.
fn puzzle_rows(kernels: &[&'static Kernel], threads: usize, flags: &BenchFlags) -> anyhow::Result<Vec<Measurement>> {
    let task = Task::Validate { level: flags.level.unwrap_or(CheckLevel::Rules) };
    let mut rows = Vec::new();
    for kind in Kind::all().filter(|&kind| flags.boards.kind.is_none_or(|wanted| wanted == kind)) {
        let format = if kind == Kind::Sudoku { Format::Plain } else { Format::V2 };
        if flags.boards.format.is_some_and(|wanted| wanted != format) {
            continue;
        }
        let data = puzzles(format, kind, flags)?;
        let kernels = if kind == Kind::Sudoku { kernels } else { &kernels[..1] };
        for &kernel in kernels {
            for threads in thread_counts(threads) {
                rows.push(row(&data, task, kernel, threads, flags)?);
            }
        }
    }
    Ok(rows)
}

fn puzzles(format: Format, kind: Kind, flags: &BenchFlags) -> anyhow::Result<Data> {
    let boards = if is_solved_side_by_side(kind) { BOARDS } else { BOARDS / 16 };
    let text = puzzle_text(format, kind, boards)?;
    let name = format!("{format} {kind} with one solution");
    let size = if is_solved_side_by_side(kind) { flags.timing.size.min(16) } else { 0 };
    Ok(Data::repeated(name, format, kind, text.as_slice(), size.into()))
}

/// Whether boards of a kind are solved many at a time. Some kinds take microseconds for a board, others a hundred times as
/// long.
fn is_solved_side_by_side(kind: Kind) -> bool {
    let mut batch = Batch::new();
    batch.reset(Shape::new(kind, usual_side(kind)), 1);
    BatchSolver::takes(&batch, 0)
}

/// This many puzzles with one solution, as lines.
fn puzzle_text(format: Format, kind: Kind, boards: u64) -> anyhow::Result<Text> {
    let side = usual_side(kind);
    let maker = Maker::new(kind, side, Mix::Clues, 1)?;
    let mut unique = UniqueMaker::new(&maker, if kind.is_plain() { Clues::Minimal } else { Clues::Drawn }, kernel()?)?;
    let (mut batch, mut scratch, mut text) = (Batch::new(), MakerMemory::default(), Text::new());
    batch.reset(maker.shape(), 64);
    for first in (0..boards).step_by(64) {
        unique.fill(first, &mut batch, &mut scratch)?;
        for board in 0..64 {
            let string = write_one(&batch, board, format).map_err(|reject| anyhow!("{reject}"))?;
            text.push(string.as_bytes());
            text.push(b"\n");
        }
    }
    Ok(text)
}

/// The side that most puzzles of this kind have.
fn usual_side(kind: Kind) -> Side {
    if matches!(kind, Kind::KenKen | Kind::KenDoku) { Side::new(6) } else { None }.unwrap_or(Side::NINE)
}

fn row(
    data: &Data,
    task: Task,
    kernel: &'static Kernel,
    threads: usize,
    flags: &BenchFlags,
) -> anyhow::Result<Measurement> {
    let figure = measure(data, task, kernel, threads, flags.timing.runs.into())
        .with_context(|| format!("{}, {task}, kernel {}, {threads} threads", data.name, kernel.name))?;
    Ok(Measurement { data: data.name.clone(), task: task.to_string(), kernel: kernel.name, threads, figure })
}

/// Returns boards of a kind as strings of a format, or `None` if the format cannot represent them without losses.
fn made(format: Format, kind: Kind, flags: &BenchFlags) -> anyhow::Result<Option<Data>> {
    let side = usual_side(kind);
    let shape = Shape::new(kind, side);
    if format.codec().writes(shape).is_err() {
        return Ok(None);
    }
    // The richest mix that the format can represent.
    for mix in [Mix::Progress, Mix::Clues] {
        let maker = Maker::new(kind, side, mix, 1)?;
        let (mut batch, mut scratch, mut text) = (Batch::new(), MakerMemory::default(), Text::new());
        for first in (0..BOARDS).step_by(64) {
            batch.reset(shape, 64);
            maker.fill(first, &mut batch, &mut scratch);
            for board in 0..64 {
                if let Ok(string) = write_one(&batch, board, format) {
                    text.push(string.as_bytes());
                    text.push(b"\n");
                }
            }
        }
        if text.is_empty() {
            continue;
        }
        let name = format!("{format} {kind} {}", mix.name());
        return Ok(Some(Data::repeated(name, format, kind, text.as_slice(), flags.timing.size.into())));
    }
    Ok(None)
}

/// With a greater spread, other programs have taken time from some runs.
const MOST_SPREAD: f64 = 0.25;

fn table(rows: &[Measurement], flags: &BenchFlags) -> String {
    let mut text = format!(
        "{} of text in memory, median of {} runs; also as a share of memcpy of the same text by one thread\n\n",
        if flags.level.is_some() { "Lines".into() } else { format!("{} MiB", flags.timing.size) },
        flags.timing.runs
    );
    text.push_str(&format!(
        "{:<34} {:<15} {:<7} {:>7} {:>14} {:>9} {:>8} {:>7}\n",
        "data", "task", "kernel", "threads", "", "", "x memcpy", "spread"
    ));
    for row in rows {
        let figure = &row.figure;
        text.push_str(&format!(
            "{:<34} {:<15} {:<7} {:>7} {:>14} {:>9} {:>8.2} {:>6.0}%\n",
            row.data,
            row.task,
            row.kernel,
            row.threads,
            rate(figure.lines_per_second(), "lines/s"),
            rate(figure.bytes_per_second(), "B/s"),
            figure.share(),
            figure.spread() * 100.0,
        ));
    }
    text.push_str("\nEvery result was checked before it was timed. Spread: from the fastest run to the slowest.\n");
    let uneven = rows.iter().filter(|row| row.figure.spread() > MOST_SPREAD).count();
    if uneven > 0 {
        text.push_str(&format!(
            "The spread of {uneven} of {} figures is above {:.0} %: the machine is busy. Run it again when nothing else runs.\n",
            rows.len(),
            MOST_SPREAD * 100.0
        ));
    }
    text
}

fn as_json(rows: &[Measurement], flags: &BenchFlags) -> Value {
    let rows: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!({
                "data": row.data,
                "task": row.task,
                "kernel": row.kernel,
                "threads": row.threads,
                "lines": row.figure.lines,
                "bytes": row.figure.bytes,
                "lines_per_second": row.figure.lines_per_second(),
                "bytes_per_second": row.figure.bytes_per_second(),
                "share_of_memcpy": row.figure.share(),
                "memcpy_bytes_per_second": row.figure.bytes as f64 / row.figure.beside,
                "seconds": row.figure.seconds,
            })
        })
        .collect();
    described(rows, flags)
}

/// Rows, and where and when they were measured.
fn described(rows: Vec<Value>, flags: &BenchFlags) -> Value {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    json!({
        "schema": 1,
        "program": concat!("gridmill ", env!("CARGO_PKG_VERSION")),
        "processor": processor(),
        "unix_time": now,
        "runs": flags.timing.runs,
        "rows": rows,
    })
}
