//! The table and its columns, and what names its rows.

use rusqlite::OptionalExtension;

use super::Sqlite;
use super::values::words;
use crate::error::{Error, escape};
use crate::migrate::Job;
use crate::migrate::dialect::{JOURNAL, KeyColumn, NO_KEY, RowKey, TableColumn, check_roles, check_values, unsuited};

/// An identifier between quotes.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// How a statement begins that changes rows of a table, which was made by `sql`.
fn update_of(sql: &str) -> &'static str {
    // A constraint may say `ON CONFLICT REPLACE`, which deletes other rows, or `ROLLBACK`; what a statement says goes before that.
    // It also goes before what triggers say, who may have reason to replace rows of theirs, so that it is said only where needed.
    if sql.to_ascii_lowercase().contains("conflict") { "UPDATE OR ABORT" } else { "UPDATE" }
}

struct SchemaColumn {
    name: String,
    not_null: bool,
    /// Its place in the primary key, from 1; 0 if it is not of it.
    primary: i64,
    kind: String,
    /// The database makes it from others.
    is_made: bool,
}

impl SchemaColumn {
    fn of_strings(&self) -> TableColumn {
        // Values have types, columns do not; and VARCHAR(100) is only a word to SQLite.
        TableColumn { quoted: quoted(&self.name), bytes: false, width: None, is_made: self.is_made }
    }

    fn of_key(&self, collation: Option<&str>) -> KeyColumn {
        let quoted = quoted(&self.name);
        KeyColumn { order: format!("{quoted}{}", collate(collation)), quoted, is_made: self.is_made }
    }
}

impl Sqlite {
    /// Checks that table and columns are there, and finds what names the rows.
    pub(super) fn check(&mut self, job: &Job) -> Result<(), Error> {
        let table = self.find_table(job)?;
        let columns = self.columns(&table).map_err(|error| self.error("look at its columns", &error))?;
        let find = |name: &String| {
            let column = columns.iter().find(|column| column.name.eq_ignore_ascii_case(name));
            column.ok_or_else(|| self.unsuited(job, no_column(name, &columns)))
        };
        let (column, to) = (find(&job.column)?, job.to.as_ref().map(find).transpose()?);
        let written = to.unwrap_or(column);
        let (mut key, collation) = match &job.key {
            Some(key) => self.named_key(job, &table, find(key)?, &columns)?,
            None => self.own_key(job, &table, &columns)?,
        };
        let (column, to) = (column.of_strings(), to.map(SchemaColumn::of_strings));
        // A whole number as primary key is the row number by another name.
        if written.primary > 0 && written.kind.eq_ignore_ascii_case("integer") {
            key.quoted = quoted(&written.name);
        }
        check_roles(&self.name, job, &column, to.as_ref(), &key)?;
        let encoding = self.connection.query_row("PRAGMA encoding", [], |row| row.get::<_, String>(0));
        let encoding = encoding.map_err(|error| self.error("look at the key", &error))?;
        self.is_bytewise = encoding == "UTF-8" && collation.as_deref() == Some("BINARY");
        self.collation = collate(collation.as_deref());
        (self.table, self.column, self.to, self.key) = (quoted(&table), column, to, RowKey { column: key });
        Ok(())
    }

    fn unsuited(&self, job: &Job, why: String) -> Error {
        unsuited(&self.name, job, why)
    }

    /// The name of the table, if it is one whose rows can be written. What is said when that is done, and what else happens then,
    /// depends on how it was made.
    fn find_table(&mut self, job: &Job) -> Result<String, Error> {
        let error = |error: rusqlite::Error| self.unsuited(job, words(&error));
        let sql = "SELECT name, type FROM pragma_table_list(?1) WHERE schema = 'main'";
        let found: Option<(String, String)> =
            self.connection.query_row(sql, [&job.table], |row| row.try_into()).optional().map_err(error)?;
        let why = match &found {
            None => format!("there is none; tables: {}", self.tables().map_err(error)?),
            Some((_, kind)) if kind == "view" => "it is a view; name the table that has the column".into(),
            Some((_, kind)) if kind == "virtual" => "it is a virtual table; name the table that has the column".into(),
            Some((_, kind)) if kind == "shadow" => "it belongs to a virtual table, which alone may write to it".into(),
            Some((name, _)) if name == JOURNAL => "it is where migrations write down what they did".into(),
            Some((name, _)) => {
                let sql =
                    "SELECT coalesce(max(CASE type WHEN 'table' THEN sql END), ''), coalesce(sum(type = 'trigger'), 0)
                           FROM sqlite_schema WHERE tbl_name = ?1 COLLATE NOCASE";
                let made = self.connection.query_row(sql, [name], |row| row.try_into());
                let (sql, triggers): (String, i64) = made.map_err(error)?;
                (self.update, self.has_triggers) = (update_of(&sql), triggers > 0);
                return Ok(name.clone());
            }
        };
        Err(self.unsuited(job, why))
    }

    fn tables(&self) -> rusqlite::Result<String> {
        let mut statement =
            self.connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")?;
        let names = statement.query_map([], |row| row.get::<_, String>(0))?;
        let names: Vec<_> = names.map(|name| name.map(|name| escape(name.as_bytes()))).collect::<Result<_, _>>()?;
        Ok(if names.is_empty() { "none".into() } else { names.join(", ") })
    }

    fn columns(&self, table: &str) -> rusqlite::Result<Vec<SchemaColumn>> {
        let mut statement =
            self.connection.prepare("SELECT name, \"notnull\", pk, type, hidden FROM pragma_table_xinfo(?1)")?;
        let column = |row: &rusqlite::Row| {
            let (not_null, hidden) = (row.get::<_, i64>(1)? != 0, row.get::<_, i64>(4)?);
            let is_made = hidden == 2 || hidden == 3;
            Ok(SchemaColumn { name: row.get(0)?, not_null, primary: row.get(2)?, kind: row.get(3)?, is_made })
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
    fn named_key(
        &self,
        job: &Job,
        table: &str,
        key: &SchemaColumn,
        columns: &[SchemaColumn],
    ) -> Result<(KeyColumn, Option<String>), Error> {
        let is_only = key.primary > 0 && columns.iter().filter(|column| column.primary > 0).count() == 1;
        let collation = self.unique_index(table, &key.name)?;
        // A primary key without an index is the row number.
        if !is_only && collation.is_none() {
            let why = "it has no unique index, so it may name several rows; make one, or leave --key out";
            return Err(self.fault(&format!("use {:?} as a key", escape(key.name.as_bytes())), why.into()));
        }
        let sql = format!("SELECT count(*) FROM {} WHERE {} IS NULL", quoted(table), quoted(&key.name));
        let nulls: rusqlite::Result<i64> = self.connection.query_row(&sql, [], |row| row.get(0));
        let nulls = nulls.map_err(|error| self.error("look at the key", &error))?;
        let column = key.of_key(collation.as_deref());
        check_values(&self.name, job, &column, nulls.unsigned_abs())?;
        Ok((column, collation))
    }

    /// The row number, or the only column of the primary key where there are no row numbers, and its collation.
    fn own_key(&self, job: &Job, table: &str, columns: &[SchemaColumn]) -> Result<(KeyColumn, Option<String>), Error> {
        // A column may have one of these names and mean something else.
        let hidden = |name: &&str| !columns.iter().any(|column| column.name.eq_ignore_ascii_case(name));
        let row_number = ["rowid", "_rowid_", "oid"].into_iter().find(hidden);
        if let Some(name) = row_number
            && self.connection.prepare(&format!("SELECT {name} FROM {}", quoted(table))).is_ok()
        {
            return Ok((KeyColumn { quoted: name.into(), order: name.into(), is_made: false }, None));
        }
        let primary: Vec<_> = columns.iter().filter(|column| column.primary > 0).collect();
        match &primary[..] {
            [one] if one.not_null || row_number.is_some() => {
                let collation = self.unique_index(table, &one.name)?;
                Ok((one.of_key(collation.as_deref()), collation))
            }
            _ => Err(self.unsuited(job, NO_KEY.into())),
        }
    }
}

/// A collation as it stands after an expression.
fn collate(collation: Option<&str>) -> String {
    collation.map_or(String::new(), |collation| format!(" COLLATE {}", quoted(collation)))
}

fn no_column(name: &str, columns: &[SchemaColumn]) -> String {
    let all: Vec<_> = columns.iter().map(|column| escape(column.name.as_bytes())).collect();
    format!("it has no column {:?}; columns: {}", escape(name.as_bytes()), all.join(", "))
}
