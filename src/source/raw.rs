//! Bytes as they come: one input, read in order, with what has been looked at and not yet taken.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, pread, read};

use crate::error::Error;

/// Bytes that are read ahead of a decoder.
const AHEAD: usize = 128 * 1024;
/// How long a reader of an idle pipe sleeps before it looks whether the run was stopped.
const PATIENCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// Where bytes come from.
pub(super) enum Bytes {
    /// A pipe, a device, or a file that does not say how long it is.
    Stream(File),
    /// A regular file from `position` to `end`, which was its length when it was opened.
    Regular {
        /// The file.
        file: Arc<File>,
        /// The next byte.
        position: u64,
        /// Where it ended when it was opened.
        end: u64,
    },
    /// Somebody's reader.
    Reader(Box<dyn Read + Send>),
}

/// What all inputs of a source share.
#[derive(Default)]
pub(super) struct Shared {
    /// Raw bytes taken from all inputs.
    pub(super) taken: AtomicU64,
    /// Text bytes handed over.
    pub(super) text: AtomicU64,
    /// No further chunks.
    pub(super) stopped: AtomicBool,
}

/// One input, in order.
pub(super) struct Raw {
    path: PathBuf,
    bytes: Bytes,
    shared: Arc<Shared>,
    ahead: Vec<u8>,
    start: usize,
    scratch: Vec<u8>,
    /// Bytes taken so far; with what is read ahead, the position in the input.
    position: u64,
    ended: bool,
}

impl Raw {
    pub(super) fn new(path: PathBuf, bytes: Bytes, shared: Arc<Shared>) -> Self {
        if let Bytes::Stream(file) = &bytes {
            // Fewer and larger reads; the limit for a user is 1 MiB by default. Not a pipe, or over a limit: as it was.
            let _ = rustix::pipe::fcntl_setpipe_size(file, 1 << 20);
        }
        Self { path, bytes, shared, ahead: Vec::new(), start: 0, scratch: Vec::new(), position: 0, ended: false }
    }

    /// The input's name, for messages.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The next byte's offset in the raw input.
    #[cfg(any(feature = "gzip", feature = "zstd"))]
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// What has been read ahead.
    pub(super) fn ahead(&self) -> &[u8] {
        &self.ahead[self.start..]
    }

    /// Reads ahead until there are `count` bytes (or more), or the end.
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

    /// Passes over `count` bytes that were read ahead.
    pub(super) fn take_ahead(&mut self, count: usize) {
        let count = count.min(self.ahead().len());
        self.start += count;
        self.position += count as u64;
    }

    /// Appends up to `want` bytes to `buffer`, as many as one read gives. 0 is the end.
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

    /// Appends exactly `count` bytes to `buffer`, or all there are. The caller has checked `count` against a cap.
    #[cfg(feature = "zstd")]
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

    /// Whether bytes, or the end, can be had without waiting. Of somebody's reader this is not known, so yes.
    pub(super) fn ready(&self) -> bool {
        match &self.bytes {
            _ if self.ended || !self.ahead().is_empty() => true,
            Bytes::Stream(file) => wait(file, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).unwrap_or(true),
            _ => true,
        }
    }

    /// One read from outside, up to `want` bytes at the end of `buffer`.
    fn receive(&mut self, buffer: &mut Vec<u8>, want: usize) -> Result<usize, Error> {
        if self.ended || want == 0 {
            return Ok(0);
        }
        let before = buffer.len();
        let got = match &mut self.bytes {
            Bytes::Stream(file) => receive_stream(file, buffer, want, &self.shared.stopped),
            Bytes::Regular { file, position, end } => {
                let want = usize::try_from(*end - *position).unwrap_or(usize::MAX).min(want);
                let got = retry(|| Ok(read_at(file, buffer, want, *position)?));
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
                // By way of a buffer that is zeroed once: nobody knows how little the reader gives at a time.
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

/// The error of a regular file that ended at `position`, before its end.
pub(super) fn shrank(path: &Path, position: u64) -> Error {
    Error::file(
        path,
        format!("became shorter while it was being read (byte {position}); run again when nothing is changing it"),
    )
}

/// Repeats a call that a signal interrupted.
pub(super) fn retry<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// Waits until `file` has bytes or has ended; false if the time was over before.
fn wait(file: &File, timeout: Option<&Timespec>) -> io::Result<bool> {
    let mut fds = [PollFd::new(file, PollFlags::IN)];
    match poll(&mut fds, timeout) {
        Ok(count) => Ok(count > 0),
        Err(Errno::INTR) => Ok(false),
        Err(e) => Err(e.into()),
    }
}

/// One read of a regular file, up to `want` bytes at the end of `buffer`.
fn read_at(file: &File, buffer: &mut Vec<u8>, want: usize, position: u64) -> Result<usize, Errno> {
    let before = buffer.len();
    buffer.reserve_exact(want);
    // Reading into spare capacity saves the zeroing. It may give more than was asked for, which is read again.
    if buffer.capacity() - before > 2 * want {
        buffer.resize(before + want, 0);
        let got = pread(file, &mut buffer[before..], position);
        // Nothing else is left there: after an interruption this is called again.
        buffer.truncate(before + got.unwrap_or(0));
        return got;
    }
    Ok(pread(file, spare_capacity(buffer), position)?.min(want))
}

/// One read of a stream. Sleeps while there is nothing, but not through a stop: then the stream just ends, and nobody
/// asks for what it gave.
fn receive_stream(file: &File, buffer: &mut Vec<u8>, want: usize, stopped: &AtomicBool) -> io::Result<usize> {
    let before = buffer.len();
    buffer.reserve_exact(want);
    // Reading into spare capacity saves the zeroing, but could give more than was asked for.
    let exact = buffer.capacity() - before == want;
    if !exact {
        buffer.resize(before + want, 0);
    }
    loop {
        while !wait(file, Some(&PATIENCE))? {
            if stopped.load(Ordering::Relaxed) {
                return Ok(0);
            }
        }
        let got = if exact { read(file, spare_capacity(buffer)) } else { read(file, &mut buffer[before..]) };
        match got {
            Err(Errno::INTR | Errno::AGAIN) => {}
            other => return other.map_err(io::Error::from),
        }
    }
}

/// For decoders that want a reader. An [`Error`] travels inside the [`io::Error`]; see [`unwrap_error`].
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

/// The error that [`Raw`] gave to a decoder, if the decoder's error is one of those.
#[cfg(feature = "gzip")]
pub(super) fn unwrap_error(error: io::Error) -> Result<Error, io::Error> {
    if error.get_ref().is_some_and(|inner| inner.is::<Error>()) {
        if let Some(Ok(inner)) = error.into_inner().map(|inner| inner.downcast::<Error>()) {
            return Ok(*inner);
        }
        return Err(io::ErrorKind::Other.into());
    }
    Err(error)
}
