//! Canonical forms: decides when two boards are the same puzzle, chooses one board to represent them all, computes its
//! key, and proves the choice with a map.
//!
//! The puzzle of a board is its kind, side, layout (regions, cages with their clues and operators, black cells) and
//! givens. Two boards are the same puzzle if a [`Map`] turns one into the other. A map moves cells and renames digits
//! in the ways that the kind allows: a sudoku may be rotated and relabelled, rows may be exchanged within a band, and
//! so on. The canonical form of a puzzle is the least board that a map can make of it ([`CanonicalForm`] defines the
//! order), written as v2. Equal strings mean the same puzzle; different strings of one form mean different puzzles. The
//! map proves the former: anyone can apply it.
//!
//! For single boards there is [`canonical`](crate::canonical()); for batches:
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
//! assert_eq!(canonized.key(0).to_string(), "0a70d0c4ea065700c907aa01764d4f28");
//! # Ok::<(), gridmill_core::Reject>(())
//! ```

mod apply;
mod arrangement;
mod bands;
mod canonizer;
mod clues;
mod dihedral;
mod exhaustive;
mod form;
mod grids;
mod groups;
mod key;
mod map;
mod puzzle;
mod side9;
mod solutions;
mod strings;

pub use canonizer::{Canonized, Canonizer};
pub use form::{CanonicalForm, FoundForm};
pub use key::Key;
pub use map::{BadMap, Map};
pub use solutions::CountedSolutions;
pub(crate) use strings::WIDTH as STRING_WIDTH;
