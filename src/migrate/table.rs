//! The table of a job, as the database has it.

use super::dialect::{RowKey, SqlDialect, StringColumn, TableColumn, fault};
use super::{ColumnValue, JobColumn, TableRow};
use crate::error::Error;

/// What is known of a job's table, found when the database is opened.
#[derive(Debug)]
pub struct JobTable {
    pub(super) dialect: &'static SqlDialect,
    /// The database's name in messages, without a password.
    pub(super) database: String,
    /// Its name as in statements: quoted if necessary.
    pub(super) name: String,
    pub(super) key: RowKey,
    pub(super) columns: Vec<StringColumn>,
    /// Whether writing rows may have further effects, by triggers or rules.
    pub(super) has_triggers: bool,
    /// A query that returns a row if what the transaction wrote may have deleted rows of the table, by a trigger or
    /// rule; `None` if these cannot.
    pub(super) deleted: Option<String>,
    /// Whether nobody else can write to the database, to any row, during a transaction that only reads.
    pub(super) is_locked_by_readers: bool,
    /// Warnings to show before anything is written: rows that a user might expect to be converted, too.
    pub notes: Vec<String>,
}

impl JobTable {
    /// A table of which nothing is known yet.
    pub(super) fn new(dialect: &'static SqlDialect, database: String) -> Self {
        Self {
            dialect,
            database,
            name: String::new(),
            key: RowKey::default(),
            columns: Vec::new(),
            has_triggers: false,
            deleted: None,
            is_locked_by_readers: false,
            notes: Vec::new(),
        }
    }

    /// An error of the database.
    pub(super) fn fault(&self, action: &str, message: impl Into<String>) -> Error {
        fault(&self.database, action, message)
    }

    /// The job's columns, as the database names them.
    pub(super) fn job_columns(&self) -> Vec<JobColumn> {
        let of = |StringColumn { column, to }: &StringColumn| JobColumn {
            name: column.name.clone(),
            to: to.as_ref().map(|to| to.name.clone()),
        };
        self.columns.iter().map(of).collect()
    }

    /// The table, its columns and its key as the database names them, so that a migration is the same one however the
    /// user spelled these.
    pub(super) fn names(&self) -> Vec<String> {
        let Self { name, key, columns, .. } = self;
        if let [StringColumn { column, to }] = &columns[..] {
            let to = to.as_ref().map(|to| to.quoted.clone());
            return [name.clone(), column.quoted.clone(), key.order()].into_iter().chain(to).collect();
        }
        let to = |to: &Option<TableColumn>| to.as_ref().map_or(String::new(), |to| to.quoted.clone());
        let columns = columns.iter().flat_map(|column| [column.column.quoted.clone(), to(&column.to)]);
        [name.clone(), key.order()].into_iter().chain(columns).collect()
    }

    /// The type of new strings.
    pub(super) fn stored_as(&self) -> StoredAs {
        match self.dialect.has_typed_columns {
            true => StoredAs::Bytes(self.columns.iter().map(|column| column.written().bytes).collect()),
            false => StoredAs::TheOld,
        }
    }

    /// The largest number of characters in the column that is written, if it is limited.
    pub(super) fn width(&self, column: usize) -> Option<usize> {
        self.columns[column].written().width
    }
}

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

/// The columns that the migration with these [`names`](JobTable::names) writes.
pub(super) fn written_by(names: &[String]) -> Vec<&str> {
    match names {
        [_, column, _] => vec![column],
        [_, _, _, to] => vec![to],
        [_, _, pairs @ ..] => {
            pairs.chunks_exact(2).map(|pair| if pair[1].is_empty() { &pair[0][..] } else { &pair[1] }).collect()
        }
        _ => Vec::new(),
    }
}
