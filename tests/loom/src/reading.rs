//! Blocks that are read ahead. As in the source, each thread reads a block, and then waits for the source and takes the
//! next one.

use std::sync::Arc;

use loom::sync::Mutex;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;

use crate::blocks::{Blocks, WAITING};
use crate::error::Error;

/// What happens to a block while it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Good,
    Bad,
    /// Its thread dies.
    Dropped,
}

/// A file whose threads are in a model.
struct Reading {
    blocks: Blocks,
    /// How many blocks may wait.
    most: usize,
    fates: &'static [Fate],
    /// How many threads have begun to take a block.
    begun: AtomicUsize,
    /// The numbers and fates of the blocks that were taken.
    taken: Mutex<Vec<(usize, Fate)>>,
}

impl Reading {
    fn new(most: usize, fates: &'static [Fate]) -> Arc<Self> {
        let size = WAITING / most;
        // The last block is shorter.
        let end = fates.len() * size - 1;
        let blocks = Blocks::new(0..end as u64, size);
        Arc::new(Self { blocks, most, fates, begun: AtomicUsize::new(0), taken: Mutex::default() })
    }

    /// Reads the next block, if it may. The number of a block stands for its bytes.
    fn read(&self) {
        let size = WAITING / self.most;
        let Some(reserved) = self.blocks.reserve(|_| size) else { return };
        let number = reserved.position as usize / size;
        let taken = self.begun.load(Ordering::Relaxed);
        assert!(number < taken + self.most, "block {number} is read when {taken} were taken");
        assert_eq!(reserved.length, size - usize::from(number + 1 == self.fates.len()));
        match self.fates[number] {
            Fate::Good => reserved.hand_over(Ok(vec![number as u8])),
            Fate::Bad => reserved.hand_over(Err(Error::Read)),
            Fate::Dropped => drop(reserved),
        }
    }

    /// Takes the next block, if there is one.
    fn take(&self) -> bool {
        let mut taken = self.taken.lock().expect("no panic");
        let more = self.blocks.more();
        self.begun.fetch_add(1, Ordering::Relaxed);
        let next = taken.len();
        match self.blocks.take(|| self.read()) {
            Ok(None) => {
                assert!(!more);
                return false;
            }
            Ok(Some(block)) => taken.push((usize::from(block[0]), Fate::Good)),
            Err(Error::Read) => taken.push((next, Fate::Bad)),
            Err(Error::Internal(_)) => taken.push((next, Fate::Dropped)),
        }
        assert!(more);
        true
    }

    /// Takes blocks until there are none, reading one ahead each time.
    fn work(&self) {
        loop {
            self.read();
            if !self.take() {
                break;
            }
        }
    }

    fn all_are_taken(&self) {
        let taken = self.taken.lock().expect("no panic");
        assert!(taken.iter().copied().eq(self.fates.iter().copied().enumerate()), "{taken:?}");
    }
}

/// Every order in which `threads` can read blocks with these fates, of which at most so many may wait. Where that takes
/// too long, a thread that could go on is interrupted at most `interrupted` times.
fn in_every_order(threads: usize, most: usize, fates: &'static [Fate], interrupted: Option<usize>) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = interrupted;
    model.check(move || {
        let reading = Reading::new(most, fates);
        let others: Vec<_> = (1..threads)
            .map(|_| {
                let reading = Arc::clone(&reading);
                thread::spawn(move || reading.work())
            })
            .collect();
        reading.work();
        others.into_iter().for_each(|other| other.join().expect("no panic"));
        reading.all_are_taken();
    });
}

#[test]
fn blocks_come_in_order_whoever_reads_them() {
    in_every_order(2, 2, &[Fate::Good], None);
    in_every_order(2, 2, &[Fate::Good; 3], Some(4));
    in_every_order(3, 2, &[Fate::Good; 2], Some(2));
}

#[test]
fn an_error_is_returned_at_its_place() {
    in_every_order(2, 2, &[Fate::Good, Fate::Bad, Fate::Good], Some(4));
}

#[test]
fn a_thread_that_dies_leaves_an_error_and_nobody_waits_for_its_block() {
    in_every_order(2, 2, &[Fate::Dropped], None);
    in_every_order(2, 2, &[Fate::Dropped, Fate::Good, Fate::Dropped], Some(4));
    in_every_order(3, 2, &[Fate::Good, Fate::Dropped], Some(2));
}

#[test]
fn no_more_is_read_ahead_than_is_allowed() {
    in_every_order(2, 1, &[Fate::Good; 3], Some(4));
    // One thread reads as much as it may while another one takes blocks.
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(4);
    model.check(|| {
        let reading = Reading::new(2, &[Fate::Good; 4]);
        let other = {
            let reading = Arc::clone(&reading);
            thread::spawn(move || (0..4).for_each(|_| reading.read()))
        };
        while reading.take() {}
        other.join().expect("no panic");
        reading.all_are_taken();
    });
}
