//! The loop that each worker of a run executes: it pulls a chunk, converts it, and writes it in its turn.
//!
//! If puzzles are to be solved, the worker reads the next chunk before it finishes one. The solver works on many puzzles
//! side by side, and at the end of a chunk ever fewer are left; then it begins with those of the next chunk.
//!
//! Usually a whole chunk is converted before its turn. If there are many messages about its records (nearly all are
//! bad, or have many problems) or very many puzzles, only as many records are converted before the turn as fit into a
//! worker's memory limits. The rest is converted in parts during the turn, and each part is written before the next is
//! converted.

use std::ops::Range;
use std::sync::Mutex;

use super::appended::Appended;
use super::chunk_bounds::ChunkBounds;
use super::compressor::Compressor;
use super::framed::Framed;
use super::ordered::Ordered;
use super::progress::Progress;
use super::survey::{Survey, SurveyedChunk};
use crate::convert::{Conversion, Tied};
use crate::error::Error;
use crate::formats::Evidence;
use crate::framing::Framing;
use crate::kernels::Kernel;
use crate::output::order::{Turn, Turnstile};
use crate::source::{Chunk, LARGE, Source};

/// The zstd level for input text that is stored.
pub(super) const TEXT_LEVEL: i32 = 1;

/// The state that all workers share.
pub(super) struct PassState<'t, 's> {
    pub(super) source: &'s Source,
    pub(super) survey: &'t Survey<'s>,
    /// The first chunk, for the worker that asks first.
    pub(super) first: Mutex<Option<SurveyedChunk<'t, 's>>>,
    pub(super) turns: &'t Turnstile<Ordered<'s>>,
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
    pub(super) progress: Option<&'t Progress>,
}

/// A chunk that a worker has read: its records were converted as far as this is possible without the solver.
struct ReadChunk<'t, 's> {
    surveyed: SurveyedChunk<'t, 's>,
    bounds: ChunkBounds,
    /// Where reading stopped.
    end: Result<usize, Tied>,
}

impl ReadChunk<'_, '_> {
    /// Whether the worker has the chunk's records.
    fn has_records(&self) -> bool {
        self.surveyed.pulled.chunk.is_ok() && self.end.is_ok()
    }
}

/// A worker and its memory.
struct WorkerState<'t> {
    worker: Framed<'t>,
    frames: Option<Compressor>,
    /// The compressed input text of the chunk, if it is stored.
    text: Option<Compressor>,
}

impl<'t, 's> PassState<'t, 's> {
    /// Pulls, converts and writes until nothing is left. Errors of the run are passed to [`Ordered`], in the order of
    /// the chunks.
    pub(super) fn work(&self) -> Result<(), Error> {
        let _watch = self.turns.watch();
        let frames = self.zstd_level.map(Compressor::new).transpose()?;
        let text = self.keeps_text.contains(&true).then(|| Compressor::new(TEXT_LEVEL)).transpose()?;
        let mut state = WorkerState { worker: self.worker(), frames, text };
        let mut next_worker = self.reads_ahead().then(|| self.worker());
        let (mut buffer, mut next_buffer) = (Vec::new(), Vec::new());
        let mut read_ahead = None;
        loop {
            let read = match read_ahead.take() {
                Some(read) => read,
                None => match self.next(std::mem::take(&mut buffer)) {
                    Some(surveyed) => self.read(&mut state.worker, surveyed),
                    None => break,
                },
            };
            if let Some(worker) = next_worker.as_mut().filter(|_| read.has_records() && state.worker.wants_next()) {
                let next = self.next_after(read.surveyed.pulled.sequence, &mut next_buffer);
                read_ahead = next.map(|surveyed| self.read(worker, surveyed));
            }
            let is_next_ready = read_ahead.as_ref().is_some_and(ReadChunk::has_records);
            let first = self.first_part(&mut state, &read, next_worker.as_mut().filter(|_| is_next_ready));
            let pulled = read.surveyed.pulled;
            if pulled.sequence == u64::MAX {
                // Another worker panicked while it was reading, so this chunk has no turn.
                self.turns.stop();
                return pulled.chunk.map(drop);
            }
            let bounds = read.bounds;
            let converted = pulled.chunk.and_then(|chunk| first.map(|end| (chunk, end)));
            let Ok(mut turn) = self.turns.wait(pulled.sequence) else { break };
            let done = converted.and_then(|(chunk, end)| {
                self.write(&mut state, &mut turn, &chunk, &bounds, end)?;
                Ok(chunk)
            });
            match done {
                Ok(chunk) if !turn.is_over() => {
                    drop(turn);
                    buffer = self.recycle(&mut state, chunk);
                }
                ended => {
                    if let Err(error) = ended {
                        turn.fail(error);
                    }
                    turn.stop();
                    self.source.stop();
                    break;
                }
            }
            if let Some(progress) = self.progress {
                progress.take(self.source.bytes_taken());
            }
            if let Some(worker) = next_worker.as_mut().filter(|_| read_ahead.is_some()) {
                std::mem::swap(&mut state.worker, worker);
                std::mem::swap(&mut buffer, &mut next_buffer);
            }
        }
        Ok(())
    }

    /// Whether a worker reads the next chunk before it finishes one. From a pipe it does not, since the next chunk may not
    /// be there for a long time.
    fn reads_ahead(&self) -> bool {
        self.plan.asks_solver() && self.framing.is_lines() && self.source.total_bytes().is_some()
    }

    fn worker(&self) -> Framed<'t> {
        Framed::new(self.framing, self.appended, self.plan, self.kernel)
    }

    /// Returns the next chunk.
    fn next(&self, buffer: Vec<u8>) -> Option<SurveyedChunk<'t, 's>> {
        let first = self.first.lock().ok().and_then(|mut first| first.take());
        let mut next = first.or_else(|| self.survey.next(buffer))?;
        if let Ok(chunk) = &next.pulled.chunk
            && let Some(words) = self.framing.too_long(chunk.text())
        {
            next.pulled.chunk = Err(Error::file(self.source.path(chunk.input), words));
        }
        Some(next)
    }

    /// Returns the next chunk, to be read ahead by the worker that has chunk `current`, except in these cases:
    /// - Some other worker has not taken one since then. Chunks are written in order, so the others would wait for a
    ///   worker with two in a row.
    /// - It is one of the last, which are for workers that would have nothing to do.
    /// - A worker has a large chunk, which may be waiting for the one that this worker has not finished.
    fn next_after(&self, current: u64, buffer: &mut Vec<u8>) -> Option<SurveyedChunk<'t, 's>> {
        let left = self.source.total_bytes()?.saturating_sub(self.source.bytes_taken());
        if left < 2 * self.workers * self.chunk_size
            || self.source.next_sequence() < current.saturating_add(self.workers)
        {
            return None;
        }
        match self.survey.next_unless_large(std::mem::take(buffer)) {
            Ok(next) => next,
            Err(unused) => {
                *buffer = unused;
                None
            }
        }
    }

    /// Returns the buffer of a finished chunk for the next one. After a large chunk, releases all memory that grew with
    /// it.
    fn recycle(&self, state: &mut WorkerState<'t>, chunk: Chunk) -> Vec<u8> {
        if chunk.text().len() <= LARGE {
            return chunk.into_buffer();
        }
        state.worker = self.worker();
        Vec::new()
    }

    /// Reads the first part of a chunk, which nearly always is all of it.
    fn read(&self, worker: &mut Framed<'t>, mut surveyed: SurveyedChunk<'t, 's>) -> ReadChunk<'t, 's> {
        worker.begin_chunk();
        let (bounds, end) = match &surveyed.pulled.chunk {
            Ok(chunk) if chunk.unclosed().is_some() => (ChunkBounds::default(), Ok(0)),
            Ok(chunk) => {
                let bounds = ChunkBounds::of(chunk, self.plan.bad);
                self.begin_part(worker, chunk, &bounds, bounds.start);
                let end = worker.start(chunk, bounds.start..bounds.tail);
                (bounds, end)
            }
            Err(_) => (ChunkBounds::default(), Ok(0)),
        };
        // If only a part was read, the rest of the chunk may contain evidence, too.
        let is_whole = end.is_ok_and(|end| end >= bounds.tail);
        surveyed
            .contribute(|chunk, window| (!is_whole || worker.has_weighed()).then(|| self.weigh(worker, chunk, window)));
        ReadChunk { surveyed, bounds, end }
    }

    /// Converts the first part of a chunk that was read. If that needs evidence about layouts from other chunks, waits for
    /// it. Returns where the part ends. `next` is the worker that has read the next chunk.
    fn first_part(
        &self,
        state: &mut WorkerState<'t>,
        read: &ReadChunk<'t, 's>,
        next: Option<&mut Framed<'t>>,
    ) -> Result<usize, Error> {
        let ReadChunk { surveyed, bounds, end } = read;
        let Ok(chunk) = &surveyed.pulled.chunk else { return Ok(0) };
        let end = end.and_then(|end| self.finish_part(&mut state.worker, chunk, bounds, bounds.start..end, next));
        let end = match end {
            Ok(end) => end,
            Err(Tied) => self.convert_with_evidence(&mut state.worker, chunk, bounds, bounds.start)?,
        };
        compress(state, chunk)?;
        if let Some(text) = state.text.as_mut().filter(|_| self.keeps_text[chunk.input]) {
            text.compress(chunk.text())?;
        }
        Ok(end)
    }

    /// Writes the first part of a chunk, then converts and writes the others.
    fn write(
        &self,
        state: &mut WorkerState,
        turn: &mut Turn<'_, Ordered>,
        chunk: &Chunk,
        bounds: &ChunkBounds,
        mut end: usize,
    ) -> Result<(), Error> {
        if turn.begin_chunk(chunk, bounds)?.is_break() {
            return Ok(());
        }
        if let Some(text) = state.text.as_ref().filter(|_| self.keeps_text[chunk.input]) {
            turn.take_text(chunk.input, text)?;
        }
        let mut start = bounds.start;
        loop {
            turn.take(chunk, start, state.worker.outcome(), state.frames.as_ref())?;
            if end >= bounds.tail || state.worker.outcome().stopped {
                break;
            }
            start = end;
            end = match self.convert_part(&mut state.worker, chunk, bounds, start) {
                Ok(end) => end,
                Err(Tied) => self.convert_with_evidence(&mut state.worker, chunk, bounds, start)?,
            };
            compress(state, chunk)?;
        }
        turn.end_chunk(chunk, bounds, state.worker.outcome());
        Ok(())
    }

    /// Returns the evidence about layouts in a chunk.
    fn weigh(&self, worker: &Framed, chunk: &Chunk, window: usize) -> Evidence {
        if chunk.unclosed().is_some() {
            return Evidence::default();
        }
        let bounds = ChunkBounds::of(chunk, self.plan.bad);
        worker.weigh(chunk, bounds.start..bounds.tail, window.saturating_sub(bounds.start))
    }

    /// Collects the evidence about layouts from other records, then converts a part that depends on it. Returns where
    /// the part ends.
    fn convert_with_evidence(
        &self,
        worker: &mut Framed,
        chunk: &Chunk,
        bounds: &ChunkBounds,
        start: usize,
    ) -> Result<usize, Error> {
        worker.set_evidence(self.survey.evidence(|chunk, window| self.weigh(worker, chunk, window))?);
        // Strings whose layout the evidence does not determine are refused.
        self.convert_part(worker, chunk, bounds, start).map_err(|Tied| Error::Internal("a layout is undecided".into()))
    }

    /// Converts the whole records of a chunk from `start` on, or as many as the memory limits allow. Returns where the part
    /// ends.
    fn convert_part(
        &self,
        worker: &mut Framed,
        chunk: &Chunk,
        bounds: &ChunkBounds,
        start: usize,
    ) -> Result<usize, Tied> {
        self.begin_part(worker, chunk, bounds, start);
        let read = worker.start(chunk, start..bounds.tail)?;
        self.finish_part(worker, chunk, bounds, start..read, None)
    }

    /// Begins the part of a chunk that begins at `start`. Records that cross the chunk's bounds are dealt with in its turn.
    fn begin_part(&self, worker: &mut Framed, chunk: &Chunk, bounds: &ChunkBounds, start: usize) {
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

    /// Finishes a part of a chunk that was `read`. Returns where the part ends.
    fn finish_part(
        &self,
        worker: &mut Framed,
        chunk: &Chunk,
        bounds: &ChunkBounds,
        read: Range<usize>,
        next: Option<&mut Framed>,
    ) -> Result<usize, Tied> {
        let end = worker.finish(chunk, read, next)?;
        if end == bounds.tail && bounds.keep_ends && !worker.outcome().stopped {
            worker.copy(&chunk.text()[bounds.tail..]);
        }
        Ok(end)
    }
}

/// Compresses the converted text, if the output is compressed.
fn compress(state: &mut WorkerState, chunk: &Chunk) -> Result<(), Error> {
    match &mut state.frames {
        Some(frames) => frames.compress(state.worker.outcome().written(chunk)),
        None => Ok(()),
    }
}
