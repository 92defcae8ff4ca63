//! Where the strings are: chunks, lines and fields. Pure functions on slices.

pub mod chunk;
mod lines;

pub use lines::{Line, is_no_record, line_at, line_of_width};

/// The longest line in bytes, without its end; longer ones are refused as `toolong`, and cut between chunks.
pub const MAX_LINE: usize = 64 * 1024;
