//! The trail: what each row should have, in a file without a name that ends with the run. The journal only has a hash
//! of each batch, which shows that a batch has changed; the trail shows which rows.

use std::collections::HashMap;
use std::fs::File;

use super::KeyValue;
use crate::platform::{read_exact_at, write_all_at};

/// The rows of all batches that this run wrote.
pub(super) struct Trail {
    /// `None` if there was no room for it; then batches are reported instead of rows.
    file: Option<File>,
    end: u64,
    /// The rows of the current batch: a key and a hash each.
    rows: Vec<u8>,
}

/// The position of a batch's rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    start: u64,
    length: usize,
}

/// A row of a batch.
pub(super) struct TrailRow {
    /// Its index in the batch.
    pub(super) place: usize,
    /// The hash of its key and of the value it should have.
    pub(super) hash: u64,
}

impl Trail {
    pub(super) fn new() -> Self {
        Self { file: tempfile::tempfile().ok(), end: 0, rows: Vec::new() }
    }

    /// Begins a batch, also when it is repeated.
    pub(super) fn begin(&mut self) {
        self.rows.clear();
    }

    /// Adds a row of the current batch: its key, as bytes, and its hash.
    pub(super) fn add(&mut self, key: &[u8], hash: u64) {
        self.rows.extend_from_slice(key);
        self.rows.extend_from_slice(&hash.to_le_bytes());
    }

    /// Stores the rows of the current batch.
    pub(super) fn keep(&mut self) -> Option<Segment> {
        let segment = Segment { start: self.end, length: self.rows.len() };
        if write_all_at(self.file.as_ref()?, &self.rows, self.end).is_err() {
            self.file = None;
            return None;
        }
        self.end += self.rows.len() as u64;
        Some(segment)
    }

    /// The rows of a batch by their keys, as bytes.
    pub(super) fn rows(&self, segment: Segment) -> Option<HashMap<Vec<u8>, TrailRow>> {
        let mut bytes = vec![0; segment.length];
        read_exact_at(self.file.as_ref()?, &mut bytes, segment.start).ok()?;
        Self::of_bytes(&bytes)
    }

    /// The rows of the current batch.
    pub(super) fn current_rows(&self) -> Option<HashMap<Vec<u8>, TrailRow>> {
        Self::of_bytes(&self.rows)
    }

    fn of_bytes(mut rest: &[u8]) -> Option<HashMap<Vec<u8>, TrailRow>> {
        let mut rows = HashMap::new();
        while !rest.is_empty() {
            let (key, after) = rest.split_at_checked(KeyValue::of_bytes(rest)?.1)?;
            let (hash, after) = after.split_first_chunk()?;
            rows.insert(key.to_vec(), TrailRow { place: rows.len(), hash: u64::from_le_bytes(*hash) });
            rest = after;
        }
        Some(rows)
    }
}
