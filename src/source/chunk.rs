//! A chunk of text, the unit of work of a worker.

use std::fmt;
use std::sync::Arc;

use super::large::Large;
use crate::framing::cutter::TextBefore;
use crate::framing::table::quotes::Quotes;
use crate::platform::Mapping;

/// Some whole lines of one input; never empty.
pub struct Chunk {
    /// The input, from 0 in the order given to [`Source::new`](super::Source::new).
    pub input: usize,
    /// Where its text stands.
    pub shape: ChunkShape,
    /// Whether it is the first chunk of all, that is, all earlier inputs are empty.
    pub leads: bool,
    pub(super) text: ChunkText,
    /// Present if the chunk is large and was pulled by [`Source::next_unless_large`](super::Source::next_unless_large).
    pub(super) _large: Option<Large>,
}

/// Where the text of a chunk stands in its input, and what is known about its ends.
#[derive(Debug)]
pub struct ChunkShape {
    /// The offset of the first byte in the (decompressed) input.
    pub offset: u64,
    /// Whether it is the first chunk of its input.
    pub first: bool,
    /// Whether nothing follows in this input. A chunk that does not end with a newline is always the last, unless it
    /// is `open`. The last chunk of a slow pipe may not be marked: waiting for its end would hold lines back.
    pub last: bool,
    /// Whether the text begins inside the line that the previous chunk left open.
    pub continues: bool,
    /// Whether the last line goes on in the next chunk, which `continues`. Such a line is longer than the limit for
    /// lines, and the part of it in this chunk is already, unless it fills the whole chunk and `continues` too.
    pub open: bool,
    /// If line ends may stand between quotes: the state of the quotes.
    pub quotes: Option<Quotes>,
    /// What the cutter says about the text before the chunk.
    pub before: TextBefore,
}

impl fmt::Debug for Chunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chunk")
            .field("input", &self.input)
            .field("offset", &self.shape.offset)
            .field("len", &self.text().len())
            .finish_non_exhaustive()
    }
}

pub(super) enum ChunkText {
    Own(Vec<u8>),
    Mapped { mapping: Arc<Mapping>, start: usize, end: usize, buffer: Vec<u8> },
}

impl Chunk {
    /// The text.
    pub fn text(&self) -> &[u8] {
        match &self.text {
            ChunkText::Own(text) => text,
            ChunkText::Mapped { mapping, start, end, .. } => &mapping[*start..*end],
        }
    }

    /// Like [`Quotes::unclosed`].
    pub fn unclosed(&self) -> Option<u64> {
        self.shape.quotes.as_ref()?.unclosed
    }

    /// The buffer, for the next call of [`Source::next`](super::Source::next). Its contents are unspecified.
    pub fn into_buffer(self) -> Vec<u8> {
        match self.text {
            ChunkText::Own(buffer) | ChunkText::Mapped { buffer, .. } => buffer,
        }
    }
}
