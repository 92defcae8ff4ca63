//! PostgreSQL databases. A batch is copied out, copied back into a temporary table beside its new strings, and written by one
//! `UPDATE ... FROM`: rows one by one would be a round trip each.

use std::io::{Read, Write};
use std::str::FromStr;
use std::time::Duration;

use postgres::{Client, Config, NoTls, config::Host};

use super::{Cell, Change, Database, Job, Key, NotWritten, Row, Written};
use crate::error::{Error, escape};

/// A PostgreSQL database with the column of a job.
pub struct Postgres {
    client: Client,
    name: String,
    /// Names as they stand in statements: quoted where that is needed.
    table: String,
    key: String,
    key_type: String,
    column: Column,
    to: Option<Column>,
    /// The table of the batch at hand was made.
    has_stage: bool,
}

/// A column of strings.
struct Column {
    name: String,
    /// Its values are bytes and not text.
    bytes: bool,
    width: Option<usize>,
}

/// A value in a statement.
fn literal(text: &str) -> String {
    let inner = text.replace('\'', "''");
    if inner.contains('\\') { format!(" E'{}'", inner.replace('\\', "\\\\")) } else { format!("'{inner}'") }
}

impl Postgres {
    /// Connects. `write` is whether anything is to be written; `wait` how long locks of others are waited for.
    ///
    /// # Errors
    /// There is no connection; the table, a column, or what names the rows is missing.
    pub fn open(url: &str, job: &Job, write: bool, wait: Duration) -> Result<Self, Error> {
        let names = [Some(&job.table), Some(&job.column), job.to.as_ref(), job.key.as_ref()];
        if names.into_iter().flatten().any(|name| name.contains('\0') || name.is_empty()) {
            return Err(Error::Usage("a name of a table or column is empty, or holds a NUL".into()));
        }
        let mut config = Config::from_str(url).map_err(|_| {
            // What was typed may hold a password, and the parser's message what was typed.
            Error::Usage("the address of the database cannot be read; it is like postgres://USER@HOST/DATABASE".into())
        })?;
        if config.get_password().is_none()
            && let Some(password) = std::env::var_os("PGPASSWORD")
        {
            config.password(password.as_encoded_bytes());
        }
        config.application_name("gridmill");
        let name = shown(&config);
        let client = config.connect(NoTls).map_err(|error| Error::Database {
            database: name.clone(),
            action: "connect to it".into(),
            message: words(&error),
        })?;
        let none = || Column { name: String::new(), bytes: false, width: None };
        let mut this = Self {
            client,
            name,
            table: String::new(),
            key: String::new(),
            key_type: String::new(),
            column: none(),
            to: None,
            has_stage: false,
        };
        let settings = format!(
            "SET lock_timeout = {}; SET bytea_output = 'hex'; SET client_encoding = 'UTF8'; SET datestyle = 'ISO'; \
             SET extra_float_digits = 3; SET standard_conforming_strings = on; SET temp_buffers = '64MB'; SET work_mem = '64MB'",
            wait.as_millis().max(1)
        );
        this.run(&settings, "prepare the connection")?;
        this.check(job)?;
        match write {
            true => this.lock_out_others()?,
            false => this.run("SET default_transaction_read_only = on", "prepare the connection")?,
        }
        Ok(this)
    }

    fn error(&self, action: &str, error: &postgres::Error) -> Error {
        Error::Database { database: self.name.clone(), action: action.into(), message: words(error) }
    }

    fn run(&mut self, sql: &str, action: &str) -> Result<(), Error> {
        self.client.batch_execute(sql).map_err(|error| self.error(action, &error))
    }

    /// Two migrations at a time would do everything twice.
    fn lock_out_others(&mut self) -> Result<(), Error> {
        let row = self.client.query_one("SELECT pg_try_advisory_lock(hashtext('gridmill_migration'))", &[]);
        match row.and_then(|row| row.try_get(0)) {
            Ok(true) => Ok(()),
            Ok(false) => Err(Error::Database {
                database: self.name.clone(),
                action: "begin".into(),
                message: "another migration is running in this database; wait for its end".into(),
            }),
            Err(error) => Err(self.error("see whether another migration is running", &error)),
        }
    }

    /// Checks that table and columns are there, and finds what names the rows.
    fn check(&mut self, job: &Job) -> Result<(), Error> {
        let shown = escape(job.table.as_bytes());
        let database = self.name.clone();
        let fail = |message: String| Error::Database {
            database: database.clone(),
            action: format!("use table {shown:?}"),
            message,
        };
        // The name as it is, or a schema and a name.
        let (schema, table) = job.table.split_once('.').unwrap_or(("", ""));
        let found = self.client.query_opt(
            "SELECT c.oid, c.oid::regclass::text, c.relkind::text FROM pg_class c WHERE c.oid = coalesce(
                to_regclass(quote_ident($1)), CASE WHEN $2 = '' THEN NULL ELSE to_regclass(quote_ident($2) || '.' || quote_ident($3)) END)",
            &[&job.table, &schema, &table],
        );
        let Some(row) = found.map_err(|error| fail(words(&error)))? else {
            return Err(fail("there is none; a schema stands before a point: app.boards".into()));
        };
        let (oid, name, kind): (u32, String, String) = (row.get(0), row.get(1), row.get(2));
        if !["r", "p"].contains(&kind.as_str()) {
            return Err(fail("it is no table; name the table that has the column".into()));
        }
        self.table = name;
        self.column = self.find_column(oid, &job.column)?;
        self.to = job.to.as_deref().map(|to| self.find_column(oid, to)).transpose()?;
        let keys = self.client.query(
            "SELECT a.attname, quote_ident(a.attname), format_type(a.atttypid, a.atttypmod), a.attnotnull
             FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
             WHERE i.indrelid = $1 AND i.indisunique AND i.indisvalid AND i.indnkeyatts = 1 AND i.indpred IS NULL AND i.indkey[0] > 0
             AND ($2::text IS NULL AND i.indisprimary OR a.attname = $2)",
            &[&oid, &job.key],
        );
        let keys = keys.map_err(|error| fail(words(&error)))?;
        let Some(key) = keys.first() else {
            return Err(fail(match &job.key {
                None => "no single column names its rows; name one with a unique index with --key".into(),
                Some(key) => format!("column {:?} is not there, or has no unique index", escape(key.as_bytes())),
            }));
        };
        (self.key, self.key_type) = (key.get(1), key.get(2));
        if !key.get::<_, bool>(3) {
            let sql = format!("SELECT count(*) FROM {} WHERE {} IS NULL", self.table, self.key);
            let nulls: i64 = self.client.query_one(&sql, &[]).map_err(|error| fail(words(&error)))?.get(0);
            if nulls > 0 {
                return Err(fail(format!("{nulls} rows have no value in their key {}", self.key)));
            }
        }
        let written = self.to.as_ref().unwrap_or(&self.column);
        if written.name == self.key {
            return Err(Error::Usage("the column that names the rows cannot be the one that is written".into()));
        }
        Ok(())
    }

    fn find_column(&mut self, table: u32, name: &str) -> Result<Column, Error> {
        let shown = escape(name.as_bytes());
        let database = self.name.clone();
        let fail = |message: String| Error::Database {
            database: database.clone(),
            action: format!("use column {shown:?}"),
            message,
        };
        let found = self.client.query_opt(
            "WITH RECURSIVE base AS (
                SELECT a.attname, a.attgenerated::text AS made, a.atttypid AS own, a.atttypmod AS ownmod, a.atttypid AS id, a.atttypmod AS mod
                FROM pg_attribute a WHERE a.attrelid = $1 AND a.attname = $2 AND a.attnum > 0 AND NOT a.attisdropped
                UNION ALL
                SELECT b.attname, b.made, b.own, b.ownmod, t.typbasetype, t.typtypmod
                FROM base b JOIN pg_type t ON t.oid = b.id AND t.typtype = 'd')
             SELECT quote_ident(b.attname), format_type(b.own, NULL), t.typname::text, b.mod, b.made
             FROM base b JOIN pg_type t ON t.oid = b.id AND t.typtype <> 'd'",
            &[&table, &name],
        );
        let Some(row) = found.map_err(|error| fail(words(&error)))? else {
            return Err(fail("the table has none of this name".into()));
        };
        let (name, kind, base, modifier, made): (String, String, String, i32, String) =
            (row.get(0), row.get(1), row.get(2), row.get(3), row.get(4));
        if !made.is_empty() {
            return Err(fail("the database makes it from other columns".into()));
        }
        if !["text", "varchar", "bpchar", "bytea", "citext"].contains(&base.as_str()) {
            return Err(fail(format!("it is of type {kind}; strings are in text, varchar, char or bytea")));
        }
        let width = usize::try_from(modifier - 4).ok().filter(|&width| width > 0 && base != "bytea");
        Ok(Column { name, bytes: base == "bytea", width })
    }

    /// The rows of a query for keys and columns; in the condition the table is `t`. (By itself the name of the key would be
    /// that of the text which is selected, and text has another order.)
    fn query(&mut self, condition: &str) -> Result<Vec<Row>, Error> {
        let target = self.to.as_ref().map_or(String::new(), |to| format!(", t.{}::text", to.name));
        let Self { table, key, column, .. } = &*self;
        let column = &column.name;
        let sql =
            format!("COPY (SELECT t.{key}::text, t.{column}::text{target} FROM {table} AS t {condition}) TO STDOUT");
        let text = copied(&mut self.client, &sql).map_err(|message| Error::Database {
            database: self.name.clone(),
            action: "read rows".into(),
            message,
        })?;
        let (bytes, target_bytes) = (self.column.bytes, self.to.as_ref().map(|to| to.bytes));
        let line = |line: &[u8]| {
            let mut fields = line.split(|&byte| byte == b'\t').map(unescaped);
            let mut next = || fields.next().flatten();
            let key = Key::Text(String::from_utf8_lossy(&next().unwrap_or_default()).into_owned());
            let old = cell(next(), bytes);
            Row { key, old, target: target_bytes.map(|bytes| cell(next(), bytes)) }
        };
        Ok(text.split_inclusive(|&byte| byte == b'\n').map(|row| line(&row[..row.len() - 1])).collect())
    }

    fn key_literal(&self, key: &Key) -> String {
        let text = if let Key::Text(text) = key { literal(text) } else { literal(&key.shown()) };
        format!("{text}::{}", self.key_type)
    }

    /// Puts changes into the temporary table.
    fn stage(&mut self, changes: &[Change]) -> Result<(), postgres::Error> {
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
                Key::Text(key) => escaped(key.as_bytes(), &mut text),
                other => escaped(other.shown().as_bytes(), &mut text),
            }
            text.push(b'\t');
            let target = self.to.as_ref().unwrap_or(&self.column);
            let new =
                if target.bytes { Cell::Blob(new.as_bytes().to_vec()) } else { Cell::Text(new.as_bytes().to_vec()) };
            value(&new, &mut text);
            text.push(b'\n');
        }
        let mut writer = self.client.copy_in("COPY pg_temp.gridmill_stage FROM STDIN")?;
        // Where that fails, so does the end, and says why.
        let _ = writer.write_all(&text);
        writer.finish().map(drop)
    }

    /// Writes the staged changes from number `from` up to `to`. Returns how many rows were written.
    fn update(&mut self, changes: &[Change], from: usize, to: usize) -> Result<u64, postgres::Error> {
        let target = self.to.as_ref().unwrap_or(&self.column);
        let free = self.to.as_ref().map_or(String::new(), |to| format!(" AND coalesce(t.{}::text, '') = ''", to.name));
        let Self { table, key, .. } = &*self;
        let sql = format!(
            "UPDATE {table} AS t SET {} = s.new{} FROM pg_temp.gridmill_stage AS s \
             WHERE t.{key} = s.k AND t.{key} >= {} AND t.{key} <= {}{free} AND s.n >= {from} AND s.n < {to}",
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
    fn update_parts(
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
    fn missed(&mut self) -> Result<Vec<usize>, postgres::Error> {
        let target = self.to.as_ref().unwrap_or(&self.column);
        let Self { table, key, .. } = &*self;
        let sql = format!(
            "SELECT s.n FROM pg_temp.gridmill_stage AS s LEFT JOIN {table} AS t ON t.{key} = s.k \
             WHERE t.{}::text IS DISTINCT FROM s.new ORDER BY s.n",
            target.name
        );
        Ok(self.client.query(&sql, &[])?.iter().map(|row| row.get::<_, i32>(0) as usize).collect())
    }

    fn write_changes(&mut self, changes: &[Change]) -> Result<Vec<(usize, NotWritten)>, postgres::Error> {
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

impl Database for Postgres {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn slice(&self) -> usize {
        50_000 // each is some round trips
    }

    fn read(&mut self, after: Option<&Key>, last: Option<&Key>, limit: usize) -> Result<Vec<Row>, Error> {
        let key = &self.key;
        let after = after.map(|after| format!("t.{key} > {}", self.key_literal(after)));
        let last = last.map(|last| format!("t.{key} <= {}", self.key_literal(last)));
        let conditions: Vec<_> = after.into_iter().chain(last).collect();
        let filter = if conditions.is_empty() { String::new() } else { format!("WHERE {}", conditions.join(" AND ")) };
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let condition = format!("{filter} ORDER BY t.{key} LIMIT {limit}");
        self.query(&condition)
    }

    fn read_one(&mut self, key: &Key) -> Result<Option<Row>, Error> {
        let condition = format!("WHERE t.{} = {}", self.key, self.key_literal(key));
        Ok(self.query(&condition)?.pop())
    }

    fn begin(&mut self) -> Result<(), Error> {
        // Constraints that would speak up only at the end would speak of all rows.
        // What is read in it is what is written over: where somebody else changed a row meanwhile, the transaction fails and is
        // begun again. (To send the old strings back for a comparison instead took a tenth longer.)
        self.run("BEGIN ISOLATION LEVEL REPEATABLE READ; SET CONSTRAINTS ALL IMMEDIATE", "begin a transaction")
    }

    fn commit(&mut self) -> Result<(), Error> {
        self.run("COMMIT", "commit a transaction")
    }

    fn rollback(&mut self) -> Result<(), Error> {
        // The temporary table may have been made in it.
        self.has_stage = false;
        self.run("ROLLBACK; DROP TABLE IF EXISTS pg_temp.gridmill_stage", "end a transaction")
    }

    fn write(&mut self, changes: &[Change], _all: bool) -> Result<Written, Error> {
        match self.write_changes(changes) {
            Ok(missed) => Ok(Written::Done(missed)),
            Err(error) if matches!(error.code().map(|code| code.code()), Some("40001" | "40P01")) => {
                Ok(Written::Conflict(words(&error)))
            }
            Err(error) => Err(self.error("write rows", &error)),
        }
    }

    fn width(&self) -> Option<usize> {
        self.to.as_ref().unwrap_or(&self.column).width
    }

    fn make_journal(&mut self) -> Result<(), Error> {
        let there = self.client.query_one("SELECT to_regclass('gridmill_migration') IS NOT NULL", &[]);
        if there.map_err(|error| self.error("look for table gridmill_migration", &error))?.get(0) {
            return Ok(());
        }
        let sql = "CREATE TABLE gridmill_migration (id bigserial PRIMARY KEY, job text NOT NULL, entry text NOT NULL)";
        self.run(sql, "make table gridmill_migration")
    }

    fn journal(&mut self, job: &str) -> Result<Vec<String>, Error> {
        let rows = self.client.query("SELECT entry FROM gridmill_migration WHERE job = $1 ORDER BY id", &[&job]);
        let rows = rows.and_then(|rows| rows.iter().map(|row| row.try_get(0)).collect());
        rows.map_err(|error| self.error("read table gridmill_migration", &error))
    }

    fn note(&mut self, job: &str, entries: &[String]) -> Result<(), Error> {
        let sql = "INSERT INTO gridmill_migration (job, entry) SELECT $1, e FROM unnest($2::text[]) WITH ORDINALITY AS u (e, n) ORDER BY n";
        let done = self.client.execute(sql, &[&job, &entries]).map(drop);
        done.map_err(|error| self.error("write to table gridmill_migration", &error))
    }
}

/// Where the database is, without a password.
fn shown(config: &Config) -> String {
    let host = config.get_hosts().first().map(|host| match host {
        Host::Tcp(name) => name.clone(),
        Host::Unix(path) => path.display().to_string(),
    });
    let database = config.get_dbname().or(config.get_user()).unwrap_or("postgres");
    escape(format!("{}/{database}", host.unwrap_or_else(|| "localhost".into())).as_bytes())
}

/// The field of a line that COPY wrote; none for NULL.
fn unescaped(field: &[u8]) -> Option<Vec<u8>> {
    if field == b"\\N" {
        return None;
    }
    let mut out = Vec::with_capacity(field.len());
    let mut bytes = field.iter();
    while let Some(&byte) = bytes.next() {
        out.push(match (byte, byte == b'\\') {
            (byte, false) => byte,
            _ => match bytes.next() {
                Some(b'b') => 8,
                Some(b'f') => 12,
                Some(b'n') => b'\n',
                Some(b'r') => b'\r',
                Some(b't') => b'\t',
                Some(b'v') => 11,
                Some(&other) => other,
                None => b'\\',
            },
        });
    }
    Some(out)
}

/// A field as COPY reads it.
fn escaped(field: &[u8], out: &mut Vec<u8>) {
    for &byte in field {
        match byte {
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            byte => out.push(byte),
        }
    }
}

/// A cell as COPY reads it: what its column says as text.
fn value(cell: &Cell, out: &mut Vec<u8>) {
    match cell {
        Cell::Null => out.extend_from_slice(b"\\N"),
        Cell::Text(bytes) => escaped(bytes, out),
        Cell::Number(text) => escaped(text.as_bytes(), out),
        Cell::Blob(bytes) => {
            out.extend_from_slice(b"\\\\x");
            bytes.iter().for_each(|byte| out.extend_from_slice(format!("{byte:02x}").as_bytes()));
        }
    }
}

/// What a column said as text: bytes are in hexadecimal, behind `\x`.
fn cell(text: Option<Vec<u8>>, bytes: bool) -> Cell {
    let Some(text) = text else { return Cell::Null };
    if !bytes {
        return Cell::Text(text);
    }
    let digit = |byte: u8| (byte as char).to_digit(16).unwrap_or(0) as u8;
    let digits = text.strip_prefix(b"\\x").unwrap_or(&text);
    Cell::Blob(digits.chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect())
}

/// What a COPY writes; or why it does not.
fn copied(client: &mut Client, sql: &str) -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    let mut reader = client.copy_out(sql).map_err(|error| words(&error))?;
    match reader.read_to_end(&mut text) {
        Ok(_) => Ok(text),
        Err(error) => Err(match error.get_ref().and_then(|inner| inner.downcast_ref::<postgres::Error>()) {
            Some(error) => words(error),
            None => escape(error.to_string().as_bytes()),
        }),
    }
}

/// Whether an error is about a row that was written, and not about the database: of data, of constraints, of triggers.
fn is_about_a_row(error: &postgres::Error) -> bool {
    error.code().is_some_and(|code| ["22", "23", "P0", "09", "44"].iter().any(|class| code.code().starts_with(class)))
}

/// The database's own words, and what to do.
fn words(error: &postgres::Error) -> String {
    let mut text = match error.as_db_error() {
        Some(answer) => {
            let detail = answer.detail().map_or(String::new(), |detail| format!(" ({detail})"));
            format!("{}{detail}", answer.message())
        }
        None => {
            let causes = std::iter::successors(std::error::Error::source(error), |cause| cause.source());
            causes.fold(error.to_string(), |all, cause| {
                let cause = cause.to_string();
                if all.contains(&cause) { all } else { format!("{all}: {cause}") }
            })
        }
    };
    match error.code().map(|code| code.code()) {
        Some("55P03") => text.push_str("; somebody else holds a lock: run again later, or wait longer with --wait"),
        Some("40P01" | "40001") => text.push_str("; run again, it goes on where it was"),
        None => text.push_str("; if the connection broke, run again, and it goes on where it was"),
        _ => {}
    }
    escape(text.as_bytes())
}
