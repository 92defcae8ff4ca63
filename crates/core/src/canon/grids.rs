//! The least grid of a solved sudoku of any side, by its first two rows.
//!
//! The first row of the least grid is 1, 2, ..., n, so a grid is settled once the order of its columns and its first row are
//! chosen: the rows of each band and the bands themselves must ascend, and digits of the first column decide that. Of all pairs of
//! a first row and another one of its band only those count that can read least, and they say how columns must stand.

use super::arrangement::{Arrangement, CELLS, Lines, MOST, TRANSPOSED};
use super::form::Found;
use super::groups;
use super::map::Map;
use super::puzzle::Puzzle;

const NONE: u8 = u8::MAX;

/// An order of columns that makes two rows of one band read least.
#[derive(Clone, Copy)]
struct Start {
    flags: u8,
    first: u8,
    columns: Lines,
}

/// The search for orders of columns.
struct SecondRows {
    side: usize,
    wide: usize,
    /// The least second row so far, or the beginning of one that is to be completed.
    best: Lines,
    found: Vec<Start>,
}

/// What is decided of the columns.
#[derive(Clone, Copy)]
struct Columns {
    /// Where each column goes.
    place: Lines,
    /// Which column comes to each place.
    at: Lines,
    /// Which stack comes first, second and so on.
    stacks: Lines,
    opened: usize,
}

impl Columns {
    fn open(&mut self, stack: usize) -> usize {
        let of = &self.stacks[..self.opened];
        of.iter().position(|&other| usize::from(other) == stack).unwrap_or_else(|| {
            self.stacks[self.opened] = stack as u8;
            self.opened += 1;
            self.opened - 1
        })
    }

    fn put(&mut self, column: usize, place: usize) {
        self.place[column] = place as u8;
        self.at[place] = column as u8;
    }
}

impl SecondRows {
    /// Goes on from place `k`. `step[c]` is the column whose digit in the first row is that of column c in the second.
    fn walk(&mut self, step: &Lines, columns: &Columns, k: usize, start: Start) {
        if k == self.side {
            self.found.push(Start { columns: columns.at, ..start });
            return;
        }
        for column in 0..self.side {
            let stack = column / self.wide;
            let decided = columns.at[k] != NONE;
            let may = if decided {
                usize::from(columns.at[k]) == column
            } else if k / self.wide < columns.opened {
                usize::from(columns.stacks[k / self.wide]) == stack && columns.place[column] == NONE
            } else {
                columns.stacks[..columns.opened].iter().all(|&other| usize::from(other) != stack)
            };
            if !may {
                continue;
            }
            let mut next = *columns;
            if !decided {
                next.open(stack);
                next.put(column, k);
            }
            let target = usize::from(step[column]);
            if next.place[target] == NONE {
                let low = next.open(target / self.wide) * self.wide;
                let free = (low..low + self.wide).find(|&place| next.at[place] == NONE).unwrap_or(low);
                next.put(target, free);
            }
            let name = next.place[target];
            if name < self.best[k] {
                // Whatever begins so can be completed, and is less than all before.
                self.best[k] = name;
                self.best[k + 1..].fill(NONE);
                self.found.clear();
            }
            if name == self.best[k] {
                self.walk(step, &next, k + 1, start);
            }
        }
    }
}

/// The map that carries a solved grid to the least one and its clues to the least clues that any such map makes. `grid` must obey
/// the rules.
pub(super) fn least_solution(puzzle: &Puzzle, grid: &[u8]) -> Found {
    let (kind, side) = (puzzle.shape.kind, puzzle.shape.side);
    let (n, (high, wide)) = (side.get(), side.box_shape().unwrap_or((1, side.get())));
    let mut transposed = vec![0; n * n];
    (0..n * n).for_each(|cell| transposed[cell] = grid[cell % n * n + cell / n]);
    let views = [(0, grid), (TRANSPOSED, transposed.as_slice())];
    let views = &views[..if groups::transposes(kind, side) { 2 } else { 1 }];
    let mut rows = SecondRows { side: n, wide, best: [NONE; MOST], found: Vec::new() };
    for &(flags, grid) in views {
        for first in 0..n {
            let mut column_of = [0; MOST + 1];
            (0..n).for_each(|column| column_of[usize::from(grid[first * n + column])] = column as u8);
            for second in (first - first % high..).take(high).filter(|&second| second != first) {
                let mut step = [0; MOST];
                (0..n).for_each(|column| step[column] = column_of[usize::from(grid[second * n + column])]);
                let columns = Columns { place: [NONE; MOST], at: [NONE; MOST], stacks: [NONE; MOST], opened: 0 };
                let start = Start { flags, first: first as u8, columns: [0; MOST] };
                rows.walk(&step, &columns, 0, start);
            }
        }
    }
    let mut best = Best { grid: Vec::new(), clues: Vec::new(), found: None, grids: 0 };
    for start in &rows.found {
        let grid = if start.flags == 0 { grid } else { &transposed };
        best.consider(puzzle, grid, start, high);
    }
    let (map, automorphisms) = best.found.unwrap_or((Map::identity(side), 0));
    Found { map, automorphisms, grid_automorphisms: Some(best.grids) }
}

/// The least grid and clues so far.
struct Best {
    grid: Vec<u8>,
    clues: Vec<u8>,
    /// A map to them, and how many there are.
    found: Option<(Map, u64)>,
    /// Maps to the grid.
    grids: u64,
}

impl Best {
    fn consider(&mut self, puzzle: &Puzzle, grid: &[u8], start: &Start, high: usize) {
        let n = puzzle.side();
        let mut names = [0; MOST + 1];
        let columns = start.columns.map(|column| if column == NONE { 0 } else { column });
        let first = &grid[usize::from(start.first) * n..][..n];
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
        let mut rows = [0; MOST];
        rows.iter_mut().zip(bands.iter().flatten()).for_each(|(row, &(_, from))| *row = from);
        let cells = Arrangement { flags: start.flags, rows, columns };
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
                let mut digits = [0; MOST];
                digits[..n].copy_from_slice(&names[1..=n]);
                *found = Some((Map { side: n as u8, cells, digits }, 1));
                self.clues = clues.to_vec();
            }
        }
    }
}
