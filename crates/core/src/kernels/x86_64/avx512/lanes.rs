//! The lanes of the bit-sliced solver in vectors of 512 bits. Every function of three bits is one instruction.
#![expect(unsafe_code)] // intrinsics, and the calls into functions that need their instructions

use std::arch::x86_64::*;

use super::text;
use super::vector::Lanes512;
use crate::kernels::bitslice::{BitVector, BlockState, Lanes, ThreeBits, WordVector, block, of_two};
use crate::kernels::x86_64::avx2::Lanes256;

/// Defines a block that is compiled for AVX-512.
macro_rules! avx512_block {
    ($($what:tt)*) => {
        block!(
            $($what)*,
            "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vbmi,avx512vbmi2,avx512vpopcntdq,gfni,popcnt,bmi1,bmi2,lzcnt"
        );
    };
}

avx512_block!(Block512, Lanes512);
// A block of half the width: its functions of three bits also become one instruction, and its data fits in the
// first-level cache.
avx512_block!(Block256, Lanes256, proof Lanes512);

/// Calls an intrinsic that does not access memory, on values of [`Lanes512`].
macro_rules! on {
    ($intrinsics:expr) => {{
        // SAFETY: the arguments come from a value of the type, which exists only where the machine has AVX-512.
        unsafe { $intrinsics }
    }};
}

/// Functions of three bits by their truth tables; `self` is the highest bit of the index into one.
macro_rules! of_three {
    ($($name:ident = $table:literal),+) => {$(
        #[inline(always)]
        fn $name(self, b: Self, c: Self) -> Self {
            Self(on!(_mm512_ternarylogic_epi64::<$table>(self.0, b.0, c.0)))
        }
    )+};
}

impl BitVector for Lanes512 {
    const LANES: usize = 512;

    #[inline(always)]
    fn splat(self, word: u32) -> Self {
        Self(on!(_mm512_set1_epi32(word as i32)))
    }
    #[inline(always)]
    fn load(self, words: &[u32]) -> Self {
        let words: &[u32; 16] = words.first_chunk().expect("a vector of words");
        // SAFETY: the reference covers the 64 bytes that are read; `self` proves the instructions.
        Self(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, words: &mut [u32]) {
        let words: &mut [u32; 16] = words.first_chunk_mut().expect("a vector of words");
        // SAFETY: the reference covers the 64 bytes that are written; `self` proves the instructions.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) }
    }
    of_two!(on: and = _mm512_and_si512, or = _mm512_or_si512, xor = _mm512_xor_si512);
    #[inline(always)]
    fn and_not(self, b: Self) -> Self {
        Self(on!(_mm512_andnot_si512(b.0, self.0)))
    }
    #[inline(always)]
    fn any(self) -> bool {
        on!(_mm512_test_epi32_mask(self.0, self.0)) != 0
    }
    #[inline(always)]
    fn count(self) -> u32 {
        on!(_mm512_reduce_add_epi64(_mm512_popcnt_epi64(self.0))) as u32
    }
}

impl ThreeBits for Lanes512 {
    of_three!(
        or3 = 0xFE,
        and3 = 0x80,
        majority = 0xE8,
        and_nor = 0x10,
        and_or = 0xE0,
        and_nand = 0x70,
        or_and = 0xF8,
        or_and_not = 0xF4,
        select = 0xCA
    );
}

impl WordVector for Lanes512 {
    #[inline(always)]
    fn shl(self, by: u32) -> Self {
        Self(on!(_mm512_sllv_epi32(self.0, _mm512_set1_epi32(by as i32))))
    }
    #[inline(always)]
    fn shr(self, by: u32) -> Self {
        Self(on!(_mm512_srlv_epi32(self.0, _mm512_set1_epi32(by as i32))))
    }
    of_two!(on: add = _mm512_add_epi32, sub = _mm512_sub_epi32);
    #[inline(always)]
    fn popcounts(self) -> Self {
        Self(on!(_mm512_popcnt_epi32(self.0)))
    }
    #[inline(always)]
    fn nonzero(self) -> Self {
        Self(on!(_mm512_movm_epi32(_mm512_test_epi32_mask(self.0, self.0))))
    }
    #[inline(always)]
    fn greater(self, b: Self) -> Self {
        Self(on!(_mm512_movm_epi32(_mm512_cmpgt_epi32_mask(self.0, b.0))))
    }
    #[inline(always)]
    fn nonzero_bits(self) -> u32 {
        u32::from(on!(_mm512_test_epi32_mask(self.0, self.0)))
    }
}

impl Lanes for Lanes512 {
    #[inline(always)]
    fn compress(self, keep: u32) -> Self {
        Self(on!(_mm512_maskz_compress_epi32(keep as u16, self.0)))
    }
    #[inline(always)]
    fn peers(self) -> (Self, Self) {
        use crate::kernels::bitslice::{COLUMN, PEERS};
        let place = self.splat(31).sub(Self(on!(_mm512_lzcnt_epi32(self.0))));
        let [a, b] = [&PEERS, &COLUMN].map(|table| table.as_chunks::<16>().0);
        let peers = on!(_mm512_permutex2var_epi32(self.load(&a[0]).0, place.0, self.load(&a[1]).0));
        let column = on!(_mm512_permutex2var_epi32(self.load(&b[0]).0, place.0, self.load(&b[1]).0));
        (Self(peers), Self(column))
    }
    #[inline(always)]
    fn below(self, counts: &[u32], limit: u32) -> u32 {
        let end = self.splat(counts.len().min(i32::MAX as usize) as u32);
        let limit = self.splat(limit);
        let places = on!(_mm512_cmplt_epu32_mask(self.0, end.0));
        // SAFETY: only words in the mask are indices that are read; they are below the length of the slice, and not
        // negative as signed numbers. `self` proves the instructions.
        let counts = unsafe { _mm512_mask_i32gather_epi32::<4>(limit.0, places, self.0, counts.as_ptr().cast()) };
        u32::from(on!(_mm512_cmplt_epu32_mask(counts, limit.0)))
    }
    #[inline(always)]
    fn digits(self, [ones, twos, fours, eights]: [u32; 4], to: &mut [u8; 32]) {
        let mut digits = on!(_mm256_maskz_set1_epi8(ones, 1));
        for (bits, value) in [(twos, 2), (fours, 4), (eights, 8)] {
            digits = on!(_mm256_mask_add_epi8(digits, bits, digits, _mm256_set1_epi8(value)));
        }
        // SAFETY: the reference covers the 32 bytes that are written; `self` proves the instructions.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), digits) }
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
        crate::kernels::bitslice::check(unsafe { Lanes512::new() });
    }
}
