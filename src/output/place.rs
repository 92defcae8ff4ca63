//! Where an output goes, and whether it may go there. Decided before any input is read.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf, is_separator};

use crate::error::{Error, shown_path};
use crate::platform::{
    FileFacts, OutputStream, Replaced, holds_descriptors, is_device, is_mounted, may_create_in, may_replace,
    why_not_in_place,
};

/// How many symbolic links are followed before they are taken for a loop; the kernel has the same limit.
const LINKS: usize = 40;

/// A destination that was checked.
#[derive(Debug)]
pub(super) enum OutputPlace {
    /// A file that is to be created or replaced.
    File(FilePlace),
    /// A FIFO, a device or a descriptor, which is written directly.
    Direct(PathBuf),
}

/// The place of a file, with symbolic links resolved.
#[derive(Debug, Clone)]
pub(super) struct FilePlace {
    /// The path as the user gave it, for messages.
    pub(super) shown: PathBuf,
    /// The absolute path of the folder.
    pub(super) folder: PathBuf,
    /// The absolute path of the file.
    pub(super) path: PathBuf,
    /// The file that is replaced, if there is one.
    pub(super) replaced: Option<Box<Replaced>>,
    /// Whether an existing file may be replaced.
    pub(super) force: bool,
}

impl FilePlace {
    /// The name within the folder.
    pub(super) fn name(&self) -> &Path {
        self.path.file_name().map_or(Path::new(""), Path::new)
    }
}

impl OutputPlace {
    /// Resolves the path and checks it.
    ///
    /// # Errors
    /// The file exists (without `force`) or is read-only; it is a folder; its folder is missing or not writable; its
    /// symbolic links form a loop.
    pub(super) fn find(path: &Path, force: bool) -> Result<Self, Error> {
        let real = match follow(path)? {
            Followed::Descriptor => return direct(path),
            Followed::Path(real) => real,
        };
        let existing = match FileFacts::of_name(&real) {
            Ok(facts) => Some(facts),
            // If its folder is none, that is said below.
            Err(e) if [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory].contains(&e.kind()) => None,
            Err(e) => return Err(Error::io(path, "examine", e)),
        };
        if let Some(facts) = &existing {
            if facts.is_folder() {
                return Err(Error::file(path, "is a folder; name a file in it"));
            }
            if !facts.is_file() {
                return direct(path);
            }
            if !force {
                return Err(Error::file(path, "already exists; -f/--force replaces it"));
            }
            if !may_replace(&real, facts).map_err(|e| Error::io(path, "examine", e))? {
                return Err(Error::file(path, "is read-only and is not replaced; make it writable or write elsewhere"));
            }
            if is_mounted(&real) {
                let why =
                    why_not_in_place(&io::ErrorKind::ResourceBusy.into()).unwrap_or("is mounted as a single file");
                return Err(Error::file(path, why));
            }
        }
        let (Some(folder), Some(_)) = (real.parent(), real.file_name()) else {
            return Err(Error::file(path, "is not the name of a file"));
        };
        check_folder(path, folder)?;
        Ok(Self::File(FilePlace {
            shown: path.to_path_buf(),
            folder: folder.to_path_buf(),
            replaced: existing.map(|facts| Box::new(Replaced::examine(&real, &facts))),
            path: real.clone(),
            force,
        }))
    }
}

/// Where a path leads.
pub(super) enum Followed {
    /// The name of something that is already open, such as `/dev/stdout`, or of a device that is in no folder.
    Descriptor,
    /// The absolute path at the end of all links. There may be no file yet.
    Path(PathBuf),
}

/// Follows symbolic links to their end.
pub(super) fn follow(path: &Path) -> Result<Followed, Error> {
    if path.as_os_str().is_empty() {
        return Err(Error::Usage("the name of an output file is empty".into()));
    }
    if path.as_os_str().as_encoded_bytes().last().is_some_and(|&last| is_separator(char::from(last))) {
        return Err(Error::file(path, "is the name of a folder; name a file in it"));
    }
    if is_device(path) {
        return Ok(Followed::Descriptor);
    }
    let mut at = path.to_path_buf();
    for _ in 0..=LINKS {
        let folder = match at.parent() {
            Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
            Some(parent) => parent,
            None => return Ok(Followed::Path(at)), // the root
        };
        let Some(name) = at.file_name() else {
            // A final `..` is a folder, which the caller refuses.
            let real = fs::canonicalize(&at).map_err(|e| Error::io(path, "examine", e))?;
            return Ok(Followed::Path(real));
        };
        let folder = fs::canonicalize(folder).map_err(|e| folder_error(path, folder, e))?;
        if holds_descriptors(&folder) {
            return Ok(Followed::Descriptor);
        }
        let whole = folder.join(name);
        match fs::symlink_metadata(&whole) {
            Ok(metadata) if metadata.is_symlink() => {
                let target = fs::read_link(&whole).map_err(|e| Error::io(path, "examine", e))?;
                at = folder.join(target);
            }
            _ => return Ok(Followed::Path(whole)),
        }
    }
    Err(Error::file(path, "its symbolic links form a loop"))
}

fn folder_error(path: &Path, folder: &Path, error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::NotFound => {
            let folder = shown_path(folder);
            Error::file(path, format!("the folder {folder} does not exist; create it first"))
        }
        _ => Error::io(path, "examine", error),
    }
}

fn check_folder(path: &Path, folder: &Path) -> Result<(), Error> {
    let metadata = fs::metadata(folder).map_err(|e| folder_error(path, folder, e))?;
    let shown = shown_path(folder);
    if !metadata.is_dir() {
        return Err(Error::file(path, format!("{shown} is not a folder")));
    }
    may_create_in(folder)
        .map_err(|e| Error::file(path, format!("cannot create a file in the folder {shown}: {e}; write elsewhere")))
}

fn direct(path: &Path) -> Result<OutputPlace, Error> {
    let facts = FileFacts::at(path).map_err(|e| Error::io(path, "open", e))?;
    if facts.is_folder() {
        return Err(Error::file(path, "is a folder; name a file in it"));
    }
    if facts.is_socket_or_disk() {
        return Err(Error::file(path, "is a socket or a disk; write to a file, a FIFO or stdout"));
    }
    Ok(OutputPlace::Direct(path.to_path_buf()))
}

/// Opens what is written directly. Opening a FIFO waits for its reader.
pub(super) fn open_direct(path: &Path) -> Result<File, Error> {
    // Opening one of these paths would begin at the start of the file behind it, and overwrite what `>>` is to keep.
    let opened = match OutputStream::named(path) {
        Some(stream) => stream.open(),
        None => {
            OpenOptions::new().write(true).append(FileFacts::at(path).is_ok_and(|facts| facts.is_file())).open(path)
        }
    };
    opened.map_err(|e| Error::io(path, "open", e))
}
