//! Syncs the rollback journal while rows are still being written, so that there is less to wait for when they are
//! committed. Correctness does not depend on this: SQLite syncs the file itself before it changes the database, and
//! gets every error.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// The number of rows after which the journal is synced; they take several megabytes.
const ROWS: usize = 10_000;

/// A thread that syncs the rollback journal of a database.
pub(super) struct EarlySync {
    wake: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
    rows: usize,
}

impl EarlySync {
    /// Starts the thread for a database; `None` if that is impossible.
    pub(super) fn of(database: &Path) -> Option<Self> {
        let mut path = fs::canonicalize(database).ok()?.into_os_string();
        path.push("-journal");
        let path = PathBuf::from(path);
        let (wake, wakes) = sync_channel(1);
        let thread = thread::Builder::new().spawn(move || sync_all(&path, &wakes)).ok()?;
        Some(Self { wake: Some(wake), thread: Some(thread), rows: 0 })
    }

    /// Records that `rows` more rows were written.
    pub(super) fn wrote(&mut self, rows: usize) {
        self.rows += rows;
        if self.rows >= ROWS {
            self.rows = 0;
            // If the queue is full, a sync is already due.
            _ = self.wake.as_ref().map(|wake| wake.try_send(()));
        }
    }
}

impl Drop for EarlySync {
    fn drop(&mut self) {
        self.wake = None;
        _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Syncs the journal whenever it is told to.
fn sync_all(path: &Path, wakes: &Receiver<()>) {
    for () in wakes {
        // The file does not exist before the first row is written, and other writers may have deleted it.
        _ = File::open(path).map(|file| file.sync_data());
    }
}
