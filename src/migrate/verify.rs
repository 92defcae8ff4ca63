//! Verification: every row is read again and compared with what was recorded.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::batches::Migrated;
use super::decide::{Decide, Decision};
use super::journal::{BatchHash, JournalBatch, held};
use super::run::Work;
use super::trail::TrailRow;
use super::{Database, Failure, KeyValue, RowsToRead, TableRow};
use crate::error::Error;

/// The result of a verification.
#[derive(Debug, Clone, Default)]
pub struct Verified {
    /// Rows read.
    pub rows: u64,
    /// Batches that are as they were written.
    pub as_written: u64,
    /// Batches that have changed.
    pub changed: u64,
    /// Keys of rows with other values than recorded.
    pub differing: Vec<String>,
    /// Keys of rows that have disappeared.
    pub gone: Vec<String>,
    /// Keys of rows that did not exist when their batch was written.
    pub new: Vec<String>,
    /// Batches of an earlier run that have changed. Which of their rows have is unknown.
    pub ranges: Vec<KeyRange>,
    /// Keys of rows that are not in version 2 and were not refused.
    pub not_version_2: Vec<String>,
    /// Whether a trigger or rule of the table may have deleted the rows that have disappeared. Otherwise others did.
    pub may_have_deleted: bool,
}

/// A range of rows in the order of their keys.
#[derive(Debug, Clone, Serialize)]
pub struct KeyRange {
    /// The key of the last row before the range, if there is one.
    pub after: Option<String>,
    /// The key of the last row.
    pub last: String,
    /// How many rows were recorded.
    pub written: u64,
    /// How many rows there are.
    pub found: u64,
}

impl Verified {
    /// Whether every row exists and has what was recorded, and there are no others.
    pub fn is_as_written(&self) -> bool {
        self.changed == 0 && self.new.is_empty() && self.not_version_2.is_empty()
    }

    /// How many rows have disappeared. Of the batches of an earlier run, others may have taken the place of some.
    pub fn gone_rows(&self) -> u64 {
        let of_ranges: u64 = self.ranges.iter().map(|range| range.written.saturating_sub(range.found)).sum();
        self.gone.len() as u64 + of_ranges
    }
}

/// A verification that is under way.
struct Findings {
    verified: Verified,
    /// The keys and columns of the refused rows of the current batch.
    refused: HashSet<(String, Option<String>)>,
}

impl<D: Database, R: Decide> Work<'_, D, R> {
    /// See [`Migration::verify`](super::Migration::verify).
    pub(super) fn verify(&mut self, done: &Migrated) -> Result<Verified, Error> {
        if done.batches.is_empty() {
            return Ok(Verified::default());
        }
        self.in_snapshot(|this| this.read_back(done))
    }

    fn read_back(&mut self, done: &Migrated) -> Result<Verified, Error> {
        let verified = Verified { may_have_deleted: done.may_have_deleted(), ..Verified::default() };
        let columns = self.job.columns.len();
        let (mut found, mut end) = (Findings { verified, refused: HashSet::new() }, None);
        (self.progress)(0);
        for batch in &done.batches {
            found.refused.clear();
            done.rejected.between(batch.rejected.clone(), |one| {
                found.refused.insert((one.key, one.column));
                Ok(())
            })?;
            end = Some(self.read_batch(batch, &mut found)?);
            (self.progress)(found.verified.rows);
        }
        if R::WHOLE {
            return Ok(found.verified); // rows between and after the batches do not belong to a restore
        }
        // The rows after the last batch.
        found.refused.clear();
        while let Some(rows) = self.page(&mut end, None)? {
            found.verified.rows += (rows.len() / columns) as u64;
            rows.iter().for_each(|row| add_key(&mut found.verified.new, &row.key));
            self.check_rows(&rows, &mut found)?;
        }
        self.check_count(found.verified.rows, end.as_ref())?;
        Ok(found.verified)
    }

    /// The rows after a key, which is then set to that of the last row; `None` if there are none.
    pub(super) fn page(
        &mut self,
        after: &mut Option<KeyValue>,
        last: Option<&KeyValue>,
    ) -> Result<Option<Vec<TableRow>>, Failure> {
        self.give_way()?;
        let slice = self.database.table().dialect.slice;
        let rows = self.database.read(RowsToRead::Page(after.as_ref(), last, slice))?;
        let Some(row) = rows.last() else { return Ok(None) };
        *after = Some(row.key.clone());
        Ok(Some(rows))
    }

    /// Reads a batch. Returns the key of its last row.
    fn read_batch(&mut self, batch: &JournalBatch, found: &mut Findings) -> Result<KeyValue, Error> {
        let after = batch.after.as_ref().map(|after| self.key_of(after)).transpose()?;
        let last = self.key_of(&batch.last)?;
        let is_beside = self.job.columns.iter().any(|column| column.to.is_some());
        let (mut hash, mut at, before) = (BatchHash::default(), after.clone(), found.verified.rows);
        while let Some(rows) = self.page(&mut at, Some(&last))? {
            found.verified.rows += (rows.len() / self.job.columns.len()) as u64;
            for row in &rows {
                hash.add(row, held(row));
            }
            if is_beside {
                self.check_rows(&rows, found)?;
            }
            self.database.reuse(rows);
        }
        if hash.text() == batch.hash {
            found.verified.as_written += 1;
            return Ok(last);
        }
        found.verified.changed += 1;
        let noted = batch.trail.and_then(|segment| self.trail.rows(segment));
        if noted.is_none() {
            let (after, last, rows) = (after.as_ref().map(KeyValue::shown), last.shown(), found.verified.rows - before);
            found.verified.ranges.push(KeyRange { after, last, written: batch.rows, found: rows });
        }
        self.compare(noted, after, &last, found)?;
        Ok(last)
    }

    /// Finds the rows of a batch that have changed, if they were recorded one by one.
    fn compare(
        &mut self,
        mut noted: Option<HashMap<Vec<u8>, TrailRow>>,
        mut at: Option<KeyValue>,
        last: &KeyValue,
        found: &mut Findings,
    ) -> Result<(), Error> {
        let is_beside = self.job.columns.iter().any(|column| column.to.is_some());
        let mut hash = BatchHash::default();
        while let Some(rows) = self.page(&mut at, Some(last))? {
            if let Some(noted) = &mut noted {
                for row in &rows {
                    let now = hash.add(row, held(row));
                    match noted.remove(hash.key()) {
                        Some(then) if then.hash == now => {}
                        Some(_) => add_key(&mut found.verified.differing, &row.key),
                        None => add_key(&mut found.verified.new, &row.key),
                    }
                }
            }
            if !is_beside {
                self.check_rows(&rows, found)?;
            }
        }
        let mut gone: Vec<_> = noted.into_iter().flatten().collect();
        gone.sort_by_key(|(_, noted)| noted.place);
        for (key, _) in gone.iter().filter_map(|(key, _)| KeyValue::of_bytes(key)) {
            add_key(&mut found.verified.gone, &key);
        }
        Ok(())
    }

    /// Lists rows that a run would still write, or refuse although it did not.
    fn check_rows(&mut self, rows: &[TableRow], found: &mut Findings) -> Result<(), Error> {
        let (decisions, _) = self.decide(rows)?;
        for (row, _) in rows.iter().zip(decisions).filter(|(_, decision)| *decision != Decision::Stays) {
            let column = self.job.column_name(row.column).map(str::to_string);
            if !found.refused.contains(&(row.key.shown(), column)) {
                add_key(&mut found.verified.not_version_2, &row.key);
            }
        }
        Ok(())
    }
}

/// Adds the key of a row, which may occur once for each column.
fn add_key(keys: &mut Vec<String>, key: &KeyValue) {
    let key = key.shown();
    if keys.last() != Some(&key) {
        keys.push(key);
    }
}
