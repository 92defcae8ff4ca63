//! The houses of a board: rows, columns, and boxes or regions.

use crate::board::{Batch, region_labels};
use crate::kernels::houses9::Frame9;

/// The houses of boards with the same regions.
pub(super) struct Layout {
    pub(super) frame: Frame9,
    /// The cells of each house: rows, columns, regions (none if there are none).
    pub(super) houses: [u128; 27],
    /// The houses of each cell, as bits.
    pub(super) of_cell: [u32; 81],
    regions: [u8; 81],
}

impl Layout {
    /// Rows and columns only.
    pub(super) fn lines() -> Self {
        let (mut houses, mut of_cell) = ([0; 27], [0; 81]);
        for (cell, of_cell) in of_cell.iter_mut().enumerate() {
            for house in [cell / 9, 9 + cell % 9] {
                houses[house] |= 1 << cell;
                *of_cell |= 1 << house;
            }
        }
        Self { frame: Frame9::lines(), houses, of_cell, regions: [u8::MAX; 81] }
    }

    /// With boxes.
    pub(super) fn boxes() -> Self {
        let mut layout = Self::lines();
        layout.set_regions(&std::array::from_fn(|i| (i / 27 * 3 + i % 9 / 3) as u8));
        layout
    }

    /// Takes regions, 0 to 8. False if one of them has not nine cells.
    fn set_regions(&mut self, regions: &[u8; 81]) -> bool {
        if self.regions == *regions {
            return true;
        }
        // Until all is done, no regions are those that are here.
        self.regions = [u8::MAX; 81];
        if !self.frame.set_regions(regions) {
            return false;
        }
        self.houses[18..].fill(0);
        for (cell, &region) in regions.iter().enumerate() {
            let house = 18 + usize::from(region);
            self.houses[house] |= 1 << cell;
            self.of_cell[cell] = self.of_cell[cell] & 0x3FFFF | 1 << house;
        }
        self.regions = *regions;
        true
    }

    /// Takes the regions of a board. False if they are not nine of nine cells.
    pub(super) fn read_regions(&mut self, batch: &Batch, board: usize) -> bool {
        let at = board * batch.stride();
        let numbers = &batch.regions()[at..at + 81];
        // As they are, they serve for most boards.
        let mut regions = [0; 81];
        regions.iter_mut().zip(numbers).for_each(|(region, number)| *region = number.wrapping_sub(1));
        if self.set_regions(&regions) {
            return true;
        }
        let labels = region_labels(numbers, 9);
        let (mut known, mut count) = ([u16::MAX; 9], 0);
        for (region, &label) in regions.iter_mut().zip(&labels) {
            let found = known[..count].iter().position(|&known| known == label);
            *region = found.unwrap_or(count) as u8;
            if found.is_none() {
                if count == 9 {
                    return false;
                }
                known[count] = label;
                count += 1;
            }
        }
        self.set_regions(&regions)
    }
}
