//! Refused rows, however many: in a file without a name that ends with the run.

use std::fs::File;
use std::ops::Range;
use std::sync::Arc;

use super::journal::Rejected;
use crate::error::Error;
use crate::platform::{read_exact_at, write_all_at};

/// How many bytes are kept in memory before they are written to the file, and how many are read at a time.
const BUFFER: usize = 1 << 20;

/// Refused rows in the order in which they were found.
#[derive(Debug, Default)]
pub struct RejectedRows {
    rows: u64,
    /// Created only if there are many.
    file: Option<Arc<File>>,
    /// The number of bytes in the file, and those still to be written there.
    written: u64,
    buffer: Vec<u8>,
}

impl RejectedRows {
    /// The number of rows.
    pub fn len(&self) -> u64 {
        self.rows
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Calls `each` for the rows in order, until it fails.
    ///
    /// # Errors
    /// The error of `each`, or the rows could not be read back.
    pub fn each(&self, each: impl FnMut(Rejected) -> Result<(), Error>) -> Result<(), Error> {
        self.between(0..self.end(), each)
    }

    /// Like [`RejectedRows::each`], from one position to a later one.
    pub(super) fn between(
        &self,
        range: Range<u64>,
        mut each: impl FnMut(Rejected) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (mut at, mut part) = (range.start, Vec::new());
        while at < range.end {
            self.read(at, range.end, &mut part)?;
            let whole = memchr::memrchr(b'\n', &part).map_or(0, |last| last + 1);
            if whole == 0 {
                return Err(Error::Internal("refused rows that were noted cannot be read".into()));
            }
            for line in part[..whole].split_inclusive(|&byte| byte == b'\n') {
                let one = serde_json::from_slice(line);
                each(one.map_err(|error| Error::Internal(format!("a refused row that was noted: {error}")))?)?;
            }
            at += whole as u64;
        }
        Ok(())
    }

    /// Reads from `at` on at least one complete row.
    fn read(&self, at: u64, end: u64, part: &mut Vec<u8>) -> Result<(), Error> {
        part.clear();
        if at >= self.written {
            part.extend_from_slice(&self.buffer[(at - self.written) as usize..(end - self.written) as usize]);
            return Ok(());
        }
        let (end, mut want) = (end.min(self.written), BUFFER);
        while memchr::memchr(b'\n', part).is_none() {
            part.resize((want as u64).min(end - at) as usize, 0);
            if let Some(file) = &self.file {
                read_exact_at(file, part, at).map_err(|error| io("read", error))?;
            }
            if part.len() as u64 == end - at {
                break;
            }
            want *= 2;
        }
        Ok(())
    }

    /// The position of the next row.
    pub(super) fn end(&self) -> u64 {
        self.written + self.buffer.len() as u64
    }

    /// Adds a row.
    pub(super) fn push(&mut self, one: &Rejected) -> Result<(), Error> {
        let noted = serde_json::to_writer(&mut self.buffer, one);
        noted.map_err(|error| Error::Internal(format!("a refused row: {error}")))?;
        self.buffer.push(b'\n');
        self.rows += 1;
        if self.buffer.len() < BUFFER {
            return Ok(());
        }
        let file = match self.file.take() {
            Some(file) => file,
            None => Arc::new(tempfile::tempfile().map_err(|error| io("make", error))?),
        };
        write_all_at(&file, &self.buffer, self.written).map_err(|error| io("write", error))?;
        self.file = Some(file);
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// The same rows, for reading.
    pub(super) fn shared(&self) -> Self {
        let Self { rows, ref file, written, ref buffer } = *self;
        Self { rows, file: file.clone(), written, buffer: buffer.clone() }
    }
}

fn io(action: &'static str, error: std::io::Error) -> Error {
    Error::io(std::env::temp_dir().join("(a file for refused rows)"), action, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_back_in_order_wherever_they_are() {
        let one = |n: u64, long: usize| Rejected {
            key: n.to_string(),
            column: None,
            cell: "-".into(),
            code: "length".into(),
            message: "x".repeat(long),
            record: String::new(),
        };
        for long in [1, 1000, 3 << 20] {
            let mut rows = RejectedRows::default();
            let count = if long > 1000 { 4 } else { 5000 };
            let mut middle = 0;
            for n in 0..count {
                if n == 2 {
                    middle = rows.end();
                }
                rows.push(&one(n, long)).expect("room");
            }
            let mut next = 0;
            let check = |row: Rejected, next: &mut u64| {
                assert_eq!(row, one(*next, long));
                *next += 1;
                Ok(())
            };
            rows.shared().each(|row| check(row, &mut next)).expect("all");
            assert_eq!((next, rows.len()), (count, count));
            next = 2;
            rows.between(middle..rows.end(), |row| check(row, &mut next)).expect("the rest");
            assert_eq!(next, count);
        }
    }
}
