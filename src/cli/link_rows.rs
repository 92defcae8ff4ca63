//! Lists the links that `relink` leaves unchanged, for all files together.

use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::first_rows::{FirstRows, MoreRows};
use super::streams::{Stderr, write_rows};
use crate::engine::RejectsTo;
use crate::error::{Error, Refused, RejectPlace, RejectRows};
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
    rows: RejectRows,
}

impl LinkRows {
    pub(super) fn new(file: Option<LazyFile>, more: &MoreRows) -> Self {
        let first = io::stderr().is_terminal().then(|| FirstRows::new(Stderr, more));
        Self(Arc::new(Mutex::new(LinkRowsOutput { file, first, rows: RejectRows::default() })))
    }

    fn output(&self) -> MutexGuard<'_, LinkRowsOutput> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the rows of a file.
    pub(super) fn list(&self, name: &str, left: &[Refused]) -> Result<(), Error> {
        let (mut output, mut text) = (self.output(), String::new());
        for one in left {
            let place = RejectPlace { input: name, line: one.line + 1, byte: Some(one.at as u64) };
            text.extend(output.rows.row(place, one));
            if text.len() >= FLUSH_BYTES {
                output.write(&text)?;
                text.clear();
            }
        }
        output.write(&text)
    }

    /// Where the rows of a run go, which follow those of the files before.
    pub(super) fn of_run(&self) -> RejectsTo {
        let is_first = self.output().rows.is_first();
        let writer = Box::new(RunRows(self.clone()));
        if is_first { RejectsTo::Writer(writer) } else { RejectsTo::Rest(writer) }
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
        match (&mut self.file, &mut self.first) {
            (Some(file), _) => file.write(rows.as_bytes()),
            (None, Some(first)) => {
                first.write_all(rows.as_bytes()).map_err(|error| Error::io("<rejects>", "write", error))
            }
            (None, None) => write_rows(rows),
        }
    }
}

/// The rows of a run.
struct RunRows(LinkRows);

impl Write for RunRows {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let rows = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        let mut output = self.0.output();
        output.rows.begin();
        match output.write(rows) {
            Ok(()) => Ok(bytes.len()),
            Err(Error::Io { source, .. }) => Err(source),
            Err(error) => Err(io::Error::other(error)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
