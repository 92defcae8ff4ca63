//! A row in plain Rust: four words of four masks each, one word for each box that the row crosses.

use super::{Grid16, Row16, rows16};
use crate::kernels::vector::Vector;

/// A row that works on every machine.
#[derive(Clone, Copy)]
struct RowWords([u64; 4]);

rows16!(propagate_words, RowWords);

/// [`super::Propagate16`] for every machine.
pub(in crate::kernels) fn propagate(grid: &mut Grid16) -> bool {
    propagate_words(RowWords([0; 4]), grid)
}

/// The highest bit of each mask, and the lowest.
const HIGH: u64 = 0x8000_8000_8000_8000;
const LOW: u64 = 0x0001_0001_0001_0001;

impl RowWords {
    #[inline(always)]
    fn each(self, f: impl Fn(u64) -> u64) -> Self {
        let [a, b, c, d] = self.0;
        Self([f(a), f(b), f(c), f(d)])
    }

    #[inline(always)]
    fn with(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        let ([a, b, c, d], [e, g, h, i]) = (self.0, other.0);
        Self([f(a, e), f(b, g), f(c, h), f(d, i)])
    }
}

impl Vector for RowWords {
    #[inline(always)]
    fn zero(self) -> Self {
        Self([0; 4])
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
        let [a, b, c, d] = self.0;
        a | b | c | d == 0
    }
    #[inline(always)]
    fn empty(self) -> Self {
        // This sets the high bit of each mask that is not 0, by a sum that never carries into the next mask.
        self.each(|word| {
            let some = (((word & !HIGH) + !HIGH) | word) & HIGH;
            !((some >> 15) * 0xFFFF)
        })
    }
    #[inline(always)]
    fn several(self) -> Self {
        // The high bit is set first, so nothing is borrowed from the next mask.
        self.each(|word| word & ((word | HIGH) - LOW))
    }
}

impl Row16 for RowWords {
    #[inline(always)]
    fn splat(self, mask: u16) -> Self {
        Self([u64::from(mask) * LOW; 4])
    }
    #[inline(always)]
    fn load(self, masks: &[u16; 16]) -> Self {
        let word = |from: usize| {
            u64::from(masks[from])
                | u64::from(masks[from + 1]) << 16
                | u64::from(masks[from + 2]) << 32
                | u64::from(masks[from + 3]) << 48
        };
        Self([word(0), word(4), word(8), word(12)])
    }
    #[inline(always)]
    fn store(self, masks: &mut [u16; 16]) {
        for (i, mask) in masks.iter_mut().enumerate() {
            *mask = (self.0[i / 4] >> (16 * (i % 4))) as u16;
        }
    }
    #[inline(always)]
    fn rotate<const BY: usize>(self) -> Self {
        self.each(|word| word.rotate_right(16 * BY as u32))
    }
    #[inline(always)]
    fn rotate_groups<const BY: usize>(self) -> Self {
        Self([self.0[BY], self.0[(BY + 1) % 4], self.0[(BY + 2) % 4], self.0[(BY + 3) % 4]])
    }
    #[inline(always)]
    fn transpose(rows: &[Self; 16]) -> [Self; 16] {
        let mut transposed = [Self([0; 4]); 16];
        for across in 0..4 {
            for down in 0..4 {
                let [mut a, mut b, mut c, mut d] = [0, 1, 2, 3].map(|i| rows[4 * down + i].0[across]);
                exchange(&mut a, &mut c, 32, 0x0000_0000_FFFF_FFFF);
                exchange(&mut b, &mut d, 32, 0x0000_0000_FFFF_FFFF);
                exchange(&mut a, &mut b, 16, 0x0000_FFFF_0000_FFFF);
                exchange(&mut c, &mut d, 16, 0x0000_FFFF_0000_FFFF);
                for (i, word) in [a, b, c, d].into_iter().enumerate() {
                    transposed[4 * across + i].0[down] = word;
                }
            }
        }
        transposed
    }
}

/// Exchanges the upper parts of `a` with the lower parts of `b`. `by` is the distance between the two in bits, and
/// `low` the mask of the lower parts.
#[inline(always)]
fn exchange(a: &mut u64, b: &mut u64, by: u32, low: u64) {
    let (upper, lower) = (*a & !low, *b & low);
    *a = *a & low | lower << by;
    *b = *b & !low | upper >> by;
}

#[cfg(test)]
#[test]
fn rows_do_what_they_say() {
    super::check(RowWords([0; 4]));
}
