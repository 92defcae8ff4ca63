//! `gridmill convert`.

use std::path::PathBuf;

use clap::Args;

use super::first_rows::MoreRows;
use super::flags::{
    AddFlags, ChosenLayout, InputFlags, OutputFlags, RejectFlags, SolutionFlags, bad_or_null_parser, level_parser,
    notes_parser, parse_blank, written_as_parser, written_layout_parser,
};
use super::outputs::{CommandInputs, Outputs, into_target, names_zstd};
use super::{GOOD, SOME_BAD, hints, print_stderr, progress};
use crate::board::FillCandidates;
use crate::engine::{Added, Appended, Bad, CheckLevel, Checks, Conversion, Convert, Emit};
use crate::formats::{Format, FormatLayouts, Layout, WrittenAs};
use crate::output::Claim;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:
  gridmill convert old.txt -o new.txt
      any format, mixed, to v2; bad strings go to new.txt.rejects.tsv
  gridmill convert old.txt.zst -o new.txt.zst
      compressed input and output
  gridmill convert --to v1 --lossy new.txt
      back to v1; what v1 cannot hold is lost and counted
  gridmill convert --kind sudoku-x clues.txt
      for strings that do not name their kind
  gridmill convert --notes auto clues.txt
      with candidates filled in
  gridmill convert --framing csv --column board boards.csv -o new.csv
  gridmill convert --framing jsonl --field /board --to-column v2 boards.jsonl
  gridmill convert --framing csv --column quiz --column answer \\
        --to-numpy pairs.npy sudokus.csv

Only one output can go to stdout: '--report -' needs a file for -o. './-' is a
file named '-'. In tables and JSON lines, everything but the strings is copied
unchanged. Rows without a string (an empty field, \\N or NULL; in JSON null or
an empty string) are copied; rows without the field are rejected.

Exit codes: 0 all good, 1 some records were rejected or none was found, 2 the
run failed.",
    next_help_heading = "Output"
)]
pub(super) struct ConvertFlags {
    #[command(flatten)]
    pub(super) input: InputFlags,

    #[command(flatten)]
    pub(super) output: OutputFlags,

    #[command(flatten)]
    pub(super) written: WrittenFlags,

    #[command(flatten)]
    pub(super) appended: AppendFlags,

    /// Instead of strings, write a NumPy array of bytes (.npy): one row per board, with the placed digit or 0 for each cell. All
    /// boards must have the same size. With several --column or --field, the array has the shape rows x columns x cells, with
    /// the rows that have a string in each column.
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["output", "to", "zstd", "blank", "to_column", "add", "add_kind", "keep_names", "notes", "str8ts_write", "lossy"])]
    pub(super) to_numpy: Option<PathBuf>,

    /// Convert only boards that obey the rules, or have exactly one solution; see 'gridmill validate --help'.
    #[arg(long, value_parser = level_parser(CheckLevel::Rules), value_name = "LEVEL", help_heading = "Bad records")]
    pub(super) check: Option<CheckLevel>,

    /// What to do with bad records: 'reject' leaves them out, 'keep' copies them, 'stop' ends the run, 'null' replaces them with
    /// null (parquet, arrow). All are reported.
    #[arg(long, value_parser = bad_or_null_parser(), default_value = "reject", help_heading = "Bad records")]
    pub(super) bad: Bad,

    #[command(flatten)]
    pub(super) rejects: RejectFlags,

    /// List the cells that v0 and v1 store as solved but that may have been single candidates; '-' is stdout.
    #[arg(long, value_name = "FILE")]
    pub(super) list_solved: Option<PathBuf>,

    /// Write a report of the run as JSON; '-' is stdout.
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
}

/// How boards are written.
#[derive(Debug, Args)]
#[command(next_help_heading = "Format")]
pub(super) struct WrittenFlags {
    /// The format of the output.
    #[arg(long, value_parser = written_as_parser(), default_value = "v2", value_name = "FORMAT", help_heading = "Format")]
    pub(super) to: WrittenAs,

    /// With --to plain: the character for an empty cell of a sudoku, one of 0 . _ - * x X ? [default: 0].
    #[arg(long, value_name = "SIGN", value_parser = parse_blank, allow_hyphen_values = true, help_heading = "Format")]
    pub(super) blank: Option<u8>,

    /// What to do with candidates: 'none' removes them, 'full' puts all of them into every cell without a digit, 'auto' fills
    /// empty cells with those that the placed digits leave.
    #[arg(long, value_parser = notes_parser(), default_value = "keep", help_heading = "Format")]
    pub(super) notes: FillCandidates,

    /// The layout in which v2 Str8ts strings are written.
    #[arg(long, value_parser = written_layout_parser(Format::V2), default_value = "spec", value_name = "LAYOUT", help_heading = "Str8ts")]
    pub(super) str8ts_write: ChosenLayout,

    /// Convert boards even if something is lost, and count the losses.
    #[arg(long, help_heading = "Format")]
    pub(super) lossy: bool,
}

/// What is appended to rows.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct AppendFlags {
    /// Append the new string to the row, as a column (csv, tsv, parquet, arrow) or field (jsonl) of this name, instead of replacing
    /// the old one. Once for each --column or --field.
    #[arg(long, value_name = "NAME")]
    pub(super) to_column: Vec<String>,

    /// Same as --add format,kind.
    #[arg(long)]
    pub(super) add_kind: bool,

    #[command(flatten)]
    pub(super) add: AddFlags,
}

pub(super) fn run(flags: &ConvertFlags) -> anyhow::Result<u8> {
    flags.input.check_appended(&flags.appended.to_column)?;
    anyhow::ensure!(
        flags.written.blank.is_none() || flags.written.to.format == Format::Plain,
        "--blank is only for --to plain: other formats have a fixed sign for empty cells"
    );
    anyhow::ensure!(
        flags.written.to.format != Format::Link || flags.written.str8ts_write.0 != Some(Layout::Site),
        "--str8ts-write is for strings: links are written in layout spec"
    );
    anyhow::ensure!(
        flags.to_numpy.is_none() || matches!(flags.bad, Bad::Reject | Bad::Stop),
        "an array has no place for rejected records; use --bad reject or stop with --to-numpy"
    );
    anyhow::ensure!(
        !flags.to_numpy.as_deref().is_some_and(names_zstd),
        "NumPy cannot read compressed arrays; give --to-numpy a name that does not end in .zst"
    );
    let mut outputs = outputs(&flags.input, &flags.output)?;
    let (output, level) = match outputs.named("--to-numpy", flags.to_numpy.as_deref())? {
        Some(array) => (array, None),
        None => outputs.output(&flags.output)?,
    };
    let named = flags.to_numpy.clone().or_else(|| flags.output.output.clone());
    let output_flags = OutputFlags { output: named, ..flags.output.clone() };
    let more = MoreRows::default();
    let rejects = flags.rejects.target(&mut outputs, &flags.input, &output_flags, &more)?;
    let solved = outputs.named("--list-solved", flags.list_solved.as_deref())?;
    let report = outputs.named("--report", flags.report.as_deref())?;
    let more = more.stdout_is_taken(outputs.uses_stdout());
    let run = CommonRun {
        input: &flags.input,
        reads_links: true,
        solutions: &SolutionFlags::default(),
        output: &flags.output,
        rejects: &flags.rejects,
        more: &more,
        report,
    };
    let mut convert = Convert::new(into_target(output)).conversion(conversion(flags)).rejects(rejects);
    if let Some(level) = level {
        convert = convert.zstd(level);
    }
    let kind = [Added::Format, Added::Kind].map(|added| (added, added.name().to_string()));
    let added = flags.appended.add.added().chain(kind.into_iter().filter(|_| flags.appended.add_kind)).collect();
    convert = convert.append(Appended { to: flags.appended.to_column.clone(), added, ..Appended::default() });
    if let Some(claim) = solved {
        convert = convert.list_solved(claim.into_target());
    }
    run.run(convert, flags.written.to)
}

/// The outputs of a command that reads streams.
pub(super) fn outputs(input: &InputFlags, output: &OutputFlags) -> anyhow::Result<Outputs> {
    Outputs::new(&CommandInputs::Streams(&input.inputs), output.force, !output.no_sync)
}

/// The parts of a run that `convert` and `validate` have in common.
pub(super) struct CommonRun<'f> {
    /// The inputs.
    pub(super) input: &'f InputFlags,
    /// Whether the command takes links. The others say how to get their strings.
    pub(super) reads_links: bool,
    /// Solutions that came with the strings.
    pub(super) solutions: &'f SolutionFlags,
    /// The output.
    pub(super) output: &'f OutputFlags,
    /// What to do with refused records.
    pub(super) rejects: &'f RejectFlags,
    /// Counts the reject rows that are not shown.
    pub(super) more: &'f MoreRows,
    /// Where the report is written.
    pub(super) report: Option<Claim>,
}

impl CommonRun<'_> {
    /// Runs the conversion to the format `to`, with progress, report and summary.
    pub(super) fn run(self, convert: Convert, to: impl Into<WrittenAs>) -> anyhow::Result<u8> {
        self.input.check_output(self.solutions, self.output.output.as_deref())?;
        let meter = progress::Meter::start("bytes", self.output.progress())?;
        let (input, solutions, more, quiet) = (self.input, self.solutions, self.more, self.output.quiet);
        let reads_links = self.reads_links;
        let done = match input.have_columns() {
            true => input.run_columns(self.set_up_common(convert, &meter)?, solutions),
            false => self.set_up(convert, to.into(), &meter)?.run().map_err(Into::into),
        };
        meter.finish();
        more.print_count();
        let done = done?;
        if !quiet {
            print_stderr(&done.summary());
            done.unsupported_lines().iter().for_each(|line| print_stderr(line));
            hints::after(&done, input.framing, reads_links).iter().for_each(|hint| print_stderr(hint));
        }
        hints::without_records(&done, input.framing, reads_links, quiet).iter().for_each(|words| print_stderr(words));
        Ok(if done.counts.rejected > 0 || done.found_nothing() { SOME_BAD } else { GOOD })
    }

    /// Sets up everything but the conversion itself.
    pub(super) fn set_up(
        self,
        mut convert: Convert,
        to: WrittenAs,
        meter: &progress::Meter,
    ) -> anyhow::Result<Convert> {
        convert = convert.framing(self.input.framing(to, self.solutions)?);
        self.set_up_common(convert, meter)
    }

    /// Sets up everything that does not depend on how records are arranged in text.
    pub(super) fn set_up_common(self, mut convert: Convert, meter: &progress::Meter) -> anyhow::Result<Convert> {
        let rejects_as = self.rejects.written_as(self.input)?;
        convert = convert
            .rejects_as(rejects_as)
            .reading(self.input.reading())
            .threads(self.output.threads.into())
            .sync(!self.output.no_sync)
            .progress(meter.progress());
        for input in self.input.inputs()? {
            convert = convert.input(input);
        }
        if let Some(claim) = self.report {
            convert = convert.report(claim.into_target());
        }
        Ok(convert)
    }
}

fn conversion(flags: &ConvertFlags) -> Conversion {
    let level = flags.check.unwrap_or(CheckLevel::Syntax);
    Conversion {
        to: flags.written.to.format,
        write_layouts: flags.written.to.with(FormatLayouts::default().with(Format::V2, flags.written.str8ts_write.0)),
        blank: flags.written.blank,
        candidates: flags.written.notes,
        lossy: flags.written.lossy,
        emit: if flags.to_numpy.is_some() { Emit::Digits } else { Emit::Encoded },
        bad: flags.bad,
        checks: Checks { level, clue_counts: flags.check.is_some() && flags.report.is_some(), ..Checks::default() },
        ..flags.input.conversion()
    }
}
