//! Which columns and keys can be used.

use super::{KeyColumn, fault};
use crate::error::{Error, escape};
use crate::migrate::Job;

/// Why there is no key where none was named.
pub(in crate::migrate) const NO_KEY: &str =
    "no single column names its rows; name one with a unique index with --key, or add a column of numbers that has one";

/// A column of strings.
#[derive(Debug, Clone, Default)]
pub(in crate::migrate) struct TableColumn {
    /// Its name between quotes, where they are needed.
    pub(in crate::migrate) quoted: String,
    /// Its values are bytes and not text.
    pub(in crate::migrate) bytes: bool,
    /// The most characters that it takes, if there is a limit.
    pub(in crate::migrate) width: Option<usize>,
    /// The database makes it from others.
    pub(in crate::migrate) is_made: bool,
}

/// An error of a job's table.
pub(in crate::migrate) fn unsuited(database: &str, job: &Job, why: impl Into<String>) -> Error {
    fault(database, &format!("use table {:?}", escape(job.table.as_bytes())), why)
}

/// Checks that columns can be what they are to be.
pub(in crate::migrate) fn check_roles(
    database: &str,
    job: &Job,
    column: &TableColumn,
    to: Option<&TableColumn>,
    key: &KeyColumn,
) -> Result<(), Error> {
    if to.is_some_and(|to| to.quoted == column.quoted) {
        let why = "--to-column names the column with the old strings; leave it out to replace them";
        return Err(unsuited(database, job, why));
    }
    let written = to.unwrap_or(column);
    if written.is_made {
        let name = escape(written.quoted.as_bytes());
        let why = format!("the database makes column {name} from others; write to another with --to-column");
        return Err(unsuited(database, job, why));
    }
    if key.is_made {
        let key = escape(key.quoted.as_bytes());
        let why = "from other columns, so that it may be another when they are written";
        let why = format!("the database makes its key {key} {why}; name another column with --key");
        return Err(unsuited(database, job, why));
    }
    if written.quoted == key.quoted {
        return Err(Error::Usage("the column that names the rows cannot be the one that is written".into()));
    }
    Ok(())
}

/// Checks that rows have values in their key: `nulls` rows have none.
pub(in crate::migrate) fn check_values(database: &str, job: &Job, key: &KeyColumn, nulls: u64) -> Result<(), Error> {
    match nulls {
        0 => Ok(()),
        _ => {
            let why = format!("{nulls} rows have no value in their key {}", escape(key.quoted.as_bytes()));
            Err(unsuited(database, job, why))
        }
    }
}
