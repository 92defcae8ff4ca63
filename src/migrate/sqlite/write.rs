//! Changes rows: all of them with one or a few statements, or one by one if the database does not accept all of them.

use rusqlite::{ToSql, params_from_iter};

use super::ranges::IndexRange;
use super::values::{is_about_a_row, words};
use super::{Sqlite, lock};
use crate::migrate::dialect::{RowChanges, StringColumn, by_row, of_changes};
use crate::migrate::{Change, JobTable, NotWritten};

impl Sqlite {
    /// Writes changes. Returns those that the database does not accept, and why.
    pub(super) fn write_changes(
        &mut self,
        changes: &[Change],
        all: bool,
    ) -> rusqlite::Result<Vec<(usize, NotWritten)>> {
        let rows = by_row(changes);
        self.connection.execute_batch("SAVEPOINT gridmill_batch")?;
        match self.write_all(&rows, all) {
            Ok(written) if written == rows.len() => {
                self.connection.execute_batch("RELEASE gridmill_batch")?;
                return Ok(Vec::new());
            }
            Err(error) if !is_about_a_row(&error) || self.has_ended(&error) => return Err(error),
            _ => {}
        }
        self.connection.execute_batch("ROLLBACK TO gridmill_batch; RELEASE gridmill_batch")?;
        Ok(of_changes(&rows, self.write_each(&rows)?))
    }

    /// Whether an error about a row ended the transaction, as a trigger may do with `RAISE(ROLLBACK)`.
    pub(super) fn has_ended(&self, error: &rusqlite::Error) -> bool {
        is_about_a_row(error) && self.connection.is_autocommit()
    }

    /// Writes all changes, with one `UPDATE` for each range of their keys. Returns the number of rows written. An error
    /// may be about one of the rows.
    fn write_all(&mut self, rows: &[RowChanges], all: bool) -> rusqlite::Result<usize> {
        let columns = self.table.columns.len();
        {
            let mut pending = lock(&self.called.pending);
            pending.begin(rows.iter().flat_map(|row| row[0].row.key.parts()));
            for (n, row) in rows.iter().enumerate() {
                pending.news.resize((n + 1) * columns, None);
                pending.olds.resize(if all { 0 } else { (n + 1) * columns }, None);
                for Change { row, new } in *row {
                    pending.news[n * columns + row.column] = Some((*new).clone());
                    if !all {
                        pending.olds[n * columns + row.column] = Some(row.old.clone());
                    }
                }
            }
        }
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return Ok(0) };
        let ranges = self.ranges(Some((">=", &first[0].row.key)), Some(&last[0].row.key))?;
        ranges.iter().try_fold(0, |written, range| Ok(written + self.write_range(range, all)?))
    }

    /// Writes the changes in a range of keys with one `UPDATE`.
    fn write_range(&self, range: &IndexRange, all: bool) -> rusqlite::Result<usize> {
        let Self { update, table: JobTable { key, name: table, columns, .. }, .. } = self;
        let names = key.quoted();
        let set = columns.iter().enumerate().map(|(n, column)| {
            let to = &column.written().quoted;
            let new = format!("gridmill_new({names}, {n})");
            match all || columns.len() == 1 {
                true => format!("{to} = {new}"),
                // A value that does not change must not pass through a function, which would alter invalid Unicode.
                false => format!("{to} = CASE WHEN gridmill_is_new({names}, {n}) THEN {new} ELSE {to} END"),
            }
        });
        let set = set.collect::<Vec<_>>().join(", ");
        // Nobody else can have written since the rows were read, so if all of them change, none has to be compared.
        // Values that are too large, also of rows for which the condition of the job does not hold, stay unread.
        let is_any_large = self.limit.has_large || key.filter.is_some();
        let old = |StringColumn { column, .. }: &StringColumn| match is_any_large {
            true => format!(", CASE WHEN octet_length({0}) <= {1} THEN {0} END", column.quoted, self.limit.most_bytes),
            false => format!(", {}", column.quoted),
        };
        let olds: String = columns.iter().map(old).collect();
        let is_old = (!all).then(|| format!("gridmill_is_old({names}{olds})"));
        let conditions: Vec<_> = range.condition.clone().into_iter().chain(is_old).collect();
        let sql = format!("{update} {table} SET {set} WHERE {}", conditions.join(" AND "));
        let mut statement = self.connection.prepare_cached(&sql)?;
        statement.execute(params_from_iter(&range.values))
    }

    /// Writes one row. Returns why the database does not accept it, if so. An error that ended the transaction is
    /// returned as an error.
    fn write_one(&mut self, row: RowChanges) -> rusqlite::Result<Option<NotWritten>> {
        let Self { update, table: JobTable { key, name: table, columns, .. }, .. } = &*self;
        let values: Vec<&dyn ToSql> =
            row.iter().flat_map(|change| [change.new as &dyn ToSql, &change.row.old]).collect();
        let of = |sql: &dyn Fn(&StringColumn, usize) -> String| -> Vec<String> {
            row.iter().zip((1..).step_by(2)).map(|(change, at)| sql(&columns[change.row.column], at)).collect()
        };
        let set = of(&|column, at| format!("{} = ?{at}", column.written().quoted)).join(", ");
        let olds = of(&|column, at| format!("{} IS ?{}", column.column.quoted, at + 1)).join(" AND ");
        let is_it = key.is("=", &self.places(values.len() + 1));
        let sql = format!("{update} {table} SET {set} WHERE {is_it} AND {olds}");
        let keys = row[0].row.key.parts().iter().map(|part| part as &dyn ToSql);
        let done = self.connection.prepare_cached(&sql)?.execute(params_from_iter(values.into_iter().chain(keys)));
        match done {
            Ok(0) => Ok(Some(NotWritten::Changed)),
            Ok(_) => Ok(None),
            Err(error) if is_about_a_row(&error) && !self.has_ended(&error) => {
                Ok(Some(NotWritten::Refused(words(&error))))
            }
            Err(error) => Err(error),
        }
    }

    /// Writes row by row, after an error about one of them, or after some rows were not changed.
    fn write_each(&mut self, rows: &[RowChanges]) -> rusqlite::Result<Vec<(usize, NotWritten)>> {
        let mut missed = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            lock(&self.called.pending).at = at;
            self.connection.execute_batch("SAVEPOINT gridmill_row")?;
            let why = self.write_one(row)?;
            if matches!(why, Some(NotWritten::Refused(_))) {
                self.connection.execute_batch("ROLLBACK TO gridmill_row")?;
            }
            self.connection.execute_batch("RELEASE gridmill_row")?;
            missed.extend(why.map(|why| (at, why)));
        }
        Ok(missed)
    }
}
