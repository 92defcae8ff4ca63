//! `gridmill solve`.

use std::path::PathBuf;

use clap::Args;

use super::convert::{CommonRun, outputs};
use super::first_rows::MoreRows;
use super::flags::{
    AddFlags, InputFlags, OutputFlags, RejectFlags, SolutionFlags, bad_or_null_parser, givens_parser, written_as_parser,
};
use super::hints;
use super::outputs::into_target;
use crate::engine::{Appended, Bad, CheckLevel, Checks, Conversion, Convert, EFFORT, Emit, Givens};
use crate::formats::{Format, FormatLayouts, WrittenAs};
use crate::framing::{Appends, RecordSort};

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:
  gridmill solve puzzles.txt -o solved.txt
      one solution per line; bad puzzles go to solved.txt.rejects.tsv
  gridmill solve --to v2 puzzles.txt
      as v2 strings, in which clues stay clues
  gridmill solve --add clues,nodes puzzles.txt
      with the number of givens and of search nodes, after tabs
  gridmill solve --framing csv --column puzzle in.csv -o solved.csv
      a column 'solution' is added
  gridmill solve --framing jsonl --field /puzzle --to-column answer in.jsonl

At side 9, solutions of kinds with boxes and without black cells are written as
81 digits. All others (other sides, jigsaws, KenKens, Str8ts) are written as v2
strings, because their digits alone would be misread; with --to v2, all are.
Puzzles that do not have exactly one solution are rejected (no-solution,
many-solutions, undecided; see --effort), as are strings that cannot be read
and boards with progress that contradicts the solution (wrong-progress).
'gridmill validate --add solution' keeps the puzzles next to their solutions.

Exit codes: 0 all good, 1 some records were rejected or none was found, 2 the
run failed.",
    next_help_heading = "Output"
)]
pub(super) struct SolveFlags {
    #[command(flatten)]
    pub(super) input: InputFlags,

    #[command(flatten)]
    pub(super) output: OutputFlags,

    /// Write filled-in boards in this format [default: only the digits, or v2 where digits would be misread].
    #[arg(long, value_parser = written_as_parser(), value_name = "FORMAT", help_heading = "Format")]
    pub(super) to: Option<WrittenAs>,

    /// The column (csv, tsv, parquet, arrow) or field (jsonl) for the solutions [default: solution]. With several --column or
    /// --field, once for each [default: COLUMN_solution].
    #[arg(long, value_name = "NAME")]
    pub(super) to_column: Vec<String>,

    #[command(flatten)]
    pub(super) add: AddFlags,

    #[command(flatten)]
    pub(super) search: SearchFlags,

    /// With --to: write boards even if something of the puzzle is lost, and count the losses.
    #[arg(long, requires = "to", help_heading = "Format")]
    pub(super) lossy: bool,

    /// What to do with bad records: 'reject' leaves them out, 'keep' copies them, 'stop' ends the run, 'null' replaces them with
    /// null (parquet, arrow). All are reported.
    #[arg(long, value_parser = bad_or_null_parser(), default_value = "reject", help_heading = "Bad records")]
    pub(super) bad: Bad,

    #[command(flatten)]
    pub(super) rejects: RejectFlags,

    /// Write a report of the run as JSON; '-' is stdout.
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
}

/// What is solved, and how long.
#[derive(Debug, Args)]
#[command(next_help_heading = "Puzzles")]
pub(super) struct SearchFlags {
    /// What is given: the 'clues' (in formats without clues, all digits), all 'placed' digits, or also the 'candidates': a solution
    /// then has one of the candidates of each cell, as in puzzles that consist of them (sukaku).
    #[arg(long, value_parser = givens_parser(), default_value = "clues", value_name = "WHICH")]
    pub(super) givens: Givens,

    /// Maximum number of search nodes for each puzzle; beyond it, the puzzle is rejected as 'undecided'. This limits nodes, not
    /// time: a node takes longer on larger sides, and a kenken of side 16 may take half a minute. 1000 nodes are quick.
    #[arg(long, default_value_t = EFFORT, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) effort: u32,
}

pub(super) fn run(flags: &SolveFlags) -> anyhow::Result<u8> {
    let to = flags.to.unwrap_or(Format::V2.into());
    let solutions = SolutionFlags::default();
    let columns = match flags.input.have_columns() {
        true => Some(flags.input.column.clone()),
        false => {
            let framing = flags.input.framing(to, &solutions)?;
            (framing.facts().appends == Appends::Named).then(|| framing.columns())
        }
    };
    anyhow::ensure!(
        flags.input.framing.records != RecordSort::Links,
        "solutions cannot be written into links; solve takes lines, tables, JSON lines and grids; {}",
        hints::STRINGS_OF_LINKS
    );
    let mut outputs = outputs(&flags.input, &flags.output)?;
    let (output, level) = outputs.output(&flags.output)?;
    let more = MoreRows::default();
    let rejects = flags.rejects.target(&mut outputs, &flags.input, &flags.output, &more)?;
    let report = outputs.named("--report", flags.report.as_deref())?;
    let more = more.stdout_is_taken(outputs.uses_stdout());
    // The puzzles of a table must not be replaced by their solutions.
    let beside = match columns.filter(|_| flags.to_column.is_empty()) {
        Some(columns) => Appended::for_each("solution", &columns).collect(),
        None => flags.to_column.clone(),
    };
    let appended = Appended { to: beside, added: flags.add.added().collect(), ..Appended::default() };
    let run = CommonRun {
        input: &flags.input,
        reads_links: false,
        solutions: &solutions,
        output: &flags.output,
        rejects: &flags.rejects,
        more: &more,
        report,
    };
    let mut convert = Convert::new(into_target(output)).conversion(conversion(flags)).rejects(rejects).append(appended);
    if let Some(level) = level {
        convert = convert.zstd(level);
    }
    run.run(convert, to)
}

fn conversion(flags: &SolveFlags) -> Conversion {
    Conversion {
        to: flags.to.map_or(Format::V2, |to| to.format),
        write_layouts: flags.to.map_or_else(FormatLayouts::default, |to| to.with(FormatLayouts::default())),
        lossy: flags.lossy,
        bad: flags.bad,
        checks: Checks {
            level: CheckLevel::Unique,
            effort: flags.search.effort,
            givens: flags.search.givens,
            clue_counts: flags.report.is_some(),
            ..Checks::default()
        },
        emit: if flags.to.is_some() { Emit::SolvedBoard } else { Emit::Solution },
        ..flags.input.conversion()
    }
}
