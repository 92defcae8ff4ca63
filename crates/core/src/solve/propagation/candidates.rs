//! The candidates of all cells, and which rules have to be looked at since they changed.

use super::puzzle::Puzzle;
use crate::board::Mask;

/// The candidates of all cells, and which rules have something to look at. Cells that hold nothing are 0 and in no rule.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    /// A mask for each cell.
    pub cells: Vec<Mask>,
    /// A bit for each rule, lowest first.
    pub(super) dirty: Vec<u64>,
    /// For each cell how many rules it is in, and how often one of them could not be kept: where it is hard, the search goes
    /// on. (The "weighted degree" of constraint solving; without it searches of empty boards with odd regions never ended.)
    pub(super) weights: Vec<u32>,
}

/// A rule cannot be kept.
pub(super) struct Contradiction;

impl Candidates {
    /// Every rule is to be looked at.
    pub(super) fn all_changed(&mut self, puzzle: &Puzzle) {
        let count = puzzle.rules.len();
        self.dirty.clear();
        self.dirty.resize(count.div_ceil(64), u64::MAX);
        self.weights.clear();
        self.weights.extend(
            (0..self.cells.len()).map(|cell| puzzle.of_cell(cell).iter().map(|rules| rules.count_ones()).sum::<u32>()),
        );
        if let (Some(last), 1..) = (self.dirty.last_mut(), count % 64) {
            *last = (1 << (count % 64)) - 1;
        }
    }

    /// Only the rules of a cell are to be looked at: it changed in what was propagated before.
    pub(super) fn changed(&mut self, puzzle: &Puzzle, cell: usize) {
        self.dirty.fill(0);
        self.mark(puzzle, cell);
    }

    /// No rule is to be looked at: the candidates are what all of them leave.
    pub(super) fn nothing_changed(&mut self) {
        self.dirty.fill(0);
    }

    pub(super) fn mark(&mut self, puzzle: &Puzzle, cell: usize) {
        self.dirty.iter_mut().zip(puzzle.of_cell(cell)).for_each(|(dirty, rules)| *dirty |= rules);
    }

    /// Takes a cell for a digit.
    pub(super) fn assume(&mut self, puzzle: &Puzzle, cell: usize, digit: Mask) {
        self.cells[cell] = digit;
        self.mark(puzzle, cell);
    }

    /// The cell with the fewest candidates for its weight; none if all cells are decided.
    pub(super) fn fewest(&self) -> Option<usize> {
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

    /// Gives a cell what is left of its candidates.
    #[inline]
    pub(super) fn set(&mut self, puzzle: &Puzzle, cell: u16, mask: Mask) -> Result<(), Contradiction> {
        let old = &mut self.cells[usize::from(cell)];
        if mask == 0 {
            return Err(Contradiction);
        }
        if *old != mask {
            *old = mask;
            self.mark(puzzle, cell.into());
        }
        Ok(())
    }
}
