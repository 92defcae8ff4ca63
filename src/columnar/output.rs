//! The output of a run, in the form that file writers use.

use std::io::{self, Write};

use crate::error::Error;
use crate::output::Output;

/// The size of writes. File writers write only some kB at a time.
const BUFFER_BYTES: usize = 256 << 10;

/// An output that counts its bytes.
pub(super) struct FileOutput {
    /// None after the end.
    output: Option<Output>,
    /// Bytes that are not yet written.
    buffer: Vec<u8>,
    bytes: u64,
    /// Bytes that are not written, but kept for the caller.
    held_back: Option<Vec<u8>>,
}

impl FileOutput {
    pub(super) fn new(output: Output) -> Self {
        Self { output: Some(output), buffer: Vec::with_capacity(BUFFER_BYTES), bytes: 0, held_back: None }
    }

    /// Ends the output, and returns it with the number of bytes written. To be called while the file writer still
    /// exists: when a writer is dropped, its errors are lost.
    pub(super) fn end(&mut self) -> Result<(Output, u64), Error> {
        self.write_buffer()?;
        let output = self.output.take().ok_or_else(|| Error::Internal("the output is at its end already".into()))?;
        Ok((output, self.bytes))
    }

    /// Keeps what is written from now on for the caller. Returns the number of bytes so far.
    pub(super) fn hold_back(&mut self) -> u64 {
        self.held_back = Some(Vec::new());
        self.bytes
    }

    /// Returns what was kept. What follows is written again.
    pub(super) fn held_back(&mut self) -> Vec<u8> {
        self.held_back.take().unwrap_or_default()
    }

    fn write_buffer(&mut self) -> Result<(), Error> {
        if let Some(output) = &mut self.output {
            output.write(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }
}

impl Write for FileOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(held_back) = &mut self.held_back {
            held_back.extend_from_slice(bytes);
            return Ok(bytes.len());
        }
        if self.buffer.len() + bytes.len() > BUFFER_BYTES {
            self.write_buffer().map_err(io::Error::other)?;
        }
        let output = self.output.as_mut().ok_or_else(|| io::Error::other("the output is at its end already"))?;
        match bytes.len() < BUFFER_BYTES {
            true => self.buffer.extend_from_slice(bytes),
            false => output.write(bytes).map_err(io::Error::other)?,
        }
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_buffer().map_err(io::Error::other)
    }
}

/// Returns the error of the output, if it was a [`FileOutput`] that failed.
pub(super) fn output_error(error: io::Error) -> Result<Error, io::Error> {
    error.downcast::<Error>()
}
