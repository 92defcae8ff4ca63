//! Files without a name (`O_TMPFILE`), where the system supports them: however the program ends, nothing is left
//! behind.

use std::fs::File;
use std::io;
use std::path::Path;

use rustix::fs::Mode;
use rustix::io::Errno;

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::os::fd::AsRawFd;

    use rustix::fs::{AtFlags, CWD, OFlags, fstatfs, linkat, openat};

    use super::*;
    use crate::file_id::FileId;

    /// Creates a file without a name in `folder`. `None` if the file system does not support that, or if the file could
    /// not be named later.
    pub(in crate::output) fn create(folder: &File, mode: Mode) -> io::Result<Option<File>> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let file = loop {
            match openat(folder, ".", flags, mode) {
                Ok(file) => break File::from(file),
                Err(Errno::INTR) => {}
                // The answers of file systems and kernels without O_TMPFILE.
                Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOENT | Errno::NOSYS) => return Ok(None),
                Err(e) => return Err(e.into()),
            }
        };
        // The file is named through /proc, which may not be mounted.
        let there =
            fs::metadata(source(&file)).and_then(|metadata| Ok(FileId::of(&metadata) == FileId::of(&file.metadata()?)));
        Ok(there.unwrap_or(false).then_some(file))
    }

    /// The path under which an unnamed file can be linked.
    pub(in crate::output) fn source(file: &File) -> String {
        format!("/proc/self/fd/{}", file.as_raw_fd())
    }

    /// Gives the file of this [`source`] its name. (`AT_EMPTY_PATH` would do without /proc, but only root may use it.)
    pub(in crate::output) fn link(source: &str, folder: &File, name: &Path) -> Result<(), Errno> {
        linkat(CWD, source, folder, name, AtFlags::SYMLINK_FOLLOW)
    }

    /// Whether the file must be synced again after it got its name. btrfs ignores a sync of an unnamed file. On the
    /// file systems listed here the journal has the file before its name, and syncing the folder is enough.
    pub(in crate::output) fn needs_sync_after_naming(file: &File) -> bool {
        const EXT4: u64 = 0xEF53;
        const XFS: u64 = 0x5846_5342;
        const TMPFS: u64 = 0x0102_1994;
        fstatfs(file).map_or(true, |system| ![EXT4, XFS, TMPFS].contains(&(system.f_type as u64)))
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use super::*;

    /// Unnamed files are not supported here.
    pub(in crate::output) fn create(_: &File, _: Mode) -> io::Result<Option<File>> {
        Ok(None)
    }

    /// Never called, since [`create`] gives no file.
    pub(in crate::output) fn source(_: &File) -> String {
        String::new()
    }

    /// Never called, since [`create`] gives no file.
    pub(in crate::output) fn link(_: &str, _: &File, _: &Path) -> Result<(), Errno> {
        Err(Errno::NOSYS)
    }

    /// Never called, since [`create`] gives no file.
    pub(in crate::output) fn needs_sync_after_naming(_: &File) -> bool {
        true
    }
}

#[cfg(target_os = "linux")]
pub(super) use linux::{create, link, needs_sync_after_naming, source};
#[cfg(not(target_os = "linux"))]
pub(super) use other::{create, link, needs_sync_after_naming, source};
