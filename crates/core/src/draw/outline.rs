//! The outline of a set of cells, slightly inside it.

/// Steps right, down, left, up as (rows, columns). An edge is named by the direction in which a clockwise walk passes it:
/// 0 is the upper edge of its cell, 1 the right, 2 the lower, 3 the left one.
const STEPS: [(isize, isize); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// The corners (x, y) of the closed outlines of `cells`, on a board with cells of size `unit`, at a distance of `inset`
/// inside the cells' borders. A disconnected set, or one with holes, has several outlines. Where two cells touch only
/// at a corner, the outlines stay apart, so no outline crosses itself.
pub(super) fn outlines(cells: &[usize], side: usize, unit: f64, inset: f64) -> Vec<Vec<(f64, f64)>> {
    let mut inside = vec![false; side * side];
    cells.iter().for_each(|&i| inside[i] = true);
    let at = |row: isize, column: isize| {
        let on_board = |k: isize| (0..side as isize).contains(&k);
        on_board(row) && on_board(column) && inside[row as usize * side + column as usize]
    };
    let mut walked = vec![[false; 4]; side * side];
    let mut all = Vec::new();
    for &first in cells {
        for start in 0..4 {
            let (mut row, mut column, mut d) = ((first / side) as isize, (first % side) as isize, start);
            let outward = STEPS[(d + 3) % 4];
            if at(row + outward.0, column + outward.1) || walked[first][d] {
                continue;
            }
            let mut corners = Vec::new();
            while !std::mem::replace(&mut walked[row as usize * side + column as usize][d], true) {
                let (ahead, out) = (STEPS[d], STEPS[(d + 3) % 4]);
                let corner = |turn: usize| {
                    let vertex = (row + isize::from(d == 1 || d == 2), column + isize::from(d == 0 || d == 1));
                    let (a, b) = (STEPS[(d + 1) % 4], STEPS[(d + turn + 1) % 4]);
                    let shift = |k: isize, by: isize| k as f64 * unit + by as f64 * inset;
                    (shift(vertex.1, a.1 + b.1), shift(vertex.0, a.0 + b.0))
                };
                if !at(row + ahead.0, column + ahead.1) {
                    corners.push(corner(1)); // around the corner of this cell
                    d = (d + 1) % 4;
                } else if !at(row + ahead.0 + out.0, column + ahead.1 + out.1) {
                    (row, column) = (row + ahead.0, column + ahead.1); // straight on
                } else {
                    corners.push(corner(3)); // into the corner between this cell and the one ahead to the left
                    (row, column) = (row + ahead.0 + out.0, column + ahead.1 + out.1);
                    d = (d + 3) % 4;
                }
            }
            all.push(corners);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_inset_at_convex_and_concave_corners() {
        // X .
        // X X
        let corners = outlines(&[0, 2, 3], 2, 10.0, 1.0);
        let expected = vec![(9.0, 1.0), (9.0, 11.0), (19.0, 11.0), (19.0, 19.0), (1.0, 19.0), (1.0, 1.0)];
        assert_eq!(corners, [expected]);
    }

    #[test]
    fn a_ring_has_two_outlines_and_touching_corners_stay_apart() {
        let ring = outlines(&[0, 1, 2, 3, 5, 6, 7, 8], 3, 10.0, 1.0);
        assert_eq!(ring.len(), 2);
        assert_eq!(ring[1], [(9.0, 9.0), (9.0, 21.0), (21.0, 21.0), (21.0, 9.0)]);
        // X X .
        // X . X
        // X X X: r1c2 and r2c3 touch at a corner, where the outline must not cross itself
        let pinched = outlines(&[0, 1, 3, 5, 6, 7, 8], 3, 10.0, 1.0);
        assert_eq!(pinched.len(), 1);
        assert!(pinched[0].contains(&(19.0, 9.0)) && pinched[0].contains(&(21.0, 11.0)));
    }
}
