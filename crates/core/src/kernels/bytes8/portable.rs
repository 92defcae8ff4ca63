//! The 64 bytes in plain Rust: eight words, one for each row.

use super::{Bytes64, Frame8, Node8, Ways, bytes8};
use crate::kernels::vector::Vector;

/// A board that works on every machine.
#[derive(Clone, Copy)]
struct BoardWords([u64; 8]);

bytes8!(propagate_words, BoardWords);

/// [`super::Propagate8`] for every machine.
pub(in crate::kernels) fn propagate(node: &mut Node8, frame: &Frame8, ways: &[Ways]) -> bool {
    propagate_words(BoardWords([0; 8]), node, frame, ways)
}

/// The highest bit of each byte, and the lowest.
const HIGH: u64 = 0x8080_8080_8080_8080;
const LOW: u64 = 0x0101_0101_0101_0101;

impl BoardWords {
    #[inline(always)]
    fn each(self, f: impl Fn(u64) -> u64) -> Self {
        Self(self.0.map(f))
    }

    #[inline(always)]
    fn with(mut self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a = f(*a, b);
        }
        self
    }
}

/// Exchanges neighbouring groups of `by` bits; `low` is the mask of the lower group of each pair.
#[inline(always)]
fn exchange(word: u64, by: u32, low: u64) -> u64 {
    (word & low) << by | word >> by & low
}

impl Vector for BoardWords {
    #[inline(always)]
    fn zero(self) -> Self {
        Self([0; 8])
    }
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        self.with(b, |a, b| a & b)
    }
    #[inline(always)]
    fn or(self, b: Self) -> Self {
        self.with(b, |a, b| a | b)
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        self.with(b, |a, b| a ^ b)
    }
    #[inline(always)]
    fn and_not(self, b: Self) -> Self {
        self.with(b, |a, b| a & !b)
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        let mut all = 0;
        for word in self.0 {
            all |= word;
        }
        all == 0
    }
    #[inline(always)]
    fn empty(self) -> Self {
        // This sets the high bit of each byte that is not 0, by a sum that never carries into the next byte.
        self.each(|word| {
            let some = (((word & !HIGH) + !HIGH) | word) & HIGH;
            !((some >> 7) * 0xFF)
        })
    }
    #[inline(always)]
    fn several(self) -> Self {
        // The high bit is set first, so nothing is borrowed from the next byte.
        self.each(|word| word & ((word | HIGH) - LOW))
    }
}

impl Bytes64 for BoardWords {
    #[inline(always)]
    fn load(self, bytes: &[u8; 64]) -> Self {
        let mut words = [0; 8];
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        Self(words)
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8; 64]) {
        for (word, bytes) in self.0.iter().zip(bytes.as_chunks_mut().0) {
            *bytes = word.to_le_bytes();
        }
    }
    #[inline(always)]
    fn swap_columns<const BY: usize>(self) -> Self {
        self.each(|word| match BY {
            1 => exchange(word, 8, 0x00FF_00FF_00FF_00FF),
            2 => exchange(word, 16, 0x0000_FFFF_0000_FFFF),
            _ => word.rotate_right(32),
        })
    }
    #[inline(always)]
    fn swap_rows<const BY: usize>(self) -> Self {
        let mut rows = self.0;
        for (i, row) in rows.iter_mut().enumerate() {
            *row = self.0[i ^ BY];
        }
        Self(rows)
    }
    #[inline(always)]
    fn nonzero_words(self) -> u32 {
        let mut bits = 0;
        for (i, word) in self.0.into_iter().enumerate() {
            bits |= u32::from(word as u32 != 0) << (2 * i) | u32::from(word >> 32 != 0) << (2 * i + 1);
        }
        bits
    }
}

#[cfg(test)]
#[test]
fn grids_do_what_they_say() {
    super::check(BoardWords([0; 8]));
}
