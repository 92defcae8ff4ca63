//! What the first strings of a run say of layouts (docs/FORMATS.md, "Str8ts strings have several layouts"): asked only when
//! a string is met that cannot say it itself. Then the rest of the first 4 MiB of text is read ahead.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::error::Error;
use crate::formats::Evidence;
use crate::source::{Chunk, Pulled, Source};

/// Bytes of text, all inputs as one stream, of whose records the layouts are counted.
pub(crate) const WINDOW: u64 = 4 << 20;

/// A source whose first chunks are watched.
pub(super) struct Survey<'s> {
    source: &'s Source,
    /// Everything in the window was pulled, or none of it matters: chunks are pulled without a look.
    passed: AtomicBool,
    front: Mutex<Front>,
    tally: Mutex<WindowTally>,
    changed: Condvar,
}

/// Where pulling is. Its lock is held while a chunk of the window is pulled, so that positions are known.
struct Front {
    position: u64,
    ended: bool,
    /// Chunks that were read ahead, in order; they are weighed already.
    ahead: VecDeque<Pulled>,
}

impl Front {
    /// Takes a chunk of the window into account. Returns it with the number of its first bytes that are to be weighed.
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
    /// Chunks of the window that a worker has and did not weigh yet.
    pending: usize,
    /// A worker died and left a chunk unweighed.
    broken: bool,
}

/// A chunk, with the number of its first bytes that are to be weighed by whoever converts it.
pub(super) struct Watched<'a, 's> {
    pub(super) pulled: Pulled,
    owed: Option<Owed<'a, 's>>,
}

/// An evidence that others wait for.
struct Owed<'a, 's> {
    survey: &'a Survey<'s>,
    window: usize,
}

impl<'s> Survey<'s> {
    /// A survey of a source; `needed` is whether there can be strings that do not say their layout.
    pub(super) fn new(source: &'s Source, needed: bool) -> Self {
        Self {
            source,
            passed: AtomicBool::new(!needed),
            front: Mutex::new(Front { position: 0, ended: false, ahead: VecDeque::new() }),
            tally: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// The next chunk, as [`Source::next`]. While another worker has a large chunk, this waits: one at a time is what there is
    /// memory for.
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

    /// What all records of the window say. Whoever asks has contributed its own chunk. `weigh` says what the whole lines of a
    /// chunk say that begin in so many of its first bytes.
    ///
    /// # Errors
    /// Another worker died before it had weighed its chunk.
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
        // A panic while it is held leaves it after the chunk that was being pulled, which its sequence number shows.
        self.front.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tally(&self) -> MutexGuard<'_, WindowTally> {
        // Nothing that can panic happens while it is held.
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watched<'_, '_> {
    /// Says what the chunk says, if that is still owed: only then `weigh` is asked. To be done before waiting for anything
    /// that other workers do.
    pub(super) fn contribute(&mut self, weigh: impl Fn(&Chunk, usize) -> Option<Evidence>) {
        let Some(owed) = self.owed.take() else { return }; // its drop tells the others
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
