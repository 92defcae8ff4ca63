//! Chooses a solver for each board, among those that take boards one by one.

use std::fmt;

use super::UNDECIDED;
use super::propagation::PropagationSolver;
use super::search::{Query, SolutionCount};
use super::side9::Side9Solver;
use super::side16::Side16Solver;
use super::small::SmallSolver;
use crate::board::Batch;
use crate::kernels::Kernel;

/// Counts the solutions of puzzles of any kind and side, one by one, each with the fastest solver for its shape.
///
/// The counts, including [`UNDECIDED`](super::UNDECIDED), do not depend on the kernel. When a search is abandoned
/// depends on the solver: see [`Solver::count`].
///
/// ```
/// use gridmill_core::board::{Batch, Cell, Kind, Shape, Side};
/// use gridmill_core::solve::{Query, Solver};
/// use gridmill_core::kernels;
///
/// let mut batch = Batch::new();
/// batch.reset(Shape::new(Kind::Sudoku, Side::new(16).unwrap()), 1);
/// (0..256).for_each(|cell| batch.set_cell(0, cell, Cell::Empty));
/// let mut solver = Solver::new(kernels::best());
/// assert_eq!(solver.count(&batch, 0, Query::count(10, 1000)).count, 10);
/// ```
pub struct Solver {
    specialised: SpecialisedSolvers,
    /// The solver for all boards that no specialised solver takes.
    propagation: PropagationSolver,
}

/// The solvers for boards of certain shapes. Each is made when it is needed first.
struct SpecialisedSolvers {
    kernel: &'static Kernel,
    side9: Option<Box<Side9Solver>>,
    side16: Option<Box<Side16Solver>>,
    small: Option<Box<SmallSolver>>,
}

impl SpecialisedSolvers {
    /// Counts solutions with the specialised solver that takes the board. `None` if there is none.
    fn count(&mut self, batch: &Batch, board: usize, query: Query) -> Option<SolutionCount<'_>> {
        if query.candidates_given && !Side9Solver::takes_candidates(batch) {
            return None;
        }
        if Side16Solver::takes(batch, board) {
            let solver = self.side16.get_or_insert_with(|| Box::new(Side16Solver::new(self.kernel)));
            return Some(solver.count(batch, board, query));
        }
        if Side9Solver::may_take(batch, board) {
            let solver = self.side9.get_or_insert_with(|| Box::new(Side9Solver::new(self.kernel)));
            return solver.takes(batch, board).then(|| solver.count(batch, board, query));
        }
        if SmallSolver::may_take(batch, board) {
            let solver = self.small.get_or_insert_with(|| Box::new(SmallSolver::new(self.kernel)));
            return solver.takes(batch, board, query).then(|| solver.count(query));
        }
        None
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("kernel", &self.specialised.kernel.name).finish_non_exhaustive()
    }
}

impl Solver {
    /// Makes a solver that has not allocated any memory yet.
    pub fn new(kernel: &'static Kernel) -> Self {
        let specialised = SpecialisedSolvers { kernel, side9: None, side16: None, small: None };
        Self { specialised, propagation: PropagationSolver::new() }
    }

    /// Counts the solutions of board `board` of a batch.
    ///
    /// A node is the puzzle itself, or a node's puzzle with a digit either placed in a cell or excluded from it. The
    /// number of nodes depends only on the puzzle, and on how much its solver finds without guessing.
    pub fn count(&mut self, batch: &Batch, board: usize, query: Query) -> SolutionCount<'_> {
        match self.specialised.count(batch, board, query) {
            Some(counted) => counted,
            None => self.propagation.count(batch, board, query),
        }
    }

    /// Whether a board has a solution in which a cell without a clue has a digit other than the one that `query` excludes.
    /// `None` if its effort does not decide this. If the specialised solver does not decide it, propagation tries as
    /// well, since its search takes another path.
    pub(crate) fn has_other(&mut self, batch: &Batch, board: usize, query: Query) -> Option<bool> {
        match self.specialised.count(batch, board, query) {
            Some(SolutionCount { count, .. }) if count != UNDECIDED => Some(count > 0),
            _ => self.propagation.has_other(batch, board, query),
        }
    }
}
