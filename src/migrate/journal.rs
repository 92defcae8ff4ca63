//! The journal: what a migration records beside the rows, that is, how far it is, what it refused, and what each batch
//! should look like.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::backup::BackupMark;
use super::decide::Tally;
use super::trail::Segment;
use super::{ColumnValue, KeyValue, NewValue, TableRow};
use crate::error::{Error, escape};

/// A row that stays as it is, because its string cannot be read or the database does not accept the new one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejected {
    /// The row's key.
    pub key: String,
    /// The column, if there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The cell concerned, as `r4c7`, or `-`.
    pub cell: String,
    /// The stable code.
    pub code: String,
    /// Why.
    pub message: String,
    /// The string.
    pub record: String,
}

/// An entry of the journal.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "lowercase")]
pub(super) enum JournalEntry {
    /// A run began.
    Begin {
        /// The evidence for layouts. It is found once, since later half of the strings would be new.
        evidence: Vec<u64>,
        /// The backup that the run writes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        backup: Option<BackupMark>,
    },
    /// A batch was written.
    Batch(JournalBatch),
    /// A row was refused.
    Reject(Rejected),
    /// The run is complete.
    End,
}

/// A batch that was written.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct JournalBatch {
    /// The key of the last row before it.
    pub(super) after: Option<Value>,
    /// The key of its last row.
    pub(super) last: Value,
    /// The number of its rows.
    pub(super) rows: u64,
    /// The hash of all its keys and the values that its rows should have.
    pub(super) hash: String,
    /// The counts of its rows.
    pub(super) tally: Tally,
    /// Whether a trigger or rule may have deleted rows of the table when it was written.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) may_have_deleted: bool,
    /// How much of the backup is complete after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) backup: Option<BackupMark>,
    /// The position of its rows in the trail, if this run wrote them.
    #[serde(skip)]
    pub(super) trail: Option<Segment>,
    /// The position of its refused rows.
    #[serde(skip)]
    pub(super) rejected: Range<u64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

impl JournalEntry {
    pub(super) fn to_text(&self) -> Result<String, Error> {
        serde_json::to_string(self).map_err(|error| Error::Internal(format!("an entry of the journal: {error}")))
    }
}

impl KeyValue {
    /// As JSON, which [`KeyValue::of_json`] reads.
    pub(super) fn to_json(&self) -> Value {
        match self {
            Self::Integer(number) => json!({ "integer": number }),
            Self::Unsigned(number) => json!({ "unsigned": number }),
            Self::Text(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => json!({ "text": text }),
                Err(_) => json!({ "text_bytes": bytes }),
            },
            Self::Blob(bytes) => json!({ "blob": bytes }),
            Self::Real(bits) => json!({ "real": bits }),
            Self::Several(parts) => json!({ "several": parts.iter().map(Self::to_json).collect::<Vec<_>>() }),
        }
    }

    /// From JSON.
    pub(super) fn of_json(value: &Value) -> Option<Self> {
        let (name, value) = value.as_object()?.iter().next()?;
        Some(match name.as_str() {
            "integer" => Self::Integer(value.as_i64()?),
            "unsigned" => Self::Unsigned(value.as_u64()?),
            "text" => Self::Text(value.as_str()?.into()),
            "text_bytes" => Self::Text(serde_json::from_value(value.clone()).ok()?),
            "blob" => Self::Blob(serde_json::from_value(value.clone()).ok()?),
            "real" => Self::Real(value.as_u64()?),
            "several" => Self::Several(value.as_array()?.iter().map(Self::of_json).collect::<Option<_>>()?),
            _ => return None,
        })
    }

    /// As text for people.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Integer(number) => number.to_string(),
            Self::Unsigned(number) => number.to_string(),
            Self::Text(text) => escape(text),
            Self::Blob(bytes) => format!("x'{}'", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()),
            Self::Real(bits) => f64::from_bits(*bits).to_string(),
            Self::Several(parts) => {
                format!("({})", parts.iter().map(Self::shown).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// As bytes that include their own length.
    fn to_bytes(&self, out: &mut Vec<u8>) {
        match self {
            // Nearly all are, and at once.
            Self::Integer(number) => out.extend_from_slice(&integer_bytes(*number)),
            Self::Text(text) => part(out, 2, text),
            Self::Blob(bytes) => part(out, 3, bytes),
            Self::Real(bits) => part(out, 4, &bits.to_le_bytes()),
            Self::Unsigned(number) => part(out, 9, &number.to_le_bytes()),
            Self::Several(parts) => {
                out.extend_from_slice(&[10, 0, 0, 0, 0, 0, 0, 0, 0]);
                let start = out.len();
                for one in parts {
                    match one {
                        Self::Integer(number) => out.extend_from_slice(&integer_bytes(*number)),
                        other => other.to_bytes(out),
                    }
                }
                let length = (out.len() - start) as u64;
                out[start - 8..start].copy_from_slice(&length.to_le_bytes());
            }
        }
    }

    /// The key at the start of such bytes and its length, with the column that may precede it.
    pub(super) fn of_bytes(bytes: &[u8]) -> Option<(Self, usize)> {
        let length = u64::from_le_bytes(bytes.get(1..9)?.try_into().ok()?);
        let end = usize::try_from(length).ok()?.checked_add(9)?;
        let value = bytes.get(9..end)?;
        let key = match bytes[0] {
            1 => Self::Integer(i64::from_le_bytes(value.try_into().ok()?)),
            2 => Self::Text(value.to_vec()),
            3 => Self::Blob(value.to_vec()),
            4 => Self::Real(u64::from_le_bytes(value.try_into().ok()?)),
            9 => Self::Unsigned(u64::from_le_bytes(value.try_into().ok()?)),
            10 => {
                let (mut parts, mut rest) = (Vec::new(), value);
                while !rest.is_empty() {
                    let (one, end) = Self::of_bytes(rest)?;
                    parts.push(one);
                    rest = &rest[end..];
                }
                Self::Several(parts)
            }
            COLUMN => {
                let (key, length) = Self::of_bytes(bytes.get(end..)?)?;
                return Some((key, end + length));
            }
            _ => return None,
        };
        Some((key, end))
    }
}

/// The value of a column.
pub(super) enum HeldValue<'a> {
    Null,
    Text(&'a [u8]),
    Blob(&'a [u8]),
    Number(&'a str),
    /// A value that was not read, by its length.
    TooLarge(u64),
}

impl ColumnValue {
    pub(super) fn held(&self) -> HeldValue<'_> {
        match self {
            Self::Null => HeldValue::Null,
            Self::Text(bytes) => HeldValue::Text(bytes),
            Self::Blob(bytes) => HeldValue::Blob(bytes),
            Self::Number(text) => HeldValue::Number(text),
            Self::TooLarge(bytes) => HeldValue::TooLarge(*bytes),
        }
    }
}

impl NewValue {
    pub(super) fn held(&self) -> HeldValue<'_> {
        match self {
            Self::Null => HeldValue::Null,
            Self::Text(bytes) => HeldValue::Text(bytes),
            Self::Blob(bytes) => HeldValue::Blob(bytes),
        }
    }
}

/// The tag before the number of a column that is not the first.
const COLUMN: u8 = 11;

/// The hash of a batch, over all of its keys and values.
#[derive(Default)]
pub(super) struct BatchHash {
    rows: Xxh3,
    /// The last row as bytes: its key and value, each preceded by its length, so that different rows have different
    /// bytes.
    row: Vec<u8>,
    key: usize,
}

impl BatchHash {
    /// Adds the next row: its key and the value of its column. Returns the row's own hash.
    pub(super) fn add(&mut self, row: &TableRow, held: HeldValue) -> u64 {
        self.row.clear();
        if row.column > 0 {
            part(&mut self.row, COLUMN, &row.column.to_le_bytes());
        }
        row.key.to_bytes(&mut self.row);
        self.key = self.row.len();
        match held {
            HeldValue::Null => part(&mut self.row, 5, b""),
            HeldValue::Text(bytes) => part(&mut self.row, 6, bytes),
            HeldValue::Blob(bytes) => part(&mut self.row, 7, bytes),
            HeldValue::Number(text) => part(&mut self.row, 8, text.as_bytes()),
            HeldValue::TooLarge(bytes) => part(&mut self.row, 12, &bytes.to_le_bytes()),
        }
        let hash = xxh3_64(&self.row);
        self.rows.update(&hash.to_le_bytes());
        hash
    }

    /// The key of the last row and its column, as bytes.
    pub(super) fn key(&self) -> &[u8] {
        &self.row[..self.key]
    }

    /// 128 bits in hexadecimal.
    pub(super) fn text(&self) -> String {
        format!("{:032x}", self.rows.digest128())
    }
}

fn integer_bytes(number: i64) -> [u8; 17] {
    let mut bytes = [1, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    bytes[9..].copy_from_slice(&number.to_le_bytes());
    bytes
}

fn part(out: &mut Vec<u8>, tag: u8, bytes: &[u8]) {
    out.push(tag);
    out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    out.extend_from_slice(bytes);
}

/// The current value of the column for the new strings.
pub(super) fn held(row: &TableRow) -> HeldValue<'_> {
    row.target.as_ref().unwrap_or(&row.old).held()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_hashes() {
        let keys = [
            KeyValue::Integer(-3),
            KeyValue::Unsigned(u64::MAX),
            KeyValue::Several(vec![KeyValue::Integer(7), KeyValue::Text("a'".into()), KeyValue::Blob(vec![])]),
            KeyValue::Text("a'\u{1}".into()),
            KeyValue::Text(vec![b'a', 0xff]),
            KeyValue::Blob(vec![0, 255]),
            KeyValue::Real((-1.5_f64).to_bits()),
        ];
        let mut hashes = Vec::new();
        for key in &keys {
            assert_eq!(KeyValue::of_json(&key.to_json()).as_ref(), Some(key));
            for cell in [
                ColumnValue::Null,
                ColumnValue::Text(vec![]),
                ColumnValue::Text(b"x".to_vec()),
                ColumnValue::Blob(b"x".to_vec()),
                ColumnValue::TooLarge(5 << 20),
            ] {
                for column in [0, 3] {
                    let mut hash = BatchHash::default();
                    let row = TableRow { key: key.clone(), column, old: cell.clone(), target: None };
                    hash.add(&row, held(&row));
                    hashes.push(hash.text());
                    assert_eq!(KeyValue::of_bytes(&hash.row), Some((key.clone(), hash.key().len())));
                }
            }
        }
        let count = hashes.len();
        hashes.sort();
        hashes.dedup();
        assert_eq!(hashes.len(), count);
    }
}
