//! Reads a backup.
//!
//! Only what a migration writes is accepted: every line is compared with what is written for what it says. So a file that
//! was edited or damaged is either restored as it was written or refused, with the line.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, Take};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::lines::{Expected, batch_end_line, header_line, row_line_of};
use super::{
    BackupHeader, BackupMark, BackupRow, BatchEnd, VERSION, damaged, lacks, lock, open, read_line, value_of_json,
};
use crate::error::Error;
use crate::migrate::KeyValue;

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
    pub(in crate::migrate) header: BackupHeader,
    lines: BackupLines<File>,
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
enum BackupLine {
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
pub(super) fn header(file: impl Read + Seek, path: &Path) -> Result<(BackupHeader, u64), Error> {
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
    let header: BackupHeader = serde_json::from_value(header).map_err(|_| none(path))?;
    match header_line(&header)? == text {
        true => Ok((header, length)),
        false => Err(damaged(path, "line 1 is not one that a migration writes")),
    }
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
        let copy = file.try_clone().map_err(fail)?;
        let lines = BackupLines::new(copy, length, header.columns.len()).map_err(fail)?;
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
        let lines =
            self.file.try_clone().and_then(|file| BackupLines::new(file, self.length, self.header.columns.len()));
        self.lines = lines.map_err(|error| Error::io(&self.path, "read", error))?;
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
        match self.lines.next(&self.path)? {
            BackupPart::Batch(batch) => Ok(Some(batch)),
            BackupPart::End => Ok(None),
            BackupPart::BreaksOff if self.is_known => {
                Err(damaged(&self.path, io::Error::from(io::ErrorKind::UnexpectedEof)))
            }
            BackupPart::BreaksOff => {
                self.breaks_off = true;
                Ok(None)
            }
        }
    }

    /// Reads a backup as `restore` does, from any reader. Returns the text that a migration writes for what was read, and
    /// whether it ended within a batch. For tests with damaged backups.
    #[doc(hidden)]
    pub fn text_of<R: Read + Seek>(path: &Path, mut from: R) -> Result<(Vec<u8>, bool), Error> {
        let (header, _) = header(&mut from, path)?;
        let lines = BackupLines::new(from, u64::MAX, header.columns.len());
        let (mut lines, mut text) = (lines.map_err(|error| Error::io(path, "read", error))?, header_line(&header)?);
        loop {
            let batch = match lines.next(path)? {
                BackupPart::Batch(batch) => batch,
                BackupPart::End => return Ok((text, false)),
                BackupPart::BreaksOff => return Ok((text, true)),
            };
            for row in &batch.rows {
                row_line_of(&mut text, (&row.key, row.column), row.old.held(), row.hash)?;
                text.push(b'\n');
            }
            batch_end_line(&mut text, batch.after.as_ref(), &batch.last, batch.rows.len() as u64)?;
            text.push(b'\n');
        }
    }
}

/// What follows in a backup.
enum BackupPart {
    Batch(BackupBatch),
    End,
    /// The file ends within a batch.
    BreaksOff,
}

/// The lines after the header.
struct BackupLines<R> {
    lines: BufReader<zstd::stream::read::Decoder<'static, BufReader<Take<R>>>>,
    /// The number of the last line that was read.
    number: u64,
    /// The number of columns that the header names.
    columns: usize,
    line: Vec<u8>,
}

impl<R: Read + Seek> BackupLines<R> {
    /// The lines in the first `length` bytes.
    fn new(mut file: R, length: u64, columns: usize) -> io::Result<Self> {
        file.rewind()?;
        let mut lines = BufReader::with_capacity(1 << 17, zstd::stream::read::Decoder::new(file.take(length))?);
        lines.read_until(b'\n', &mut Vec::new())?;
        Ok(Self { lines, number: 1, columns, line: Vec::new() })
    }

    fn next(&mut self, path: &Path) -> Result<BackupPart, Error> {
        let mut rows = Vec::new();
        loop {
            match read_line(&mut self.lines, &mut self.line) {
                Ok(true) => self.number += 1,
                Ok(false) if rows.is_empty() => return Ok(BackupPart::End),
                Ok(false) => return Err(damaged(path, "its last batch has no end")),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(BackupPart::BreaksOff),
                Err(error) => return Err(damaged(path, format!("{error} (after line {})", self.number))),
            }
            let number = self.number;
            let unknown = || damaged(path, format!("line {number} is not one that a migration writes"));
            match self.read().ok_or_else(unknown)? {
                Listed::Row(row) => rows.push(row),
                Listed::End(after, last, count) if count == rows.len() as u64 && count > 0 => {
                    return Ok(BackupPart::Batch(BackupBatch { after, last, rows }));
                }
                Listed::End(_, _, count) => {
                    let words = format!("line {number} ends a batch of {count} rows, but it has {}", rows.len());
                    return Err(damaged(path, words));
                }
            }
        }
    }

    /// What the line has, if it is one that a migration writes.
    fn read(&self) -> Option<Listed> {
        let found = self.understood(serde_json::from_slice(&self.line).ok()?)?;
        // Values may have megabytes, so there is no copy of the line.
        let mut line = Expected(&self.line);
        let written = match &found {
            Listed::Row(row) => row_line_of(&mut line, (&row.key, row.column), row.old.held(), row.hash),
            Listed::End(after, last, rows) => batch_end_line(&mut line, after.as_ref(), last, *rows),
        };
        (written.is_ok() && line.0.is_empty()).then_some(found)
    }

    fn understood(&self, line: BackupLine) -> Option<Listed> {
        match line {
            BackupLine::Row { key, column, old, hash } => {
                let (key, old) = (KeyValue::of_json(&key)?, value_of_json(old)?);
                let hash = u64::from_str_radix(&hash, 16).ok()?;
                (column < self.columns).then_some(Listed::Row(BackupRow { key, column, old, hash }))
            }
            BackupLine::End { batch } => {
                let after = batch.after.as_ref().map(|after| KeyValue::of_json(after).ok_or(())).transpose().ok()?;
                Some(Listed::End(after, KeyValue::of_json(&batch.last)?, batch.rows))
            }
        }
    }
}

/// What a line has: a row, or the end of a batch with its bounds and the number of its rows.
enum Listed {
    Row(BackupRow),
    End(Option<KeyValue>, KeyValue, u64),
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    const HEADER: &str = "{\"gridmill_backup\":3,\"id\":\"1\",\"database\":\"sqlite\",\"table\":\"t\",\
        \"columns\":[\"a\",\"b\"],\"key\":null,\"job\":\"j\"}\n";
    const ROW: &str = "{\"key\":{\"integer\":1},\"old\":\"x\",\"hash\":\"00000000000000ff\"}\n";
    const END: &str = "{\"batch\":{\"after\":null,\"last\":{\"integer\":1},\"rows\":1}}\n";

    fn read(header: &str, lines: &str) -> Result<(String, bool), String> {
        let frame = |text: &str| zstd::bulk::compress(text.as_bytes(), 1).expect("in memory");
        let file = [frame(header), frame(lines)].concat();
        let read = Backup::text_of(Path::new("old.zst"), Cursor::new(file));
        read.map(|(text, breaks_off)| (String::from_utf8(text).expect("text"), breaks_off))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn only_what_a_migration_writes_is_accepted() {
        let whole = format!("{ROW}{END}");
        assert_eq!(read(HEADER, &whole), Ok((format!("{HEADER}{whole}"), false)));
        for (line, from, to) in [
            (2, "{\"key\"", "{ \"key\""),
            (2, ",\"old\"", ",\"column\":0,\"old\""),
            (2, ",\"old\"", ",\"column\":2,\"old\""),
            (2, ",\"old\"", ",\"mine\":1,\"old\""),
            (2, "00000000000000ff", "ff"),
            (2, "00000000000000ff", "00000000000000FF"),
            (2, "00000000000000ff", "+0000000000000ff"),
            (2, "\"old\":\"x\"", "\"old\":{\"text\":\"78\"}"),
            (2, "\"old\":\"x\"", "\"old\":\"\\u0078\""),
            (2, "\"old\":\"x\"", "\"old\":{\"blob\":\"0\"}"),
            (2, "{\"integer\":1},\"old\"", "{\"text_bytes\":[65]},\"old\""),
            (2, "{\"integer\":1},\"old\"", "{\"integer\":1,\"text\":\"a\"},\"old\""),
            (3, "\"after\":null", "\"after\":7"),
            (3, "\"rows\":1}", "\"rows\":1,\"x\":2}"),
        ] {
            assert!(whole.contains(from), "{from}");
            let words =
                format!("old.zst: is damaged: line {line} is not one that a migration writes; use another copy");
            assert_eq!(read(HEADER, &whole.replacen(from, to, 1)), Err(words), "{to}");
        }
        let words = |words: &str| Err(format!("old.zst: is damaged: {words}; use another copy"));
        let two = format!("{ROW}{ROW}{END}");
        assert_eq!(read(HEADER, &two), words("line 4 ends a batch of 1 rows, but it has 2"));
        let none = END.replace("\"rows\":1", "\"rows\":0");
        assert_eq!(read(HEADER, &none), words("line 2 ends a batch of 0 rows, but it has 0"));
        assert_eq!(read(HEADER, &format!("{whole}{ROW}")), words("its last batch has no end"));
        let other = HEADER.replace("\"id\"", "\"mine\":1,\"id\"");
        assert_eq!(read(&other, &whole), words("line 1 is not one that a migration writes"));
    }

    #[test]
    fn what_breaks_off_is_read_up_to_its_last_batch() {
        let whole = format!("{ROW}{END}");
        for lost in 1..ROW.len() {
            let cut = &ROW[..ROW.len() - lost];
            assert_eq!(read(HEADER, &format!("{whole}{cut}")), Ok((format!("{HEADER}{whole}"), true)), "{cut}");
        }
    }
}
