//! The houses of a kind besides rows, columns and boxes.

use crate::board::{Kind, Side, geometry};
use crate::kernels::bitslice::ExtraHouse;

/// Box and place in the box of a cell in reading order.
fn place(cell: u16) -> (u8, u8) {
    let (row, column) = ((cell / 9) as u8, (cell % 9) as u8);
    (row / 3 * 3 + column / 3, row % 3 * 3 + column % 3)
}

/// The five groups that the windows of a windoku imply: rows 1, 5 and 9 less what the four windows' columns hold of them, and
/// so on. Three rows hold each digit three times and two windows in them twice; what is left is a house.
fn between_windows() -> impl Iterator<Item = ExtraHouse> {
    const BANDS: [[u16; 3]; 3] = [[0, 4, 8], [1, 2, 3], [5, 6, 7]];
    let pairs = [(0, 0), (0, 1), (0, 2), (1, 0), (2, 0)];
    pairs.into_iter().map(|(rows, columns): (usize, usize)| {
        std::array::from_fn(|k| place(BANDS[rows][k / 3] * 9 + BANDS[columns][k % 3]))
    })
}

/// Whether a kind is a sudoku of cells alone.
pub(super) fn are_known(kind: Kind) -> bool {
    kind.rules().boxes && kind.is_plain()
}

/// The houses of a kind besides rows, columns and boxes, or `None` for kinds that are not sudokus of givens alone.
pub(super) fn further(kind: Kind) -> Option<Vec<ExtraHouse>> {
    let rules = kind.rules();
    if !are_known(kind) {
        return None;
    }
    let table = geometry(Side::NINE);
    let mut houses: Vec<ExtraHouse> = Vec::new();
    let mut add = |groups: &[Vec<u16>]| {
        houses.extend(groups.iter().map(|group| -> ExtraHouse { std::array::from_fn(|k| place(group[k])) }));
    };
    if rules.diagonals {
        add(&table.diagonals);
    }
    if rules.colours {
        add(&table.colours);
    }
    if rules.windows {
        add(&table.windows);
        houses.extend(between_windows());
    }
    Some(houses)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_and_what_they_imply_tile_the_grid() {
        let mut cells: Vec<_> = further(Kind::Windoku).unwrap().into_iter().flatten().collect();
        cells.sort_unstable();
        cells.dedup();
        assert_eq!(cells.len(), 81);
    }

    #[test]
    fn the_kinds_that_are_solved_have_the_houses_of_their_rules() {
        let solved = Kind::all().filter_map(|kind| Some((kind.name(), further(kind)?.len())));
        let expected = [("sudoku", 0), ("sudoku-x", 2), ("windoku", 9), ("colour-sudoku", 9)];
        assert_eq!(solved.collect::<Vec<_>>(), expected);
    }
}
