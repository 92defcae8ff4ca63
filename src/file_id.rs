//! The identity of a file, whatever its name, so that no run overwrites its own input.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

/// Device and inode: equal for all names (hard links, symbolic links, `./x`) of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    /// The identity of the file with this metadata.
    pub fn of(metadata: &Metadata) -> Self {
        Self { device: metadata.dev(), inode: metadata.ino() }
    }
}
