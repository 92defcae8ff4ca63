//! Reads rows, with COPY in its binary format.

use std::mem;

use postgres_protocol::escape::escape_literal;

use super::Postgres;
use super::ahead::ReadAhead;
use super::copy::{Copied, CopyOutput, cell, copied, decimal};
use crate::error::Error;
use crate::migrate::dialect::{StringColumn, TableColumn, out_of_order};
use crate::migrate::{ColumnValue, Failure, JobTable, KeyValue, MigrationJob, PAGE, TableRow};

impl Postgres {
    /// Whether rows can be read from the state before the transaction that writes. They cannot if its own changes may
    /// matter: to triggers and rules, to a condition, and to keys that the server makes of other columns.
    pub(super) fn may_read_ahead(&self, job: &MigrationJob) -> bool {
        !self.table.has_triggers
            && job.filter.is_none()
            && !self.table.key.columns.iter().any(|column| column.is_generated)
    }

    /// Starts reading the rows after these, a page, unless they are large. (Then two pages would be in memory.)
    fn read_ahead(&mut self, rows: &[TableRow], last: Option<&KeyValue>, is_first: bool) -> Result<(), Error> {
        let bytes: usize = rows.iter().filter_map(|row| row.old.bytes()).map(<[u8]>::len).sum();
        let Some(row) = rows.last().filter(|_| self.ahead.is_some() && bytes <= PAGE) else { return Ok(()) };
        if is_first {
            // Within a savepoint this would fail; the first rows are read before any is set.
            let snapshot = self.client.query_one("SELECT pg_export_snapshot()", &[]);
            let snapshot: String = snapshot.map_err(|error| self.error("read rows", &error))?.get(0);
            self.ahead.iter_mut().for_each(|ahead| ahead.begin(&snapshot));
        }
        let sql = self.page(Some(&row.key), last, self.page_rows.get());
        if let Some(ahead) = &mut self.ahead {
            ahead.start(sql);
        }
        Ok(())
    }

    pub(super) fn end_reading_ahead(&mut self) {
        self.is_fresh = false;
        self.ahead.iter_mut().for_each(ReadAhead::end);
    }

    /// See [`Database::read`].
    pub(super) fn read_page(
        &mut self,
        after: Option<&KeyValue>,
        last: Option<&KeyValue>,
        limit: usize,
    ) -> Result<Vec<TableRow>, Failure> {
        let (page, is_first) = (self.page_rows.get(), mem::take(&mut self.is_fresh));
        let (is_said, columns) = (self.key_order.is_asked(), self.table.columns.len());
        let ready = match self.ahead.as_ref().is_some_and(ReadAhead::is_reading) {
            true => {
                let sql = self.page(after, last, page);
                self.ahead.as_mut().and_then(|ahead| ahead.take(&sql))
            }
            false => None,
        };
        let output = match ready {
            Some(output) => output,
            None => self.copy(&self.page(after, last, page.min(limit)))?,
        };
        let mut rows = self.rows_of(&output.text, is_said, after)?;
        let (count, is_cut) = (rows.len() / columns, output.is_cut);
        self.page_rows.learn(count, output.text.len(), is_cut);
        self.keep(output);
        if (is_cut || count >= page) && (page..).contains(&limit) {
            self.read_ahead(&rows, last, is_first)?;
        }
        rows.truncate(limit.saturating_mul(columns));
        Ok(rows)
    }

    /// A query for keys and columns, after a column `is_next` if the server is to compare keys. In the condition the
    /// table is `t`. (The bare name of a key would be that of the selected text, which sorts differently.)
    pub(super) fn query(&self, is_next: Option<&str>, condition: &str) -> String {
        let Self { table: JobTable { name: table, key, columns, .. }, key_types, .. } = self;
        // Whole numbers cost the server less in binary than as text.
        let keys = key.columns.iter().zip(key_types);
        let keys = keys
            .map(|(key, key_type)| format!("t.{}::{}", key.quoted, if key_type.is_number { "int8" } else { "text" }));
        let strings = columns.iter().flat_map(|StringColumn { column, to }| [Some(column), to.as_ref()]).flatten();
        // The length in place of a value that is too large. It is known without the value.
        let strings = strings.map(|TableColumn { quoted, bytes, .. }| {
            let (value, length) = (if *bytes { "bytea" } else { "text" }, format!("octet_length(t.{quoted})"));
            format!(
                "CASE WHEN {length} <= {PAGE} THEN t.{quoted}::{value} END, CASE WHEN {length} > {PAGE} THEN {length} END"
            )
        });
        let values: Vec<_> = is_next.map(str::to_string).into_iter().chain(keys).chain(strings).collect();
        let values = values.join(", ");
        format!("COPY (SELECT {values} FROM {table} AS t {condition}) TO STDOUT (FORMAT binary)")
    }

    /// The query for the rows after a key.
    fn page(&self, after: Option<&KeyValue>, last: Option<&KeyValue>, limit: usize) -> String {
        let from = after.map(|after| self.key_literals(after));
        let last = last.map(|last| self.key_literals(last));
        let is_next = self.key_order.is_asked().then(|| self.is_next(from.as_deref()));
        self.query(is_next.as_deref(), &self.table.key.page(from.as_deref(), last.as_deref(), limit))
    }

    /// The row with this key, with all columns.
    pub(super) fn row(&mut self, key: &KeyValue) -> Result<Vec<TableRow>, Failure> {
        let condition = format!("WHERE {}", self.table.key.is("=", &self.key_literals(key)));
        let output = self.copy(&self.query(None, &condition))?;
        let rows = self.rows_of(&output.text, false, None);
        self.keep(output);
        Ok(rows?)
    }

    /// The output of a query.
    fn copy(&mut self, sql: &str) -> Result<CopyOutput, Failure> {
        let mut output = mem::take(&mut self.output);
        copied(&mut self.client, sql, &mut output).map_err(|(message, interference)| Failure {
            error: self.table.fault("read rows", message),
            interference,
        })?;
        Ok(output)
    }

    /// Keeps output to reuse its memory, unless it is large.
    fn keep(&mut self, output: CopyOutput) {
        if output.text.capacity() <= PAGE {
            self.output = output;
        }
    }

    /// Reads rows in COPY's format. Fails if a key does not come after the previous one, as far as the server says so
    /// or it is known here.
    fn rows_of(&self, text: &[u8], is_said: bool, before: Option<&KeyValue>) -> Result<Vec<TableRow>, Error> {
        let broken = |_| self.table.fault("read rows", "the server sent something other than rows");
        let mut copied = Copied::of(text).map_err(broken)?;
        let mut rows: Vec<TableRow> = Vec::new();
        while copied.next_row().map_err(broken)? {
            let mut next = || copied.next_field().map_err(broken);
            let is_next = !is_said || next()? == Some(&[1]);
            let parts = self.key_types.iter().map(|key_type| {
                let field = next()?.unwrap_or_default();
                Ok(KeyValue::Text(if key_type.is_number { decimal(field).map_err(broken)? } else { field.to_vec() }))
            });
            let key = KeyValue::of_parts(parts.collect::<Result<_, Error>>()?);
            self.check_key(&key, is_next, rows.last().map(|row| &row.key).or(before))?;
            let first = rows.len();
            rows.push(TableRow { key, column: 0, old: ColumnValue::Null, target: None });
            for (n, StringColumn { column, to }) in self.table.columns.iter().enumerate() {
                if n > 0 {
                    let key = rows[first].key.clone();
                    rows.push(TableRow { key, column: n, old: ColumnValue::Null, target: None });
                }
                let row = &mut rows[first + n];
                let mut next_cell = |is_bytes| cell(next()?, next()?, is_bytes).map_err(broken);
                row.old = next_cell(column.bytes)?;
                row.target = match to {
                    Some(to) => Some(next_cell(to.bytes)?),
                    None => None,
                };
            }
        }
        Ok(rows)
    }

    /// Fails if a key cannot be queried, or does not come after the previous one: then some rows would be read twice,
    /// or never, or without end.
    fn check_key(&self, key: &KeyValue, is_next: bool, before: Option<&KeyValue>) -> Result<(), Error> {
        if !is_next || before.is_some_and(|before| !self.key_order.may_follow(before, key)) {
            let help = "an index of the table is damaged, for example by a library update that changed how text sorts; rebuild it (REINDEX)";
            let message = out_of_order(key, before, help);
            return Err(self.table.fault("read rows in the order of their keys", message));
        }
        let is_text = |part: &KeyValue| !matches!(part, KeyValue::Text(bytes) if std::str::from_utf8(bytes).is_err());
        if key.parts().iter().all(is_text) {
            return Ok(());
        }
        let message = format!("the key of one row, {}, is not UTF-8; name another column with --key", key.shown());
        Err(self.table.fault("use its keys", message))
    }

    /// An expression: whether a row comes after the previous one, or after `from`, as the server compares.
    fn is_next(&self, from: Option<&[String]>) -> String {
        let order = self.table.key.order();
        let before = self.table.key.columns.iter().enumerate().map(|(n, column)| {
            let first = from.map_or(String::new(), |from| format!(", 1, {}", from[n]));
            format!("lag({}{first}) OVER (ORDER BY {order})", column.order)
        });
        let is_next = self.table.key.is(">", &before.collect::<Vec<_>>());
        // The very first row has no previous one.
        if from.is_none() { format!("coalesce({is_next}, true)") } else { is_next }
    }

    /// The values of a key as literals.
    pub(super) fn key_literals(&self, key: &KeyValue) -> Vec<String> {
        let text = |part: &KeyValue| match part {
            KeyValue::Text(text) => String::from_utf8_lossy(text).into_owned(), // UTF-8, since it was read as such
            part => part.shown(),
        };
        let parts = key.parts().iter().zip(&self.key_types);
        parts.map(|(part, key_type)| format!("{}::{}", escape_literal(&text(part)), key_type.name)).collect()
    }
}
