//! Prevents two migrations of a database at a time, with a locked file beside it that is deleted when the migration
//! ends.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::output::Registered;
use crate::platform::{FileFacts, open_unless_link};

/// The lock of a database.
pub(super) struct Lock {
    path: PathBuf,
    _file: File,
    _registered: Registered,
}

impl Lock {
    /// Takes the lock of a database; `None` if another process has it.
    pub(super) fn take(database: &Path) -> io::Result<Option<Self>> {
        // The lock file is beside the real database file, whatever path leads there. (SQLite locks the database file
        // itself.)
        let mut path = fs::canonicalize(database)?.into_os_string();
        path.push("-gridmill");
        let path = PathBuf::from(path);
        loop {
            let mut options = OpenOptions::new();
            let opened = open_unless_link(options.write(true).create(true).truncate(false), &path)?;
            let Some(file) = opened else { return Err(io::Error::other("its name is a symbolic link")) };
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // The previous holder may have deleted the file after it was opened here.
            let is_there = match FileFacts::of_name(&path) {
                Ok(there) => there.id() == FileFacts::of(&file)?.id(),
                Err(error) if error.kind() == io::ErrorKind::NotFound => false,
                Err(error) => return Err(error),
            };
            if is_there {
                return Ok(Some(Self { _registered: Registered::new(path.clone()), path, _file: file }));
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // If this fails, an empty file remains that is not locked.
        let _ = fs::remove_file(&self.path);
    }
}
