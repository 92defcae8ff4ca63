//! Nodes of a search: puzzles on their way, with what is left of their candidates.

use super::lanes::Lanes;
use super::state::State;
use super::{Bits, MAX_LANES};

/// Words of a node: word `3 * digit + band` has the 27 cells of a band in reading order, a bit each.
pub const WORDS: usize = 27;

/// A bit in a node's tag: it was still making progress and is not to be split.
pub const PROGRESSING: u32 = 1 << 31;

/// A list of nodes, word by word. Behind the last one there is room for a block, which is written to but not kept.
#[derive(Debug, Default)]
pub struct Nodes {
    pub(super) words: [Vec<u32>; WORDS],
    /// The number of the puzzle, below 2^31, and [`PROGRESSING`].
    pub(super) tags: Vec<u32>,
    len: usize,
}

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
        &self.tags[..self.len]
    }

    /// A word of a node, of the list's first `len` ones.
    pub fn word(&self, node: usize, word: usize) -> u32 {
        self.words[word][..self.len][node]
    }

    /// Appends a node.
    pub fn push(&mut self, words: &[u32; WORDS], tag: u32) {
        self.reserve(1);
        for (to, word) in self.words.iter_mut().zip(words) {
            to[self.len] = *word;
        }
        self.tags[self.len] = tag;
        self.len += 1;
    }

    /// Moves the nodes from `first` on to the end of another list.
    pub fn spill(&mut self, first: usize, to: &mut Self) {
        let first = first.min(self.len);
        let count = self.len - first;
        to.reserve(count);
        for (from, to_word) in self.words.iter().zip(&mut to.words) {
            to_word[to.len..to.len + count].copy_from_slice(&from[first..self.len]);
        }
        to.tags[to.len..to.len + count].copy_from_slice(&self.tags[first..self.len]);
        to.len += count;
        self.truncate(first);
    }

    /// Room for `more` nodes and a block behind them.
    pub(super) fn reserve(&mut self, more: usize) {
        let need = self.len + more + MAX_LANES;
        if self.tags.len() < need {
            let need = need.next_power_of_two();
            self.words.iter_mut().for_each(|word| word.resize(need, 0));
            self.tags.resize(need, 0);
        }
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
pub fn pop<V: Lanes>(v: V, stack: &mut Nodes, batch: &mut Nodes, counts: &[u32], limit: u32) {
    batch.reserve(V::LANES);
    while batch.len < V::LANES && stack.len > 0 {
        let count = V::WIDTH.min(stack.len).min(V::LANES - batch.len);
        let at = stack.len - count;
        let mut keep = 0;
        for (j, tag) in stack.tags[at..at + count].iter().enumerate() {
            keep |= u32::from(counts[*tag as usize] < limit) << j;
        }
        if keep != 0 {
            let to = batch.grow(keep.count_ones() as usize);
            v.load(&stack.tags[at..]).compress(keep).store(&mut batch.tags[to..]);
            for (from, batch) in stack.words.iter().zip(&mut batch.words) {
                v.load(&from[at..]).compress(keep).store(&mut batch[to..]);
            }
        }
        stack.len = at;
    }
}

/// [`super::Block::collect`].
#[inline(always)]
pub fn collect<V: Lanes>(v: V, state: &State<V>, bits: &Bits, tags: &[u32], to: &mut Nodes) {
    to.reserve(V::LANES);
    let bits = v.load(bits);
    for i in 0..32 {
        let keep = bits.and(v.splat(1 << i)).nonzero_bits();
        if keep != 0 {
            let (from, at) = (i * V::WIDTH, to.grow(keep.count_ones() as usize));
            v.load(&tags[from..]).compress(keep).store(&mut to.tags[at..]);
            for (words, to) in state.words.iter().zip(&mut to.words) {
                v.load(&words[from..]).compress(keep).store(&mut to[at..]);
            }
        }
    }
}
