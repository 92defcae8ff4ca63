//! Files that appear complete or not at all: written without a name, or beside their place under another one; synced, then
//! put in their place.

use std::collections::hash_map::RandomState;
use std::fs::{self, File, Permissions};
use std::hash::BuildHasher;
use std::io::{self, Seek};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::PathBuf;
use std::sync::Arc;

use rustix::fs::{AtFlags, Gid, Mode, OFlags, Uid, fchown, linkat, openat, renameat, statat};
use rustix::io::Errno;

use super::live::{Held, Registered, hold};
use super::place::FilePlace;
use super::plain::write_all;
use super::unnamed;
use crate::error::Error;
use crate::file_id::FileId;

/// The most bytes of the file's name in the temporary's: with what is around them, less than the 255 that a name may have.
const NAME: usize = 200;
/// Names that are tried for a temporary; a second one is hardly ever needed.
const TRIES: u32 = 100;

/// A file that is being written and is not in its place yet.
#[derive(Debug)]
pub(super) struct Atomic {
    place: FilePlace,
    /// The folder of the file. Held open, so that whatever becomes of its name the temporary can be removed from it.
    folder: Arc<File>,
    file: File,
    /// The temporary's name, if the file has one.
    named: Option<Registered>,
    sync: bool,
    /// Nothing was written since [`Atomic::sync`].
    synced: bool,
}

impl Atomic {
    /// Makes the file, without a name if the file system can do that.
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
        let made = Self { place, folder, file, named, sync, synced: false };
        made.keep_owner(&made.file)?;
        Ok(made)
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.synced = false;
        write_all(&self.file, &self.place.shown, bytes)
    }

    /// Writes bytes over the first ones.
    pub(super) fn write_start(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.synced = false;
        self.file.write_all_at(bytes, 0).map_err(|e| Error::io(&self.place.shown, "write", e))
    }

    /// Gives the file its mode and, if that was asked for, waits until its bytes are on the disk.
    pub(super) fn sync(&mut self) -> Result<(), Error> {
        if self.synced {
            return Ok(());
        }
        if let Some(mode) = self.place.mode {
            let set = self.file.set_permissions(Permissions::from_mode(mode));
            set.map_err(|e| Error::io(&self.place.shown, "set the mode of", e))?;
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

    /// The last step before [`Atomic::put`]: what is to take the place of a file gets a name beside it, since only a name can
    /// be put in the place of another.
    pub(super) fn ready(&mut self) -> Result<(), Error> {
        self.same_folder()?;
        if self.named.is_none() && self.place.force && self.is_taken() {
            self.give_name()?;
        }
        Ok(())
    }

    /// Puts the file in its place. It is complete there, but only after [`Atomic::sync_folder`] will it survive a loss of power.
    pub(super) fn put(&mut self) -> Result<(), Error> {
        self.same_folder()?;
        if self.named.is_none() {
            // Held, so that after a signal nothing takes its place.
            let held = hold();
            let linked = unnamed::link(&self.file, &self.folder, self.place.name());
            drop(held);
            match linked {
                Ok(()) if self.sync && unnamed::forgets(&self.file) => return self.sync_file(),
                Ok(()) => return Ok(()),
                Err(Errno::EXIST) if !self.place.force => return Err(self.taken()),
                // Somebody made a file there meanwhile; or the system gives no names to files without one.
                Err(_) => self.give_name()?,
            }
        }
        let Some(named) = self.named.take() else { return Err(self.gone()) };
        // Held, so that a signal finds the file either in its place or under its other name.
        let mut held = hold();
        let put = if held.has(&named) { self.rename(&named) } else { Err(self.gone()) };
        match &put {
            Ok(()) => held.forget(&named),
            Err(_) => named.remove(),
        }
        drop(held);
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
            Err(e) => Err(Error::io(&self.place.shown, "put in place", e.into())),
        }
    }

    /// Where the folder is.
    #[cfg(feature = "parquet")]
    pub(super) fn folder_path(&self) -> &std::path::Path {
        &self.place.folder
    }

    /// The folder, and where it is, if its entries are to be on the disk.
    pub(super) fn folder_to_sync(&self) -> Option<(Arc<File>, PathBuf)> {
        self.sync.then(|| (Arc::clone(&self.folder), self.place.shown.clone()))
    }

    /// The name that was asked for.
    pub(super) fn shown(&self) -> &PathBuf {
        &self.place.shown
    }

    /// Gives a file without a name one beside its place.
    fn give_name(&mut self) -> Result<(), Error> {
        for _ in 0..TRIES {
            let name = temporary_name(&self.place);
            let mut held = hold();
            match unnamed::link(&self.file, &self.folder, &name) {
                Ok(()) => {
                    self.named = Some(held.register(&self.folder, name));
                    drop(held);
                    if self.sync && unnamed::forgets(&self.file) {
                        self.sync_file()?;
                    }
                    return Ok(());
                }
                Err(Errno::EXIST) => {}
                // The system makes files without names, but gives them none (by its rules for this process, or where
                // /proc went away): another file, with a name from the start.
                Err(Errno::PERM | Errno::ACCESS | Errno::OPNOTSUPP | Errno::NOSYS | Errno::NOENT | Errno::XDEV) => {
                    drop(held);
                    return self.copy();
                }
                Err(e) => return Err(Error::io(&self.place.shown, "put in place", e.into())),
            }
        }
        Err(Error::io(&self.place.shown, "create", Errno::EXIST.into()))
    }

    /// Has a file with a name take over what was written.
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

    /// Gives what takes the place of a file its owner and group. Who may not give files away becomes the owner, as with any file
    /// that is made anew; but what the group may do is not given to another group, and root gives no file to itself.
    fn keep_owner(&self, file: &File) -> Result<(), Error> {
        let Some((owner, group)) = self.place.owner else { return Ok(()) };
        let now = file.metadata().map_err(|e| Error::io(&self.place.shown, "examine", e))?;
        if (now.uid(), now.gid()) == (owner, group) {
            return Ok(());
        }
        let (uid, gid) = (Uid::from_raw(owner), Gid::from_raw(group));
        let Err(error) = fchown(file, Some(uid), Some(gid)) else { return Ok(()) };
        let mode = self.place.mode.unwrap_or(0);
        let group_is_special = (mode >> 3) & 7 != mode & 7;
        let group_kept = now.gid() == group || fchown(file, None, Some(gid)).is_ok();
        if !rustix::process::geteuid().is_root() && (group_kept || !group_is_special) {
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

    /// Who named a file in a folder looks for it there.
    fn same_folder(&self) -> Result<(), Error> {
        let (now, then) = (fs::metadata(&self.place.folder), self.folder.metadata());
        let then = then.map_err(|e| Error::io(&self.place.shown, "examine the folder of", e))?;
        match now {
            Ok(now) if FileId::of(&now) == FileId::of(&then) => Ok(()),
            Err(e) if e.kind() != io::ErrorKind::NotFound => {
                Err(Error::io(&self.place.shown, "examine the folder of", e))
            }
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

impl Drop for Atomic {
    fn drop(&mut self) {
        if let Some(named) = &self.named {
            named.remove();
        }
    }
}

/// The mode of a file before it is complete. What takes the place of another file is nobody else's until then; a new file is as
/// any other (the kernel applies the umask, which cannot be asked for without changing it).
fn first_mode(place: &FilePlace) -> Mode {
    match place.mode {
        Some(_) => Mode::RUSR | Mode::WUSR,
        None => Mode::from_raw_mode(0o666),
    }
}

fn open_folder(place: &FilePlace, sync: bool) -> Result<File, Error> {
    // A folder need not be readable to make files in it, but to sync it.
    #[cfg(target_os = "linux")]
    let kind = if sync { OFlags::RDONLY } else { OFlags::PATH };
    #[cfg(not(target_os = "linux"))]
    let kind = OFlags::RDONLY;
    let _ = sync;
    let opened =
        rustix::fs::open(&place.folder, kind | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).map(File::from);
    opened.map_err(|e| Error::io(&place.shown, "open the folder of", e.into()))
}

/// A name for a temporary of this file.
fn temporary_name(place: &FilePlace) -> PathBuf {
    let name = place.name().as_os_str().as_bytes();
    let random = format!("{:012x}", random());
    let name = [b".", &name[..name.len().min(NAME)], b".", random.as_bytes(), b".gridmill-tmp"].concat();
    PathBuf::from(std::ffi::OsString::from_vec(name))
}

/// A number for a name that nobody else has: of 48 bits.
pub(super) fn random() -> u64 {
    RandomState::new().hash_one(std::process::id()) >> 16
}

/// Makes a file with a name beside its place.
fn temporary(place: &FilePlace, folder: &Arc<File>, mode: Mode) -> io::Result<(File, Registered)> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    for _ in 0..TRIES {
        let name = temporary_name(place);
        // Held, so that a signal finds either no file or a registered one.
        let mut held: Held = hold();
        match openat(folder, &name, flags, mode) {
            Ok(file) => return Ok((File::from(file), held.register(folder, name))),
            Err(Errno::EXIST | Errno::INTR) => {}
            Err(e) => return Err(e.into()),
        }
    }
    Err(Errno::EXIST.into())
}

/// Renames where nothing is replaced.
fn rename_beside_none(folder: &File, named: &Registered, to: &std::path::Path) -> Result<(), Errno> {
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    {
        use rustix::fs::{RenameFlags, renameat_with};
        match renameat_with(folder, named.name(), folder, to, RenameFlags::NOREPLACE) {
            // The file system cannot do that.
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
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::*;
    use crate::output::place::OutputPlace;

    /// An output on a file system that has no files without names.
    fn open(path: &Path, force: bool) -> Atomic {
        let Ok(OutputPlace::File(place)) = OutputPlace::find(path, force) else { panic!("no place for a file") };
        Atomic::create_with(place, true, |_, _| Ok(None)).expect("a temporary")
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let mut names: Vec<_> =
            entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    fn finish(mut file: Atomic) -> Result<(), Error> {
        file.sync().and_then(|()| file.ready()).and_then(|()| file.put())
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
        assert!(finish(file).expect_err("it is there").to_string().contains("meanwhile"));
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
        let mut file = Atomic::create(place, true).expect("a file");
        file.write(b"some text").expect("writing");
        file.sync().expect("syncing");
        file.copy().expect("copying");
        assert_eq!(names(folder.path()).len(), 2);
        finish(file).expect("finishing");
        assert_eq!(names(folder.path()), ["out"]);
        assert_eq!(fs::read_to_string(&path).expect("reading"), "some text");
    }
}
