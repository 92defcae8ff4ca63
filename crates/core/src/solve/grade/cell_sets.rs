//! Sets of cells as bits of a number, and the candidates of a sudoku as such sets.

use super::grid::{LadderGrid, OPEN};

/// A set of cells: bit 9r + c is the cell in row r and column c.
pub(super) type CellSet = u128;

/// The cells that each cell sees.
pub(super) static PEERS: [CellSet; 81] = peers();
/// The cells of each row, column and box.
pub(super) static UNITS: [CellSet; 27] = units();

const fn units() -> [CellSet; 27] {
    let (mut units, mut cell) = ([0; 27], 0);
    while cell < 81 {
        let (row, column) = (cell / 9, cell % 9);
        units[row] |= 1 << cell;
        units[9 + column] |= 1 << cell;
        units[18 + row / 3 * 3 + column / 3] |= 1 << cell;
        cell += 1;
    }
    units
}

const fn peers() -> [CellSet; 81] {
    let (units, mut peers, mut cell) = (units(), [0; 81], 0);
    while cell < 81 {
        let mut unit = 0;
        while unit < 27 {
            if units[unit] >> cell & 1 == 1 {
                peers[cell] |= units[unit];
            }
            unit += 1;
        }
        peers[cell] &= !(1 << cell);
        cell += 1;
    }
    peers
}

/// The cells of a set, lowest first.
#[inline(always)]
pub(super) fn cells(mut set: CellSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(cell)
    })
}

/// All cells that at least one cell of a set sees.
#[inline(always)]
pub(super) fn seen_by_any(set: CellSet) -> CellSet {
    let mut seen = 0;
    for cell in cells(set) {
        seen |= PEERS[cell];
    }
    seen
}

/// Whether some unit has no cell of a set.
#[inline(always)]
pub(super) fn leaves_unit_empty(set: CellSet) -> bool {
    const FIRST: CellSet = 0o111_111_111_111_111_111_111_111_111;
    const ROWS: CellSet = 0o001_001_001_001_001_001_001_001_001;
    const BOXES: CellSet = 0o111_000_000_111_000_000_111;
    let groups = (set | set >> 1 | set >> 2) & FIRST;
    let rows = (groups | groups >> 3 | groups >> 6) & ROWS;
    let boxes = (groups | groups >> 9 | groups >> 18) & BOXES;
    let columns = set | set >> 27 | set >> 54;
    let columns = (columns | columns >> 9 | columns >> 18) & 0x1FF;
    rows != ROWS || boxes != BOXES || columns != 0x1FF
}

/// The candidates of a sudoku by digit and by cell.
#[derive(Debug, Clone)]
pub(super) struct CandidateSets {
    /// The cells that can have each digit.
    pub(super) digits: [CellSet; 9],
    /// The digits of each cell.
    pub(super) cells: [u16; 81],
    /// The cells that are not placed.
    pub(super) open: CellSet,
}

impl CandidateSets {
    #[inline(always)]
    pub(super) fn of(grid: &LadderGrid) -> Self {
        let mut sets = Self { digits: [0; 9], cells: [0; 81], open: 0 };
        for (number, row) in grid.rows.iter().enumerate() {
            sets.open |= CellSet::from(row.0[OPEN]) << (9 * number);
            for digit in 0..9 {
                sets.digits[digit] |= CellSet::from(row.0[digit]) << (9 * number);
            }
            for column in 0..9 {
                let mut mask = 0;
                for (digit, lane) in row.0.iter().enumerate() {
                    mask |= (lane >> column & 1) << digit;
                }
                sets.cells[9 * number + column] = mask & 0x1FF;
            }
        }
        sets
    }

    /// The cells with exactly two candidates, and those with exactly three.
    #[inline(always)]
    pub(super) fn cells_with_two_and_three(&self) -> (CellSet, CellSet) {
        let (mut one, mut two, mut three, mut four) = (0, 0, 0, 0);
        for digit in &self.digits {
            four |= three & digit;
            three |= two & digit;
            two |= one & digit;
            one |= digit;
        }
        (two & !three, three & !four)
    }
}

impl LadderGrid {
    /// Removes candidates by digit. Returns whether there were some.
    #[inline(always)]
    pub(super) fn remove_cells(&mut self, removed: &[CellSet; 9]) -> bool {
        let before = *self;
        for (number, row) in self.rows.iter_mut().enumerate() {
            for (lane, removed) in row.0.iter_mut().zip(removed) {
                *lane &= !((removed >> (9 * number)) as u16);
            }
        }
        *self != before
    }
}
