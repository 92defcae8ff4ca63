//! Sixteen bytes in a vector of 128 bits.
#![allow(unsafe_code)] // intrinsics, and the calls into functions that need their instructions
#![allow(unused_unsafe)] // where the target has NEON anyway

use std::arch::aarch64::*;

use crate::kernels::bytes16::{Bytes16, Bytes16Task};

/// The bytes. A value is the proof that the machine has NEON.
#[derive(Clone, Copy)]
struct NeonBytes(uint8x16_t);

/// Runs a task with these bytes.
#[target_feature(enable = "neon")]
pub(in crate::kernels) fn neon<T: Bytes16Task>(task: T) -> T::Output {
    task.run(NeonBytes(vdupq_n_u8(0)))
}

impl Bytes16 for NeonBytes {
    #[inline(always)]
    fn load(self, bytes: &[u8; 16]) -> Self {
        // SAFETY: the reference covers the 16 bytes that are read; `self` proves the instructions.
        Self(unsafe { vld1q_u8(bytes.as_ptr()) })
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8; 16]) {
        // SAFETY: the reference covers the 16 bytes that are written; `self` proves the instructions.
        unsafe { vst1q_u8(bytes.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn pick(self, places: Self) -> Self {
        // SAFETY: the arguments are values of the type, which exist only where the machine has NEON.
        Self(unsafe { vqtbl1q_u8(self.0, places.0) })
    }
}

#[cfg(test)]
#[test]
fn bytes_do_what_they_say() {
    if super::detected() {
        // SAFETY: the feature was just detected.
        crate::kernels::bytes16::tests::check(NeonBytes(unsafe { vdupq_n_u8(0) }));
    }
}
