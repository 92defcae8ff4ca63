//! How many solutions puzzles have: counted up to a limit, two as a rule (is the puzzle unique?), with a solution if wanted.
//!
//! [`Batches`] takes many puzzles at once: the sudoku kinds without cages, regions or black cells, side 9. They are worked on
//! side by side in a [`Block`](crate::kernels::bitslice::Block); those that singles and locked candidates do not solve are
//! split in two, and the parts come back in a later block. The answer is the same as if each puzzle were alone, also where a
//! search is given up.
//!
//! [`Solver`] takes all others, one by one: some shapes have a solver of their own (`side16`, `side9`, `small`), and [`PropagationSolver`] takes
//! any board.

mod alone;
mod batches;
mod blocks;
mod houses;
mod near;
mod propagation;
mod search;
mod side16;
mod side9;
mod small;
mod solver;

pub use alone::UNDECIDED;
pub use batches::Batches;
pub use propagation::{PropagationSolver, SolutionCount};
pub use solver::Solver;

use crate::board::{Batch, Cell, Kind, Shape, Side};
use crate::error::Unavailable;
use crate::kernels;

/// What [`solve_one`] found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// Solutions, at most the limit; [`UNDECIDED`] if the search was given up.
    pub count: u32,
    /// One of them, digits 1 to 9 in reading order. `None` if there is none, or none was found before the search was
    /// given up.
    pub solution: Option<[u8; 81]>,
}

/// Counts the solutions of one puzzle up to `limit`, and finds one. A cell is given by a byte `1` to `9` or 1 to 9; any other
/// byte is an empty cell. For many puzzles [`Batches`] is far faster.
///
/// # Errors
/// For a kind that [`Batches::new`] refuses.
pub fn solve_one(kind: Kind, puzzle: &[u8; 81], limit: u32) -> Result<Answer, Unavailable> {
    if kind == Kind::Sudoku {
        return Ok(solve_alone(puzzle, limit));
    }
    let (mut counts, mut solutions) = ([0], [[0; 81]]);
    // A wide block has no more to do than a narrow one.
    Batches::new(kind, &kernels::SCALAR)?.solve(puzzle, 81, 1, limit, &mut counts, &mut solutions);
    let [solution] = solutions;
    Ok(Answer { count: counts[0], solution: (solution[0] != 0).then_some(solution) })
}

/// Solves a sudoku with the solver for boards that come one by one: lanes are of no use for one puzzle.
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
    let limit = limit.clamp(1, batches::MOST);
    let mut solver = Solver::new(kernels::best());
    let counted = solver.count(&batch, 0, false, limit, batches::BUDGET);
    Answer { count: counted.count, solution: counted.solution.and_then(|solution| solution.try_into().ok()) }
}
