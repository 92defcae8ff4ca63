//! Sixteen bytes as a table and as places in one: a look-up in every lane is one instruction where there are vectors.

use std::hint::select_unpredictable;

use super::ROW9;
use super::cells9::{Cells9, transposed};

/// Sixteen bytes.
///
/// A value of a type that implements this is the proof that the machine has the instructions of the type: the first one is
/// made by an unsafe function, all others out of it. All functions are inlined always, so that they become instructions
/// inside the functions that are compiled for them.
pub(crate) trait Bytes16: Copy {
    fn load(self, bytes: &[u8; 16]) -> Self;
    fn store(self, bytes: &mut [u8; 16]);
    /// Byte i is byte `places[i]` of `self`; places are below 16.
    fn pick(self, places: Self) -> Self;

    /// The smaller one of each two bytes.
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

    /// Bit i: byte i is less than that of the other one; both below 128.
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

    /// Bit i: byte i is that of the other one.
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

    /// Byte 0.
    #[inline(always)]
    fn first(self) -> u8 {
        let mut bytes = [0; 16];
        self.store(&mut bytes);
        bytes[0]
    }

    /// Of nine digits, 1 to 9 each once, and anything after them: the place of each digit, from 1, at the digit. Byte 0 is 0.
    #[inline(always)]
    fn inverse(self) -> Self {
        let [mut digits, mut places] = [[0; 16]; 2];
        self.store(&mut digits);
        for (&digit, place) in digits[..9].iter().zip(1..) {
            places[usize::from(digit & 15)] = place;
        }
        self.load(&places)
    }

    /// A board of side 9 with rows for columns.
    #[inline(always)]
    fn transposed(self, cells: &Cells9) -> Cells9 {
        transposed(cells)
    }

    /// A board of side 9 moved: cell (i, j) gets byte `names[b]` of the byte b, below 16, at row `rows[i]` and column `columns[j]`, or if
    /// `turned` at row `columns[j]` and column `rows[i]`.
    #[inline(always)]
    fn moved(self, cells: &Cells9, turned: bool, rows: &[u8; 16], columns: Self, names: Self) -> Cells9 {
        let transposed = self.transposed(cells);
        let cells = select_unpredictable(turned, &transposed, cells);
        let mut made = [0; ROW9];
        for (row, &from) in rows[..9].iter().enumerate() {
            // Seven bytes more than a row has, which the next one overwrites.
            if let Some(to) = made[9 * row..].first_chunk_mut() {
                names.pick(self.load(row_of(cells, from)).pick(columns)).store(to);
            }
        }
        made
    }
}

/// Sixteen digits from the start of a row on: its nine, and what follows them.
#[inline(always)]
pub(crate) fn row_of(digits: &Cells9, row: u8) -> &[u8; 16] {
    let row = usize::from(row).min(8);
    digits[9 * row..].first_chunk().unwrap_or(&[0; 16])
}

/// Work that needs these look-ups. What [`Bytes16Work::run`] calls must be `#[inline(always)]`, and so must it be itself.
pub(crate) trait Bytes16Work {
    /// What comes of it.
    type Done;

    /// Does it.
    fn run<B: Bytes16>(self, bytes: B) -> Self::Done;
}

/// The bytes in plain Rust.
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

    /// Every operation of a type against what it says.
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
            let turned = a.transposed(&cells);
            assert!((0..81).all(|cell| turned[cell] == cells[cell % 9 * 9 + cell / 9]));

            let cells = cells.map(|byte: u8| byte & 15);
            let [rows, columns] = [one, other].map(|lines| lines.map(|line| line % 9));
            for turned in [false, true] {
                let moved = a.moved(&cells, turned, &rows, a.load(&columns), a.load(&table));
                for cell in 0..81 {
                    let (row, column) = (usize::from(rows[cell / 9]), usize::from(columns[cell % 9]));
                    let from = if turned { 9 * column + row } else { 9 * row + column };
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
