//! Files: which one it is, when it changed, and reading and writing at an offset.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::buffer::spare_capacity;
use rustix::fs::OFlags;
use rustix::io::{Errno, pread};

/// The identity of a file, whatever its name, so that no run overwrites its own input: device and inode, which are equal
/// for all names (hard links, symbolic links, `./x`) of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    /// The identity of the file at a path, at the end of all links.
    ///
    /// # Errors
    /// The system's answer: there is none, or it cannot be examined.
    pub fn at(path: &Path) -> io::Result<Self> {
        Ok(FileFacts::at(path)?.id())
    }
}

/// A moment, in seconds and nanoseconds since 1970. Only good for comparisons with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Time(i64, i64);

/// What the system knows about a file.
#[derive(Debug)]
pub(crate) struct FileFacts(pub(super) Metadata);

impl FileFacts {
    /// Of an open file.
    pub(crate) fn of(file: &File) -> io::Result<Self> {
        file.metadata().map(Self)
    }

    /// Of the file at a path, at the end of all links.
    pub(crate) fn at(path: &Path) -> io::Result<Self> {
        fs::metadata(path).map(Self)
    }

    /// Of what has this name: of a link itself, not of the file that it leads to.
    pub(crate) fn of_name(path: &Path) -> io::Result<Self> {
        fs::symlink_metadata(path).map(Self)
    }

    /// The identity of the file.
    pub(crate) fn id(&self) -> FileId {
        FileId { device: self.0.dev(), inode: self.0.ino() }
    }

    /// Its length in bytes.
    pub(crate) fn length(&self) -> u64 {
        self.0.len()
    }

    /// When the contents changed last, as far as no program has set that time.
    pub(crate) fn modified(&self) -> Time {
        Time(self.0.mtime(), self.0.mtime_nsec())
    }

    /// When the file changed last, its names and its mode too. Unlike the time of [`FileFacts::modified`], it cannot be set back.
    pub(crate) fn changed(&self) -> Time {
        Time(self.0.ctime(), self.0.ctime_nsec())
    }

    /// The number of its names.
    pub(crate) fn names(&self) -> u64 {
        self.0.nlink()
    }

    /// Whether it is a regular file.
    pub(crate) fn is_file(&self) -> bool {
        self.0.is_file()
    }

    /// Whether it is a folder.
    pub(crate) fn is_folder(&self) -> bool {
        self.0.is_dir()
    }

    /// Whether it is a named pipe.
    pub(crate) fn is_fifo(&self) -> bool {
        self.0.file_type().is_fifo()
    }

    /// Whether it is something that no output should go to: a socket cannot be opened, and a disk should not be
    /// overwritten by mistake.
    pub(crate) fn is_socket_or_disk(&self) -> bool {
        self.0.file_type().is_socket() || self.0.file_type().is_block_device()
    }
}

/// Reads once at an offset. The position of the file stays.
pub(crate) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.read_at(buffer, offset)
}

/// Fills the buffer from an offset on.
pub(crate) fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    file.read_exact_at(buffer, offset)
}

/// Writes everything at an offset.
pub(crate) fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    file.write_all_at(bytes, offset)
}

/// Reads once at an offset, up to `want` bytes to the end of `buffer`.
pub(crate) fn append_at(file: &File, buffer: &mut Vec<u8>, want: usize, offset: u64) -> io::Result<usize> {
    let before = buffer.len();
    buffer.reserve_exact(want);
    // Reading into spare capacity saves zeroing it. It may give more than was asked for; the excess is read again.
    if buffer.capacity() - before > 2 * want {
        buffer.resize(before + want, 0);
        let got = pread(file, &mut buffer[before..], offset);
        // Other errors do not occur here; after an interruption the caller tries again.
        buffer.truncate(before + got.unwrap_or(0));
        return Ok(got?);
    }
    Ok(pread(file, spare_capacity(buffer), offset)?.min(want))
}

/// Opens a file unless its name is a symbolic link: then `None`. If it is a named pipe, this does not wait for another
/// program.
pub(crate) fn open_unless_link(options: &mut OpenOptions, path: &Path) -> io::Result<Option<File>> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    match options.custom_flags(flags.bits().cast_signed()).open(path) {
        Err(error) if error.raw_os_error() == Some(Errno::LOOP.raw_os_error()) => Ok(None),
        opened => opened.map(Some),
    }
}

/// Creates a file that only its owner may use.
pub(crate) fn create_private(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(path)
}

/// Makes a file one that only its owner may use.
pub(crate) fn make_private(file: &File) -> io::Result<()> {
    file.set_permissions(Permissions::from_mode(0o600))
}
