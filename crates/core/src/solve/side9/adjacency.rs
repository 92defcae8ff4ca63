//! Finds the cages of a board, as sets of bits.

/// The cells of all columns but the last.
const LEFT_OF_LAST: u128 = {
    let (mut cells, mut row) = (0, 0);
    while row < 9 {
        cells |= 0xFF << (9 * row);
        row += 1;
    }
    cells
};

/// Which neighbouring cells have the same colour, and so belong to the same cage.
pub(super) struct Adjacency9 {
    /// The cells that are in the same cage as the cell to their right.
    right: u128,
    /// The cells that are in the same cage as the cell below them.
    below: u128,
}

impl Adjacency9 {
    /// Compares the colours of cells.
    #[inline(always)]
    pub(super) fn new(colours: &[u8; 81]) -> Self {
        let word = |at: usize| colours[at..].first_chunk().map_or(0, |&bytes| u64::from_le_bytes(bytes));
        let (mut right, mut below) = (0, 0);
        // The last cell has no neighbours to its right or below.
        for at in (0..80).step_by(8) {
            right |= u128::from(zeros(word(at) ^ word(at + 1))) << at;
            if at < 72 {
                below |= u128::from(zeros(word(at) ^ word(at + 9))) << at;
            }
        }
        Self { right: right & LEFT_OF_LAST, below }
    }

    /// The cells, among the cells of whole cages, that have no cell of their cage to their left or above them. They
    /// include the first cell of each cage.
    #[inline(always)]
    pub(super) fn starts(&self, cells: u128) -> u128 {
        cells & !(self.right << 1 | self.below << 9)
    }

    /// The cage of a cell.
    #[inline(always)]
    pub(super) fn cage_of(&self, cell: u128) -> u128 {
        let mut cage = cell;
        // These steps are enough for most cages. A mispredicted branch would cost more than an unneeded step.
        for _ in 0..3 {
            cage = self.grown(cage);
        }
        loop {
            let grown = self.grown(cage);
            if grown == cage {
                return cage;
            }
            cage = grown;
        }
    }

    /// Adds to some cells those neighbours that are in the same cages.
    #[inline(always)]
    fn grown(&self, cells: u128) -> u128 {
        let Self { right, below } = *self;
        let across = cells | (cells & right) << 1 | cells >> 1 & right;
        across | (across & below) << 9 | across >> 9 & below
    }
}

/// A bit for each byte: set if the byte is 0.
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
        for _ in 0..2_000 {
            let colours = std::array::from_fn(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 60) as u8 % 3 + 1
            });
            let labels = components(&colours, 9);
            let (adjacency, mut left) = (Adjacency9::new(&colours), (1_u128 << 81) - 1);
            let starts = adjacency.starts(left);
            while left != 0 {
                let first = left.trailing_zeros() as u16;
                let cage = adjacency.cage_of(left & left.wrapping_neg());
                let expected = (0..81).filter(|&i| labels[i] == first).fold(0, |cage, i| cage | 1 << i);
                assert_eq!(cage, expected, "{colours:?}");
                assert!(starts & cage & cage.wrapping_neg() != 0, "{colours:?}");
                left &= !cage;
            }
        }
    }
}
