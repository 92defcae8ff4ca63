//! Boards of side 9, a byte for each cell: by cell and not by board, and with rows for columns.

use super::{Kernel, ROW9, Work};

/// Boards that change places with cells: as many as a full batch has.
pub const BOARDS: usize = 64;

/// A byte for each cell of a board; what follows the last one is unspecified.
pub(crate) type Cells9 = [u8; ROW9];

/// Boards in rows to cells in rows, with a byte for each board; what follows the 81st row is unspecified.
pub type ByCell = fn(&[[u8; ROW9]; BOARDS], &mut [[u8; BOARDS]; ROW9]);

impl Kernel {
    /// Boards in rows to cells in rows.
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

impl Work for PlainByCell<'_> {
    type Done = ();

    #[inline(always)]
    fn run(self) {
        const CHUNKS: usize = ROW9 / 8;
        for (group, rows) in self.boards.as_chunks::<8>().0.iter().enumerate() {
            // Squares of eight boards and eight cells, a board each in a word.
            let mut words = [[0_u64; CHUNKS]; 8];
            for (words, row) in words.iter_mut().zip(rows) {
                for (word, bytes) in words.iter_mut().zip(row.as_chunks::<8>().0) {
                    *word = u64::from_le_bytes(*bytes);
                }
            }
            exchange(&mut words);
            for (cell, words) in words.iter().enumerate() {
                for (chunk, word) in words.iter().enumerate() {
                    self.cells[8 * chunk + cell][8 * group..8 * group + 8].copy_from_slice(&word.to_le_bytes());
                }
            }
        }
    }
}

/// Rows for columns.
#[inline(always)]
pub(super) fn transposed(cells: &Cells9) -> Cells9 {
    let mut turned = [0; ROW9];
    // Eight rows of eight as words; and the last row and column.
    let mut words = [0; 8];
    for (word, row) in words.iter_mut().zip(cells.as_chunks::<9>().0) {
        *word = u64::from_le_bytes([row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7]]);
    }
    exchange(&mut words);
    for (row, word) in words.iter().enumerate() {
        turned[9 * row..9 * row + 8].copy_from_slice(&word.to_le_bytes());
        turned[9 * row + 8] = cells[72 + row];
        turned[72 + row] = cells[9 * row + 8];
    }
    turned[80] = cells[80];
    turned
}

/// Words that are exchanged by [`exchange`].
trait Words: Copy {
    /// Two of them after they have exchanged the high parts (of `shift` bits, those that `low` does not have) of the first for the low
    /// ones of the second.
    fn exchanged(self, other: Self, shift: u32, low: u64) -> (Self, Self);
}

impl Words for u64 {
    #[inline(always)]
    fn exchanged(self, other: Self, shift: u32, low: u64) -> (Self, Self) {
        let swapped = (self >> shift ^ other) & low;
        (self ^ swapped << shift, other ^ swapped)
    }
}

impl<const N: usize> Words for [u64; N] {
    #[inline(always)]
    fn exchanged(mut self, mut other: Self, shift: u32, low: u64) -> (Self, Self) {
        for i in 0..N {
            (self[i], other[i]) = self[i].exchanged(other[i], shift, low);
        }
        (self, other)
    }
}

/// Transposes eight words of eight bytes: those that are 4, 2 and 1 apart exchange halves.
#[inline(always)]
fn exchange<W: Words>(words: &mut [W; 8]) {
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
