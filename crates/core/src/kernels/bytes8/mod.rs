//! Propagates boards of side 3 to 8. The board is one vector of 64 bytes: a cell is a byte of candidates, and a row is
//! eight bytes. Rows and columns are evaluated by exchanging halves, quarters and eighths of the vector, and cages by
//! lists of all ways to fill them.
//!
//! The steps are written once, over `Bytes64`; `bytes8!` defines the functions of each instruction set. All instruction
//! sets leave the same candidates.

mod bytes64;
mod portable;
mod propagate;

#[cfg(test)]
pub(in crate::kernels) use bytes64::tests::check;
pub(in crate::kernels) use bytes64::{Bytes64, CageLists};
pub(in crate::kernels) use portable::propagate as portable_propagate;
pub(in crate::kernels) use propagate::propagate;

/// One byte for each of 64 cells: the cell of row r and column c is byte 8 r + c. Boards of side 6 do not use columns 3
/// and 7, so a box is two rows of four bytes, as at side 8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Grid8(pub [u8; 64]);

impl Grid8 {
    /// All bytes are 0.
    pub const NONE: Self = Self([0; 64]);
}

/// Sixteen ways to fill a cage: each is one byte per cell, the first cell lowest, in which the bit of its digit is set.
/// A list of ways is filled up to a multiple of sixteen by repeating its last one.
pub(crate) type Ways = [u32; 16];

/// The maximum number of cages.
pub(crate) const CAGES: usize = 32;

/// Half of the cages of a board: sixteen cages of four bytes each.
#[derive(Debug, Clone)]
pub struct CageHalf {
    /// For each byte of a cage, its cell.
    pub cells: Grid8,
    /// All ones for the bytes that have a cell.
    pub used: Grid8,
    /// For each cell, its byte in the cages.
    pub places: Grid8,
    /// All ones for the cells that are in none of these cages.
    pub outside: Grid8,
}

/// The parts of a puzzle that are the same for all nodes of its search.
#[derive(Debug, Clone)]
pub struct Frame8 {
    /// All digits in the cells of the board, 0 in the other bytes.
    pub full: Grid8,
    /// Whether boxes must have every digit, too; a box is two rows of four bytes.
    pub boxes: bool,
    /// The number of cages, which have two to four cells each.
    pub cages: usize,
    /// The cells of the cages, sixteen cages each.
    pub halves: [CageHalf; 2],
    /// For each cage, the index of the first block of its ways, and the number of blocks.
    pub lists: [(u32, u32); CAGES],
    /// The cages whose ways are a single block, as bits.
    pub one_block: u32,
}

/// A node of the search.
#[derive(Debug, Clone)]
pub struct Node8 {
    /// The candidates.
    pub grid: Grid8,
    /// The candidates of the cages when they were last evaluated, or the digits of all their ways.
    pub seen: [Grid8; 2],
}

/// Removes candidates from a node by singles, cages and naked pairs until these find no more. Returns false if the node
/// has no solution; its contents are then unspecified. The lists of the frame are ranges of the ways.
pub(crate) type Propagate8 = fn(&mut Node8, &Frame8, &[Ways]) -> bool;

/// Defines a [`Propagate8`] function for an instruction set: the value of the type proves that the machine has the
/// instructions.
macro_rules! bytes8 {
    ($propagate:ident, $bytes:ty $(, $features:literal)?) => {
        /// Implements [`Propagate8`](crate::kernels::bytes8::Propagate8) for these instructions.
        $(#[target_feature(enable = $features)])?
        fn $propagate(
            bytes: $bytes,
            node: &mut $crate::kernels::bytes8::Node8,
            frame: &$crate::kernels::bytes8::Frame8,
            ways: &[$crate::kernels::bytes8::Ways],
        ) -> bool {
            $crate::kernels::bytes8::propagate(bytes, node, frame, ways)
        }
    };
}
pub(in crate::kernels) use bytes8;
