//! gridmill: a SIMD batch engine for databases of number-puzzle strings.
//!
//! Data flows in one direction: bytes ([`source`]) become chunks and records ([`framing`]), records become boards ([`formats`],
//! [`board`]), and boards become records and bytes again ([`output`]). [`engine`] combines all of this into one run and is the
//! entry point. [`kernels`] has the inner loops, [`check`] the rules; [`mod@solve`] counts solutions, [`make`] generates boards
//! from a seed, and [`migrate`] rewrites columns of databases.
//!
//! ```no_run
//! use gridmill::engine::Convert;
//! use gridmill::output::Target;
//! use gridmill::source::Input;
//!
//! let report = Convert::new(Target::File { path: "new.txt".into(), force: false })
//!     .input(Input::File("old.txt".into()))
//!     .run()?;
//! println!("{}", report.summary());
//! # Ok::<(), gridmill::error::Error>(())
//! ```

// Not meant for users of the library: `cli` is what `main.rs` runs; tests compare files by `file_id`, and damage archives
// by `frames`.
mod amounts;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "parquet")]
pub mod columnar;
pub mod engine;
pub mod error;
#[doc(hidden)]
pub mod file_id;
#[doc(hidden)]
pub mod frames;
#[cfg(any(feature = "sqlite", feature = "postgresql", feature = "mysql"))]
pub mod migrate;
pub mod output;
pub mod source;

pub use gridmill_core::{board, canon, check, convert, describe, draw, formats, framing, kernels, make, solve};
