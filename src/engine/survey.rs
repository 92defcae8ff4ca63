//! Determines what the first strings of a run say about layouts (docs/FORMATS.md, "Str8ts strings have several
//! layouts"). This is done only when a string does not determine its own layout. Then the rest of the first 4 MiB of
//! text is read ahead.

use std::collections::VecDeque;
use std::sync::PoisonError;

// tests/loom runs this code in the orders in which threads can be scheduled.
#[cfg(loom)]
use loom::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicBool, Ordering},
};
#[cfg(not(loom))]
use std::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicBool, Ordering},
};

use crate::error::Error;
use crate::formats::Evidence;
use crate::source::{Chunk, Pulled, Source};

/// The number of bytes of text, over all inputs as one stream, in which layouts are counted.
pub(crate) const SURVEY_BYTES: u64 = 4 << 20;

/// A source that keeps track of the chunks in the first [`SURVEY_BYTES`].
pub(super) struct Survey<'s> {
    source: &'s Source,
    /// All chunks of the window were pulled, or layouts do not matter: chunks are pulled without the survey.
    passed: AtomicBool,
    pull_state: Mutex<PullState>,
    tally: Mutex<WindowTally>,
    changed: Condvar,
}

/// How far pulling has got. The lock is held while a chunk of the window is pulled, so that positions are known.
struct PullState {
    position: u64,
    ended: bool,
    /// Chunks that were read ahead, in order. Their evidence is already counted.
    ahead: VecDeque<Pulled>,
}

impl PullState {
    /// Registers a chunk of the window. Returns it with the number of its bytes inside the window.
    fn take(&mut self, pulled: Option<Pulled>) -> Option<(Pulled, usize)> {
        self.ended = !matches!(&pulled, Some(Pulled { chunk: Ok(_), .. }));
        let pulled = pulled?;
        let length = pulled.chunk.as_ref().map_or(0, |chunk| chunk.text().len());
        let window = (SURVEY_BYTES - self.position).min(length as u64) as usize;
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
    worker_panicked: bool,
}

/// A chunk. If it is in the window, the worker that converts it has to contribute its evidence.
pub(super) struct SurveyedChunk<'a, 's> {
    pub(super) pulled: Pulled,
    pub(super) contribution: Option<Contribution<'a, 's>>,
}

/// A contribution that other workers wait for. It must be made, or dropped, before waiting for other workers.
pub(super) struct Contribution<'a, 's> {
    survey: &'a Survey<'s>,
    window: usize,
}

impl<'s> Survey<'s> {
    /// A survey of a source. `needed` is whether some strings may not determine their layouts.
    pub(super) fn new(source: &'s Source, needed: bool) -> Self {
        Self {
            source,
            passed: AtomicBool::new(!needed),
            pull_state: Mutex::new(PullState { position: 0, ended: false, ahead: VecDeque::new() }),
            tally: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    pub(super) fn source(&self) -> &'s Source {
        self.source
    }

    /// Returns the next chunk, as [`Source::next`] does. Waits while another worker has a large chunk, because there is
    /// only memory for one at a time.
    pub(super) fn next(&self, mut buffer: Vec<u8>) -> Option<SurveyedChunk<'_, 's>> {
        loop {
            match self.next_unless_large(buffer) {
                Ok(next) => return next,
                Err(unused) => buffer = unused,
            }
            self.source.wait();
        }
    }

    /// Like [`Survey::next`], but if another worker has a large chunk, returns the buffer instead of waiting.
    pub(super) fn next_unless_large(&self, buffer: Vec<u8>) -> Result<Option<SurveyedChunk<'_, 's>>, Vec<u8>> {
        let outside = |pulled| SurveyedChunk { pulled, contribution: None };
        if self.passed.load(Ordering::Acquire) {
            return Ok(self.source.next_unless_large(buffer)?.map(outside));
        }
        let mut pull_state = self.pull_state();
        if let Some(pulled) = pull_state.ahead.pop_front() {
            return Ok(Some(outside(pulled)));
        }
        if pull_state.position >= SURVEY_BYTES || pull_state.ended {
            self.passed.store(true, Ordering::Release);
            drop(pull_state);
            return Ok(self.source.next_unless_large(buffer)?.map(outside));
        }
        let pulled = self.source.next_unless_large(buffer)?;
        let Some((pulled, window)) = pull_state.take(pulled) else { return Ok(None) };
        self.tally().pending += 1;
        Ok(Some(SurveyedChunk { pulled, contribution: Some(Contribution { survey: self, window }) }))
    }

    /// Returns the evidence in all records of the window. The caller must have contributed its own chunk. `weigh`
    /// returns the evidence in the lines that begin in the given number of first bytes of a chunk.
    ///
    /// # Errors
    /// Another worker panicked before it weighed its chunk.
    pub(super) fn evidence(&self, weigh: impl Fn(&Chunk, usize) -> Evidence) -> Result<Evidence, Error> {
        let mut pull_state = self.pull_state();
        while pull_state.position < SURVEY_BYTES && !pull_state.ended {
            let pulled = self.source.next(Vec::new());
            let Some((pulled, window)) = pull_state.take(pulled) else { break };
            if let Ok(chunk) = &pulled.chunk {
                let evidence = weigh(chunk, window);
                self.tally().evidence.join(&evidence);
            }
            pull_state.ahead.push_back(pulled);
        }
        drop(pull_state);
        let mut tally = self.tally();
        while tally.pending > 0 && !tally.worker_panicked {
            tally = self.changed.wait(tally).unwrap_or_else(PoisonError::into_inner);
        }
        match tally.worker_panicked {
            true => Err(Error::Internal("a thread panicked while it determined layouts".into())),
            false => Ok(tally.evidence),
        }
    }

    fn pull_state(&self) -> MutexGuard<'_, PullState> {
        // If a thread panics while it holds the lock, a chunk was being pulled. Its sequence number shows this.
        self.pull_state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tally(&self) -> MutexGuard<'_, WindowTally> {
        // No code panics while it holds this lock.
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Contribution<'_, '_> {
    /// Contributes the evidence of the chunk. `weigh` returns the evidence in the lines that begin in the given number of
    /// its first bytes.
    pub(super) fn make(self, weigh: impl FnOnce(usize) -> Evidence) {
        let evidence = weigh(self.window);
        self.survey.tally().evidence.join(&evidence);
        // Dropping it notifies the others.
    }
}

impl Drop for Contribution<'_, '_> {
    fn drop(&mut self) {
        let mut tally = self.survey.tally();
        tally.pending -= 1;
        tally.worker_panicked |= std::thread::panicking();
        drop(tally);
        self.survey.changed.notify_all();
    }
}
