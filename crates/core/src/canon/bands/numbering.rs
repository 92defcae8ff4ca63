//! The bands of many grids, numbered side by side: what is looked up of them in the tables afterwards.

use crate::board::BATCH;
use crate::kernels::{ROW9, Work};

/// A byte for each board.
type Lane = [u8; BATCH];

/// What numbers the six bands of each board: three of rows, three of columns.
pub(super) struct BandKeys {
    /// Which of the six digits that the left box has in its other rows stand in the top row of the middle box.
    pub top: [Lane; 6],
    /// The same of the middle row.
    pub second: [Lane; 6],
    /// The orders of the rows of the middle box by their numbers in [`ORDERS`](super::tables::ORDERS), as digits of base 6.
    pub middle: [Lane; 6],
    /// The same of the right box.
    pub right: [Lane; 6],
    /// The orders of the top rows of the middle and the right box, likewise.
    pub sorted: [Lane; 6],
}

impl BandKeys {
    pub(super) const NONE: Self = {
        let none = [[0; BATCH]; 6];
        Self { top: none, second: none, middle: none, right: none, sorted: none }
    };
}

/// Numbers the bands of boards, each a row of digits. What comes of it has a bit for each board that obeys the rules; of others nothing
/// is promised.
pub(super) struct NumberBands<'a> {
    pub rows: &'a [[u8; ROW9]],
    pub keys: &'a mut BandKeys,
    /// What the boards transposed are written to.
    pub transposed: &'a mut [[u8; ROW9]; BATCH],
}

impl Work for NumberBands<'_> {
    type Done = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let mut cells = [[0; BATCH]; ROW9];
        by_cell(self.rows, &mut cells);
        by_board(&cells, self.transposed);
        let mut faults = [0; BATCH];
        for band in 0..6 {
            let (first, row_step, column_step) = if band < 3 { (27 * band, 9, 1) } else { (3 * (band - 3), 1, 9) };
            let mut rows = [[&cells[0]; 9]; 3];
            for (row, lanes) in rows.iter_mut().enumerate() {
                for (column, lane) in lanes.iter_mut().enumerate() {
                    *lane = &cells[first + row * row_step + column * column_step];
                }
            }
            let keys = &mut *self.keys;
            let found;
            [keys.top[band], keys.second[band], keys.middle[band], keys.right[band], keys.sorted[band], found] =
                number(&rows);
            for (fault, found) in faults.iter_mut().zip(found) {
                *fault |= found;
            }
        }
        let obeys = |fault: u8| u64::from(fault == 0);
        faults.iter().enumerate().fold(0, |good, (board, &fault)| good | obeys(fault) << board)
    }
}

/// Rows of boards to lanes of cells.
#[inline(always)]
fn by_cell(rows: &[[u8; ROW9]], cells: &mut [Lane; ROW9]) {
    const CHUNKS: usize = ROW9 / 8;
    for (group, rows) in rows.chunks(8).enumerate() {
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
                cells[8 * chunk + cell][8 * group..8 * group + 8].copy_from_slice(&word.to_le_bytes());
            }
        }
    }
}

/// Lanes of cells to rows of boards, transposed.
#[inline(always)]
fn by_board(cells: &[Lane; ROW9], transposed: &mut [[u8; ROW9]; BATCH]) {
    const CHUNKS: usize = BATCH / 8;
    for group in 0..11 {
        let mut words = [[0_u64; CHUNKS]; 8];
        for (i, words) in words.iter_mut().enumerate() {
            let cell = (8 * group + i).min(80);
            for (word, bytes) in words.iter_mut().zip(cells[cell % 9 * 9 + cell / 9].as_chunks::<8>().0) {
                *word = u64::from_le_bytes(*bytes);
            }
        }
        exchange(&mut words);
        for (board, words) in words.iter().enumerate() {
            for (chunk, word) in words.iter().enumerate() {
                transposed[8 * chunk + board][8 * group..8 * group + 8].copy_from_slice(&word.to_le_bytes());
            }
        }
    }
}

/// Words that are exchanged by [`exchange`].
pub(super) trait Words: Copy {
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
pub(super) fn exchange<W: Words>(words: &mut [W; 8]) {
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

/// Numbers a band: what [`BandKeys`] has of it, and faults: other than 0 if its rows and boxes do not have nine different digits each.
#[inline(always)]
fn number(rows: &[[&Lane; 9]; 3]) -> [Lane; 6] {
    let [mut middle, mut right, mut sorted, mut faults] = [[0_u8; BATCH]; 4];
    let mut sets = [[0; BATCH]; 3];
    for row in 0..3 {
        let (one, other) = (rows[[1, 0, 0][row]], rows[[2, 2, 1][row]]);
        let left = [one[0], one[1], one[2], other[0], other[1], other[2]];
        // Not by a closure, which would be compiled for every machine.
        let (a, b, c) = (places(rows[row][3], left), places(rows[row][4], left), places(rows[row][5], left));
        let (d, e, f) = (places(rows[row][6], left), places(rows[row][7], left), places(rows[row][8], left));
        for i in 0..BATCH {
            let [a, b, c, d, e, f] = [a[i], b[i], c[i], d[i], e[i], f[i]];
            // Six sets of six things: no thing missing, none twice, no set empty.
            let all = a | b | c | d | e | f;
            let sum = a.wrapping_add(b).wrapping_add(c).wrapping_add(d).wrapping_add(e).wrapping_add(f);
            let least = a.min(b).min(c).min(d).min(e).min(f);
            faults[i] |= (all ^ 63) | (sum ^ 63) | u8::from(least == 0);
            sets[row][i] = a | b | c;
            middle[i] = middle[i].wrapping_mul(6).wrapping_add(order_of(a, b, c));
            right[i] = right[i].wrapping_mul(6).wrapping_add(order_of(d, e, f));
        }
        if row == 0 {
            for i in 0..BATCH {
                sorted[i] = 6 * middle[i] + right[i];
            }
        }
    }
    let [top, second, last] = sets;
    for i in 0..BATCH {
        // No digit stands in two rows of the middle box.
        faults[i] |= (top[i] >> 3 & second[i] >> 3) | (top[i] & 7 & last[i] >> 3) | (second[i] & 7 & last[i] & 7);
    }
    [top, second, middle, right, sorted, faults]
}

/// Which of six other digits a digit is: a bit, or none or several where the rules do not hold.
#[inline(always)]
fn places(digit: &Lane, others: [&Lane; 6]) -> Lane {
    let mut places = [0; BATCH];
    for i in 0..BATCH {
        let mut place = 0;
        for (k, other) in others.iter().enumerate() {
            place |= if other[i] == digit[i] { 1 << k } else { 0 };
        }
        places[i] = place;
    }
    places
}

/// The number of the order in which three different values stand: that of their ranks in [`ORDERS`](super::tables::ORDERS).
#[inline(always)]
pub(super) fn order_of(a: u8, b: u8, c: u8) -> u8 {
    2 * (u8::from(b < a) + u8::from(c < a)) + u8::from(c < b)
}
