//! Folders that are held open, so that a file in one is found again even if the folder is renamed; and files without a
//! name (`O_TMPFILE`), where the system supports them: however the program ends, nothing is left behind.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{Access, AtFlags, CWD, Mode, OFlags, access, linkat, openat, renameat, statat, unlinkat};
use rustix::io::Errno;

use super::{FileFacts, FileId};
use crate::platform::shared::{CreateMode, NotNamed};

/// An open folder.
#[derive(Debug)]
pub(crate) struct Folder(File);

impl CreateMode {
    fn mode(self) -> Mode {
        match self {
            Self::Private => Mode::RUSR | Mode::WUSR,
            // The kernel applies the umask, which cannot be read without changing it.
            Self::Usual => Mode::from_raw_mode(0o666),
        }
    }
}

impl Folder {
    /// Giving an unnamed file its name cannot replace another one: only a rename can.
    pub(crate) const NAMING_REPLACES: bool = false;

    /// Opens a folder. Creating files in it takes no permission to read it, but [`Folder::sync`] does.
    pub(crate) fn open(path: &Path, to_sync: bool) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        let kind = if to_sync { OFlags::RDONLY } else { OFlags::PATH };
        #[cfg(not(target_os = "linux"))]
        let kind = OFlags::RDONLY;
        let _ = to_sync;
        let opened = rustix::fs::open(path, kind | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        Ok(Self(opened.into()))
    }

    /// The identity of the folder.
    pub(crate) fn id(&self) -> io::Result<FileId> {
        Ok(FileFacts::of(&self.0)?.id())
    }

    /// Waits until the names in the folder are on the disk.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.0.sync_all()
    }

    /// Creates a file. Interruptions are errors, as a name that is taken is.
    pub(crate) fn create(&self, name: &Path, new: CreateMode) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        Ok(openat(&self.0, name, flags, new.mode())?.into())
    }

    /// Removes a file. It allocates nothing for names of usual length.
    pub(crate) fn remove(&self, name: &Path) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, AtFlags::empty())?)
    }

    /// Whether something has this name.
    pub(crate) fn has(&self, name: &Path) -> bool {
        statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    /// Gives a file another name, and replaces the file that has it.
    pub(crate) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        Ok(renameat(&self.0, from, &self.0, to)?)
    }

    /// Gives a file another name, unless that is taken.
    pub(crate) fn rename_to_free(&self, from: &Path, to: &Path) -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_vendor = "apple"))]
        {
            use rustix::fs::{RenameFlags, renameat_with};
            match renameat_with(&self.0, from, &self.0, to, RenameFlags::NOREPLACE) {
                // The file system does not support that.
                Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
                done => return Ok(done?),
            }
        }
        linkat(&self.0, from, &self.0, to, AtFlags::empty())?;
        // The file is in its place, and a second name does no harm.
        let _ = self.remove(from);
        Ok(())
    }
}

#[cfg(target_os = "linux")]
impl Folder {
    /// Creates a file without a name. `None` if the file system does not support that, or if the file could not be named
    /// later.
    pub(crate) fn create_unnamed(&self, new: CreateMode) -> io::Result<Option<File>> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let file = loop {
            match openat(&self.0, ".", flags, new.mode()) {
                Ok(file) => break File::from(file),
                Err(Errno::INTR) => {}
                // The answers of file systems and kernels without O_TMPFILE.
                Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOENT | Errno::NOSYS) => return Ok(None),
                Err(e) => return Err(e.into()),
            }
        };
        // The file is named through /proc, which may not be mounted.
        let there = FileId::at(Self::unnamed(&file).as_ref()).and_then(|id| Ok(id == FileFacts::of(&file)?.id()));
        Ok(there.unwrap_or(false).then_some(file))
    }

    /// What [`Folder::name`] calls a file without a name: made before, since it takes memory.
    pub(crate) fn unnamed(file: &File) -> String {
        use std::os::fd::AsRawFd;
        format!("/proc/self/fd/{}", file.as_raw_fd())
    }

    /// Gives the file that [`Folder::unnamed`] describes its name. (`AT_EMPTY_PATH` would do without /proc, but only root
    /// may use it.)
    pub(crate) fn name(&self, unnamed: &str, name: &Path, _: bool) -> Result<(), NotNamed> {
        linkat(CWD, unnamed, &self.0, name, AtFlags::SYMLINK_FOLLOW).map_err(|error| match error {
            Errno::EXIST => NotNamed::Taken,
            Errno::PERM | Errno::ACCESS | Errno::OPNOTSUPP | Errno::NOSYS | Errno::NOENT | Errno::XDEV => {
                NotNamed::Unsupported
            }
            error => NotNamed::Failed(error.into()),
        })
    }

    /// Whether a file must be synced again after it got its name. btrfs ignores a sync of an unnamed file. On the file
    /// systems listed here the journal has the file before its name, and syncing the folder is enough.
    pub(crate) fn needs_sync_after_naming(file: &File) -> bool {
        const EXT4: u64 = 0xEF53;
        const XFS: u64 = 0x5846_5342;
        const TMPFS: u64 = 0x0102_1994;
        rustix::fs::fstatfs(file).map_or(true, |system| ![EXT4, XFS, TMPFS].contains(&(system.f_type as u64)))
    }
}

/// Where no file is without a name.
#[cfg(not(target_os = "linux"))]
impl Folder {
    /// Unnamed files are not supported here.
    #[allow(clippy::unused_self)]
    pub(crate) fn create_unnamed(&self, _: CreateMode) -> io::Result<Option<File>> {
        Ok(None)
    }

    /// Never called, since [`Folder::create_unnamed`] gives no file.
    pub(crate) fn unnamed(_: &File) -> String {
        String::new()
    }

    /// Never called, since [`Folder::create_unnamed`] gives no file.
    #[allow(clippy::unused_self)]
    pub(crate) fn name(&self, _: &str, _: &Path, _: bool) -> Result<(), NotNamed> {
        Err(NotNamed::Unsupported)
    }

    /// Never called, since [`Folder::create_unnamed`] gives no file.
    pub(crate) fn needs_sync_after_naming(_: &File) -> bool {
        true
    }
}

/// Why a file could not be moved to its place, if the system's answer does not say it well enough.
pub(crate) fn why_not_in_place(error: &io::Error) -> Option<&'static str> {
    (error.kind() == io::ErrorKind::ResourceBusy).then_some(
        "cannot be replaced, because it is mounted as a single file (as with docker -v FILE:FILE); mount its folder instead, or \
         write to another file and copy that over it (cat NEW > FILE)",
    )
}

/// The first part of the name of a file, which may have `most` bytes.
pub(crate) fn shortened_name(name: &OsStr, most: usize) -> OsString {
    let bytes = name.as_bytes();
    OsString::from_vec(bytes[..bytes.len().min(most)].to_vec())
}

/// The name of a file as far as it tells files of a folder apart. On macOS names that differ by case only are one file, on
/// nearly all disks.
pub(crate) fn name_as_compared(name: &OsStr) -> OsString {
    match cfg!(target_vendor = "apple") {
        true => name.to_string_lossy().to_lowercase().into(),
        false => name.to_os_string(),
    }
}

/// Whether a path stands for a device although it looks like that of a file: never here, where devices are in folders.
pub(crate) fn is_device(_: &Path) -> bool {
    false
}

/// Removes the file at an absolute path. It allocates nothing for paths of usual length.
pub(crate) fn remove_file(path: &Path) -> io::Result<()> {
    Ok(unlinkat(CWD, path, AtFlags::empty())?)
}

/// Whether this process may create files in a folder.
pub(crate) fn may_create_in(folder: &Path) -> io::Result<()> {
    Ok(access(folder, Access::WRITE_OK | Access::EXEC_OK)?)
}

/// Whether a file may be replaced: this process may write to it, and its owner may.
pub(crate) fn may_replace(path: &Path, facts: &FileFacts) -> io::Result<bool> {
    match access(path, Access::WRITE_OK) {
        Ok(()) => Ok(facts.0.mode() & 0o200 != 0),
        Err(Errno::ACCESS | Errno::PERM | Errno::ROFS | Errno::TXTBSY) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Whether another file is mounted at the path of a file.
#[cfg(target_os = "linux")]
pub(crate) fn is_mounted(path: &Path) -> bool {
    use rustix::fs::{StatxAttributes, StatxFlags, statx};
    let known = statx(CWD, path, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::TYPE);
    known.is_ok_and(|known| known.stx_attributes.contains(StatxAttributes::MOUNT_ROOT))
}

/// Whether another file is mounted at the path of a file: not known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn is_mounted(_: &Path) -> bool {
    false
}
