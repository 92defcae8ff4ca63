//! Chooses the kernel: the best one for this machine, unless the environment names another.

use std::sync::OnceLock;

use crate::error::{Error, Unavailable};
use crate::kernels::{self, Kernel};

/// Returns the kernel that `GRIDMILL_KERNEL` names, or else the best one. The choice is made once.
///
/// # Errors
/// [`Error::Usage`] if `GRIDMILL_KERNEL` names a kernel that is unknown or unavailable.
pub fn kernel() -> Result<&'static Kernel, Error> {
    static CHOSEN: OnceLock<Result<&'static Kernel, Unavailable>> = OnceLock::new();
    CHOSEN
        .get_or_init(|| match std::env::var_os("GRIDMILL_KERNEL") {
            Some(name) if !name.is_empty() => kernels::by_name(&name.to_string_lossy())
                .map_err(|Unavailable(why)| Unavailable(format!("GRIDMILL_KERNEL: {why}"))),
            _ => Ok(kernels::best()),
        })
        .clone()
        .map_err(Error::from)
}
