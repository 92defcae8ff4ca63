//! n regions of n cells; that each is in one piece is usual, but no rule.

use super::Problems;
use crate::board::{RuledBoard, components};
use crate::error::{Code, plural};

pub(super) fn check(board: &RuledBoard, found: &mut Problems) {
    if !board.kind.has_regions() {
        return;
    }
    let n = board.side;
    let cells_of = |number: usize| board.regions.iter().filter(|&&region| usize::from(region) == number).count();
    let pieces = components(&board.regions, n);
    let firsts = (0..n * n).filter(|&cell| usize::from(pieces[cell]) == cell);
    if (1..=n).all(|number| cells_of(number) == n) {
        for cell in firsts {
            let number = board.regions[cell];
            // The first piece of a number that has several.
            let of_number = |&i: &usize| board.regions[i] == number;
            let apart = (0..n * n).filter(of_number).any(|i| usize::from(pieces[i]) != cell);
            if apart && (0..cell).all(|i| board.regions[i] != number) {
                found.warning(Code::Region, cell, format!("region {number} is not in one piece"));
            }
        }
        return;
    }
    // The numbers are no regions, so their pieces are.
    for cell in firsts {
        let size = (0..n * n).filter(|&i| usize::from(pieces[i]) == cell).count();
        if size != n {
            let number = board.regions[cell];
            let words = format!(
                "a region (number {number}) has {size} cell{}, not {n}; nor has every number {n} cells, else those would be \
                 the regions",
                plural(size)
            );
            found.problem(Code::Region, cell, words);
        }
    }
}
