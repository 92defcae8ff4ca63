//! The solutions of the boards that are to have their `solution` form.

use super::groups::renames;
use super::nine;
use super::puzzle::Puzzle;
use crate::board::{Batch, Kind, Shape, Side, geometry};
use crate::kernels::Kernel;
use crate::solve::{Batches, Solver, UNDECIDED};

/// What is known of the solutions of the boards of a batch.
#[derive(Clone, Copy)]
pub(super) struct Solved<'a> {
    /// How many solutions each board has: 0, 1, more, or [`UNDECIDED`].
    pub counts: &'a [u32],
    /// As many digits for each board as it has cells, which mean something for boards with one solution: the solution, and of black
    /// cells their clue or 0.
    pub solutions: &'a [u8],
}

impl Solved<'_> {
    pub(super) const NOTHING: Self = Self { counts: &[], solutions: &[] };
}

/// Counts and finds solutions. It holds the memory for that.
pub(super) struct SolutionSearch {
    kernel: &'static Kernel,
    effort: u32,
    puzzle: Puzzle,
    solver: Solver,
    /// Of the kind that was met last.
    batches: Option<(Kind, Batches)>,
    counts: Vec<u32>,
    solutions: Vec<u8>,
    /// For each batch where its boards and their digits begin; one more at the end.
    starts: Vec<(usize, usize)>,
    /// Sudokus of side 9 that are to be solved side by side: which batch and board, and their clues.
    open: Vec<(usize, usize)>,
    clues: Vec<[u8; 81]>,
}

impl SolutionSearch {
    pub(super) fn new(kernel: &'static Kernel, effort: u32) -> Self {
        Self {
            kernel,
            effort,
            puzzle: Puzzle::new(),
            solver: Solver::new(kernel),
            batches: None,
            counts: Vec::new(),
            solutions: Vec::new(),
            starts: Vec::new(),
            open: Vec::new(),
            clues: Vec::new(),
        }
    }

    pub(super) fn effort(&self) -> u32 {
        self.effort
    }

    /// What was found of a batch of the last call.
    pub(super) fn solved(&self, batch: usize) -> Solved<'_> {
        let ((board, cell), (next_board, next_cell)) = (self.starts[batch], self.starts[batch + 1]);
        Solved { counts: &self.counts[board..next_board], solutions: &self.solutions[cell..next_cell] }
    }

    /// Counts the solutions of all boards, up to two, and finds them. Batches that `skipped` says have none asked for.
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
            // All batches of a kind when the first of them comes.
            if batches[..first].iter().any(|batch| batch.shape().kind == kind) {
                continue;
            }
            self.open.clear();
            self.clues.clear();
            for (number, batch) in batches.iter().enumerate().skip(first) {
                if batch.shape().kind == kind && !skipped(batch) {
                    self.solve_batch(batch, number, all_given);
                }
            }
            self.solve_together(kind);
        }
    }

    /// Solves the boards of a batch that are not solved side by side, and lists the others.
    fn solve_batch(&mut self, from: &Batch, number: usize, all_given: bool) {
        let Shape { kind, side } = from.shape();
        let (first, first_cell) = self.starts[number];
        // Whether these obey the rules is seen when their bands are looked at.
        let given =
            if kind == Kind::Sudoku && side == Side::NINE { nine::full(self.kernel, from, all_given) } else { 0 };
        for board in 0..from.len() {
            if given >> board & 1 == 1 {
                self.counts[first + board] = 1;
                continue;
            }
            // What cannot be read is refused for that.
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
                self.open.push((at, first_cell + board * 81));
                self.clues.push(*clues);
            } else {
                let counted = self.solver.count(from, board, all_given, 2, self.effort);
                self.counts[at] = counted.count;
                if let Some(found) = counted.solution {
                    solution.copy_from_slice(&found[..side.cells()]);
                }
            }
        }
    }

    /// Solves what is listed.
    fn solve_together(&mut self, kind: Kind) {
        let n = self.open.len();
        if n == 0 {
            return;
        }
        if self.batches.as_ref().is_none_or(|(of, _)| *of != kind) {
            self.batches = Batches::new(kind, self.kernel).ok().map(|batches| (kind, batches.budget(self.effort)));
        }
        let Some((_, batches)) = &mut self.batches else { return };
        let (mut counts, mut solutions) = (vec![0; n], vec![[0; 81]; n]);
        batches.solve(self.clues.as_flattened(), 81, n, 2, &mut counts, &mut solutions);
        for ((&(board, cell), count), solution) in self.open.iter().zip(counts).zip(solutions) {
            self.counts[board] = count;
            self.solutions[cell..cell + 81].copy_from_slice(&solution);
        }
    }
}

/// Whether the givens are all digits and obey the rules, of a kind that has houses only.
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
