//! Changes that are put into a table of the connection's own, and from there written by one statement: rows one by one would be
//! a round trip each.

use crate::migrate::{Change, NotWritten};

/// A database that writes so.
pub(in crate::migrate) trait Staged {
    /// What it answers where something fails.
    type Error;

    /// Puts changes into that table, numbered from 0.
    fn stage(&mut self, changes: &[Change]) -> Result<(), Self::Error>;

    /// Writes the staged changes from number `from` up to `to`. Returns how many rows were written.
    fn update(&mut self, changes: &[Change], from: usize, to: usize) -> Result<u64, Self::Error>;

    /// The staged changes that are not to be seen in the table.
    fn missed(&mut self) -> Result<Vec<usize>, Self::Error>;

    /// Runs a statement.
    fn execute(&mut self, sql: &str) -> Result<(), Self::Error>;

    /// What an error says of the row that was written, of its data, of constraints or triggers; nothing if it is about the
    /// database.
    fn about_a_row(error: &Self::Error) -> Option<String>;
}

/// Writes changes. Returns those that were not written.
pub(in crate::migrate) fn write_changes<D: Staged>(
    database: &mut D,
    changes: &[Change],
) -> Result<Vec<(usize, NotWritten)>, D::Error> {
    database.stage(changes)?;
    let mut refused = Vec::new();
    let written = update_parts(database, changes, 0, changes.len(), &mut refused)?;
    if written + refused.len() as u64 != changes.len() as u64 {
        for n in database.missed()? {
            if !refused.iter().any(|(of, _)| *of == n) {
                refused.push((n, NotWritten::Changed));
            }
        }
        refused.sort_by_key(|(n, _)| *n);
    }
    Ok(refused)
}

/// Writes the staged changes from number `from` up to `to`; where the database refuses one, its halves, until it is found.
fn update_parts<D: Staged>(
    database: &mut D,
    changes: &[Change],
    from: usize,
    to: usize,
    refused: &mut Vec<(usize, NotWritten)>,
) -> Result<u64, D::Error> {
    database.execute("SAVEPOINT gridmill_part")?;
    let error = match database.update(changes, from, to) {
        Ok(rows) => {
            database.execute("RELEASE SAVEPOINT gridmill_part")?;
            return Ok(rows);
        }
        Err(error) => error,
    };
    let Some(why) = D::about_a_row(&error) else { return Err(error) };
    database.execute("ROLLBACK TO SAVEPOINT gridmill_part")?;
    database.execute("RELEASE SAVEPOINT gridmill_part")?;
    if to - from == 1 {
        refused.push((from, NotWritten::Refused(why)));
        return Ok(0);
    }
    let middle = from + (to - from) / 2;
    let first = update_parts(database, changes, from, middle, refused)?;
    Ok(first + update_parts(database, changes, middle, to, refused)?)
}
