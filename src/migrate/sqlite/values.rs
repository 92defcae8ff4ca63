//! Converts keys and values from and to those of SQLite, and classifies its errors.

use rusqlite::ErrorCode;
use rusqlite::types::{ToSqlOutput, ValueRef};

use crate::error::escape;
use crate::migrate::{ColumnValue, KeyValue, NewValue};

impl rusqlite::ToSql for KeyValue {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Integer(number) => (*number).into(),
            // SQLite has no integers of this size, so no key of this kind comes from it.
            Self::Unsigned(number) => (*number as f64).into(),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text)),
            Self::Blob(bytes) => bytes.as_slice().into(),
            Self::Real(bits) => f64::from_bits(*bits).into(),
            Self::Several(_) => return Err(rusqlite::Error::InvalidQuery), // each column has a parameter of its own
        })
    }
}

/// The key of a row whose key columns have these values.
pub(super) fn row_key<'v>(
    columns: usize,
    value: impl Fn(usize) -> rusqlite::Result<ValueRef<'v>>,
) -> rusqlite::Result<KeyValue> {
    let mut key = KeyValue::Integer(0);
    read_key(&mut key, columns, value)?;
    Ok(key)
}

/// Sets `key` to the key of a row whose key columns have these values. Reuses its memory.
pub(super) fn read_key<'v>(
    key: &mut KeyValue,
    columns: usize,
    value: impl Fn(usize) -> rusqlite::Result<ValueRef<'v>>,
) -> rusqlite::Result<()> {
    if columns == 1 {
        read_part(key, value(0)?);
        return Ok(());
    }
    if !matches!(key, KeyValue::Several(_)) {
        *key = KeyValue::Several(Vec::new());
    }
    let KeyValue::Several(parts) = key else { return Ok(()) };
    if parts.len() != columns {
        parts.resize(columns, KeyValue::Integer(0));
    }
    parts.iter_mut().enumerate().try_for_each(|(n, part)| value(n).map(|value| read_part(part, value)))
}

fn read_part(key: &mut KeyValue, value: ValueRef) {
    match (key, value) {
        (KeyValue::Text(bytes), ValueRef::Text(value)) | (KeyValue::Blob(bytes), ValueRef::Blob(value)) => {
            assign(bytes, value)
        }
        (key, ValueRef::Integer(number)) => *key = KeyValue::Integer(number),
        (key, ValueRef::Real(number)) => *key = KeyValue::Real(number.to_bits()),
        (key, ValueRef::Text(text)) => *key = KeyValue::Text(text.to_vec()),
        (key, ValueRef::Blob(bytes)) => *key = KeyValue::Blob(bytes.to_vec()),
        (key, ValueRef::Null) => *key = KeyValue::Blob(Vec::new()),
    }
}

/// How many bytes a key has, apart from numbers.
pub(super) fn key_bytes(key: &KeyValue) -> usize {
    match key {
        KeyValue::Text(bytes) | KeyValue::Blob(bytes) => bytes.len(),
        KeyValue::Several(parts) => parts.iter().map(key_bytes).sum(),
        KeyValue::Integer(_) | KeyValue::Unsigned(_) | KeyValue::Real(_) => 0,
    }
}

/// Sets `cell` to a value from SQLite. Reuses its memory.
pub(super) fn read_cell(cell: &mut ColumnValue, value: ValueRef) {
    match (cell, value) {
        (ColumnValue::Text(bytes), ValueRef::Text(value)) | (ColumnValue::Blob(bytes), ValueRef::Blob(value)) => {
            assign(bytes, value);
        }
        (cell, ValueRef::Null) => *cell = ColumnValue::Null,
        (cell, ValueRef::Integer(number)) => *cell = ColumnValue::Number(number.to_string()),
        (cell, ValueRef::Real(number)) => *cell = ColumnValue::Number(number.to_string()),
        (cell, ValueRef::Text(text)) => *cell = ColumnValue::Text(text.to_vec()),
        (cell, ValueRef::Blob(bytes)) => *cell = ColumnValue::Blob(bytes.to_vec()),
    }
}

fn assign(bytes: &mut Vec<u8>, value: &[u8]) {
    bytes.clear();
    bytes.extend_from_slice(value);
}

/// Sets `keys` to copies of other keys. Reuses their memory.
pub(super) fn copy_keys<'k>(keys: &mut Vec<KeyValue>, from: impl Iterator<Item = &'k KeyValue>) {
    let mut count = 0;
    for new in from {
        match (keys.get_mut(count), new) {
            (Some(KeyValue::Integer(old)), KeyValue::Integer(new)) => *old = *new,
            (Some(KeyValue::Text(old)), KeyValue::Text(new)) | (Some(KeyValue::Blob(old)), KeyValue::Blob(new)) => {
                assign(old, new)
            }
            (Some(old), new) => *old = new.clone(),
            (None, new) => keys.push(new.clone()),
        }
        count += 1;
    }
    keys.truncate(count);
}

/// Whether a column of a key has this value.
pub(super) fn is_part(key: &KeyValue, value: ValueRef) -> bool {
    match (key, value) {
        (KeyValue::Integer(number), ValueRef::Integer(value)) => *number == value,
        (KeyValue::Real(bits), ValueRef::Real(value)) => *bits == value.to_bits(),
        (KeyValue::Text(bytes), ValueRef::Text(value)) | (KeyValue::Blob(bytes), ValueRef::Blob(value)) => {
            bytes == value
        }
        _ => false,
    }
}

/// Whether a string is still the one that was read.
pub(super) fn is_unchanged(old: &ColumnValue, now: ValueRef) -> bool {
    match (old, now) {
        (ColumnValue::Text(old), ValueRef::Text(now)) | (ColumnValue::Blob(old), ValueRef::Blob(now)) => old == now,
        _ => false,
    }
}

impl rusqlite::ToSql for NewValue {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Text(bytes) => ValueRef::Text(bytes),
            Self::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

impl rusqlite::ToSql for ColumnValue {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Text(bytes) => ValueRef::Text(bytes),
            Self::Blob(bytes) => ValueRef::Blob(bytes),
            Self::Number(text) => ValueRef::Text(text.as_bytes()),
            Self::TooLarge(_) => return Err(rusqlite::Error::InvalidQuery), // rows with such values are not written
        }))
    }
}

/// Whether an error is about the row that was written, and not about the database.
pub(super) fn is_about_a_row(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch | ErrorCode::TooBig)
    )
}

/// The message of the database, and what to do.
pub(super) fn words(error: &rusqlite::Error) -> String {
    let hint = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "; somebody else is writing to it: run again later, or wait longer with --wait"
        }
        Some(ErrorCode::ReadOnly) => "; the file or its folder is not writable",
        _ => "",
    };
    format!("{}{hint}", escape(error.to_string().as_bytes()))
}
