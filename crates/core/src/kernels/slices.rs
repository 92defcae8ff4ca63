//! Pieces of known length out of slices whose bounds were checked at a kernel's entry. A loss of that check would panic
//! here and never reach memory: intrinsics are given references to arrays only.

/// The first `N` elements of a slice that is at least as long.
#[inline(always)]
pub(super) fn piece<T, const N: usize>(slice: &[T]) -> &[T; N] {
    slice.first_chunk().expect("checked at the kernel's entry")
}

/// The first `N` elements of a slice that is at least as long, to be written.
#[inline(always)]
pub(super) fn piece_mut<T, const N: usize>(slice: &mut [T]) -> &mut [T; N] {
    slice.first_chunk_mut().expect("checked at the kernel's entry")
}

/// The first `N` pieces of `M` in a slice that is at least as long.
#[inline(always)]
pub(super) fn pieces<T, const M: usize, const N: usize>(slice: &[T]) -> &[[T; M]; N] {
    slice.as_chunks().0.first_chunk().expect("checked at the kernel's entry")
}

/// The first `N` pieces of `M` in a slice that is at least as long, to be written.
#[inline(always)]
pub(super) fn pieces_mut<T, const M: usize, const N: usize>(slice: &mut [T]) -> &mut [[T; M]; N] {
    slice.as_chunks_mut().0.first_chunk_mut().expect("checked at the kernel's entry")
}

/// The cells at which vectors of 16 begin that cover a board; the last one begins earlier, so that it ends with the board,
/// unless that has less than 16.
#[inline(always)]
pub(super) fn vector_starts(cells: usize) -> impl Iterator<Item = usize> {
    (0..cells).step_by(16).map(move |cell| cell.min(cells.saturating_sub(16)))
}
