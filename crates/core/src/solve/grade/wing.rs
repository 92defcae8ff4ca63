//! XY-wing, XYZ-wing, W-wing and turbot fish: rung 8.

use super::cell_sets::{CandidateSets, CellSet, PEERS, cells, leaves_unit_empty, seen_by_any};
use super::digit_lanes::DigitLanes;
use super::grid::{LadderGrid, ROW};

/// The cells with two candidates, by their digits.
type PairCells = [[CellSet; 9]; 9];

impl LadderGrid {
    /// Applies the rules of rung 8 at all places. Returns whether candidates were removed.
    #[inline(always)]
    pub(super) fn remove_by_wings(&mut self) -> bool {
        let sets = CandidateSets::of(self);
        let (two, three) = sets.cells_with_two_and_three();
        let mut pairs: PairCells = [[0; 9]; 9];
        for cell in cells(two) {
            let [x, z] = two_digits(sets.cells[cell]);
            pairs[x][z] |= 1 << cell;
            pairs[z][x] |= 1 << cell;
        }
        let mut removed = [0; 9];
        remove_xyz(&sets, &pairs, [two, three], &mut removed);
        remove_w(&sets, &pairs, &mut removed);
        if self.remove_cells(&removed) {
            return true;
        }
        remove_turbot(&sets, &mut removed);
        self.remove_cells(&removed)
    }
}

/// The two digits of a mask.
#[inline(always)]
fn two_digits(mask: u16) -> [usize; 2] {
    [mask.trailing_zeros() as usize, 15 - mask.leading_zeros() as usize]
}

/// XY-wing and XYZ-wing.
#[inline(always)]
fn remove_xyz(sets: &CandidateSets, pairs: &PairCells, pivots: [CellSet; 2], removed: &mut [CellSet; 9]) {
    let [two, three] = pivots;
    for pivot in cells(two) {
        let [x, y] = two_digits(sets.cells[pivot]);
        for z in 0..9 {
            let (one, other) = (pairs[x][z] & PEERS[pivot], pairs[y][z] & PEERS[pivot]);
            if z != x && z != y && one != 0 && other != 0 {
                removed[z] |= seen_by_any(one) & seen_by_any(other);
            }
        }
    }
    for pivot in cells(three) {
        let mask = sets.cells[pivot];
        let mut rest = mask;
        while rest != 0 {
            let z = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let [x, y] = two_digits(mask & !(1 << z));
            let (one, other) = (pairs[x][z] & PEERS[pivot], pairs[y][z] & PEERS[pivot]);
            if one != 0 && other != 0 {
                removed[z] |= seen_by_any(one) & seen_by_any(other) & PEERS[pivot];
            }
        }
    }
}

/// W-wing.
#[inline(always)]
fn remove_w(sets: &CandidateSets, pairs: &PairCells, removed: &mut [CellSet; 9]) {
    for (x, pairs) in pairs.iter().enumerate() {
        for (z, &ends) in pairs.iter().enumerate() {
            if ends & ends.wrapping_sub(1) == 0 {
                continue;
            }
            for one in cells(ends) {
                for other in cells(ends >> one >> 1).map(|cell| cell + one + 1) {
                    let seen = PEERS[one] & PEERS[other] & sets.digits[z] & !removed[z];
                    if seen != 0 && leaves_unit_empty(sets.digits[x] & !(PEERS[one] | PEERS[other])) {
                        removed[z] |= seen;
                    }
                }
            }
        }
    }
}

/// Sixteen sets of cells, each as nine rows.
struct SixteenSets {
    rows: [DigitLanes; 9],
    /// The digit and the cell that is assumed in each.
    assumed: [(usize, usize); 16],
    len: usize,
}

impl SixteenSets {
    #[inline(always)]
    fn new() -> Self {
        Self { rows: [DigitLanes::splat(ROW); 9], assumed: [(0, 0); 16], len: 0 }
    }

    #[inline(always)]
    fn push(&mut self, assumed: (usize, usize), set: CellSet) {
        for (number, row) in self.rows.iter_mut().enumerate() {
            row.0[self.len] = (set >> (9 * number)) as u16 & ROW;
        }
        self.assumed[self.len] = assumed;
        self.len += 1;
    }

    /// Finds the sets that leave a unit empty (not 0), and the cells that are alone in a unit of their set.
    #[inline(always)]
    fn find(&self) -> (DigitLanes, [DigitLanes; 9]) {
        let (mut once, mut twice, mut empty) = (DigitLanes::ZERO, DigitLanes::ZERO, DigitLanes::ZERO);
        for row in &self.rows {
            twice = twice | once & *row;
            once = once | *row;
            empty = empty | !row.nonzero();
        }
        empty = empty | !once & DigitLanes::splat(ROW);
        let mut alone = [DigitLanes::ZERO; 9];
        for band in 0..3 {
            let [a, b, c] = [self.rows[3 * band], self.rows[3 * band + 1], self.rows[3 * band + 2]];
            let (all, both) = (a | b | c, (a & b) | ((a | b) & c));
            empty = empty | !all.groups() & DigitLanes::splat(0o111);
            let boxes = all.groups() & !(all.groups_of_several() | both.groups());
            let only = once & !twice | boxes.spread();
            for (i, row) in [a, b, c].into_iter().enumerate() {
                alone[3 * band + i] = row & only | row.alone();
            }
        }
        (empty, alone)
    }

    /// Removes the assumed candidates whose sets leave a unit empty, and begins anew.
    #[inline(always)]
    fn remove_empty(&mut self, removed: &mut [CellSet; 9]) {
        let (empty, _) = self.find();
        for lane in 0..self.len {
            if empty.0[lane] != 0 {
                let (digit, cell) = self.assumed[lane];
                removed[digit] |= 1 << cell;
            }
        }
        self.len = 0;
    }
}

/// Turbot fish: a candidate leaves a unit one place, and that one leaves a unit none.
#[inline(always)]
fn remove_turbot(sets: &CandidateSets, removed: &mut [CellSet; 9]) {
    let (mut first, mut second) = (SixteenSets::new(), SixteenSets::new());
    for digit in 0..9 {
        for cell in cells(sets.digits[digit] & sets.open) {
            if first.len == 16 {
                force(sets, &mut first, &mut second, removed);
            }
            first.push((digit, cell), sets.digits[digit] & !PEERS[cell]);
        }
    }
    force(sets, &mut first, &mut second, removed);
    second.remove_empty(removed);
}

/// Places what each of these assumptions forces, one cell at a time.
#[inline(always)]
fn force(sets: &CandidateSets, first: &mut SixteenSets, second: &mut SixteenSets, removed: &mut [CellSet; 9]) {
    let (empty, alone) = first.find();
    for lane in 0..first.len {
        let (digit, cell) = first.assumed[lane];
        if empty.0[lane] != 0 {
            removed[digit] |= 1 << cell;
            continue;
        }
        let mut forced: CellSet = 0;
        for (number, row) in alone.iter().enumerate() {
            forced |= CellSet::from(row.0[lane]) << (9 * number);
        }
        let left = sets.digits[digit] & !PEERS[cell];
        for other in cells(forced & sets.open & !(1 << cell)) {
            // If it removes nothing, it leaves no unit empty that was not before.
            let next = left & !PEERS[other];
            if next == left {
                continue;
            }
            if second.len == 16 {
                second.remove_empty(removed);
            }
            second.push((digit, cell), next);
        }
    }
    first.len = 0;
}
