//! What each worker of a run does: it pulls a chunk, converts it, and writes it in its turn.
//!
//! A chunk is converted as a whole before its turn. Where much is to be said of its records (nearly all are bad, or have many
//! problems), only as many of them are converted then as a worker may keep in mind; the rest follows part by part in its turn,
//! and each part is written before the next.

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

/// zstd's level for text that is put aside.
pub(super) const TEXT_LEVEL: i32 = 1;

/// What all workers share.
pub(super) struct Session<'t, 's> {
    pub(super) source: &'s Source,
    pub(super) survey: &'t Survey<'s>,
    /// The first chunk, for whoever comes first.
    pub(super) first: Mutex<Option<Watched<'t, 's>>>,
    pub(super) turns: &'t Turnstile<Ordered<'s>>,
    pub(super) framing: &'t dyn Framing,
    /// What is said of an input that is more than one chunk, if that cannot be.
    pub(super) too_long: Option<&'static str>,
    pub(super) appended: &'t Appended,
    pub(super) plan: Conversion,
    pub(super) kernel: &'static Kernel,
    pub(super) zstd_level: Option<i32>,
    /// For each input whether its text is put aside.
    pub(super) keeps_text: Vec<bool>,
    pub(super) progress: Option<&'t Progress>,
}

/// A worker with its memory.
struct Desk<'t> {
    worker: Framed<'t>,
    frames: Option<Compressed>,
    /// The text of the chunk, where that is put aside.
    text: Option<Compressed>,
}

impl<'t, 's> Session<'t, 's> {
    /// Pulls, converts and writes until nothing is left. Errors of the run go into [`Ordered`], in their place.
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
                // Another worker died while it was reading: there will be no turn to wait for.
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

    /// The next chunk.
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

    /// What of a chunk that is done with is used for the next one: nothing that grew with a large one.
    fn used(&self, desk: &mut Desk<'t>, chunk: Chunk) -> Vec<u8> {
        if chunk.text().len() <= LARGE {
            return chunk.into_buffer();
        }
        desk.worker = self.worker();
        Vec::new()
    }

    /// Converts the first part of a chunk, which nearly always is all of it, and if that needs to know what others say of
    /// layouts, asks. Returns where the part ends.
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
        // The rest of the chunk may hold evidence, too.
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

    /// What a chunk says of layouts.
    fn weigh(&self, worker: &Framed, chunk: &Chunk, window: usize) -> Evidence {
        if chunk.unclosed().is_some() {
            return Evidence::default();
        }
        let parts = Parts::of(chunk, self.plan.bad);
        worker.weigh(chunk, parts.start..parts.tail, window.saturating_sub(parts.start))
    }

    /// Converts a part whose layouts depend on the evidence of other records: it is gathered first. Returns where the part ends.
    fn convert_with_evidence(
        &self,
        worker: &mut Framed,
        chunk: &Chunk,
        parts: &Parts,
        start: usize,
    ) -> Result<usize, Error> {
        worker.know(self.survey.evidence(|chunk, window| self.weigh(worker, chunk, window))?);
        // A string that the evidence does not decide is refused.
        self.convert_part(worker, chunk, parts, start).map_err(|Tied| Error::Internal("a layout is undecided".into()))
    }

    /// Converts the whole records of a chunk from `start` on, as many as memory is bounded to; what crosses the chunk's ends is
    /// left to the turn. Returns where the part ends.
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

/// Compresses what became of a chunk, if the output is compressed.
fn compress(desk: &mut Desk, chunk: &Chunk) -> Result<(), Error> {
    match &mut desk.frames {
        Some(frames) => frames.compress(desk.worker.outcome().written(chunk)),
        None => Ok(()),
    }
}
