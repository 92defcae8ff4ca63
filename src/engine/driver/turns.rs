//! Turns: a worker that has finished a chunk uses what is shared (the output, the counters) when its turn comes.

use std::ops::{Deref, DerefMut};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

// tests/loom runs this code in every order in which threads can be scheduled.
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

/// A value that threads use in the order of their sequence numbers 0, 1, 2...
#[derive(Debug)]
pub(crate) struct Turnstile<T> {
    state: Mutex<TurnState>,
    changed: Condvar,
    value: Mutex<T>,
    /// The next number, or [`OVER`]: a copy of the state that can be read without the lock.
    glance: AtomicU64,
}

#[derive(Debug)]
struct TurnState {
    next: u64,
    stopped: bool,
    /// How many threads sleep.
    waiting: usize,
}

/// The value of `glance` after a stop; never a sequence number.
const OVER: u64 = u64::MAX;

/// How long a thread spins before it sleeps until its turn. Waking a thread takes about as long as writing a chunk:
/// without spinning, two threads took half as long again from file to file.
const PATIENCE: Duration = Duration::from_micros(300);

impl<T> Turnstile<T> {
    /// A turnstile whose first turn is number 0.
    pub(crate) fn new(value: T) -> Self {
        let state = Mutex::new(TurnState { next: 0, stopped: false, waiting: 0 });
        Self { state, changed: Condvar::new(), value: Mutex::new(value), glance: AtomicU64::new(0) }
    }

    /// Waits until all lower numbers have had their turn. Every number must take its turn, unless [`Turnstile::stop`]
    /// is called. Returns `None` if it was stopped before this turn came, or the thread whose turn it was panicked.
    pub(crate) fn wait(&self, sequence: u64) -> Option<Turn<'_, T>> {
        self.look_out(sequence);
        let mut state = self.state();
        while state.next != sequence && !state.stopped {
            state.waiting += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
        if state.stopped {
            return None;
        }
        drop(state);
        // Poisoned only if a holder panicked, and that stops the turnstile.
        let value = self.value.lock().ok()?;
        Some(Turn { value, _end: EndTurn { turnstile: self } })
    }

    /// Ends all turns except the current one: every thread that waits, now or later, gets `None`.
    pub(crate) fn stop(&self) {
        self.change(|state| state.stopped = true);
    }

    /// Whether all turns have ended early. (A thread that does not ask learns it when it waits.)
    pub(crate) fn is_over(&self) -> bool {
        self.glance.load(Ordering::Acquire) == OVER
    }

    /// Changes the state and wakes the threads that sleep.
    fn change(&self, change: impl FnOnce(&mut TurnState)) {
        let mut state = self.state();
        change(&mut state);
        let (seen, waiting) = (if state.stopped { OVER } else { state.next }, state.waiting);
        drop(state);
        // A thread that spins must find the state unlocked. A later change may come first, but the number never goes
        // back.
        self.glance.fetch_max(seen, Ordering::Release);
        if waiting > 0 {
            self.changed.notify_all();
        }
    }

    /// Spins until the turn has come, or [`PATIENCE`] is over.
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
            // Another thread may need this core.
            std::thread::yield_now();
        }
    }

    /// The value, after the last turn.
    pub(crate) fn into_inner(self) -> T {
        self.value.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self) -> MutexGuard<'_, TurnState> {
        // No code that holds this lock can panic between changing one field and the other.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One thread's turn, with access to the value. Dropping it begins the turn of the next number.
#[derive(Debug)]
pub(crate) struct Turn<'t, T> {
    /// Dropped before `_end`, so that the next thread finds the value unlocked.
    value: MutexGuard<'t, T>,
    _end: EndTurn<'t, T>,
}

/// Ends a turn when dropped.
#[derive(Debug)]
struct EndTurn<'t, T> {
    turnstile: &'t Turnstile<T>,
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

impl<T> Drop for EndTurn<'_, T> {
    fn drop(&mut self) {
        self.turnstile.change(|state| {
            if std::thread::panicking() {
                state.stopped = true;
            } else {
                state.next += 1;
            }
        });
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
                        move || t.wait(n).is_none()
                    })
                })
                .collect();
            *turnstile.wait(0).expect("its turn") += 1;
            let turn = turnstile.wait(1).expect("its turn");
            turnstile.stop();
            drop(turn);
            for thread in waiting {
                assert!(thread.join().expect("no panic"));
            }
        });
        assert!(turnstile.state().stopped && turnstile.wait(2).is_none());
        assert_eq!(turnstile.into_inner(), 1);
    }

    #[test]
    fn a_worker_that_dies_in_its_turn_stops_all() {
        let turnstile = Turnstile::new(());
        thread::scope(|scope| {
            let other = scope.spawn(|| turnstile.wait(1).is_none());
            let dying = scope.spawn(|| {
                let _turn = turnstile.wait(0);
                std::panic::resume_unwind(Box::new("a test"));
            });
            assert!(dying.join().is_err());
            assert!(other.join().expect("no panic"));
        });
    }
}
