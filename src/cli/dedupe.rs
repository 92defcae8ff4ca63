//! `gridmill dedupe`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::convert::CommonRun;
use super::first_rows::MoreRows;
use super::flags::{BadRecordFlags, InputFlags, OutputFlags, PuzzleFlags, SolutionFlags};
use super::outputs::{CommandInputs, Outputs, into_target, is_stdout};
use super::{GOOD, SOME_BAD, hints, print_stderr, progress};
use crate::canon::CanonicalForm;
use crate::engine::{Canonize, Checks, Conversion, Convert, Dedupe, Deduped, Emit, RejectsAs};
use crate::error::Error;
use crate::formats::Format;
use crate::framing::RecordSort;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:
  gridmill dedupe puzzles.txt -o distinct.txt
      the first copy of each puzzle, even if others are rotated or relabelled
  gridmill dedupe --framing csv --column puzzle --groups which.tsv \\
        in.csv -o out.csv
      rows; which.tsv says what each row that was left out duplicates
  gridmill dedupe --against train.txt --invert test.txt
      the puzzles of a test set that are also in the training set
  gridmill dedupe --by grid --against train.csv --against-column quizzes \\
        --framing csv --column puzzle --fail-on-duplicates test.csv -o clean.csv
      test puzzles whose solution is new; exit code 1 if any were left out
  gridmill dedupe --column puzzle --against a.parquet b.parquet -o new.parquet
      rows of Parquet and Arrow files, with all their columns
  gridmill dedupe --keyed --framing csv --column key keys.csv
      by keys from 'gridmill canon --key'; nothing is solved again

Records that are kept are copied byte for byte, in order. Memory is bounded:
keys that do not fit into --memory go to an unnamed temporary file next to the
output, as does input that cannot be read twice.

Exit codes: 0 done, 1 some records were rejected or, with --fail-on-duplicates,
left out, or there is no record, 2 the run failed.",
    next_help_heading = "Duplicates"
)]
pub(super) struct DedupeFlags {
    #[command(flatten)]
    pub(super) input: InputFlags,

    #[command(flatten)]
    pub(super) output: OutputFlags,

    #[command(flatten)]
    pub(super) same: SameFlags,

    #[command(flatten)]
    pub(super) others: AgainstFlags,

    /// Write what would be left out, and nothing else.
    #[arg(long)]
    pub(super) invert: bool,

    /// Append to each record the size of its class, after a tab or in a column or field of this name [default: count].
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, default_missing_value = "count")]
    pub(super) count: Option<String>,

    /// Write a row for each record that is left out: key, first_input, first_line, input, line, byte, map. The map turns it into
    /// the puzzle of the first record. '-' is stdout.
    #[arg(long, value_name = "FILE")]
    pub(super) groups: Option<PathBuf>,

    /// Exit with code 1 if anything is left out.
    #[arg(long)]
    pub(super) fail_on_duplicates: bool,

    #[command(flatten)]
    pub(super) space: MemoryFlags,

    #[command(flatten)]
    pub(super) bad: BadRecordFlags,
}

/// Where keys are kept.
#[derive(Debug, Args)]
#[command(next_help_heading = "Memory")]
pub(super) struct MemoryFlags {
    /// Memory for keys, which take 24 bytes a record: a number with K, M or G.
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_size)]
    pub(super) memory: usize,

    /// The folder for temporary files [default: that of the output].
    #[arg(long, value_name = "DIR")]
    pub(super) temp: Option<PathBuf>,
}

/// Other files, whose records are left out, too.
#[derive(Debug, Args)]
#[command(next_help_heading = "Duplicates")]
pub(super) struct AgainstFlags {
    /// Also leave out what is in this file, which is read like the input. Repeat for several files.
    #[arg(long, value_name = "FILE")]
    pub(super) against: Vec<PathBuf>,

    /// The column (csv, tsv, parquet, arrow) with the strings of these files, if it differs from that of the input.
    #[arg(long, value_name = "N|NAME", requires = "against")]
    pub(super) against_column: Option<String>,

    /// The same for JSON lines (jsonl).
    #[arg(long, value_name = "/POINTER", requires = "against")]
    pub(super) against_field: Option<String>,
}

/// What is the same.
#[derive(Debug, Args)]
#[command(next_help_heading = "Duplicates")]
pub(super) struct SameFlags {
    /// What counts as the same: the 'puzzle' up to symmetry; the 'grid' of its only solution up to symmetry, whatever the clues;
    /// or the 'string', the exact board in whatever format.
    #[arg(long, value_enum, default_value = "puzzle", value_name = "WHAT")]
    pub(super) by: DedupeBy,

    /// The canonical form to compare; it does not change what is a duplicate: 'solution' for puzzles with exactly one solution,
    /// 'puzzle' for any, 'auto' for the first where possible. Puzzles of one form are not compared with those of the other.
    #[arg(long, value_enum, default_value = "auto", value_name = "FORM")]
    pub(super) form: AnyForm,

    #[command(flatten)]
    pub(super) puzzle: PuzzleFlags,

    /// The records are keys that 'gridmill canon' wrote.
    #[arg(long, conflicts_with_all = ["by", "form", "givens", "from", "kind"])]
    pub(super) keyed: bool,
}

/// `--by`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum DedupeBy {
    Puzzle,
    Grid,
    String,
}

/// `--form` of `dedupe`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum AnyForm {
    Auto,
    Solution,
    Puzzle,
}

fn parse_size(text: &str) -> Result<usize, String> {
    let (number, unit) = match text.char_indices().last() {
        Some((at, 'K' | 'k')) => (&text[..at], 10),
        Some((at, 'M' | 'm')) => (&text[..at], 20),
        Some((at, 'G' | 'g')) => (&text[..at], 30),
        _ => (text, 0),
    };
    let size = number.parse::<usize>().ok().and_then(|number| number.checked_mul(1 << unit)).filter(|&size| size > 0);
    size.ok_or_else(|| "a size is a number from 1 up, optionally with K, M or G, such as 256M".into())
}

pub(super) fn run(flags: &DedupeFlags) -> anyhow::Result<u8> {
    check(flags)?;
    flags.input.check_output(&SolutionFlags::default(), flags.output.output.as_deref())?;
    let reads: Vec<_> = flags.input.inputs.iter().chain(&flags.others.against).cloned().collect();
    let reads = if flags.input.inputs.is_empty() { &[][..] } else { &reads[..] };
    let mut outputs = Outputs::new(&CommandInputs::Streams(reads), flags.output.force, !flags.output.no_sync)?;
    let (output, level) = outputs.output(&flags.output)?;
    let more = MoreRows::default();
    let rejects = flags.bad.rejects.target(&mut outputs, &flags.input, &flags.output, &more)?;
    let groups = outputs.named("--groups", flags.groups.as_deref())?.map(into_target);
    let report = outputs.named("--report", flags.bad.report.as_deref())?;
    let more = more.stdout_is_taken(outputs.uses_stdout());
    let file = flags.output.output.as_deref().filter(|path| !is_stdout(path));
    let temporary = flags.space.temp.clone().unwrap_or_else(|| beside(file));
    let meter = progress::Meter::start("bytes", flags.output.progress())?;
    let mut convert = Convert::new(into_target(output)).conversion(conversion(flags)?).rejects(rejects);
    if let Some(level) = level {
        convert = convert.zstd(level);
    }
    let solutions = SolutionFlags::default();
    let run = |input, report| CommonRun {
        input,
        reads_links: false,
        solutions: &solutions,
        output: &flags.output,
        rejects: &flags.bad.rejects,
        more: &more,
        report,
    };
    let have_columns = flags.input.have_columns();
    let set_up = |convert, input, report| match have_columns {
        true => {
            InputFlags::check_places(input, &solutions).and_then(|()| run(input, report).set_up_common(convert, &meter))
        }
        false => run(input, report).set_up(convert, Format::V2.into(), &meter),
    };
    let other_inputs = others(flags);
    let others = other_inputs.as_ref().map(|input| {
        input.check_others()?;
        let convert = Convert::new(crate::output::Target::Stdout).conversion(conversion(flags)?);
        set_up(convert, input, None)
    });
    let dedupe = Dedupe {
        others: others.transpose()?,
        records: set_up(convert, &flags.input, report)?,
        invert: flags.invert,
        count: flags.count.clone(),
        groups,
        memory: flags.space.memory,
        temporary,
    };
    let done = match have_columns {
        true => flags.input.dedupe_columns(dedupe, other_inputs.as_ref()),
        false => dedupe.run().map_err(|error| with_against_files(error, flags)),
    };
    meter.finish();
    more.print_count();
    Ok(tell(flags, &done?))
}

/// Tells what was done. Returns the exit code.
fn tell(flags: &DedupeFlags, done: &Deduped) -> u8 {
    if !flags.output.quiet {
        print_stderr(&done.summary());
        done.records.unsupported_lines().iter().for_each(|line| print_stderr(line));
        hints::after(&done.records, flags.input.framing, false).iter().for_each(|hint| print_stderr(hint));
    }
    let (framing, quiet) = (flags.input.framing, flags.output.quiet);
    hints::without_records(&done.records, framing, false, quiet).iter().for_each(|words| print_stderr(words));
    let is_bad = done.rejected() > 0 || done.records.found_nothing();
    let found = done.duplicates + done.in_other > 0;
    if is_bad || flags.fail_on_duplicates && found { SOME_BAD } else { GOOD }
}

/// Rejects combinations of flags that make no sense.
fn check(flags: &DedupeFlags) -> anyhow::Result<()> {
    anyhow::ensure!(
        flags.input.column.len() < 2 && flags.input.field.len() < 2,
        "dedupe compares one string per record; name only one column or field"
    );
    anyhow::ensure!(
        flags.input.framing.records != RecordSort::Links,
        "links cannot be left out of the text around them; dedupe takes lines, tables, JSON lines and grids; {}",
        hints::STRINGS_OF_LINKS
    );
    anyhow::ensure!(
        flags.same.form == AnyForm::Auto || flags.same.by == DedupeBy::Puzzle,
        "--form is only for --by puzzle: a grid has one form, and a string none"
    );
    let stdin = |path: &PathBuf| path.as_os_str() == "-";
    anyhow::ensure!(
        !flags.others.against.iter().any(stdin)
            || !flags.input.inputs.is_empty() && !flags.input.inputs.iter().any(stdin),
        "--against reads stdin (`-`); name the input files to compare with it"
    );
    anyhow::ensure!(
        flags.others.against.is_empty() || flags.bad.rejects.rejects_as == RejectsAs::Report,
        "--rejects-as rows would mix rows of the --against files with those of the input; leave it out, or --against"
    );
    Ok(())
}

/// Adds to an error of the other files what concerns only them.
fn with_against_files(error: Error, flags: &DedupeFlags) -> anyhow::Error {
    let Error::File { path, message } = error else { return error.into() };
    let is_other = flags.others.against.contains(&path);
    let more = if is_other && flags.others.against_column.is_none() && message.starts_with("there is no column") {
        "; --against-column names that of the --against files"
    } else if is_other && message.contains("--no-header") {
        " (then no file has a header), or put a header above its first row"
    } else {
        ""
    };
    Error::file(path, format!("{message}{more}")).into()
}

/// Returns the folder of a file, or without a file that of temporary files.
fn beside(file: Option<&Path>) -> PathBuf {
    match file.map(|file| file.parent().unwrap_or(Path::new("/"))) {
        Some(folder) if folder.as_os_str().is_empty() => PathBuf::from("."),
        Some(folder) if folder.is_dir() && !folder.starts_with("/dev") => folder.to_path_buf(),
        _ => std::env::temp_dir(),
    }
}

/// Returns the other files, with the same settings as the input.
fn others(flags: &DedupeFlags) -> Option<InputFlags> {
    let inputs = (!flags.others.against.is_empty()).then(|| flags.others.against.clone())?;
    let mut others = flags.input.of_files(inputs);
    if let Some(column) = &flags.others.against_column {
        others.column = vec![column.clone()];
    }
    if let Some(field) = &flags.others.against_field {
        others.field = vec![field.clone()];
    }
    Some(others)
}

fn conversion(flags: &DedupeFlags) -> anyhow::Result<Conversion> {
    let canonize = match (flags.same.by, flags.same.form) {
        _ if flags.same.keyed => Canonize::Key,
        (DedupeBy::Grid, _) => Canonize::Grid,
        (DedupeBy::String, _) => Canonize::Board,
        (DedupeBy::Puzzle, AnyForm::Auto) => Canonize::EitherForm,
        (DedupeBy::Puzzle, AnyForm::Solution) => Canonize::Form(CanonicalForm::Solution),
        (DedupeBy::Puzzle, AnyForm::Puzzle) => Canonize::Form(CanonicalForm::Puzzle),
    };
    Ok(Conversion {
        bad: flags.bad.bad,
        checks: Checks { effort: flags.same.puzzle.effort, ..Checks::default() },
        emit: Emit::Nothing,
        canonical: Some(flags.same.puzzle.canonical(canonize, false)?),
        ..flags.input.conversion()
    })
}
