//! Errors that end a run.

#[derive(Debug)]
pub enum Error {
    Internal(String),
    /// A block that cannot be read.
    Read,
}
