//! Fills in candidates (`--notes`): none, all, or those that the placed digits allow.

use super::batch::Batch;
use super::cell::{Cell, Mask};
use super::components::{Labels, components, region_labels};
use super::geometry::geometry;
use super::kind::Cages;

/// What to do with candidates (docs/CLI.md, `--notes`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum FillCandidates {
    /// Leave them as they are.
    #[default]
    Keep,
    /// Turn cells with candidates into empty cells.
    None,
    /// Give every white cell without a placed digit all n candidates.
    Full,
    /// Give empty cells the candidates that the placed digits of their row, column, box or region, extra groups and
    /// killer cage allow. Sums, straights and KenKen arithmetic are not considered.
    Auto,
}

impl FillCandidates {
    /// Every choice, in the order of help.
    pub const ALL: [Self; 4] = [Self::Keep, Self::None, Self::Full, Self::Auto];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::None => "none",
            Self::Full => "full",
            Self::Auto => "auto",
        }
    }
}

/// Fills in the candidates of board `board`. Returns the number of cells for which `Auto` found no candidate; they stay
/// empty.
pub fn fill_candidates(batch: &mut Batch, board: usize, fill: FillCandidates) -> usize {
    let codes = batch.shape().codes();
    let full = codes.full_mask();
    let cells = batch.shape().side.cells();
    match fill {
        FillCandidates::Keep => {}
        FillCandidates::None => {
            for i in 0..cells {
                if let Cell::Candidates(_) = batch.cell(board, i) {
                    batch.set_cell(board, i, Cell::Empty);
                }
            }
        }
        FillCandidates::Full => {
            for i in 0..cells {
                if let Cell::Empty | Cell::Candidates(_) = batch.cell(board, i) {
                    batch.set_cell(board, i, Cell::Candidates(full));
                }
            }
        }
        FillCandidates::Auto => return fill_auto(batch, board),
    }
    0
}

/// Gives empty cells the candidates that the placed digits allow. Returns the number of cells with no candidate.
fn fill_auto(batch: &mut Batch, board: usize) -> usize {
    let shape = batch.shape();
    let (cells, full) = (shape.side.cells(), shape.codes().full_mask());
    let table = geometry(shape.side);
    let mut placed = [0 as Mask; 625];
    for (i, mask) in placed[..cells].iter_mut().enumerate() {
        let digit = batch.cell(board, i).digit();
        *mask = if digit == 0 { 0 } else { 1 << (digit - 1) };
    }
    let mut excluded = [0 as Mask; 625];
    let mut add_house = |house: &mut dyn Iterator<Item = usize>, placed: &[Mask]| {
        let mut members = [0_u16; 25];
        let mut count = 0;
        let mut union = 0;
        for i in house {
            members[count] = i as u16;
            count += 1;
            union |= placed[i];
        }
        members[..count].iter().for_each(|&i| excluded[i as usize] |= union);
    };
    for house in table.houses(shape.kind) {
        add_house(&mut house.iter().map(|&i| i as usize), &placed);
    }
    if let Some(groups) = batch.groups(board) {
        for group in groups.outlined.iter().chain(&groups.coloured) {
            add_house(&mut group.iter().map(|&i| i as usize), &placed);
        }
    }
    let row = board * batch.stride()..board * batch.stride() + cells;
    if shape.kind.has_regions() {
        exclude_in_parts(
            &region_labels(&batch.regions()[row.clone()], shape.side.get()),
            &placed[..cells],
            &mut excluded,
        );
    }
    if shape.kind.rules().cages == Cages::Sums {
        exclude_in_parts(&components(&batch.colours()[row], shape.side.get()), &placed[..cells], &mut excluded);
    }
    let mut nothing_left = 0;
    for (i, excluded) in excluded[..cells].iter().enumerate() {
        if batch.cell(board, i) == Cell::Empty {
            match full & !excluded {
                0 => nothing_left += 1,
                left => batch.set_cell(board, i, Cell::Candidates(left)),
            }
        }
    }
    nothing_left
}

/// Adds to the excluded digits of each cell those that are placed in its part (region or cage).
fn exclude_in_parts(labels: &Labels, placed: &[Mask], excluded: &mut [Mask]) {
    let mut union = [0 as Mask; 625];
    placed.iter().zip(labels).for_each(|(mask, &label)| union[label as usize] |= mask);
    excluded
        .iter_mut()
        .zip(labels)
        .take(placed.len())
        .for_each(|(excluded, &label)| *excluded |= union[label as usize]);
}

#[cfg(test)]
mod tests {
    use super::super::{Kind, Shape, Side};
    use super::*;

    #[test]
    fn auto_fills_empty_cells_only_and_counts_those_left_with_nothing() {
        let mut batch = Batch::new();
        batch.reset(Shape::new(Kind::SudokuX, Side::NINE), 1);
        (0..81).for_each(|i| batch.set_cell(0, i, Cell::Empty));
        for (i, digit) in (1..9).zip(1..) {
            batch.set_cell(0, i, Cell::Clue(digit));
        }
        batch.set_cell(0, 80, Cell::Solved(9)); // on the diagonal of r1c1
        batch.set_cell(0, 40, Cell::Candidates(1));
        assert_eq!(fill_candidates(&mut batch, 0, FillCandidates::Auto), 1);
        assert_eq!(batch.cell(0, 0), Cell::Empty);
        assert_eq!(batch.cell(0, 40), Cell::Candidates(1));
        assert_eq!(batch.cell(0, 9), Cell::Candidates(0b1_1111_1100)); // box: 1 and 2
        assert_eq!(fill_candidates(&mut batch, 0, FillCandidates::Full), 0);
        assert_eq!(batch.cell(0, 0), Cell::Candidates(0x1ff));
        fill_candidates(&mut batch, 0, FillCandidates::None);
        assert_eq!(batch.cell(0, 40), Cell::Empty);
    }

    #[test]
    fn auto_sees_regions_and_cages() {
        let mut batch = Batch::new();
        batch.reset(Shape::new(Kind::KillerJigsaw, Side::NINE), 1);
        for i in 0..81 {
            batch.set_cell(0, i, Cell::Empty);
            batch.regions_mut()[i] = (i / 9 + 1) as u8;
            batch.colours_mut()[i] = if i == 0 || i == 9 { 1 } else { 2 };
        }
        batch.set_cell(0, 0, Cell::Solved(5));
        fill_candidates(&mut batch, 0, FillCandidates::Auto);
        let has_five = |i| matches!(batch.cell(0, i), Cell::Candidates(mask) if mask & 16 != 0);
        assert!(!has_five(9) && !has_five(18) && !has_five(8)); // cage and column, column, row and region
        assert!(has_five(10)); // no boxes here
    }
}
