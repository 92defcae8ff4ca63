//! Bytes out: to stdout, to somebody's writer, or to a file that appears complete or not at all.
//!
//! - [`Output`], [`LazyFile`]: the doors.
//! - `place`: where a file goes and whether it may.
//! - `atomic`: written beside its place, synced, renamed.
//! - `plain`: all of a buffer into a descriptor.
//! - [`order`]: workers write in turn.
//! - [`zstd`]: text as frames.

mod atomic;
pub mod order;
mod place;
mod plain;
#[cfg(feature = "zstd")]
pub mod zstd;

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

pub use atomic::{Removed, remove_temporaries};

use crate::error::Error;
use crate::file_id::FileId;
use atomic::Atomic;
use place::Place;

/// Where bytes are to go.
pub enum Target {
    /// The standard output.
    Stdout,
    /// A file; or what a name stands for: a FIFO, a device, an open descriptor.
    File {
        /// The name. Symbolic links are followed.
        path: PathBuf,
        /// A file that is there may be replaced.
        force: bool,
    },
    /// Somebody's writer.
    Writer {
        /// What messages call it.
        name: String,
        /// Takes the bytes.
        writer: Box<dyn Write + Send>,
    },
}

/// An output that is being written. Dropped without [`Output::finish`], a file is as it was before, or absent.
pub struct Output {
    to: To,
}

enum To {
    File(Atomic),
    Direct { path: PathBuf, file: File },
    Writer { path: PathBuf, writer: Box<dyn Write + Send> },
}

impl Output {
    /// Opens the output, to be done before any input is read. `not_these` are the inputs, which it may not be. `sync`
    /// has [`Output::finish`] wait until a file and its name are on the disk.
    ///
    /// # Errors
    /// A file that is there already (without `force`), is read-only, or is an input; a folder; a folder that is missing or
    /// not writable; links in a circle; and what the system answers.
    pub fn open(target: Target, not_these: &[FileId], sync: bool) -> Result<Self, Error> {
        let to = match target {
            Target::Stdout => {
                let path = PathBuf::from("<stdout>");
                let file = io::stdout().as_fd().try_clone_to_owned().map(File::from);
                let file = file.map_err(|e| Error::io(&path, "open", e))?;
                To::direct(path, file, not_these)?
            }
            Target::File { path, force } => match Place::find(&path, force, not_these)? {
                Place::File(place) => To::File(Atomic::create(place, sync)?),
                Place::Direct(path) => {
                    let file = place::open_direct(&path)?;
                    To::direct(path, file, not_these)?
                }
            },
            Target::Writer { name, writer } => To::Writer { path: name.into(), writer },
        };
        Ok(Self { to })
    }

    /// Writes all of `bytes`.
    ///
    /// # Errors
    /// [`Error::Closed`] if the reader of a pipe went away; else the system's answer. The output can then not be finished
    /// sensibly, and is to be dropped.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        match &mut self.to {
            To::File(file) => file.write(bytes),
            To::Direct { path, file } => plain::write_all(file, path, bytes),
            To::Writer { path, writer } => writer.write_all(bytes).map_err(|e| Error::io(path, "write", e)),
        }
    }

    /// Does what can fail of [`Output::finish`], but for putting the file in its place: for several outputs of which none is
    /// to appear if one cannot be completed.
    ///
    /// # Errors
    /// A file could not be given its mode or be synced.
    pub fn settle(&mut self) -> Result<(), Error> {
        match &mut self.to {
            To::File(file) => file.settle(),
            To::Direct { .. } | To::Writer { .. } => Ok(()),
        }
    }

    /// Completes the output: a file takes its place, with the mode of the file it replaces or else 0666 less the umask.
    ///
    /// # Errors
    /// The file could not be synced or put in its place (then everything is as it was), or the folder not synced (then
    /// the file is there, but might not survive a loss of power).
    pub fn finish(self) -> Result<(), Error> {
        match self.to {
            To::File(file) => file.finish(),
            To::Direct { .. } => Ok(()), // nothing is held back
            To::Writer { path, mut writer } => writer.flush().map_err(|e| Error::io(path, "write", e)),
        }
    }

    /// The temporary that a file is written to: what must be removed if the program ends without warning.
    pub fn temporary(&self) -> Option<&Path> {
        match &self.to {
            To::File(file) => file.path(),
            _ => None,
        }
    }
}

impl Output {
    /// The absolute path of the file at the end of all links; none of what is written as it is. Two outputs of a run must
    /// not have the same.
    pub fn file(&self) -> Option<&Path> {
        match &self.to {
            To::File(file) => Some(file.place()),
            _ => None,
        }
    }
}

impl To {
    fn direct(path: PathBuf, file: File, not_these: &[FileId]) -> Result<Self, Error> {
        let metadata = file.metadata().map_err(|e| Error::io(&path, "examine", e))?;
        place::refuse_input(&path, &metadata, not_these)?;
        plain::widen(&file);
        Ok(Self::Direct { path, file })
    }
}

/// A file that is made only if something is written to it. Whether it may be made is checked at once.
pub struct LazyFile {
    /// Not yet made; taken by the first write.
    place: Option<Place>,
    file: Option<PathBuf>,
    output: Option<Output>,
    sync: bool,
}

impl LazyFile {
    /// Checks the place as [`Output::open`] does, and makes nothing.
    ///
    /// # Errors
    /// As [`Output::open`].
    pub fn new(path: &Path, force: bool, not_these: &[FileId], sync: bool) -> Result<Self, Error> {
        let place = Place::find(path, force, not_these)?;
        Ok(Self { file: place.path().map(Path::to_path_buf), place: Some(place), output: None, sync })
    }

    /// Writes all of `bytes`; the first that are not empty make the (temporary) file.
    ///
    /// # Errors
    /// As [`Output::open`] and [`Output::write`].
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if bytes.is_empty() {
            return Ok(());
        }
        if let Some(place) = self.place.take() {
            let to = match place {
                Place::File(place) => To::File(Atomic::create(place, self.sync)?),
                Place::Direct(path) => To::direct(path.clone(), place::open_direct(&path)?, &[])?,
            };
            self.output = Some(Output { to });
        }
        match &mut self.output {
            Some(output) => output.write(bytes),
            None => Err(Error::Internal("a file is written after it could not be made".into())),
        }
    }

    /// See [`Output::settle`].
    ///
    /// # Errors
    /// As [`Output::settle`].
    pub fn settle(&mut self) -> Result<(), Error> {
        self.output.as_mut().map_or(Ok(()), Output::settle)
    }

    /// Completes the file, if anything was written. A file that is there already stays otherwise.
    ///
    /// # Errors
    /// As [`Output::finish`].
    pub fn finish(self) -> Result<(), Error> {
        self.output.map_or(Ok(()), Output::finish)
    }

    /// See [`Output::temporary`]; none before the first write.
    pub fn temporary(&self) -> Option<&Path> {
        self.output.as_ref().and_then(Output::temporary)
    }

    /// See [`Output::file`].
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }
}
