//! Cuts text whose records may contain line ends into chunks.

use super::chunk::{Cut, Limits};
use super::links::counted::Counted;
use super::table::quotes::Quotes;

/// What a framing must know of the text before a chunk, to read the chunk alone. A framing sets what it needs itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TextBefore {
    /// Grids: the number of lines before the chunk.
    pub lines: usize,
    /// Links: how many of the chunk's first bytes may belong to a string with a wrong length that begins before it.
    pub uncertain: usize,
    /// Links: whether the chunk's first bytes are those of a container that counts them.
    pub counted: Counted,
}

/// Cuts the text of an input into chunks.
pub trait Cutter: Send + Sync {
    /// A new cutter of this type, for the start of an input.
    fn fresh(&self) -> Box<dyn Cutter>;

    /// How many bytes of text always suffice to cut a chunk.
    fn enough(&self, limits: Limits) -> usize {
        limits.longest().saturating_add(1)
    }

    /// What a framing must know of the text before the current chunk.
    fn before(&self) -> TextBefore {
        TextBefore::default()
    }

    /// Whether it needs only the text around the end of a chunk. Other cutters are given all of the text, in order.
    fn is_local(&self) -> bool {
        false
    }

    /// The state of quotes in the last chunk.
    fn take_quotes(&mut self) -> Option<Quotes> {
        None
    }

    /// The end of the chunk at the start of `text`; `None` if more text is needed to find it, but never with
    /// [`Cutter::enough`] bytes. The next call is for the following chunk.
    fn cut(&mut self, text: &[u8], complete: bool, limits: Limits) -> Option<Cut>;

    /// Cuts at the last possible position in `text`, for a stream whose next bytes have not arrived yet.
    fn cut_early(&mut self, text: &[u8], limits: Limits) -> Option<Cut>;
}
