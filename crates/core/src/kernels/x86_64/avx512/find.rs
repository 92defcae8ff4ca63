//! Where any of three bytes stands in a text.

use std::arch::x86_64::{_mm512_cmpeq_epi8_mask, _mm512_set1_epi8};

use super::vectors::load;
use crate::kernels::measures::check_find;
use crate::kernels::slices::{find_blocks, push_positions};

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2,popcnt")]
pub(super) fn find3(text: &[u8], bytes: [u8; 3], out: &mut [u32]) -> usize {
    check_find(text, out);
    let bytes = bytes.map(|byte| _mm512_set1_epi8(byte as i8));
    let mut count = 0;
    find_blocks(text, |base, block, within| {
        let block = load(block);
        let found = bytes.into_iter().fold(0, |found, byte| found | _mm512_cmpeq_epi8_mask(block, byte));
        count += push_positions(base, found & within, &mut out[count..]);
    });
    count
}
