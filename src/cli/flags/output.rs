//! Flags for the output.

use std::path::PathBuf;

use clap::Args;

use crate::cli::progress::ProgressShown;
use crate::output::zstd::{DEFAULT_LEVEL, LEVELS};

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub(in crate::cli) struct OutputFlags {
    /// The output file; '-' is stdout (default). A file appears complete or not at all. A name that ends in .zst compresses.
    #[arg(short, long, value_name = "OUT")]
    pub(in crate::cli) output: Option<PathBuf>,

    /// Replace existing files.
    #[arg(short, long)]
    pub(in crate::cli) force: bool,

    /// Compress the output with zstd, at level 1 to 22 [default level: 3].
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, require_equals = true,
          default_missing_value = DEFAULT_LEVEL_TEXT,
          value_parser = clap::value_parser!(i32).range(*LEVELS.start() as i64..=*LEVELS.end() as i64))]
    pub(in crate::cli) zstd: Option<i32>,

    /// Do not sync the output to disk.
    #[arg(long)]
    pub(in crate::cli) no_sync: bool,

    /// Number of threads; 0 means one per core, and at most eight per core are started. The output does not depend on it.
    #[arg(short = 'j', long, default_value_t = 0, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub(in crate::cli) threads: u16,

    /// Print no summary and no progress.
    #[arg(short, long)]
    pub(in crate::cli) quiet: bool,

    /// Print the progress as lines, if stderr is no terminal: after 1, 2, 4, ... seconds.
    #[arg(long, conflicts_with = "quiet")]
    pub(in crate::cli) progress: bool,
}

impl OutputFlags {
    /// Where progress is shown.
    pub(in crate::cli) fn progress(&self) -> ProgressShown {
        if self.progress { ProgressShown::Everywhere } else { ProgressShown::unless_quiet(self.quiet) }
    }
}

const DEFAULT_LEVEL_TEXT: &str = "3";

const _: () = assert!(DEFAULT_LEVEL == 3);
