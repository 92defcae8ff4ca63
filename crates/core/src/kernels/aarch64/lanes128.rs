//! The lanes of the bit-sliced solver in vectors of 128 bits.
#![allow(unsafe_code)] // intrinsics, and the calls into functions that need their instructions
#![allow(unused_unsafe)] // where the target has NEON anyway

use std::arch::aarch64::*;

use crate::kernels::bitslice::{BitVector, Lanes, ThreeBits, WordVector, block, of_two};

/// 128 lanes. A value is the proof that the machine has what [`super::detected`] checks for.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Lanes128(uint32x4_t);

block!(Block128, Lanes128, "neon");

impl Lanes128 {
    /// Makes the first value.
    ///
    /// # Safety
    /// [`super::detected`] must have returned true.
    pub(super) unsafe fn new() -> Self {
        // SAFETY: the caller promises NEON.
        Self(unsafe { vdupq_n_u32(0) })
    }
}

/// Calls an intrinsic that does not access memory, on values of [`Lanes128`].
macro_rules! on {
    ($intrinsics:expr) => {{
        // SAFETY: the arguments come from a value of the type, which exists only where the machine has NEON.
        unsafe { $intrinsics }
    }};
}

impl BitVector for Lanes128 {
    const LANES: usize = 128;

    #[inline(always)]
    fn splat(self, word: u32) -> Self {
        Self(on!(vdupq_n_u32(word)))
    }
    #[inline(always)]
    fn load(self, words: &[u32]) -> Self {
        let words: &[u32; 4] = words.first_chunk().expect("a vector of words");
        // SAFETY: the reference covers the 16 bytes that are read; `self` proves the instructions.
        Self(unsafe { vld1q_u32(words.as_ptr()) })
    }
    #[inline(always)]
    fn store(self, words: &mut [u32]) {
        let words: &mut [u32; 4] = words.first_chunk_mut().expect("a vector of words");
        // SAFETY: the reference covers the 16 bytes that are written; `self` proves the instructions.
        unsafe { vst1q_u32(words.as_mut_ptr(), self.0) }
    }
    of_two!(on: and = vandq_u32, or = vorrq_u32, xor = veorq_u32, and_not = vbicq_u32);
    #[inline(always)]
    fn any(self) -> bool {
        on!(vmaxvq_u32(self.0)) != 0
    }
    #[inline(always)]
    fn count(self) -> u32 {
        u32::from(on!(vaddvq_u8(vcntq_u8(vreinterpretq_u8_u32(self.0)))))
    }
}

impl ThreeBits for Lanes128 {
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        // Where the first two differ, the third one decides.
        self.xor(b).select(c, b)
    }
    #[inline(always)]
    fn select(self, b: Self, c: Self) -> Self {
        Self(on!(vbslq_u32(self.0, b.0, c.0)))
    }
}

impl WordVector for Lanes128 {
    #[inline(always)]
    fn shl(self, by: u32) -> Self {
        Self(on!(vshlq_u32(self.0, vdupq_n_s32(by as i32))))
    }
    #[inline(always)]
    fn shr(self, by: u32) -> Self {
        Self(on!(vshlq_u32(self.0, vdupq_n_s32(-(by as i32)))))
    }
    of_two!(on: add = vaddq_u32, sub = vsubq_u32, greater = vcgtq_u32);
    #[inline(always)]
    fn popcounts(self) -> Self {
        Self(on!(vpaddlq_u16(vpaddlq_u8(vcntq_u8(vreinterpretq_u8_u32(self.0))))))
    }
    #[inline(always)]
    fn nonzero(self) -> Self {
        Self(on!(vtstq_u32(self.0, self.0)))
    }
    #[inline(always)]
    fn nonzero_bits(self) -> u32 {
        let words = [1, 2, 4, 8];
        on!(vaddvq_u32(vandq_u32(vtstq_u32(self.0, self.0), self.load(&words).0)))
    }
}

impl Lanes for Lanes128 {
    #[inline(always)]
    fn compress(self, keep: u32) -> Self {
        let (mut words, mut kept, mut n) = ([0; 4], [0; 4], 0);
        self.store(&mut words);
        for (j, word) in words.into_iter().enumerate() {
            kept[n] = word;
            n += (keep >> j & 1) as usize & usize::from(n < 3);
        }
        self.load(&kept)
    }
}

#[cfg(test)]
#[test]
fn lanes_do_what_they_say() {
    if super::detected() {
        // SAFETY: the feature was just detected.
        crate::kernels::bitslice::check(unsafe { Lanes128::new() });
    }
}
