//! Examines the table and its columns, and finds its key.

use std::collections::HashMap;

use rusqlite::OptionalExtension;

use super::values::{is_about_a_row, words};
use super::{Collation, Sqlite};
use crate::error::{Error, escape, plural};
use crate::migrate::dialect::{
    JOURNAL, KeyColumn, NO_KEY, NO_VALUES, RowKey, StringColumn, TRY_FILTER, TableColumn, check_roles, check_values,
    is_of_columns, named_key, no_column, no_index, trials_of, unsuited,
};
use crate::migrate::{JobColumn, MigrationJob};

/// The action, for messages.
const EXAMINE_KEY: &str = "examine the key";

/// The collation that sorts text by its bytes.
const BINARY: &str = "BINARY";

/// A quoted identifier.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The start of a statement that changes rows of the table that `sql` created.
fn update_clause(sql: &str) -> &'static str {
    // A constraint may have `ON CONFLICT REPLACE`, which deletes other rows, or `ON CONFLICT ROLLBACK`. A statement
    // with `OR ABORT` overrides this. It also overrides the conflict clauses in triggers, which may have reasons to
    // replace rows of theirs, so it is used only if necessary.
    if sql.to_ascii_lowercase().contains("conflict") { "UPDATE OR ABORT" } else { "UPDATE" }
}

struct SqliteColumn {
    name: String,
    not_null: bool,
    /// Its position in the primary key, from 1; 0 if it is not part of it.
    primary: i64,
    kind: String,
    /// Whether it is generated from other columns.
    is_generated: bool,
}

impl SqliteColumn {
    fn of_strings(&self) -> TableColumn {
        // In SQLite values have types, but columns do not, and a length such as in VARCHAR(100) has no effect.
        let name = self.name.clone();
        TableColumn { quoted: quoted(&name), name, bytes: false, width: None, is_generated: self.is_generated }
    }

    fn of_key(&self, collation: Option<&str>) -> KeyColumn {
        let quoted = quoted(&self.name);
        KeyColumn { order: format!("{quoted}{}", collate(collation)), quoted, is_generated: self.is_generated }
    }
}

/// A unique index.
struct SqliteIndex {
    is_primary: bool,
    columns: Vec<String>,
    collations: Vec<String>,
}

/// A column of a key, and its collation in the unique index; `None` for the row number.
type KeyPart = (KeyColumn, Option<String>);

impl SqliteIndex {
    fn parts(&self, columns: &[SqliteColumn]) -> Vec<KeyPart> {
        let part = |(name, collation): (&String, &String)| {
            let column = columns.iter().find(|column| column.name == *name)?;
            // In an index of several columns, they have their declared collations (see `unique_indexes`), and SQLite
            // uses the index only if the collations are not named.
            let named = Some(collation.as_str()).filter(|_| self.columns.len() == 1);
            Some((column.of_key(named), Some(collation.clone())))
        };
        self.columns.iter().zip(&self.collations).filter_map(part).collect()
    }
}

impl Sqlite {
    /// Checks that the table and its columns exist, and finds the key.
    pub(super) fn check(&mut self, job: &MigrationJob) -> Result<(), Error> {
        let table = self.find_table(job)?;
        let columns = self.columns(&table).map_err(|error| self.error("look at its columns", &error))?;
        let find = |name: &String| {
            let column = columns.iter().find(|column| column.name.eq_ignore_ascii_case(name));
            column.ok_or_else(|| no_column(&self.table.database, job, name, &names(&columns)))
        };
        let pair = |column: &JobColumn| Ok((find(&column.name)?, column.to.as_ref().map(find).transpose()?));
        let pairs = job.columns.iter().map(pair).collect::<Result<Vec<_>, Error>>()?;
        let indexes = self.unique_indexes(&table).map_err(|error| self.error(EXAMINE_KEY, &error))?;
        let mut parts = match &job.key {
            Some(key) => self.named_key(job, key, &columns, &indexes)?,
            None => self.own_key(job, &table, &columns, &indexes)?,
        };
        let written: Vec<_> = pairs.iter().map(|(column, to)| to.unwrap_or(*column)).collect();
        let strings = pairs
            .iter()
            .map(|(column, to)| StringColumn { column: column.of_strings(), to: to.map(SqliteColumn::of_strings) });
        let strings: Vec<_> = strings.collect();
        // A primary key of type INTEGER is another name for the row number.
        let is_number = |column: &&&SqliteColumn| column.primary > 0 && column.kind.eq_ignore_ascii_case("integer");
        if let (Some(number), [(only, _)]) = (written.iter().find(is_number), &mut parts[..]) {
            only.quoted = quoted(&number.name);
        }
        let encoding = self.connection.query_row("PRAGMA encoding", [], |row| row.get::<_, String>(0));
        let encoding = encoding.map_err(|error| self.error(EXAMINE_KEY, &error))?;
        if encoding != "UTF-8" {
            self.limit.most_bytes *= 2; // new strings are ASCII, and have two bytes for each character there
        }
        let (key_columns, collations): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let collation = |collation: Option<String>| Collation {
            clause: collate(collation.as_deref()),
            is_bytewise: encoding == "UTF-8" && collation.as_deref() == Some(BINARY),
        };
        self.collations = collations.into_iter().map(collation).collect();
        let key = RowKey { columns: key_columns, one_by_one: false, filter: job.filter.clone() };
        let mut nullable = columns.iter().filter(|column| !column.not_null).map(|column| quoted(&column.name));
        if nullable.any(|name| key.columns.iter().any(|column| column.quoted == name)) {
            let sql = format!("SELECT count(*) FROM {} WHERE {}", quoted(&table), key.is_null());
            let nulls: rusqlite::Result<i64> = self.connection.query_row(&sql, [], |row| row.get(0));
            let nulls = nulls.map_err(|error| self.error(EXAMINE_KEY, &error))?;
            check_values(&self.table.database, job, &key, nulls.unsigned_abs())?;
        }
        check_roles(&self.table.database, job, &strings, &key)?;
        (self.table.name, self.table.columns, self.table.key) = (quoted(&table), strings, key);
        self.try_filter(job)
    }

    /// Fails if the condition is not a single expression, since combined with others it would mean something else.
    fn try_filter(&self, job: &MigrationJob) -> Result<(), Error> {
        let Some(filter) = &job.filter else { return Ok(()) };
        for trial in trials_of(filter, &self.table.name) {
            let trial = self.connection.prepare(&trial).map_err(|error| self.error(TRY_FILTER, &error))?;
            if trial.parameter_count() > 0 {
                return Err(self.table.fault(TRY_FILTER, NO_VALUES));
            }
        }
        Ok(())
    }

    /// The rows that violate a foreign key of this table or to this table: table, row number, column, and the table
    /// referred to.
    fn orphans(&self, table: &str) -> rusqlite::Result<Vec<(String, String, String, String)>> {
        let sql = "SELECT c.\"table\", coalesce(', row ' || c.rowid, ''), f.\"from\", c.parent
                   FROM pragma_foreign_key_check AS c
                   JOIN pragma_foreign_key_list(c.\"table\") AS f ON f.id = c.fkid AND f.seq = 0
                   WHERE ?1 COLLATE NOCASE IN (c.\"table\", c.parent)";
        self.connection.prepare(sql)?.query_map([table], |row| row.try_into())?.collect()
    }

    /// The error of a commit. If a deferred foreign key was violated, the message names the rows, and the transaction
    /// is rolled back.
    pub(super) fn not_committed(&self, error: &rusqlite::Error) -> Error {
        const COMMIT: &str = "commit a transaction";
        if !is_about_a_row(error) {
            return self.error(COMMIT, error);
        }
        let name =
            self.table.name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(&self.table.name);
        let name = name.replace("\"\"", "\"");
        let Ok(mut found) = self.orphans(&name) else { return self.error(COMMIT, error) };
        // Rows that violated a foreign key before the transaction are not to be named.
        let before = self.connection.execute_batch("ROLLBACK").and_then(|()| self.orphans(&name));
        let Ok(before) = before else { return self.error(COMMIT, error) };
        let mut counts = HashMap::<_, usize>::new();
        before.into_iter().for_each(|orphan| *counts.entry(orphan).or_default() += 1);
        found.retain(|orphan| match counts.get_mut(orphan) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        });
        let rows = found.len() as u64;
        let Some((table, row, column, parent)) = found.into_iter().next() else { return self.error(COMMIT, error) };
        let is_ours = |table: &str| table.eq_ignore_ascii_case(&name);
        let help = match (is_ours(&table), is_ours(&parent)) {
            (true, true) => {
                "Name both columns with --column, and put their rows into one batch with --batch and --batch-time 0"
            }
            (false, _) => "Give that foreign key ON UPDATE CASCADE and run again",
            (true, false) => {
                "Give that foreign key ON UPDATE CASCADE, and migrate the column that it refers to instead"
            }
        };
        let [table, column, parent] = [table, column, parent].map(|name| escape(name.as_bytes()));
        let why = format!(
            "{}: {rows} row{} would refer to missing rows of table {parent}, the first by column {column} of table \
             {table}{row}. The batch was not written. {help}",
            words(error),
            plural(rows),
        );
        self.table.fault(COMMIT, why)
    }

    fn unsuited(&self, job: &MigrationJob, why: String) -> Error {
        unsuited(&self.table.database, job, why)
    }

    /// The name of the table, if it is one whose rows can be written. Also finds out whether it has triggers, and how
    /// statements that change it must begin.
    fn find_table(&mut self, job: &MigrationJob) -> Result<String, Error> {
        let error = |error: rusqlite::Error| self.unsuited(job, words(&error));
        let sql = "SELECT name, type FROM pragma_table_list(?1) WHERE schema = 'main'";
        let found: Option<(String, String)> =
            self.connection.query_row(sql, [&job.table], |row| row.try_into()).optional().map_err(error)?;
        let why = match &found {
            None => format!("there is no such table; tables: {}", self.tables().map_err(error)?),
            Some((_, kind)) if kind == "view" => "it is a view; name the table that has the column".into(),
            Some((_, kind)) if kind == "virtual" => "it is a virtual table; name the table that has the column".into(),
            Some((_, kind)) if kind == "shadow" => {
                "it belongs to a virtual table, and only that may write to it".into()
            }
            Some((name, _)) if name == JOURNAL => "it is the journal of migrations".into(),
            Some((name, _)) => {
                let sql =
                    "SELECT coalesce(max(CASE type WHEN 'table' THEN sql END), ''), coalesce(sum(type = 'trigger'), 0)
                           FROM sqlite_schema WHERE tbl_name = ?1 COLLATE NOCASE";
                let made = self.connection.query_row(sql, [name], |row| row.try_into());
                let (sql, triggers): (String, i64) = made.map_err(error)?;
                (self.update, self.table.has_triggers) = (update_clause(&sql), triggers > 0);
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

    fn columns(&self, table: &str) -> rusqlite::Result<Vec<SqliteColumn>> {
        let mut statement =
            self.connection.prepare("SELECT name, \"notnull\", pk, type, hidden FROM pragma_table_xinfo(?1)")?;
        let column = |row: &rusqlite::Row| {
            let (not_null, hidden) = (row.get::<_, i64>(1)? != 0, row.get::<_, i64>(4)?);
            let is_generated = hidden == 2 || hidden == 3;
            Ok(SqliteColumn { name: row.get(0)?, not_null, primary: row.get(2)?, kind: row.get(3)?, is_generated })
        };
        statement.query_map([table], column)?.collect()
    }

    /// The unique indexes of a table, best first. Leaves out indexes with expressions. Of the indexes of several
    /// columns, has only those by which SQLite can find the rows after a key: with the columns' declared collations,
    /// and with all columns in the same direction.
    fn unique_indexes(&self, table: &str) -> rusqlite::Result<Vec<SqliteIndex>> {
        let sql = "SELECT l.name, l.origin = 'pk', x.name, x.coll, x.\"desc\"
                   FROM pragma_index_list(?1) AS l JOIN pragma_index_xinfo(l.name) AS x
                   WHERE l.\"unique\" AND NOT l.partial AND x.key ORDER BY l.seq, x.seqno";
        let mut statement = self.connection.prepare(sql)?;
        let part = |row: &rusqlite::Row| row.try_into();
        let parts: Vec<(String, bool, Option<String>, String, bool)> =
            statement.query_map([table], part)?.collect::<Result<_, _>>()?;
        let mut indexes = Vec::new();
        for index in parts.chunk_by(|a, b| a.0 == b.0) {
            let Some(columns) = index.iter().map(|part| part.2.clone()).collect::<Option<Vec<_>>>() else { continue };
            let collations: Vec<_> = index.iter().map(|part| part.3.clone()).collect();
            let is_one_way = index.iter().all(|part| part.4 == index[0].4);
            if columns.len() > 1 && !(is_one_way && self.are_declared_collations(table, &columns, &collations)?) {
                continue;
            }
            indexes.push(SqliteIndex { is_primary: index[0].1, columns, collations });
        }
        // If there are several for the same column, the fastest comes first.
        indexes.sort_by_key(|index| index.collations.iter().any(|collation| collation != BINARY));
        Ok(indexes)
    }

    /// Whether these collations are those with which the columns were declared.
    fn are_declared_collations(
        &self,
        table: &str,
        columns: &[String],
        collations: &[String],
    ) -> rusqlite::Result<bool> {
        for (column, collation) in columns.iter().zip(collations) {
            let (_, own, ..) = self.connection.column_metadata(Some("main"), table, column.as_str())?;
            if !own.is_some_and(|own| own.to_bytes().eq_ignore_ascii_case(collation.as_bytes())) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The key of the columns that the user named, with their collations in its unique index.
    fn named_key(
        &self,
        job: &MigrationJob,
        named: &str,
        columns: &[SqliteColumn],
        indexes: &[SqliteIndex],
    ) -> Result<Vec<KeyPart>, Error> {
        let named = named_key(&self.table.database, job, named, &names(columns), |column, name| {
            column.eq_ignore_ascii_case(name)
        })?;
        if let Some(index) = indexes.iter().find(|index| is_of_columns(&index.columns, &named)) {
            return Ok(index.parts(columns));
        }
        match only_primary(columns) {
            Some(one) if named == [one.name.as_str()] => Ok(vec![(one.of_key(None), None)]),
            _ => Err(no_index(&self.table.database, job, &named)),
        }
    }

    /// The row number as the key, or the primary key if there are no row numbers.
    fn own_key(
        &self,
        job: &MigrationJob,
        table: &str,
        columns: &[SqliteColumn],
        indexes: &[SqliteIndex],
    ) -> Result<Vec<KeyPart>, Error> {
        // If a column has one of these names, the name refers to that column.
        let hidden = |name: &&str| !columns.iter().any(|column| column.name.eq_ignore_ascii_case(name));
        let row_number = ["rowid", "_rowid_", "oid"].into_iter().find(hidden);
        if let Some(name) = row_number
            && self.connection.prepare(&format!("SELECT {name} FROM {}", quoted(table))).is_ok()
        {
            return Ok(vec![(KeyColumn { quoted: name.into(), order: name.into(), is_generated: false }, None)]);
        }
        match (indexes.iter().find(|index| index.is_primary), only_primary(columns)) {
            (Some(index), _) => Ok(index.parts(columns)),
            (None, Some(one)) => Ok(vec![(one.of_key(None), None)]),
            (None, None) => Err(self.unsuited(job, NO_KEY.into())),
        }
    }
}

/// The clause for a collation after an expression.
fn collate(collation: Option<&str>) -> String {
    collation.map_or(String::new(), |collation| format!(" COLLATE {}", quoted(collation)))
}

/// The primary key, if it is a single column. (If it has no index, it is the row number.)
fn only_primary(columns: &[SqliteColumn]) -> Option<&SqliteColumn> {
    let mut primary = columns.iter().filter(|column| column.primary > 0);
    primary.next().filter(|_| primary.next().is_none())
}

fn names(columns: &[SqliteColumn]) -> Vec<String> {
    columns.iter().map(|column| column.name.clone()).collect()
}
