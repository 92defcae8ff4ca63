//! Represents the cells of a board, and its cages, as sets of bits: bit 8 r + c is the cell in row r and column c.

use crate::kernels::bytes8::Grid8;

/// Where the cells of boards of one side are in the kernel's grids.
#[derive(Debug, Clone)]
pub(super) struct CellPlacement {
    pub(super) side: usize,
    /// The bits of all cells.
    pub(super) cells: u64,
    /// For each bit, the index of the cell in a grid of the kernel.
    pub(super) indices: [u8; 64],
    /// The grid that has every digit in every cell.
    pub(super) full: Grid8,
}

impl CellPlacement {
    /// The layout for a side from 3 to 8.
    pub(super) fn new(side: usize) -> Self {
        let (mut cells, mut indices, mut full) = (0, [0; 64], Grid8::NONE);
        for (bit, index) in indices.iter_mut().enumerate() {
            let (row, column) = (bit / 8, bit % 8);
            if row < side && column < side {
                cells |= 1 << bit;
                // The kernel's boxes are four bytes wide.
                *index = (8 * row + if side == 6 { column + column / 3 } else { column }) as u8;
                full.0[usize::from(*index)] = u8::MAX >> (8 - side);
            }
        }
        Self { side, cells, indices, full }
    }

    /// Moves the bytes of a row to their columns in a grid of the kernel.
    #[inline(always)]
    pub(super) fn spread(&self, row: u64) -> u64 {
        if self.side == 6 { row & 0xFF_FFFF | (row & 0xFFFF_FF00_0000) << 8 } else { row }
    }

    /// The indices of four cells, in a byte each: their bits are those of the first cell and those after it.
    #[inline(always)]
    pub(super) fn four_indices(&self, first: u32, offsets: u32) -> u32 {
        let bits = first * 0x0101_0101 + offsets;
        // Columns 3 to 5 are shifted by one.
        let shifted = ((bits & 0x0707_0707) + 0x0505_0505) >> 3 & 0x0101_0101;
        bits + if self.side == 6 { shifted } else { 0 }
    }

    /// The index of a cell in a grid of the kernel.
    #[inline(always)]
    pub(super) fn index(&self, row: usize, column: usize) -> usize {
        self.indices[(8 * row + column) & 63].into()
    }
}

/// Which neighbouring cells have the same colour, and so belong to the same cage.
#[derive(Debug, Clone, Copy)]
pub(super) struct Adjacency {
    /// The cells that are in the same cage as the cell to their right.
    right: u64,
    /// The cells that are in the same cage as the cell below them.
    below: u64,
}

impl Adjacency {
    /// Compares the colours of cells in rows of eight. Bytes that are not on the board are ignored.
    #[inline(always)]
    pub(super) fn new(layout: &CellPlacement, colours: &[[u8; 8]; 8]) -> Self {
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

    /// The cells among `cells` that are cages of one cell.
    #[inline(always)]
    pub(super) fn single(&self, cells: u64) -> u64 {
        let Self { right, below } = *self;
        cells & !(right | right << 1 | below | below << 8)
    }

    /// The cells, among the cells of whole cages, that have no cell of their cage to their left or above them. They
    /// include the first cell of each cage.
    #[inline(always)]
    pub(super) fn starts(&self, cells: u64) -> u64 {
        cells & !(self.right << 1 | self.below << 8)
    }

    /// The cages of some cells, found side by side. `None` if one of them has more than four cells: cages of four are
    /// found in three steps.
    #[inline(always)]
    pub(super) fn cages(&self, mut starts: u64) -> Option<CageList> {
        let mut found = CageList { starts: [0; 64], cells: [0; 64], count: starts.count_ones() as usize };
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

    /// Adds to some cells those neighbours that are in the same cages.
    #[inline(always)]
    fn grown(&self, cells: u64) -> u64 {
        let Self { right, below } = *self;
        let across = cells | (cells & right) << 1 | cells >> 1 & right;
        across | (across & below) << 8 | across >> 8 & below
    }
}

/// A list of cages, each found from one of its cells. The same cage may be in the list more than once.
pub(super) struct CageList {
    /// The cell from which each cage was found.
    pub(super) starts: [u64; 64],
    /// The cells of each cage.
    pub(super) cells: [u64; 64],
    /// The number of entries in use.
    pub(super) count: usize,
}

/// A bit for each byte: set if the byte is 0.
#[inline(always)]
pub(super) fn zeros(bytes: u64) -> u64 {
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
            let layout = CellPlacement::new(side);
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
            let (adjacency, mut left) = (Adjacency::new(&layout, &rows), layout.cells);
            let starts = adjacency.starts(layout.cells);
            for first in (0..side * side).filter(|&i| usize::from(labels[i]) == i) {
                let cells = (0..side * side).filter(|&i| usize::from(labels[i]) == first);
                let expected = cells.fold(0, |cage, i| cage | 1 << (i / side * 8 + i % side));
                let start = left & left.wrapping_neg();
                match adjacency.cages(start) {
                    Some(cages) => assert_eq!((cages.count, cages.starts[0], cages.cells[0]), (1, start, expected)),
                    None => assert!(expected.count_ones() > 4, "{side} {colours:?}"),
                }
                let found = expected;
                assert_eq!(adjacency.starts(found), starts & found);
                assert!(starts & found & found.wrapping_neg() != 0, "{side} {colours:?}");
                left &= !found;
                assert_eq!(adjacency.single(found) != 0, found & (found - 1) == 0);
            }
            assert_eq!(left, 0);
        }
    }

    #[test]
    fn cells_have_indices_of_their_own_and_boxes_are_four_bytes_wide() {
        for side in 3..=8 {
            let layout = CellPlacement::new(side);
            let indices: Vec<usize> = (0..side * side).map(|i| layout.index(i / side, i % side)).collect();
            assert!(indices.is_sorted_by(|a, b| a < b) && indices[side * side - 1] < 64);
        }
        for layout in (3..=8).map(CellPlacement::new) {
            for bit in (0..64).filter(|&bit| layout.cells >> bit & 1 == 1) {
                let is_cell = |bit| layout.cells.checked_shr(bit).is_some_and(|cells| cells & 1 == 1);
                let bits = [0, 1, 8, 7].map(|offset| if is_cell(bit + offset) { offset } else { 0 });
                let indices = layout.four_indices(bit, u32::from_le_bytes(bits.map(|bit| bit as u8)));
                assert_eq!(indices.to_le_bytes(), bits.map(|offset| layout.indices[(bit + offset) as usize]));
            }
        }
        let layout = CellPlacement::new(6);
        assert_eq!([(0, 2), (0, 3), (0, 5), (1, 0)].map(|(row, column)| layout.index(row, column)), [2, 4, 6, 8]);
    }
}
