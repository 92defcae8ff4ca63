//! The result of converting a chunk: its text, and messages about its records with their lines.

use std::ops::Range;
use std::sync::Arc;

use super::cross_check::CrossCheck;
use crate::canon::Key;
use crate::convert::{Conversion, Converted, Counts, Emit};
use crate::error::{Code, Refused, Reject};
use crate::formats::Text;
use crate::source::Chunk;

/// A record where it stands in a chunk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecordAt<'r> {
    /// The line, from 0.
    pub(crate) line: u64,
    /// Its first byte, from 0.
    pub(crate) at: usize,
    pub(crate) bytes: &'r [u8],
}

/// A cell that was read as solved but may have been a single candidate.
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

/// The key of one record, where keys are collected.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeyedRecord {
    pub(super) key: RecordKey,
    /// The line, from 0 in its chunk, if the places of records are collected.
    pub(super) line: u64,
    /// The length of its map in [`CollectedKeys::maps`], in bytes.
    pub(super) map: u32,
}

/// The keys of all records in order, if keys are collected.
#[derive(Debug, Default)]
pub(super) struct CollectedKeys {
    pub(super) records: Vec<KeyedRecord>,
    /// The maps of these records, one after the other.
    pub(super) maps: Vec<u8>,
}

/// The header of a table.
#[derive(Debug, Clone)]
pub(super) struct TableHeader {
    pub(super) text: Vec<u8>,
    /// The names in it, see [`Framing::names`](crate::framing::Framing::names).
    pub(super) names: Vec<u8>,
}

/// The key of a record, if it has one.
#[derive(Debug, Clone, Copy)]
pub(super) enum RecordKey {
    Key(Key),
    /// The record was refused and has no key.
    Refused,
    /// The row has no string. It is numbered like any other row.
    NoString,
}

/// The result of converting a chunk.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Outcome {
    /// The converted text.
    pub text: Text,
    /// The part of the chunk that is written unchanged, instead of the text.
    pub(super) as_it_is: Option<Range<usize>>,
    /// The refused records, in order.
    pub rows: Vec<Refused>,
    /// The solved cells to list, in order.
    pub solved: Vec<SolvedLine>,
    /// The counts.
    pub counts: Counts,
    pub(super) keys: CollectedKeys,
    /// A second count of the records. Records with a reject row are added when it is read.
    pub(super) cross_check: CrossCheck,
    /// The header at the start of the chunk.
    pub(super) header: Option<TableHeader>,
    /// The rows of a file with columns that were passed over.
    pub(crate) rows_passed_over: u64,
    /// A bad record was found under `--bad stop`: the text ends before it, and its row is the last.
    pub stopped: bool,
}

/// Whether a plan collects the keys of records.
pub(super) fn collects_keys(plan: &Conversion) -> bool {
    plan.emit == Emit::Nothing && plan.facts.key
}

impl Outcome {
    /// Returns what is written for the chunk: the converted text, or a part of the chunk unchanged.
    pub(super) fn written<'o>(&'o self, chunk: &'o Chunk) -> &'o [u8] {
        self.as_it_is.clone().map_or(self.text.as_slice(), |part| &chunk.text()[part])
    }

    /// Returns the second count, with the records that have a reject row. The rows of a record are adjacent.
    pub(super) fn cross_check(&self) -> CrossCheck {
        let mut reported = 0;
        let mut last = None;
        for row in self.rows.iter().filter(|row| !row.warning) {
            reported += u64::from(last != Some(row.at));
            last = Some(row.at);
        }
        CrossCheck { reported, ..self.cross_check }
    }

    /// Adds a row about a record that was refused, or about which there is a warning. The rows of a record are
    /// adjacent.
    pub(crate) fn add_row(&mut self, record: RecordAt, reject: Reject, warning: bool) {
        let is_cut = reject.code == Code::TooLong;
        self.add_row_cut(record, reject, warning, is_cut);
    }

    /// Like [`Outcome::add_row`]; `is_cut` says whether only the first bytes of the record are shown.
    pub(super) fn add_row_cut(&mut self, record: RecordAt, reject: Reject, warning: bool, is_cut: bool) {
        let RecordAt { line, at, bytes } = record;
        let too_long = is_cut.then_some(bytes.len() as u64);
        let shown = if too_long.is_some() { &bytes[..bytes.len().min(Refused::SHOWN)] } else { bytes };
        let last = self.rows.last().filter(|last| last.at == at && last.record.len() == shown.len());
        let record = last.map_or_else(|| Arc::from(shown), |last| Arc::clone(&last.record));
        self.rows.push(Refused { line, at, reject, record, too_long, warning });
    }

    /// Adds the key of a record with these strings, on this line. The key of several strings is the key of their keys.
    pub(super) fn collect(
        &mut self,
        converted: &Converted,
        strings: impl Iterator<Item = usize> + Clone,
        good: bool,
        line: u64,
    ) {
        let key = match good {
            false => RecordKey::Refused,
            true => RecordKey::Key(converted.key_of_row(strings.clone())),
        };
        let start = self.keys.maps.len();
        for (at, string) in strings.enumerate() {
            if at > 0 {
                self.keys.maps.push(b',');
            }
            self.keys.maps.extend_from_slice(converted.map(string));
        }
        self.keys.records.push(KeyedRecord { key, line, map: (self.keys.maps.len() - start) as u32 });
    }

    /// Adds a row without a string.
    pub(super) fn collect_without_string(&mut self, line: u64) {
        self.keys.records.push(KeyedRecord { key: RecordKey::NoString, line, map: 0 });
    }

    /// Returns the number of records whose keys are collected, and the number of bytes of their maps.
    pub(crate) fn collected(&self) -> (usize, usize) {
        (self.keys.records.len(), self.keys.maps.len())
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.as_it_is = None;
        self.rows.clear();
        self.solved.clear();
        self.counts.clear();
        self.keys.records.clear();
        self.keys.maps.clear();
        self.cross_check = CrossCheck::default();
        self.header = None;
        self.rows_passed_over = 0;
        self.stopped = false;
    }
}
