//! Vectors of sixteen bytes that serve as tables and as indices: a lookup in every lane is one instruction where there
//! are vectors.

use std::hint::select_unpredictable;

use super::ROW9;
use super::cells9::{Cells9, transposed};

/// A vector of sixteen bytes.
///
/// A value of a type that implements this trait proves that the machine has the instructions of the type: an unsafe
/// function makes the first value, and all others are made from it. All functions are always inlined, so that they
/// become instructions inside the functions that are compiled for them.
pub(crate) trait Bytes16: Copy {
    fn load(self, bytes: &[u8; 16]) -> Self;
    fn store(self, bytes: &mut [u8; 16]);
    /// Looks up bytes: byte i of the result is byte `places[i]` of `self`; places are below 16.
    fn pick(self, places: Self) -> Self;

    /// Returns the smaller of each two bytes.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        let [mut a, mut b] = [[0; 16]; 2];
        self.store(&mut a);
        other.store(&mut b);
        for (a, b) in a.iter_mut().zip(b) {
            *a = b.min(*a);
        }
        self.load(&a)
    }

    /// Compares bytes: bit i is set if byte i is less than that of `other`. Both are below 128.
    #[inline(always)]
    fn less(self, other: Self) -> u32 {
        let [mut a, mut b] = [[0; 16]; 2];
        self.store(&mut a);
        other.store(&mut b);
        let mut less = 0;
        for (i, (a, b)) in a.iter().zip(b).enumerate() {
            less |= u32::from(*a < b) << i;
        }
        less
    }

    /// Compares bytes: bit i is set if byte i equals that of `other`.
    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        let [mut a, mut b] = [[0; 16]; 2];
        self.store(&mut a);
        other.store(&mut b);
        let mut equal = 0;
        for (i, (a, b)) in a.iter().zip(b).enumerate() {
            equal |= u32::from(*a == b) << i;
        }
        equal
    }

    /// Returns byte 0.
    #[inline(always)]
    fn first(self) -> u8 {
        let mut bytes = [0; 16];
        self.store(&mut bytes);
        bytes[0]
    }

    /// Inverts a permutation: the first nine bytes are the digits 1 to 9, each once; byte d of the result is the place
    /// of digit d, counted from 1. Byte 0 is 0. The other bytes of `self` may be anything.
    #[inline(always)]
    fn inverse(self) -> Self {
        let [mut digits, mut places] = [[0; 16]; 2];
        self.store(&mut digits);
        for (&digit, place) in digits[..9].iter().zip(1..) {
            places[usize::from(digit & 15)] = place;
        }
        self.load(&places)
    }

    /// Exchanges rows and columns of a board of side 9.
    #[inline(always)]
    fn transposed(self, cells: &Cells9) -> Cells9 {
        transposed(cells)
    }

    /// Permutes the cells of a board of side 9, whose bytes are below 16, and renames them.
    #[inline(always)]
    fn moved(self, cells: &Cells9, by: Permutation9<'_, Self>) -> Cells9 {
        let Permutation9 { transpose, rows, columns, names } = by;
        let transposed = self.transposed(cells);
        let cells = select_unpredictable(transpose, &transposed, cells);
        let mut made = [0; ROW9];
        for (row, &from) in rows[..9].iter().enumerate() {
            // This writes seven bytes more than a row has; the next row overwrites them.
            if let Some(to) = made[9 * row..].first_chunk_mut() {
                names.pick(self.load(row_of(cells, from)).pick(columns)).store(to);
            }
        }
        made
    }
}

/// A permutation of the cells of a board of side 9, and new names: cell (i, j) becomes `names[b]`, where b is the byte at
/// row `rows[i]` and column `columns[j]`, or if `transpose` at row `columns[j]` and column `rows[i]`.
pub(crate) struct Permutation9<'a, B> {
    pub transpose: bool,
    pub rows: &'a [u8; 16],
    pub columns: B,
    pub names: B,
}

/// Returns sixteen digits from the start of a row: the nine of the row, and what follows them.
#[inline(always)]
pub(crate) fn row_of(digits: &Cells9, row: u8) -> &[u8; 16] {
    let row = usize::from(row).min(8);
    digits[9 * row..].first_chunk().unwrap_or(&[0; 16])
}

/// A task that needs these lookups. [`Bytes16Task::run`] and everything that it calls must be `#[inline(always)]`.
pub(crate) trait Bytes16Task {
    /// The result of the task.
    type Output;

    /// Runs the task.
    fn run<B: Bytes16>(self, bytes: B) -> Self::Output;
}

/// Sixteen bytes in plain Rust.
#[derive(Clone, Copy)]
pub(crate) struct Plain16([u8; 16]);

impl Plain16 {
    pub(crate) const NONE: Self = Self([0; 16]);
}

impl Bytes16 for Plain16 {
    #[inline(always)]
    fn load(self, bytes: &[u8; 16]) -> Self {
        Self(*bytes)
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8; 16]) {
        *bytes = self.0;
    }
    #[inline(always)]
    fn pick(self, places: Self) -> Self {
        Self(places.0.map(|place| self.0[usize::from(place & 15)]))
    }
}

#[cfg(test)]
pub(in crate::kernels) mod tests {
    use super::*;

    /// Checks every operation of a type against its description.
    pub(in crate::kernels) fn check<B: Bytes16>(b: B) {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u8
        };
        for _ in 0..crate::kernels::rounds(2_000) {
            let table: [u8; 16] = std::array::from_fn(|_| random());
            let places: [u8; 16] = std::array::from_fn(|_| random() & 15);
            let mut picked = [0; 16];
            b.load(&table).pick(b.load(&places)).store(&mut picked);
            assert_eq!(picked, places.map(|place| table[usize::from(place)]));

            let [one, other]: [[u8; 16]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| random() & 127));
            let (a, b) = (b.load(&one), b.load(&other));
            a.min(b).store(&mut picked);
            assert_eq!(picked, std::array::from_fn(|i| one[i].min(other[i])));
            assert_eq!(a.less(b), (0..16).fold(0, |bits, i| bits | u32::from(one[i] < other[i]) << i));
            let (few, same) = (one.map(|byte| byte & 3), other.map(|byte| byte & 3));
            let equal = (0..16).fold(0, |bits, i| bits | u32::from(few[i] == same[i]) << i);
            assert_eq!((a.load(&few).equal(a.load(&same)), a.first()), (equal, one[0]));

            let mut digits = table;
            (0..9).for_each(|i| digits[usize::from(i)] = i + 1);
            (1..9).rev().for_each(|i| digits.swap(i, usize::from(places[i]) % (i + 1)));
            a.load(&digits).inverse().store(&mut picked);
            let cells = std::array::from_fn(|_| random());
            let transposed = a.transposed(&cells);
            assert!((0..81).all(|cell| transposed[cell] == cells[cell % 9 * 9 + cell / 9]));

            let cells = cells.map(|byte: u8| byte & 15);
            let [rows, columns] = [one, other].map(|lines| lines.map(|line| line % 9));
            for transpose in [false, true] {
                let (columns_of, names) = (a.load(&columns), a.load(&table));
                let moved = a.moved(&cells, Permutation9 { transpose, rows: &rows, columns: columns_of, names });
                for cell in 0..81 {
                    let (row, column) = (usize::from(rows[cell / 9]), usize::from(columns[cell % 9]));
                    let from = if transpose { 9 * column + row } else { 9 * row + column };
                    assert_eq!(moved[cell], table[usize::from(cells[from])]);
                }
            }

            assert_eq!(picked[0], 0);
            assert!((0..9).all(|i| picked[usize::from(digits[i])] == i as u8 + 1), "{digits:?} {picked:?}");
        }
    }

    #[test]
    fn plain_bytes_do_what_they_say() {
        check(Plain16::NONE);
    }
}
