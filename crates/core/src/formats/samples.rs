//! Samples of formats: good and bad strings for tests, documentation, fuzzing and benches.

use crate::board::Kind;
use crate::error::Code;

/// The samples of one format.
#[derive(Debug, Clone, Copy)]
pub struct Samples {
    /// Strings that can be decoded.
    pub good: &'static [Good],
    /// Strings that are rejected.
    pub bad: &'static [BadSample],
}

/// A string that can be decoded.
#[derive(Debug, Clone, Copy)]
pub struct Good {
    /// The kind of its board.
    pub kind: Kind,
    /// The string.
    pub text: &'static str,
    /// The string that its board is written as, if it is a different one.
    pub canonical: Option<&'static str>,
}

impl Good {
    /// Makes a sample that is written as it was read.
    pub const fn same(kind: Kind, text: &'static str) -> Self {
        Self { kind, text, canonical: None }
    }
}

/// A string that is rejected.
#[derive(Debug, Clone, Copy)]
pub struct BadSample {
    /// The string.
    pub text: &'static str,
    /// The code of the rejection.
    pub code: Code,
    /// The cell that the rejection names, by row and column counted from 1.
    pub cell: Option<(u8, u8)>,
}
