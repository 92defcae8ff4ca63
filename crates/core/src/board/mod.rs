//! Puzzles as data: kinds, sides, houses, cells, and batches of boards. No text, files or threads.

mod batch;
mod candidates;
mod cell;
mod colours;
mod components;
mod geometry;
mod groups;
mod kind;
mod ruled;

pub use batch::{BATCH, Batch, BoardSet, LANES16, Shape};
pub use candidates::{FillCandidates, fill_candidates};
pub use cell::{Cell, Codes, Mask};
pub(crate) use colours::Colourer;
pub use components::{Labels, components, region_labels, small_components};
pub use geometry::{Geometry, geometry, peers9};
pub use groups::Groups;
pub use kind::{Cages, Kind, Rules, Side};
pub use ruled::{Cage, House, RuledBoard, bit};
