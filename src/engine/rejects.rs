//! The reject file: where it goes, and its TSV rows for refused records (docs/CLI.md, "Bad records").

use std::fmt;
use std::io::Write;

use crate::error::{Error, Refused, RejectPlace, RejectRows};
use crate::output::{Claim, LazyFile, Output, RunFiles, Target};

/// Where reject rows go.
#[derive(Default)]
#[non_exhaustive]
pub enum RejectsTo {
    /// Nowhere: they are only counted.
    #[default]
    Nowhere,
    /// To an output that is opened only when there are reject rows, so that no empty file is made. If the reader closes
    /// it, the run continues.
    Lazy(Target),
    /// To a writer. If the reader closes it, the run continues.
    Writer(Box<dyn Write + Send>),
    /// To a writer that has rows of another run, and their header.
    Rest(Box<dyn Write + Send>),
    /// To an output that is the purpose of the run: if the reader closes it, the run ends with [`Error::Closed`].
    Output(Target),
}

impl fmt::Debug for RejectsTo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nowhere => f.write_str("Nowhere"),
            Self::Lazy(target) => f.debug_tuple("Lazy").field(target).finish(),
            Self::Writer(_) => f.debug_tuple("Writer").finish_non_exhaustive(),
            Self::Rest(_) => f.debug_tuple("Rest").finish_non_exhaustive(),
            Self::Output(target) => f.debug_tuple("Output").field(target).finish(),
        }
    }
}

/// The form in which refused records are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum RejectsAs {
    /// As TSV rows with place and reason.
    #[default]
    Report,
    /// Unchanged, under the header of their table, so that they can be corrected and converted again.
    Rows,
}

/// [`RejectsTo`], claimed.
pub(super) enum ClaimedRejects {
    Nowhere,
    Lazy(Claim),
    Writer(Box<dyn Write + Send>, RejectRows),
    Output(Claim),
}

impl RejectsTo {
    pub(super) fn claim(self, files: &mut RunFiles) -> Result<ClaimedRejects, Error> {
        let mut claim = |target| files.claim("the reject file", target);
        Ok(match self {
            Self::Nowhere => ClaimedRejects::Nowhere,
            Self::Lazy(target) => ClaimedRejects::Lazy(claim(target)?),
            Self::Writer(writer) => ClaimedRejects::Writer(writer, RejectRows::default()),
            Self::Rest(writer) => ClaimedRejects::Writer(writer, RejectRows::after(true)),
            Self::Output(target) => ClaimedRejects::Output(claim(target)?),
        })
    }
}

impl ClaimedRejects {
    pub(super) fn open(self, sync: bool) -> Result<Rejects, Error> {
        let mut rows = RejectRows::default();
        let to = match self {
            Self::Nowhere => RejectWriter::Nowhere,
            Self::Lazy(claim) => RejectWriter::File(Box::new(claim.open_lazily(sync)?)),
            Self::Writer(writer, after) => {
                rows = after;
                RejectWriter::Writer(writer)
            }
            Self::Output(claim) => RejectWriter::Output(Box::new(claim.open(sync)?)),
        };
        Ok(Rejects { to, rows })
    }
}

/// The reject rows of a run, which may have several passes.
#[derive(Default)]
pub(super) struct Rejects {
    to: RejectWriter,
    rows: RejectRows,
}

/// Where reject rows go, open for writing.
#[derive(Default)]
enum RejectWriter {
    #[default]
    Nowhere,
    File(Box<LazyFile>),
    Writer(Box<dyn Write + Send>),
    /// The purpose of the run: if the reader closes it, the run ends.
    Output(Box<Output>),
}

impl Rejects {
    /// Returns the output that must be put in its final place, if there is one.
    pub(super) fn into_output(self) -> Option<Output> {
        match self.to {
            RejectWriter::Nowhere | RejectWriter::Writer(_) => None,
            RejectWriter::File(file) => file.into_output(),
            RejectWriter::Output(output) => Some(*output),
        }
    }

    /// Whether these are the first rows, which need a header. After this question they are not any more.
    pub(super) fn begin(&mut self) -> bool {
        self.rows.begin()
    }
}

/// Reject rows are written whenever this many bytes have been collected.
pub(super) const FLUSH_BYTES: usize = 1 << 20;

impl Rejects {
    /// Writes reject rows of an input, each with its line from 1 and its first byte from 0.
    pub(super) fn report<'r>(
        &mut self,
        input: &str,
        rows: impl Iterator<Item = (u64, Option<u64>, &'r Refused)>,
    ) -> Result<(), Error> {
        let mut text = String::new();
        for (line, byte, one) in rows {
            for part in self.rows.row(RejectPlace { input, line, byte }, one) {
                text.push_str(&part);
                if text.len() >= FLUSH_BYTES {
                    self.write(text.as_bytes())?;
                    text.clear();
                }
            }
        }
        if text.is_empty() { Ok(()) } else { self.write(text.as_bytes()) }
    }

    /// Writes rows that are already text.
    pub(super) fn write(&mut self, text: &[u8]) -> Result<(), Error> {
        match &mut self.to {
            RejectWriter::Nowhere => Ok(()),
            RejectWriter::File(file) => unless_closed(file.write(text)),
            RejectWriter::Writer(writer) => match writer.write_all(text) {
                // If the reader has closed the pipe, the conversion continues nevertheless.
                Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
                done => done.map_err(|error| Error::io("<rejects>", "write", error)),
            },
            RejectWriter::Output(output) => output.write(text),
        }
    }

    /// Makes sure that what was written is on the disk, if it is a file beside the output.
    pub(super) fn sync(&mut self) -> Result<(), Error> {
        match &mut self.to {
            RejectWriter::Nowhere | RejectWriter::Output(_) => Ok(()),
            RejectWriter::File(file) => file.sync(),
            RejectWriter::Writer(writer) => writer.flush().map_err(|error| Error::io("<rejects>", "write", error)),
        }
    }
}

/// Ignores [`Error::Closed`] for what is written beside the output: if its reader closes it, the conversion continues.
/// In particular, this must not be mistaken for a closed output.
pub(super) fn unless_closed(done: Result<(), Error>) -> Result<(), Error> {
    match done {
        Err(Error::Closed) => Ok(()),
        done => done,
    }
}

/// Adds the first refused records of a run to `first`, up to a limit. They are used to suggest flags.
pub(super) fn remember_first(first: &mut Vec<Refused>, rows: &[Refused]) {
    let wanted = REMEMBERED.saturating_sub(first.len());
    let new = rows.iter().filter(|row| !row.warning && row.too_long.is_none()).take(wanted);
    first.extend(
        new.map(|row| Refused { record: row.record[..row.record.len().min(REMEMBERED_BYTES)].into(), ..row.clone() }),
    );
}

/// The number of refused records that a report keeps, and the bytes of each.
const REMEMBERED: usize = 40;
const REMEMBERED_BYTES: usize = 4 << 10;

/// Returns the line end that follows a record in its text, or a line feed if there is none.
pub(super) fn line_end(rest: &[u8]) -> &'static [u8] {
    if rest.starts_with(b"\r\n") { b"\r\n" } else { b"\n" }
}
