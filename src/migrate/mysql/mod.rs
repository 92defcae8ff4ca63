//! MySQL and MariaDB databases. The rows of a batch are locked as they are read. New strings are put into a temporary
//! table, and written by one `UPDATE` that joins it.
//!
//! - `schema`: the table, its columns and its key. `values`: values in cells and statements. `write`: changing rows.
//!   `connection`: statements and encryption.

mod connection;
mod schema;
mod values;
mod write;

use std::fmt;
use std::net::IpAddr;
use std::ops::ControlFlow;
use std::ops::Range;
use std::time::Duration;

use mysql_async::{Opts, OptsBuilder, Value};

use super::dialect::{
    ANOTHER_RUNS, ASK_LAG, JOURNAL, NO_REPLICA, PageRows, READ_JOURNAL, SqlDialect, StringColumn, WRITE_JOURNAL, fault,
    out_of_order, write_changes,
};
use super::tls::{Mode, Security, UrlSecurity};
use super::{
    BatchOutcome, Change, ColumnValue, Database, Failure, JobTable, KeyValue, MigrationJob, PAGE, RowsToRead, TableRow,
    TransactionKind,
};
use crate::error::{Error, escape};
use connection::Connection;
use values::{KeyKind, cell, interference, is_next, is_of_tls, is_unencrypted, key_literals, literal, message, said};

/// The number of rows that are read and written at a time.
const SLICE: usize = 10_000;

/// MySQL and MariaDB among the databases. (Triggers cannot write to the table that is being written.)
static DIALECT: SqlDialect = SqlDialect {
    kind: "mysql",
    slice: SLICE,
    has_typed_columns: true,
    has_one_writer: false,
    find_journal: Some(
        "SELECT 'yes' FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'gridmill_migration'",
    ),
    make_journal: "CREATE TABLE IF NOT EXISTS gridmill_migration (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, \
        job LONGTEXT NOT NULL, entry LONGTEXT NOT NULL) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
    keep_alive: Some("DO 0"),
    wait_for_locks: Some(|longest| {
        let wait = longest.as_secs().clamp(1, 86_400);
        format!("SET SESSION innodb_lock_wait_timeout = {wait}, SESSION lock_wait_timeout = {wait}")
    }),
};

/// A MySQL or MariaDB database with the columns of a job.
pub struct Mysql {
    connection: Connection,
    /// The table. Its name includes its schema, and the columns of its key are those of the table `t`.
    table: JobTable,
    sql: TableSql,
    key_kinds: Vec<KeyKind>,
    page_rows: PageRows,
    /// Whether rows are locked as they are read.
    is_writing: bool,
    /// The numbers of changes in the batch's table: how many were written before, and the end of the current ones.
    staged: Range<u64>,
    replica: Option<Connection>,
}

/// Parts of the statements that read and write the table, as `t`.
#[derive(Default)]
struct TableSql {
    /// The index of the key, by which rows are read.
    index: String,
    /// The expressions that read the columns of the key and of strings; two for each string.
    read_as: Vec<String>,
    /// Those of the columns that are written.
    written_as: Vec<String>,
    /// Assignments in addition to the new string, which keep other columns unchanged.
    kept: String,
}

impl fmt::Debug for Mysql {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mysql").field("table", &self.table).finish_non_exhaustive()
    }
}

impl Mysql {
    /// Connects. `write` says whether anything will be written, `wait` how long to wait for other sessions' locks, and
    /// `touch` whether columns with the time of the last change are updated.
    ///
    /// # Errors
    /// There is no connection, or not with the encryption that is asked for; or the table, a column or the key is
    /// missing.
    pub fn open(url: &str, job: &MigrationJob, write: bool, wait: Duration, touch: bool) -> Result<Self, Error> {
        job.check()?;
        let (name, connection) = connect(url)?;
        let mut this = Self {
            connection,
            table: JobTable::new(&DIALECT, name),
            sql: TableSql::default(),
            key_kinds: Vec::new(),
            page_rows: PageRows::new(SLICE),
            is_writing: false,
            staged: 0..0,
            replica: None,
        };
        // Whatever the server's settings are: a value that does not fit is an error, and backquotes are quotes.
        let wait = wait.as_secs().clamp(1, 86_400);
        let settings = format!(
            "SET NAMES utf8mb4, SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', \
             SESSION innodb_lock_wait_timeout = {wait}, SESSION lock_wait_timeout = {wait}, \
             SESSION transaction_isolation = 'REPEATABLE-READ', SESSION group_concat_max_len = 1000000"
        );
        this.prepare(&settings)?;
        this.check(job, touch)?;
        match write {
            true => {
                this.lock_out_others()?;
                this.make_stage().map_err(|error| this.error("make a temporary table", &error))?;
            }
            false => this.run("SET SESSION TRANSACTION READ ONLY", "prepare the connection")?,
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

    /// Sets up the session. MariaDB has an older name for the isolation level.
    fn prepare(&mut self, settings: &str) -> Result<(), Error> {
        const UNKNOWN_VARIABLE: u16 = 1193;
        let done = match self.connection.run(settings) {
            Err(error) if values::code(&error).is_some_and(|(code, _)| code == UNKNOWN_VARIABLE) => {
                self.connection.run(&settings.replace("transaction_isolation", "tx_isolation"))
            }
            done => done,
        };
        done.map(drop).map_err(|error| self.error("prepare the connection", &error))
    }

    fn error(&self, action: &str, error: &mysql_async::Error) -> Error {
        self.table.fault(action, message(error))
    }

    fn failure(&self, action: &str, error: &mysql_async::Error) -> Failure {
        Failure { error: self.error(action, error), interference: interference(error) }
    }

    fn run(&mut self, sql: &str, action: &str) -> Result<(), Error> {
        self.connection.run(sql).map(drop).map_err(|error| self.error(action, &error))
    }

    fn texts(&mut self, sql: &str, action: &str) -> Result<Vec<Vec<Option<String>>>, Error> {
        self.connection.texts(sql).map_err(|error| self.error(action, &error))
    }

    /// The number that a query returns.
    fn number(&mut self, sql: &str, action: &str) -> Result<u64, Error> {
        let rows = self.texts(sql, action)?;
        let number = rows.into_iter().flatten().flatten().next().and_then(|text| text.parse().ok());
        number.ok_or_else(|| self.table.fault(action, "the server did not return a number"))
    }

    /// Takes the lock that keeps two migrations from running at a time.
    fn lock_out_others(&mut self) -> Result<(), Error> {
        // Lock names are global to the server, and have at most 64 characters. The lock of a run that was killed exists
        // until the server has ended its statement. Waiting for that would make two concurrent runs do everything one
        // after the other.
        let sql = "SELECT GET_LOCK(CONCAT('gridmill_', MD5(DATABASE())), 0)";
        match self.number(sql, "check whether another migration is running")? {
            1 => Ok(()),
            _ => Err(self.table.fault("begin", ANOTHER_RUNS)),
        }
    }

    /// The rows of a query with this ending, the size of their values in bytes, and whether there were more rows.
    fn query(&mut self, condition: &str) -> Result<(Vec<TableRow>, usize, bool), Failure> {
        let lock = if self.is_writing { " FOR UPDATE" } else { "" };
        let (table, index) = (&self.table.name, &self.sql.index);
        let read_as = self.sql.read_as.join(", ");
        let sql = format!("SELECT {read_as} FROM {table} AS t FORCE INDEX ({index}) {condition}{lock}");
        let (kinds, columns) = (&self.key_kinds, &self.table.columns);
        let (mut rows, mut size, mut is_cut) = (Vec::new(), 0, false);
        let done = self.connection.each(&sql, |row| {
            if size >= PAGE {
                is_cut = true;
                return ControlFlow::Break(());
            }
            let mut values = row.into_iter();
            let mut next = || values.next().unwrap_or(Value::NULL);
            let part = |kind: &KeyKind| match next() {
                Value::Bytes(bytes) => kind.key(bytes),
                other => KeyValue::Text(other.as_sql(true).into()),
            };
            let key = KeyValue::of_parts(kinds.iter().map(part).collect());
            for (n, StringColumn { column, to }) in columns.iter().enumerate() {
                let mut next_cell = |is_bytes| cell(next(), next(), is_bytes);
                let (old, target) = (next_cell(column.bytes), to.as_ref().map(|to| next_cell(to.bytes)));
                let values = [Some(&old), target.as_ref()];
                size += values.into_iter().flatten().filter_map(ColumnValue::bytes).map(<[u8]>::len).sum::<usize>();
                rows.push(TableRow { key: key.clone(), column: n, old, target });
            }
            ControlFlow::Continue(())
        });
        match done {
            Ok(()) => Ok((rows, size, is_cut)),
            Err(error) => Err(self.failure("read rows", &error)),
        }
    }

    /// Fails if rows are not in the order of their keys, as far as that is known here: numbers and bytes have one
    /// order, and text has that of its collation, in which no key may occur twice.
    fn check_order(&self, after: Option<&KeyValue>, rows: &[TableRow]) -> Result<(), Error> {
        let mut before = after;
        for TableRow { key, .. } in rows.iter().filter(|row| row.column == 0) {
            let is_next = before.is_none_or(|before| is_next(before.parts(), key.parts()));
            if !is_next {
                let help = "an index of the table is damaged; run CHECK TABLE and rebuild the index";
                let message = out_of_order(key, before, help);
                return Err(self.table.fault("read rows in the order of their keys", message));
            }
            before = Some(key);
        }
        Ok(())
    }

    /// Inserts rows of values, some hundred at a time. `head` is the start of the statement.
    fn insert(&mut self, head: &str, rows: Vec<Vec<Value>>) -> Result<(), mysql_async::Error> {
        const AT_A_TIME: usize = 500;
        let mut rows = rows.into_iter().peekable();
        while let Some(first) = rows.peek() {
            let marks = format!("({})", vec!["?"; first.len()].join(", "));
            let part: Vec<_> = rows.by_ref().take(AT_A_TIME).collect();
            let sql = format!("{head} VALUES {}", vec![marks.as_str(); part.len()].join(", "));
            self.connection.run_with(&sql, part.into_iter().flatten().collect())?;
        }
        Ok(())
    }
}

impl Database for Mysql {
    fn table(&self) -> &JobTable {
        &self.table
    }

    fn answers(&mut self, sql: &str, action: &str) -> Result<Vec<Option<String>>, Error> {
        Ok(self.texts(sql, action)?.into_iter().filter_map(|row| row.into_iter().next()).collect())
    }

    fn read(&mut self, wanted: RowsToRead) -> Result<Vec<TableRow>, Failure> {
        let (after, last, limit) = match wanted {
            RowsToRead::Page(after, last, limit) => (after, last, limit),
            RowsToRead::Row(key) => {
                return Ok(self.query(&format!("WHERE {}", self.table.key.is("=", &key_literals(key))))?.0);
            }
        };
        let (from, last) = (after.map(key_literals), last.map(key_literals));
        let page = self.table.key.page(from.as_deref(), last.as_deref(), limit.min(self.page_rows.get()));
        let (rows, size, is_cut) = self.query(&page)?;
        self.page_rows.learn(rows.len() / self.table.columns.len(), size, is_cut);
        self.check_order(after, &rows)?;
        Ok(rows)
    }

    fn count(&mut self, after: Option<&KeyValue>, last: Option<&KeyValue>) -> Result<u64, Error> {
        let (after, last) = (after.map(key_literals), last.map(key_literals));
        let range = self.table.key.range(after.as_deref(), last.as_deref());
        let sql = format!("SELECT COUNT(*) FROM {} AS t {range}", self.table.name);
        self.number(&sql, "count rows")
    }

    fn begin(&mut self, kind: TransactionKind) -> Result<(), Error> {
        // Rows that will be written are locked as they are read, so that nobody changes them meanwhile.
        self.is_writing = kind == TransactionKind::Write;
        let sql = match kind {
            TransactionKind::Read => "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
            TransactionKind::Write => {
                self.empty_stage().map_err(|error| self.error("empty a temporary table", &error))?;
                "START TRANSACTION"
            }
        };
        self.run(sql, "begin a transaction")
    }

    fn commit(&mut self) -> Result<(), Failure> {
        // In a cluster, conflicts with other sessions may only be detected now.
        self.connection.run("COMMIT").map(drop).map_err(|error| self.failure("commit a transaction", &error))
    }

    fn rollback(&mut self) -> Result<(), Error> {
        self.run("ROLLBACK", "end a transaction")
    }

    fn write(&mut self, changes: &[Change], _all: bool) -> Result<BatchOutcome, Error> {
        write_changes(self, changes)
    }

    fn lag(&mut self, query: Option<&str>) -> Result<Option<f64>, Error> {
        let connection = self.replica.as_mut().or(query.map(|_| &mut self.connection));
        let Some(connection) = connection else { return Err(self.table.fault(ASK_LAG, NO_REPLICA)) };
        lag(connection, query).map_err(|why| self.table.fault(ASK_LAG, why))
    }

    fn journal(&mut self, job: &str, each: &mut dyn FnMut(String) -> Result<(), Error>) -> Result<(), Error> {
        let sql = format!("SELECT entry FROM {JOURNAL} WHERE job = {} ORDER BY id", literal(job.as_bytes()));
        let mut failed = Ok(());
        let done = self.connection.each(&sql, |row| match row.into_iter().next() {
            Some(Value::Bytes(entry)) => match each(String::from_utf8_lossy(&entry).into_owned()) {
                Ok(()) => ControlFlow::Continue(()),
                error => {
                    failed = error;
                    ControlFlow::Break(())
                }
            },
            _ => ControlFlow::Continue(()),
        });
        done.map_err(|error| self.error(READ_JOURNAL, &error)).and(failed)
    }

    fn note(&mut self, job: &str, entries: &[String]) -> Result<(), Error> {
        let value = |text: &str| Value::Bytes(text.as_bytes().to_vec());
        let rows = entries.iter().map(|entry| vec![value(job), value(entry)]).collect();
        let done = self.insert(&format!("INSERT INTO {JOURNAL} (job, entry)"), rows);
        done.map_err(|error| self.error(WRITE_JOURNAL, &error))
    }
}

/// The lag in seconds that a query returns or a replica reports for its slowest source; `None` if it is not
/// replicating.
fn lag(connection: &mut Connection, query: Option<&str>) -> Result<Option<f64>, String> {
    let own = |connection: &mut Connection| {
        let columns = ["Seconds_Behind_Source", "Seconds_Behind_Master"];
        match connection.column("SHOW REPLICA STATUS", &columns) {
            // Servers before 2020.
            Err(error) if values::is_syntax(&error) => connection.column("SHOW SLAVE STATUS", &columns),
            answer => answer,
        }
    };
    let answers = match query {
        None => own(connection),
        Some(query) => connection.column(query, &[]),
    };
    let answers = answers.map_err(|error| message(&error))?;
    let Some(texts) = answers.into_iter().collect::<Option<Vec<_>>>() else { return Ok(None) };
    let seconds = texts.iter().map(|text| {
        let number: Result<f64, _> = text.trim().parse();
        number.map_err(|_| format!("{:?} is not a number of seconds", escape(text.as_bytes())))
    });
    Ok(seconds.collect::<Result<Vec<_>, _>>()?.into_iter().reduce(f64::max))
}

/// Connects to a URL. Also returns a name for messages, without a password.
fn connect(url: &str) -> Result<(String, Connection), Error> {
    // The URL may contain a password, and the parser's message the URL.
    let usage = |why: &str| Error::Usage(format!("the address of the database {why}"));
    let (rest, asked) = UrlSecurity::of_address(url)?;
    let options = Opts::from_url(&rest);
    let options = options.map_err(|_| usage("cannot be read; expected mysql://USER@HOST/DATABASE"))?;
    if rest.matches('@').count() > 1 {
        return Err(usage("has an @ in its user or password; write it as %40, or give the password in MYSQL_PWD"));
    }
    let Some(database) = options.db_name().filter(|name| !name.is_empty()) else {
        return Err(usage("names no database; expected mysql://USER@HOST/DATABASE"));
    };
    if options.ssl_opts().is_some() {
        return Err(usage("has encryption options of another program; use sslmode and sslrootcert"));
    }
    let host = options.ip_or_hostname().trim_matches(['[', ']']).to_string();
    let is_local =
        options.socket().is_some() || host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    let place = options.socket().unwrap_or(&host);
    let name = escape(format!("{place}/{database}").as_bytes());
    let mut security = asked.of_host(is_local)?;
    if options.socket().is_some() {
        security.mode = Mode::Disable; // a socket is not on a network
    }
    let action = match options.socket() {
        Some(_) => "connect to it".to_string(),
        None => format!("connect to it at port {}", options.tcp_port()),
    };
    let password = options.pass().map(str::to_string).or_else(|| std::env::var("MYSQL_PWD").ok());
    let builder = OptsBuilder::from_opts(options)
        .pass(password)
        .ip_or_hostname(&host)
        .prefer_socket(false)
        .stmt_cache_size(16)
        .connect_attribute("program_name", "gridmill");
    match Connection::open(&builder, &security) {
        Ok(connection) => Ok((name, connection)),
        Err(error) => Err(fault(&name, &action, refused(&error, &security))),
    }
}

/// Why there is no connection, and what to do.
fn refused(error: &mysql_async::Error, security: &Security) -> String {
    if is_unencrypted(error) {
        return security.unencrypted();
    }
    match error {
        mysql_async::Error::Server(answer) => escape(answer.message.as_bytes()),
        error => {
            let said = said(error);
            let help = if is_of_tls(error) { Security::help(&said) } else { "" };
            format!("{said}{help}")
        }
    }
}
