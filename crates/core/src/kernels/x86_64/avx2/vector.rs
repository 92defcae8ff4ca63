//! The vector of the bit-sliced solver.
#![expect(unsafe_code)] // the intrinsic that makes the first one

use std::arch::x86_64::*;

/// 256 lanes. A value is the proof that the machine has what [`super::detected`] checks for.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(in crate::kernels::x86_64) struct Lanes256(pub(super) __m256i);

impl Lanes256 {
    /// Makes the first value.
    ///
    /// # Safety
    /// [`super::detected`] must have returned true.
    pub(in crate::kernels::x86_64) unsafe fn new() -> Self {
        // SAFETY: the features that the caller promises include AVX.
        Self(unsafe { _mm256_setzero_si256() })
    }
}
