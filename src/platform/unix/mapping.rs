//! Memory-mapped files, and the handler for the fault that occurs when such a file is truncated while it is read.
#![expect(unsafe_code)] // Mapping a file and answering the fault of a file cut short cannot be said in safe Rust.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use crate::error::{Error, shown_path};

/// How many mappings the handler can know at a time. A source has one input open at a time, and each worker one chunk
/// of an earlier input, so this is more than enough. If there is no free entry, the file is not mapped.
const MAPPINGS: usize = 64;

struct Region {
    /// Address of the mapping; 0 for a free entry. Stored last when an entry is filled and cleared first when it is
    /// freed.
    start: AtomicUsize,
    length: AtomicUsize,
    /// The message for stderr, NUL-terminated; owned by the [`Mapping`].
    message: AtomicPtr<libc::c_char>,
}

static REGIONS: [Region; MAPPINGS] = [const {
    Region { start: AtomicUsize::new(0), length: AtomicUsize::new(0), message: AtomicPtr::new(ptr::null_mut()) }
}; MAPPINGS];
/// The function to call before a fault ends the program: a `fn()`, or null.
static BEFORE: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

/// An entry that is reserved but not filled yet; never the address of a mapping.
const TAKEN: usize = usize::MAX;

/// The bytes of a file, from 0 to its length when it was mapped.
pub(crate) struct Mapping {
    bytes: memmap2::Mmap,
    place: usize,
    /// Read by the handler through `REGIONS`; dropped only after the entry is freed.
    _message: CString,
}

impl Mapping {
    /// Maps the first `length` bytes of `file`, which has at least as many.
    ///
    /// # Errors
    /// The system's answer: the file cannot be mapped, or too many mappings are alive.
    pub(crate) fn new(file: &File, length: usize, path: &Path) -> io::Result<Self> {
        // SAFETY: the mapping is private to this type, read-only and at least as long as `length`, so no code here
        // writes to it. Another process may change the file meanwhile, which no reader can prevent: the bytes are only
        // ever looked at as bytes, every value of which is valid input, and nothing that was learnt from them is
        // trusted for memory safety afterwards. A file cut short raises SIGBUS, which the program turns into an error
        // (`install_fault_handler`); users of the library who cannot exclude it read with `Reading::Read`.
        let bytes = unsafe { memmap2::MmapOptions::new().len(length).map(file)? };
        // Only a hint; the mapping works without.
        let _ = bytes.advise(memmap2::Advice::Sequential);
        let message = message(path);
        let place = register(bytes.as_ptr() as usize, bytes.len(), &message)
            .ok_or_else(|| io::Error::other("too many files are mapped at once"))?;
        Ok(Self { bytes, place, _message: message })
    }
}

impl Mapping {
    /// Asks for the pages of a range to be mapped at once instead of a few at each fault, which takes a fifth of the
    /// time. Only a hint.
    pub(crate) fn expect(&self, start: usize, end: usize) {
        if start >= end {
            return;
        }
        #[cfg(target_os = "linux")]
        let _ = self.bytes.advise_range(memmap2::Advice::PopulateRead, start, end - start);
        #[cfg(not(target_os = "linux"))]
        let _ = (start, end);
    }
}

impl Deref for Mapping {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        REGIONS[self.place].start.store(0, Ordering::SeqCst);
    }
}

fn message(path: &Path) -> CString {
    let line = format!(
        "gridmill: {}: became shorter while it was being read; the output file was not written. Run again when nothing is changing \
         the input, or read it with --no-mmap\n",
        shown_path(path)
    );
    // `escape` leaves no control bytes, so there is no NUL to fail on.
    CString::new(line).unwrap_or_default()
}

fn register(start: usize, length: usize, message: &CStr) -> Option<usize> {
    let place =
        REGIONS.iter().position(|r| r.start.compare_exchange(0, TAKEN, Ordering::SeqCst, Ordering::SeqCst).is_ok())?;
    REGIONS[place].length.store(length, Ordering::SeqCst);
    REGIONS[place].message.store(message.as_ptr().cast_mut(), Ordering::SeqCst);
    REGIONS[place].start.store(start, Ordering::SeqCst);
    Some(place)
}

/// Turns the fault of a mapped input that was truncated into one line on stderr and exit code 2. Any other fault, and
/// an abort, end the program as usual. `before` is called first in all of these cases. It may only do what a signal
/// handler may do: it must not wait for a lock or allocate. Also makes a write beyond the shell's limit for files
/// (`ulimit -f`) return an error instead of raising a signal.
///
/// For a program that has no handlers of its own for SIGBUS, SIGABRT and SIGXFSZ; a library must not call this.
///
/// # Errors
/// The system refused the handler.
pub fn install_fault_handler(before: fn()) -> Result<(), Error> {
    BEFORE.store(before as *mut (), Ordering::SeqCst);
    // SAFETY: all-zero bytes are a valid `sigaction` (no flags, empty mask, default handler); every field that matters is
    // set below. `fault` and `aborted` have the signature that SA_SIGINFO asks for and call only async-signal-safe functions.
    let (bus, abort, size) = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = fault as extern "C" fn(_, _, _) as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        libc::sigemptyset(&raw mut action.sa_mask);
        let bus = libc::sigaction(libc::SIGBUS, &raw const action, ptr::null_mut());
        action.sa_sigaction = aborted as extern "C" fn(_, _, _) as usize;
        let abort = libc::sigaction(libc::SIGABRT, &raw const action, ptr::null_mut());
        (bus, abort, libc::signal(libc::SIGXFSZ, libc::SIG_IGN))
    };
    if bus != 0 || abort != 0 || size == libc::SIG_ERR {
        return Err(Error::Usage(format!(
            "the system refused a handler for SIGBUS, SIGABRT or SIGXFSZ, and nothing was done: {}; run again, and if that does \
             not help, without limits on system calls",
            io::Error::last_os_error()
        )));
    }
    Ok(())
}

/// Calls the function that was given to [`install_fault_handler`].
fn before_the_end() {
    let before = BEFORE.load(Ordering::SeqCst);
    if !before.is_null() {
        // SAFETY: only `install_fault_handler` stores something there, which is a `fn()`.
        let before = unsafe { std::mem::transmute::<*mut (), fn()>(before) };
        before();
    }
}

/// The handler of SIGABRT: lets the program end as it would have, after `before` was called.
extern "C" fn aborted(signal: libc::c_int, _info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
    before_the_end();
    end_by(signal);
}

/// Ends the program by the signal that is being handled, as without a handler.
fn end_by(signal: libc::c_int) {
    // SAFETY: signal(2) and raise(3) are async-signal-safe. The signal is blocked while its handler runs, so it is taken with its
    // default action when that returns.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

/// The handler of SIGBUS. Only atomics and async-signal-safe calls: `before`, write, _exit, signal.
extern "C" fn fault(signal: libc::c_int, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
    // SAFETY: with SA_SIGINFO the kernel passes a valid `siginfo_t`, and for SIGBUS its address field is set (0 if the
    // signal was sent by a process, which is no address of a mapping).
    let address = unsafe { (*info).si_addr() } as usize;
    before_the_end();
    let Some(region) = REGIONS.iter().find(|r| {
        let start = r.start.load(Ordering::SeqCst);
        start != 0
            && start != TAKEN
            && address.wrapping_sub(start) < r.length.load(Ordering::SeqCst).next_multiple_of(4096)
    }) else {
        end_by(signal);
        return;
    };
    let message = region.message.load(Ordering::SeqCst);
    // SAFETY: the thread that faulted was reading this mapping, so the `Mapping`, which owns the message, is alive; the
    // message is NUL-terminated. write(2), strlen(3) and _exit(2) are async-signal-safe.
    unsafe {
        libc::write(libc::STDERR_FILENO, message.cast(), libc::strlen(message));
        libc::_exit(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_mapping_shows_the_file_and_gives_its_place_back() {
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        file.write_all(b"some text\n").expect("writing");
        for _ in 0..3 * MAPPINGS {
            let mapping = Mapping::new(file.as_file(), 10, file.path()).expect("a regular file maps");
            assert_eq!(&mapping[..], b"some text\n");
        }
    }

    #[test]
    fn the_message_is_one_line_without_control_bytes() {
        let message = message(Path::new("a\n\u{1b}[2Jb"));
        let message = message.to_str().expect("UTF-8");
        assert!(message.ends_with('\n') && !message.trim_end_matches('\n').contains(|c: char| c.is_control()));
        assert!(message.contains("a\\n\\x1b[2Jb"));
    }
}
