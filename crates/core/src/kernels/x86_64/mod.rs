//! The x86-64 kernels, which are chosen by the features of the processor.

mod avx2;
mod avx512;
pub(super) mod bytes16;
mod bytes8;
mod decode_groups;
pub(super) mod houses256;
pub(super) mod houses512;
mod regions256;
mod rows16;

use super::Kernel;

/// Returns the kernels that this machine can run, best first.
pub(super) fn available() -> Vec<&'static Kernel> {
    let mut kernels = Vec::new();
    if avx512::detected() {
        kernels.push(&avx512::AVX512);
    }
    if avx2::detected() {
        kernels.push(&avx2::AVX2);
    }
    kernels
}
