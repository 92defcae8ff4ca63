//! Solves the boards whose `solution` form is requested.

use super::groups::renames;
use super::puzzle::Puzzle;
use super::side9;
use crate::board::{Batch, Kind, Shape, Side, geometry};
use crate::kernels::Kernel;
use crate::solve::{BatchSolver, Puzzles, Query, Solver, UNDECIDED};

/// What is known about the solutions of the boards of a batch.
#[derive(Debug, Clone, Copy)]
pub struct CountedSolutions<'a> {
    /// The number of solutions of each board: 0, 1, more, or [`UNDECIDED`].
    pub counts: &'a [u32],
    /// One digit for each cell of each board. They are meaningful for boards with one solution: the digits of the
    /// solution, and for black cells their clue or 0.
    pub solutions: &'a [u8],
}

impl CountedSolutions<'_> {
    pub(super) const NONE: Self = Self { counts: &[], solutions: &[] };
}

/// Counts and finds solutions. It holds the memory for this.
pub(super) struct SolutionSearch {
    kernel: &'static Kernel,
    effort: u32,
    puzzle: Puzzle,
    solver: Solver,
    /// The solver for the kind that was solved last.
    batch_solver: Option<(Kind, BatchSolver)>,
    counts: Vec<u32>,
    solutions: Vec<u8>,
    /// For each batch, the indices at which its boards and their digits begin; with one more entry at the end.
    starts: Vec<(usize, usize)>,
    /// Boards of side 9 that will be solved in parallel: the indices of the board and of its first digit, and the
    /// clues.
    pending: Vec<(usize, usize)>,
    clues: Vec<[u8; 81]>,
}

impl SolutionSearch {
    pub(super) fn new(kernel: &'static Kernel, effort: u32) -> Self {
        Self {
            kernel,
            effort,
            puzzle: Puzzle::new(),
            solver: Solver::new(kernel),
            batch_solver: None,
            counts: Vec::new(),
            solutions: Vec::new(),
            starts: Vec::new(),
            pending: Vec::new(),
            clues: Vec::new(),
        }
    }

    pub(super) fn effort(&self) -> u32 {
        self.effort
    }

    /// Returns the solutions of a batch of the last call.
    pub(super) fn solved(&self, batch: usize) -> CountedSolutions<'_> {
        let ((board, cell), (next_board, next_cell)) = (self.starts[batch], self.starts[batch + 1]);
        CountedSolutions { counts: &self.counts[board..next_board], solutions: &self.solutions[cell..next_cell] }
    }

    /// Counts the solutions of all boards, up to two, and finds them. Batches for which `skipped` returns true are left
    /// out.
    pub(super) fn solve(&mut self, batches: &[&Batch], all_given: bool, skipped: impl Fn(&Batch) -> bool) {
        self.starts.clear();
        self.starts.push((0, 0));
        let (mut boards, mut cells) = (0, 0);
        for batch in batches {
            let len = if skipped(batch) { 0 } else { batch.len() };
            boards += len;
            cells += len * batch.shape().side.cells();
            self.starts.push((boards, cells));
        }
        self.counts.clear();
        self.counts.resize(boards, UNDECIDED);
        self.solutions.resize(cells, 0);
        for first in 0..batches.len() {
            let kind = batches[first].shape().kind;
            // All batches of a kind are solved when the first of them comes.
            if batches[..first].iter().any(|batch| batch.shape().kind == kind) {
                continue;
            }
            self.pending.clear();
            self.clues.clear();
            for (number, batch) in batches.iter().enumerate().skip(first) {
                if batch.shape().kind == kind && !skipped(batch) {
                    self.solve_batch(batch, number, all_given);
                }
            }
            self.solve_together(kind);
        }
    }

    /// Solves the boards of a batch that are not solved in parallel, and lists the others.
    fn solve_batch(&mut self, from: &Batch, number: usize, all_given: bool) {
        let Shape { kind, side } = from.shape();
        let (first, first_cell) = self.starts[number];
        // Whether these boards obey the rules is checked when their bands are numbered.
        let given =
            if kind == Kind::Sudoku && side == Side::NINE { side9::full(self.kernel, from, all_given) } else { 0 };
        for board in 0..from.len() {
            if given >> board & 1 == 1 {
                self.counts[first + board] = 1;
                continue;
            }
            // Boards that cannot be read are rejected later for that reason.
            if self.puzzle.read(from, board, all_given).is_err() {
                continue;
            }
            let clues = &self.puzzle.clues[..side.cells()];
            let (at, solution) = (first + board, first_cell + board * side.cells());
            let solution = &mut self.solutions[solution..][..side.cells()];
            if renames(kind) && clues.iter().all(|&clue| clue != 0) {
                solution.copy_from_slice(clues);
                self.counts[at] = is_solved(&self.puzzle).into();
            } else if kind.is_plain()
                && let Some(clues) = clues.first_chunk().filter(|_| side == Side::NINE)
            {
                self.pending.push((at, first_cell + board * 81));
                self.clues.push(*clues);
            } else {
                let counted = self.solver.count(from, board, Query::count(2, self.effort).all_given(all_given));
                self.counts[at] = counted.count;
                if let Some(found) = counted.solution {
                    solution.copy_from_slice(&found[..side.cells()]);
                }
            }
        }
    }

    /// Solves the listed boards in parallel.
    fn solve_together(&mut self, kind: Kind) {
        let n = self.pending.len();
        if n == 0 {
            return;
        }
        if self.batch_solver.as_ref().is_none_or(|(of, _)| *of != kind) {
            self.batch_solver =
                BatchSolver::new(kind, self.kernel).ok().map(|batch_solver| (kind, batch_solver.budget(self.effort)));
        }
        let Some((_, batch_solver)) = &mut self.batch_solver else { return };
        let (mut counts, mut solutions) = (vec![0; n], vec![[0; 81]; n]);
        batch_solver.solve(Puzzles::of_text(self.clues.as_flattened(), 81, n), 2, &mut counts, &mut solutions);
        for ((&(board, cell), count), solution) in self.pending.iter().zip(counts).zip(solutions) {
            self.counts[board] = count;
            self.solutions[cell..cell + 81].copy_from_slice(&solution);
        }
    }
}

/// Returns whether all cells are given and obey the rules, for a kind that only has houses.
pub(super) fn is_solved(puzzle: &Puzzle) -> bool {
    let Shape { kind, side } = puzzle.shape;
    let clues = &puzzle.clues[..side.cells()];
    let full = (1_u32 << side.get()) - 1;
    let digit = |cell: usize| 1_u32 << (clues[cell] & 31) >> 1;
    let is_full = |house: &[u16]| house.iter().fold(0, |set, &cell| set | digit(cell.into())) == full;
    let regions = || {
        let mut sets = [0; 256];
        (0..side.cells()).for_each(|cell| sets[usize::from(puzzle.regions[cell])] |= digit(cell));
        sets[1..=side.get()].iter().all(|&set| set == full)
    };
    geometry(side).houses(kind).all(is_full) && (!kind.has_regions() || regions())
}
