//! Judges boards by the solver's answers.

use super::plan::{Checks, Givens};
use crate::board::{Batch, Cell, bit};
use crate::error::{Code, Position, Reject, plural};
use crate::solve::{SolutionCount, UNDECIDED};

/// The problems of a board according to the solver's answer: only the first one, unless all are wanted.
pub(super) fn judge(batch: &Batch, board: usize, answer: &SolutionCount, checks: &Checks) -> Vec<Reject> {
    let limit = checks.max_solutions.max(2);
    let has_candidates =
        || (0..batch.shape().side.cells()).any(|cell| matches!(batch.cell(board, cell), Cell::Candidates(_)));
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
    let words = match code {
        Code::ManySolutions if checks.givens != Givens::Candidates && has_candidates() => {
            format!("{words}; the candidates of its cells are not used, only its digits; --givens candidates uses both")
        }
        _ => words,
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
