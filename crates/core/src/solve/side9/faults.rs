//! Which houses are hard: those that were left without what they need.
//!
//! (The "weighted degree" of constraint solving. Searches of boards with few givens and odd regions, which have many solutions, go
//! wrong at their beginning and never end without it; others end sooner without.)

use std::cell::Cell;

use super::layout::Layout;
use crate::kernels::houses9::{Contradiction, Grid9};

/// Faults after which they say where to go on.
const MANY: u32 = 200;

/// The faults that a search came to.
#[derive(Default)]
pub(super) struct Faults {
    all: Cell<u32>,
    of_house: [Cell<u32>; 27],
}

impl Faults {
    /// Takes note of a fault; that is no way to a solution.
    #[inline(always)]
    pub(super) fn note(&self, layout: &Layout, fault: &Contradiction) -> bool {
        self.all.set(self.all.get().saturating_add(1));
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
        self.all.get() > MANY
    }

    /// The cell of these with the fewest candidates for the faults of its houses.
    pub(super) fn fewest(&self, layout: &Layout, grid: &Grid9, mut cells: u128) -> usize {
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
