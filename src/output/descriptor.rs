//! Writing whole buffers to a file descriptor.

use std::fs::File;
use std::io;
use std::path::Path;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, write};

use crate::error::Error;

/// Writes all of `bytes` to `file`: continues after interruptions and short writes, and waits while a non-blocking pipe
/// is full. `path` is used in messages.
pub(super) fn write_all(file: &File, path: &Path, mut bytes: &[u8]) -> Result<(), Error> {
    while !bytes.is_empty() {
        match write(file, bytes) {
            Ok(0) => return Err(Error::io(path, "write", io::ErrorKind::WriteZero.into())),
            Ok(written) => bytes = &bytes[written..],
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => wait(file).map_err(|e| Error::io(path, "write", e.into()))?,
            Err(error) => return Err(Error::io(path, "write", error.into())),
        }
    }
    Ok(())
}

fn wait(file: &File) -> Result<(), Errno> {
    match poll(&mut [PollFd::new(file, PollFlags::OUT)], None) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Enlarges the buffer of a pipe, so that reader and writer wait less for each other. Does nothing to other files, or
/// beyond the user's limit.
pub(super) fn widen(file: &File) {
    #[cfg(target_os = "linux")]
    let _ = rustix::pipe::fcntl_setpipe_size(file, 1 << 20);
    #[cfg(not(target_os = "linux"))]
    let _ = file;
}
