//! The trait of all databases, and what passes between a database and a migration.

use std::time::Duration;

use super::dialect::{MAKE_JOURNAL, READ_JOURNAL, SqlDialect};
use super::{JobTable, KeyValue, NewValue, TableRow};
use crate::error::Error;

/// How many bytes of values are read at a time, not counting the last value. A value with more than this is not read.
pub const PAGE: usize = 4 << 20;

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

/// Why rows were not read, or a transaction not committed.
#[derive(Debug)]
pub struct Failure {
    /// The error.
    pub error: Error,
    /// The interference that it reports, if it does. The transaction must then be repeated.
    pub interference: Option<Interference>,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { error, interference: None }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        failure.error
    }
}

/// What a transaction is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransactionKind {
    /// It only reads, and sees one consistent state.
    Read,
    /// It writes.
    Write,
}

/// Which rows are read.
#[derive(Debug, Clone, Copy)]
pub enum RowsToRead<'k> {
    /// The rows after a key and up to another one, ordered by key, at most this many. Fewer if they have more than
    /// [`PAGE`] bytes, but at least one if there is one.
    Page(Option<&'k KeyValue>, Option<&'k KeyValue>, usize),
    /// The row with this key, if it exists.
    Row(&'k KeyValue),
}

/// A connection to a database, with the columns of a job.
pub trait Database {
    /// What is known of the job's table.
    fn table(&self) -> &JobTable;

    /// Runs a statement, whose purpose is `action` in messages. Returns the first column of its rows, as text.
    ///
    /// # Errors
    /// An error of the database.
    fn answers(&mut self, sql: &str, action: &str) -> Result<Vec<Option<String>>, Error>;

    /// Begins a transaction.
    ///
    /// # Errors
    /// An error of the database, also after having waited for others as long as allowed.
    fn begin(&mut self, kind: TransactionKind) -> Result<(), Error>;

    /// Commits the transaction.
    ///
    /// # Errors
    /// An error of the database; then nothing was written.
    fn commit(&mut self) -> Result<(), Failure>;

    /// Rolls the transaction back.
    ///
    /// # Errors
    /// An error of the database.
    fn rollback(&mut self) -> Result<(), Error>;

    /// Rows, each with all columns. In place of a value that has more than [`PAGE`] bytes itself, there is
    /// [`ColumnValue::TooLarge`](super::ColumnValue::TooLarge).
    ///
    /// # Errors
    /// An error of the database.
    fn read(&mut self, wanted: RowsToRead) -> Result<Vec<TableRow>, Failure>;

    /// Takes back rows that it gave, to reuse their memory.
    fn reuse(&mut self, _rows: Vec<TableRow>) {}

    /// Counts the rows after `after` and up to `last`; for the whole table without relying on its indexes.
    ///
    /// # Errors
    /// An error of the database.
    fn count(&mut self, after: Option<&KeyValue>, last: Option<&KeyValue>) -> Result<u64, Error>;

    /// Changes rows. The changes of a row are consecutive. `all` says that these are all rows between the first and the
    /// last, each with all columns, as read in the same transaction.
    ///
    /// # Errors
    /// An error of the database that is not about a row.
    fn write(&mut self, changes: &[Change], all: bool) -> Result<BatchOutcome, Error>;

    /// Calls `each` for the entries of a job in the journal, in order. A missing journal has none.
    ///
    /// # Errors
    /// An error of the database or of `each`.
    fn journal(&mut self, job: &str, each: &mut dyn FnMut(String) -> Result<(), Error>) -> Result<(), Error>;

    /// Adds entries to the journal.
    ///
    /// # Errors
    /// An error of the database.
    fn note(&mut self, job: &str, entries: &[String]) -> Result<(), Error>;

    /// The replica's lag in seconds, as the replica reports it or a query returns it; `None` if it is unknown.
    ///
    /// # Errors
    /// An error of the database, or no replica to ask.
    fn lag(&mut self, query: Option<&str>) -> Result<Option<f64>, Error>;
}

/// Creates the journal's table unless it exists.
pub(super) fn make_journal(database: &mut impl Database) -> Result<(), Error> {
    let SqlDialect { find_journal, make_journal, .. } = database.table().dialect;
    if let Some(find) = find_journal
        && !database.answers(find, READ_JOURNAL)?.is_empty()
    {
        return Ok(());
    }
    database.answers(make_journal, MAKE_JOURNAL).map(drop)
}

/// The jobs with entries in the journal.
pub(super) fn jobs(database: &mut impl Database) -> Result<Vec<String>, Error> {
    let jobs = database.answers("SELECT DISTINCT job FROM gridmill_migration", READ_JOURNAL)?;
    Ok(jobs.into_iter().flatten().collect())
}

/// Whether what this transaction wrote may have deleted rows of the table, by a trigger or rule.
pub(super) fn may_have_deleted(database: &mut impl Database) -> Result<bool, Error> {
    let Some(deleted) = database.table().deleted.clone() else { return Ok(false) };
    Ok(!database.answers(&deleted, "find out whether rows were deleted")?.is_empty())
}

/// Sets how long a statement waits for other sessions' locks from now on.
pub(super) fn wait_for_locks(database: &mut impl Database, longest: Duration) -> Result<(), Error> {
    let Some(wait) = database.table().dialect.wait_for_locks else { return Ok(()) };
    database.answers(&wait(longest), "prepare the connection").map(drop)
}

/// Uses the connection, so that the server does not close it as idle.
pub(super) fn keep_alive(database: &mut impl Database) -> Result<(), Error> {
    let Some(sql) = database.table().dialect.keep_alive else { return Ok(()) };
    database.answers(sql, "use the connection").map(drop)
}
