//! Changing rows: all of them in one statement, or one by one where the database does not take them all.

use rusqlite::{ToSql, params_from_iter};

use super::values::{is_about_a_row, words};
use super::{Sqlite, lock};
use crate::migrate::dialect::{RowChanges, StringColumn, by_row, of_changes};
use crate::migrate::{Change, Key, NotWritten};

/// Rows of a group, on the average, from which on each group has a statement of its own.
const GROUP: usize = 100;

/// Rows by groups that differ in the last column of their keys alone, if there are few of them: SQLite compares every row that it finds by
/// several columns once more with both ends of a range of them, and one that it finds by a single one with none.
fn parts_of<'r, 'c, 'a>(rows: &'r [RowChanges<'c, 'a>]) -> Vec<&'r [RowChanges<'c, 'a>]> {
    let key = |row: &RowChanges<'c, 'a>| row[0].row.key.parts();
    let groups: Vec<_> = rows.chunk_by(|one, next| is_of_one_group(key(one), key(next))).collect();
    if groups.len() * GROUP <= rows.len() { groups } else { vec![rows] }
}

fn is_of_one_group(one: &[Key], next: &[Key]) -> bool {
    one.split_last().map(|(_, before)| before) == next.split_last().map(|(_, before)| before)
}

impl Sqlite {
    /// All changes; or what is wrong with those that the database does not take.
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

    /// One `UPDATE` for all changes, or a few. An error may be about one row of them.
    fn write_all(&mut self, rows: &[RowChanges], all: bool) -> rusqlite::Result<usize> {
        let columns = self.columns.len();
        {
            let mut pending = lock(&self.pending);
            pending.clear();
            for (n, row) in rows.iter().enumerate() {
                pending.keys.extend_from_slice(row[0].row.key.parts());
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
        let ranges = if self.key.columns.len() > 1 { parts_of(rows) } else { vec![rows] };
        ranges.into_iter().try_fold(0, |written, rows| Ok(written + self.write_range(rows, all)?))
    }

    /// One `UPDATE` for rows that follow each other in the order of their keys.
    fn write_range(&self, rows: &[RowChanges], all: bool) -> rusqlite::Result<usize> {
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return Ok(0) };
        let Self { key, table, update, columns, .. } = self;
        let names = key.quoted();
        let set = columns.iter().enumerate().map(|(n, column)| {
            let to = &column.written().quoted;
            let new = format!("gridmill_new({names}, {n})");
            match all || columns.len() == 1 {
                true => format!("{to} = {new}"),
                // What stays does not pass through a function, which would make other text of what is no Unicode.
                false => format!("{to} = CASE WHEN gridmill_is_new({names}, {n}) THEN {new} ELSE {to} END"),
            }
        });
        let set = set.collect::<Vec<_>>().join(", ");
        // Nobody else can write between the reading and this, so that where all rows change there is nothing to compare.
        let olds: String = columns.iter().map(|column| format!(", {}", column.column.quoted)).collect();
        let others = if all { String::new() } else { format!(" AND gridmill_is_old({names}{olds})") };
        let (first, last) = (first[0].row.key.parts(), last[0].row.key.parts());
        let (range, values) = if first.len() > 1 && is_of_one_group(first, last) {
            let range = key.columns.iter().zip(1..).map(|(column, n)| match n < first.len() {
                true => format!("{} = ?{n}", column.order),
                false => format!("{0} >= ?{n} AND {0} <= ?{1}", column.order, n + 1),
            });
            (range.collect::<Vec<_>>().join(" AND "), [first, &last[last.len() - 1..]])
        } else {
            let (from, until) = (key.is(">=", &self.places(1)), key.is("<=", &self.places(1 + first.len())));
            (format!("{from} AND {until}"), [first, last])
        };
        let sql = format!("{update} {table} SET {set} WHERE {range}{others}");
        let mut statement = self.connection.prepare_cached(&sql)?;
        statement.execute(params_from_iter(values.into_iter().flatten()))
    }

    /// One row by itself: what is wrong with it, if the database does not take it. An error that ended the transaction is one.
    fn write_one(&mut self, row: RowChanges) -> rusqlite::Result<Option<NotWritten>> {
        let Self { key, table, update, columns, .. } = &*self;
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

    /// Row by row, after an error that is about one of them, or where some were not changed.
    fn write_each(&mut self, rows: &[RowChanges]) -> rusqlite::Result<Vec<(usize, NotWritten)>> {
        let mut missed = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            lock(&self.pending).at = at;
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
