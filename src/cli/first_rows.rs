//! Shows the first reject rows on a terminal, and says how many more there were.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::print_stderr;
use crate::amounts::grouped;

/// The number of rows that are shown.
const SHOWN: u64 = 20;

/// Passes on the header and the first rows, and counts the others.
pub(super) struct FirstRows<W> {
    to: W,
    /// The number of lines that were started, including the header.
    lines: u64,
    /// The start of a line was written, but not its end.
    in_line: bool,
    more: MoreRows,
}

/// The number of rows that were not shown.
#[derive(Debug, Clone, Default)]
pub(super) struct MoreRows {
    count: Arc<AtomicU64>,
    /// Another output goes to stdout, so that the rows cannot.
    stdout_is_taken: bool,
}

impl<W: Write> FirstRows<W> {
    pub(super) fn new(to: W, more: &MoreRows) -> Self {
        Self { to, lines: 0, in_line: false, more: more.clone() }
    }
}

impl MoreRows {
    /// Sets whether another output goes to stdout. To be called when all outputs are claimed.
    pub(super) fn stdout_is_taken(self, stdout_is_taken: bool) -> Self {
        Self { stdout_is_taken, ..self }
    }

    /// Prints the number of rows that were not shown, if there are any, and the flag that gives them all.
    pub(super) fn print_count(&self) {
        let more = self.count.load(Ordering::Relaxed);
        let flags = match self.stdout_is_taken {
            true => "--rejects FILE keeps them all",
            false => "'--rejects -' shows them all, --rejects FILE keeps them",
        };
        if more > 0 {
            print_stderr(&format!("... and {} more; {flags}", grouped(more)));
        }
    }
}

impl<W: Write> Write for FirstRows<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut shown = 0;
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let begins = !std::mem::replace(&mut self.in_line, !line.ends_with(b"\n"));
            self.lines += u64::from(begins);
            if self.lines <= SHOWN + 1 {
                shown += line.len();
            } else if begins {
                self.more.count.fetch_add(1, Ordering::Relaxed);
            }
        }
        self.to.write_all(&bytes[..shown]).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_twenty_however_they_are_written() {
        let text: String = (0..50).map(|row| format!("row {row}\n")).collect();
        let expected: String = text.split_inclusive('\n').take(21).collect();
        for part in [1, 7, 100, 1000] {
            let (mut out, more) = (Vec::new(), MoreRows::default());
            let mut rows = FirstRows::new(&mut out, &more);
            text.as_bytes().chunks(part).for_each(|part| rows.write_all(part).expect("memory"));
            assert_eq!(
                (String::from_utf8_lossy(&out).as_ref(), more.count.load(Ordering::Relaxed)),
                (expected.as_str(), 29)
            );
        }
    }
}
