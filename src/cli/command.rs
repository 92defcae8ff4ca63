//! The program and its commands, as clap needs them.

use clap::{Parser, Subcommand};

use super::deferred::Deferred;
use super::{bench, canon, convert, dedupe, formats, generate, migrate, pages, relink, show, solve, validate};

/// Convert, check and measure databases of number-puzzle strings.
#[derive(Debug, Parser)]
#[command(
    name = "gridmill",
    version,
    max_term_width = 80,
    after_help = "Examples:
  gridmill convert boards.txt -o boards-v2.txt     any format to v2
  zcat boards.gz | gridmill convert > boards.txt   in a pipeline
  gridmill validate --level unique puzzles.txt     which are bad, and why
  gridmill gen --count 1000000 --format v1 -o test.txt
  gridmill formats                                 all formats and kinds

See 'gridmill COMMAND -h' for the commonest flags of a command, and --help for
all. GRIDMILL_KERNEL=scalar|avx2|avx512|neon forces a kernel (see --version).

Exit codes: 0 all good, 1 some records were rejected or none was found, 2 the
run failed."
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Convert strings between formats, by default to v2.
    Convert(Deferred<convert::ConvertFlags>),
    /// Check strings and puzzles: syntax, rules, number of solutions.
    Validate(Deferred<validate::ValidateFlags>),
    /// Solve puzzles and write the solutions as lines or as a column.
    Solve(Deferred<solve::SolveFlags>),
    /// Write canonical forms of puzzles, with their keys and maps.
    Canon(Deferred<canon::CanonFlags>),
    /// Remove duplicate puzzles, up to symmetry.
    Dedupe(Deferred<dedupe::DedupeFlags>),
    /// Rewrite links to boards in text, converting their strings to v2.
    Relink(Deferred<relink::RelinkFlags>),
    /// Convert a column of a database to v2, in place.
    #[command(after_help = "Examples:
  gridmill migrate sqlite site.db --table boards --column puzzle
  gridmill migrate postgres postgres://me@localhost/site \\
      --table boards --column puzzle --yes

Without --yes, nothing is written. Rows are written in batches; each batch is a
transaction that also records in the table gridmill_migration what it did. An
interrupted run resumes from there, and a finished one finds nothing to do. Rows
whose string is rejected stay unchanged, as do NULLs, version 2 strings and,
without --plain, plain strings. At the end, every row is read back and compared.

Exit codes: 0 all good, 1 some rows were rejected, 2 the run failed.")]
    Migrate(Deferred<migrate::MigrateCommand>),
    /// Generate valid puzzles and boards, reproducibly.
    Gen(Deferred<generate::GenerateFlags>),
    /// Draw boards in the terminal, as SVG or as JSON.
    Show(Deferred<show::ShowFlags>),
    /// Measure this machine: formats, kernels, threads.
    Bench(Deferred<bench::BenchFlags>),
    /// List formats and kinds.
    Formats(Deferred<formats::FormatsFlags>),
    /// Print shell completions.
    Completions(Deferred<pages::Completions>),
    /// Print a manual page.
    Man(Deferred<pages::Man>),
}
