//! Chunks of text whose records may hold line ends: what cuts them has to see all of the text, in order.

use super::chunk::{Cut, Limits};
use super::table::quotes::Quotes;

/// Cuts the text of an input into chunks.
pub trait Cutter: Send + Sync {
    /// Another one, at the start of an input.
    fn fresh(&self) -> Box<dyn Cutter>;

    /// The most bytes of text that are needed to cut a chunk.
    fn enough(&self, limits: Limits) -> usize {
        limits.longest().saturating_add(1)
    }

    /// How many of the first bytes of the chunk at hand may belong to a string before it whose length does not fit.
    fn owed(&self) -> usize {
        0
    }

    /// What quotes make of the rows of the chunk that was cut last.
    fn take_quotes(&mut self) -> Option<Quotes> {
        None
    }

    /// Where the chunk at the start of `text` ends; `None` if that shows only with more text, but never if there are
    /// [`Cutter::enough`] bytes of it. The next call is for the chunk after it.
    fn cut(&mut self, text: &[u8], complete: bool, limits: Limits) -> Option<Cut>;

    /// The last place in `text` where a chunk may end, for a stream whose next bytes are not there yet.
    fn cut_early(&mut self, text: &[u8], limits: Limits) -> Option<Cut>;
}
