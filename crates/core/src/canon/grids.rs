//! Finds the least grid of a solved sudoku of any side from its first two rows.
//!
//! The first row of the least grid is 1, 2, ..., n. So the choice of the columns' order and of the first row determines
//! the grid: the rows of each band and the bands themselves must ascend, which the digits of the first column decide.
//! Of all pairs of a first row and another row of its band, only those matter that can become least, and they determine
//! the order of the columns.

use super::arrangement::{Arrangement, CELLS, LineValues, MAX_SIDE, TRANSPOSED};
use super::form::FoundForm;
use super::groups;
use super::map::Map;
use super::puzzle::Puzzle;

const NONE: u8 = u8::MAX;

/// A first row and an order of columns that make two rows of one band least.
#[derive(Clone, Copy)]
struct ColumnOrder {
    flags: u8,
    first: u8,
    columns: LineValues,
}

/// The search for orders of columns.
struct SecondRows {
    side: usize,
    wide: usize,
    /// The least second row so far, or the beginning of one that is being completed.
    best: LineValues,
    found: Vec<ColumnOrder>,
}

/// The decisions about columns so far.
#[derive(Clone, Copy)]
struct ColumnPlaces {
    /// The place of each column.
    place: LineValues,
    /// The column at each place.
    at: LineValues,
    /// The stacks in their order, as far as it is decided.
    stacks: LineValues,
    stack_count: usize,
}

impl ColumnPlaces {
    fn place_stack(&mut self, stack: usize) -> usize {
        let of = &self.stacks[..self.stack_count];
        of.iter().position(|&other| usize::from(other) == stack).unwrap_or_else(|| {
            self.stacks[self.stack_count] = stack as u8;
            self.stack_count += 1;
            self.stack_count - 1
        })
    }

    fn place_column(&mut self, column: usize, place: usize) {
        self.place[column] = place as u8;
        self.at[place] = column as u8;
    }
}

impl SecondRows {
    /// Decides the columns from place `k` on. `step[c]` is the column whose digit in the first row is that of column c
    /// in the second.
    fn extend(&mut self, step: &LineValues, columns: &ColumnPlaces, k: usize, order: ColumnOrder) {
        if k == self.side {
            self.found.push(ColumnOrder { columns: columns.at, ..order });
            return;
        }
        for column in 0..self.side {
            let stack = column / self.wide;
            let decided = columns.at[k] != NONE;
            let may = if decided {
                usize::from(columns.at[k]) == column
            } else if k / self.wide < columns.stack_count {
                usize::from(columns.stacks[k / self.wide]) == stack && columns.place[column] == NONE
            } else {
                columns.stacks[..columns.stack_count].iter().all(|&other| usize::from(other) != stack)
            };
            if !may {
                continue;
            }
            let mut next = *columns;
            if !decided {
                next.place_stack(stack);
                next.place_column(column, k);
            }
            let target = usize::from(step[column]);
            if next.place[target] == NONE {
                let low = next.place_stack(target / self.wide) * self.wide;
                let free = (low..low + self.wide).find(|&place| next.at[place] == NONE).unwrap_or(low);
                next.place_column(target, free);
            }
            let name = next.place[target];
            if name < self.best[k] {
                // Every such beginning can be completed, and is less than all before.
                self.best[k] = name;
                self.best[k + 1..].fill(NONE);
                self.found.clear();
            }
            if name == self.best[k] {
                self.extend(step, &next, k + 1, order);
            }
        }
    }
}

/// Finds the map from a solved grid to the least one that also gives the least clues of all these maps. `grid` must
/// obey the rules.
pub(super) fn least_solution(puzzle: &Puzzle, grid: &[u8]) -> FoundForm {
    let (kind, side) = (puzzle.shape.kind, puzzle.shape.side);
    let (n, (high, wide)) = (side.get(), side.box_shape().unwrap_or((1, side.get())));
    let mut transposed = vec![0; n * n];
    (0..n * n).for_each(|cell| transposed[cell] = grid[cell % n * n + cell / n]);
    let views = [(0, grid), (TRANSPOSED, transposed.as_slice())];
    let views = &views[..if groups::transposes(kind, side) { 2 } else { 1 }];
    let mut rows = SecondRows { side: n, wide, best: [NONE; MAX_SIDE], found: Vec::new() };
    for &(flags, grid) in views {
        for first in 0..n {
            let mut column_of = [0; MAX_SIDE + 1];
            (0..n).for_each(|column| column_of[usize::from(grid[first * n + column])] = column as u8);
            for second in (first - first % high..).take(high).filter(|&second| second != first) {
                let mut step = [0; MAX_SIDE];
                (0..n).for_each(|column| step[column] = column_of[usize::from(grid[second * n + column])]);
                let columns = ColumnPlaces {
                    place: [NONE; MAX_SIDE],
                    at: [NONE; MAX_SIDE],
                    stacks: [NONE; MAX_SIDE],
                    stack_count: 0,
                };
                let order = ColumnOrder { flags, first: first as u8, columns: [0; MAX_SIDE] };
                rows.extend(&step, &columns, 0, order);
            }
        }
    }
    let mut best = Best { grid: Vec::new(), clues: Vec::new(), found: None, grids: 0 };
    for order in &rows.found {
        let grid = if order.flags == 0 { grid } else { &transposed };
        best.consider(puzzle, grid, order, high);
    }
    let (map, automorphisms) = best.found.unwrap_or((Map::identity(side), 0));
    FoundForm { map, automorphisms, grid_automorphisms: Some(best.grids) }
}

/// The least grid and clues so far.
struct Best {
    grid: Vec<u8>,
    clues: Vec<u8>,
    /// A map to them, and the number of such maps.
    found: Option<(Map, u64)>,
    /// The number of maps to the grid.
    grids: u64,
}

impl Best {
    fn consider(&mut self, puzzle: &Puzzle, grid: &[u8], order: &ColumnOrder, high: usize) {
        let n = puzzle.side();
        let mut names = [0; MAX_SIDE + 1];
        let columns = order.columns.map(|column| if column == NONE { 0 } else { column });
        let first = &grid[usize::from(order.first) * n..][..n];
        (0..n).for_each(|j| names[usize::from(first[usize::from(columns[j])])] = j as u8 + 1);
        let head = |row: usize| names[usize::from(grid[row * n + usize::from(columns[0])])];
        let mut bands: Vec<Vec<(u8, u8)>> = (0..n)
            .step_by(high)
            .map(|band| {
                let mut rows: Vec<(u8, u8)> = (band..band + high).map(|row| (head(row), row as u8)).collect();
                rows.sort_unstable();
                rows
            })
            .collect();
        bands.sort_unstable();
        let mut rows = [0; MAX_SIDE];
        rows.iter_mut().zip(bands.iter().flatten()).for_each(|(row, &(_, from))| *row = from);
        let cells = Arrangement { flags: order.flags, rows, columns };
        let (mut made, mut clues) = ([0; CELLS], [0; CELLS]);
        for cell in 0..n * n {
            let (row, column) = (usize::from(rows[cell / n]), usize::from(columns[cell % n]));
            made[cell] = names[usize::from(grid[row * n + column])];
            let (row, column) = cells.source(cell / n, cell % n);
            clues[cell] = names[usize::from(puzzle.clues[row * n + column])];
        }
        let (made, clues) = (&made[..n * n], &clues[..n * n]);
        if self.found.is_none() || made < self.grid.as_slice() {
            *self = Self { grid: made.to_vec(), clues: Vec::new(), found: None, grids: 0 };
        } else if made > self.grid.as_slice() {
            return;
        }
        self.grids += 1;
        match &mut self.found {
            Some(_) if clues > self.clues.as_slice() => {}
            Some((_, count)) if clues == self.clues.as_slice() => *count += 1,
            found => {
                let mut digits = [0; MAX_SIDE];
                digits[..n].copy_from_slice(&names[1..=n]);
                *found = Some((Map { side: n as u8, cells, digits }, 1));
                self.clues = clues.to_vec();
            }
        }
    }
}
