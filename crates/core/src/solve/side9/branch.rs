//! Chooses the cell to branch on.

use super::conflicts::Conflicts;
use super::layout::RegionHouses;
use crate::kernels::houses9::{Grid9, Masks};
use crate::kernels::vector::Vector;

/// The weight of a cell that has the fewest candidates, too. Other cells have a weight of 1.
const FEW_WEIGHT: u32 = 5;

/// Chooses the cell to branch on. `None` if no cell is open.
///
/// It is, of the cells with the fewest candidates, the one whose two lowest digits are most common in its houses,
/// where cells with as few candidates count more. `urgency` adds to the score of a cell, given the open cells. After
/// many conflicts, it is instead the cell with the fewest candidates in proportion to the conflicts in its houses.
#[inline(always)]
pub(super) fn choose<M: Masks>(
    masks: M,
    layout: &RegionHouses,
    conflicts: &Conflicts,
    grid: &Grid9,
    urgency: impl Fn(usize, u128) -> u32,
) -> Option<usize> {
    let open = masks.cell_bits(masks.load(grid).several());
    match open {
        0 => None,
        _ if conflicts.are_many() => Some(conflicts.most_constrained(layout, grid, open)),
        _ => Some(most_common(masks, layout, grid, open, urgency)),
    }
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
