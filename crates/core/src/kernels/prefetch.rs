//! Text that is needed soon.
#![allow(unsafe_code)] // the intrinsic

/// How far ahead, in bytes. A batch of 64 lines is 10 KB, and the first that is asked of a batch is where its lines end:
/// at steps that the hardware does not foresee, in a file that may not be in any cache. With this the wait for it hides
/// behind the work on the batch before (mapped v1 to v2: a fifth of the time; 5,000 is too late, from 20,000 it slowly
/// gets worse). Asking for whole batches at once between them won half as much: the few buffers for such requests fill up.
const AHEAD: usize = 14_000;

/// Asks for `LINES` times 64 bytes of what follows `at` in a text, some way ahead. Changes nothing but the time that reading
/// them will take; they may well be past the end of the text.
#[inline(always)]
pub(super) fn prefetch<const LINES: usize>(text: &[u8], at: u32) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..LINES {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let place = text.as_ptr().wrapping_add(at as usize + AHEAD + 64 * line);
        // SAFETY: the instruction (SSE, which every x86-64 has) neither reads nor writes what the program can see, and
        // faults at no address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (text, at);
}
