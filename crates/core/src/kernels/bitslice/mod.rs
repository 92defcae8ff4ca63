//! Solves sudokus of side 9 with bit slices: a vector has one bit for each of many puzzles, and tells for all of them
//! whether one candidate of one cell is still there. A pass over the 729 vectors finds naked and hidden singles and
//! locked candidates without branches, shifts or tables; its cost does not depend on the puzzles.
//!
//! The passes are written once, over `Lanes`; `block!` defines the [`Block`] of each instruction set.

/// An array of values by index. This is a macro because a closure would be a separate function, compiled without the
/// instructions of the lanes, with a call for each of its operations; and because a loop over so many vectors is not
/// always unrolled.
macro_rules! array {
    ($i:ident in [$($n:literal)*] => $value:expr) => {
        [$({
            let $i: usize = $n;
            $value
        }),*]
    };
}

/// An array of three values by index.
macro_rules! three {
    ($i:ident => $value:expr) => { array!($i in [0 1 2] => $value) };
}

/// An array of nine values by index.
macro_rules! nine {
    ($i:ident => $value:expr) => { array!($i in [0 1 2 3 4 5 6 7 8] => $value) };
}

/// Repeats a statement sixteen times, by index.
macro_rules! sixteen_times {
    ($i:ident => $body:expr) => { _ = array!($i in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] => $body) };
}

/// An array of values for the 27 cells of a band, by index.
macro_rules! band {
    ($i:ident => $value:expr) => {
        array!($i in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26] => $value)
    };
}

mod block;
mod branch;
mod houses;
mod lanes;
mod nodes;
mod pass;
mod portable;
mod singles;
mod solutions;
mod state;
mod text;
mod transpose;

pub(in crate::kernels) use block::block;
pub(in crate::kernels) use branch::branch;
#[cfg(test)]
pub(in crate::kernels) use lanes::tests::check;
pub(in crate::kernels) use lanes::{BitVector, COLUMN, Lanes, PEERS};
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
pub(in crate::kernels) use lanes::{ThreeBits, WordVector, of_two};
pub(in crate::kernels) use nodes::{collect, pop};
pub(in crate::kernels) use pass::run;
pub(in crate::kernels) use portable::portable_block;
pub(in crate::kernels) use solutions::write_solutions;
pub(in crate::kernels) use state::BlockState;
pub(in crate::kernels) use transpose::{load_nodes, store_nodes};

pub(crate) use nodes::{Nodes, PROGRESSING, PUZZLE, branch_counts};

/// The largest number of puzzles in a block.
pub(crate) const MAX_LANES: usize = 512;

/// The number of words of a node: word `3 * digit + band` has one bit for each of the 27 cells of a band, in reading
/// order.
pub(crate) const WORDS: usize = 27;

/// One bit for each lane of a block, ordered by node number: node `i * width + j` is bit `i` of word `j`, where `width`
/// is the number of lanes / 32. A block with fewer lanes uses the first words.
pub(crate) type Bits = [u32; MAX_LANES / 32];

/// Returns the lanes of the first `nodes` nodes in a block of `lanes` lanes.
pub(crate) fn node_lanes(nodes: usize, lanes: usize) -> Bits {
    let (mut bits, width) = (Bits::default(), lanes / 32);
    for (word, bits) in bits[..width].iter_mut().enumerate() {
        *bits = lowest(nodes.saturating_sub(word).div_ceil(width));
    }
    bits
}

/// Returns the lanes of the first `puzzles` puzzles in a block of `lanes` lanes, in the order of [`Block::load_text`].
pub(crate) fn puzzle_lanes(puzzles: usize, lanes: usize) -> Bits {
    let mut bits = Bits::default();
    for (word, bits) in bits[..lanes / 32].iter_mut().enumerate() {
        *bits = lowest(puzzles.saturating_sub(32 * word));
    }
    bits
}

/// Returns the lowest `count` bits of a word, all of them for 32 and more.
fn lowest(count: usize) -> u32 {
    if count == 0 { 0 } else { u32::MAX >> (32 - count.min(32)) }
}

/// A house besides rows, columns and boxes: for each of its nine cells, the box and the place in the box, both 0 to 8.
pub(crate) type ExtraHouse = [(u8, u8); 9];

/// The outcome of [`Block::run`] for each lane.
#[derive(Debug, Clone, Copy, Default)]
pub struct Outcomes {
    /// The puzzle is solved; its candidates are the solution.
    pub solved: Bits,
    /// Neither solved nor contradictory.
    pub open: Bits,
    /// The lanes of `open` that lost a candidate in the last pass: more passes may remove more. The other open lanes
    /// are stable.
    pub progressing: Bits,
}

/// Selects the nodes that [`Block::collect`] collects.
#[derive(Debug, Clone, Copy)]
pub enum NodeFilter<'a> {
    /// All nodes.
    All,
    /// The nodes whose puzzle has a count below this limit.
    CountBelow(&'a [u32], u32),
}

/// A block of puzzles that are solved in parallel by the vectors of an instruction set, with the memory for them.
pub trait Block: Send {
    /// Returns the number of puzzles in the block, a multiple of 64 and at most [`MAX_LANES`].
    fn lanes(&self) -> usize;
    /// Loads as many puzzles as there are lanes: puzzle `p` is the 81 bytes at `p * pitch`, and goes to bit `p % 32` of
    /// word `p / 32`. `1` to `9` and the bytes 1 to 9 are givens, all other bytes are empty cells.
    fn load_text(&mut self, text: &[u8], pitch: usize);
    /// Loads the first nodes of a list, as many as there are lanes. If the list is shorter, the other lanes get
    /// arbitrary contents, and [`Block::run`] must leave them out. The list must have had a node at some time.
    fn load_nodes(&mut self, nodes: &Nodes);
    /// Runs passes until most lanes are stable; the contents of a stable lane depend only on its puzzle. Lanes whose
    /// bit in `alive` is clear are left out. A `fresh` block was loaded from puzzles, not from nodes of a search.
    fn run(&mut self, alive: &Bits, fresh: bool) -> Outcomes;
    /// Transposes the lanes to nodes, for [`Block::collect`] and [`Block::write_solutions`].
    fn store_nodes(&mut self);
    /// Sets a node, instead of [`Block::store_nodes`].
    fn set_node(&mut self, node: usize, words: &[u32; WORDS]);
    /// Appends to `to` the nodes of the lanes whose bit is set and that the filter selects, with their tags (`tags[node
    /// number]`).
    fn collect(&self, bits: &Bits, tags: &[u32], filter: NodeFilter, to: &mut Nodes);
    /// Writes the digits of the lanes whose bit is set, which must be solved, to the solutions of their puzzles
    /// (`tags[node number]`).
    fn write_solutions(&self, bits: &Bits, tags: &[u32], solutions: &mut [[u8; 81]]);
    /// Splits every node at one cell. The first child has the cell's lowest digit and is appended to `first`; the
    /// second child is the node without that digit and is appended to `second`. The tags of the children count their
    /// branches. Nodes that are marked as progressing, or have no cell to split, are appended to `first` unchanged,
    /// without the mark.
    fn branch(&self, nodes: &Nodes, first: &mut Nodes, second: &mut Nodes);
    /// Moves nodes from the end of `stack` to `batch` until the block is full or the stack is empty. Nodes whose puzzle
    /// has a count of `limit` or more are dropped.
    fn pop(&self, stack: &mut Nodes, batch: &mut Nodes, counts: &[u32], limit: u32);
}
