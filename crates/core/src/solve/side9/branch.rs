//! The cell to be tried.

use super::Node9;
use super::faults::Faults;
use super::layout::Layout;
use crate::kernels::houses9::{Grid9, Masks};
use crate::kernels::vector::Vector;

/// What a cell with as few candidates counts for.
const FEW: u32 = 5;

/// Takes the lowest digit of an open cell for sure, and has a node without it wait. False if no cell is open.
///
/// Of the cells with the fewest candidates it is the one whose two lowest digits are most common in its houses, where those with as
/// few candidates count more; `urgency` says more of a cell, by the cells that are open. After many faults it is the one with the
/// fewest candidates for the faults of its houses.
#[inline(always)]
pub(super) fn branch<M: Masks>(
    masks: M,
    layout: &Layout,
    faults: &Faults,
    node: &mut Node9,
    waiting: &mut Vec<Node9>,
    urgency: impl Fn(usize, u128) -> u32,
) -> bool {
    let cells = masks.load(&node.grid);
    let open = masks.cell_bits(cells.several());
    if open == 0 {
        return false;
    }
    let best = match faults.are_many() {
        true => faults.fewest(layout, &node.grid, open),
        false => most_common(masks, layout, &node.grid, open, urgency),
    };
    let mask = node.grid.0[best];
    let first = mask & mask.wrapping_neg();
    node.changed = 1 << best;
    node.grid.0[best] = mask & !first;
    waiting.push(node.clone());
    node.grid.0[best] = first;
    true
}

/// Of the cells with the fewest candidates the one whose digits are most common in its houses.
#[inline(always)]
fn most_common<M: Masks>(
    masks: M,
    layout: &Layout,
    grid: &Grid9,
    open: u128,
    urgency: impl Fn(usize, u128) -> u32,
) -> usize {
    let cells = masks.load(grid);
    let (mut more, mut few) = (cells.several(), open);
    loop {
        more = more.several();
        let larger = masks.cell_bits(more);
        if few != larger {
            few &= !larger;
            break;
        }
    }
    let mut having = [0; 9];
    for (digit, having) in having.iter_mut().enumerate() {
        *having = masks.cells_with(cells, 1 << digit);
    }
    let (mut best, mut most, mut left) = (0, 0, few);
    while left != 0 {
        let cell = left.trailing_zeros() as usize;
        left &= left - 1;
        let (mut peers, mut houses) = (0, layout.of_cell[cell]);
        while houses != 0 {
            peers |= layout.houses[houses.trailing_zeros() as usize];
            houses &= houses - 1;
        }
        let mask = grid.0[cell];
        let mut score = urgency(cell, open);
        for digits in [mask, mask & mask.wrapping_sub(1)] {
            let with = having[digits.trailing_zeros() as usize % 9] & peers;
            score += with.count_ones() + (FEW - 1) * (with & few).count_ones();
        }
        if score > most {
            (best, most) = (cell, score);
        }
    }
    best
}
