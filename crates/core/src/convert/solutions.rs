//! Leaves solutions as digits, for callers that have memory for the text of all of them.

use super::converter::Converter;
use super::digits::write_digits;
use super::facts::Facts;
use super::group::Waiting;
use super::plan::Emit;
use crate::kernels::Kernel;

/// The number of cells of the boards that are solved side by side.
const CELLS: usize = 81;

/// The only solutions of the records of a call, as digits.
#[derive(Clone, Copy)]
pub struct LeftSolutions<'c> {
    digits: &'c [[u8; CELLS]],
    kernel: &'static Kernel,
}

impl std::fmt::Debug for LeftSolutions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LeftSolutions").field("len", &self.digits.len()).finish_non_exhaustive()
    }
}

impl LeftSolutions<'_> {
    /// The length of the text of each solution in bytes.
    pub const WIDTH: usize = CELLS;

    /// The length of the text of all solutions in bytes.
    pub fn bytes(&self) -> usize {
        self.digits.as_flattened().len()
    }

    /// Writes the solutions one after the other, in the notation of
    /// [`Converted::solution`](super::Converted::solution), as far as there is room.
    pub fn write(&self, to: &mut [u8]) {
        write_digits(self.digits.as_flattened(), self.kernel, to);
    }
}

impl Converter {
    /// Leaves the solutions of a call's records as digits, if the plan asks for nothing else and there is nothing else
    /// to report: all records are of one kind that is solved side by side, consist of givens, and have exactly one
    /// solution each. [`Converter::left_solutions`] then returns them, and
    /// [`Converted::solution`](super::Converted::solution) does not.
    #[must_use]
    pub fn leave_solutions_as_digits(mut self) -> Self {
        let only = Facts { solution: true, ..Facts::default() };
        self.waiting.leaves_solutions = self.plan.emit == Emit::Nothing && self.plan.facts == only;
        self
    }

    /// The solutions of the records of the last call, if they were left as digits.
    pub fn left_solutions(&self) -> Option<LeftSolutions<'_>> {
        let (kind, records) = self.waiting.left?;
        let digits = self.verdicts.next_unique(kind, records)?.solutions;
        Some(LeftSolutions { digits, kernel: self.kernel })
    }

    /// Whether only the solutions of a group's boards are wanted, provided that each has exactly one.
    pub(super) fn needs_only_solutions(&self, waiting: &Waiting) -> bool {
        let listed = self.plan.list_solved && waiting.decoded.solved > 0;
        let boards = self.plan.emit.takes_boards() || waiting.question.needs_boards || self.plan.canonical.is_some();
        waiting.is_complete() && !listed && !boards
    }

    /// Leaves the solutions of all waiting records as digits, if possible. Returns whether it did.
    pub(super) fn leave_solutions(&mut self) -> bool {
        let Some(kind) = self.waiting.groups.first().map(|group| group.form.shape.kind) else { return false };
        let records = self.converted.ends.len();
        let is_left = self.waiting.leaves_solutions
            && self
                .waiting
                .groups
                .iter()
                .all(|group| group.form.shape.kind == kind && self.needs_only_solutions(group))
            && self.waiting.groups.iter().map(|group| group.len).sum::<usize>() == records
            && self.verdicts.next_unique(kind, records).is_some_and(|answers| answers.solutions.len() == records);
        if is_left {
            for group in self.waiting.groups.drain(..) {
                self.converted.count_solved(group.first, group.len, group.decoded.solved.into());
                self.waiting.spare.extend(group.boards);
            }
            self.waiting.left = Some((kind, records));
        }
        is_left
    }
}
