//! Flags that define which puzzle a board is, for commands that make canonical forms.

use clap::{Args, ValueEnum};

use crate::engine::{CanonicalPlan, Canonize, EFFORT};

#[derive(Debug, Args)]
pub(in crate::cli) struct PuzzleFlags {
    /// Which cells are givens: the 'clues' (in formats without clues, all solved cells), or all 'placed' digits.
    #[arg(long, value_enum, default_value = "clues", value_name = "WHICH")]
    pub(in crate::cli) givens: GivensFlag,

    /// Maximum number of search nodes for each puzzle; beyond it, the puzzle is rejected as 'undecided'. See 'gridmill validate
    /// --help'.
    #[arg(long, default_value_t = EFFORT, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(in crate::cli) effort: u32,
}

/// `--givens`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum GivensFlag {
    Clues,
    Placed,
}

impl PuzzleFlags {
    /// Returns the settings for canonical forms.
    pub(in crate::cli) fn canonical(&self, canonize: Canonize, carry: bool) -> CanonicalPlan {
        CanonicalPlan::new(canonize).all_given(self.givens == GivensFlag::Placed).carry(carry)
    }
}
