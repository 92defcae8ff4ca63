//! Counts how far a run has got.

use std::sync::atomic::{AtomicU64, Ordering};

/// How far a run has got, for a progress display.
#[derive(Debug, Default)]
pub struct Progress {
    /// Bytes read from the inputs so far, before decompression, in all passes.
    pub taken: AtomicU64,
    /// Bytes to read in all passes, or 0 if unknown. An input that is read twice counts twice.
    pub total: AtomicU64,
    /// Bytes read in the passes that are finished.
    passed: AtomicU64,
}

impl Progress {
    /// Sets how many bytes this pass has read so far.
    pub(super) fn take(&self, bytes: u64) {
        self.taken.store(self.passed.load(Ordering::Relaxed) + bytes, Ordering::Relaxed);
    }

    /// Ends a pass, which has read this many bytes.
    pub(super) fn pass(&self, bytes: u64) {
        self.take(bytes);
        self.passed.fetch_add(bytes, Ordering::Relaxed);
    }
}
