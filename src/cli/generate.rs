//! `gridmill gen`.

use std::num::NonZeroU64;

use clap::Args;

use super::flags::{OutputFlags, check_output_name, kind_parser, mix_parser, parse_side, written_parser};
use super::outputs::{CommandInputs, Outputs, into_target};
use super::{GOOD, print_stderr, progress};
use crate::board::{Kind, Side};
use crate::engine::{Generate, GradeSearch};
use crate::formats::Format;
use crate::make::{Clues, Maker, Mix};
use crate::solve::GradeRange;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:
  gridmill gen --count 5
      five sudoku boards in v2
  gridmill gen --kind killer --mix clues --count 1000 -o k.txt
  gridmill gen --format v1 --count 5000000 --seed 7 -o v1.txt
      the same bytes on every machine
  gridmill gen --unique --minimal --mix clues --format plain --count 1000
  gridmill gen --unique --clues 30 --kind jigsaw --mix clues
  gridmill gen --unique --minimal --grade chain..net --mix clues --format plain
  gridmill gen --grids 100 --mix clues --count 100000
  gridmill gen --distinct --side 6 --mix clues --count 1000

Mixes: clues (the puzzle), progress (with solved cells and candidates),
solved. All are consistent with one full solution; only --unique promises that
there is no other.",
    next_help_heading = "Puzzles"
)]
pub(super) struct GenerateFlags {
    #[command(flatten)]
    pub(super) boards: BoardFlags,

    /// The number of boards.
    #[arg(long, default_value_t = 10, value_name = "N", allow_negative_numbers = true)]
    pub(super) count: u64,

    #[command(flatten)]
    pub(super) content: ContentFlags,

    #[command(flatten)]
    pub(super) uniqueness: UniqueFlags,

    /// No two puzzles that are the same up to symmetry: a duplicate is replaced with the next puzzle from the seed. Keeps the
    /// keys of all puzzles in memory. Solved cells are no givens, so with '--mix solved' grids may repeat.
    #[arg(long)]
    pub(super) distinct: bool,

    #[command(flatten)]
    pub(super) grades: GradeFlags,

    /// Write boards that the format cannot hold completely, as 'convert --lossy' does.
    #[arg(long, help_heading = "Format")]
    pub(super) lossy: bool,

    #[command(flatten)]
    pub(super) output: OutputFlags,
}

/// Puzzles with one solution.
#[derive(Debug, Args)]
#[command(next_help_heading = "Puzzles")]
pub(super) struct UniqueFlags {
    /// Only puzzles with exactly one solution.
    #[arg(long)]
    pub(super) unique: bool,

    /// With --unique: puzzles with this many clues (cages and black cells do not count).
    #[arg(long, value_name = "N", requires = "unique", conflicts_with = "minimal", allow_negative_numbers = true)]
    pub(super) clues: Option<u16>,

    /// With --unique: puzzles in which no clue can be left out. If that cannot be proved for a board, such as a large killer, the
    /// run fails.
    #[arg(long, requires = "unique")]
    pub(super) minimal: bool,
}

/// Puzzles of some grades.
#[derive(Debug, Args)]
#[command(next_help_heading = "Puzzles")]
pub(super) struct GradeFlags {
    /// With --unique: only sudokus of these grades, a name or a number or two with '..' between them, for example
    /// chain..net. A puzzle of another grade is replaced with the next one from the seed. See docs/GRADE.md.
    #[arg(long, value_name = "GRADE[..GRADE]", requires = "unique")]
    pub(super) grade: Option<GradeRange>,

    /// With --grade: fail if there are too few among this many puzzles.
    #[arg(long, value_name = "N", default_value_t = 10_000_000, requires = "grade", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) tries: u64,
}

/// What is on the boards.
#[derive(Debug, Args)]
#[command(next_help_heading = "Puzzles")]
pub(super) struct ContentFlags {
    /// The random seed: the same seed gives the same boards.
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    pub(super) seed: u64,

    /// At most this many classes of solution grids: boards N, 2N, ... after one are images of the same grid. By default each
    /// board has a grid of its own, as far as there are that many.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(super) grids: Option<NonZeroU64>,

    /// Killers: take the sums of this many cages of each board away, so that their digits only differ.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(super) open: Option<u16>,

    /// What the cells hold.
    #[arg(long, value_parser = mix_parser(), default_value = "progress")]
    pub(super) mix: Mix,
}

/// Which boards are made, and how they are written.
#[derive(Debug, Args)]
#[command(next_help_heading = "Puzzles")]
pub(super) struct BoardFlags {
    /// The format of the strings.
    #[arg(long, value_parser = written_parser(), default_value = "v2", value_name = "FORMAT", help_heading = "Format")]
    pub(super) format: Format,

    /// The kind of the boards.
    #[arg(long, value_parser = kind_parser(), default_value = "sudoku")]
    pub(super) kind: Kind,

    /// The side of the boards (default: 9; kenken and kendoku 6).
    #[arg(long, value_parser = parse_side, value_name = "N", allow_negative_numbers = true)]
    pub(super) side: Option<Side>,
}

pub(super) fn run(flags: &GenerateFlags) -> anyhow::Result<u8> {
    let usual = if matches!(flags.boards.kind, Kind::KenKen | Kind::KenDoku) { Side::new(6) } else { None };
    let side = flags.boards.side.or(usual).unwrap_or(Side::NINE);
    let maker = Maker::new(flags.boards.kind, side, flags.content.mix, flags.content.seed)?
        .open(flags.content.open.unwrap_or(0))?;
    let maker = match flags.content.grids {
        Some(grids) => maker.grids(grids),
        None => maker,
    };
    let mut outputs = Outputs::new(&CommandInputs::Nothing, flags.output.force, !flags.output.no_sync)?;
    check_output_name(flags.output.output.as_deref(), None)?;
    let (output, level) = outputs.output(&flags.output)?;
    let meter = progress::Meter::start("boards", flags.output.progress())?;
    let generate = Generate {
        maker,
        count: flags.count,
        format: flags.boards.format,
        lossy: flags.lossy,
        unique: match (flags.uniqueness.unique, flags.uniqueness.clues, flags.uniqueness.minimal) {
            (_, Some(clues), _) => Some(Clues::Exactly(clues.into())),
            (_, _, true) => Some(Clues::Minimal),
            (true, ..) => Some(Clues::Drawn),
            _ => None,
        },
        distinct: flags.distinct,
        grades: flags.grades.grade.map(|grades| GradeSearch { grades, tries: flags.grades.tries }),
        threads: flags.output.threads.into(),
        zstd_level: level,
        sync: !flags.output.no_sync,
    };
    let progress = meter.progress();
    let done = generate.run(into_target(output), Some(&progress));
    meter.finish();
    let done = done?;
    if !flags.output.quiet {
        print_stderr(&done.summary());
    }
    Ok(GOOD)
}
