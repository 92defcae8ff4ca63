//! Writes the text of several inputs to one output, and compresses it if required.

use super::compressor::Compressor;
use crate::error::Error;
use crate::framing::BYTE_ORDER_MARK;
use crate::output::Output;

/// An output to which chunks are written in order.
pub(super) struct TextOutput {
    output: Output,
    compressor: Option<Compressor>,
    /// The last byte written and the input it came from. A newline is inserted between two inputs if the first does not
    /// end with one.
    last: Option<(usize, u8)>,
    bytes: u64,
}

impl TextOutput {
    pub(super) fn new(output: Output, compressor: Option<Compressor>) -> Self {
        Self { output, compressor, last: None, bytes: 0 }
    }

    /// Writes the converted `text` of an input; `frames` is the same text, compressed.
    pub(super) fn write(&mut self, input: usize, text: &[u8], frames: Option<&Compressor>) -> Result<(), Error> {
        let Some(&last) = text.last() else { return Ok(()) };
        if self.last.is_some_and(|(before, byte)| before != input && byte != b'\n') {
            match &mut self.compressor {
                None => self.output.write(b"\n")?,
                Some(compressor) => {
                    compressor.compress(b"\n")?;
                    self.output.write(&compressor.add_own_frames()?)?;
                }
            }
            self.bytes += 1;
        }
        match (&mut self.compressor, frames) {
            (Some(compressor), Some(frames)) => {
                self.output.write(&compressor.add_frames(frames)?)?;
            }
            _ => self.output.write(text)?,
        }
        // A byte order mark by itself is not a line. It counts as a mark only at the start of the output.
        let is_mark = self.bytes == 0 && text == BYTE_ORDER_MARK;
        self.bytes += text.len() as u64;
        if !is_mark {
            self.last = Some((input, last));
        }
        Ok(())
    }

    /// Bytes written, before compression.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the output. If it is `complete`, the end record of the archive is written first.
    pub(super) fn end(mut self, complete: bool) -> Result<Output, Error> {
        if let Some(compressor) = self.compressor.filter(|_| complete) {
            self.output.write(&compressor.archive_end())?;
        }
        Ok(self.output)
    }
}
