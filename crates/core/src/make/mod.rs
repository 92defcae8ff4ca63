//! Boards and puzzles from a seed: board number `i` depends only on the seed, the kind, the side and `i`, and never on
//! batches, threads or the machine.
//!
//! A [`Maker`] has a pool of full boards. Each board that it makes is a random image of one of them under the
//! symmetries of its kind, with new digits and new cages. Its clues are random, so a puzzle usually has several
//! solutions; a [`UniqueMaker`] chooses clues with the solver, so that there is one.

mod cages;
mod colouring;
mod grids;
mod maker;
mod mix;
mod progress;
mod regions;
mod rng;
mod str8ts;
mod symmetry;
mod unique;

pub use maker::{Maker, MakerMemory};
pub use mix::Mix;
pub use unique::{Clues, UniqueMaker};
