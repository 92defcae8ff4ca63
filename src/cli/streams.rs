//! stdout and stderr for output that must not be lost. Unlike the standard library's streams, these wait if a
//! non-blocking pipe is full, and report an error if output goes nowhere.

use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use super::{progress, startup};
use crate::error::Error;

/// stderr for rows. Writing fails if it was closed when the program started, or is not open for writing.
pub(super) struct Stderr;

impl Write for Stderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if startup::was_closed(2) {
            return Err(io::Error::other("rejects go to stderr without --rejects FILE, but stderr is closed"));
        }
        progress::with_bar_hidden(|| write(io::stderr().as_fd(), bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// stdout.
pub(super) struct Stdout;

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if startup::was_closed(1) {
            return Err(io::Error::other("stdout is closed"));
        }
        progress::with_bar_hidden(|| write(io::stdout().as_fd(), bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes some bytes, and returns how many. To write everything, the caller continues after them.
fn write(stream: BorrowedFd, bytes: &[u8]) -> io::Result<usize> {
    loop {
        match rustix::io::write(stream, bytes) {
            Err(Errno::AGAIN) => match poll(&mut [PollFd::new(&stream, PollFlags::OUT)], None) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            },
            done => return Ok(done?),
        }
    }
}

/// Writes rows to stderr. If its reader has closed it, that is not an error.
pub(super) fn write_rows(rows: &str) -> Result<(), Error> {
    match Stderr.write_all(rows.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => done.map_err(|error| Error::io("<rejects>", "write", error)),
    }
}
