//! Portions that are pulled one at a time, when there is room for them.

use super::NextPortion;
use super::budget::{Budget, Seat};
use crate::error::Error;

// tests/loom runs this code in the orders in which threads can be scheduled.
#[cfg(loom)]
use loom::sync::Mutex;
#[cfg(not(loom))]
use std::sync::Mutex;

/// What portions are pulled from.
#[derive(Debug)]
pub(crate) struct PortionQueue<I> {
    state: Mutex<QueueState<I>>,
    budget: Budget,
}

#[derive(Debug)]
struct QueueState<I> {
    items: I,
    /// The number of the next portion.
    number: u64,
    /// There was an error, after which nothing is pulled.
    failed: bool,
}

impl<I> PortionQueue<I> {
    /// A queue of portions that take `most` bytes together, or of `least` portions, however large they are.
    pub(crate) fn new(items: I, most: u64, least: usize) -> Self {
        Self { state: Mutex::new(QueueState { items, number: 0, failed: false }), budget: Budget::new(most, least) }
    }

    /// A queue of portions whose memory is not counted.
    pub(crate) fn without_limit(items: I) -> Self {
        Self::new(items, u64::MAX, usize::MAX)
    }

    /// Pulls the next portion, when there is room for it. `cost` returns how many bytes it takes, and `pull` the portion;
    /// both return `None` if there is none. Returns `None` also if the worker should end, because others are enough.
    pub(crate) fn next<P>(
        &self,
        seat: &mut Seat,
        cost: impl FnOnce(&mut I) -> Option<Result<u64, Error>>,
        pull: impl FnOnce(&mut I) -> Option<P>,
    ) -> Option<NextPortion<'_, P>> {
        // After a panic, the run is over.
        let mut state = self.state.lock().ok().filter(|state| !state.failed)?;
        let (portion, share) = match cost(&mut state.items)? {
            Ok(bytes) => {
                let share = self.budget.take(seat, bytes)?;
                (Ok(pull(&mut state.items)?), Some(share))
            }
            Err(error) => (Err(error), None),
        };
        state.failed = portion.is_err();
        state.number += 1;
        Some(NextPortion { number: state.number - 1, portion, share })
    }
}
