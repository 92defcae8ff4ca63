//! What became of a chunk: text, and what is to be said of its records by their lines.

use std::ops::Range;
use std::sync::Arc;

use super::account::Account;
use crate::canon::Key;
use crate::convert::{Conversion, Converted, Counts, Emit};
use crate::error::{Code, Reject};
use crate::formats::Text;
use crate::source::Chunk;

/// Bytes of a line that is too long which its reject row shows.
pub(super) const SHOWN: usize = 256;

/// A refused record of a chunk.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RejectRow {
    /// The line, from 0 in its chunk.
    pub line: u64,
    /// Its first byte, from 0 in its chunk.
    pub at: usize,
    /// Why.
    pub reject: Reject,
    /// The record, or the first 256 bytes of a line that is too long. The rows of one record share it.
    pub record: Arc<[u8]>,
    /// The whole length of a line that is too long.
    pub too_long: Option<u64>,
    /// It only warns: the record is not refused for it.
    pub warning: bool,
}

/// A cell read as solved that may have been a single candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolvedLine {
    /// The line, from 0 in its chunk.
    pub line: u64,
    /// The cell, from 0.
    pub cell: u16,
    /// The side of its board.
    pub side: u8,
}

/// What was found of a record, where keys are collected.
#[cfg_attr(not(feature = "zstd"), expect(dead_code, reason = "only dedupe reads it, which needs zstd"))]
#[derive(Debug, Clone, Copy)]
pub(super) struct KeyedRecord {
    pub(super) found: Found,
    /// The line, from 0 in its chunk, if places are asked for.
    pub(super) line: u64,
    /// Bytes of its map in [`Outcome::maps`].
    pub(super) map: u32,
}

/// What a record has.
#[cfg_attr(not(feature = "zstd"), allow(dead_code, reason = "only dedupe reads it, which needs zstd"))]
#[derive(Debug, Clone, Copy)]
pub(super) enum Found {
    Key(Key),
    /// None: it is refused.
    Refused,
    /// No string: it is a row that is numbered as others are.
    #[cfg(feature = "parquet")]
    Nothing,
}

/// What became of a chunk.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Outcome {
    /// The text.
    pub text: Text,
    /// Instead of it, the part of the chunk that is written as it is.
    pub(super) as_it_is: Option<Range<usize>>,
    /// The refused records, in order.
    pub rows: Vec<RejectRow>,
    /// The solved cells to be listed, in order.
    pub solved: Vec<SolvedLine>,
    /// What was counted.
    pub counts: Counts,
    /// All records in order, where their keys are collected.
    pub(super) keyed: Vec<KeyedRecord>,
    /// Their maps, one after the other.
    pub(super) maps: Vec<u8>,
    /// The records, counted once more; those with a reject row are counted when that is written.
    pub(super) account: Account,
    /// The header that the chunk begins with.
    pub(super) header: Option<Vec<u8>>,
    /// `--bad stop` met a bad record: the text ends before it, and its row is the last.
    pub stopped: bool,
}

/// Whether a plan has the keys of records collected.
pub(super) fn collects_keys(plan: &Conversion) -> bool {
    plan.emit == Emit::Nothing && plan.facts.key
}

impl Outcome {
    /// The text, or what is written of the chunk as it is.
    pub(super) fn written<'o>(&'o self, chunk: &'o Chunk) -> &'o [u8] {
        self.as_it_is.clone().map_or(self.text.as_slice(), |part| &chunk.text()[part])
    }

    /// The account, with the records that have a reject row. The rows of one record follow each other.
    pub(super) fn account(&self) -> Account {
        let mut told = 0;
        let mut last = None;
        for row in self.rows.iter().filter(|row| !row.warning) {
            told += u64::from(last != Some(row.at));
            last = Some(row.at);
        }
        Account { told, ..self.account }
    }

    /// Adds the row of a record that is refused, or warned of. The rows of one record follow each other.
    pub(crate) fn tell(&mut self, line: u64, at: usize, record: &[u8], reject: Reject, warning: bool) {
        let is_cut = reject.code == Code::TooLong;
        self.tell_cut(line, at, record, reject, warning, is_cut);
    }

    /// The same, of a record that is cut after its first bytes, or not.
    pub(super) fn tell_cut(
        &mut self,
        line: u64,
        at: usize,
        record: &[u8],
        reject: Reject,
        warning: bool,
        is_cut: bool,
    ) {
        let too_long = is_cut.then_some(record.len() as u64);
        let shown = if too_long.is_some() { &record[..record.len().min(SHOWN)] } else { record };
        let last = self.rows.last().filter(|last| last.at == at && last.record.len() == shown.len());
        let record = last.map_or_else(|| Arc::from(shown), |last| Arc::clone(&last.record));
        self.rows.push(RejectRow { line, at, reject, record, too_long, warning });
    }

    /// Adds a record with these strings, on this line, if keys are collected. The key of several strings is that of their keys.
    pub(super) fn collect(
        &mut self,
        converted: &Converted,
        strings: impl Iterator<Item = usize> + Clone,
        good: bool,
        line: u64,
    ) {
        let keys: Vec<Key> = strings.clone().filter_map(|at| converted.key(at)).collect();
        let found = match keys.as_slice() {
            _ if !good => Found::Refused,
            &[key] => Found::Key(key),
            keys => Found::Key(Key::of(&keys.iter().flat_map(|key| key.0).collect::<Vec<_>>())),
        };
        let start = self.maps.len();
        for (at, string) in strings.enumerate() {
            if at > 0 {
                self.maps.push(b',');
            }
            self.maps.extend_from_slice(converted.map(string));
        }
        self.keyed.push(KeyedRecord { found, line, map: (self.maps.len() - start) as u32 });
    }

    /// Adds a row without a string.
    #[cfg(feature = "parquet")]
    pub(super) fn collect_nothing(&mut self, line: u64) {
        self.keyed.push(KeyedRecord { found: Found::Nothing, line, map: 0 });
    }

    /// Records whose keys are collected, and the bytes of their maps.
    #[cfg(feature = "parquet")]
    pub(crate) fn collected(&self) -> (usize, usize) {
        (self.keyed.len(), self.maps.len())
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.as_it_is = None;
        self.rows.clear();
        self.solved.clear();
        self.counts.clear();
        self.keyed.clear();
        self.maps.clear();
        self.account = Account::default();
        self.header = None;
        self.stopped = false;
    }
}
