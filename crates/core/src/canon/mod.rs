//! Canonical forms: when two boards are the same puzzle, which board stands for them all, its key, and how that is proven.
//!
//! The puzzle of a board is its kind, side, layout (regions, cages with what they carry, black cells) and givens. Two are the same
//! if a [`Map`], which moves cells and renames digits as the kind allows, makes one of the other: sudokus that are turned,
//! relabelled, or have rows exchanged within a band, and so on. The canonical form of a puzzle is the least that a map makes of it
//! ([`CanonicalForm`] says least in what), written as v2: equal strings mean the same puzzle, unequal ones of one form different
//! ones. The map proves the first: anybody can apply it.
//!
//! Keys come with the feature `keys`.
//!
//! One board at a time there is [`canonical`](crate::canonical()); for batches:
//!
//! ```
//! use gridmill_core::canon::{CanonicalForm, Canonizer};
//! use gridmill_core::formats::{Evidence, Hints, read_one};
//! use gridmill_core::kernels;
//!
//! let puzzle = b"3.9...4..2..7.9....87......75..6.23.6..9.4..8.28.5..41......59....1.6..7..6...1.4";
//! let board = read_one(puzzle, None, &Hints::default(), &Evidence::default())?.batch;
//! let mut canonizer = Canonizer::new(kernels::best());
//! let canonized = canonizer.canonize(&board, false, CanonicalForm::Solution);
//! assert_eq!(canonized.found(0)?.automorphisms, 1);
//! # #[cfg(feature = "keys")]
//! assert_eq!(canonized.key(0).to_string(), "0a70d0c4ea065700c907aa01764d4f28");
//! # Ok::<(), gridmill_core::Reject>(())
//! ```

mod arrangement;
mod bands;
mod canonizer;
mod clues;
mod colours;
mod form;
mod grids;
mod groups;
#[cfg(feature = "keys")]
mod key;
mod map;
mod nine;
mod puzzle;
mod small;
mod solutions;
mod strings;
mod turns;

pub use canonizer::{Canonized, Canonizer};
pub use form::{CanonicalForm, Found};
#[cfg(feature = "keys")]
pub use key::Key;
pub use map::{BadMap, Map};
