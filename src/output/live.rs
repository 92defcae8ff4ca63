//! The names that must not stay if the program ends before its time: temporaries, and the lock beside a database.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use rustix::fs::{AtFlags, CWD, unlinkat};

/// How often somebody who may not wait for ever looks whether the list is free, a millisecond each.
const LOOKS: u32 = 1000;

/// A name that is to go.
#[derive(Debug, Clone)]
struct Doomed {
    /// The folder it is in, held open: it may be renamed meanwhile. `None` if the name is an absolute path.
    folder: Option<Arc<File>>,
    name: PathBuf,
}

static LIVE: Mutex<Vec<Doomed>> = Mutex::new(Vec::new());

fn list() -> MutexGuard<'static, Vec<Doomed>> {
    // A list of names is whole after every step.
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Doomed {
    fn remove(&self) -> io::Result<()> {
        match &self.folder {
            Some(folder) => unlinkat(folder, &self.name, AtFlags::empty())?,
            None => unlinkat(CWD, &self.name, AtFlags::empty())?,
        }
        Ok(())
    }

    fn is(&self, other: &Self) -> bool {
        let same_folder = match (&self.folder, &other.folder) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        same_folder && self.name == other.name
    }
}

/// Every temporary of this process is removed, and while this lives no other is made and none takes its place: whoever tries
/// waits.
#[must_use = "other threads make temporaries again when this is dropped"]
#[derive(Debug)]
pub struct Removed {
    _live: MutexGuard<'static, Vec<Doomed>>,
}

/// Removes every temporary of this process: for the thread that ends the program because of a signal, which keeps what it
/// gets until the end. An output whose temporary was removed cannot be finished any more. Not for a signal handler.
pub fn remove_temporaries() -> Removed {
    let mut live = list();
    for doomed in live.drain(..) {
        // The program ends; there is nobody to tell, and nothing else to try.
        let _ = doomed.remove();
    }
    Removed { _live: live }
}

/// As [`remove_temporaries`], for whoever ends the program at once and may hold any lock: it neither waits for ever nor allocates
/// memory. What is left alone is what this thread was about to make or to put in its place.
pub fn remove_temporaries_at_once() {
    for _ in 0..LOOKS {
        let live = match LIVE.try_lock() {
            Ok(live) => live,
            Err(TryLockError::Poisoned(live)) => live.into_inner(),
            Err(TryLockError::WouldBlock) => {
                // Another thread has it, for the time of a few calls.
                std::thread::sleep(std::time::Duration::from_millis(1));
                continue;
            }
        };
        // The names stay in the list: to take them out would free memory, whose lock this thread may hold.
        live.iter().for_each(|doomed| drop(doomed.remove()));
        return;
    }
}

/// No name is removed, and none is registered, while this lives: for whoever makes or renames one.
pub(super) struct Held(MutexGuard<'static, Vec<Doomed>>);

/// See [`Held`].
pub(super) fn hold() -> Held {
    Held(list())
}

impl Held {
    /// From now on whatever ends the program removes this name.
    pub(super) fn register(&mut self, folder: &Arc<File>, name: PathBuf) -> Registered {
        let doomed = Doomed { folder: Some(Arc::clone(folder)), name };
        self.0.push(doomed.clone());
        Registered(doomed)
    }

    /// Whether it was not removed.
    pub(super) fn has(&self, registered: &Registered) -> bool {
        self.0.iter().any(|doomed| doomed.is(&registered.0))
    }

    /// The name is no temporary any more.
    pub(super) fn forget(&mut self, registered: &Registered) {
        self.0.retain(|doomed| !doomed.is(&registered.0));
    }
}

/// A name that is removed if the program ends; forgotten when dropped, after the file is gone or in its place.
#[derive(Debug)]
pub(crate) struct Registered(Doomed);

impl Registered {
    /// From now on whatever ends the program removes the file at this absolute path.
    #[cfg(feature = "sqlite")]
    pub(crate) fn new(path: PathBuf) -> Self {
        let doomed = Doomed { folder: None, name: path };
        list().push(doomed.clone());
        Self(doomed)
    }

    /// The name in its folder.
    pub(super) fn name(&self) -> &PathBuf {
        &self.0.name
    }

    /// Removes the file.
    pub(super) fn remove(&self) {
        // Whoever drops an output has no use for an error of that.
        let _ = self.0.remove();
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        list().retain(|doomed| !doomed.is(&self.0));
    }
}
