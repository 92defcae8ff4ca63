//! Finds the ends of CSV rows: the line ends that are not between quotes.
//!
//! A quote at the start of a field opens a quoted field. In a quoted field, a quote closes the field, and two quotes
//! stand for one. Everywhere else a quote is an ordinary character. (This follows RFC 4180, and common readers of CSV
//! for text that violates it.)
//!
//! A stray quote joins its row with all following rows, up to the next quote or the end of the input. Therefore every
//! row that contains line ends is examined. If its line ends do not seem intended, the row ends at the first line end
//! after which rows have as many fields as the first row.
//!
//! - `scan`: reads a row, field by field.
//! - `resolve`: decides where a row with line ends really ends.
//! - [`QuotesCutter`]: cuts text into chunks of whole rows.

mod cutter;
mod resolve;
mod scan;

use std::ops::Range;

use super::marks::RecordedMarks;

pub use cutter::QuotesCutter;
pub use resolve::AHEAD;

/// What is known about the quotes in a chunk. Positions are relative to the start of the chunk.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Quotes {
    /// Whether the chunk may contain quotes.
    pub any: bool,
    /// The end of the overlong row that continues from the previous chunk; 0 if there is none.
    pub head: usize,
    /// The start of the overlong row that continues in the next chunk, if there is one.
    pub tail: usize,
    /// Rows with a stray quote, in order.
    pub spoiled: Vec<Range<usize>>,
    /// If the chunk begins in a row with a quote that is never closed, and no end of that row was found: the number of
    /// line ends between the start of the row and the quote.
    pub unclosed: Option<u64>,
    /// The number of fields in the first row of the input, once it is known.
    pub width: Option<usize>,
    /// The marks that were recorded while the chunk was cut, so that its text need not be searched again.
    pub(super) marks: RecordedMarks,
}
