//! Makes full boards in blocks, each of another class.
//!
//! A block begins with a board of the pool and walks away from it by a few random [`GridCompletions`]. Then the digits are
//! divided into parts. A completion of one part moves its digits within the cells that they have together, so it does
//! not depend on those of other parts, and all combinations of them are full boards. A few dozen completions of each
//! part thus make hundreds of boards. If they are too few, the walk goes on.

use std::num::NonZeroU64;

use super::completions::{FullGrid, GridCompletions, GridRules, Taken};
use super::regions;
use super::rng::Rng;
use super::str8ts::RECOLOURED;
use crate::board::Shape;

/// The number of boards in a block.
pub(super) const BLOCK: usize = 256;

/// The steps of a walk from a board of the pool to the first that is combined, and from one of these to the next.
const STEPS: usize = 3;
const STEPS_BETWEEN: usize = 1;

/// How many divisions are tried until the first part has enough completions, and how many are enough.
const DIVISIONS: usize = 6;
const ENOUGH: usize = 10;

/// The boards from which all others are made.
#[derive(Clone)]
pub(super) struct GridPool {
    shape: Shape,
    seed: u64,
    /// The family of streams of random numbers; each block has a stream.
    family: u64,
    rules: GridRules,
    /// How many different full boards are used; 0 for any number.
    grids: u64,
    /// The full boards. Black cells have `str8ts::BLACK`.
    boards: Vec<u8>,
    /// The regions 0..n-1 of the boards; empty for kinds without regions.
    regions: Vec<u8>,
}

impl GridPool {
    pub(super) fn new(shape: Shape, seed: u64, boards: Vec<u8>, regions: Vec<u8>, rng: &mut Rng) -> Self {
        let rules = GridRules::of(shape.kind, shape.side);
        Self { shape, seed, family: rng.next(), rules, grids: 0, boards, regions }
    }

    /// The same pool for this many full boards.
    pub(super) fn with_grids(self, grids: NonZeroU64) -> Self {
        Self { grids: grids.get(), ..self }
    }
}

/// The block that a thread is using, and the memory to make it.
#[derive(Default)]
pub(super) struct FullGridBlock {
    /// The shape, the seed and the number of the block.
    of: Option<(Shape, u64, u64)>,
    boards: Vec<u8>,
    walk: GridWalk,
}

impl FullGridBlock {
    /// The cells and the regions of full board number `number`.
    #[inline]
    pub(super) fn board(&mut self, pool: &GridPool, number: u64) -> FullGrid<'_> {
        let number = number.checked_rem(pool.grids).unwrap_or(number);
        let of = Some((pool.shape, pool.seed, number / BLOCK as u64));
        if self.of != of {
            self.fill(pool, number / BLOCK as u64);
            self.of = of;
        }
        let cells = pool.shape.side.cells();
        // Boards that follow each other in a block have most of their digits in the same cells.
        let from = (number % BLOCK as u64) as usize * 101 % BLOCK * cells;
        FullGrid { cells: &self.boards[from..from + cells], regions: &self.walk.regions }
    }

    #[inline(never)] // one for all sides
    fn fill(&mut self, pool: &GridPool, number: u64) {
        let cells = pool.shape.side.cells();
        let mut rng = Rng::stream(pool.family, number);
        self.walk.begin(pool, rng.below(pool.boards.len() / cells) * cells);
        self.boards.clear();
        let mut steps = STEPS;
        while self.boards.len() < BLOCK * cells {
            (0..steps).for_each(|_| self.walk.step(&pool.rules, &mut rng));
            if steps == STEPS && !self.walk.regions.is_empty() {
                self.walk.regions = regions::reshaped(&self.walk.cells, &self.walk.regions, pool.shape.side, &mut rng);
            }
            let wanted = BLOCK - self.boards.len() / cells;
            if let Some(lines) = &pool.rules.lines {
                self.walk.combine(&pool.rules, wanted.div_ceil(RECOLOURED), &mut rng);
                for board in self.walk.combined.chunks_exact(cells) {
                    if self.boards.len() < BLOCK * cells {
                        lines.recolour(board, &mut self.boards, &mut rng);
                    }
                }
                self.boards.truncate(BLOCK * cells);
            } else {
                self.walk.combine(&pool.rules, wanted, &mut rng);
                self.boards.extend_from_slice(&self.walk.combined);
            }
            steps = STEPS_BETWEEN;
        }
    }
}

/// A walk from one full board to others.
#[derive(Default)]
struct GridWalk {
    search: GridCompletions,
    cells: Vec<u8>,
    regions: Vec<u8>,
    /// The boards that were combined last.
    combined: Vec<u8>,
    /// The boards of the parts before the last.
    begun: Vec<u8>,
    /// The digits of one part, in each of its completions.
    rows: Vec<u8>,
    kept_row: usize,
}

impl GridWalk {
    /// Begins with the board of the pool that is at `from`.
    fn begin(&mut self, pool: &GridPool, from: usize) {
        let cells = pool.shape.side.cells();
        let part = |of: &[u8]| of.get(from..from + cells).unwrap_or_default().to_vec();
        (self.cells, self.regions) = (part(&pool.boards), part(&pool.regions));
    }

    /// Goes to another board that differs in a few digits, if there is one.
    fn step(&mut self, rules: &GridRules, rng: &mut Rng) {
        self.kept_row = rng.below(rules.side.get());
        let order = rules.draw_order(rng);
        let (n, most) = (rules.side.get(), rules.most_digits());
        let from = rng.below(n.saturating_sub(most) + 1);
        self.search_part(rules, &order[from..n.min(from + most)], 2, rng);
        if let Some(other) = self.search.found.get(1) {
            let other = *other;
            let before = self.cells.clone();
            self.search.write(&other, &before, &mut self.cells);
        }
    }

    /// Divides the digits into parts, combines completions of each to at least one and at most `most` boards, and goes
    /// to the last of these.
    fn combine(&mut self, rules: &GridRules, most: usize, rng: &mut Rng) {
        self.kept_row = rng.below(rules.side.get());
        self.combined.clear();
        self.combined.extend_from_slice(&self.cells);
        let mut order = [0; 25];
        let (mut from, parts) = (0, rules.parts().len());
        for (part, size) in rules.parts().enumerate() {
            let wanted = root(most.div_ceil(self.combined.len() / self.cells.len()), parts - part);
            if part == 0 {
                order = self.search_first_part(rules, size, wanted, rng);
            } else {
                self.search_part(rules, &order[from..from + size], wanted, rng);
            }
            from += size;
            self.add_part(most);
        }
        let last = self.combined.len() - self.cells.len();
        self.cells.copy_from_slice(&self.combined[last..]);
    }

    /// Searches for completions of the first part of several divisions, and keeps the one with the most. Returns the
    /// order of the digits in it.
    fn search_first_part(&mut self, rules: &GridRules, size: usize, wanted: usize, rng: &mut Rng) -> [u8; 25] {
        let mut order = self.draw_parts(rules, size, rng);
        self.search_part(rules, &order[..size], wanted, rng);
        // With straights there are no more than two divisions.
        for _ in 1..if rules.lines.is_some() { 2 } else { DIVISIONS } {
            if self.rows.len() >= ENOUGH.min(wanted) * self.cells.len() {
                break;
            }
            let before = std::mem::take(&mut self.rows);
            let other = self.draw_parts(rules, size, rng);
            self.search_part(rules, &other[..size], wanted, rng);
            if self.rows.len() > before.len() {
                order = other;
            } else {
                self.rows = before;
            }
        }
        order
    }

    /// Combines each board with each completion of a part, up to `most`.
    fn add_part(&mut self, most: usize) {
        std::mem::swap(&mut self.combined, &mut self.begun);
        self.combined.clear();
        let cells = self.cells.len();
        let pairs =
            self.begun.chunks_exact(cells).flat_map(|begun| self.rows.chunks_exact(cells).map(move |row| (begun, row)));
        for (begun, row) in pairs.take(most) {
            // All completions of a part have the same cells.
            let both = begun.iter().zip(row);
            self.combined.extend(both.map(|(&begun, &row)| if row == 0 { begun } else { row }));
        }
    }

    /// An order of the digits for which it matters which of the parts changes.
    fn draw_parts(&self, rules: &GridRules, first: usize, rng: &mut Rng) -> [u8; 25] {
        for _ in 0..16 {
            let order = rules.draw_order(rng);
            if !rules.has_twin_rows(&self.cells, &order[..first]) {
                return order;
            }
        }
        rules.draw_order(rng)
    }

    fn search_part(&mut self, rules: &GridRules, digits: &[u8], most: usize, rng: &mut Rng) {
        let grid = FullGrid { cells: &self.cells, regions: &self.regions };
        self.search.search(rules, Taken { grid, digits, kept_row: self.kept_row }, most, rng);
        let cells = self.cells.len();
        self.rows.clear();
        self.rows.resize(self.search.found.len() * cells, 0);
        for (row, completion) in self.rows.chunks_exact_mut(cells).zip(&self.search.found) {
            self.search.write(completion, &self.cells, row);
        }
    }
}

/// The least number whose power is at least `of`.
fn root(of: usize, power: usize) -> usize {
    (1..).find(|root: &usize| root.pow(power as u32) >= of).unwrap_or(1)
}
