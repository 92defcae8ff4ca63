//! Turns: whoever finished a chunk uses what is shared (the output, the counters) when its turn comes, and not before.

use std::ops::{Deref, DerefMut};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

// tests/loom goes through every order in which threads can come.
#[cfg(loom)]
use loom::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicU64, Ordering},
};
#[cfg(not(loom))]
use std::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicU64, Ordering},
};

/// The turns are over before this one came: somebody stopped them, or died.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the run was stopped")]
pub(crate) struct Stopped;

/// A value that is used in the order of sequence numbers 0, 1, 2...
#[derive(Debug)]
pub(crate) struct Turnstile<T> {
    state: Mutex<State>,
    changed: Condvar,
    value: Mutex<T>,
    /// The next number, or [`OVER`]: what the state says, to be looked at without its lock.
    glance: AtomicU64,
}

#[derive(Debug)]
struct State {
    next: u64,
    stopped: bool,
    /// How many sleep.
    waiting: usize,
}

/// No number: the turns are over.
const OVER: u64 = u64::MAX;

/// How long somebody whose turn has not come looks out for it before going to sleep. To be woken takes about as long as to write
/// a chunk: always sleeping, two threads took half as long again from file to file.
const PATIENCE: Duration = Duration::from_micros(300);

impl<T> Turnstile<T> {
    /// A turnstile that waits for number 0.
    pub(crate) fn new(value: T) -> Self {
        let state = Mutex::new(State { next: 0, stopped: false, waiting: 0 });
        Self { state, changed: Condvar::new(), value: Mutex::new(value), glance: AtomicU64::new(0) }
    }

    /// Waits until all lower numbers had their turn. Every number must take its turn, or [`Turnstile::stop`] be called.
    ///
    /// # Errors
    /// The turnstile was stopped before this turn came.
    pub(crate) fn wait(&self, sequence: u64) -> Result<Turn<'_, T>, Stopped> {
        self.look_out(sequence);
        let mut state = self.state();
        while state.next != sequence && !state.stopped {
            state.waiting += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
        if state.stopped {
            return Err(Stopped);
        }
        drop(state);
        // Poisoned only if a holder panicked, and that stops the turnstile.
        let value = self.value.lock().map_err(|_| Stopped)?;
        Ok(Turn { value, end: End { turnstile: self, stop: false } })
    }

    /// Ends all turns but the one that is being taken: everybody who waits, or will, gets [`Stopped`].
    pub(crate) fn stop(&self) {
        self.change(|state| state.stopped = true);
    }

    /// Changes the state, and wakes those who sleep.
    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state();
        change(&mut state);
        let (seen, waiting) = (if state.stopped { OVER } else { state.next }, state.waiting);
        drop(state);
        // Whoever looks out finds the state unlocked. A later change may have come between: numbers never go back.
        self.glance.fetch_max(seen, Ordering::Release);
        if waiting > 0 {
            self.changed.notify_all();
        }
    }

    /// Returns when the turn has come, or after a while.
    fn look_out(&self, sequence: u64) {
        let here = || [sequence, OVER].contains(&self.glance.load(Ordering::Acquire));
        for _ in 0..if cfg!(loom) { 1 } else { 100 } {
            if here() {
                return;
            }
            std::hint::spin_loop();
        }
        let begun = Instant::now();
        while !cfg!(loom) && !here() && begun.elapsed() < PATIENCE {
            // Others may need this core.
            std::thread::yield_now();
        }
    }

    /// A guard for a worker to hold while it works: if the worker panics, the turnstile stops, since the turn the worker
    /// was to take will never be taken.
    pub(crate) fn watch(&self) -> Watch<'_, T> {
        Watch { turnstile: self }
    }

    /// The value, when everybody is done.
    pub(crate) fn into_inner(self) -> T {
        self.value.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing between lock and unlock can panic and leave the two fields in disagreement.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A turn, and the value for as long as it lasts. The next number's turn begins when this is dropped.
#[derive(Debug)]
pub(crate) struct Turn<'t, T> {
    /// Dropped first: who comes next finds the value unlocked.
    value: MutexGuard<'t, T>,
    end: End<'t, T>,
}

/// The end of a turn.
#[derive(Debug)]
struct End<'t, T> {
    turnstile: &'t Turnstile<T>,
    stop: bool,
}

impl<T> Turn<'_, T> {
    /// Ends this turn and all others: what comes later in order is not to be used.
    pub(crate) fn stop(mut self) {
        self.end.stop = true;
    }
}

impl<T> Deref for Turn<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Turn<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T> Drop for End<'_, T> {
    fn drop(&mut self) {
        self.turnstile.change(|state| {
            if self.stop || std::thread::panicking() {
                state.stopped = true;
            } else {
                state.next += 1;
            }
        });
    }
}

/// See [`Turnstile::watch`].
#[derive(Debug)]
#[must_use = "a panic is noticed only while the guard lives"]
pub(crate) struct Watch<'t, T> {
    turnstile: &'t Turnstile<T>,
}

impl<T> Drop for Watch<'_, T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.turnstile.stop();
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::thread;

    #[test]
    fn turns_come_in_order() {
        let turnstile = Turnstile::new(Vec::new());
        let next = AtomicU64::new(0);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    loop {
                        let n = next.fetch_add(1, Ordering::Relaxed);
                        if n >= 2000 {
                            break;
                        }
                        turnstile.wait(n).expect("nobody stops").push(n);
                    }
                });
            }
        });
        assert!(turnstile.into_inner().into_iter().eq(0..2000));
    }

    #[test]
    fn a_stop_wakes_everybody_and_keeps_what_was_before() {
        let turnstile = Turnstile::new(0);
        thread::scope(|scope| {
            let waiting: Vec<_> = (2..6)
                .map(|n| {
                    scope.spawn({
                        let t = &turnstile;
                        move || t.wait(n).is_err()
                    })
                })
                .collect();
            *turnstile.wait(0).expect("its turn") += 1;
            turnstile.wait(1).expect("its turn").stop();
            for thread in waiting {
                assert!(thread.join().expect("no panic"));
            }
        });
        assert!(turnstile.state().stopped && turnstile.wait(2).is_err());
        assert_eq!(turnstile.into_inner(), 1);
    }

    #[test]
    fn a_worker_that_dies_stops_all() {
        for in_its_turn in [false, true] {
            let turnstile = Turnstile::new(());
            thread::scope(|scope| {
                let other = scope.spawn(|| turnstile.wait(1).is_err());
                let dying = scope.spawn(|| {
                    let _watch = turnstile.watch();
                    let _turn = in_its_turn.then(|| turnstile.wait(0));
                    std::panic::resume_unwind(Box::new("a test"));
                });
                assert!(dying.join().is_err());
                assert!(other.join().expect("no panic"));
            });
        }
    }
}
