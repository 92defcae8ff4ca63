//! The parts of a chunk: its whole lines, and what of other lines stands before and after them.

use super::framing::Settled;
use crate::convert::Bad;
use crate::records::quotes::Mid;
use crate::source::Chunk;

/// Where the whole lines of a chunk are: `start..tail`. Before `head` is the end of an overlong line, then perhaps a byte
/// order mark; behind `tail` an overlong line begins.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) head: usize,
    pub(super) start: usize,
    pub(super) tail: usize,
    pub(super) keep_ends: bool,
    pub(super) keep_mark: bool,
}

impl Parts {
    pub(super) fn of(chunk: &Chunk, framing: &Settled, bad: Bad) -> Self {
        let text = chunk.text();
        let head = match chunk.continues {
            true => framing.ends(text, chunk.mid).map_or(text.len(), |(first, _)| first),
            false => 0,
        };
        let start = head + mark_length(chunk);
        let tail = match chunk.open {
            true => framing.ends(&text[start..], Mid::ROW).map_or(start, |(_, last)| start + last),
            false => text.len(),
        };
        // The mark says something only at the start of a stream, and several inputs are one.
        Self { head, start, tail, keep_ends: bad == Bad::Keep, keep_mark: chunk.input == 0 }
    }
}

/// Bytes of the byte order mark that a chunk begins with.
pub(super) fn mark_length(chunk: &Chunk) -> usize {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    if chunk.first && chunk.text().starts_with(MARK) { MARK.len() } else { 0 }
}
