//! Streams: the standard ones, and pipes, which may be full or empty for a while.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::path::Path;
use std::time::Duration;

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read};

use crate::platform::shared::OutputStream;

/// The key that ends what is typed.
pub(crate) const END_OF_TYPING: &str = "Ctrl-D";

/// stdin as a file of its own, with the same position.
pub(crate) fn open_stdin() -> io::Result<File> {
    io::stdin().as_fd().try_clone_to_owned().map(File::from)
}

impl OutputStream {
    /// The stream that a path stands for.
    pub(crate) fn named(path: &Path) -> Option<Self> {
        match path.to_str() {
            Some("/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1") => Some(Self::Stdout),
            Some("/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2") => Some(Self::Stderr),
            _ => None,
        }
    }

    /// The stream as a file of its own, with the same position.
    pub(crate) fn open(self) -> io::Result<File> {
        let duplicate = match self {
            Self::Stdout => io::stdout().as_fd().try_clone_to_owned(),
            Self::Stderr => io::stderr().as_fd().try_clone_to_owned(),
        };
        duplicate.map(File::from)
    }

    /// Writes some bytes without a buffer, and returns how many. To write everything, the caller continues after them.
    pub(crate) fn write(self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout => write(io::stdout(), bytes),
            Self::Stderr => write(io::stderr(), bytes),
        }
    }
}

/// Whether the names in `folder` are those of open files: it is `/proc/PID/fd` or that of a thread, or `/dev/fd`, which is a
/// folder of its own on macOS.
pub(crate) fn holds_descriptors(folder: &Path) -> bool {
    folder.starts_with("/proc") && folder.ends_with("fd") || folder == Path::new("/dev/fd")
}

/// Writes some bytes, and returns how many. Waits while a non-blocking pipe is full.
pub(crate) fn write(stream: impl AsFd, bytes: &[u8]) -> io::Result<usize> {
    loop {
        match rustix::io::write(&stream, bytes) {
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => match poll(&mut [PollFd::new(&stream, PollFlags::OUT)], None) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            },
            done => return Ok(done?),
        }
    }
}

/// Writes everything. Waits while a non-blocking pipe is full.
pub(crate) fn write_all(stream: &File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match write(stream, bytes)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            written => bytes = &bytes[written..],
        }
    }
    Ok(())
}

/// Enlarges the buffer of a pipe, so that reader and writer wait less for each other. Does nothing to other files, or
/// beyond the user's limit (1 MiB by default).
pub(crate) fn widen(pipe: &File) {
    #[cfg(target_os = "linux")]
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, 1 << 20);
    #[cfg(not(target_os = "linux"))]
    let _ = pipe;
}

/// Waits until `stream` has bytes or has ended. Returns false after the timeout, or after an interruption.
pub(crate) fn wait_for_bytes(stream: impl AsFd, timeout: Option<Duration>) -> io::Result<bool> {
    let timeout =
        timeout.map(|time| Timespec { tv_sec: time.as_secs().cast_signed(), tv_nsec: i64::from(time.subsec_nanos()) });
    match poll(&mut [PollFd::new(&stream, PollFlags::IN)], timeout.as_ref()) {
        Ok(count) => Ok(count > 0),
        Err(Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Reads once from a stream, up to `want` bytes to the end of `buffer`. `None` if
/// there is nothing to read yet, or after an interruption.
pub(crate) fn append_from(stream: &File, buffer: &mut Vec<u8>, want: usize) -> io::Result<Option<usize>> {
    let before = buffer.len();
    buffer.reserve_exact(want);
    // Reading into spare capacity saves zeroing it, but could give more than was asked for.
    let got = if buffer.capacity() - before == want {
        read(stream, spare_capacity(buffer))
    } else {
        buffer.resize(before + want, 0);
        read(stream, &mut buffer[before..])
    };
    match got {
        Ok(got) => {
            buffer.truncate(before + got);
            Ok(Some(got))
        }
        Err(error) => {
            buffer.truncate(before);
            match error {
                Errno::INTR | Errno::AGAIN => Ok(None),
                error => Err(error.into()),
            }
        }
    }
}
