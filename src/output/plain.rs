//! Writing all of a buffer, whatever the other side does.

use std::fs::File;
use std::io;
use std::path::Path;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, write};

use crate::error::Error;

/// Writes all of `bytes` to `file`: goes on after interruptions and short writes, waits where a pipe that does not block
/// is full. `path` is for the message.
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

/// Makes a pipe larger, so that reader and writer wait less for each other. Not a pipe, or over the user's limit: as it
/// was.
pub(super) fn widen(file: &File) {
    let _ = rustix::pipe::fcntl_setpipe_size(file, 1 << 20);
}
