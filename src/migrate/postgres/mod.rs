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
use postgres::{Client, Config, config::Host};

use super::dialect::{
    ANOTHER_RUNS, ASK_LAG, MAKE_JOURNAL, NO_REPLICA, PageRows, READ_JOURNAL, RowKey, StringColumn, WRITE_JOURNAL,
    fault, job_columns, names, write_changes,
};
use super::tls::UrlSecurity;
use super::{BatchOutcome, Change, Database, Interference, JobColumn, KeyValue, MigrationJob, StoredAs, TableRow};
use crate::error::{Error, escape};
use ahead::ReadAhead;
use connection::is_local;
use copy::CopyOutput;
use messages::message;
use order::{KeyOrder, KeyType};

/// The number of rows that are read and written at a time: few enough that a backup can be written in parallel.
const SLICE: usize = 10_000;

/// A PostgreSQL database with the columns of a job.
pub struct Postgres {
    client: Client,
    name: String,
    /// Names as in statements: quoted if necessary, and the table's preceded by `ONLY` if child tables must be
    /// excluded.
    table: String,
    oid: u32,
    /// The key. Its columns are those of the table `t`.
    key: RowKey,
    key_types: Vec<KeyType>,
    key_order: KeyOrder,
    columns: Vec<StringColumn>,
    /// The output of the last COPY, kept to reuse its memory.
    output: CopyOutput,
    page_rows: PageRows,
    notes: Vec<String>,
    has_triggers: bool,
    /// The interference that the last error reported.
    conflict: Option<Interference>,
    replica: Option<Client>,
    /// Reads the next rows, if that is possible.
    ahead: Option<ReadAhead>,
    /// Whether a transaction that writes has begun, and nothing has been read in it.
    is_fresh: bool,
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres").field("name", &self.name).field("table", &self.table).finish_non_exhaustive()
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
            name,
            table: String::new(),
            oid: 0,
            key: RowKey::default(),
            key_types: Vec::new(),
            key_order: KeyOrder::default(),
            columns: Vec::new(),
            output: CopyOutput::default(),
            page_rows: PageRows::new(SLICE),
            notes: Vec::new(),
            has_triggers: false,
            conflict: None,
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
        fault(&self.name, action, message(error))
    }

    fn run(&mut self, sql: &str, action: &str) -> Result<(), Error> {
        self.client.batch_execute(sql).map_err(|error| self.error(action, &error))
    }

    /// Takes the lock that keeps two migrations from running at a time.
    fn lock_out_others(&mut self) -> Result<(), Error> {
        let row = self.client.query_one("SELECT pg_try_advisory_lock(hashtext('gridmill_migration'))", &[]);
        match row.and_then(|row| row.try_get(0)) {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.fault("begin", ANOTHER_RUNS.into())),
            Err(error) => Err(self.error("check whether another migration is running", &error)),
        }
    }

    fn fault(&self, action: &str, message: String) -> Error {
        fault(&self.name, action, message)
    }
}

impl Database for Postgres {
    fn kind(&self) -> &'static str {
        "postgres"
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn names(&self) -> Vec<String> {
        names(&self.table, &self.columns, &self.key)
    }

    fn columns(&self) -> Vec<JobColumn> {
        job_columns(&self.columns)
    }

    fn has_triggers(&self) -> bool {
        self.has_triggers
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn slice(&self) -> usize {
        SLICE
    }

    fn read(
        &mut self,
        after: Option<&KeyValue>,
        last: Option<&KeyValue>,
        limit: usize,
    ) -> Result<Vec<TableRow>, Error> {
        self.read_page(after, last, limit)
    }

    fn read_one(&mut self, key: &KeyValue) -> Result<Vec<TableRow>, Error> {
        self.row(key)
    }

    fn count(&mut self, after: Option<&KeyValue>, last: Option<&KeyValue>) -> Result<u64, Error> {
        let (after, last) = (after.map(|after| self.key_literals(after)), last.map(|last| self.key_literals(last)));
        let range = self.key.range(after.as_deref(), last.as_deref());
        let rows = self.client.query_one(&format!("SELECT count(*) FROM {} AS t {range}", self.table), &[]);
        let rows = rows.and_then(|row| row.try_get::<_, i64>(0));
        rows.map(i64::unsigned_abs).map_err(|error| self.error("count rows", &error))
    }

    fn begin_reading(&mut self) -> Result<(), Error> {
        self.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "begin a transaction")
    }

    fn begin(&mut self) -> Result<(), Error> {
        // Deferred constraints would fail at the end, for all rows. The snapshot that rows are read from is also the
        // one they are compared with: if another session has changed a row meanwhile, the transaction fails and is
        // repeated. (Sending the old strings back for a comparison took a tenth longer.)
        self.run("BEGIN ISOLATION LEVEL REPEATABLE READ; SET CONSTRAINTS ALL IMMEDIATE", "begin a transaction")?;
        self.is_fresh = true;
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Error> {
        self.end_reading_ahead();
        self.run("COMMIT", "commit a transaction")
    }

    fn rollback(&mut self) -> Result<(), Error> {
        self.end_reading_ahead();
        self.run("ROLLBACK", "end a transaction")
    }

    fn write(&mut self, changes: &[Change], _all: bool) -> Result<BatchOutcome, Error> {
        write_changes(self, changes)
    }

    fn may_have_deleted(&mut self) -> Result<bool, Error> {
        // What the session has deleted, the rows of partitions among them. The server does not count if it is told so.
        let sql = "SELECT current_setting('track_counts') <> 'on' OR EXISTS (SELECT FROM pg_stat_xact_all_tables
                   WHERE n_tup_del > 0 AND (relid = $1 OR relid IN (SELECT relid FROM pg_partition_tree($1))))";
        let row = self.client.query_one(sql, &[&self.oid]).and_then(|row| row.try_get(0));
        row.map_err(|error| self.error("find out whether rows were deleted", &error))
    }

    fn conflict(&mut self) -> Option<Interference> {
        self.conflict.take()
    }

    fn wait_for_locks(&mut self, longest: Duration) -> Result<(), Error> {
        let sql = format!("SET lock_timeout = {}", longest.as_millis().max(1));
        self.run(&sql, "prepare the connection")
    }

    fn keep_alive(&mut self) -> Result<(), Error> {
        self.run("SELECT", "use the connection")
    }

    fn lag(&mut self, query: Option<&str>) -> Result<Option<f64>, Error> {
        let client = self.replica.as_mut().or(query.map(|_| &mut self.client));
        let Some(client) = client else { return Err(self.fault(ASK_LAG, NO_REPLICA.into())) };
        lag(client, query.unwrap_or(LAG)).map_err(|why| self.fault(ASK_LAG, why))
    }

    fn stored_as(&self) -> StoredAs {
        StoredAs::Bytes(self.columns.iter().map(|column| column.written().bytes).collect())
    }

    fn width(&self, column: usize) -> Option<usize> {
        self.columns[column].written().width
    }

    fn make_journal(&mut self) -> Result<(), Error> {
        let there = self.client.query_one("SELECT to_regclass('gridmill_migration') IS NOT NULL", &[]);
        if there.map_err(|error| self.error(READ_JOURNAL, &error))?.get(0) {
            return Ok(());
        }
        let sql = "CREATE TABLE gridmill_migration (id bigserial PRIMARY KEY, job text NOT NULL, entry text NOT NULL)";
        self.run(sql, MAKE_JOURNAL)
    }

    fn jobs(&mut self) -> Result<Vec<String>, Error> {
        let rows = self.client.query("SELECT DISTINCT job FROM gridmill_migration", &[]);
        let jobs = rows.and_then(|rows| rows.iter().map(|row| row.try_get(0)).collect());
        jobs.map_err(|error| self.error(READ_JOURNAL, &error))
    }

    fn journal(&mut self, job: &str, each: &mut dyn FnMut(String) -> Result<(), Error>) -> Result<(), Error> {
        let sql = "SELECT entry FROM gridmill_migration WHERE job = $1 ORDER BY id";
        let name = self.name.clone();
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

/// The lag in seconds that a query returns, in whatever type.
fn lag(client: &mut Client, query: &str) -> Result<Option<f64>, String> {
    let answers = client.simple_query(query).map_err(|error| message(&error))?;
    let row = answers.iter().find_map(|answer| match answer {
        postgres::SimpleQueryMessage::Row(row) => Some(row),
        _ => None,
    });
    let Some(text) = row.and_then(|row| row.get(0)) else { return Ok(None) };
    text.trim().parse().map(Some).map_err(|_| format!("{:?} is not a number of seconds", escape(text.as_bytes())))
}

/// The address of the database, without a password.
fn shown(config: &Config) -> String {
    let host = config.get_hosts().first().map(|host| match host {
        Host::Tcp(name) => name.clone(),
        Host::Unix(path) => path.display().to_string(),
    });
    let database = config.get_dbname().or(config.get_user()).unwrap_or("postgres");
    escape(format!("{}/{database}", host.unwrap_or_else(|| "localhost".into())).as_bytes())
}
