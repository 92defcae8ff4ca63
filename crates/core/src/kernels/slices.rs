//! Arrays of known length in slices whose bounds were checked at a kernel's entry. If that check were missing, these
//! functions would panic before any memory is accessed: intrinsics only get references to arrays.

/// Returns the first `N` elements of a slice that is at least that long.
#[inline(always)]
pub(super) fn piece<T, const N: usize>(slice: &[T]) -> &[T; N] {
    slice.first_chunk().expect("checked at the kernel's entry")
}

/// Returns the first `N` elements of a slice that is at least that long, for writing.
#[inline(always)]
pub(super) fn piece_mut<T, const N: usize>(slice: &mut [T]) -> &mut [T; N] {
    slice.first_chunk_mut().expect("checked at the kernel's entry")
}

/// Returns the first `N` arrays of `M` elements in a slice that is at least that long.
#[inline(always)]
pub(super) fn pieces<T, const M: usize, const N: usize>(slice: &[T]) -> &[[T; M]; N] {
    slice.as_chunks().0.first_chunk().expect("checked at the kernel's entry")
}

/// Returns the first `N` arrays of `M` elements in a slice that is at least that long, for writing.
#[inline(always)]
pub(super) fn pieces_mut<T, const M: usize, const N: usize>(slice: &mut [T]) -> &mut [[T; M]; N] {
    slice.as_chunks_mut().0.first_chunk_mut().expect("checked at the kernel's entry")
}

/// Returns the start cells of the vectors of 16 that cover a board. The last one begins earlier, so that it ends with
/// the board, unless the board has fewer than 16 cells.
#[inline(always)]
pub(super) fn vector_starts(cells: usize) -> impl Iterator<Item = usize> {
    (0..cells).step_by(16).map(move |cell| cell.min(cells.saturating_sub(16)))
}

/// Calls `find` for each block of 64 bytes of a text, with its offset, its bytes, and one bit for each byte that
/// belongs to the text. The last block is padded with zeros.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn find_blocks(text: &[u8], mut find: impl FnMut(u32, &[u8; 64], u64)) {
    let (blocks, rest) = text.as_chunks();
    blocks.iter().zip(0..).for_each(|(block, number)| find(64 * number, block, u64::MAX));
    if !rest.is_empty() {
        let mut last = [0; 64];
        last[..rest.len()].copy_from_slice(rest);
        find((text.len() - rest.len()) as u32, &last, super::all_bits(rest.len()));
    }
}

/// Writes the positions of the set bits of a block, and returns their number. Positions are always written in pairs:
/// writing one that does not exist costs less than checking whether there is one more.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn push_positions(base: u32, mut found: u64, out: &mut [u32]) -> usize {
    let count = found.count_ones() as usize;
    for out in out.as_chunks_mut::<2>().0 {
        for out in out {
            *out = base.wrapping_add(found.trailing_zeros());
            found &= found.wrapping_sub(1);
        }
        if found == 0 {
            break;
        }
    }
    count
}
