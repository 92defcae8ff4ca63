//! `relink` of files that are too large to be held in memory: they are looked through, and read again where something changes.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::line_diff::LineDiff;
use crate::engine::{Convert, RejectsTo};
use crate::error::Error;
use crate::framing::Links;
use crate::output::{Output, Target};
use crate::source::{Input, Reading, is_archive};

/// Bytes from which on a file is large.
pub(super) const LARGE: u64 = 2 << 20;

/// Bytes of text that are taken at a time: links that cannot be rewritten take many times as much.
const PART: usize = 128 << 10;

/// What links a text has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) rewritten: u64,
    pub(super) kept: u64,
    pub(super) left: u64,
}

/// Whether a file is text to its end, and no archive.
pub(super) fn is_text(path: &Path) -> Result<bool, Error> {
    let fail = |action| move |error| Error::io(path, action, error);
    let mut file = File::open(path).map_err(fail("open"))?;
    let (mut part, mut first) = (vec![0; PART], true);
    loop {
        let read = match file.read(&mut part) {
            Ok(0) => return Ok(true),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(fail("read")(error)),
        };
        let archive = first && is_archive(&part[..read]);
        if archive || first && part.starts_with(b"%PDF") || memchr::memchr(0, &part[..read]).is_some() {
            return Ok(false);
        }
        first = false;
    }
}

/// The first bytes of a file.
pub(super) fn beginning(path: &Path) -> Result<Vec<u8>, Error> {
    let mut first = Vec::new();
    let read = File::open(path).and_then(|file| file.take(64).read_to_end(&mut first));
    read.map_err(|error| Error::io(path, "read", error))?;
    Ok(first)
}

/// Looks through a file. Links that cannot be rewritten are listed where `rows` says.
pub(super) fn look(path: &Path, plan: Links, rows: RejectsTo) -> Result<Seen, Error> {
    rewritten(path, plan, Box::new(io::sink()), rows)
}

/// Puts the new text in the place of a file, if it is still what it was when it was looked through.
pub(super) fn replace(path: &Path, plan: Links, seen: Seen) -> Result<(), Error> {
    let output = Arc::new(Mutex::new(Some(Output::replacing(path, true)?)));
    let now = rewritten(path, plan, Box::new(Shared(Arc::clone(&output))), RejectsTo::Nowhere)?;
    if now != seen {
        return Err(Error::file(path, "was changed while it was being read; run again"));
    }
    let output = output.lock().unwrap_or_else(PoisonError::into_inner).take();
    output.map_or(Ok(()), Output::finish)
}

/// Writes what would change, as `patch` takes it. The name is as it is shown.
pub(super) fn diff(path: &Path, name: &str, plan: Links, out: impl Write + Send + 'static) -> Result<(), Error> {
    let old = File::open(path).map_err(|error| Error::io(path, "open", error))?;
    let diff = Arc::new(Mutex::new(LineDiff::new(name, BufReader::new(old), out)));
    rewritten(path, plan, Box::new(Diff(Arc::clone(&diff))), RejectsTo::Nowhere)?;
    let done = diff.lock().unwrap_or_else(PoisonError::into_inner).finish();
    done.map_err(|error| Error::io(path, "compare", error))
}

fn rewritten(path: &Path, plan: Links, writer: Box<dyn Write + Send>, rows: RejectsTo) -> Result<Seen, Error> {
    let name = path.display().to_string();
    let run = Convert::new(Target::Writer { name, writer }).input(Input::File(path.to_path_buf()));
    let run = run.reading(Reading::Read).chunk_size(PART).framing(Box::new(plan)).rejects(rows);
    let counts = run.run()?.counts;
    let (left, kept) = (counts.rejected, counts.kept);
    Ok(Seen { rewritten: counts.records - left - kept, kept, left })
}

/// The output, for a run.
struct Shared(Arc<Mutex<Option<Output>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match output.as_mut().map_or(Ok(()), |output| output.write(bytes)) {
            Ok(()) => Ok(bytes.len()),
            Err(Error::Io { source, .. }) => Err(source),
            Err(error) => Err(io::Error::other(error)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The diff, for a run.
struct Diff<W>(Arc<Mutex<LineDiff<BufReader<File>, W>>>);

impl<W: Write> Write for Diff<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
