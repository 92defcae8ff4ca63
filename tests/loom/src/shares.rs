//! Row groups and batches, for which there must be room. As in `columnar`, each thread takes the next one, works, and
//! makes room after the turn of its item.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex as Unscheduled;

use loom::sync::Mutex;
use loom::thread;

use crate::budget::{Budget, Seat};
use crate::order::Turnstile;

/// How the work on an item ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// Every item is written.
    Good,
    /// The item with this number cannot be written: its thread ends all turns.
    Error(usize),
    /// The thread with this item dies.
    Death(usize),
}

/// A run over items of these sizes.
#[derive(Debug, Clone, Copy)]
struct Run {
    threads: usize,
    most: u64,
    least: usize,
    items: &'static [u64],
    end: End,
}

/// What is in use. No order of threads depends on this lock, so loom need not know of it.
#[derive(Debug, Default)]
struct InUse {
    items: usize,
    bytes: u64,
    threads: usize,
    of_threads: u64,
    /// The items that were written, in order.
    written: Vec<usize>,
}

struct Queue {
    run: Run,
    budget: Budget,
    next: Mutex<usize>,
    turns: Turnstile<()>,
    in_use: Unscheduled<InUse>,
    /// For each item, the most that were in use when it began, in any order.
    seen: &'static Unscheduled<Vec<usize>>,
}

impl Queue {
    /// Takes items until there are none left, or the thread is one too many.
    fn work(&self) {
        let _watch = self.turns.watch();
        let (mut seat, mut first) = (Seat::default(), true);
        loop {
            let (number, _share) = {
                let mut next = self.next.lock().expect("no panic");
                let Some(&bytes) = self.run.items.get(*next) else { return };
                let Some(share) = self.budget.take(&mut seat, bytes) else { return };
                *next += 1;
                (*next - 1, share)
            };
            // It ends before there is room for others.
            let _progress = self.begin(number, std::mem::take(&mut first));
            if self.run.end == End::Death(number) {
                resume_unwind(Box::new(()));
            }
            let Ok(turn) = self.turns.wait(number as u64) else { return };
            self.in_use.lock().expect("no panic").written.push(number);
            if self.run.end == End::Error(number) {
                turn.stop();
                return;
            }
        }
    }

    fn begin(&self, number: usize, is_first: bool) -> Progress<'_> {
        let Run { most, least, items, .. } = self.run;
        let mut now = self.in_use.lock().expect("no panic");
        now.items += 1;
        now.bytes += items[number];
        assert!(now.items <= least || now.bytes <= most, "too much is in progress: {now:?}");
        if is_first {
            now.threads += 1;
            now.of_threads += items[number];
            assert!(now.threads <= least || now.of_threads <= most, "too many threads: {now:?}");
        }
        let seen = &mut self.seen.lock().expect("no panic")[number];
        *seen = now.items.max(*seen);
        Progress { queue: self, number }
    }
}

/// An item in progress.
struct Progress<'q> {
    queue: &'q Queue,
    number: usize,
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        let mut now = self.queue.in_use.lock().expect("no panic");
        now.items -= 1;
        now.bytes -= self.queue.run.items[self.number];
    }
}

/// Returns for each item how many are in progress when it begins, in the order in which these are most. Where every
/// order would take too long, a thread that could go on is interrupted at most so many times.
fn most_in_progress(run: Run, interrupted: Option<usize>) -> Vec<usize> {
    let seen: &'static _ = Box::leak(Box::new(Unscheduled::new(vec![0; run.items.len()])));
    let mut model = loom::model::Builder::new();
    model.preemption_bound = interrupted;
    model.check(move || {
        // For threads, which must not borrow it.
        let queue: &'static _ = Box::leak(Box::new(Queue {
            run,
            budget: Budget::new(run.most, run.least),
            next: Mutex::new(0),
            turns: Turnstile::new(()),
            in_use: Unscheduled::default(),
            seen,
        }));
        let dies = || match catch_unwind(AssertUnwindSafe(|| queue.work())) {
            Ok(()) => false,
            Err(payload) if payload.is::<()>() => true,
            Err(payload) => resume_unwind(payload),
        };
        let others: Vec<_> = (1..run.threads).map(|_| thread::spawn(dies)).collect();
        let mut died = usize::from(dies());
        others.into_iter().for_each(|other| died += usize::from(other.join().expect("no other panic")));
        assert_eq!(died, usize::from(matches!(run.end, End::Death(_))));
        let written = &queue.in_use.lock().expect("no panic").written;
        assert!(written.iter().copied().eq(0..written.len()), "{written:?}");
        match run.end {
            End::Good => assert_eq!(written.len(), run.items.len()),
            End::Error(number) => assert_eq!(written.len(), number + 1),
            End::Death(number) => assert!(written.len() <= number),
        }
    });
    seen.lock().expect("no panic").clone()
}

#[test]
fn every_item_is_taken_and_small_ones_at_the_same_time() {
    let run = Run { threads: 2, most: 4, least: 1, items: &[2, 2, 2], end: End::Good };
    assert_eq!(most_in_progress(run, Some(5)), [1, 2, 2]);
    let run = Run { threads: 3, most: 3, least: 1, items: &[1, 1, 1], end: End::Good };
    assert_eq!(most_in_progress(run, Some(3)), [1, 2, 3]);
}

#[test]
fn a_large_item_waits_for_others_and_others_for_it() {
    let run = Run { threads: 2, most: 4, least: 1, items: &[1, 1, 4, 1], end: End::Good };
    assert_eq!(most_in_progress(run, Some(4)), [1, 2, 1, 1]);
    let run = Run { threads: 2, most: 4, least: 1, items: &[1, 1, 9, 9], end: End::Good };
    assert_eq!(most_in_progress(run, Some(4)), [1, 2, 1, 1]);
    let run = Run { threads: 3, most: 4, least: 2, items: &[1, 2, 1, 9], end: End::Good };
    assert_eq!(most_in_progress(run, Some(3)), [1, 2, 3, 2]);
    // After one item, there is not yet room for the large one.
    let run = Run { threads: 3, most: 4, least: 1, items: &[1, 1, 1, 4], end: End::Good };
    assert_eq!(most_in_progress(run, Some(3)), [1, 2, 3, 1]);
}

#[test]
fn threads_that_are_too_many_end_and_the_others_take_all_items() {
    let run = Run { threads: 2, most: 4, least: 1, items: &[3, 3, 3], end: End::Good };
    assert_eq!(most_in_progress(run, None), [1, 1, 1]);
    let run = Run { threads: 3, most: 4, least: 2, items: &[9, 9, 9], end: End::Good };
    assert_eq!(most_in_progress(run, Some(3)), [1, 2, 2]);
}

#[test]
fn nobody_waits_for_room_after_an_error_or_a_death() {
    for end in [End::Error(0), End::Error(1), End::Death(0), End::Death(1)] {
        let run = Run { threads: 2, most: 4, least: 1, items: &[1, 1, 4, 1], end };
        most_in_progress(run, Some(4));
    }
}
