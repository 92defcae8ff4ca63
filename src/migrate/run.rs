//! A migration: the look before it, the batches, and the look back.

use std::collections::HashMap;

use serde_json::json;

use super::decide::{Decider, Fate, Pair, Tally};
use super::journal::{Batch, BatchHash, Entry, Held, Rejected};
use super::trail::Trail;
use super::{Cell, Change, Database, Job, Key, NotWritten, Row, Written};
use crate::board::Kind;
use crate::error::{Code, Error, Reject, escape};
use crate::formats::{Evidence, Flavour, Id};
use crate::kernels::Kernel;

/// Bytes of strings that are asked about Str8ts layouts (docs/FORMATS.md).
const WINDOW: usize = 4 << 20;

/// How often a batch is tried that others interfere with.
const ATTEMPTS: usize = 10;

/// Rows of a transaction after one that a row ended.
const SMALL: usize = 100;

/// Pairs that a look shows.
const PAIRS: usize = 10;

/// A migration of one column.
pub struct Migration<'d, D> {
    pub(super) database: &'d mut D,
    pub(super) job: Job,
    /// The job as the journal names it.
    name: String,
    pub(super) decider: Decider,
    /// Rows of a transaction: those of the job, or fewer after one that a row ended.
    batch: usize,
    /// Rows of the batch at hand that ended a transaction, and why: they are refused before they end another.
    fatal: HashMap<Key, String>,
    pub(super) trail: Trail,
    /// Says how many rows were looked at.
    pub(super) progress: &'d dyn Fn(u64),
}

/// What a look found.
#[derive(Debug, Clone, Default)]
pub struct Looked {
    /// What would become of the rows.
    pub tally: Tally,
    /// Some strings before and after.
    pub pairs: Vec<Pair>,
    /// Rows that would be refused.
    pub rejected: Vec<Rejected>,
    /// What the strings say of Str8ts layouts.
    evidence: Evidence,
    /// Characters of the longest new string, and the key of its row.
    longest: (usize, String),
}

/// What a migration did.
#[derive(Debug, Clone, Default)]
pub struct Migrated {
    /// What became of the rows, those of a run that was interrupted included.
    pub tally: Tally,
    /// The refused rows.
    pub rejected: Vec<Rejected>,
    /// A run that was interrupted went on.
    pub resumed: bool,
    pub(super) batches: Vec<Batch>,
}

/// How an attempt at a batch ended.
enum Attempt {
    /// It is written, and noted in the journal.
    Done(Box<Batch>, Vec<Rejected>),
    /// Others interfered.
    Conflict(String),
    /// A row ended the transaction; it is known now.
    Ended,
}

impl<'d, D: Database> Migration<'d, D> {
    /// A migration; `progress` is told how many rows were looked at, of this step.
    pub fn new(database: &'d mut D, job: Job, kernel: &'static Kernel, progress: &'d dyn Fn(u64)) -> Self {
        // A run goes on only where it was the same one: the journal's keys are of one column, and its strings read in one way.
        let name = json!({
            "table": job.table, "column": job.column, "to": job.to, "key": job.key, "plain": job.plain,
            "from": job.plan.from.map(Id::name), "kind": job.plan.hints.kind.map(Kind::name),
            "str8ts_layout": job.plan.hints.str8ts_layout.map(Flavour::name),
            "str8ts_flags": job.plan.hints.str8ts_flags.map(Flavour::name), "lossy": job.plan.lossy,
        });
        let name = name.to_string();
        let (decider, batch) = (Decider::new(&job, kernel), job.batch);
        Self { database, job, name, decider, batch, fatal: HashMap::new(), trail: Trail::new(), progress }
    }

    /// What is worth knowing before anything is written.
    pub fn notes(&self) -> &[String] {
        self.database.notes()
    }

    /// Reads all rows and says what would become of them. Nothing is written.
    ///
    /// # Errors
    /// What the database answers; a column that is too narrow for the new strings.
    pub fn look(&mut self) -> Result<Looked, Error> {
        let looked = self.at_one_moment(Self::look_at_all)?;
        let (longest, key) = &looked.longest;
        match self.database.width() {
            Some(width) if *longest > width => Err(Error::Database {
                database: self.database.name(),
                action: "write the new strings".into(),
                message: format!(
                    "the column takes {width} characters, and the new string of the row with key {key} has {longest}; widen it \
                     first. Nothing was written"
                ),
            }),
            _ => Ok(looked),
        }
    }

    fn look_at_all(&mut self) -> Result<Looked, Error> {
        let mut looked = Looked { evidence: self.evidence()?, ..Looked::default() };
        self.decider.know(looked.evidence);
        let mut after = None;
        loop {
            let rows = self.database.read(after.as_ref(), None, self.database.slice())?;
            let Some(last) = rows.last() else { break };
            after = Some(last.key.clone());
            let (fates, tally) = self.decider.decide(&rows)?;
            looked.tally.add(&tally);
            for (row, fate) in rows.iter().zip(fates) {
                looked.take(row, fate);
            }
            (self.progress)(looked.tally.rows);
        }
        self.check_count(looked.tally.rows)?;
        Ok(looked)
    }

    /// Reads with `read` while the table stays as it is at one moment.
    pub(super) fn at_one_moment<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        self.database.begin_reading()?;
        let found = read(self);
        // The first error says more than what the end of the transaction may add.
        let ended = self.database.commit();
        found.and_then(|found| ended.map(|()| found))
    }

    /// Fails if the rows that were found in the order of their keys are not all that there are.
    pub(super) fn check_count(&mut self, found: u64) -> Result<(), Error> {
        let there = self.database.count()?;
        if there == found {
            return Ok(());
        }
        Err(Error::Database {
            database: self.database.name(),
            action: "find every row by its key".into(),
            message: format!(
                "the table has {there} rows, and {found} were found in the order of their keys: an index is damaged; make it again \
                 (REINDEX), or name another column with --key"
            ),
        })
    }

    /// A key of the journal.
    pub(super) fn key_of(&self, value: &serde_json::Value) -> Result<Key, Error> {
        Key::of_json(value).ok_or_else(|| self.damaged("a key cannot be read"))
    }

    /// What the first strings say of Str8ts layouts.
    fn evidence(&mut self) -> Result<Evidence, Error> {
        let (mut evidence, mut bytes, mut after) = (Evidence::default(), 0, None);
        while bytes < WINDOW {
            let rows = self.database.read(after.as_ref(), None, self.database.slice())?;
            let Some(last) = rows.last() else { break };
            after = Some(last.key.clone());
            let (said, length) = self.decider.weigh(&rows);
            evidence.join(&said);
            bytes += length;
        }
        Ok(evidence)
    }

    /// Writes what a look found to be written; or goes on where a run was interrupted.
    ///
    /// # Errors
    /// What the database answers. Batches that were committed stay, and the next run goes on behind them.
    pub fn write(&mut self, looked: &Looked) -> Result<Migrated, Error> {
        self.database.make_journal()?;
        let mut done = Migrated::default();
        match self.unfinished()? {
            Some(entries) => {
                done.resumed = true;
                self.resume(entries, &mut done)?;
            }
            None if looked.tally.written == 0 => {
                // Nothing to do is nothing to write down.
                done.tally = looked.tally.clone();
                done.rejected = looked.rejected.clone();
                return Ok(done);
            }
            None => {
                let begin = Entry::Begin { evidence: looked.evidence.to_numbers() };
                self.database.begin()?;
                self.database.note(&self.name, &[begin.to_text()?])?;
                self.database.commit()?;
            }
        }
        while self.write_batch(&mut done)? {
            (self.progress)(done.tally.rows);
        }
        self.database.begin()?;
        self.database.note(&self.name, &[Entry::End.to_text()?])?;
        self.database.commit()?;
        Ok(done)
    }

    /// The entries of a run that did not end.
    fn unfinished(&mut self) -> Result<Option<Vec<Entry>>, Error> {
        let mut entries: Option<Vec<Entry>> = None;
        for text in self.database.journal(&self.name)? {
            let entry: Entry = serde_json::from_str(&text).map_err(|error| self.damaged(&error.to_string()))?;
            match entry {
                Entry::Begin { .. } => entries = Some(vec![entry]),
                Entry::End => entries = None,
                Entry::Batch(_) | Entry::Reject(_) => {
                    entries.as_mut().ok_or_else(|| self.damaged("it has no beginning"))?.push(entry);
                }
            }
        }
        Ok(entries)
    }

    pub(super) fn damaged(&self, why: &str) -> Error {
        Error::Database {
            database: self.database.name(),
            action: "read the journal, table gridmill_migration".into(),
            message: format!("{why}; if no migration is under way, rename that table"),
        }
    }

    fn resume(&mut self, entries: Vec<Entry>, done: &mut Migrated) -> Result<(), Error> {
        for entry in entries {
            match entry {
                Entry::Begin { evidence } => {
                    let evidence =
                        Evidence::of_numbers(&evidence).ok_or_else(|| self.damaged("its evidence is none"))?;
                    self.decider.know(evidence);
                }
                Entry::Batch(batch) => {
                    done.tally.add(&batch.tally);
                    done.batches.push(batch);
                }
                Entry::Reject(rejected) => done.rejected.push(rejected),
                Entry::End => {}
            }
        }
        Ok(())
    }

    /// One batch: false if there was no row left.
    fn write_batch(&mut self, done: &mut Migrated) -> Result<bool, Error> {
        let after = match done.batches.last() {
            None => None,
            Some(batch) => Some(self.key_of(&batch.last)?),
        };
        let (mut conflicts, mut conflict) = (0, String::new());
        self.fatal.clear();
        while conflicts < ATTEMPTS {
            self.database.begin()?;
            match self.in_transaction(after.as_ref()) {
                Ok(Some(Attempt::Done(mut batch, rejected))) => {
                    self.database.commit()?;
                    batch.trail = self.trail.keep();
                    self.batch = (self.batch * 2).min(self.job.batch);
                    done.tally.add(&batch.tally);
                    done.batches.push(*batch);
                    done.rejected.extend(rejected);
                    return Ok(true);
                }
                Ok(None) => return self.database.rollback().map(|()| false),
                Ok(Some(Attempt::Conflict(why))) => {
                    self.database.rollback()?;
                    (conflicts, conflict) = (conflicts + 1, why);
                }
                Ok(Some(Attempt::Ended)) => {
                    self.database.rollback()?;
                    // Other rows may end it too, and few are soon written again.
                    self.batch = self.batch.min(SMALL);
                }
                Err(error) => {
                    // The first error says more than what the end of the transaction may add.
                    let _ = self.database.rollback();
                    return Err(error);
                }
            }
        }
        Err(Error::Database {
            database: self.database.name(),
            action: format!("write a batch; {ATTEMPTS} times others changed its rows meanwhile"),
            message: format!("{conflict}; run again, with a smaller --batch"),
        })
    }

    /// One attempt at a batch; nothing if there is no row left.
    fn in_transaction(&mut self, after: Option<&Key>) -> Result<Option<Attempt>, Error> {
        let (mut hash, mut tally, mut rejected) = (BatchHash::default(), Tally::default(), Vec::new());
        self.trail.begin();
        let mut last: Option<Key> = None;
        while (tally.rows as usize) < self.batch {
            let slice = self.database.slice().min(self.batch - tally.rows as usize);
            let mut rows = self.database.read(last.as_ref().or(after), None, slice)?;
            let Some(row) = rows.last() else { break };
            last = Some(row.key.clone());
            let (mut fates, found) = self.decider.decide(&rows)?;
            tally.add(&found);
            self.refuse_fatal(&rows, &mut fates, &mut tally);
            if let Some(failed) = self.write_rows(&mut rows, &mut fates, &mut tally)? {
                return Ok(Some(failed));
            }
            for (row, fate) in rows.iter().zip(&fates) {
                let row_hash = hash.add(&row.key, self.now(row, fate));
                self.trail.add(hash.key(), row_hash);
                if let Fate::Refused(reject) = fate {
                    rejected.push(refusal(row, reject));
                }
            }
        }
        let Some(last) = last else { return Ok(None) };
        let (after, last, rows) = (after.map(Key::to_json), last.to_json(), tally.rows);
        let batch = Batch { after, last, rows, hash: hash.text(), tally, trail: None };
        let mut entries = vec![Entry::Batch(batch.clone()).to_text()?];
        for one in &rejected {
            entries.push(Entry::Reject(one.clone()).to_text()?);
        }
        self.database.note(&self.name, &entries)?;
        Ok(Some(Attempt::Done(Box::new(batch), rejected)))
    }

    fn refuse_fatal(&self, rows: &[Row], fates: &mut [Fate], tally: &mut Tally) {
        if self.fatal.is_empty() {
            return;
        }
        for (row, fate) in rows.iter().zip(fates).filter(|(_, fate)| matches!(fate, Fate::New(_))) {
            if let Some(why) = self.fatal.get(&row.key) {
                let reject = Reject::whole(Code::Column, why.clone());
                tally.written -= 1;
                tally.reject(reject.code);
                *fate = Fate::Refused(reject);
            }
        }
    }

    /// What the column should hold now.
    fn now<'a>(&self, row: &'a Row, fate: &'a Fate) -> Held<'a> {
        match fate {
            Fate::New(new) if self.database.writes_bytes(&row.old) => Held::Blob(new.as_bytes()),
            Fate::New(new) => Held::Text(new.as_bytes()),
            _ => row.target.as_ref().unwrap_or(&row.old).held(),
        }
    }

    /// Writes the new strings. Rows that are not as they were read are read and decided again, once; what the database does not
    /// take is refused. Says how the attempt failed, if all of it has to be done again.
    fn write_rows(
        &mut self,
        rows: &mut [Row],
        fates: &mut [Fate],
        tally: &mut Tally,
    ) -> Result<Option<Attempt>, Error> {
        let mut left: Vec<usize> = (0..rows.len()).filter(|&i| matches!(fates[i], Fate::New(_))).collect();
        for attempt in 0..2 {
            let changes: Vec<_> = left.iter().filter_map(|&i| change(&rows[i], &fates[i])).collect();
            if changes.is_empty() {
                break;
            }
            let missed = match self.database.write(&changes, attempt == 0 && changes.len() == rows.len())? {
                Written::Done(missed) => missed,
                Written::Conflict(why) => return Ok(Some(Attempt::Conflict(why))),
                Written::Ended(of, why) => {
                    self.fatal.insert(rows[left[of]].key.clone(), why);
                    return Ok(Some(Attempt::Ended));
                }
            };
            let mut again = Vec::new();
            for (of, why) in missed {
                let i = left[of];
                tally.written -= 1;
                let reject = match why {
                    NotWritten::Refused(message) => Reject::whole(Code::Column, message),
                    NotWritten::Changed if attempt == 0 => {
                        let Some(one) = self.database.read_one(&rows[i].key)? else {
                            fates[i] = Fate::Stays; // it is gone
                            continue;
                        };
                        let (mut fate, new) = self.decider.decide(std::slice::from_ref(&one))?;
                        tally.add(&Tally { rows: 0, ..new });
                        rows[i] = one;
                        fates[i] = fate.remove(0);
                        if matches!(fates[i], Fate::New(_)) {
                            again.push(i);
                        }
                        continue;
                    }
                    NotWritten::Changed => {
                        let message =
                            "it was not changed, twice: a trigger keeps it as it is, or somebody else changes it";
                        Reject::whole(Code::Column, message)
                    }
                };
                tally.reject(reject.code);
                fates[i] = Fate::Refused(reject);
            }
            left = again;
        }
        Ok(None)
    }
}

impl Looked {
    fn take(&mut self, row: &Row, fate: Fate) {
        match fate {
            Fate::Stays => {}
            Fate::Refused(reject) => self.rejected.push(refusal(row, &reject)),
            Fate::New(new) => {
                if new.len() > self.longest.0 {
                    self.longest = (new.len(), row.key.shown());
                }
                if self.pairs.len() < PAIRS {
                    let old = escape(row.old.bytes().unwrap_or_default());
                    self.pairs.push(Pair { key: row.key.shown(), old, new: escape(new.as_bytes()) });
                }
            }
        }
    }
}

fn change<'a>(row: &'a Row, fate: &'a Fate) -> Option<Change<'a>> {
    match fate {
        Fate::New(new) => Some(Change { row, new }),
        _ => None,
    }
}

fn refusal(row: &Row, reject: &Reject) -> Rejected {
    let record = match &row.old {
        Cell::Null => String::new(),
        Cell::Number(text) => text.clone(),
        Cell::Text(bytes) | Cell::Blob(bytes) => escape(bytes),
    };
    Rejected {
        key: row.key.shown(),
        cell: reject.cell.map_or("-".to_string(), |cell| cell.to_string()),
        code: reject.code.name().to_string(),
        message: escape(reject.message.as_bytes()),
        record,
    }
}
