//! Work below the level of the rest of the program: notes which standard streams were closed at the start, limits the
//! buffers of MySQL's client, and handles running out of memory.
//!
//! Before `main`, Rust's runtime opens `/dev/null` in place of a closed standard stream, so that no other file gets its
//! number. Output would then be lost silently, and only code that runs before the runtime can detect this. The list of
//! what runs then is in `main.rs`, so that only the program has it and not whoever uses the library.
#![expect(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};

use crate::output::{is_something_in_place, remove_temporaries_at_once};
use crate::platform::{self, end_at_once};

/// What the program has called before `main`. It only calls functions of C and uses an atomic, and neither needs Rust's
/// runtime.
pub extern "C" fn before_main() {
    platform::note_closed_streams();
    #[cfg(feature = "databases")]
    platform::limit_buffers_of_mysql();
}

/// The stack that commands need, also if they are not optimised (430 kB), and some more.
const STACK: usize = 512 << 10;

/// Takes the stack that commands need before they begin anything. Where memory ends (`ulimit -v`), a stack that has to grow later is a
/// crash without a message, which leaves temporary files.
#[inline(never)]
pub(super) fn take_stack() {
    let room = [0_u8; STACK];
    std::hint::black_box(&room);
}

/// The allocator of the program. It is the system's, except that the program ends with a message and exit code 2 if
/// there is no more memory. (Rust would abort with a hint at backtraces, and there is no other way to change this.)
#[derive(Debug)]
pub struct Allocator;

// SAFETY: all calls are passed on to the system's allocator unchanged, and so are its results. If it provides no
// memory, the call does not return.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's guarantees are those that this function requires.
        given(unsafe { System.alloc(layout) })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        given(unsafe { System.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        given(unsafe { System.realloc(block, layout, size) })
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

#[inline]
fn given(block: *mut u8) -> *mut u8 {
    if block.is_null() {
        end_for_memory();
    }
    block
}

/// Ends the program because the system provides no more memory. It does not allocate, and may be called while any lock
/// is held.
#[cold]
pub(super) fn end_for_memory() -> ! {
    const WORDS: &[u8] =
        b"gridmill: out of memory: the system has no more, or a limit was reached (ulimit -v); no output file was \
          put in place. Run again with fewer threads (-j 1), --no-mmap, or more memory\n";
    const SOME_IN_PLACE: &[u8] =
        b"gridmill: out of memory: the system has no more, or a limit was reached (ulimit -v); some outputs are \
          already in place: whole files, or batches of a migration. Run again with fewer threads (-j 1) or more \
          memory\n";
    const OR_DAMAGED: &[u8] =
        b"gridmill: out of memory while reading a Parquet or Arrow file: it is damaged and claims to hold more than it does, \
          or a limit was reached (ulimit -v); no output file was put in place\n";
    let words = if crate::columnar::is_reading() { OR_DAMAGED } else { WORDS };
    end_with(words, SOME_IN_PLACE)
}

/// Ends the program because the system provides no random numbers.
#[cold]
pub(super) fn end_without_randomness() -> ! {
    end_with(
        b"gridmill: the system provides no random numbers (getrandom), which hash tables need; no output file was put in \
          place. Run again, and if that does not help, without limits on system calls\n",
        b"gridmill: the system provides no random numbers (getrandom), which hash tables need; some outputs are already \
          in place: whole files, or batches of a migration. Run again, and if that does not help, without limits on \
          system calls\n",
    )
}

/// Ends the program at once with one of two messages, the second if something is in place. It does not allocate, and
/// may be called while any lock is held.
fn end_with(nothing_in_place: &[u8], some_in_place: &[u8]) -> ! {
    remove_temporaries_at_once();
    let words = if is_something_in_place() { some_in_place } else { nothing_in_place };
    end_at_once(words)
}
