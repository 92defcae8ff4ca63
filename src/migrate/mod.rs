//! Converts columns of databases to version 2, in batches. Each batch is a transaction, which also records what it did
//! in a table `gridmill_migration`, the journal. A run that was interrupted at any moment continues where the journal
//! ends; after a complete run there is nothing to do.
//!
//! - [`Migration`]: the interface, with [`Migration::preview`], [`Migration::write`] and [`Migration::verify`].
//! - `run`: the preview, and what migrating and restoring have in common. `decide`: decides what to do with each row.
//!   `links`: shows texts with links in messages.
//! - `batches`: writes batches in transactions that can be interrupted. `attempt`: one attempt at a batch.
//! - `journal`: the entries of the journal, and the hash of a batch. `interrupted`: finds interrupted runs that must be
//!   continued first.
//! - `backup`: keeps old strings in a file. `restore`: puts them back. `verify`: reads rows again and compares them.
//!   `trail`: the hashes of single rows, for this comparison.
//! - `filter`: the condition of `--where`. `pace`: how fast to write. `rejected`: refused rows. `shared_bytes`: new
//!   strings.
//! - `dialect`: what the databases have in common. `tls`: encrypted connections. `sqlite`, `postgres`, `mysql`: the
//!   databases.

mod attempt;
mod backup;
mod batches;
mod decide;
mod dialect;
mod filter;
mod interrupted;
mod journal;
mod links;
mod migration;
#[cfg(feature = "mysql")]
mod mysql;
mod pace;
#[cfg(feature = "postgresql")]
mod postgres;
mod rejected;
mod restore;
mod run;
mod shared_bytes;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(any(feature = "postgresql", feature = "mysql"))]
mod tls;
mod trail;
mod verify;

pub use backup::Backup;
pub use batches::Migrated;
pub use decide::{Pair, Tally};
pub use journal::Rejected;
pub use migration::Migration;
#[cfg(feature = "mysql")]
pub use mysql::Mysql;
pub use pace::{Interference, Pace};
#[cfg(feature = "postgresql")]
pub use postgres::Postgres;
pub use rejected::RejectedRows;
pub use restore::Restore;
pub use run::Preview;
pub use shared_bytes::SharedBytes;
#[cfg(feature = "sqlite")]
pub use sqlite::Sqlite;
pub use verify::{KeyRange, Verified};

use std::time::Duration;

use crate::engine::Conversion;
use crate::error::Error;

/// How many bytes of values are read at a time, not counting the last value.
pub const PAGE: usize = 4 << 20;

/// The columns of a table to be converted, and how.
#[derive(Debug, Clone)]
pub struct MigrationJob {
    /// The table's name, with or without its schema.
    pub table: String,
    /// The columns with the strings; at least one.
    pub columns: Vec<JobColumn>,
    /// The column that identifies rows, or several separated by commas; by default the primary key.
    pub key: Option<String>,
    /// An SQL condition on the rows to be converted; by default all are.
    pub filter: Option<String>,
    /// Whether to convert plain strings to version 2. Otherwise they stay, since the site still accepts that form.
    pub plain: bool,
    /// Whether the columns have texts with links, which are rewritten in place, instead of strings.
    pub links: bool,
    /// How strings are converted.
    pub plan: Conversion,
    /// Rows in a transaction.
    pub batch: usize,
}

/// A column with strings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobColumn {
    /// Its name.
    pub name: String,
    /// The column for the new strings; by default the same one.
    pub to: Option<String>,
}

impl JobColumn {
    /// A column whose strings are replaced.
    pub fn in_place(name: &str) -> Self {
        Self { name: name.into(), to: None }
    }

    /// The column that is written.
    pub fn written(&self) -> &str {
        self.to.as_ref().unwrap_or(&self.name)
    }
}

/// The key that identifies a row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Key {
    /// A whole number.
    Integer(i64),
    /// A whole number that is too large for an `i64`.
    Unsigned(u64),
    /// Text, which may be invalid UTF-8 in SQLite; in PostgreSQL a value of any type.
    Text(Vec<u8>),
    /// Bytes.
    Blob(Vec<u8>),
    /// A floating-point number, as its bits.
    Real(u64),
    /// The values of several columns.
    Several(Vec<Key>),
}

/// A value of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnValue {
    /// NULL.
    Null,
    /// Text.
    Text(Vec<u8>),
    /// Bytes.
    Blob(Vec<u8>),
    /// A number, as text.
    Number(String),
}

impl MigrationJob {
    /// Fails if the names are invalid for a table and its columns.
    fn check(&self) -> Result<(), Error> {
        let columns = self.columns.iter().flat_map(|column| [Some(&column.name), column.to.as_ref()]);
        let mut names = [Some(&self.table), self.key.as_ref()].into_iter().chain(columns).flatten();
        if self.columns.is_empty() || names.any(|name| name.contains('\0') || name.is_empty()) {
            return Err(Error::Usage("the name of a table or column is empty or contains NUL".into()));
        }
        if self.filter.as_ref().is_some_and(|filter| filter.contains('\0') || filter.trim().is_empty()) {
            return Err(Error::Usage("the --where condition is empty or contains NUL".into()));
        }
        Ok(())
    }

    /// The name of a column, if there are several.
    fn column_name(&self, column: usize) -> Option<&str> {
        (self.columns.len() > 1).then(|| self.columns[column].name.as_str())
    }
}

impl Key {
    /// A key of one or more columns.
    #[cfg(any(feature = "postgresql", feature = "mysql"))]
    fn of_parts(mut parts: Vec<Self>) -> Self {
        match parts.pop() {
            Some(only) if parts.is_empty() => only,
            last => Self::Several(parts.into_iter().chain(last).collect()),
        }
    }

    /// The value of each column.
    fn parts(&self) -> &[Self] {
        match self {
            Self::Several(parts) => parts,
            one => std::slice::from_ref(one),
        }
    }
}

impl ColumnValue {
    /// Its bytes, unless it is NULL or a number.
    fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Text(bytes) | Self::Blob(bytes) => Some(bytes),
            Self::Null | Self::Number(_) => None,
        }
    }
}

/// A row as it was read, with one of the job's columns. With several columns, a row is given once for each, in their
/// order.
#[derive(Debug, Clone)]
pub struct TableRow {
    /// Its key.
    pub key: Key,
    /// The index of the column.
    pub column: usize,
    /// The string.
    pub old: ColumnValue,
    /// The current value of the column for new strings, if that is another one.
    pub target: Option<ColumnValue>,
}

/// A new value for a column. It shares its bytes with others, so that the database needs no copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewValue {
    /// NULL.
    Null,
    /// Text.
    Text(SharedBytes),
    /// Bytes.
    Blob(SharedBytes),
}

impl NewValue {
    /// Its bytes, unless it is NULL.
    fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Text(bytes) | Self::Blob(bytes) => Some(bytes),
            Self::Null => None,
        }
    }
}

/// The type of new strings.
#[derive(Debug, Clone)]
pub enum StoredAs {
    /// Bytes if the old string is bytes, otherwise text.
    TheOld,
    /// Bytes or text, for each of the columns.
    Bytes(Vec<bool>),
}

impl StoredAs {
    /// Whether the new string of a row is stored as bytes.
    fn is_bytes(&self, row: &TableRow) -> bool {
        match self {
            Self::TheOld => matches!(row.old, ColumnValue::Blob(_)),
            Self::Bytes(columns) => columns[row.column],
        }
    }
}

/// A change of one column of a row.
#[derive(Debug)]
pub struct Change<'a> {
    /// The row as it was read. It is changed only if it still is the same.
    pub row: &'a TableRow,
    /// The new value.
    pub new: &'a NewValue,
}

/// Why a row was not changed.
#[derive(Debug, Clone)]
pub enum NotWritten {
    /// It has changed since it was read.
    Changed,
    /// The database does not accept it, because of a constraint or a trigger.
    Refused(String),
}

/// The result of writing rows.
#[derive(Debug)]
pub enum BatchOutcome {
    /// All were written except these, given by their index.
    Done(Vec<(usize, NotWritten)>),
    /// Others changed rows after they were read, or hold locks. The transaction must be repeated.
    Conflict(Interference),
    /// The database rolled the transaction back because of one row, given by its index, for the reason it states. The
    /// transaction must be repeated without that row.
    Ended(usize, String),
}

/// A database with the columns of a job.
pub trait Database {
    /// The type of database, as the program calls it: `sqlite`, `postgres` or `mysql`.
    fn kind(&self) -> &'static str;

    /// The name in messages, without a password.
    fn name(&self) -> String;

    /// The table, its columns and its key as the database names them, so that a migration is the same one however the
    /// user spelled these.
    fn names(&self) -> Vec<String>;

    /// The job's columns, as the database names them.
    fn columns(&self) -> Vec<JobColumn>;

    /// Whether writing rows may have further effects, by triggers or rules.
    fn has_triggers(&self) -> bool;

    /// Warnings to show before anything is written: rows that a user might expect to be converted, too.
    fn notes(&self) -> &[String] {
        &[]
    }

    /// The number of rows that is best read and written at a time.
    fn slice(&self) -> usize;

    /// Rows ordered by key, each with all columns: after `after`, up to `last`, at most `limit`. Fewer if they have
    /// more than [`PAGE`] bytes, but at least one if there is one.
    ///
    /// # Errors
    /// An error of the database.
    fn read(&mut self, after: Option<&Key>, last: Option<&Key>, limit: usize) -> Result<Vec<TableRow>, Error>;

    /// Takes back rows that it gave, to reuse their memory.
    fn reuse(&mut self, _rows: Vec<TableRow>) {}

    /// The row with this key, with all columns, if it exists.
    ///
    /// # Errors
    /// An error of the database.
    fn read_one(&mut self, key: &Key) -> Result<Vec<TableRow>, Error>;

    /// Counts the rows after `after` and up to `last`; for the whole table without relying on its indexes.
    ///
    /// # Errors
    /// An error of the database.
    fn count(&mut self, after: Option<&Key>, last: Option<&Key>) -> Result<u64, Error>;

    /// Begins a read-only transaction that sees one consistent state.
    ///
    /// # Errors
    /// An error of the database.
    fn begin_reading(&mut self) -> Result<(), Error>;

    /// Begins a transaction that writes.
    ///
    /// # Errors
    /// An error of the database, also after having waited for others as long as allowed.
    fn begin(&mut self) -> Result<(), Error>;

    /// Commits the transaction.
    ///
    /// # Errors
    /// An error of the database; then nothing was written.
    fn commit(&mut self) -> Result<(), Error>;

    /// Rolls the transaction back.
    ///
    /// # Errors
    /// An error of the database.
    fn rollback(&mut self) -> Result<(), Error>;

    /// Changes rows. The changes of a row are consecutive. `all` says that these are all rows between the first and the
    /// last, each with all columns, as read in the same transaction.
    ///
    /// # Errors
    /// An error of the database that is not about a row.
    fn write(&mut self, changes: &[Change], all: bool) -> Result<BatchOutcome, Error>;

    /// The interference that the last error reported, if it did. The transaction must then be repeated.
    fn conflict(&mut self) -> Option<Interference> {
        None
    }

    /// Sets how long a statement waits for other sessions' locks from now on. (SQLite waits before it holds a lock
    /// itself, as long as allowed.)
    ///
    /// # Errors
    /// An error of the database.
    fn wait_for_locks(&mut self, _longest: Duration) -> Result<(), Error> {
        Ok(())
    }

    /// Uses the connection, so that the server does not close it as idle.
    ///
    /// # Errors
    /// An error of the database.
    fn keep_alive(&mut self) -> Result<(), Error> {
        Ok(())
    }

    /// The replica's lag in seconds, as the replica reports it or a query returns it; `None` if it is unknown.
    ///
    /// # Errors
    /// An error of the database, or no replica to ask.
    fn lag(&mut self, query: Option<&str>) -> Result<Option<f64>, Error>;

    /// The type of new strings.
    fn stored_as(&self) -> StoredAs;

    /// The largest number of characters in the column that is written, if it is limited.
    fn width(&self, column: usize) -> Option<usize>;

    /// Creates the journal's table unless it exists.
    ///
    /// # Errors
    /// An error of the database.
    fn make_journal(&mut self) -> Result<(), Error>;

    /// The jobs with entries in the journal.
    ///
    /// # Errors
    /// An error of the database.
    fn jobs(&mut self) -> Result<Vec<String>, Error>;

    /// Calls `each` for the entries of a job in order. A missing journal has none.
    ///
    /// # Errors
    /// An error of the database or of `each`.
    fn journal(&mut self, job: &str, each: &mut dyn FnMut(String) -> Result<(), Error>) -> Result<(), Error>;

    /// Adds entries to the journal.
    ///
    /// # Errors
    /// An error of the database.
    fn note(&mut self, job: &str, entries: &[String]) -> Result<(), Error>;
}
