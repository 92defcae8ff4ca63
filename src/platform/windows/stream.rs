//! Streams: the standard ones, and pipes, which may be empty for a while.
#![expect(unsafe_code)] // consoles and pipes, for which there is only the Windows API

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::windows::io::{AsHandle, AsRawHandle};
use std::path::Path;
use std::time::{Duration, Instant};

use windows_sys::Win32::Foundation::ERROR_PIPE_NOT_CONNECTED;
use windows_sys::Win32::Storage::FileSystem::{FILE_TYPE_PIPE, GetFileType};
use windows_sys::Win32::System::Console::{GetConsoleMode, WriteConsoleW};
use windows_sys::Win32::System::Pipes::PeekNamedPipe;

use crate::platform::shared::OutputStream;

/// The most bytes that are written to a console at a time.
const LINE: usize = 8 << 10;
/// How often an empty pipe is looked at without a pause, and the pause after that.
const LOOKS: u32 = 50;
const PAUSE: Duration = Duration::from_millis(1);

/// The key that ends what is typed.
pub(crate) const END_OF_TYPING: &str = "Ctrl-Z and Enter";

/// stdin as a file of its own, with the same position.
pub(crate) fn open_stdin() -> io::Result<File> {
    io::stdin().as_handle().try_clone_to_owned().map(File::from)
}

impl OutputStream {
    /// The stream that a path stands for: none has a path here.
    pub(crate) fn named(_: &Path) -> Option<Self> {
        None
    }

    /// The stream as a file of its own, with the same position.
    pub(crate) fn open(self) -> io::Result<File> {
        let duplicate = match self {
            Self::Stdout => io::stdout().as_handle().try_clone_to_owned(),
            Self::Stderr => io::stderr().as_handle().try_clone_to_owned(),
        };
        duplicate.map(File::from)
    }

    /// Writes some bytes without a buffer, and returns how many. To write everything, the caller continues after them.
    pub(crate) fn write(self, bytes: &[u8]) -> io::Result<usize> {
        write(&self.open()?, bytes)
    }
}

/// Whether the names in `folder` are those of open files: there is no such folder here.
pub(crate) fn holds_descriptors(_: &Path) -> bool {
    false
}

/// Writes some bytes, and returns how many.
fn write(mut stream: &File, bytes: &[u8]) -> io::Result<usize> {
    if is_console(stream) {
        return write_to_console(stream, bytes);
    }
    stream.write(bytes).map_err(|error| match error.raw_os_error() {
        // The reader of a pipe is gone. The standard library knows the other two errors of that (109, 232).
        Some(code) if code == ERROR_PIPE_NOT_CONNECTED.cast_signed() => io::ErrorKind::BrokenPipe.into(),
        _ => error,
    })
}

/// Writes everything.
pub(crate) fn write_all(stream: &File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match write(stream, bytes)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            written => bytes = &bytes[written..],
        }
    }
    Ok(())
}

fn is_console(stream: &File) -> bool {
    let mut mode = 0;
    // SAFETY: the handle is open while `stream` is borrowed; the answer is a number.
    unsafe { GetConsoleMode(stream.as_raw_handle(), &raw mut mode) != 0 }
}

/// Writes UTF-8 to a console, whatever its code page. What is no UTF-8 becomes U+FFFD.
fn write_to_console(console: &File, bytes: &[u8]) -> io::Result<usize> {
    let (text, length) = first_text(bytes);
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut done = 0;
    while done < units.len() {
        let mut written = 0;
        let rest = &units[done..];
        // SAFETY: the handle is open while `console` is borrowed, and the system reads exactly the units of `rest`.
        let said = unsafe {
            WriteConsoleW(console.as_raw_handle(), rest.as_ptr(), rest.len() as u32, &raw mut written, std::ptr::null())
        };
        if said == 0 {
            return Err(io::Error::last_os_error());
        }
        done += written as usize;
    }
    Ok(length)
}

/// The text at the begin of some bytes, and how many of them it is: the longest part that is UTF-8, or one replacement for what
/// is not.
fn first_text(bytes: &[u8]) -> (&str, usize) {
    let bytes = &bytes[..bytes.len().min(LINE)];
    match std::str::from_utf8(bytes) {
        Ok(text) => (text, bytes.len()),
        Err(error) => match std::str::from_utf8(&bytes[..error.valid_up_to()]) {
            Ok("") | Err(_) => ("\u{fffd}", error.error_len().unwrap_or(bytes.len())),
            Ok(text) => (text, text.len()),
        },
    }
}

/// Pipes have the size that their maker gave them.
pub(crate) fn widen(_: &File) {}

/// Waits until `stream` has bytes or has ended. Returns false after the timeout. Only pipes are waited for: others are read at
/// once, and their reading waits.
pub(crate) fn wait_for_bytes(stream: &File, timeout: Option<Duration>) -> io::Result<bool> {
    // SAFETY: the handle is open while `stream` is borrowed.
    if unsafe { GetFileType(stream.as_raw_handle()) } != FILE_TYPE_PIPE {
        return Ok(true);
    }
    let end = timeout.map(|timeout| Instant::now() + timeout);
    let mut looks = 0;
    loop {
        let mut there = 0;
        let null = std::ptr::null_mut();
        // SAFETY: the handle is open while `stream` is borrowed. Only the number of bytes is asked for.
        let known = unsafe { PeekNamedPipe(stream.as_raw_handle(), null, 0, null.cast(), &raw mut there, null.cast()) };
        // A pipe that cannot be asked has ended, or says why when it is read.
        if known == 0 || there > 0 {
            return Ok(true);
        }
        if end.is_some_and(|end| Instant::now() >= end) {
            return Ok(false);
        }
        looks += 1;
        match looks < LOOKS {
            true => std::thread::yield_now(),
            false => std::thread::sleep(PAUSE),
        }
    }
}

/// Reads once from a stream, up to `want` bytes to the end of `buffer`. `None` if there is nothing to read yet.
pub(crate) fn append_from(mut stream: &File, buffer: &mut Vec<u8>, want: usize) -> io::Result<Option<usize>> {
    let before = buffer.len();
    buffer.reserve_exact(want);
    buffer.resize(before + want, 0);
    // Ctrl-C ends a call that reads from a console as if the input had ended. The standard library knows that.
    let got = match is_console(stream) {
        true => io::stdin().lock().read(&mut buffer[before..]),
        false => stream.read(&mut buffer[before..]),
    };
    buffer.truncate(before + got.as_ref().map_or(0, |&got| got));
    match got {
        Err(error) if error.raw_os_error() == Some(ERROR_PIPE_NOT_CONNECTED.cast_signed()) => Ok(Some(0)),
        Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(None),
        got => got.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_between_characters() {
        assert_eq!(first_text(b"abc"), ("abc", 3));
        assert_eq!(first_text("é\u{ff}".as_bytes()), ("éÿ", 4));
        assert_eq!(first_text(b"a\xc3"), ("a", 1));
        assert_eq!(first_text(b"\xc3"), ("\u{fffd}", 1));
        assert_eq!(first_text(b"\xffab"), ("\u{fffd}", 1));
        let long = "é".repeat(LINE);
        assert_eq!(first_text(long.as_bytes()).1, LINE);
    }
}
