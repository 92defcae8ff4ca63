//! The 64-bit ARM kernel.

pub(super) mod bytes16;
mod lanes128;
mod neon;

use std::arch::is_aarch64_feature_detected;

use super::Kernel;

/// Returns the kernels that this machine can run, best first.
pub(super) fn available() -> Vec<&'static Kernel> {
    if detected() { vec![&neon::NEON] } else { Vec::new() }
}

/// Returns whether this machine has all instruction sets that the kernel is compiled for.
pub(super) fn detected() -> bool {
    is_aarch64_feature_detected!("neon")
}
