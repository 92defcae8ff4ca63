//! A chunk of text, as workers get it.

use std::fmt;
use std::sync::Arc;

use super::large::Large;
use super::mapped::Mapping;
use crate::framing::table::quotes::Quotes;

/// Some whole lines of one input; never empty.
pub struct Chunk {
    /// The input, from 0 in the order given to [`Source::new`].
    pub input: usize,
    /// The offset of the first byte in the (decompressed) input.
    pub offset: u64,
    /// The first chunk of its input.
    pub first: bool,
    /// The first chunk of all: inputs before its own are empty.
    pub leads: bool,
    /// Nothing follows in this input. A chunk without a newline at its end, unless it is `open`, is always the last. A
    /// chunk of whole lines that a slow pipe gave may turn out to be the last without having said so: waiting to see what
    /// follows would hold its lines back.
    pub last: bool,
    /// The text begins inside the line that the chunk before left open.
    pub continues: bool,
    /// The last line goes on in the next chunk, which `continues`. The line is then longer than the longest line, and
    /// unless the line fills this chunk from a `continues` at its start, the part of it in this chunk already is.
    pub open: bool,
    /// Where line ends may stand between quotes, what those make of the rows.
    pub quotes: Option<Quotes>,
    /// So many of the first bytes may belong to a string before them whose length does not fit.
    pub owed: usize,
    pub(super) text: ChunkText,
    /// Keeps others from being out, if this one is large and was asked for so.
    pub(super) _large: Option<Large>,
}

impl fmt::Debug for Chunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chunk")
            .field("input", &self.input)
            .field("offset", &self.offset)
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

    /// See [`Quotes::unclosed`].
    pub fn unclosed(&self) -> Option<u64> {
        self.quotes.as_ref()?.unclosed
    }

    /// The buffer, for the next call of [`Source::next`]. What is in it is unspecified.
    pub fn into_buffer(self) -> Vec<u8> {
        match self.text {
            ChunkText::Own(buffer) | ChunkText::Mapped { buffer, .. } => buffer,
        }
    }
}
