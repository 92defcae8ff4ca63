//! The x86-64 kernels, chosen by what the processor says it can do.

mod avx2;
mod avx512;
mod bytes;
pub(super) mod bytes16;
pub(super) mod houses;
pub(super) mod houses256;
mod rows;
mod verdict;

use super::Kernel;

/// Those that this machine can run, best first.
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
