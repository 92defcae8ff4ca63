//! The program and its commands, as clap knows them.

use clap::{Parser, Subcommand};

use super::{bench, canon, convert, dedupe, formats, generate, migrate, pages, relink, show, solve, validate};

/// Convert, check and measure databases of number-puzzle strings.
#[derive(Debug, Parser)]
#[command(
    name = "gridmill",
    version,
    max_term_width = 80,
    after_help = "Examples:
  gridmill convert boards.txt -o boards-v2.txt     any strings to v2
  zcat boards.gz | gridmill convert > boards.txt   in a pipe
  gridmill validate --level unique puzzles.txt     which are bad, and why
  gridmill gen --count 1000000 --format v1 -o test.txt
  gridmill formats                                 what is read and written

See 'gridmill COMMAND --help' for more. Exit codes: 0 all good; 1 some records
were rejected; 2 the run failed.
GRIDMILL_KERNEL=scalar|avx2|avx512|neon forces the kernels (see --version)."
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Re-encode strings: anything to v2 by default.
    Convert(Box<convert::ConvertFlags>),
    /// Check strings and puzzles: form, rules, number of solutions.
    Validate(Box<validate::ValidateFlags>),
    /// Solve puzzles: their solutions as lines, or in a column.
    Solve(Box<solve::SolveFlags>),
    /// Canonical forms of puzzles, with their keys and maps.
    Canon(Box<canon::CanonFlags>),
    /// Leave out puzzles that are there already, up to symmetry.
    Dedupe(Box<dedupe::DedupeFlags>),
    /// Rewrite links to boards inside text: their strings become v2.
    Relink(relink::RelinkFlags),
    /// Re-encode a column of a database, in place: its strings become v2.
    #[command(after_help = "Examples:
  gridmill migrate sqlite site.db --table boards --column puzzle
  gridmill migrate postgres postgres://me@localhost/site \\
      --table boards --column puzzle --yes

Without --yes nothing is written. Rows are written in batches, each a
transaction that also notes in a table gridmill_migration what it did; a run
that was interrupted goes on there, and one that finished finds nothing to do.
Rows whose string is refused stay as they are, as do NULLs, version 2 strings
and, without --plain, plain ones. At the end every row is read back and
compared. Exit codes: 0 all good, 1 some rows were rejected, 2 the run failed.")]
    Migrate(migrate::MigrateCommand),
    /// Make valid puzzles and boards, repeatably.
    Gen(Box<generate::GenerateFlags>),
    /// Draw boards in the terminal, as SVG or as JSON.
    Show(show::ShowFlags),
    /// Measure this machine: formats, kernels, threads.
    Bench(bench::BenchFlags),
    /// The table of formats.
    Formats(formats::FormatsFlags),
    /// Shell completions.
    Completions(pages::Completions),
    /// The manual page.
    Man(pages::Man),
}
