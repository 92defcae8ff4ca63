//! Databases: columns of strings become version 2 in place, in batches, each a transaction that also writes down what it did
//! in a table `gridmill_migration`. A run that was interrupted at any moment goes on where that table says; one that finished
//! finds nothing to do.
//!
//! - [`Migration`]: what is to be done with which column; [`Migration::preview`], [`Migration::write`], [`Migration::verify`].
//! - `decide`: what becomes of each row; `links`: of text with links. `journal`: what is written down, and the hash of a batch. `run`: the look.
//! - `batches`: what is written, in transactions that can be interrupted; `attempt`: the rows of one.
//! - `filter`: which rows. `interrupted`: which run comes first. `pace`: how fast. `backup`, `restore`: a way back.
//! - `shared_bytes`: new strings. `verify`: the look back. `trail`: what it knows of single rows. `rejected`: those that were refused.
//! - `dialect`: what the databases have in common; `tls`: how connections are encrypted. `sqlite`, `postgres`, `mysql`: the
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
pub use verify::{Range, Verified};

use std::time::Duration;

use crate::engine::Conversion;
use crate::error::Error;

/// Bytes of values that are read at a time, but for the last of them.
pub const PAGE: usize = 4 << 20;

/// Columns of a table and what is to become of them.
#[derive(Debug, Clone)]
pub struct Job {
    /// The table, by its name alone or with its schema.
    pub table: String,
    /// The columns with the strings; one at least.
    pub columns: Vec<JobColumn>,
    /// The column that names each row, or several between commas; the primary key if there is none.
    pub key: Option<String>,
    /// A condition of the database's language that rows have to meet; all do if there is none.
    pub filter: Option<String>,
    /// Plain strings become version 2 too; else they stay, since that form of link stays.
    pub plain: bool,
    /// Texts with links in them, which are rewritten in place, and not strings.
    pub links: bool,
    /// How strings are read.
    pub plan: Conversion,
    /// Rows of a transaction.
    pub batch: usize,
}

/// A column with strings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobColumn {
    /// Its name.
    pub name: String,
    /// The column that gets the new strings; the same one if there is none.
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

/// What names a row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Key {
    /// A whole number.
    Integer(i64),
    /// One that is too large for that.
    Unsigned(u64),
    /// Text, which need not be UTF-8 in SQLite; in PostgreSQL a value of any type.
    Text(Vec<u8>),
    /// Bytes.
    Blob(Vec<u8>),
    /// The bits of a floating-point number.
    Real(u64),
    /// The values of several columns.
    Several(Vec<Key>),
}

/// A value of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnValue {
    /// Nothing.
    Null,
    /// Text.
    Text(Vec<u8>),
    /// Bytes.
    Blob(Vec<u8>),
    /// A number, as text.
    Number(String),
}

impl Job {
    /// Fails if names cannot be those of a table and its columns.
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

    /// The name of one of its columns, where there are several.
    fn column_name(&self, column: usize) -> Option<&str> {
        (self.columns.len() > 1).then(|| self.columns[column].name.as_str())
    }
}

impl Key {
    /// The key of so many columns; each has a value.
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
    /// Its bytes, if it has some.
    fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Text(bytes) | Self::Blob(bytes) => Some(bytes),
            Self::Null | Self::Number(_) => None,
        }
    }
}

/// A row as it was read, with one of the job's columns: where there are several, a row comes once for each, in their order.
#[derive(Debug, Clone)]
pub struct TableRow {
    /// What names it.
    pub key: Key,
    /// Which of the columns it is with.
    pub column: usize,
    /// The string.
    pub old: ColumnValue,
    /// What the column for new strings has, if that is another one.
    pub target: Option<ColumnValue>,
}

/// What a column is to hold. The database is given no copy of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewValue {
    /// Nothing.
    Null,
    /// Text.
    Text(SharedBytes),
    /// Bytes.
    Blob(SharedBytes),
}

impl NewValue {
    /// Its bytes, if it has some.
    fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Text(bytes) | Self::Blob(bytes) => Some(bytes),
            Self::Null => None,
        }
    }
}

/// How new strings are stored.
#[derive(Debug, Clone)]
pub enum StoredAs {
    /// As bytes where the old one is bytes, and else as text.
    TheOld,
    /// As bytes, or not, in each of the columns.
    Bytes(Vec<bool>),
}

impl StoredAs {
    /// Whether that of a row is stored as bytes, and not as text.
    fn is_bytes(&self, row: &TableRow) -> bool {
        match self {
            Self::TheOld => matches!(row.old, ColumnValue::Blob(_)),
            Self::Bytes(columns) => columns[row.column],
        }
    }
}

/// A row that is to be changed, in one of the columns.
#[derive(Debug)]
pub struct Change<'a> {
    /// The row as it was read; it is changed only if it is still like that.
    pub row: &'a TableRow,
    /// What it is to hold.
    pub new: &'a NewValue,
}

/// Why a row was not changed.
#[derive(Debug, Clone)]
pub enum NotWritten {
    /// It is not as it was read any more.
    Changed,
    /// The database does not take it: a constraint, a trigger.
    Refused(String),
}

/// How writing rows ended.
#[derive(Debug)]
pub enum BatchOutcome {
    /// All were written but these, by their index.
    Done(Vec<(usize, NotWritten)>),
    /// Somebody else changed rows after they were read, or locks them; the transaction has to be begun again.
    Conflict(Interference),
    /// The database ended the transaction, and all that was written in it is as it was: because of one row, by its index, and in
    /// the database's words. Without that row it has to be begun again.
    Ended(usize, String),
}

/// A database with the column of a job.
pub trait Database {
    /// What sort of database it is: `sqlite`, `postgres` or `mysql`, as the program calls it.
    fn kind(&self) -> &'static str;

    /// What messages call it; without a password.
    fn name(&self) -> String;

    /// The table, its columns and how its rows are found, as the database names them: however it was typed, it is one migration.
    fn names(&self) -> Vec<String>;

    /// The job's columns, as the database names them.
    fn columns(&self) -> Vec<JobColumn>;

    /// Whether something else happens in the table when its rows are written: triggers, rules.
    fn has_triggers(&self) -> bool;

    /// What is worth knowing before anything is written: rows that one might expect to be migrated too.
    fn notes(&self) -> &[String] {
        &[]
    }

    /// Rows that are best read and written at a time.
    fn slice(&self) -> usize;

    /// Rows in the order of their keys, each with all columns: after `after`, up to `last`, at most `limit`; fewer where they have
    /// more than [`PAGE`] bytes, and at least one if there is one.
    ///
    /// # Errors
    /// What the database answers.
    fn read(&mut self, after: Option<&Key>, last: Option<&Key>, limit: usize) -> Result<Vec<TableRow>, Error>;

    /// Takes rows that it gave and that are not needed any more, so that their memory may be used for the next ones.
    fn reuse(&mut self, _rows: Vec<TableRow>) {}

    /// The row of a key with all columns, if it is there.
    ///
    /// # Errors
    /// What the database answers.
    fn read_one(&mut self, key: &Key) -> Result<Vec<TableRow>, Error>;

    /// How many rows the table has after `after` and up to `last`; of all of it whatever its indexes say.
    ///
    /// # Errors
    /// What the database answers.
    fn count(&mut self, after: Option<&Key>, last: Option<&Key>) -> Result<u64, Error>;

    /// Begins a transaction that only reads, all of it as it is at one moment.
    ///
    /// # Errors
    /// What the database answers.
    fn begin_reading(&mut self) -> Result<(), Error>;

    /// Begins a transaction that writes.
    ///
    /// # Errors
    /// What the database answers, also after having waited for others for as long as was allowed.
    fn begin(&mut self) -> Result<(), Error>;

    /// Ends it, and keeps what it wrote.
    ///
    /// # Errors
    /// What the database answers; then nothing is written.
    fn commit(&mut self) -> Result<(), Error>;

    /// Ends it as if it had not been.
    ///
    /// # Errors
    /// What the database answers.
    fn rollback(&mut self) -> Result<(), Error>;

    /// Changes rows; the changes of a row follow each other. `all` says that they are all rows between the first and the last of
    /// them, each with all columns, as they were read in the same transaction.
    ///
    /// # Errors
    /// What the database answers where it is not about one row.
    fn write(&mut self, changes: &[Change], all: bool) -> Result<BatchOutcome, Error>;

    /// What the last error says, if it is that others interfered: the transaction has to be begun again.
    fn conflict(&mut self) -> Option<Interference> {
        None
    }

    /// How long a statement waits for a lock of somebody else, from now on. (SQLite waits before it has any itself, and for as long
    /// as was allowed.)
    ///
    /// # Errors
    /// What the database answers.
    fn wait_for_locks(&mut self, _longest: Duration) -> Result<(), Error> {
        Ok(())
    }

    /// Uses the connection, so that the server does not take it for one that was left.
    ///
    /// # Errors
    /// What the database answers.
    fn stay(&mut self) -> Result<(), Error> {
        Ok(())
    }

    /// Seconds that the replica is behind, which is what it says itself or what a query says; none if that is not known.
    ///
    /// # Errors
    /// What the database answers; there is no replica to be asked.
    fn lag(&mut self, query: Option<&str>) -> Result<Option<f64>, Error>;

    /// How new strings are stored.
    fn stored_as(&self) -> StoredAs;

    /// The most characters that what is written of a column may have, if there is a limit.
    fn width(&self, column: usize) -> Option<usize>;

    /// Makes the journal's table if it is not there.
    ///
    /// # Errors
    /// What the database answers.
    fn make_journal(&mut self) -> Result<(), Error>;

    /// The jobs of which the journal has entries.
    ///
    /// # Errors
    /// What the database answers.
    fn jobs(&mut self) -> Result<Vec<String>, Error>;

    /// Gives the entries of the journal for a job, in order; none if there is no journal.
    ///
    /// # Errors
    /// What the database answers, and what `each` does.
    fn journal(&mut self, job: &str, each: &mut dyn FnMut(String) -> Result<(), Error>) -> Result<(), Error>;

    /// Writes entries down.
    ///
    /// # Errors
    /// What the database answers.
    fn note(&mut self, job: &str, entries: &[String]) -> Result<(), Error>;
}
