//! Chooses the cell to branch on.

use super::Node9;
use super::conflicts::Conflicts;
use super::layout::RegionHouses;
use crate::kernels::houses9::{Grid9, Masks};
use crate::kernels::vector::Vector;

/// The weight of a cell that has the fewest candidates, too. Other cells have a weight of 1.
const FEW_WEIGHT: u32 = 5;

/// Guesses: places the lowest digit of an open cell, and pushes a node without this digit to `waiting`. Returns false
/// if no cell is open.
///
/// Chooses, of the cells with the fewest candidates, the one whose two lowest digits are most common in its houses,
/// where cells with as few candidates count more. `urgency` adds to the score of a cell, given the open cells. After
/// many conflicts, chooses instead the cell with the fewest candidates in proportion to the conflicts in its houses.
#[inline(always)]
pub(super) fn branch<M: Masks>(
    masks: M,
    layout: &RegionHouses,
    conflicts: &Conflicts,
    node: &mut Node9,
    waiting: &mut Vec<Node9>,
    urgency: impl Fn(usize, u128) -> u32,
) -> bool {
    let cells = masks.load(&node.grid);
    let open = masks.cell_bits(cells.several());
    if open == 0 {
        return false;
    }
    let best = match conflicts.are_many() {
        true => conflicts.most_constrained(layout, &node.grid, open),
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

/// Finds, of the cells with the fewest candidates, the one whose digits are most common in its houses.
#[inline(always)]
fn most_common<M: Masks>(
    masks: M,
    layout: &RegionHouses,
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
            score += with.count_ones() + (FEW_WEIGHT - 1) * (with & few).count_ones();
        }
        if score > most {
            (best, most) = (cell, score);
        }
    }
    best
}
