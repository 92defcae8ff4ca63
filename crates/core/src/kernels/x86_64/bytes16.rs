//! Sixteen bytes in a vector of 128 bits.
#![allow(unsafe_code)] // intrinsics, and the calls into functions that need their instructions

use std::arch::x86_64::*;

use crate::kernels::bytes16::{Bytes16, Bytes16Work};

/// The bytes. A value is the proof that the machine has AVX2.
#[derive(Clone, Copy)]
struct Bytes128(__m128i);

/// Does work with these bytes.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
pub(in crate::kernels) fn avx2<W: Bytes16Work>(work: W) -> W::Done {
    work.run(Bytes128(_mm_setzero_si128()))
}

/// The same where there is more.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt,lzcnt")]
pub(in crate::kernels) fn avx512<W: Bytes16Work>(work: W) -> W::Done {
    work.run(Bytes128(_mm_setzero_si128()))
}

impl Bytes16 for Bytes128 {
    #[inline(always)]
    fn load(self, bytes: &[u8; 16]) -> Self {
        // SAFETY: the reference covers the 16 bytes that are read; `self` proves the instructions.
        Self(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8; 16]) {
        // SAFETY: the reference covers the 16 bytes that are written; `self` proves the instructions.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn pick(self, places: Self) -> Self {
        // SAFETY: the arguments come from values of the type, which exist only where the machine has AVX2, and so SSSE3.
        Self(unsafe { _mm_shuffle_epi8(self.0, places.0) })
    }
}

#[cfg(test)]
#[test]
fn bytes_do_what_they_say() {
    if is_x86_feature_detected!("avx2") {
        // SAFETY: just asked.
        crate::kernels::bytes16::tests::check(Bytes128(unsafe { _mm_setzero_si128() }));
    }
}
