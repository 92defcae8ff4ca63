//! The houses of a grid: rows, columns, boxes, diagonals, windows and colour groups, as one table for each side.

use std::sync::OnceLock;

use super::kind::{Kind, Side};

/// The fixed houses of a side. Cells are numbered from 0 in reading order.
#[derive(Debug)]
pub struct Geometry {
    /// The side.
    pub side: Side,
    /// The box of each cell, numbered from 0 in reading order; empty for a side without boxes.
    pub box_of: Vec<u8>,
    /// The cells of each row, then of each column: 2n houses of n cells.
    pub lines: Vec<Vec<u16>>,
    /// The cells of each box; empty for a side without boxes.
    pub boxes: Vec<Vec<u16>>,
    /// The two diagonals, from the top left and from the top right.
    pub diagonals: [Vec<u16>; 2],
    /// The four windows, rows and columns 2-4 and 6-8; side 9 only.
    pub windows: Vec<Vec<u16>>,
    /// The nine groups of cells at the same position in their boxes; side 9 only.
    pub colours: Vec<Vec<u16>>,
}

/// Returns the other cells in the row, column and box of a cell of a sudoku of side 9.
pub fn peers9(at: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (at / 9, at % 9);
    (0..81).filter(move |&other| {
        let (r, c) = (other / 9, other % 9);
        other != at && (r == row || c == column || r / 3 == row / 3 && c / 3 == column / 3)
    })
}

impl Geometry {
    fn new(side: Side) -> Self {
        let n = side.get();
        let cell = |row: usize, column: usize| (row * n + column) as u16;
        let rows = (0..n).map(|r| (0..n).map(|c| cell(r, c)).collect());
        let columns = (0..n).map(|c| (0..n).map(|r| cell(r, c)).collect());
        let mut boxes = Vec::new();
        let mut box_of = Vec::new();
        if let Some((height, width)) = side.box_shape() {
            box_of = (0..n * n).map(|i| ((i / n / height) * (n / width) + i % n / width) as u8).collect();
            boxes =
                (0..n).map(|b| (0..n * n).filter(|&i| box_of[i] as usize == b).map(|i| i as u16).collect()).collect();
        }
        let (mut windows, mut colours) = (Vec::new(), Vec::new());
        if n == 9 {
            let square = |top: usize, left: usize, step: usize| -> Vec<u16> {
                (0..9).map(|k| cell(top + k / 3 * step, left + k % 3 * step)).collect()
            };
            windows = [(1, 1), (1, 5), (5, 1), (5, 5)].map(|(top, left)| square(top, left, 1)).to_vec();
            colours = (0..9).map(|k| square(k / 3, k % 3, 3)).collect();
        }
        Self {
            side,
            box_of,
            lines: rows.chain(columns).collect(),
            boxes,
            diagonals: [(0..n).map(|i| cell(i, i)).collect(), (0..n).map(|i| cell(i, n - 1 - i)).collect()],
            windows,
            colours,
        }
    }

    /// The cells that share an edge with cell `i`.
    pub fn neighbours(i: usize, side: usize) -> impl Iterator<Item = usize> {
        let (row, column) = (i / side, i % side);
        [
            (row > 0).then(|| i - side),
            (column > 0).then(|| i - 1),
            (column + 1 < side).then(|| i + 1),
            (row + 1 < side).then(|| i + side),
        ]
        .into_iter()
        .flatten()
    }

    /// The houses that all boards of a kind have: rows and columns, then boxes, diagonals, windows and colour groups if
    /// the kind has them. Regions and cages differ from board to board and are not included.
    pub fn houses(&self, kind: Kind) -> impl Iterator<Item = &[u16]> {
        let rules = kind.rules();
        let some = |have: bool, houses: &'_ [Vec<u16>]| if have { houses.len() } else { 0 };
        let boxes = &self.boxes[..some(rules.houses.boxes, &self.boxes)];
        let diagonals = &self.diagonals[..some(rules.houses.diagonals, &self.diagonals)];
        let windows = &self.windows[..some(rules.houses.windows, &self.windows)];
        let colours = &self.colours[..some(rules.houses.colours, &self.colours)];
        self.lines.iter().chain(boxes).chain(diagonals).chain(windows).chain(colours).map(Vec::as_slice)
    }
}

/// The table for a side, which is built once.
pub fn geometry(side: Side) -> &'static Geometry {
    static TABLES: [OnceLock<Geometry>; 26] = [const { OnceLock::new() }; 26];
    TABLES[side.get()].get_or_init(|| Geometry::new(side))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_house_has_n_different_cells_and_boxes_tile_the_grid() {
        for side in Side::all() {
            let table = geometry(side);
            for kind in Kind::all() {
                for house in table.houses(kind) {
                    let mut cells = house.to_vec();
                    cells.sort_unstable();
                    cells.dedup();
                    assert_eq!(cells.len(), side.get(), "{kind} {side}");
                    assert!(cells.iter().all(|&i| (i as usize) < side.cells()));
                }
            }
            let mut tiled: Vec<u16> = table.boxes.iter().flatten().copied().collect();
            tiled.sort_unstable();
            assert!(tiled.is_empty() || tiled == (0..side.cells() as u16).collect::<Vec<_>>());
        }
        assert_eq!(geometry(Side::NINE).diagonals[1].first(), Some(&8));
        assert_eq!(geometry(Side::NINE).windows[0], [10, 11, 12, 19, 20, 21, 28, 29, 30]);
        assert_eq!(geometry(Side::NINE).colours[1], [1, 4, 7, 28, 31, 34, 55, 58, 61]);
        assert_eq!(geometry(Side::new(6).unwrap()).boxes[1], [3, 4, 5, 9, 10, 11]);
    }
}
