//! Counts the conflicts in each house, which tell which houses are hard. A conflict is a house that has no place left
//! for a digit or two cells for the same digit, or a cell without candidates.
//!
//! (This is the "weighted degree" of constraint solving. Boards with few givens and irregular regions, which have many
//! solutions, need it: their searches begin badly and would never end. Other searches end sooner without it.)

use std::cell::Cell;

use super::layout::RegionHouses;
use crate::kernels::houses9::{Contradiction, Grid9};

/// After this number of conflicts, they decide which cell to branch on.
const MANY: u32 = 200;

/// The conflicts that a search has found so far.
#[derive(Default)]
pub(super) struct Conflicts {
    total: Cell<u32>,
    of_house: [Cell<u32>; 27],
}

impl Conflicts {
    /// Records a conflict. Always returns false, which means that a node has no solution.
    #[inline(always)]
    pub(super) fn record(&self, layout: &RegionHouses, fault: &Contradiction) -> bool {
        self.total.set(self.total.get().saturating_add(1));
        let mut houses = match *fault {
            Contradiction::Houses(houses) => houses,
            Contradiction::Cells(cells) => layout.of_cell[cells.trailing_zeros() as usize % 81],
        };
        while houses != 0 {
            let of_house = &self.of_house[houses.trailing_zeros() as usize % 27];
            of_house.set(of_house.get() + 1);
            houses &= houses - 1;
        }
        false
    }

    #[inline(always)]
    pub(super) fn are_many(&self) -> bool {
        self.total.get() > MANY
    }

    /// Finds, among some cells, the one with the fewest candidates in proportion to the conflicts in its houses.
    pub(super) fn most_constrained(&self, layout: &RegionHouses, grid: &Grid9, mut cells: u128) -> usize {
        let (mut best, mut few, mut heavy) = (0, 1, 0);
        while cells != 0 {
            let cell = cells.trailing_zeros() as usize;
            cells &= cells - 1;
            let (mut weight, mut houses) = (1, layout.of_cell[cell]);
            while houses != 0 {
                weight += u64::from(self.of_house[houses.trailing_zeros() as usize % 27].get());
                houses &= houses - 1;
            }
            let count = u64::from(grid.0[cell].count_ones());
            if count * heavy < few * weight {
                (best, few, heavy) = (cell, count, weight);
            }
        }
        best
    }
}
