//! Decodes the boards of a batch together. Checking each record separately takes a seventh of the time, and nearly all
//! batches are good, so a batch is first checked as a whole.

use crate::kernels::bounds::check_decode;
use crate::kernels::{Decoded, ROW9, Texts};

/// Decodes boards of 81 pairs of characters, `N` at a time. `groups` decodes several groups of `N` and returns `None`
/// if any of their records must be rejected. If there is an error in the batch, the groups are decoded again one by
/// one, and `scalar` decodes those with an error, like the records that do not fill a group.
#[inline(always)]
pub(super) fn decode_in_groups<const N: usize>(
    texts: Texts,
    codes: &mut [u16],
    scalar: impl Fn(Texts, &mut [u16]) -> Decoded,
    groups: impl Fn(&[u8], &[[u32; N]], &mut [[[u16; ROW9]; N]]) -> Option<Decoded>,
) -> Decoded {
    check_decode(texts, 162, codes, ROW9);
    let (starts, last_starts) = texts.starts.as_chunks::<N>();
    let (rows, last_rows) = codes.split_at_mut(N * ROW9 * starts.len());
    let rows = rows.as_chunks_mut().0.as_chunks_mut().0;
    let mut decoded = groups(texts.bytes, starts, rows).unwrap_or_else(|| {
        let mut decoded = Decoded::default();
        for (i, (starts, rows)) in starts.chunks(1).zip(rows.chunks_mut(1)).enumerate() {
            let found = groups(texts.bytes, starts, rows).unwrap_or_else(|| {
                scalar(Texts { starts: starts.as_flattened(), ..texts }, rows.as_flattened_mut().as_flattened_mut())
            });
            decoded.good |= found.good << (N * i);
            decoded.solved += found.solved;
        }
        decoded
    });
    if !last_starts.is_empty() {
        let found = scalar(Texts { starts: last_starts, ..texts }, last_rows);
        decoded.good |= found.good << (N * starts.len());
        decoded.solved += found.solved;
    }
    decoded
}
