//! Reads the binary format of COPY.

use std::io::BufRead;

use postgres::Client;

use super::messages::{interference, message};
use crate::error::escape;
use crate::migrate::{ColumnValue, Interference, PAGE};

/// The end of the rows.
const END: [u8; 2] = [0xff, 0xff];

/// The start of the format. Flags and the length of an extension follow.
const SIGNATURE: &[u8] = b"PGCOPY\n\xff\r\n\0";

/// The output of COPY.
#[derive(Debug, Default)]
pub(super) struct CopyOutput {
    /// Rows in COPY's format.
    pub(super) text: Vec<u8>,
    /// Whether there were more rows than this, which were thrown away.
    pub(super) is_cut: bool,
}

/// The data is not in COPY's format.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Broken;

/// Rows and their fields.
pub(super) struct Copied<'t> {
    rest: &'t [u8],
}

impl<'t> Copied<'t> {
    pub(super) fn of(text: &'t [u8]) -> Result<Self, Broken> {
        let mut this = Self { rest: text.strip_prefix(SIGNATURE).ok_or(Broken)? };
        this.take::<4>()?;
        let skipped = i32::from_be_bytes(this.take()?);
        this.bytes(skipped)?;
        Ok(this)
    }

    /// Moves to the next row. Returns whether there is one.
    pub(super) fn next_row(&mut self) -> Result<bool, Broken> {
        Ok(i16::from_be_bytes(self.take()?) >= 0)
    }

    /// The next field; `None` for NULL.
    pub(super) fn next_field(&mut self) -> Result<Option<&'t [u8]>, Broken> {
        match i32::from_be_bytes(self.take()?) {
            -1 => Ok(None),
            length => self.bytes(length).map(Some),
        }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Broken> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(Broken)?;
        self.rest = rest;
        Ok(*taken)
    }

    fn bytes(&mut self, length: i32) -> Result<&'t [u8], Broken> {
        let length = usize::try_from(length).map_err(|_| Broken)?;
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(Broken)?;
        self.rest = rest;
        Ok(taken)
    }
}

/// The value of a field. `length` is that of a value that is too large, of type `int4`.
pub(super) fn cell(field: Option<&[u8]>, length: Option<&[u8]>, is_bytes: bool) -> Result<ColumnValue, Broken> {
    Ok(match (field, length) {
        (None, None) => ColumnValue::Null,
        (Some(bytes), _) if is_bytes => ColumnValue::Blob(bytes.to_vec()),
        (Some(bytes), _) => ColumnValue::Text(bytes.to_vec()),
        (None, Some(length)) => {
            ColumnValue::TooLarge(u32::from_be_bytes(length.try_into().map_err(|_| Broken)?).into())
        }
    })
}

/// A field of type `int8` in decimal.
pub(super) fn decimal(field: &[u8]) -> Result<Vec<u8>, Broken> {
    let number = i64::from_be_bytes(field.try_into().map_err(|_| Broken)?);
    Ok(number.to_string().into_bytes())
}

/// Runs COPY and stores its output up to the row with which it has [`PAGE`] bytes or more. An error has the message, and
/// the interference that caused it, if any.
pub(super) fn copied(
    client: &mut Client,
    sql: &str,
    CopyOutput { text, is_cut }: &mut CopyOutput,
) -> Result<(), (String, Option<Interference>)> {
    text.clear();
    *is_cut = false;
    let said = |error: &postgres::Error| (message(error), interference(error));
    let mut reader = client.copy_out(sql).map_err(|error| said(&error))?;
    loop {
        let error = match reader.fill_buf() {
            Ok([]) => {
                if *is_cut {
                    text.extend_from_slice(&END);
                }
                return Ok(());
            }
            Ok(message) => {
                // Each message of a server is a row, apart from the end.
                let is_row = *message != END;
                if text.len() < PAGE || !is_row && !*is_cut {
                    text.extend_from_slice(message);
                } else {
                    *is_cut |= is_row;
                }
                let length = message.len();
                reader.consume(length);
                continue;
            }
            Err(error) => error,
        };
        return Err(match error.get_ref().and_then(|inner| inner.downcast_ref::<postgres::Error>()) {
            Some(error) => said(error),
            None => (escape(error.to_string().as_bytes()), None),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_fields() {
        let text =
            [SIGNATURE, b"\0\0\0\0", b"\0\0\0\x01x", b"\0\x02\0\0\0\x02ab\xff\xff\xff\xff", b"\0\0", b"\xff\xff"]
                .concat();
        let all = |text: &[u8]| {
            let mut copied = Copied::of(text)?;
            let mut found = Vec::new();
            assert!(copied.next_row()?);
            for _ in 0..2 {
                found.push(copied.next_field()?.map(<[u8]>::to_vec));
            }
            assert!(copied.next_row()?);
            assert!(!copied.next_row()?);
            Ok::<_, Broken>(found)
        };
        assert_eq!(all(&text), Ok(vec![Some(b"ab".to_vec()), None]));
        for end in 0..text.len() {
            assert_eq!(all(&text[..end]), Err(Broken), "{end}");
        }
    }
}
