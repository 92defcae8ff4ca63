//! stderr for what must not be lost.

use std::io::{self, Write};
use std::os::fd::AsFd;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use super::startup;

/// stderr for rows. Unlike the standard library's it says when they go nowhere: the stream was closed when the program started, or
/// is not open for writing.
pub(super) struct Stderr;

impl Write for Stderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if startup::was_closed(2) {
            return Err(io::Error::other("stderr is closed, where rejects go without --rejects FILE"));
        }
        let stderr = io::stderr();
        loop {
            match rustix::io::write(stderr.as_fd(), bytes) {
                Err(Errno::AGAIN) => match poll(&mut [PollFd::new(&stderr, PollFlags::OUT)], None) {
                    Ok(_) | Err(Errno::INTR) => {}
                    Err(error) => return Err(error.into()),
                },
                done => return Ok(done?),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes rows to stderr. If nobody reads there any more, that is their choice and no error.
pub(super) fn write_rows(rows: &str) -> Result<(), crate::error::Error> {
    match Stderr.write_all(rows.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => done.map_err(|error| crate::error::Error::io("<rejects>", "write", error)),
    }
}
