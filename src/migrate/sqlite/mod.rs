//! SQLite databases. A batch is one `UPDATE` over a range of keys, which asks two functions of ours what each row should be:
//! that is as fast as an `UPDATE` that knows it, and needs no other table.
//!
//! - `schema`: the table, its columns, and what names its rows. `values`: what stands in cells. `write`: changing rows.

mod schema;
mod values;
mod write;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, OpenFlags};

use super::{Cell, Change, Database, Job, Key, Row, Written};
use crate::error::{Error, escape};
use schema::quoted;
use values::{New, cell, is, key, words};

/// The table in which migrations write down what they did.
const JOURNAL: &str = "gridmill_migration";

/// KiB of pages that are kept.
const CACHE: i64 = 16 << 10;

/// A SQLite database with the column of a job.
pub struct Sqlite {
    connection: Connection,
    name: String,
    table: String,
    key: String,
    column: String,
    to: Option<String>,
    /// How a statement begins that changes rows.
    update: &'static str,
    pending: Arc<Mutex<Pending>>,
}

/// The changes of the batch at hand, as the functions look for them.
#[derive(Default)]
struct Pending {
    keys: Vec<Key>,
    olds: Vec<Cell>,
    news: Vec<New>,
    places: HashMap<Key, usize>,
    /// The row that is being written. Rows come in the order of their keys, nearly always.
    at: usize,
}

impl Pending {
    fn find(&mut self, key: &Key) -> Option<usize> {
        let near = [self.at, self.at + 1];
        let place = near.into_iter().find(|&at| self.keys.get(at) == Some(key)).or_else(|| {
            if self.places.is_empty() {
                self.places = self.keys.iter().cloned().zip(0..).collect();
            }
            self.places.get(key).copied()
        })?;
        self.at = place;
        Some(place)
    }
}

impl Sqlite {
    /// Opens a database file. `write` is whether anything is to be written; `wait` how long others that write are waited for.
    ///
    /// # Errors
    /// The file is no database; the table, a column, or what names the rows is missing.
    pub fn open(path: &Path, job: &Job, write: bool, wait: Duration) -> Result<Self, Error> {
        let name = escape(path.as_os_str().as_encoded_bytes());
        let fail =
            |action: &str, message: String| Error::Database { database: name.clone(), action: action.into(), message };
        let names = [Some(&job.table), Some(&job.column), job.to.as_ref(), job.key.as_ref()];
        if names.into_iter().flatten().any(|name| name.contains('\0') || name.is_empty()) {
            return Err(Error::Usage("a name of a table or column is empty, or holds a NUL".into()));
        }
        if !path.is_file() {
            return Err(fail("open it", "there is no such file".into()));
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
            table: quoted(&job.table),
            key: String::new(),
            column: quoted(&job.column),
            to: job.to.as_deref().map(quoted),
            update: "UPDATE",
            pending: Arc::default(),
        };
        this.check(job)?;
        this.register().map_err(|error| fail("prepare it", words(&error)))?;
        Ok(this)
    }

    fn error(&self, action: &str, error: &rusqlite::Error) -> Error {
        Error::Database { database: self.name.clone(), action: action.into(), message: words(error) }
    }

    /// The functions that an `UPDATE` asks.
    fn register(&self) -> rusqlite::Result<()> {
        // Not deterministic, so that SQLite asks for each row.
        let flags = FunctionFlags::SQLITE_UTF8;
        let pending = Arc::clone(&self.pending);
        self.connection.create_scalar_function("gridmill_is_old", 2, flags, move |context| {
            let mut pending = lock(&pending);
            let Some(place) = pending.find(&key(context.get_raw(0))) else { return Ok(false) };
            Ok(is(&pending.olds[place], context.get_raw(1)))
        })?;
        let pending = Arc::clone(&self.pending);
        self.connection.create_scalar_function("gridmill_new", 1, flags, move |context| {
            let mut pending = lock(&pending);
            let place = pending.find(&key(context.get_raw(0)));
            let new = place.map(|place| pending.news[place].clone());
            new.ok_or_else(|| rusqlite::Error::UserFunctionError("a row that is not to be written".into()))
        })
    }

    fn query(&mut self, condition: &str, values: &[&dyn rusqlite::ToSql]) -> rusqlite::Result<Vec<Row>> {
        let Self { key: name, column, to, table, .. } = &*self;
        let target = to.as_ref().map_or(String::new(), |to| format!(", {to}"));
        let sql = format!("SELECT {name}, {column}{target} FROM {table} WHERE {condition}");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let has_target = to.is_some();
        let row = |row: &rusqlite::Row| {
            let target = if has_target { Some(cell(row.get_ref(2)?)) } else { None };
            Ok(Row { key: key(row.get_ref(0)?), old: cell(row.get_ref(1)?), target })
        };
        statement.query_map(values, row)?.collect()
    }
}

impl Database for Sqlite {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn slice(&self) -> usize {
        2_000 // they stay in the second-level cache, and their memory is used again: a fifth faster than 50,000
    }

    fn read(&mut self, after: Option<&Key>, last: Option<&Key>, limit: usize) -> Result<Vec<Row>, Error> {
        let name = self.key.clone();
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = match (after, last) {
            (None, None) => self.query(&format!("1 ORDER BY {name} LIMIT ?1"), &[&limit]),
            (Some(after), None) => self.query(&format!("{name} > ?1 ORDER BY {name} LIMIT ?2"), &[after, &limit]),
            (None, Some(last)) => self.query(&format!("{name} <= ?1 ORDER BY {name} LIMIT ?2"), &[last, &limit]),
            (Some(after), Some(last)) => {
                self.query(&format!("{name} > ?1 AND {name} <= ?2 ORDER BY {name} LIMIT ?3"), &[after, last, &limit])
            }
        };
        rows.map_err(|error| self.error("read rows", &error))
    }

    fn read_one(&mut self, key: &Key) -> Result<Option<Row>, Error> {
        let name = self.key.clone();
        let rows = self.query(&format!("{name} = ?1"), &[key]);
        Ok(rows.map_err(|error| self.error("read a row", &error))?.pop())
    }

    fn count(&mut self) -> Result<u64, Error> {
        let sql = format!("SELECT count(*) FROM {} NOT INDEXED", self.table);
        let rows: rusqlite::Result<i64> = self.connection.query_row(&sql, [], |row| row.get(0));
        rows.map(i64::unsigned_abs).map_err(|error| self.error("count rows", &error))
    }

    fn begin_reading(&mut self) -> Result<(), Error> {
        self.connection.execute_batch("BEGIN").map_err(|error| self.error("begin a transaction", &error))
    }

    fn begin(&mut self) -> Result<(), Error> {
        // At once with the right to write, so that nobody changes what is read in it.
        self.connection.execute_batch("BEGIN IMMEDIATE").map_err(|error| self.error("begin a transaction", &error))
    }

    fn commit(&mut self) -> Result<(), Error> {
        self.connection.execute_batch("COMMIT").map_err(|error| self.error("commit a transaction", &error))
    }

    fn rollback(&mut self) -> Result<(), Error> {
        if self.connection.is_autocommit() {
            return Ok(()); // the database did it already
        }
        self.connection.execute_batch("ROLLBACK").map_err(|error| self.error("end a transaction", &error))
    }

    fn write(&mut self, changes: &[Change], all: bool) -> Result<Written, Error> {
        let written = match self.write_changes(changes, all) {
            Ok(missed) => Written::Done(missed),
            Err(error) if self.has_ended(&error) => Written::Ended(lock(&self.pending).at, words(&error)),
            Err(error) => return Err(self.error("write rows", &error)),
        };
        Ok(written)
    }

    fn writes_bytes(&self, old: &Cell) -> bool {
        matches!(old, Cell::Blob(_))
    }

    fn width(&self) -> Option<usize> {
        None // VARCHAR(100) is only a word to SQLite
    }

    fn make_journal(&mut self) -> Result<(), Error> {
        let sql = format!(
            "CREATE TABLE IF NOT EXISTS {JOURNAL} (id INTEGER PRIMARY KEY, job TEXT NOT NULL, entry TEXT NOT NULL)"
        );
        self.connection.execute_batch(&sql).map_err(|error| self.error("make table gridmill_migration", &error))
    }

    fn journal(&mut self, job: &str) -> Result<Vec<String>, Error> {
        let read = || {
            let mut statement =
                self.connection.prepare(&format!("SELECT entry FROM {JOURNAL} WHERE job = ?1 ORDER BY id"))?;
            let entries = statement.query_map([job], |row| row.get(0))?;
            entries.collect::<rusqlite::Result<Vec<String>>>()
        };
        read().map_err(|error| self.error("read table gridmill_migration", &error))
    }

    fn note(&mut self, job: &str, entries: &[String]) -> Result<(), Error> {
        let write = || {
            let sql = format!("INSERT INTO {JOURNAL} (job, entry) VALUES (?1, ?2)");
            let mut statement = self.connection.prepare_cached(&sql)?;
            entries.iter().try_for_each(|entry| statement.execute([job, entry]).map(drop))
        };
        write().map_err(|error| self.error("write to table gridmill_migration", &error))
    }
}

fn lock(pending: &Mutex<Pending>) -> MutexGuard<'_, Pending> {
    // Only looked into; nothing can be half done.
    pending.lock().unwrap_or_else(PoisonError::into_inner)
}
