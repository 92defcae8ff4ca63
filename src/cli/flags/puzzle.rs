//! Flags that define which puzzle a board is.

use clap::Args;

use super::values::givens_parser;
use crate::engine::{CanonicalPlan, Canonize, EFFORT, Givens};

/// For commands that make canonical forms.
#[derive(Debug, Args)]
#[command(next_help_heading = "Puzzles")]
pub(in crate::cli) struct PuzzleFlags {
    /// Which cells are givens: the 'clues' (in formats without clues, all solved cells), or all 'placed' digits. 'candidates' is
    /// unsupported: canonical forms have none.
    #[arg(long, value_parser = givens_parser(), default_value = "clues", value_name = "WHICH")]
    pub(in crate::cli) givens: Givens,

    /// Maximum number of search nodes for each puzzle; beyond it, the puzzle is rejected as 'undecided'. See 'gridmill validate
    /// --help'.
    #[arg(long, default_value_t = EFFORT, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(in crate::cli) effort: u32,
}

impl PuzzleFlags {
    /// Returns the settings for canonical forms.
    ///
    /// # Errors
    /// Candidates are given.
    pub(in crate::cli) fn canonical(&self, canonize: Canonize, carry: bool) -> anyhow::Result<CanonicalPlan> {
        anyhow::ensure!(
            self.givens != Givens::Candidates,
            "unsupported: a puzzle whose candidates are given has no canonical form; leave out --givens candidates"
        );
        Ok(CanonicalPlan::new(canonize).all_given(self.givens == Givens::Placed).carry(carry))
    }
}
