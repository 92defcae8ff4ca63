//! Rewrites characters directly to characters.

use std::arch::x86_64::*;

use super::decode::{Accumulated512, V1Reader512};
use super::encode::{Writer36, store_text};
use super::vectors::{Aligned, load, load_halves, store};
use crate::kernels::Texts;
use crate::kernels::bounds::check_rewrite;
use crate::kernels::prefetch::prefetch;
use crate::kernels::slices::{piece, pieces};

/// Rewrites two boards at a time, as `decode_pairs` decodes them.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
pub(super) fn v1_to_pairs36(texts: Texts, out: &mut [u8], pitch: usize) -> Option<u32> {
    check_rewrite(texts, 162, out, pitch);
    let (twos, []) = texts.starts.as_chunks::<2>() else { return None };
    let (reader, writer) = (V1Reader512::new(), Writer36::new());
    let mut found = Accumulated512::nothing();
    let mut lasts = Aligned([[[b'0'; 2]; 2]; 32]);
    for (i, (starts, lasts)) in twos.iter().zip(&mut lasts.0).enumerate() {
        prefetch::<6>(texts.bytes, starts[0]);
        let [a, b] = starts.map(|start| piece::<_, 162>(&texts.bytes[start as usize..]));
        let ([a0, a1], [b0, b1]) = (pieces(a), pieces(b));
        let tails = load_halves(piece(&a[128..]), piece(&b[128..]));
        *lasts = [*piece(&a[160..]), *piece(&b[160..])];
        let codes = reader.read([load(a0), load(a1), load(b0), load(b1), tails], &mut found);
        let [a0, a1, b0, b1, tails] = codes.map(|codes| writer.write(codes));
        let (to_a, to_b) = out[2 * i * pitch..].split_at_mut(pitch);
        // The characters of the last cells are written below.
        store_text(to_a, a0, a1, _mm512_castsi512_si256(tails), [0; 2]);
        store_text(to_b, b0, b1, _mm512_extracti64x4_epi64::<1>(tails), [0; 2]);
    }
    let filler = _mm512_set1_epi8(b'0' as i8);
    let [a, b]: &[[u8; 64]; 2] = bytemuck::cast_ref(&lasts.0);
    let codes = reader.read([load(a), load(b), filler, filler, filler], &mut found);
    let mut characters = [[[0; 2]; 32]; 2];
    characters.iter_mut().zip(codes).for_each(|(to, codes)| store(bytemuck::cast_mut(to), writer.write(codes)));
    for (i, last) in characters.as_flattened()[..2 * twos.len()].iter().enumerate() {
        out[i * pitch + 160..][..2].copy_from_slice(last);
    }
    (!found.marks()).then_some(found.solved)
}
