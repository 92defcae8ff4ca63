//! Batches to canonical batches, strings and keys.

use std::fmt;

use super::arrangement::CELLS;
use super::bands::BandSearch;
use super::clues::ClueSearch;
use super::colours::Colourer;
use super::form::{CanonicalForm, Found};
use super::grids::least_solution;
use super::groups::{list, renames};
#[cfg(feature = "keys")]
use super::key::Key;
use super::map::Map;
use super::puzzle::Puzzle;
use super::small::SmallGroups;
use crate::board::{BATCH, Batch, Cell, Kind, Shape, Side, bit, geometry};
use crate::error::{Code, Reject};
use crate::formats::{Id, Text};
use crate::kernels::Kernel;
use crate::solve::{Batches, Solver, UNDECIDED};

/// Makes canonical forms, batch by batch. It holds the memory for that.
pub struct Canonizer {
    kernel: &'static Kernel,
    effort: u32,
    puzzle: Puzzle,
    search: Search,
    solver: Solver,
    /// Of the kind that was met last.
    batches: Option<(Kind, Batches)>,
    /// Solutions of the boards of a batch, [`CELLS`] apart, and how many there are.
    solutions: Vec<u8>,
    counts: [u32; BATCH],
    colourer: Colourer,
    canonized: Canonized,
}

impl fmt::Debug for Canonizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Canonizer").field("kernel", &self.kernel.name).finish_non_exhaustive()
    }
}

/// The canonical boards of a batch.
pub struct Canonized {
    batch: Batch,
    found: Vec<Result<Found, Reject>>,
    text: Text,
    ends: [usize; BATCH],
}

impl fmt::Debug for Canonized {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Canonized").field("found", &self.found).finish_non_exhaustive()
    }
}

impl Canonized {
    /// How board `board` became its canonical form.
    ///
    /// # Errors
    /// Why it has none: `region`, `unsupported`; in the `solution` form `no-solution`, `many-solutions`, `undecided`.
    pub fn found(&self, board: usize) -> Result<&Found, Reject> {
        self.found[board].as_ref().map_err(Clone::clone)
    }

    /// The canonical boards. What stands for boards that have none is unspecified.
    pub fn batch(&self) -> &Batch {
        &self.batch
    }

    /// The canonical string of a board that has one.
    pub fn string(&self, board: usize) -> &[u8] {
        let start = if board == 0 { 0 } else { self.ends[board - 1] };
        &self.text.as_slice()[start..self.ends[board]]
    }

    /// Writes the strings.
    fn encode(&mut self, kernel: &Kernel) -> &Self {
        self.text.clear();
        self.ends.fill(0);
        let format = Id::V2.format();
        if let Ok(form) = format.writes(self.batch.shape()) {
            format.encode(form, &self.batch, kernel, &mut self.text, 0, &mut self.ends);
        }
        self
    }

    /// The key of this string.
    #[cfg(feature = "keys")]
    pub fn key(&self, board: usize) -> Key {
        Key::of(self.string(board))
    }
}

/// The searches for the least form, each with its memory.
#[derive(Default)]
struct Search {
    small: SmallGroups,
    bands: Option<Box<BandSearch>>,
    nine: Option<Box<ClueSearch<3, 3>>>,
    eight: Option<Box<ClueSearch<4, 2>>>,
    six: Option<Box<ClueSearch<3, 2>>>,
}

impl Search {
    /// The least form: with a solution the `solution` form.
    fn least(&mut self, puzzle: &Puzzle, solution: Option<&[u8]>) -> Result<Found, Reject> {
        let Shape { kind, side } = puzzle.shape;
        if kind != Kind::Sudoku {
            return Ok(self.small.least(puzzle, solution));
        }
        let cells = side.cells();
        match solution.or((side == Side::NINE && is_solved(puzzle)).then_some(&puzzle.clues[..cells])) {
            Some(grid) if side != Side::NINE => Ok(least_solution(puzzle, grid)),
            Some(grid) => {
                let bands = self.bands.get_or_insert_with(|| Box::new(BandSearch::new()));
                let (Some(grid), Some(clues)) = (grid.first_chunk(), puzzle.clues.first_chunk()) else {
                    return Err(Reject::whole(Code::NoSolution, "the solution is not of 81 digits"));
                };
                let (map, automorphisms, grids) = bands.least(grid, clues);
                Ok(Found { map, automorphisms, grid_automorphisms: solution.map(|_| grids) })
            }
            None if side == Side::NINE => {
                Ok(self.nine.get_or_insert_with(|| Box::new(ClueSearch::new())).least(puzzle))
            }
            None if side.get() == 8 => Ok(self.eight.get_or_insert_with(|| Box::new(ClueSearch::new())).least(puzzle)),
            None if side.get() == 6 => Ok(self.six.get_or_insert_with(|| Box::new(ClueSearch::new())).least(puzzle)),
            None => {
                let words = format!("the `puzzle` form of a sudoku of side {side} is not made; the `solution` form is");
                Err(Reject::whole(Code::Unsupported, words))
            }
        }
    }
}

impl Canonizer {
    /// Nodes of search for a puzzle's solutions unless told.
    const EFFORT: u32 = 100_000;

    /// With no memory yet.
    pub fn new(kernel: &'static Kernel) -> Self {
        Self {
            kernel,
            effort: Self::EFFORT,
            puzzle: Puzzle::new(),
            search: Search::default(),
            solver: Solver::new(kernel),
            batches: None,
            solutions: Vec::new(),
            counts: [0; BATCH],
            colourer: Colourer::default(),
            canonized: Canonized { batch: Batch::new(), found: Vec::new(), text: Text::new(), ends: [0; BATCH] },
        }
    }

    /// How many nodes the search for the solutions of a puzzle may take before it is `undecided`; 100,000 unless told.
    #[must_use]
    pub fn effort(self, nodes: u32) -> Self {
        Self { effort: nodes, batches: None, ..self }
    }

    /// The canonical boards of a batch, each with its map and counts, or why there is none. With `all_given` solved cells are
    /// givens too, as those of formats without clues are.
    pub fn canonize(&mut self, from: &Batch, all_given: bool, form: CanonicalForm) -> &Canonized {
        let shape = from.shape();
        self.canonized.batch.reset(shape, from.len());
        self.canonized.found.clear();
        let solution_form = form == CanonicalForm::Solution && check_shape(shape).is_ok();
        if solution_form {
            self.solve(from, all_given);
        }
        for board in 0..from.len() {
            let found = self.canonize_one(from, board, all_given, solution_form);
            self.take(board, found);
        }
        self.canonized.encode(self.kernel)
    }

    /// As [`Canonizer::canonize`], for those boards of a batch that are in `boards`, of which is known how many solutions they have
    /// (2 for several, [`UNDECIDED`] where that could not be told) and what the only one is: the digits of each, one board after the
    /// other. Without a `form` it is that of the solution where there is one, that of the puzzle where there is none or several.
    pub fn canonize_answered(
        &mut self,
        (from, boards): (&Batch, u64),
        all_given: bool,
        form: Option<CanonicalForm>,
        (counts, solutions): (&[u32], &[u8]),
    ) -> &Canonized {
        let (shape, cells) = (from.shape(), from.shape().side.cells());
        self.canonized.batch.reset(shape, from.len());
        self.canonized.found.clear();
        for board in 0..from.len() {
            let of_solution = match form {
                Some(form) => form == CanonicalForm::Solution,
                None => [1, UNDECIDED].contains(&counts[board]),
            };
            let found = match boards >> board & 1 {
                0 => Err(Reject::whole(Code::Unsupported, "it was not asked for")),
                _ => check_shape(shape).and_then(|()| {
                    self.puzzle.read(from, board, all_given)?;
                    if !of_solution {
                        return self.search.least(&self.puzzle, None);
                    }
                    self.check_count(counts[board])?;
                    self.search.least(&self.puzzle, Some(&solutions[board * cells..][..cells]))
                }),
            };
            self.take(board, found);
        }
        self.canonized.encode(self.kernel)
    }

    /// What the last call made.
    pub fn canonized(&self) -> &Canonized {
        &self.canonized
    }

    /// Moves solved cells and candidates of those boards that are in `boards`, from the batch of the last call, to their canonical
    /// boards.
    pub fn carry(&mut self, from: &Batch, boards: u64, all_given: bool) {
        let Canonized { batch, found, .. } = &mut self.canonized;
        for (board, found) in found.iter().enumerate().filter(|(board, _)| boards >> board & 1 == 1) {
            if let Ok(found) = found {
                found.map.carry((from, board), all_given, (batch, board));
            }
        }
    }

    /// Exchanges the canonical boards of the last call for another batch, so that they need not be copied.
    pub fn swap_batch(&mut self, other: &mut Batch) {
        std::mem::swap(&mut self.canonized.batch, other);
    }

    /// Takes what was found of the puzzle at hand.
    fn take(&mut self, board: usize, found: Result<Found, Reject>) {
        if let Ok(found) = &found {
            self.puzzle.write(&found.map, &mut self.canonized.batch, board, &mut self.colourer);
        }
        self.canonized.found.push(found);
    }

    fn canonize_one(
        &mut self,
        from: &Batch,
        board: usize,
        all_given: bool,
        solution_form: bool,
    ) -> Result<Found, Reject> {
        check_shape(from.shape())?;
        self.puzzle.read(from, board, all_given)?;
        if !solution_form {
            return self.search.least(&self.puzzle, None);
        }
        self.check_count(self.counts[board])?;
        let solution = &self.solutions[board * CELLS..][..from.shape().side.cells()];
        self.search.least(&self.puzzle, Some(solution))
    }

    /// Counts the solutions of all boards, up to two, and finds them.
    fn solve(&mut self, from: &Batch, all_given: bool) {
        let (kind, cells) = (from.shape().kind, from.shape().side.cells());
        self.solutions.resize(from.len() * CELLS, 0);
        let mut open = [0; BATCH];
        let mut count_open = 0;
        for board in 0..from.len() {
            self.counts[board] = UNDECIDED;
            // What cannot be read is refused for that.
            if self.puzzle.read(from, board, all_given).is_err() {
                continue;
            }
            let solution = &mut self.solutions[board * CELLS..][..cells];
            if renames(kind) && self.puzzle.clues[..cells].iter().all(|&clue| clue != 0) {
                solution.copy_from_slice(&self.puzzle.clues[..cells]);
                self.counts[board] = is_solved(&self.puzzle).into();
            } else if kind.is_plain() && from.shape().side == Side::NINE {
                solution.copy_from_slice(&self.puzzle.clues[..cells]);
                open[count_open] = board;
                count_open += 1;
            } else {
                let counted = self.solver.count(from, board, all_given, 2, self.effort);
                self.counts[board] = counted.count;
                if let Some(found) = counted.solution {
                    solution.copy_from_slice(&found[..cells]);
                }
            }
        }
        self.solve_together(kind, &open[..count_open]);
    }

    /// Solves sudokus of side 9 side by side. Their clues are where their solutions will be.
    fn solve_together(&mut self, kind: Kind, open: &[usize]) {
        if open.is_empty() {
            return;
        }
        if self.batches.as_ref().is_none_or(|(of, _)| *of != kind) {
            self.batches = Batches::new(kind, self.kernel).ok().map(|batches| (kind, batches.budget(self.effort)));
        }
        let Some((_, batches)) = &mut self.batches else { return };
        let (mut clues, mut solutions, mut counts) = ([[0; 81]; BATCH], [[0; 81]; BATCH], [0; BATCH]);
        for (clues, &board) in clues.iter_mut().zip(open) {
            clues.copy_from_slice(&self.solutions[board * CELLS..][..81]);
        }
        batches.solve(clues.as_flattened(), 81, open.len(), 2, &mut counts, &mut solutions);
        for ((&board, count), solution) in open.iter().zip(counts).zip(solutions) {
            self.counts[board] = count;
            self.solutions[board * CELLS..][..81].copy_from_slice(&solution);
        }
    }

    /// Refuses what has not exactly one solution.
    fn check_count(&self, count: u32) -> Result<(), Reject> {
        let (code, words) = match count {
            1 => return Ok(()),
            0 => (Code::NoSolution, "the givens have no solution, which the `solution` form needs".to_string()),
            UNDECIDED => (Code::Undecided, format!("not decided within {} nodes of search", self.effort)),
            _ => (Code::ManySolutions, "the givens have several solutions; the `solution` form needs one".to_string()),
        };
        Err(Reject::whole(code, words))
    }
}

/// Whether the givens are all digits and obey the rules, of a kind that has houses only.
fn is_solved(puzzle: &Puzzle) -> bool {
    let Shape { kind, side } = puzzle.shape;
    let clues = &puzzle.clues[..side.cells()];
    if kind == Kind::Sudoku && side == Side::NINE {
        return clues.first_chunk().is_some_and(is_solved_sudoku);
    }
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

/// The same of a sudoku of side 9, of which there are millions.
fn is_solved_sudoku(clues: &[u8; 81]) -> bool {
    let (mut columns, mut all) = ([0_u16; 9], 511);
    for band in clues.as_chunks::<27>().0 {
        let mut stacks = [0_u16; 3];
        for row in band.as_chunks::<9>().0 {
            let digits = row.map(|clue| 1_u16 << (clue & 15) >> 1);
            all &= digits.iter().fold(0, |set, digit| set | digit);
            columns.iter_mut().zip(digits).for_each(|(column, digit)| *column |= digit);
            stacks.iter_mut().zip(digits.as_chunks::<3>().0).for_each(|(set, [a, b, c])| *set |= a | b | c);
        }
        all &= stacks[0] & stacks[1] & stacks[2];
    }
    columns.iter().fold(all, |all, column| all & column) == 511
}

/// Whether a kind and side have canonical forms at all.
///
/// # Errors
/// `unsupported`.
fn check_shape(shape: Shape) -> Result<(), Reject> {
    let Shape { kind, side } = shape;
    let has = |side: Side| {
        kind.rules().sides.contains(&(side.get() as u8)) && (kind == Kind::Sudoku || !list(kind, side).is_empty())
    };
    if has(side) {
        return Ok(());
    }
    let sides: Vec<String> = Side::all().filter(|&side| has(side)).map(|side| side.to_string()).collect();
    let words = format!("a {kind} of side {side} has no canonical form; sides that have one: {}", sides.join(", "));
    Err(Reject::whole(Code::Unsupported, words))
}

impl Map {
    /// Writes what this map makes of the puzzle of board `board` of a batch as board `at` of another batch of the same shape: givens
    /// as clues, everything else empty, regions by first appearance, cages in the least colours.
    ///
    /// # Errors
    /// `map` if it is none of the maps of the board's kind, `region` for a jigsaw without n regions of n cells, `unsupported` for a
    /// board with groups of its own.
    ///
    /// # Panics
    /// If a batch has no such board, or the batches differ in shape.
    pub fn apply(&self, from: &Batch, board: usize, all_given: bool, to: &mut Batch, at: usize) -> Result<(), Reject> {
        assert_eq!(from.shape(), to.shape());
        let mut puzzle = Puzzle::new();
        puzzle.read(from, board, all_given)?;
        puzzle.check_map(self)?;
        puzzle.write(self, to, at, &mut Colourer::default());
        Ok(())
    }

    /// Moves solved cells, unless they are givens, and candidates of a board of a batch to a board that [`Map::apply`] wrote of it.
    ///
    /// # Panics
    /// If a batch has no such board, or the batches differ in shape from each other or the map.
    pub fn carry(&self, (from, board): (&Batch, usize), all_given: bool, (to, at): (&mut Batch, usize)) {
        assert_eq!(from.shape(), to.shape());
        let side = self.side();
        for cell in 0..side * side {
            let (row, column) = self.source(cell / side, cell % side);
            match from.cell(board, row * side + column) {
                Cell::Solved(digit) if !all_given => to.set_cell(at, cell, Cell::Solved(self.digit(digit))),
                Cell::Candidates(mask) => {
                    let digits = (1..=side as u8).filter(|&digit| mask & bit(digit) != 0);
                    let moved = digits.fold(0, |moved, digit| moved | bit(self.digit(digit)));
                    to.set_cell(at, cell, Cell::Candidates(moved));
                }
                _ => {}
            }
        }
    }
}
