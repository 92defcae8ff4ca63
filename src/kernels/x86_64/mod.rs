//! The x86-64 kernels, chosen by what the processor says it can do.

use super::Kernel;

/// Those that this machine can run, best first.
pub fn available() -> Vec<&'static Kernel> {
    Vec::new()
}
