//! Files without a name, where the system has them (`O_TMPFILE`): whatever ends the program, nothing of them stays.

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

    /// Makes a file in a folder without a name. None if the file system has no such files, or if they could not be named.
    pub(in crate::output) fn create(folder: &File, mode: Mode) -> io::Result<Option<File>> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let file = loop {
            match openat(folder, ".", flags, mode) {
                Ok(file) => break File::from(file),
                Err(Errno::INTR) => {}
                // What file systems and kernels without O_TMPFILE answer.
                Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOENT | Errno::NOSYS) => return Ok(None),
                Err(e) => return Err(e.into()),
            }
        };
        // Its way to a name is through /proc, which need not be there.
        let there = fs::metadata(way(&file)).and_then(|way| Ok(FileId::of(&way) == FileId::of(&file.metadata()?)));
        Ok(there.unwrap_or(false).then_some(file))
    }

    fn way(file: &File) -> String {
        format!("/proc/self/fd/{}", file.as_raw_fd())
    }

    /// Gives a file its name. (With `AT_EMPTY_PATH` in place of /proc this would be for root alone.)
    pub(in crate::output) fn link(file: &File, folder: &File, name: &Path) -> Result<(), Errno> {
        linkat(CWD, way(file), folder, name, AtFlags::SYMLINK_FOLLOW)
    }

    /// Whether a sync from before a file had its name may not count once it has one: btrfs passes over files without a name.
    /// On those listed the journal has the file before the name, and the name is synced later.
    pub(in crate::output) fn forgets(file: &File) -> bool {
        const EXT4: u64 = 0xEF53;
        const XFS: u64 = 0x5846_5342;
        const TMPFS: u64 = 0x0102_1994;
        fstatfs(file).map_or(true, |system| ![EXT4, XFS, TMPFS].contains(&(system.f_type as u64)))
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use super::*;

    /// There are no files without a name here.
    pub(in crate::output) fn create(_: &File, _: Mode) -> io::Result<Option<File>> {
        Ok(None)
    }

    /// See [`create`].
    pub(in crate::output) fn link(_: &File, _: &File, _: &Path) -> Result<(), Errno> {
        Err(Errno::NOSYS)
    }

    /// See [`create`].
    pub(in crate::output) fn forgets(_: &File) -> bool {
        true
    }
}

#[cfg(target_os = "linux")]
pub(super) use linux::{create, forgets, link};
#[cfg(not(target_os = "linux"))]
pub(super) use other::{create, forgets, link};
