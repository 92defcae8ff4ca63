//! What differs between operating systems: memory for new arrays, in large pages where there are any.

#![allow(unsafe_code)] // gives the system advice about memory that was allocated here

/// The number of bytes from which the advice is useful.
#[cfg(target_os = "linux")]
const LARGE: usize = 4 << 20;

/// Allocates zeros. Writing new strings spends much of its time on pages that are touched for the first time, so the
/// system is asked for large pages.
pub(crate) fn zeroed<T: Default + Copy>(len: usize) -> Vec<T> {
    // The memory comes from the system, which provides zeros, and costs no time before it is written.
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
    // SAFETY: this call accesses no memory.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    let Ok(page @ 1..) = usize::try_from(page) else { return };
    let first = start.next_multiple_of(page);
    let skipped = first - start;
    // SAFETY: the pages from `first` on are completely inside `memory`, which is allocated. The size of pages does not
    // change their contents. A system that does not know the advice ignores it.
    unsafe {
        let first = memory.as_ptr().cast_mut().cast::<libc::c_void>().byte_add(skipped);
        libc::madvise(first, (bytes - skipped) / page * page, libc::MADV_HUGEPAGE);
    }
}
