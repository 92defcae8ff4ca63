//! The bounds of the whole lines of a chunk.

use memchr::{memchr, memrchr};

use crate::convert::Bad;
use crate::framing::BYTE_ORDER_MARK;
use crate::source::Chunk;

/// Where the whole lines of a chunk are: `start..tail`. The text before `head` is the end of an overlong line. Between
/// `head` and `start` there may be a byte order mark. The text from `tail` on is the start of an overlong line.
#[derive(Default)]
pub(super) struct ChunkBounds {
    pub(super) head: usize,
    pub(super) start: usize,
    pub(super) tail: usize,
    pub(super) keep_ends: bool,
    pub(super) keep_mark: bool,
}

impl ChunkBounds {
    pub(super) fn of(chunk: &Chunk, bad: Bad) -> Self {
        let text = chunk.text();
        let head = match (&chunk.shape.quotes, chunk.shape.continues) {
            (_, false) => 0,
            (Some(quotes), _) => quotes.head,
            (None, _) => memchr(b'\n', text).map_or(text.len(), |end| end + 1),
        };
        let start = head + mark_length(chunk);
        let tail = match (&chunk.shape.quotes, chunk.shape.open) {
            (_, false) => text.len(),
            (Some(quotes), _) => quotes.tail.max(start),
            (None, _) => memrchr(b'\n', &text[start..]).map_or(start, |end| start + end + 1),
        };
        // A byte order mark has a meaning only at the start of a stream, and several inputs are one stream.
        Self { head, start, tail, keep_ends: bad == Bad::Keep, keep_mark: chunk.leads }
    }
}

/// Returns the length of the byte order mark at the start of a chunk, or 0.
pub(super) fn mark_length(chunk: &Chunk) -> usize {
    if chunk.shape.first && chunk.text().starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
}
