//! `gridmill validate`.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::Args;

use super::convert::{CommonRun, outputs};
use super::first_rows::{FirstRows, MoreRows};
use super::flags::{AddFlags, InputFlags, OutputFlags, RejectFlags, SolutionFlags, ValidateLevel, to_stderr};
use super::outputs::{into_target, is_stdout};
use super::streams::Stdout;
use crate::engine::{Added, Appended, Checks, Conversion, Convert, EFFORT, Emit, RejectsTo};
use crate::formats::Id;
use crate::output::Target;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gridmill validate boards.txt
      every record that breaks a rule, as a row of TSV
  gridmill validate --level unique --all boards.txt
      and those without exactly one solution; every problem
  gridmill validate --level syntax -q *.txt
      only whether all can be read: look at the exit code
  gridmill validate --level unique --solutions puzzles.txt
      good puzzles, each with a tab and its solution
  gridmill validate --add clues,nodes puzzles.txt
      good puzzles, each with two tab-separated columns
  gridmill validate --level unique --add clues,nodes --framing csv \\
        --column puzzle --solution-column solution in.csv -o good.csv
      rows whose puzzle has one solution, which is the one that is given
  gridmill validate --report run.json -o good.txt --rejects bad.tsv in.txt

One output at a time may be on stdout: with '-o -' or '--report -' name a file
with --rejects. A row: input, line (from 1), byte (from 0), cell, code,
message, record. Codes of validation: duplicate, no-candidate, region, sum,
operator, straight, no-solution, many-solutions, wrong-progress,
wrong-solution, incomplete-solution, undecided.
Warnings (stale candidates, regions in pieces) are counted, and shown with
--all; they do not refuse a record. Exit codes: 0 all good, 1 some are not, 2
the run failed.")]
pub(super) struct ValidateFlags {
    #[command(flatten)]
    pub(super) input: InputFlags,

    /// How far boards are checked: that they can be read; that they obey the rules of their kind; that the givens have exactly
    /// one solution and the rest agrees with it.
    #[arg(long, value_enum, default_value = "rules", value_name = "LEVEL")]
    pub(super) level: ValidateLevel,

    /// Report every problem and warning of a record, not only its first problem.
    #[arg(long)]
    pub(super) all: bool,

    /// Count solutions up to this many, 2 to 10000.
    #[arg(long, default_value_t = 2, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(2..=10_000))]
    pub(super) max_solutions: u32,

    /// Nodes that the search for solutions may take for each puzzle; beyond that the verdict is 'undecided'. A node is the puzzle
    /// itself, or what follows from guessing one more cell; each puzzle is counted as if it were alone. It bounds nodes, not time:
    /// on larger sides a node takes longer: a kenken of side 16 may take half a minute. 1000 nodes are quick.
    #[arg(long, default_value_t = EFFORT, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) effort: u32,

    #[command(flatten)]
    pub(super) given: SolutionFlags,

    /// Write good records, each with its solution: after a tab, or in a column or field 'solution'.
    #[arg(long)]
    pub(super) solutions: bool,

    /// The column or field of --solutions, where one named 'solution' is there already.
    #[arg(long, value_name = "NAME", requires = "solutions")]
    pub(super) solution_name: Option<String>,

    #[command(flatten)]
    pub(super) add: AddFlags,

    #[command(flatten)]
    pub(super) rejects: RejectFlags,

    /// Write what was found as JSON: counts by kind, format, code and number of givens; '-' is stdout.
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,

    #[command(flatten)]
    pub(super) output: OutputFlags,
}

pub(super) fn run(flags: &ValidateFlags) -> anyhow::Result<u8> {
    if flags.solutions && flags.level != ValidateLevel::Unique {
        anyhow::bail!("--solutions is for --level unique, which looks for them");
    }
    if flags.given.are_given() && flags.level == ValidateLevel::Syntax {
        anyhow::bail!("--level syntax only reads strings; solutions are checked at --level rules or unique");
    }
    if !passes_on(flags) && flags.output.zstd.is_some() {
        anyhow::bail!("--zstd compresses the good records that are passed on; say with -o where they go");
    }
    let mut outputs = outputs(&flags.input, &flags.output)?;
    let (output, level) = match passes_on(flags) {
        true => outputs.output(&flags.output).map(|(claim, level)| (into_target(claim), level))?,
        false => (Target::Writer { name: "nothing".into(), writer: Box::new(std::io::sink()) }, None),
    };
    let rejects = match outputs.named("--rejects", flags.rejects.rejects.as_deref())? {
        None if passes_on(flags) && flags.output.output.as_deref().is_none_or(is_stdout) => None,
        None => Some(outputs.stdout("the rows of bad records (without --rejects)")?),
        named => named,
    };
    // On stdout they are what the run is for; at a terminal the first of them, unless all are asked for.
    let more = MoreRows::default();
    let rejects = match rejects {
        Some(claim) if claim.is_stdout() && flags.rejects.rejects.is_none() && std::io::stdout().is_terminal() => {
            let writer = Box::new(FirstRows::new(Stdout, &more));
            RejectsTo::Output(Target::Writer { name: "<stdout>".into(), writer })
        }
        Some(claim) if claim.is_stdout() => RejectsTo::Output(into_target(claim)),
        Some(claim) => RejectsTo::Lazy(claim.into_target()),
        None => to_stderr(&more),
    };
    let report = outputs.named("--report", flags.report.as_deref())?;
    let run = CommonRun {
        input: &flags.input,
        solutions: &flags.given,
        output: &flags.output,
        rejects: &flags.rejects,
        more: &more,
        report,
    };
    let mut convert = Convert::new(output).conversion(conversion(flags)).rejects(rejects).append(appended(flags));
    if let Some(level) = level {
        convert = convert.zstd(level);
    }
    run.run(convert, Id::V2)
}

fn conversion(flags: &ValidateFlags) -> Conversion {
    Conversion {
        checks: Checks {
            level: flags.level.into(),
            all: flags.all,
            max_solutions: flags.max_solutions,
            effort: flags.effort,
            clue_counts: flags.report.is_some(),
        },
        given_solutions: flags.given.are_given(),
        emit: if passes_on(flags) { Emit::AsTheyAre } else { Emit::Nothing },
        ..flags.input.conversion()
    }
}

/// Whether good records are written: where it is said to what file, or what to say of them.
fn passes_on(flags: &ValidateFlags) -> bool {
    flags.output.output.is_some() || flags.solutions || !flags.add.add.is_empty()
}

/// What is said of good records.
fn appended(flags: &ValidateFlags) -> Appended {
    let name = flags.solution_name.clone().unwrap_or_else(|| Added::Solution.name().into());
    let solution = flags.solutions.then_some((Added::Solution, name));
    Appended { to: Vec::new(), added: solution.into_iter().chain(flags.add.add.iter().cloned()).collect() }
}
