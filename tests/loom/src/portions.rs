//! Portions, for which there must be room: each worker takes the next one, works, and makes room after its turn.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex as Unscheduled;

use loom::thread;

use crate::driver::{Container, End as Ended, NextPortion, PortionQueue, Driver, Seat, Turns};
use crate::error::Error;

/// How the work on an item ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// Every item is written.
    Good,
    /// The item with this number cannot be read.
    Unread(usize),
    /// The items from this number on cannot be worked on.
    Bad(usize),
    /// The item with this number cannot be written.
    Unwritten(usize),
    /// Nothing is needed after the item with this number.
    Enough(usize),
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
    /// Items are numbered in turn before the work on them.
    numbers: bool,
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

struct Items {
    run: Run,
    queue: PortionQueue<usize>,
    in_use: Unscheduled<InUse>,
    /// For each item, the most that were in use when it began, in any order.
    seen: &'static Unscheduled<Vec<usize>>,
}

impl Container<(), usize> for Items {
    /// Whether it has had an item.
    type Worker = bool;
    type Portion = usize;

    fn worker(&self) -> Result<bool, Error> {
        Ok(false)
    }

    fn next(&self, _: &mut bool, seat: &mut Seat) -> Option<NextPortion<'_, usize>> {
        let cost = |next: &mut usize| {
            let bytes = self.run.items.get(*next)?;
            Some(if self.run.end == End::Unread(*next) { Err(Error::Read) } else { Ok(*bytes) })
        };
        let pull = |next: &mut usize| {
            *next += 1;
            Some(*next - 1)
        };
        self.queue.next(seat, cost, pull)
    }

    fn process(&self, had_one: &mut bool, number: usize, turns: &mut Turns<'_, (), usize>) -> Result<(), Ended> {
        // It ends before there is room for others.
        let _progress = self.begin(number, !std::mem::replace(had_one, true));
        if matches!(self.run.end, End::Bad(first) if number >= first) {
            return Err(Error::Read.into());
        }
        if self.run.numbers {
            turns.number(|next| {
                assert_eq!(*next, number);
                *next += 1;
            })?;
        }
        if self.run.end == End::Death(number) {
            resume_unwind(Box::new(()));
        }
        turns.out()?;
        self.in_use.lock().expect("no panic").written.push(number);
        match self.run.end {
            End::Unwritten(bad) if bad == number => Err(Error::Read.into()),
            End::Enough(last) if last == number => Err(Ended::Over),
            _ => Ok(()),
        }
    }
}

impl Items {
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
        Progress { items: self, number }
    }
}

/// An item in progress.
struct Progress<'i> {
    items: &'i Items,
    number: usize,
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        let mut now = self.items.in_use.lock().expect("no panic");
        now.items -= 1;
        now.bytes -= self.items.run.items[self.number];
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
        let items: &'static Items = Box::leak(Box::new(Items {
            run,
            queue: PortionQueue::new(0, run.most, run.least),
            in_use: Unscheduled::default(),
            seen,
        }));
        let driver: &'static Driver<'_, _, _, _> = Box::leak(Box::new(Driver::new(items, None, (), 0)));
        let ends = move || match catch_unwind(AssertUnwindSafe(|| driver.work())) {
            Ok(Ok(())) => [0, 0],
            Ok(Err(_)) => [1, 0],
            Err(payload) if payload.is::<()>() => [0, 1],
            Err(payload) => resume_unwind(payload),
        };
        let others: Vec<_> = (1..run.threads).map(|_| thread::spawn(ends)).collect();
        let [mut failed, mut died] = ends();
        for other in others {
            let [more, dead] = other.join().expect("no other panic");
            (failed, died) = (failed + more, died + dead);
        }
        assert_eq!(died, usize::from(matches!(run.end, End::Death(_))));
        assert_eq!(failed, usize::from(matches!(run.end, End::Unread(_) | End::Bad(_) | End::Unwritten(_))));
        let written = &items.in_use.lock().expect("no panic").written;
        assert!(written.iter().copied().eq(0..written.len()), "{written:?}");
        match run.end {
            End::Good => assert_eq!(written.len(), run.items.len()),
            End::Unread(number) | End::Bad(number) => assert_eq!(written.len(), number),
            End::Unwritten(number) | End::Enough(number) => assert_eq!(written.len(), number + 1),
            End::Death(number) => assert!(written.len() <= number),
        }
    });
    seen.lock().expect("no panic").clone()
}

#[test]
fn every_item_is_taken_and_small_ones_at_the_same_time() {
    let run = Run { threads: 2, most: 4, least: 1, items: &[2, 2, 2], numbers: false, end: End::Good };
    assert_eq!(most_in_progress(run, Some(5)), [1, 2, 2]);
    let run = Run { threads: 3, most: 3, least: 1, items: &[1, 1, 1], numbers: false, end: End::Good };
    assert_eq!(most_in_progress(run, Some(3)), [1, 2, 3]);
}

#[test]
fn a_large_item_waits_for_others_and_others_for_it() {
    let run = Run { threads: 2, most: 4, least: 1, items: &[1, 1, 4, 1], numbers: false, end: End::Good };
    assert_eq!(most_in_progress(run, Some(4)), [1, 2, 1, 1]);
    let run = Run { threads: 2, most: 4, least: 1, items: &[1, 1, 9, 9], numbers: false, end: End::Good };
    assert_eq!(most_in_progress(run, Some(4)), [1, 2, 1, 1]);
}

/// With three threads, each model takes longest of all, so each is a test of its own, and they run at the same time.
#[test]
fn a_large_item_waits_for_two_others() {
    let run = Run { threads: 3, most: 4, least: 2, items: &[1, 2, 1, 9], numbers: false, end: End::Good };
    assert_eq!(most_in_progress(run, Some(3)), [1, 2, 3, 2]);
}

#[test]
fn a_large_item_waits_for_more_than_one() {
    // After one item, there is not yet room for the large one.
    let run = Run { threads: 3, most: 4, least: 1, items: &[1, 1, 1, 4], numbers: false, end: End::Good };
    assert_eq!(most_in_progress(run, Some(3)), [1, 2, 3, 1]);
}

#[test]
fn threads_that_are_too_many_end_and_the_others_take_all_items() {
    let run = Run { threads: 2, most: 4, least: 1, items: &[3, 3, 3], numbers: false, end: End::Good };
    assert_eq!(most_in_progress(run, None), [1, 1, 1]);
    let run = Run { threads: 3, most: 4, least: 2, items: &[9, 9, 9], numbers: false, end: End::Good };
    assert_eq!(most_in_progress(run, Some(3)), [1, 2, 2]);
}

#[test]
fn nobody_waits_for_room_after_an_error_or_a_death() {
    let ends = [0, 1].map(|number| {
        [End::Unread(number), End::Bad(number), End::Unwritten(number), End::Enough(number), End::Death(number)]
    });
    for end in ends.into_iter().flatten() {
        let run = Run { threads: 2, most: 4, least: 1, items: &[1, 1, 4, 1], numbers: false, end };
        most_in_progress(run, Some(4));
    }
}

#[test]
fn items_are_numbered_in_order_and_nobody_waits_for_a_number_that_never_comes() {
    let ends =
        [End::Good, End::Unread(1), End::Bad(0), End::Unwritten(0), End::Enough(1), End::Death(0), End::Death(1)];
    for end in ends {
        let run = Run { threads: 2, most: 4, least: 1, items: &[1, 1, 1], numbers: true, end };
        most_in_progress(run, Some(4));
    }
    let run = Run { threads: 3, most: 3, least: 1, items: &[1, 1, 1], numbers: true, end: End::Bad(1) };
    most_in_progress(run, Some(2));
}
