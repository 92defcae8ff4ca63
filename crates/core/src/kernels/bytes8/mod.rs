//! A grid of side 3 to 8 in one value of 64 bytes: a cell is a byte of candidates, a row is eight bytes. What rows and columns
//! say is found by exchanging halves, quarters and eighths; what cages say is in lists of all their ways.
//!
//! The steps are written once, over `Bytes`; each instruction set has its functions made by `bytes8!`. All of them leave the
//! same candidates.

mod bytes;
mod portable;
mod settle;

pub(in crate::kernels) use bytes::Bytes;
#[cfg(test)]
pub(in crate::kernels) use bytes::tests::check;
pub(in crate::kernels) use portable::settle as portable_settle;
pub(in crate::kernels) use settle::settle;

/// Something about each of 64 cells: the cell of row r and column c is byte 8 r + c. Boards of side 6 leave out columns 3 and
/// 7, so that a box has two rows of four bytes as it has at side 8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Grid8(pub [u8; 64]);

impl Grid8 {
    /// Nothing anywhere.
    pub const NONE: Self = Self([0; 64]);
}

/// Sixteen ways to fill a cage: the digits of its cells as bits, a byte each, the first cell lowest. After the last way of a
/// list that one is repeated.
pub type Ways = [u32; 16];

/// Cages at most.
pub const CAGES: usize = 32;

/// Sixteen cages, four bytes each.
#[derive(Debug, Clone)]
pub struct CageHalf {
    /// For each byte of a cage the cell.
    pub cells: Grid8,
    /// All ones for the bytes that have a cell.
    pub used: Grid8,
    /// For each cell the byte of its cage.
    pub places: Grid8,
    /// All ones for the cells that are in none of these cages.
    pub outside: Grid8,
}

/// What is the same for all nodes of a puzzle.
#[derive(Debug, Clone)]
pub struct Frame8 {
    /// All digits in the cells of the board, nothing elsewhere.
    pub full: Grid8,
    /// Boxes, too, hold every digit: two rows of four bytes.
    pub boxes: bool,
    /// Cages of two to four cells.
    pub cages: usize,
    /// Where they are, sixteen by sixteen.
    pub halves: [CageHalf; 2],
    /// Of each cage the first of its ways, and how many.
    pub lists: [(u32, u32); CAGES],
}

/// A puzzle on its way.
#[derive(Debug, Clone)]
pub struct Node8 {
    /// The candidates.
    pub grid: Grid8,
    /// The candidates of the cages when they were looked at last; nothing if they were not.
    pub seen: [Grid8; 2],
}

/// Takes from a node what singles and cages take, until that is nothing. False if it cannot be solved; what it holds is then
/// unspecified. The lists of the frame are ranges of the ways.
pub type Settle8 = fn(&mut Node8, &Frame8, &[Ways]) -> bool;

/// Defines the function of [`Settle8`]'s kind for an instruction set: the value of the type is the proof that the machine has
/// the instructions.
macro_rules! bytes8 {
    ($settle:ident, $bytes:ty $(, $features:literal)?) => {
        /// [`Settle8`](crate::kernels::bytes8::Settle8) for these instructions.
        $(#[target_feature(enable = $features)])?
        fn $settle(
            bytes: $bytes,
            node: &mut $crate::kernels::bytes8::Node8,
            frame: &$crate::kernels::bytes8::Frame8,
            ways: &[$crate::kernels::bytes8::Ways],
        ) -> bool {
            $crate::kernels::bytes8::settle(bytes, node, frame, ways)
        }
    };
}
pub(in crate::kernels) use bytes8;
