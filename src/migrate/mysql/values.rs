//! Keys and values in MySQL's notation, and classes of its errors.

use std::cmp::Ordering;

use mysql_async::{DriverError, Error, IoError, Value};

use crate::error::escape;
use crate::migrate::{ColumnValue, Interference, KeyValue};

/// A quoted identifier.
pub(super) fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// Text as a literal that does not depend on the server's escapes.
pub(super) fn literal(text: &[u8]) -> String {
    format!("_utf8mb4 {}", bytes_literal(text))
}

/// Bytes as a literal.
pub(super) fn bytes_literal(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("x'{digits}'")
}

/// The values of a key as literals.
pub(super) fn key_literals(key: &KeyValue) -> Vec<String> {
    let literal = |part: &KeyValue| match part {
        KeyValue::Text(text) => literal(text),
        KeyValue::Blob(bytes) => bytes_literal(bytes),
        number => number.shown(),
    };
    key.parts().iter().map(literal).collect()
}

/// The values of a key as parameters.
pub(super) fn key_values(key: &KeyValue) -> Vec<Value> {
    let value = |part: &KeyValue| match part {
        KeyValue::Integer(number) => Value::Int(*number),
        KeyValue::Unsigned(number) => Value::UInt(*number),
        KeyValue::Text(bytes) | KeyValue::Blob(bytes) => Value::Bytes(bytes.clone()),
        other => Value::Bytes(other.shown().into()),
    };
    key.parts().iter().map(value).collect()
}

/// Whether a key can come after another, as far as that is known here: numbers and bytes have one order, text that of
/// its collation, in which only equality can be excluded.
pub(super) fn is_next(before: &[KeyValue], key: &[KeyValue]) -> bool {
    for (before, key) in before.iter().zip(key) {
        let order = match (before, key) {
            (KeyValue::Integer(before), KeyValue::Integer(key)) => before.cmp(key),
            (KeyValue::Unsigned(before), KeyValue::Unsigned(key)) => before.cmp(key),
            (KeyValue::Integer(_), KeyValue::Unsigned(_)) => Ordering::Less,
            (KeyValue::Unsigned(_), KeyValue::Integer(_)) => Ordering::Greater,
            (KeyValue::Blob(before), KeyValue::Blob(key)) => before.cmp(key),
            (before, key) if before == key => Ordering::Equal,
            _ => return true,
        };
        if order != Ordering::Equal {
            return order == Ordering::Less;
        }
    }
    false
}

/// How the values of a key's column are compared and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyKind {
    Number,
    Text,
    Bytes,
}

impl KeyKind {
    /// The kind for a type. `None` for types whose values cannot be written as they are compared: floating-point
    /// numbers differ from their text, enums are sorted by number, and a local time may occur twice.
    pub(super) fn of_type(kind: &str) -> Option<Self> {
        Some(match kind {
            "tinyint" | "smallint" | "mediumint" | "int" | "bigint" | "year" => Self::Number,
            "char" | "varchar" | "tinytext" | "text" | "mediumtext" | "longtext" | "date" | "datetime" | "time"
            | "uuid" | "inet4" | "inet6" => Self::Text,
            "binary" | "varbinary" | "tinyblob" | "blob" | "mediumblob" | "longblob" => Self::Bytes,
            _ => return None,
        })
    }

    /// A key from the server's text.
    pub(super) fn key(self, text: Vec<u8>) -> KeyValue {
        let number = || std::str::from_utf8(&text).ok();
        let key = match self {
            Self::Number => number().and_then(|text| match text.parse() {
                Ok(number) => Some(KeyValue::Integer(number)),
                Err(_) => text.parse().ok().map(KeyValue::Unsigned),
            }),
            Self::Text => None,
            Self::Bytes => return KeyValue::Blob(text),
        };
        key.unwrap_or(KeyValue::Text(text))
    }
}

/// A cell from the server's value. `length` is that of a value that is too large.
pub(super) fn cell(value: Value, length: Value, is_bytes: bool) -> ColumnValue {
    if let Value::Bytes(digits) = length {
        return ColumnValue::TooLarge(
            str::from_utf8(&digits).ok().and_then(|text| text.parse().ok()).unwrap_or(u64::MAX),
        );
    }
    match value {
        Value::NULL => ColumnValue::Null,
        Value::Bytes(bytes) if is_bytes => ColumnValue::Blob(bytes),
        Value::Bytes(bytes) => ColumnValue::Text(bytes),
        // The server sends all values as text.
        other => ColumnValue::Number(other.as_sql(true)),
    }
}

/// The number of a server error, and its class (SQLSTATE).
pub(super) fn code(error: &Error) -> Option<(u16, &str)> {
    match error {
        Error::Server(error) => Some((error.code, error.state.as_str())),
        _ => None,
    }
}

/// The interference that an error reports, if the transaction must be repeated: a deadlock, a cluster conflict, a row
/// that has changed (MariaDB), or a lock that was not granted in time.
pub(super) fn interference(error: &Error) -> Option<Interference> {
    let (code, state) = code(error)?;
    let is_lock = code == 1205 || code == 3572;
    let is_conflict = is_lock || code == 1213 || code == 1020 || state == "40001";
    is_conflict.then(|| Interference { message: message(error), is_lock })
}

/// Whether the server does not know a statement.
pub(super) fn is_syntax(error: &Error) -> bool {
    code(error).is_some_and(|(code, _)| code == 1064)
}

/// Whether the server has no encryption, or no common one.
pub(super) fn is_unencrypted(error: &Error) -> bool {
    matches!(error, Error::Driver(DriverError::NoClientSslFlagFromServer))
}

/// Whether setting up the encryption failed.
pub(super) fn is_of_tls(error: &Error) -> bool {
    matches!(error, Error::Io(IoError::Tls(_)))
        || matches!(error, Error::Io(IoError::Io(error)) if error.kind() == std::io::ErrorKind::InvalidData)
}

/// Whether an error is about the row that was written: its data, constraints or triggers.
pub(super) fn is_about_a_row(error: &Error) -> bool {
    // Errors without a class of their own: too long, wrong or truncated values, checks, partitions, signals.
    const CODES: [u16; 9] = [1265, 1264, 1366, 1406, 1526, 1644, 1748, 3819, 4025];
    let classes = ["22", "23", "44", "45"];
    code(error)
        .is_some_and(|(code, state)| CODES.contains(&code) || classes.iter().any(|class| state.starts_with(class)))
}

/// What an error says that is not the server's.
pub(super) fn said(error: &Error) -> String {
    let text = match error {
        Error::Io(IoError::Io(error)) => error.to_string(),
        Error::Io(IoError::Tls(error)) => error.to_string(),
        Error::Driver(error) => error.to_string(),
        Error::Other(error) => error.to_string(),
        other => other.to_string(),
    };
    escape(text.as_bytes())
}

/// The server's message, and what to do.
pub(super) fn message(error: &Error) -> String {
    let Error::Server(answer) = error else {
        return format!("{}; if the connection was lost, run again to resume", said(error));
    };
    let hint = match answer.code {
        1205 | 3572 => "; somebody else holds a lock: run again later, or wait longer with --wait",
        1213 | 1020 => "; run again to resume",
        1290 | 1792 | 1836 => "; the server or the connection is read-only",
        _ => "",
    };
    format!("{}{hint}", escape(answer.message.as_bytes()))
}
