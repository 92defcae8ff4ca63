//! Bytes out: to stdout, to somebody's writer, or to a file that appears complete or not at all.
//!
//! - [`RunFiles`]: what a run reads and writes; each output is claimed there.
//! - [`Output`], [`LazyFile`]: the outputs.
//! - `place`: where a file goes and whether it may.
//! - `array`: lines of digits as an array of NumPy's.
//! - `atomic`: written without a name or beside its place, synced, put there; `unnamed`: files without a name.
//! - `live`: the temporaries of this process, and their end.
//! - `scratch`: what does not fit into memory.
//! - `plain`: all of a buffer into a descriptor.
//! - `order`: workers write in turn.
//! - [`zstd`]: text as frames.

mod array;
mod atomic;
mod files;
mod live;
pub(crate) mod order;
mod place;
mod plain;
#[cfg(feature = "zstd")]
mod scratch;
mod unnamed;
#[cfg(feature = "zstd")]
pub mod zstd;

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

pub use files::{Claim, RunFiles};
#[cfg(feature = "sqlite")]
pub(crate) use live::Registered;
pub use live::{Removed, remove_temporaries, remove_temporaries_at_once};

use crate::error::{Error, escape};
use crate::file_id::FileId;
use array::Array;
use atomic::Atomic;
use place::OutputPlace;
#[cfg(feature = "zstd")]
pub(crate) use scratch::Scratch;

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

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdout => f.write_str("Stdout"),
            Self::File { path, force } => f.debug_struct("File").field("path", path).field("force", force).finish(),
            Self::Writer { name, .. } => f.debug_struct("Writer").field("name", name).finish_non_exhaustive(),
        }
    }
}

/// An output that is being written. Dropped without [`Output::finish`], a file is as it was before, or absent.
pub struct Output {
    to: To,
    /// It takes lines of digits, and writes them as an array.
    array: Option<Array>,
    /// Bytes of that array, once it is whole.
    array_length: Option<u64>,
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").finish_non_exhaustive()
    }
}

enum To {
    File(Atomic),
    Direct { path: PathBuf, file: File },
    Writer { path: PathBuf, writer: Box<dyn Write + Send> },
}

impl Claim {
    /// Opens the output, to be done before any input is read. `sync` has [`Output::finish`] wait until a file and its name
    /// are on the disk.
    ///
    /// # Errors
    /// A file that is there already (without `force`) or is read-only; a folder; a folder that is missing or not writable;
    /// links in a circle; and what the system answers.
    pub fn open(self, sync: bool) -> Result<Output, Error> {
        Ready::find(self.target)?.open(sync)
    }

    /// Checks the place as [`Claim::open`] does, and makes nothing before something is written.
    ///
    /// # Errors
    /// As [`Claim::open`].
    pub fn open_lazily(self, sync: bool) -> Result<LazyFile, Error> {
        Ok(LazyFile { ready: Some(Ready::find(self.target)?), output: None, sync })
    }

    /// Whether it is [`Target::Stdout`].
    pub fn is_stdout(&self) -> bool {
        matches!(self.target, Target::Stdout)
    }

    /// Where the bytes are to go: for whoever opens it in this one's stead.
    pub fn into_target(self) -> Target {
        self.target
    }
}

/// An output that may be opened.
enum Ready {
    Stdout,
    OutputPlace(OutputPlace),
    Writer { path: PathBuf, writer: Box<dyn Write + Send> },
}

impl Ready {
    fn find(target: Target) -> Result<Self, Error> {
        Ok(match target {
            Target::Stdout => Self::Stdout,
            Target::File { path, force } => Self::OutputPlace(OutputPlace::find(&path, force)?),
            Target::Writer { name, writer } => Self::Writer { path: name.into(), writer },
        })
    }

    fn open(self, sync: bool) -> Result<Output, Error> {
        let to = match self {
            Self::Stdout => {
                let path = PathBuf::from("<stdout>");
                let file = io::stdout().as_fd().try_clone_to_owned().map(File::from);
                let file = file.map_err(|e| Error::io(&path, "open", e))?;
                To::direct(path, file)
            }
            Self::OutputPlace(OutputPlace::File(place)) => To::File(Atomic::create(place, sync)?),
            Self::OutputPlace(OutputPlace::Direct(path)) => {
                let file = place::open_direct(&path)?;
                To::direct(path, file)
            }
            Self::Writer { path, writer } => To::Writer { path, writer },
        };
        Ok(Output { to, array: None, array_length: None })
    }
}

impl Output {
    /// Opens a file that was read, for what takes its place.
    ///
    /// # Errors
    /// As [`Claim::open`].
    pub fn replacing(path: &Path, sync: bool) -> Result<Self, Error> {
        Ready::OutputPlace(OutputPlace::find(path, true)?).open(sync)
    }

    /// Where a run may put aside what does not fit into memory: the folder of the file, or else that of temporary files.
    #[cfg(feature = "parquet")]
    pub(crate) fn folder(&self) -> PathBuf {
        match &self.to {
            To::File(file) => file.folder_path().to_path_buf(),
            To::Direct { .. } | To::Writer { .. } => std::env::temp_dir(),
        }
    }

    /// Has the lines of digits that are written become an array of bytes in NumPy's format, with so many lines in each of its rows.
    ///
    /// # Errors
    /// It is no file of which the start can be written last.
    pub(crate) fn become_array(&mut self, boards: usize) -> Result<(), Error> {
        let To::File(file) = &mut self.to else {
            let words = "the number of rows is stored at the start of an array, so it cannot go to stdout, a pipe or a device; name a file";
            return Err(Error::Usage(words.into()));
        };
        file.write(&[0; array::HEADER])?;
        self.array = Some(Array::new(boards));
        Ok(())
    }

    /// Bytes of the array that the file has become, after [`Output::sync`].
    pub(crate) fn array_length(&self) -> Option<u64> {
        self.array_length
    }

    /// Writes all of `bytes`.
    ///
    /// # Errors
    /// [`Error::Closed`] if the reader of a pipe went away; else the system's answer. The output can then not be finished
    /// sensibly, and is to be dropped.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let bytes = match &mut self.array {
            Some(array) => array.take(bytes)?,
            None => bytes,
        };
        match &mut self.to {
            To::File(file) => file.write(bytes),
            To::Direct { path, file } => plain::write_all(file, path, bytes),
            To::Writer { path, writer } => writer.write_all(bytes).map_err(|e| Error::io(path, "write", e)),
        }
    }

    /// Does what takes long of [`Output::finish`]: gives a file its mode, and waits until its bytes are on the disk.
    ///
    /// # Errors
    /// A file could not be given its mode or be synced, or a writer not be flushed.
    pub fn sync(&mut self) -> Result<(), Error> {
        match &mut self.to {
            To::File(file) => {
                if let Some(array) = self.array.take() {
                    file.write_start(&array.header()?)?;
                    self.array_length = Some(array.length());
                }
                file.sync()
            }
            To::Direct { .. } => Ok(()), // nothing is held back
            To::Writer { path, writer } => writer.flush().map_err(|e| Error::io(path, "write", e)),
        }
    }

    /// Completes the output: a file takes its place, with the mode and the owner of the file it replaces or else 0666 less the
    /// umask.
    ///
    /// # Errors
    /// The file could not be synced or put in its place (then everything is as it was), or the folder not synced (then
    /// the file is there, but might not survive a loss of power).
    pub fn finish(self) -> Result<(), Error> {
        finish_together([self])
    }
}

/// Completes the outputs of a run, in two steps: all of them are prepared, so that one that cannot be completed (a full disk)
/// leaves everything as it was; then they are put in their places in the order given. What is about another output (its rejects, a
/// report) comes after it.
///
/// # Errors
/// As [`Output::finish`]. If one could not be put in its place, the message names those that are in theirs.
pub fn finish_together(outputs: impl IntoIterator<Item = Output>) -> Result<(), Error> {
    let mut files = Vec::new();
    for mut output in outputs {
        output.sync()?;
        if let To::File(file) = output.to {
            files.push(file);
        }
    }
    files.iter_mut().try_for_each(Atomic::ready)?;
    for at in 0..files.len() {
        files[at].put().map_err(|error| error.and_in_place(&files[..at]))?;
    }
    let mut synced: Vec<FileId> = Vec::new();
    for (folder, shown) in files.iter().filter_map(Atomic::folder_to_sync) {
        let failed = |e: io::Error| {
            let message = format!(
                "is in place and complete, but its folder cannot be synced, so it might not survive a power failure: {e}"
            );
            Error::file(&shown, message)
        };
        let id = FileId::of(&folder.metadata().map_err(failed)?);
        if !synced.contains(&id) {
            folder.sync_all().map_err(failed)?;
            synced.push(id);
        }
    }
    Ok(())
}

impl Error {
    /// Adds to the reason why one output is not in its place which others are.
    fn and_in_place(self, others: &[Atomic]) -> Self {
        let names: Vec<_> = others.iter().map(|other| escape(other.shown().as_os_str().as_encoded_bytes())).collect();
        match self {
            error if names.is_empty() => error,
            Self::File { path, message } => {
                Self::File { path, message: format!("{message} (already in place: {})", names.join(", ")) }
            }
            Self::Io { path, action, source } => {
                let message = format!("cannot {action}: {source} (already in place: {})", names.join(", "));
                Self::File { path, message }
            }
            error => error,
        }
    }
}

impl To {
    fn direct(path: PathBuf, file: File) -> Self {
        plain::widen(&file);
        Self::Direct { path, file }
    }
}

/// An output that is opened only if something is written to it: then a file is not made for nothing.
pub struct LazyFile {
    /// Not yet made; taken by the first write.
    ready: Option<Ready>,
    output: Option<Output>,
    sync: bool,
}

impl fmt::Debug for LazyFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LazyFile").field("output", &self.output).finish_non_exhaustive()
    }
}

impl LazyFile {
    /// Writes all of `bytes`; the first that are not empty make the (temporary) file.
    ///
    /// # Errors
    /// As [`Claim::open`] and [`Output::write`].
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if bytes.is_empty() {
            return Ok(());
        }
        if let Some(ready) = self.ready.take() {
            self.output = Some(ready.open(self.sync)?);
        }
        match &mut self.output {
            Some(output) => output.write(bytes),
            None => Err(Error::Internal("a file is written after it could not be made".into())),
        }
    }

    /// The output, if anything was written. A file that is there already stays otherwise.
    pub fn into_output(self) -> Option<Output> {
        self.output
    }

    /// See [`Output::sync`].
    ///
    /// # Errors
    /// As [`Output::sync`].
    pub fn sync(&mut self) -> Result<(), Error> {
        self.output.as_mut().map_or(Ok(()), Output::sync)
    }

    /// Completes the file, if anything was written.
    ///
    /// # Errors
    /// As [`Output::finish`].
    pub fn finish(self) -> Result<(), Error> {
        self.output.map_or(Ok(()), Output::finish)
    }
}
