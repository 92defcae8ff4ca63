//! Errors that end a call.

use gridmill_core::error::Unavailable;

use crate::refused::RefusedRows;

/// The reason why a call has no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The type of the column is not one of strings.
    #[error(
        "expected a column of strings (string, large_string, string_view, binary, or a dictionary of them), not of type {0}"
    )]
    Type(String),
    /// A row was refused, and the result needs all rows.
    #[error("{0}")]
    Refused(RefusedRows),
    /// The arguments make no sense, or something they ask for is not available.
    #[error("{0}")]
    Usage(String),
    /// [`Session::interrupted`](crate::Session::interrupted) returned true.
    #[error("interrupted")]
    Interrupted,
}

impl From<Unavailable> for CallError {
    fn from(why: Unavailable) -> Self {
        Self::Usage(why.to_string())
    }
}
