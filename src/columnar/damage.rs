//! What damaged files must not do: panics of the crates that read them, and memory for what is not there.

use std::cell::Cell;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static IS_READING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread reads data that may be damaged. If so, a panic is an error of the file and not of the program.
#[doc(hidden)]
pub fn is_reading() -> bool {
    IS_READING.get()
}

/// Calls `read`, and returns `None` if it panics: the crates check most of what a file states, but not all. After that,
/// what it has used must not be used any more.
pub(super) fn catch<T>(read: impl FnOnce() -> T) -> Option<T> {
    let before = IS_READING.replace(true);
    let done = catch_unwind(AssertUnwindSafe(read));
    IS_READING.set(before);
    done.ok()
}

/// How many times as long as its compressed bytes data may say to be before it is decompressed once to see.
const MAX_RATIO: u64 = 256;

/// The logarithm of zstd's largest window.
const MAX_WINDOW: u32 = if usize::BITS == 64 { 31 } else { 30 };

/// Data of this length is not decompressed for that.
const SMALL: u64 = 1 << 20;

/// Whether data that says to be so long compared with its compressed bytes may be believed.
pub(super) fn is_usual(compressed: u64, length: u64) -> bool {
    length <= SMALL + compressed.saturating_mul(MAX_RATIO)
}

/// Whether a reader gives exactly this many bytes. They are not kept.
pub(super) fn gives(reader: impl Read, length: u64) -> bool {
    io::copy(&mut reader.take(length.saturating_add(1)), &mut io::sink()).is_ok_and(|given| given == length)
}

/// Whether zstd gives exactly this many bytes. They are not kept.
pub(super) fn zstd_gives(compressed: &[u8], length: u64) -> bool {
    let Ok(mut data) = zstd::stream::read::Decoder::with_buffer(compressed) else { return false };
    // All that zstd can write.
    data.window_log_max(MAX_WINDOW).is_ok() && gives(data, length)
}
