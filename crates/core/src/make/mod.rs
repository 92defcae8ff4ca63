//! Boards and puzzles from a seed: board number `i` depends only on the seed, the kind, the side and `i`, and never on
//! batches, threads or the machine.
//!
//! A [`Maker`] makes a full board for each board, in blocks (`blocks`): near one of a small pool, it searches for others
//! (`completions`). The board is a random image of it under the symmetries of its kind, with new digits and new cages.
//! Its clues are random, so a puzzle usually has several solutions; a [`UniqueMaker`] chooses clues with the solver, so
//! that there is one.

mod blocks;
mod cages;
mod colouring;
mod completions;
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
