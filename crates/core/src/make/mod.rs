//! Puzzles out of a seed: board number `i` depends on the seed, the kind, the side and `i` alone, never on batches,
//! threads or the machine.
//!
//! A [`Maker`] holds a pool of full boards. Each board is a random image of one of them under the symmetries of its kind,
//! with new digits; cages are cut anew for each. Solutions are not unique as a rule, as clues are drawn; a [`UniqueMaker`] chooses
//! them with the solver.

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

pub use maker::{Maker, Scratch};
pub use mix::Mix;
pub use unique::{Clues, UniqueMaker};
