//! Makes jigsaw regions: n connected regions of n cells, each of which has every digit of a full grid once.
//!
//! They begin as the boxes of a full grid. If two regions exchange the cells that have the same digit, both still have
//! every digit, but they may no longer be connected. So no search for a solution is needed. Two neighbouring regions at
//! a time exchange digits until both are connected again, in a new shape. Pieces that become detached meanwhile stay
//! between the two regions; exchanges all over the board would scatter pieces and hardly ever reunite all of them.

use super::rng::Rng;
use crate::board::{Side, geometry};

/// How many pairs of neighbours are reshaped, for each region of the board.
const ROUNDS: usize = 6;

/// How many exchanges a pair of neighbours may make, for each digit.
const MAX_EXCHANGES: usize = 16;

/// Makes random regions for a full grid with boxes. Returns the region 0..n-1 of each cell.
pub(super) fn random_regions(grid: &[u8], side: Side, rng: &mut Rng) -> Vec<u8> {
    let mut regions = RegionGrid::new(grid, &geometry(side).box_of, side);
    for _ in 0..ROUNDS * side.get() {
        let (a, b) = regions.neighbouring_regions(rng);
        regions.reshape(a, b, rng);
    }
    regions.cells.iter().map(|&cell| regions.region[cell as usize]).collect()
}

/// Regions for a grid that differ from those given.
pub(super) fn reshaped(grid: &[u8], regions: &[u8], side: Side, rng: &mut Rng) -> Vec<u8> {
    let mut regions = RegionGrid::new(grid, regions, side);
    let (a, b) = regions.neighbouring_regions(rng);
    regions.reshape(a, b, rng);
    regions.cells.iter().map(|&cell| regions.region[cell as usize]).collect()
}

/// The region of the border around the board.
const OUTSIDE: u8 = u8::MAX;

/// A board that is divided into regions. Cells are indices of a board with a border of one cell, so that every cell has
/// four neighbours in the arrays.
struct RegionGrid {
    n: usize,
    /// Cells from one row of the framed board to the next.
    row: usize,
    /// The cells of the board in reading order.
    cells: Vec<u16>,
    /// The region of each cell, or [`OUTSIDE`].
    region: Vec<u8>,
    /// The digit of each cell, from 0.
    digit: Vec<u8>,
    /// The cell that contains a digit, for each region and digit.
    cell_of: Vec<[u16; 25]>,
}

impl RegionGrid {
    fn new(grid: &[u8], of: &[u8], side: Side) -> Self {
        let n = side.get();
        let row = n + 2;
        let cells: Vec<u16> = (0..n * n).map(|i| ((i / n + 1) * row + i % n + 1) as u16).collect();
        let (mut region, mut digit) = (vec![OUTSIDE; row * row], vec![0; row * row]);
        let mut cell_of = vec![[0; 25]; n];
        for ((&cell, &of), &to) in cells.iter().zip(of).zip(grid) {
            region[cell as usize] = of;
            digit[cell as usize] = to - 1;
            cell_of[of as usize][to as usize - 1] = cell;
        }
        Self { n, row, cells, region, digit, cell_of }
    }

    fn neighbours(&self, cell: usize) -> [usize; 4] {
        [cell - self.row, cell - 1, cell + 1, cell + self.row]
    }

    /// Two regions that share an edge. Pairs with longer common borders are more likely.
    fn neighbouring_regions(&self, rng: &mut Rng) -> (u8, u8) {
        loop {
            let cell = self.cells[rng.below(self.cells.len())] as usize;
            let neighbour = self.neighbours(cell)[rng.below(4)];
            let (a, b) = (self.region[cell], self.region[neighbour]);
            if a != b && b != OUTSIDE {
                return (a, b);
            }
        }
    }

    /// Exchanges random digits between two connected regions until both are connected in another shape. Restores their
    /// old shape if that takes too long.
    fn reshape(&mut self, a: u8, b: u8, rng: &mut Rng) {
        // On large boards, pieces are reunited less often, so fewer pieces may come off at a time.
        let allowed = if self.n > 9 { 2 } else { 3 };
        let (mut changed, mut extra) = (0_u32, 0);
        for _ in 0..MAX_EXCHANGES * self.n {
            let digit = rng.below(self.n);
            if !self.would_connect(a, b, digit) {
                continue;
            }
            self.exchange(a, b, digit);
            let now = self.extra_pieces(a) + self.extra_pieces(b);
            if now > allowed && now > extra {
                self.exchange(a, b, digit);
                continue;
            }
            extra = now;
            changed ^= 1 << digit;
            if extra == 0 && changed != 0 {
                return;
            }
        }
        if extra > 0 {
            (0..self.n).filter(|digit| changed >> digit & 1 == 1).for_each(|digit| self.exchange(a, b, digit));
        }
    }

    /// Whether one of the two cells that contain `digit` would have a neighbour in its new region. Exchanging two cells
    /// that would both be isolated hardly ever leads to connected regions.
    fn would_connect(&self, a: u8, b: u8, digit: usize) -> bool {
        let (x, y) = (self.cell_of[a as usize][digit] as usize, self.cell_of[b as usize][digit] as usize);
        self.neighbours(x).iter().any(|&neighbour| self.region[neighbour] == b && neighbour != y)
            || self.neighbours(y).iter().any(|&neighbour| self.region[neighbour] == a && neighbour != x)
    }

    /// Exchanges the cells of two regions that contain `digit`.
    fn exchange(&mut self, a: u8, b: u8, digit: usize) {
        let (x, y) = (self.cell_of[a as usize][digit], self.cell_of[b as usize][digit]);
        (self.region[x as usize], self.region[y as usize]) = (b, a);
        (self.cell_of[a as usize][digit], self.cell_of[b as usize][digit]) = (y, x);
    }

    /// The number of a region's connected components, less one.
    fn extra_pieces(&self, region: u8) -> usize {
        let cell_of = &self.cell_of[region as usize];
        // The digits whose cells have not been reached yet.
        let mut left = (1_u32 << self.n) - 1;
        let mut pieces = 0;
        let mut todo = [0_u16; 32];
        while left != 0 {
            pieces += 1;
            todo[0] = cell_of[left.trailing_zeros() as usize];
            left &= left - 1;
            let mut waiting = 1;
            while waiting > 0 {
                waiting -= 1;
                for neighbour in self.neighbours(todo[waiting] as usize) {
                    let bit = 1 << self.digit[neighbour];
                    if self.region[neighbour] == region && left & bit != 0 {
                        left &= !bit;
                        todo[waiting] = neighbour as u16;
                        waiting += 1;
                    }
                }
            }
        }
        pieces - 1
    }
}

#[cfg(test)]
mod tests {
    use super::super::grids::full_grid;
    use super::*;
    use crate::board::{Kind, components};

    #[test]
    fn regions_are_connected_hold_each_digit_and_leave_the_boxes() {
        let mut rng = Rng::stream(3, 3);
        for side in Side::all().filter(|side| side.box_shape().is_some()) {
            let n = side.get();
            let (mut moved, mut untouched) = (0, 0);
            for _ in 0..10 {
                let grid = full_grid(Kind::Sudoku, side, &mut rng);
                let region = random_regions(&grid, side, &mut rng);
                let mut seen = vec![0_u32; n];
                region.iter().zip(&grid).for_each(|(&r, &digit)| seen[r as usize] |= 1 << digit);
                assert!(seen.iter().all(|&seen| seen == (2 << n) - 2), "side {side}");
                let labels = components(&region, n);
                assert_eq!((0..n * n).filter(|&i| labels[i] as usize == i).count(), n, "side {side}");
                let boxes = &geometry(side).box_of;
                moved += region.iter().zip(boxes).filter(|(a, b)| a != b).count();
                untouched += geometry(side)
                    .boxes
                    .iter()
                    .filter(|cells| cells.iter().all(|&i| region[i as usize] == region[cells[0] as usize]))
                    .count();
            }
            // Larger boards keep more of their boxes, since the cost of a round grows faster than its effect.
            let least = match n {
                16 => 10 * n * n / 4,
                25 => 10 * n * n / 8,
                _ => 10 * n * n / 2,
            };
            assert!(moved > least, "side {side}: {moved} cells left their box");
            assert!(untouched < 10 * n / 2, "side {side}: {untouched} regions are boxes");
        }
    }
}
