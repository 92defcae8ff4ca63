//! Lists the links that `relink` leaves unchanged, for all files together.

use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::first_rows::{FirstRows, MoreRows};
use super::streams::{Stderr, write_rows};
use crate::error::{Error, REJECT_HEADER, RejectPlace, escape};
use crate::framing::Left;
use crate::output::LazyFile;

/// The number of bytes of rows that are written at a time.
const FLUSH_BYTES: usize = 1 << 20;

/// Where the rows are written.
#[derive(Clone)]
pub(super) struct LinkRows(Arc<Mutex<LinkRowsOutput>>);

struct LinkRowsOutput {
    /// None for stderr.
    file: Option<LazyFile>,
    /// stderr, if it is a terminal.
    first: Option<FirstRows<Stderr>>,
    /// The header was written.
    header_written: bool,
}

impl LinkRows {
    pub(super) fn new(file: Option<LazyFile>, more: &MoreRows) -> Self {
        let first = io::stderr().is_terminal().then(|| FirstRows::new(Stderr, more));
        Self(Arc::new(Mutex::new(LinkRowsOutput { file, first, header_written: false })))
    }

    fn output(&self) -> MutexGuard<'_, LinkRowsOutput> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the rows of a file.
    pub(super) fn list(&self, name: &str, left: &[Left]) -> Result<(), Error> {
        let mut text = String::new();
        for one in left {
            push_row(name, one, &mut text);
            if text.len() >= FLUSH_BYTES {
                self.output().write(&text)?;
                text.clear();
            }
        }
        self.output().write(&text)
    }

    /// Returns a writer for the rows of a run, which include their header.
    pub(super) fn run_writer(&self) -> Box<dyn Write + Send> {
        Box::new(RunRows { rows: self.clone(), header_written: false })
    }

    /// Completes the list.
    pub(super) fn finish(&self) -> Result<(), Error> {
        self.output().file.take().map_or(Ok(()), LazyFile::finish)
    }
}

impl LinkRowsOutput {
    fn write(&mut self, rows: &str) -> Result<(), Error> {
        if rows.is_empty() {
            return Ok(());
        }
        let header = if self.header_written { "" } else { REJECT_HEADER };
        self.header_written = true;
        let text = format!("{header}{rows}");
        match (&mut self.file, &mut self.first) {
            (Some(file), _) => file.write(text.as_bytes()),
            (None, Some(first)) => {
                first.write_all(text.as_bytes()).map_err(|error| Error::io("<rejects>", "write", error))
            }
            (None, None) => write_rows(&text),
        }
    }
}

/// The rows of a run, which begin with their own header.
struct RunRows {
    rows: LinkRows,
    header_written: bool,
}

impl Write for RunRows {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        let rows = if self.header_written { text } else { text.strip_prefix(REJECT_HEADER).unwrap_or(text) };
        self.header_written = true;
        match self.rows.output().write(rows) {
            Ok(()) => Ok(bytes.len()),
            Err(Error::Io { source, .. }) => Err(source),
            Err(error) => Err(io::Error::other(error)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn push_row(name: &str, left: &Left, text: &mut String) {
    let Left { at, line, record, reject } = left;
    RejectPlace { input: name, line: *line, byte: Some(*at as u64) }.push_row(reject, text);
    text.push_str(&escape(record));
    text.push('\n');
}
