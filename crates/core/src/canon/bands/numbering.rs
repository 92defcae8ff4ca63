//! Numbers the bands of many grids and looks them up, in parallel.

use super::tables::{BandOrders, BandTables, lower_orders, order_of, share};
use crate::board::BATCH;
use crate::kernels::{ROW9, SimdTask};

/// One byte for each board.
pub(super) type Lane = [u8; BATCH];

/// The six bands of each board: three of rows, three of columns.
pub(super) struct NumberedBands {
    pub orders: [[BandOrders; BATCH]; 6],
    /// The numbers in [`ORDERS`](super::tables::ORDERS) of the orders of the top rows of the middle and the right box,
    /// as digits of base 6.
    pub sorted: [Lane; 6],
    /// For each band, the boards in which it is of the least class, one bit each.
    pub least: [u64; 6],
}

impl NumberedBands {
    pub(super) const NONE: Self =
        Self { orders: [[BandOrders::NONE; BATCH]; 6], sorted: [[0; BATCH]; 6], least: [0; 6] };
}

/// The values that identify a band of each board.
struct BandKeys {
    /// How the digits are distributed among the rows of the middle box.
    shares: Lane,
    /// The orders of the lower rows of the middle box after its columns are sorted by their top digits.
    middle: Lane,
    /// The same for the right box.
    right: Lane,
    /// The orders of the top rows of both.
    sorted: Lane,
    /// Not 0 if a row or box does not have nine different digits.
    faults: Lane,
}

/// Numbers the bands of boards, whose digits are ordered by cell. The output has one bit for each board that obeys the
/// rules; the results of other boards are unspecified.
pub(super) struct NumberBands<'a> {
    pub tables: &'a BandTables,
    pub cells: &'a [Lane; ROW9],
    pub numbered: &'a mut NumberedBands,
}

impl SimdTask for NumberBands<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Self { tables, cells, numbered } = self;
        let mut faults = [0; BATCH];
        let mut least = [u16::MAX; BATCH];
        for band in 0..6 {
            let (first, row_step, column_step) = if band < 3 { (27 * band, 9, 1) } else { (3 * (band - 3), 1, 9) };
            let mut rows = [[&cells[0]; 9]; 3];
            for (row, lanes) in rows.iter_mut().enumerate() {
                for (column, lane) in lanes.iter_mut().enumerate() {
                    *lane = &cells[first + row * row_step + column * column_step];
                }
            }
            let keys = number(&rows);
            let orders = tables.bands(&keys.shares, &keys.middle, &keys.right);
            for i in 0..BATCH {
                faults[i] |= keys.faults[i];
                least[i] = least[i].min(orders[i].class());
            }
            (numbered.orders[band], numbered.sorted[band]) = (orders, keys.sorted);
        }
        for (of_least, orders) in numbered.least.iter_mut().zip(&numbered.orders) {
            *of_least = 0;
            for i in 0..BATCH {
                *of_least |= u64::from(orders[i].class() == least[i]) << i;
            }
        }
        let obeys = |fault: u8| u64::from(fault == 0);
        faults.iter().enumerate().fold(0, |good, (board, &fault)| good | obeys(fault) << board)
    }
}

/// Numbers a band.
#[inline(always)]
fn number(rows: &[[&Lane; 9]; 3]) -> BandKeys {
    let (mut faults, mut sets) = ([0; BATCH], [[0; BATCH]; 3]);
    // The digits in the columns of the middle and the right box, by row.
    let (mut middle, mut right) = ([[[0; BATCH]; 3]; 3], [[[0; BATCH]; 3]; 3]);
    for row in 0..3 {
        let (one, other) = (rows[[1, 0, 0][row]], rows[[2, 2, 1][row]]);
        let left = [one[0], one[1], one[2], other[0], other[1], other[2]];
        // This does not use a closure, which would not be compiled for the instruction set.
        let (a, b, c) = (places(rows[row][3], left), places(rows[row][4], left), places(rows[row][5], left));
        let (d, e, f) = (places(rows[row][6], left), places(rows[row][7], left), places(rows[row][8], left));
        for i in 0..BATCH {
            let [a, b, c, d, e, f] = [a[i], b[i], c[i], d[i], e[i], f[i]];
            // Six sets of six things must have no thing missing, none twice, and no empty set.
            let all = a | b | c | d | e | f;
            let sum = a.wrapping_add(b).wrapping_add(c).wrapping_add(d).wrapping_add(e).wrapping_add(f);
            let least = a.min(b).min(c).min(d).min(e).min(f);
            faults[i] |= (all ^ 63) | (sum ^ 63) | u8::from(least == 0);
            sets[row][i] = a | b | c;
        }
        (middle[row], right[row]) = ([a, b, c], [d, e, f]);
    }
    let [top, second, last] = sets;
    let mut shares = [0; BATCH];
    for i in 0..BATCH {
        // No digit may be in two rows of the middle box.
        faults[i] |= (top[i] >> 3 & second[i] >> 3) | (top[i] & 7 & last[i] >> 3) | (second[i] & 7 & last[i] & 7);
        shares[i] = share([top[i], second[i]]);
    }
    let ((middle, middle_top), (right, right_top)) = (lower(middle), lower(right));
    let mut sorted = [0; BATCH];
    for i in 0..BATCH {
        sorted[i] = 6 * middle_top[i] + right_top[i];
    }
    BandKeys { shares, middle, right, sorted, faults }
}

/// Returns the orders of the lower rows of a box after its columns are sorted by their top digits, and the order of the
/// top row before sorting.
#[inline(always)]
fn lower([mut top, mut second, mut third]: [[Lane; 3]; 3]) -> (Lane, Lane) {
    let (mut lower, mut order) = ([0; BATCH], [0; BATCH]);
    for i in 0..BATCH {
        order[i] = order_of(top[0][i], top[1][i], top[2][i]);
    }
    for (one, other) in [(0, 1), (1, 2), (0, 1)] {
        // The mask has all bits or none, because conditional exchanges of bytes are not vectorised on all machines.
        let mut exchanged = [0; BATCH];
        for i in 0..BATCH {
            exchanged[i] = if top[other][i] < top[one][i] { u8::MAX } else { 0 };
        }
        for row in [&mut top, &mut second, &mut third] {
            for i in 0..BATCH {
                let change = (row[one][i] ^ row[other][i]) & exchanged[i];
                row[one][i] ^= change;
                row[other][i] ^= change;
            }
        }
    }
    for i in 0..BATCH {
        let [second, third] = [[second[0][i], second[1][i], second[2][i]], [third[0][i], third[1][i], third[2][i]]];
        lower[i] = lower_orders([order_of(second[0], second[1], second[2]), order_of(third[0], third[1], third[2])]);
    }
    (lower, order)
}

/// Returns which of six other digits a digit equals, as one bit; there are none or several if the grid does not obey
/// the rules.
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
