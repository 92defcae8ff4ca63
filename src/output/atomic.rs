//! Files that appear complete or not at all: written without a name, or under a temporary one in the same folder, then
//! synced and moved into place.

use std::collections::hash_map::RandomState;
use std::fs::{self, File};
use std::hash::BuildHasher;
use std::io::{self, Seek};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::PathBuf;
use std::sync::Arc;

use rustix::fs::{AtFlags, Gid, Mode, OFlags, Uid, fchown, linkat, openat, renameat, statat};
use rustix::io::Errno;

use super::descriptor::write_all;
use super::place::{FilePlace, mounted};
use super::temporaries::{Registered, lock_registry, lock_registry_for};
use super::unnamed;
use crate::error::Error;
use crate::file_id::FileId;

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
    folder: Arc<File>,
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
        Self::create_with(place, sync, unnamed::create)
    }

    fn create_with(
        place: FilePlace,
        sync: bool,
        unnamed: fn(&File, Mode) -> io::Result<Option<File>>,
    ) -> Result<Self, Error> {
        let failed = |e: io::Error| Error::io(&place.shown, "create", e);
        let folder = Arc::new(open_folder(&place, sync)?);
        let mode = first_mode(&place);
        let (file, named) = match unnamed(&folder, mode).map_err(failed)? {
            Some(file) => (file, None),
            None => {
                let (file, name) = temporary(&place, &folder, mode).map_err(failed)?;
                (file, Some(name))
            }
        };
        let made = Self { place, folder, file, named, sync, synced: false, lost: Vec::new() };
        made.keep_owner(&made.file)?;
        Ok(made)
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.synced = false;
        write_all(&self.file, &self.place.shown, bytes)
    }

    /// Overwrites the beginning of the file.
    pub(super) fn write_start(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.synced = false;
        self.file.write_all_at(bytes, 0).map_err(|e| Error::io(&self.place.shown, "write", e))
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
        if self.named.is_none() && self.place.force && self.is_taken() {
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
            let source = unnamed::source(&self.file);
            let registry = lock_registry();
            let linked = unnamed::link(&source, &self.folder, self.place.name());
            drop(registry);
            match linked {
                Ok(()) if self.sync && unnamed::needs_sync_after_naming(&self.file) => return self.sync_file(),
                Ok(()) => return Ok(()),
                Err(Errno::EXIST) if !self.place.force => return Err(self.taken()),
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
            true => renameat(folder, named.name(), folder, to),
            false => rename_beside_none(folder, named, to),
        };
        match renamed {
            Ok(()) => Ok(()),
            Err(Errno::EXIST) if !self.place.force => Err(self.taken()),
            Err(Errno::BUSY) => Err(mounted(&self.place.shown)),
            Err(e) => Err(Error::io(&self.place.shown, "put in place", e.into())),
        }
    }

    /// The path of the folder.
    #[cfg(feature = "parquet")]
    pub(super) fn folder_path(&self) -> &std::path::Path {
        &self.place.folder
    }

    /// The folder and its path, if the new name is to be synced.
    pub(super) fn folder_to_sync(&self) -> Option<(Arc<File>, PathBuf)> {
        self.sync.then(|| (Arc::clone(&self.folder), self.place.shown.clone()))
    }

    /// The path as the user gave it.
    pub(super) fn shown(&self) -> &PathBuf {
        &self.place.shown
    }

    /// Gives an unnamed file a temporary name.
    fn give_name(&mut self) -> Result<(), Error> {
        for _ in 0..TRIES {
            let source = unnamed::source(&self.file);
            let (mut registry, name) = lock_registry_for(Some(&self.folder), temporary_name(&self.place));
            let linked = unnamed::link(&source, &self.folder, name.name());
            if linked.is_ok() {
                self.named = Some(registry.register(name));
            }
            drop(registry);
            match linked {
                Ok(()) => {
                    if self.sync && unnamed::needs_sync_after_naming(&self.file) {
                        self.sync_file()?;
                    }
                    return Ok(());
                }
                Err(Errno::EXIST) => {}
                // Some systems create unnamed files but cannot name them (because of restrictions on this process, or
                // without /proc). Start over with a file that has a name from the beginning.
                Err(Errno::PERM | Errno::ACCESS | Errno::OPNOTSUPP | Errno::NOSYS | Errno::NOENT | Errno::XDEV) => {
                    return self.copy();
                }
                Err(e) => return Err(Error::io(&self.place.shown, "put in place", e.into())),
            }
        }
        Err(Error::io(&self.place.shown, "create", Errno::EXIST.into()))
    }

    /// Copies what was written so far into a file with a temporary name, and continues with that.
    fn copy(&mut self) -> Result<(), Error> {
        let failed = |e: io::Error| Error::io(&self.place.shown, "write", e);
        let (mut file, named) = temporary(&self.place, &self.folder, first_mode(&self.place)).map_err(failed)?;
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

    /// Gives the new file the owner and group of the one it replaces. A user who may not give files away becomes the
    /// owner, as of any new file; but if the group cannot be kept either, and has other permissions than everybody, this
    /// is an error, because another group would get them. For root, it always is.
    fn keep_owner(&self, file: &File) -> Result<(), Error> {
        let Some(old) = &self.place.replaced else { return Ok(()) };
        let (owner, group) = old.owner;
        let now = file.metadata().map_err(|e| Error::io(&self.place.shown, "examine", e))?;
        if (now.uid(), now.gid()) == (owner, group) {
            return Ok(());
        }
        let (uid, gid) = (Uid::from_raw(owner), Gid::from_raw(group));
        let Err(error) = fchown(file, Some(uid), Some(gid)) else { return Ok(()) };
        let group_kept = now.gid() == group || fchown(file, None, Some(gid)).is_ok();
        if !rustix::process::geteuid().is_root() && (group_kept || !old.group_is_special()) {
            return Ok(());
        }
        let why = io::Error::from(error);
        Err(Error::file(
            &self.place.shown,
            format!(
                "belongs to user {owner} and group {group}, which its replacement cannot be given ({why}); \
                 write to another file, or run as that user"
            ),
        ))
    }

    fn is_taken(&self) -> bool {
        statat(&self.folder, self.place.name(), AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    /// Checks that the path still leads to the folder that was opened.
    fn same_folder(&self) -> Result<(), Error> {
        let (now, then) = (fs::metadata(&self.place.folder), self.folder.metadata());
        let then = then.map_err(|e| Error::io(&self.place.shown, "examine its folder", e))?;
        match now {
            Ok(now) if FileId::of(&now) == FileId::of(&then) => Ok(()),
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

/// The mode of the file while it is being written. A replacement is private until it is complete; a new file is created
/// like any other (the kernel applies the umask, which cannot be read without changing it).
fn first_mode(place: &FilePlace) -> Mode {
    match place.replaced {
        Some(_) => Mode::RUSR | Mode::WUSR,
        None => Mode::from_raw_mode(0o666),
    }
}

fn open_folder(place: &FilePlace, sync: bool) -> Result<File, Error> {
    // Creating files in a folder takes no read permission, but syncing it does.
    #[cfg(target_os = "linux")]
    let kind = if sync { OFlags::RDONLY } else { OFlags::PATH };
    #[cfg(not(target_os = "linux"))]
    let kind = OFlags::RDONLY;
    let _ = sync;
    let opened =
        rustix::fs::open(&place.folder, kind | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).map(File::from);
    opened.map_err(|e| Error::io(&place.shown, "open its folder", e.into()))
}

/// A random name for a temporary beside the file.
fn temporary_name(place: &FilePlace) -> PathBuf {
    let name = place.name().as_os_str().as_bytes();
    let random = format!("{:012x}", random());
    let name = [b".", &name[..name.len().min(NAME)], b".", random.as_bytes(), b".gridmill-tmp"].concat();
    PathBuf::from(std::ffi::OsString::from_vec(name))
}

/// A random number of 48 bits, for a name that nobody else has.
pub(super) fn random() -> u64 {
    RandomState::new().hash_one(std::process::id()) >> 16
}

/// Creates a file with a temporary name beside its place.
fn temporary(place: &FilePlace, folder: &Arc<File>, mode: Mode) -> io::Result<(File, Registered)> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    for _ in 0..TRIES {
        // While the lock is held, a signal finds either no file or a registered one.
        let (mut registry, name) = lock_registry_for(Some(folder), temporary_name(place));
        match openat(folder, name.name(), flags, mode) {
            Ok(file) => return Ok((File::from(file), registry.register(name))),
            Err(Errno::EXIST | Errno::INTR) => {}
            Err(e) => return Err(e.into()),
        }
    }
    Err(Errno::EXIST.into())
}

/// Renames, unless the new name exists.
fn rename_beside_none(folder: &File, named: &Registered, to: &std::path::Path) -> Result<(), Errno> {
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    {
        use rustix::fs::{RenameFlags, renameat_with};
        match renameat_with(folder, named.name(), folder, to, RenameFlags::NOREPLACE) {
            // The file system does not support that.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            done => return done,
        }
    }
    linkat(folder, named.name(), folder, to, AtFlags::empty())?;
    named.remove();
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::Path;

    use super::*;
    use crate::output::place::OutputPlace;

    /// An output that is written under a temporary name.
    fn open(path: &Path, force: bool) -> AtomicFile {
        let Ok(OutputPlace::File(place)) = OutputPlace::find(path, force) else { panic!("no place for a file") };
        AtomicFile::create_with(place, true, |_, _| Ok(None)).expect("a temporary")
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let mut names: Vec<_> =
            entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    fn finish(mut file: AtomicFile) -> Result<(), Error> {
        file.sync().and_then(|()| file.prepare()).and_then(|()| file.put_in_place()).map(drop)
    }

    #[test]
    fn files_with_names_are_put_in_their_places() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out");
        for (force, bytes) in [(false, "new"), (true, "newer")] {
            let mut file = open(&path, force);
            let temporary = names(folder.path()).remove(0);
            assert!(temporary.starts_with(".out.") && temporary.ends_with(".gridmill-tmp"), "{temporary}");
            file.write(bytes.as_bytes()).expect("writing");
            finish(file).expect("finishing");
            assert_eq!(names(folder.path()), ["out"]);
            assert_eq!(fs::read_to_string(&path).expect("reading"), bytes);
        }
        drop(open(&path, true));
        assert_eq!(names(folder.path()), ["out"]);
        fs::remove_file(&path).expect("removing");
        let file = open(&path, false);
        fs::write(&path, "somebody else's").expect("writing");
        assert!(finish(file).expect_err("it is there").to_string().contains("in the meantime"));
        assert_eq!(names(folder.path()), ["out"]);
    }

    #[test]
    fn what_replaces_a_private_file_is_private_from_the_start() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out");
        for mode in [0o600, 0o640, 0o644] {
            fs::write(&path, "old").expect("writing");
            fs::set_permissions(&path, Permissions::from_mode(mode)).expect("chmod");
            let file = open(&path, true);
            let of = |name: &str| fs::metadata(folder.path().join(name)).expect("metadata").mode() & 0o777;
            assert_eq!(of(&names(folder.path())[0]), 0o600);
            finish(file).expect("finishing");
            assert_eq!(of("out"), mode);
        }
    }

    #[test]
    fn a_folder_that_was_renamed_keeps_no_temporary() {
        let folder = tempfile::tempdir().expect("a folder");
        let (before, after) = (folder.path().join("before"), folder.path().join("after"));
        for in_its_place in [false, true] {
            fs::create_dir(&before).expect("a folder");
            let file = open(&before.join("out"), false);
            fs::rename(&before, &after).expect("renaming");
            if in_its_place {
                symlink("after", &before).expect("a link");
                finish(file).expect("the folder is where its name leads");
                assert_eq!(names(&after), ["out"]);
            } else {
                assert!(finish(file).expect_err("it is elsewhere").to_string().contains("renamed or removed"));
                assert_eq!(names(&after), [""; 0]);
                fs::remove_dir(&after).expect("removing");
            }
        }
    }

    #[test]
    fn a_file_that_gets_no_name_is_copied_to_one_that_has_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out");
        fs::write(&path, "old").expect("writing");
        let Ok(OutputPlace::File(place)) = OutputPlace::find(&path, true) else { panic!("no place for a file") };
        let mut file = AtomicFile::create(place, true).expect("a file");
        file.write(b"some text").expect("writing");
        file.sync().expect("syncing");
        file.copy().expect("copying");
        assert_eq!(names(folder.path()).len(), 2);
        finish(file).expect("finishing");
        assert_eq!(names(folder.path()), ["out"]);
        assert_eq!(fs::read_to_string(&path).expect("reading"), "some text");
    }
}
