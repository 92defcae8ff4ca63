//! A source as a survey sees it: chunks in order, and one large chunk at a time.

use std::sync::Arc;

use loom::sync::Mutex;

use crate::error::Error;
use crate::formats::Evidence;
use crate::large::{Gate, Large};

/// How many chunks it has.
pub const CHUNKS: usize = 3;

/// The text of each: the first lies within the window of the survey, the second partly, and the third outside.
pub static TEXT: [u8; 3 << 20] = [0; 3 << 20];

#[derive(Debug)]
pub struct Chunk {
    number: usize,
    _large: Option<Large>,
}

impl Chunk {
    pub fn text(&self) -> &[u8] {
        &TEXT
    }

    /// The evidence in its first bytes.
    pub fn weigh(&self, window: usize) -> Evidence {
        let mut evidence = Evidence::default();
        evidence.0[self.number] = window;
        evidence
    }
}

#[derive(Debug)]
pub struct Pulled {
    pub sequence: u64,
    pub chunk: Result<Chunk, Error>,
}

pub struct Source {
    next: Mutex<usize>,
    gate: Arc<Gate>,
    /// Whether its chunks are large.
    large: bool,
}

impl Source {
    pub fn new(large: bool) -> Self {
        Self { next: Mutex::new(0), gate: Arc::default(), large }
    }

    pub fn next(&self, buffer: Vec<u8>) -> Option<Pulled> {
        self.pull(buffer, false).unwrap_or(None)
    }

    pub fn next_unless_large(&self, buffer: Vec<u8>) -> Result<Option<Pulled>, Vec<u8>> {
        self.pull(buffer, true)
    }

    pub fn wait(&self) {
        self.gate.wait();
    }

    fn pull(&self, buffer: Vec<u8>, unless_large: bool) -> Result<Option<Pulled>, Vec<u8>> {
        let mut next = self.next.lock().expect("no panic");
        if *next == CHUNKS {
            return Ok(None);
        }
        if unless_large && self.gate.is_closed() {
            return Err(buffer);
        }
        let large = (unless_large && self.large).then(|| Large::take(&self.gate));
        let number = *next;
        *next += 1;
        Ok(Some(Pulled { sequence: number as u64, chunk: Ok(Chunk { number, _large: large }) }))
    }
}
