//! Sums at separators, 32 digits at a time.

use std::arch::x86_64::*;

use super::vectors::{load_half, load_words, store_words};
use crate::kernels::lists::{BLOCK, SEPARATOR11};
use crate::kernels::slices::piece_mut;

/// Implements [`crate::kernels::lists::RunningSums`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
pub(super) fn running_sums(digits: &[[u8; BLOCK]], weights: &[[u16; BLOCK]], sums: &mut [u16]) -> usize {
    let separator = _mm512_set1_epi16(SEPARATOR11.into());
    // The two bytes of the last word of each lane of 16 bytes.
    let last_of_lane = _mm512_set1_epi16(0x0F0E);
    let (mut total, mut count) = (_mm512_setzero_si512(), 0);
    for (digits, weights) in digits.iter().zip(weights) {
        // Sums within lanes: each word gets those that are 1, 2 and 4 words before it.
        let mut sum = load_words(weights);
        sum = _mm512_add_epi16(sum, _mm512_bslli_epi128::<2>(sum));
        sum = _mm512_add_epi16(sum, _mm512_bslli_epi128::<4>(sum));
        sum = _mm512_add_epi16(sum, _mm512_bslli_epi128::<8>(sum));
        // The sums of all lanes before.
        let lanes = _mm512_shuffle_epi8(sum, last_of_lane);
        let one = _mm512_maskz_shuffle_i64x2::<0b10_01_00_00>(0b1111_1100, lanes, lanes);
        let two = _mm512_maskz_shuffle_i64x2::<0b10_01_00_00>(0b1111_1100, one, one);
        let three = _mm512_maskz_shuffle_i64x2::<0b10_01_00_00>(0b1111_1100, two, two);
        let before = _mm512_add_epi16(_mm512_add_epi16(one, two), _mm512_add_epi16(three, total));
        sum = _mm512_add_epi16(sum, before);
        total = _mm512_permutexvar_epi16(_mm512_set1_epi16(31), sum);
        let digits = _mm512_cvtepu8_epi16(load_half(digits));
        let found = _mm512_cmpeq_epi16_mask(digits, separator);
        store_words(piece_mut(&mut sums[count..]), _mm512_maskz_compress_epi16(found, sum));
        count += found.count_ones() as usize;
    }
    count
}
