//! The blocks of a file: threads reserve and read them in any order, and they are taken in the order of the file.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::PoisonError;

// tests/loom runs this code in the orders in which threads can be scheduled.
#[cfg(loom)]
use loom::sync::{Condvar, Mutex, MutexGuard};
#[cfg(not(loom))]
use std::sync::{Condvar, Mutex, MutexGuard};

use crate::error::Error;

/// The most bytes in blocks that wait to be taken; a single block may be larger.
pub(super) const WAITING: usize = 2 << 20;

/// The blocks of a file.
pub(super) struct Blocks {
    /// Where the last block ends.
    end: u64,
    /// The size of a block, by which those that wait are limited.
    size: usize,
    queue: Mutex<Queue>,
    changed: Condvar,
}

struct Queue {
    /// Where the next block begins.
    next: u64,
    /// The blocks that are not taken yet, in order; those that are still being read are `None`.
    blocks: VecDeque<Option<Result<Vec<u8>, Error>>>,
    /// How many blocks were taken.
    taken: usize,
}

/// A block that one thread is reading.
pub(super) struct Reserved<'b> {
    blocks: &'b Blocks,
    number: usize,
    /// Where it begins in the file.
    pub(super) position: u64,
    pub(super) length: usize,
    block: Option<Result<Vec<u8>, Error>>,
}

impl Blocks {
    /// The blocks of the file from `start` to `end`.
    pub(super) fn new(Range { start, end }: Range<u64>, size: usize) -> Self {
        let queue = Mutex::new(Queue { next: start, blocks: VecDeque::new(), taken: 0 });
        Self { end, size, queue, changed: Condvar::new() }
    }

    /// Whether more blocks follow.
    pub(super) fn more(&self) -> bool {
        let queue = self.queue();
        !queue.blocks.is_empty() || queue.next < self.end
    }

    /// The next block to read, whose length is that at its position, or less at the end. `None` if there is no next
    /// block, or if enough blocks wait.
    pub(super) fn reserve(&self, length: impl FnOnce(u64) -> usize) -> Option<Reserved<'_>> {
        let mut queue = self.queue();
        let (position, left) = (queue.next, self.end - queue.next);
        let enough = queue.blocks.len() * self.size >= WAITING && !queue.blocks.is_empty();
        if left == 0 || enough {
            return None;
        }
        let length = usize::try_from(left).unwrap_or(usize::MAX).min(length(position));
        queue.next += length as u64;
        queue.blocks.push_back(None);
        let number = queue.taken + queue.blocks.len() - 1;
        Some(Reserved { blocks: self, number, position, length, block: None })
    }

    /// The next block, once it is read; `None` at the end. If nobody has reserved it, `read` is called to read a block.
    pub(super) fn take(&self, read: impl Fn()) -> Result<Option<Vec<u8>>, Error> {
        let mut queue = self.queue();
        loop {
            match queue.blocks.front_mut().map(Option::take) {
                Some(Some(block)) => {
                    queue.blocks.pop_front();
                    queue.taken += 1;
                    return block.map(Some);
                }
                Some(None) => queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner),
                None if queue.next == self.end => return Ok(None),
                None => {
                    drop(queue);
                    read();
                    queue = self.queue();
                }
            }
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // No panic can leave it half changed.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reserved<'_> {
    /// Hands over the block.
    pub(super) fn hand_over(mut self, block: Result<Vec<u8>, Error>) {
        self.block = Some(block);
    }
}

impl Drop for Reserved<'_> {
    /// Hands over the block, or, if the thread panicked, an error.
    fn drop(&mut self) {
        let died = || Err(Error::Internal("a thread that was reading the input died".into()));
        let block = self.block.take().unwrap_or_else(died);
        let mut queue = self.blocks.queue();
        let at = self.number - queue.taken;
        queue.blocks[at] = Some(block);
        drop(queue);
        self.blocks.changed.notify_all();
    }
}
