//! Sudoku of side 9 in slices of bits: a vector has a bit for each of many puzzles and says of all of them at once whether
//! one candidate of one cell is still there. A pass over the 729 vectors finds naked and hidden singles and locked
//! candidates without a branch, a shift or a table; what it costs does not depend on the puzzles.
//!
//! The passes are written once, over `Lanes`; each instruction set has a [`Block`] made by `block!`.

/// Values, by index. A macro, since a closure would be a function of its own that is compiled without the instructions of
/// the lanes, with a call for each of its operations; and since a loop over so many vectors is not always unrolled.
macro_rules! array {
    ($i:ident in [$($n:literal)*] => $value:expr) => {
        [$({
            let $i: usize = $n;
            $value
        }),*]
    };
}

/// Three values, by index.
macro_rules! three {
    ($i:ident => $value:expr) => { array!($i in [0 1 2] => $value) };
}

/// Nine values, by index.
macro_rules! nine {
    ($i:ident => $value:expr) => { array!($i in [0 1 2 3 4 5 6 7 8] => $value) };
}

/// Sixteen times the same, by index.
macro_rules! sixteen_times {
    ($i:ident => $body:expr) => { _ = array!($i in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] => $body) };
}

/// The 27 cells of a band, by index.
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
pub(in crate::kernels) use lanes::{COLUMN, Lanes, PEERS};
pub(in crate::kernels) use nodes::{collect, pop};
pub(in crate::kernels) use pass::run;
pub(in crate::kernels) use portable::portable_block;
pub(in crate::kernels) use solutions::write_solutions;
pub(in crate::kernels) use state::BlockState;
pub(in crate::kernels) use transpose::{load_nodes, store_nodes};

pub use nodes::{Nodes, PROGRESSING, PUZZLE, WORDS, turns};

/// The largest number of puzzles in a block.
pub const MAX_LANES: usize = 512;

/// A bit for each lane of a block, in the order of the node numbers: node `i * width + j` is bit `i` of word `j`, where
/// `width` is the block's lanes / 32. A block of fewer lanes uses the first words.
pub type Bits = [u32; MAX_LANES / 32];

/// The lanes of the first nodes in a block of so many lanes.
pub fn node_lanes(nodes: usize, lanes: usize) -> Bits {
    let (mut bits, width) = (Bits::default(), lanes / 32);
    for (word, bits) in bits[..width].iter_mut().enumerate() {
        *bits = lowest(nodes.saturating_sub(word).div_ceil(width));
    }
    bits
}

/// The lanes of the first puzzles in a block of so many lanes, as [`Block::load_text`] loads them.
pub fn puzzle_lanes(puzzles: usize, lanes: usize) -> Bits {
    let mut bits = Bits::default();
    for (word, bits) in bits[..lanes / 32].iter_mut().enumerate() {
        *bits = lowest(puzzles.saturating_sub(32 * word));
    }
    bits
}

/// The lowest bits of a word, all of them for 32 and more.
fn lowest(count: usize) -> u32 {
    if count == 0 { 0 } else { u32::MAX >> (32 - count.min(32)) }
}

/// A house besides rows, columns and boxes: box and place in the box, both 0 to 8, of its nine cells.
pub type ExtraHouse = [(u8, u8); 9];

/// How the lanes of a block ended.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ends {
    /// The puzzle is solved; its candidates are the solution.
    pub solved: Bits,
    /// Neither solved nor contradictory.
    pub open: Bits,
    /// Those of `open` that lost a candidate in the last pass: with more passes they may lose more. The others are at rest.
    pub progressing: Bits,
}

/// Which nodes are collected.
#[derive(Debug, Clone, Copy)]
pub enum Wanted<'a> {
    /// All of them.
    All,
    /// Those whose puzzle has a count below this limit.
    Below(&'a [u32], u32),
}

/// As many puzzles as an instruction set solves side by side, with the memory that they need.
pub trait Block: Send {
    /// Puzzles in the block, a multiple of 64 and at most [`MAX_LANES`].
    fn lanes(&self) -> usize;
    /// Takes in as many puzzles as there are lanes: puzzle `p` is the 81 bytes at `p * pitch`, and goes to bit `p % 32` of
    /// word `p / 32`. `1` to `9` and the bytes 1 to 9 are givens, all other bytes are empty cells.
    fn load_text(&mut self, text: &[u8], pitch: usize);
    /// Takes in the first nodes of a list: as many as there are lanes. After the list's end that is anything, to be left out
    /// by [`Block::run`]; the list must have had a node.
    fn load_nodes(&mut self, nodes: &Nodes);
    /// Passes until most lanes are at rest; what a lane at rest holds depends on its puzzle alone. Lanes whose bit in `alive` is clear are left out. A `fresh` block was loaded
    /// from puzzles and not from nodes of a search.
    fn run(&mut self, alive: &Bits, fresh: bool) -> Ends;
    /// Turns the lanes into nodes, for [`Block::collect`] and [`Block::write_solutions`].
    fn store_nodes(&mut self);
    /// Appends the nodes of the lanes whose bit is set and that are wanted to `to`, with their tags (`tags[node number]`).
    fn collect(&self, bits: &Bits, tags: &[u32], wanted: Wanted, to: &mut Nodes);
    /// Writes the digits of the lanes whose bit is set, which are solved, to the places of their puzzles (`tags[node number]`).
    fn write_solutions(&self, bits: &Bits, tags: &[u32], solutions: &mut [[u8; 81]]);
    /// Splits every node at one cell: the first child (the cell's lowest digit) goes to the end of `first`, the second one
    /// (without that digit) to the end of `second`, each with its turns in the tag. Nodes that are marked as progressing, or
    /// have no cell to split, go to `first` as they are; the mark is removed.
    fn branch(&self, nodes: &Nodes, first: &mut Nodes, second: &mut Nodes);
    /// Moves nodes from the end of `stack` to `batch` until that fills the block or the stack is empty. Those whose puzzle
    /// has a count of `limit` or more are dropped.
    fn pop(&self, stack: &mut Nodes, batch: &mut Nodes, counts: &[u32], limit: u32);
}
