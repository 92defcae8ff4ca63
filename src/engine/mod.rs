//! Everything as one run: the library's front door.

mod counts;
mod plan;
mod worker;

pub use counts::Counts;
pub use plan::{Bad, Conversion};
pub use worker::{Outcome, Row, Solved, Worker};
