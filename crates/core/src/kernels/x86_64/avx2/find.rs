//! Where any of three bytes stands in a text.

use std::arch::x86_64::{_mm256_cmpeq_epi8, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8};

use super::vectors::load;
use crate::kernels::measures::check_find;
use crate::kernels::slices::{find_blocks, push_positions};

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn find3(text: &[u8], bytes: [u8; 3], out: &mut [u32]) -> usize {
    check_find(text, out);
    let [a, b, c] = bytes.map(|byte| _mm256_set1_epi8(byte as i8));
    let mut count = 0;
    find_blocks(text, |base, block, within| {
        let halves: &[[u8; 32]; 2] = bytemuck::cast_ref(block);
        let [low, high] = halves.map(|half| {
            let half = load(&half);
            let ab = _mm256_or_si256(_mm256_cmpeq_epi8(half, a), _mm256_cmpeq_epi8(half, b));
            _mm256_movemask_epi8(_mm256_or_si256(ab, _mm256_cmpeq_epi8(half, c))) as u32
        });
        let found = (u64::from(high) << 32 | u64::from(low)) & within;
        count += push_positions(base, found, &mut out[count..]);
    });
    count
}
