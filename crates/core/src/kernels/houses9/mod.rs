//! Propagates boards of side 9. A cell is a mask of 16 bits, and so is a value for a house. There are 27 houses: nine
//! rows, nine columns and nine regions, which are of any shape, boxes, or absent.
//!
//! The steps are written once, over `Masks`, and inlined into a solver that `Kernel::run_masks` compiles for each
//! instruction set. All instruction sets leave the same candidates.

mod frame;
mod masks;
mod portable;
mod steps;

pub(crate) use frame::{Frame9, Grid9, Needs9};
#[cfg(target_arch = "x86_64")]
pub(in crate::kernels) use frame::{PerHouse, Segments};
#[cfg(target_arch = "x86_64")]
pub(in crate::kernels) use masks::HouseMasks;
#[cfg(test)]
pub(in crate::kernels) use masks::tests::check;
pub(crate) use masks::{MaskTask, Masks};
pub(in crate::kernels) use portable::Portable;
pub(crate) use steps::{Contradiction, locked, singles};
