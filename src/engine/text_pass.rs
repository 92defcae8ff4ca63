//! Text as a [`Container`]: workers pull chunks, convert them, and write them in turn.
//!
//! If puzzles are to be solved, the worker reads the next chunk before it finishes one. The solver works on many puzzles
//! side by side, and at the end of a chunk ever fewer are left; then it begins with those of the next chunk.
//!
//! Usually a whole chunk is converted before its turn. If there are many messages about its records (nearly all are
//! bad, or have many problems) or very many puzzles, only as many records are converted before the turn as fit into a
//! worker's memory limits. The rest is converted in parts during the turn, and each part is written before the next is
//! converted.

use std::cell::Cell;
use std::ops::Range;
use std::sync::Mutex;

use super::appended::Appended;
use super::chunk_bounds::ChunkBounds;
use super::compressor::Compressor;
use super::driver::{Container, End, NextPortion, Seat, Turns};
use super::evidence::weigh;
use super::framed::Framed;
use super::ordered::Ordered;
use super::survey::{Survey, SurveyedChunk};
use crate::convert::Conversion;
use crate::error::Error;
use crate::formats::{AskedEvidence, Evidence, EvidenceSource};
use crate::framing::Framing;
use crate::kernels::Kernel;
use crate::source::{Chunk, LARGE, Pulled};

/// The zstd level for input text that is stored.
pub(super) const TEXT_LEVEL: i32 = 1;

/// One pass over the text of all inputs.
pub(super) struct TextPass<'t, 's> {
    pub(super) survey: &'t Survey<'s>,
    /// The first chunk, for the worker that asks first.
    pub(super) first: Mutex<Option<SurveyedChunk<'t, 's>>>,
    pub(super) framing: &'t dyn Framing,
    pub(super) appended: &'t Appended,
    pub(super) plan: Conversion,
    pub(super) kernel: &'static Kernel,
    pub(super) zstd_level: Option<i32>,
    /// The number of workers.
    pub(super) workers: u64,
    pub(super) chunk_size: u64,
    /// For each input, whether its text is stored.
    pub(super) keeps_text: Vec<bool>,
}

/// A chunk that a worker has read: its records were converted as far as this is possible without the solver.
pub(super) struct ReadChunk {
    number: u64,
    chunk: Chunk,
    bounds: ChunkBounds,
    /// Where reading stopped.
    end: usize,
}

/// A worker and its memory.
pub(super) struct TextWorker<'t> {
    worker: Framed<'t>,
    /// Reads the next chunk, if that is done before a chunk is finished.
    next_worker: Option<Framed<'t>>,
    /// What it has read.
    read_ahead: Option<(u64, Result<ReadChunk, Error>)>,
    /// The chunk that was written last.
    written: Option<Chunk>,
    /// Of chunks that were written, for those to come.
    buffers: Vec<Vec<u8>>,
    frames: Option<Compressor>,
    /// The compressed input text of the chunk, if it is stored.
    text: Option<Compressor>,
}

impl<'t> Container<Ordered<'_>> for TextPass<'t, '_> {
    type Worker = TextWorker<'t>;
    type Portion = ReadChunk;

    fn worker(&self) -> Result<TextWorker<'t>, Error> {
        Ok(TextWorker {
            worker: self.framed(),
            next_worker: self.reads_ahead().then(|| self.framed()),
            read_ahead: None,
            written: None,
            buffers: Vec::new(),
            frames: self.zstd_level.map(Compressor::new).transpose()?,
            text: self.keeps_text.contains(&true).then(|| Compressor::new(TEXT_LEVEL)).transpose()?,
        })
    }

    fn next(&self, state: &mut TextWorker<'t>, _: &mut Seat) -> Option<NextPortion<'_, ReadChunk>> {
        if let Some(chunk) = state.written.take() {
            self.recycle(state, chunk);
        }
        let (number, read) = match (state.read_ahead.take(), &mut state.next_worker) {
            (Some(read), Some(next_worker)) => {
                std::mem::swap(&mut state.worker, next_worker);
                read
            }
            _ => {
                let pulled = self.pull(state.buffers.pop().unwrap_or_default())?;
                self.read(&mut state.worker, pulled)
            }
        };
        Some(NextPortion::new(number, read))
    }

    /// Converts the first part of a chunk, which nearly always is all of it, and writes it. Then converts and writes the
    /// others.
    fn process(
        &self,
        state: &mut TextWorker<'t>,
        read: ReadChunk,
        turns: &mut Turns<'_, Ordered<'_>>,
    ) -> Result<(), End> {
        if let Some(next_worker) = state.next_worker.as_mut().filter(|_| state.worker.wants_next()) {
            let next = self.next_after(read.number, &mut state.buffers);
            state.read_ahead = next.map(|next| self.read(next_worker, next));
        }
        let end = self.first_part(state, &read)?;
        let out = turns.out()?;
        self.write(state, &read, end, out)?;
        state.written = Some(read.chunk);
        if out.is_over() { Err(End::Over) } else { Ok(()) }
    }

    fn taken(&self) -> u64 {
        self.survey.source().bytes_taken()
    }

    fn stop(&self) {
        self.survey.source().stop();
    }
}

impl<'t, 's> TextPass<'t, 's> {
    /// Whether a worker reads the next chunk before it finishes one. From a pipe it does not, since the next chunk may not
    /// be there for a long time.
    fn reads_ahead(&self) -> bool {
        self.plan.asks_solver() && self.framing.facts().is_lines && self.survey.source().total_bytes().is_some()
    }

    fn framed(&self) -> Framed<'t> {
        Framed::new(self.framing, self.appended, self.plan, self.kernel)
    }

    /// Returns the next chunk.
    fn pull(&self, buffer: Vec<u8>) -> Option<SurveyedChunk<'t, 's>> {
        let first = self.first.lock().ok().and_then(|mut first| first.take());
        let mut next = first.or_else(|| self.survey.next(buffer))?;
        if let Ok(chunk) = &next.pulled.chunk
            && let Some(words) = self.framing.too_long(chunk.text())
        {
            next.pulled.chunk = Err(Error::file(self.survey.source().path(chunk.input), words));
        }
        Some(next)
    }

    /// Returns the next chunk, to be read ahead by the worker that has chunk `current`, except in these cases:
    /// - Some other worker has not taken one since then. Chunks are written in order, so the others would wait for a
    ///   worker with two in a row.
    /// - It is one of the last, which are for workers that would have nothing to do.
    /// - A worker has a large chunk, which may be waiting for the one that this worker has not finished.
    fn next_after(&self, current: u64, buffers: &mut Vec<Vec<u8>>) -> Option<SurveyedChunk<'t, 's>> {
        let source = self.survey.source();
        let left = source.total_bytes()?.saturating_sub(source.bytes_taken());
        if left < 2 * self.workers * self.chunk_size || source.next_sequence() < current.saturating_add(self.workers) {
            return None;
        }
        match self.survey.next_unless_large(buffers.pop().unwrap_or_default()) {
            Ok(next) => next,
            Err(unused) => {
                buffers.push(unused);
                None
            }
        }
    }

    /// Keeps the buffer of a chunk that was written for another one. After a large chunk, releases all memory that grew
    /// with it.
    fn recycle(&self, state: &mut TextWorker<'t>, chunk: Chunk) {
        match chunk.text().len() <= LARGE {
            true => state.buffers.push(chunk.into_buffer()),
            false => state.worker = self.framed(),
        }
    }

    /// Reads the first part of a chunk, which nearly always is all of it. Returns it with the number of the chunk.
    fn read(&self, worker: &mut Framed<'t>, surveyed: SurveyedChunk<'t, 's>) -> (u64, Result<ReadChunk, Error>) {
        worker.begin_chunk();
        let SurveyedChunk { pulled: Pulled { sequence: number, chunk }, contribution } = surveyed;
        let contribution = Cell::new(contribution);
        let read = chunk.and_then(|chunk| {
            let contribute = || {
                if let Some(contribution) = contribution.take() {
                    contribution.make(|window| self.weigh(&chunk, window));
                }
            };
            // Other workers that ask wait for this chunk, too.
            let collect = || {
                contribute();
                self.evidence()
            };
            let evidence = AskedEvidence::new(&collect);
            let (mut bounds, mut end) = (ChunkBounds::default(), 0);
            if chunk.unclosed().is_none() {
                bounds = ChunkBounds::of(&chunk, self.plan.bad);
                bounds.keep_mark &= self.framing.facts().keeps_mark;
                begin_part(worker, &chunk, &bounds, bounds.start);
                end = worker.start(&chunk, bounds.start..bounds.tail, &evidence);
            }
            evidence.end()?;
            // If only a part was read, the rest of the chunk may contain evidence, too.
            if end < bounds.tail || worker.has_weighed() {
                contribute();
            }
            Ok(ReadChunk { number, chunk, bounds, end })
        });
        (number, read)
    }

    /// Finishes the first part of a chunk that was read. Returns where the part ends.
    fn first_part(&self, state: &mut TextWorker<'t>, read: &ReadChunk) -> Result<usize, Error> {
        let is_next_ready = matches!(&state.read_ahead, Some((_, Ok(_))));
        let next = state.next_worker.as_mut().filter(|_| is_next_ready);
        let collect = || self.evidence();
        let evidence = AskedEvidence::new(&collect);
        let end = finish_part(&mut state.worker, read, read.bounds.start..read.end, next, &evidence);
        evidence.end()?;
        compress(state, &read.chunk)?;
        if let Some(text) = state.text.as_mut().filter(|_| self.keeps_text[read.chunk.input]) {
            text.compress(read.chunk.text())?;
        }
        Ok(end)
    }

    /// Writes the first part of a chunk, then converts and writes the others.
    fn write(
        &self,
        state: &mut TextWorker<'_>,
        read: &ReadChunk,
        mut end: usize,
        out: &mut Ordered<'_>,
    ) -> Result<(), Error> {
        let ReadChunk { chunk, bounds, .. } = read;
        if out.begin_chunk(chunk, bounds)?.is_break() {
            return Ok(());
        }
        if let Some(text) = state.text.as_ref().filter(|_| self.keeps_text[chunk.input]) {
            out.take_text(chunk.input, text)?;
        }
        let mut start = bounds.start;
        loop {
            out.take(chunk, start, state.worker.outcome(), state.frames.as_ref())?;
            if end >= bounds.tail || state.worker.outcome().stopped {
                break;
            }
            start = end;
            end = self.convert_part(&mut state.worker, read, start)?;
            compress(state, chunk)?;
        }
        out.end_chunk(chunk, bounds, state.worker.outcome());
        Ok(())
    }

    /// Returns the evidence about layouts in the first strings of all inputs. The caller must have contributed what its
    /// chunks give.
    fn evidence(&self) -> Result<Evidence, Error> {
        self.survey.evidence(|chunk, window| self.weigh(chunk, window))
    }

    /// Returns the evidence about layouts in the first `window` bytes of a chunk.
    fn weigh(&self, chunk: &Chunk, window: usize) -> Evidence {
        weigh(self.framing, &self.plan, self.kernel, chunk, window)
    }

    /// Converts the whole records of a chunk from `start` on, or as many as the memory limits allow. Returns where the part
    /// ends.
    fn convert_part(&self, worker: &mut Framed, read: &ReadChunk, start: usize) -> Result<usize, Error> {
        let collect = || self.evidence();
        let evidence = AskedEvidence::new(&collect);
        begin_part(worker, &read.chunk, &read.bounds, start);
        let end = worker.start(&read.chunk, start..read.bounds.tail, &evidence);
        let end = finish_part(worker, read, start..end, None, &evidence);
        evidence.end()?;
        Ok(end)
    }
}

/// Begins the part of a chunk that begins at `start`. Records that cross the chunk's bounds are dealt with in its turn.
fn begin_part(worker: &mut Framed, chunk: &Chunk, bounds: &ChunkBounds, start: usize) {
    worker.begin();
    let text = chunk.text();
    if start == bounds.start {
        if bounds.keep_ends {
            worker.copy(&text[..bounds.head]);
        }
        if bounds.keep_mark {
            worker.copy(&text[bounds.head..bounds.start]);
        }
    }
}

/// Finishes the part `converted` of a chunk. Returns where it ends.
fn finish_part(
    worker: &mut Framed,
    read: &ReadChunk,
    converted: Range<usize>,
    next: Option<&mut Framed>,
    evidence: &dyn EvidenceSource,
) -> usize {
    let ReadChunk { chunk, bounds, .. } = read;
    let end = worker.finish(chunk, converted, next, evidence);
    if end == bounds.tail && bounds.keep_ends && !worker.outcome().stopped {
        worker.copy(&chunk.text()[bounds.tail..]);
    }
    end
}

/// Compresses the converted text, if the output is compressed.
fn compress(state: &mut TextWorker<'_>, chunk: &Chunk) -> Result<(), Error> {
    match &mut state.frames {
        Some(frames) => frames.compress(state.worker.outcome().written(chunk)),
        None => Ok(()),
    }
}
