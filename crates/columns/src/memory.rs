//! Memory for what is about to be written.

#![allow(unsafe_code)] // a word to the system about memory of one's own

/// Bytes from which it is worth a word.
#[cfg(target_os = "linux")]
const LARGE: usize = 4 << 20;

/// So many zeros. Much of the time that new strings take is that of pages which are touched for the first time: the system is asked for large
/// ones.
pub(crate) fn zeroed<T: Default + Copy>(len: usize) -> Vec<T> {
    // It is the system's, which has zeros, and takes no time before it is written.
    let memory = vec![T::default(); len];
    #[cfg(target_os = "linux")]
    ask_for_large_pages(&memory);
    memory
}

#[cfg(target_os = "linux")]
fn ask_for_large_pages<T>(memory: &[T]) {
    let (start, bytes) = (memory.as_ptr().addr(), size_of_val(memory));
    if bytes < LARGE || cfg!(miri) {
        return;
    }
    // SAFETY: no memory is touched.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    let Ok(page @ 1..) = usize::try_from(page) else { return };
    let first = start.next_multiple_of(page);
    let skipped = first - start;
    // SAFETY: the whole pages from the first on are part of `memory`, which is there. How large the pages are changes nothing of what is
    // in them. Where the system does not know the advice, it is no worse than before.
    unsafe {
        let first = memory.as_ptr().cast_mut().cast::<libc::c_void>().byte_add(skipped);
        libc::madvise(first, (bytes - skipped) / page * page, libc::MADV_HUGEPAGE);
    }
}
