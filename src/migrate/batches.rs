//! The batches of a migration. Each reads rows, writes their new strings, and records that in the journal, in one
//! transaction.

use std::path::Path;
use std::time::Instant;

use super::attempt::{Failed, WrittenBatch};
use super::backup::{BackupHeader, BackupMark, BackupState, BackupWriter};
use super::database::{make_journal, may_have_deleted, wait_for_locks};
use super::decide::{Decide, Decider, Decision, Tally};
use super::journal::{BatchHash, JournalBatch, JournalEntry, Rejected, held};
use super::rejected::RejectedRows;
use super::run::{Preview, Speed, Work, refusal};
use super::{Database, Failure, Interference, KeyValue, TableRow, TransactionKind};
use crate::error::Error;
use crate::formats::Evidence;
use crate::output::note_in_place;

/// How often a batch is tried at least if other sessions interfere, other than by holding locks.
const ATTEMPTS: u32 = 10;

/// The size of a transaction after one that failed because of a row.
const SMALL_BATCH: usize = 100;

/// The reason to refuse a row if a trigger or rule changes its new string.
const ALTERED: &str = "a trigger or rule of the table stores something other than the new string";

/// The result of a migration.
#[derive(Debug, Default)]
pub struct Migrated {
    /// The counts of rows, including those of interrupted runs that were continued.
    pub tally: Tally,
    /// The refused rows.
    pub rejected: RejectedRows,
    /// Whether an interrupted run was continued.
    pub resumed: bool,
    /// Whether it was stopped before its end; the next run will continue.
    pub stopped: bool,
    /// How many rows an interrupted run has written without a backup.
    pub without_backup: u64,
    /// How much of the backup was complete.
    mark: Option<BackupMark>,
    pub(super) batches: Vec<JournalBatch>,
}

/// The result of an attempt at a batch.
enum Attempt {
    /// It was written, and recorded in the journal.
    Done(Box<JournalBatch>, Vec<Rejected>),
    Failed(Failed),
}

/// The result of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BatchStep {
    /// It was written.
    Written,
    /// There were no more rows.
    NoRows,
    /// The run is to stop. Nothing was written.
    Stopped,
}

impl<D: Database> Work<'_, D, Decider> {
    /// See [`Migration::write`](super::Migration::write).
    pub(super) fn write(&mut self, preview: &Preview, keep: Option<&Path>) -> Result<Migrated, Error> {
        // A file that cannot be the backup is refused before anything is created.
        let found = |path| Ok::<_, Error>((path, BackupState::at(path, &self.name)?));
        let found = keep.map(found).transpose()?;
        make_journal(self.database)?;
        self.check_interrupted()?;
        let mut done = Migrated::default();
        match self.unfinished(&mut done)? {
            Some(evidence) => {
                done.resumed = true;
                self.decider.set_evidence(evidence);
                self.open_backup(found, done.mark.as_ref())?;
                if done.mark.is_none() && self.backup.is_some() {
                    done.without_backup = done.tally.written;
                }
            }
            None if preview.tally.written == 0 => {
                // Without work, nothing is recorded.
                done.tally = preview.tally.clone();
                done.rejected = preview.rejected.shared();
                return Ok(done);
            }
            None => {
                self.open_backup(found, None)?;
                let backup = self.backup.as_ref().map(BackupWriter::mark);
                let begin = JournalEntry::Begin { evidence: preview.evidence.to_numbers(), backup };
                self.note_alone(&[begin])?;
            }
        }
        self.report_progress(&done.tally);
        // Triggers may add a row for each that is written, which would never end.
        let end = preview.last.as_ref().filter(|_| self.database.table().has_triggers);
        loop {
            let after = done.last().map(|last| self.key_of(last)).transpose()?;
            match self.write_batch(after.as_ref(), end, &mut done)? {
                BatchStep::Written => {}
                BatchStep::NoRows => break,
                BatchStep::Stopped => {
                    done.stopped = true;
                    break;
                }
            }
        }
        self.end(done)
    }

    /// Opens the backup, if one is wanted.
    fn open_backup(&mut self, found: Option<(&Path, BackupState)>, mark: Option<&BackupMark>) -> Result<(), Error> {
        let Some((path, found)) = found else {
            return match mark {
                None => Ok(()),
                Some(_) => Err(Error::Usage(
                    "the interrupted run has a backup and must continue it; name that file with --backup".into(),
                )),
            };
        };
        let (job, database) = (&self.job, self.database.table().dialect.kind);
        let header = |id| BackupHeader {
            gridmill_backup: 0, // set by the writer
            id,
            database: database.into(),
            table: job.table.clone(),
            columns: job.columns.iter().map(|column| column.written().to_string()).collect(),
            key: job.key.clone(),
            job: self.name.clone(),
        };
        self.backup = Some(BackupWriter::open(path, found, mark, header)?);
        Ok(())
    }
}

impl<D: Database, R: Decide> Work<'_, D, R> {
    /// Writes journal entries in a transaction of their own.
    pub(super) fn note_alone(&mut self, entries: &[JournalEntry]) -> Result<(), Error> {
        let entries: Vec<_> = entries.iter().map(JournalEntry::to_text).collect::<Result<_, _>>()?;
        self.database.begin(TransactionKind::Write)?;
        self.database.note(&self.name, &entries)?;
        Ok(self.database.commit()?)
    }

    /// Checks that every row is accounted for, and records the end of the run if all are done.
    pub(super) fn end(&mut self, done: Migrated) -> Result<Migrated, Error> {
        done.tally.check(done.rejected.len())?;
        wait_for_locks(self.database, self.speed.pace.wait)?;
        if done.stopped {
            return Ok(done);
        }
        self.note_alone(&[JournalEntry::End])?;
        Ok(done)
    }

    /// Adds the work of an interrupted run to `done`. Returns its evidence.
    pub(super) fn unfinished(&mut self, done: &mut Migrated) -> Result<Option<Evidence>, Error> {
        self.unfinished_of(&self.name.clone(), done)
    }

    /// Does the same for any job.
    pub(super) fn unfinished_of(&mut self, job: &str, done: &mut Migrated) -> Result<Option<Evidence>, Error> {
        let mut evidence = None;
        let name = self.database.table().database.clone();
        let damaged = |why: &str| damaged(name.clone(), why);
        self.database.journal(job, &mut |text| {
            let entry: JournalEntry = serde_json::from_str(&text).map_err(|error| damaged(&error.to_string()))?;
            if evidence.is_none() && matches!(entry, JournalEntry::Batch(_) | JournalEntry::Reject(_)) {
                return Err(damaged("it has no beginning"));
            }
            match entry {
                JournalEntry::Begin { evidence: numbers, backup } => {
                    *done = Migrated { mark: backup, ..Migrated::default() };
                    evidence = Some(Evidence::of_numbers(&numbers).ok_or_else(|| damaged("its evidence is invalid"))?);
                }
                JournalEntry::End => {
                    *done = Migrated::default();
                    evidence = None;
                }
                JournalEntry::Batch(batch) => done.take(batch),
                JournalEntry::Reject(rejected) => done.refuse(&rejected)?,
            }
            Ok(())
        })?;
        Ok(evidence)
    }

    pub(super) fn damaged(&self, why: &str) -> Error {
        damaged(self.database.table().database.clone(), why)
    }

    /// Writes one batch of rows after `after`, up to `end`, once the pace allows it.
    pub(super) fn write_batch(
        &mut self,
        after: Option<&KeyValue>,
        end: Option<&KeyValue>,
        done: &mut Migrated,
    ) -> Result<BatchStep, Error> {
        let Self { database, speed: Speed { pace, state, .. }, .. } = self;
        pace.wait_for_turn(&mut **database, state)?;
        wait_for_locks(&mut **database, pace.lock_wait())?;
        let (first, mut tries) = (Instant::now(), 0);
        self.fatal.clear();
        while !self.speed.pace.is_stopped() {
            let begun = Instant::now();
            self.database.begin(TransactionKind::Write)?;
            let interference = match self.in_transaction(after, end).and_then(|attempt| self.commit(attempt)) {
                Ok(Some(Attempt::Done(mut batch, rejected))) => {
                    batch.trail = self.trail.keep();
                    self.backup.iter_mut().for_each(BackupWriter::keep);
                    let (rows, took) = (batch.rows as usize, begun.elapsed());
                    self.speed.batch = self.speed.pace.next(self.speed.batch, rows, took, self.job.batch);
                    self.speed.state.wrote(rows, took);
                    done.take(*batch);
                    rejected.iter().try_for_each(|one| done.refuse(one))?;
                    self.report_progress(&done.tally);
                    return Ok(BatchStep::Written);
                }
                Ok(None) => return self.database.rollback().map(|()| BatchStep::NoRows),
                Ok(Some(Attempt::Failed(Failed::Conflict(why)))) => {
                    self.database.rollback()?;
                    why
                }
                Ok(Some(Attempt::Failed(Failed::Without))) => {
                    self.database.rollback()?;
                    // There may be more such rows, and a small batch is quickly repeated.
                    self.speed.batch = self.speed.batch.min(SMALL_BATCH);
                    continue;
                }
                Err(Failure { error, interference }) => {
                    // The first error says more than one that ending the transaction may add.
                    let _ = self.database.rollback();
                    let Some(why) = interference else { return Err(error) };
                    why
                }
            };
            // Smaller batches meet fewer other sessions.
            self.speed.batch = (self.speed.batch / 2).max(1);
            tries += 1;
            if first.elapsed() >= self.speed.pace.wait && (interference.is_lock || tries >= ATTEMPTS) {
                return Err(self.interfered(tries, &interference));
            }
            self.speed.pace.back_off(tries - 1);
        }
        Ok(BatchStep::Stopped)
    }

    /// Commits an attempt, if it wrote anything.
    fn commit(&mut self, attempt: Option<Attempt>) -> Result<Option<Attempt>, Failure> {
        if let Some(Attempt::Done(..)) = attempt {
            self.database.commit()?;
            note_in_place();
        }
        Ok(attempt)
    }

    fn interfered(&self, tries: u32, Interference { message, is_lock }: &Interference) -> Error {
        let changed = || format!("write a batch; others changed its rows {tries} times in the meantime");
        let (action, help) = match is_lock {
            true => ("write a batch".to_string(), ""),
            false if R::WHOLE => (changed(), ""),
            false => (changed(), "; run again with a smaller --batch"),
        };
        self.database.table().fault(&action, format!("{message}{help}"))
    }

    /// One attempt at a batch; `None` if there are no more rows.
    fn in_transaction(&mut self, after: Option<&KeyValue>, end: Option<&KeyValue>) -> Result<Option<Attempt>, Failure> {
        self.trail.begin();
        self.decider.begin();
        self.backup.iter_mut().for_each(BackupWriter::begin);
        let (WrittenBatch { last, count, mut tally, mut rejected, .. }, hash) = match self.write_rows(after, end)? {
            Ok(written) => written,
            Err(failed) => return Ok(Some(Attempt::Failed(failed))),
        };
        for row in self.decider.missing() {
            let reject = tally.gone_row();
            rejected.push(refusal(&row, &reject, &self.job));
        }
        let Some(last) = (if R::WHOLE { end.cloned() } else { last }) else { return Ok(None) };
        self.check_filter(after, &last, count as u64)?;
        if self.database.table().has_triggers && !self.is_as_written(after, &last)? {
            return Ok(Some(Attempt::Failed(Failed::Without)));
        }
        let may_have_deleted = may_have_deleted(self.database)?;
        let backup = self.backup.as_mut().map(|backup| backup.finish(after, &last)).transpose()?;
        let (after, last, rows) = (after.map(KeyValue::to_json), last.to_json(), count as u64);
        let (hash, trail, rejects) = (hash.text(), None, 0..0);
        let batch = JournalBatch { after, last, rows, hash, tally, may_have_deleted, backup, trail, rejected: rejects };
        let mut entries = vec![JournalEntry::Batch(batch.clone()).to_text()?];
        for one in &rejected {
            entries.push(JournalEntry::Reject(one.clone()).to_text()?);
        }
        self.database.note(&self.name, &entries)?;
        Ok(Some(Attempt::Done(Box::new(batch), rejected)))
    }

    /// Reads a batch again before it is committed, if triggers may have changed it. Rows without the new string are
    /// refused in the next attempt.
    fn is_as_written(&mut self, after: Option<&KeyValue>, last: &KeyValue) -> Result<bool, Failure> {
        let (mut hash, mut at, known) = (BatchHash::default(), after.cloned(), self.fatal.clone());
        let mut noted = self.trail.current_rows().ok_or_else(|| Error::Internal("rows that were noted".into()))?;
        while let Some(rows) = self.page(&mut at, Some(last))? {
            for row in &rows {
                let now = hash.add(row, held(row));
                match noted.remove(hash.key()) {
                    Some(then) if then.hash == now => {}
                    Some(_) if !known.contains_key(&row.key) => {
                        self.fatal.insert(row.key.clone(), ALTERED.into());
                    }
                    Some(_) => return Err(self.altered("changes", &row.key).into()),
                    None => return Err(self.altered("adds", &row.key).into()),
                }
            }
        }
        match noted.keys().find_map(|key| KeyValue::of_bytes(key)) {
            Some((key, _)) => Err(self.altered("removes", &key).into()),
            None => Ok(self.fatal.len() == known.len()),
        }
    }

    fn altered(&self, what: &str, key: &KeyValue) -> Error {
        let why = format!(
            "a trigger or rule of the table {what} the row with key {} when other rows are written; the batch was not \
             written. Disable it until the migration is over",
            key.shown()
        );
        self.database.table().fault("write a batch", why)
    }

    /// Decides what to do with rows.
    pub(super) fn decide(&mut self, rows: &[TableRow]) -> Result<(Vec<Decision>, Tally), Error> {
        let stored = self.database.table().stored_as();
        self.decider.decide(rows, &stored)
    }
}

pub(super) fn damaged(database: String, why: &str) -> Error {
    Error::Database {
        database,
        action: "read the journal, table gridmill_migration".into(),
        message: format!("{why}; if no migration is running, rename that table"),
    }
}

impl Migrated {
    /// The key of the last row that was processed, as the journal has it.
    fn last(&self) -> Option<&serde_json::Value> {
        self.batches.last().map(|batch| &batch.last)
    }

    /// Whether a trigger or rule may have deleted rows of the table when the run wrote to it.
    pub(super) fn may_have_deleted(&self) -> bool {
        self.batches.iter().any(|batch| batch.may_have_deleted)
    }

    /// How many batches were written.
    pub(super) fn batches(&self) -> usize {
        self.batches.len()
    }

    /// Adds a batch. Its refused rows follow.
    fn take(&mut self, mut batch: JournalBatch) {
        self.tally.add(&batch.tally);
        self.mark = batch.backup.take().or(self.mark.take());
        let end = self.rejected.end();
        batch.rejected = end..end;
        self.batches.push(batch);
    }

    /// Adds a refused row of the last batch.
    fn refuse(&mut self, one: &Rejected) -> Result<(), Error> {
        self.rejected.push(one)?;
        if let Some(batch) = self.batches.last_mut() {
            batch.rejected.end = self.rejected.end();
        }
        Ok(())
    }
}
