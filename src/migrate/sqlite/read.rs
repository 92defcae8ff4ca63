//! Reading rows, in the order of the index that names them.

use rusqlite::params_from_iter;

use super::Sqlite;
use super::values::{cell, row_key};
use crate::error::Error;
use crate::migrate::dialect::out_of_order;
use crate::migrate::{ColumnValue, Key, PAGE, TableRow};

impl Sqlite {
    /// The rows that a query finds which ends so.
    pub(super) fn query<'k>(
        &mut self,
        condition: &str,
        values: impl IntoIterator<Item = &'k Key>,
    ) -> rusqlite::Result<Vec<TableRow>> {
        let mut statement = self.connection.prepare_cached(&self.select(condition))?;
        let (columns, has_target) = (self.key.columns.len(), self.to.is_some());
        let row = |row: &rusqlite::Row| {
            let target = if has_target { Some(cell(row.get_ref(columns + 1)?)) } else { None };
            Ok(TableRow { key: row_key(columns, |n| row.get_ref(n))?, old: cell(row.get_ref(columns)?), target })
        };
        let (mut rows, mut bytes) = (Vec::new(), 0);
        for next in statement.query_map(params_from_iter(values), row)? {
            let next = next?;
            let values = [Some(&next.old), next.target.as_ref()];
            bytes += values.into_iter().flatten().filter_map(ColumnValue::bytes).map(<[u8]>::len).sum::<usize>();
            rows.push(next);
            if bytes >= PAGE {
                break;
            }
        }
        Ok(rows)
    }

    fn select(&self, condition: &str) -> String {
        let Self { key, column, to, table, .. } = self;
        let target = to.as_ref().map_or(String::new(), |to| format!(", {}", to.quoted));
        format!("SELECT {}, {}{target} FROM {table} {condition}", key.quoted(), column.quoted)
    }

    /// Where the values of a key are put in a statement, numbered from `first`.
    pub(super) fn places(&self, first: usize) -> Vec<String> {
        (first..).take(self.key.columns.len()).map(|n| format!("?{n}")).collect()
    }

    /// Rows in the order of their keys: after `after`, up to `last`, at most `limit`.
    pub(super) fn page(
        &mut self,
        after: Option<&Key>,
        last: Option<&Key>,
        limit: usize,
    ) -> rusqlite::Result<Vec<TableRow>> {
        let page = self.condition_of_page(after.is_some(), last.is_some(), limit);
        self.query(&page, after.into_iter().chain(last).flat_map(Key::parts))
    }

    fn condition_of_page(&self, has_after: bool, has_last: bool, limit: usize) -> String {
        let after = has_after.then(|| self.places(1));
        let last = has_last.then(|| self.places(1 + after.as_ref().map_or(0, Vec::len)));
        self.key.page(after.as_deref(), last.as_deref(), limit)
    }

    /// Fails if rows do not come in the order of their keys: where they do not, some come twice, or never, or without an end.
    pub(super) fn check_order(&self, after: Option<&Key>, rows: &[TableRow]) -> Result<(), Error> {
        let mut before = after;
        for TableRow { key, .. } in rows {
            if let Some(before) = before
                && !self.is_after(key, before).map_err(|error| self.error("compare keys", &error))?
            {
                let help = "the table or an index of it is damaged; see what PRAGMA integrity_check says";
                return Err(self.fault("read rows in the order of their keys", out_of_order(key, Some(before), help)));
            }
            before = Some(key);
        }
        Ok(())
    }

    fn is_after(&self, key: &Key, before: &Key) -> rusqlite::Result<bool> {
        for ((before, key), collation) in before.parts().iter().zip(key.parts()).zip(&self.collations) {
            let order = match (before, key) {
                (Key::Integer(before), Key::Integer(key)) => before.cmp(key),
                (Key::Text(before), Key::Text(key)) if collation.is_bytewise => before.cmp(key),
                _ => {
                    let sql = format!("SELECT (?1 > ?2{0}) - (?1 < ?2{0})", collation.clause);
                    let order = self.connection.prepare_cached(&sql)?.query_row([before, key], |row| row.get(0));
                    order.map(|order: i64| order.cmp(&0))?
                }
            };
            if order.is_ne() {
                return Ok(order.is_lt());
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::Conversion;
    use crate::migrate::Job;

    /// How SQLite finds the rows of a page of a table `t` that was made so.
    fn plan(made: &str) -> String {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let made_by = rusqlite::Connection::open(file.path()).and_then(|new| new.execute_batch(made));
        made_by.expect("a table");
        let job = Job {
            table: "t".into(),
            column: "bd".into(),
            to: None,
            key: Some("a,b".into()),
            plain: false,
            links: false,
            plan: Conversion::default(),
            batch: 9,
        };
        let database = Sqlite::open(file.path(), &job, false, Duration::ZERO).expect("a database");
        let sql = format!("EXPLAIN QUERY PLAN {}", database.select(&database.condition_of_page(true, true, 9)));
        let mut statement = database.connection.prepare(&sql).expect("a statement");
        let lines = statement.query_map([1; 4], |row| row.get::<_, String>(3)).expect("a plan");
        lines.collect::<Result<Vec<_>, _>>().expect("lines").join("; ")
    }

    #[test]
    fn pages_are_found_by_all_columns_of_the_index() {
        for (made, by) in [
            ("CREATE TABLE t (a TEXT, b, bd TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID", "PRIMARY KEY"),
            ("CREATE TABLE t (a COLLATE nocase, b, bd TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID", "PRIMARY KEY"),
            ("CREATE TABLE t (a, b INT, bd TEXT); CREATE UNIQUE INDEX u ON t (a, b)", "INDEX u"),
            ("CREATE TABLE t (a, b INT, bd TEXT); CREATE UNIQUE INDEX u ON t (a DESC, b DESC)", "INDEX u"),
        ] {
            let want = format!("SEARCH t USING {by} ((a,b)>(?,?) AND (a,b)<(?,?))");
            assert_eq!(plan(made), want, "{made}");
        }
    }
}
