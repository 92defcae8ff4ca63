//! Changing rows: all of them in one statement, or in halves where the database does not take them all.

use std::io::Write;

use super::Postgres;
use super::copy::{escaped, value};
use super::words;
use crate::migrate::{Change, ColumnValue, Key, NotWritten};

impl Postgres {
    /// Puts changes into the temporary table.
    pub(super) fn stage(&mut self, changes: &[Change]) -> Result<(), postgres::Error> {
        if !self.has_stage {
            let sql = format!("CREATE TEMPORARY TABLE gridmill_stage (n integer, k {}, new text)", self.key_type);
            self.client.batch_execute(&sql)?;
            self.has_stage = true;
        }
        self.client.batch_execute("TRUNCATE pg_temp.gridmill_stage")?;
        let mut text = Vec::new();
        for (n, Change { row, new }) in changes.iter().enumerate() {
            text.extend_from_slice(format!("{n}\t").as_bytes());
            match &row.key {
                Key::Text(key) => escaped(key, &mut text),
                other => escaped(other.shown().as_bytes(), &mut text),
            }
            text.push(b'\t');
            let target = self.to.as_ref().unwrap_or(&self.column);
            let new = if target.bytes {
                ColumnValue::Blob(new.as_bytes().to_vec())
            } else {
                ColumnValue::Text(new.as_bytes().to_vec())
            };
            value(&new, &mut text);
            text.push(b'\n');
        }
        let mut writer = self.client.copy_in("COPY pg_temp.gridmill_stage FROM STDIN")?;
        // Where that fails, so does the end, and says why.
        let _ = writer.write_all(&text);
        writer.finish().map(drop)
    }

    /// Writes the staged changes from number `from` up to `to`. Returns how many rows were written.
    pub(super) fn update(&mut self, changes: &[Change], from: usize, to: usize) -> Result<u64, postgres::Error> {
        let target = self.to.as_ref().unwrap_or(&self.column);
        let free = self.to.as_ref().map_or(String::new(), |to| format!(" AND coalesce(t.{}, '') = ''", to.name));
        let Self { table, order, .. } = &*self;
        let sql = format!(
            "UPDATE {table} AS t SET {} = s.new{} FROM pg_temp.gridmill_stage AS s \
             WHERE {order} = s.k AND {order} >= {} AND {order} <= {}{free} AND s.n >= {from} AND s.n < {to}",
            target.name,
            // Text is stored as what the column is. A cast would do that too, but silently cut what does not fit.
            if target.bytes { "::bytea" } else { "" },
            // Without the range all of the table is looked through for each batch.
            self.key_literal(&changes[from].row.key),
            self.key_literal(&changes[to - 1].row.key),
        );
        self.client.execute(&sql, &[])
    }

    /// Writes the staged changes from number `from` up to `to`; where the database refuses one, its halves, until it is found.
    pub(super) fn update_parts(
        &mut self,
        changes: &[Change],
        from: usize,
        to: usize,
        refused: &mut Vec<(usize, NotWritten)>,
    ) -> Result<u64, postgres::Error> {
        self.client.batch_execute("SAVEPOINT gridmill_part")?;
        match self.update(changes, from, to) {
            Ok(rows) => {
                self.client.batch_execute("RELEASE gridmill_part")?;
                Ok(rows)
            }
            Err(error) if is_about_a_row(&error) => {
                self.client.batch_execute("ROLLBACK TO gridmill_part; RELEASE gridmill_part")?;
                if to - from == 1 {
                    refused.push((from, NotWritten::Refused(words(&error))));
                    return Ok(0);
                }
                let middle = from + (to - from) / 2;
                Ok(self.update_parts(changes, from, middle, refused)?
                    + self.update_parts(changes, middle, to, refused)?)
            }
            Err(error) => Err(error),
        }
    }

    /// The staged changes that are not to be seen in the table.
    pub(super) fn missed(&mut self) -> Result<Vec<usize>, postgres::Error> {
        let target = self.to.as_ref().unwrap_or(&self.column);
        let Self { table, order, .. } = &*self;
        let sql = format!(
            "SELECT s.n FROM pg_temp.gridmill_stage AS s LEFT JOIN {table} AS t ON {order} = s.k \
             WHERE t.{}::text COLLATE \"C\" IS DISTINCT FROM s.new ORDER BY s.n",
            target.name
        );
        Ok(self.client.query(&sql, &[])?.iter().map(|row| row.get::<_, i32>(0) as usize).collect())
    }

    pub(super) fn write_changes(&mut self, changes: &[Change]) -> Result<Vec<(usize, NotWritten)>, postgres::Error> {
        self.stage(changes)?;
        let mut refused = Vec::new();
        let written = self.update_parts(changes, 0, changes.len(), &mut refused)?;
        if written + refused.len() as u64 != changes.len() as u64 {
            for n in self.missed()? {
                if !refused.iter().any(|(of, _)| *of == n) {
                    refused.push((n, NotWritten::Changed));
                }
            }
            refused.sort_by_key(|(n, _)| *n);
        }
        Ok(refused)
    }
}

/// Whether an error is about a row that was written, and not about the database: of data, of constraints, of triggers.
pub(super) fn is_about_a_row(error: &postgres::Error) -> bool {
    error.code().is_some_and(|code| ["22", "23", "P0", "09", "44"].iter().any(|class| code.code().starts_with(class)))
}
