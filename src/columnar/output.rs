//! The output of a run, as writers of files take it.

use std::io::{self, Write};

use crate::error::Error;
use crate::output::Output;

/// An output that counts its bytes.
pub(super) struct FileOutput {
    /// None after the end.
    output: Option<Output>,
    bytes: u64,
}

impl FileOutput {
    pub(super) fn new(output: Output) -> Self {
        Self { output: Some(output), bytes: 0 }
    }

    /// The output, and the bytes that were written. It may still be with a writer, whose errors at its own end would be but words.
    pub(super) fn end(&mut self) -> Result<(Output, u64), Error> {
        let output = self.output.take().ok_or_else(|| Error::Internal("the output is at its end already".into()))?;
        Ok((output, self.bytes))
    }
}

impl Write for FileOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let output = self.output.as_mut().ok_or_else(|| io::Error::other("the output is at its end already"))?;
        output.write(bytes).map_err(io::Error::other)?;
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
