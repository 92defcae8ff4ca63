//! The rollback journal goes to the disk while rows are still being written, so that less is left to wait for when they are committed.
//! Nothing depends on it: SQLite syncs the file itself before it changes the database, and is told of every error, too.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// Rows after which it is synced: several megabytes.
const ROWS: usize = 10_000;

/// A thread that syncs a journal whose file stays there.
pub(super) struct EarlySync {
    wake: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
    rows: usize,
}

impl EarlySync {
    /// That of a database; nothing if there is no thread for it.
    pub(super) fn of(database: &Path) -> Option<Self> {
        let mut path = fs::canonicalize(database).ok()?.into_os_string();
        path.push("-journal");
        let path = PathBuf::from(path);
        let (wake, wakes) = sync_channel(1);
        let thread = thread::Builder::new().spawn(move || sync_all(&path, &wakes)).ok()?;
        Some(Self { wake: Some(wake), thread: Some(thread), rows: 0 })
    }

    /// So many rows more are written.
    pub(super) fn wrote(&mut self, rows: usize) {
        self.rows += rows;
        if self.rows >= ROWS {
            self.rows = 0;
            // While it is at work it need not be told.
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

fn sync_all(path: &Path, wakes: &Receiver<()>) {
    for () in wakes {
        // There is none before the first row is written, and others that write may have removed it.
        _ = File::open(path).map(|file| file.sync_data());
    }
}
