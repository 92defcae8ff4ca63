//! Processes strings of number puzzles in Arrow arrays.
//!
//! A column is a slice of arrays, its chunks, which all have one type: `string`, `large_string`, `string_view`, one of the binary
//! types, or a dictionary of these. [`gridmill_core`] defines the strings and the operations on them; this crate finds the
//! strings in the buffers of arrays and builds new arrays. Strings are read without being copied.
//!
//! ```
//! use std::sync::Arc;
//! use arrow_array::{ArrayRef, StringArray, cast::AsArray};
//! use gridmill_columns::{BadStrings, Session, convert};
//!
//! let puzzle = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1";
//! let column: ArrayRef = Arc::new(StringArray::from(vec![Some(puzzle), None, Some("12")]));
//! let converted = convert(&[column], &Session::default(), BadStrings::Null)?;
//! assert!(converted.chunks[0].as_string::<i32>().value(0).starts_with("S9B01"));
//! assert_eq!(converted.chunks[0].null_count(), 2);
//! assert_eq!(converted.refused.first().map(|refused| (refused.record, refused.reject.code.name())), Some((2, "length")));
//! # Ok::<(), gridmill_columns::CallError>(())
//! ```
//!
//! - [`convert()`], [`solve()`], [`keys()`]: strings to strings; [`detect()`], [`validate()`], [`facts()`]: what strings are, whether they
//!   are valid, and facts about their puzzles; [`duplicates()`]: which rows are the same puzzle.
//! - [`Boards`]: strings to arrays of numbers, one row per board; [`write_boards`]: the reverse; [`generate()`]: boards from a seed.
//! - [`refused_rows()`]: the rejected rows, with the reasons, as a column.
//! - [`weigh()`]: the evidence of strings for layouts; [`Strings`]: where the strings are.

mod assemble;
mod blocks;
mod boards;
mod detect;
mod dictionary;
mod duplicates;
mod error;
mod evidence;
#[cfg(feature = "ffi")]
pub mod exchange;
mod facts;
mod generate;
mod platform;
mod reader;
mod refused;
mod report;
mod rewrite;
mod rewrite_options;
mod session;
mod strings;
mod text;
mod validate;

/// The examples of README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use boards::{Boards, CellValue, Values};
pub use detect::{detect, detected_type};
pub use duplicates::{Duplicates, duplicates};
pub use error::CallError;
pub use evidence::weigh;
pub use facts::{facts, facts_type};
pub use generate::{BoardCells, generate, write_boards};
pub use gridmill_core::Refusal;
pub use refused::RefusedRows;
pub use report::refused_rows;
pub use rewrite::{convert, keys, solve};
pub use rewrite_options::{BadStrings, RewrittenColumn, rewritten_type};
pub use session::{LayoutEvidence, Session};
pub use strings::Strings;
pub use validate::{validate, validate_given, verdict_type};
