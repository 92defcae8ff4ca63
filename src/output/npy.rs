//! Boards as a NumPy array file: each line of digits that is written becomes one board of the array.
//!
//! The format is described at <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>. The header
//! states the number of rows, so it is written last, over a placeholder.

use crate::error::Error;

/// Length of the header in bytes. It is fixed, so that the placeholder can be overwritten.
pub(super) const HEADER: usize = 128;

/// Magic bytes and version 1.0 of the format.
const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";

/// An array that is being written.
#[derive(Debug)]
pub(super) struct NpyEncoder {
    /// Boards in each row.
    boards: usize,
    /// Cells of a board, once the first line is complete.
    cells: usize,
    /// Cells of the current line so far, and complete lines.
    cell: usize,
    lines: u64,
    /// Encoded bytes of the last call of [`NpyEncoder::encode`].
    bytes: Vec<u8>,
}

impl NpyEncoder {
    /// An array with `boards` boards in each row. If that is one, the array has no dimension for them.
    pub(super) fn new(boards: usize) -> Self {
        Self { boards, cells: 0, cell: 0, lines: 0, bytes: Vec::new() }
    }

    /// Encodes more text, which may begin and end anywhere in a line.
    pub(super) fn encode(&mut self, text: &[u8]) -> Result<&[u8], Error> {
        self.bytes.clear();
        for &byte in text {
            let digit = match byte {
                b'\n' => {
                    self.end_line()?;
                    continue;
                }
                b'.' => 0,
                b'1'..=b'9' => byte - b'0',
                b'A'..=b'Z' => byte - b'A' + 10,
                _ => return Err(Error::Internal(format!("{byte} among the digits of an array"))),
            };
            self.bytes.push(digit);
            self.cell += 1;
        }
        Ok(&self.bytes)
    }

    fn end_line(&mut self) -> Result<(), Error> {
        if self.lines == 0 {
            self.cells = self.cell;
        }
        if self.cell != self.cells {
            let words = format!(
                "an array needs boards of one size, but after boards of {} cells there is one of {}; convert each size to its own file",
                self.cells, self.cell
            );
            return Err(Error::Usage(words));
        }
        (self.lines, self.cell) = (self.lines + 1, 0);
        Ok(())
    }

    /// Length of the file so far, header included.
    pub(super) fn length(&self) -> u64 {
        HEADER as u64 + self.lines * self.cells as u64 + self.cell as u64
    }

    /// The header of the finished array.
    pub(super) fn header(&self) -> Result<[u8; HEADER], Error> {
        let boards = self.boards.max(1) as u64;
        // No board says how many cells one has; an empty array needs some number.
        let cells = if self.lines == 0 { 81 } else { self.cells };
        if self.cell > 0 || !self.lines.is_multiple_of(boards) {
            return Err(Error::Internal(format!("{} boards are no rows of {boards}", self.lines)));
        }
        let rows = self.lines / boards;
        let shape = if boards == 1 { format!("({rows}, {cells})") } else { format!("({rows}, {boards}, {cells})") };
        let text = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}, }}");
        let mut header = [b' '; HEADER];
        let (start, room) = header.split_at_mut(MAGIC.len() + 2);
        start[..MAGIC.len()].copy_from_slice(MAGIC);
        start[MAGIC.len()..].copy_from_slice(&(room.len() as u16).to_le_bytes());
        room[..text.len()].copy_from_slice(text.as_bytes());
        header[HEADER - 1] = b'\n';
        Ok(header)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_rows_wherever_they_are_cut() {
        let text = b"12.\n..A\n987\n...\n";
        for cut in 0..text.len() {
            let mut array = NpyEncoder::new(2);
            let mut bytes = array.encode(&text[..cut]).expect("digits").to_vec();
            bytes.extend_from_slice(array.encode(&text[cut..]).expect("digits"));
            assert_eq!(bytes, [1, 2, 0, 0, 0, 10, 9, 8, 7, 0, 0, 0]);
            assert_eq!(array.length(), (HEADER + bytes.len()) as u64);
            let header = array.header().expect("whole rows");
            assert!(header.starts_with(
                b"\x93NUMPY\x01\x00\x76\x00{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2, 3), }  "
            ));
            assert_eq!(header[HEADER - 1], b'\n');
        }
        let mut array = NpyEncoder::new(2);
        assert!(array.encode(b"123\n").is_ok() && array.header().is_err());
        assert!(array.encode(b"1234\n").is_err());
        assert!(NpyEncoder::new(1).encode(b"1?\n").is_err());
        let none = String::from_utf8_lossy(&NpyEncoder::new(1).header().expect("nothing")).into_owned();
        assert!(none.contains("'shape': (0, 81), "));
    }
}
