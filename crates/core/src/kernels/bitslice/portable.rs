//! The lanes in plain Rust: the 64 bits of a word.

#![allow(unsafe_code)] // `block!`, which calls no unsafe function here

use super::lanes::{BitVector, Lanes, ThreeBits, WordVector};
use super::{Block, ExtraHouse, block};

block!(Portable, u64);

/// Makes a block of 64 lanes, which works on every machine.
pub(crate) fn portable_block(houses: Vec<ExtraHouse>) -> Box<dyn Block> {
    Portable::boxed(0, houses)
}

/// Applies a function of two 32-bit words to both halves.
#[inline(always)]
fn halves(a: u64, b: u64, f: impl Fn(u32, u32) -> u32) -> u64 {
    u64::from(f(a as u32, b as u32)) | u64::from(f((a >> 32) as u32, (b >> 32) as u32)) << 32
}

impl BitVector for u64 {
    const LANES: usize = 64;

    #[inline(always)]
    fn splat(self, word: u32) -> Self {
        u64::from(word) * 0x1_0000_0001
    }
    #[inline(always)]
    fn load(self, words: &[u32]) -> Self {
        u64::from(words[0]) | u64::from(words[1]) << 32
    }
    #[inline(always)]
    fn store(self, words: &mut [u32]) {
        words[..2].copy_from_slice(&[self as u32, (self >> 32) as u32]);
    }
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        self & b
    }
    #[inline(always)]
    fn or(self, b: Self) -> Self {
        self | b
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        self ^ b
    }
    #[inline(always)]
    fn and_not(self, b: Self) -> Self {
        self & !b
    }
    #[inline(always)]
    fn any(self) -> bool {
        self != 0
    }
    #[inline(always)]
    fn count(self) -> u32 {
        self.count_ones()
    }
}

impl ThreeBits for u64 {}

impl WordVector for u64 {
    #[inline(always)]
    fn shl(self, by: u32) -> Self {
        halves(self, 0, |a, _| a << by)
    }
    #[inline(always)]
    fn shr(self, by: u32) -> Self {
        halves(self, 0, |a, _| a >> by)
    }
    #[inline(always)]
    fn exchange(self, b: Self, by: u32, mask: u32) -> (Self, Self) {
        // This takes fewer steps, because a selection by a mask takes three.
        let differ = (self.shr(by) ^ b) & self.splat(mask);
        (self ^ differ.shl(by), b ^ differ)
    }
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        halves(self, b, u32::wrapping_add)
    }
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        halves(self, b, u32::wrapping_sub)
    }
    #[inline(always)]
    fn popcounts(self) -> Self {
        halves(self, 0, |a, _| a.count_ones())
    }
    #[inline(always)]
    fn nonzero(self) -> Self {
        halves(self, 0, |a, _| if a != 0 { u32::MAX } else { 0 })
    }
    #[inline(always)]
    fn greater(self, b: Self) -> Self {
        halves(self, b, |a, b| if a > b { u32::MAX } else { 0 })
    }
    #[inline(always)]
    fn nonzero_bits(self) -> u32 {
        u32::from(self as u32 != 0) | u32::from(self >> 32 != 0) << 1
    }
}

impl Lanes for u64 {
    #[inline(always)]
    fn compress(self, keep: u32) -> Self {
        if keep & 1 == 0 { self >> 32 } else { self }
    }
    #[inline(always)]
    fn peers(self) -> (Self, Self) {
        use super::{COLUMN, PEERS};
        let of = |table: &[u32; 32]| halves(self, 0, |a, _| table[a.trailing_zeros() as usize & 31]);
        (of(&PEERS), of(&COLUMN))
    }
}
