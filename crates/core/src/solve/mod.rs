//! Counts the solutions of puzzles up to a limit, and finds one of them if asked to. The usual limit is two, which
//! tells whether a puzzle is unique.
//!
//! [`BatchSolver`] solves many puzzles at once: those of side 9 of the sudoku kinds without cages, regions or black
//! cells. Many puzzles are propagated side by side in a `Block` (`kernels/bitslice`). A puzzle that
//! singles and locked candidates do not solve is split into two nodes, which are propagated in a later block. The
//! answer for a puzzle does not depend on the puzzles around it, even if its search is abandoned.
//!
//! [`Solver`] solves all other puzzles one by one: some shapes have their own solver (`side16`, `side9`, `small`), and
//! [`PropagationSolver`] solves any board.

mod answers;
mod batches;
mod blocks;
mod few_nodes;
mod grade;
mod houses;
mod near_root;
mod ordered;
mod pending;
mod propagation;
mod search;
mod side16;
mod side9;
mod small;
mod solver;
mod window;

pub use batches::BatchSolver;
pub use grade::{Grade, GradeRange, Grader, LADDER, grade_one};
pub use propagation::PropagationSolver;
pub use search::{Query, SolutionCount};
pub use solver::Solver;
pub use window::Puzzles;
pub(crate) use window::{MAX_PUZZLES, WindowPair};

use crate::board::{Batch, Cell, Kind, Shape, Side};
use crate::error::Unavailable;
use crate::kernels;

/// The count of a puzzle whose search needed more nodes than allowed: it is not known whether the puzzle has no
/// solution, one, or as many as the limit.
pub const UNDECIDED: u32 = u32::MAX;

/// The result of [`solve_one`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// The number of solutions, at most the limit; [`UNDECIDED`] if the search was abandoned.
    pub count: u32,
    /// One of the solutions, as digits 1 to 9 in reading order. `None` if there is none, or if none was found before
    /// the search was abandoned.
    pub solution: Option<[u8; 81]>,
}

/// Counts the solutions of one puzzle up to `limit`, and finds one. The ASCII digits `1` to `9` and the bytes 1 to 9
/// are givens; any other byte is an empty cell. For many puzzles [`BatchSolver`] is far faster.
///
/// # Errors
/// Returns an error for a kind that [`BatchSolver::new`] refuses.
pub fn solve_one(kind: Kind, puzzle: &[u8; 81], limit: u32) -> Result<Answer, Unavailable> {
    if kind == Kind::Sudoku {
        return Ok(solve_alone(puzzle, limit));
    }
    let (mut counts, mut solutions) = ([0], [[0; 81]]);
    // For one puzzle, a block of more lanes would gain nothing.
    BatchSolver::new(kind, &kernels::SCALAR)?.solve(
        Puzzles::of_text(puzzle, 81, 1),
        limit,
        &mut counts,
        &mut solutions,
    );
    let [solution] = solutions;
    Ok(Answer { count: counts[0], solution: (solution[0] != 0).then_some(solution) })
}

/// Solves a sudoku with the solver for single boards, since the lanes of a block are of no use for one puzzle.
fn solve_alone(puzzle: &[u8; 81], limit: u32) -> Answer {
    let mut batch = Batch::new();
    batch.reset(Shape::new(Kind::Sudoku, Side::NINE), 1);
    for (i, byte) in puzzle.iter().enumerate() {
        let cell = match byte {
            1..=9 | b'1'..=b'9' => Cell::Clue(byte & 15),
            _ => Cell::Empty,
        };
        batch.set_cell(0, i, cell);
    }
    let limit = limit.clamp(1, batches::MAX_LIMIT);
    let mut solver = Solver::new(kernels::best());
    let counted = solver.count(&batch, 0, Query::count(limit, batches::BUDGET));
    Answer { count: counted.count, solution: counted.solution.and_then(|solution| solution.try_into().ok()) }
}
