//! Batches to canonical batches, strings and keys.

use std::fmt;

use super::bands::{Digits, Each, Least};
use super::clues::ClueSearch;
use super::colours::Colourer;
use super::form::{CanonicalForm, Found};
use super::grids::least_solution;
use super::groups::list;
#[cfg(feature = "keys")]
use super::key::Key;
use super::map::Map;
use super::nine::Nine;
use super::puzzle::{Puzzle, check_groups};
use super::small::SmallGroups;
use super::solutions::{SolutionSearch, Solved};
use super::strings::WIDTH as STRING_WIDTH;
use super::turns::Turns;
use crate::board::{BATCH, Batch, Cell, Kind, Shape, Side, bit};
use crate::error::{Code, Reject};
use crate::formats::{Id, Text};
use crate::kernels::{Kernel, all_bits};
use crate::solve::UNDECIDED;

/// Makes canonical forms, batch by batch. It holds the memory for that.
pub struct Canonizer {
    solutions: SolutionSearch,
    forms: Forms,
}

/// What is made a batch at a time.
const NINE: Shape = Shape::new(Kind::Sudoku, Side::NINE);

/// Makes the forms of boards whose solutions are known.
struct Forms {
    kernel: &'static Kernel,
    puzzle: Puzzle,
    search: Search,
    nine: Option<Box<Nine>>,
    colourer: Colourer,
    canonized: Canonized,
}

impl fmt::Debug for Canonizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Canonizer").field("kernel", &self.forms.kernel.name).finish_non_exhaustive()
    }
}

/// The canonical boards of a batch.
pub struct Canonized {
    kernel: &'static Kernel,
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
    fn encode(&mut self) -> &Self {
        self.text.clear();
        self.ends.fill(0);
        let format = Id::V2.format();
        if let Ok(form) = format.writes(self.batch.shape()) {
            format.encode(form, &self.batch, self.kernel, &mut self.text, 0, &mut self.ends);
        }
        self
    }

    /// The key of this string.
    #[cfg(feature = "keys")]
    pub fn key(&self, board: usize) -> Key {
        Key::of(self.string(board))
    }

    /// The keys of all strings. What stands for boards that have none is unspecified.
    #[cfg(feature = "keys")]
    pub fn keys(&self) -> Vec<Key> {
        Key::of_each(self.kernel, (0..self.batch.len()).map(|board| self.string(board)))
    }
}

/// The searches for the least form, each with its memory.
#[derive(Default)]
struct Search {
    turns: Turns,
    small: SmallGroups,
    nine: Option<Box<ClueSearch<3, 3>>>,
    eight: Option<Box<ClueSearch<4, 2>>>,
    six: Option<Box<ClueSearch<3, 2>>>,
}

impl Search {
    /// The least form: with a solution the `solution` form.
    fn least(&mut self, puzzle: &Puzzle, solution: Option<&[u8]>) -> Result<Found, Reject> {
        let Shape { kind, side } = puzzle.shape;
        if !kind.is_plain() {
            return Ok(self.turns.least(puzzle, solution));
        }
        if kind != Kind::Sudoku {
            return Ok(self.small.least(puzzle, solution));
        }
        match solution {
            Some(grid) => Ok(least_solution(puzzle, grid)),
            None if side == Side::NINE => {
                Ok(self.nine.get_or_insert_with(|| Box::new(ClueSearch::new())).least(puzzle))
            }
            None if side.get() == 8 => Ok(self.eight.get_or_insert_with(|| Box::new(ClueSearch::new())).least(puzzle)),
            None if side.get() == 6 => Ok(self.six.get_or_insert_with(|| Box::new(ClueSearch::new())).least(puzzle)),
            None => {
                let words =
                    format!("the `puzzle` form is not available for sudokus of side {side}; the `solution` form is");
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
        let forms = Forms {
            kernel,
            puzzle: Puzzle::new(),
            search: Search::default(),
            nine: None,
            colourer: Colourer::default(),
            canonized: Canonized {
                kernel,
                batch: Batch::new(),
                found: Vec::new(),
                text: Text::new(),
                ends: [0; BATCH],
            },
        };
        Self { solutions: SolutionSearch::new(kernel, Self::EFFORT), forms }
    }

    /// How many nodes the search for the solutions of a puzzle may take before it is `undecided`; 100,000 unless told.
    #[must_use]
    pub fn effort(self, nodes: u32) -> Self {
        Self { solutions: SolutionSearch::new(self.forms.kernel, nodes), ..self }
    }

    /// The canonical boards of a batch, each with its map and counts, or why there is none. With `all_given` solved cells are
    /// givens too, as those of formats without clues are.
    pub fn canonize(&mut self, from: &Batch, all_given: bool, form: CanonicalForm) -> &Canonized {
        self.canonize_all(&[from], all_given, form, |_, _| ());
        &self.forms.canonized
    }

    /// The same of any number of batches, of which those with the same kind have their boards solved side by side: some hundred
    /// are solved several times as fast together as by themselves. `done` gets the number of each batch and its canonical boards.
    pub fn canonize_all(
        &mut self,
        batches: &[&Batch],
        all_given: bool,
        form: CanonicalForm,
        mut done: impl FnMut(usize, &Canonized),
    ) {
        if form == CanonicalForm::Solution {
            self.solutions.solve(batches, all_given, |batch| check_shape(batch.shape()).is_err());
        }
        for (number, batch) in batches.iter().enumerate() {
            let solved = if form == CanonicalForm::Solution { self.solutions.solved(number) } else { Solved::NOTHING };
            let asked =
                Asked { boards: u64::MAX, all_given, form: Some(form), solved, effort: self.solutions.effort() };
            self.forms.fill(batch, asked);
            done(number, self.forms.canonized.encode());
        }
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
        self.find_answered((from, boards), all_given, form, (counts, solutions));
        self.encode()
    }

    /// The same, without strings until [`Canonizer::encode`] writes these.
    pub(crate) fn find_answered(
        &mut self,
        (from, boards): (&Batch, u64),
        all_given: bool,
        form: Option<CanonicalForm>,
        (counts, solutions): (&[u32], &[u8]),
    ) {
        let solved = Solved { counts, solutions };
        self.forms.fill(from, Asked { boards, all_given, form, solved, effort: self.solutions.effort() });
    }

    /// Whether [`Canonizer::find_given`] takes boards of a shape.
    pub(crate) fn takes_givens(shape: Shape) -> bool {
        shape == NINE
    }

    /// The `solution` form of sudokus of side 9, at most [`BATCH`], whose givens and only solutions are these, by cell; without
    /// strings until [`Canonizer::encode`] writes these.
    pub(crate) fn find_given(&mut self, givens: &[Digits], solutions: &[[u8; 81]]) {
        self.forms.fill_given(givens, solutions);
    }

    /// The same where nothing but strings is asked for: [`Canonizer::strings`] has them, and the last call made nothing else. False, and
    /// nothing is done, if some solutions break the rules.
    pub(crate) fn write_strings(&mut self, givens: &[Digits], solutions: &[[u8; 81]]) -> bool {
        let kernel = self.forms.kernel;
        self.forms.nine().write_strings(kernel, givens, solutions)
    }

    /// The strings, and after them those of other boards.
    pub(crate) fn strings(&self) -> impl Iterator<Item = &[u8; STRING_WIDTH]> {
        self.forms.nine.iter().flat_map(|nine| nine.strings.all())
    }

    /// The keys of the strings of so many boards.
    #[cfg(feature = "keys")]
    pub(crate) fn string_keys(&mut self, boards: usize) -> Vec<Key> {
        let kernel = self.forms.kernel;
        self.forms.nine().strings.keys(kernel, boards)
    }

    /// Writes the strings of what was found.
    pub(crate) fn encode(&mut self) -> &Canonized {
        self.forms.canonized.encode()
    }

    /// What the last call made.
    pub fn canonized(&self) -> &Canonized {
        &self.forms.canonized
    }

    /// Moves solved cells and candidates of those boards that are in `boards`, from the batch of the last call, to their canonical
    /// boards.
    pub fn carry(&mut self, from: &Batch, boards: u64, all_given: bool) {
        let Canonized { batch, found, .. } = &mut self.forms.canonized;
        for (board, found) in found.iter().enumerate().filter(|(board, _)| boards >> board & 1 == 1) {
            if let Ok(found) = found {
                found.map.carry((from, board), all_given, (batch, board));
            }
        }
    }

    /// Exchanges the canonical boards of the last call for another batch, so that they need not be copied.
    pub fn swap_batch(&mut self, other: &mut Batch) {
        std::mem::swap(&mut self.forms.canonized.batch, other);
    }
}

/// What is asked about a batch, and what is known of it.
#[derive(Clone, Copy)]
struct Asked<'a> {
    /// Which boards: a bit each.
    boards: u64,
    all_given: bool,
    /// None: that of the solution where there is one.
    form: Option<CanonicalForm>,
    solved: Solved<'a>,
    effort: u32,
}

impl Asked<'_> {
    /// Whether a board is asked about.
    fn has(&self, board: usize) -> Result<(), Reject> {
        match self.boards >> board & 1 {
            0 => Err(Reject::whole(Code::Unsupported, "it was not asked for")),
            _ => Ok(()),
        }
    }

    /// Whether it is the `solution` form of a board that is asked for.
    fn of_solution(&self, board: usize) -> bool {
        match self.form {
            Some(form) => form == CanonicalForm::Solution,
            None => [1, UNDECIDED].contains(&self.solved.counts[board]),
        }
    }

    /// The solution of a board of so many cells, if it needs one.
    fn solution(&self, board: usize, cells: usize) -> Result<Option<&[u8]>, Reject> {
        if !self.of_solution(board) {
            return Ok(None);
        }
        check_count(self.solved.counts[board], self.effort)?;
        Ok(Some(&self.solved.solutions[board * cells..][..cells]))
    }
}

impl Forms {
    /// The memory for sudokus of side 9.
    fn nine(&mut self) -> &mut Nine {
        self.nine.get_or_insert_with(|| Box::new(Nine::new()))
    }

    /// The canonical boards of a batch.
    fn fill(&mut self, from: &Batch, asked: Asked<'_>) {
        let shape = from.shape();
        self.canonized.batch.reset(shape, from.len());
        self.canonized.found.clear();
        if shape == NINE {
            self.fill_nine(from, asked);
        } else {
            let allowed = check_shape(shape);
            for board in 0..from.len() {
                let found = asked.has(board).and_then(|()| allowed.clone()).and_then(|()| {
                    self.puzzle.read(from, board, asked.all_given)?;
                    self.search.least(&self.puzzle, asked.solution(board, shape.side.cells())?)
                });
                if let Ok(found) = &found {
                    self.puzzle.write(&found.map, &mut self.canonized.batch, board, &mut self.colourer);
                }
                self.canonized.found.push(found);
            }
        }
    }

    /// The same for sudokus of side 9 of which nothing but givens and the only solutions are known.
    fn fill_given(&mut self, givens: &[Digits], solutions: &[[u8; 81]]) {
        let (kernel, boards) = (self.kernel, givens.len());
        let nine = self.nine.get_or_insert_with(|| Box::new(Nine::new()));
        let Canonized { batch, found, .. } = &mut self.canonized;
        batch.reset(NINE, boards);
        // What is there is of other boards, and each is written.
        found.resize_with(boards, || Ok(none()));
        nine.take(givens);
        let all = all_bits(boards);
        let keep = |board: usize, least: &Least<'_>| keep(least, &mut found[board]);
        let known = nine.least(kernel, boards, 0, (all, solutions.as_flattened()), Each(keep));
        // Nothing is found of what is no solution.
        for (_, found) in found.iter_mut().enumerate().filter(|(board, _)| known >> board & 1 == 0) {
            *found = check_count(0, 0).map(|()| none());
        }
        nine.write(kernel, |board| found[board].as_ref().ok().map(|found| &found.map), batch);
    }

    /// The same for sudokus of side 9.
    fn fill_nine(&mut self, from: &Batch, asked: Asked<'_>) {
        let (kernel, boards) = (self.kernel, from.len());
        let nine = self.nine.get_or_insert_with(|| Box::new(Nine::new()));
        let Canonized { batch, found, .. } = &mut self.canonized;
        found.resize_with(boards, || Ok(none()));
        let full = nine.read(kernel, from, asked.all_given);
        let is_solved = |&board: &usize| asked.of_solution(board) && asked.solved.counts[board] == 1;
        let solved = (0..boards).filter(is_solved).fold(0, |solved, board| solved | 1 << board);
        let (full, solved) = (full & asked.boards, solved & asked.boards);
        let keep = |board: usize, least: &Least<'_>| {
            keep(least, &mut found[board]);
            if let Ok(found) = &mut found[board] {
                found.grid_automorphisms = found.grid_automorphisms.filter(|_| asked.of_solution(board));
            }
        };
        let known = nine.least(kernel, boards, full, (solved, asked.solved.solutions), Each(keep));
        for (board, found) in found.iter_mut().enumerate() {
            let is_known = known >> board & 1 == 1;
            if is_known && !from.has_groups() {
                continue;
            }
            if let Err(reject) = asked.has(board).and_then(|()| check_groups(from, board)) {
                *found = Err(reject);
            } else if !is_known && asked.of_solution(board) {
                // What is all given, or was said to be the solution, may break the rules.
                let count = if asked.solved.counts[board] == 1 { 0 } else { asked.solved.counts[board] };
                *found = check_count(count, asked.effort).map(|()| none());
            } else if !is_known {
                self.puzzle.set_clues(NINE, nine.clues(board));
                *found = self.search.least(&self.puzzle, None);
            }
        }
        nine.write(kernel, |board| found[board].as_ref().ok().map(|found| &found.map), batch);
    }
}

/// Writes what was found of a board in its place.
#[inline(always)]
fn keep(least: &Least, to: &mut Result<Found, Reject>) {
    if to.is_err() {
        *to = Ok(none());
    }
    if let Ok(found) = to {
        least.write(found);
    }
}

/// What is said of a board before anything is found.
fn none() -> Found {
    Found { map: Map::identity(NINE.side), automorphisms: 0, grid_automorphisms: None }
}

/// Refuses what has not exactly one solution.
fn check_count(count: u32, effort: u32) -> Result<(), Reject> {
    let (code, words) = match count {
        1 => return Ok(()),
        0 => (Code::NoSolution, "the givens have no solution, which the `solution` form needs".to_string()),
        UNDECIDED => (Code::Undecided, format!("not decided within {effort} search nodes")),
        _ => (Code::ManySolutions, "the givens have several solutions; the `solution` form needs one".to_string()),
    };
    Err(Reject::whole(code, words))
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
