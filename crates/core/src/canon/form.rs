//! The two forms, and what is found of a puzzle.

use super::map::Map;

/// Which form: what is compared first. Both are complete, and a solved grid has one form, whichever is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CanonicalForm {
    /// The least layout, then the least clues, empty cells before 1. The rules need not hold: clues may clash.
    Puzzle,
    /// The least layout, then the least solution, then the least clues: for puzzles with exactly one solution. Of sudokus it is
    /// the clues carried along with the min-lex solution grid.
    Solution,
}

/// How a puzzle becomes its canonical form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// A map to the form, the same on every machine and with every kernel. With automorphisms there are others.
    pub map: Map,
    /// The cell permutations that carry the puzzle to itself: the same in both forms.
    pub automorphisms: u64,
    /// Those that carry the solution to itself; in the `solution` form only.
    pub grid_automorphisms: Option<u64>,
}
