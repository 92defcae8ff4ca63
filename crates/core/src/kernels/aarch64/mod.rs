//! The 64-bit ARM kernel.

mod lanes128;
mod neon;

use super::Kernel;

/// Those that this machine can run, best first.
pub fn available() -> Vec<&'static Kernel> {
    if neon::detected() { vec![&neon::NEON] } else { Vec::new() }
}
