//! The text of several inputs as one output, compressed if that is asked for.

use super::compressed::Compressed;
use crate::error::Error;
use crate::framing::BYTE_ORDER_MARK;
use crate::output::Output;

/// An output that is written in turn.
pub(super) struct JoinedOutput {
    output: Output,
    compressed: Option<Compressed>,
    /// The last byte written and the input it came from, to know whether a newline is owed between two inputs.
    last: Option<(usize, u8)>,
    bytes: u64,
}

impl JoinedOutput {
    pub(super) fn new(mut output: Output, compressed: Option<Compressed>) -> Result<Self, Error> {
        if compressed.is_some() {
            output.write(&Compressed::mark())?;
        }
        Ok(Self { output, compressed, last: None, bytes: 0 })
    }

    /// Writes what became of text of an input; `frames` is the same, compressed.
    pub(super) fn write(&mut self, input: usize, text: &[u8], frames: Option<&Compressed>) -> Result<(), Error> {
        let Some(&last) = text.last() else { return Ok(()) };
        if self.last.is_some_and(|(before, byte)| before != input && byte != b'\n') {
            match &mut self.compressed {
                None => self.output.write(b"\n")?,
                Some(compressed) => {
                    compressed.compress(b"\n")?;
                    self.output.write(compressed.bytes())?;
                    compressed.count_own();
                }
            }
            self.bytes += 1;
        }
        match (&mut self.compressed, frames) {
            (Some(compressed), Some(frames)) => {
                self.output.write(frames.bytes())?;
                compressed.count(frames);
            }
            _ => self.output.write(text)?,
        }
        // A mark alone is no line; only at the start is it a mark.
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

    /// The output, with what an archive ends with if it is to be `whole`.
    pub(super) fn end(mut self, whole: bool) -> Result<Output, Error> {
        if let Some(compressed) = self.compressed.filter(|_| whole) {
            self.output.write(&compressed.end())?;
        }
        Ok(self.output)
    }
}
