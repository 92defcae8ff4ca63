//! Tables of the digits that sums of different digits leave.

use std::sync::OnceLock;

/// The tables for all sums, made once.
pub(super) struct AllSums {
    /// For each number of cells and each sum, the index of its table in `sets`, or [`NONE`].
    numbers: [[u8; 46]; 10],
    /// Tables for a number of cells and a sum. For the union of the candidates of the cells, an entry considers all
    /// sets of different digits that have the sum and are within this union. Its lower half has the digits that are in
    /// any of these sets, its upper half those that are in all of them.
    sets: Vec<[u32; 512]>,
    /// For two cells with different digits and a sum, the digits that the candidates of one cell leave for the other.
    different: Vec<[u16; 512]>,
    /// The same for two cells whose digits may be equal.
    any: Vec<[u16; 512]>,
    /// The candidates of a cell in reverse order, digit d as bit 18 - d.
    pub(super) reversed: [u32; 512],
    /// For three cells with a sum and each digit of the first: by how many bits to shift the reversed candidates of the
    /// second cell to get those that are left for the third.
    pub(super) shifts: [[u32; 16]; 46],
    /// For the same digits, which candidates of the third cell are allowed if all three digits are different.
    different_thirds: [[u32; 16]; 46],
    /// For the same digits, which candidates of the third cell are allowed if digits may be equal.
    any_thirds: [[u32; 16]; 46],
}

/// No set of this number of digits has this sum.
const NONE: u8 = u8::MAX;

/// The tables for one sum.
#[derive(Clone, Copy)]
pub(super) struct SumTables {
    pub(super) sets: &'static [u32; 512],
    pub(super) pairs: &'static [u16; 512],
    pub(super) thirds: &'static [u32; 16],
}

impl AllSums {
    pub(super) fn get() -> &'static Self {
        static TABLES: OnceLock<AllSums> = OnceLock::new();
        TABLES.get_or_init(Self::new)
    }

    fn new() -> Self {
        let mut by_sum = vec![Vec::new(); 10 * 46];
        for set in 1_usize..512 {
            let sum: usize = digits(set).sum();
            by_sum[set.count_ones() as usize * 46 + sum].push(set as u32);
        }
        let (mut numbers, mut sets) = ([[NONE; 46]; 10], Vec::new());
        for (at, found) in by_sum.iter().enumerate().filter(|(_, found)| !found.is_empty()) {
            numbers[at / 46][at % 46] = sets.len() as u8;
            sets.push(std::array::from_fn(|union| {
                let held = found.iter().filter(|&&set| set & !(union as u32) == 0);
                let (any, all) = held.fold((0, 0x1FF), |(any, all), set| (any | set, all & set));
                if any == 0 { 0 } else { any | all << 16 }
            }));
        }
        let pairs = |may_be_equal: bool| {
            (0..46_usize).map(move |sum| {
                std::array::from_fn(|mask| {
                    let others = digits(mask).map(|digit| (digit, sum.wrapping_sub(digit)));
                    let others =
                        others.filter(|&(digit, other)| (1..=9).contains(&other) && (may_be_equal || digit != other));
                    others.fold(0, |left, (_, other)| left | 1 << (other - 1))
                })
            })
        };
        let (mut shifts, mut different_thirds, mut any_thirds) = ([[0; 16]; 46], [[0; 16]; 46], [[0; 16]; 46]);
        for sum in 0..46_usize {
            for digit in 1..=9 {
                let Some(rest @ 2..=18) = sum.checked_sub(digit) else { continue };
                shifts[sum][digit - 1] = 19 - rest as u32;
                any_thirds[sum][digit - 1] = 0x1FF;
                // The second and the third differ from the first and from each other.
                let differ =
                    |&second: &usize| second != digit && rest.wrapping_sub(second) != digit && 2 * second != rest;
                different_thirds[sum][digit - 1] =
                    (1..=9).filter(differ).fold(0, |kept, second| kept | 1 << (second - 1));
            }
        }
        Self {
            numbers,
            sets,
            different: pairs(false).collect(),
            any: pairs(true).collect(),
            reversed: std::array::from_fn(|mask| digits(mask).fold(0, |reversed, digit| reversed | 1 << (18 - digit))),
            shifts,
            different_thirds,
            any_thirds,
        }
    }

    /// The table of the sets of `size` different digits with a sum, if there are any.
    #[inline(always)]
    pub(super) fn sets(&self, size: usize, sum: usize) -> Option<&[u32; 512]> {
        self.sets.get(usize::from(*self.numbers.get(size)?.get(sum)?))
    }

    /// The tables for a sum of different digits.
    #[inline(always)]
    pub(super) fn different(&'static self, size: usize, sum: usize) -> Option<SumTables> {
        let sets = self.sets(size, sum)?;
        Some(SumTables { sets, pairs: &self.different[sum], thirds: &self.different_thirds[sum] })
    }

    /// The tables for two or three cells whose digits may be equal. Their sum is at most 27.
    #[inline(always)]
    pub(super) fn any(&'static self, sum: usize) -> SumTables {
        SumTables { sets: &self.sets[0], pairs: &self.any[sum], thirds: &self.any_thirds[sum] }
    }
}

/// The digits of a mask.
fn digits(mask: usize) -> impl Iterator<Item = usize> {
    (1..=9).filter(move |digit| mask >> (digit - 1) & 1 == 1)
}
