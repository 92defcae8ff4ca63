//! Samples of a format: good and bad strings that tests, documentation, fuzzing and benches walk.

use super::{Id, grid, offset32, plain, v0, v1, v2, wolfram};
use crate::board::Kind;
use crate::error::Code;

impl Id {
    /// Good and bad strings of a format; an entry for each layout. No method of [`Format`](super::Format), so that what does not ask for
    /// them is without them.
    pub fn samples(self) -> &'static [Samples] {
        match self {
            Self::Plain => plain::SAMPLES,
            Self::V0 => &[v0::SAMPLES],
            Self::V1 => v1::SAMPLES,
            Self::Offset32 => &[offset32::SAMPLES],
            Self::V2 => v2::SAMPLES,
            Self::Wolfram => wolfram::SAMPLES,
            Self::Grid => &[grid::SAMPLES],
        }
    }
}

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
    /// The string that its board is written as, where that is another one.
    pub canonical: Option<&'static str>,
}

impl Good {
    /// A string that comes back as it was.
    pub const fn same(kind: Kind, text: &'static str) -> Self {
        Self { kind, text, canonical: None }
    }
}

/// A string that is refused.
#[derive(Debug, Clone, Copy)]
pub struct BadSample {
    /// The string.
    pub text: &'static str,
    /// The code that it is refused with.
    pub code: Code,
    /// The cell named, row and column from 1.
    pub cell: Option<(u8, u8)>,
}
