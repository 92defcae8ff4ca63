//! Represents the houses of a board: rows, columns, and boxes or regions.

use crate::board::{Batch, region_labels};
use crate::kernels::houses9::Frame9;

/// The houses of boards with the same regions.
pub(super) struct RegionHouses {
    pub(super) frame: Frame9,
    /// The cells of each house: rows, columns, then regions, which are empty if there are none. The last entries are
    /// empty.
    pub(super) houses: [u128; 32],
    /// The houses of each cell, as bits.
    pub(super) of_cell: [u32; 81],
    regions: [u8; 81],
    /// Whether everything that depends on the regions has been computed.
    is_complete: bool,
}

impl RegionHouses {
    /// The layout with only rows and columns.
    pub(super) fn lines() -> Self {
        let (mut houses, mut of_cell) = ([0; 32], [0; 81]);
        for (cell, of_cell) in of_cell.iter_mut().enumerate() {
            for house in [cell / 9, 9 + cell % 9] {
                houses[house] |= 1 << cell;
                *of_cell |= 1 << house;
            }
        }
        Self { frame: Frame9::lines(), houses, of_cell, regions: [u8::MAX; 81], is_complete: false }
    }

    /// The layout with boxes.
    pub(super) fn boxes() -> Self {
        let mut layout = Self::lines();
        layout.set_regions(&std::array::from_fn(|i| (i / 27 * 3 + i % 9 / 3) as u8));
        layout.complete();
        layout
    }

    /// Computes everything that depends on the regions. Without it only singles can be applied, which solve many
    /// boards.
    pub(super) fn complete(&mut self) {
        if self.is_complete {
            return;
        }
        self.frame.set_segments();
        let mut halves = [[0_u64; 16]; 2];
        for (cell, (&region, of_cell)) in self.regions.iter().zip(&mut self.of_cell).enumerate() {
            halves[cell / 64][usize::from(region & 15)] |= 1 << (cell % 64);
            *of_cell = *of_cell & 0x3FFFF | 1 << (18 + region);
        }
        for (region, house) in self.houses[18..27].iter_mut().enumerate() {
            *house = u128::from(halves[0][region]) | u128::from(halves[1][region]) << 64;
        }
        self.is_complete = true;
    }

    /// The cells of the first of some houses; none if there is no house.
    #[inline(always)]
    pub(super) fn first_house(&self, houses: u32) -> u128 {
        self.houses[houses.trailing_zeros().min(31) as usize]
    }

    /// Sets the regions, which are numbered from 0 to 8. Returns false if one of them does not have nine cells.
    fn set_regions(&mut self, regions: &[u8; 81]) -> bool {
        if self.regions == *regions {
            return true;
        }
        // Until the new regions are set, the layout must not equal any regions.
        self.regions = [u8::MAX; 81];
        if !self.frame.set_regions(regions) {
            return false;
        }
        self.regions = *regions;
        self.is_complete = false;
        true
    }

    /// Reads the regions of a board. Returns false if they are not nine regions of nine cells.
    pub(super) fn read_regions(&mut self, batch: &Batch, board: usize) -> bool {
        let at = board * batch.stride();
        let numbers = &batch.regions()[at..at + 81];
        // The numbers of most boards can be used as they are.
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
