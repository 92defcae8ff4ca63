//! A worker for any framing: for lines, or for rows with strings in fields.

use std::ops::Range;

use super::appended::Appended;
use super::fields::FieldWorker;
use super::outcome::Outcome;
use super::worker::Worker;
use crate::convert::Conversion;
use crate::formats::EvidenceSource;
use crate::framing::Framing;
use crate::kernels::Kernel;
use crate::source::Chunk;

/// Converts one chunk after the other, in any framing.
pub(super) enum Framed<'f> {
    /// Lines.
    Lines(Box<Worker>),
    /// Fields of rows.
    Fields(Box<FieldWorker<'f>>),
}

impl<'f> Framed<'f> {
    /// A worker for this plan.
    pub(super) fn new(
        framing: &'f dyn Framing,
        appended: &Appended,
        plan: Conversion,
        kernel: &'static Kernel,
    ) -> Self {
        match framing.facts().is_lines {
            true => Self::Lines(Box::new(Worker::new(plan, kernel).appending(appended, framing))),
            false => Self::Fields(Box::new(FieldWorker::new(framing, appended, plan, kernel))),
        }
    }

    /// Begins a chunk.
    pub(super) fn begin_chunk(&mut self) {
        match self {
            Self::Lines(worker) => worker.begin_chunk(),
            Self::Fields(worker) => worker.begin_chunk(),
        }
    }

    /// Begins a part of a chunk.
    pub(super) fn begin(&mut self) {
        match self {
            Self::Lines(worker) => worker.begin(),
            Self::Fields(worker) => worker.begin(),
        }
    }

    /// Copies bytes to the output unchanged.
    pub(super) fn copy(&mut self, bytes: &[u8]) {
        match self {
            Self::Lines(worker) => worker.copy(bytes),
            Self::Fields(worker) => worker.copy(bytes),
        }
    }

    /// Returns the result for the current chunk.
    pub(super) fn outcome(&self) -> &Outcome {
        match self {
            Self::Lines(worker) => &worker.outcome,
            Self::Fields(worker) => worker.outcome(),
        }
    }

    /// See [`Worker::has_weighed`].
    pub(super) fn has_weighed(&self) -> bool {
        match self {
            Self::Lines(worker) => worker.has_weighed(),
            Self::Fields(worker) => worker.has_weighed(),
        }
    }

    /// Begins to convert whole records: the part `whole` of the chunk begins at the start of a record and ends at the end
    /// of a record or of its input. Does what needs no solver; for rows, everything. Returns where it stopped: at the end,
    /// or earlier if the records have so many problems that the messages should be written first.
    pub(super) fn start(&mut self, chunk: &Chunk, whole: Range<usize>, evidence: &dyn EvidenceSource) -> usize {
        match self {
            Self::Lines(worker) => whole.start + worker.start(&chunk.text()[whole], evidence),
            Self::Fields(worker) => worker.convert(chunk, whole, evidence),
        }
    }

    /// Converts the records that were `read`, see [`Worker::finish`]. Returns where it stopped, as [`Framed::start`] does.
    pub(super) fn finish(
        &mut self,
        chunk: &Chunk,
        read: Range<usize>,
        next: Option<&mut Framed<'_>>,
        evidence: &dyn EvidenceSource,
    ) -> usize {
        let next = next.and_then(|next| match next {
            Framed::Lines(worker) => Some(&mut **worker),
            Framed::Fields(_) => None,
        });
        match self {
            Self::Lines(worker) => read.start + worker.finish(&chunk.text()[read], next, evidence),
            Self::Fields(_) => read.end,
        }
    }

    /// Whether [`Framed::finish`] can use a worker that has started with the next text.
    pub(super) fn wants_next(&self) -> bool {
        match self {
            Self::Lines(worker) => worker.wants_next(),
            Self::Fields(_) => false,
        }
    }
}
