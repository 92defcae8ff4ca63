//! Jigsaw regions: n connected regions of n cells in which a full grid holds each digit once.
//!
//! They begin as the boxes of a grid with boxes. If two regions exchange the cells in which they hold one and the same
//! digit, each still holds every digit; only connectedness must be watched. So no search for a solution is needed, and
//! sides 16 and 25 cost little more than 9.

use super::rng::Rng;
use crate::board::{Geometry, Side, geometry};

/// The region 0..n-1 of each cell, for a full grid with boxes.
pub fn cut(grid: &[u8], side: Side, rng: &mut Rng) -> Vec<u8> {
    let n = side.get();
    let mut cutting = Cutting::new(grid, side);
    // Pieces of regions may come off on the way, a few at a time: without that the walk hardly leaves the boxes. Not all
    // find their way back, so it goes in short walks, of which those that do not are taken back.
    for _ in 0..WALKS {
        for _ in 0..12 * n * n {
            cutting.exchange(n / 3, rng);
        }
        for _ in 0..40 * n * n {
            if cutting.loose == 0 {
                break;
            }
            cutting.exchange(0, rng);
        }
        cutting.take_back();
    }
    cutting.region
}

const WALKS: usize = 8;

struct Cutting<'a> {
    grid: &'a [u8],
    n: usize,
    region: Vec<u8>,
    /// The cell in which a region holds a digit: `region * (n + 1) + digit`.
    holds: Vec<u16>,
    /// Pieces of each region, less one.
    pieces: Vec<usize>,
    /// The sum of `pieces`.
    loose: usize,
    /// The last regions seen that were all connected.
    connected: Vec<u8>,
}

impl<'a> Cutting<'a> {
    fn new(grid: &'a [u8], side: Side) -> Self {
        let n = side.get();
        let region = geometry(side).box_of.clone();
        let connected = region.clone();
        let mut cutting =
            Self { grid, n, connected, region, holds: vec![0; n * (n + 1)], pieces: vec![0; n], loose: 0 };
        cutting.take_back();
        cutting
    }

    /// Back to the last regions that were all connected.
    fn take_back(&mut self) {
        self.region.copy_from_slice(&self.connected);
        for (i, &region) in self.region.iter().enumerate() {
            self.holds[region as usize * (self.n + 1) + self.grid[i] as usize] = i as u16;
        }
        self.pieces.fill(0);
        self.loose = 0;
    }

    /// One random exchange, undone if it leaves more than `allowed` loose pieces, and more than before.
    fn exchange(&mut self, allowed: usize, rng: &mut Rng) {
        let x = rng.below(self.grid.len());
        let beside: [usize; 4] = {
            let mut list = [x; 4];
            list.iter_mut().zip(Geometry::neighbours(x, self.n)).for_each(|(slot, j)| *slot = j);
            list
        };
        let (a, b) = (self.region[x] as usize, self.region[beside[rng.below(4)]] as usize);
        if a == b {
            return;
        }
        let y = self.holds[b * (self.n + 1) + self.grid[x] as usize] as usize;
        self.give(x, b);
        self.give(y, a);
        let (of_a, of_b) = (self.count(a), self.count(b));
        let loose = self.loose + of_a + of_b - self.pieces[a] - self.pieces[b];
        if loose > allowed && loose > self.loose {
            self.give(x, a);
            self.give(y, b);
            return;
        }
        (self.pieces[a], self.pieces[b], self.loose) = (of_a, of_b, loose);
        if loose == 0 {
            self.connected.copy_from_slice(&self.region);
        }
    }

    fn give(&mut self, cell: usize, region: usize) {
        self.region[cell] = region as u8;
        self.holds[region * (self.n + 1) + self.grid[cell] as usize] = cell as u16;
    }

    /// Pieces of a region, less one.
    fn count(&self, region: usize) -> usize {
        let mine = &self.holds[region * (self.n + 1) + 1..(region + 1) * (self.n + 1)];
        let mut seen = 0_u32;
        let mut todo = [0; 25];
        let mut pieces = 0;
        for (k, &first) in mine.iter().enumerate() {
            if seen >> k & 1 == 1 {
                continue;
            }
            seen |= 1 << k;
            pieces += 1;
            todo[0] = first as usize;
            let mut waiting = 1;
            while waiting > 0 {
                waiting -= 1;
                for j in Geometry::neighbours(todo[waiting], self.n) {
                    let digit = self.grid[j] as usize - 1;
                    if self.region[j] as usize == region && seen >> digit & 1 == 0 {
                        seen |= 1 << digit;
                        todo[waiting] = j;
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
            let mut moved = 0;
            for _ in 0..10 {
                let grid = full_grid(Kind::Sudoku, side, &mut rng);
                let region = cut(&grid, side, &mut rng);
                let mut seen = vec![0_u32; n];
                region.iter().zip(&grid).for_each(|(&r, &digit)| seen[r as usize] |= 1 << digit);
                assert!(seen.iter().all(|&seen| seen == (2 << n) - 2), "side {side}");
                let labels = components(&region, n);
                assert_eq!((0..n * n).filter(|&i| labels[i] as usize == i).count(), n, "side {side}");
                moved += region.iter().zip(&geometry(side).box_of).filter(|(a, b)| a != b).count();
            }
            // Larger regions have more ways to fall apart, so fewer exchanges last.
            let least = if n > 9 { 10 * n * n / 20 } else { 10 * n * n / 4 };
            assert!(moved > least, "side {side}: {moved} cells left their box");
        }
    }
}
