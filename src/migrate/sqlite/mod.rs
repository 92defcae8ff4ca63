//! SQLite databases. A batch is one `UPDATE` over a range of keys, which asks two functions of ours what each row should be:
//! that is as fast as an `UPDATE` that knows it, and needs no other table.
//!
//! - `schema`: the table, its columns, and what names its rows. `values`: what stands in cells. `read`, `write`: rows; `ranges`: those
//!   between two keys. `lock`: one migration at a time. `early_sync`: the rollback journal, on its way to the disk.

mod early_sync;
mod lock;
mod ranges;
mod read;
mod schema;
mod values;
mod write;

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::{Connection, OpenFlags, params_from_iter};

use super::dialect::{
    ANOTHER_RUNS, ASK_LAG, JOURNAL, MAKE_JOURNAL, NO_REPLICA, READ_JOURNAL, RowKey, StringColumn, WRITE_JOURNAL,
    by_row, fault, job_columns, names,
};
use super::{BatchOutcome, Change, ColumnValue, Database, Job, JobColumn, Key, NewValue, StoredAs, TableRow};
use crate::error::{Error, escape};
use early_sync::EarlySync;
use lock::Lock;
use values::{copy_keys, is, is_part, row_key, words};

/// The number of its last entry.
const LAST: &str = "SELECT coalesce(max(id), 0) FROM gridmill_migration";

/// Has the rollback journal stay there; has it go, if nobody else is writing, who will remove it then.
const LASTING: &str = "PRAGMA journal_mode = persist";
const NOT_LASTING: &str = "PRAGMA journal_mode = delete";

/// KiB of pages that are kept.
const CACHE: i64 = 16 << 10;

/// A SQLite database with the column of a job.
pub struct Sqlite {
    connection: Connection,
    name: String,
    table: String,
    key: RowKey,
    /// The collation of each of its columns in the index in which it is unique.
    collations: Vec<Collation>,
    columns: Vec<StringColumn>,
    has_triggers: bool,
    /// How a statement begins that changes rows.
    update: &'static str,
    pending: Arc<Mutex<Pending>>,
    /// Rows that are not needed any more, and whose memory the next ones get.
    spare: Vec<TableRow>,
    /// The last entry of the journal that is known, and with those of the transaction at hand.
    noted: i64,
    noting: i64,
    /// There if the rollback journal is to be gone at the end.
    journal: Option<LastingJournal>,
    /// Let go last.
    lock: Option<Lock>,
}

impl fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sqlite").field("name", &self.name).field("table", &self.table).finish_non_exhaustive()
    }
}

/// How a column of the key is sorted.
struct Collation {
    /// As it stands after an expression; nothing for the row number.
    clause: String,
    /// Text has the order of its bytes.
    is_bytewise: bool,
}

/// A rollback journal that stays there between transactions.
struct LastingJournal {
    early_sync: Option<EarlySync>,
}

/// The changes of the batch at hand, as the functions look for them.
#[derive(Default)]
struct Pending {
    /// Of each row, the values of all columns of its key.
    keys: Vec<Key>,
    /// Of each row, what every column holds, where that is compared, and what it is to hold; nothing where that does not change.
    olds: Vec<Option<ColumnValue>>,
    news: Vec<Option<NewValue>>,
    places: HashMap<Vec<Key>, usize>,
    /// The row that is being written. Rows come in the order of their keys, nearly always.
    at: usize,
}

impl Pending {
    /// Begins with rows of such keys, in the memory that it has.
    fn begin<'k>(&mut self, keys: impl Iterator<Item = &'k Key>) {
        copy_keys(&mut self.keys, keys);
        self.olds.clear();
        self.news.clear();
        self.places.clear();
        self.at = 0;
    }

    /// The row whose key the first so many arguments of a function are.
    fn find(&mut self, columns: usize, context: &Context<'_>) -> rusqlite::Result<Option<usize>> {
        let is_at = |at: usize| {
            let key = self.keys.get(at * columns..(at + 1) * columns);
            key.is_some_and(|key| key.iter().enumerate().all(|(n, part)| is_part(part, context.get_raw(n))))
        };
        // One call for a row is nearly always all that there are.
        let place = match [self.at + 1, self.at].into_iter().find(|&at| is_at(at)) {
            Some(place) => Some(place),
            None => {
                if self.places.is_empty() {
                    self.places = self.keys.chunks(columns).map(<[Key]>::to_vec).zip(0..).collect();
                }
                let key = row_key(columns, |n| Ok(context.get_raw(n)))?;
                self.places.get(key.parts()).copied()
            }
        };
        self.at = place.unwrap_or(self.at);
        Ok(place)
    }
}

impl Sqlite {
    /// Opens a database file. `write` is whether anything is to be written; `wait` how long others that write are waited for.
    ///
    /// # Errors
    /// The file is no database; the table, a column, or what names the rows is missing; another migration is running.
    pub fn open(path: &Path, job: &Job, write: bool, wait: Duration) -> Result<Self, Error> {
        let name = escape(path.as_os_str().as_encoded_bytes());
        let fail = |action: &str, message: String| fault(&name, action, message);
        job.check()?;
        if !path.is_file() {
            let why = match path.metadata() {
                Ok(metadata) if metadata.is_dir() => "it is a folder; name the database file".into(),
                Ok(_) => "it is not a regular file; name the database file".into(),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => "there is no such file".into(),
                Err(error) => error.to_string(),
            };
            return Err(fail("open it", why));
        }
        let access = if write { OpenFlags::SQLITE_OPEN_READ_WRITE } else { OpenFlags::SQLITE_OPEN_READ_ONLY };
        let opened =
            Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX).and_then(|connection| {
                connection.busy_timeout(wait)?;
                // A batch that does not fit the page cache (2 MiB unless told) is written in parts, each waiting for the disk.
                connection.pragma_update(None, "cache_size", -CACHE)?;
                // Finds out whether it is a database.
                connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
                Ok(connection)
            });
        let connection = opened.map_err(|error| fail("open it", words(&error)))?;
        let mut this = Self {
            connection,
            name: name.clone(),
            table: String::new(),
            key: RowKey::default(),
            collations: Vec::new(),
            columns: Vec::new(),
            has_triggers: false,
            update: "UPDATE",
            pending: Arc::default(),
            spare: Vec::new(),
            noted: 0,
            noting: 0,
            journal: None,
            lock: None,
        };
        this.check(job)?;
        if write {
            this.lock_out_others(path)?;
            this.keep_the_journal(path).map_err(|error| fail("prepare it", words(&error)))?;
        }
        this.register().map_err(|error| fail("prepare it", words(&error)))?;
        Ok(this)
    }

    fn error(&self, action: &str, error: &rusqlite::Error) -> Error {
        self.fault(action, words(error))
    }

    fn fault(&self, action: &str, message: String) -> Error {
        fault(&self.name, action, message)
    }

    /// Two migrations at a time would write each into the other's journal.
    fn lock_out_others(&mut self, path: &Path) -> Result<(), Error> {
        let lock = Lock::take(path).map_err(|error| {
            self.fault("lock it", format!("{error}; migrations need a lock file next to it while they run"))
        })?;
        if lock.is_none() {
            return Err(self.fault("begin", ANOTHER_RUNS.into()));
        }
        self.lock = lock;
        Ok(())
    }

    /// Has a rollback journal stay where it is from one transaction to the next, with a beginning that says that it is none. To make
    /// and remove its file, and all memory of it, takes a tenth of the time of a migration.
    fn keep_the_journal(&mut self, path: &Path) -> rusqlite::Result<()> {
        let mode = |sql| self.connection.query_row(sql, [], |row| row.get::<_, String>(0));
        if mode("PRAGMA journal_mode")? == "delete" && mode(LASTING)? == "persist" {
            self.journal = Some(LastingJournal { early_sync: EarlySync::of(path) });
        }
        Ok(())
    }

    /// The functions that an `UPDATE` asks.
    fn register(&self) -> rusqlite::Result<()> {
        // Not deterministic, so that SQLite asks for each row.
        let flags = FunctionFlags::SQLITE_UTF8;
        let (keys, columns, any) = (self.key.columns.len(), self.columns.len(), -1);
        // The key, and the columns with old strings.
        let pending = Arc::clone(&self.pending);
        self.connection.create_scalar_function("gridmill_is_old", any, flags, move |context| {
            let mut pending = lock(&pending);
            let Some(place) = pending.find(keys, context)? else { return Ok(false) };
            let mut olds = pending.olds[place * columns..].iter().take(columns).zip(keys..);
            Ok(olds.all(|(old, at)| old.as_ref().is_none_or(|old| is(old, context.get_raw(at)))))
        })?;
        // The key, and the number of a column.
        let new_of = move |pending: &mut Pending, context: &Context<'_>| -> rusqlite::Result<Option<NewValue>> {
            let place = pending.find(keys, context)?;
            let column = context.get::<i64>(keys)? as usize; // it is one that was put there
            Ok(place.and_then(|place| pending.news[place * columns + column].clone()))
        };
        let pending = Arc::clone(&self.pending);
        self.connection.create_scalar_function("gridmill_is_new", any, flags, move |context| {
            Ok(new_of(&mut lock(&pending), context)?.is_some())
        })?;
        let pending = Arc::clone(&self.pending);
        self.connection.create_scalar_function("gridmill_new", any, flags, move |context| {
            let new = new_of(&mut lock(&pending), context)?;
            new.ok_or_else(|| rusqlite::Error::UserFunctionError("a row that is not to be written".into()))
        })
    }
}

impl Drop for Sqlite {
    fn drop(&mut self) {
        if self.journal.take().is_some() {
            // What stays is no journal, and the next who writes removes it.
            let _ = self.connection.query_row(NOT_LASTING, [], |_| Ok(()));
        }
    }
}

impl Database for Sqlite {
    fn kind(&self) -> &'static str {
        "sqlite"
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn names(&self) -> Vec<String> {
        names(&self.table, &self.columns, &self.key)
    }

    fn columns(&self) -> Vec<JobColumn> {
        job_columns(&self.columns)
    }

    fn has_triggers(&self) -> bool {
        self.has_triggers
    }

    fn slice(&self) -> usize {
        2_000 // they stay in the second-level cache, and their memory is used again: a fifth faster than 50,000
    }

    fn read(&mut self, after: Option<&Key>, last: Option<&Key>, limit: usize) -> Result<Vec<TableRow>, Error> {
        let rows = self.page(after, last, limit).map_err(|error| self.error("read rows", &error))?;
        self.check_order(after, &rows)?;
        Ok(rows)
    }

    fn reuse(&mut self, rows: Vec<TableRow>) {
        self.keep_spare(rows);
    }

    fn read_one(&mut self, key: &Key) -> Result<Vec<TableRow>, Error> {
        self.row(key).map_err(|error| self.error("read a row", &error))
    }

    fn count(&mut self, after: Option<&Key>, last: Option<&Key>) -> Result<u64, Error> {
        let is_all = after.is_none() && last.is_none();
        let (indexes, range) = (if is_all { "NOT INDEXED" } else { "" }, self.range(after.is_some(), last.is_some()));
        let sql = format!("SELECT count(*) FROM {} {indexes} {range}", self.table);
        let keys = params_from_iter(after.into_iter().chain(last).flat_map(Key::parts));
        let rows: rusqlite::Result<i64> = self.connection.query_row(&sql, keys, |row| row.get(0));
        rows.map(i64::unsigned_abs).map_err(|error| self.error("count rows", &error))
    }

    fn begin_reading(&mut self) -> Result<(), Error> {
        self.connection.execute_batch("BEGIN").map_err(|error| self.error("begin a transaction", &error))
    }

    fn begin(&mut self) -> Result<(), Error> {
        // At once with the right to write, so that nobody changes what is read in it.
        self.noting = self.noted;
        self.connection.execute_batch("BEGIN IMMEDIATE").map_err(|error| self.error("begin a transaction", &error))
    }

    fn commit(&mut self) -> Result<(), Error> {
        self.connection.execute_batch("COMMIT").map_err(|error| self.not_committed(&error))?;
        self.noted = self.noting;
        Ok(())
    }

    fn rollback(&mut self) -> Result<(), Error> {
        if self.connection.is_autocommit() {
            return Ok(()); // the database did it already
        }
        self.connection.execute_batch("ROLLBACK").map_err(|error| self.error("end a transaction", &error))
    }

    fn write(&mut self, changes: &[Change], all: bool) -> Result<BatchOutcome, Error> {
        let written = match self.write_changes(changes, all) {
            Ok(missed) => {
                let early_sync = self.journal.as_mut().and_then(|journal| journal.early_sync.as_mut());
                early_sync.into_iter().for_each(|sync| sync.wrote(changes.len()));
                BatchOutcome::Done(missed)
            }
            Err(error) if self.has_ended(&error) => {
                let before = by_row(changes).into_iter().take(lock(&self.pending).at);
                BatchOutcome::Ended(before.map(<[_]>::len).sum(), words(&error))
            }
            Err(error) => return Err(self.error("write rows", &error)),
        };
        Ok(written)
    }

    fn lag(&mut self, query: Option<&str>) -> Result<Option<f64>, Error> {
        let Some(query) = query else { return Err(self.fault(ASK_LAG, NO_REPLICA.into())) };
        let lag = self.connection.query_row(query, [], |row| row.get(0));
        lag.map_err(|error| self.error(ASK_LAG, &error))
    }

    fn stored_as(&self) -> StoredAs {
        StoredAs::TheOld
    }

    fn width(&self, column: usize) -> Option<usize> {
        self.columns[column].written().width
    }

    fn make_journal(&mut self) -> Result<(), Error> {
        let sql = format!(
            "CREATE TABLE IF NOT EXISTS {JOURNAL} (id INTEGER PRIMARY KEY, job TEXT NOT NULL, entry TEXT NOT NULL)"
        );
        self.connection.execute_batch(&sql).map_err(|error| self.error(MAKE_JOURNAL, &error))
    }

    fn jobs(&mut self) -> Result<Vec<String>, Error> {
        let sql = format!("SELECT DISTINCT job FROM {JOURNAL}");
        let jobs = self.connection.prepare(&sql).and_then(|mut jobs| jobs.query_map([], |row| row.get(0))?.collect());
        jobs.map_err(|error| self.error(READ_JOURNAL, &error))
    }

    fn journal(&mut self, job: &str, each: &mut dyn FnMut(String) -> Result<(), Error>) -> Result<(), Error> {
        let fail = |error| self.error(READ_JOURNAL, &error);
        let last = self.connection.query_row(LAST, [], |row| row.get::<_, i64>(0)).map_err(fail)?;
        let sql = format!("SELECT entry FROM {JOURNAL} WHERE job = ?1 AND id <= ?2 ORDER BY id");
        let mut statement = self.connection.prepare(&sql).map_err(fail)?;
        let mut entries = statement.query(rusqlite::params![job, last]).map_err(fail)?;
        while let Some(row) = entries.next().map_err(fail)? {
            each(row.get(0).map_err(fail)?)?;
        }
        drop(entries);
        drop(statement);
        self.noted = last;
        Ok(())
    }

    fn note(&mut self, job: &str, entries: &[String]) -> Result<(), Error> {
        let write = || {
            if self.connection.query_row(LAST, [], |row| row.get::<_, i64>(0))? != self.noting {
                return Ok(None);
            }
            let sql = format!("INSERT INTO {JOURNAL} (job, entry) VALUES (?1, ?2)");
            let mut statement = self.connection.prepare_cached(&sql)?;
            entries.iter().try_for_each(|entry| statement.execute([job, entry]).map(drop))?;
            Ok(Some(self.connection.last_insert_rowid()))
        };
        let Some(last) = write().map_err(|error| self.error(WRITE_JOURNAL, &error))? else {
            // One has the lock, but not everywhere do locks hold.
            let message =
                "somebody else wrote to table gridmill_migration: another migration is running; wait until it ends";
            return Err(self.fault("go on", message.into()));
        };
        self.noting = last;
        Ok(())
    }
}

fn lock(pending: &Mutex<Pending>) -> MutexGuard<'_, Pending> {
    // Only looked into; nothing can be half done.
    pending.lock().unwrap_or_else(PoisonError::into_inner)
}
