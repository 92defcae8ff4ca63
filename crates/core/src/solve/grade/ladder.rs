//! The ladder: which rules are applied, and in which order.

use std::fmt;

use super::cell_sets::{CandidateSets, cells};
use super::grid::{LadderGrid, Step};
use super::matching::SettledPlaces;
use super::names::Grade;
use crate::board::{Batch, Cell, Kind, Shape, Side};
use crate::kernels::{self, Kernel, SimdTask};
use crate::solve::{Query, Solver, UNDECIDED};

/// Grades sudokus of side 9.
///
/// ```
/// use gridmill_core::kernels;
/// use gridmill_core::solve::{Grade, Grader};
///
/// let puzzle = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1";
/// let mut grades = [None];
/// Grader::new(kernels::best()).grade(puzzle.as_bytes(), 81, &[1], &mut grades);
/// assert_eq!(grades, [Some(Grade::Beyond)]);
/// ```
pub struct Grader {
    kernel: &'static Kernel,
}

impl fmt::Debug for Grader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grader").field("kernel", &self.kernel.name).finish_non_exhaustive()
    }
}

impl Grader {
    /// Makes a grader.
    pub fn new(kernel: &'static Kernel) -> Self {
        Self { kernel }
    }

    /// Whether there is a ladder for boards of a shape.
    pub fn takes(shape: Shape) -> bool {
        shape == Shape::new(Kind::Sudoku, Side::NINE)
    }

    /// Finds the grades of puzzles: puzzle `i` is the 81 bytes at `i * pitch`, where the ASCII digits `1` to `9` and the
    /// bytes 1 to 9 are givens and every other byte is an empty cell. `counts[i]` is its number of solutions
    /// ([`BatchSolver`](super::super::BatchSolver)), at most 2, or [`UNDECIDED`]. A puzzle with none or several has no grade,
    /// and an undecided one has none if no rung solves it.
    ///
    /// # Panics
    /// If there are fewer `grades` than `counts`, or the text is too short for so many puzzles.
    pub fn grade(&mut self, puzzles: &[u8], pitch: usize, counts: &[u32], grades: &mut [Option<Grade>]) {
        assert!(counts.is_empty() || puzzles.len() >= (counts.len() - 1) * pitch + 81, "the text has fewer puzzles");
        self.kernel.run(GradeEach { kernel: self.kernel, puzzles, pitch, counts, grades: &mut grades[..counts.len()] });
    }
}

/// The grade of one board, whose search may take this many nodes. `all_given` says that solved cells are givens. `None` for
/// boards without a ladder, and for puzzles without exactly one solution.
pub fn grade_one(batch: &Batch, board: usize, all_given: bool, effort: u32) -> Option<Grade> {
    if !Grader::takes(batch.shape()) || batch.groups(board).is_some() {
        return None;
    }
    let puzzle: [u8; 81] = std::array::from_fn(|cell| match batch.cell(board, cell) {
        Cell::Clue(digit) => digit,
        Cell::Solved(digit) if all_given => digit,
        _ => 0,
    });
    let kernel = kernels::best();
    let count = Solver::new(kernel).count(batch, board, Query::count(2, effort).all_given(all_given)).count;
    let mut grades = [None];
    Grader::new(kernel).grade(&puzzle, 81, &[count], &mut grades);
    grades[0]
}

struct GradeEach<'a> {
    kernel: &'static Kernel,
    puzzles: &'a [u8],
    pitch: usize,
    counts: &'a [u32],
    grades: &'a mut [Option<Grade>],
}

impl SimdTask for GradeEach<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { kernel, puzzles, pitch, counts, grades } = self;
        for (i, (&count, grade)) in counts.iter().zip(grades).enumerate() {
            *grade = None;
            let puzzle = puzzles.get(i * pitch..).and_then(|text| text.first_chunk());
            if let Some(puzzle) = puzzle.filter(|_| matches!(count, 1 | UNDECIDED)) {
                *grade = climb(kernel, puzzle).or((count == 1).then_some(Grade::Beyond));
            }
        }
    }
}

/// The first rung that solves a puzzle, up to the tenth.
#[inline(always)]
pub(super) fn climb(kernel: &'static Kernel, puzzle: &[u8; 81]) -> Option<Grade> {
    let mut grid = LadderGrid::new(puzzle);
    let (mut rung, mut settled) = (1, SettledPlaces::none());
    // Every pass that changes nothing goes one rung further; every other one begins with the cheapest rules again.
    loop {
        match close(kernel, &mut grid, rung, &mut settled) {
            Step::Contradiction => return None,
            _ if grid.is_full() => return Grade::of_rung(rung).filter(|_| grid.is_solution()),
            _ if rung == 10 => return None,
            _ => rung += 1,
        }
    }
}

/// Applies the rules of the first `rung` rungs until they change nothing.
#[inline(always)]
pub(super) fn close(kernel: &'static Kernel, grid: &mut LadderGrid, rung: u8, settled: &mut SettledPlaces) -> Step {
    loop {
        match grid.place_singles(rung.min(3)) {
            Step::Contradiction => return Step::Contradiction,
            Step::Changed => continue,
            Step::Rest if rung <= 3 || grid.is_full() => return Step::Rest,
            Step::Rest => {}
        }
        if !(grid.remove_locked() || rung > 4 && remove(kernel, grid, rung, settled)) {
            return Step::Rest;
        }
    }
}

/// Applies the cheapest rule of rungs 5 to `rung` that removes candidates. Returns whether there was one.
fn remove(kernel: &'static Kernel, grid: &mut LadderGrid, rung: u8, settled: &mut SettledPlaces) -> bool {
    if rung == 5 {
        return remove_by_rule(kernel, grid, 5, settled); // those of rung 6 find pairs, too
    }
    (6..=rung).any(|rung| remove_by_rule(kernel, grid, rung, settled))
}

/// Applies the new rules of one rung above 4 once. Returns whether candidates were removed.
fn remove_by_rule(kernel: &'static Kernel, grid: &mut LadderGrid, rung: u8, settled: &mut SettledPlaces) -> bool {
    match rung {
        5 => kernel.run(RungRules::<5> { grid, settled }),
        6 => kernel.run(RungRules::<6> { grid, settled }),
        7 => kernel.run(RungRules::<7> { grid, settled }),
        8 => kernel.run(RungRules::<8> { grid, settled }),
        9 => kernel.run(RungRules::<9> { grid, settled }),
        _ => kernel.run(RungRules::<10> { grid, settled }),
    }
}

/// The new rules of one rung. (As one task with all others, they take a minute more to compile.)
struct RungRules<'a, const RUNG: u8> {
    grid: &'a mut LadderGrid,
    settled: &'a mut SettledPlaces,
}

impl<const RUNG: u8> SimdTask for RungRules<'_, RUNG> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { grid, settled } = self;
        match RUNG {
            5 => grid.remove_by_pairs(),
            6 => grid.remove_by_sets(settled),
            7 => grid.remove_by_fish(settled),
            8 => grid.remove_by_wings(),
            9 => grid.remove_by_chains(),
            _ => grid.remove_by_nets(),
        }
    }
}

/// Applies the new rules of one rung once, for tests of the order.
#[cfg(test)]
pub(super) fn apply(grid: &mut LadderGrid, rung: u8) -> Step {
    let changed = match rung {
        1..=3 => return grid.place_singles(rung),
        4 => grid.remove_locked(),
        _ => remove_by_rule(kernels::best(), grid, rung, &mut SettledPlaces::none()),
    };
    if changed { Step::Changed } else { Step::Rest }
}

impl LadderGrid {
    /// Removes candidates that singles refute: rung 10. Returns whether there were some.
    #[inline(always)]
    fn remove_by_nets(&mut self) -> bool {
        let mut changed = false;
        // Cells with few candidates first, since these are placed soonest.
        let sets = CandidateSets::of(self);
        for size in 2..10 {
            for cell in cells(sets.open) {
                if sets.cells[cell].count_ones() != size {
                    continue;
                }
                let mut digits = sets.cells[cell];
                while digits != 0 {
                    let digit = digits.trailing_zeros() as usize;
                    digits &= digits - 1;
                    if self.has_open(digit, cell) && self.refutes(digit, cell) {
                        self.rows[cell / 9].0[digit] &= !(1 << (cell % 9));
                        changed = true;
                        // Later assumptions see what follows.
                        while self.place_singles(3) == Step::Changed || self.remove_locked() {}
                        if self.is_full() {
                            return true;
                        }
                    }
                }
            }
        }
        changed
    }

    /// Whether singles find a contradiction after a digit was placed in a cell.
    #[inline(always)]
    fn refutes(&self, digit: usize, cell: usize) -> bool {
        let mut copy = *self;
        let mut placed = [super::digit_lanes::DigitLanes::ZERO; 9];
        placed[cell / 9].0[digit] = 1 << (cell % 9);
        copy.place(&placed);
        loop {
            match copy.place_singles(3) {
                Step::Changed => {}
                Step::Rest => return false,
                Step::Contradiction => return true,
            }
        }
    }

    /// Whether a cell is open and can have a digit.
    #[inline(always)]
    fn has_open(&self, digit: usize, cell: usize) -> bool {
        let row = &self.rows[cell / 9].0;
        (row[digit] & row[super::grid::OPEN]) >> (cell % 9) & 1 == 1
    }
}
