//! The rows of the solver of side 16 in vectors of 256 bits.
#![expect(unsafe_code)] // intrinsics, and the calls into functions that need their instructions

use std::arch::x86_64::*;

use crate::kernels::rows16::{Grid16, Row16, rows16};
use crate::kernels::vector::Vector;

/// A row. A value is the proof that the machine has AVX2.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Row256(pub(super) __m256i);

impl Row256 {
    /// Makes the first value.
    ///
    /// # Safety
    /// The machine must have AVX2.
    pub(super) unsafe fn new() -> Self {
        // SAFETY: the caller promises AVX2, which includes AVX.
        Self(unsafe { _mm256_setzero_si256() })
    }
}

rows16!(propagate_avx2, Row256, "avx2,popcnt,bmi1,bmi2,lzcnt");
// The same vectors, but with more registers, and with instructions that have three inputs.
rows16!(propagate_avx512, Row256, "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2,lzcnt");

/// Implements [`crate::kernels::rows16::Propagate16`].
///
/// # Safety
/// The machine must have AVX2, POPCNT, BMI1, BMI2 and LZCNT.
pub(super) unsafe fn avx2(grid: &mut Grid16) -> bool {
    // SAFETY: the caller promises that the machine has the instructions.
    unsafe { propagate_avx2(Row256::new(), grid) }
}

/// Implements [`crate::kernels::rows16::Propagate16`].
///
/// # Safety
/// The machine must have AVX-512 F, BW, DQ and VL, POPCNT, BMI1, BMI2 and LZCNT.
pub(super) unsafe fn avx512(grid: &mut Grid16) -> bool {
    // SAFETY: the caller promises that the machine has the instructions; a machine with AVX-512 has AVX2.
    unsafe { propagate_avx512(Row256::new(), grid) }
}

/// Calls an intrinsic that does not access memory, on values of [`Row256`].
macro_rules! on {
    ($intrinsics:expr) => {{
        // SAFETY: the arguments come from a value of the type, which exists only where the machine has AVX2.
        unsafe { $intrinsics }
    }};
}

impl Vector for Row256 {
    #[inline(always)]
    fn zero(self) -> Self {
        Self(on!(_mm256_setzero_si256()))
    }
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        Self(on!(_mm256_and_si256(self.0, b.0)))
    }
    #[inline(always)]
    fn or(self, b: Self) -> Self {
        Self(on!(_mm256_or_si256(self.0, b.0)))
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        Self(on!(_mm256_xor_si256(self.0, b.0)))
    }
    #[inline(always)]
    fn and_not(self, b: Self) -> Self {
        Self(on!(_mm256_andnot_si256(b.0, self.0)))
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        on!(_mm256_testz_si256(self.0, self.0)) == 1
    }
    #[inline(always)]
    fn empty(self) -> Self {
        Self(on!(_mm256_cmpeq_epi16(self.0, _mm256_setzero_si256())))
    }
    #[inline(always)]
    fn several(self) -> Self {
        Self(on!(_mm256_and_si256(self.0, _mm256_add_epi16(self.0, _mm256_set1_epi16(-1)))))
    }
}

impl Row16 for Row256 {
    #[inline(always)]
    fn splat(self, mask: u16) -> Self {
        Self(on!(_mm256_set1_epi16(mask as i16)))
    }
    #[inline(always)]
    fn load(self, masks: &[u16; 16]) -> Self {
        // SAFETY: the reference covers the 32 bytes that are read; `self` proves the instructions.
        Self(unsafe { _mm256_loadu_si256(masks.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, masks: &mut [u16; 16]) {
        // SAFETY: the reference covers the 32 bytes that are written; `self` proves the instructions.
        unsafe { _mm256_storeu_si256(masks.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn rotate<const BY: usize>(self) -> Self {
        Self(match BY {
            2 => on!(_mm256_shuffle_epi32::<0b10_11_00_01>(self.0)),
            _ => on!(_mm256_shufflehi_epi16::<0b00_11_10_01>(_mm256_shufflelo_epi16::<0b00_11_10_01>(self.0))),
        })
    }
    #[inline(always)]
    fn rotate_groups<const BY: usize>(self) -> Self {
        Self(match BY {
            1 => on!(_mm256_permute4x64_epi64::<0b00_11_10_01>(self.0)),
            2 => on!(_mm256_permute4x64_epi64::<0b01_00_11_10>(self.0)),
            _ => on!(_mm256_permute4x64_epi64::<0b10_01_00_11>(self.0)),
        })
    }
    #[inline(always)]
    fn transpose(rows: &[Self; 16]) -> [Self; 16] {
        let (mut a, mut b) = (*rows, *rows);
        // Interleave rows in steps of 16, 32, 64 and 128 bits.
        for i in 0..8 {
            let (x, y) = (rows[2 * i].0, rows[2 * i + 1].0);
            a[2 * i] = Self(on!(_mm256_unpacklo_epi16(x, y)));
            a[2 * i + 1] = Self(on!(_mm256_unpackhi_epi16(x, y)));
        }
        for i in 0..8 {
            let at = i / 2 * 4 + i % 2;
            let (x, y) = (a[at].0, a[at + 2].0);
            let to = i / 2 * 4 + i % 2 * 2;
            b[to] = Self(on!(_mm256_unpacklo_epi32(x, y)));
            b[to + 1] = Self(on!(_mm256_unpackhi_epi32(x, y)));
        }
        for i in 0..8 {
            let at = i / 4 * 8 + i % 4;
            let (x, y) = (b[at].0, b[at + 4].0);
            let to = i / 4 * 8 + i % 4 * 2;
            a[to] = Self(on!(_mm256_unpacklo_epi64(x, y)));
            a[to + 1] = Self(on!(_mm256_unpackhi_epi64(x, y)));
        }
        for i in 0..8 {
            let (x, y) = (a[i].0, a[i + 8].0);
            b[i] = Self(on!(_mm256_permute2x128_si256::<0x20>(x, y)));
            b[i + 8] = Self(on!(_mm256_permute2x128_si256::<0x31>(x, y)));
        }
        b
    }
}

#[cfg(test)]
#[test]
fn rows_do_what_they_say() {
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the feature was just detected.
        crate::kernels::rows16::check(unsafe { Row256::new() });
    }
}
