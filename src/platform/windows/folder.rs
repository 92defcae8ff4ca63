//! Folders, and files that are deleted when their handle is closed, however the program ends, until they are given their name.
#![expect(unsafe_code)] // deleting and renaming by handle, for which there is only the Windows API

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::mem::offset_of;
use std::os::windows::ffi::OsStrExt;
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::AsRawHandle;
use std::path::{Path, PathBuf};
use std::time::Duration;

use windows_sys::Win32::Foundation::{
    ERROR_ACCESS_DENIED, ERROR_CALL_NOT_IMPLEMENTED, ERROR_INVALID_FUNCTION, ERROR_INVALID_PARAMETER,
    ERROR_LOCK_VIOLATION, ERROR_NOT_SUPPORTED, ERROR_SHARING_VIOLATION, ERROR_USER_MAPPED_FILE, GENERIC_READ,
    GENERIC_WRITE,
};
use windows_sys::Win32::Storage::FileSystem::{
    DELETE, FILE_DISPOSITION_INFO, FILE_FLAG_BACKUP_SEMANTICS, FILE_INFO_BY_HANDLE_CLASS, FILE_RENAME_INFO,
    FILE_SHARE_DELETE, FileDispositionInfo, FileRenameInfo, FileRenameInfoEx, SetFileInformationByHandle, WRITE_DAC,
};
use windows_sys::Win32::System::WindowsProgramming::{
    FILE_RENAME_FLAG_POSIX_SEMANTICS, FILE_RENAME_FLAG_REPLACE_IF_EXISTS,
};

use super::{FileFacts, FileId};
use crate::platform::shared::{CreateMode, NotNamed};

/// How often a file is renamed that another program holds, and the pause between: a second together. Programs that look for
/// viruses, or index files, open new ones for a moment.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(50);

/// Names that stand for devices, in every folder.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// The numbers of ports that have names.
const PORTS: &str = "123456789¹²³";

/// A folder, held open. It cannot be renamed while a file in it is open, so its path leads to it.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    handle: File,
}

impl Folder {
    /// Giving an unnamed file its name can replace another one.
    pub(crate) const NAMING_REPLACES: bool = true;

    /// Opens a folder. [`Folder::sync`] takes the right to write to it.
    pub(crate) fn open(path: &Path, to_sync: bool) -> io::Result<Self> {
        let access = if to_sync { GENERIC_READ | GENERIC_WRITE } else { GENERIC_READ };
        let handle = OpenOptions::new().access_mode(access).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(path)?;
        match handle.metadata()?.is_dir() {
            true => Ok(Self { path: path.to_path_buf(), handle }),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// The identity of the folder.
    pub(crate) fn id(&self) -> io::Result<FileId> {
        Ok(FileFacts::of(&self.handle)?.id())
    }

    /// Waits until the names in the folder are on the disk, where the file system can be asked for that.
    pub(crate) fn sync(&self) -> io::Result<()> {
        match self.handle.sync_all() {
            // Those of a network cannot be asked, either.
            Err(error) if is(&error, &NO_SYNC) => Ok(()),
            done => done,
        }
    }

    /// Creates a file.
    pub(crate) fn create(&self, name: &Path, mode: CreateMode) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let access = GENERIC_READ | GENERIC_WRITE | DELETE;
        if mode == CreateMode::Usual {
            return options.access_mode(access).open(self.path.join(name));
        }
        // Nobody else can open it but to delete it, until it has the access list of the file that it replaces.
        options.share_mode(FILE_SHARE_DELETE);
        match options.access_mode(access | WRITE_DAC).open(self.path.join(name)) {
            // A share of a network may give the right to change files, but not their access lists.
            Err(error) if is(&error, &[ERROR_ACCESS_DENIED]) => options.access_mode(access).open(self.path.join(name)),
            opened => opened,
        }
    }

    /// Removes a file.
    pub(crate) fn remove(&self, name: &Path) -> io::Result<()> {
        remove_file(&self.path.join(name))
    }

    /// Whether something has this name.
    pub(crate) fn has(&self, name: &Path) -> bool {
        fs::symlink_metadata(self.path.join(name)).is_ok()
    }

    /// Gives a file another name, and replaces the file that has it.
    pub(crate) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let file = self.to_rename(from)?;
        while_held(|| rename(&file, &self.path.join(to), true))
    }

    /// Gives a file another name, unless that is taken.
    pub(crate) fn rename_to_free(&self, from: &Path, to: &Path) -> io::Result<()> {
        let file = self.to_rename(from)?;
        while_held(|| rename(&file, &self.path.join(to), false))
    }

    fn to_rename(&self, name: &Path) -> io::Result<File> {
        OpenOptions::new().access_mode(DELETE).open(self.path.join(name))
    }

    /// Creates a file that is deleted when its handle is closed, and that no other program can open. `None` if the file system
    /// does not support that.
    pub(crate) fn create_unnamed(&self, new: CreateMode) -> io::Result<Option<File>> {
        let random = RandomState::new().hash_one(std::process::id()) >> 16;
        let name = PathBuf::from(format!(".{random:012x}.gridmill-tmp"));
        let file = self.create(&name, new)?;
        if delete_when_closed(&file, true).is_ok() {
            return Ok(Some(file));
        }
        drop(file);
        self.remove(&name)?;
        Ok(None)
    }

    /// What [`Folder::name`] needs of a file without a name.
    pub(crate) fn unnamed(file: &File) -> &File {
        file
    }

    /// Gives a file that [`Folder::create_unnamed`] made its name, and replaces the file that has it if that is wanted. If the
    /// process is ended between the two steps of this, the file stays under its temporary name.
    pub(crate) fn name(&self, unnamed: &File, name: &Path, replace: bool) -> Result<(), NotNamed> {
        let named = while_held(|| {
            delete_when_closed(unnamed, false)?;
            rename(unnamed, &self.path.join(name), replace).inspect_err(|_| {
                // If this fails, too, the file stays under its temporary name.
                let _ = delete_when_closed(unnamed, true);
            })
        });
        named.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => NotNamed::Taken,
            _ => NotNamed::Failed(error),
        })
    }

    /// Whether a file must be synced again after it got its name.
    pub(crate) fn needs_sync_after_naming(_: &File) -> bool {
        false
    }
}

/// Whether a file is deleted when its last handle is closed.
fn delete_when_closed(file: &File, delete: bool) -> io::Result<()> {
    let wanted = FILE_DISPOSITION_INFO { DeleteFile: delete };
    let length = size_of::<FILE_DISPOSITION_INFO>() as u32;
    // SAFETY: the handle is open while `file` is borrowed, and the system reads a structure of the type of this class.
    let done = unsafe {
        SetFileInformationByHandle(file.as_raw_handle(), FileDispositionInfo, (&raw const wanted).cast(), length)
    };
    if done == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Renames an open file.
fn rename(file: &File, to: &Path, replace: bool) -> io::Result<()> {
    let flags = if replace { FILE_RENAME_FLAG_REPLACE_IF_EXISTS | FILE_RENAME_FLAG_POSIX_SEMANTICS } else { 0 };
    match set_name(file, to, FileRenameInfoEx, flags) {
        // File systems and systems that do not know flags.
        Err(error) if is(&error, &NO_FLAGS) => set_name(file, to, FileRenameInfo, replace.into()),
        done => done,
    }
}

/// Tries for a second while another program holds a file.
fn while_held(mut attempt: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    for _ in 1..TRIES {
        match attempt() {
            Err(error) if is_held(&error) => std::thread::sleep(PAUSE),
            done => return done,
        }
    }
    attempt()
}

const NO_SYNC: [u32; 4] = [ERROR_INVALID_FUNCTION, ERROR_NOT_SUPPORTED, ERROR_ACCESS_DENIED, ERROR_INVALID_PARAMETER];
const NO_FLAGS: [u32; 4] =
    [ERROR_INVALID_PARAMETER, ERROR_INVALID_FUNCTION, ERROR_NOT_SUPPORTED, ERROR_CALL_NOT_IMPLEMENTED];

fn set_name(file: &File, to: &Path, class: FILE_INFO_BY_HANDLE_CLASS, flags: u32) -> io::Result<()> {
    const NAME: usize = offset_of!(FILE_RENAME_INFO, FileName);
    let name: Vec<u16> = to.as_os_str().encode_wide().chain([0]).collect();
    let bytes = NAME + size_of_val(name.as_slice());
    let too_long = |_| io::Error::from(io::ErrorKind::InvalidFilename);
    let (length, all) = (u32::try_from(bytes - NAME - 2).map_err(too_long)?, u32::try_from(bytes).map_err(too_long)?);
    // Numbers of 64 bits, so that the structure is aligned.
    let mut memory = vec![0u64; bytes.max(size_of::<FILE_RENAME_INFO>()).div_ceil(8)];
    let info = memory.as_mut_ptr().cast::<FILE_RENAME_INFO>();
    // SAFETY: the memory is aligned for the structure and has room for it and for the whole name with its NUL, which begins at
    // the field `FileName`; all bytes are set. The flags share their place with a truth value of one byte, of which they are 0
    // or 1 for the class that has one. The handle is open while `file` is borrowed, and the system reads `all` bytes.
    let done = unsafe {
        (&raw mut (*info).Anonymous.Flags).write(flags);
        (&raw mut (*info).FileNameLength).write(length);
        std::ptr::copy_nonoverlapping(name.as_ptr(), info.byte_add(NAME).cast::<u16>(), name.len());
        SetFileInformationByHandle(file.as_raw_handle(), class, info.cast(), all)
    };
    if done == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn is(error: &io::Error, codes: &[u32]) -> bool {
    error.raw_os_error().is_some_and(|code| codes.contains(&code.cast_unsigned()))
}

/// Whether a file cannot be replaced now because another program holds it.
fn is_held(error: &io::Error) -> bool {
    is(error, &[ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION, ERROR_USER_MAPPED_FILE])
}

/// Why a file could not be moved to its place, if the system's answer does not say it well enough.
pub(crate) fn why_not_in_place(error: &io::Error) -> Option<&'static str> {
    is_held(error).then_some(
        "could not be replaced for a second, because another program holds it open (or because it may not be deleted); close it \
         there and run again",
    )
}

/// The first part of the name of a file, of at most `most` bytes.
pub(crate) fn shortened_name(name: &OsStr, most: usize) -> OsString {
    let text = name.to_string_lossy();
    let end = (0..=text.len().min(most)).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    text[..end].into()
}

/// The name of a file as far as it tells files of a folder apart: names that differ by case only are one file.
pub(crate) fn name_as_compared(name: &OsStr) -> OsString {
    name.to_string_lossy().to_lowercase().into()
}

/// Whether a path stands for a device although it looks like that of a file: `NUL`, `CON`, `COM1`, in whatever folder.
pub(crate) fn is_device(path: &Path) -> bool {
    if path.as_os_str().as_encoded_bytes().starts_with(br"\\.\") {
        return true;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let name = name.trim_end_matches([' ', '.', ':']);
    let stem = name.split(['.', ':']).next().unwrap_or(name).trim_end_matches(' ');
    let is_port = |port: &str| {
        let number = stem.strip_prefix(port).unwrap_or_default();
        PORTS.chars().any(|one| number.chars().eq([one]))
    };
    if !DEVICES.contains(&stem) && !is_port("com") && !is_port("lpt") {
        return false;
    }
    // Windows 11 has files of such names. `NUL.txt` is a device before it, and a file there.
    match FileFacts::at(path) {
        Ok(facts) => !facts.is_file(),
        Err(_) => stem == name,
    }
}

/// Removes the file at an absolute path.
pub(crate) fn remove_file(path: &Path) -> io::Result<()> {
    fs::remove_file(path)
}

/// Whether this process may create files in a folder: it creates one, which is gone at once.
pub(crate) fn may_create_in(folder: &Path) -> io::Result<()> {
    Folder::open(folder, false)?.create_unnamed(CreateMode::Private).map(drop)
}

/// Whether a file may be replaced: its attributes do not forbid writing.
#[expect(clippy::unnecessary_wraps)] // as on other systems
pub(crate) fn may_replace(_: &Path, facts: &FileFacts) -> io::Result<bool> {
    Ok(!facts.is_read_only())
}

/// Whether another file is mounted at the path of a file: never here.
pub(crate) fn is_mounted(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_known_by_name() {
        for device in ["NUL", "nul", r"a\Con", "COM1", "lpt9", "NUL:", r"\\.\pipe\x", "con."] {
            assert!(is_device(device.as_ref()), "{device}");
        }
        for file in ["nulls", "com", "com10", "com0", "com+1", "com007", "a.nul", "console", ""] {
            assert!(!is_device(file.as_ref()), "{file}");
        }
    }

    #[test]
    fn a_file_without_a_name_is_deleted_unless_it_gets_one() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = Folder::open(place.path(), true).expect("opening");
        let count = || fs::read_dir(place.path()).expect("a folder").count();
        drop(folder.create_unnamed(CreateMode::Usual).expect("creating").expect("supported"));
        assert_eq!(count(), 0);
        let first = folder.create_unnamed(CreateMode::Usual).expect("creating").expect("supported");
        folder.name(&first, "name".as_ref(), false).expect("naming");
        drop(first);
        assert_eq!(count(), 1);
        let second = folder.create_unnamed(CreateMode::Usual).expect("creating").expect("supported");
        assert!(matches!(folder.name(&second, "NAME".as_ref(), false), Err(NotNamed::Taken)));
        folder.name(&second, "name".as_ref(), true).expect("replacing");
        drop(second);
        assert_eq!(count(), 1);
        folder.sync().expect("syncing");
    }
}
