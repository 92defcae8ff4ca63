//! The bands of many grids, numbered and looked up side by side.

use super::tables::{BandOrders, Tables, order_of};
use crate::board::BATCH;
use crate::kernels::{ROW9, Work};

/// A byte for each board.
pub(super) type Lane = [u8; BATCH];

/// The six bands of each board: three of rows, three of columns.
pub(super) struct NumberedBands {
    pub orders: [[BandOrders; BATCH]; 6],
    /// The orders of the top rows of the middle and the right box by their numbers in [`ORDERS`](super::tables::ORDERS), as digits of
    /// base 6.
    pub sorted: [Lane; 6],
    /// The least class of the bands of a board.
    pub least: [u16; BATCH],
}

impl NumberedBands {
    pub(super) const NONE: Self =
        Self { orders: [[BandOrders::NONE; BATCH]; 6], sorted: [[0; BATCH]; 6], least: [0; BATCH] };
}

/// What numbers a band of each board.
struct BandKeys {
    /// Which of the six digits that the left box has in its other rows stand in the top row of the middle box.
    top: Lane,
    /// The same of the middle row.
    second: Lane,
    /// The orders of the rows of the middle box, as digits of base 6.
    middle: Lane,
    /// The same of the right box.
    right: Lane,
    /// The orders of the top rows of both.
    sorted: Lane,
    /// Other than 0 if its rows and boxes do not have nine different digits each.
    faults: Lane,
}

/// Numbers the bands of boards, whose digits stand by cell. What comes of it has a bit for each board that obeys the rules; of others
/// nothing is promised.
pub(super) struct NumberBands<'a> {
    pub tables: &'a Tables,
    pub cells: &'a [Lane; ROW9],
    pub numbered: &'a mut NumberedBands,
}

impl Work for NumberBands<'_> {
    type Done = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Self { tables, cells, numbered } = self;
        let mut faults = [0; BATCH];
        numbered.least = [u16::MAX; BATCH];
        for band in 0..6 {
            let (first, row_step, column_step) = if band < 3 { (27 * band, 9, 1) } else { (3 * (band - 3), 1, 9) };
            let mut rows = [[&cells[0]; 9]; 3];
            for (row, lanes) in rows.iter_mut().enumerate() {
                for (column, lane) in lanes.iter_mut().enumerate() {
                    *lane = &cells[first + row * row_step + column * column_step];
                }
            }
            let keys = number(&rows);
            let orders = tables.bands([&keys.top, &keys.second, &keys.middle, &keys.right]);
            for i in 0..BATCH {
                faults[i] |= keys.faults[i];
                numbered.least[i] = numbered.least[i].min(orders[i].class());
            }
            (numbered.orders[band], numbered.sorted[band]) = (orders, keys.sorted);
        }
        let obeys = |fault: u8| u64::from(fault == 0);
        faults.iter().enumerate().fold(0, |good, (board, &fault)| good | obeys(fault) << board)
    }
}

/// Numbers a band.
#[inline(always)]
fn number(rows: &[[&Lane; 9]; 3]) -> BandKeys {
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
    BandKeys { top, second, middle, right, sorted, faults }
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
