//! Opening the inputs: all are checked before the run begins, and opened then where possible.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::raw::{Bytes, retry};
use super::{Input, Reading};
use crate::error::Error;
use crate::platform::{self, FileFacts, FileId, Time, open_files, open_stdin};

/// The most files that are kept open from the start. Later ones are opened again when they are reached, so that many
/// inputs do not exhaust the file descriptors of the process.
const KEPT_OPEN: usize = 64;

/// Descriptors that the rest of a run may need: streams, signals, outputs with their folders, the current input.
const OTHERS: u64 = 24;

/// How many files to keep open: at most half of the descriptors that nothing else needs.
fn kept_open() -> usize {
    usize::try_from(open_files().saturating_sub(OTHERS) / 2).unwrap_or(KEPT_OPEN).min(KEPT_OPEN)
}

/// The state of a file when it was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(super) id: FileId,
    pub(super) size: u64,
    modified: Time,
    /// The time of the last change, also of the inode. Unlike the modification time, it cannot be set back.
    changed: Time,
    links: u64,
}

impl Stamp {
    /// The state of the file at a path.
    pub(crate) fn at(path: &Path) -> io::Result<Self> {
        FileFacts::at(path).map(|facts| Self::of(&facts))
    }

    fn of(facts: &FileFacts) -> Self {
        Self {
            id: facts.id(),
            size: facts.length(),
            modified: facts.modified(),
            changed: facts.changed(),
            links: facts.names(),
        }
    }

    /// Checks that the file has not changed. `named` says that its name still leads to it: if it was renamed, removed
    /// or replaced, its time of change differs, though the bytes are those that were read.
    pub(crate) fn compare(&self, path: &Path, now: &Self, named: bool) -> Result<(), Error> {
        let what = match () {
            () if now.size < self.size => "became shorter",
            () if now.size > self.size => "became longer",
            () if (now.id, now.modified) != (self.id, self.modified) => "was changed",
            // Another number of links also changes that time, but not the bytes.
            () if named && now.changed != self.changed && now.links == self.links => "was changed",
            () => return Ok(()),
        };
        Err(Error::file(path, format!("{what} while it was being read; run again when nothing is changing it")))
    }
}

/// An input that is ready to be read.
pub(super) enum Opened {
    /// A regular file that is not empty.
    Regular(Regular),
    /// Another file that is open.
    Stream(File),
    /// A FIFO. It is opened when it is reached, since opening waits for a writer.
    Fifo,
    /// A reader of the caller.
    Reader(Box<dyn Read + Send>),
}

/// A regular file.
pub(super) struct Regular {
    file: Option<Arc<File>>,
    /// The offset to start at: 0, unless it is a stdin that another program has already read from.
    pub(super) start: u64,
    pub(super) stamp: Stamp,
    pub(super) stdin: bool,
}

/// What messages and checks need to know about an input.
pub(super) struct InputInfo {
    pub(super) path: PathBuf,
    pub(super) stamp: Option<Stamp>,
    /// Its size in raw bytes, if known in advance.
    pub(super) bytes: Option<u64>,
    stdin: bool,
    /// The file, if it is kept open.
    file: Option<Arc<File>>,
}

impl InputInfo {
    /// A stream, about which nothing is known in advance.
    fn stream(path: PathBuf, stdin: bool) -> Self {
        Self { path, stamp: None, bytes: None, stdin, file: None }
    }

    /// Checks that the input has not changed. If another file has taken its name, the open file is checked instead.
    pub(super) fn unchanged(&self) -> Result<(), Error> {
        let Some(stamp) = &self.stamp else { return Ok(()) };
        let examined = |now: io::Result<FileFacts>| {
            now.map(|facts| Stamp::of(&facts)).map_err(|e| Error::io(&self.path, "examine", e))
        };
        if self.stdin {
            return stamp.compare(&self.path, &examined(open_stdin().and_then(|file| FileFacts::of(&file)))?, true);
        }
        match (Stamp::at(&self.path), &self.file) {
            (Ok(now), _) if now.id == stamp.id => stamp.compare(&self.path, &now, true),
            (_, Some(file)) => stamp.compare(&self.path, &examined(FileFacts::of(file))?, false),
            (_, None) if self.bytes.is_none() => Ok(()),
            (Ok(_), None) => Err(replaced(&self.path)),
            (Err(e), None) => Err(Error::io(&self.path, "examine", e)),
        }
    }
}

fn replaced(path: &Path) -> Error {
    Error::file(path, "was replaced by another file during the run; run again")
}

/// Opens all inputs.
pub(super) fn open_all(inputs: Vec<Input>, reading: Reading) -> Result<(Vec<InputInfo>, Vec<Option<Opened>>), Error> {
    if inputs.iter().filter(|i| matches!(i, Input::Stdin)).count() > 1 {
        return Err(Error::Usage("stdin (`-`) can be read only once; name it once".into()));
    }
    let mut infos = Vec::with_capacity(inputs.len());
    let mut all = Vec::with_capacity(inputs.len());
    let keep = kept_open();
    for (index, input) in inputs.into_iter().enumerate() {
        let (info, opened) = match input {
            Input::Reader { name, reader } => {
                let path = PathBuf::from(name);
                if reading == Reading::Mapped {
                    return Err(cannot_map(&path));
                }
                (InputInfo::stream(path, false), Opened::Reader(reader))
            }
            Input::Stdin => {
                let path = PathBuf::from("<stdin>");
                let file = open_stdin().map_err(|e| Error::io(&path, "open", e))?;
                opened(path, file, reading, true)?
            }
            Input::File(path) => named(path, reading, index < keep)?,
        };
        infos.push(info);
        all.push(Some(opened));
    }
    Ok((infos, all))
}

fn cannot_map(path: &Path) -> Error {
    Error::file(path, "is not a regular file and cannot be mapped; leave out --mmap")
}

fn named(path: PathBuf, reading: Reading, keep: bool) -> Result<(InputInfo, Opened), Error> {
    let facts = FileFacts::at(&path).map_err(|e| Error::io(&path, "open", e))?;
    if facts.is_fifo() {
        if reading == Reading::Mapped {
            return Err(cannot_map(&path));
        }
        return Ok((InputInfo::stream(path, false), Opened::Fifo));
    }
    if facts.is_folder() {
        return Err(directory(&path));
    }
    let file = File::open(&path).map_err(|e| Error::io(&path, "open", e))?;
    let (mut info, mut opened) = opened(path, file, reading, false)?;
    if let (false, Opened::Regular(regular)) = (keep, &mut opened) {
        regular.file = None;
        info.file = None;
    }
    Ok((info, opened))
}

fn directory(path: &Path) -> Error {
    Error::file(path, "is a folder; name the files in it")
}

fn opened(path: PathBuf, mut file: File, reading: Reading, stdin: bool) -> Result<(InputInfo, Opened), Error> {
    let facts = FileFacts::of(&file).map_err(|e| Error::io(&path, "examine", e))?;
    if facts.is_folder() {
        return Err(directory(&path));
    }
    if !facts.is_file() {
        if reading == Reading::Mapped {
            return Err(cannot_map(&path));
        }
        return Ok((InputInfo::stream(path, stdin), Opened::Stream(file)));
    }
    let stamp = Stamp::of(&facts);
    let start = if stdin { file.stream_position().map_err(|e| Error::io(&path, "seek", e))? } else { 0 };
    let bytes = stamp.size.saturating_sub(start);
    // The files of /proc have size 0, too. Only reading shows whether there is something.
    if bytes == 0 {
        let info = InputInfo { stamp: Some(stamp), ..InputInfo::stream(path, stdin) };
        return Ok((info, Opened::Stream(file)));
    }
    let file = Arc::new(file);
    let info = InputInfo { path, stamp: Some(stamp), bytes: Some(bytes), stdin, file: Some(Arc::clone(&file)) };
    Ok((info, Opened::Regular(Regular { file: Some(file), start, stamp, stdin })))
}

impl Regular {
    /// The open file. It is opened again if it was closed, and must still be the same file.
    pub(super) fn open(&self, path: &Path) -> Result<Arc<File>, Error> {
        if let Some(file) = &self.file {
            return Ok(Arc::clone(file));
        }
        let file = File::open(path).map_err(|e| Error::io(path, "open", e))?;
        let now = Stamp::of(&FileFacts::of(&file).map_err(|e| Error::io(path, "examine", e))?);
        if now.id != self.stamp.id {
            return Err(replaced(path));
        }
        self.stamp.compare(path, &now, true)?;
        Ok(Arc::new(file))
    }

    /// Reads the first bytes, as many as fit in `buffer`.
    pub(super) fn first_bytes<'b>(&self, file: &File, path: &Path, buffer: &'b mut [u8]) -> Result<&'b [u8], Error> {
        let mut got = 0;
        while got < buffer.len() {
            match retry(|| platform::read_at(file, &mut buffer[got..], self.start + got as u64)) {
                Ok(0) => break,
                Ok(n) => got += n,
                Err(e) => return Err(Error::io(path, "read", e)),
            }
        }
        Ok(&buffer[..got])
    }

    /// The file as a sequence of bytes.
    pub(super) fn bytes(&self, file: Arc<File>) -> Bytes {
        Bytes::Regular { file, position: self.start, end: self.stamp.size }
    }

    /// Called at the end of the input: checks that the file has not changed. The offset of a shared stdin is moved to
    /// its end, as if it had been read in the ordinary way.
    pub(super) fn finish(&self, file: &File, path: &Path) -> Result<(), Error> {
        let now = Stamp::of(&FileFacts::of(file).map_err(|e| Error::io(path, "examine", e))?);
        // Whether the name still leads to this file is checked at the end of the run.
        self.stamp.compare(path, &now, false)?;
        if self.stdin {
            let mut file = file;
            file.seek(SeekFrom::Start(self.stamp.size)).map_err(|e| Error::io(path, "seek", e))?;
        }
        Ok(())
    }
}
