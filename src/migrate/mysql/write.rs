//! Changing rows.

use mysql_async::{Error, Value};

use super::Mysql;
use super::values::{is_about_a_row, key_values, words};
use crate::migrate::Change;
use crate::migrate::dialect::Staged;

impl Mysql {
    /// Makes the table of the batch at hand.
    pub(super) fn make_stage(&mut self) -> Result<(), Error> {
        // The key is of the type that it has there, with its collation.
        let keys = self.key.columns.iter().enumerate().map(|(n, column)| format!("{} AS k{n}", column.order));
        let (keys, table) = (keys.collect::<Vec<_>>().join(", "), &self.table);
        let is_bytes = self.to.as_ref().unwrap_or(&self.column).bytes;
        let new = if is_bytes { "LONGBLOB" } else { "LONGTEXT CHARACTER SET utf8mb4" };
        let sql = format!(
            "CREATE TEMPORARY TABLE gridmill_stage (n INT UNSIGNED NOT NULL DEFAULT 0 PRIMARY KEY, \
             new {new}) ENGINE = InnoDB SELECT {keys} FROM {table} AS t LIMIT 0"
        );
        self.connection.run(&sql).map(drop)
    }

    /// The columns of the key in the table of the batch at hand.
    fn staged(&self) -> Vec<String> {
        (0..self.key.columns.len()).map(|n| format!("s.k{n}")).collect()
    }

    /// The column that is written, as text or bytes that do not depend on how either sorts.
    fn bytes_of_target(&self) -> String {
        let read = self.read_as.last().map_or("NULL", String::as_str);
        match self.to.as_ref().unwrap_or(&self.column).bytes {
            true => read.to_string(),
            false => format!("CAST(CONVERT({read} USING utf8mb4) AS BINARY)"),
        }
    }
}

impl Staged for Mysql {
    type Error = Error;

    fn stage(&mut self, changes: &[Change]) -> Result<(), Error> {
        self.connection.run("DELETE FROM gridmill_stage")?;
        let rows = changes.iter().zip(0_u64..).map(|(Change { row, new }, n)| {
            let new = new.bytes().map_or(Value::NULL, |bytes| Value::Bytes(bytes.to_vec()));
            let mut values = vec![Value::UInt(n), new];
            values.extend(key_values(&row.key));
            values
        });
        let rows = rows.collect();
        let keys: String = (0..self.key.columns.len()).map(|n| format!(", k{n}")).collect();
        self.insert(&format!("INSERT INTO gridmill_stage (n, new{keys})"), rows)
    }

    fn update(&mut self, _changes: &[Change], from: usize, to: usize) -> Result<u64, Error> {
        let target = self.to.as_ref().unwrap_or(&self.column);
        let Self { table, key, index, kept, .. } = &*self;
        let sql = format!(
            "UPDATE gridmill_stage AS s STRAIGHT_JOIN {table} AS t FORCE INDEX ({index}) ON {} SET t.{} = s.new{kept} \
             WHERE s.n >= {from} AND s.n < {to}",
            key.is("=", &self.staged()),
            target.quoted
        );
        self.connection.run(&sql)
    }

    fn missed(&mut self) -> Result<Vec<usize>, Error> {
        let Self { table, key, index, .. } = &*self;
        let sql = format!(
            "SELECT s.n FROM gridmill_stage AS s LEFT JOIN {table} AS t FORCE INDEX ({index}) ON {} \
             WHERE NOT (CAST(s.new AS BINARY) <=> {}) ORDER BY s.n",
            key.is("=", &self.staged()),
            self.bytes_of_target()
        );
        let rows = self.connection.texts(&sql)?;
        Ok(rows.into_iter().flatten().flatten().filter_map(|n| n.parse().ok()).collect())
    }

    fn execute(&mut self, sql: &str) -> Result<(), Error> {
        self.connection.run(sql).map(drop)
    }

    fn about_a_row(error: &Error) -> Option<String> {
        is_about_a_row(error).then(|| words(error))
    }
}
