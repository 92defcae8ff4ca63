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
pub(crate) use folder::{
    CreateMode, Folder, NotNamed, is_device, is_mounted, may_create_in, may_replace, name_as_compared, remove_file, shortened_name,
};
pub(crate) use mapping::Mapping;
pub use mapping::install_fault_handler;
pub(crate) use process::*;
pub(crate) use replaced::Replaced;
#[cfg(feature = "cli")]
pub(crate) use signals::{EndSignals, end_by_signal};
pub(crate) use stream::*;
