//! Counts how far a run has got.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// How far a run has got, for a progress display.
#[derive(Debug, Default)]
pub struct Progress {
    /// Bytes read from the inputs so far, before decompression, in all passes.
    pub taken: AtomicU64,
    /// Bytes to read in all passes, or 0 if unknown. An input that is read twice counts twice.
    pub total: AtomicU64,
    /// The puzzles that were tried so far, if only some of them are wanted.
    pub tried: AtomicU64,
    /// How many may be tried, or 0 if there is no limit.
    pub tries: AtomicU64,
    /// Bytes read in the passes that are finished.
    passed: AtomicU64,
    step: Mutex<ProgressStep>,
}

/// The current step of a run that has several, each of which counts from the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ProgressStep {
    /// When it began, if the run has several steps.
    pub(crate) begun: Option<Instant>,
    /// What an interrupted run had done of it.
    pub(crate) done_before: u64,
    /// Nothing was reported yet.
    is_new: bool,
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

    /// Begins a step. `total` is 0 if unknown.
    #[cfg_attr(not(feature = "cli"), allow(dead_code))]
    pub(crate) fn begin_step(&self, total: u64) {
        let mut step = self.lock();
        self.taken.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
        *step = ProgressStep { begun: Some(Instant::now()), done_before: 0, is_new: true };
    }

    /// Sets how much of a step is done. The first report says how much was done before.
    #[cfg_attr(not(feature = "cli"), allow(dead_code))]
    pub(crate) fn report(&self, done: u64) {
        let mut step = self.lock();
        if std::mem::take(&mut step.is_new) {
            (step.begun, step.done_before) = (Some(Instant::now()), done);
        }
        self.taken.store(done, Ordering::Relaxed);
    }

    /// Returns the current step, how much of it is done, and its total.
    #[cfg_attr(not(feature = "cli"), allow(dead_code))]
    pub(crate) fn now(&self) -> (ProgressStep, u64, u64) {
        let step = self.lock();
        (*step, self.taken.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    fn lock(&self) -> MutexGuard<'_, ProgressStep> {
        self.step.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
