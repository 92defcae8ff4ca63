//! Candidates of the cells of one rule, copied side by side.

use super::candidates::BrokenRule;
use crate::board::Mask;

/// The candidates of the cells of one rule.
pub(super) struct RuleCells {
    pub(super) masks: [Mask; 25],
    pub(super) len: usize,
}

impl RuleCells {
    /// The digits that are candidates of any cell, those that are candidates of two or more, and those of solved cells.
    /// An error if two solved cells have the same digit.
    #[inline]
    fn tally(&self) -> Result<(Mask, Mask, Mask), BrokenRule> {
        let (mut union, mut repeated, mut solved) = (0, 0, 0);
        for &mask in &self.masks[..self.len] {
            repeated |= union & mask;
            union |= mask;
            if mask & (mask - 1) == 0 {
                if solved & mask != 0 {
                    return Err(BrokenRule);
                }
                solved |= mask;
            }
        }
        Ok((union, repeated, solved))
    }

    /// Applies naked singles, and hidden singles of the digits in `needed`, until there are no more. Returns whether
    /// there were any.
    #[inline]
    pub(super) fn singles(&mut self, needed: Mask) -> Result<bool, BrokenRule> {
        let mut any = false;
        loop {
            let (union, repeated, solved) = self.tally()?;
            if needed & !union != 0 {
                return Err(BrokenRule);
            }
            let hidden = needed & !repeated & !solved;
            if hidden == 0 && repeated & solved == 0 {
                return Ok(any);
            }
            any = true;
            for mask in &mut self.masks[..self.len] {
                if *mask & (*mask - 1) == 0 {
                    continue;
                }
                *mask &= !solved;
                if *mask & hidden != 0 {
                    *mask &= hidden;
                    if *mask & (*mask - 1) != 0 {
                        return Err(BrokenRule);
                    }
                }
                if *mask == 0 {
                    return Err(BrokenRule);
                }
            }
        }
    }

    /// Restricts the cells to these sets of different digits, one of which is the set of the digits of all cells.
    /// Returns the digits that are in all sets that are possible.
    #[inline]
    pub(super) fn combine(&mut self, sets: impl Iterator<Item = Mask>) -> Result<Mask, BrokenRule> {
        let (union, _, solved) = self.tally()?;
        let (mut any, mut common) = (0, !0);
        // For two or three cells, it is cheap to find the digits of a set that each cell can have while the others have
        // the rest.
        let mut supported = [0; 3];
        let masks = &mut self.masks[..self.len];
        for set in sets {
            if set & !union != 0 || solved & !set != 0 || masks.iter().any(|mask| mask & set == 0) {
                continue;
            }
            let possible = match *masks {
                [a, b] => support_pair(set, [a, b], &mut supported),
                [a, b, c] => support_triple(set, [a, b, c], &mut supported),
                _ => true,
            };
            if possible {
                any |= set;
                common &= set;
            }
        }
        if any == 0 {
            return Err(BrokenRule);
        }
        if matches!(masks.len(), 2 | 3) {
            masks.iter_mut().zip(supported).for_each(|(mask, supported)| *mask &= supported);
        } else {
            masks.iter_mut().for_each(|mask| *mask &= any);
        }
        Ok(common)
    }
}

/// Adds to `supported` the digits that each of two cells can have while the other cell has the other digit of a set of
/// two. Returns false if there is no such way.
fn support_pair(set: Mask, cells: [Mask; 2], supported: &mut [Mask; 3]) -> bool {
    let low = set & set.wrapping_neg();
    let high = set & !low;
    let mut possible = false;
    for (a, b) in [(low, high), (high, low)] {
        if cells[0] & a != 0 && cells[1] & b != 0 {
            supported[0] |= a;
            supported[1] |= b;
            possible = true;
        }
    }
    possible
}

/// Does the same for three cells and a set of three digits.
fn support_triple(set: Mask, cells: [Mask; 3], supported: &mut [Mask; 3]) -> bool {
    let low = set & set.wrapping_neg();
    let rest = set & !low;
    let middle = rest & rest.wrapping_neg();
    let high = rest & !middle;
    let mut possible = false;
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
            possible = true;
        }
    }
    possible
}
