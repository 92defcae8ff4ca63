//! SQLite databases. A batch is written by one `UPDATE` over a range of keys, which calls two functions of this program
//! to get the new values of each row. This is as fast as an `UPDATE` with constant values, and needs no temporary
//! table.
//!
//! - `schema`: examines the table, its columns and its key. `values`: converts keys and values.
//! - `read`, `write`: read and change rows. `ranges`: the rows between two keys, as ranges that SQLite finds by an
//!   index.
//! - `lock`: prevents a second migration. `early_sync`: syncs the rollback journal while rows are written.

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
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::{Connection, OpenFlags, params_from_iter};

use super::dialect::{
    ANOTHER_RUNS, ASK_LAG, JOURNAL, NO_REPLICA, READ_JOURNAL, SqlDialect, WRITE_JOURNAL, by_row, fault,
};
use super::{
    BatchOutcome, Change, ColumnValue, Database, Failure, JobTable, KeyValue, MigrationJob, NewValue, PAGE, RowsToRead,
    TableRow, TransactionKind,
};
use crate::error::{Error, shown_path};
use early_sync::EarlySync;
use lock::Lock;
use values::{copy_keys, is_part, is_unchanged, row_key, words};

/// Returns the number of the journal's last entry.
const READ_LAST_ENTRY: &str = "SELECT coalesce(max(id), 0) FROM gridmill_migration";

/// Keeps the file of the rollback journal between transactions, or deletes it again. (If another connection is writing,
/// that one deletes the file.)
const PERSIST_JOURNAL: &str = "PRAGMA journal_mode = persist";
const DELETE_JOURNAL: &str = "PRAGMA journal_mode = delete";

/// The size of the page cache in KiB.
const CACHE_KIB: i64 = 16 << 10;

/// SQLite among the databases.
static DIALECT: SqlDialect = SqlDialect {
    kind: "sqlite",
    slice: 2_000, // fits in the second-level cache, and the memory is reused: a fifth faster than 50,000
    has_typed_columns: false,
    has_one_writer: true,
    find_journal: None,
    make_journal: "CREATE TABLE IF NOT EXISTS gridmill_migration \
        (id INTEGER PRIMARY KEY, job TEXT NOT NULL, entry TEXT NOT NULL)",
    keep_alive: None,
    wait_for_locks: None,
};

/// A SQLite database with the column of a job.
pub struct Sqlite {
    connection: Connection,
    table: JobTable,
    /// The collation of each column of the key in its unique index.
    collations: Vec<Collation>,
    limit: ValueLimit,
    /// The start of a statement that changes rows: `UPDATE` or `UPDATE OR ABORT`.
    update: &'static str,
    called: Called,
    /// Rows that are no longer needed, whose memory is reused.
    spare: Vec<TableRow>,
    last_entry: LastEntry,
    /// The rollback journal, if its file is kept and must be deleted at the end.
    journal: Option<PersistentJournal>,
    /// The last field, since it must be released last.
    lock: Option<Lock>,
}

impl fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sqlite").field("table", &self.table).finish_non_exhaustive()
    }
}

/// How a column of the key is sorted.
struct Collation {
    /// The clause after an expression; empty for the row number.
    clause: String,
    /// Whether text is sorted by its bytes.
    is_bytewise: bool,
}

/// Which values are read.
struct ValueLimit {
    /// How many bytes of a value are read, in the encoding of the database.
    most_bytes: i32,
    /// Whether a value with more bytes has been found. From then on, queries ask for the lengths of values.
    has_large: bool,
}

/// What the functions know that statements call.
#[derive(Default)]
struct Called {
    pending: Arc<Mutex<PendingChanges>>,
    /// Whether this connection has deleted rows of the table in the current transaction, by a trigger.
    has_deleted: Arc<AtomicBool>,
}

/// The number of the last entry of the table of migrations.
#[derive(Default)]
struct LastEntry {
    /// After the last commit.
    committed: i64,
    /// Including the current transaction.
    written: i64,
}

/// A rollback journal whose file is kept between transactions.
struct PersistentJournal {
    early_sync: Option<EarlySync>,
}

/// The changes of the current batch, in which the functions of the `UPDATE` find each row.
#[derive(Default)]
struct PendingChanges {
    /// For each row, the values of all columns of its key.
    keys: Vec<KeyValue>,
    /// For each row, the old and the new value of each column; `None` for a column that does not change. The old values
    /// are empty if they need not be compared.
    olds: Vec<Option<ColumnValue>>,
    news: Vec<Option<NewValue>>,
    /// The index of each row by its key; filled when it is first needed.
    places: HashMap<Vec<KeyValue>, usize>,
    /// The row that is being written. SQLite nearly always visits rows in the order of their keys.
    at: usize,
}

impl PendingChanges {
    /// Begins a batch of rows with these keys. Reuses memory.
    fn begin<'k>(&mut self, keys: impl Iterator<Item = &'k KeyValue>) {
        copy_keys(&mut self.keys, keys);
        self.olds.clear();
        self.news.clear();
        self.places.clear();
        self.at = 0;
    }

    /// The index of the row whose key is given by the first `columns` arguments of a function.
    fn find(&mut self, columns: usize, context: &Context<'_>) -> rusqlite::Result<Option<usize>> {
        let is_at = |at: usize| {
            let key = self.keys.get(at * columns..(at + 1) * columns);
            key.is_some_and(|key| key.iter().enumerate().all(|(n, part)| is_part(part, context.get_raw(n))))
        };
        // Nearly always, the next row or the same row again is asked for.
        let place = match [self.at + 1, self.at].into_iter().find(|&at| is_at(at)) {
            Some(place) => Some(place),
            None => {
                if self.places.is_empty() {
                    self.places = self.keys.chunks(columns).map(<[KeyValue]>::to_vec).zip(0..).collect();
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
    /// Opens a database file. `write` says whether anything will be written, and `wait` how long to wait for other
    /// writers.
    ///
    /// # Errors
    /// The file is not a database; the table, a column or the key is missing; or another migration is running.
    pub fn open(path: &Path, job: &MigrationJob, write: bool, wait: Duration) -> Result<Self, Error> {
        let name = shown_path(path);
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
                // A batch that does not fit into the page cache (2 MiB by default) is written in several parts, each of
                // which waits for the disk.
                connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
                // This fails if the file is not a database.
                connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
                Ok(connection)
            });
        let connection = opened.map_err(|error| fail("open it", words(&error)))?;
        let mut this = Self {
            connection,
            table: JobTable::new(&DIALECT, name.clone()),
            collations: Vec::new(),
            limit: ValueLimit { most_bytes: PAGE as i32, has_large: false },
            update: "UPDATE",
            called: Called::default(),
            spare: Vec::new(),
            last_entry: LastEntry::default(),
            journal: None,
            lock: None,
        };
        this.check(job)?;
        let mode = this.connection.query_row("PRAGMA journal_mode", [], |row| row.get::<_, String>(0));
        let mode = mode.map_err(|error| fail("prepare it", words(&error)))?;
        // With a write-ahead log, others can commit while the database is read.
        this.table.is_locked_by_readers = mode != "wal";
        if write {
            this.lock_out_others(path)?;
            this.persist_journal(path, &mode).map_err(|error| fail("prepare it", words(&error)))?;
        }
        this.register_functions().map_err(|error| fail("prepare it", words(&error)))?;
        if write {
            this.table.deleted = Some("SELECT 'yes' WHERE gridmill_has_deleted()".into());
            this.watch_deletions().map_err(|error| fail("prepare it", words(&error)))?;
        }
        Ok(this)
    }

    fn error(&self, action: &str, error: &rusqlite::Error) -> Error {
        self.table.fault(action, words(error))
    }

    /// Takes the lock that prevents a second migration. Two at a time would mix up their journal entries.
    fn lock_out_others(&mut self, path: &Path) -> Result<(), Error> {
        let lock = Lock::take(path).map_err(|error| {
            self.table.fault("lock it", format!("{error}; migrations need a lock file next to it while they run"))
        })?;
        if lock.is_none() {
            return Err(self.table.fault("begin", ANOTHER_RUNS));
        }
        self.lock = lock;
        Ok(())
    }

    /// Makes SQLite keep the file of the rollback journal between transactions, with a header that marks it as unused.
    /// Creating and deleting the file, with its cached pages, would take a tenth of the time of a migration.
    fn persist_journal(&mut self, path: &Path, mode: &str) -> rusqlite::Result<()> {
        let persist = || self.connection.query_row(PERSIST_JOURNAL, [], |row| row.get::<_, String>(0));
        if mode == "delete" && persist()? == "persist" {
            self.journal = Some(PersistentJournal { early_sync: EarlySync::of(path) });
        }
        Ok(())
    }

    /// Makes SQLite tell when this connection deletes a row of the table.
    fn watch_deletions(&self) -> rusqlite::Result<()> {
        let (here, there) = (Arc::clone(&self.called.has_deleted), Arc::clone(&self.called.has_deleted));
        self.connection.create_scalar_function("gridmill_deletes", 0, FunctionFlags::SQLITE_UTF8, move |_| {
            there.store(true, Ordering::Relaxed);
            Ok(false)
        })?;
        self.connection.create_scalar_function("gridmill_has_deleted", 0, FunctionFlags::SQLITE_UTF8, move |_| {
            Ok(here.load(Ordering::Relaxed))
        })?;
        let table = &self.table.name;
        self.connection.execute_batch(&format!(
            "CREATE TEMP TRIGGER gridmill_deletions AFTER DELETE ON main.{table} BEGIN SELECT gridmill_deletes(); END"
        ))
    }

    /// Registers the functions that an `UPDATE` calls.
    fn register_functions(&self) -> rusqlite::Result<()> {
        // They are not declared as deterministic, so that SQLite calls them for each row.
        let flags = FunctionFlags::SQLITE_UTF8;
        let (keys, columns, any) = (self.table.key.columns.len(), self.table.columns.len(), -1);
        // Arguments: the key, and the columns with old strings.
        let pending = Arc::clone(&self.called.pending);
        self.connection.create_scalar_function("gridmill_is_old", any, flags, move |context| {
            let mut pending = lock(&pending);
            let Some(place) = pending.find(keys, context)? else { return Ok(false) };
            let mut olds = pending.olds[place * columns..].iter().take(columns).zip(keys..);
            Ok(olds.all(|(old, at)| old.as_ref().is_none_or(|old| is_unchanged(old, context.get_raw(at)))))
        })?;
        // Arguments: the key, and the number of a column.
        let new_of = move |pending: &mut PendingChanges, context: &Context<'_>| -> rusqlite::Result<Option<NewValue>> {
            let place = pending.find(keys, context)?;
            let column = context.get::<i64>(keys)? as usize; // `write_range` put it there
            Ok(place.and_then(|place| pending.news[place * columns + column].clone()))
        };
        let pending = Arc::clone(&self.called.pending);
        self.connection.create_scalar_function("gridmill_is_new", any, flags, move |context| {
            Ok(new_of(&mut lock(&pending), context)?.is_some())
        })?;
        let pending = Arc::clone(&self.called.pending);
        self.connection.create_scalar_function("gridmill_new", any, flags, move |context| {
            let new = new_of(&mut lock(&pending), context)?;
            new.ok_or_else(|| rusqlite::Error::UserFunctionError("a row that is not to be written".into()))
        })
    }
}

impl Drop for Sqlite {
    fn drop(&mut self) {
        if self.journal.take().is_some() {
            // If this fails, the file that remains is marked as unused, and the next writer deletes it.
            let _ = self.connection.query_row(DELETE_JOURNAL, [], |_| Ok(()));
        }
    }
}

impl Database for Sqlite {
    fn table(&self) -> &JobTable {
        &self.table
    }

    fn answers(&mut self, sql: &str, action: &str) -> Result<Vec<Option<String>>, Error> {
        let answers = self.connection.prepare(sql).and_then(|mut sql| sql.query_map([], |row| row.get(0))?.collect());
        answers.map_err(|error| self.error(action, &error))
    }

    fn read(&mut self, wanted: RowsToRead) -> Result<Vec<TableRow>, Failure> {
        match wanted {
            RowsToRead::Page(after, last, limit) => {
                let rows = self.page(after, last, limit).map_err(|error| self.error("read rows", &error))?;
                self.check_order(after, &rows)?;
                Ok(rows)
            }
            RowsToRead::Row(key) => Ok(self.row(key).map_err(|error| self.error("read a row", &error))?),
        }
    }

    fn reuse(&mut self, rows: Vec<TableRow>) {
        self.keep_spare(rows);
    }

    fn count(&mut self, after: Option<&KeyValue>, last: Option<&KeyValue>) -> Result<u64, Error> {
        let is_all = after.is_none() && last.is_none();
        let (indexes, range) = (if is_all { "NOT INDEXED" } else { "" }, self.range(after.is_some(), last.is_some()));
        let sql = format!("SELECT count(*) FROM {} {indexes} {range}", self.table.name);
        let keys = params_from_iter(after.into_iter().chain(last).flat_map(KeyValue::parts));
        let rows: rusqlite::Result<i64> = self.connection.query_row(&sql, keys, |row| row.get(0));
        rows.map(i64::unsigned_abs).map_err(|error| self.error("count rows", &error))
    }

    fn begin(&mut self, kind: TransactionKind) -> Result<(), Error> {
        let sql = match kind {
            TransactionKind::Read => "BEGIN",
            TransactionKind::Write => {
                self.last_entry.written = self.last_entry.committed;
                self.called.has_deleted.store(false, Ordering::Relaxed);
                // The transaction gets the right to write immediately, so that nobody can change the rows that it reads.
                "BEGIN IMMEDIATE"
            }
        };
        self.connection.execute_batch(sql).map_err(|error| self.error("begin a transaction", &error))
    }

    fn commit(&mut self) -> Result<(), Failure> {
        self.connection.execute_batch("COMMIT").map_err(|error| self.not_committed(&error))?;
        self.last_entry.committed = self.last_entry.written;
        Ok(())
    }

    fn rollback(&mut self) -> Result<(), Error> {
        if self.connection.is_autocommit() {
            return Ok(()); // the database has already done it
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
                let before = by_row(changes).into_iter().take(lock(&self.called.pending).at);
                BatchOutcome::Ended(before.map(<[_]>::len).sum(), words(&error))
            }
            Err(error) => return Err(self.error("write rows", &error)),
        };
        Ok(written)
    }

    fn lag(&mut self, query: Option<&str>) -> Result<Option<f64>, Error> {
        let Some(query) = query else { return Err(self.table.fault(ASK_LAG, NO_REPLICA)) };
        let lag = self.connection.query_row(query, [], |row| row.get(0));
        lag.map_err(|error| self.error(ASK_LAG, &error))
    }

    fn journal(&mut self, job: &str, each: &mut dyn FnMut(String) -> Result<(), Error>) -> Result<(), Error> {
        let fail = |error| self.error(READ_JOURNAL, &error);
        let last = self.connection.query_row(READ_LAST_ENTRY, [], |row| row.get::<_, i64>(0)).map_err(fail)?;
        let sql = format!("SELECT entry FROM {JOURNAL} WHERE job = ?1 AND id <= ?2 ORDER BY id");
        let mut statement = self.connection.prepare(&sql).map_err(fail)?;
        let mut entries = statement.query(rusqlite::params![job, last]).map_err(fail)?;
        while let Some(row) = entries.next().map_err(fail)? {
            each(row.get(0).map_err(fail)?)?;
        }
        drop(entries);
        drop(statement);
        self.last_entry.committed = last;
        Ok(())
    }

    fn note(&mut self, job: &str, entries: &[String]) -> Result<(), Error> {
        let write = || {
            if self.connection.query_row(READ_LAST_ENTRY, [], |row| row.get::<_, i64>(0))? != self.last_entry.written {
                return Ok(None);
            }
            let sql = format!("INSERT INTO {JOURNAL} (job, entry) VALUES (?1, ?2)");
            let mut statement = self.connection.prepare_cached(&sql)?;
            entries.iter().try_for_each(|entry| statement.execute([job, entry]).map(drop))?;
            Ok(Some(self.connection.last_insert_rowid()))
        };
        let Some(last) = write().map_err(|error| self.error(WRITE_JOURNAL, &error))? else {
            // This run has the lock, but some file systems do not enforce locks.
            let message =
                "somebody else wrote to table gridmill_migration: another migration is running; wait until it ends";
            return Err(self.table.fault("go on", message));
        };
        self.last_entry.written = last;
        Ok(())
    }
}

fn lock(pending: &Mutex<PendingChanges>) -> MutexGuard<'_, PendingChanges> {
    // A poisoned lock is harmless, since the functions only search the changes and leave nothing half done.
    pending.lock().unwrap_or_else(PoisonError::into_inner)
}
