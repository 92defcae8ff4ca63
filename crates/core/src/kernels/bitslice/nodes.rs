//! Nodes of the search: the candidates that are left of a puzzle.

use super::lanes::Lanes;
use super::state::BlockState;
use super::{Bits, MAX_LANES, NodeFilter, WORDS};

/// A bit in a node's tag: the node is not stable and must not be split.
pub(crate) const PROGRESSING: u32 = 1 << 31;

/// The bits of a tag that contain the number of the puzzle.
pub(crate) const PUZZLE: u32 = (1 << 18) - 1;

/// A tag counts in units of this how many first children (with a tried digit) are on the path to the node. There are at
/// most 81, because each of them decides a cell.
pub(super) const FIRST: u32 = 1 << 18;

/// A tag counts in units of this how many second children (with a digit left out) are on the path to the node.
pub(super) const SECOND: u32 = 1 << 25;

/// All bits of the count of second children. The count saturates.
pub(super) const SECONDS: u32 = PROGRESSING - SECOND;

/// Returns how many first children and how many second children are on the path to the node with this tag.
pub(crate) fn branch_counts(tag: u32) -> (u32, u32) {
    ((tag % SECOND) / FIRST, (tag & SECONDS) / SECOND)
}

/// A list of nodes, stored word by word. After the last node there is room for a block, which may be overwritten but is
/// not kept.
#[derive(Debug, Default)]
pub struct Nodes {
    /// Rows of words, then the row of tags: the number of the puzzle, the branch counts, and [`PROGRESSING`].
    rows: Vec<u32>,
    /// The distance between two rows.
    stride: usize,
    len: usize,
}

/// The index of the row of tags.
const TAGS: usize = WORDS;

impl Nodes {
    /// Returns the number of nodes in the list.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Drops the nodes from `len` on and keeps the memory.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Returns the tags of the nodes.
    pub fn tags(&self) -> &[u32] {
        &self.rows[TAGS * self.stride..][..self.len]
    }

    /// Returns the words of a node of the list.
    pub fn words(&self, node: usize) -> [u32; WORDS] {
        std::array::from_fn(|word| self.row(word)[..self.len][node])
    }

    /// Makes the tag of a node of a puzzle with these branch counts.
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

    /// Reserves room for `more` nodes and a block after them.
    pub(super) fn reserve(&mut self, more: usize) {
        let need = self.len + more + MAX_LANES;
        if need <= self.stride {
            return;
        }
        // The stride is an odd number of cache lines: rows a power of two apart would compete for the same few cache
        // sets.
        let stride = need.next_power_of_two() + 16;
        let mut rows = vec![0; (TAGS + 1) * stride];
        if self.len > 0 {
            for (to, from) in rows.chunks_exact_mut(stride).zip(self.rows.chunks_exact(self.stride)) {
                to[..self.len].copy_from_slice(&from[..self.len]);
            }
        }
        (self.rows, self.stride) = (rows, stride);
    }

    /// Returns one word of all nodes, with room for a block after them; [`WORDS`] is the row of tags.
    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> &[u32] {
        &self.rows[row * self.stride..][..self.stride]
    }

    /// [`Nodes::row`] for writing.
    #[inline(always)]
    pub(super) fn row_mut(&mut self, row: usize) -> &mut [u32] {
        &mut self.rows[row * self.stride..][..self.stride]
    }

    /// Extends the list by `count` nodes, for which there is room. Returns the index of the first of them.
    #[inline(always)]
    pub(super) fn grow(&mut self, count: usize) -> usize {
        let at = self.len;
        self.len += count;
        at
    }
}

/// Implements [`super::Block::pop`].
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

/// Implements [`super::Block::collect`].
#[inline(always)]
pub(crate) fn collect<V: Lanes>(
    v: V,
    state: &BlockState<V>,
    bits: &Bits,
    tags: &[u32],
    filter: NodeFilter,
    to: &mut Nodes,
) {
    to.reserve(V::LANES);
    let bits = v.load(bits);
    for i in 0..32 {
        let from = i * V::WIDTH;
        let mut keep = bits.and(v.splat(1 << i)).nonzero_bits();
        if let NodeFilter::CountBelow(counts, limit) = filter
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
