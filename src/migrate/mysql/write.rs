//! Changes rows.

use mysql_async::{Error, Value};

use super::values::{interference, is_about_a_row, key_values, message};
use super::{Mysql, TableSql};
use crate::migrate::dialect::{RowChanges, Staged, StringColumn};
use crate::migrate::{Interference, JobTable};

impl Mysql {
    /// Creates the temporary table for the changes of a batch.
    pub(super) fn make_stage(&mut self) -> Result<(), Error> {
        // The columns of the key have the type and collation of the original table.
        let keys = self.table.key.columns.iter().enumerate().map(|(n, column)| format!("{} AS k{n}", column.order));
        let (keys, table) = (keys.collect::<Vec<_>>().join(", "), &self.table.name);
        let new = |column: &StringColumn| match column.written().bytes {
            true => "LONGBLOB",
            false => "LONGTEXT CHARACTER SET utf8mb4",
        };
        let columns = self.table.columns.iter().enumerate();
        let news: String = columns.map(|(n, column)| format!(", new{n} {}, is{n} BOOLEAN", new(column))).collect();
        let sql = format!(
            "CREATE TEMPORARY TABLE gridmill_stage (n INT UNSIGNED NOT NULL DEFAULT 0 PRIMARY KEY{news}) ENGINE = InnoDB SELECT {keys} FROM {table} AS t LIMIT 0"
        );
        self.connection.run(&sql).map(drop)
    }

    /// Empties that table before the next batch, between transactions: TRUNCATE would end the current one, and deleting
    /// its rows takes half as long as the statement that inserts them.
    pub(super) fn empty_stage(&mut self) -> Result<(), Error> {
        if std::mem::replace(&mut self.staged, 0..0).end > 0
            && self.connection.run("TRUNCATE TABLE gridmill_stage").is_err()
        {
            // Every user who may create a temporary table may delete from it, whereas some servers require more for
            // TRUNCATE.
            self.connection.run("DELETE FROM gridmill_stage")?;
        }
        Ok(())
    }

    /// The columns of the key in that table.
    fn staged(&self) -> Vec<String> {
        (0..self.table.key.columns.len()).map(|n| format!("s.k{n}")).collect()
    }

    /// A column that is written, as bytes, so that comparisons do not depend on its collation.
    fn bytes_of_written(&self, column: usize) -> String {
        let read = &self.sql.written_as[column];
        match self.table.columns[column].written().bytes {
            true => read.clone(),
            false => format!("CAST(CONVERT({read} USING utf8mb4) AS BINARY)"),
        }
    }
}

impl Staged for Mysql {
    type Error = Error;

    fn stage(&mut self, rows: &[RowChanges]) -> Result<(), Error> {
        self.staged = self.staged.end..self.staged.end + rows.len() as u64;
        let columns = self.table.columns.len();
        let rows = rows.iter().zip(self.staged.clone()).map(|(changes, n)| {
            let mut values = vec![Value::UInt(n)];
            for column in 0..columns {
                let change = changes.iter().find(|change| change.row.column == column);
                let new = change.and_then(|change| change.new.bytes());
                values.push(new.map_or(Value::NULL, |bytes| Value::Bytes(bytes.to_vec())));
                if columns > 1 {
                    values.push(Value::Int(change.is_some().into()));
                }
            }
            values.extend(key_values(&changes[0].row.key));
            values
        });
        let rows = rows.collect();
        let of_column = |n: usize| if columns == 1 { format!(", new{n}") } else { format!(", new{n}, is{n}") };
        let news: String = (0..columns).map(of_column).collect();
        let keys: String = (0..self.table.key.columns.len()).map(|n| format!(", k{n}")).collect();
        self.insert(&format!("INSERT INTO gridmill_stage (n{news}{keys})"), rows)
    }

    fn update(&mut self, _rows: &[RowChanges], from: usize, to: usize) -> Result<u64, Error> {
        let Self {
            table: JobTable { name: table, key, columns, .. }, sql: TableSql { index, kept, .. }, staged, ..
        } = &*self;
        let (from, to) = (staged.start + from as u64, staged.start + to as u64);
        let set = columns.iter().enumerate().map(|(n, column)| {
            let name = &column.written().quoted;
            let new = if columns.len() == 1 { format!("s.new{n}") } else { format!("IF(s.is{n}, s.new{n}, t.{name})") };
            format!("t.{name} = {new}")
        });
        let sql = format!(
            "UPDATE gridmill_stage AS s STRAIGHT_JOIN {table} AS t FORCE INDEX ({index}) ON {} SET {}{kept} \
             WHERE s.n >= {from} AND s.n < {to}",
            key.is("=", &self.staged()),
            set.collect::<Vec<_>>().join(", "),
        );
        self.connection.run(&sql)
    }

    fn missed(&mut self, _rows: &[RowChanges]) -> Result<Vec<usize>, Error> {
        let Self { table: JobTable { name: table, key, .. }, sql: TableSql { index, .. }, staged, .. } = &*self;
        let first = staged.start;
        let is_missed = (0..self.table.columns.len()).map(|n| {
            let is_other = format!("NOT (CAST(s.new{n} AS BINARY) <=> {})", self.bytes_of_written(n));
            if self.table.columns.len() == 1 { is_other } else { format!("s.is{n} AND {is_other}") }
        });
        let sql = format!(
            "SELECT s.n FROM gridmill_stage AS s LEFT JOIN {table} AS t FORCE INDEX ({index}) ON {} \
             WHERE s.n >= {first} AND ({}) ORDER BY s.n",
            key.is("=", &self.staged()),
            is_missed.collect::<Vec<_>>().join(" OR ")
        );
        let rows = self.connection.texts(&sql)?;
        let numbers = rows.into_iter().flatten().flatten().filter_map(|n| n.parse::<u64>().ok());
        Ok(numbers.map(|n| (n - first) as usize).collect())
    }

    fn execute(&mut self, sql: &str) -> Result<(), Error> {
        self.connection.run(sql).map(drop)
    }

    fn message(error: &Error) -> String {
        message(error)
    }

    fn is_about_a_row(error: &Error) -> bool {
        is_about_a_row(error)
    }

    fn interference(error: &Error) -> Option<Interference> {
        interference(error)
    }
}
