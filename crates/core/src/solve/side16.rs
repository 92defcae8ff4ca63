//! Solves sudokus of side 16, one by one. A kernel applies singles and locked candidates.

use super::search::{Query, SearchTree, SolutionCount, search};
use crate::board::{Batch, Kind};
use crate::kernels::rows16::Grid16;
use crate::kernels::{Kernel, SimdTask};

/// The largest number of nodes that wait: each guess on the way to the current node leaves one, and each guess decides
/// a cell.
const MAX_WAITING: usize = 256;

/// Counts the solutions of sudokus of side 16. It needs the same amount of memory for every puzzle.
pub(super) struct Side16Solver {
    kernel: &'static Kernel,
    waiting: Vec<Grid16>,
    solution: Vec<u8>,
}

impl Side16Solver {
    pub(super) fn new(kernel: &'static Kernel) -> Self {
        Self { kernel, waiting: Vec::with_capacity(MAX_WAITING), solution: Vec::with_capacity(256) }
    }

    /// Whether board `board` of a batch is a sudoku of side 16 without groups of its own.
    pub(super) fn takes(batch: &Batch, board: usize) -> bool {
        let shape = batch.shape();
        shape.kind == Kind::Sudoku && shape.side.get() == 16 && batch.groups(board).is_none()
    }

    /// Answers a query about such a sudoku.
    pub(super) fn count(&mut self, batch: &Batch, board: usize, query: Query) -> SolutionCount<'_> {
        let codes = &batch.codes32()[board * batch.stride()..];
        let given = if query.all_given { 32 } else { 16 };
        let mut grid = Grid16::OPEN;
        if let Some(codes) = codes.first_chunk() {
            self.kernel.run(LoadGivens { codes, given, grid: &mut grid });
        }
        if let Some((cell, others)) = query.exclusion() {
            grid.0[cell / 16][cell % 16] &= others;
        }
        let Self { kernel, waiting, solution } = self;
        search(&GridTree(kernel), grid, waiting, solution, query).with(solution)
    }
}

/// The search tree of a grid of side 16, whose nodes are propagated by this kernel.
struct GridTree(&'static Kernel);

impl SearchTree for GridTree {
    type Node = Grid16;

    #[inline]
    fn propagate(&self, grid: &mut Grid16) -> bool {
        (self.0.solving.propagate16)(grid)
    }

    #[inline]
    fn branch(&self, grid: &mut Grid16, waiting: &mut Vec<Grid16>) -> bool {
        let Some(cell) = self.0.run(BranchCell(grid)) else { return false };
        let mask = &mut grid.0[cell / 16][cell % 16];
        let (all, first) = (*mask, *mask & mask.wrapping_neg());
        *mask = all & !first;
        waiting.push(*grid);
        grid.0[cell / 16][cell % 16] = first;
        true
    }

    fn read(&self, grid: &Grid16, solution: &mut Vec<u8>) {
        let mut digits = [0; 256];
        self.0.run(ReadDigits { grid, digits: &mut digits });
        solution.extend_from_slice(&digits);
    }
}

/// Writes the candidates of a board with its givens to a grid.
struct LoadGivens<'a> {
    codes: &'a [u32; 256],
    /// The largest code of a given, which is that of a clue or, if solved cells are givens too, of a solved cell.
    given: u32,
    grid: &'a mut Grid16,
}

impl SimdTask for LoadGivens<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (mask, &code) in self.grid.0.as_flattened_mut().iter_mut().zip(self.codes) {
            let place = code.wrapping_sub(1);
            *mask = if place < self.given { 1 << (place & 15) } else { u16::MAX };
        }
    }
}

/// Reads the digits of a solved grid.
struct ReadDigits<'a> {
    grid: &'a Grid16,
    digits: &'a mut [u8; 256],
}

impl SimdTask for ReadDigits<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (digit, &mask) in self.digits.iter_mut().zip(self.grid.0.as_flattened()) {
            // Counts the set bit and all bits below it.
            *digit = (mask ^ mask.wrapping_sub(1)).count_ones() as u8;
        }
    }
}

/// The weight of a cell with two candidates in [`BranchCell`]. Other open cells have a weight of 1.
const PAIR_WEIGHT: u64 = 5;

/// Chooses the cell to branch on, if any is open: of the cells with the fewest candidates, the one whose digits are
/// most common in its houses, where cells with two candidates count more.
struct BranchCell<'a>(&'a Grid16);

impl SimdTask for BranchCell<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run(self) -> Option<usize> {
        let masks: &[u16; 256] = self.0.0.as_flattened().try_into().expect("256 cells");
        let mut more = *masks;
        clear_lowest(&mut more);
        let open = nonzero(&more);
        if open == [0; 4] {
            return None;
        }
        clear_lowest(&mut more);
        let mut larger = nonzero(&more);
        let pairs: [u64; 4] = std::array::from_fn(|i| open[i] & !larger[i]);
        let mut few = open;
        while larger == few {
            clear_lowest(&mut more);
            larger = nonzero(&more);
        }
        few.iter_mut().zip(larger).for_each(|(few, larger)| *few &= !larger);
        // For each row, column and box, the weighted number of open cells with each digit, a byte for each digit.
        let mut common = [[[0_u64; 2]; 16]; 3];
        for_each(open, |i| {
            let weight = if pairs[i / 64] >> (i % 64) & 1 == 1 { PAIR_WEIGHT } else { 1 };
            let [low, high] = masks[i].to_le_bytes().map(|bits| BITS_AS_BYTES[usize::from(bits)] * weight);
            for (common, house) in common.iter_mut().zip(houses(i)) {
                common[house][0] += low;
                common[house][1] += high;
            }
        });
        let (mut best, mut most) = (None, 0);
        for_each(few, |i| {
            let (mut left, mut score) = (masks[i], 0);
            while left != 0 {
                let digit = left.trailing_zeros() as usize & 15;
                left &= left - 1;
                for (common, house) in common.iter().zip(houses(i)) {
                    score += (common[house][digit / 8] >> (digit % 8 * 8)) as u32 & 0xFF;
                }
            }
            if score > most {
                (best, most) = (Some(i), score);
            }
        });
        best
    }
}

/// For each byte, its eight bits as bytes, the lowest first.
const BITS_AS_BYTES: [u64; 256] = {
    let (mut bytes, mut i) = ([0; 256], 0);
    while i < 2048 {
        bytes[i / 8] |= ((i as u64 / 8) >> (i % 8) & 1) << (i % 8 * 8);
        i += 1;
    }
    bytes
};

/// Clears the lowest set bit of each mask.
#[inline(always)]
fn clear_lowest(masks: &mut [u16; 256]) {
    for mask in masks {
        *mask &= mask.wrapping_sub(1);
    }
}

/// A bit for each cell whose mask is not 0.
#[inline(always)]
fn nonzero(masks: &[u16; 256]) -> [u64; 4] {
    let mut flags = [0_u8; 256];
    for (flag, &mask) in flags.iter_mut().zip(masks) {
        *flag = u8::from(mask != 0);
    }
    let mut bits = [0; 4];
    for (i, &eight) in flags.as_chunks().0.iter().enumerate() {
        // The product has the eight flags in its highest byte.
        bits[i / 8] |= (u64::from_le_bytes(eight).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (i % 8 * 8);
    }
    bits
}

/// Calls a function with the number of each set bit.
#[inline(always)]
fn for_each(bits: [u64; 4], mut f: impl FnMut(usize)) {
    for (i, mut left) in bits.into_iter().enumerate() {
        while left != 0 {
            f(64 * i + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

/// The row, the column and the box of a cell.
#[inline(always)]
fn houses(cell: usize) -> [usize; 3] {
    [cell / 16 % 16, cell % 16, cell / 64 % 4 * 4 + cell % 16 / 4]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::available;

    /// The score of a cell, which is how common its digits are in its houses, counted cell by cell.
    fn score(masks: &[u16], cell: usize) -> u32 {
        let (mut score, of_cell) = (0, houses(cell));
        for (&mask, other) in masks.iter().zip((0..256).map(houses)) {
            let weight = [0, 0, 5, 1][mask.count_ones().min(3) as usize];
            let shared = other.iter().zip(of_cell).filter(|&(&house, of_cell)| house == of_cell).count() as u32;
            score += weight * shared * (mask & masks[cell]).count_ones();
        }
        score
    }

    #[test]
    fn the_cell_to_branch_on_has_few_candidates_that_are_most_common() {
        let mut state = 3_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize
        };
        for round in 0..60 {
            let (least, decided) = ([2, 2, 3, 5, 16][round % 5], round % 7 * 40);
            let mut grid = Grid16::OPEN;
            for mask in grid.0.as_flattened_mut() {
                let size = if random() % 256 < decided { 1 } else { least + random() % (17 - least) };
                while mask.count_ones() as usize > size {
                    *mask &= !(1 << (random() % 16));
                }
            }
            let masks = grid.0.as_flattened();
            let fewest = masks.iter().map(|mask| mask.count_ones()).filter(|&count| count > 1).min();
            let few = (0..256).filter(|&cell| Some(masks[cell].count_ones()) == fewest);
            // The first of several.
            let expected = few.rev().max_by_key(|&cell| score(masks, cell));
            for kernel in available() {
                assert_eq!(kernel.run(BranchCell(&grid)), expected, "{round} {}", kernel.name);
            }
        }
        let solved = Grid16([[1; 16]; 16]);
        assert!(available().iter().all(|kernel| kernel.run(BranchCell(&solved)).is_none()));
    }

    #[test]
    fn digits_are_read_as_they_are() {
        let grid = Grid16(std::array::from_fn(|row| std::array::from_fn(|column| 1 << ((row + column) % 16))));
        for kernel in available() {
            let mut digits = [0; 256];
            kernel.run(ReadDigits { grid: &grid, digits: &mut digits });
            assert!((0..256).all(|i| usize::from(digits[i]) == (i / 16 + i % 16) % 16 + 1), "{}", kernel.name);
        }
    }
}
