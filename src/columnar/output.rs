//! The output of a run, as writers of files take it.

use std::io::{self, Write};

use crate::error::Error;
use crate::output::Output;

/// An output that counts its bytes.
pub(super) struct FileOutput {
    output: Output,
    bytes: u64,
}

impl FileOutput {
    pub(super) fn new(output: Output) -> Self {
        Self { output, bytes: 0 }
    }

    /// The output, and the bytes that were written.
    pub(super) fn end(self) -> (Output, u64) {
        (self.output, self.bytes)
    }
}

impl Write for FileOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes).map_err(io::Error::other)?;
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What went wrong with a [`FileOutput`], if the error is from one.
pub(super) fn of_output(error: io::Error) -> Result<Error, io::Error> {
    error.downcast::<Error>()
}
