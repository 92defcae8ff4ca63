//! The batches of all inputs, in order.

use std::collections::VecDeque;

use arrow_array::RecordBatch;

use super::input::ArrowInput;
use crate::error::Error;

/// The batches of all inputs, which are pulled in order.
pub(super) struct BatchQueue {
    inputs: VecDeque<ArrowInput>,
    /// The number of the first remaining input.
    input: usize,
    /// Batches that were read ahead.
    pub(super) ahead: VecDeque<(usize, RecordBatch)>,
}

impl BatchQueue {
    pub(super) fn new(inputs: Vec<ArrowInput>) -> Self {
        Self { inputs: inputs.into(), input: 0, ahead: VecDeque::new() }
    }

    /// Returns the next batch, with the number of its input. It must have been [peeked](Self::peek) at.
    pub(super) fn pull(&mut self) -> Option<(usize, RecordBatch)> {
        self.ahead.pop_front()
    }

    /// The next batch, which stays the next.
    pub(super) fn peek(&mut self) -> Option<Result<&RecordBatch, Error>> {
        if self.ahead.is_empty() {
            match self.read()? {
                Ok(next) => self.ahead.push_back(next),
                Err(error) => return Some(Err(error)),
            }
        }
        self.ahead.front().map(|(_, batch)| Ok(batch))
    }

    pub(super) fn read(&mut self) -> Option<Result<(usize, RecordBatch), Error>> {
        loop {
            if let Some(batch) = self.inputs.front_mut()?.next() {
                return Some(batch.map(|batch| (self.input, batch)));
            }
            self.inputs.pop_front();
            self.input += 1;
        }
    }
}
