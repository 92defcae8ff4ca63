//! The process: what it may do, what it was started with, and how it ends.
#![expect(unsafe_code)] // Calls of C that are possible before `main` and without memory.

use std::sync::atomic::{AtomicU8, Ordering};

use rustix::process::{Resource, getrlimit};

/// The arguments. (Shells have replaced patterns by names.)
#[cfg(feature = "cli")]
pub(crate) fn arguments() -> impl Iterator<Item = std::ffi::OsString> {
    std::env::args_os()
}

/// How many files the process may have open at a time.
pub(crate) fn open_files() -> u64 {
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// The name of the processor, or of its kind if the system does not tell.
pub(crate) fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or(std::env::consts::ARCH, |(_, name)| name.trim()).to_string()
}

/// The width of the terminal that stdout is, in columns.
pub(crate) fn terminal_width() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|&columns| columns > 0)
}

static CLOSED: AtomicU8 = AtomicU8::new(0);

/// Notes which of descriptors 0, 1 and 2 are not open. May be called before `main`: only then it can be known, since Rust's
/// runtime opens `/dev/null` in place of a closed one.
pub(crate) fn note_closed_streams() {
    for fd in 0..3 {
        // SAFETY: F_GETFD takes no pointer and changes nothing. For a descriptor that is not open, it fails with EBADF.
        if unsafe { libc::fcntl(fd, libc::F_GETFD) } == -1 {
            CLOSED.fetch_or(1 << fd, Ordering::Relaxed);
        }
    }
}

/// Whether descriptor `fd` (0, 1 or 2) was closed when [`note_closed_streams`] was called.
pub(crate) fn was_closed(fd: u8) -> bool {
    CLOSED.load(Ordering::Relaxed) >> fd & 1 == 1
}

/// Makes the client of MySQL keep one buffer for the next packet. By default it keeps up to 128, each as large as the
/// values were, up to 4 MiB. It takes this number from the environment only, which can be changed safely as long as
/// there is no other thread: before `main`. The user's own number has priority.
pub(crate) fn limit_buffers_of_mysql() {
    // SAFETY: both are strings with a NUL at the end, which setenv(3) copies. The program has just begun, so no other
    // thread reads the environment. If there is no memory, nothing changes.
    unsafe { libc::setenv(c"MYSQL_ASYNC_BUFFER_POOL_CAP".as_ptr(), c"1".as_ptr(), 0) };
}

/// Whether a signal is ignored, as the parent can ask for (`nohup`).
#[cfg(feature = "cli")]
pub(super) fn is_ignored(signal: libc::c_int) -> bool {
    // SAFETY: all-zero bytes are a valid `sigaction`. Without a new action, sigaction(2) changes nothing and writes the present one.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut now) == 0 && now.sa_sigaction == libc::SIG_IGN
    }
}

/// Writes a last message to stderr and ends the process at once with exit code 2. It does not allocate, and may be called
/// while any lock is held.
pub(crate) fn end_at_once(words: &[u8]) -> ! {
    // SAFETY: write(2) reads exactly the bytes of the message, and _exit(2) ends the process at once.
    unsafe {
        libc::write(libc::STDERR_FILENO, words.as_ptr().cast(), words.len());
        libc::_exit(2)
    }
}
