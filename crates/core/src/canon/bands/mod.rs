//! The least grid of a solved sudoku of side 9, by the classes of its bands.
//!
//! 1. The first three rows of the least grid are the least that any of the six bands (three of rows, three of columns) can become:
//!    every map puts one of them on top, and the order of columns, of the three rows and the names can be chosen for that band.
//! 2. What a band can become depends on its class only, of which there are 416. The [`Tables`] have for each band its class and the
//!    orders of rows and columns that make it least: 1.24 on average.
//! 3. So only bands of the least class count, each with its few orders. Given one, columns and names are settled. The rows of
//!    another band must ascend, and so must the two bands: digits of the first column are different, so they decide.

mod tables;

use super::arrangement::{Arrangement, MOST, TRANSPOSED};
use super::map::Map;
use tables::{BandNumber, ORDERS, Tables, tables};

/// One way to the least grid: cell (i, j) of it is the name of cell (rows\[i\], columns\[j\]), of the transposed grid if so.
#[derive(Clone, Copy)]
pub(super) struct Way {
    transposed: bool,
    rows: [u8; 9],
    columns: [u8; 9],
    /// By digit; 0 stays 0.
    names: [u8; 16],
}

impl Way {
    /// What it makes of the clues.
    #[inline]
    fn carry(&self, clues: &[u8; 81]) -> [u8; 81] {
        let (row_step, column_step) = if self.transposed { (1, 9) } else { (9, 1) };
        let mut out = [0; 81];
        for (out, row) in out.as_chunks_mut::<9>().0.iter_mut().zip(self.rows) {
            for (out, column) in out.iter_mut().zip(self.columns) {
                let cell = usize::from(row) * row_step + usize::from(column) * column_step;
                *out = self.names[usize::from(clues[cell] & 15)];
            }
        }
        out
    }

    fn map(&self) -> Map {
        let (mut rows, mut columns, mut digits) = ([0; MOST], [0; MOST], [0; MOST]);
        rows[..9].copy_from_slice(&self.rows);
        columns[..9].copy_from_slice(&self.columns);
        digits[..9].copy_from_slice(&self.names[1..10]);
        let flags = if self.transposed { TRANSPOSED } else { 0 };
        Map { side: 9, cells: Arrangement { flags, rows, columns }, digits }
    }
}

/// The ways to the least grid. It holds the memory for them.
pub(super) struct BandSearch {
    tables: &'static Tables,
    ways: Vec<Way>,
    /// The last 54 cells of the least grid.
    rest: [u8; 54],
}

impl BandSearch {
    /// Makes the tables, if no other one has.
    pub(super) fn new() -> Self {
        Self { tables: tables(), ways: Vec::new(), rest: [0; 54] }
    }

    /// The map that carries a solved grid to the least one and its clues to the least clues that any such map makes; how many do
    /// that, and how many make the grid least. `grid` must obey the rules.
    pub(super) fn least(&mut self, grid: &[u8; 81], clues: &[u8; 81]) -> (Map, u64, u64) {
        self.find_ways(grid);
        let Some((first, others)) = self.ways.split_first() else {
            return (Way { transposed: false, rows: [0; 9], columns: [0; 9], names: [0; 16] }.map(), 0, 0);
        };
        let (mut best, mut count) = (first, 1);
        if !others.is_empty() {
            let mut least = first.carry(clues);
            for way in others {
                let carried = way.carry(clues);
                if carried < least {
                    (least, best, count) = (carried, way, 1);
                } else if carried == least {
                    count += 1;
                }
            }
        }
        (best.map(), count, self.ways.len() as u64)
    }

    fn find_ways(&mut self, grid: &[u8; 81]) {
        let mut transposed = [0; 81];
        for (cell, to) in transposed.iter_mut().enumerate() {
            *to = grid[cell % 9 * 9 + cell / 9];
        }
        let bands = [0, 27, 54].map(|at| self.tables.number(&grid[at..at + 27]));
        let stacks = [0, 27, 54].map(|at| self.tables.number(&transposed[at..at + 27]));
        let class = |band: &BandNumber| self.tables.class(band);
        let least = bands.iter().chain(&stacks).map(class).min();
        self.ways.clear();
        for (is_transposed, grid, bands) in [(false, grid, bands), (true, &transposed, stacks)] {
            for (number, band) in bands.iter().enumerate() {
                if Some(self.tables.class(band)) == least {
                    for &orders in self.tables.orders(band) {
                        self.try_way(grid, is_transposed, number, band, orders);
                    }
                }
            }
        }
    }

    /// One way to put band `number` on top.
    #[inline]
    fn try_way(&mut self, grid: &[u8; 81], transposed: bool, number: usize, band: &BandNumber, orders: u16) {
        let (row_order, columns) = self.tables.order(band, orders);
        let top = 3 * number;
        let mut way = Way { transposed, rows: [0; 9], columns, names: [0; 16] };
        for (row, order) in way.rows.iter_mut().zip(ORDERS[row_order]) {
            *row = top as u8 + order;
        }
        let first = &grid[9 * usize::from(way.rows[0])..][..9];
        for (&column, name) in columns.iter().zip(1..) {
            way.names[usize::from(first[usize::from(column)] & 15)] = name;
        }
        let head = |row: u8| way.names[usize::from(grid[9 * usize::from(row) + usize::from(columns[0])] & 15)];
        let mut lower = [(number + 1) % 3, (number + 2) % 3].map(|band| {
            let mut rows = [0, 1, 2].map(|row| (head(3 * band as u8 + row), 3 * band as u8 + row));
            rows.sort_unstable();
            rows
        });
        lower.sort_unstable();
        for (row, (_, from)) in way.rows[3..].iter_mut().zip(lower.as_flattened()) {
            *row = *from;
        }
        let mut rest = [0; 54];
        for (out, row) in rest.as_chunks_mut::<9>().0.iter_mut().zip(&way.rows[3..]) {
            let row = &grid[9 * usize::from(*row)..][..9];
            for (out, &column) in out.iter_mut().zip(&columns) {
                *out = way.names[usize::from(row[usize::from(column)] & 15)];
            }
        }
        if self.ways.is_empty() || rest < self.rest {
            self.ways.clear();
            self.rest = rest;
        } else if rest > self.rest {
            return;
        }
        self.ways.push(way);
    }
}
