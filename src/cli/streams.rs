//! stdout and stderr for what must not be lost. Unlike the standard library's they wait where a pipe that does not block is full, and
//! say when what is written goes nowhere.

use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use super::{progress, startup};
use crate::error::Error;

/// stderr for rows. That it was closed when the program started is an error, and that it is not open for writing.
pub(super) struct Stderr;

impl Write for Stderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if startup::was_closed(2) {
            return Err(io::Error::other("rejects go to stderr without --rejects FILE, but stderr is closed"));
        }
        progress::aside(|| write(io::stderr().as_fd(), bytes))
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
        progress::aside(|| write(io::stdout().as_fd(), bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// One write. Whoever is to write everything goes on after what it wrote.
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

/// Writes rows to stderr. If nobody reads there any more, that is their choice and no error.
pub(super) fn write_rows(rows: &str) -> Result<(), Error> {
    match Stderr.write_all(rows.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => done.map_err(|error| Error::io("<rejects>", "write", error)),
    }
}
