//! What ends a call.

use gridmill_core::error::Unavailable;

use crate::refused::Refused;

/// Why a call gives nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The column is of another type than strings.
    #[error(
        "expected a column of strings (string, large_string, string_view, binary, or a dictionary of them), not of type {0}"
    )]
    Type(String),
    /// A row was refused, where a result needs all of them.
    #[error("{0}")]
    Refused(Refused),
    /// What was asked for makes no sense, or is not to be had.
    #[error("{0}")]
    Usage(String),
    /// [`Session::interrupted`](crate::Session::interrupted) said so.
    #[error("interrupted")]
    Interrupted,
}

impl From<Unavailable> for Error {
    fn from(why: Unavailable) -> Self {
        Self::Usage(why.to_string())
    }
}
