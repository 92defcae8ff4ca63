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
    words: [Vec<u32>; WORDS],
    /// The number of the puzzle, below 2^31, and [`PROGRESSING`].
    tags: Vec<u32>,
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

    /// One word of all nodes, with room for a block behind them. Nothing before the first use.
    pub(super) fn words(&self) -> &[Vec<u32>; WORDS] {
        &self.words
    }

    /// The tags of the `V::WIDTH` nodes from `at` on, as far as there are.
    #[inline(always)]
    pub(super) fn tags_at<V: Lanes>(&self, v: V, at: usize) -> V {
        v.load(&self.tags[at..])
    }

    /// Writes a vector of nodes behind the last one, of which `count` count.
    #[inline(always)]
    pub(super) fn append<V: Lanes>(&mut self, count: usize, tags: V, mut word: impl FnMut(usize) -> V) {
        for (w, to) in self.words.iter_mut().enumerate() {
            word(w).store(&mut to[self.len..]);
        }
        tags.store(&mut self.tags[self.len..]);
        self.len += count;
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
            let tags = stack.tags_at(v, at).compress(keep);
            batch.append(keep.count_ones() as usize, tags, |w| v.load(&stack.words[w][at..]).compress(keep));
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
            let at = i * V::WIDTH;
            let tags = v.load(&tags[at..]).compress(keep);
            to.append(keep.count_ones() as usize, tags, |w| v.load(&state.words[w][at..]).compress(keep));
        }
    }
}
