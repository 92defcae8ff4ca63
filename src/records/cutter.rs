//! Chunks of text whose records may hold line ends: what cuts them has to see all of the text, in order.

use super::chunk::{Cut, Limits};
use super::quotes::{self, Mid};
use super::serialized;

/// Cuts text into chunks.
#[derive(Debug, Clone, Copy)]
pub enum Cutter {
    /// Not between the quotes of a row.
    Quotes(quotes::Cutter),
    /// Not in a string whose length stands before it.
    Serialized(serialized::Cutter),
}

impl Cutter {
    /// One for CSV at the start of an input.
    pub fn quotes(delimiter: u8) -> Self {
        Self::Quotes(quotes::Cutter::new(delimiter))
    }

    /// One for links at the start of an input.
    pub fn serialized() -> Self {
        Self::Serialized(serialized::Cutter::default())
    }

    /// What the chunk at hand begins in the middle of.
    pub fn mid(&self) -> Mid {
        match self {
            Self::Quotes(cutter) => cutter.mid(),
            Self::Serialized(cutter) => Mid::owed(cutter.owed()),
        }
    }

    /// Whether there may be quotes in the chunk that was cut last.
    pub fn has_quotes(&self) -> bool {
        match self {
            Self::Quotes(cutter) => cutter.has_quotes(),
            Self::Serialized(_) => true,
        }
    }

    /// Where the chunk at the start of `text` ends; `None` if that shows only with more text. The next call is for the chunk
    /// after it.
    pub fn cut(&mut self, text: &[u8], complete: bool, limits: Limits) -> Option<Cut> {
        match self {
            Self::Quotes(cutter) => cutter.cut(text, complete, limits),
            Self::Serialized(cutter) => cutter.cut(text, complete, limits),
        }
    }

    /// The last place in `text` where a chunk may end, for a stream whose next bytes are not there yet.
    pub fn cut_early(&mut self, text: &[u8]) -> Option<Cut> {
        match self {
            Self::Quotes(cutter) => cutter.cut_early(text),
            Self::Serialized(cutter) => cutter.cut_early(text),
        }
    }
}
