//! Reads the next rows over a second connection while the server writes the present ones.
//!
//! Reading takes a fifth of a migration's time if it happens between the writes. The second connection reads from the
//! snapshot of the transaction that writes, so the rows are those that the first one would read, except for what the
//! transaction itself has changed: see [`Postgres::may_read_ahead`](super::Postgres::may_read_ahead).

use std::mem;
use std::thread::{self, JoinHandle};

use postgres::Client;

use super::copy::{CopyOutput, copied};

/// A second connection that reads ahead.
pub(super) struct ReadAhead {
    state: ReaderState,
    /// Whether the connection has a transaction with the snapshot.
    is_open: bool,
}

enum ReaderState {
    Idle(Box<Client>),
    Reading(RunningQuery),
    /// The connection failed, or no thread could be started. The first connection reads everything.
    Lost,
}

/// A query that is being answered.
struct RunningQuery {
    sql: String,
    thread: JoinHandle<(Box<Client>, Option<CopyOutput>)>,
}

impl ReadAhead {
    pub(super) fn new(client: Client) -> Self {
        Self { state: ReaderState::Idle(Box::new(client)), is_open: false }
    }

    /// Begins a transaction that reads from a snapshot, which another transaction has exported.
    pub(super) fn begin(&mut self, snapshot: &str) {
        let ReaderState::Idle(client) = &mut self.state else { return };
        let sql = format!("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TRANSACTION SNAPSHOT '{snapshot}'");
        match client.batch_execute(&sql) {
            Ok(()) => self.is_open = true,
            Err(_) => self.state = ReaderState::Lost,
        }
    }

    /// Starts a query.
    pub(super) fn start(&mut self, sql: String) {
        if !self.is_open {
            return;
        }
        let mut client = match mem::replace(&mut self.state, ReaderState::Lost) {
            ReaderState::Idle(client) => client,
            other => return self.state = other,
        };
        let query = sql.clone();
        let read = move || {
            let mut output = CopyOutput::default();
            // If it fails, the first connection runs the query again, and reports the error.
            let is_read = copied(&mut client, &query, &mut output).is_ok();
            (client, is_read.then_some(output))
        };
        if let Ok(thread) = thread::Builder::new().spawn(read) {
            self.state = ReaderState::Reading(RunningQuery { sql, thread });
        }
    }

    /// Whether a query was started whose output was not taken.
    pub(super) fn is_reading(&self) -> bool {
        matches!(self.state, ReaderState::Reading(_))
    }

    /// The output of a query, if it is the one that was started.
    pub(super) fn take(&mut self, sql: &str) -> Option<CopyOutput> {
        let (asked, output) = self.wait()?;
        output.filter(|_| asked == sql)
    }

    /// Ends the transaction. The snapshot must not be kept while nothing is written, which may be for hours.
    pub(super) fn end(&mut self) {
        self.wait();
        if let ReaderState::Idle(client) = &mut self.state
            && mem::take(&mut self.is_open)
            && client.batch_execute("COMMIT").is_err()
        {
            self.state = ReaderState::Lost;
        }
    }

    /// Waits for the query that is being answered. Returns it with its output.
    fn wait(&mut self) -> Option<(String, Option<CopyOutput>)> {
        match mem::replace(&mut self.state, ReaderState::Lost) {
            ReaderState::Reading(RunningQuery { sql, thread }) => {
                let (client, output) = thread.join().ok()?;
                if output.is_some() {
                    self.state = ReaderState::Idle(client);
                }
                Some((sql, output))
            }
            other => {
                self.state = other;
                None
            }
        }
    }
}
