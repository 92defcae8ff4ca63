//! The extra houses of sudoku kinds, besides rows, columns and boxes.

use crate::board::{Kind, Side, geometry};
use crate::kernels::bitslice::ExtraHouse;

/// The box of a cell, given by its number in reading order, and the cell's position in the box.
fn box_and_position(cell: u16) -> (u8, u8) {
    let (row, column) = ((cell / 9) as u8, (cell % 9) as u8);
    (row / 3 * 3 + column / 3, row % 3 * 3 + column % 3)
}

/// The five further houses that the windows of a windoku imply. For example, rows 2 to 4 contain each digit three
/// times, and the two windows in these rows contain it twice. So the nine other cells of these rows, in columns 1, 5
/// and 9, contain it once.
fn implied_windows() -> impl Iterator<Item = ExtraHouse> {
    const BANDS: [[u16; 3]; 3] = [[0, 4, 8], [1, 2, 3], [5, 6, 7]];
    let pairs = [(0, 0), (0, 1), (0, 2), (1, 0), (2, 0)];
    pairs.into_iter().map(|(rows, columns): (usize, usize)| {
        std::array::from_fn(|k| box_and_position(BANDS[rows][k / 3] * 9 + BANDS[columns][k % 3]))
    })
}

/// Whether the solver for batches supports a kind: a sudoku with boxes whose puzzles consist of nothing but their
/// cells.
pub(super) fn are_supported(kind: Kind) -> bool {
    kind.rules().houses.boxes && kind.is_plain()
}

/// The houses of a kind besides rows, columns and boxes. `None` if the kind is not [supported](are_supported).
pub(super) fn extra_houses(kind: Kind) -> Option<Vec<ExtraHouse>> {
    let rules = kind.rules();
    if !are_supported(kind) {
        return None;
    }
    let table = geometry(Side::NINE);
    let mut houses: Vec<ExtraHouse> = Vec::new();
    let mut add = |groups: &[Vec<u16>]| {
        houses.extend(groups.iter().map(|group| -> ExtraHouse { std::array::from_fn(|k| box_and_position(group[k])) }));
    };
    if rules.houses.diagonals {
        add(&table.diagonals);
    }
    if rules.houses.colours {
        add(&table.colours);
    }
    if rules.houses.windows {
        add(&table.windows);
        houses.extend(implied_windows());
    }
    Some(houses)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_and_what_they_imply_tile_the_grid() {
        let mut cells: Vec<_> = extra_houses(Kind::Windoku).unwrap().into_iter().flatten().collect();
        cells.sort_unstable();
        cells.dedup();
        assert_eq!(cells.len(), 81);
    }

    #[test]
    fn the_kinds_that_are_solved_have_the_houses_of_their_rules() {
        let solved = Kind::all().filter_map(|kind| Some((kind.name(), extra_houses(kind)?.len())));
        let expected = [("sudoku", 0), ("sudoku-x", 2), ("windoku", 9), ("colour-sudoku", 9)];
        assert_eq!(solved.collect::<Vec<_>>(), expected);
    }
}
