//! The trait of all databases, and what passes between a database and a migration.

use std::time::Duration;

use super::{ColumnValue, JobColumn, KeyValue, NewValue, TableRow};
use crate::error::Error;

/// How many bytes of values are read at a time, not counting the last value. A value with more than this is not read.
pub const PAGE: usize = 4 << 20;

/// The type of new strings.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum StoredAs {
    /// Bytes if the old string is bytes, otherwise text.
    TheOld,
    /// Bytes or text, for each of the columns.
    Bytes(Vec<bool>),
}

impl StoredAs {
    /// Whether the new string of a row is stored as bytes.
    pub(super) fn is_bytes(&self, row: &TableRow) -> bool {
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
#[non_exhaustive]
pub enum NotWritten {
    /// It has changed since it was read.
    Changed,
    /// The database does not accept it, because of a constraint or a trigger.
    Refused(String),
}

/// Interference of other sessions with a batch.
#[derive(Debug, Clone)]
pub struct Interference {
    /// The database's message.
    pub message: String,
    /// Whether another session holds a lock for longer than the batch waited.
    pub is_lock: bool,
}

/// The result of writing rows.
#[derive(Debug)]
#[non_exhaustive]
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
    /// more than [`PAGE`] bytes, but at least one if there is one. In place of a value that has more than this itself,
    /// there is [`ColumnValue::TooLarge`].
    ///
    /// # Errors
    /// An error of the database.
    fn read(&mut self, after: Option<&KeyValue>, last: Option<&KeyValue>, limit: usize)
    -> Result<Vec<TableRow>, Error>;

    /// Takes back rows that it gave, to reuse their memory.
    fn reuse(&mut self, _rows: Vec<TableRow>) {}

    /// The row with this key, with all columns, if it exists.
    ///
    /// # Errors
    /// An error of the database.
    fn read_one(&mut self, key: &KeyValue) -> Result<Vec<TableRow>, Error>;

    /// Counts the rows after `after` and up to `last`; for the whole table without relying on its indexes.
    ///
    /// # Errors
    /// An error of the database.
    fn count(&mut self, after: Option<&KeyValue>, last: Option<&KeyValue>) -> Result<u64, Error>;

    /// Whether nobody else can write to the database, to any row, during a transaction that writes, or that only reads.
    fn keeps_others_from_writing(&self, _reads: bool) -> bool {
        false
    }

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

    /// Whether what this transaction wrote may have deleted rows of the table, by a trigger or rule. (In MySQL and MariaDB,
    /// these cannot write to the table that is being written.)
    ///
    /// # Errors
    /// An error of the database.
    fn may_have_deleted(&mut self) -> Result<bool, Error> {
        Ok(false)
    }

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
