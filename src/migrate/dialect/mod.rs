//! What the databases have in common. Each of them says how it writes names and values; the statements are built here.
//!
//! - `key`: keys, and the statements that read rows in their order. `rules`: which columns and keys can be used.
//! - `page`: how many rows are read at a time.
//! - `rows`: groups changes by row. `staged`: writes many changes with one statement, and bisects them if the database
//!   refuses one.

mod key;
#[cfg(feature = "databases")]
mod page;
mod rows;
mod rules;
#[cfg(feature = "databases")]
mod staged;

pub(super) use key::{KeyColumn, RowKey, out_of_order, trials_of};
#[cfg(feature = "databases")]
pub(super) use page::PageRows;
pub(super) use rows::{RowChanges, by_row, of_changes};
pub(super) use rules::{
    NO_KEY, StringColumn, TableColumn, check_roles, check_values, is_of_columns, named_key, no_column, no_index,
    unsuited,
};
#[cfg(feature = "databases")]
pub(super) use staged::{Staged, write_changes};

use std::time::Duration;

use crate::error::Error;

/// What distinguishes a type of database from others, apart from how it reads and writes rows.
#[derive(Debug)]
pub(super) struct SqlDialect {
    /// Its name, as the program calls it: `sqlite`, `postgres` or `mysql`.
    pub(super) kind: &'static str,
    /// The number of rows that is best read and written at a time.
    pub(super) slice: usize,
    /// Whether values have the type of their column.
    pub(super) has_typed_columns: bool,
    /// Whether nobody else can write to the database, to any row, during a transaction that writes.
    pub(super) has_one_writer: bool,
    /// A query that returns a row if there is a journal, unless the statement that creates it finds that out.
    pub(super) find_journal: Option<&'static str>,
    /// The statement that creates the journal's table.
    pub(super) make_journal: &'static str,
    /// A statement that does nothing but use the connection.
    pub(super) keep_alive: Option<&'static str>,
    /// The statement that sets how long others' locks are waited for. (SQLite waits before it holds a lock itself, as
    /// long as allowed.)
    pub(super) wait_for_locks: Option<fn(Duration) -> String>,
}

/// The table in which migrations record what they did.
pub(super) const JOURNAL: &str = "gridmill_migration";

/// Actions on it, for messages.
pub(super) const MAKE_JOURNAL: &str = "make table gridmill_migration";
pub(super) const READ_JOURNAL: &str = "read table gridmill_migration";
pub(super) const WRITE_JOURNAL: &str = "write to table gridmill_migration";

/// What is done where the replica is behind, for messages, and why it cannot be done.
pub(super) const ASK_LAG: &str = "check how far the replica is behind";
pub(super) const NO_REPLICA: &str = "--max-lag needs --replica URL or --lag-query SQL";

/// Why the second of two migrations stops.
pub(super) const ANOTHER_RUNS: &str = "another migration is running in this database; wait until it ends";

/// What is done with the condition of `--where`, for messages, and what it may not have.
pub(super) const TRY_FILTER: &str = "use the --where condition as one expression";
pub(super) const NO_VALUES: &str = "it has placeholders without values; write the values themselves";

/// An error of a database.
pub(super) fn fault(database: &str, action: &str, message: impl Into<String>) -> Error {
    Error::Database { database: database.into(), action: action.into(), message: message.into() }
}
