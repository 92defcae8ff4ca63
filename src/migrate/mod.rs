//! Converts columns of databases to version 2, in batches. Each batch is a transaction, which also records what it did
//! in a table `gridmill_migration`, the journal. A run that was interrupted at any moment continues where the journal
//! ends; after a complete run there is nothing to do.
//!
//! - [`Migration`]: the interface, with [`Migration::preview`], [`Migration::write`] and [`Migration::verify`].
//! - `database`: the trait of all databases. `table`: what is known of a job's table. `row`: rows, keys and values.
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
mod database;
mod decide;
mod dialect;
mod filter;
mod interrupted;
mod journal;
mod links;
mod migration;
#[cfg(feature = "databases")]
mod mysql;
mod pace;
#[cfg(feature = "databases")]
mod postgres;
mod rejected;
mod restore;
mod row;
mod run;
mod shared_bytes;
mod sqlite;
mod table;
#[cfg(feature = "databases")]
mod tls;
mod trail;
mod verify;

pub use backup::Backup;
pub use batches::Migrated;
pub use database::{
    BatchOutcome, Change, Database, Failure, Interference, NotWritten, PAGE, RowsToRead, TransactionKind,
};
pub use decide::{Pair, Tally};
pub use journal::Rejected;
pub use migration::Migration;
#[cfg(feature = "databases")]
pub use mysql::Mysql;
pub use pace::Pace;
#[cfg(feature = "databases")]
pub use postgres::Postgres;
pub use rejected::RejectedRows;
pub use restore::Restore;
pub use row::{ColumnValue, KeyValue, NewValue, TableRow};
pub use run::Preview;
pub use shared_bytes::SharedBytes;
pub use sqlite::Sqlite;
pub use table::{JobTable, StoredAs};
pub use verify::{KeyRange, Verified};

use crate::engine::Conversion;
use crate::error::Error;

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

    /// Columns of a table whose rows are identified by its primary key. All rows are converted, in batches of 50,000.
    pub fn new(table: &str, columns: Vec<JobColumn>) -> Self {
        Self {
            table: table.into(),
            columns,
            key: None,
            filter: None,
            plain: false,
            links: false,
            plan: Conversion::default(),
            batch: 50_000,
        }
    }
}
