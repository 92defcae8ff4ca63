//! Reads a backup.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, Take};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::{BackupMark, BackupRow, BatchEnd, Header, VERSION, damaged, lacks, lock, open, read_line, value_of_json};
use crate::error::Error;
use crate::migrate::KeyValue;

type Lines = BufReader<zstd::stream::read::Decoder<'static, BufReader<Take<File>>>>;

/// A backup that a migration wrote.
pub struct Backup {
    path: PathBuf,
    file: File,
    /// How many bytes are read.
    length: u64,
    /// Whether the journal knows all of them.
    is_known: bool,
    /// Whether the file ended within a batch.
    pub(in crate::migrate) breaks_off: bool,
    pub(in crate::migrate) header: Header,
    lines: Lines,
}

impl fmt::Debug for Backup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Backup").field("path", &self.path).field("header", &self.header).finish_non_exhaustive()
    }
}

/// The rows of a batch.
#[derive(Debug)]
pub(in crate::migrate) struct BackupBatch {
    pub(in crate::migrate) after: Option<KeyValue>,
    pub(in crate::migrate) last: KeyValue,
    pub(in crate::migrate) rows: Vec<BackupRow>,
}

/// A line.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Row {
        key: Value,
        #[serde(default)]
        column: usize,
        old: Value,
        hash: String,
    },
    End {
        batch: BatchEnd,
    },
}

/// Reads the header, which is the first frame of a file. Returns it with its length.
pub(super) fn header(file: File, path: &Path) -> Result<(Header, u64), Error> {
    let fail = |error| Error::io(path, "read", error);
    let mut file = BufReader::new(file);
    file.rewind().map_err(fail)?;
    let mut text = Vec::new();
    let mut frame = zstd::stream::read::Decoder::with_buffer(&mut file).map_err(fail)?.single_frame();
    // No version of this program writes a larger one.
    frame.by_ref().take(1 << 20).read_to_end(&mut text).map_err(|_| none(path))?;
    drop(frame);
    let length = file.stream_position().map_err(fail)?;
    let header: Value = serde_json::from_slice(&text).map_err(|_| none(path))?;
    let version = header["gridmill_backup"].as_u64().ok_or_else(|| none(path))?;
    if version != u64::from(VERSION) {
        let why =
            format!("is a backup of version {version}, which this program does not know; use the program that made it");
        return Err(Error::file(path, why));
    }
    Ok((serde_json::from_value(header).map_err(|_| none(path))?, length))
}

fn none(path: &Path) -> Error {
    Error::file(path, "is not a backup made by gridmill migrate --backup")
}

impl Backup {
    /// Opens a backup.
    ///
    /// # Errors
    /// There is no such file, it is not a backup, or another run uses it.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file = open(path, false)?;
        lock(&file, path)?;
        let fail = |error| Error::io(path, "read", error);
        let (header, _) = header(file.try_clone().map_err(fail)?, path)?;
        let length = file.metadata().map_err(fail)?.len();
        let lines = lines(&file, length).map_err(fail)?;
        Ok(Self { path: path.into(), file, length, is_known: false, breaks_off: false, header, lines })
    }

    /// The type of its database, as the program calls it: `sqlite`, `postgres` or `mysql`.
    pub fn database(&self) -> &str {
        &self.header.database
    }

    /// Its table.
    pub fn table(&self) -> &str {
        &self.header.table
    }

    /// The columns of the key, if the user named them.
    pub fn key(&self) -> Option<&str> {
        self.header.key.as_deref()
    }

    /// Starts reading from the beginning again.
    pub(in crate::migrate) fn rewind(&mut self) -> Result<(), Error> {
        self.lines = lines(&self.file, self.length).map_err(|error| Error::io(&self.path, "read", error))?;
        Ok(())
    }

    /// Reads all of it, so that nothing is put back from a damaged file or from one that lacks batches in the journal.
    /// Later batches were never committed.
    pub(in crate::migrate) fn check(&mut self, mark: Option<&BackupMark>) -> Result<(), Error> {
        if let Some(mark) = mark.filter(|mark| mark.id == self.header.id) {
            if self.length < mark.end {
                return Err(lacks(&self.path, mark.end - self.length));
            }
            (self.length, self.is_known) = (mark.end, true);
        }
        self.rewind()?;
        while self.next()?.is_some() {}
        self.rewind()
    }

    /// The next batch. `None` at the end, and before a batch that was still being written when the migration ended.
    pub(in crate::migrate) fn next(&mut self) -> Result<Option<BackupBatch>, Error> {
        let mut rows = Vec::new();
        let mut line = Vec::new();
        loop {
            match read_line(&mut self.lines, &mut line) {
                Ok(true) => {}
                Ok(false) if rows.is_empty() => return Ok(None),
                Ok(false) => return Err(damaged(&self.path, "a batch has no end")),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof && !self.is_known => {
                    self.breaks_off = true;
                    return Ok(None);
                }
                Err(error) => return Err(damaged(&self.path, error)),
            }
            let unknown = || damaged(&self.path, "one of its lines does not belong to a backup");
            let line = serde_json::from_slice(&line);
            match line.map_err(|_| unknown())? {
                Line::Row { key, column, old, hash } if column < self.header.columns.len() => {
                    let row = KeyValue::of_json(&key).zip(value_of_json(&old).zip(u64::from_str_radix(&hash, 16).ok()));
                    let (key, (old, hash)) = row.ok_or_else(unknown)?;
                    rows.push(BackupRow { key, column, old, hash });
                }
                Line::Row { .. } => return Err(unknown()),
                Line::End { batch } => {
                    let after =
                        batch.after.as_ref().map(|after| KeyValue::of_json(after).ok_or_else(unknown)).transpose()?;
                    let last = KeyValue::of_json(&batch.last).ok_or_else(unknown)?;
                    if batch.rows != rows.len() as u64 {
                        return Err(damaged(&self.path, "a batch does not have as many rows as it says"));
                    }
                    return Ok(Some(BackupBatch { after, last, rows }));
                }
            }
        }
    }
}

/// The lines after the header.
fn lines(file: &File, length: u64) -> io::Result<Lines> {
    let mut file = file.try_clone()?;
    file.rewind()?;
    let mut lines = BufReader::with_capacity(1 << 17, zstd::stream::read::Decoder::new(file.take(length))?);
    lines.read_until(b'\n', &mut Vec::new())?;
    Ok(lines)
}
