//! Raw bytes: one input, read in order, with a buffer to look ahead.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::error::Error;
use crate::platform::{append_at, append_from, wait_for_bytes, widen};

/// Bytes that are read ahead for a decoder.
const AHEAD: usize = 128 * 1024;
/// How long a reader of an idle pipe sleeps before it checks whether the run was stopped.
const PATIENCE: Duration = Duration::from_millis(100);

/// Where bytes come from.
pub(super) enum Bytes {
    /// A pipe, a device, or a file of unknown length.
    Stream(File),
    /// The part of a regular file from `position` to `end`, its length when it was opened.
    Regular {
        /// The file.
        file: Arc<File>,
        /// The next byte.
        position: u64,
        /// The length of the file when it was opened.
        end: u64,
    },
    /// A reader of the caller.
    Reader(Box<dyn Read + Send>),
}

/// State that all inputs of a source share.
#[derive(Default)]
pub(super) struct Shared {
    /// Raw bytes read from all inputs.
    pub(super) taken: AtomicU64,
    /// Bytes of text returned so far.
    pub(super) text: AtomicU64,
    /// Inputs that were UTF-16 so far.
    pub(super) utf16: AtomicU64,
    /// Whether the source was stopped.
    pub(super) stopped: AtomicBool,
}

/// One input, read in order.
pub(super) struct Raw {
    path: PathBuf,
    bytes: Bytes,
    shared: Arc<Shared>,
    ahead: Vec<u8>,
    start: usize,
    scratch: Vec<u8>,
    /// Bytes taken so far, not counting those that were read ahead.
    position: u64,
    ended: bool,
}

impl Raw {
    pub(super) fn new(path: PathBuf, bytes: Bytes, shared: Arc<Shared>) -> Self {
        if let Bytes::Stream(file) = &bytes {
            // Fewer and larger reads.
            widen(file);
        }
        Self { path, bytes, shared, ahead: Vec::new(), start: 0, scratch: Vec::new(), position: 0, ended: false }
    }

    /// The input's name, for messages.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The offset of the next byte in the raw input.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// The bytes that were read ahead.
    pub(super) fn ahead(&self) -> &[u8] {
        &self.ahead[self.start..]
    }

    /// Reads ahead until there are at least `count` bytes, or the input ends.
    pub(super) fn fill(&mut self, count: usize) -> Result<&[u8], Error> {
        while self.ahead().len() < count && !self.ended {
            self.ahead.drain(..self.start);
            self.start = 0;
            let want = AHEAD.max(count) - self.ahead.len();
            let mut ahead = std::mem::take(&mut self.ahead);
            let got = self.receive(&mut ahead, want);
            self.ahead = ahead;
            got?;
        }
        Ok(self.ahead())
    }

    /// Takes `count` of the bytes that were read ahead.
    pub(super) fn take_ahead(&mut self, count: usize) {
        let count = count.min(self.ahead().len());
        self.start += count;
        self.position += count as u64;
    }

    /// Appends up to `want` bytes to `buffer`, as many as one read gives. Returns their number, which is 0 at the end.
    pub(super) fn append(&mut self, buffer: &mut Vec<u8>, want: usize) -> Result<usize, Error> {
        let ready = self.ahead().len().min(want);
        if ready > 0 {
            buffer.extend_from_slice(&self.ahead[self.start..self.start + ready]);
            self.take_ahead(ready);
            return Ok(ready);
        }
        let got = self.receive(buffer, want)?;
        self.position += got as u64;
        Ok(got)
    }

    /// Appends `count` bytes to `buffer`, or all that remain. The caller has checked `count` against a limit.
    pub(super) fn append_all(&mut self, buffer: &mut Vec<u8>, count: usize) -> Result<usize, Error> {
        let mut got = 0;
        while got < count {
            match self.append(buffer, count - got)? {
                0 => break,
                n => got += n,
            }
        }
        Ok(got)
    }

    /// Whether a read would return without waiting. Unknown for a reader of the caller, so true.
    pub(super) fn ready(&self) -> bool {
        match &self.bytes {
            _ if self.ended || !self.ahead().is_empty() => true,
            Bytes::Stream(file) => wait_for_bytes(file, Some(Duration::ZERO)).unwrap_or(true),
            _ => true,
        }
    }

    /// Reads once from the system, up to `want` bytes to the end of `buffer`.
    fn receive(&mut self, buffer: &mut Vec<u8>, want: usize) -> Result<usize, Error> {
        if self.ended || want == 0 {
            return Ok(0);
        }
        let before = buffer.len();
        let got = match &mut self.bytes {
            Bytes::Stream(file) => receive_stream(file, buffer, want, &self.shared.stopped),
            Bytes::Regular { file, position, end } => {
                let want = usize::try_from(*end - *position).unwrap_or(usize::MAX).min(want);
                let got = retry(|| append_at(file, buffer, want, *position));
                if let Ok(got) = got {
                    *position += got as u64;
                }
                if matches!(got, Ok(0)) && want > 0 {
                    buffer.truncate(before);
                    return Err(shrank(&self.path, *position));
                }
                got
            }
            Bytes::Reader(reader) => {
                // Reads into a buffer that is zeroed once, since the reader may give any small part of it at a time.
                if self.scratch.is_empty() {
                    self.scratch = vec![0; AHEAD];
                }
                let scratch = &mut self.scratch[..want.min(AHEAD)];
                let got = retry(|| reader.read(scratch));
                if let Ok(got) = got {
                    buffer.extend_from_slice(&scratch[..got.min(scratch.len())]);
                }
                got
            }
        };
        let got = got.map_err(|e| Error::Io { path: self.path.clone(), action: "read", source: e });
        buffer.truncate(before + got.as_ref().map_or(0, |&got| got.min(want)));
        let got = got?;
        self.ended |= got == 0;
        self.shared.taken.fetch_add(got as u64, Ordering::Relaxed);
        Ok(got)
    }
}

/// The error for a regular file that ended early, at `position`.
pub(super) fn shrank(path: &Path, position: u64) -> Error {
    Error::file(
        path,
        format!("became shorter while it was being read (byte {position}); run again when nothing is changing it"),
    )
}

/// Repeats a system call that a signal interrupted.
pub(super) fn retry<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// Reads once from a stream. Sleeps while there is nothing to read, but wakes up if the source is stopped; the stream
/// then appears to end, which does no harm since its chunks are not used any more.
fn receive_stream(file: &File, buffer: &mut Vec<u8>, want: usize, stopped: &AtomicBool) -> io::Result<usize> {
    loop {
        while !wait_for_bytes(file, Some(PATIENCE))? {
            if stopped.load(Ordering::Relaxed) {
                return Ok(0);
            }
        }
        if let Some(got) = append_from(file, buffer, want)? {
            return Ok(got);
        }
    }
}

/// For decoders that want a reader. An [`Error`] is passed on inside an [`io::Error`]; see [`unwrap_error`].
impl Read for Raw {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let ready = self.fill_buf()?;
        let count = ready.len().min(buffer.len());
        buffer[..count].copy_from_slice(&ready[..count]);
        self.take_ahead(count);
        Ok(count)
    }
}

impl BufRead for Raw {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.fill(1).map_err(io::Error::other)
    }

    fn consume(&mut self, count: usize) {
        self.take_ahead(count);
    }
}

/// The [`Error`] inside a decoder's error, if [`Raw`] caused it.
pub(super) fn unwrap_error(error: io::Error) -> Result<Error, io::Error> {
    if error.get_ref().is_some_and(|inner| inner.is::<Error>()) {
        if let Some(Ok(inner)) = error.into_inner().map(|inner| inner.downcast::<Error>()) {
            return Ok(*inner);
        }
        return Err(io::ErrorKind::Other.into());
    }
    Err(error)
}
