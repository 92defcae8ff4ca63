//! Sudokus of side 16, one after the other: a kernel takes what singles and locked candidates take.

use super::propagation::SolutionCount;
use super::search::{Question, Tree, search};
use crate::board::{Batch, Kind};
use crate::kernels::rows16::Grid16;
use crate::kernels::{Kernel, Work};

/// Nodes that wait, at most: while a node is searched, each cell that was decided on the way to it left one.
const MOST: usize = 256;

/// Counts the solutions of sudokus of side 16. Its memory is as large for every puzzle.
pub(super) struct Side16 {
    kernel: &'static Kernel,
    waiting: Vec<Grid16>,
    solution: Vec<u8>,
}

impl Side16 {
    pub(super) fn new(kernel: &'static Kernel) -> Self {
        Self { kernel, waiting: Vec::with_capacity(MOST), solution: Vec::with_capacity(256) }
    }

    /// Whether board `board` of a batch is such a sudoku.
    pub(super) fn takes(batch: &Batch, board: usize) -> bool {
        let shape = batch.shape();
        shape.kind == Kind::Sudoku && shape.side.get() == 16 && batch.groups(board).is_none()
    }

    /// Answers a question about such a sudoku.
    pub(super) fn count(&mut self, batch: &Batch, board: usize, question: Question) -> SolutionCount<'_> {
        let codes = &batch.codes32()[board * batch.stride()..];
        let given = if question.all_given { 32 } else { 16 };
        let mut grid = Grid16::OPEN;
        if let Some(codes) = codes.first_chunk() {
            self.kernel.run(Givens { codes, given, grid: &mut grid });
        }
        if let Some((cell, others)) = question.excluded() {
            grid.0[cell / 16][cell % 16] &= others;
        }
        let Self { kernel, waiting, solution } = self;
        search(&Grids(kernel), grid, waiting, solution, question).with(solution)
    }
}

/// Grids of side 16, all of whose nodes are narrowed by this kernel.
struct Grids(&'static Kernel);

impl Tree for Grids {
    type Node = Grid16;

    #[inline]
    fn settle(&self, grid: &mut Grid16) -> bool {
        (self.0.settle16)(grid)
    }

    #[inline]
    fn branch(&self, grid: &mut Grid16, waiting: &mut Vec<Grid16>) -> bool {
        let Some(cell) = self.0.run(Branch(grid)) else { return false };
        let mask = &mut grid.0[cell / 16][cell % 16];
        let (all, first) = (*mask, *mask & mask.wrapping_neg());
        *mask = all & !first;
        waiting.push(*grid);
        grid.0[cell / 16][cell % 16] = first;
        true
    }

    fn read(&self, grid: &Grid16, solution: &mut Vec<u8>) {
        solution.extend(grid.0.as_flattened().iter().map(|mask| mask.trailing_zeros() as u8 + 1));
    }
}

/// The givens of a board as candidates.
struct Givens<'a> {
    codes: &'a [u32; 256],
    /// The largest code of a given: solved digits are, where there are no clues.
    given: u32,
    grid: &'a mut Grid16,
}

impl Work for Givens<'_> {
    type Done = ();

    #[inline(always)]
    fn run(self) {
        for (mask, &code) in self.grid.0.as_flattened_mut().iter_mut().zip(self.codes) {
            let place = code.wrapping_sub(1);
            *mask = if place < self.given { 1 << (place & 15) } else { u16::MAX };
        }
    }
}

/// What a cell of two candidates counts for in [`Branch`].
const PAIR: u8 = 5;

/// The cell to be tried, if any is open: of those with the fewest candidates the one whose digits are most common in its
/// houses, where cells with two candidates count more.
struct Branch<'a>(&'a Grid16);

impl Work for Branch<'_> {
    type Done = Option<usize>;

    #[inline(always)]
    fn run(self) -> Option<usize> {
        let masks: &[u16; 256] = self.0.0.as_flattened().try_into().expect("256 cells");
        let mut sizes = [0_u8; 256];
        let mut fewest = u8::MAX;
        for i in 0..256 {
            sizes[i] = masks[i].count_ones() as u8;
            // One becomes the largest.
            fewest = fewest.min(sizes[i].wrapping_sub(2));
        }
        let fewest = fewest.wrapping_add(2);
        if fewest == 1 {
            return None;
        }
        // For each row, column and box how often each digit is in it.
        let mut common = [[[0_u8; 16]; 16]; 3];
        for i in 0..256 {
            if sizes[i] > 1 {
                let weight = if sizes[i] == 2 { PAIR } else { 1 };
                let mut each = [0; 16];
                for (digit, each) in each.iter_mut().enumerate() {
                    *each = if masks[i] & (1 << digit) != 0 { weight } else { 0 };
                }
                for (common, house) in common.iter_mut().zip(houses(i)) {
                    for (common, each) in common[house].iter_mut().zip(each) {
                        *common += each;
                    }
                }
            }
        }
        let (mut best, mut most) = (None, 0);
        for i in 0..256 {
            if sizes[i] == fewest {
                let (mut left, mut score) = (masks[i], 0);
                while left != 0 {
                    let digit = left.trailing_zeros() as usize & 15;
                    left &= left - 1;
                    for (common, house) in common.iter().zip(houses(i)) {
                        score += u32::from(common[house][digit]);
                    }
                }
                if score > most {
                    (best, most) = (Some(i), score);
                }
            }
        }
        best
    }
}

/// The row, the column and the box of a cell.
#[inline(always)]
fn houses(cell: usize) -> [usize; 3] {
    [cell / 16 % 16, cell % 16, cell / 64 % 4 * 4 + cell % 16 / 4]
}
