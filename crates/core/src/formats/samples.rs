//! Samples of formats: good and bad strings for tests, documentation, fuzzing and benches.

use crate::board::Kind;
use crate::error::Code;

/// The samples of one format.
#[derive(Debug, Clone, Copy)]
pub struct Samples {
    /// Strings that decode.
    pub good: &'static [Good],
    /// Strings that do not.
    pub bad: &'static [BadSample],
}

/// A string that decodes.
#[derive(Debug, Clone, Copy)]
pub struct Good {
    /// The kind of its board.
    pub kind: Kind,
    /// The string.
    pub text: &'static str,
    /// The string that its board is written as, if that differs.
    pub canonical: Option<&'static str>,
}

impl Good {
    /// A string that is written as it was read.
    pub const fn same(kind: Kind, text: &'static str) -> Self {
        Self { kind, text, canonical: None }
    }
}

/// A string that is refused.
#[derive(Debug, Clone, Copy)]
pub struct BadSample {
    /// The string.
    pub text: &'static str,
    /// The code of the refusal.
    pub code: Code,
    /// The cell that the refusal names, by row and column from 1.
    pub cell: Option<(u8, u8)>,
}
