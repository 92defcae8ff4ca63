//! Changing rows.

use std::io::Write;

use super::Postgres;
use super::copy::{escaped, value};
use super::{interference, words};
use crate::migrate::dialect::{RowChanges, Staged};
use crate::migrate::{Interference, Key, NewValue};

impl Postgres {
    /// The columns of the key in the table of the batch at hand.
    fn staged(&self) -> Vec<String> {
        (0..self.key_types.len()).map(|n| format!("s.k{n}")).collect()
    }
}

impl Staged for Postgres {
    type Error = postgres::Error;

    fn stage(&mut self, rows: &[RowChanges]) -> Result<(), postgres::Error> {
        if !self.has_stage {
            let keys: String = self.key_types.iter().enumerate().map(|(n, kind)| format!("k{n} {kind}, ")).collect();
            let of_column = |n: usize| {
                if self.columns.len() == 1 { format!("new{n} text") } else { format!("new{n} text, is{n} boolean") }
            };
            let news = (0..self.columns.len()).map(of_column).collect::<Vec<_>>().join(", ");
            let sql = format!("CREATE TEMPORARY TABLE gridmill_stage (n integer, {keys}{news})");
            self.client.batch_execute(&sql)?;
            self.has_stage = true;
        }
        self.client.batch_execute("TRUNCATE pg_temp.gridmill_stage")?;
        let mut text = Vec::new();
        for (n, changes) in rows.iter().enumerate() {
            text.extend_from_slice(n.to_string().as_bytes());
            for part in changes[0].row.key.parts() {
                text.push(b'\t');
                match part {
                    Key::Text(key) => escaped(key, &mut text),
                    other => escaped(other.shown().as_bytes(), &mut text),
                }
            }
            for column in 0..self.columns.len() {
                let change = changes.iter().find(|change| change.row.column == column);
                text.push(b'\t');
                value(change.map_or(&NewValue::Null, |change| change.new), &mut text);
                if self.columns.len() > 1 {
                    text.extend_from_slice(if change.is_some() { b"\tt" } else { b"\tf" });
                }
            }
            text.push(b'\n');
        }
        let mut writer = self.client.copy_in("COPY pg_temp.gridmill_stage FROM STDIN")?;
        // Where that fails, so does the end, and says why.
        let _ = writer.write_all(&text);
        writer.finish().map(drop)
    }

    fn update(&mut self, rows: &[RowChanges], from: usize, to: usize) -> Result<u64, postgres::Error> {
        let Self { table, key, columns, .. } = &*self;
        let is_one = columns.len() == 1;
        let set = columns.iter().enumerate().map(|(n, column)| {
            let written = column.written();
            // Text is stored as what the column is. A cast would do that too, but silently cut what does not fit.
            let new = format!("s.new{n}{}", if written.bytes { "::bytea" } else { "" });
            let name = &written.quoted;
            if is_one {
                format!("{name} = {new}")
            } else {
                format!("{name} = CASE WHEN s.is{n} THEN {new} ELSE t.{name} END")
            }
        });
        let free = columns.iter().enumerate().filter_map(|(n, column)| {
            let is_free = format!("coalesce(t.{}, '') = ''", column.to.as_ref()?.quoted);
            Some(if is_one { format!(" AND {is_free}") } else { format!(" AND (NOT s.is{n} OR {is_free})") })
        });
        let sql = format!(
            "UPDATE {table} AS t SET {} FROM pg_temp.gridmill_stage AS s \
             WHERE {} AND {} AND {}{} AND s.n >= {from} AND s.n < {to}",
            set.collect::<Vec<_>>().join(", "),
            key.is("=", &self.staged()),
            // Without the range all of the table is looked through for each batch.
            key.is(">=", &self.key_literals(&rows[from][0].row.key)),
            key.is("<=", &self.key_literals(&rows[to - 1][0].row.key)),
            free.collect::<String>(),
        );
        self.client.execute(&sql, &[])
    }

    fn missed(&mut self) -> Result<Vec<usize>, postgres::Error> {
        let (table, is_it) = (&self.table, self.key.is("=", &self.staged()));
        let is_missed = self.columns.iter().enumerate().map(|(n, column)| {
            let is_other = format!("t.{}::text COLLATE \"C\" IS DISTINCT FROM s.new{n}", column.written().quoted);
            if self.columns.len() == 1 { is_other } else { format!("s.is{n} AND {is_other}") }
        });
        let sql = format!(
            "SELECT s.n FROM pg_temp.gridmill_stage AS s LEFT JOIN {table} AS t ON {is_it} WHERE {} ORDER BY s.n",
            is_missed.collect::<Vec<_>>().join(" OR ")
        );
        Ok(self.client.query(&sql, &[])?.iter().map(|row| row.get::<_, i32>(0) as usize).collect())
    }

    fn execute(&mut self, sql: &str) -> Result<(), postgres::Error> {
        self.client.batch_execute(sql)
    }

    fn words(error: &postgres::Error) -> String {
        words(error)
    }

    fn is_about_a_row(error: &postgres::Error) -> bool {
        error
            .code()
            .is_some_and(|code| ["22", "23", "P0", "09", "44"].iter().any(|class| code.code().starts_with(class)))
    }

    fn interference(error: &postgres::Error) -> Option<Interference> {
        interference(error)
    }
}
