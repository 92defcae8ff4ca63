//! Rules for columns and keys that can be used.

use super::{RowKey, fault};
use crate::error::{Error, escape};
use crate::migrate::{Job, JobColumn};

/// Why no key was found, if the user named none.
pub(in crate::migrate) const NO_KEY: &str = "nothing names its rows: it has no primary key in whose order they can be read; \
    name the columns of a unique index with --key a,b, or add a column of numbers that has one";

/// A column of strings.
#[derive(Debug, Clone, Default)]
pub(in crate::migrate) struct TableColumn {
    /// Its name in the database.
    pub(in crate::migrate) name: String,
    /// Its name, quoted if necessary.
    pub(in crate::migrate) quoted: String,
    /// Whether its values are bytes and not text.
    pub(in crate::migrate) bytes: bool,
    /// The largest number of characters, if it is limited.
    pub(in crate::migrate) width: Option<usize>,
    /// Whether it is generated from other columns.
    pub(in crate::migrate) is_made: bool,
}

/// A column of the job, and the column for its new strings, if that is another one.
#[derive(Debug, Clone, Default)]
pub(in crate::migrate) struct StringColumn {
    pub(in crate::migrate) column: TableColumn,
    pub(in crate::migrate) to: Option<TableColumn>,
}

impl StringColumn {
    /// The column that is written.
    pub(in crate::migrate) fn written(&self) -> &TableColumn {
        self.to.as_ref().unwrap_or(&self.column)
    }
}

/// The columns of a job, as the database names them.
pub(in crate::migrate) fn job_columns(columns: &[StringColumn]) -> Vec<JobColumn> {
    let of = |StringColumn { column, to }: &StringColumn| JobColumn {
        name: column.name.clone(),
        to: to.as_ref().map(|to| to.name.clone()),
    };
    columns.iter().map(of).collect()
}

/// The table, its columns and its key as the database names them, so that a migration is the same one however the user
/// spelled these.
pub(in crate::migrate) fn names(table: &str, columns: &[StringColumn], key: &RowKey) -> Vec<String> {
    if let [StringColumn { column, to }] = columns {
        let to = to.as_ref().map(|to| to.quoted.clone());
        return [table.to_string(), column.quoted.clone(), key.order()].into_iter().chain(to).collect();
    }
    let to = |to: &Option<TableColumn>| to.as_ref().map_or(String::new(), |to| to.quoted.clone());
    let columns = columns.iter().flat_map(|column| [column.column.quoted.clone(), to(&column.to)]);
    [table.to_string(), key.order()].into_iter().chain(columns).collect()
}

/// The columns that the migration with these [`names`] writes.
pub(in crate::migrate) fn written_by(names: &[String]) -> Vec<&str> {
    match names {
        [_, column, _] => vec![column],
        [_, _, _, to] => vec![to],
        [_, _, pairs @ ..] => {
            pairs.chunks_exact(2).map(|pair| if pair[1].is_empty() { &pair[0][..] } else { &pair[1] }).collect()
        }
        _ => Vec::new(),
    }
}

/// An error about a job's table.
pub(in crate::migrate) fn unsuited(database: &str, job: &Job, why: impl Into<String>) -> Error {
    fault(database, &format!("use table {:?}", escape(job.table.as_bytes())), why)
}

/// Checks that columns can have the roles they are given.
pub(in crate::migrate) fn check_roles(
    database: &str,
    job: &Job,
    columns: &[StringColumn],
    key: &RowKey,
) -> Result<(), Error> {
    columns.iter().try_for_each(|column| check_column(database, job, column, key))?;
    for (n, one) in columns.iter().enumerate() {
        let name = &one.written().quoted;
        let mut others = columns.iter().enumerate().filter(|(other, _)| *other != n).map(|(_, other)| other);
        if let Some(other) = others.find(|other| [&other.column, other.written()].iter().any(|x| x.quoted == *name)) {
            let (name, other) = (escape(name.as_bytes()), escape(other.column.quoted.as_bytes()));
            let why = format!("column {name} is written, and is also read by, or written for, --column {other}");
            return Err(unsuited(database, job, why));
        }
    }
    Ok(())
}

fn check_column(database: &str, job: &Job, strings: &StringColumn, key: &RowKey) -> Result<(), Error> {
    let StringColumn { column, to } = strings;
    if to.as_ref().is_some_and(|to| to.quoted == column.quoted) {
        let why = "--to-column names the column with the old strings; leave it out to replace them";
        return Err(unsuited(database, job, why));
    }
    let written = strings.written();
    if written.is_made {
        let name = escape(written.quoted.as_bytes());
        let why = format!("the database makes column {name} from others; write to another with --to-column");
        return Err(unsuited(database, job, why));
    }
    if let Some(key) = key.columns.iter().find(|column| column.is_made) {
        let key = escape(key.quoted.as_bytes());
        let why = "from other columns, so that it may be another when they are written";
        let why = format!("the database makes its key {key} {why}; name another key with --key");
        return Err(unsuited(database, job, why));
    }
    if key.columns.iter().any(|key| key.quoted == written.quoted) {
        return Err(Error::Usage("the column that names the rows cannot be the one that is written".into()));
    }
    Ok(())
}

/// Checks that no row lacks a value in its key. `nulls` rows do.
pub(in crate::migrate) fn check_values(database: &str, job: &Job, key: &RowKey, nulls: u64) -> Result<(), Error> {
    match nulls {
        0 => Ok(()),
        _ => {
            let why = format!("{nulls} rows have no value in their key {}", escape(key.quoted().as_bytes()));
            Err(unsuited(database, job, why))
        }
    }
}

/// The error for a column that the table does not have. `all` are those it has.
pub(in crate::migrate) fn no_column(database: &str, job: &Job, name: &str, all: &[String]) -> Error {
    let all: Vec<_> = all.iter().map(|column| escape(column.as_bytes())).collect();
    let why = format!("it has no column {:?}; columns: {}", escape(name.as_bytes()), all.join(", "));
    unsuited(database, job, why)
}

/// The columns of a key that the user named, spelled as in the table. `is` compares names as the database does.
pub(in crate::migrate) fn named_key(
    database: &str,
    job: &Job,
    key: &str,
    all: &[String],
    is: impl Fn(&str, &str) -> bool,
) -> Result<Vec<String>, Error> {
    let find = |name: &str| all.iter().find(|column| is(column, name));
    // The name of a single column may contain commas.
    let names = if find(key).is_some() { vec![key] } else { key.split(',').map(str::trim).collect() };
    let mut columns = Vec::new();
    for name in names {
        let column = find(name).ok_or_else(|| no_column(database, job, name, all))?;
        if columns.contains(column) {
            return Err(Error::Usage(format!("--key names column {:?} twice", escape(name.as_bytes()))));
        }
        columns.push(column.clone());
    }
    Ok(columns)
}

/// Whether an index has exactly these columns, in any order. An index may have a column twice.
pub(in crate::migrate) fn is_of_columns(index: &[String], key: &[String]) -> bool {
    index.len() == key.len() && key.iter().all(|column| index.contains(column))
}

/// The error for a named key without a suitable index.
pub(in crate::migrate) fn no_index(database: &str, job: &Job, key: &[String]) -> Error {
    let names: Vec<_> = key.iter().map(|column| escape(column.as_bytes())).collect();
    let of = if key.len() == 1 {
        "of its own"
    } else {
        "of just these columns, all sorted the same way and by their own collations"
    };
    let why = format!("its key {:?} has no unique index {of}, so that it may name several rows", names.join(", "));
    unsuited(database, job, format!("{why}; make one, or name another key with --key"))
}
