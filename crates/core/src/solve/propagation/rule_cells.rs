//! The candidates of the cells of one rule, side by side.

use super::candidates::Contradiction;
use crate::board::Mask;

/// The candidates of the cells of one rule.
pub(super) struct RuleCells {
    pub(super) masks: [Mask; 25],
    pub(super) len: usize,
}

impl RuleCells {
    /// What the cells hold: in any of them, in two or more, alone in a cell.
    #[inline]
    fn tally(&self) -> Result<(Mask, Mask, Mask), Contradiction> {
        let (mut once, mut twice, mut alone) = (0, 0, 0);
        for &mask in &self.masks[..self.len] {
            twice |= once & mask;
            once |= mask;
            if mask & (mask - 1) == 0 {
                if alone & mask != 0 {
                    return Err(Contradiction);
                }
                alone |= mask;
            }
        }
        Ok((once, twice, alone))
    }

    /// Naked singles, and of the digits in `needed` hidden ones, until there are no more. Whether there were any.
    #[inline]
    pub(super) fn singles(&mut self, needed: Mask) -> Result<bool, Contradiction> {
        let mut any = false;
        loop {
            let (once, twice, alone) = self.tally()?;
            if needed & !once != 0 {
                return Err(Contradiction);
            }
            let hidden = needed & !twice & !alone;
            if hidden == 0 && twice & alone == 0 {
                return Ok(any);
            }
            any = true;
            for mask in &mut self.masks[..self.len] {
                if *mask & (*mask - 1) == 0 {
                    continue;
                }
                *mask &= !alone;
                if *mask & hidden != 0 {
                    *mask &= hidden;
                    if *mask & (*mask - 1) != 0 {
                        return Err(Contradiction);
                    }
                }
                if *mask == 0 {
                    return Err(Contradiction);
                }
            }
        }
    }

    /// Leaves each cell what it can hold in one of these sets of different digits, of which all cells together hold one.
    /// Returns the digits that are in all sets that are possible.
    #[inline]
    pub(super) fn combine(&mut self, sets: impl Iterator<Item = Mask>) -> Result<Mask, Contradiction> {
        let (once, _, alone) = self.tally()?;
        let (mut any, mut sure) = (0, !0);
        // Of a few cells it is cheap to see which digits of a set each can hold while the others hold the rest.
        let mut supported = [0; 3];
        let masks = &mut self.masks[..self.len];
        for set in sets {
            if set & !once != 0 || alone & !set != 0 || masks.iter().any(|mask| mask & set == 0) {
                continue;
            }
            let held = match *masks {
                [a, b] => pairs(set, [a, b], &mut supported),
                [a, b, c] => triples(set, [a, b, c], &mut supported),
                _ => true,
            };
            if held {
                any |= set;
                sure &= set;
            }
        }
        if any == 0 {
            return Err(Contradiction);
        }
        if matches!(masks.len(), 2 | 3) {
            masks.iter_mut().zip(supported).for_each(|(mask, supported)| *mask &= supported);
        } else {
            masks.iter_mut().for_each(|mask| *mask &= any);
        }
        Ok(sure)
    }
}

/// Which of two digits each of two cells can hold, with the other in the other. False if neither way.
fn pairs(combination: Mask, cells: [Mask; 2], supported: &mut [Mask; 3]) -> bool {
    let low = combination & combination.wrapping_neg();
    let high = combination & !low;
    let mut held = false;
    for (a, b) in [(low, high), (high, low)] {
        if cells[0] & a != 0 && cells[1] & b != 0 {
            supported[0] |= a;
            supported[1] |= b;
            held = true;
        }
    }
    held
}

/// The same for three.
fn triples(combination: Mask, cells: [Mask; 3], supported: &mut [Mask; 3]) -> bool {
    let low = combination & combination.wrapping_neg();
    let rest = combination & !low;
    let middle = rest & rest.wrapping_neg();
    let high = rest & !middle;
    let mut held = false;
    for (a, b, c) in [
        (low, middle, high),
        (low, high, middle),
        (middle, low, high),
        (middle, high, low),
        (high, low, middle),
        (high, middle, low),
    ] {
        if cells[0] & a != 0 && cells[1] & b != 0 && cells[2] & c != 0 {
            supported[0] |= a;
            supported[1] |= b;
            supported[2] |= c;
            held = true;
        }
    }
    held
}
