//! Determines what the first strings of a run say about layouts (docs/FORMATS.md, "Str8ts strings have several
//! layouts"). This is done only when a string does not determine its own layout. Then the rest of the first 4 MiB of
//! text is read ahead.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::error::Error;
use crate::formats::Evidence;
use crate::source::{Chunk, Pulled, Source};

/// The number of bytes of text, over all inputs as one stream, in which layouts are counted.
pub(crate) const WINDOW: u64 = 4 << 20;

/// A source that keeps track of the chunks in the first [`SURVEY_BYTES`].
pub(super) struct Survey<'s> {
    source: &'s Source,
    /// All chunks of the window were pulled, or layouts do not matter: chunks are pulled without the survey.
    passed: AtomicBool,
    front: Mutex<Front>,
    tally: Mutex<WindowTally>,
    changed: Condvar,
}

/// How far pulling has got. The lock is held while a chunk of the window is pulled, so that positions are known.
struct Front {
    position: u64,
    ended: bool,
    /// Chunks that were read ahead, in order. Their evidence is already counted.
    ahead: VecDeque<Pulled>,
}

impl Front {
    /// Registers a chunk of the window. Returns it with the number of its bytes inside the window.
    fn take(&mut self, pulled: Option<Pulled>) -> Option<(Pulled, usize)> {
        self.ended = !matches!(&pulled, Some(Pulled { chunk: Ok(_), .. }));
        let pulled = pulled?;
        let length = pulled.chunk.as_ref().map_or(0, |chunk| chunk.text().len());
        let window = (WINDOW - self.position).min(length as u64) as usize;
        self.position += length as u64;
        Some((pulled, window))
    }
}

#[derive(Default)]
struct WindowTally {
    evidence: Evidence,
    /// The number of chunks in the window that workers have but have not weighed yet.
    pending: usize,
    /// A worker panicked before it weighed its chunk.
    broken: bool,
}

/// A chunk. If it is in the window, the worker that converts it has to contribute its evidence.
pub(super) struct Watched<'a, 's> {
    pub(super) pulled: Pulled,
    owed: Option<Owed<'a, 's>>,
}

/// A contribution that other workers wait for.
struct Owed<'a, 's> {
    survey: &'a Survey<'s>,
    window: usize,
}

impl<'s> Survey<'s> {
    /// A survey of a source. `needed` is whether some strings may not determine their layouts.
    pub(super) fn new(source: &'s Source, needed: bool) -> Self {
        Self {
            source,
            passed: AtomicBool::new(!needed),
            front: Mutex::new(Front { position: 0, ended: false, ahead: VecDeque::new() }),
            tally: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Returns the next chunk, as [`Source::next`] does. Waits while another worker has a large chunk, because there is
    /// only memory for one at a time.
    pub(super) fn next(&self, mut buffer: Vec<u8>) -> Option<Watched<'_, 's>> {
        loop {
            match self.next_unless_large(buffer) {
                Ok(next) => return next,
                Err(unused) => buffer = unused,
            }
            self.source.wait();
        }
    }

    fn next_unless_large(&self, buffer: Vec<u8>) -> Result<Option<Watched<'_, 's>>, Vec<u8>> {
        let unwatched = |pulled| Watched { pulled, owed: None };
        if self.passed.load(Ordering::Acquire) {
            return Ok(self.source.next_unless_large(buffer)?.map(unwatched));
        }
        let mut front = self.front();
        if let Some(pulled) = front.ahead.pop_front() {
            return Ok(Some(unwatched(pulled)));
        }
        if front.position >= WINDOW || front.ended {
            self.passed.store(true, Ordering::Release);
            drop(front);
            return Ok(self.source.next_unless_large(buffer)?.map(unwatched));
        }
        let pulled = self.source.next_unless_large(buffer)?;
        let Some((pulled, window)) = front.take(pulled) else { return Ok(None) };
        self.tally().pending += 1;
        Ok(Some(Watched { pulled, owed: Some(Owed { survey: self, window }) }))
    }

    /// Returns the evidence in all records of the window. The caller must have contributed its own chunk. `weigh`
    /// returns the evidence in the lines that begin in the given number of first bytes of a chunk.
    ///
    /// # Errors
    /// Another worker panicked before it weighed its chunk.
    pub(super) fn evidence(&self, weigh: impl Fn(&Chunk, usize) -> Evidence) -> Result<Evidence, Error> {
        let mut front = self.front();
        while front.position < WINDOW && !front.ended {
            let pulled = self.source.next(Vec::new());
            let Some((pulled, window)) = front.take(pulled) else { break };
            if let Ok(chunk) = &pulled.chunk {
                let evidence = weigh(chunk, window);
                self.tally().evidence.join(&evidence);
            }
            front.ahead.push_back(pulled);
        }
        drop(front);
        let mut tally = self.tally();
        while tally.pending > 0 && !tally.broken {
            tally = self.changed.wait(tally).unwrap_or_else(PoisonError::into_inner);
        }
        match tally.broken {
            true => Err(Error::Internal("a thread died while it looked for the layout of strings".into())),
            false => Ok(tally.evidence),
        }
    }

    fn front(&self) -> MutexGuard<'_, Front> {
        // If a thread panics while it holds the lock, a chunk was being pulled. Its sequence number shows this.
        self.front.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tally(&self) -> MutexGuard<'_, WindowTally> {
        // No code panics while it holds this lock.
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watched<'_, '_> {
    /// Contributes the evidence of the chunk, if that has not been done. Only then is `weigh` called. This must be done
    /// before waiting for other workers.
    pub(super) fn contribute(&mut self, weigh: impl Fn(&Chunk, usize) -> Option<Evidence>) {
        let Some(owed) = self.owed.take() else { return }; // dropping it notifies the others
        if let Some(evidence) = self.pulled.chunk.as_ref().ok().and_then(|chunk| weigh(chunk, owed.window)) {
            owed.survey.tally().evidence.join(&evidence);
        }
    }
}

impl Drop for Owed<'_, '_> {
    fn drop(&mut self) {
        let mut tally = self.survey.tally();
        tally.pending -= 1;
        tally.broken |= std::thread::panicking();
        drop(tally);
        self.survey.changed.notify_all();
    }
}
