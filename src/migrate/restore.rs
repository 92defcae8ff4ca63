//! Restoring: puts the old strings of a backup back into rows that still have what was written. A transaction has the
//! rows of one batch of the migration. The rest is as in a migration.

use std::collections::HashMap;

use serde_json::json;

use super::backup::{Backup, BackupBatch, BackupMark, BackupRow, put_back};
use super::batches::{BatchStep, Migrated, damaged};
use super::database::make_journal;
use super::decide::{Decide, Decision, Tally};
use super::journal::{BatchHash, JournalEntry, held};
use super::pace::Pace;
use super::run::{Preview, Work};
use super::verify::Verified;
use super::{Database, JobColumn, KeyValue, MigrationJob, StoredAs, TableRow, TransactionKind};
use crate::engine::Conversion;
use crate::error::{Code, Error, Reject};
use crate::formats::Evidence;

/// Puts back what a migration has replaced.
#[derive(Debug)]
pub struct Restore<'d, D> {
    migration: Work<'d, D, RestoreDecider>,
    backup: Backup,
}

/// The rows of a batch, and which of them were found.
#[derive(Default)]
struct RestoreDecider {
    rows: Vec<BackupRow>,
    /// For each column, the index of each key.
    places: Vec<HashMap<KeyValue, usize>>,
    seen: Vec<bool>,
    hash: BatchHash,
}

impl RestoreDecider {
    fn load(&mut self, rows: Vec<BackupRow>) {
        self.places.iter_mut().for_each(HashMap::clear);
        for (place, row) in rows.iter().enumerate() {
            if self.places.len() <= row.column {
                self.places.resize_with(row.column + 1, HashMap::new);
            }
            self.places[row.column].insert(row.key.clone(), place);
        }
        self.seen = vec![false; rows.len()];
        self.rows = rows;
    }

    fn decision(&mut self, row: &TableRow, tally: &mut Tally) -> Decision {
        let places = self.places.get(row.column);
        let Some(&place) = places.and_then(|places| places.get(&row.key)) else { return Decision::Stays };
        self.seen[place] = true;
        tally.rows += 1;
        let known = &self.rows[place];
        if self.hash.add(row, held(row)) == known.hash
            && let Some(old) = put_back(&known.old)
        {
            tally.written += 1;
            return Decision::New(old);
        }
        if row.old == known.old {
            tally.done += 1;
            return Decision::Stays;
        }
        let reject =
            Reject::whole(Code::Column, "the row does not hold what the migration wrote; it has been changed since");
        tally.reject(reject.code);
        Decision::Refused(reject)
    }
}

impl Decide for RestoreDecider {
    const WHOLE: bool = true;

    fn begin(&mut self) {
        self.seen.fill(false);
    }

    fn decide(&mut self, rows: &[TableRow], _: &StoredAs) -> Result<(Vec<Decision>, Tally), Error> {
        let mut tally = Tally::default();
        let decisions = rows.iter().map(|row| self.decision(row, &mut tally)).collect();
        Ok((decisions, tally))
    }

    fn missing(&mut self) -> Vec<TableRow> {
        let unseen = self.rows.iter().zip(&self.seen).filter(|(_, seen)| !**seen);
        let row =
            |row: &BackupRow| TableRow { key: row.key.clone(), column: row.column, old: row.old.clone(), target: None };
        unseen.map(|(one, _)| row(one)).collect()
    }
}

impl Backup {
    /// The table and its columns, for opening the database.
    pub fn job(&self) -> MigrationJob {
        MigrationJob {
            table: self.header.table.clone(),
            columns: self.header.columns.iter().map(|name| JobColumn::in_place(name)).collect(),
            key: self.header.key.clone(),
            filter: None,
            plain: false,
            links: false,
            plan: Conversion::default(),
            batch: usize::MAX,
        }
    }
}

impl<'d, D: Database> Restore<'d, D> {
    /// Prepares a restore into a database that was opened with [`Backup::job`]. `progress` is called with the number of
    /// rows processed in the current step, first when the step begins.
    pub fn new(database: &'d mut D, backup: Backup, progress: &'d dyn Fn(u64)) -> Self {
        let name = json!({ "restore": backup.header.id }).to_string();
        let migration = Work::of(database, backup.job(), name, RestoreDecider::default(), progress);
        Self { migration, backup }
    }

    /// Sets another pace than [`Pace::default`]. The batches are those of the migration.
    pub fn with_pace(mut self, pace: Pace<'d>) -> Self {
        self.migration.set_pace(pace);
        self
    }

    /// Reports what would be done with the rows of the backup. Nothing is written.
    ///
    /// # Errors
    /// An error of the database, or a damaged backup.
    pub fn preview(&mut self) -> Result<Preview, Error> {
        let Self { migration, backup } = self;
        backup.check(None)?;
        migration.in_snapshot(|migration| {
            let mut preview = Preview::default();
            migration.report_progress(&preview.tally);
            while let Some(BackupBatch { after, last, rows }) = backup.next()? {
                migration.decider.load(rows);
                let mut at = after;
                while let Some(rows) = migration.page(&mut at, Some(&last))? {
                    preview.take_all(&rows, migration.decide(&rows)?, &migration.job)?;
                }
                let missing = migration.decider.missing();
                preview.take_missing(&missing, &migration.job)?;
                migration.report_progress(&preview.tally);
            }
            Ok(preview)
        })
    }

    /// Puts old strings back, or continues an interrupted run.
    ///
    /// # Errors
    /// An error of the database, or a damaged backup, which is found before anything is written.
    pub fn write(&mut self) -> Result<Migrated, Error> {
        let Self { migration, backup } = self;
        make_journal(migration.database)?;
        let job = backup.header.job.clone();
        let (is_unfinished, mark) = state(migration.database, &job, &backup.header.id)?;
        backup.check(mark.as_ref())?;
        let mut done = Migrated::default();
        done.resumed = migration.unfinished(&mut done)?.is_some();
        if !done.resumed {
            let begin = JournalEntry::Begin { evidence: Evidence::default().to_numbers(), backup: None };
            migration.note_alone(&[begin])?;
        }
        if is_unfinished {
            // The migration would continue after rows that have old strings again.
            migration.database.begin(TransactionKind::Write)?;
            migration.database.note(&job, &[JournalEntry::End.to_text()?])?;
            migration.database.commit()?;
        }
        migration.report_progress(&done.tally);
        let mut skipped = done.batches();
        while let Some(BackupBatch { after, last, rows }) = backup.next()? {
            if skipped > 0 {
                skipped -= 1;
                continue;
            }
            migration.decider.load(rows);
            if matches!(migration.write_batch(after.as_ref(), Some(&last), &mut done)?, BatchStep::Stopped) {
                done.stopped = true;
                break;
            }
        }
        migration.end(done)
    }

    /// Whether the backup ends within a batch. If the database has no journal of the migration, it is unknown whether
    /// that batch was committed.
    pub fn breaks_off(&self) -> bool {
        self.backup.breaks_off
    }

    /// Reads the rows again, and compares them with what was recorded.
    ///
    /// # Errors
    /// An error of the database.
    pub fn verify(&mut self, done: &Migrated) -> Result<Verified, Error> {
        self.migration.decider.load(Vec::new());
        self.migration.verify(done)
    }
}

/// Whether the migration of a backup is incomplete, and how much of the backup the journal knows.
fn state(database: &mut impl Database, job: &str, id: &str) -> Result<(bool, Option<BackupMark>), Error> {
    let (mut is_unfinished, mut known, name) = (false, None, database.table().database.clone());
    database.journal(job, &mut |text| {
        let entry: JournalEntry =
            serde_json::from_str(&text).map_err(|error| damaged(name.clone(), &error.to_string()))?;
        let mark = match entry {
            JournalEntry::Begin { backup, .. } => {
                is_unfinished = true;
                backup
            }
            JournalEntry::Batch(batch) => batch.backup,
            JournalEntry::End => {
                is_unfinished = false;
                None
            }
            JournalEntry::Reject(_) => None,
        };
        known = mark.filter(|mark| mark.id == id).or(known.take());
        Ok(())
    })?;
    Ok((is_unfinished, known))
}
