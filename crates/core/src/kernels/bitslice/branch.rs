//! Splits nodes of the search in two.

#![expect(clippy::needless_range_loop)] // the index is one of several arrays

use super::WORDS;
use super::lanes::Lanes;
use super::nodes::{FIRST, Nodes, PROGRESSING, SECOND, SECONDS};

/// Returns the cells of a band with exactly two candidates, and those with two or more.
#[inline(always)]
fn two_candidates<V: Lanes>(x: [V; 9]) -> (V, V) {
    let any = [x[0].or3(x[1], x[2]), x[3].or3(x[4], x[5]), x[6].or3(x[7], x[8])];
    let two = [x[0].majority(x[1], x[2]), x[3].majority(x[4], x[5]), x[6].majority(x[7], x[8])];
    let three = [x[0].and3(x[1], x[2]), x[3].and3(x[4], x[5]), x[6].and3(x[7], x[8])];
    let mut more = three[0].or3(three[1], three[2]).or(any[0].and3(any[1], any[2]));
    for k in 0..3 {
        more = more.or(two[k].and_or(any[(k + 1) % 3], any[(k + 2) % 3]));
    }
    let two = two[0].or3(two[1], two[2]).or(any[0].majority(any[1], any[2]));
    (two.and_not(more), two)
}

/// Returns a score for splitting a cell of `band`, the bit in `cell`. For both digits of the cell it counts the peers
/// that can have the digit; a peer with two candidates counts five times. The score is 0 if there is no cell.
#[inline(always)]
fn score<V: Lanes>(x: &[[V; 3]; 9], pairs: &[V; 3], cell: V, band: usize) -> V {
    let (same, column) = cell.peers();
    let zero = cell.zero();
    let (mut once, mut twice) = ([zero; 3], [zero; 3]);
    for x in x {
        let has = x[band].and(cell).nonzero();
        for k in 0..3 {
            let here = x[k].and(has);
            twice[k] = twice[k].or_and(once[k], here);
            once[k] = once[k].or(here);
        }
    }
    let (mut all, mut strong) = (zero.splat(1), zero);
    for k in 0..3 {
        let peers = if k == band { same } else { column };
        for digit in [once[k].and(peers), twice[k].and(peers)] {
            all = all.add(digit.popcounts());
            strong = strong.add(digit.and(pairs[k]).popcounts());
        }
    }
    all.add(strong.shl(2)).and(cell.nonzero())
}

/// Chooses the cell at which each node is split, as a bit in one of three bands. The candidates are the first cell with
/// two candidates of each band (or, if no band has such a cell, its first cell with two or more); the one with the
/// highest score is chosen.
#[inline(always)]
fn choose_cell<V: Lanes>(x: &[[V; 3]; 9], progressing: V) -> [V; 3] {
    let found = three!(k => two_candidates(nine!(d => x[d][k])));
    let pairs = three!(k => found[k].0);
    let some_pair = pairs[0].or3(pairs[1], pairs[2]).nonzero();
    let first: [V; 3] = three!(k => {
        let cells = some_pair.select(found[k].0, found[k].1).and_not(progressing);
        cells.and(cells.zero().sub(cells))
    });
    let mut best = score(x, &pairs, first[0], 0);
    let zero = best.zero();
    let mut chosen = [first[0], zero, zero];
    for k in 1..3 {
        let score = score(x, &pairs, first[k], k);
        let better = score.greater(best);
        best = better.select(score, best);
        for (j, chosen) in chosen.iter_mut().enumerate() {
            *chosen = if j == k { better.and(first[k]) } else { chosen.and_not(better) };
        }
    }
    chosen
}

/// Implements [`super::Block::branch`].
#[inline(always)]
pub(crate) fn branch<V: Lanes>(v: V, nodes: &Nodes, first: &mut Nodes, second: &mut Nodes) {
    first.reserve(nodes.len());
    second.reserve(nodes.len());
    for at in (0..nodes.len()).step_by(V::WIDTH) {
        let count = V::WIDTH.min(nodes.len() - at);

        let x: [[V; 3]; 9] = nine!(d => three!(k => v.load(&nodes.row(3 * d + k)[at..])));
        let tags = v.load(&nodes.row(WORDS)[at..]);
        let mark = v.splat(PROGRESSING);
        let cell = choose_cell(&x, tags.and(mark).nonzero());
        let tags = tags.and_not(mark);

        // The lowest digit of the cell: one of the nine masks is set.
        let mut seen = v.zero();
        let digit: [V; 9] = nine!(d => {
            let has = x[d][0].and(cell[0]).or_and(x[d][1], cell[1]).or_and(x[d][2], cell[2]).nonzero();
            let lowest = has.and_not(seen);
            seen = seen.or(has);
            lowest
        });
        let split = seen.nonzero_bits() & (u32::MAX >> (32 - count));
        let (a, b) = (first.grow(count), second.grow(split.count_ones() as usize));
        let countable = v.splat(SECONDS).and_not(tags).nonzero();
        tags.add(seen.and(v.splat(FIRST))).store(&mut first.row_mut(WORDS)[a..]);
        tags.add(countable.and(v.splat(SECOND))).compress(split).store(&mut second.row_mut(WORDS)[b..]);
        for d in 0..9 {
            for k in 0..3 {
                x[d][k].and_not(cell[k].and_not(digit[d])).store(&mut first.row_mut(3 * d + k)[a..]);
                x[d][k].and_nand(cell[k], digit[d]).compress(split).store(&mut second.row_mut(3 * d + k)[b..]);
            }
        }
    }
}
