//! Counts the faults of a Str8ts string in each layout, for all layouts at once with a lane for each.

use std::sync::LazyLock;

use super::str8ts_layouts::{ALL, to_spec};
use crate::board::{Cell, Codes, Side};

/// What a value means in each of [`ALL`]: digits in the low bits, and flags.
type CellReading = [u32; ALL.len()];

/// Flag: the digits are one placed digit, not candidates.
const PLACED: u32 = 1 << 29;
/// Flag: the placed digit is a clue.
const CLUE: u32 = 1 << 30;
/// Flag: the value is out of range.
const OUT_OF_RANGE: u32 = 1 << 31;
const DIGITS: u32 = (1 << 25) - 1;

/// The faults of a string in each of [`ALL`].
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct LayoutFaults {
    /// The number of values that are out of range.
    pub(super) out_of_range: [u32; ALL.len()],
    /// Whether two clues in a row or column are equal.
    pub(super) has_equal_clues: [bool; ALL.len()],
    /// The number of placed digits that repeat in their row, plus the number that repeat in their column, plus the
    /// number of cells whose candidates (unless they are all digits) include a placed digit of their row or column.
    pub(super) conflicts: [u32; ALL.len()],
}

impl LayoutFaults {
    /// Counts the faults in the values of a board's cells.
    pub(super) fn count(side: Side, values: &[u32]) -> Self {
        match side.get() {
            6 => Self::count_with(side, values, SIX.reader()),
            8 => Self::count_with(side, values, EIGHT.reader()),
            9 => Self::count_with(side, values, NINE.reader()),
            _ => Self::count_with(side, values, |value| reading(side, value)),
        }
    }

    fn count_with(side: Side, values: &[u32], read: impl Fn(u32) -> CellReading) -> Self {
        let n = side.get();
        // For each row and column: the placed digits, and those of them that are clues.
        let (mut rows, mut columns) = ([[[0; ALL.len()]; 2]; 25], [[[0; ALL.len()]; 2]; 25]);
        let (mut candidates, mut repeated_clues) = ([0; ALL.len()], [0; ALL.len()]);
        let mut faults = Self::default();
        for (row, values) in rows.iter_mut().zip(values.chunks_exact(n)) {
            for (column, &value) in columns.iter_mut().zip(values) {
                let reading = read(value);
                for i in 0..ALL.len() {
                    let digits = reading[i] & DIGITS;
                    let placed = if reading[i] & PLACED != 0 { digits } else { 0 };
                    let clue = if reading[i] & CLUE != 0 { digits } else { 0 };
                    faults.out_of_range[i] += reading[i] >> 31;
                    faults.conflicts[i] += u32::from(row[0][i] & placed != 0) + u32::from(column[0][i] & placed != 0);
                    repeated_clues[i] |= (row[1][i] | column[1][i]) & clue;
                    candidates[i] |= digits & !placed;
                    row[0][i] |= placed;
                    column[0][i] |= placed;
                    row[1][i] |= clue;
                    column[1][i] |= clue;
                }
            }
        }
        faults.has_equal_clues = repeated_clues.map(|repeated_clues| repeated_clues != 0);
        if candidates != [0; ALL.len()] {
            for (row, values) in rows.iter().zip(values.chunks_exact(n)) {
                for (column, &value) in columns.iter().zip(values) {
                    let reading = read(value);
                    for i in 0..ALL.len() {
                        let placed = if reading[i] & PLACED != 0 { 0 } else { row[0][i] | column[0][i] };
                        faults.conflicts[i] += u32::from(reading[i] & DIGITS & placed != 0);
                    }
                }
            }
        }
        faults
    }
}

/// Returns what a value means.
fn reading(side: Side, value: u32) -> CellReading {
    let codes = Codes::new(side, true);
    ALL.map(|layout| {
        let digit = |digit: u8| PLACED | 1 << (digit - 1);
        match to_spec(layout, side, value).and_then(|code| codes.read(code)) {
            None => OUT_OF_RANGE,
            Some(Cell::Clue(clue) | Cell::BlackClue(clue)) => CLUE | digit(clue),
            Some(Cell::Solved(solved)) => digit(solved),
            // All candidates are equivalent to an empty cell.
            Some(Cell::Candidates(mask)) if mask != codes.full_mask() => mask,
            Some(Cell::Candidates(_) | Cell::Empty | Cell::BlackEmpty) => 0,
        }
    })
}

/// What every value of two characters means.
struct ReadingTable(Vec<CellReading>);

/// The number of values of two characters, rounded up to a power of two.
const VALUES: usize = 2048;

impl ReadingTable {
    fn new(side: usize) -> Self {
        let side = Side::new(side).unwrap_or(Side::NINE);
        Self((0..VALUES as u32).map(|value| reading(side, value)).collect())
    }

    fn reader(&self) -> impl Fn(u32) -> CellReading {
        |value| self.0[value as usize % VALUES]
    }
}

static SIX: LazyLock<ReadingTable> = LazyLock::new(|| ReadingTable::new(6));
static EIGHT: LazyLock<ReadingTable> = LazyLock::new(|| ReadingTable::new(8));
static NINE: LazyLock<ReadingTable> = LazyLock::new(|| ReadingTable::new(9));

#[cfg(test)]
mod tests {
    use super::*;

    /// The naive version: one layout and one pair of cells at a time.
    fn naive(side: Side, values: &[u32]) -> LayoutFaults {
        let (n, codes, mut faults) = (side.get(), Codes::new(side, true), LayoutFaults::default());
        for (i, &layout) in ALL.iter().enumerate() {
            let read = |&value: &u32| to_spec(layout, side, value).and_then(|code| codes.read(code));
            let cells: Vec<Option<Cell>> = values.iter().map(read).collect();
            faults.out_of_range[i] = cells.iter().filter(|cell| cell.is_none()).count() as u32;
            let cells: Vec<Cell> = cells.into_iter().map(|cell| cell.unwrap_or(Cell::Empty)).collect();
            let is_clue = |cell: Cell| matches!(cell, Cell::Clue(_) | Cell::BlackClue(_));
            for (a, &cell) in cells.iter().enumerate() {
                let in_line = |by_row: bool| {
                    let same = move |b: usize| if by_row { a / n == b / n } else { a % n == b % n };
                    (0..n * n).filter(move |&b| a != b && same(b))
                };
                let equal = |b: &usize| cell.digit() > 0 && cells[*b].digit() == cell.digit();
                for by_row in [true, false] {
                    faults.conflicts[i] += u32::from(in_line(by_row).any(|b| b < a && equal(&b)));
                    let mut clues = in_line(by_row).filter(equal).filter(|&b| is_clue(cell) && is_clue(cells[b]));
                    faults.has_equal_clues[i] |= clues.next().is_some();
                }
                if let Cell::Candidates(mask) = cell
                    && mask != codes.full_mask()
                {
                    let holds = |b: usize| cells[b].digit() > 0 && mask >> (cells[b].digit() - 1) & 1 == 1;
                    let mut seen = in_line(true).chain(in_line(false));
                    faults.conflicts[i] += u32::from(seen.any(holds));
                }
            }
        }
        faults
    }

    #[test]
    fn all_layouts_at_once_give_the_results_of_each() {
        let mut state = 1_u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32
        };
        for round in 0..800 {
            let side = Side::new([6, 8, 9, 16, 25][if round < 780 { round % 3 } else { round % 5 }]).expect("a side");
            let n = side.get() as u32;
            let most = Codes::new(side, true).max() + 30;
            let (empty, small) =
                (random() % 100, [n + 1, 2 * n + 2, 3 * n + 3, most.min(VALUES as u32)][random() as usize % 4]);
            let values: Vec<u32> = (0..side.cells())
                .map(|_| match random() % 100 {
                    of if of < empty => 0,
                    99 if empty % 2 == 0 => random() % most,
                    _ => random() % small,
                })
                .map(|value| if n < 10 { value % VALUES as u32 } else { value })
                .collect();
            assert_eq!(LayoutFaults::count(side, &values), naive(side, &values), "side {n}: {values:?}");
        }
    }
}
