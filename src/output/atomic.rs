//! Files that appear complete or not at all: written without a name, or under a temporary one in the same folder, then
//! synced and moved into place.

use std::collections::hash_map::RandomState;
use std::fs::File;
use std::hash::BuildHasher;
use std::io::{self, Seek};
use std::path::PathBuf;
use std::sync::Arc;

use super::place::FilePlace;
use super::temporaries::{Registered, lock_registry, lock_registry_for};
use crate::error::Error;
use crate::platform::{
    CreateMode, FileId, Folder, NotNamed, shortened_name, why_not_in_place, write_all, write_all_at,
};

/// The most bytes of the file's name that the temporary's name repeats. With the prefix and suffix it stays below the
/// limit of 255.
const NAME: usize = 200;
/// How many random names are tried for a temporary file. A second one is hardly ever needed.
const TRIES: u32 = 100;

/// A file that is being written and is not in its place yet.
#[derive(Debug)]
pub(super) struct AtomicFile {
    place: FilePlace,
    /// The folder of the file. Kept open, so that the temporary can be removed even if the folder is renamed.
    folder: Arc<Folder>,
    file: File,
    /// The temporary's name, unless the file has none.
    named: Option<Registered>,
    sync: bool,
    /// Nothing was written since [`AtomicFile::sync`].
    synced: bool,
    /// What the replaced file had and this one has not.
    lost: Vec<String>,
}

impl AtomicFile {
    /// Creates the file, without a name if the file system supports that.
    pub(super) fn create(place: FilePlace, sync: bool) -> Result<Self, Error> {
        Self::create_with(place, sync, Folder::create_unnamed)
    }

    fn create_with(
        place: FilePlace,
        sync: bool,
        unnamed: fn(&Folder, CreateMode) -> io::Result<Option<File>>,
    ) -> Result<Self, Error> {
        let failed = |e: io::Error| Error::io(&place.shown, "create", e);
        let opened = Folder::open(&place.folder, sync);
        let folder = Arc::new(opened.map_err(|e| Error::io(&place.shown, "open its folder", e))?);
        let new = first_use(&place);
        let (file, named) = match unnamed(&folder, new).map_err(failed)? {
            Some(file) => (file, None),
            None => {
                let (file, name) = temporary(&place, &folder, new).map_err(failed)?;
                (file, Some(name))
            }
        };
        let made = Self { place, folder, file, named, sync, synced: false, lost: Vec::new() };
        made.keep_owner(&made.file)?;
        Ok(made)
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.synced = false;
        write_all(&self.file, bytes).map_err(|e| Error::io(&self.place.shown, "write", e))
    }

    /// Overwrites the beginning of the file.
    pub(super) fn write_start(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.synced = false;
        write_all_at(&self.file, bytes, 0).map_err(|e| Error::io(&self.place.shown, "write", e))
    }

    /// Sets the mode and the access list of the file and, if the caller asked for it, waits until the contents are on the
    /// disk.
    pub(super) fn sync(&mut self) -> Result<(), Error> {
        if self.synced {
            return Ok(());
        }
        if let Some(old) = &self.place.replaced {
            self.lost.clear();
            let given = old.give_access(&self.file, &mut self.lost);
            given.map_err(|e| Error::io(&self.place.shown, "set the mode of", e))?;
        }
        self.sync_file()?;
        self.synced = true;
        Ok(())
    }

    fn sync_file(&self) -> Result<(), Error> {
        if self.sync {
            self.file.sync_all().map_err(|e| Error::io(&self.place.shown, "sync", e))?;
        }
        Ok(())
    }

    /// The last step before [`AtomicFile::put_in_place`]: if a file is to be replaced, the new one gets a temporary
    /// name, since only a rename can replace a file.
    pub(super) fn prepare(&mut self) -> Result<(), Error> {
        self.same_folder()?;
        if self.named.is_none() && !Folder::NAMING_REPLACES && self.place.force && self.is_taken() {
            self.give_name()?;
        }
        Ok(())
    }

    /// Moves the file into place. It is complete there, but survives a loss of power only after
    /// [`Output::finish`](super::Output::finish) has synced the folder. Returns what the replaced file had and this one
    /// has not.
    pub(super) fn put_in_place(&mut self) -> Result<Vec<String>, Error> {
        self.same_folder()?;
        self.put()?;
        Ok(std::mem::take(&mut self.lost))
    }

    fn put(&mut self) -> Result<(), Error> {
        if self.named.is_none() {
            // While the lock is held, no signal can end the program between the two steps.
            let unnamed = Folder::unnamed(&self.file);
            let registry = lock_registry();
            let named = self.folder.name(&unnamed, self.place.name(), self.place.force);
            drop(registry);
            match named {
                Ok(()) if self.sync && Folder::needs_sync_after_naming(&self.file) => return self.sync_file(),
                Ok(()) => return Ok(()),
                Err(NotNamed::Taken) if !self.place.force => return Err(self.taken()),
                Err(NotNamed::Failed(error)) if Folder::NAMING_REPLACES => return Err(self.not_in_place(error)),
                // Somebody created a file of that name meanwhile, or the system cannot name an unnamed file.
                Err(_) => self.give_name()?,
            }
        }
        let Some(named) = self.named.take() else { return Err(self.gone()) };
        // While the lock is held, a signal finds the file either in its place or under its temporary name.
        let mut registry = lock_registry();
        let put = if registry.contains(&named) { self.rename(&named) } else { Err(self.gone()) };
        match &put {
            Ok(()) => registry.forget(&named),
            Err(_) => named.remove(),
        }
        drop(registry);
        put
    }

    fn rename(&self, named: &Registered) -> Result<(), Error> {
        let (folder, to) = (&self.folder, self.place.name());
        let renamed = match self.place.force {
            true => folder.rename(named.name(), to),
            false => folder.rename_to_free(named.name(), to),
        };
        renamed.map_err(|error| self.not_in_place(error))
    }

    fn not_in_place(&self, error: io::Error) -> Error {
        match (error.kind(), why_not_in_place(&error)) {
            (io::ErrorKind::AlreadyExists, _) if !self.place.force => self.taken(),
            (_, Some(why)) => Error::file(&self.place.shown, why),
            (_, None) => Error::io(&self.place.shown, "put in place", error),
        }
    }

    /// The path of the folder.
    pub(super) fn folder_path(&self) -> &std::path::Path {
        &self.place.folder
    }

    /// The folder and its path, if the new name is to be synced.
    pub(super) fn folder_to_sync(&self) -> Option<(Arc<Folder>, PathBuf)> {
        self.sync.then(|| (Arc::clone(&self.folder), self.place.shown.clone()))
    }

    /// The path as the user gave it.
    pub(super) fn shown(&self) -> &PathBuf {
        &self.place.shown
    }

    /// Gives an unnamed file a temporary name.
    fn give_name(&mut self) -> Result<(), Error> {
        for _ in 0..TRIES {
            let unnamed = Folder::unnamed(&self.file);
            let (mut registry, name) = lock_registry_for(Some(&self.folder), temporary_name(&self.place));
            let named = self.folder.name(&unnamed, name.name(), false);
            if named.is_ok() {
                self.named = Some(registry.register(name));
            }
            drop(registry);
            match named {
                Ok(()) => {
                    if self.sync && Folder::needs_sync_after_naming(&self.file) {
                        self.sync_file()?;
                    }
                    return Ok(());
                }
                Err(NotNamed::Taken) => {}
                // Start over with a file that has a name from the beginning.
                Err(NotNamed::Unsupported) => return self.copy(),
                Err(NotNamed::Failed(e)) => return Err(Error::io(&self.place.shown, "put in place", e)),
            }
        }
        Err(Error::io(&self.place.shown, "create", io::ErrorKind::AlreadyExists.into()))
    }

    /// Copies what was written so far into a file with a temporary name, and continues with that.
    fn copy(&mut self) -> Result<(), Error> {
        let failed = |e: io::Error| Error::io(&self.place.shown, "write", e);
        let (mut file, named) = temporary(&self.place, &self.folder, first_use(&self.place)).map_err(failed)?;
        let copied = self.file.rewind().and_then(|()| io::copy(&mut self.file, &mut file));
        if let Err(error) = copied {
            named.remove();
            return Err(Error::io(&self.place.shown, "write", error));
        }
        self.file = file;
        self.named = Some(named);
        self.synced = false;
        self.keep_owner(&self.file)?;
        self.sync()
    }

    /// Gives the new file the owner and group of the one it replaces.
    fn keep_owner(&self, file: &File) -> Result<(), Error> {
        let Some(old) = &self.place.replaced else { return Ok(()) };
        let given = old.give_owner(file).map_err(|e| Error::io(&self.place.shown, "examine", e))?;
        given
            .map_err(|why| Error::file(&self.place.shown, format!("{why}; write to another file, or run as that user")))
    }

    fn is_taken(&self) -> bool {
        self.folder.has(self.place.name())
    }

    /// Checks that the path still leads to the folder that was opened.
    fn same_folder(&self) -> Result<(), Error> {
        let (now, then) = (FileId::at(&self.place.folder), self.folder.id());
        let then = then.map_err(|e| Error::io(&self.place.shown, "examine its folder", e))?;
        match now {
            Ok(now) if now == then => Ok(()),
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(Error::io(&self.place.shown, "examine its folder", e)),
            _ => Err(Error::file(
                &self.place.shown,
                "its folder was renamed or removed in the meantime, so it was not written",
            )),
        }
    }

    fn taken(&self) -> Error {
        Error::file(
            &self.place.shown,
            "was created by another program in the meantime and is not replaced; -f/--force replaces it",
        )
    }

    fn gone(&self) -> Error {
        Error::file(&self.place.shown, "its temporary file was removed, so it was not written; run again")
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some(named) = &self.named {
            named.remove();
        }
    }
}

/// Who may use the file while it is being written. A replacement is private until it is complete; a new file is created
/// like any other.
fn first_use(place: &FilePlace) -> CreateMode {
    if place.replaced.is_some() { CreateMode::Private } else { CreateMode::Usual }
}

/// A random name for a temporary beside the file.
fn temporary_name(place: &FilePlace) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(shortened_name(place.name().as_os_str(), NAME));
    name.push(format!(".{:012x}.gridmill-tmp", random()));
    name.into()
}

/// A random number of 48 bits, for a name that nobody else has.
pub(super) fn random() -> u64 {
    RandomState::new().hash_one(std::process::id()) >> 16
}

/// Creates a file with a temporary name beside its place.
fn temporary(place: &FilePlace, folder: &Arc<Folder>, new: CreateMode) -> io::Result<(File, Registered)> {
    for _ in 0..TRIES {
        // While the lock is held, a signal finds either no file or a registered one.
        let (mut registry, name) = lock_registry_for(Some(folder), temporary_name(place));
        match folder.create(name.name(), new) {
            Ok(file) => return Ok((file, registry.register(name))),
            Err(e) if [io::ErrorKind::AlreadyExists, io::ErrorKind::Interrupted].contains(&e.kind()) => {}
            Err(e) => return Err(e),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(all(test, unix))] // with modes and links
mod tests;
