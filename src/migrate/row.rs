//! Rows, their keys and the values of their columns.

use super::SharedBytes;

/// The key that identifies a row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyValue {
    /// A whole number.
    Integer(i64),
    /// A whole number that is too large for an `i64`.
    Unsigned(u64),
    /// Text, which may be invalid UTF-8 in SQLite; in PostgreSQL a value of any type.
    Text(Vec<u8>),
    /// Bytes.
    Blob(Vec<u8>),
    /// A floating-point number, as its bits.
    Real(u64),
    /// The values of several columns.
    Several(Vec<KeyValue>),
}

/// A value of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnValue {
    /// NULL.
    Null,
    /// Text.
    Text(Vec<u8>),
    /// Bytes.
    Blob(Vec<u8>),
    /// A number, as text.
    Number(String),
    /// A value that was not read because it has more than [`PAGE`](super::PAGE) bytes; how many it has.
    TooLarge(u64),
}

impl KeyValue {
    /// A key of one or more columns.
    #[cfg(feature = "databases")]
    pub(super) fn of_parts(mut parts: Vec<Self>) -> Self {
        match parts.pop() {
            Some(only) if parts.is_empty() => only,
            last => Self::Several(parts.into_iter().chain(last).collect()),
        }
    }

    /// The value of each column.
    pub(super) fn parts(&self) -> &[Self] {
        match self {
            Self::Several(parts) => parts,
            one => std::slice::from_ref(one),
        }
    }
}

impl ColumnValue {
    /// Its bytes, unless it is NULL or a number, or was not read.
    pub(super) fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Text(bytes) | Self::Blob(bytes) => Some(bytes),
            Self::Null | Self::Number(_) | Self::TooLarge(_) => None,
        }
    }
}

/// A row as it was read, with one of the job's columns. With several columns, a row is given once for each, in their
/// order.
#[derive(Debug, Clone)]
pub struct TableRow {
    /// Its key.
    pub key: KeyValue,
    /// The index of the column.
    pub column: usize,
    /// The string.
    pub old: ColumnValue,
    /// The current value of the column for new strings, if that is another one.
    pub target: Option<ColumnValue>,
}

/// A new value for a column. It shares its bytes with others, so that the database needs no copy.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NewValue {
    /// NULL.
    Null,
    /// Text.
    Text(SharedBytes),
    /// Bytes.
    Blob(SharedBytes),
}

impl NewValue {
    /// Its bytes, unless it is NULL.
    pub(super) fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Text(bytes) | Self::Blob(bytes) => Some(bytes),
            Self::Null => None,
        }
    }
}
