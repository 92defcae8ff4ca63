//! Verdicts on a batch of boards. They cost a seventh of the time if each record gets its own, and nearly all batches are
//! good; so a batch is judged as a whole first.

use crate::kernels::measures::check_decode;
use crate::kernels::{Decoded, ROW9, Texts};

/// Decodes boards of 81 pairs of characters, `N` at a time, by `group`, which says nothing of records if any of them is
/// to be refused. If there is anything wrong in the batch, the groups are judged again one by one, and such a group, like
/// the records that fill no group, is left to `scalar`.
#[inline(always)]
pub(super) fn judged<const N: usize>(
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
