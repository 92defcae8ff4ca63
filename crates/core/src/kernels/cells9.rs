//! Transposes boards of side 9 with one byte per cell: boards to cells for a full batch, and rows to columns for one
//! board.

use super::{Kernel, ROW9, SimdTask};

/// The number of boards that are transposed together: a full batch.
pub(crate) const BOARDS: usize = 64;

/// One byte for each cell of a board; what follows the last one is unspecified.
pub(crate) type Cells9 = [u8; ROW9];

/// Transposes boards to cells: row c of the result has cell c of every board. What follows the 81st row is unspecified.
pub(crate) type ByCell = fn(&[[u8; ROW9]; BOARDS], &mut [[u8; BOARDS]; ROW9]);

impl Kernel {
    /// Transposes boards to cells: row c of the result has cell c of every board.
    pub(crate) fn by_cell(&self, boards: &[Cells9; BOARDS], cells: &mut [[u8; BOARDS]; ROW9]) {
        match self.by_cell {
            Some(by_cell) => by_cell(boards, cells),
            None => self.run(PlainByCell { boards, cells }),
        }
    }
}

struct PlainByCell<'a> {
    boards: &'a [Cells9; BOARDS],
    cells: &'a mut [[u8; BOARDS]; ROW9],
}

impl SimdTask for PlainByCell<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        const CHUNKS: usize = ROW9 / 8;
        for (group, rows) in self.boards.as_chunks::<8>().0.iter().enumerate() {
            // Squares of eight boards and eight cells; each word is the part of one board.
            let mut words = [[0_u64; CHUNKS]; 8];
            for (words, row) in words.iter_mut().zip(rows) {
                for (word, bytes) in words.iter_mut().zip(row.as_chunks::<8>().0) {
                    *word = u64::from_le_bytes(*bytes);
                }
            }
            transpose_8x8(&mut words);
            for (cell, words) in words.iter().enumerate() {
                for (chunk, word) in words.iter().enumerate() {
                    self.cells[8 * chunk + cell][8 * group..8 * group + 8].copy_from_slice(&word.to_le_bytes());
                }
            }
        }
    }
}

/// Exchanges rows and columns.
#[inline(always)]
pub(super) fn transposed(cells: &Cells9) -> Cells9 {
    let mut transposed = [0; ROW9];
    // The first eight cells of eight rows are words; the last row and the last column are copied separately.
    let mut words = [0; 8];
    for (word, row) in words.iter_mut().zip(cells.as_chunks::<9>().0) {
        *word = u64::from_le_bytes([row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7]]);
    }
    transpose_8x8(&mut words);
    for (row, word) in words.iter().enumerate() {
        transposed[9 * row..9 * row + 8].copy_from_slice(&word.to_le_bytes());
        transposed[9 * row + 8] = cells[72 + row];
        transposed[72 + row] = cells[9 * row + 8];
    }
    transposed[80] = cells[80];
    transposed
}

/// Words that [`transpose_8x8`] transposes.
trait Transposable: Copy {
    /// Exchanges the high part of `self` (`shift` bits, those that are not in `low`) with the low part of `other`.
    fn exchanged(self, other: Self, shift: u32, low: u64) -> (Self, Self);
}

impl Transposable for u64 {
    #[inline(always)]
    fn exchanged(self, other: Self, shift: u32, low: u64) -> (Self, Self) {
        let swapped = (self >> shift ^ other) & low;
        (self ^ swapped << shift, other ^ swapped)
    }
}

impl<const N: usize> Transposable for [u64; N] {
    #[inline(always)]
    fn exchanged(mut self, mut other: Self, shift: u32, low: u64) -> (Self, Self) {
        for i in 0..N {
            (self[i], other[i]) = self[i].exchanged(other[i], shift, low);
        }
        (self, other)
    }
}

/// Transposes eight words of eight bytes: words that are 4, 2 and 1 apart exchange halves.
#[inline(always)]
fn transpose_8x8<W: Transposable>(words: &mut [W; 8]) {
    for i in [0, 1, 2, 3] {
        (words[i], words[i + 4]) = words[i].exchanged(words[i + 4], 32, 0xFFFF_FFFF);
    }
    for i in [0, 1, 4, 5] {
        (words[i], words[i + 2]) = words[i].exchanged(words[i + 2], 16, 0x0000_FFFF_0000_FFFF);
    }
    for i in [0, 2, 4, 6] {
        (words[i], words[i + 1]) = words[i].exchanged(words[i + 1], 8, 0x00FF_00FF_00FF_00FF);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::available;

    #[test]
    fn cells_and_boards_change_places() {
        let boards: [Cells9; BOARDS] =
            std::array::from_fn(|board| std::array::from_fn(|cell| (board * 37 + cell * 101 + board * cell) as u8));
        for kernel in available() {
            let mut cells = [[0; BOARDS]; ROW9];
            kernel.by_cell(&boards, &mut cells);
            for (cell, lane) in cells.iter().enumerate().take(81) {
                assert!(lane.iter().zip(&boards).all(|(&byte, board)| byte == board[cell]), "{} {cell}", kernel.name);
            }
        }
    }
}
