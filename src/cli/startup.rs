//! Which standard streams were closed when the program started.
//!
//! Before `main`, Rust's runtime opens `/dev/null` in the place of a closed standard stream, so that no other file gets its
//! number. Output would then vanish without a word, and only code that runs before the runtime can tell; this is the one
//! place outside `kernels/` and `source/mapped.rs` with `unsafe`.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicU8, Ordering};

static CLOSED: AtomicU8 = AtomicU8::new(0);

/// Notes which of descriptors 0, 1 and 2 are not open.
extern "C" fn look() {
    for fd in 0..3 {
        // SAFETY: F_GETFD takes no pointer and changes nothing; for a descriptor that is not open it fails with EBADF.
        if unsafe { libc::fcntl(fd, libc::F_GETFD) } == -1 {
            CLOSED.fetch_or(1 << fd, Ordering::Relaxed);
        }
    }
}

// SAFETY: the sections are lists of C functions without parameters that matter, called once before `main`; `look` calls
// only fcntl and an atomic, neither of which needs Rust's runtime.
#[used]
#[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
#[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
static LOOK: extern "C" fn() = look;

/// Whether descriptor `fd` (0, 1 or 2) was closed when the program started.
pub(super) fn was_closed(fd: u8) -> bool {
    CLOSED.load(Ordering::Relaxed) >> fd & 1 == 1
}
