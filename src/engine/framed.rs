//! A worker for any framing: lines, or rows whose strings stand in fields.

use super::fields::FieldWorker;
use super::framing::{Appended, Settled};
use super::outcome::Outcome;
use super::worker::Worker;
use crate::convert::Conversion;
use crate::formats::Evidence;
use crate::kernels::Kernel;
use crate::source::Chunk;

/// Converts one chunk after the other, whatever its framing.
pub(super) struct Framed<'f> {
    framing: &'f Settled,
    worker: Either<'f>,
}

enum Either<'f> {
    Lines(Box<Worker>),
    Fields(Box<FieldWorker<'f>>),
}

impl<'f> Framed<'f> {
    /// A worker for a conversion.
    pub(super) fn new(framing: &'f Settled, appended: &Appended, plan: Conversion, kernel: &'static Kernel) -> Self {
        let worker = match framing {
            Settled::Lines => Either::Lines(Box::new(Worker::new(plan, kernel))),
            _ => Either::Fields(Box::new(FieldWorker::new(framing, appended, plan, kernel))),
        };
        Self { framing, worker }
    }

    /// How records stand in the text.
    pub(super) fn framing(&self) -> &'f Settled {
        self.framing
    }

    /// Begins a chunk.
    pub(super) fn begin(&mut self) {
        match &mut self.worker {
            Either::Lines(worker) => worker.begin(),
            Either::Fields(worker) => worker.begin(),
        }
    }

    /// Copies bytes through.
    pub(super) fn copy(&mut self, bytes: &[u8]) {
        match &mut self.worker {
            Either::Lines(worker) => worker.copy(bytes),
            Either::Fields(worker) => worker.copy(bytes),
        }
    }

    /// What became of the chunk.
    pub(super) fn outcome(&self) -> &Outcome {
        match &self.worker {
            Either::Lines(worker) => &worker.outcome,
            Either::Fields(worker) => worker.outcome(),
        }
    }

    /// See [`Worker::is_tied`].
    pub(super) fn is_tied(&self) -> bool {
        match &self.worker {
            Either::Lines(worker) => worker.is_tied(),
            Either::Fields(worker) => worker.is_tied(),
        }
    }

    /// See [`Worker::has_weighed`].
    pub(super) fn has_weighed(&self) -> bool {
        match &self.worker {
            Either::Lines(worker) => worker.has_weighed(),
            Either::Fields(worker) => worker.has_weighed(),
        }
    }

    /// See [`Worker::know`].
    pub(super) fn know(&mut self, evidence: Evidence) {
        match &mut self.worker {
            Either::Lines(worker) => worker.know(evidence),
            Either::Fields(worker) => worker.know(evidence),
        }
    }

    /// What the records that begin in the first `window` bytes of whole rows say of Str8ts layouts.
    pub(super) fn weigh(&self, chunk: &Chunk, text: &[u8], window: usize) -> Evidence {
        match &self.worker {
            Either::Lines(worker) => worker.weigh(text, window),
            Either::Fields(worker) => worker.weigh(chunk, text, window),
        }
    }

    /// Converts whole records: `text` begins at the start of one and ends at the end of one or of its input.
    pub(super) fn convert(&mut self, chunk: &Chunk, text: &[u8]) {
        match &mut self.worker {
            Either::Lines(worker) => worker.convert(text),
            Either::Fields(worker) => worker.convert(chunk, text),
        }
    }
}
