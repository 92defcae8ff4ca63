//! Boards of side 9 in vectors: a cell is a mask of 16 bits, and so is what is said of a house. There are 27 houses: nine rows, nine
//! columns and nine regions of any shape, or boxes, or none.
//!
//! The steps are written once, over `Masks`, and inlined into a solver that is compiled for an instruction set by
//! `Kernel::run_masks`. All instruction sets leave the same candidates.

mod frame;
mod masks;
mod portable;
mod steps;

pub use frame::{Frame9, Grid9, Needs9};
#[cfg(target_arch = "x86_64")]
pub(in crate::kernels) use frame::{Lanes, Segments};
#[cfg(test)]
pub(in crate::kernels) use masks::tests::check;
pub(crate) use masks::{MaskWork, Masks};
pub(in crate::kernels) use portable::Portable;
pub(crate) use steps::{Fault, locked, singles};
