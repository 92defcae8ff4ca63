//! SHA-256 by the instructions for it (SHA-NI): Zen, Goldmont, Ice Lake and later. They come with neither AVX2 nor AVX-512, so they
//! are asked for apart.
#![allow(unsafe_code)] // intrinsics that load and store, and the call into the function that needs its instructions

use std::arch::x86_64::*;

use crate::kernels::sha256::{Block, ROUNDS, State, portable};

/// Works blocks into a state.
pub(super) fn blocks(state: &mut State, blocks: &[Block]) {
    if is_x86_feature_detected!("sha") && is_x86_feature_detected!("sse4.1") {
        // SAFETY: all that the function is compiled for has just been found.
        unsafe { sha_ni(state, blocks) }
    } else {
        portable(state, blocks);
    }
}

#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
fn load<T: bytemuck::Pod>(from: &[T]) -> __m128i {
    let bytes: &[u8; 16] = crate::kernels::slices::piece(bytemuck::cast_slice(from));
    // SAFETY: the reference covers the 16 bytes that are read; no alignment is needed.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
fn store(to: &mut [u32; 4], from: __m128i) {
    // SAFETY: the reference covers the 16 bytes that are written; no alignment is needed.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), from) }
}

#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
fn sha_ni(state: &mut State, blocks: &[Block]) {
    let big_endian = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
    // The instructions want the words as abef and cdgh.
    let (low, high) = (load(&state[..4]), load(&state[4..]));
    let (low, high) = (_mm_shuffle_epi32(low, 0xb1), _mm_shuffle_epi32(high, 0x1b));
    let mut abef = _mm_alignr_epi8(low, high, 8);
    let mut cdgh = _mm_blend_epi16(high, low, 0xf0);
    for block in blocks {
        let before = (abef, cdgh);
        let mut words = [_mm_setzero_si128(); 16];
        for i in 0..16 {
            words[i] = if i < 4 {
                _mm_shuffle_epi8(load(&block[16 * i..]), big_endian)
            } else {
                let between = _mm_alignr_epi8(words[i - 1], words[i - 2], 4);
                let sum = _mm_add_epi32(_mm_sha256msg1_epu32(words[i - 4], words[i - 3]), between);
                _mm_sha256msg2_epu32(sum, words[i - 1])
            };
            let rounds = _mm_add_epi32(words[i], load(&ROUNDS[4 * i..]));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, rounds);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(rounds, 0x0e));
        }
        abef = _mm_add_epi32(abef, before.0);
        cdgh = _mm_add_epi32(cdgh, before.1);
    }
    let (low, high) = (_mm_shuffle_epi32(abef, 0x1b), _mm_shuffle_epi32(cdgh, 0xb1));
    let [first, second] = state.as_chunks_mut::<4>().0 else { return };
    store(first, _mm_blend_epi16(low, high, 0xf0));
    store(second, _mm_alignr_epi8(high, low, 8));
}
