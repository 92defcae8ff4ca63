//! Transposes nodes to bit slices and back: 32 nodes of 27 bits at a time in each 32-bit column of a vector.

use super::lanes::Lanes;
use super::nodes::Nodes;
use super::state::BlockState;

/// Exchanges the off-diagonal halves of squares of side 2 * `SIDE`.
#[inline(always)]
fn exchange<V: Lanes, const SIDE: usize>(rows: &mut [V; 32], mask: u32) {
    sixteen_times!(i => {
        let (one, other) = (i / SIDE * 2 * SIDE + i % SIDE, i / SIDE * 2 * SIDE + i % SIDE + SIDE);
        (rows[one], rows[other]) = rows[one].exchange(rows[other], SIDE as u32, mask);
    });
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

/// Implements [`super::Block::load_nodes`].
#[inline(always)]
pub(crate) fn load_nodes<V: Lanes>(v: V, state: &mut BlockState<V>, nodes: &Nodes) {
    for w in 0..27 {
        let words = &nodes.row(w)[..V::LANES];
        let mut rows = [v; 32];
        sixteen_times!(i => {
            rows[i] = v.load(&words[i * V::WIDTH..]);
            rows[16 + i] = v.load(&words[(16 + i) * V::WIDTH..]);
        });
        transpose(&mut rows);
        let (digit, band) = (w / 3, w % 3);
        let boxes = &mut state.candidates[band * 3..][..3];
        _ = band!(k => boxes[k % 9 / 3][digit][k / 9 * 3 + k % 3] = rows[k]);
    }
}

/// Implements [`super::Block::store_nodes`].
#[inline(always)]
pub(crate) fn store_nodes<V: Lanes>(v: V, state: &mut BlockState<V>) {
    for w in 0..27 {
        let (digit, band) = (w / 3, w % 3);
        let mut rows = [v.zero(); 32];
        let boxes = &state.candidates[band * 3..][..3];
        _ = band!(k => rows[k] = boxes[k % 9 / 3][digit][k / 9 * 3 + k % 3]);
        transpose(&mut rows);
        let words = &mut state.words[w][..V::LANES];
        sixteen_times!(i => {
            rows[i].store(&mut words[i * V::WIDTH..]);
            rows[16 + i].store(&mut words[(16 + i) * V::WIDTH..]);
        });
    }
}
