//! Changing rows.

use std::io::Write;

use super::Postgres;
use super::copy::{escaped, value};
use super::words;
use crate::migrate::dialect::Staged;
use crate::migrate::{Change, Key};

impl Postgres {
    /// The columns of the key in the table of the batch at hand.
    fn staged(&self) -> Vec<String> {
        (0..self.key_types.len()).map(|n| format!("s.k{n}")).collect()
    }
}

impl Staged for Postgres {
    type Error = postgres::Error;

    fn stage(&mut self, changes: &[Change]) -> Result<(), postgres::Error> {
        if !self.has_stage {
            let keys: String = self.key_types.iter().enumerate().map(|(n, kind)| format!("k{n} {kind}, ")).collect();
            let sql = format!("CREATE TEMPORARY TABLE gridmill_stage (n integer, {keys}new text)");
            self.client.batch_execute(&sql)?;
            self.has_stage = true;
        }
        self.client.batch_execute("TRUNCATE pg_temp.gridmill_stage")?;
        let mut text = Vec::new();
        for (n, Change { row, new }) in changes.iter().enumerate() {
            text.extend_from_slice(format!("{n}\t").as_bytes());
            for part in row.key.parts() {
                match part {
                    Key::Text(key) => escaped(key, &mut text),
                    other => escaped(other.shown().as_bytes(), &mut text),
                }
                text.push(b'\t');
            }
            value(new, &mut text);
            text.push(b'\n');
        }
        let mut writer = self.client.copy_in("COPY pg_temp.gridmill_stage FROM STDIN")?;
        // Where that fails, so does the end, and says why.
        let _ = writer.write_all(&text);
        writer.finish().map(drop)
    }

    fn update(&mut self, changes: &[Change], from: usize, to: usize) -> Result<u64, postgres::Error> {
        let target = self.to.as_ref().unwrap_or(&self.column);
        let free = self.to.as_ref().map_or(String::new(), |to| format!(" AND coalesce(t.{}, '') = ''", to.quoted));
        let Self { table, key, .. } = &*self;
        let sql = format!(
            "UPDATE {table} AS t SET {} = s.new{} FROM pg_temp.gridmill_stage AS s \
             WHERE {} AND {} AND {}{free} AND s.n >= {from} AND s.n < {to}",
            target.quoted,
            // Text is stored as what the column is. A cast would do that too, but silently cut what does not fit.
            if target.bytes { "::bytea" } else { "" },
            key.is("=", &self.staged()),
            // Without the range all of the table is looked through for each batch.
            key.is(">=", &self.key_literals(&changes[from].row.key)),
            key.is("<=", &self.key_literals(&changes[to - 1].row.key)),
        );
        self.client.execute(&sql, &[])
    }

    fn missed(&mut self) -> Result<Vec<usize>, postgres::Error> {
        let target = self.to.as_ref().unwrap_or(&self.column);
        let (table, is_it) = (&self.table, self.key.is("=", &self.staged()));
        let sql = format!(
            "SELECT s.n FROM pg_temp.gridmill_stage AS s LEFT JOIN {table} AS t ON {is_it} \
             WHERE t.{}::text COLLATE \"C\" IS DISTINCT FROM s.new ORDER BY s.n",
            target.quoted
        );
        Ok(self.client.query(&sql, &[])?.iter().map(|row| row.get::<_, i32>(0) as usize).collect())
    }

    fn execute(&mut self, sql: &str) -> Result<(), postgres::Error> {
        self.client.batch_execute(sql)
    }

    fn about_a_row(error: &postgres::Error) -> Option<String> {
        let is_about_a_row = error
            .code()
            .is_some_and(|code| ["22", "23", "P0", "09", "44"].iter().any(|class| code.code().starts_with(class)));
        is_about_a_row.then(|| words(error))
    }
}
