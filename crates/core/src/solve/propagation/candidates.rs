//! The candidates of all cells, and which rules must be applied since candidates of their cells changed.

use super::puzzle::PuzzleRules;
use crate::board::Mask;

/// The candidates of all cells, and which rules must be applied. A cell that has no digit is 0 and belongs to no rule.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    /// A mask for each cell.
    pub cells: Vec<Mask>,
    /// The rules that must be applied: a bit for each rule, lowest first.
    pub(super) dirty: Vec<u64>,
    /// For each cell the number of its rules, plus the number of times that one of them was contradicted. The search
    /// prefers cells with a high weight, where the puzzle is hard. (This is the "weighted degree" of constraint
    /// solving. Without it, searches of empty boards with irregular regions never ended.)
    pub(super) weights: Vec<u32>,
}

/// A rule cannot be satisfied.
pub(super) struct BrokenRule;

impl Candidates {
    /// Marks every rule, and resets the weights.
    pub(super) fn mark_all(&mut self, puzzle: &PuzzleRules) {
        let count = puzzle.rules.len();
        self.dirty.clear();
        self.dirty.resize(count.div_ceil(64), u64::MAX);
        self.weights.clear();
        self.weights.extend(
            (0..self.cells.len())
                .map(|cell| puzzle.rules_of_cell(cell).iter().map(|rules| rules.count_ones()).sum::<u32>()),
        );
        if let (Some(last), 1..) = (self.dirty.last_mut(), count % 64) {
            *last = (1 << (count % 64)) - 1;
        }
    }

    /// Marks only the rules of a cell: all others have been applied, and only this cell has changed since.
    pub(super) fn mark_only(&mut self, puzzle: &PuzzleRules, cell: usize) {
        self.dirty.fill(0);
        self.mark(puzzle, cell);
    }

    /// Unmarks all rules, since they have all been applied to these candidates.
    pub(super) fn clear_marks(&mut self) {
        self.dirty.fill(0);
    }

    /// Marks the rules of a cell, too.
    pub(super) fn mark(&mut self, puzzle: &PuzzleRules, cell: usize) {
        self.dirty.iter_mut().zip(puzzle.rules_of_cell(cell)).for_each(|(dirty, rules)| *dirty |= rules);
    }

    /// Places a digit in a cell.
    pub(super) fn place(&mut self, puzzle: &PuzzleRules, cell: usize, digit: Mask) {
        self.cells[cell] = digit;
        self.mark(puzzle, cell);
    }

    /// The cell with the fewest candidates in proportion to its weight. `None` if all cells are solved.
    pub(super) fn most_constrained(&self) -> Option<usize> {
        let open = self.cells.iter().zip(&self.weights).enumerate().filter(|(_, (mask, _))| mask.count_ones() > 1);
        let (mut best, mut few, mut heavy) = (None, 1, 0);
        for (cell, (mask, &weight)) in open {
            let count = u64::from(mask.count_ones());
            if count * heavy < few * u64::from(weight) || best.is_none() {
                (best, few, heavy) = (Some(cell), count, u64::from(weight));
            }
        }
        best
    }

    /// Replaces the candidates of a cell by those that are left.
    #[inline]
    pub(super) fn set(&mut self, puzzle: &PuzzleRules, cell: u16, mask: Mask) -> Result<(), BrokenRule> {
        let old = &mut self.cells[usize::from(cell)];
        if mask == 0 {
            return Err(BrokenRule);
        }
        if *old != mask {
            *old = mask;
            self.mark(puzzle, cell.into());
        }
        Ok(())
    }
}
