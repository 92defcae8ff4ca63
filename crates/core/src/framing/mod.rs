//! Where strings stand in text: each framing finds them and says how new ones are put in their place. Pure functions on slices.
//!
//! - [`chunk`] and [`cutter`]: where text may be cut into chunks.
//! - `lines`: one string a line.
//! - `rows`: what the other framings find.
//! - [`table`]: a column of CSV or TSV.
//! - `json`: a field of JSON lines.
//! - [`links`]: links inside text.
//! - `grid`: sudokus over several lines.

pub mod chunk;
pub mod cutter;
mod grid;
mod json;
mod lines;
pub mod links;
mod rows;
pub mod table;

pub use grid::{Block, GridCell, Grids};
pub use json::Pointer;
pub use lines::{Line, is_no_record, line_at, line_of_width};
pub use links::Links;
pub use rows::{Field, Row, RowStrings, Rows, too_long_row};
pub use table::{EndsInRecord, Table};

/// The longest line in bytes, without its end; longer ones are refused as `toolong`, and cut between chunks.
pub const MAX_LINE: usize = 64 * 1024;

/// The longest row of a table or of JSON lines, in bytes (docs/CLI.md, "Records").
pub const MAX_ROW: usize = 16 << 20;

/// What UTF-8 text may begin with; it belongs to no record.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
