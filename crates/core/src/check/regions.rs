//! n regions of n cells; that each is in one piece is usual, but no rule.

use super::Problems;
use crate::board::{Batch, RuledBoard, components};
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

/// Whether the regions of a board, if its kind has any, have neither problem nor warning: side n has n of n cells, each in one
/// piece. Of sides over 9 that is not said.
pub fn are_regions_usual(batch: &Batch, board: usize) -> bool {
    let (shape, n) = (batch.shape(), batch.shape().side.get());
    if !shape.kind.has_regions() {
        return true;
    }
    if n > 9 {
        return false;
    }
    // Cells as bits, with a column that no cell is in, so that rows do not touch at their ends; six rows fit a word.
    let (mut halves, width) = ([[0_u64; 10]; 2], n + 1);
    let start = board * shape.stride();
    for (row, numbers) in batch.regions()[start..start + n * n].chunks_exact(n).enumerate() {
        for (column, &number) in numbers.iter().enumerate() {
            halves[row / 6][usize::from(number.min(9))] |= 1 << (row % 6 * width + column);
        }
    }
    let cells = |number: usize| u128::from(halves[0][number]) | u128::from(halves[1][number]) << (6 * width);
    (1..=n).map(cells).all(|cells| cells.count_ones() as usize == n && is_one_piece(cells, width))
}

/// Whether cells, as bits in rows of so many, are in one piece.
fn is_one_piece(cells: u128, row: usize) -> bool {
    let mut piece = cells & cells.wrapping_neg();
    loop {
        let grown = (piece | piece << 1 | piece >> 1 | piece << row | piece >> row) & cells;
        if grown == piece {
            return piece == cells;
        }
        piece = grown;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Kind, Shape, Side};

    #[test]
    fn regions_are_usual_if_there_is_nothing_to_say_of_them() {
        let mut state = 3_u64;
        let mut below = move |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        let mut usual = 0;
        for round in 0..3_000 {
            let n = [6, 9][round % 2];
            let mut batch = Batch::new();
            batch.reset(Shape::new(Kind::Jigsaw, Side::new(n).expect("a side")), 1);
            (0..n * n).for_each(|i| batch.set_code(0, i, 0));
            let regions = &mut batch.regions_mut()[..n * n];
            regions.iter_mut().enumerate().for_each(|(i, region)| *region = (i / n + 1) as u8);
            // Cells at a border change places with those of the next row.
            for _ in 0..below(4) {
                let i = below(n * n - n);
                match below(6) {
                    0 => regions[i] = below(11) as u8,
                    _ => regions.swap(i, i + n - below(2)),
                }
            }
            let mut found = Problems { side: n, all: Vec::new() };
            check(&RuledBoard::new(&batch, 0), &mut found);
            let is_usual = are_regions_usual(&batch, 0);
            // Pieces of n cells may be regions without numbers of their own; that is not looked for.
            assert!(!is_usual || found.all.is_empty(), "{:?}", batch.regions());
            usual += usize::from(is_usual);
        }
        assert!((500..2_500).contains(&usual), "{usual}");
    }
}
