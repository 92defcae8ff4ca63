//! `relink` for files that are too large for memory: they are searched first, and read again if something changes.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::line_diff::LineDiff;
use crate::engine::{Convert, RejectsTo};
use crate::error::Error;
use crate::framing::Links;
use crate::output::{LazyFile, Output, Target};
use crate::platform::{FileFacts, open_stdin};
use crate::source::open::Stamp;
use crate::source::{Input, Reading, foreign, is_archive};

/// The number of bytes from which a file is large.
pub(super) const LARGE: u64 = 2 << 20;

/// The number of bytes of text that are processed at a time. Links that cannot be rewritten take many times as much
/// memory.
const CHUNK_BYTES: usize = 128 << 10;

/// The links that were found in a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct LinkCounts {
    pub(super) rewritten: u64,
    pub(super) kept: u64,
    pub(super) left: u64,
}

/// Returns the first bytes of stdin, up to `length`, and stdin with all of its bytes.
pub(super) fn begin_of_stdin(length: usize) -> anyhow::Result<(Vec<u8>, Input)> {
    let mut first = Vec::new();
    if let Ok(stdin) = open_stdin()
        && FileFacts::of(&stdin).is_ok_and(|facts| facts.is_file())
    {
        // The duplicate has the same position as stdin.
        let at = (&stdin).stream_position();
        let read = at.and_then(|at| {
            (&stdin).take(length as u64).read_to_end(&mut first)?;
            (&stdin).seek(SeekFrom::Start(at))
        });
        read.map_err(|error| Error::io("<stdin>", "read", error))?;
        return Ok((first, Input::Stdin));
    }
    let read = io::stdin().lock().take(length as u64).read_to_end(&mut first);
    read.map_err(|error| Error::io("<stdin>", "read", error))?;
    let reader = Box::new(Cursor::new(first.clone()).chain(io::stdin()));
    Ok((first, Input::Reader { name: "<stdin>".into(), reader }))
}

/// Copies stdin, which may be a reader in its stead.
pub(super) fn copy(input: Input, output: Option<LazyFile>) -> Result<(), Error> {
    let mut reader: Box<dyn Read> = match input {
        Input::Reader { reader, .. } => reader,
        _ => Box::new(io::stdin()),
    };
    let Some(mut output) = output else { return Ok(()) };
    let mut part = vec![0; CHUNK_BYTES];
    loop {
        match reader.read(&mut part) {
            Ok(0) => return output.finish(),
            Ok(read) => output.write(&part[..read])?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::io("<stdin>", "read", error)),
        }
    }
}

/// Whether a file is text to its end, and not an archive.
pub(super) fn is_text(path: &Path) -> Result<bool, Error> {
    let fail = |action| move |error| Error::io(path, action, error);
    let mut file = File::open(path).map_err(fail("open"))?;
    let (mut part, mut first) = (vec![0; CHUNK_BYTES], true);
    loop {
        let read = match file.read(&mut part) {
            Ok(0) => return Ok(true),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(fail("read")(error)),
        };
        let archive = first && (is_archive(&part[..read]) || foreign(&part[..read]).is_some());
        if archive || first && part.starts_with(b"%PDF") || memchr::memchr(0, &part[..read]).is_some() {
            return Ok(false);
        }
        first = false;
    }
}

/// Returns the first bytes of a file.
pub(super) fn first_bytes(path: &Path) -> Result<Vec<u8>, Error> {
    let mut first = Vec::new();
    let read = File::open(path).and_then(|file| file.take(512).read_to_end(&mut first));
    read.map_err(|error| Error::io(path, "read", error))?;
    Ok(first)
}

/// Searches a file for links. Lists the links that cannot be rewritten in `rows`.
pub(super) fn search(path: &Path, plan: Links, rows: RejectsTo) -> Result<LinkCounts, Error> {
    rewritten(path, plan, Box::new(io::sink()), rows)
}

/// The state of a file, by which later changes are noticed.
pub(super) fn stamp(path: &Path) -> Result<Stamp, Error> {
    Stamp::at(path).map_err(|error| Error::io(path, "examine", error))
}

/// Replaces a file by the new text, if neither its links nor its state have changed since it was searched.
pub(super) fn replace(path: &Path, plan: Links, seen: (Stamp, LinkCounts)) -> Result<(), Error> {
    let output = Arc::new(Mutex::new(Some(Output::replacing(path, true)?)));
    let now = rewritten(path, plan, Box::new(SharedOutput(Arc::clone(&output))), RejectsTo::Nowhere)?;
    let Some(mut output) = output.lock().unwrap_or_else(PoisonError::into_inner).take() else { return Ok(()) };
    // This takes longest, so it comes before the last look at the file.
    output.sync()?;
    if (stamp(path)?, now) != seen {
        return Err(Error::file(path, "was changed while it was being read; run again"));
    }
    output.finish()
}

/// Writes the changes in the form that `patch` takes. `name` is already safe to print.
pub(super) fn diff(path: &Path, name: &str, plan: Links, out: impl Write + Send + 'static) -> Result<(), Error> {
    let old = File::open(path).map_err(|error| Error::io(path, "open", error))?;
    let diff = Arc::new(Mutex::new(LineDiff::new(name, BufReader::new(old), out)));
    rewritten(path, plan, Box::new(Diff(Arc::clone(&diff))), RejectsTo::Nowhere)?;
    let done = diff.lock().unwrap_or_else(PoisonError::into_inner).finish();
    done.map_err(|error| Error::io(path, "compare", error))
}

fn rewritten(path: &Path, plan: Links, writer: Box<dyn Write + Send>, rows: RejectsTo) -> Result<LinkCounts, Error> {
    let name = path.display().to_string();
    let run = Convert::new(Target::Writer { name, writer }).input(Input::File(path.to_path_buf()));
    let run = run.reading(Reading::Read).chunk_size(CHUNK_BYTES).framing(Box::new(plan)).rejects(rows);
    let counts = run.run()?.counts;
    let (left, kept) = (counts.rejected, counts.kept);
    Ok(LinkCounts { rewritten: counts.records - left - kept, kept, left })
}

/// The output, shared with a run.
struct SharedOutput(Arc<Mutex<Option<Output>>>);

impl Write for SharedOutput {
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

/// The diff, shared with a run.
struct Diff<W>(Arc<Mutex<LineDiff<BufReader<File>, W>>>);

impl<W: Write> Write for Diff<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
