//! Large chunks, one at a time: a thread may keep a chunk of common size, and all together one that is larger.

use std::sync::{Arc, PoisonError};

// tests/loom goes through every order in which threads can come.
#[cfg(loom)]
use loom::sync::{Condvar, Mutex, MutexGuard};
#[cfg(not(loom))]
use std::sync::{Condvar, Mutex, MutexGuard};

/// Bytes of text from which on a chunk is large: a row of a table may have 16 MiB.
pub(crate) const LARGE: usize = 9 << 18;

/// How many large chunks are out.
#[derive(Debug, Default)]
pub(super) struct Gate {
    out: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    large: usize,
    open: bool,
}

impl Gate {
    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing that can panic happens while it is held.
        self.out.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a large chunk is out.
    pub(super) fn is_closed(&self) -> bool {
        let state = self.state();
        state.large > 0 && !state.open
    }

    /// Waits until none is out, or nobody has to wait any more.
    pub(super) fn wait(&self) {
        let mut state = self.state();
        while state.large > 0 && !state.open {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Lets everybody pass from now on.
    pub(super) fn open(&self) {
        self.state().open = true;
        self.changed.notify_all();
    }
}

/// A large chunk that is out, until this is dropped.
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
