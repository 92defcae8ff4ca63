//! The backup: a file with the key and the old string of every row that was written, and a hash of what was written, so
//! that `restore` can put back the rows that nobody has changed since. docs/DATABASES.md describes the format.
//!
//! - `write`: each batch is on the disk before the database commits it. `read`: reads batch by batch. `lines`: the text of
//!   both.

mod lines;
mod read;
mod write;

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{ColumnValue, KeyValue, NewValue};
use crate::error::Error;
use crate::platform::open_unless_link;
pub use read::Backup;
pub(super) use read::BackupBatch;
pub(super) use write::{BackupState, BackupWriter};

/// The first line of a backup.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct BackupHeader {
    /// The version of the format.
    pub(super) gridmill_backup: u32,
    /// The backup's identifier in the journal.
    pub(super) id: String,
    /// `sqlite`, `postgres` or `mysql`.
    pub(super) database: String,
    pub(super) table: String,
    /// The columns that were written.
    pub(super) columns: Vec<String>,
    /// The columns of the key, if the user named them.
    pub(super) key: Option<String>,
    /// The name of the migration in the journal.
    pub(super) job: String,
}

/// The version of the format. Version 1 had only one column; version 2 also had the new strings.
const VERSION: u32 = 3;

/// The last line of a batch.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct BatchEnd {
    /// The rows of the batch have keys after this one,
    after: Option<Value>,
    /// and up to this one.
    last: Value,
    /// The number of rows listed.
    rows: u64,
}

/// How much of a backup is complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BackupMark {
    /// The backup's identifier.
    pub(super) id: String,
    /// Its length in bytes.
    pub(super) end: u64,
}

/// A row that was written.
#[derive(Debug, Clone)]
pub(super) struct BackupRow {
    pub(super) key: KeyValue,
    /// The index of the column.
    pub(super) column: usize,
    pub(super) old: ColumnValue,
    /// The hash of the row as it was written: its key, and the column's value.
    pub(super) hash: u64,
}

/// A value as JSON.
fn value_to_json(value: &ColumnValue) -> Value {
    match value {
        ColumnValue::Null => Value::Null,
        ColumnValue::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Value::from(text),
            Err(_) => json!({ "text": hexadecimal(bytes) }),
        },
        ColumnValue::Blob(bytes) => json!({ "blob": hexadecimal(bytes) }),
        ColumnValue::Number(text) => json!({ "number": text }),
        // Such values are never replaced, and this is not read as one.
        ColumnValue::TooLarge(bytes) => json!({ "bytes": bytes }),
    }
}

fn value_of_json(value: Value) -> Option<ColumnValue> {
    let object = match value {
        Value::Null => return Some(ColumnValue::Null),
        Value::String(text) => return Some(ColumnValue::Text(text.into_bytes())),
        Value::Object(object) => object,
        _ => return None,
    };
    let (name, value) = object.iter().next()?;
    Some(match name.as_str() {
        "text" => ColumnValue::Text(of_hexadecimal(value.as_str()?)?),
        "blob" => ColumnValue::Blob(of_hexadecimal(value.as_str()?)?),
        "number" => ColumnValue::Number(value.as_str()?.into()),
        _ => return None,
    })
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn of_hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let pair = |pair: &[u8]| Some(digit(pair[0])? << 4 | digit(*pair.get(1)?)?);
    text.as_bytes().chunks(2).map(pair).collect()
}

/// The value that `restore` puts back, unless it was not read.
pub(super) fn put_back(value: &ColumnValue) -> Option<NewValue> {
    Some(match value {
        ColumnValue::Null => NewValue::Null,
        ColumnValue::Text(bytes) => NewValue::Text(bytes.clone().into()),
        ColumnValue::Blob(bytes) => NewValue::Blob(bytes.clone().into()),
        ColumnValue::Number(text) => NewValue::Text(text.clone().into_bytes().into()),
        ColumnValue::TooLarge(_) => return None,
    })
}

/// Opens an existing backup, which must be a regular file and not a link.
fn open(path: &Path, write: bool) -> Result<File, Error> {
    let opened = open_unless_link(OpenOptions::new().read(true).write(write), path);
    let Some(file) = opened.map_err(|error| Error::io(path, "open", error))? else {
        return Err(Error::file(path, "is a symbolic link; name the backup itself"));
    };
    let metadata = file.metadata().map_err(|error| Error::io(path, "examine", error))?;
    if !metadata.is_file() {
        return Err(Error::file(path, "is not a regular file, as a backup must be"));
    }
    Ok(file)
}

/// Locks a backup against other runs.
fn lock(file: &File, path: &Path) -> Result<(), Error> {
    file.try_lock().map_err(|error| match error {
        std::fs::TryLockError::WouldBlock => Error::file(path, "is used by another run; wait until it ends"),
        std::fs::TryLockError::Error(error) => Error::io(path, "lock", error),
    })
}

fn lacks(path: &Path, bytes: u64) -> Error {
    Error::file(path, format!("lacks its last {bytes} bytes; use a complete copy"))
}

fn damaged(path: &Path, why: impl std::fmt::Display) -> Error {
    Error::file(path, format!("is damaged: {why}; use another copy"))
}

/// Reads a line, which must have a line end.
fn read_line(lines: &mut impl io::BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    lines.read_until(b'\n', line)?;
    match line.pop() {
        Some(b'\n') => Ok(true),
        Some(_) => Err(io::ErrorKind::UnexpectedEof.into()),
        None => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_they_were_written() {
        for value in [
            ColumnValue::Null,
            ColumnValue::Text(b"a \"b\"\n\\ \xc3\xbc".to_vec()),
            ColumnValue::Text(b"\xff".to_vec()),
            ColumnValue::Text(Vec::new()),
            ColumnValue::Blob(b"\x00\xffx".to_vec()),
            ColumnValue::Number("1e3".into()),
        ] {
            assert_eq!(value_of_json(value_to_json(&value)), Some(value));
        }
        assert_eq!(of_hexadecimal("0g"), None);
        assert_eq!(of_hexadecimal("0"), None);
    }
}
