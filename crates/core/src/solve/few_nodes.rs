//! Propagates a few nodes one after the other, each in the vectors of a board. A pass over a block takes as long for one
//! node as for all of its lanes.
//!
//! A node at rest has the same candidates here as in a block: both apply naked and hidden singles and locked candidates
//! until these remove nothing.

use crate::kernels::Kernel;
use crate::kernels::bitslice::{Block, Nodes, Outcomes, WORDS};
use crate::kernels::houses9::{Frame9, Grid9, MaskTask, Masks, Needs9, locked, singles};
use crate::kernels::vector::Vector;

/// The cells of a band.
const BAND: u32 = (1 << 27) - 1;

/// Propagates nodes of sudokus without houses besides rows, columns and boxes.
pub(super) struct FewNodes {
    kernel: &'static Kernel,
    frame: Frame9,
}

impl FewNodes {
    pub(super) fn new(kernel: &'static Kernel) -> Self {
        let mut frame = Frame9::lines();
        frame.set_regions(&std::array::from_fn(|i| (i / 27 * 3 + i % 9 / 3) as u8));
        frame.set_segments();
        Self { kernel, frame }
    }

    /// Propagates nodes, of which a block must have room for all, until each is at rest. Sets the words of those that are
    /// solved or open in the block.
    pub(super) fn run(&self, nodes: &Nodes, block: &mut dyn Block) -> Outcomes {
        self.kernel.run_masks(Propagation { frame: &self.frame, nodes, block })
    }
}

struct Propagation<'a> {
    frame: &'a Frame9,
    nodes: &'a Nodes,
    block: &'a mut dyn Block,
}

impl MaskTask for Propagation<'_> {
    type Output = Outcomes;

    #[inline(always)]
    fn run<M: Masks>(self, masks: M) -> Outcomes {
        let Self { frame, nodes, block } = self;
        let (mut outcomes, width) = (Outcomes::default(), block.lanes() / 32);
        for node in 0..nodes.len() {
            let Some(cells) = propagate(masks, read(masks, &nodes.words(node)), frame) else { continue };
            let is_solved = cells.several().is_zero();
            let bits = if is_solved { &mut outcomes.solved } else { &mut outcomes.open };
            bits[node % width] |= 1 << (node / width);
            block.set_node(node, &write(masks, cells));
        }
        outcomes
    }
}

/// Removes candidates until singles and locked candidates remove no more. `None` if there is no solution.
#[inline(always)]
fn propagate<M: Masks>(masks: M, mut cells: M::Cells, frame: &Frame9) -> Option<M::Cells> {
    loop {
        (cells, _) = singles(masks, cells, frame, &Needs9::ALL, usize::MAX).ok()?;
        if cells.several().is_zero() {
            return Some(cells);
        }
        let left = locked(masks, cells, frame);
        if left.xor(cells).is_zero() {
            return Some(cells);
        }
        cells = left;
    }
}

/// The candidates of a node.
#[inline(always)]
fn read<M: Masks>(masks: M, words: &[u32; WORDS]) -> M::Cells {
    let mut cells = masks.load(&Grid9::OPEN);
    for (digit, bands) in words.as_chunks::<3>().0.iter().enumerate() {
        let [a, b, c] = bands.map(|band| u128::from(band ^ BAND));
        cells = masks.remove(cells, a | b << 27 | c << 54, 1 << digit);
    }
    cells
}

/// The node with these candidates.
#[inline(always)]
fn write<M: Masks>(masks: M, cells: M::Cells) -> [u32; WORDS] {
    let mut words = [0; WORDS];
    for (digit, bands) in words.as_chunks_mut::<3>().0.iter_mut().enumerate() {
        let has = masks.cells_with(cells, 1 << digit);
        *bands = [has as u32 & BAND, (has >> 27) as u32 & BAND, (has >> 54) as u32 & BAND];
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::available;
    use crate::kernels::bitslice::{Bits, NodeFilter, node_lanes};

    /// The nodes of some lanes of a block, with their tags.
    fn collected(block: &dyn Block, bits: &Bits, nodes: &Nodes) -> Vec<(u32, [u32; WORDS])> {
        let (mut tags, mut to) = (nodes.tags().to_vec(), Nodes::default());
        tags.resize(block.lanes(), 0);
        block.collect(bits, &tags, NodeFilter::All, &mut to);
        to.tags().iter().enumerate().map(|(node, &tag)| (tag, to.words(node))).collect()
    }

    /// Runs a block until all of its lanes are at rest.
    fn run_to_rest(block: &mut dyn Block, nodes: &Nodes) -> Outcomes {
        block.load_nodes(nodes);
        let (mut ends, mut alive) = (Outcomes::default(), node_lanes(nodes.len(), block.lanes()));
        loop {
            let outcomes = block.run(&alive, false);
            ends.solved.iter_mut().zip(outcomes.solved).for_each(|(all, more)| *all |= more);
            if outcomes.progressing == Bits::default() {
                ends.open = outcomes.open;
                return ends;
            }
            alive = outcomes.open;
        }
    }

    #[test]
    fn nodes_end_as_in_a_block() {
        let mut state = 3_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (((state >> 33) * below as u64) >> 31) as usize
        };
        let lists = if cfg!(miri) { 1 } else { 30 };
        for kernel in available() {
            let few = FewNodes::new(kernel);
            let (mut block, mut other) = ((kernel.solving.block)(Vec::new()), (kernel.solving.block)(Vec::new()));
            let (mut ends, mut most) = ([0; 3], 0);
            for _ in 0..lists {
                let mut nodes = Nodes::default();
                for puzzle in 0..8 {
                    // From 18 to 40 givens of a grid, some of them wrong.
                    let mut words = [BAND; WORDS];
                    let (shift, wrong) = (random(9), random(4));
                    for _ in 0..18 + random(23) {
                        let (row, column) = (random(9), random(9));
                        let digit = (row * 3 + row / 3 + column + shift + usize::from(wrong + random(40) == 0)) % 9;
                        let cell = 1 << (row % 3 * 9 + column);
                        (0..9).filter(|&other| other != digit).for_each(|other| words[3 * other + row / 3] &= !cell);
                    }
                    nodes.push(&words, puzzle);
                }
                while !nodes.is_empty() {
                    let found = few.run(&nodes, &mut *block);
                    let expected = run_to_rest(&mut *other, &nodes);
                    other.store_nodes();
                    assert_eq!((found.solved, found.open), (expected.solved, expected.open), "{}", kernel.name);
                    assert_eq!(found.progressing, Bits::default());
                    for bits in [&found.solved, &found.open] {
                        assert_eq!(collected(&*block, bits, &nodes), collected(&*other, bits, &nodes));
                    }
                    let count = |bits: &Bits| bits.iter().map(|word| word.count_ones() as usize).sum::<usize>();
                    let (solved, open) = (count(&found.solved), count(&found.open));
                    ends = [ends[0] + solved, ends[1] + open, ends[2] + nodes.len() - solved - open];
                    let (mut tags, mut split) = (nodes.tags().to_vec(), Nodes::default());
                    tags.resize(block.lanes(), 0);
                    block.collect(&found.open, &tags, NodeFilter::All, &mut split);
                    let (mut firsts, mut seconds) = (Nodes::default(), Nodes::default());
                    block.branch(&split, &mut firsts, &mut seconds);
                    firsts.spill(0, &mut seconds);
                    seconds.truncate(block.lanes().min(100));
                    most = most.max(seconds.len());
                    nodes = seconds;
                    if random(20) == 0 {
                        break;
                    }
                }
            }
            assert!(cfg!(miri) || ends.iter().all(|&ends| ends > 50) && most > 50, "{}: {ends:?}", kernel.name);
        }
    }
}
