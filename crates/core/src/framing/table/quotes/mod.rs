//! Where rows of CSV end: at the line ends that are not between quotes. A quote opens where a field begins; elsewhere it is a
//! character like any other, except between quotes, where it closes, or with the next one stands for itself (RFC 4180, and what
//! its readers make of text that is not).
//!
//! A stray quote makes one row of it and of those that follow, up to the next quote or to the end. A row that goes over line
//! ends is therefore looked at closely: where it cannot be meant so, it ends at the first line end from which on rows have as
//! many fields as the first one.
//!
//! - `scan`: a row, field by field.
//! - `resolve`: what a row is that goes over line ends.
//! - [`QuotesCutter`]: chunks of whole rows.

mod cutter;
mod resolve;
mod scan;

use std::ops::Range;

use super::marks::FoundMarks;

pub use cutter::QuotesCutter;
pub use resolve::AHEAD;

/// What quotes make of the rows of a chunk. Places are bytes of its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Quotes {
    /// There may be quotes in the text.
    pub any: bool,
    /// Where the overlong row ends that the chunk begins in the middle of.
    pub head: usize,
    /// Where the overlong row begins that the chunk ends in the middle of.
    pub tail: usize,
    /// Rows with a stray quote, in order.
    pub spoiled: Vec<Range<usize>>,
    /// The chunk begins in a row with a quote that is not closed, and it shows nowhere that rows follow: the line ends between
    /// the row's start and the quote.
    pub unclosed: Option<u64>,
    /// The fields of the input's first row, once they are known.
    pub width: Option<usize>,
    /// What ends fields in the chunk: found in passing, so that its text is gone through once.
    pub(super) marks: FoundMarks,
}
