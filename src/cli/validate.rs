//! `gridmill validate`.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::Args;

use super::convert::{CommonRun, outputs};
use super::first_rows::{FirstRows, MoreRows};
use super::flags::{
    AddFlags, InputFlags, OutputFlags, RejectFlags, SolutionFlags, givens_parser, level_parser, to_stderr,
};
use super::outputs::{into_target, is_stdout};
use super::streams::Stdout;
use crate::engine::{Added, Appended, CheckLevel, Checks, Conversion, Convert, EFFORT, Emit, Givens, RejectsTo};
use crate::formats::Format;
use crate::output::{Claim, Target};
use crate::solve::GradeRange;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:
  gridmill validate boards.txt
      every record that breaks a rule, as a row of TSV
  gridmill validate --level unique --all boards.txt
      also those without exactly one solution; every problem of each
  gridmill validate --level syntax -q *.txt
      only check that all can be read; see the exit code
  gridmill validate --level unique --solutions puzzles.txt
      good puzzles, each followed by a tab and its solution
  gridmill validate --add clues,nodes puzzles.txt
      good puzzles, each with two tab-separated columns
  gridmill validate --grade chain..net --add grade-name puzzles.txt
      the puzzles that need chains or nets, each with its grade
  gridmill validate --level unique --add clues,nodes --framing csv \\
        --column puzzle --solution-column solution in.csv -o good.csv
      rows whose puzzle has one solution, which is the given one
  gridmill validate --report run.json -o good.txt --rejects bad.tsv in.txt

Only one output can go to stdout: '-o -' and '--report -' need a file for
--rejects. The columns of a row are input, line (from 1), byte (from 0), cell,
code, message and record. Validation codes: duplicate, no-candidate, region,
sum, operator, straight, no-solution, many-solutions, wrong-progress,
wrong-solution, incomplete-solution, undecided.
Warnings (stale candidates, regions in pieces) are counted, and shown with
--all; they do not reject a record.

Exit codes: 0 all good, 1 some records are bad or none was found, 2 the run
failed.",
    next_help_heading = "Output"
)]
pub(super) struct ValidateFlags {
    #[command(flatten)]
    pub(super) input: InputFlags,

    #[command(flatten)]
    pub(super) check: CheckFlags,

    #[command(flatten)]
    pub(super) given: SolutionFlags,

    #[command(flatten)]
    pub(super) good: GoodRecordFlags,

    #[command(flatten)]
    pub(super) rejects: RejectFlags,

    /// Write a report of the run as JSON, with counts by kind, format, code and number of givens; '-' is stdout.
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,

    #[command(flatten)]
    pub(super) output: OutputFlags,
}

/// What is written about good records.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct GoodRecordFlags {
    /// Write the good records, each with its solution after a tab, or in a column or field 'solution'.
    #[arg(long)]
    pub(super) solutions: bool,

    /// Another name for the column or field of --solutions, if 'solution' already exists.
    #[arg(long, value_name = "NAME", requires = "solutions")]
    pub(super) solution_name: Option<String>,

    #[command(flatten)]
    pub(super) add: AddFlags,
}

/// What is checked.
#[derive(Debug, Args)]
#[command(next_help_heading = "Puzzles")]
pub(super) struct CheckFlags {
    /// What to check: that boards can be read; that they also obey the rules of their kind; or that the givens also have exactly
    /// one solution with which the rest agrees.
    #[arg(long, value_parser = level_parser(CheckLevel::Syntax), default_value = "rules", value_name = "LEVEL")]
    pub(super) level: CheckLevel,

    /// Report every problem and warning of a record, not just the first problem.
    #[arg(long)]
    pub(super) all: bool,

    /// Stop counting solutions at this number, at least 2. --effort bounds the search for them, too.
    #[arg(long, default_value_t = 2, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(2..))]
    pub(super) max_solutions: u32,

    /// Write only the records of these grades: a name or a number, or two with '..' between them, for example pair..fish. The
    /// others are passed over and counted, and so is what has no grade: puzzles without exactly one solution, and all
    /// kinds but sudoku of side 9. Of text with links, of XML and of files of other programs, only the links or strings are
    /// written, one on each line. See docs/GRADE.md.
    #[arg(long, value_name = "GRADE[..GRADE]")]
    pub(super) grade: Option<GradeRange>,

    /// What is given: the 'clues' (in formats without clues, all digits), all 'placed' digits, or also the 'candidates': a solution
    /// then has one of the candidates of each cell, as in puzzles that consist of them (sukaku).
    #[arg(long, value_parser = givens_parser(), default_value = "clues", value_name = "WHICH")]
    pub(super) givens: Givens,

    /// Maximum number of search nodes for each puzzle; beyond it, the puzzle is 'undecided'. A node is the puzzle itself, or the
    /// puzzle with one more cell guessed; every puzzle is counted on its own. This limits nodes, not time: a node takes longer on
    /// larger sides, and a kenken of side 16 may take half a minute. 1000 nodes are quick.
    #[arg(long, default_value_t = EFFORT, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) effort: u32,
}

pub(super) fn run(flags: &ValidateFlags) -> anyhow::Result<u8> {
    if flags.good.solutions && flags.check.level != CheckLevel::Unique {
        anyhow::bail!("--solutions needs --level unique, which finds them");
    }
    if flags.given.are_given() && flags.check.level == CheckLevel::Syntax {
        anyhow::bail!("--level syntax does not check solutions; use --level rules or --level unique");
    }
    if !passes_on(flags) && flags.output.zstd.is_some() {
        anyhow::bail!("--zstd compresses the good records; use -o to say where they go");
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
    // On stdout, they are the purpose of the run. On a terminal only the first are shown, unless all are asked for.
    let more = MoreRows::default();
    let rows_on_stdout = rejects.as_ref().is_some_and(Claim::is_stdout);
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
    let more = more.stdout_is_taken(outputs.uses_stdout() && !rows_on_stdout);
    let run = CommonRun {
        input: &flags.input,
        reads_links: true,
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
    run.run(convert, Format::V2)
}

fn conversion(flags: &ValidateFlags) -> Conversion {
    Conversion {
        checks: Checks {
            level: flags.check.level,
            all: flags.check.all,
            max_solutions: flags.check.max_solutions,
            effort: flags.check.effort,
            clue_counts: flags.report.is_some(),
            grades: flags.check.grade,
            givens: flags.check.givens,
        },
        given_solutions: flags.given.are_given(),
        emit: if passes_on(flags) { Emit::AsTheyAre } else { Emit::Nothing },
        ..flags.input.conversion()
    }
}

/// Whether good records are written: if an output is named, or facts about them are asked for.
fn passes_on(flags: &ValidateFlags) -> bool {
    flags.output.output.is_some()
        || flags.check.grade.is_some()
        || flags.good.solutions
        || flags.good.add.added().next().is_some()
}

/// Returns what is appended to good records.
fn appended(flags: &ValidateFlags) -> Appended {
    let name = flags.good.solution_name.clone().unwrap_or_else(|| Added::Solution.name().into());
    let solution = flags.good.solutions.then_some((Added::Solution, name));
    let both = flags.good.add.added().any(|(added, _)| added == Added::Solution);
    let solution_flag = match both {
        _ if !flags.good.solutions => None,
        true => Some("--solution-name NAME or --add solution=NAME"),
        false => Some("--solution-name NAME"),
    };
    let added = solution.into_iter().chain(flags.good.add.added()).collect();
    Appended { to: Vec::new(), added, solution_flag }
}
