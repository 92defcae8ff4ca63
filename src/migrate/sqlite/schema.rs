//! The table and its columns, and what names its rows.

use rusqlite::OptionalExtension;

use super::Sqlite;
use super::values::words;
use crate::error::{Error, escape};
use crate::migrate::Job;

/// An identifier between quotes.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// How a statement begins that changes rows of a table, which was made by `sql`.
fn update_of(sql: &str) -> &'static str {
    // A constraint may say `ON CONFLICT REPLACE`, which deletes other rows, or `ROLLBACK`; what a statement says goes before that.
    // It also goes before what triggers say, who may have reason to replace rows of theirs, so that it is said only where needed.
    if sql.to_ascii_lowercase().contains("conflict") { "UPDATE OR ABORT" } else { "UPDATE" }
}

pub(super) struct Column {
    name: String,
    not_null: bool,
    /// Its place in the primary key, from 1; 0 if it is not of it.
    primary: i64,
    kind: String,
}

impl Sqlite {
    /// Checks that table and columns are there, and finds what names the rows.
    pub(super) fn check(&mut self, job: &Job) -> Result<(), Error> {
        let fail = |message: String| Error::Database {
            database: self.name.clone(),
            action: format!("use table {:?}", escape(job.table.as_bytes())),
            message,
        };
        let error = |error: rusqlite::Error| fail(words(&error));
        let made: Option<(String, String)> = self
            .connection
            .query_row(
                "SELECT type, sql FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE AND type IN ('table', 'view')",
                [&job.table],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .optional()
            .map_err(error)?;
        match &made {
            None => return Err(fail(format!("there is none; tables: {}", self.tables().map_err(error)?))),
            Some((kind, sql)) if kind == "table" => self.update = update_of(sql),
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
        let (key, collation) = match &job.key {
            Some(key) => self.named_key(job, &columns, key)?,
            None => self.own_key(job, &columns)?,
        };
        let encoding: String = self.connection.query_row("PRAGMA encoding", [], |row| row.get(0)).map_err(error)?;
        self.is_bytewise = encoding == "UTF-8" && collation.as_deref() == Some("BINARY");
        self.collation = collation.map_or(String::new(), |collation| format!(" COLLATE {}", quoted(&collation)));
        (self.order, self.key) = (format!("{key}{}", self.collation), key);
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

    /// The collation of an index in which one column is unique, if there is such an index. The column's own may be another, in
    /// which rows have another order, or the keys of two rows are equal.
    fn unique_index(&self, table: &str, column: &str) -> Result<Option<String>, Error> {
        let sql = "SELECT x.coll FROM pragma_index_list(?1) AS l JOIN pragma_index_xinfo(l.name) AS x
                   WHERE l.\"unique\" AND NOT l.partial AND x.key AND x.name = ?2 COLLATE NOCASE
                   AND (SELECT count(*) FROM pragma_index_xinfo(l.name) AS y WHERE y.key) = 1
                   ORDER BY x.coll <> 'BINARY' LIMIT 1";
        let found = self.connection.query_row(sql, [table, column], |row| row.get(0)).optional();
        found.map_err(|error| self.error("look at the key", &error))
    }

    /// A key that the user named, and the collation in which it names one row.
    fn named_key(&self, job: &Job, columns: &[Column], key: &str) -> Result<(String, Option<String>), Error> {
        let error = |error: rusqlite::Error| self.error("look at the key", &error);
        let refuse = |message: String| {
            Err(Error::Database { database: self.name.clone(), action: format!("use {key:?} as a key"), message })
        };
        let primary: Vec<_> = columns.iter().filter(|column| column.primary > 0).collect();
        // A primary key without an index is the row number.
        let is_primary = matches!(&primary[..], [one] if one.name.eq_ignore_ascii_case(key));
        let collation = self.unique_index(&job.table, key)?;
        if !is_primary && collation.is_none() {
            return refuse("it has no unique index, so it may name several rows; make one, or leave --key out".into());
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
        Ok((quoted(key), collation))
    }

    /// The row number, or the only column of the primary key where there are no row numbers, and its collation.
    fn own_key(&self, job: &Job, columns: &[Column]) -> Result<(String, Option<String>), Error> {
        // A column may have one of these names and mean something else.
        let hidden = |name: &&str| !columns.iter().any(|column| column.name.eq_ignore_ascii_case(name));
        let row_number = ["rowid", "_rowid_", "oid"].into_iter().find(hidden);
        if let Some(name) = row_number
            && self.connection.prepare(&format!("SELECT {name} FROM {}", self.table)).is_ok()
        {
            return Ok((name.to_string(), None));
        }
        let primary: Vec<_> = columns.iter().filter(|column| column.primary > 0).collect();
        match &primary[..] {
            [one] if one.not_null || row_number.is_some() => {
                Ok((quoted(&one.name), self.unique_index(&job.table, &one.name)?))
            }
            _ => Err(Error::Database {
                database: self.name.clone(),
                action: format!("use table {:?}", escape(job.table.as_bytes())),
                message: "no single column names its rows; name one with a unique index with --key".into(),
            }),
        }
    }
}
