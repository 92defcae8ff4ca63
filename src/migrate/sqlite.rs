//! SQLite databases. A batch is one `UPDATE` over a range of keys, which asks two functions of ours what each row should be:
//! that is as fast as an `UPDATE` that knows it, and needs no other table.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::functions::FunctionFlags;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};

use super::{Cell, Change, Database, Job, Key, NotWritten, Row, Written};
use crate::error::{Error, escape};

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
    pending: Arc<Mutex<Pending>>,
}

/// The changes of the batch at hand, as the functions look for them.
#[derive(Default)]
struct Pending {
    keys: Vec<Key>,
    olds: Vec<Cell>,
    news: Vec<New>,
    places: HashMap<Key, usize>,
    /// Rows come in the order of their keys, nearly always.
    hint: usize,
}

impl Pending {
    fn find(&mut self, key: &Key) -> Option<usize> {
        let near = [self.hint, self.hint + 1];
        let place = near.into_iter().find(|&at| self.keys.get(at) == Some(key)).or_else(|| {
            if self.places.is_empty() {
                self.places = self.keys.iter().cloned().zip(0..).collect();
            }
            self.places.get(key).copied()
        })?;
        self.hint = place;
        Some(place)
    }
}

/// An identifier between quotes.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
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
            pending: Arc::default(),
        };
        this.check(job)?;
        this.register().map_err(|error| fail("prepare it", words(&error)))?;
        Ok(this)
    }

    fn error(&self, action: &str, error: &rusqlite::Error) -> Error {
        Error::Database { database: self.name.clone(), action: action.into(), message: words(error) }
    }

    /// Checks that table and columns are there, and finds what names the rows.
    fn check(&mut self, job: &Job) -> Result<(), Error> {
        let fail = |message: String| Error::Database {
            database: self.name.clone(),
            action: format!("use table {:?}", escape(job.table.as_bytes())),
            message,
        };
        let error = |error: rusqlite::Error| fail(words(&error));
        let kind: Option<String> = self
            .connection
            .query_row(
                "SELECT type FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE AND type IN ('table', 'view')",
                [&job.table],
                |row| row.get(0),
            )
            .optional()
            .map_err(error)?;
        match kind.as_deref() {
            None => return Err(fail(format!("there is none; tables: {}", self.tables().map_err(error)?))),
            Some("table") => {}
            Some(_) => return Err(fail("it is a view; name the table that has the column".into())),
        }
        let columns = self.columns(&job.table).map_err(error)?;
        for name in [Some(&job.column), job.to.as_ref(), job.key.as_ref()].into_iter().flatten() {
            if !columns.iter().any(|column| column.name.eq_ignore_ascii_case(name)) {
                let all: Vec<_> = columns.iter().map(|column| escape(column.name.as_bytes())).collect();
                let name = escape(name.as_bytes());
                return Err(fail(format!("it has no column {name:?}; columns: {}", all.join(", "))));
            }
        }
        self.key = match &job.key {
            Some(key) => self.named_key(job, &columns, key)?,
            None => self.own_key(job, &columns)?,
        };
        let written = job.to.as_ref().unwrap_or(&job.column);
        // A whole number as primary key is the row number by another name.
        let is_number = |column: &&Column| column.primary > 0 && column.kind.eq_ignore_ascii_case("integer");
        let number = columns.iter().find(is_number).is_some_and(|column| column.name.eq_ignore_ascii_case(written));
        if number || self.key.eq_ignore_ascii_case(&quoted(written)) {
            return Err(Error::Usage("the column that names the rows cannot be the one that is written".into()));
        }
        Ok(())
    }

    fn tables(&self) -> rusqlite::Result<String> {
        let mut statement =
            self.connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")?;
        let names = statement.query_map([], |row| row.get::<_, String>(0))?;
        let names: Vec<_> = names.map(|name| name.map(|name| escape(name.as_bytes()))).collect::<Result<_, _>>()?;
        Ok(if names.is_empty() { "none".into() } else { names.join(", ") })
    }

    fn columns(&self, table: &str) -> rusqlite::Result<Vec<Column>> {
        let mut statement =
            self.connection.prepare("SELECT name, \"notnull\", pk, type FROM pragma_table_xinfo(?1)")?;
        let column = |row: &rusqlite::Row| {
            let not_null = row.get::<_, i64>(1)? != 0;
            Ok(Column { name: row.get(0)?, not_null, primary: row.get(2)?, kind: row.get(3)? })
        };
        statement.query_map([table], column)?.collect()
    }

    /// A key that the user named: it must name one row.
    fn named_key(&self, job: &Job, columns: &[Column], key: &str) -> Result<String, Error> {
        let error = |error: rusqlite::Error| self.error("look at the key", &error);
        let refuse = |message: String| {
            Err(Error::Database { database: self.name.clone(), action: format!("use {key:?} as a key"), message })
        };
        let primary: Vec<_> = columns.iter().filter(|column| column.primary > 0).collect();
        let is_primary = matches!(&primary[..], [one] if one.name.eq_ignore_ascii_case(key));
        if !is_primary {
            let unique = "SELECT count(*) FROM pragma_index_list(?1) AS l WHERE l.\"unique\" AND NOT l.partial AND
                          (SELECT group_concat(lower(i.name), char(0)) FROM pragma_index_info(l.name) AS i) = lower(?2)";
            let indexes: i64 =
                self.connection.query_row(unique, params![job.table, key], |row| row.get(0)).map_err(error)?;
            if indexes == 0 {
                return refuse(
                    "it has no unique index, so it may name several rows; make one, or leave --key out".into(),
                );
            }
        }
        let nulls: i64 = self
            .connection
            .query_row(&format!("SELECT count(*) FROM {} WHERE {} IS NULL", self.table, quoted(key)), [], |row| {
                row.get(0)
            })
            .map_err(error)?;
        if nulls > 0 {
            return refuse(format!("{nulls} rows have no value in it"));
        }
        Ok(quoted(key))
    }

    /// The row number, or the only column of the primary key where there are no row numbers.
    fn own_key(&self, job: &Job, columns: &[Column]) -> Result<String, Error> {
        // A column may have one of these names and mean something else.
        let hidden = |name: &&str| !columns.iter().any(|column| column.name.eq_ignore_ascii_case(name));
        let row_number = ["rowid", "_rowid_", "oid"].into_iter().find(hidden);
        if let Some(name) = row_number
            && self.connection.prepare(&format!("SELECT {name} FROM {}", self.table)).is_ok()
        {
            return Ok(name.to_string());
        }
        let primary: Vec<_> = columns.iter().filter(|column| column.primary > 0).collect();
        match &primary[..] {
            [one] if one.not_null || row_number.is_some() => Ok(quoted(&one.name)),
            _ => Err(Error::Database {
                database: self.name.clone(),
                action: format!("use table {:?}", escape(job.table.as_bytes())),
                message: "no single column names its rows; name one with a unique index with --key".into(),
            }),
        }
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

    /// One `UPDATE` for all changes. An error may be about one row of them.
    fn write_all(&mut self, changes: &[Change], all: bool) -> rusqlite::Result<usize> {
        let (Some(first), Some(last)) = (changes.first(), changes.last()) else { return Ok(0) };
        {
            let mut pending = lock(&self.pending);
            *pending = Pending::default();
            for change in changes {
                pending.keys.push(change.row.key.clone());
                pending.news.push(New::of(change));
                if !all {
                    pending.olds.push(change.row.old.clone());
                }
            }
        }
        let Self { key: name, column, to, table, .. } = &*self;
        let to = to.as_ref().unwrap_or(column);
        // Nobody else can write between the reading and this, so that where all rows change there is nothing to compare.
        let others = if all { String::new() } else { format!(" AND gridmill_is_old({name}, {column})") };
        let sql = format!("UPDATE {table} SET {to} = gridmill_new({name}) WHERE {name} >= ?1 AND {name} <= ?2{others}");
        let mut statement = self.connection.prepare_cached(&sql)?;
        statement.execute([&first.row.key, &last.row.key])
    }

    /// One row by itself: what is wrong with it, if the database does not take it.
    fn write_one(&mut self, change: &Change) -> rusqlite::Result<Option<NotWritten>> {
        let Self { key: name, column, to, table, .. } = &*self;
        let to = to.as_ref().unwrap_or(column);
        let sql = format!("UPDATE {table} SET {to} = ?1 WHERE {name} = ?2 AND {column} IS ?3");
        let (old, new) = (old_value(&change.row.old), New::of(change));
        let done = self.connection.prepare_cached(&sql)?.execute(params![new, change.row.key, old]);
        match done {
            Ok(0) => Ok(Some(NotWritten::Changed)),
            Ok(_) => Ok(None),
            Err(error) if is_about_a_row(&error) => Ok(Some(NotWritten::Refused(words(&error)))),
            Err(error) => Err(error),
        }
    }

    /// Row by row, after an error that is about one of them, or where some were not changed.
    fn write_each(&mut self, changes: &[Change]) -> rusqlite::Result<Vec<(usize, NotWritten)>> {
        let mut missed = Vec::new();
        for (at, change) in changes.iter().enumerate() {
            self.connection.execute_batch("SAVEPOINT gridmill_row")?;
            let why = self.write_one(change)?;
            if matches!(why, Some(NotWritten::Refused(_))) {
                self.connection.execute_batch("ROLLBACK TO gridmill_row")?;
            }
            self.connection.execute_batch("RELEASE gridmill_row")?;
            missed.extend(why.map(|why| (at, why)));
        }
        Ok(missed)
    }
}

struct Column {
    name: String,
    not_null: bool,
    /// Its place in the primary key, from 1; 0 if it is not of it.
    primary: i64,
    kind: String,
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

    fn begin(&mut self) -> Result<(), Error> {
        // At once with the right to write, so that nobody changes what is read in it.
        self.connection.execute_batch("BEGIN IMMEDIATE").map_err(|error| self.error("begin a transaction", &error))
    }

    fn commit(&mut self) -> Result<(), Error> {
        self.connection.execute_batch("COMMIT").map_err(|error| self.error("commit a transaction", &error))
    }

    fn rollback(&mut self) -> Result<(), Error> {
        self.connection.execute_batch("ROLLBACK").map_err(|error| self.error("end a transaction", &error))
    }

    fn write(&mut self, changes: &[Change], all: bool) -> Result<Written, Error> {
        let fail = |this: &Self, error: &rusqlite::Error| this.error("write rows", error);
        let savepoint = |this: &Self, sql: &str| this.connection.execute_batch(sql).map_err(|error| fail(this, &error));
        savepoint(self, "SAVEPOINT gridmill_batch")?;
        match self.write_all(changes, all) {
            Ok(written) if written == changes.len() => {
                savepoint(self, "RELEASE gridmill_batch")?;
                return Ok(Written::Done(Vec::new()));
            }
            Err(error) if !is_about_a_row(&error) => return Err(fail(self, &error)),
            _ => {}
        }
        savepoint(self, "ROLLBACK TO gridmill_batch; RELEASE gridmill_batch")?;
        self.write_each(changes).map(Written::Done).map_err(|error| fail(self, &error))
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

impl rusqlite::ToSql for Key {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        Ok(match self {
            Self::Integer(number) => (*number).into(),
            Self::Text(text) => text.as_str().into(),
            Self::Blob(bytes) => bytes.as_slice().into(),
            Self::Real(bits) => f64::from_bits(*bits).into(),
        })
    }
}

fn key(value: ValueRef) -> Key {
    match value {
        ValueRef::Integer(number) => Key::Integer(number),
        ValueRef::Real(number) => Key::Real(number.to_bits()),
        ValueRef::Text(text) => match std::str::from_utf8(text) {
            Ok(text) => Key::Text(text.into()),
            Err(_) => Key::Blob(text.to_vec()),
        },
        ValueRef::Blob(bytes) => Key::Blob(bytes.to_vec()),
        ValueRef::Null => Key::Blob(Vec::new()),
    }
}

fn cell(value: ValueRef) -> Cell {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Number(number.to_string()),
        ValueRef::Real(number) => Cell::Number(number.to_string()),
        ValueRef::Text(text) => Cell::Text(text.to_vec()),
        ValueRef::Blob(bytes) => Cell::Blob(bytes.to_vec()),
    }
}

/// Whether a value is still what it was.
fn is(old: &Cell, now: ValueRef) -> bool {
    match (old, now) {
        (Cell::Text(old), ValueRef::Text(now)) | (Cell::Blob(old), ValueRef::Blob(now)) => old == now,
        _ => false,
    }
}

/// A new string, as the type that the old one has.
#[derive(Clone)]
struct New {
    string: Arc<str>,
    is_blob: bool,
}

impl New {
    fn of(change: &Change) -> Self {
        Self { string: Arc::clone(change.new), is_blob: matches!(change.row.old, Cell::Blob(_)) }
    }
}

impl rusqlite::ToSql for New {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        let bytes = self.string.as_bytes();
        let value = if self.is_blob { ValueRef::Blob(bytes) } else { ValueRef::Text(bytes) };
        Ok(rusqlite::types::ToSqlOutput::Borrowed(value))
    }
}

fn old_value(old: &Cell) -> Value {
    match old {
        Cell::Blob(bytes) => Value::Blob(bytes.clone()),
        Cell::Text(bytes) => Value::Text(String::from_utf8_lossy(bytes).into_owned()),
        Cell::Null => Value::Null,
        Cell::Number(text) => Value::Text(text.clone()),
    }
}

/// Whether an error is about the row that was written, and not about the database.
fn is_about_a_row(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch | ErrorCode::TooBig)
    )
}

/// The database's own words, and what to do.
fn words(error: &rusqlite::Error) -> String {
    let hint = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "; somebody else is writing to it: run again later, or wait longer with --wait"
        }
        Some(ErrorCode::ReadOnly) => "; the file or its folder may not be written",
        _ => "",
    };
    format!("{}{hint}", escape(error.to_string().as_bytes()))
}
