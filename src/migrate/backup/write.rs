//! Writes a backup: one zstd frame for each batch, synced before the batch is committed. Whatever follows the last
//! batch in the journal was never committed, and is overwritten.

use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf};

use super::lines::{batch_end_line, header_line, row_line};
use super::{BackupHeader, BackupMark, VERSION, lacks, lock, open, read};
use crate::error::Error;
use crate::migrate::{KeyValue, TableRow};
use crate::platform::{Folder, create_private, make_private, write_all_at};

/// The compression level. A backup is hardly ever read, so speed matters more than size.
const LEVEL: i32 = 1;

/// How many compressed bytes are written at a time, and after how many they are synced. Syncing early keeps the disk
/// busy while rows are written, and leaves little to wait for at the end of a batch.
const PART: usize = 1 << 20;
const UNSYNCED: u64 = 4 << 20;

/// How many bytes of lines are compressed at a time.
const PORTION: usize = 64 << 10;

/// A backup that is being written.
pub(in crate::migrate) struct BackupWriter {
    file: File,
    path: PathBuf,
    id: String,
    /// The end of the last batch that was committed.
    end: u64,
    /// The end of what was written of the current batch, and the end of what was synced.
    next: u64,
    synced: u64,
    frame: Option<zstd::stream::write::Encoder<'static, Vec<u8>>>,
    /// Lines that are not compressed yet.
    lines: Vec<u8>,
    rows: u64,
}

/// The state of the backup file before anything is written.
pub(in crate::migrate) enum BackupState {
    /// There is no file.
    None,
    /// An empty file, as left by a run that was killed at its very beginning.
    Empty(File),
    /// The backup of a run that will be continued, or that has written no rows yet.
    There(File, BackupHeader, u64),
}

impl BackupState {
    /// Examines the file.
    ///
    /// # Errors
    /// The file is not a backup of this migration.
    pub(in crate::migrate) fn at(path: &Path, job: &str) -> Result<Self, Error> {
        if let Err(error) = path.symlink_metadata()
            && error.kind() == io::ErrorKind::NotFound
        {
            return Ok(Self::None);
        }
        let file = open(path, true)?;
        if file.metadata().is_ok_and(|file| file.len() == 0) {
            return Ok(Self::Empty(file));
        }
        let copy = file.try_clone().map_err(|error| Error::io(path, "open", error))?;
        let (header, length) = read::header(copy, path)
            .map_err(|_| Error::file(path, "already exists and is not a backup; name another file for the backup"))?;
        if header.job != job {
            return Err(Error::file(path, "is the backup of another migration; name another file for this one"));
        }
        Ok(Self::There(file, header, length))
    }
}

impl BackupWriter {
    /// Opens the backup of a run: that of a continued run, for which the journal has `mark`, or a new one.
    ///
    /// # Errors
    /// The file is something else or incomplete, or cannot be created.
    pub(in crate::migrate) fn open(
        path: &Path,
        found: BackupState,
        mark: Option<&BackupMark>,
        header: impl FnOnce(String) -> BackupHeader,
    ) -> Result<Self, Error> {
        match (found, mark) {
            (BackupState::None, None) => {
                let file = create_private(path);
                Self::begin_file(file.map_err(|error| Error::io(path, "make", error))?, path, header)
            }
            (BackupState::Empty(file), None) => {
                let private = make_private(&file);
                private.map_err(|error| Error::io(path, "give its mode to", error))?;
                Self::begin_file(file, path, header)
            }
            (BackupState::None | BackupState::Empty(_), Some(_)) => Err(Error::file(
                path,
                "does not exist; the interrupted run has a backup and must continue it; name that file with --backup",
            )),
            (BackupState::There(file, header, _), Some(mark)) if header.id == mark.id => {
                let length = file.metadata().map_err(|error| Error::io(path, "examine", error))?.len();
                if length < mark.end {
                    return Err(lacks(path, mark.end - length));
                }
                Self::on(file, path, header.id, mark.end)
            }
            (BackupState::There(..), Some(_)) => {
                Err(Error::file(path, "is not the backup of the interrupted run; name that one with --backup"))
            }
            // Created by a run that ended before it had written anything.
            (BackupState::There(file, header, length), None)
                if file.metadata().is_ok_and(|file| file.len() == length) =>
            {
                Self::on(file, path, header.id, length)
            }
            (BackupState::There(..), None) => Err(Error::file(
                path,
                "has the rows of an earlier run, which are kept; name another file for the backup of this run",
            )),
        }
    }

    fn begin_file(file: File, path: &Path, header: impl FnOnce(String) -> BackupHeader) -> Result<Self, Error> {
        let random = || RandomState::new().build_hasher().finish();
        let header = header(format!("{:016x}{:016x}", random(), random()));
        let mut this = Self::on(file, path, header.id.clone(), 0)?;
        this.lines = header_line(&BackupHeader { gridmill_backup: VERSION, ..header })?;
        this.put()?;
        this.keep();
        // The name must survive a loss of power, too.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let synced = Folder::open(folder, true).and_then(|folder| folder.sync());
        synced.map_err(|error| Error::io(path, "sync its folder", error))?;
        Ok(this)
    }

    fn on(file: File, path: &Path, id: String, end: u64) -> Result<Self, Error> {
        lock(&file, path)?;
        Ok(Self { file, path: path.into(), id, end, next: end, synced: end, frame: None, lines: Vec::new(), rows: 0 })
    }

    /// How much of it is complete.
    pub(in crate::migrate) fn mark(&self) -> BackupMark {
        BackupMark { id: self.id.clone(), end: self.end }
    }

    /// Begins a batch, also when it is repeated.
    pub(in crate::migrate) fn begin(&mut self) {
        (self.frame, self.rows) = (None, 0);
        (self.next, self.synced) = (self.end, self.end);
        self.lines.clear();
    }

    /// Adds a row as it was read, and the hash of the row as it is written.
    pub(in crate::migrate) fn add(&mut self, row: &TableRow, hash: u64) -> Result<(), Error> {
        row_line(&mut self.lines, row, hash)?;
        self.rows += 1;
        self.end_line()
    }

    fn end_line(&mut self) -> Result<(), Error> {
        self.lines.push(b'\n');
        if self.lines.len() < PORTION { Ok(()) } else { self.compress() }
    }

    /// Compresses the lines, and writes what the compressor gives.
    fn compress(&mut self) -> Result<(), Error> {
        let fail = |error| Error::io(&self.path, "compress rows into", error);
        let frame = match &mut self.frame {
            Some(frame) => frame,
            None => {
                let mut frame = zstd::stream::write::Encoder::new(Vec::new(), LEVEL).map_err(fail)?;
                frame.include_checksum(true).map_err(fail)?;
                self.frame.insert(frame)
            }
        };
        frame.write_all(&self.lines).map_err(fail)?;
        self.lines.clear();
        if frame.get_ref().len() < PART {
            return Ok(());
        }
        let part = mem::take(frame.get_mut());
        self.write(&part)?;
        if self.next - self.synced >= UNSYNCED { self.sync() } else { Ok(()) }
    }

    fn write(&mut self, part: &[u8]) -> Result<(), Error> {
        let fail = |error| Error::io(&self.path, "write", error);
        // Overwrite what a failed attempt left.
        if self.next == self.end && self.file.metadata().map_err(fail)?.len() > self.end {
            self.file.set_len(self.end).map_err(fail)?;
        }
        write_all_at(&self.file, part, self.next).map_err(fail)?;
        self.next += part.len() as u64;
        Ok(())
    }

    fn sync(&mut self) -> Result<(), Error> {
        self.file.sync_data().map_err(|error| Error::io(&self.path, "sync", error))?;
        self.synced = self.next;
        Ok(())
    }

    /// Syncs the current batch before the database commits it. Returns the entry for the journal.
    pub(in crate::migrate) fn finish(
        &mut self,
        after: Option<&KeyValue>,
        last: &KeyValue,
    ) -> Result<BackupMark, Error> {
        if self.rows > 0 {
            batch_end_line(&mut self.lines, after, last, self.rows)?;
            self.end_line()?;
            self.put()?;
        }
        Ok(BackupMark { id: self.id.clone(), end: self.next })
    }

    fn put(&mut self) -> Result<(), Error> {
        self.compress()?;
        let Some(frame) = self.frame.take() else { return Ok(()) };
        let rest = frame.finish().map_err(|error| Error::io(&self.path, "compress rows into", error))?;
        self.write(&rest)?;
        self.sync()
    }

    /// The database has committed the current batch.
    pub(in crate::migrate) fn keep(&mut self) {
        self.end = self.next;
    }
}
