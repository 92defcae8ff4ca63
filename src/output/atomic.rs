//! Files that appear complete or not at all: written beside their place, synced, renamed.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile};

use super::place::FilePlace;
use super::plain::write_all;
use crate::error::Error;

/// The most bytes of the file's name in the temporary's: with what is around them, less than the 255 that a name may have.
const NAME: usize = 200;

/// The temporaries of this process.
static LIVE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn live() -> MutexGuard<'static, Vec<PathBuf>> {
    // A list of names is whole after every step.
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Every temporary of this process is removed, and while this lives no other is made and none takes its place: whoever tries
/// waits.
#[must_use = "other threads make temporaries again when this is dropped"]
#[derive(Debug)]
pub struct Removed {
    _live: MutexGuard<'static, Vec<PathBuf>>,
}

/// Removes every temporary of this process: for the thread that ends the program because of a signal, which keeps what it
/// gets until the end. An output whose temporary was removed cannot be finished any more. Not for a signal handler.
pub fn remove_temporaries() -> Removed {
    let mut live = live();
    for path in live.drain(..) {
        // The program ends; there is nobody to tell, and nothing else to try.
        let _ = fs::remove_file(path);
    }
    Removed { _live: live }
}

/// A file that is being written under another name.
#[derive(Debug)]
pub(super) struct Atomic {
    place: FilePlace,
    /// Taken by `finish`.
    temporary: Option<NamedTempFile>,
    sync: bool,
    /// See [`Atomic::sync`].
    synced: bool,
}

impl Atomic {
    /// Makes the temporary, in the folder of the file.
    pub(super) fn create(place: FilePlace, sync: bool) -> Result<Self, Error> {
        let name = place.path.file_name().unwrap_or_default().as_bytes();
        let prefix = [b".", &name[..name.len().min(NAME)], b"."].concat();
        let made = {
            // Under the lock, so that a signal finds either no file or a registered one.
            let mut live = live();
            let made = Builder::new()
                .prefix(OsStr::from_bytes(&prefix))
                .suffix(".gridmill-tmp")
                // Less the umask, which the kernel applies; there is no way to ask for the umask without changing it.
                .permissions(Permissions::from_mode(0o666))
                .tempfile_in(&place.folder);
            made.inspect(|temporary| live.push(temporary.path().to_path_buf()))
        };
        let temporary = made.map_err(|e| Error::io(&place.shown, "create", e))?;
        Ok(Self { place, temporary: Some(temporary), sync, synced: false })
    }

    /// The temporary's path.
    pub(super) fn path(&self) -> Option<&Path> {
        self.temporary.as_ref().map(NamedTempFile::path)
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let Some(temporary) = &self.temporary else { return Err(self.gone()) };
        self.synced = false;
        write_all(temporary.as_file(), &self.place.shown, bytes)
    }

    /// Gives the file its mode and, if that was asked for, waits until its bytes are on the disk.
    pub(super) fn sync(&mut self) -> Result<(), Error> {
        let Some(temporary) = &self.temporary else { return Err(self.gone()) };
        let shown = &self.place.shown;
        if let Some(mode) = self.place.mode {
            let set = temporary.as_file().set_permissions(Permissions::from_mode(mode));
            set.map_err(|e| Error::io(shown, "set the mode of", e))?;
        }
        if self.sync {
            temporary.as_file().sync_all().map_err(|e| Error::io(shown, "sync", e))?;
        }
        self.synced = true;
        Ok(())
    }

    /// Puts the file in its place.
    pub(super) fn finish(mut self) -> Result<(), Error> {
        if !self.synced {
            self.sync()?;
        }
        let Some(temporary) = self.temporary.take() else { return Err(self.gone()) };
        let registered = Registered(temporary.path().to_path_buf());
        self.rename(temporary)?;
        drop(registered);
        if self.sync {
            let folder = &self.place.folder;
            File::open(folder).and_then(|f| f.sync_all()).map_err(|e| Error::io(folder, "sync the folder", e))?;
        }
        Ok(())
    }

    fn rename(&self, temporary: NamedTempFile) -> Result<(), Error> {
        // Under the lock, so that a signal finds the file either in its place or under its other name.
        let live = live();
        if !live.iter().any(|path| path == temporary.path()) {
            return Err(self.gone());
        }
        let FilePlace { path, shown, force, .. } = &self.place;
        let renamed = if *force { temporary.persist(path) } else { temporary.persist_noclobber(path) };
        drop(live);
        match renamed {
            Ok(_) => Ok(()),
            Err(e) if !force && e.error.kind() == io::ErrorKind::AlreadyExists => Err(Error::file(
                shown,
                "was made by another program meanwhile and stays as it is; -f/--force replaces it",
            )),
            Err(e) => Err(Error::io(shown, "put in its place", e.error)),
        }
    }

    fn gone(&self) -> Error {
        Error::file(&self.place.shown, "its temporary file was removed, so it was not written; run again")
    }
}

impl Drop for Atomic {
    fn drop(&mut self) {
        if let Some(temporary) = self.temporary.take() {
            let _registered = Registered(temporary.path().to_path_buf());
            drop(temporary); // removes the file
        }
    }
}

/// An entry of `LIVE`, taken out when dropped: after the file is gone or in its place.
#[derive(Debug)]
pub(crate) struct Registered(PathBuf);

#[cfg(feature = "sqlite")]
impl Registered {
    /// From now on a signal that ends the program removes this file.
    pub(crate) fn new(path: PathBuf) -> Self {
        live().push(path.clone());
        Self(path)
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        live().retain(|path| *path != self.0);
    }
}
