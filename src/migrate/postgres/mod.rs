//! PostgreSQL databases. Rows are read with COPY and written by one `UPDATE` that joins arrays of their keys and new
//! strings. Row by row, each would cost a round trip.
//!
//! - `connection`: encryption. `schema`: the table, its columns and its key. `copy`: the format of COPY. `order`: the
//!   types and the order of keys. `read`: reading rows. `ahead`: reading while rows are written. `write`: changing rows.

mod ahead;
mod connection;
mod copy;
mod messages;
mod order;
mod read;
mod schema;
mod write;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use postgres::fallible_iterator::FallibleIterator;
use postgres::{Client, Config, SimpleQueryMessage, config::Host};

use super::dialect::{
    ANOTHER_RUNS, ASK_LAG, NO_REPLICA, PageRows, READ_JOURNAL, SqlDialect, WRITE_JOURNAL, fault, write_changes,
};
use super::tls::UrlSecurity;
use super::{
    BatchOutcome, Change, Database, Failure, JobTable, KeyValue, MigrationJob, RowsToRead, TableRow, TransactionKind,
};
use crate::error::{Error, escape};
use ahead::ReadAhead;
use connection::is_local;
use copy::CopyOutput;
use messages::message;
use order::{KeyOrder, KeyType};

/// The number of rows that are read and written at a time: few enough that a backup can be written in parallel.
const SLICE: usize = 10_000;

/// PostgreSQL among the databases.
static DIALECT: SqlDialect = SqlDialect {
    kind: "postgres",
    slice: SLICE,
    has_typed_columns: true,
    has_one_writer: false,
    find_journal: Some("SELECT 'yes' WHERE to_regclass('gridmill_migration') IS NOT NULL"),
    make_journal: "CREATE TABLE gridmill_migration (id bigserial PRIMARY KEY, job text NOT NULL, entry text NOT NULL)",
    keep_alive: Some("SELECT"),
    wait_for_locks: Some(|longest| format!("SET lock_timeout = {}", longest.as_millis().max(1))),
};

/// A PostgreSQL database with the columns of a job.
pub struct Postgres {
    client: Client,
    /// The table. Its name is preceded by `ONLY` if child tables must be excluded, and the columns of its key are those
    /// of the table `t`.
    table: JobTable,
    key_types: Vec<KeyType>,
    key_order: KeyOrder,
    /// The output of the last COPY, kept to reuse its memory.
    output: CopyOutput,
    page_rows: PageRows,
    replica: Option<Client>,
    /// Reads the next rows, if that is possible.
    ahead: Option<ReadAhead>,
    /// Whether a transaction that writes has begun, and nothing has been read in it.
    is_fresh: bool,
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres").field("table", &self.table).finish_non_exhaustive()
    }
}

/// The statements that prepare a session. They wait as long as `wait` for other sessions' locks.
fn settings(wait: Duration) -> String {
    // The settings of the session:
    // - If a policy would hide rows, the server must report an error.
    // - In a database without an encoding, text may be invalid. Only rows with such text are refused.
    // - Servers that log statements log all parameters, too. Only administrators may turn this off in general, but
    //   anybody may for statements that fail.
    // - Keys of bytes are recorded as text, which must be the same when a backup is restored.
    format!(
        "SET lock_timeout = {}; SET datestyle = 'ISO'; \
         SET extra_float_digits = 3; SET standard_conforming_strings = on; SET bytea_output = 'hex'; SET row_security = off; SET work_mem = '64MB'; \
         SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'log_parameter_max_length_on_error' \
             OR name = 'log_parameter_max_length' AND current_setting('is_superuser') = 'on'; \
         SELECT set_config('client_encoding', CASE current_setting('server_encoding') WHEN 'SQL_ASCII' THEN 'SQL_ASCII' ELSE 'UTF8' END, false)",
        wait.as_millis().max(1)
    )
}

impl Postgres {
    /// Connects. `write` says whether anything will be written, and `wait` how long to wait for other sessions' locks.
    ///
    /// # Errors
    /// There is no connection; or the table, a column or the key is missing.
    pub fn open(url: &str, job: &MigrationJob, write: bool, wait: Duration) -> Result<Self, Error> {
        job.check()?;
        let (name, client) = connect(url)?;
        let mut this = Self {
            client,
            table: JobTable::new(&DIALECT, name),
            key_types: Vec::new(),
            key_order: KeyOrder::default(),
            output: CopyOutput::default(),
            page_rows: PageRows::new(SLICE),
            replica: None,
            ahead: None,
            is_fresh: false,
        };
        let settings = settings(wait);
        this.run(&settings, "prepare the connection")?;
        this.check(job)?;
        match write {
            true => {
                this.lock_out_others()?;
                if this.may_read_ahead(job) {
                    // A server may allow no other connection; then rows are read between the writes.
                    this.ahead = connect(url).ok().and_then(|(_, mut client)| {
                        client.batch_execute(&settings).ok()?;
                        Some(ReadAhead::new(client))
                    });
                }
            }
            false => this.run("SET default_transaction_read_only = on", "prepare the connection")?,
        }
        Ok(this)
    }

    /// Sets the replica whose lag is checked.
    ///
    /// # Errors
    /// There is no connection.
    pub fn ask_replica(&mut self, url: &str) -> Result<(), Error> {
        self.replica = Some(connect(url)?.1);
        Ok(())
    }

    fn error(&self, action: &str, error: &postgres::Error) -> Error {
        self.table.fault(action, message(error))
    }

    fn run(&mut self, sql: &str, action: &str) -> Result<(), Error> {
        self.client.batch_execute(sql).map_err(|error| self.error(action, &error))
    }

    /// Takes the lock that keeps two migrations from running at a time.
    fn lock_out_others(&mut self) -> Result<(), Error> {
        let row = self.client.query_one("SELECT pg_try_advisory_lock(hashtext('gridmill_migration'))", &[]);
        match row.and_then(|row| row.try_get(0)) {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.table.fault("begin", ANOTHER_RUNS)),
            Err(error) => Err(self.error("check whether another migration is running", &error)),
        }
    }
}

impl Database for Postgres {
    fn table(&self) -> &JobTable {
        &self.table
    }

    fn answers(&mut self, sql: &str, action: &str) -> Result<Vec<Option<String>>, Error> {
        answers(&mut self.client, sql).map_err(|error| self.error(action, &error))
    }

    fn read(&mut self, wanted: RowsToRead) -> Result<Vec<TableRow>, Failure> {
        match wanted {
            RowsToRead::Page(after, last, limit) => self.read_page(after, last, limit),
            RowsToRead::Row(key) => self.row(key),
        }
    }

    fn count(&mut self, after: Option<&KeyValue>, last: Option<&KeyValue>) -> Result<u64, Error> {
        let (after, last) = (after.map(|after| self.key_literals(after)), last.map(|last| self.key_literals(last)));
        let range = self.table.key.range(after.as_deref(), last.as_deref());
        let rows = self.client.query_one(&format!("SELECT count(*) FROM {} AS t {range}", self.table.name), &[]);
        let rows = rows.and_then(|row| row.try_get::<_, i64>(0));
        rows.map(i64::unsigned_abs).map_err(|error| self.error("count rows", &error))
    }

    fn begin(&mut self, kind: TransactionKind) -> Result<(), Error> {
        let sql = match kind {
            TransactionKind::Read => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            // Deferred constraints would fail at the end, for all rows. The snapshot that rows are read from is also
            // the one they are compared with: if another session has changed a row meanwhile, the transaction fails
            // and is repeated. (Sending the old strings back for a comparison took a tenth longer.)
            TransactionKind::Write => "BEGIN ISOLATION LEVEL REPEATABLE READ; SET CONSTRAINTS ALL IMMEDIATE",
        };
        self.run(sql, "begin a transaction")?;
        self.is_fresh = kind == TransactionKind::Write;
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Failure> {
        self.end_reading_ahead();
        Ok(self.run("COMMIT", "commit a transaction")?)
    }

    fn rollback(&mut self) -> Result<(), Error> {
        self.end_reading_ahead();
        self.run("ROLLBACK", "end a transaction")
    }

    fn write(&mut self, changes: &[Change], _all: bool) -> Result<BatchOutcome, Error> {
        write_changes(self, changes)
    }

    fn lag(&mut self, query: Option<&str>) -> Result<Option<f64>, Error> {
        let client = self.replica.as_mut().or(query.map(|_| &mut self.client));
        let Some(client) = client else { return Err(self.table.fault(ASK_LAG, NO_REPLICA)) };
        lag(client, query.unwrap_or(LAG)).map_err(|why| self.table.fault(ASK_LAG, why))
    }

    fn journal(&mut self, job: &str, each: &mut dyn FnMut(String) -> Result<(), Error>) -> Result<(), Error> {
        let sql = "SELECT entry FROM gridmill_migration WHERE job = $1 ORDER BY id";
        let name = self.table.database.clone();
        let fail = |error| fault(&name, READ_JOURNAL, message(&error));
        let mut rows = self.client.query_raw(sql, [job]).map_err(fail)?;
        while let Some(row) = rows.next().map_err(fail)? {
            each(row.try_get(0).map_err(fail)?)?;
        }
        Ok(())
    }

    fn note(&mut self, job: &str, entries: &[String]) -> Result<(), Error> {
        let sql = "INSERT INTO gridmill_migration (job, entry) SELECT $1, e FROM unnest($2::text[]) WITH ORDINALITY AS u (e, n) ORDER BY n";
        let done = self.client.execute(sql, &[&job, &entries]).map(drop);
        done.map_err(|error| self.error(WRITE_JOURNAL, &error))
    }
}

/// Connects to a URL. Also returns a name for messages, without a password.
fn connect(url: &str) -> Result<(String, Client), Error> {
    let (rest, asked) = UrlSecurity::of_address(url)?;
    let mut config = Config::from_str(&rest).map_err(|_| {
        // The address may contain a password, and the parser's message the address.
        Error::Usage("the address of the database cannot be read; expected postgres://USER@HOST/DATABASE".into())
    })?;
    // With two `@`, the text after the first is read as the host or the database, which messages name.
    let in_host = config.get_hosts().iter().any(|host| matches!(host, Host::Tcp(name) if name.contains('@')));
    if in_host || url.starts_with("postgres") && url.matches('@').count() > 1 {
        let what = "the address of the database has an @ in its user or password";
        return Err(Error::Usage(format!("{what}; write it as %40, or give the password in PGPASSWORD")));
    }
    if config.get_password().is_none()
        && let Some(password) = std::env::var_os("PGPASSWORD")
    {
        config.password(password.as_encoded_bytes());
    }
    config.application_name("gridmill");
    let name = shown(&config);
    let security = asked.of_host(is_local(&config))?;
    let ports: Vec<_> = config.get_ports().iter().map(ToString::to_string).collect();
    let port = if ports.is_empty() { "5432".to_string() } else { ports.join(", ") };
    let action = format!("connect to it at port {port}");
    let client = connection::open(config, &security).map_err(|why| fault(&name, &action, why))?;
    Ok((name, client))
}

/// The lag that a replica reports: NULL if it is not one, or is not replicating.
const LAG: &str = "SELECT CASE WHEN NOT pg_is_in_recovery() OR NOT EXISTS (SELECT FROM pg_stat_wal_receiver) THEN NULL
    WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
    ELSE extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) END";

/// The first column of the rows of a query, as text.
fn answers(client: &mut Client, sql: &str) -> Result<Vec<Option<String>>, postgres::Error> {
    let answers = client.simple_query(sql)?.into_iter().filter_map(|answer| match answer {
        SimpleQueryMessage::Row(row) => Some(row.get(0).map(str::to_string)),
        _ => None,
    });
    Ok(answers.collect())
}

/// The lag in seconds that a query returns, in whatever type.
fn lag(client: &mut Client, query: &str) -> Result<Option<f64>, String> {
    let answers = answers(client, query).map_err(|error| message(&error))?;
    let Some(text) = answers.into_iter().next().flatten() else { return Ok(None) };
    text.trim().parse().map(Some).map_err(|_| format!("{:?} is not a number of seconds", escape(text.as_bytes())))
}

/// The address of the database, without a password.
fn shown(config: &Config) -> String {
    let host = config.get_hosts().first().map(|host| match host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(path) => path.display().to_string(),
    });
    let database = config.get_dbname().or(config.get_user()).unwrap_or("postgres");
    escape(format!("{}/{database}", host.unwrap_or_else(|| "localhost".into())).as_bytes())
}
