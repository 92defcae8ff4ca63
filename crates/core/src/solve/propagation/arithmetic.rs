//! Cages with an operator: which digits of each cell occur in some way to make the clue.

use super::candidates::{Candidates, Contradiction};
use super::puzzle::{Puzzle, Rule};
use crate::board::Mask;

/// Steps after which the ways of a cage are too many to be gone through now. With fewer candidates left they will be
/// fewer; nothing is taken away until then.
const STEPS: u32 = 20_000;

/// Cells of a cage whose ways are looked at.
const MOST: usize = 32;

pub(super) fn propagate(
    at: &mut Candidates,
    puzzle: &Puzzle,
    rule: &Rule,
    operator: u16,
    clue: u32,
) -> Result<(), Contradiction> {
    let cells = puzzle.cells(rule);
    if cells.len() > MOST {
        // Only when it is decided.
        let masks = cells.iter().map(|&cell| at.cells[usize::from(cell)]);
        let decided = masks.clone().all(|mask| mask.count_ones() == 1);
        return if !decided || makes(operator, clue, masks) { Ok(()) } else { Err(Contradiction) };
    }
    if matches!(operator, 2 | 4) && cells.len() != 2 {
        return Err(Contradiction);
    }
    let mut ways =
        Ways { at, puzzle, cells, operator, clue: clue.into(), steps: 0, chosen: [0; MOST], held: [0; MOST] };
    let start = if operator == 3 { 1 } else { 0 };
    ways.go(0, start);
    if ways.steps > STEPS {
        return Ok(());
    }
    let held = ways.held;
    for (&cell, held) in cells.iter().zip(held) {
        at.set(puzzle, cell, at.cells[usize::from(cell)] & held)?;
    }
    Ok(())
}

/// Whether decided cells make the clue.
fn makes(operator: u16, clue: u32, masks: impl Iterator<Item = Mask>) -> bool {
    let mut digits = masks.map(|mask| u64::from(mask.trailing_zeros()) + 1);
    match operator {
        3 => digits.try_fold(1_u64, |product, digit| product.checked_mul(digit)) == Some(clue.into()),
        _ => digits.sum::<u64>() == u64::from(clue),
    }
}

struct Ways<'a> {
    at: &'a Candidates,
    puzzle: &'a Puzzle,
    cells: &'a [u16],
    operator: u16,
    clue: u64,
    steps: u32,
    chosen: [Mask; MOST],
    held: [Mask; MOST],
}

impl Ways<'_> {
    /// Chooses a digit for cell `i`, then for the others. `so_far` is the sum or product of those chosen, and for two cells
    /// with a difference or quotient the first digit. True if there is a way.
    fn go(&mut self, i: usize, so_far: u64) -> bool {
        let Some(&cell) = self.cells.get(i) else { return so_far == self.clue };
        let n = self.puzzle.side;
        let shares_line = |other: u16| {
            let (a, b) = (usize::from(cell), usize::from(other));
            a / n == b / n || a % n == b % n
        };
        let taken = (0..i).filter(|&j| shares_line(self.cells[j])).fold(0, |taken, j| taken | self.chosen[j]);
        let mut left = self.at.cells[usize::from(cell)] & !taken;
        let mut any = false;
        while left != 0 {
            let bit = left & left.wrapping_neg();
            left ^= bit;
            self.steps += 1;
            if self.steps > STEPS {
                return any;
            }
            let digit = u64::from(bit.trailing_zeros()) + 1;
            let Some(next) = self.with(i, so_far, digit) else { continue };
            self.chosen[i] = bit;
            if self.go(i + 1, next) {
                self.held[i] |= bit;
                any = true;
            }
        }
        any
    }

    /// The clue so far with one more digit, if that can still become the clue.
    fn with(&self, i: usize, so_far: u64, digit: u64) -> Option<u64> {
        let after = (self.cells.len() - i - 1) as u64;
        match (self.operator, i) {
            (3, _) => {
                let product = so_far * digit;
                self.clue.is_multiple_of(product).then_some(product)
            }
            (2 | 4, 0) => Some(digit),
            (2, _) => (so_far.abs_diff(digit) == self.clue).then_some(self.clue),
            (4, _) => (so_far.max(digit) == self.clue * so_far.min(digit)).then_some(self.clue),
            _ => {
                let sum = so_far + digit;
                (sum + after <= self.clue && sum + after * self.puzzle.side as u64 >= self.clue).then_some(sum)
            }
        }
    }
}
