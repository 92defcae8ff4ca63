//! The solver's questions and answers. Questions are collected while records are read, and answered together.
//!
//! The solver is fastest with many puzzles at once, and a group of records has only 64. So groups wait until all
//! questions of the call are known, and are then judged by the answers.

use super::bits;
use super::plan::{Checks, Conversion};
use crate::board::{Batch, Cell, Kind, bit};
use crate::error::{Code, Position, Reject, plural};
use crate::kernels::{Kernel, SimdTask, all_bits};
use crate::solve::{Batches, SolutionCount, Solver, UNDECIDED};

/// The distance in bytes between two puzzles.
const PITCH: usize = 96;

/// The questions and answers about the boards of a call.
pub(super) struct Verdicts {
    checks: Checks,
    kernel: &'static Kernel,
    /// Puzzles of the kinds that are solved together.
    asked: Vec<Asked>,
    solver: Solver,
    /// Whether solutions are needed for all boards.
    solutions: bool,
    /// Whether the numbers of search nodes are needed, too.
    nodes: bool,
}

/// What a question needs later.
#[derive(Clone, Copy)]
pub(super) struct Question {
    /// The boards are needed for the answer: some have more than givens, which their solutions must agree with, or came
    /// with a solution to be checked; or the kind is solved board by board.
    pub(super) more: bool,
}

/// The puzzles of a kind.
struct Asked {
    kind: Kind,
    batches: Batches,
    givens: Vec<u8>,
    /// Whether solutions are needed, to be written or to be compared with the boards' other cells.
    more: bool,
    /// The puzzles whose only solution is needed.
    compared: Vec<usize>,
    answers: Answers,
    /// The next board to be answered.
    next: usize,
    /// The answers of a call that was given up.
    known: Known,
}

/// The answers about puzzles.
#[derive(Default)]
struct Answers {
    counts: Vec<u32>,
    /// Nodes and solutions, if they are needed.
    nodes: Vec<u32>,
    solutions: Vec<[u8; 81]>,
}

/// The questions of a call that was given up, with their answers. They are asked again, in the same order, in several
/// calls.
#[derive(Default)]
struct Known {
    givens: Vec<u8>,
    more: bool,
    answers: Answers,
    /// How many were asked again before the current call, and how many in it.
    before: usize,
    now: usize,
}

/// The answers about boards with exactly one solution each.
pub(super) struct UniqueAnswers<'v> {
    /// Their givens: a digit for each cell, or 0.
    pub(super) givens: &'v [[u8; PITCH]],
    /// The nodes of their searches; empty if not needed.
    pub(super) nodes: &'v [u32],
    /// Their solutions; empty if not needed.
    pub(super) solutions: &'v [[u8; 81]],
}

impl Verdicts {
    pub(super) fn new(plan: &Conversion, kernel: &'static Kernel) -> Self {
        let solutions = plan.emit.solves()
            || plan.facts.solution
            || plan.canonical.is_some_and(|canonical| canonical.asks_solver());
        let (solver, nodes) = (Solver::new(kernel), plan.facts.search);
        Self { checks: plan.checks, kernel, asked: Vec::new(), solver, solutions, nodes }
    }

    /// Begins a call.
    pub(super) fn begin(&mut self) {
        for asked in &mut self.asked {
            asked.givens.clear();
            asked.compared.clear();
            asked.more = self.solutions;
            asked.next = 0;
        }
    }

    /// Asks about the boards in `good`. `all_given` says that the format has no clues, so solved cells are givens. The
    /// solutions of the boards in `compared` will be compared with others.
    pub(super) fn ask(&mut self, batch: &Batch, good: u64, all_given: bool, compared: u64) -> Question {
        if !cfg!(feature = "solvers") {
            return Question { more: true }; // all of them will be undecided
        }
        let kernel = self.kernel;
        // Each board is asked about separately: how it is solved must not depend on the boards it was read with.
        let side_by_side = match batch.has_groups() {
            true => bits(good).filter(|&i| Batches::takes(batch, i)).fold(0, |boards, i| boards | 1 << i),
            false if Batches::takes(batch, 0) => good,
            false => 0,
        };
        let mut more = side_by_side != good || compared != 0;
        if side_by_side != 0
            && let Some(asked) = self.asked(batch.shape().kind)
        {
            let first = asked.givens.len() / PITCH;
            let place = |i| first + (side_by_side & all_bits(i)).count_ones() as usize;
            asked.compared.extend(bits(side_by_side & compared).map(place));
            more |= asked.add(batch.codes16(), side_by_side, all_given, kernel);
        }
        Question { more }
    }

    /// The list for a kind whose boards are solved together.
    fn asked(&mut self, kind: Kind) -> Option<&mut Asked> {
        if !self.asked.iter().any(|asked| asked.kind == kind) {
            let batches = Batches::new(kind, self.kernel).ok()?.budget(self.checks.effort);
            let batches = if self.nodes { batches.with_nodes() } else { batches };
            let (givens, compared, answers, known) = (Vec::new(), Vec::new(), Answers::default(), Known::default());
            self.asked.push(Asked { kind, batches, givens, more: self.solutions, compared, answers, next: 0, known });
        }
        self.asked.iter_mut().find(|asked| asked.kind == kind)
    }

    /// Keeps the answers of a call that has no results, since its records will come again.
    pub(super) fn give_up(&mut self) {
        self.asked.iter_mut().for_each(Asked::give_up);
    }

    /// Counts the solutions of all boards that are solved together.
    pub(super) fn count(&mut self) {
        let limit = self.checks.max_solutions.max(2);
        self.asked.iter_mut().for_each(|asked| asked.count(limit));
    }

    /// The answers about the next boards of a kind that is solved together, if these have exactly one solution each.
    /// Does not advance.
    pub(super) fn next_unique(&self, kind: Kind, boards: usize) -> Option<UniqueAnswers<'_>> {
        let asked = self.asked.iter().find(|asked| asked.kind == kind)?;
        let next = asked.next..asked.next + boards;
        let Answers { counts, nodes, solutions } = &asked.answers;
        counts.get(next.clone())?.iter().all(|&n| n == 1).then_some(())?;
        let nodes = nodes.get(next.clone()).unwrap_or_default();
        let givens = &asked.givens.as_chunks().0[next.clone()];
        Some(UniqueAnswers { givens, nodes, solutions: solutions.get(next).unwrap_or_default() })
    }

    /// Advances past the next boards of a kind that is solved together.
    pub(super) fn pass(&mut self, kind: Kind, boards: usize) {
        if let Some(asked) = self.asked.iter_mut().find(|asked| asked.kind == kind) {
            asked.next += boards;
        }
    }

    /// The answer about a board, in the order of the questions.
    pub(super) fn answer(&mut self, batch: &Batch, board: usize, all_given: bool) -> SolutionCount<'_> {
        let (limit, effort) = (self.checks.max_solutions.max(2), self.checks.effort);
        let kind = batch.shape().kind;
        match self.asked.iter_mut().find(|asked| asked.kind == kind && Batches::takes(batch, board)) {
            Some(asked) => asked.answer(),
            None => self.solver.count(batch, board, all_given, limit, effort),
        }
    }
}

impl Asked {
    /// Adds the boards in `good`. Returns whether some have more than givens.
    fn add(&mut self, codes: &[u16], good: u64, all_given: bool, kernel: &Kernel) -> bool {
        let at = self.givens.len();
        self.givens.resize(at + good.count_ones() as usize * PITCH, 0);
        let solved = if all_given { 18 } else { 9 };
        let more = kernel.run(PlainGivens { codes, good, solved, to: &mut self.givens[at..] });
        self.more |= more;
        more
    }

    fn count(&mut self, limit: u32) {
        let n = self.givens.len() / PITCH;
        self.answers.counts.resize(n, 0);
        self.answers.nodes.clear();
        // Writing a solution takes as long as some searches.
        self.more |= self.compared.len() > n / 8;
        if !self.more {
            self.answers.solutions.clear();
        }
        if n > 0 && !self.known.answers_again(&self.givens, self.more, &mut self.answers) {
            let Answers { counts, nodes, solutions } = &mut self.answers;
            if self.more {
                solutions.resize(n, [0; 81]);
                self.batches.solve(&self.givens, PITCH, n, limit, counts, solutions);
            } else {
                self.batches.count(&self.givens, PITCH, n, limit, counts);
            }
            nodes.extend_from_slice(self.batches.searched_nodes());
        }
        if !self.more {
            self.solve_compared(limit);
        }
    }

    /// Searches again for the solutions that will be compared.
    fn solve_compared(&mut self, limit: u32) {
        let Answers { counts, solutions, .. } = &mut self.answers;
        self.compared.retain(|&puzzle| counts[puzzle] == 1);
        let n = self.compared.len();
        if n == 0 {
            return;
        }
        let givens = self.compared.iter().flat_map(|puzzle| &self.givens[puzzle * PITCH..][..PITCH]);
        let (givens, mut found): (Vec<u8>, _) = (givens.copied().collect(), vec![[0; 81]; n]);
        self.batches.solve(&givens, PITCH, n, limit, &mut vec![0; n], &mut found);
        solutions.resize(counts.len(), [0; 81]);
        self.compared.iter().zip(found).for_each(|(&puzzle, solution)| solutions[puzzle] = solution);
    }

    /// Keeps the answers.
    fn give_up(&mut self) {
        if self.known.now > 0 {
            self.known.now = 0;
            return;
        }
        std::mem::swap(&mut self.known.givens, &mut self.givens);
        std::mem::swap(&mut self.known.answers, &mut self.answers);
        (self.known.more, self.known.before) = (self.more, 0);
    }

    fn answer(&mut self) -> SolutionCount<'_> {
        let i = self.next;
        self.next += 1;
        let Answers { counts, nodes, solutions } = &self.answers;
        let count = counts.get(i).copied().unwrap_or(UNDECIDED);
        let solution = solutions.get(i).filter(|solution| solution[0] != 0);
        let nodes = nodes.get(i).copied().filter(|&nodes| nodes > 0);
        SolutionCount { count, solution: solution.map(|solution| &solution[..]), nodes }
    }
}

impl Known {
    /// Gives the answers to questions that were asked before. If these are other questions, forgets the old ones.
    fn answers_again(&mut self, givens: &[u8], more: bool, answers: &mut Answers) -> bool {
        self.before += std::mem::take(&mut self.now);
        let n = givens.len() / PITCH;
        let asked = self.before..self.before + n;
        let same = self.givens.get(asked.start * PITCH..asked.end * PITCH) == Some(givens);
        if !same || more && !self.more {
            *self = Self::default();
            return false;
        }
        let Answers { counts, nodes, solutions } = &self.answers;
        answers.counts.copy_from_slice(&counts[asked.clone()]);
        answers.nodes.extend_from_slice(nodes.get(asked.clone()).unwrap_or_default());
        answers.solutions.clear();
        answers.solutions.extend_from_slice(solutions.get(asked).filter(|_| more).unwrap_or_default());
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
    /// Whether there is more than givens.
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { codes, good, solved, to } = self;
        let (mut rest, mut more) = (good, [0; PITCH]);
        let (rows, _) = codes.as_chunks::<PITCH>();
        for to in to.as_chunks_mut::<PITCH>().0 {
            let row = &rows[rest.trailing_zeros() as usize & 63];
            rest &= rest.wrapping_sub(1);
            for i in 0..PITCH {
                let code = row[i];
                let digit = if code > 9 { code - 9 } else { code };
                to[i] = if code <= solved { digit as u8 } else { 0 };
                more[i] |= u16::from(code > solved);
            }
        }
        // The contents of a row after its 81 cells are unspecified.
        more[..81].iter().any(|&more| more != 0)
    }
}

/// The problems of a board with its solutions: only the first, unless all are wanted.
pub(super) fn judge(batch: &Batch, board: usize, answer: &SolutionCount, checks: &Checks) -> Vec<Reject> {
    let limit = checks.max_solutions.max(2);
    let (code, words) = match answer.count {
        1 => {
            let most = if checks.all { usize::MAX } else { 1 };
            return disagreements(batch, board, answer.solution.unwrap_or_default()).take(most).collect();
        }
        0 => (Code::NoSolution, "the givens have no solution".to_string()),
        UNDECIDED => (
            Code::Undecided,
            format!(
                "not decided within {0} search node{1}; --effort allows more",
                checks.effort,
                plural(checks.effort)
            ),
        ),
        count if count < limit => (Code::ManySolutions, format!("the givens have {count} solutions")),
        _ => (Code::ManySolutions, format!("the givens have at least {limit} solutions")),
    };
    vec![Reject::whole(code, words)]
}

/// The cells that contradict the only solution.
fn disagreements(batch: &Batch, board: usize, solution: &[u8]) -> impl Iterator<Item = Reject> {
    let side = batch.shape().side.get();
    solution.iter().enumerate().filter_map(move |(cell, &digit)| {
        let reject = |words: String| Some(Reject::at(Code::WrongProgress, cell, side, words));
        match batch.cell(board, cell) {
            Cell::Solved(solved) if solved != digit => {
                reject(format!("the board has {solved} here; the only solution has {digit}"))
            }
            Cell::Candidates(mask) if mask & bit(digit) == 0 => {
                let at = Position::of(cell, side);
                reject(format!("the candidates of {at} lack {digit}, which the only solution has here"))
            }
            _ => None,
        }
    })
}
