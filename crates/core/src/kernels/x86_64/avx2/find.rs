//! Finds the positions of any of three bytes in a text.

use std::arch::x86_64::{_mm256_cmpeq_epi8, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8};

use super::vectors::load;
use crate::kernels::bounds::check_find;
use crate::kernels::prefetch::prefetch;
use crate::kernels::slices::{find_blocks, push_positions};

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn find3(text: &[u8], bytes: [u8; 3], out: &mut [u32]) -> (usize, bool) {
    check_find(text, out);
    let [a, b, c] = bytes.map(|byte| _mm256_set1_epi8(byte as i8));
    let (mut count, mut thirds) = (0, 0);
    find_blocks(text, |base, block, within| {
        let halves: &[[u8; 32]; 2] = bytemuck::cast_ref(block);
        prefetch::<1>(text, base);
        let [low, high] = halves.map(|half| {
            let half = load(&half);
            let ab = _mm256_or_si256(_mm256_cmpeq_epi8(half, a), _mm256_cmpeq_epi8(half, b));
            [ab, _mm256_cmpeq_epi8(half, c)].map(|found| u64::from(_mm256_movemask_epi8(found) as u32))
        });
        let third = (high[1] << 32 | low[1]) & within;
        thirds |= third;
        count += push_positions(base, (high[0] << 32 | low[0]) & within | third, &mut out[count..]);
    });
    (count, thirds != 0)
}
