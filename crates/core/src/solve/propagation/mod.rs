//! Puzzles of any kind, one after the other: rules reduce the candidates of cells until nothing changes, then the search
//! tries both "this digit" and "not this digit" of a cell with few. (Compiled for wider vectors it was no faster.)
//!
//! - `puzzle`: a board as rules over cells.
//! - `totals`: what cages say together of the cells around them.
//! - `propagate`: what each rule takes away from the `candidates`, by way of `rule_cells`.
//! - `arithmetic`: the same for cages with operators.

mod arithmetic;
mod candidates;
mod propagate;
mod puzzle;
mod rule_cells;
mod totals;

use super::UNDECIDED;
use super::search::Counted;
use crate::board::{Batch, Mask, bit};
use candidates::Candidates;
use puzzle::Puzzle;

/// How many solutions a puzzle has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolutionCount<'a> {
    /// Solutions, at most the limit; [`UNDECIDED`] if the search was given up.
    pub count: u32,
    /// One of them, a digit 1 to n for each cell in reading order and 0 for black cells without one. `None` if there is
    /// none, or it was not asked for.
    pub solution: Option<&'a [u8]>,
    /// Nodes of the search, if all of its tree was searched: a node is the puzzle itself, or what becomes of a node by taking a
    /// digit for sure or for excluded. `None` where the search ended before, with as many solutions as the limit or without an
    /// answer.
    pub nodes: Option<u32>,
}

/// Counts the solutions of puzzles of any kind and side, one by one.
///
/// ```
/// use gridmill_core::board::{Batch, Cell, Kind, Shape, Side};
/// use gridmill_core::solve::PropagationSolver;
///
/// // A KenKen of side 3, each cell a cage of its own.
/// let mut batch = Batch::new();
/// batch.reset(Shape::new(Kind::KenKen, Side::new(3).unwrap()), 1);
/// for (cell, (digit, colour)) in [(1, 1), (2, 2), (3, 1), (2, 2), (3, 1), (1, 2), (3, 1), (1, 2), (2, 1)].into_iter().enumerate() {
///     batch.set_cell(0, cell, Cell::Empty);
///     batch.colours_mut()[cell] = colour;
///     batch.contents_mut()[cell] = digit;
/// }
/// let mut solver = PropagationSolver::new();
/// let counted = solver.count(&batch, 0, false, 2, 1000);
/// assert_eq!(counted.count, 1);
/// assert_eq!(counted.solution, Some(&[1, 2, 3, 2, 3, 1, 3, 1, 2][..]));
/// ```
#[derive(Debug, Default)]
pub struct PropagationSolver {
    puzzle: Puzzle,
    at: Candidates,
    /// What is still to be searched: the candidates of all cells, one after the other.
    stack: Vec<Mask>,
    solution: Vec<u8>,
}

impl PropagationSolver {
    /// With no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts the solutions of board `board` of a batch, as its clues (and with `all_given` its solved cells) and the rules of
    /// its kind have them: up to `limit`, and with at most `effort` nodes of search, over which it is [`UNDECIDED`].
    /// Candidates do not count.
    pub fn count(
        &mut self,
        batch: &Batch,
        board: usize,
        all_given: bool,
        limit: u32,
        effort: u32,
    ) -> SolutionCount<'_> {
        self.solution.clear();
        let counted = match self.puzzle.read(batch, board, all_given, &mut self.at.cells) {
            true => {
                self.at.all_changed(&self.puzzle);
                self.search(limit.max(1), effort)
            }
            false => Counted::NONE,
        };
        counted.with(&self.solution)
    }

    /// Whether a board has a solution in which a cell without a clue holds another digit than this, by at most `effort` nodes
    /// of search; `None` if they do not tell.
    ///
    /// The search begins again and again, with more nodes each time, and knows from before which cells are hard: of boards
    /// with many cells that are open, a search that began badly finds nothing for millions of nodes.
    pub(crate) fn has_other(
        &mut self,
        batch: &Batch,
        board: usize,
        cell: usize,
        digit: u8,
        effort: u32,
    ) -> Option<bool> {
        self.solution.clear();
        if !self.puzzle.read(batch, board, false, &mut self.at.cells) {
            return Some(false);
        }
        self.at.all_changed(&self.puzzle);
        self.at.cells[cell] &= !bit(digit);
        if self.at.cells[cell] == 0 || !self.at.propagate(&self.puzzle) {
            return Some(false);
        }
        let root = self.at.cells.clone();
        let (mut share, mut left) = (500, effort);
        while left > 0 {
            match self.search(1, share.min(left)).count {
                UNDECIDED => {}
                count => return Some(count > 0),
            }
            left = left.saturating_sub(share);
            share += share / 2;
            self.at.cells.copy_from_slice(&root);
            self.at.nothing_changed();
        }
        None
    }

    fn search(&mut self, limit: u32, effort: u32) -> Counted {
        let (mut count, mut nodes) = (0, 0);
        self.stack.clear();
        loop {
            nodes += 1;
            if nodes > effort {
                return Counted { count: UNDECIDED, nodes: None };
            }
            if self.at.propagate(&self.puzzle) {
                match self.at.fewest() {
                    None => {
                        if count == 0 {
                            self.solution.extend(self.at.cells.iter().map(|mask| digit(*mask)));
                        }
                        count += 1;
                        if count >= limit {
                            return Counted { count, nodes: None };
                        }
                    }
                    Some(cell) => {
                        let mask = self.at.cells[cell];
                        let first = mask & mask.wrapping_neg();
                        let from = self.stack.len();
                        self.stack.extend_from_slice(&self.at.cells);
                        self.stack[from + cell] = mask & !first;
                        self.stack.push(cell as Mask);
                        self.at.assume(&self.puzzle, cell, first);
                        continue;
                    }
                }
            }
            let Some(cell) = self.stack.pop() else { return Counted { count, nodes: Some(nodes) } };
            let from = self.stack.len() - self.at.cells.len();
            self.at.cells.copy_from_slice(&self.stack[from..]);
            self.stack.truncate(from);
            self.at.changed(&self.puzzle, cell as usize);
        }
    }
}

/// The digit of a mask that has one, or 0.
fn digit(mask: Mask) -> u8 {
    if mask == 0 { 0 } else { mask.trailing_zeros() as u8 + 1 }
}
