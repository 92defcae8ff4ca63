//! Makes canonical batches, strings and keys of batches.

use std::fmt;

use super::bands::{Digits, LeastForm, SinkFn};
use super::clues::ClueSearch;
use super::dihedral::DihedralSearch;
use super::exhaustive::ExhaustiveSearch;
use super::form::{CanonicalForm, FoundForm};
use super::grids::least_solution;
use super::groups::list;
use super::key::Key;
use super::map::Map;
use super::puzzle::{Puzzle, check_groups};
use super::side9::{KnownGrids, Side9Batch};
use super::solutions::{CountedSolutions, SolutionSearch};
use crate::board::{BATCH, Batch, BoardSet, Colourer, Kind, Shape, Side};
use crate::error::{Code, Reject};
use crate::formats::{Format, StringsOut, Text};
use crate::kernels::{Kernel, all_bits};
use crate::solve::UNDECIDED;

/// Makes canonical forms, batch by batch. It holds the memory for this.
pub struct Canonizer {
    solutions: SolutionSearch,
    forms: FormMaker,
}

/// The shape whose forms are made one batch at a time.
const SUDOKU9: Shape = Shape::new(Kind::Sudoku, Side::NINE);

/// Makes the forms of boards whose solutions are known.
struct FormMaker {
    kernel: &'static Kernel,
    puzzle: Puzzle,
    search: Search,
    side9: Option<Box<Side9Batch>>,
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
    found: Vec<Result<FoundForm, Reject>>,
    text: Text,
    ends: [usize; BATCH],
}

impl fmt::Debug for Canonized {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Canonized").field("found", &self.found).finish_non_exhaustive()
    }
}

impl Canonized {
    /// Returns how board `board` became its canonical form.
    ///
    /// # Errors
    /// The reason why it has none: `region`, `unsupported`; in the `solution` form also `no-solution`,
    /// `many-solutions`, `undecided`.
    pub fn found(&self, board: usize) -> Result<&FoundForm, Reject> {
        self.found[board].as_ref().map_err(Clone::clone)
    }

    /// Returns the canonical boards. The contents of boards without a canonical form are unspecified.
    pub fn batch(&self) -> &Batch {
        &self.batch
    }

    /// Returns the canonical string of a board that has one.
    pub fn string(&self, board: usize) -> &[u8] {
        let start = if board == 0 { 0 } else { self.ends[board - 1] };
        &self.text.as_slice()[start..self.ends[board]]
    }

    /// Writes the strings.
    fn encode(&mut self) -> &Self {
        self.text.clear();
        self.ends.fill(0);
        let format = Format::V2.codec();
        if let Ok(form) = format.writes(self.batch.shape()) {
            format.encode(
                form,
                &self.batch,
                self.kernel,
                StringsOut { text: &mut self.text, gap: 0, ends: &mut self.ends },
            );
        }
        self
    }

    /// Returns the key of the board's string.
    pub fn key(&self, board: usize) -> Key {
        Key::of(self.string(board))
    }

    /// Returns the keys of all strings. The keys of boards without a canonical form are unspecified.
    pub fn keys(&self) -> Vec<Key> {
        Key::of_each(self.kernel, (0..self.batch.len()).map(|board| self.string(board)))
    }
}

/// The searches for the least form, with their memory.
#[derive(Default)]
struct Search {
    dihedral: DihedralSearch,
    exhaustive: ExhaustiveSearch,
    nine: Option<Box<ClueSearch<3, 3>>>,
    eight: Option<Box<ClueSearch<4, 2>>>,
    six: Option<Box<ClueSearch<3, 2>>>,
}

impl Search {
    /// Finds the least form; with a solution, this is the `solution` form.
    fn least(&mut self, puzzle: &Puzzle, solution: Option<&[u8]>) -> Result<FoundForm, Reject> {
        let Shape { kind, side } = puzzle.shape;
        if !kind.is_plain() {
            return Ok(self.dihedral.least(puzzle, solution));
        }
        if kind != Kind::Sudoku {
            return Ok(self.exhaustive.least(puzzle, solution));
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
    /// The default limit of search nodes for the solutions of a puzzle.
    const EFFORT: u32 = 100_000;

    /// Makes a canonizer; it allocates memory when it is first needed.
    pub fn new(kernel: &'static Kernel) -> Self {
        let forms = FormMaker {
            kernel,
            puzzle: Puzzle::new(),
            search: Search::default(),
            side9: None,
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

    /// Sets how many nodes the search for the solutions of a puzzle may take before the puzzle is `undecided`; the
    /// default is 100,000.
    #[must_use]
    pub fn effort(self, nodes: u32) -> Self {
        Self { solutions: SolutionSearch::new(self.forms.kernel, nodes), ..self }
    }

    /// Makes the canonical boards of a batch, each with its map and counts, or the reason why there is none. With
    /// `all_given`, solved cells are givens too, as in formats without clues.
    pub fn canonize(&mut self, from: &Batch, all_given: bool, form: CanonicalForm) -> &Canonized {
        self.canonize_all(&[from], all_given, form, |_, _| ());
        &self.forms.canonized
    }

    /// Makes the canonical boards of any number of batches. The boards of all batches of one kind are solved in
    /// parallel, because a few hundred boards are solved several times as fast together as separately. `done` is called
    /// with the number of each batch and its canonical boards.
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
            let solved =
                if form == CanonicalForm::Solution { self.solutions.solved(number) } else { CountedSolutions::NONE };
            let request =
                Request { boards: u64::MAX, all_given, form: Some(form), solved, effort: self.solutions.effort() };
            self.forms.fill(batch, request);
            done(number, self.forms.canonized.encode());
        }
    }

    /// Does the same as [`Canonizer::canonize`] for some boards, whose solutions are already known. Without a `form`,
    /// boards get the form of the solution if they have one solution, and that of the puzzle if they have none or several.
    pub fn canonize_answered(
        &mut self,
        boards: BoardSet<'_>,
        form: Option<CanonicalForm>,
        solved: CountedSolutions<'_>,
    ) -> &Canonized {
        self.find_answered(boards, form, solved);
        self.encode()
    }

    /// Does the same, but without strings until [`Canonizer::encode`] writes them.
    pub(crate) fn find_answered(
        &mut self,
        boards: BoardSet<'_>,
        form: Option<CanonicalForm>,
        solved: CountedSolutions<'_>,
    ) {
        let BoardSet { batch, boards, all_given } = boards;
        self.forms.fill(batch, Request { boards, all_given, form, solved, effort: self.solutions.effort() });
    }

    /// Returns whether [`Canonizer::find_given`] accepts boards of a shape.
    pub(crate) fn takes_givens(shape: Shape) -> bool {
        shape == SUDOKU9
    }

    /// Finds the `solution` form of sudokus of side 9, at most [`BATCH`], from their givens and their only solutions,
    /// by cell. There are no strings until [`Canonizer::encode`] writes them.
    pub(crate) fn find_given(&mut self, givens: &[Digits], solutions: &[[u8; 81]]) {
        self.forms.fill_given(givens, solutions);
    }

    /// Does the same if only strings are needed, and computes nothing else. They are written to `to`, with a distance from
    /// the start of one to the start of the next; without it, [`Canonizer::strings`] returns them. Returns false if some
    /// solutions break the rules.
    pub(crate) fn write_strings(
        &mut self,
        givens: &[Digits],
        solutions: &[[u8; 81]],
        to: Option<(&mut [u8], usize)>,
    ) -> bool {
        let kernel = self.forms.kernel;
        self.forms.side9().write_strings(kernel, givens, solutions, to)
    }

    /// Returns the strings, followed by those of other boards.
    pub(crate) fn strings(&self) -> impl Iterator<Item = &[u8; super::STRING_WIDTH]> {
        self.forms.side9.iter().flat_map(|side9| side9.strings.all())
    }

    /// Returns the keys of the strings of the first `boards` boards.
    pub(crate) fn string_keys(&mut self, boards: usize) -> Vec<Key> {
        let kernel = self.forms.kernel;
        self.forms.side9().strings.keys(kernel, boards)
    }

    /// Writes the strings of the boards that have a canonical form.
    pub(crate) fn encode(&mut self) -> &Canonized {
        self.forms.canonized.encode()
    }

    /// Returns the result of the last call.
    pub fn canonized(&self) -> &Canonized {
        &self.forms.canonized
    }

    /// Moves solved cells and candidates of the boards in the mask `boards`, from the batch of the last call, to their
    /// canonical boards.
    pub fn carry(&mut self, from: &Batch, boards: u64, all_given: bool) {
        let Canonized { batch, found, .. } = &mut self.forms.canonized;
        for (board, found) in found.iter().enumerate().filter(|(board, _)| boards >> board & 1 == 1) {
            if let Ok(found) = found {
                found.map.carry(from, board, all_given, batch);
            }
        }
    }

    /// Exchanges the canonical boards of the last call with another batch, so that they need not be copied.
    pub fn swap_batch(&mut self, other: &mut Batch) {
        std::mem::swap(&mut self.forms.canonized.batch, other);
    }
}

/// A request for the forms of a batch, with what is known about it.
#[derive(Clone, Copy)]
struct Request<'a> {
    /// The requested boards: one bit each.
    boards: u64,
    all_given: bool,
    /// If `None`, the form of the solution if there is one.
    form: Option<CanonicalForm>,
    solved: CountedSolutions<'a>,
    effort: u32,
}

impl Request<'_> {
    /// Returns an error if a board was not requested.
    fn require_form(&self, board: usize) -> Result<(), Reject> {
        match self.boards >> board & 1 {
            0 => Err(Reject::whole(Code::Unsupported, "this board's canonical form was not requested")),
            _ => Ok(()),
        }
    }

    /// Returns whether the `solution` form of a board is requested.
    fn of_solution(&self, board: usize) -> bool {
        match self.form {
            Some(form) => form == CanonicalForm::Solution,
            None => [1, UNDECIDED].contains(&self.solved.counts[board]),
        }
    }

    /// Returns the solution of a board with `cells` cells, if its form needs one.
    fn solution(&self, board: usize, cells: usize) -> Result<Option<&[u8]>, Reject> {
        if !self.of_solution(board) {
            return Ok(None);
        }
        check_count(self.solved.counts[board], self.effort)?;
        Ok(Some(&self.solved.solutions[board * cells..][..cells]))
    }
}

impl FormMaker {
    /// Returns the memory for sudokus of side 9.
    fn side9(&mut self) -> &mut Side9Batch {
        self.side9.get_or_insert_with(|| Box::new(Side9Batch::new()))
    }

    /// Makes the canonical boards of a batch.
    fn fill(&mut self, from: &Batch, request: Request<'_>) {
        let shape = from.shape();
        self.canonized.batch.reset(shape, from.len());
        self.canonized.found.clear();
        if shape == SUDOKU9 {
            self.fill_side9(from, request);
        } else {
            let allowed = check_shape(shape);
            for board in 0..from.len() {
                let found = request.require_form(board).and_then(|()| allowed.clone()).and_then(|()| {
                    self.puzzle.read(from, board, request.all_given)?;
                    self.search.least(&self.puzzle, request.solution(board, shape.side.cells())?)
                });
                if let Ok(found) = &found {
                    self.puzzle.write(&found.map, &mut self.canonized.batch, board, &mut self.colourer);
                }
                self.canonized.found.push(found);
            }
        }
    }

    /// Makes the forms of sudokus of side 9 of which only the givens and the solutions are known.
    fn fill_given(&mut self, givens: &[Digits], solutions: &[[u8; 81]]) {
        let (kernel, boards) = (self.kernel, givens.len());
        let side9 = self.side9.get_or_insert_with(|| Box::new(Side9Batch::new()));
        let Canonized { batch, found, .. } = &mut self.canonized;
        batch.reset(SUDOKU9, boards);
        // The old entries are of other boards, and all of them are overwritten.
        found.resize_with(boards, || Ok(no_form()));
        side9.take(givens);
        let all = all_bits(boards);
        let store = |board: usize, least: &LeastForm<'_>| store_form(least, &mut found[board]);
        let known = side9.least(
            kernel,
            KnownGrids { boards, full: 0, solved: all, solutions: solutions.as_flattened() },
            SinkFn(store),
        );
        // There is no form if the solution breaks the rules.
        for (_, found) in found.iter_mut().enumerate().filter(|(board, _)| known >> board & 1 == 0) {
            *found = check_count(0, 0).map(|()| no_form());
        }
        side9.write(kernel, |board| found[board].as_ref().ok().map(|found| &found.map), batch);
    }

    /// Makes the canonical boards of a batch of sudokus of side 9.
    fn fill_side9(&mut self, from: &Batch, request: Request<'_>) {
        let (kernel, boards) = (self.kernel, from.len());
        let side9 = self.side9.get_or_insert_with(|| Box::new(Side9Batch::new()));
        let Canonized { batch, found, .. } = &mut self.canonized;
        found.resize_with(boards, || Ok(no_form()));
        let full = side9.read(kernel, from, request.all_given);
        let is_solved = |&board: &usize| request.of_solution(board) && request.solved.counts[board] == 1;
        let solved = (0..boards).filter(is_solved).fold(0, |solved, board| solved | 1 << board);
        let (full, solved) = (full & request.boards, solved & request.boards);
        let store = |board: usize, least: &LeastForm<'_>| {
            store_form(least, &mut found[board]);
            if let Ok(found) = &mut found[board] {
                found.grid_automorphisms = found.grid_automorphisms.filter(|_| request.of_solution(board));
            }
        };
        let grids = KnownGrids { boards, full, solved, solutions: request.solved.solutions };
        let known = side9.least(kernel, grids, SinkFn(store));
        for (board, found) in found.iter_mut().enumerate() {
            let is_known = known >> board & 1 == 1;
            if is_known && !from.has_groups() {
                continue;
            }
            if let Err(reject) = request.require_form(board).and_then(|()| check_groups(from, board)) {
                *found = Err(reject);
            } else if !is_known && request.of_solution(board) {
                // A board whose digits are all given, or the given solution, may break the rules.
                let count = if request.solved.counts[board] == 1 { 0 } else { request.solved.counts[board] };
                *found = check_count(count, request.effort).map(|()| no_form());
            } else if !is_known {
                self.puzzle.set_clues(SUDOKU9, side9.clues(board));
                *found = self.search.least(&self.puzzle, None);
            }
        }
        side9.write(kernel, |board| found[board].as_ref().ok().map(|found| &found.map), batch);
    }
}

/// Stores the form of a board.
#[inline(always)]
fn store_form(least: &LeastForm, to: &mut Result<FoundForm, Reject>) {
    if to.is_err() {
        *to = Ok(no_form());
    }
    if let Ok(found) = to {
        least.write(found);
    }
}

/// Returns the entry of a board whose form is not known yet.
fn no_form() -> FoundForm {
    FoundForm { map: Map::identity(SUDOKU9.side), automorphisms: 0, grid_automorphisms: None }
}

/// Returns an error for boards that do not have exactly one solution.
fn check_count(count: u32, effort: u32) -> Result<(), Reject> {
    let (code, words) = match count {
        1 => return Ok(()),
        0 => (Code::NoSolution, "the givens have no solution, which the `solution` form needs".to_string()),
        UNDECIDED => (Code::Undecided, format!("not decided within {effort} search nodes")),
        _ => (Code::ManySolutions, "the givens have several solutions; the `solution` form needs one".to_string()),
    };
    Err(Reject::whole(code, words))
}

/// Checks that a kind and side have canonical forms.
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
