//! Checks solutions that came with the records: each must be complete, break no rule, contain all givens of its puzzle,
//! and if the puzzle has only one solution, be that one.

use super::bits;
use super::converter::Converter;
use super::given::GivenSolutions;
use super::group::RecordGroup;
use super::plan::Givens;
use crate::board::{Batch, BoardSet, Cell, Shape, bit};
use crate::check;
use crate::error::{Code, Reject};
use crate::formats::{Evidence, Hints, read_one};

impl Converter {
    /// The boards in `good` whose solution passes the fast check.
    pub(super) fn quick_check_given(&self, group: &RecordGroup, good: u64) -> u64 {
        if self.plan.checks.givens == Givens::Candidates {
            return 0;
        }
        let place = |i| self.given.place(group.first + i);
        let boards = BoardSet { batch: &self.work.batch, boards: good, all_given: self.digits_given(group.form) };
        check::solved_by(boards, group.records.bytes, place, self.kernel)
    }

    /// Checks the solutions that came with the boards in `good` against the rules. Returns the boards whose solution is
    /// right; the others are refused.
    pub(super) fn check_given(&mut self, group: &RecordGroup, good: u64) -> u64 {
        let mut passed = good;
        for i in bits(good & !self.quick_check_given(group, good)) {
            if let Some(reject) = self.given_problem(group, i, None) {
                self.work.refused.push((i, reject));
                passed &= !(1 << i);
            }
        }
        passed
    }

    /// What is wrong with the solution that came with a board of the current group. `only` is the puzzle's only
    /// solution, if known.
    pub(super) fn given_problem(&self, group: &RecordGroup, i: usize, only: Option<&[u8]>) -> Option<Reject> {
        let text = &group.records.bytes[self.given.place(group.first + i)];
        if text.is_empty() {
            return Some(Reject::whole(Code::IncompleteSolution, "this puzzle comes without a solution"));
        }
        if only.is_some_and(|only| GivenSolutions::matches_solution(text, only)) {
            return None;
        }
        let givens = if self.digits_given(group.form) { Givens::Placed } else { Givens::Clues };
        let givens = givens.max(self.plan.checks.givens);
        let board = Given { batch: &self.work.batch, board: i, givens };
        let digits = match board.read(text, &self.plan.hints) {
            Ok(digits) => digits,
            Err(reject) => return Some(reject),
        };
        match only {
            Some(only) => board.incomplete(&digits).or_else(|| board.explain_difference(&digits, only)),
            None => board.incomplete(&digits).or_else(|| board.against(&digits)),
        }
    }
}

/// A puzzle that came with a solution.
struct Given<'b> {
    batch: &'b Batch,
    board: usize,
    givens: Givens,
}

impl Given<'_> {
    fn shape(&self) -> Shape {
        self.batch.shape()
    }

    /// A refusal because of a cell.
    fn at(&self, code: Code, cell: usize, words: String) -> Reject {
        Reject::at(code, cell, self.shape().side.get(), words)
    }

    /// The digits of a solution, with 0 for anything else. It is a character for each cell, or a string of any format
    /// with a board of this side.
    fn read(&self, text: &[u8], hints: &Hints) -> Result<Vec<u8>, Reject> {
        let side = self.shape().side;
        if text.len() == side.cells()
            && let Some(digits) = text.iter().map(|&byte| digit(byte, side.get())).collect()
        {
            return Ok(digits);
        }
        let wrong = |words: String| Reject::whole(Code::WrongSolution, format!("the solution cannot be read: {words}"));
        let bare = text.trim_ascii();
        if bare.len() < text.len() && self.read(bare, hints).is_ok() {
            let place = if text.starts_with(&bare[..bare.len().min(1)]) { "after" } else { "before" };
            return Err(wrong(format!("there is white space {place} it; remove it")));
        }
        let one = read_one(text, None, hints, &Evidence::default()).map_err(|reject| wrong(reject.message))?;
        if one.batch.shape().side != side {
            return Err(wrong(format!("it has side {}, but the puzzle has side {side}", one.batch.shape().side)));
        }
        Ok((0..side.cells()).map(|cell| one.batch.cell(0, cell).digit()).collect())
    }

    /// The first cell that lacks a digit.
    fn incomplete(&self, digits: &[u8]) -> Option<Reject> {
        let open = |&cell: &usize| digits[cell] == 0 && self.batch.cell(self.board, cell) != Cell::BlackEmpty;
        let cell = (0..digits.len()).find(open)?;
        Some(self.at(Code::IncompleteSolution, cell, "the given solution has no digit here".into()))
    }

    /// The first cell that differs from the only solution.
    fn explain_difference(&self, digits: &[u8], only: &[u8]) -> Option<Reject> {
        let cell = (0..digits.len()).find(|&cell| digits[cell] != only[cell])?;
        let words = match only[cell] {
            0 => format!("the given solution has {} here, where the cell is black", digits[cell]),
            right => format!("the given solution has {} here; the only solution has {right}", digits[cell]),
        };
        Some(self.at(Code::WrongSolution, cell, words))
    }

    /// The first cell that differs from the puzzle, or a rule that the solution breaks.
    fn against(&self, digits: &[u8]) -> Option<Reject> {
        let mut solved = Batch::new();
        solved.reset(self.shape(), 1);
        solved.copy_board(0, self.batch, self.board);
        for (cell, &digit) in digits.iter().enumerate() {
            let given = match self.batch.cell(self.board, cell) {
                Cell::BlackEmpty => 0,
                Cell::Clue(clue) | Cell::BlackClue(clue) => clue,
                Cell::Solved(solved) if self.givens > Givens::Clues => solved,
                Cell::Candidates(mask) if self.givens == Givens::Candidates && mask & bit(digit) == 0 => {
                    let words = format!("the given solution has {digit} here, which is none of the candidates");
                    return Some(self.at(Code::WrongSolution, cell, words));
                }
                _ => {
                    solved.set_cell(0, cell, Cell::Solved(digit));
                    continue;
                }
            };
            if digit != given {
                let is = if given == 0 { "black".to_string() } else { format!("given as {given}") };
                let words = format!("the given solution has {digit} here, where the cell is {is}");
                return Some(self.at(Code::WrongSolution, cell, words));
            }
        }
        let problem = check::problems(&solved, 0).into_iter().find(|problem| !problem.warning)?;
        let message = format!("the given solution breaks a rule: {}", problem.reject.message);
        Some(Reject { code: Code::WrongSolution, message, ..problem.reject })
    }
}

/// The digit that a character of a solution stands for, or 0 for none.
fn digit(byte: u8, side: usize) -> Option<u8> {
    let digit = match byte {
        b'.' | b'0' | b'_' | b'-' | b'*' | b'?' | b' ' => 0,
        b'1'..=b'9' => byte - b'0',
        b'A'..=b'P' => byte - b'A' + 10,
        b'a'..=b'p' => byte - b'a' + 10,
        _ => return None,
    };
    (usize::from(digit) <= side).then_some(digit)
}
