//! How far a run is.

use std::sync::atomic::{AtomicU64, Ordering};

/// How far a run is, for whoever wants to show it.
#[derive(Debug, Default)]
pub struct Progress {
    /// Bytes taken from the inputs, before decompression, in all passes.
    pub taken: AtomicU64,
    /// Bytes in all, or 0 if that is not known. What is read twice counts twice.
    pub total: AtomicU64,
    /// Bytes of the passes that are done.
    passed: AtomicU64,
}

impl Progress {
    /// So many bytes were taken in this pass.
    pub(super) fn take(&self, bytes: u64) {
        self.taken.store(self.passed.load(Ordering::Relaxed) + bytes, Ordering::Relaxed);
    }

    /// A pass is done that took so many bytes.
    pub(super) fn pass(&self, bytes: u64) {
        self.take(bytes);
        self.passed.fetch_add(bytes, Ordering::Relaxed);
    }
}
