//! Collects the puzzles of a call while its records are read, and solves all of them together.
//!
//! The solver is fastest with many puzzles at once, and a group of records has at most 64. Therefore groups wait until
//! all puzzles of the call are known. Then the puzzles are solved, and the groups are completed with the answers.

use super::bits;
use super::plan::{Checks, Conversion, Givens};
use crate::board::{Batch, Kind};
use crate::kernels::{Kernel, SimdTask, all_bits};
use crate::solve::{
    BatchSolver, Grade, Grader, MAX_PUZZLES, Puzzles, Query, SolutionCount, Solver, UNDECIDED, WindowPair,
};

/// The distance in bytes between two puzzles.
const PITCH: usize = 96;

/// How many puzzles a call should have at most. Each takes 300 bytes until it is answered. A chunk of strings of 81
/// characters has 6,400 puzzles; of strings with a few characters, as nearly empty puzzles have in some formats, it has a
/// hundred thousand.
const MAX_QUEUED: usize = 1 << 14;

/// The puzzles of a call, and the solver's answers about them.
pub(super) struct Verdicts {
    checks: Checks,
    kernel: &'static Kernel,
    /// The puzzles of each kind that is solved together.
    queues: Vec<PuzzleQueue>,
    solver: Solver,
    /// Whether solutions are needed for all boards.
    solutions: bool,
    /// Whether the numbers of search nodes are needed, too.
    nodes: bool,
    /// Finds the grades, if they are needed.
    grader: Option<Grader>,
}

/// What a group of boards needs once the solver has answered.
#[derive(Clone, Copy)]
pub(super) struct Question {
    /// Whether the boards are needed again. They are if some have other cells than givens, which must agree with the
    /// solution; if some came with a solution that must be checked; or if the kind is solved board by board.
    pub(super) needs_boards: bool,
}

/// The puzzles of a kind, and the answers about them.
struct PuzzleQueue {
    kind: Kind,
    solver: BatchSolver,
    /// The givens of `len` puzzles. What follows is left from earlier calls, since clearing it would take time.
    givens: Vec<u8>,
    /// The number of puzzles.
    len: usize,
    /// Whether solutions are needed, to be written or to be compared with the boards' other cells.
    needs_solutions: bool,
    /// The puzzles whose only solution is needed.
    compared: Vec<usize>,
    answers: QueueAnswers,
    /// The number of the first puzzle in the lists of answers, which may also have those of another call.
    first: usize,
    /// The next board to be answered.
    next: usize,
    /// The answers of a call that ended without results.
    kept: KeptAnswers,
}

/// The answers about puzzles.
#[derive(Default)]
struct QueueAnswers {
    counts: Vec<u32>,
    /// Solutions, if they are needed.
    solutions: Vec<[u8; 81]>,
    /// The nodes of the puzzles of the call alone, if they are needed.
    nodes: Vec<u32>,
    /// Their grades, likewise.
    grades: Vec<Option<Grade>>,
}

/// The puzzles and answers of a call that ended without results because these took too much memory. Its puzzles come
/// again, in the same order, in several smaller calls.
#[derive(Default)]
struct KeptAnswers {
    givens: Vec<u8>,
    with_solutions: bool,
    answers: QueueAnswers,
    /// The number of answers that were used again before the current call.
    before: usize,
    /// The number of answers that are used again in the current call.
    now: usize,
}

/// The answers about boards with exactly one solution each.
pub(super) struct UniqueAnswers<'v> {
    /// Their givens: a digit for each cell, or 0.
    pub(super) givens: &'v [[u8; PITCH]],
    /// The nodes of their searches; empty if not needed.
    pub(super) nodes: &'v [u32],
    /// Their grades; empty if not needed.
    pub(super) grades: &'v [Option<Grade>],
    /// Their solutions, if these are needed.
    pub(super) solutions: &'v [[u8; 81]],
}

impl Verdicts {
    pub(super) fn new(plan: &Conversion, kernel: &'static Kernel) -> Self {
        let solutions = plan.emit.solves()
            || plan.facts.solution
            || plan.canonical.is_some_and(|canonical| canonical.asks_solver());
        let (solver, nodes) = (Solver::new(kernel), plan.facts.search);
        let grader = plan.facts.grade.then(|| Grader::new(kernel));
        Self { checks: plan.checks, kernel, queues: Vec::new(), solver, solutions, nodes, grader }
    }

    /// Begins a call.
    pub(super) fn begin(&mut self) {
        for queue in &mut self.queues {
            queue.len = 0;
            queue.compared.clear();
            queue.needs_solutions = self.solutions;
            (queue.first, queue.next) = (0, 0);
            queue.solver.reset();
        }
    }

    /// Adds the boards in `good` to the puzzles to be solved. `all_given` says that the format has no clues, so that
    /// solved cells are givens. The solutions of the boards in `compared` will be compared with those that came with
    /// them.
    pub(super) fn enqueue(&mut self, batch: &Batch, good: u64, all_given: bool, compared: u64) -> Question {
        let kernel = self.kernel;
        // This is decided for each board, since the way to solve it must not depend on the boards it was read with.
        let side_by_side = match batch.has_groups() {
            // Those that are solved together have digits only.
            _ if self.checks.givens == Givens::Candidates => 0,
            true => bits(good).filter(|&i| BatchSolver::takes(batch, i)).fold(0, |boards, i| boards | 1 << i),
            false if BatchSolver::takes(batch, 0) => good,
            false => 0,
        };
        let mut needs_boards = side_by_side != good || compared != 0;
        if side_by_side != 0
            && let Some(queue) = self.queue(batch.shape().kind)
        {
            let first = queue.len;
            let place = |i| first + (side_by_side & all_bits(i)).count_ones() as usize;
            queue.compared.extend(bits(side_by_side & compared).map(place));
            needs_boards |= queue.add(batch.codes16(), side_by_side, all_given, kernel);
        }
        Question { needs_boards }
    }

    /// The queue of a kind, if its boards are solved together.
    fn queue(&mut self, kind: Kind) -> Option<&mut PuzzleQueue> {
        if !self.queues.iter().any(|queue| queue.kind == kind) {
            let solver = BatchSolver::new(kind, self.kernel).ok()?.budget(self.checks.effort);
            let solver = if self.nodes { solver.with_nodes() } else { solver };
            let (givens, compared, answers, kept) =
                (Vec::new(), Vec::new(), QueueAnswers::default(), KeptAnswers::default());
            self.queues.push(PuzzleQueue {
                kind,
                solver,
                givens,
                len: 0,
                needs_solutions: self.solutions,
                compared,
                answers,
                first: 0,
                next: 0,
                kept,
            });
        }
        self.queues.iter_mut().find(|queue| queue.kind == kind)
    }

    /// The number of boards that are solved together.
    fn queued(&self) -> usize {
        self.queues.iter().map(|queue| queue.len).sum()
    }

    /// Whether the call has boards that are solved together, but not too many for another call beside it.
    pub(super) fn wants_next(&self) -> bool {
        (1..=MAX_QUEUED).contains(&self.queued())
    }

    /// Whether the call has so many boards that are solved together that it should be ended.
    pub(super) fn is_full(&self) -> bool {
        self.queued() > MAX_QUEUED
    }

    /// Keeps the answers of a call that ends without results, since its records will come again.
    pub(super) fn keep_answers(&mut self) {
        self.queues.iter_mut().for_each(PuzzleQueue::keep_answers);
    }

    /// Counts the solutions of all boards that are solved together. Lanes that would have nothing to do begin with those
    /// of the next call, if its boards are known.
    pub(super) fn count(&mut self, mut next: Option<&mut Self>) {
        let limit = self.checks.max_solutions.max(2);
        for queue in &mut self.queues {
            let next = next.as_mut().and_then(|next| next.queues.iter_mut().find(|next| next.kind == queue.kind));
            queue.count(limit, next);
            if let Some(grader) = self.grader.as_mut().filter(|_| queue.kind == Kind::Sudoku) {
                queue.grade(grader);
            }
        }
    }

    /// Gives the next call what [`Verdicts::count`] found out about its boards. The answers of this call are lost.
    pub(super) fn hand_over(&mut self, next: &mut Self) {
        for queue in &mut self.queues {
            if let Some(next) = next.queues.iter_mut().find(|next| next.kind == queue.kind) {
                std::mem::swap(&mut queue.solver, &mut next.solver);
                std::mem::swap(&mut queue.answers, &mut next.answers);
            }
        }
    }

    /// The answers about the next boards of a kind that is solved together, if these have exactly one solution each.
    /// Does not advance.
    pub(super) fn next_unique(&self, kind: Kind, boards: usize) -> Option<UniqueAnswers<'_>> {
        let queue = self.queues.iter().find(|queue| queue.kind == kind)?;
        let next = queue.next..queue.next + boards;
        let numbers = queue.first + next.start..queue.first + next.end;
        let QueueAnswers { counts, nodes, solutions, grades } = &queue.answers;
        counts.get(numbers.clone())?.iter().all(|&n| n == 1).then_some(())?;
        let (nodes, grades) = (nodes.get(next.clone()), grades.get(next.clone()));
        Some(UniqueAnswers {
            givens: &queue.givens.as_chunks().0[next],
            nodes: nodes.unwrap_or_default(),
            grades: grades.unwrap_or_default(),
            solutions: solutions.get(numbers).unwrap_or_default(),
        })
    }

    /// The grade of the board that [`Verdicts::answer`] will be asked about next.
    pub(super) fn next_grade(&self, batch: &Batch, board: usize) -> Option<Grade> {
        let kind = batch.shape().kind;
        let queue = self.queues.iter().find(|queue| queue.kind == kind && BatchSolver::takes(batch, board))?;
        queue.answers.grades.get(queue.next).copied().flatten()
    }

    /// Advances past the next boards of a kind that is solved together.
    pub(super) fn pass(&mut self, kind: Kind, boards: usize) {
        if let Some(queue) = self.queues.iter_mut().find(|queue| queue.kind == kind) {
            queue.next += boards;
        }
    }

    /// The answer about a board, in the order of the questions.
    pub(super) fn answer(&mut self, batch: &Batch, board: usize, all_given: bool) -> SolutionCount<'_> {
        let query = Query::count(self.checks.max_solutions.max(2), self.checks.effort);
        let kind = batch.shape().kind;
        match self.queues.iter_mut().find(|queue| queue.kind == kind && BatchSolver::takes(batch, board)) {
            Some(queue) => queue.answer(),
            None if self.checks.givens == Givens::Candidates => {
                self.solver.count(batch, board, query.candidates_given())
            }
            None => self.solver.count(batch, board, query.all_given(all_given)),
        }
    }
}

impl PuzzleQueue {
    /// Adds the boards in `good`. Returns whether some of them have cells that are neither empty nor givens.
    fn add(&mut self, codes: &[u16], good: u64, all_given: bool, kernel: &Kernel) -> bool {
        let at = self.len * PITCH;
        self.len += good.count_ones() as usize;
        let end = self.len * PITCH;
        if self.givens.len() < end {
            self.givens.resize(end, 0);
        }
        let solved = if all_given { 18 } else { 9 };
        let has_more = kernel.run(PlainGivens { codes, good, solved, to: &mut self.givens[at..end] });
        self.needs_solutions |= has_more;
        has_more
    }

    /// Decides whether the solutions of all puzzles are found. Writing a solution takes as long as some searches. If only
    /// few are needed, they are searched for again.
    fn decide_solutions(&mut self) {
        self.needs_solutions |= self.compared.len() > self.len / 8;
    }

    /// The puzzles, with the numbers of their answers.
    fn window(&self) -> Puzzles<'_> {
        Puzzles::of_text(&self.givens, PITCH, self.len).numbered_from(self.first)
    }

    /// Chooses other numbers for the answers than those of the current call. Returns whether there is room for both.
    fn place_beside(&mut self, current: &Self) -> bool {
        let end = current.first + current.len;
        self.first = if self.len <= current.first { 0 } else { end };
        let has_room = self.len > 0 && self.first + self.len <= MAX_PUZZLES;
        if !has_room {
            self.first = 0;
        }
        has_room
    }

    /// Counts the solutions of all puzzles. Lanes that would have nothing to do begin with those of the next call.
    fn count(&mut self, limit: u32, mut next: Option<&mut Self>) {
        self.answers.nodes.clear();
        self.decide_solutions();
        if self.len == 0 {
            return;
        }
        let is_begun = self.solver.is_begun();
        if is_begun {
            // They are about another call, whose last answers were used again.
            self.kept = KeptAnswers::default();
        } else {
            // An earlier call may have chosen another number for its lists, and then ended without results.
            self.first = 0;
            if self.kept.reuse_answers(&self.givens[..self.len * PITCH], self.needs_solutions, &mut self.answers) {
                return self.solve_compared(limit, None);
            }
        }
        next.take_if(|next| !next.place_beside(self));
        if is_begun || next.is_some() {
            self.count_beside(limit, next.as_deref_mut());
        } else {
            self.count_alone(limit);
        }
        // The solver of the next call is idle, and this one may have begun with that call's puzzles.
        self.solve_compared(limit, next.map(|next| &mut next.solver));
    }

    /// Finds the grades of all puzzles.
    fn grade(&mut self, grader: &mut Grader) {
        let QueueAnswers { counts, grades, .. } = &mut self.answers;
        grades.clear();
        grades.resize(self.len, None);
        grader.grade(&self.givens, PITCH, &counts[self.first..][..self.len], grades);
    }

    fn count_alone(&mut self, limit: u32) {
        let (n, puzzles) = (self.len, Puzzles::of_text(&self.givens, PITCH, self.len));
        let QueueAnswers { counts, solutions, nodes, .. } = &mut self.answers;
        counts.resize(n, 0);
        if self.needs_solutions {
            solutions.resize(n, [0; 81]);
            self.solver.solve(puzzles, limit, counts, solutions);
        } else {
            solutions.clear();
            self.solver.count(puzzles, limit, counts);
        }
        nodes.extend_from_slice(self.solver.searched_nodes());
    }

    /// Counts the solutions of puzzles that an earlier call began with, or while the solver begins with those of the next
    /// call. If one of both calls needs solutions, they are found for both, since its puzzles may be in the same block.
    fn count_beside(&mut self, limit: u32, next: Option<&mut Self>) {
        let mut solves = self.needs_solutions;
        let window = Puzzles::of_text(&self.givens, PITCH, self.len).numbered_from(self.first);
        let next_window = next.map(|next| {
            next.decide_solutions();
            solves |= next.needs_solutions;
            next.window()
        });
        let QueueAnswers { counts, solutions, nodes, .. } = &mut self.answers;
        let end = next_window.map_or(window.end(), |next| next.end().max(window.end()));
        counts.resize(end.max(counts.len()), 0);
        if solves {
            solutions.resize(counts.len(), [0; 81]);
        } else {
            solutions.clear();
        }
        let solutions = solves.then_some(&mut solutions[..]);
        self.solver.count_window(WindowPair { current: window, next: next_window }, limit, counts, solutions);
        nodes.extend_from_slice(self.solver.searched_nodes());
    }

    /// Searches again for the solutions that will be compared, unless all solutions were found. If they were found only
    /// because the next call needs its own, those of puzzles that an earlier call finished are missing.
    fn solve_compared(&mut self, limit: u32, idle: Option<&mut BatchSolver>) {
        if self.needs_solutions {
            return;
        }
        let QueueAnswers { counts, solutions, .. } = &mut self.answers;
        self.compared.retain(|&puzzle| counts[self.first + puzzle] == 1);
        let n = self.compared.len();
        if n == 0 {
            return;
        }
        let givens = self.compared.iter().flat_map(|puzzle| &self.givens[puzzle * PITCH..][..PITCH]);
        let (givens, mut found): (Vec<u8>, _) = (givens.copied().collect(), vec![[0; 81]; n]);
        let solver = idle.unwrap_or(&mut self.solver);
        solver.solve(Puzzles::of_text(&givens, PITCH, n), limit, &mut vec![0; n], &mut found);
        solutions.resize(counts.len(), [0; 81]);
        self.compared.iter().zip(found).for_each(|(&puzzle, solution)| solutions[self.first + puzzle] = solution);
    }

    /// Keeps the answers for the next calls.
    fn keep_answers(&mut self) {
        if self.kept.now > 0 {
            self.kept.now = 0;
            return;
        }
        let QueueAnswers { counts, solutions, nodes, .. } = &self.answers;
        let numbers = self.window().numbers();
        self.kept.answers = QueueAnswers {
            counts: counts.get(numbers.clone()).unwrap_or_default().to_vec(),
            solutions: solutions.get(numbers).unwrap_or_default().to_vec(),
            nodes: nodes.clone(),
            grades: Vec::new(),
        };
        std::mem::swap(&mut self.kept.givens, &mut self.givens);
        self.kept.givens.truncate(std::mem::take(&mut self.len) * PITCH);
        (self.kept.with_solutions, self.kept.before) = (self.needs_solutions, 0);
    }

    fn answer(&mut self) -> SolutionCount<'_> {
        let i = self.next;
        self.next += 1;
        let QueueAnswers { counts, nodes, solutions, .. } = &self.answers;
        let count = counts.get(self.first + i).copied().unwrap_or(UNDECIDED);
        let solution = solutions.get(self.first + i).filter(|solution| solution[0] != 0);
        let nodes = nodes.get(i).copied().filter(|&nodes| nodes > 0);
        SolutionCount { count, solution: solution.map(|solution| &solution[..]), nodes }
    }
}

impl KeptAnswers {
    /// Gives the answers to puzzles that were solved before. If these are not the next ones of the kept puzzles,
    /// returns false and forgets all kept answers.
    fn reuse_answers(&mut self, givens: &[u8], needs_solutions: bool, answers: &mut QueueAnswers) -> bool {
        self.before += std::mem::take(&mut self.now);
        let n = givens.len() / PITCH;
        let asked = self.before..self.before + n;
        let same = self.givens.get(asked.start * PITCH..asked.end * PITCH) == Some(givens);
        if !same || needs_solutions && !self.with_solutions {
            *self = Self::default();
            return false;
        }
        let QueueAnswers { counts, nodes, solutions, .. } = &self.answers;
        answers.counts.clear();
        answers.counts.extend_from_slice(&counts[asked.clone()]);
        answers.nodes.extend_from_slice(nodes.get(asked.clone()).unwrap_or_default());
        answers.solutions.clear();
        answers.solutions.extend_from_slice(solutions.get(asked).filter(|_| needs_solutions).unwrap_or_default());
        self.now = n;
        true
    }
}

/// Extracts givens from codes: digits of clues, or 0.
struct PlainGivens<'a> {
    codes: &'a [u16],
    good: u64,
    /// The largest code of a given, which includes solved cells if there are no clues.
    solved: u16,
    to: &'a mut [u8],
}

impl SimdTask for PlainGivens<'_> {
    /// Whether some cells are neither empty nor givens.
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { codes, good, solved, to } = self;
        let (mut rest, mut has_more) = (good, [0; PITCH]);
        let (rows, _) = codes.as_chunks::<PITCH>();
        for to in to.as_chunks_mut::<PITCH>().0 {
            let row = &rows[rest.trailing_zeros() as usize & 63];
            rest &= rest.wrapping_sub(1);
            for i in 0..PITCH {
                let code = row[i];
                let digit = if code > 9 { code - 9 } else { code };
                to[i] = if code <= solved { digit as u8 } else { 0 };
                has_more[i] |= u16::from(code > solved);
            }
        }
        // The contents of a row after its 81 cells are unspecified.
        has_more[..81].iter().any(|&has_more| has_more != 0)
    }
}
