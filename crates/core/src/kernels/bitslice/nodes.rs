//! Nodes of a search: puzzles on their way, with what is left of their candidates.

use super::lanes::Lanes;
use super::state::BlockState;
use super::{Bits, MAX_LANES, Wanted};

/// Words of a node: word `3 * digit + band` has the 27 cells of a band in reading order, a bit each.
pub const WORDS: usize = 27;

/// A bit in a node's tag: it is not at rest and not to be split.
pub const PROGRESSING: u32 = 1 << 31;

/// The bits of a tag that are the number of the puzzle.
pub const PUZZLE: u32 = (1 << 18) - 1;

/// One of the digits that were tried on the way to a node, in its tag: at most 81, since each decides a cell.
pub(super) const FIRST: u32 = 1 << 18;

/// One of the digits that were left out on the way to a node, in its tag.
pub(super) const SECOND: u32 = 1 << 25;

/// All bits of the digits that were left out. More than these can say are as many as they can say.
pub(super) const SECONDS: u32 = PROGRESSING - SECOND;

/// How many digits were tried, and how many left out, on the way to the node of a tag.
pub fn turns(tag: u32) -> (u32, u32) {
    ((tag % SECOND) / FIRST, (tag & SECONDS) / SECOND)
}

/// A list of nodes, word by word. After the last one there is room for a block, which is written to but not kept.
#[derive(Debug, Default)]
pub struct Nodes {
    /// Rows of words, then the row of tags: the number of the puzzle, the turns, and [`PROGRESSING`].
    rows: Vec<u32>,
    /// From one row to the next.
    stride: usize,
    len: usize,
}

/// The row of tags.
const TAGS: usize = WORDS;

impl Nodes {
    /// Nodes in the list.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets the nodes from `len` on and keeps the memory.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// The tags of the nodes.
    pub fn tags(&self) -> &[u32] {
        &self.rows[TAGS * self.stride..][..self.len]
    }

    /// The words of a node of the list.
    pub fn words(&self, node: usize) -> [u32; WORDS] {
        std::array::from_fn(|word| self.row(word)[..self.len][node])
    }

    /// The tag of a node of a puzzle, after so many turns.
    pub fn tag(puzzle: u32, firsts: u32, seconds: u32) -> u32 {
        (puzzle & PUZZLE) + firsts * FIRST + seconds.min(SECONDS / SECOND) * SECOND
    }

    /// Appends a node.
    pub fn push(&mut self, words: &[u32; WORDS], tag: u32) {
        self.reserve(1);
        let at = self.len;
        for (row, word) in words.iter().enumerate() {
            self.row_mut(row)[at] = *word;
        }
        self.row_mut(TAGS)[at] = tag;
        self.len += 1;
    }

    /// Moves the nodes from `first` on to the end of another list.
    pub fn spill(&mut self, first: usize, to: &mut Self) {
        let first = first.min(self.len);
        let count = self.len - first;
        to.reserve(count);
        let at = to.grow(count);
        for row in 0..=TAGS {
            to.row_mut(row)[at..at + count].copy_from_slice(&self.row(row)[first..first + count]);
        }
        self.truncate(first);
    }

    /// Room for `more` nodes and a block after them.
    pub(super) fn reserve(&mut self, more: usize) {
        let need = self.len + more + MAX_LANES;
        if need <= self.stride {
            return;
        }
        // An odd number of cache lines: rows a power of two apart would fall on the same few places of the cache.
        let stride = need.next_power_of_two() + 16;
        let mut rows = vec![0; (TAGS + 1) * stride];
        if self.len > 0 {
            for (to, from) in rows.chunks_exact_mut(stride).zip(self.rows.chunks_exact(self.stride)) {
                to[..self.len].copy_from_slice(&from[..self.len]);
            }
        }
        (self.rows, self.stride) = (rows, stride);
    }

    /// One word of all nodes, with room for a block after them; [`WORDS`] is the row of tags.
    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> &[u32] {
        &self.rows[row * self.stride..][..self.stride]
    }

    /// As [`Nodes::row`].
    #[inline(always)]
    pub(super) fn row_mut(&mut self, row: usize) -> &mut [u32] {
        &mut self.rows[row * self.stride..][..self.stride]
    }

    /// Makes the next `count` nodes count, for which there is room; returns the first one's place.
    #[inline(always)]
    pub(super) fn grow(&mut self, count: usize) -> usize {
        let at = self.len;
        self.len += count;
        at
    }
}

/// [`super::Block::pop`].
#[inline(always)]
pub(crate) fn pop<V: Lanes>(v: V, stack: &mut Nodes, batch: &mut Nodes, counts: &[u32], limit: u32) {
    batch.reserve(V::LANES);
    while batch.len < V::LANES && stack.len > 0 {
        let count = V::WIDTH.min(stack.len).min(V::LANES - batch.len);
        let at = stack.len - count;
        let tags = v.load(&stack.row(TAGS)[at..]);
        let keep = tags.and(v.splat(PUZZLE)).below(counts, limit) & (u32::MAX >> (32 - count));
        if keep != 0 {
            let to = batch.grow(keep.count_ones() as usize);
            for row in 0..=TAGS {
                v.load(&stack.row(row)[at..]).compress(keep).store(&mut batch.row_mut(row)[to..]);
            }
        }
        stack.len = at;
    }
}

/// [`super::Block::collect`].
#[inline(always)]
pub(crate) fn collect<V: Lanes>(
    v: V,
    state: &BlockState<V>,
    bits: &Bits,
    tags: &[u32],
    wanted: Wanted,
    to: &mut Nodes,
) {
    to.reserve(V::LANES);
    let bits = v.load(bits);
    for i in 0..32 {
        let from = i * V::WIDTH;
        let mut keep = bits.and(v.splat(1 << i)).nonzero_bits();
        if let Wanted::Below(counts, limit) = wanted
            && keep != 0
        {
            keep &= v.load(&tags[from..]).and(v.splat(PUZZLE)).below(counts, limit);
        }
        if keep != 0 {
            let at = to.grow(keep.count_ones() as usize);
            for (row, words) in state.words.iter().enumerate() {
                v.load(&words[from..]).compress(keep).store(&mut to.row_mut(row)[at..]);
            }
            v.load(&tags[from..]).compress(keep).store(&mut to.row_mut(TAGS)[at..]);
        }
    }
}
