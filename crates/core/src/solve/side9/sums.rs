//! Applies sums: restricts cells to the digits that occur in some way to make their sum. This is exact for up to four
//! open cells; for more, only the union of their candidates is compared with the sets of digits that have the sum. Where
//! there is no sum and the digits only differ, solved cells are compared with the others.

use super::required::RequiredDigits;
use super::tables::{AllSums, SumTables};
use crate::kernels::houses9::{Grid9, Masks};

/// The largest number of sums. A board has at most 40 cages of two cells or more, which are added first.
pub(super) const MAX_SUMS: usize = 64;

/// Some cells and the sum of their digits.
#[derive(Clone, Copy)]
pub(super) struct Sum {
    /// The first `size` entries are the cells. If there are less than four, the first cell is repeated up to the fourth
    /// entry: a loop over four entries is faster than one over as many as there are.
    cells: [u8; 9],
    size: u8,
    /// 0 for cells that only differ.
    sum: u8,
    /// The cells that share a house with all of them.
    common_peers: u128,
    tables: SumTables,
}

impl Sum {
    /// A sum of two to nine cells, or of at most three if their digits may be equal.
    pub(super) fn new(set: u128, sum: u8, common_peers: u128, tables: SumTables) -> Self {
        let (mut cells, mut left) = ([0; 9], set);
        for cell in &mut cells[..4] {
            *cell = if left == 0 { set } else { left }.trailing_zeros() as u8;
            left &= left.wrapping_sub(1);
        }
        for cell in &mut cells[4..] {
            if left == 0 {
                break;
            }
            *cell = left.trailing_zeros() as u8;
            left &= left - 1;
        }
        Self { cells, size: set.count_ones() as u8, sum, common_peers, tables }
    }

    #[inline(always)]
    fn cell(&self, i: usize) -> usize {
        self.cells[i].into()
    }
}

/// The sums of a board, sorted into classes: sums of two cells, of three, of four, and of more, and cells that only differ.
pub(super) struct Sums {
    tables: &'static AllSums,
    list: Vec<Sum>,
    /// The sums of each cell, as bits.
    of_cell: [u64; 81],
    /// The sums of each class, as bits.
    of_size: [u64; 5],
}

impl Sums {
    pub(super) fn new() -> Self {
        Self { tables: AllSums::get(), list: Vec::with_capacity(MAX_SUMS), of_cell: [0; 81], of_size: [0; 5] }
    }

    pub(super) fn tables(&self) -> &'static AllSums {
        self.tables
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Replaces the sums by those of another board.
    #[inline(always)]
    pub(super) fn set(&mut self, sums: &[Sum]) {
        let sums = &sums[..sums.len().min(MAX_SUMS)];
        self.list.clear();
        self.list.extend_from_slice(sums);
        self.of_cell = [0; 81];
        // `counts` has a byte for each class: its number of sums. `ends` has the number of sums up to the end of the
        // class, and `next` the position of the next sum of the class.
        let byte = |sum: &Sum| if sum.sum == 0 { 32 } else { 8 * (u32::from(sum.size.clamp(2, 5)) - 2) };
        let counts = sums.iter().fold(0_u64, |counts, sum| counts + (1 << byte(sum)));
        let ends = counts.wrapping_mul(0x01_0101_0101);
        let mut next = ends - counts;
        for (class, of_size) in self.of_size.iter_mut().enumerate() {
            let number = |numbers: u64| (numbers >> (8 * class) & 0xFF) as usize;
            *of_size = lowest_bits(number(ends)) & !lowest_bits(number(next));
        }
        for sum in sums {
            let number = (next >> byte(sum) & 0xFF) as usize;
            next += 1 << byte(sum);
            self.list[number] = *sum;
            for &cell in &sum.cells[..usize::from(sum.size.max(4))] {
                self.of_cell[usize::from(cell)] |= 1 << number;
            }
        }
    }

    /// The sums of some cells.
    #[inline(always)]
    pub(super) fn of_cells(&self, mut cells: u128) -> u64 {
        if cells == (1 << 81) - 1 {
            return lowest_bits(self.list.len());
        }
        let mut sums = 0;
        while cells != 0 {
            sums |= self.of_cell[cells.trailing_zeros() as usize];
            cells &= cells - 1;
        }
        sums
    }

    /// How useful it is for its sums to branch on a cell: more for sums with few `open` cells.
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

    /// The cells that share a house with all cells of a sum.
    #[inline(always)]
    pub(super) fn common_peers(&self, sum: usize) -> u128 {
        self.list[sum].common_peers
    }
}

/// The lowest `count` bits.
fn lowest_bits(count: usize) -> u64 {
    if count > 63 { u64::MAX } else { (1 << count) - 1 }
}

/// Applies sums to a grid.
pub(super) struct Sweep<'a, M> {
    pub(super) masks: M,
    pub(super) sums: &'a Sums,
    pub(super) grid: &'a mut Grid9,
    pub(super) required: &'a mut RequiredDigits,
    /// The sums with a cell that was changed by another sum.
    pub(super) touched: u64,
    /// Whether a cell was changed.
    pub(super) changed: bool,
}

impl<M: Masks> Sweep<'_, M> {
    /// Applies some sums, small ones first. If those of two and three cells removed candidates, returns the other sums
    /// without applying them, so that singles of houses are applied first. Returns `None` if a sum is impossible.
    #[inline(always)]
    pub(super) fn run(&mut self, sums: u64) -> Option<u64> {
        for (class, of_size) in self.sums.of_size.into_iter().enumerate() {
            let mut left = sums & of_size;
            while left != 0 {
                let number = left.trailing_zeros() as usize;
                left &= left - 1;
                let kept = match class {
                    0 => self.apply_pair(number),
                    1 => self.apply_triple(number),
                    2 => self.apply_larger(number, 4),
                    4 => self.apply_difference(number),
                    _ => self.apply_larger(number, self.sums.list[number].size.into()),
                };
                if !kept {
                    return None;
                }
            }
            if class == 1 && self.changed {
                return Some(sums & (self.sums.of_size[2] | self.sums.of_size[3] | self.sums.of_size[4]));
            }
        }
        Some(0)
    }

    #[inline(always)]
    fn mask(&self, cell: usize) -> u32 {
        self.grid.0[cell].into()
    }

    /// Replaces the candidates of a cell of a sum by those that are left.
    #[inline(always)]
    fn store(&mut self, number: usize, cell: usize, old: u32, left: u32) {
        self.grid.0[cell] = left as u16;
        let others = self.sums.of_cell[cell] & !(1 << number);
        self.changed |= old != left;
        self.touched |= if old != left { others } else { 0 };
    }

    /// Records the digits that are required in the cells of a sum, if these cells have common peers.
    #[inline(always)]
    fn require(&mut self, number: usize, required: u32) {
        let digits = if self.sums.list[number].common_peers == 0 { 0 } else { required };
        self.required.push(number, digits);
    }

    /// Applies a sum of two cells.
    #[inline(always)]
    fn apply_pair(&mut self, number: usize) -> bool {
        let sum = &self.sums.list[number];
        let cells = [sum.cell(0), sum.cell(1)];
        let [a, b] = cells.map(|cell| self.mask(cell));
        let (left_a, left_b) = restrict_two(sum.tables.pairs, a, b);
        if left_a == 0 {
            return false;
        }
        self.store(number, cells[0], a, left_a);
        self.store(number, cells[1], b, left_b);
        self.require(number, if_two(left_a | left_b));
        true
    }

    /// Applies a sum of three cells.
    #[inline(always)]
    fn apply_triple(&mut self, number: usize) -> bool {
        let sum = &self.sums.list[number];
        let cells = [sum.cell(0), sum.cell(1), sum.cell(2)];
        let old = cells.map(|cell| self.mask(cell));
        let left = self.restrict_three(old, sum.sum.into(), sum.tables.thirds);
        if left[0] == 0 {
            return false;
        }
        for i in 0..3 {
            self.store(number, cells[i], old[i], left[i]);
        }
        self.require(number, sum.tables.sets[union(&left)] >> 16);
        true
    }

    /// Restricts three cells to the digits that occur in some way to make a sum.
    #[inline(always)]
    fn restrict_three(&self, cells: [u32; 3], sum: usize, thirds: &[u32; 16]) -> [u32; 3] {
        let tables = self.sums.tables;
        let reversed = |mask: u32| tables.reversed[mask as usize & 511];
        self.masks.sum_of_three(cells, [reversed(cells[1]), reversed(cells[2])], &tables.shifts[sum], thirds)
    }

    /// Applies a sum of `size` cells, four or more. Solved cells are subtracted, so that a smaller sum is left.
    #[inline(always)]
    fn apply_larger(&mut self, number: usize, size: usize) -> bool {
        let sum = &self.sums.list[number];
        let (mut cells, mut old, mut left) = ([0; 16], [0; 16], [0; 16]);
        let (mut open, mut used, mut clash, mut rest) = (0, 0, 0, u32::from(sum.sum));
        for &cell in &sum.cells[..size] {
            let mask = self.mask(cell.into());
            (cells[open & 15], old[open & 15]) = (usize::from(cell), mask);
            // There is no branch on whether a cell is solved, since it would often be mispredicted.
            let is_open = mask & (mask - 1) != 0;
            let digit = if is_open { 0 } else { mask };
            clash |= used & digit;
            used |= digit;
            rest = rest.wrapping_sub(u32::BITS - digit.leading_zeros());
            open += usize::from(is_open);
        }
        if clash != 0 {
            return false;
        }
        if open == 0 {
            return rest == 0;
        }
        let Some(sets) = self.sums.tables.sets(open, rest as usize) else { return false };
        for i in 0..open {
            left[i] = old[i] & !used;
        }
        let Some(required) = self.restrict(&mut left, open, rest as usize, sets) else { return false };
        for i in 0..open {
            self.store(number, cells[i], old[i], left[i]);
        }
        self.require(number, required);
        true
    }

    /// Applies the rule that cells differ: removes the digits of solved cells from the others.
    fn apply_difference(&mut self, number: usize) -> bool {
        let sum = self.sums.list[number];
        let cells = &sum.cells[..usize::from(sum.size)];
        let mut removed = 0;
        loop {
            let (mut used, mut clash) = (0, 0);
            for &cell in cells {
                let mask = self.mask(cell.into());
                let digit = if mask.is_power_of_two() { mask } else { 0 };
                clash |= used & digit;
                used |= digit;
            }
            if clash != 0 || used == removed {
                return clash == 0;
            }
            for &cell in cells {
                let mask = self.mask(cell.into());
                if !mask.is_power_of_two() {
                    self.store(number, cell.into(), mask, mask & !used);
                    if mask & !used == 0 {
                        return false;
                    }
                }
            }
            removed = used;
        }
    }

    /// Restricts the first `open` cells to the digits that occur in some way to make a sum. Returns the digits that
    /// occur in every way.
    #[inline(always)]
    fn restrict(&self, left: &mut [u32; 16], open: usize, sum: usize, sets: &[u32; 512]) -> Option<u32> {
        let tables = self.sums.tables;
        match open {
            1 => {
                left[0] &= 1 << (sum - 1);
                (left[0] != 0).then_some(0)
            }
            2 => {
                (left[0], left[1]) = restrict_two(tables.different(2, sum)?.pairs, left[0], left[1]);
                (left[0] != 0).then_some(if_two(left[0] | left[1]))
            }
            3 => {
                let three = self.restrict_three([left[0], left[1], left[2]], sum, tables.different(3, sum)?.thirds);
                left[..3].copy_from_slice(&three);
                (left[0] != 0).then_some(sets[union(&three)] >> 16)
            }
            4 => {
                restrict_to_sets(&mut left[..4], sets)?;
                self.restrict_four(left, sum, sets)
            }
            _ => restrict_to_sets(&mut left[..open], sets),
        }
    }

    /// Does the same for four cells: restricts three cells for each digit of the cell with the fewest candidates.
    #[inline(always)]
    fn restrict_four(&self, left: &mut [u32; 16], sum: usize, sets: &[u32; 512]) -> Option<u32> {
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
            let three = self.restrict_three(others.map(|i| left[i & 3] & !digit), rest, three.thirds);
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

/// Restricts two cells to the digits that occur in some way to make a sum.
#[inline(always)]
fn restrict_two(pairs: &[u16; 512], a: u32, b: u32) -> (u32, u32) {
    let left = a & u32::from(pairs[b as usize & 511]);
    (left, b & u32::from(pairs[left as usize & 511]))
}

/// The digits if there are exactly two of them, otherwise none. Two cells with a sum have both digits if only two are
/// left.
#[inline(always)]
fn if_two(digits: u32) -> u32 {
    if digits.count_ones() == 2 { digits } else { 0 }
}

/// Restricts cells to the digits of the sets that they can still have. Returns the digits that are in all of these
/// sets.
#[inline(always)]
fn restrict_to_sets(left: &mut [u32], sets: &[u32; 512]) -> Option<u32> {
    let (found, mut is_one_empty) = (sets[union(left)], false);
    for left in left {
        *left &= found;
        is_one_empty |= *left == 0;
    }
    (!is_one_empty).then_some(found >> 16)
}

/// The candidates of some cells together, as an index into tables.
#[inline(always)]
fn union(masks: &[u32]) -> usize {
    let mut union = 0;
    for mask in masks {
        union |= mask;
    }
    union as usize & 511
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_in_order_of_their_sizes_and_known_to_their_cells() {
        let tables = AllSums::get();
        let sizes = [3, 2, 9, 4, 2, 6, 3, 5, 4, 2];
        let sum = |(number, size): (usize, usize)| {
            let set = ((1 << size) - 1) << (7 * number);
            Sum::new(set, 45, 0, tables.different(9, 45).expect("all digits"))
        };
        let found: Vec<Sum> = sizes.into_iter().enumerate().map(sum).collect();
        let mut sums = Sums::new();
        for count in [sizes.len(), 0, 4, sizes.len()] {
            sums.set(&found[..count]);
            let mut expected: Vec<&Sum> = found[..count].iter().collect();
            expected.sort_by_key(|sum| sum.size.min(5));
            assert_eq!(sums.list.len(), count);
            for (number, (sum, expected)) in sums.list.iter().zip(expected).enumerate() {
                let cells = &expected.cells[..usize::from(expected.size)];
                assert_eq!((&sum.cells, sum.size), (&expected.cells, expected.size));
                assert_eq!(sums.of_size.map(|of_size| of_size >> number & 1).iter().sum::<u64>(), 1);
                assert!(sums.of_size[usize::from(sum.size.min(5)) - 2] >> number & 1 == 1);
                for cell in 0..81_u8 {
                    let is_of = sums.of_cell[usize::from(cell)] >> number & 1 == 1;
                    assert_eq!(is_of, cells.contains(&cell), "{count} {number} {cell}");
                }
            }
            assert_eq!(sums.of_cells((1 << 81) - 1), lowest_bits(count));
        }
    }
}
