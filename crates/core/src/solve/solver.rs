//! The door to all solvers that take boards one by one.

use std::fmt;

use super::UNDECIDED;
use super::propagation::{PropagationSolver, SolutionCount};
use super::search::Question;
use super::side9::Side9;
use super::side16::Side16;
use super::small::Small;
use crate::board::Batch;
use crate::kernels::Kernel;

/// Counts the solutions of puzzles of any kind and side, one by one, each with the solver that is fastest for its shape.
///
/// The counts do not depend on the kernel, [`UNDECIDED`](super::UNDECIDED) included. Where a search is given up depends on the
/// solver: see [`Solver::count`].
///
/// ```
/// use gridmill_core::board::{Batch, Cell, Kind, Shape, Side};
/// use gridmill_core::solve::Solver;
/// use gridmill_core::kernels;
///
/// let mut batch = Batch::new();
/// batch.reset(Shape::new(Kind::Sudoku, Side::new(16).unwrap()), 1);
/// (0..256).for_each(|cell| batch.set_cell(0, cell, Cell::Empty));
/// let mut solver = Solver::new(kernels::best());
/// assert_eq!(solver.count(&batch, 0, false, 10, 1000).count, 10);
/// ```
pub struct Solver {
    single_shapes: SingleShapes,
    /// For all boards that they do not take.
    propagation: PropagationSolver,
}

/// The solvers that take boards of single shapes, each made when it is needed.
struct SingleShapes {
    kernel: &'static Kernel,
    side9: Option<Box<Side9>>,
    side16: Option<Box<Side16>>,
    small: Option<Box<Small>>,
}

impl SingleShapes {
    /// The answer of the solver that takes the board, if one does.
    fn count(&mut self, batch: &Batch, board: usize, question: Question) -> Option<SolutionCount<'_>> {
        if Side16::takes(batch, board) {
            let solver = self.side16.get_or_insert_with(|| Box::new(Side16::new(self.kernel)));
            return Some(solver.count(batch, board, question));
        }
        if Side9::may_take(batch, board) {
            let solver = self.side9.get_or_insert_with(|| Box::new(Side9::new(self.kernel)));
            return solver.takes(batch, board).then(|| solver.count(batch, board, question));
        }
        if Small::may_take(batch, board) {
            let solver = self.small.get_or_insert_with(|| Box::new(Small::new(self.kernel)));
            return solver.takes(batch, board, question).then(|| solver.count(question));
        }
        None
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("kernel", &self.single_shapes.kernel.name).finish_non_exhaustive()
    }
}

impl Solver {
    /// With no memory yet.
    pub fn new(kernel: &'static Kernel) -> Self {
        let single_shapes = SingleShapes { kernel, side9: None, side16: None, small: None };
        Self { single_shapes, propagation: PropagationSolver::new() }
    }

    /// Counts the solutions of board `board` of a batch, as its clues (and with `all_given` its solved cells) and the rules of
    /// its kind have them: up to `limit`, and with at most `effort` nodes of search, over which it is
    /// [`UNDECIDED`]. Candidates do not count.
    ///
    /// A node is the puzzle itself, or what becomes of a node by taking a digit for sure or for excluded. How many there are
    /// depends on the puzzle alone, and on how much its solver sees without trying.
    pub fn count(
        &mut self,
        batch: &Batch,
        board: usize,
        all_given: bool,
        limit: u32,
        effort: u32,
    ) -> SolutionCount<'_> {
        if !cfg!(feature = "solvers") {
            return SolutionCount { count: UNDECIDED, solution: None, nodes: None };
        }
        let question = Question { all_given, without: None, limit: limit.max(1), effort };
        match self.single_shapes.count(batch, board, question) {
            Some(counted) => counted,
            None => self.propagation.count(batch, board, all_given, limit, effort),
        }
    }

    /// Whether a board has a solution in which a cell without a clue holds another digit than this, by at most `effort` nodes
    /// of search; `None` if they do not tell. Where one search does not tell, another one goes its own way.
    pub(crate) fn has_other(
        &mut self,
        batch: &Batch,
        board: usize,
        cell: usize,
        digit: u8,
        effort: u32,
    ) -> Option<bool> {
        let question = Question { all_given: false, without: Some((cell, digit)), limit: 1, effort };
        match self.single_shapes.count(batch, board, question) {
            Some(SolutionCount { count, .. }) if count != UNDECIDED => Some(count > 0),
            _ => self.propagation.has_other(batch, board, cell, digit, effort),
        }
    }
}
