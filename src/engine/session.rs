//! The loop that each worker of a run executes: it pulls a chunk, converts it, and writes it in its turn.
//!
//! Usually a whole chunk is converted before its turn. If there are many messages about its records (nearly all are
//! bad, or have many problems), only as many records are converted before the turn as fit into a worker's memory
//! limits. The rest is converted in parts during the turn, and each part is written before the next is converted.

use std::sync::Mutex;

use super::appended::Appended;
use super::compressed::Compressed;
use super::framed::Framed;
use super::ordered::Ordered;
use super::parts::Parts;
use super::progress::Progress;
use super::survey::{Survey, Watched};
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
pub(super) struct Session<'t, 's> {
    pub(super) source: &'s Source,
    pub(super) survey: &'t Survey<'s>,
    /// The first chunk, for the worker that asks first.
    pub(super) first: Mutex<Option<Watched<'t, 's>>>,
    pub(super) turns: &'t Turnstile<Ordered<'s>>,
    pub(super) framing: &'t dyn Framing,
    /// The error message for inputs of more than one chunk, if the framing does not allow them.
    pub(super) too_long: Option<&'static str>,
    pub(super) appended: &'t Appended,
    pub(super) plan: Conversion,
    pub(super) kernel: &'static Kernel,
    pub(super) zstd_level: Option<i32>,
    /// For each input, whether its text is stored.
    pub(super) keeps_text: Vec<bool>,
    pub(super) progress: Option<&'t Progress>,
}

/// A worker and its memory.
struct Desk<'t> {
    worker: Framed<'t>,
    frames: Option<Compressed>,
    /// The compressed input text of the chunk, if it is stored.
    text: Option<Compressed>,
}

impl<'t, 's> Session<'t, 's> {
    /// Pulls, converts and writes until nothing is left. Errors of the run are passed to [`Ordered`], in the order of
    /// the chunks.
    pub(super) fn work(&self) -> Result<(), Error> {
        let _watch = self.turns.watch();
        let frames = self.zstd_level.map(Compressed::new).transpose()?;
        let text = self.keeps_text.contains(&true).then(|| Compressed::new(TEXT_LEVEL)).transpose()?;
        let mut desk = Desk { worker: self.worker(), frames, text };
        let mut buffer = Vec::new();
        while let Some(mut watched) = self.next(std::mem::take(&mut buffer)) {
            let first = self.first_part(&mut desk, &mut watched);
            let pulled = watched.pulled;
            if pulled.sequence == u64::MAX {
                // Another worker panicked while it was reading, so this chunk has no turn.
                self.turns.stop();
                return pulled.chunk.map(drop);
            }
            let converted = pulled.chunk.and_then(|chunk| first.map(|first| (chunk, first)));
            let Ok(mut turn) = self.turns.wait(pulled.sequence) else { break };
            let done = converted.and_then(|(chunk, (parts, end))| {
                self.write(&mut desk, &mut turn, &chunk, &parts, end)?;
                Ok(chunk)
            });
            match done {
                Ok(chunk) if !turn.is_over() => {
                    drop(turn);
                    buffer = self.used(&mut desk, chunk);
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
        }
        Ok(())
    }

    fn worker(&self) -> Framed<'t> {
        Framed::new(self.framing, self.appended, self.plan, self.kernel)
    }

    /// Returns the next chunk.
    fn next(&self, buffer: Vec<u8>) -> Option<Watched<'t, 's>> {
        let first = self.first.lock().ok().and_then(|mut first| first.take());
        let mut next = first.or_else(|| self.survey.next(buffer))?;
        if let (Some(words), Ok(chunk)) = (self.too_long, &next.pulled.chunk)
            && chunk.offset > 0
        {
            next.pulled.chunk = Err(Error::file(self.source.path(chunk.input), words));
        }
        Some(next)
    }

    /// Returns the buffer of a finished chunk for the next one. After a large chunk, releases all memory that grew with
    /// it.
    fn used(&self, desk: &mut Desk<'t>, chunk: Chunk) -> Vec<u8> {
        if chunk.text().len() <= LARGE {
            return chunk.into_buffer();
        }
        desk.worker = self.worker();
        Vec::new()
    }

    /// Converts the first part of a chunk, which nearly always is all of it. If that needs evidence about layouts from
    /// other chunks, waits for it. Returns where the part ends.
    fn first_part(&self, desk: &mut Desk, watched: &mut Watched) -> Result<(Parts, usize), Error> {
        desk.worker.begin_chunk();
        let (parts, end) = match &watched.pulled.chunk {
            Ok(chunk) => {
                let parts = if chunk.unclosed().is_some() { Parts::default() } else { Parts::of(chunk, self.plan.bad) };
                let end = self.convert_part(&mut desk.worker, chunk, &parts, parts.start);
                (parts, end)
            }
            Err(_) => (Parts::default(), Ok(0)),
        };
        // If only a part was converted, the rest of the chunk may contain evidence, too.
        let worker = &desk.worker;
        let is_whole = end.is_ok_and(|end| end >= parts.tail);
        watched
            .contribute(|chunk, window| (!is_whole || worker.has_weighed()).then(|| self.weigh(worker, chunk, window)));
        let end = match (&watched.pulled.chunk, end) {
            (Ok(chunk), Err(Tied)) => self.convert_with_evidence(&mut desk.worker, chunk, &parts, parts.start)?,
            (_, end) => end.unwrap_or_default(),
        };
        let Ok(chunk) = &watched.pulled.chunk else { return Ok((parts, end)) };
        compress(desk, chunk)?;
        if let Some(text) = desk.text.as_mut().filter(|_| self.keeps_text[chunk.input]) {
            text.compress(chunk.text())?;
        }
        Ok((parts, end))
    }

    /// Writes the first part of a chunk, then converts and writes the others.
    fn write(
        &self,
        desk: &mut Desk,
        turn: &mut Turn<'_, Ordered>,
        chunk: &Chunk,
        parts: &Parts,
        mut end: usize,
    ) -> Result<(), Error> {
        if turn.begin_chunk(chunk, parts)?.is_break() {
            return Ok(());
        }
        if let Some(text) = desk.text.as_ref().filter(|_| self.keeps_text[chunk.input]) {
            turn.take_text(chunk.input, text)?;
        }
        let mut start = parts.start;
        loop {
            turn.take(chunk, start, desk.worker.outcome(), desk.frames.as_ref())?;
            if end >= parts.tail || desk.worker.outcome().stopped {
                break;
            }
            start = end;
            end = match self.convert_part(&mut desk.worker, chunk, parts, start) {
                Ok(end) => end,
                Err(Tied) => self.convert_with_evidence(&mut desk.worker, chunk, parts, start)?,
            };
            compress(desk, chunk)?;
        }
        turn.end_chunk(chunk, parts, desk.worker.outcome());
        Ok(())
    }

    /// Returns the evidence about layouts in a chunk.
    fn weigh(&self, worker: &Framed, chunk: &Chunk, window: usize) -> Evidence {
        if chunk.unclosed().is_some() {
            return Evidence::default();
        }
        let parts = Parts::of(chunk, self.plan.bad);
        worker.weigh(chunk, parts.start..parts.tail, window.saturating_sub(parts.start))
    }

    /// Collects the evidence about layouts from other records, then converts a part that depends on it. Returns where
    /// the part ends.
    fn convert_with_evidence(
        &self,
        worker: &mut Framed,
        chunk: &Chunk,
        parts: &Parts,
        start: usize,
    ) -> Result<usize, Error> {
        worker.know(self.survey.evidence(|chunk, window| self.weigh(worker, chunk, window))?);
        // Strings whose layout the evidence does not determine are refused.
        self.convert_part(worker, chunk, parts, start).map_err(|Tied| Error::Internal("a layout is undecided".into()))
    }

    /// Converts the whole records of a chunk from `start` on, or as many as the memory limits allow. Records that cross
    /// the chunk's bounds are dealt with in its turn. Returns where the part ends.
    fn convert_part(&self, worker: &mut Framed, chunk: &Chunk, parts: &Parts, start: usize) -> Result<usize, Tied> {
        worker.begin();
        if chunk.unclosed().is_some() {
            return Ok(parts.tail);
        }
        let text = chunk.text();
        if start == parts.start {
            if parts.keep_ends {
                worker.copy(&text[..parts.head]);
            }
            if parts.keep_mark {
                worker.copy(&text[parts.head..parts.start]);
            }
        }
        let end = worker.convert(chunk, start..parts.tail)?;
        if end == parts.tail && parts.keep_ends && !worker.outcome().stopped {
            worker.copy(&text[parts.tail..]);
        }
        Ok(end)
    }
}

/// Compresses the converted text, if the output is compressed.
fn compress(desk: &mut Desk, chunk: &Chunk) -> Result<(), Error> {
    match &mut desk.frames {
        Some(frames) => frames.compress(desk.worker.outcome().written(chunk)),
        None => Ok(()),
    }
}
