//! Writes the digits of solved lanes.

use super::lanes::Lanes;
use super::nodes::PUZZLE;
use super::state::BlockState;
use super::{Bits, MAX_LANES};

/// The largest number of words of 32 lanes.
const WORDS: usize = MAX_LANES / 32;

/// Implements [`super::Block::write_solutions`].
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
        // The four bits of the digits of the cells: one word per lane, ordered by band and bit. They are in one array,
        // so that the words of a lane are read from memory.
        let mut planes = [0; 3 * 4 * WORDS];
        for (band, planes) in planes.as_chunks_mut::<{ 4 * WORDS }>().0.iter_mut().enumerate() {
            let [a, b, c, d, e, f, g, h, i] = nine!(digit => v.load(&state.words[3 * digit + band][first..]));
            a.or3(c, e).or3(g, i).store(planes);
            b.or3(c, f).or(g).store(&mut planes[WORDS..]);
            d.or3(e, f).or(g).store(&mut planes[2 * WORDS..]);
            h.or(i).store(&mut planes[3 * WORDS..]);
        }
        while wanted != 0 {
            let lane = wanted.trailing_zeros() as usize % V::WIDTH;
            wanted &= wanted - 1;
            let Some(solution) = solutions.get_mut((tags[first + lane] & PUZZLE) as usize) else { continue };
            // Each call writes 32 cells. The cells after the first and after the second band are overwritten by the
            // next call.
            let [a, b, c] = three!(band => array!(bit in [0 1 2 3] => planes[(4 * band + bit) * WORDS + lane]));
            let last = array!(bit in [0 1 2 3] => c[bit] << 5 | b[bit] >> 22);
            for (from, planes) in [(0, a), (27, b), (81 - 32, last)] {
                if let Some(to) = solution[from..].first_chunk_mut() {
                    v.digits(planes, to);
                }
            }
        }
    }
}
