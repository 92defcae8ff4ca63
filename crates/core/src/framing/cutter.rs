//! Chunks of text whose records may hold line ends: what cuts them has to see all of the text, in order.

use super::chunk::{Cut, Limits};
use super::links::serialized;
use super::table::quotes::{self, Quotes};

/// Cuts text into chunks.
#[derive(Debug, Clone)]
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

    /// The most bytes of text that are needed to cut a chunk.
    pub fn enough(&self, limits: Limits) -> usize {
        match self {
            Self::Quotes(_) => quotes::Cutter::enough(limits),
            Self::Serialized(_) => limits.longest().saturating_add(1),
        }
    }

    /// How many of the first bytes of the chunk at hand may belong to a string before it whose length does not fit.
    pub fn owed(&self) -> usize {
        match self {
            Self::Quotes(_) => 0,
            Self::Serialized(cutter) => cutter.owed(),
        }
    }

    /// What quotes make of the rows of the chunk that was cut last.
    pub fn take_quotes(&mut self) -> Option<Quotes> {
        match self {
            Self::Quotes(cutter) => Some(cutter.take_quotes()),
            Self::Serialized(_) => None,
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
    pub fn cut_early(&mut self, text: &[u8], limits: Limits) -> Option<Cut> {
        match self {
            Self::Quotes(cutter) => cutter.cut_early(text, limits),
            Self::Serialized(cutter) => cutter.cut_early(text),
        }
    }
}
