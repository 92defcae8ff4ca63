//! How far a run is.

use std::sync::atomic::AtomicU64;

/// How far a run is, for whoever wants to show it.
#[derive(Debug, Default)]
pub struct Progress {
    /// Bytes taken from the inputs, before decompression.
    pub taken: AtomicU64,
    /// Bytes in all, or 0 if that is not known.
    pub total: AtomicU64,
}
