//! Finds the positions of any of three bytes in a text.

use std::arch::x86_64::{_mm512_cmpeq_epi8_mask, _mm512_set1_epi8};

use super::vectors::load;
use crate::kernels::bounds::check_find;
use crate::kernels::prefetch::prefetch;
use crate::kernels::slices::{find_blocks, push_positions};

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2,popcnt")]
pub(super) fn find3(text: &[u8], bytes: [u8; 3], out: &mut [u32]) -> (usize, bool) {
    check_find(text, out);
    let [a, b, c] = bytes.map(|byte| _mm512_set1_epi8(byte as i8));
    let (mut count, mut thirds) = (0, 0);
    find_blocks(text, |base, block, within| {
        prefetch::<1>(text, base);
        let block = load(block);
        let third = _mm512_cmpeq_epi8_mask(block, c) & within;
        let found = _mm512_cmpeq_epi8_mask(block, a) | _mm512_cmpeq_epi8_mask(block, b);
        thirds |= third;
        count += push_positions(base, found & within | third, &mut out[count..]);
    });
    (count, thirds != 0)
}
