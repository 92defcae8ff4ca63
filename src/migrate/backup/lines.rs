//! The lines of a backup.

use std::fmt::Display;
use std::io::{self, Write};

use serde_json::Value;

use super::{BackupHeader, BatchEnd, value_to_json};
use crate::error::Error;
use crate::migrate::journal::HeldValue;
use crate::migrate::{ColumnValue, KeyValue, TableRow};

fn json(line: &mut impl Write, value: &Value) -> Result<(), Error> {
    serde_json::to_writer(line, value).map_err(fault)
}

/// The first line, with its end.
pub(super) fn header_line(header: &BackupHeader) -> Result<Vec<u8>, Error> {
    let mut line = serde_json::to_vec(header).map_err(|error| Error::Internal(error.to_string()))?;
    line.push(b'\n');
    Ok(line)
}

/// The last line of a batch.
pub(super) fn batch_end_line(
    line: &mut impl Write,
    after: Option<&KeyValue>,
    last: &KeyValue,
    rows: u64,
) -> Result<(), Error> {
    let end = BatchEnd { after: after.map(KeyValue::to_json), last: last.to_json(), rows };
    json(line, &serde_json::json!({ "batch": end }))
}

/// The line of a row that is written.
pub(super) fn row_line(line: &mut Vec<u8>, row: &TableRow, hash: u64) -> Result<(), Error> {
    row_line_of(line, (&row.key, row.column), row.target.as_ref().unwrap_or(&row.old).held(), hash)
}

/// The line of a row. It is written by hand, because every row has one: serde would look for escapes byte by byte in
/// values that are copied here. A test compares it with the line that serde writes.
pub(super) fn row_line_of(
    line: &mut impl Write,
    (key, column): (&KeyValue, usize),
    old: HeldValue,
    hash: u64,
) -> Result<(), Error> {
    put(line, b"{\"key\":")?;
    match key {
        KeyValue::Integer(number) => write!(line, "{{\"integer\":{number}}}").map_err(fault)?,
        key => json(line, &key.to_json())?,
    }
    if column > 0 {
        write!(line, ",\"column\":{column}").map_err(fault)?;
    }
    put(line, b",\"old\":")?;
    column_value(line, old)?;
    write!(line, ",\"hash\":\"{hash:016x}\"}}").map_err(fault)
}

fn put(line: &mut impl Write, bytes: &[u8]) -> Result<(), Error> {
    line.write_all(bytes).map_err(fault)
}

/// Writing to memory cannot fail, and [`Expected`] fails if something else is written.
fn fault(error: impl Display) -> Error {
    Error::Internal(format!("a row of the backup: {error}"))
}

/// Takes what is written, as long as it is this.
pub(super) struct Expected<'l>(pub(super) &'l [u8]);

impl Write for Expected<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.strip_prefix(bytes).ok_or(io::ErrorKind::InvalidData)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether text needs no escapes in JSON.
fn is_as_it_is(text: &[u8]) -> bool {
    let is_other = |byte: &u8| !(b' '..=b'~').contains(byte) | (*byte == b'"') | (*byte == b'\\');
    // Every byte is visited, so that the loop is compiled to vector instructions.
    !text.iter().fold(false, |any, byte| any | is_other(byte))
}

fn column_value(line: &mut impl Write, value: HeldValue) -> Result<(), Error> {
    match value {
        // Nearly all values need no escapes, and are copied.
        HeldValue::Text(bytes) if is_as_it_is(bytes) => {
            put(line, b"\"")?;
            put(line, bytes)?;
            put(line, b"\"")
        }
        HeldValue::Null => json(line, &Value::Null),
        HeldValue::Text(bytes) => json(line, &value_to_json(&ColumnValue::Text(bytes.to_vec()))),
        HeldValue::Blob(bytes) => json(line, &value_to_json(&ColumnValue::Blob(bytes.to_vec()))),
        HeldValue::Number(text) => json(line, &value_to_json(&ColumnValue::Number(text.into()))),
        HeldValue::TooLarge(_) => Err(Error::Internal("a value that was not read is to be replaced".into())),
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::*;

    /// The line as serde writes it.
    #[derive(Serialize)]
    struct Line {
        key: Value,
        #[serde(skip_serializing_if = "Option::is_none")]
        column: Option<usize>,
        old: Value,
        hash: String,
    }

    #[test]
    fn lines_are_those_that_serde_writes() {
        let bytes = |text: &[u8]| ColumnValue::Text(text.to_vec());
        let values = [
            ColumnValue::Null,
            bytes(b""),
            bytes(b"S9B ~1.2"),
            bytes(b"a \"quote\", a \\ and a /"),
            bytes(b"\x00\x1f\n\t\x7f"),
            bytes("gr\u{fc}n \u{1f600}".as_bytes()),
            bytes(b"\xff"),
            ColumnValue::Blob(b"\x00\"\xff".to_vec()),
            ColumnValue::Number("1.5".into()),
        ];
        let keys = [
            KeyValue::Integer(-7),
            KeyValue::Unsigned(u64::MAX),
            KeyValue::Text(b"k\"1".to_vec()),
            KeyValue::Several(vec![KeyValue::Integer(1)]),
        ];
        for (old, key) in values.iter().flat_map(|old| keys.iter().map(move |key| (old, key))) {
            for (column, target) in [(0, None), (3, None), (0, Some(&values[1]))] {
                let row = TableRow { key: key.clone(), column, old: old.clone(), target: target.cloned() };
                let mut line = Vec::new();
                row_line(&mut line, &row, 0xabc).expect("a line");
                let expected = Line {
                    key: key.to_json(),
                    column: (column > 0).then_some(column),
                    old: value_to_json(target.unwrap_or(old)),
                    hash: "0000000000000abc".into(),
                };
                let expected = serde_json::to_string(&expected).expect("a line");
                assert_eq!(String::from_utf8_lossy(&line), expected);
            }
        }
    }
}
