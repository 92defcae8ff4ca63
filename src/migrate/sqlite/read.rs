//! Reads rows in the order of their keys.

use std::mem;

use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{ErrorCode, Params, Row, ToSql, params_from_iter};

use super::Sqlite;
use super::ranges::IndexRange;
use super::values::{key_bytes, read_cell, read_key};
use crate::error::Error;
use crate::migrate::dialect::{StringColumn, TableColumn, out_of_order};
use crate::migrate::{ColumnValue, KeyValue, PAGE, TableRow};

/// The most bytes of values in rows whose memory is kept for reuse.
const MOST_SPARE: usize = 1 << 20;

/// Rows that are being read.
#[derive(Default)]
struct Page {
    /// The rows that were read, and after them rows whose memory will be reused.
    rows: Vec<TableRow>,
    /// The number of rows that were read.
    count: usize,
    /// The size of their values in bytes.
    bytes: usize,
}

impl Sqlite {
    /// The row with this key, with all columns.
    pub(super) fn row(&mut self, key: &KeyValue) -> rusqlite::Result<Vec<TableRow>> {
        self.limited(|this| {
            let mut page = Page::default();
            let is_it = format!("WHERE {}", this.table.key.is("=", &this.places(1)));
            this.fill(&mut page, &is_it, params_from_iter(key.parts()))?;
            Ok(page.rows)
        })
    }

    /// Reads rows while SQLite refuses values that are too large, which costs nothing. If there is one, reads them
    /// again, with the lengths of their values. Then there is no limit, which would also apply to what the condition
    /// of the job reads.
    fn limited(
        &mut self,
        read: impl Fn(&mut Self) -> rusqlite::Result<Vec<TableRow>>,
    ) -> rusqlite::Result<Vec<TableRow>> {
        if !self.limit.has_large {
            let before = self.connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, self.limit.most_bytes)?;
            let rows = read(self);
            self.connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, before)?;
            match rows {
                Err(error) if error.sqlite_error_code() == Some(ErrorCode::TooBig) => self.limit.has_large = true,
                rows => return rows,
            }
        }
        read(self)
    }

    /// Adds the rows of a query that ends with `condition`, until the page is full.
    fn fill(&self, page: &mut Page, condition: &str, values: impl Params) -> rusqlite::Result<()> {
        let mut statement = self.connection.prepare_cached(&self.select(condition))?;
        let Page { rows, count, bytes } = page;
        let mut found = statement.query(values)?;
        while *bytes < PAGE
            && let Some(row) = found.next()?
        {
            let mut at = self.table.key.columns.len();
            for (column, StringColumn { to, .. }) in self.table.columns.iter().enumerate() {
                if *count == rows.len() {
                    rows.push(TableRow { key: KeyValue::Integer(0), column, old: ColumnValue::Null, target: None });
                }
                let one = &mut rows[*count];
                *count += 1;
                one.column = column;
                read_key(&mut one.key, self.table.key.columns.len(), |n| row.get_ref(n))?;
                self.read_value(&mut one.old, row, &mut at)?;
                match to {
                    Some(_) => self.read_value(one.target.get_or_insert(ColumnValue::Null), row, &mut at)?,
                    None => one.target = None,
                }
                let values = [Some(&one.old), one.target.as_ref()];
                *bytes += values.into_iter().flatten().filter_map(ColumnValue::bytes).map(<[u8]>::len).sum::<usize>();
                *bytes += key_bytes(&one.key);
            }
        }
        Ok(())
    }

    /// Reads the next value of a column, and moves `at` past it.
    fn read_value(&self, cell: &mut ColumnValue, row: &Row<'_>, at: &mut usize) -> rusqlite::Result<()> {
        let value = row.get_ref(*at)?;
        *at += 1;
        if self.limit.has_large {
            *at += 1;
            if let (ValueRef::Integer(bytes), ValueRef::Integer(1)) = (value, row.get_ref(*at - 1)?) {
                *cell = ColumnValue::TooLarge(bytes.unsigned_abs());
                return Ok(());
            }
        }
        read_cell(cell, value);
        Ok(())
    }

    /// Keeps rows to reuse their memory, unless they are large.
    pub(super) fn keep_spare(&mut self, rows: Vec<TableRow>) {
        let values = rows.iter().flat_map(|row| [Some(&row.old), row.target.as_ref()]).flatten();
        let bytes: usize = values.filter_map(ColumnValue::bytes).map(<[u8]>::len).sum();
        if bytes <= MOST_SPARE {
            self.spare = rows;
        }
    }

    fn select(&self, condition: &str) -> String {
        let columns = self.table.columns.iter().flat_map(|StringColumn { column, to }| [Some(column), to.as_ref()]);
        let most = self.limit.most_bytes;
        let value = |TableColumn { quoted, .. }: &TableColumn| match self.limit.has_large {
            // The length in place of a value that is too large, and whether it is. It is known without the value.
            true => {
                let is_large = format!("octet_length({quoted}) > {most}");
                format!("CASE WHEN {is_large} THEN octet_length({quoted}) ELSE {quoted} END, {is_large}")
            }
            false => quoted.clone(),
        };
        let columns: Vec<_> = columns.flatten().map(value).collect();
        format!("SELECT {}, {} FROM {} {condition}", self.table.key.quoted(), columns.join(", "), self.table.name)
    }

    /// The parameters for the values of a key in a statement, numbered from `first`.
    pub(super) fn places(&self, first: usize) -> Vec<String> {
        (first..).take(self.table.key.columns.len()).map(|n| format!("?{n}")).collect()
    }

    /// Reads rows in the order of their keys: after `after`, up to `last`, at most `limit`.
    pub(super) fn page(
        &mut self,
        after: Option<&KeyValue>,
        last: Option<&KeyValue>,
        limit: usize,
    ) -> rusqlite::Result<Vec<TableRow>> {
        self.limited(|this| {
            let mut page = Page { rows: mem::take(&mut this.spare), ..Page::default() };
            for range in this.ranges(after.map(|after| (">", after)), last)? {
                let left = limit.saturating_sub(page.count / this.table.columns.len());
                if left == 0 || page.bytes >= PAGE {
                    break;
                }
                let left = i64::try_from(left).unwrap_or(i64::MAX);
                let condition = this.condition_of_page(&range);
                let values = range.values.iter().map(|value| value as &dyn ToSql).chain([&left as &dyn ToSql]);
                this.fill(&mut page, &condition, params_from_iter(values))?;
            }
            page.rows.truncate(page.count);
            Ok(page.rows)
        })
    }

    /// The rest of a query, after the table, for the first rows of a range. The limit is the parameter after those of
    /// the range.
    fn condition_of_page(&self, range: &IndexRange) -> String {
        let rows = self.table.key.filtered(range.condition.clone());
        format!("{rows}ORDER BY {} LIMIT ?{}", self.table.key.order(), range.values.len() + 1)
    }

    /// The rest of a query, after the table, for the rows after one key and up to another.
    pub(super) fn range(&self, has_after: bool, has_last: bool) -> String {
        let after = has_after.then(|| self.places(1));
        let last = has_last.then(|| self.places(1 + after.as_ref().map_or(0, Vec::len)));
        self.table.key.range(after.as_deref(), last.as_deref())
    }

    /// Fails if rows are not in the order of their keys. In another order, some rows would be read twice, never, or
    /// without end.
    pub(super) fn check_order(&self, after: Option<&KeyValue>, rows: &[TableRow]) -> Result<(), Error> {
        let mut before = after;
        for TableRow { key, .. } in rows.iter().filter(|row| row.column == 0) {
            if let Some(before) = before
                && !self.is_after(key, before).map_err(|error| self.error("compare keys", &error))?
            {
                let help = "the table or one of its indexes is damaged; run PRAGMA integrity_check";
                return Err(self
                    .table
                    .fault("read rows in the order of their keys", out_of_order(key, Some(before), help)));
            }
            if self.limit.has_large && key_bytes(key) > PAGE {
                let words = "values over 4 MiB are not read; name another column with --key";
                let message = format!("the key of one row has {} bytes, and {words}", key_bytes(key));
                return Err(self.table.fault("use its keys", message));
            }
            before = Some(key);
        }
        Ok(())
    }

    fn is_after(&self, key: &KeyValue, before: &KeyValue) -> rusqlite::Result<bool> {
        for (column, (before, key)) in before.parts().iter().zip(key.parts()).enumerate() {
            let order = match (before, key) {
                (KeyValue::Integer(before), KeyValue::Integer(key)) => before.cmp(key), // nearly all keys are integers
                _ => self.compare(column, before, key)?,
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
    use crate::migrate::{JobColumn, MigrationJob};

    /// SQLite's query plan for each range of a table `t`, which the statements `made` create.
    fn plan(made: &str) -> Vec<String> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let made_by = rusqlite::Connection::open(file.path()).and_then(|new| new.execute_batch(made));
        made_by.expect("a table");
        let job = MigrationJob {
            table: "t".into(),
            columns: vec![JobColumn::in_place("bd")],
            key: Some("a,b".into()),
            filter: None,
            plain: false,
            links: false,
            plan: Conversion::default(),
            batch: 9,
        };
        let database = Sqlite::open(file.path(), &job, false, Duration::ZERO).expect("a database");
        let (one, two) = (
            KeyValue::Several(vec![KeyValue::Integer(1), KeyValue::Integer(1)]),
            KeyValue::Several(vec![KeyValue::Integer(2), KeyValue::Integer(2)]),
        );
        let ranges = database.ranges(Some((">", &one)), Some(&two)).expect("ranges");
        let of_range = |range: &IndexRange| {
            let sql = format!("EXPLAIN QUERY PLAN {}", database.select(&database.condition_of_page(range)));
            let mut statement = database.connection.prepare(&sql).expect("a statement");
            let values = range.values.iter().map(|value| value as &dyn ToSql).chain([&9 as &dyn ToSql]);
            let lines = statement.query_map(params_from_iter(values), |row| row.get::<_, String>(3)).expect("a plan");
            lines.collect::<Result<Vec<_>, _>>().expect("lines").join("; ")
        };
        ranges.iter().map(of_range).collect()
    }

    #[test]
    fn pages_are_found_by_all_columns_of_the_index() {
        for (made, by) in [
            ("CREATE TABLE t (a TEXT, b, bd TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID", "PRIMARY KEY"),
            ("CREATE TABLE t (a COLLATE nocase, b, bd TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID", "PRIMARY KEY"),
            ("CREATE TABLE t (a, b INT, bd TEXT); CREATE UNIQUE INDEX u ON t (a, b)", "INDEX u"),
            ("CREATE TABLE t (a, b INT, bd TEXT); CREATE UNIQUE INDEX u ON t (a DESC, b DESC)", "INDEX u"),
            (
                "CREATE TABLE t (a, b INT, bd TEXT); CREATE UNIQUE INDEX u ON t (a, b); CREATE INDEX va ON t (a); CREATE INDEX vb ON t (b, bd)",
                "INDEX u",
            ),
        ] {
            let want =
                ["(a=? AND b>?)", "(a>? AND a<?)", "(a=? AND b<?)"].map(|range| format!("SEARCH t USING {by} {range}"));
            assert_eq!(plan(made), want, "{made}");
        }
    }
}
