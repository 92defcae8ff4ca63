//! Reading rows, in the order of the index that names them.

use super::Sqlite;
use super::values::{cell, key};
use crate::error::Error;
use crate::migrate::dialect::out_of_order;
use crate::migrate::{ColumnValue, Key, PAGE, TableRow};

impl Sqlite {
    /// The rows that a query finds which ends so.
    pub(super) fn query(
        &mut self,
        condition: &str,
        values: &[&dyn rusqlite::ToSql],
    ) -> rusqlite::Result<Vec<TableRow>> {
        let Self { key: row_key, column, to, table, .. } = &*self;
        let (name, column) = (&row_key.column.quoted, &column.quoted);
        let target = to.as_ref().map_or(String::new(), |to| format!(", {}", to.quoted));
        let sql = format!("SELECT {name}, {column}{target} FROM {table} {condition}");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let has_target = to.is_some();
        let row = |row: &rusqlite::Row| {
            let target = if has_target { Some(cell(row.get_ref(2)?)) } else { None };
            Ok(TableRow { key: key(row.get_ref(0)?), old: cell(row.get_ref(1)?), target })
        };
        let (mut rows, mut bytes) = (Vec::new(), 0);
        for next in statement.query_map(values, row)? {
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

    /// Rows in the order of their keys: after `after`, up to `last`, at most `limit`.
    pub(super) fn page(
        &mut self,
        after: Option<&Key>,
        last: Option<&Key>,
        limit: usize,
    ) -> rusqlite::Result<Vec<TableRow>> {
        // Those that are given are numbered from 1.
        let number_of_last = if after.is_some() { "?2" } else { "?1" };
        let page = self.key.page(after.map(|_| "?1"), last.map(|_| number_of_last), limit);
        let values: Vec<_> = after.iter().chain(&last).map(|key| key as &dyn rusqlite::ToSql).collect();
        self.query(&page, &values)
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
        match (before, key) {
            (Key::Integer(before), Key::Integer(key)) => Ok(before < key),
            (Key::Text(before), Key::Text(key)) if self.is_bytewise => Ok(before < key),
            _ => {
                let sql = format!("SELECT ?1 < ?2{}", self.collation);
                self.connection.prepare_cached(&sql)?.query_row([before, key], |row| row.get(0))
            }
        }
    }
}
