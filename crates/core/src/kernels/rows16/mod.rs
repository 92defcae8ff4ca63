//! A sudoku of side 16 in sixteen vectors: a row of 16 cells is one vector of 16 masks. What columns say is found down the
//! vectors, what boxes say down four of them and then within, what rows say after a transposition.
//!
//! The steps are written once, over `Row`; each instruction set has its functions made by `rows16!`. All of them leave the
//! same candidates: a step looks at the whole grid as it was before it.

mod portable;
mod row;
mod settle;

pub(in crate::kernels) use portable::settle as portable_settle;
pub(in crate::kernels) use row::Row;
#[cfg(test)]
pub(in crate::kernels) use row::tests::check;
pub(in crate::kernels) use settle::settle;

/// The candidates of a grid of side 16: a row of cells after the other, bit d-1 of a mask for digit d.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Grid16(pub [[u16; 16]; 16]);

impl Grid16 {
    /// Every digit everywhere.
    pub const OPEN: Self = Self([[u16::MAX; 16]; 16]);
}

/// Takes from a grid what singles and locked candidates take, until that is nothing. False if it cannot be solved; what it
/// holds is then unspecified.
pub type Settle16 = fn(&mut Grid16) -> bool;

/// Defines the function of [`Settle16`]'s kind for an instruction set: `$row` is an expression for the first vector, which
/// is the proof that the machine has the instructions.
macro_rules! rows16 {
    ($settle:ident, $row:ty $(, $features:literal)?) => {
        /// [`Settle16`](crate::kernels::rows16::Settle16) for these instructions; the vector is the proof that the machine has
        /// them.
        $(#[target_feature(enable = $features)])?
        fn $settle(row: $row, grid: &mut $crate::kernels::rows16::Grid16) -> bool {
            $crate::kernels::rows16::settle(row, grid)
        }
    };
}
pub(in crate::kernels) use rows16;
