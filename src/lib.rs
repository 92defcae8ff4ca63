//! gridmill: a SIMD batch engine for databases of number-puzzle strings.
//!
//! Data flows in one direction: bytes ([`source`]) become chunks and records ([`framing`]), records become boards ([`formats`],
//! [`board`]), and boards become records and bytes again ([`output`]). [`engine`] combines all of this into one run and is the
//! entry point; `columnar` (feature `parquet`) does the same for the columns of Parquet and Arrow files, and [`migrate`] for
//! those of databases. Both folders and the engine pass strings to [`mod@convert`], which checks and converts 64 at a time.
//!
//! Of the modules of the core, which this crate re-exports, [`kernels`] has the inner loops and [`check`] the rules;
//! [`mod@solve`] counts solutions, and [`canon`] makes canonical forms: which boards are the same puzzle. [`make`] generates
//! boards from a seed, [`draw`] draws them, and [`describe`] says what a string is.
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

// `main.rs` is a crate of its own, and this is its door: `run`, and what must be set up before `main`.
mod amounts;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "parquet")]
pub mod columnar;
#[cfg(all(feature = "cli", not(feature = "parquet")))]
#[path = "columnar/missing.rs"]
mod columnar;
// Some of these only files with columns need. Dead code is looked for in builds with everything.
#[cfg_attr(not(feature = "parquet"), allow(dead_code, unused_imports))]
pub mod engine;
pub mod error;
mod frames;
#[cfg(feature = "sqlite")]
pub mod migrate;
#[cfg_attr(not(feature = "parquet"), allow(dead_code))]
pub mod output;
// Some of it only the program needs, and some only databases.
#[cfg_attr(not(all(feature = "cli", feature = "databases", feature = "parquet")), allow(dead_code))]
mod platform;
pub mod source;

/// The examples of README and docs/LIBRARY.md, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../docs/LIBRARY.md")]
struct Readme;

pub use gridmill_core::{board, canon, check, convert, describe, draw, formats, framing, kernels, make, solve};
