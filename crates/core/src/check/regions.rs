//! Regions: n of n cells. It is usual, but no rule, that each region is connected.

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
            // Report the first component of a number that has several.
            let of_number = |&i: &usize| board.regions[i] == number;
            let apart = (0..n * n).filter(of_number).any(|i| usize::from(pieces[i]) != cell);
            if apart && (0..cell).all(|i| board.regions[i] != number) {
                found.warning(Code::Region, cell, format!("region {number} is not in one piece"));
            }
        }
        return;
    }
    // The numbers do not occur n times each, so the connected components are the regions.
    for cell in firsts {
        let size = (0..n * n).filter(|&i| usize::from(pieces[i]) == cell).count();
        if size != n {
            let number = board.regions[cell];
            let words = format!(
                "a region (number {number}) has {size} cell{}, not {n}; nor does every number have {n} cells, or those would be \
                 the regions",
                plural(size)
            );
            found.problem(Code::Region, cell, words);
        }
    }
}

/// Whether the regions of a board, if its kind has any, cause neither a problem nor a warning: n connected regions of n
/// cells. Always false for sides over 9.
pub fn are_regions_usual(batch: &Batch, board: usize) -> bool {
    let (shape, n) = (batch.shape(), batch.shape().side.get());
    if !shape.kind.has_regions() {
        return true;
    }
    if n > 9 {
        return false;
    }
    let start = board * shape.stride();
    let mut cells = [0; CELLS];
    cells[..n * n].copy_from_slice(&batch.regions()[start..start + n * n]);
    let size = |number: u8| cells.iter().map(|&other| u8::from(other == number)).sum::<u8>();
    (1..=n as u8).all(|number| usize::from(size(number)) == n) && are_in_one_piece(&cells, n)
}

/// The cells of side 9, followed by enough cells without a region that whole vectors can be compared, also with those a
/// row further.
const CELLS: usize = 112;

/// Whether each of the regions 1 to n is connected. No cell has another number.
fn are_in_one_piece(cells: &[u8; CELLS], n: usize) -> bool {
    // Starts with one cell of each region and spreads in all regions at once to neighbours of the same region. Each
    // cell is a bit.
    let mut some = [0_u8; 16];
    (0..).zip(&cells[..n * n]).for_each(|(cell, &number)| some[usize::from(number & 15)] = cell);
    let mut reached = some[1..=n].iter().fold(0_u128, |cells, &cell| cells | 1 << cell);
    let last_column = (0..n).fold(0_u128, |cells, row| cells | 1 << (row * n + n - 1));
    let (right, down) = (same_as_after(cells, 1) & !last_column, same_as_after(cells, n));
    loop {
        let grown =
            reached | (reached & right) << 1 | reached >> 1 & right | (reached & down) << n | reached >> n & down;
        if grown == reached {
            return reached == (1 << (n * n)) - 1;
        }
        reached = grown;
    }
}

/// A bit for each cell that has the same region as the cell `step` cells further.
fn same_as_after(cells: &[u8; CELLS], step: usize) -> u128 {
    let mut same = [0; 96];
    let pairs = cells.iter().zip(&cells[step..]);
    same.iter_mut().zip(pairs).for_each(|(same, (here, there))| *same = u8::from(here == there));
    // A multiplication gathers the lowest bits of eight bytes.
    let bits = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    (0..).step_by(8).zip(same.as_chunks().0).fold(0, |cells, (at, bytes)| cells | u128::from(bits(bytes)) << at)
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
