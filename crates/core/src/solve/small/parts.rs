//! The cells of a board as bits: bit 8 r + c is the cell of row r and column c. And its cages, as sets of them.

use crate::kernels::bytes8::Grid8;

/// Where the cells of a side are.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    pub(super) side: usize,
    /// The bits of all cells.
    pub(super) cells: u64,
    /// For each bit the byte of the cell in a grid of the kernel.
    pub(super) places: [u8; 64],
    /// Every digit in every cell.
    pub(super) full: Grid8,
}

impl Layout {
    /// For a side of 3 to 8.
    pub(super) fn new(side: usize) -> Self {
        let (mut cells, mut places, mut full) = (0, [0; 64], Grid8::NONE);
        for (bit, place) in places.iter_mut().enumerate() {
            let (row, column) = (bit / 8, bit % 8);
            if row < side && column < side {
                cells |= 1 << bit;
                // The kernel's boxes are four bytes wide.
                *place = (8 * row + if side == 6 { column + column / 3 } else { column }) as u8;
                full.0[usize::from(*place)] = u8::MAX >> (8 - side);
            }
        }
        Self { side, cells, places, full }
    }

    /// A row of bytes as it is in a grid of the kernel.
    #[inline(always)]
    pub(super) fn spread(&self, row: u64) -> u64 {
        if self.side == 6 { row & 0xFF_FFFF | (row & 0xFFFF_FF00_0000) << 8 } else { row }
    }

    /// The byte of a cell in a grid of the kernel.
    #[inline(always)]
    pub(super) fn place(&self, row: usize, column: usize) -> usize {
        self.places[(8 * row + column) & 63].into()
    }
}

/// Cells of equal colours that are joined.
#[derive(Debug, Clone, Copy)]
pub(super) struct Joined {
    /// The cells in one cage with the cell to their right.
    right: u64,
    /// The cells in one cage with the one below.
    below: u64,
}

impl Joined {
    /// By the colours of the cells in rows of eight; what is not on the board does not count.
    #[inline(always)]
    pub(super) fn new(layout: &Layout, colours: &[[u8; 8]; 8]) -> Self {
        let (mut right, mut below, mut before) = (0, 0, 0);
        for (row, &colours) in colours.iter().enumerate().take(layout.side) {
            let word = u64::from_le_bytes(colours);
            right |= zeros(word ^ word >> 8) << (8 * row);
            if row > 0 {
                below |= zeros(word ^ before) << (8 * (row - 1));
            }
            before = word;
        }
        // The last cell of a row has none to its right.
        Self { right: right & layout.cells & layout.cells >> 1 & 0x7F7F_7F7F_7F7F_7F7F, below: below & layout.cells }
    }

    /// Those of some cells that are cages alone.
    #[inline(always)]
    pub(super) fn single(&self, cells: u64) -> u64 {
        let Self { right, below } = *self;
        cells & !(right | right << 1 | below | below << 8)
    }

    /// Of some cells, which are all cells of some cages, those without another one of their cage to their left or above: among them
    /// are the first cells of all cages.
    #[inline(always)]
    pub(super) fn starts(&self, cells: u64) -> u64 {
        cells & !(self.right << 1 | self.below << 8)
    }

    /// The cages of some cells, found side by side. Nothing if one of them has more than four cells: those of four are found in three
    /// steps.
    #[inline(always)]
    pub(super) fn cages(&self, mut starts: u64) -> Option<Found> {
        let mut found = Found { starts: [0; 64], cells: [0; 64], count: starts.count_ones() as usize };
        for start in &mut found.starts[..found.count] {
            *start = starts & starts.wrapping_neg();
            starts &= starts - 1;
        }
        let mut grow = 0;
        let eights = found.starts.as_chunks::<8>().0.iter().zip(found.cells.as_chunks_mut::<8>().0);
        for (starts, cells) in eights.take(found.count.div_ceil(8)) {
            for (&start, cells) in starts.iter().zip(cells) {
                *cells = self.grown(self.grown(self.grown(start)));
                grow |= self.grown(*cells) ^ *cells;
            }
        }
        (grow == 0).then_some(found)
    }

    /// Cells with those that are joined to them.
    #[inline(always)]
    fn grown(&self, cells: u64) -> u64 {
        let Self { right, below } = *self;
        let across = cells | (cells & right) << 1 | cells >> 1 & right;
        across | (across & below) << 8 | across >> 8 & below
    }
}

/// Cages by some of their cells.
pub(super) struct Found {
    /// The cells, the first `count` of these,
    pub(super) starts: [u64; 64],
    /// and their cages.
    pub(super) cells: [u64; 64],
    pub(super) count: usize,
}

/// A bit for each byte that is 0.
#[inline(always)]
fn zeros(bytes: u64) -> u64 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let some = ((bytes & LOW) + LOW) | bytes;
    ((!some & !LOW) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::components;

    #[test]
    fn cages_are_the_components_of_equal_colours() {
        let mut state = 7_u64;
        for round in 0..3_000 {
            let side = 3 + round % 6;
            let layout = Layout::new(side);
            let colours: Vec<u8> = (0..side * side)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (state >> 60) as u8 % 3 + 1
                })
                .collect();
            let labels = components(&colours, side);
            let mut rows = [[round as u8 % 5; 8]; 8];
            for (row, colours) in rows.iter_mut().zip(colours.chunks(side)) {
                row[..side].copy_from_slice(colours);
            }
            let (joined, mut left) = (Joined::new(&layout, &rows), layout.cells);
            let starts = joined.starts(layout.cells);
            for first in (0..side * side).filter(|&i| usize::from(labels[i]) == i) {
                let cells = (0..side * side).filter(|&i| usize::from(labels[i]) == first);
                let expected = cells.fold(0, |cage, i| cage | 1 << (i / side * 8 + i % side));
                let start = left & left.wrapping_neg();
                match joined.cages(start) {
                    Some(cages) => assert_eq!((cages.count, cages.starts[0], cages.cells[0]), (1, start, expected)),
                    None => assert!(expected.count_ones() > 4, "{side} {colours:?}"),
                }
                let found = expected;
                assert_eq!(joined.starts(found), starts & found);
                assert!(starts & found & found.wrapping_neg() != 0, "{side} {colours:?}");
                left &= !found;
                assert_eq!(joined.single(found) != 0, found & (found - 1) == 0);
            }
            assert_eq!(left, 0);
        }
    }

    #[test]
    fn cells_have_places_of_their_own_and_boxes_are_four_bytes_wide() {
        for side in 3..=8 {
            let layout = Layout::new(side);
            let places: Vec<usize> = (0..side * side).map(|i| layout.place(i / side, i % side)).collect();
            assert!(places.is_sorted_by(|a, b| a < b) && places[side * side - 1] < 64);
        }
        let layout = Layout::new(6);
        assert_eq!([(0, 2), (0, 3), (0, 5), (1, 0)].map(|(row, column)| layout.place(row, column)), [2, 4, 6, 8]);
    }
}
