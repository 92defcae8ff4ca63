//! Keys and cells as SQLite has them, and what its errors are about.

use rusqlite::ErrorCode;
use rusqlite::types::{ToSqlOutput, ValueRef};

use crate::error::escape;
use crate::migrate::{ColumnValue, Key, NewValue};

impl rusqlite::ToSql for Key {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Integer(number) => (*number).into(),
            // SQLite has no such numbers: they are none of its keys.
            Self::Unsigned(number) => (*number as f64).into(),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text)),
            Self::Blob(bytes) => bytes.as_slice().into(),
            Self::Real(bits) => f64::from_bits(*bits).into(),
            Self::Several(_) => return Err(rusqlite::Error::InvalidQuery), // a value for each column is given, not all in one
        })
    }
}

/// The key of a row, whose columns have these values.
pub(super) fn row_key<'v>(
    columns: usize,
    value: impl Fn(usize) -> rusqlite::Result<ValueRef<'v>>,
) -> rusqlite::Result<Key> {
    match columns {
        1 => value(0).map(key),
        _ => (0..columns).map(|n| value(n).map(key)).collect::<Result<_, _>>().map(Key::Several),
    }
}

fn key(value: ValueRef) -> Key {
    match value {
        ValueRef::Integer(number) => Key::Integer(number),
        ValueRef::Real(number) => Key::Real(number.to_bits()),
        ValueRef::Text(text) => Key::Text(text.to_vec()),
        ValueRef::Blob(bytes) => Key::Blob(bytes.to_vec()),
        ValueRef::Null => Key::Blob(Vec::new()),
    }
}

pub(super) fn cell(value: ValueRef) -> ColumnValue {
    match value {
        ValueRef::Null => ColumnValue::Null,
        ValueRef::Integer(number) => ColumnValue::Number(number.to_string()),
        ValueRef::Real(number) => ColumnValue::Number(number.to_string()),
        ValueRef::Text(text) => ColumnValue::Text(text.to_vec()),
        ValueRef::Blob(bytes) => ColumnValue::Blob(bytes.to_vec()),
    }
}

/// Whether a value is still what it was.
pub(super) fn is(old: &ColumnValue, now: ValueRef) -> bool {
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

/// The database's own words, and what to do.
pub(super) fn words(error: &rusqlite::Error) -> String {
    let hint = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "; somebody else is writing to it: run again later, or wait longer with --wait"
        }
        Some(ErrorCode::ReadOnly) => "; the file or its folder may not be written",
        _ => "",
    };
    format!("{}{hint}", escape(error.to_string().as_bytes()))
}
