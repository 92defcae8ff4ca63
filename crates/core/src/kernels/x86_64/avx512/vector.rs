//! The vector of the bit-sliced solver.
#![expect(unsafe_code)] // the intrinsic that makes the first one

use std::arch::x86_64::*;

/// 512 lanes. A value is the proof that the machine has what [`super::detected`] checks for.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Lanes512(pub(super) __m512i);

impl Lanes512 {
    /// Makes the first value.
    ///
    /// # Safety
    /// [`super::detected`] must have returned true.
    pub(super) unsafe fn new() -> Self {
        // SAFETY: the features that the caller promises include AVX-512F.
        Self(unsafe { _mm512_setzero_si512() })
    }

    /// Makes a value from a vector; `self` proves what the type requires.
    #[inline(always)]
    pub(super) fn with(self, vector: __m512i) -> Self {
        Self(vector)
    }
}
