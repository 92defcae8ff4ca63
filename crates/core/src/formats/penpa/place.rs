//! Where the cells of a puzzle are among the points of penpa-edit: a grid with margins of two, and the corners of its squares
//! after that.

use crate::error::{Code, Reject};
use crate::formats::json_values::{Arena, JsonValue, parse_puzzle};
use crate::formats::neutral::{LARGEST, unsupported};

/// The square of cells.
#[derive(Debug)]
pub(super) struct Place {
    /// The points of a row, margins included.
    width: i64,
    /// The points of all rows. From here on, points are corners.
    points: i64,
    /// The first row and column with cells.
    first: [i64; 2],
    side: usize,
}

/// The most rows and columns.
const MOST: i64 = 1000;

impl Place {
    /// Finds the cells from the first line, and from the line with their points, each as the difference to the one before.
    pub(super) fn of(fields: &[&str], cells: &str) -> Result<Self, Reject> {
        let size =
            |at: usize| fields.get(at).and_then(|size| size.parse().ok()).filter(|size| (1..=MOST).contains(size));
        let (Some(columns), Some(rows)) = (size(1), size(2)) else {
            return Err(Reject::whole(Code::Range, "its grid has no width and height"));
        };
        let (width, points) = (columns + 4, (columns + 4) * (rows + 4));
        let no_cells = || Reject::whole(Code::Range, "its list of cells is no list of numbers");
        let arena = Arena::new();
        let differences = parse_puzzle(&arena, cells, "its list of cells is")?;
        let mut point = 0_i64;
        let mut squares = Vec::new();
        for difference in differences.as_array().ok_or_else(no_cells)? {
            point = difference.as_i64().and_then(|difference| point.checked_add(difference)).ok_or_else(no_cells)?;
            if !(0..points).contains(&point) {
                return Err(Reject::whole(Code::Range, "its list of cells has one outside its grid"));
            }
            squares.push([point / width, point % width]);
        }
        let ends = |axis: usize| {
            let places = squares.iter().map(|square| square[axis]);
            Some((places.clone().min()?, places.max()?))
        };
        let (Some(rows), Some(columns)) = (ends(0), ends(1)) else {
            return Err(Reject::whole(Code::Length, "it has no cells"));
        };
        let side = rows.1 - rows.0 + 1;
        squares.sort_unstable();
        squares.dedup();
        if columns.1 - columns.0 + 1 != side || squares.len() as i64 != side * side || side > LARGEST as i64 {
            return Err(unsupported("a board that is no square of cells"));
        }
        Ok(Self { width, points, first: [rows.0, columns.0], side: side as usize })
    }

    pub(super) fn side(&self) -> usize {
        self.side
    }

    /// The cell at a point.
    pub(super) fn cell(&self, point: i64) -> Option<usize> {
        if !(0..self.points).contains(&point) {
            return None;
        }
        let [row, column] = self.relative(point, 0)?;
        (row < self.side && column < self.side).then_some(row * self.side + column)
    }

    /// The corner at a point: the lines between rows and between columns that cross there, from 0 to the side.
    pub(super) fn corner(&self, point: i64) -> Option<[usize; 2]> {
        let point = point.checked_sub(self.points).filter(|point| (0..self.points).contains(point))?;
        let [row, column] = self.relative(point, 1)?;
        (row <= self.side && column <= self.side).then_some([row, column])
    }

    /// The row and column of a point, from the first ones on. A corner has the number of the cell before it.
    fn relative(&self, point: i64, before: i64) -> Option<[usize; 2]> {
        let from = |at: i64, first: i64| usize::try_from(at - first + before).ok();
        Some([from(point / self.width, self.first[0])?, from(point % self.width, self.first[1])?])
    }

    /// The point of a small number, and of a corner of a cage, that is in a corner or at a side of a cell.
    pub(super) fn cell_of_quarter(&self, quarter: i64) -> Option<usize> {
        let point = quarter / 4;
        (1..=2).find_map(|times| self.cell(point.checked_sub(times * self.points)?))
    }

    /// The first of the small numbers in the corners of a cell that stands at a point.
    pub(super) fn quarter(&self, point: i64) -> i64 {
        4 * (point + self.points)
    }
}

/// Reads the two points of a line: `114,124`.
pub(super) fn two_points(key: &str) -> Result<[i64; 2], Reject> {
    let points = key.split_once(',').and_then(|(from, to)| Some([from.parse().ok()?, to.parse().ok()?]));
    points.ok_or_else(|| Reject::whole(Code::Range, "a line is not between two points"))
}

/// Reads a point.
pub(super) fn point(value: &JsonValue) -> Result<i64, Reject> {
    let point = match value {
        JsonValue::String(text) => text.parse().ok(),
        value => value.as_i64(),
    };
    point.filter(|point: &i64| (0..i64::from(i32::MAX)).contains(point)).ok_or_else(no_point)
}

/// Reads a point that is a key.
pub(super) fn point_of_key(key: &str) -> Result<i64, Reject> {
    key.parse().ok().filter(|point| (0..i64::from(i32::MAX)).contains(point)).ok_or_else(no_point)
}

fn no_point() -> Reject {
    Reject::whole(Code::Range, "a point is no number")
}
