//! The bands of many grids, numbered side by side: what is looked up of them in the tables afterwards.

use crate::board::BATCH;
use crate::kernels::{ROW9, Work};

/// A byte for each board.
pub(super) type Lane = [u8; BATCH];

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

/// Numbers the bands of boards, whose digits stand by cell. What comes of it has a bit for each board that obeys the rules; of others
/// nothing is promised.
pub(super) struct NumberBands<'a> {
    pub cells: &'a [Lane; ROW9],
    pub keys: &'a mut BandKeys,
}

impl Work for NumberBands<'_> {
    type Done = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let cells = self.cells;
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
