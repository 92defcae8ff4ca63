//! A limit on the memory of what is in progress, which is counted in bytes: of small row groups and batches, each
//! thread may have one; of large ones, some threads must wait, and threads that would always have to wait end.

use std::sync::PoisonError;

// tests/loom runs this code in the orders in which threads can be scheduled.
#[cfg(loom)]
use loom::sync::{Condvar, Mutex, MutexGuard};
#[cfg(not(loom))]
use std::sync::{Condvar, Mutex, MutexGuard};

/// The limit.
#[derive(Debug)]
pub(super) struct Budget {
    most: u64,
    /// How many items may be in progress, however large they are.
    least: usize,
    state: Mutex<BudgetState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct BudgetState {
    /// The number of items in progress, and their bytes.
    items: usize,
    bytes: u64,
    /// The number of threads that have had an item, and the bytes of the first item of each: memory that a thread has
    /// freed is not always used by others.
    threads: usize,
    of_threads: u64,
}

/// Whether a thread has had an item.
#[derive(Debug, Default)]
pub(crate) struct Seat {
    is_taken: bool,
}

/// An item in progress, until it is dropped.
#[derive(Debug)]
pub(crate) struct Share<'b> {
    budget: &'b Budget,
    bytes: u64,
}

impl Budget {
    pub(super) fn new(most: u64, least: usize) -> Self {
        Self { most, least, state: Mutex::default(), changed: Condvar::new() }
    }

    /// Waits until there is room for an item of this many bytes. Returns `None` if the thread should end, because the
    /// threads that had an item before it are enough. Items must be taken in order, by one thread at a time: then what
    /// it waits for are items before its own, which wait for no later ones.
    pub(super) fn take(&self, seat: &mut Seat, bytes: u64) -> Option<Share<'_>> {
        let mut state = self.state();
        if !seat.is_taken {
            if state.threads >= self.least && state.of_threads.saturating_add(bytes) > self.most {
                return None;
            }
            seat.is_taken = true;
            state.threads += 1;
            state.of_threads = state.of_threads.saturating_add(bytes);
        }
        while state.items >= self.least && state.bytes.saturating_add(bytes) > self.most {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.items += 1;
        state.bytes = state.bytes.saturating_add(bytes);
        Some(Share { budget: self, bytes })
    }

    fn state(&self) -> MutexGuard<'_, BudgetState> {
        // Nothing that can panic happens while it is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        let mut state = self.budget.state();
        state.items -= 1;
        state.bytes = state.bytes.saturating_sub(self.bytes);
        drop(state);
        self.budget.changed.notify_all();
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn threads_that_are_too_many_end_and_large_items_wait() {
        let budget = Budget::new(100, 2);
        let (mut one, mut two, mut three) = (Seat::default(), Seat::default(), Seat::default());
        // However large they are, there are two.
        let first = budget.take(&mut one, 1000).expect("room");
        let second = budget.take(&mut two, 90).expect("room");
        assert!(budget.take(&mut three, 1).is_none());
        // The next one waits until one of them is done.
        thread::scope(|scope| {
            let next = scope.spawn(|| budget.take(&mut two, 90).expect("room").bytes);
            thread::sleep(Duration::from_millis(50));
            assert!(!next.is_finished());
            drop(first);
            assert_eq!(next.join().expect("no panic"), 90);
        });
        drop(second);
        let small = Budget::new(100, 1);
        let mut seats: Vec<_> = (0..12).map(|_| Seat::default()).collect();
        let shares: Vec<_> = seats.iter_mut().map_while(|seat| small.take(seat, 10)).collect();
        assert_eq!(shares.len(), 10);
    }
}
