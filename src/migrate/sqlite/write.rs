//! Changing rows: all of them in one statement, or one by one where the database does not take them all.

use rusqlite::{ToSql, params_from_iter};

use super::values::{is_about_a_row, words};
use super::{Pending, Sqlite, lock};
use crate::migrate::{Change, NotWritten};

impl Sqlite {
    /// All changes; or what is wrong with those that the database does not take.
    pub(super) fn write_changes(
        &mut self,
        changes: &[Change],
        all: bool,
    ) -> rusqlite::Result<Vec<(usize, NotWritten)>> {
        self.connection.execute_batch("SAVEPOINT gridmill_batch")?;
        match self.write_all(changes, all) {
            Ok(written) if written == changes.len() => {
                self.connection.execute_batch("RELEASE gridmill_batch")?;
                return Ok(Vec::new());
            }
            Err(error) if !is_about_a_row(&error) || self.has_ended(&error) => return Err(error),
            _ => {}
        }
        self.connection.execute_batch("ROLLBACK TO gridmill_batch; RELEASE gridmill_batch")?;
        self.write_each(changes)
    }

    /// Whether an error about a row ended the transaction, as a trigger may do with `RAISE(ROLLBACK)`.
    pub(super) fn has_ended(&self, error: &rusqlite::Error) -> bool {
        is_about_a_row(error) && self.connection.is_autocommit()
    }

    /// One `UPDATE` for all changes. An error may be about one row of them.
    fn write_all(&mut self, changes: &[Change], all: bool) -> rusqlite::Result<usize> {
        let (Some(first), Some(last)) = (changes.first(), changes.last()) else { return Ok(0) };
        {
            let mut pending = lock(&self.pending);
            *pending = Pending::default();
            for change in changes {
                pending.keys.push(change.row.key.clone());
                pending.news.push(change.new.clone());
                if !all {
                    pending.olds.push(change.row.old.clone());
                }
            }
        }
        let Self { key, column, to, table, update, .. } = &*self;
        let (names, to, column) = (key.quoted(), &to.as_ref().unwrap_or(column).quoted, &column.quoted);
        // Nobody else can write between the reading and this, so that where all rows change there is nothing to compare.
        let others = if all { String::new() } else { format!(" AND gridmill_is_old({names}, {column})") };
        let (first, last) = (first.row.key.parts(), last.row.key.parts());
        let (from, until) = (key.is(">=", &self.places(1)), key.is("<=", &self.places(1 + first.len())));
        let sql = format!("{update} {table} SET {to} = gridmill_new({names}) WHERE {from} AND {until}{others}");
        let mut statement = self.connection.prepare_cached(&sql)?;
        statement.execute(params_from_iter(first.iter().chain(last)))
    }

    /// One row by itself: what is wrong with it, if the database does not take it. An error that ended the transaction is one.
    fn write_one(&mut self, change: &Change) -> rusqlite::Result<Option<NotWritten>> {
        let Self { key, column, to, table, update, .. } = &*self;
        let (is_it, to, column) = (key.is("=", &self.places(3)), &to.as_ref().unwrap_or(column).quoted, &column.quoted);
        let sql = format!("{update} {table} SET {to} = ?1 WHERE {is_it} AND {column} IS ?2");
        let values: [&dyn ToSql; 2] = [change.new, &change.row.old];
        let values = values.into_iter().chain(change.row.key.parts().iter().map(|part| part as &dyn ToSql));
        let done = self.connection.prepare_cached(&sql)?.execute(params_from_iter(values));
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
    fn write_each(&mut self, changes: &[Change]) -> rusqlite::Result<Vec<(usize, NotWritten)>> {
        let mut missed = Vec::new();
        for (at, change) in changes.iter().enumerate() {
            lock(&self.pending).at = at;
            self.connection.execute_batch("SAVEPOINT gridmill_row")?;
            let why = self.write_one(change)?;
            if matches!(why, Some(NotWritten::Refused(_))) {
                self.connection.execute_batch("ROLLBACK TO gridmill_row")?;
            }
            self.connection.execute_batch("RELEASE gridmill_row")?;
            missed.extend(why.map(|why| (at, why)));
        }
        Ok(missed)
    }
}
