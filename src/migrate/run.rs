//! What migrating and restoring have in common, and the preview.

use std::collections::HashMap;
use std::fmt;
use std::time::Instant;

use super::backup::BackupWriter;
use super::decide::{Decide, Decider, Decision, Pair, Tally};
use super::journal::Rejected;
use super::links::{beginning, beside, has_link};
use super::pace::{Pace, PaceState};
use super::rejected::RejectedRows;
use super::trail::Trail;
use super::{ColumnValue, Database, KeyValue, MigrationJob, RowsToRead, TableRow, TransactionKind};
use crate::error::{Code, Error, Reject, escape};
use crate::formats::Evidence;

/// How many bytes of strings are evidence for layouts (docs/FORMATS.md).
const WINDOW: usize = 4 << 20;

/// How many bytes of a string are shown if it is too long.
const SHOWN: usize = 256;

/// How many pairs a preview shows.
const PAIRS: usize = 10;

/// How fast it goes.
pub(super) struct Speed<'d> {
    /// What is wanted.
    pub(super) pace: Pace<'d>,
    pub(super) state: PaceState,
    /// Rows in a transaction.
    pub(super) batch: usize,
}

impl<'d> Speed<'d> {
    /// For batches of at most `most` rows.
    fn new(pace: Pace<'d>, most: usize) -> Self {
        Self { batch: pace.first(most), pace, state: PaceState::default() }
    }
}

/// The state of the database that is read.
#[derive(Default)]
struct Snapshot {
    /// When the transaction that only reads began, if there is one.
    begun: Option<Instant>,
    /// Whether it follows another one that saw an earlier state.
    is_later: bool,
}

/// A migration or restore of a table; `R` decides about its rows.
pub(super) struct Work<'d, D, R> {
    pub(super) database: &'d mut D,
    pub(super) job: MigrationJob,
    /// The job's name in the journal.
    pub(super) name: String,
    pub(super) decider: R,
    pub(super) speed: Speed<'d>,
    /// Rows because of which the current batch must be repeated, and why. They are refused then.
    pub(super) fatal: HashMap<KeyValue, String>,
    snapshot: Snapshot,
    pub(super) trail: Trail,
    pub(super) backup: Option<BackupWriter>,
    /// Called with the number of rows processed.
    pub(super) progress: &'d dyn Fn(u64),
}

impl<D, R> fmt::Debug for Work<'_, D, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Work").field("name", &self.name).field("job", &self.job).finish_non_exhaustive()
    }
}

/// The result of a preview.
#[derive(Debug, Default)]
pub struct Preview {
    /// What would be done with the rows.
    pub tally: Tally,
    /// Some old and new strings.
    pub pairs: Vec<Pair>,
    /// Rows that would be refused.
    pub rejected: RejectedRows,
    /// How many of them are texts with links, which are only read as such if the job says so.
    pub with_links: u64,
    /// The evidence for layouts.
    pub(super) evidence: Evidence,
    /// The key of the last row.
    pub(super) last: Option<KeyValue>,
    /// For each column, the length of the longest new string in characters, and the key of its row.
    longest: Vec<(usize, String)>,
}

impl<D: Database> Work<'_, D, Decider> {
    /// See [`Migration::preview`](super::Migration::preview).
    pub(super) fn preview(&mut self) -> Result<Preview, Error> {
        let preview = self.in_snapshot(Self::preview_all)?;
        for (n, (longest, key)) in preview.longest.iter().enumerate() {
            if let Some(width) = self.database.table().width(n).filter(|width| longest > width) {
                let name = escape(self.job.columns[n].written().as_bytes());
                let message = format!(
                    "column {name:?} holds {width} characters, but the new string of the row with key {key} has {longest}; widen it \
                     first. Nothing was written"
                );
                return Err(self.database.table().fault("write the new strings", message));
            }
        }
        Ok(preview)
    }

    fn preview_all(&mut self) -> Result<Preview, Error> {
        let mut preview = Preview { evidence: self.evidence()?, ..Preview::default() };
        self.decider.set_evidence(preview.evidence);
        let mut after = None;
        self.report_progress(&preview.tally);
        loop {
            let rows = self.next_page(after.as_ref())?;
            let Some(last) = rows.last() else { break };
            after = Some(last.key.clone());
            preview.take_all(&rows, self.decide(&rows)?, &self.job)?;
            self.database.reuse(rows);
            self.report_progress(&preview.tally);
            self.give_way()?;
        }
        self.check_count(preview.tally.rows / self.columns(), after.as_ref())?;
        preview.tally.check(preview.rejected.len())?;
        preview.last = after;
        Ok(preview)
    }

    /// The rows after a key.
    fn next_page(&mut self, after: Option<&KeyValue>) -> Result<Vec<TableRow>, Error> {
        let slice = self.database.table().dialect.slice;
        Ok(self.database.read(RowsToRead::Page(after, None, slice))?)
    }

    /// The evidence of the first strings for layouts.
    fn evidence(&mut self) -> Result<Evidence, Error> {
        let (mut evidence, mut bytes, mut after) = (Evidence::default(), 0, None);
        // Links are read one by one, without evidence from others.
        while bytes < WINDOW && !self.job.links {
            let rows = self.next_page(after.as_ref())?;
            let Some(last) = rows.last() else { break };
            after = Some(last.key.clone());
            let (said, length) = self.decider.weigh(&rows);
            evidence.join(&said);
            bytes += length;
        }
        Ok(evidence)
    }
}

impl<'d, D: Database, R: Decide> Work<'d, D, R> {
    pub(super) fn of(
        database: &'d mut D,
        job: MigrationJob,
        name: String,
        decider: R,
        progress: &'d dyn Fn(u64),
    ) -> Self {
        // The journal has these names, and a run may be continued with another spelling of them.
        let job = MigrationJob { columns: database.table().job_columns(), ..job };
        let speed = Speed::new(Pace::default(), job.batch);
        let (fatal, snapshot, trail, backup) = (HashMap::new(), Snapshot::default(), Trail::new(), None);
        Self { database, job, name, decider, speed, fatal, snapshot, trail, backup, progress }
    }

    /// How often each row is given: once for each column.
    pub(super) fn columns(&self) -> u64 {
        self.job.columns.len() as u64
    }

    /// Reports progress, as a number of rows, or of strings of a backup.
    pub(super) fn report_progress(&self, tally: &Tally) {
        (self.progress)(if R::WHOLE { tally.rows } else { tally.rows / self.columns() });
    }

    /// Sets another pace.
    pub(super) fn set_pace(&mut self, pace: Pace<'d>) {
        self.speed = Speed::new(pace, self.job.batch);
    }

    /// Runs `read` in a transaction that sees one consistent state, unless `read` gives way.
    pub(super) fn in_snapshot<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        self.database.begin(TransactionKind::Read)?;
        self.snapshot = Snapshot { begun: Some(Instant::now()), is_later: false };
        let found = read(self);
        self.snapshot.begun = None;
        // The first error says more than one that ending the transaction may add.
        let ended = self.database.commit();
        found.and_then(|found| Ok(ended.map(|()| found)?))
    }

    /// Between two pages, ends the transaction that only reads and begins another, if nobody else could write for some time.
    pub(super) fn give_way(&mut self) -> Result<(), Error> {
        if self.snapshot.begun.is_some_and(Pace::has_read_enough) && self.database.table().is_locked_by_readers {
            self.database.commit()?;
            // Whoever waits with a transaction to be committed comes first.
            self.database.begin(TransactionKind::Read)?;
            self.snapshot = Snapshot { begun: Some(Instant::now()), is_later: true };
        }
        Ok(())
    }

    /// Fails if the rows that were found in the order of their keys, up to `last`, are not all rows of the table.
    pub(super) fn check_count(&mut self, found: u64, last: Option<&KeyValue>) -> Result<(), Error> {
        let there = self.database.count(None, None)?;
        if there == found {
            return Ok(());
        }
        // Others may have added or deleted rows between two transactions. Now all are counted in one.
        if self.snapshot.is_later && last.is_some() {
            let by_key = self.database.count(None, last)? + self.database.count(last, None)?;
            if by_key == there {
                return Ok(());
            }
        }
        let why = match self.job.filter {
            // A damaged index shows without a condition, too.
            Some(_) => format!(
                "the --where condition holds for {there} rows, but held for {found} rows read in the order of their keys: \
                 it changes by itself, as a random number or the time of day does. Use columns in it, and values \
                 that stay the same"
            ),
            None => format!(
                "the table has {there} rows, but {found} were found in the order of their keys: an index is damaged; rebuild \
                 it (REINDEX, or OPTIMIZE TABLE in MySQL and MariaDB), or name another column with --key"
            ),
        };
        Err(self.database.table().fault("find every row by its key", why))
    }

    /// A key from its JSON in the journal.
    pub(super) fn key_of(&self, value: &serde_json::Value) -> Result<KeyValue, Error> {
        KeyValue::of_json(value).ok_or_else(|| self.damaged("a key cannot be read"))
    }
}

impl Preview {
    /// Adds rows with their decisions to the preview.
    pub(super) fn take_all(
        &mut self,
        rows: &[TableRow],
        (decisions, tally): (Vec<Decision>, Tally),
        job: &MigrationJob,
    ) -> Result<(), Error> {
        self.tally.add(&tally);
        self.longest.resize(job.columns.len(), Default::default());
        rows.iter().zip(decisions).try_for_each(|(row, decision)| self.take(row, decision, job))
    }

    /// Adds rows that have disappeared.
    pub(super) fn take_missing(&mut self, rows: &[TableRow], job: &MigrationJob) -> Result<(), Error> {
        rows.iter().try_for_each(|row| {
            let reject = self.tally.gone_row();
            self.take(row, Decision::Refused(reject), job)
        })
    }

    fn take(&mut self, row: &TableRow, decision: Decision, job: &MigrationJob) -> Result<(), Error> {
        match decision {
            Decision::Stays => {}
            Decision::Refused(reject) => {
                self.with_links += u64::from(!job.links && row.old.bytes().is_some_and(has_link));
                self.rejected.push(&refusal(row, &reject, job))?;
            }
            Decision::New(new) => {
                let new = new.bytes().unwrap_or_default();
                let characters = new.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
                if characters > self.longest[row.column].0 {
                    self.longest[row.column] = (characters, row.key.shown());
                }
                if self.pairs.len() < PAIRS {
                    let (old, new) = beside(row.old.bytes().unwrap_or_default(), new);
                    let column = job.column_name(row.column).map(str::to_string);
                    self.pairs.push(Pair { key: row.key.shown(), column, old, new });
                }
            }
        }
        Ok(())
    }
}

/// A refused row. Texts with links are truncated.
pub(super) fn refusal(row: &TableRow, reject: &Reject, job: &MigrationJob) -> Rejected {
    let record = match &row.old {
        ColumnValue::Null => String::new(),
        ColumnValue::Number(text) => text.clone(),
        ColumnValue::TooLarge(bytes) => format!("...{bytes}"),
        ColumnValue::Text(bytes) | ColumnValue::Blob(bytes) if reject.code == Code::TooLong => {
            format!("{}...{}", escape(&bytes[..bytes.len().min(SHOWN)]), bytes.len())
        }
        ColumnValue::Text(bytes) | ColumnValue::Blob(bytes) if job.links => beginning(bytes),
        ColumnValue::Text(bytes) | ColumnValue::Blob(bytes) => escape(bytes),
    };
    Rejected {
        key: row.key.shown(),
        column: job.column_name(row.column).map(str::to_string),
        cell: reject.cell.map_or("-".to_string(), |cell| cell.to_string()),
        code: reject.code.name().to_string(),
        message: escape(reject.message.as_bytes()),
        record,
    }
}
