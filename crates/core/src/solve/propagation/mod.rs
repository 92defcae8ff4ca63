//! Solves puzzles of any kind, one by one. Rules remove candidates until nothing changes; then the search picks a cell
//! with few candidates and tries both "this digit" and "not this digit". (Compiled for wider vectors, it was no
//! faster.)
//!
//! - `puzzle`: represents a board as rules over cells.
//! - `implied_sums`: finds the sums of further cells that houses and cages imply.
//! - `propagate`: removes from the `candidates` what each rule excludes, with the help of `rule_cells`.
//! - `arithmetic`: does the same for cages with operators.

mod arithmetic;
mod candidates;
mod implied_sums;
mod propagate;
mod puzzle;
mod rule_cells;

use super::UNDECIDED;
use super::search::{Query, SearchCount, SolutionCount};
use crate::board::{Batch, Mask, bit};
use candidates::Candidates;
use puzzle::PuzzleRules;

/// Counts the solutions of puzzles of any kind and side, one by one.
///
/// ```
/// use gridmill_core::board::{Batch, Cell, Kind, Shape, Side};
/// use gridmill_core::solve::{PropagationSolver, Query};
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
/// let counted = solver.count(&batch, 0, Query::count(2, 1000));
/// assert_eq!(counted.count, 1);
/// assert_eq!(counted.solution, Some(&[1, 2, 3, 2, 3, 1, 3, 1, 2][..]));
/// ```
#[derive(Debug, Default)]
pub struct PropagationSolver {
    puzzle: PuzzleRules,
    candidates: Candidates,
    /// The pending nodes, one after the other: the candidates of all cells, then the cell that was changed last.
    stack: Vec<Mask>,
    solution: Vec<u8>,
}

impl PropagationSolver {
    /// Makes a solver that has not allocated any memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts the solutions of board `board` of a batch.
    pub fn count(&mut self, batch: &Batch, board: usize, query: Query) -> SolutionCount<'_> {
        self.solution.clear();
        let counted = match self.puzzle.read(batch, board, query, &mut self.candidates.cells) {
            true => {
                self.candidates.mark_all(&self.puzzle);
                self.search(query.limit, query.effort)
            }
            false => SearchCount::NONE,
        };
        counted.with(&self.solution)
    }

    /// Whether a board has a solution in which a cell without a clue has a digit other than the one that `query` excludes.
    /// `None` if its effort does not decide this.
    ///
    /// The search restarts repeatedly, with more nodes each time, and keeps the weights of the cells, so that it knows
    /// which cells are hard. On boards with many open cells, a search that begins badly may find nothing for millions
    /// of nodes.
    pub(crate) fn has_other(&mut self, batch: &Batch, board: usize, query: Query) -> Option<bool> {
        self.solution.clear();
        if !self.puzzle.read(batch, board, query, &mut self.candidates.cells) {
            return Some(false);
        }
        self.candidates.mark_all(&self.puzzle);
        if let Some((cell, digit)) = query.excluded {
            self.candidates.cells[cell] &= !bit(digit);
            if self.candidates.cells[cell] == 0 {
                return Some(false);
            }
        }
        if !self.candidates.propagate(&self.puzzle) {
            return Some(false);
        }
        let root = self.candidates.cells.clone();
        let (mut share, mut left) = (500, query.effort);
        while left > 0 {
            match self.search(1, share.min(left)).count {
                UNDECIDED => {}
                count => return Some(count > 0),
            }
            left = left.saturating_sub(share);
            share += share / 2;
            self.candidates.cells.copy_from_slice(&root);
            self.candidates.clear_marks();
        }
        None
    }

    fn search(&mut self, limit: u32, effort: u32) -> SearchCount {
        let (mut count, mut nodes) = (0, 0);
        self.stack.clear();
        loop {
            nodes += 1;
            if nodes > effort {
                return SearchCount { count: UNDECIDED, nodes: None };
            }
            if self.candidates.propagate(&self.puzzle) {
                match self.candidates.most_constrained() {
                    None => {
                        if count == 0 {
                            self.solution.extend(self.candidates.cells.iter().map(|mask| digit(*mask)));
                        }
                        count += 1;
                        if count >= limit {
                            return SearchCount { count, nodes: None };
                        }
                    }
                    Some(cell) => {
                        let mask = self.candidates.cells[cell];
                        let first = mask & mask.wrapping_neg();
                        let from = self.stack.len();
                        self.stack.extend_from_slice(&self.candidates.cells);
                        self.stack[from + cell] = mask & !first;
                        self.stack.push(cell as Mask);
                        self.candidates.place(&self.puzzle, cell, first);
                        continue;
                    }
                }
            }
            let Some(cell) = self.stack.pop() else { return SearchCount { count, nodes: Some(nodes) } };
            let from = self.stack.len() - self.candidates.cells.len();
            self.candidates.cells.copy_from_slice(&self.stack[from..]);
            self.stack.truncate(from);
            self.candidates.mark_only(&self.puzzle, cell as usize);
        }
    }
}

/// The digit of a mask of one bit, or 0 for an empty mask.
fn digit(mask: Mask) -> u8 {
    if mask == 0 { 0 } else { mask.trailing_zeros() as u8 + 1 }
}
