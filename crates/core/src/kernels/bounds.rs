//! Checks the bounds of a batch once, at a kernel's entry, so that the code after it cannot go out of bounds.

use crate::kernels::{Pairs, SLACK, Texts};

/// Checks a batch to be decoded: it has at most 64 records of `width` bytes inside the text, and a row of codes for
/// each.
pub(super) fn check_decode(texts: Texts, width: usize, codes: &[u16], row: usize) {
    assert!(texts.starts.len() <= 64, "a batch has at most 64 records");
    let last = texts.starts.iter().fold(0, |last, &start| last.max(start)) as usize;
    assert!(texts.starts.is_empty() || last + width <= texts.bytes.len(), "a record ends after the text");
    assert!(codes.len() >= texts.starts.len() * row, "fewer rows of codes than records");
}

/// Checks a batch to be encoded: it has at most 64 rows, and the output has `pitch` bytes for each record of `width`
/// bytes, with slack after the last one.
pub(super) fn check_encode(codes: &[u16], row: usize, width: usize, out: &[u8], pitch: usize) {
    let rows = codes.len() / row;
    assert!(rows <= 64, "a batch has at most 64 records");
    assert!(pitch >= width, "records overlap");
    assert!(rows == 0 || (rows - 1) * pitch + width + SLACK <= out.len(), "the output has no slack after the records");
}

/// Checks a batch to be rewritten: its records of `width` bytes are inside the text, and the output has `pitch` bytes
/// for each of them, with slack after the last one.
#[cfg(target_arch = "x86_64")] // NEON does not rewrite
pub(super) fn check_rewrite(texts: Texts, width: usize, out: &[u8], pitch: usize) {
    check_decode(texts, width, &[], 0);
    assert!(pitch >= width, "records overlap");
    let rows = texts.starts.len();
    assert!(rows == 0 || (rows - 1) * pitch + width + SLACK <= out.len(), "the output has no slack after the records");
}

/// Checks a text to be searched: the output has room for every byte of it, and for the positions that are written too
/// far.
#[cfg(target_arch = "x86_64")] // NEON searches as the scalar kernel does
pub(super) fn check_find(text: &[u8], out: &[u32]) {
    assert!(u32::try_from(text.len()).is_ok() && out.len() >= text.len() + SLACK, "no room for all that may be found");
}

/// Checks the dimensions of base-36 pairs, on which the kernels rely.
pub(super) fn check_pairs(pairs: Pairs) {
    assert!((1..=81).contains(&pairs.cells) && pairs.max <= 1295, "no body of base-36 pairs: {pairs:?}");
    assert!(pairs.row == pairs.cells.next_multiple_of(32), "rows are padded to a multiple of 32 cells: {pairs:?}");
}
