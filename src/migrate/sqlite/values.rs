//! Converts keys and values from and to those of SQLite, and classifies its errors.

use rusqlite::ErrorCode;
use rusqlite::types::{ToSqlOutput, ValueRef};

use crate::error::escape;
use crate::migrate::{ColumnValue, Key, NewValue};

impl rusqlite::ToSql for Key {
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
) -> rusqlite::Result<Key> {
    let mut key = Key::Integer(0);
    read_key(&mut key, columns, value)?;
    Ok(key)
}

/// Sets `key` to the key of a row whose key columns have these values. Reuses its memory.
pub(super) fn read_key<'v>(
    key: &mut Key,
    columns: usize,
    value: impl Fn(usize) -> rusqlite::Result<ValueRef<'v>>,
) -> rusqlite::Result<()> {
    if columns == 1 {
        read_part(key, value(0)?);
        return Ok(());
    }
    if !matches!(key, Key::Several(_)) {
        *key = Key::Several(Vec::new());
    }
    let Key::Several(parts) = key else { return Ok(()) };
    if parts.len() != columns {
        parts.resize(columns, Key::Integer(0));
    }
    parts.iter_mut().enumerate().try_for_each(|(n, part)| value(n).map(|value| read_part(part, value)))
}

fn read_part(key: &mut Key, value: ValueRef) {
    match (key, value) {
        (Key::Text(bytes), ValueRef::Text(value)) | (Key::Blob(bytes), ValueRef::Blob(value)) => assign(bytes, value),
        (key, ValueRef::Integer(number)) => *key = Key::Integer(number),
        (key, ValueRef::Real(number)) => *key = Key::Real(number.to_bits()),
        (key, ValueRef::Text(text)) => *key = Key::Text(text.to_vec()),
        (key, ValueRef::Blob(bytes)) => *key = Key::Blob(bytes.to_vec()),
        (key, ValueRef::Null) => *key = Key::Blob(Vec::new()),
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
pub(super) fn copy_keys<'k>(keys: &mut Vec<Key>, from: impl Iterator<Item = &'k Key>) {
    let mut count = 0;
    for new in from {
        match (keys.get_mut(count), new) {
            (Some(Key::Integer(old)), Key::Integer(new)) => *old = *new,
            (Some(Key::Text(old)), Key::Text(new)) | (Some(Key::Blob(old)), Key::Blob(new)) => assign(old, new),
            (Some(old), new) => *old = new.clone(),
            (None, new) => keys.push(new.clone()),
        }
        count += 1;
    }
    keys.truncate(count);
}

/// Whether a column of a key has this value.
pub(super) fn is_part(key: &Key, value: ValueRef) -> bool {
    match (key, value) {
        (Key::Integer(number), ValueRef::Integer(value)) => *number == value,
        (Key::Real(bits), ValueRef::Real(value)) => *bits == value.to_bits(),
        (Key::Text(bytes), ValueRef::Text(value)) | (Key::Blob(bytes), ValueRef::Blob(value)) => bytes == value,
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
