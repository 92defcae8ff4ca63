//! Linux, macOS and other systems with the functions of POSIX.

mod file;
mod folder;
mod mapping;
mod process;
mod replaced;
#[cfg(feature = "cli")]
mod signals;
mod stream;

pub use file::FileId;
pub(crate) use file::*;
pub(crate) use folder::*;
pub(crate) use mapping::Mapping;
pub use mapping::install_fault_handler;
pub(crate) use process::*;
pub(crate) use replaced::Replaced;
#[cfg(feature = "cli")]
pub(crate) use signals::{EndSignals, end_by_signal};
pub(crate) use stream::*;
