//! Changes rows.

use std::error::Error;

use bytes::{BufMut, BytesMut};
use postgres::types::{IsNull, ToSql, Type, to_sql_checked};

use super::Postgres;
use super::messages::{interference, message};
use super::order::{KeyType, number};
use crate::migrate::dialect::{RowChanges, Staged, TableColumn};
use crate::migrate::{Change, Interference, JobTable, KeyValue};

/// Text or bytes as a parameter.
#[derive(Debug)]
struct RawParameter<'a>(&'a [u8]);

impl ToSql for RawParameter<'_> {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        out.put_slice(self.0);
        Ok(IsNull::No)
    }

    fn accepts(kind: &Type) -> bool {
        *kind == Type::TEXT || *kind == Type::BYTEA
    }

    to_sql_checked!();
}

/// The values of a column, one for each row.
type Array<'a> = Vec<Option<RawParameter<'a>>>;

/// The values of a column of the key, one for each row.
enum KeyArray<'a> {
    Text(Array<'a>),
    /// Whole numbers, which the server need not parse. (This saves about 1 % of the write.)
    Numbers(Vec<Option<i64>>),
}

impl KeyArray<'_> {
    fn as_value(&self) -> &(dyn ToSql + Sync) {
        match self {
            Self::Text(texts) => texts,
            Self::Numbers(numbers) => numbers,
        }
    }
}

/// The rows of the table `s` in a statement. It has the columns `k0`, `k1` ... of the key, and for each column of the
/// job `new0`, `new1` ...; with several columns also `is0`, `is1` ..., which say whether the column is written.
struct StagedRows<'a> {
    keys: Vec<KeyArray<'a>>,
    news: Vec<Array<'a>>,
    is: Vec<Vec<bool>>,
}

impl<'a> StagedRows<'a> {
    fn of(rows: &[RowChanges<'a, 'a>], key_types: &[KeyType], columns: usize) -> Self {
        fn change<'a>(row: RowChanges<'a, 'a>, n: usize) -> Option<&'a Change<'a>> {
            row.iter().find(|change| change.row.column == n)
        }
        let text = |row: RowChanges<'a, 'a>, n: usize| match &row[0].row.key.parts()[n] {
            KeyValue::Text(text) => Some(text.as_slice()),
            _ => None, // no other values occur here
        };
        let key = |(n, key_type): (usize, &KeyType)| match key_type.is_number {
            true => KeyArray::Numbers(rows.iter().map(|row| number(text(row, n)?)).collect()),
            false => KeyArray::Text(rows.iter().map(|row| text(row, n).map(RawParameter)).collect()),
        };
        let new = |row, n| change(row, n).and_then(|change| change.new.bytes()).map(RawParameter);
        let several = if columns > 1 { columns } else { 0 };
        Self {
            keys: key_types.iter().enumerate().map(key).collect(),
            news: (0..columns).map(|n| rows.iter().map(|row| new(row, n)).collect()).collect(),
            is: (0..several).map(|n| rows.iter().map(|row| change(row, n).is_some()).collect()).collect(),
        }
    }

    /// The columns of `s` as arrays, in order.
    fn values(&self) -> Vec<&(dyn ToSql + Sync)> {
        fn value<T: ToSql + Sync>(array: &T) -> &(dyn ToSql + Sync) {
            array
        }
        let keys = self.keys.iter().map(KeyArray::as_value);
        keys.chain(self.news.iter().map(value)).chain(self.is.iter().map(value)).collect()
    }
}

impl Postgres {
    /// The columns of the key in `s`.
    fn staged(&self) -> Vec<String> {
        (0..self.key_types.len()).map(|n| format!("s.k{n}")).collect()
    }

    /// The table `s`. (With set-returning functions in the select list, the server stores nothing and knows the number
    /// of rows.)
    fn arrays(&self) -> String {
        let keys = self.key_types.iter().enumerate().map(|(n, KeyType { name, is_number })| {
            (format!("k{n}"), if *is_number { "int8[]" } else { "text[]" }, format!("::{name}"))
        });
        let kind = |n: usize| if self.table.columns[n].written().bytes { "bytea[]" } else { "text[]" };
        let news = (0..self.table.columns.len()).map(|n| (format!("new{n}"), kind(n), String::new()));
        let several = if self.table.columns.len() > 1 { self.table.columns.len() } else { 0 };
        let is = (0..several).map(|n| (format!("is{n}"), "boolean[]", String::new()));
        let columns = keys.chain(news).chain(is).zip(1..);
        let columns = columns.map(|((name, kind, cast), place)| format!("unnest(${place}::{kind}){cast} AS {name}"));
        columns.collect::<Vec<_>>().join(", ")
    }

    /// A condition: a row of the table is in `s`. Without the range of keys the server would scan all of the table.
    fn is_staged(&self, rows: &[RowChanges]) -> String {
        let [first, .., last] = rows else { return self.table.key.is("=", &self.staged()) };
        let [is, from, to] = [
            self.table.key.is("=", &self.staged()),
            self.table.key.is(">=", &self.key_literals(&first[0].row.key)),
            self.table.key.is("<=", &self.key_literals(&last[0].row.key)),
        ];
        format!("{is} AND {from} AND {to}")
    }
}

impl Staged for Postgres {
    type Error = postgres::Error;

    fn update(&mut self, rows: &[RowChanges], from: usize, to: usize) -> Result<u64, postgres::Error> {
        let (rows, JobTable { name: table, columns, .. }) = (&rows[from..to], &self.table);
        let is_one = columns.len() == 1;
        let set = columns.iter().enumerate().map(|(n, column)| {
            // Text is assigned without a cast, which would silently truncate what does not fit.
            let name = &column.written().quoted;
            if is_one {
                format!("{name} = s.new{n}")
            } else {
                format!("{name} = CASE WHEN s.is{n} THEN s.new{n} ELSE t.{name} END")
            }
        });
        let free = columns.iter().enumerate().filter_map(|(n, column)| {
            let is_free = format!("coalesce(t.{}, '') = ''", column.to.as_ref()?.quoted);
            Some(if is_one { format!(" AND {is_free}") } else { format!(" AND (NOT s.is{n} OR {is_free})") })
        });
        let sql = format!(
            "UPDATE {table} AS t SET {} FROM (SELECT {}) AS s WHERE {}{}",
            set.collect::<Vec<_>>().join(", "),
            self.arrays(),
            self.is_staged(rows),
            free.collect::<String>(),
        );
        let rows = StagedRows::of(rows, &self.key_types, columns.len());
        self.client.execute(&sql, &rows.values())
    }

    fn missed(&mut self, rows: &[RowChanges]) -> Result<Vec<usize>, postgres::Error> {
        let is_missed = self.table.columns.iter().enumerate().map(|(n, column)| {
            let TableColumn { quoted, bytes, .. } = column.written();
            let there = if *bytes { format!("t.{quoted}") } else { format!("t.{quoted}::text COLLATE \"C\"") };
            let is_other = format!("{there} IS DISTINCT FROM s.new{n}");
            if self.table.columns.len() == 1 { is_other } else { format!("s.is{n} AND {is_other}") }
        });
        let sql = format!(
            "SELECT s.n FROM (SELECT generate_series(0, {}) AS n, {}) AS s LEFT JOIN {} AS t ON {} WHERE {} ORDER BY s.n",
            rows.len().saturating_sub(1),
            self.arrays(),
            self.table.name,
            self.is_staged(rows),
            is_missed.collect::<Vec<_>>().join(" OR ")
        );
        let rows = StagedRows::of(rows, &self.key_types, self.table.columns.len());
        Ok(self.client.query(&sql, &rows.values())?.iter().map(|row| row.get::<_, i32>(0) as usize).collect())
    }

    fn execute(&mut self, sql: &str) -> Result<(), postgres::Error> {
        self.client.batch_execute(sql)
    }

    fn message(error: &postgres::Error) -> String {
        message(error)
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
