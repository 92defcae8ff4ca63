//! Propagates sudokus of side 16. The board is sixteen vectors: a row of 16 cells is one vector of 16 masks. Columns
//! are evaluated across the vectors, boxes across four vectors and then within them, and rows after a transposition.
//!
//! The steps are written once, over `Row16`; `rows16!` defines the functions of each instruction set. All instruction
//! sets leave the same candidates, because each step only reads the board as it was before the step.

mod portable;
mod propagate;
mod row;

pub(in crate::kernels) use portable::propagate as portable_propagate;
pub(in crate::kernels) use propagate::propagate;
pub(in crate::kernels) use row::Row16;
#[cfg(test)]
pub(in crate::kernels) use row::tests::check;

/// The candidates of a board of side 16, row by row. Bit d-1 of a mask is digit d.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Grid16(pub [[u16; 16]; 16]);

impl Grid16 {
    /// Every digit in every cell.
    pub const OPEN: Self = Self([[u16::MAX; 16]; 16]);
}

/// Removes candidates by singles and locked candidates until these find no more. Returns false if the board has no
/// solution; its contents are then unspecified.
pub(crate) type Propagate16 = fn(&mut Grid16) -> bool;

/// Defines a [`Propagate16`] function for an instruction set. The value of type `$row` proves that the machine has the
/// instructions.
macro_rules! rows16 {
    ($propagate:ident, $row:ty $(, $features:literal)?) => {
        /// Implements [`Propagate16`](crate::kernels::rows16::Propagate16) for these instructions; the vector proves
        /// that the machine has them.
        $(#[target_feature(enable = $features)])?
        fn $propagate(row: $row, grid: &mut $crate::kernels::rows16::Grid16) -> bool {
            $crate::kernels::rows16::propagate(row, grid)
        }
    };
}
pub(in crate::kernels) use rows16;
