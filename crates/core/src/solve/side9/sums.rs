//! Sums of cells, and what they leave: exactly for up to four cells that are open, by their union for more.

use super::sure::Sure;
use super::tables::{SumTables, Tables};
use crate::kernels::houses9::{Grid9, Masks};

/// Sums at most. A board has no more than 40 cages of two cells or more, which come first.
pub(super) const MOST: usize = 64;

/// Cells with a sum.
#[derive(Clone, Copy)]
pub(super) struct Sum {
    /// They, the first `size` of these.
    cells: [u8; 9],
    size: u8,
    sum: u8,
    /// The cells that see all of them.
    outside: u128,
    tables: SumTables,
}

impl Sum {
    /// Of two to nine cells; three at most if they may be equal.
    pub(super) fn new(set: u128, sum: u8, outside: u128, tables: SumTables) -> Self {
        let (mut cells, mut left) = ([0; 9], set);
        for cell in &mut cells[..set.count_ones() as usize] {
            *cell = left.trailing_zeros() as u8;
            left &= left - 1;
        }
        Self { cells, size: set.count_ones() as u8, sum, outside, tables }
    }

    #[inline(always)]
    fn cell(&self, i: usize) -> usize {
        self.cells[i].into()
    }
}

/// The sums of a board, those of fewer cells first.
pub(super) struct Sums {
    tables: &'static Tables,
    list: Vec<Sum>,
    /// The sums of each cell, as bits.
    of_cell: [u64; 81],
    /// Those of two cells, of three, of four, and of more.
    of_size: [u64; 4],
}

impl Sums {
    pub(super) fn new() -> Self {
        Self { tables: Tables::get(), list: Vec::with_capacity(MOST), of_cell: [0; 81], of_size: [0; 4] }
    }

    pub(super) fn tables(&self) -> &'static Tables {
        self.tables
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Takes the sums of another board.
    #[inline(always)]
    pub(super) fn set(&mut self, sums: &[Sum]) {
        self.list.clear();
        self.of_cell = [0; 81];
        for class in 0..4 {
            let first = self.list.len();
            for sum in sums.iter().take(MOST).filter(|sum| usize::from(sum.size.min(5)) == class + 2) {
                for &cell in &sum.cells[..usize::from(sum.size)] {
                    self.of_cell[usize::from(cell)] |= 1 << self.list.len();
                }
                self.list.push(*sum);
            }
            self.of_size[class] = below(self.list.len()) & !below(first);
        }
    }

    /// The sums of cells.
    #[inline(always)]
    pub(super) fn of_cells(&self, mut cells: u128) -> u64 {
        if cells == (1 << 81) - 1 {
            return below(self.list.len());
        }
        let mut sums = 0;
        while cells != 0 {
            sums |= self.of_cell[cells.trailing_zeros() as usize];
            cells &= cells - 1;
        }
        sums
    }

    /// How soon a cell's sums are decided: more for those with few cells that are `open`.
    #[inline(always)]
    pub(super) fn urgency(&self, cell: usize, open: u128) -> u32 {
        let (mut urgency, mut left) = (0, self.of_cell[cell]);
        while left != 0 {
            let sum = &self.list[left.trailing_zeros() as usize];
            left &= left - 1;
            let cells = &sum.cells[..usize::from(sum.size)];
            let count = cells.iter().map(|&cell| (open >> cell) as u32 & 1).sum::<u32>();
            urgency += match count {
                2 => 30,
                3 => 15,
                4 => 8,
                _ => 4,
            };
        }
        urgency
    }

    /// The cells that see all cells of a sum.
    #[inline(always)]
    pub(super) fn outside(&self, sum: usize) -> u128 {
        self.list[sum].outside
    }
}

fn below(count: usize) -> u64 {
    if count > 63 { u64::MAX } else { (1 << count) - 1 }
}

/// Goes through sums.
pub(super) struct Sweep<'a, M> {
    pub(super) masks: M,
    pub(super) sums: &'a Sums,
    pub(super) grid: &'a mut Grid9,
    pub(super) sure: &'a mut Sure,
    /// Sums whose cells were changed by others.
    pub(super) touched: u64,
    /// A cell was changed.
    pub(super) changed: bool,
}

impl<M: Masks> Sweep<'_, M> {
    /// Goes through some sums, the small ones first; what is left of them if these took something, so that singles of houses
    /// come first. Nothing if one has no way left.
    #[inline(always)]
    pub(super) fn run(&mut self, sums: u64) -> Option<u64> {
        for (class, of_size) in self.sums.of_size.into_iter().enumerate() {
            let mut left = sums & of_size;
            while left != 0 {
                let number = left.trailing_zeros() as usize;
                left &= left - 1;
                let kept = match class {
                    0 => self.pair(number),
                    1 => self.triple(number),
                    _ => self.larger(number),
                };
                if !kept {
                    return None;
                }
            }
            if class == 1 && self.changed {
                return Some(sums & (self.sums.of_size[2] | self.sums.of_size[3]));
            }
        }
        Some(0)
    }

    #[inline(always)]
    fn mask(&self, cell: usize) -> u32 {
        self.grid.0[cell].into()
    }

    /// Gives a cell of a sum what is left of its candidates.
    #[inline(always)]
    fn put(&mut self, number: usize, cell: usize, old: u32, left: u32) {
        self.grid.0[cell] = left as u16;
        let others = self.sums.of_cell[cell] & !(1 << number);
        self.changed |= old != left;
        self.touched |= if old != left { others } else { 0 };
    }

    #[inline(always)]
    fn note(&mut self, number: usize, sure: u32) {
        let digits = if self.sums.list[number].outside == 0 { 0 } else { sure };
        self.sure.push(number, digits);
    }

    #[inline(always)]
    fn pair(&mut self, number: usize) -> bool {
        let sum = &self.sums.list[number];
        let cells = [sum.cell(0), sum.cell(1)];
        let [a, b] = cells.map(|cell| self.mask(cell));
        let (left_a, left_b) = pair(sum.tables.pairs, a, b);
        if left_a == 0 {
            return false;
        }
        self.put(number, cells[0], a, left_a);
        self.put(number, cells[1], b, left_b);
        self.note(number, only_two(left_a | left_b));
        true
    }

    #[inline(always)]
    fn triple(&mut self, number: usize) -> bool {
        let sum = &self.sums.list[number];
        let cells = [sum.cell(0), sum.cell(1), sum.cell(2)];
        let old = cells.map(|cell| self.mask(cell));
        let left = self.three(old, sum.sum.into(), sum.tables.thirds);
        if left[0] == 0 {
            return false;
        }
        for i in 0..3 {
            self.put(number, cells[i], old[i], left[i]);
        }
        self.note(number, sum.tables.sets[union(&left)] >> 16);
        true
    }

    /// What three cells with a sum can hold.
    #[inline(always)]
    fn three(&self, cells: [u32; 3], sum: usize, thirds: &[u32; 16]) -> [u32; 3] {
        let tables = self.sums.tables;
        let reversed = |mask: u32| tables.reversed[mask as usize & 511];
        self.masks.threes(cells, [reversed(cells[1]), reversed(cells[2])], &tables.shifts[sum], thirds)
    }

    /// A sum of four or more cells: those that are decided leave a smaller one.
    #[inline(always)]
    fn larger(&mut self, number: usize) -> bool {
        let sum = &self.sums.list[number];
        let (mut cells, mut old, mut left) = ([0; 9], [0; 9], [0; 9]);
        let (mut open, mut used, mut rest) = (0, 0, u32::from(sum.sum));
        for &cell in &sum.cells[..usize::from(sum.size)] {
            let mask = self.mask(cell.into());
            (cells[open], old[open]) = (usize::from(cell), mask);
            if mask & (mask - 1) != 0 {
                open += 1;
            } else {
                if used & mask != 0 {
                    return false;
                }
                used |= mask;
                rest = rest.wrapping_sub(mask.trailing_zeros() + 1);
            }
        }
        if open == 0 {
            return rest == 0;
        }
        let Some(sets) = self.sums.tables.sets(open, rest as usize) else { return false };
        for i in 0..open {
            left[i] = old[i] & !used;
        }
        let Some(sure) = self.rest(&mut left, open, rest as usize, sets) else { return false };
        for i in 0..open {
            self.put(number, cells[i], old[i], left[i]);
        }
        self.note(number, sure);
        true
    }

    /// Leaves cells with a sum what they can hold, and says which digits they surely hold between them.
    #[inline(always)]
    fn rest(&self, left: &mut [u32; 9], open: usize, sum: usize, sets: &[u32; 512]) -> Option<u32> {
        let tables = self.sums.tables;
        match open {
            1 => {
                left[0] &= 1 << (sum - 1);
                (left[0] != 0).then_some(0)
            }
            2 => {
                (left[0], left[1]) = pair(tables.different(2, sum)?.pairs, left[0], left[1]);
                (left[0] != 0).then_some(only_two(left[0] | left[1]))
            }
            3 => {
                let three = self.three([left[0], left[1], left[2]], sum, tables.different(3, sum)?.thirds);
                left[..3].copy_from_slice(&three);
                (left[0] != 0).then_some(sets[union(&three)] >> 16)
            }
            _ => {
                let found = sets[union(&left[..open])];
                for left in &mut left[..open] {
                    *left &= found;
                    if *left == 0 {
                        return None;
                    }
                }
                if open > 4 { Some(found >> 16) } else { self.four(left, sum, sets) }
            }
        }
    }

    /// Four cells: three for each digit of the one with the fewest.
    #[inline(always)]
    fn four(&self, left: &mut [u32; 9], sum: usize, sets: &[u32; 512]) -> Option<u32> {
        let mut few = 0;
        for i in 1..4 {
            if left[i].count_ones() < left[few].count_ones() {
                few = i;
            }
        }
        let others = [few ^ 1, few ^ 2, few ^ 3];
        let (mut first, mut found, mut digits) = (0, [0; 3], left[few]);
        while digits != 0 {
            let digit = digits & digits.wrapping_neg();
            digits ^= digit;
            let Some(rest) = sum.checked_sub(digit.trailing_zeros() as usize + 1) else { continue };
            let Some(three) = self.sums.tables.different(3, rest) else { continue };
            let three = self.three(others.map(|i| left[i & 3] & !digit), rest, three.thirds);
            first |= if three[0] == 0 { 0 } else { digit };
            for i in 0..3 {
                found[i] |= three[i];
            }
        }
        left[few] = first;
        for i in 0..3 {
            left[others[i] & 3] = found[i];
        }
        (first != 0).then_some(sets[union(&left[..4])] >> 16)
    }
}

/// What two cells with a sum can hold.
#[inline(always)]
fn pair(pairs: &[u16; 512], a: u32, b: u32) -> (u32, u32) {
    let left = a & u32::from(pairs[b as usize & 511]);
    (left, b & u32::from(pairs[left as usize & 511]))
}

#[inline(always)]
fn only_two(digits: u32) -> u32 {
    if digits.count_ones() == 2 { digits } else { 0 }
}

/// The digits of some cells, as an index.
#[inline(always)]
fn union(masks: &[u32]) -> usize {
    let mut union = 0;
    for mask in masks {
        union |= mask;
    }
    union as usize & 511
}
