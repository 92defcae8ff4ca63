//! The vector of the bit-sliced solver.
#![allow(unsafe_code)] // the intrinsic that makes the first one

use std::arch::x86_64::*;

/// 512 lanes. A value is the proof that the machine has what [`super::detected`] asks for.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Lanes512(pub(super) __m512i);

impl Lanes512 {
    /// The first value.
    ///
    /// # Safety
    /// [`super::detected`] must have said yes.
    pub(super) unsafe fn new() -> Self {
        // SAFETY: the caller's promise includes AVX-512F.
        Self(unsafe { _mm512_setzero_si512() })
    }

    /// A vector out of a value that proves what the type asks for.
    #[inline(always)]
    pub(super) fn with(self, vector: __m512i) -> Self {
        Self(vector)
    }
}
