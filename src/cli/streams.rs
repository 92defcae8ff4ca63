//! stdout and stderr for output that must not be lost. Unlike the standard library's streams, these wait if a
//! non-blocking pipe is full, and report an error if output goes nowhere.

use std::io::{self, Write};

use super::progress;
use crate::error::Error;
use crate::platform::{OutputStream, was_closed};

/// stderr for rows. Writing fails if it was closed when the program started, or is not open for writing.
pub(super) struct Stderr;

impl Write for Stderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if was_closed(2) {
            return Err(io::Error::other("rejects go to stderr without --rejects FILE, but stderr is closed"));
        }
        progress::with_bar_hidden(|| OutputStream::Stderr.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// stdout.
pub(super) struct Stdout;

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if was_closed(1) {
            return Err(io::Error::other("stdout is closed"));
        }
        progress::with_bar_hidden(|| OutputStream::Stdout.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes rows to stderr. If its reader has closed it, that is not an error.
pub(super) fn write_rows(rows: &str) -> Result<(), Error> {
    match Stderr.write_all(rows.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => done.map_err(|error| Error::io("<rejects>", "write", error)),
    }
}
