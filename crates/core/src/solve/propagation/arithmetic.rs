//! Propagates cages with an operator: keeps the digits of each cell that occur in some way to make the clue.

use super::candidates::{BrokenRule, Candidates};
use super::puzzle::{PuzzleRules, Rule};
use crate::board::Mask;

/// The largest number of steps for the ways to fill a cage. A cage with too many ways is left unchanged until fewer
/// candidates, and so fewer ways, are left.
const MAX_STEPS: u32 = 20_000;

/// The largest number of cells of a cage whose ways are enumerated.
const MAX_CELLS: usize = 32;

/// Restricts the cells of a cage to the digits that occur in some way to make the clue.
pub(super) fn propagate(
    candidates: &mut Candidates,
    puzzle: &PuzzleRules,
    rule: &Rule,
    operator: u16,
    clue: u32,
) -> Result<(), BrokenRule> {
    let cells = puzzle.cells(rule);
    if cells.len() > MAX_CELLS {
        // Only the clue is checked, once all cells are solved.
        let masks = cells.iter().map(|&cell| candidates.cells[usize::from(cell)]);
        let solved = masks.clone().all(|mask| mask.count_ones() == 1);
        return if !solved || makes(operator, clue, masks) { Ok(()) } else { Err(BrokenRule) };
    }
    if matches!(operator, 2 | 4) && cells.len() != 2 {
        return Err(BrokenRule);
    }
    let (chosen, possible) = ([0; MAX_CELLS], [0; MAX_CELLS]);
    let mut filling = Filling { candidates, puzzle, cells, operator, clue: clue.into(), steps: 0, chosen, possible };
    let start = if operator == 3 { 1 } else { 0 };
    filling.fill(0, start);
    if filling.steps > MAX_STEPS {
        return Ok(());
    }
    let possible = filling.possible;
    for (&cell, possible) in cells.iter().zip(possible) {
        candidates.set(puzzle, cell, candidates.cells[usize::from(cell)] & possible)?;
    }
    Ok(())
}

/// Whether the digits of solved cells make the clue.
fn makes(operator: u16, clue: u32, masks: impl Iterator<Item = Mask>) -> bool {
    let mut digits = masks.map(|mask| u64::from(mask.trailing_zeros()) + 1);
    match operator {
        3 => digits.try_fold(1_u64, |product, digit| product.checked_mul(digit)) == Some(clue.into()),
        _ => digits.sum::<u64>() == u64::from(clue),
    }
}

/// The enumeration of the ways to fill a cage.
struct Filling<'a> {
    candidates: &'a Candidates,
    puzzle: &'a PuzzleRules,
    cells: &'a [u16],
    operator: u16,
    clue: u64,
    steps: u32,
    /// The digit chosen for each cell.
    chosen: [Mask; MAX_CELLS],
    /// The digits of each cell in the ways found so far.
    possible: [Mask; MAX_CELLS],
}

impl Filling<'_> {
    /// Chooses a digit for cell `i`, then for the cells after it. `so_far` is the sum or product of the digits chosen
    /// before, or the first digit for two cells with a difference or quotient. Returns whether there is a way.
    fn fill(&mut self, i: usize, so_far: u64) -> bool {
        let Some(&cell) = self.cells.get(i) else { return so_far == self.clue };
        let n = self.puzzle.side;
        let shares_line = |other: u16| {
            let (a, b) = (usize::from(cell), usize::from(other));
            a / n == b / n || a % n == b % n
        };
        let taken = (0..i).filter(|&j| shares_line(self.cells[j])).fold(0, |taken, j| taken | self.chosen[j]);
        let mut left = self.candidates.cells[usize::from(cell)] & !taken;
        let mut any = false;
        while left != 0 {
            let bit = left & left.wrapping_neg();
            left ^= bit;
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return any;
            }
            let digit = u64::from(bit.trailing_zeros()) + 1;
            let Some(next) = self.extend(i, so_far, digit) else { continue };
            self.chosen[i] = bit;
            if self.fill(i + 1, next) {
                self.possible[i] |= bit;
                any = true;
            }
        }
        any
    }

    /// Adds a digit for cell `i` to the sum or product so far. `None` if the result cannot become the clue any more.
    fn extend(&self, i: usize, so_far: u64, digit: u64) -> Option<u64> {
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
