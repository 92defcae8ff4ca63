//! The output of a run, as writers of files take it.

use std::io::{self, Write};

use crate::error::Error;
use crate::output::Output;

/// Bytes that are written at a time: writers of files write some kB.
const AT_A_TIME: usize = 256 << 10;

/// An output that counts its bytes.
pub(super) struct FileOutput {
    /// None after the end.
    output: Option<Output>,
    /// Bytes that are not yet written.
    waiting: Vec<u8>,
    bytes: u64,
}

impl FileOutput {
    pub(super) fn new(output: Output) -> Self {
        Self { output: Some(output), waiting: Vec::with_capacity(AT_A_TIME), bytes: 0 }
    }

    /// The output, and the bytes that were written. It may still be with a writer, whose errors at its own end would be but words.
    pub(super) fn end(&mut self) -> Result<(Output, u64), Error> {
        self.write_waiting()?;
        let output = self.output.take().ok_or_else(|| Error::Internal("the output is at its end already".into()))?;
        Ok((output, self.bytes))
    }

    fn write_waiting(&mut self) -> Result<(), Error> {
        if let Some(output) = &mut self.output {
            output.write(&self.waiting)?;
            self.waiting.clear();
        }
        Ok(())
    }
}

impl Write for FileOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.waiting.len() + bytes.len() > AT_A_TIME {
            self.write_waiting().map_err(io::Error::other)?;
        }
        let output = self.output.as_mut().ok_or_else(|| io::Error::other("the output is at its end already"))?;
        match bytes.len() < AT_A_TIME {
            true => self.waiting.extend_from_slice(bytes),
            false => output.write(bytes).map_err(io::Error::other)?,
        }
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_waiting().map_err(io::Error::other)
    }
}

/// What went wrong with a [`FileOutput`], if the error is from one.
pub(super) fn of_output(error: io::Error) -> Result<Error, io::Error> {
    error.downcast::<Error>()
}
