//! Reads the lines that a puzzle has along its cells and through them: borders of regions, diagonals, and cages that are only
//! drawn.

use super::place::{Place, two_points};
use crate::error::Reject;
use crate::formats::json_values::JsonValue;
use crate::formats::neutral::{NeutralBoard, NeutralRegions};

/// What is said about lines that are neither borders nor diagonals.
const DRAWING: &str = "edges (drawing)";

/// The borders between cells, and the diagonals, as far as they are drawn.
struct DrawnLines {
    side: usize,
    /// Whether there is a border to the right of a cell, and below it.
    borders: [Vec<bool>; 2],
    /// The pieces of the diagonals that fall and rise, from the left.
    diagonals: [Vec<bool>; 2],
}

/// Reads lines between corners. Those that have no meaning for a board are noted on it.
pub(super) fn read_edges(edges: &[(&str, &JsonValue)], place: &Place, board: &mut NeutralBoard) -> Result<(), Reject> {
    let side = board.side;
    let mut lines = DrawnLines {
        side,
        borders: [vec![false; side * side], vec![false; side * side]],
        diagonals: [vec![false; side], vec![false; side]],
    };
    for (key, style) in edges {
        let [from, to] = two_points(key)?.map(|point| place.corner(point));
        let is_read = match (style.as_u64(), from.zip(to)) {
            // Those of the grid itself, and fainter ones.
            (Some(1 | 11 | 80), _) => true,
            (Some(2 | 21), Some((from, to))) => lines.add_border(from.min(to), from.max(to)),
            (Some(12), Some((from, to))) => lines.add_diagonal([from, to]),
            _ => false,
        };
        if !is_read {
            board.refuse(DRAWING);
        }
    }
    let regions = lines.regions();
    if lines.has_border_within(&regions) {
        board.refuse(DRAWING);
    }
    let is_one = regions.iter().all(|region| *region == regions[0]);
    board.regions = if is_one { NeutralRegions::None } else { NeutralRegions::Numbers(regions) };
    let [falling, rising] = &lines.diagonals;
    let is_whole = |diagonal: &[bool]| diagonal.iter().all(|piece| *piece);
    if [falling, rising].iter().any(|diagonal| diagonal.contains(&true) && !is_whole(diagonal)) {
        board.refuse(DRAWING);
    }
    (board.further.falling, board.further.rising) = (is_whole(falling), is_whole(rising));
    Ok(())
}

impl DrawnLines {
    /// Adds a thick line between two corners, the first of which is before the other. It is one side of a cell.
    fn add_border(&mut self, [row, column]: [usize; 2], to: [usize; 2]) -> bool {
        let (is_upright, is_level) = (to == [row + 1, column], to == [row, column + 1]);
        // Around the grid, it is no border between cells.
        if is_upright && (1..self.side).contains(&column) {
            self.borders[0][row * self.side + column - 1] = true;
        }
        if is_level && (1..self.side).contains(&row) {
            self.borders[1][(row - 1) * self.side + column] = true;
        }
        is_upright || is_level
    }

    /// Adds a dashed line, which is a piece of a diagonal.
    fn add_diagonal(&mut self, ends: [[usize; 2]; 2]) -> bool {
        let columns = ends.map(|end| end[1]);
        let left = columns[0].min(columns[1]);
        let is_piece = columns[0].abs_diff(columns[1]) == 1;
        let is_falling = is_piece && ends.iter().all(|[row, column]| row == column);
        let is_rising = is_piece && ends.iter().all(|[row, column]| row + column == self.side);
        if is_falling {
            self.diagonals[0][left] = true;
        }
        if is_rising {
            self.diagonals[1][left] = true;
        }
        is_falling || is_rising
    }

    /// The pieces that the borders divide the grid into, in the order of their first cells.
    fn regions(&self) -> Vec<Option<u16>> {
        let n = self.side;
        let mut regions = vec![None; n * n];
        let mut count = 0;
        for first in 0..n * n {
            if regions[first].is_some() {
                continue;
            }
            let mut todo = vec![first];
            while let Some(cell) = todo.pop() {
                if regions[cell].replace(count).is_some() {
                    continue;
                }
                let (row, column) = (cell / n, cell % n);
                let open = |is_there: bool, axis: usize, of: usize| is_there && !self.borders[axis][of];
                todo.extend(open(column + 1 < n, 0, cell).then_some(cell + 1));
                todo.extend((column > 0 && open(true, 0, cell - 1)).then(|| cell - 1));
                todo.extend(open(row + 1 < n, 1, cell).then_some(cell + n));
                todo.extend((row > 0 && open(true, 1, cell - n)).then(|| cell - n));
            }
            count += 1;
        }
        regions
    }

    /// Whether a border has the same region on both sides.
    fn has_border_within(&self, regions: &[Option<u16>]) -> bool {
        let [right, below] = &self.borders;
        let is_within = |cell: usize, beside: usize| regions[cell] == regions[beside];
        (0..regions.len())
            .any(|cell| right[cell] && is_within(cell, cell + 1) || below[cell] && is_within(cell, cell + self.side))
    }
}

/// Notes lines of cages that are drawn elsewhere than in the cages of the board.
pub(super) fn refuse_drawn_cages(
    edges: &[(&str, &JsonValue)],
    place: &Place,
    board: &mut NeutralBoard,
) -> Result<(), Reject> {
    let mut cages = vec![None; board.side * board.side];
    for (number, cage) in board.cages.iter().enumerate() {
        cage.cells.iter().for_each(|&cell| cages[usize::from(cell)] = Some(number));
    }
    for (key, _) in edges {
        let [from, to] = two_points(key)?.map(|quarter| place.cell_of_quarter(quarter).and_then(|cell| cages[cell]));
        if from.is_none() || from != to {
            board.refuse("cage (drawing)");
        }
    }
    Ok(())
}
