//! Where the strings are in a text. Pure functions on slices.

mod lines;

pub use lines::{Line, MAX_LINE, is_no_record, line_at, line_of_width};
