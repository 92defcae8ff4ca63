//! Solved lanes to digits.

use super::lanes::Lanes;
use super::nodes::PUZZLE;
use super::state::BlockState;
use super::{Bits, MAX_LANES};

/// [`super::Block::write_solutions`].
#[inline(always)]
pub(crate) fn write_solutions<V: Lanes>(
    v: V,
    state: &BlockState<V>,
    bits: &Bits,
    tags: &[u32],
    solutions: &mut [[u8; 81]],
) {
    let bits = v.load(bits);
    for i in 0..32 {
        let (first, mut wanted) = (i * V::WIDTH, bits.and(v.splat(1 << i)).nonzero_bits());
        if wanted == 0 {
            continue;
        }
        // By band: the four bits of the digits of its cells, a word each for each lane.
        let mut planes = [[[0; MAX_LANES / 32]; 4]; 3];
        for (band, planes) in planes.iter_mut().enumerate() {
            let [a, b, c, d, e, f, g, h, i] = nine!(digit => v.load(&state.words[3 * digit + band][first..]));
            a.or3(c, e).or3(g, i).store(&mut planes[0]);
            b.or3(c, f).or(g).store(&mut planes[1]);
            d.or3(e, f).or(g).store(&mut planes[2]);
            h.or(i).store(&mut planes[3]);
        }
        while wanted != 0 {
            let lane = wanted.trailing_zeros() as usize % V::WIDTH;
            wanted &= wanted - 1;
            // Each band writes five bytes more than it has, which what comes after it overwrites.
            let mut digits = [0; 96];
            for (band, planes) in planes.iter().enumerate() {
                if let Some(to) = digits[27 * band..].first_chunk_mut() {
                    v.digits([planes[0][lane], planes[1][lane], planes[2][lane], planes[3][lane]], to);
                }
            }
            if let Some(solution) = solutions.get_mut((tags[first + lane] & PUZZLE) as usize) {
                solution.copy_from_slice(&digits[..81]);
            }
        }
    }
}
