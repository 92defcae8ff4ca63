//! Rewrites characters directly to characters.

use super::decode::{Accumulated256, NINE, V1Reader256};
use super::encode::chars36;
use super::vectors::{load, store};
use crate::kernels::Texts;
use crate::kernels::bounds::check_rewrite;
use crate::kernels::prefetch::prefetch;
use crate::kernels::slices::{piece, pieces, pieces_mut};

#[target_feature(enable = "avx2")]
pub(super) fn v1_to_pairs36(texts: Texts, out: &mut [u8], pitch: usize) -> Option<u32> {
    check_rewrite(texts, 162, out, pitch);
    let reader = V1Reader256::new();
    let mut found = Accumulated256::nothing();
    let mut lasts = [[b'0'; 2]; 64];
    for (i, (&start, last)) in texts.starts.iter().zip(&mut lasts).enumerate() {
        prefetch::<3>(texts.bytes, start);
        let text: &[u8; 162] = piece(&texts.bytes[start as usize..]);
        let to: &mut [[_; 32]; 5] = pieces_mut(&mut out[i * pitch..]);
        for (text, to) in pieces::<_, 32, 5>(text).iter().zip(to) {
            store(to, chars36(reader.read(load(text), &mut found)));
        }
        *last = *piece(&text[160..]);
    }
    for (lasts, i) in lasts.as_chunks().0.iter().zip((0..texts.starts.len()).step_by(16)) {
        let lasts: &[[u8; 2]; 16] = lasts;
        let mut characters = [[0; 2]; 16];
        let codes = reader.read(load(bytemuck::cast_ref(lasts)), &mut found);
        store(bytemuck::cast_mut(&mut characters), chars36(codes));
        for (i, last) in (i..texts.starts.len()).zip(characters) {
            out[i * pitch + 160..][..2].copy_from_slice(&last);
        }
    }
    found.within(NINE.digit, NINE.word).then(|| found.solved())
}
