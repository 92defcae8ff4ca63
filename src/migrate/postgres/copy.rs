//! What COPY writes and reads.

use std::io::Read;

use postgres::Client;

use super::{interference, words};
use crate::error::escape;
use crate::migrate::{ColumnValue, Interference, NewValue};

/// The field of a line that COPY wrote; none for NULL.
pub(super) fn unescaped(field: &[u8]) -> Option<Vec<u8>> {
    if field == b"\\N" {
        return None;
    }
    let mut out = Vec::with_capacity(field.len());
    let mut bytes = field.iter();
    while let Some(&byte) = bytes.next() {
        out.push(match (byte, byte == b'\\') {
            (byte, false) => byte,
            _ => match bytes.next() {
                Some(b'b') => 8,
                Some(b'f') => 12,
                Some(b'n') => b'\n',
                Some(b'r') => b'\r',
                Some(b't') => b'\t',
                Some(b'v') => 11,
                Some(&other) => other,
                None => b'\\',
            },
        });
    }
    Some(out)
}

/// A field as COPY reads it.
pub(super) fn escaped(field: &[u8], out: &mut Vec<u8>) {
    for &byte in field {
        match byte {
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            byte => out.push(byte),
        }
    }
}

/// A new value as COPY reads it: what its column says as text.
pub(super) fn value(new: &NewValue, out: &mut Vec<u8>) {
    match new {
        NewValue::Null => out.extend_from_slice(b"\\N"),
        NewValue::Text(bytes) => escaped(bytes, out),
        NewValue::Blob(bytes) => {
            out.extend_from_slice(b"\\\\x");
            bytes.iter().for_each(|byte| out.extend_from_slice(format!("{byte:02x}").as_bytes()));
        }
    }
}

/// What a column said as text: bytes are in hexadecimal, after `\x`.
pub(super) fn cell(text: Option<Vec<u8>>, bytes: bool) -> ColumnValue {
    let Some(text) = text else { return ColumnValue::Null };
    if !bytes {
        return ColumnValue::Text(text);
    }
    let digit = |byte: u8| (byte as char).to_digit(16).unwrap_or(0) as u8;
    let digits = text.strip_prefix(b"\\x").unwrap_or(&text);
    ColumnValue::Blob(digits.chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect())
}

/// What a COPY writes; or why it does not, and whether others are the reason.
pub(super) fn copied(client: &mut Client, sql: &str) -> Result<Vec<u8>, (String, Option<Interference>)> {
    let mut text = Vec::new();
    let said = |error: &postgres::Error| (words(error), interference(error));
    let mut reader = client.copy_out(sql).map_err(|error| said(&error))?;
    match reader.read_to_end(&mut text) {
        Ok(_) => Ok(text),
        Err(error) => Err(match error.get_ref().and_then(|inner| inner.downcast_ref::<postgres::Error>()) {
            Some(error) => said(error),
            None => (escape(error.to_string().as_bytes()), None),
        }),
    }
}
