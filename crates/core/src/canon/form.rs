//! The two canonical forms, and the result for one puzzle.

use super::map::Map;

/// The canonical form: it determines what is compared first. Both forms are complete, and a solved grid has the same
/// form either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CanonicalForm {
    /// The least layout, then the least clues, where empty cells come before 1. The rules need not hold: clues may
    /// contradict each other.
    Puzzle,
    /// The least layout, then the least solution, then the least clues. This is for puzzles with exactly one solution.
    /// For sudokus, it is the clues moved along with the min-lex solution grid.
    Solution,
}

/// How a puzzle becomes its canonical form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundForm {
    /// A map to the form; it is the same on every machine and with every kernel. With automorphisms, there are other
    /// maps to the form.
    pub map: Map,
    /// The number of cell permutations that map the puzzle to itself. It is the same in both forms.
    pub automorphisms: u64,
    /// The number of cell permutations that map the solution to itself; in the `solution` form only.
    pub grid_automorphisms: Option<u64>,
}
