//! Nodes to slices of bits and back: 32 nodes of 27 bits at a time in each 32-bit column of a vector.

use super::lanes::Lanes;
use super::nodes::Nodes;
use super::state::State;

/// Exchanges the off-diagonal halves of squares of side 2 * `SIDE`.
#[inline(always)]
fn exchange<V: Lanes, const SIDE: usize>(rows: &mut [V; 32], mask: u32) {
    let mask = rows[0].splat(mask);
    for i in 0..32 {
        if i & SIDE == 0 {
            let (a, b) = (rows[i], rows[i + SIDE]);
            rows[i] = mask.select(a, b.shl(SIDE as u32));
            rows[i + SIDE] = mask.select(a.shr(SIDE as u32), b);
        }
    }
}

/// Bit `i` of row `k` becomes bit `k` of row `i`, in each 32-bit column.
#[inline(always)]
fn transpose<V: Lanes>(rows: &mut [V; 32]) {
    exchange::<V, 16>(rows, 0x0000_FFFF);
    exchange::<V, 8>(rows, 0x00FF_00FF);
    exchange::<V, 4>(rows, 0x0F0F_0F0F);
    exchange::<V, 2>(rows, 0x3333_3333);
    exchange::<V, 1>(rows, 0x5555_5555);
}

/// [`super::Block::load_nodes`].
#[inline(always)]
pub fn load_nodes<V: Lanes>(v: V, state: &mut State<V>, nodes: &Nodes) {
    for (w, words) in nodes.words.iter().enumerate() {
        let words = &words[..V::LANES];
        let mut rows = [v; 32];
        for (i, row) in rows.iter_mut().enumerate() {
            *row = v.load(&words[i * V::WIDTH..]);
        }
        transpose(&mut rows);
        let (digit, band) = (w / 3, w % 3);
        for k in 0..27 {
            state.candidates[band * 3 + k % 9 / 3][digit][k / 9 * 3 + k % 3] = rows[k];
        }
    }
}

/// [`super::Block::store_nodes`].
#[inline(always)]
pub fn store_nodes<V: Lanes>(v: V, state: &mut State<V>) {
    for w in 0..27 {
        let (digit, band) = (w / 3, w % 3);
        let mut rows = [v.zero(); 32];
        for k in 0..27 {
            rows[k] = state.candidates[band * 3 + k % 9 / 3][digit][k / 9 * 3 + k % 3];
        }
        transpose(&mut rows);
        for (i, row) in rows.iter().enumerate() {
            row.store(&mut state.words[w][i * V::WIDTH..]);
        }
    }
}
