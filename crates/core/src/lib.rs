//! Reads, writes, checks and solves number-puzzle strings and boards in memory. It uses no files, threads, clocks or
//! environment variables.
//!
//! Puzzle sites, apps and researchers store boards as short strings: the 81 digits of a sudoku, 162 base-32 characters
//! that include candidates ("version 1"), or `S9B...` and its relatives ("version 2"), which name the kind and preserve
//! everything. This crate reads and writes these strings for [thirteen kinds of puzzle](board::Kind). It never guesses:
//! a string that cannot be read is rejected, and the error names the cell and the reason.
//!
//! # One string
//!
//! ```
//! use gridmill_core::{Format, Solution, convert, read, solve, write};
//!
//! let puzzle = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1";
//! let v2 = convert(puzzle)?;                            // any format to version 2
//! let board = read(&v2)?;                               // its kind, its side, its cells
//! assert!(matches!(solve(&board), Solution::Unique(_)));
//! assert_eq!(write(&board, Format::Plain)?, puzzle.replace('.', "0"));
//!
//! let refused = convert("S9B01").unwrap_err();
//! assert_eq!(refused.code.name(), "length");
//! # Ok::<(), gridmill_core::Reject>(())
//! ```
//!
//! # Millions of them
//!
//! [`convert_all`] converts many strings together, 64 at a time with SIMD instructions:
//!
//! ```
//! let puzzle = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
//! let converted = gridmill_core::convert_all([puzzle, "4..."]);
//! assert!(converted[0].as_ref().is_ok_and(|v2| v2.starts_with("S9B04")));
//! assert!(converted[1].as_ref().is_err_and(|reject| reject.code.name() == "length"));
//! ```
//!
//! [`convert::Converter`] takes strings as byte ranges of a text, in any place and order, and has a plan: another format, checks,
//! losses that are accepted:
//!
//! ```
//! use gridmill_core::convert::{Conversion, Converter};
//! use gridmill_core::formats::{Evidence, Records};
//! use gridmill_core::kernels;
//!
//! let text = format!("id=7;{}1{};", "0".repeat(40), "0".repeat(40));
//! let mut converter = Converter::new(Conversion::default(), kernels::best());
//! let records = Records { bytes: text.as_bytes(), starts: &[5], ends: &[86] };
//! let converted = converter.convert(records, &Evidence::default());
//! assert!(converted.refused.is_empty());
//! assert!(converted.string(0).starts_with(b"S9B0000"));
//! ```
//!
//! # Modules
//!
//! - [`mod@convert`]: bulk conversion of strings, with checks and counts.
//! - [`formats`]: text to boards and back, one format at a time; [`framing`]: strings in tables, JSON lines, links and
//!   other text.
//! - [`board`]: kinds, cells, and batches of boards.
//! - [`check`]: the rules of the kinds; [`mod@solve`]: solving and counting solutions.
//! - [`canon`]: canonical forms: which boards are the same puzzle, and the maps that prove it.
//! - [`make`]: boards and puzzles from a seed; [`draw`]: boards as terminal text, SVG and JSON; [`describe`]: what a
//!   string is.
//! - [`kernels`]: the inner loops for each instruction set; [`error`]: why a string is rejected.

pub mod board;
pub mod canon;
pub mod check;
pub mod convert;
pub mod describe;
pub mod draw;
pub mod error;
pub mod formats;
pub mod framing;
mod front;
pub mod kernels;
pub mod make;
pub mod solve;

/// The examples of README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use board::{Cell, Kind, Side};
pub use check::Problem;
pub use error::{Code, Refusal, Reject};
pub use formats::Format;
pub use front::{
    Board, Canonical, Solution, canonical, convert, convert_all, count_solutions, grade, read, solve, validate, write,
};
