//! The candidates of one sudoku while it is graded, and the rules of the first four rungs.
//!
//! A row is sixteen masks of nine cells: lanes 0 to 8 are the cells that can have the digits 1 to 9, lane [`OPEN`] is the
//! cells without a placed digit. A unit in which only one cell is open is so found like one with a single place for a
//! digit.

use super::digit_lanes::DigitLanes;

/// The cells of a row.
pub(super) const ROW: u16 = 0x1FF;
/// The lane of the cells that are not placed.
pub(super) const OPEN: usize = 9;

const DIGITS: DigitLanes = lanes(ROW, 0);
const DIGITS_AND_OPEN: DigitLanes = lanes(ROW, ROW);
const OPEN_ONLY: DigitLanes = lanes(0, ROW);

const fn lanes(digits: u16, open: u16) -> DigitLanes {
    let mut lanes = [0; 16];
    let mut digit = 0;
    while digit < 9 {
        lanes[digit] = digits;
        digit += 1;
    }
    lanes[OPEN] = open;
    DigitLanes(lanes)
}

/// What a step of a rule did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Nothing.
    Rest,
    /// It placed digits or removed candidates.
    Changed,
    /// It found a contradiction.
    Contradiction,
}

/// The candidates of a sudoku.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LadderGrid {
    pub(super) rows: [DigitLanes; 9],
}

/// A band of three rows: where the cells of each box are.
struct BoxCells {
    /// The first cell of each box that has a cell.
    some: DigitLanes,
    /// The first cell of each box that has more than one.
    several: DigitLanes,
}

impl BoxCells {
    #[inline(always)]
    fn of(a: DigitLanes, b: DigitLanes, c: DigitLanes) -> Self {
        let all = a | b | c;
        let twice = (a & b) | ((a | b) & c);
        Self { some: all.groups(), several: all.groups_of_several() | twice.groups() }
    }
}

impl LadderGrid {
    /// A puzzle with these givens: digits 1 to 9 or '1' to '9', and anything else for an empty cell.
    #[inline(always)]
    pub(super) fn new(puzzle: &[u8; 81]) -> Self {
        let mut grid = Self { rows: [DIGITS_AND_OPEN; 9] };
        let mut givens = [DigitLanes::ZERO; 9];
        for row in 0..9 {
            for column in 0..9 {
                if let digit @ 1..=9 | digit @ b'1'..=b'9' = puzzle[row * 9 + column] {
                    givens[row].0[usize::from(digit & 15) - 1] |= 1 << column;
                }
            }
        }
        grid.place(&givens);
        grid
    }

    /// Whether all cells are placed.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        let mut open = 0;
        for row in &self.rows {
            open |= row.0[OPEN];
        }
        open == 0
    }

    /// Whether each digit is in each unit once, and each cell has one digit.
    #[inline(always)]
    pub(super) fn is_solution(&self) -> bool {
        let mut columns = DigitLanes::ZERO;
        let mut wrong = DigitLanes::ZERO;
        for band in 0..3 {
            let [a, b, c] = [self.rows[3 * band], self.rows[3 * band + 1], self.rows[3 * band + 2]];
            columns = columns | a | b | c;
            wrong = wrong | !(a | b | c).groups() & DigitLanes::splat(0o111);
            for row in [a, b, c] {
                wrong = wrong | !row.nonzero() | row.several();
            }
        }
        // Nine digits with one cell in each row and some in each column and box have one in each.
        let mut cells = true;
        for row in &self.rows {
            let mut all = 0;
            for digit in 0..9 {
                all |= row.0[digit];
            }
            cells &= all == ROW;
        }
        cells && !((wrong | !columns) & DIGITS).any()
    }

    /// Places digits in open cells. Returns false if two of them contradict each other.
    #[inline(always)]
    pub(super) fn place(&mut self, placed: &[DigitLanes; 9]) -> bool {
        let (mut columns, mut wrong) = (DigitLanes::ZERO, DigitLanes::ZERO);
        let mut cells_wrong = false;
        for row in placed {
            wrong = wrong | columns & *row | row.several();
            columns = columns | *row;
        }
        for band in 0..3 {
            let [a, b, c] = [placed[3 * band], placed[3 * band + 1], placed[3 * band + 2]];
            let boxes = BoxCells::of(a, b, c);
            wrong = wrong | boxes.several;
            let seen = columns | boxes.some.spread();
            for i in 0..3 {
                let (row, new) = (&mut self.rows[3 * band + i], placed[3 * band + i]);
                let (mut cells, mut sum) = (0, 0_u16);
                for lane in new.0 {
                    cells |= lane;
                    sum = sum.wrapping_add(lane);
                }
                cells_wrong |= cells != sum;
                *row = *row & (new | !(seen | new.nonzero()));
                // This also closes the cells, since nothing is placed in that lane.
                *row = *row & (new | !DigitLanes::splat(cells));
            }
        }
        !(cells_wrong || (wrong & DIGITS).any())
    }

    /// Applies the rules of the first `rung` rungs, up to 3, at all places at once.
    #[inline(always)]
    pub(super) fn place_singles(&mut self, rung: u8) -> Step {
        let lines = if rung >= 2 { DIGITS_AND_OPEN } else { OPEN_ONLY };
        let (mut once, mut twice) = (DigitLanes::ZERO, DigitLanes::ZERO);
        for row in &self.rows {
            twice = twice | once & *row;
            once = once | *row;
        }
        let columns = once & !twice & lines;
        let mut missing = !once & DigitLanes::splat(ROW);
        let mut new = [DigitLanes::ZERO; 9];
        let mut any = DigitLanes::ZERO;
        for band in 0..3 {
            let [a, b, c] = [self.rows[3 * band], self.rows[3 * band + 1], self.rows[3 * band + 2]];
            let boxes = BoxCells::of(a, b, c);
            missing = missing | !boxes.some & DigitLanes::splat(0o111);
            let only = columns | (boxes.some & !boxes.several).spread();
            for (i, row) in [a, b, c].into_iter().enumerate() {
                missing = missing | !row.nonzero();
                let mut found = row & only | row.alone() & lines;
                // The last open cell of a unit.
                found = found | row & DigitLanes::splat(found.0[OPEN]);
                let found = found & DigitLanes::splat(row.0[OPEN]) & DIGITS;
                any = any | found;
                new[3 * band + i] = found;
            }
        }
        if (missing & DIGITS).any() {
            return Step::Contradiction;
        }
        if !any.any() {
            if rung < 3 {
                return Step::Rest;
            }
            match self.naked_singles(&mut new) {
                Step::Changed => {}
                other => return other,
            }
        }
        if self.place(&new) { Step::Changed } else { Step::Contradiction }
    }

    /// Finds the open cells with one candidate.
    #[inline(always)]
    fn naked_singles(&self, new: &mut [DigitLanes; 9]) -> Step {
        let (mut any, mut all) = (0, ROW);
        for (row, new) in self.rows.iter().zip(new) {
            let (once, twice) = (*row & DIGITS).once_and_twice();
            all &= once;
            let single = once & !twice & row.0[OPEN];
            any |= single;
            *new = *row & DigitLanes::splat(single) & DIGITS;
        }
        match (all, any) {
            (ROW, 0) => Step::Rest,
            (ROW, _) => Step::Changed,
            _ => Step::Contradiction,
        }
    }

    /// Removes locked candidates: rung 4. Returns whether there were some.
    #[inline(always)]
    pub(super) fn remove_locked(&mut self) -> bool {
        let before = *self;
        let mut bands = [DigitLanes::ZERO; 3];
        let mut kill_groups = [DigitLanes::ZERO; 9];
        for band in 0..3 {
            let rows = [self.rows[3 * band], self.rows[3 * band + 1], self.rows[3 * band + 2]];
            bands[band] = rows[0] | rows[1] | rows[2];
            let groups = [rows[0].groups(), rows[1].groups(), rows[2].groups()];
            for i in 0..3 {
                let [j, k] = [(i + 1) % 3, (i + 2) % 3];
                // Another row has the digit in one box only; or another box has it in this row only.
                let pointing = groups[i] & !(groups[j] | groups[k]);
                kill_groups[3 * band + i] = groups[j].alone() | groups[k].alone() | pointing.other_groups();
            }
        }
        for band in 0..3 {
            let [other, third] = [bands[(band + 1) % 3], bands[(band + 2) % 3]];
            // Another column of the box has the digit in this box only; or another box has it in this column only.
            let claiming = bands[band] & !(other | third);
            let alone = (other & !other.neighbours()) | (third & !third.neighbours());
            let kill_columns = claiming.neighbours() | alone;
            for i in 0..3 {
                let row = &mut self.rows[3 * band + i];
                *row = *row & (!(kill_columns | kill_groups[3 * band + i].spread()) | OPEN_ONLY);
            }
        }
        *self != before
    }
}
