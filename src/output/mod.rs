//! Bytes out: to stdout, to a writer of the caller, or to a file that appears complete or not at all.
//!
//! - [`RunFiles`]: the inputs and outputs of a run; every output is claimed there.
//! - [`Output`], [`LazyFile`]: the outputs.
//! - `place`: where an output goes, and whether it may go there.
//! - `npy`: lines of digits as a NumPy array.
//! - `atomic`: files that are moved into place when they are complete.
//! - `temporaries`: names to remove if the program ends early.
//! - `scratch`: temporary storage for what does not fit into memory.
//! - [`zstd`]: text as frames.

mod atomic;
mod files;
mod npy;
mod place;
mod scratch;
mod temporaries;
pub mod zstd;

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use crate::platform::FileId;
pub use files::{Claim, RunFiles};
#[cfg(feature = "sqlite")]
pub(crate) use temporaries::Registered;
pub use temporaries::{Removed, remove_temporaries, remove_temporaries_at_once};

use crate::error::{Error, shown_path};
use crate::platform::{OutputStream, widen, write_all};
use atomic::AtomicFile;
use npy::NpyEncoder;
use place::OutputPlace;
pub(crate) use scratch::Scratch;

/// The destination of an output.
#[non_exhaustive]
pub enum Target {
    /// The standard output.
    Stdout,
    /// A file, or whatever the name stands for: a FIFO, a device, an open descriptor.
    File {
        /// The path. Symbolic links are followed.
        path: PathBuf,
        /// Whether an existing file may be replaced.
        force: bool,
    },
    /// A writer of the caller.
    Writer {
        /// How messages refer to it.
        name: String,
        /// Receives the bytes.
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

/// An output that is being written. If it is dropped without [`Output::finish`], an existing file stays as it was, and
/// a new one never appears.
pub struct Output {
    sink: Sink,
    /// Encodes lines of digits as an array, if that was asked for.
    array: Option<NpyEncoder>,
    /// Length of the finished array file.
    array_length: Option<u64>,
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").finish_non_exhaustive()
    }
}

enum Sink {
    File(AtomicFile),
    Direct { path: PathBuf, file: File },
    Writer { path: PathBuf, writer: Box<dyn Write + Send> },
}

impl Claim {
    /// Opens the output. This is done before any input is read. With `sync`, [`Output::finish`] waits until the file
    /// and its name are on the disk.
    ///
    /// # Errors
    /// The file exists (without `force`) or is read-only; it is a folder; its folder is missing or not writable; its
    /// symbolic links form a loop; or the system refused.
    pub fn open(self, sync: bool) -> Result<Output, Error> {
        CheckedTarget::find(self.target)?.open(sync)
    }

    /// Checks the destination as [`Claim::open`] does, but creates nothing before something is written.
    ///
    /// # Errors
    /// As [`Claim::open`].
    pub fn open_lazily(self, sync: bool) -> Result<LazyFile, Error> {
        Ok(LazyFile { ready: Some(CheckedTarget::find(self.target)?), output: None, sync })
    }

    /// Checks the destination as [`Claim::open`] does.
    ///
    /// # Errors
    /// As [`Claim::open`].
    pub fn check(&self) -> Result<(), Error> {
        match &self.target {
            Target::File { path, force } => OutputPlace::find(path, *force).map(drop),
            Target::Stdout | Target::Writer { .. } => Ok(()),
        }
    }

    /// Whether it is [`Target::Stdout`].
    pub fn is_stdout(&self) -> bool {
        matches!(self.target, Target::Stdout)
    }

    /// Gives the destination back, to a caller that opens it itself.
    pub fn into_target(self) -> Target {
        self.target
    }
}

/// A destination that was checked and can be opened.
enum CheckedTarget {
    Stdout,
    OutputPlace(OutputPlace),
    Writer { path: PathBuf, writer: Box<dyn Write + Send> },
}

impl CheckedTarget {
    fn find(target: Target) -> Result<Self, Error> {
        Ok(match target {
            Target::Stdout => Self::Stdout,
            Target::File { path, force } => Self::OutputPlace(OutputPlace::find(&path, force)?),
            Target::Writer { name, writer } => Self::Writer { path: name.into(), writer },
        })
    }

    fn open(self, sync: bool) -> Result<Output, Error> {
        let sink = match self {
            Self::Stdout => {
                let path = PathBuf::from("<stdout>");
                let file = OutputStream::Stdout.open().map_err(|e| Error::io(&path, "open", e))?;
                Sink::direct(path, file)
            }
            Self::OutputPlace(OutputPlace::File(place)) => Sink::File(AtomicFile::create(place, sync)?),
            Self::OutputPlace(OutputPlace::Direct(path)) => {
                let file = place::open_direct(&path)?;
                Sink::direct(path, file)
            }
            Self::Writer { path, writer } => Sink::Writer { path, writer },
        };
        Ok(Output { sink, array: None, array_length: None })
    }
}

impl Output {
    /// Opens a replacement for a file that was read.
    ///
    /// # Errors
    /// As [`Claim::open`].
    pub fn replacing(path: &Path, sync: bool) -> Result<Self, Error> {
        CheckedTarget::OutputPlace(OutputPlace::find(path, true)?).open(sync)
    }

    /// The folder for temporary storage of a run: that of the file, or the system's folder of temporary files.
    pub(crate) fn folder(&self) -> PathBuf {
        match &self.sink {
            Sink::File(file) => file.folder_path().to_path_buf(),
            Sink::Direct { .. } | Sink::Writer { .. } => std::env::temp_dir(),
        }
    }

    /// Turns the output into a NumPy array with `boards` boards in each row. From now on only lines of digits may be
    /// written.
    ///
    /// # Errors
    /// The output is not a file, so its header could not be written last.
    pub(crate) fn become_array(&mut self, boards: usize) -> Result<(), Error> {
        let Sink::File(file) = &mut self.sink else {
            let words = "the number of rows is stored at the start of an array, so it cannot go to stdout, a pipe or a device; name a file";
            return Err(Error::Usage(words.into()));
        };
        file.write(&[0; npy::HEADER])?;
        self.array = Some(NpyEncoder::new(boards));
        Ok(())
    }

    /// The length of the array file, after [`Output::sync`].
    pub(crate) fn array_length(&self) -> Option<u64> {
        self.array_length
    }

    /// Writes all of `bytes`.
    ///
    /// # Errors
    /// [`Error::Closed`] if the reader of a pipe went away, or what the system answered. The output is incomplete then,
    /// and should be dropped.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let bytes = match &mut self.array {
            Some(array) => array.encode(bytes)?,
            None => bytes,
        };
        match &mut self.sink {
            Sink::File(file) => file.write(bytes),
            Sink::Direct { path, file } => write_all(file, bytes).map_err(|e| Error::io(path, "write", e)),
            Sink::Writer { path, writer } => writer.write_all(bytes).map_err(|e| Error::io(path, "write", e)),
        }
    }

    /// Does the slow part of [`Output::finish`] in advance: sets the mode of a file and waits until its contents are on
    /// the disk.
    ///
    /// # Errors
    /// A file could not be given its mode or synced, or a writer could not be flushed.
    pub fn sync(&mut self) -> Result<(), Error> {
        match &mut self.sink {
            Sink::File(file) => {
                if let Some(array) = self.array.take() {
                    file.write_start(&array.header()?)?;
                    self.array_length = Some(array.length());
                }
                file.sync()
            }
            Sink::Direct { .. } => Ok(()), // nothing is buffered
            Sink::Writer { path, writer } => writer.flush().map_err(|e| Error::io(path, "write", e)),
        }
    }

    /// Completes the output: a file is moved into place, with the mode, owner, access list and extended attributes of the
    /// file it replaces ([`take_notes`] says what could not be kept), or else mode 0666 less the umask.
    ///
    /// # Errors
    /// The file could not be synced or moved (then everything is as it was), or its folder could not be synced (then
    /// the file is there, but may not survive a loss of power).
    pub fn finish(self) -> Result<(), Error> {
        finish_together([self])
    }
}

/// Something that the run made is in its place and stays there, however the run ends.
static IN_PLACE: AtomicBool = AtomicBool::new(false);

/// Notes that a file was put in its place, or a batch of a database was committed.
pub(crate) fn note_in_place() {
    IN_PLACE.store(true, Ordering::Relaxed);
}

/// Whether a file was put in its place, or a batch of a database was committed. For the last message of a program
/// that has no memory left.
pub fn is_something_in_place() -> bool {
    IN_PLACE.load(Ordering::Relaxed)
}

/// What was lost with files that were replaced, and what of the inputs is not in the output.
static NOTES: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn notes() -> MutexGuard<'static, Vec<String>> {
    NOTES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes that something of the inputs is not in the output.
pub(crate) fn note(message: String) {
    notes().push(message);
}

/// Returns what files that were replaced since the last call had and their replacements have not: other names, an access
/// list, extended attributes; and what files with columns lack of their inputs. A message for each.
pub fn take_notes() -> Vec<String> {
    std::mem::take(&mut notes())
}

/// Completes the outputs of a run in two steps. First all of them are prepared, so that if one cannot be completed (on
/// a full disk) everything stays as it was. Then they are moved into place in the order given. An output that describes
/// another one (rejects, a report) should come after it.
///
/// # Errors
/// As [`Output::finish`]. If one could not be moved into place, the message names those that were.
pub fn finish_together(outputs: impl IntoIterator<Item = Output>) -> Result<(), Error> {
    let mut files = Vec::new();
    for mut output in outputs {
        output.sync()?;
        if let Sink::File(file) = output.sink {
            files.push(file);
        }
    }
    files.iter_mut().try_for_each(AtomicFile::prepare)?;
    for at in 0..files.len() {
        let lost = files[at].put_in_place().map_err(|error| error.and_in_place(&files[..at]))?;
        note_in_place();
        let name = shown_path(files[at].shown());
        notes().extend(lost.iter().map(|lost| format!("{name}: {lost}")));
    }
    let mut synced: Vec<FileId> = Vec::new();
    for (folder, shown) in files.iter().filter_map(AtomicFile::folder_to_sync) {
        let failed = |e: io::Error| {
            let message = format!(
                "is in place and complete, but its folder cannot be synced, so it might not survive a power failure: {e}"
            );
            Error::file(&shown, message)
        };
        let id = folder.id().map_err(failed)?;
        if !synced.contains(&id) {
            folder.sync().map_err(failed)?;
            synced.push(id);
        }
    }
    Ok(())
}

/// The most files that are all named in a message.
const MOST_NAMED: usize = 8;

impl Error {
    /// Adds to an error which other outputs are already in place.
    fn and_in_place(self, others: &[AtomicFile]) -> Self {
        let name = |other: &AtomicFile| shown_path(other.shown());
        let names = match others {
            [] => return self,
            [first, .., last] if others.len() > MOST_NAMED => {
                format!("{} files, from {} to {}", others.len(), name(first), name(last))
            }
            _ => others.iter().map(name).collect::<Vec<_>>().join(", "),
        };
        match self {
            Self::File { path, message } => {
                Self::File { path, message: format!("{message} (already in place: {names})") }
            }
            Self::Io { path, action, source } => {
                Self::File { path, message: format!("cannot {action}: {source} (already in place: {names})") }
            }
            error => error,
        }
    }
}

impl Sink {
    fn direct(path: PathBuf, file: File) -> Self {
        widen(&file);
        Self::Direct { path, file }
    }
}

/// An output that is created by the first write, so that no empty file appears.
pub struct LazyFile {
    /// Not created yet; the first write takes it.
    ready: Option<CheckedTarget>,
    output: Option<Output>,
    sync: bool,
}

impl fmt::Debug for LazyFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LazyFile").field("output", &self.output).finish_non_exhaustive()
    }
}

impl LazyFile {
    /// Writes all of `bytes`. The first call that writes something creates the (temporary) file.
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

    /// The output, if anything was written. Otherwise an existing file stays as it is.
    pub fn into_output(self) -> Option<Output> {
        self.output
    }

    /// Like [`Output::sync`].
    ///
    /// # Errors
    /// As [`Output::sync`].
    pub fn sync(&mut self) -> Result<(), Error> {
        self.output.as_mut().map_or(Ok(()), Output::sync)
    }

    /// Completes the file, if anything was written. Like [`Output::finish`].
    ///
    /// # Errors
    /// As [`Output::finish`].
    pub fn finish(self) -> Result<(), Error> {
        self.output.map_or(Ok(()), Output::finish)
    }
}
