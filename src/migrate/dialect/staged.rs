//! Changes that one statement writes by joining them as a table `s`. Row by row, each would cost a round trip.
//!
//! Each row of that table has a number `n`, the columns `k0`, `k1` ... of the key, and for each column of the job
//! `new0`, `new1` ...; with several columns also `is0`, `is1` ..., which say whether the column is written.

use super::{RowChanges, by_row, of_changes};
use crate::error::Error;
use crate::migrate::{BatchOutcome, Change, Database, Interference, NotWritten};

/// A database that writes that way.
pub(in crate::migrate) trait Staged: Database {
    /// The database's errors.
    type Error;

    /// Puts changes into the table, numbered from 0, if it is a temporary table of the connection.
    fn stage(&mut self, _rows: &[RowChanges]) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Writes the changes from number `from` up to `to`. Returns how many rows were written.
    fn update(&mut self, rows: &[RowChanges], from: usize, to: usize) -> Result<u64, Self::Error>;

    /// The changes that did not take effect.
    fn missed(&mut self, rows: &[RowChanges]) -> Result<Vec<usize>, Self::Error>;

    /// Runs a statement.
    fn execute(&mut self, sql: &str) -> Result<(), Self::Error>;

    /// The message of an error.
    fn message(error: &Self::Error) -> String;

    /// Whether an error is about a row (its data, constraints or triggers) and not about the database.
    fn is_about_a_row(error: &Self::Error) -> bool;

    /// The interference that an error reports, if it does.
    fn interference(error: &Self::Error) -> Option<Interference>;
}

/// Writes changes.
pub(in crate::migrate) fn write_changes<D: Staged>(
    database: &mut D,
    changes: &[Change],
) -> Result<BatchOutcome, Error> {
    let rows = by_row(changes);
    match write_rows(database, &rows) {
        Ok(missed) => Ok(BatchOutcome::Done(of_changes(&rows, missed))),
        Err(error) => match D::interference(&error) {
            Some(others) => Ok(BatchOutcome::Conflict(others)),
            None => Err(database.table().fault("write rows", D::message(&error))),
        },
    }
}

/// Returns the rows that were not written.
fn write_rows<D: Staged>(database: &mut D, rows: &[RowChanges]) -> Result<Vec<(usize, NotWritten)>, D::Error> {
    database.stage(rows)?;
    let mut refused = Vec::new();
    let written = update_parts(database, rows, 0, rows.len(), &mut refused)?;
    if written + refused.len() as u64 != rows.len() as u64 {
        for n in database.missed(rows)? {
            if !refused.iter().any(|(of, _)| *of == n) {
                refused.push((n, NotWritten::Changed));
            }
        }
        refused.sort_by_key(|(n, _)| *n);
    }
    Ok(refused)
}

/// Writes the staged changes from number `from` up to `to`. If the database refuses one, they are bisected until it is
/// found.
fn update_parts<D: Staged>(
    database: &mut D,
    rows: &[RowChanges],
    from: usize,
    to: usize,
    refused: &mut Vec<(usize, NotWritten)>,
) -> Result<u64, D::Error> {
    database.execute("SAVEPOINT gridmill_part")?;
    let error = match database.update(rows, from, to) {
        Ok(rows) => {
            database.execute("RELEASE SAVEPOINT gridmill_part")?;
            return Ok(rows);
        }
        Err(error) => error,
    };
    if !D::is_about_a_row(&error) {
        return Err(error);
    }
    database.execute("ROLLBACK TO SAVEPOINT gridmill_part")?;
    database.execute("RELEASE SAVEPOINT gridmill_part")?;
    if to - from == 1 {
        refused.push((from, NotWritten::Refused(D::message(&error))));
        return Ok(0);
    }
    let middle = from + (to - from) / 2;
    let first = update_parts(database, rows, from, middle, refused)?;
    Ok(first + update_parts(database, rows, middle, to, refused)?)
}
