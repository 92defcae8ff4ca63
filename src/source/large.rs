//! A limit on memory: any number of chunks of common size may be in use, but only one large chunk at a time.

use std::sync::{Arc, PoisonError};

// tests/loom runs this code in every order in which threads can be scheduled.
#[cfg(loom)]
use loom::sync::{Condvar, Mutex, MutexGuard};
#[cfg(not(loom))]
use std::sync::{Condvar, Mutex, MutexGuard};

/// A chunk with at least this many bytes of text is large. (A row of a table may have 16 MiB.)
pub(crate) const LARGE: usize = 9 << 18;

/// Counts the large chunks in use.
#[derive(Debug, Default)]
pub(super) struct Gate {
    out: Mutex<LargeState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct LargeState {
    large: usize,
    open: bool,
}

impl Gate {
    fn state(&self) -> MutexGuard<'_, LargeState> {
        // Nothing that can panic happens while it is held.
        self.out.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a large chunk is in use.
    pub(super) fn is_closed(&self) -> bool {
        let state = self.state();
        state.large > 0 && !state.open
    }

    /// Waits until none is in use, or [`Gate::open`] is called.
    pub(super) fn wait(&self) {
        let mut state = self.state();
        while state.large > 0 && !state.open {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends all waiting, now and later.
    pub(super) fn open(&self) {
        self.state().open = true;
        self.changed.notify_all();
    }
}

/// Marks a large chunk as in use until it is dropped.
#[derive(Debug)]
pub(super) struct Large(Arc<Gate>);

impl Large {
    pub(super) fn take(gate: &Arc<Gate>) -> Self {
        gate.state().large += 1;
        Self(Arc::clone(gate))
    }
}

impl Drop for Large {
    fn drop(&mut self) {
        self.0.state().large -= 1;
        self.0.changed.notify_all();
    }
}
