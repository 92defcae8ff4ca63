//! Keys and cells as MySQL has them, and what its errors are about.

use std::cmp::Ordering;

use mysql_async::{DriverError, Error, IoError, Value};

use crate::error::escape;
use crate::migrate::{ColumnValue, Interference, Key};

/// An identifier between quotes.
pub(super) fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// Text in a statement, whatever the server takes for an escape.
pub(super) fn literal(text: &[u8]) -> String {
    format!("_utf8mb4 {}", bytes_literal(text))
}

/// Bytes in a statement.
pub(super) fn bytes_literal(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("x'{digits}'")
}

/// The values of a key in a statement.
pub(super) fn key_literals(key: &Key) -> Vec<String> {
    let literal = |part: &Key| match part {
        Key::Text(text) => literal(text),
        Key::Blob(bytes) => bytes_literal(bytes),
        number => number.shown(),
    };
    key.parts().iter().map(literal).collect()
}

/// The values of a key as parameters.
pub(super) fn key_values(key: &Key) -> Vec<Value> {
    let value = |part: &Key| match part {
        Key::Integer(number) => Value::Int(*number),
        Key::Unsigned(number) => Value::UInt(*number),
        Key::Text(bytes) | Key::Blob(bytes) => Value::Bytes(bytes.clone()),
        other => Value::Bytes(other.shown().into()),
    };
    key.parts().iter().map(value).collect()
}

/// Whether a key can come after another, as far as that can be told here: numbers and bytes have one order, text that of a
/// collation, in which nothing is known but that no key comes twice.
pub(super) fn is_next(before: &[Key], key: &[Key]) -> bool {
    for (before, key) in before.iter().zip(key) {
        let order = match (before, key) {
            (Key::Integer(before), Key::Integer(key)) => before.cmp(key),
            (Key::Unsigned(before), Key::Unsigned(key)) => before.cmp(key),
            (Key::Integer(_), Key::Unsigned(_)) => Ordering::Less,
            (Key::Unsigned(_), Key::Integer(_)) => Ordering::Greater,
            (Key::Blob(before), Key::Blob(key)) => before.cmp(key),
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
    /// Of a type; nothing of those whose values cannot be written as they are compared: floating point is not what its text says,
    /// lists of words are sorted by their numbers, times of a zone may be two moments.
    pub(super) fn of_type(kind: &str) -> Option<Self> {
        Some(match kind {
            "tinyint" | "smallint" | "mediumint" | "int" | "bigint" | "year" => Self::Number,
            "char" | "varchar" | "tinytext" | "text" | "mediumtext" | "longtext" | "date" | "datetime" | "time"
            | "uuid" | "inet4" | "inet6" => Self::Text,
            "binary" | "varbinary" | "tinyblob" | "blob" | "mediumblob" | "longblob" => Self::Bytes,
            _ => return None,
        })
    }

    /// A key as the server writes it.
    pub(super) fn key(self, text: Vec<u8>) -> Key {
        let number = || std::str::from_utf8(&text).ok();
        let key = match self {
            Self::Number => number().and_then(|text| match text.parse() {
                Ok(number) => Some(Key::Integer(number)),
                Err(_) => text.parse().ok().map(Key::Unsigned),
            }),
            Self::Text => None,
            Self::Bytes => return Key::Blob(text),
        };
        key.unwrap_or(Key::Text(text))
    }
}

/// A cell as the server writes it.
pub(super) fn cell(value: Value, is_bytes: bool) -> ColumnValue {
    match value {
        Value::NULL => ColumnValue::Null,
        Value::Bytes(bytes) if is_bytes => ColumnValue::Blob(bytes),
        Value::Bytes(bytes) => ColumnValue::Text(bytes),
        // The server writes all of them as text.
        other => ColumnValue::Number(other.as_sql(true)),
    }
}

/// The number of an error of the server, and its class.
pub(super) fn code(error: &Error) -> Option<(u16, &str)> {
    match error {
        Error::Server(error) => Some((error.code, error.state.as_str())),
        _ => None,
    }
}

/// What an error says, if the transaction is to be begun again: a deadlock, a conflict of a cluster, a row that was changed since
/// (MariaDB); a lock that was waited for long enough.
pub(super) fn interference(error: &Error) -> Option<Interference> {
    let (code, state) = code(error)?;
    let is_lock = code == 1205 || code == 3572;
    let is_conflict = is_lock || code == 1213 || code == 1020 || state == "40001";
    is_conflict.then(|| Interference { message: words(error), is_lock })
}

/// Whether the server does not know a statement.
pub(super) fn is_syntax(error: &Error) -> bool {
    code(error).is_some_and(|(code, _)| code == 1064)
}

/// Whether the server has no encryption, or none that both know.
pub(super) fn is_unencrypted(error: &Error) -> bool {
    matches!(error, Error::Driver(DriverError::NoClientSslFlagFromServer))
}

/// Whether the encryption failed.
pub(super) fn is_of_tls(error: &Error) -> bool {
    matches!(error, Error::Io(IoError::Tls(_)))
        || matches!(error, Error::Io(IoError::Io(error)) if error.kind() == std::io::ErrorKind::InvalidData)
}

/// Whether an error is about the row that was written: of its data, of constraints, of triggers.
pub(super) fn is_about_a_row(error: &Error) -> bool {
    // What has no class of its own: too long, wrong or cut values, checks, partitions, signals.
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

/// The server's own words, and what to do.
pub(super) fn words(error: &Error) -> String {
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
