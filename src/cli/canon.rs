//! `gridmill canon`.

use clap::{Args, ValueEnum};

use super::convert::{CommonRun, outputs};
use super::first_rows::MoreRows;
use super::flags::{BadRecordFlags, InputFlags, OutputFlags, PuzzleFlags, SolutionFlags, written_as_parser};
use super::hints;
use super::outputs::into_target;
use crate::canon::CanonicalForm;
use crate::engine::{Added, Appended, Canonize, Checks, Conversion, Convert, Emit};
use crate::formats::{FormatLayouts, WrittenAs};
use crate::framing::{Beside, RecordSort};

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:
  gridmill canon puzzles.txt -o canonical.txt
      equal strings are the same puzzle: rotated, relabelled, bands swapped
  gridmill canon --key --map puzzles.txt
      each with its key and the map that proves it
  gridmill canon --only-key puzzles.txt | sort | uniq -d
      keys of puzzles that occur more than once
  gridmill canon --form puzzle unfinished.txt
      also for puzzles with no solution, or several
  gridmill canon --framing csv --column puzzle --to-column canonical --key \\
        in.csv -o out.csv
  paste puzzles.txt maps.txt | gridmill canon --apply
      apply maps to puzzles, for example to check somebody else's maps

Two boards are the same puzzle if a map carries the kind, side, layout and
givens of one to those of the other; solved cells, candidates and cage colours
do not matter. The key is the first 128 bits of SHA-256 of the canonical string,
which SQL can compute too: left(sha256(c),32). Records are rejected as region,
unsupported or map, and in the solution form also as no-solution, many-solutions
or undecided. 'gridmill dedupe' removes duplicates.

Exit codes: 0 all good, 1 some records were rejected or none was found, 2 the
run failed.",
    next_help_heading = "Canonical form"
)]
pub(super) struct CanonFlags {
    #[command(flatten)]
    pub(super) input: InputFlags,

    #[command(flatten)]
    pub(super) output: OutputFlags,

    /// Which form: 'solution' is the least solution, then the least clues, for puzzles with exactly one solution; 'puzzle' is the
    /// least clues, for any puzzle. Compare strings only with others of the same form.
    #[arg(long, value_enum, default_value = "solution", value_name = "FORM")]
    pub(super) form: FormChoice,

    /// The format of the output.
    #[arg(long, value_parser = written_as_parser(), default_value = "v2", value_name = "FORMAT", help_heading = "Format")]
    pub(super) to: WrittenAs,

    #[command(flatten)]
    pub(super) found: KeyFlags,

    #[command(flatten)]
    pub(super) puzzle: PuzzleFlags,

    /// Map solved cells and candidates too; otherwise they are left out and counted. They are not part of the form: if a puzzle
    /// has automorphisms, two copies of one position may differ in them.
    #[arg(long)]
    pub(super) carry: bool,

    #[command(flatten)]
    pub(super) maps: MapFlags,

    #[command(flatten)]
    pub(super) new: NewStringFlags,

    #[command(flatten)]
    pub(super) bad: BadRecordFlags,
}

/// How canonical strings are written.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct NewStringFlags {
    /// Append the new string to the row, as a column (csv, tsv, parquet, arrow) or field (jsonl) of this name, instead of
    /// replacing the old one. Once for each --column or --field.
    #[arg(long, value_name = "NAME")]
    pub(super) to_column: Vec<String>,

    /// With --to: write boards even if something is lost, and count the losses.
    #[arg(long, help_heading = "Format")]
    pub(super) lossy: bool,
}

/// Maps that came with the strings.
#[derive(Debug, Args)]
#[command(next_help_heading = "Canonical form")]
pub(super) struct MapFlags {
    /// Apply the map that follows each string, after a tab or in the column of --map-column, and write the result. A map that is
    /// not valid for the puzzle's kind is rejected as 'map'.
    #[arg(long, conflicts_with_all = ["form", "key", "map", "automorphisms", "solution", "only_key"])]
    pub(super) apply: bool,

    /// With --apply: the column (csv, tsv) with the map of each string. Once for each --column.
    #[arg(long, value_name = "N|NAME", requires = "apply")]
    pub(super) map_column: Vec<String>,

    /// The same for JSON lines (jsonl): the pointer to the map. Once for each --field.
    #[arg(long, value_name = "/POINTER", requires = "apply")]
    pub(super) map_field: Vec<String>,
}

/// What is found besides the canonical form.
#[derive(Debug, Args)]
#[command(next_help_heading = "Canonical form")]
pub(super) struct KeyFlags {
    /// Add the key: after a tab, or in a column or field of this name [default: key].
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, default_missing_value = "key")]
    pub(super) key: Option<String>,

    /// Add the map from the puzzle to its canonical form [default: map].
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, default_missing_value = "map")]
    pub(super) map: Option<String>,

    /// Add the number of automorphisms of the puzzle and, in the solution form, after a '/' that of its solution [default:
    /// automorphisms].
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, default_missing_value = "automorphisms")]
    pub(super) automorphisms: Option<String>,

    /// Add the solution of the canonical puzzle, if there is only one [default: solution].
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, default_missing_value = "solution")]
    pub(super) solution: Option<String>,

    /// Write the key instead of the canonical string.
    #[arg(long, conflicts_with_all = ["key", "to", "carry", "lossy"])]
    pub(super) only_key: bool,
}

/// `--form` of `canon`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FormChoice {
    Solution,
    Puzzle,
}

pub(super) fn run(flags: &CanonFlags) -> anyhow::Result<u8> {
    flags.input.check_appended(&flags.new.to_column)?;
    anyhow::ensure!(
        flags.input.framing.records != RecordSort::Links,
        "canonical forms are not written into links; canon takes lines, tables, JSON lines and grids; {}",
        hints::STRINGS_OF_LINKS
    );
    check_maps(flags)?;
    let mut outputs = outputs(&flags.input, &flags.output)?;
    let (output, level) = outputs.output(&flags.output)?;
    let more = MoreRows::default();
    let rejects = flags.bad.rejects.target(&mut outputs, &flags.input, &flags.output, &more)?;
    let report = outputs.named("--report", flags.bad.report.as_deref())?;
    let more = more.stdout_is_taken(outputs.uses_stdout());
    // Maps are found in the same way as solutions that are to be checked.
    let maps =
        SolutionFlags { solution_column: flags.maps.map_column.clone(), solution_field: flags.maps.map_field.clone() };
    let run = CommonRun {
        input: &flags.input,
        reads_links: false,
        solutions: &maps,
        output: &flags.output,
        rejects: &flags.bad.rejects,
        more: &more,
        report,
    };
    let appended =
        Appended { to: flags.new.to_column.clone(), added: added(flags), solution_flag: Some("--solution=NAME") };
    let mut convert =
        Convert::new(into_target(output)).conversion(conversion(flags)?).rejects(rejects).append(appended);
    if let Some(level) = level {
        convert = convert.zstd(level);
    }
    run.run(convert, flags.to)
}

/// Checks that `--apply` can find the maps.
fn check_maps(flags: &CanonFlags) -> anyhow::Result<()> {
    let (columns, maps) = (flags.input.column.len(), flags.maps.map_column.len());
    let (fields, field_maps) = (flags.input.field.len(), flags.maps.map_field.len());
    let entry = flags.input.framing;
    match entry.beside {
        _ if !flags.maps.apply => {}
        Beside::Tab => {
            anyhow::ensure!(
                maps + field_maps == 0,
                "in lines, the map follows the string after a tab; leave out --map-column"
            )
        }
        Beside::Column => {
            anyhow::ensure!(
                maps == columns,
                "--apply needs one --map-column for each --column: got {maps} for {columns}"
            );
        }
        Beside::Field => {
            anyhow::ensure!(
                field_maps == fields,
                "--apply needs one --map-field for each --field: got {field_maps} for {fields}"
            );
        }
        _ => {
            anyhow::bail!("--apply takes lines, tables and JSON lines; --framing {} cannot hold maps", entry.name)
        }
    }
    Ok(())
}

/// Returns the facts to append about each string, in this order.
fn added(flags: &CanonFlags) -> Vec<(Added, String)> {
    let named = [
        (Added::Key, &flags.found.key),
        (Added::Map, &flags.found.map),
        (Added::Automorphisms, &flags.found.automorphisms),
        (Added::Solution, &flags.found.solution),
    ];
    named.into_iter().filter_map(|(added, name)| Some((added, name.clone()?))).collect()
}

fn conversion(flags: &CanonFlags) -> anyhow::Result<Conversion> {
    let canonize = match flags.form {
        _ if flags.maps.apply => Canonize::Mapped,
        FormChoice::Solution => Canonize::Form(CanonicalForm::Solution),
        FormChoice::Puzzle => Canonize::Form(CanonicalForm::Puzzle),
    };
    Ok(Conversion {
        to: flags.to.format,
        write_layouts: flags.to.with(FormatLayouts::default()),
        lossy: flags.new.lossy,
        bad: flags.bad.bad,
        checks: Checks { effort: flags.puzzle.effort, clue_counts: flags.bad.report.is_some(), ..Checks::default() },
        emit: if flags.found.only_key { Emit::Key } else { Emit::Encoded },
        canonical: Some(flags.puzzle.canonical(canonize, flags.carry)?),
        given_solutions: flags.maps.apply,
        ..flags.input.conversion()
    })
}
