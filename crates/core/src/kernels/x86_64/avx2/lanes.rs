//! The lanes of the bit-sliced solver in vectors of 256 bits.
#![expect(unsafe_code)] // intrinsics, and the calls into functions that need their instructions

use std::arch::x86_64::*;

use super::text;
use super::vector::Lanes256;
use crate::kernels::bitslice::{BitVector, BlockState, Lanes, ThreeBits, WordVector, block, of_two};

block!(Block256, Lanes256, "avx2,popcnt,bmi1,bmi2,lzcnt");

/// Calls an intrinsic that does not access memory, on values of [`Lanes256`].
macro_rules! on {
    ($intrinsics:expr) => {{
        // SAFETY: the arguments come from a value of the type, which exists only where the machine has AVX2.
        unsafe { $intrinsics }
    }};
}

/// For every set of eight words, the indices of its words, moved to the front.
static PACKED: [[u32; 8]; 256] = packed();

const fn packed() -> [[u32; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut keep = 0;
    while keep < 256 {
        let (mut n, mut i) = (0, 0);
        while i < 8 {
            if keep >> i & 1 == 1 {
                table[keep][n] = i as u32;
                n += 1;
            }
            i += 1;
        }
        keep += 1;
    }
    table
}

impl BitVector for Lanes256 {
    const LANES: usize = 256;

    #[inline(always)]
    fn splat(self, word: u32) -> Self {
        Self(on!(_mm256_set1_epi32(word as i32)))
    }
    #[inline(always)]
    fn load(self, words: &[u32]) -> Self {
        let words: &[u32; 8] = words.first_chunk().expect("a vector of words");
        // SAFETY: the reference covers the 32 bytes that are read; `self` proves the instructions.
        Self(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, words: &mut [u32]) {
        let words: &mut [u32; 8] = words.first_chunk_mut().expect("a vector of words");
        // SAFETY: the reference covers the 32 bytes that are written; `self` proves the instructions.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
    }
    of_two!(on: and = _mm256_and_si256, or = _mm256_or_si256, xor = _mm256_xor_si256);
    #[inline(always)]
    fn and_not(self, b: Self) -> Self {
        Self(on!(_mm256_andnot_si256(b.0, self.0)))
    }
    #[inline(always)]
    fn any(self) -> bool {
        on!(_mm256_testz_si256(self.0, self.0)) == 0
    }
    #[inline(always)]
    fn count(self) -> u32 {
        let mut words = [0; 8];
        self.store(&mut words);
        words.iter().map(|word| word.count_ones()).sum()
    }
}

impl ThreeBits for Lanes256 {}

impl WordVector for Lanes256 {
    #[inline(always)]
    fn shl(self, by: u32) -> Self {
        Self(on!(_mm256_sllv_epi32(self.0, _mm256_set1_epi32(by as i32))))
    }
    #[inline(always)]
    fn shr(self, by: u32) -> Self {
        Self(on!(_mm256_srlv_epi32(self.0, _mm256_set1_epi32(by as i32))))
    }
    of_two!(on: add = _mm256_add_epi32, sub = _mm256_sub_epi32, greater = _mm256_cmpgt_epi32);
    #[inline(always)]
    fn popcounts(self) -> Self {
        on!({
            let ones = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
            let low = _mm256_set1_epi8(15);
            let bytes = _mm256_add_epi8(
                _mm256_shuffle_epi8(ones, _mm256_and_si256(self.0, low)),
                _mm256_shuffle_epi8(ones, _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), low)),
            );
            Self(_mm256_madd_epi16(_mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1)), _mm256_set1_epi16(1)))
        })
    }
    #[inline(always)]
    fn nonzero(self) -> Self {
        let zero = Self(on!(_mm256_cmpeq_epi32(self.0, _mm256_setzero_si256())));
        zero.xor(self.splat(u32::MAX))
    }
    #[inline(always)]
    fn nonzero_bits(self) -> u32 {
        let zero = on!(_mm256_cmpeq_epi32(self.0, _mm256_setzero_si256()));
        on!(_mm256_movemask_ps(_mm256_castsi256_ps(zero))) as u32 ^ 0xFF
    }
}

impl Lanes for Lanes256 {
    #[inline(always)]
    fn compress(self, keep: u32) -> Self {
        let places = self.load(&PACKED[keep as usize & 0xFF]);
        Self(on!(_mm256_permutevar8x32_epi32(self.0, places.0)))
    }
    #[inline(always)]
    fn load_text(self, state: &mut BlockState<Self>, text: &[u8], pitch: usize) {
        // SAFETY: `self` proves the instructions.
        unsafe { text::load_text(self, state, text, pitch) }
    }
}

#[cfg(test)]
#[test]
fn lanes_do_what_they_say() {
    if super::detected() {
        // SAFETY: the features were just detected.
        crate::kernels::bitslice::check(unsafe { Lanes256::new() });
    }
}
