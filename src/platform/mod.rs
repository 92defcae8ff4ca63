//! What differs between operating systems. The rest of the program calls what is named here and knows no system; a folder
//! for each system defines it.
//!
//! - Files: [`FileFacts`], [`FileId`], [`Time`], reading and writing at an offset, opening without following links.
//! - [`Folder`]: creating, naming and removing files in a folder that is held open.
//! - [`Replaced`]: what a new file takes over from the one that it replaces.
//! - Streams: [`OutputStream`], waiting for pipes.
//! - [`Mapping`]: files in memory, and [`install_fault_handler`] for the fault of one that became shorter.
//! - The process: limits, signals, streams that were closed at the start, how it ends.

mod shared;
#[cfg(unix)]
#[path = "unix/mod.rs"]
mod system;
#[cfg(windows)]
#[path = "windows/mod.rs"]
mod system;

#[cfg(not(any(unix, windows)))]
compile_error!("src/platform has no folder for this system");

pub(crate) use shared::{CreateMode, NotNamed, OutputStream};
pub(crate) use system::*;
pub use system::{FileId, install_fault_handler};
