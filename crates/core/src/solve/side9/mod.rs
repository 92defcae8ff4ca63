//! Sudokus, jigsaws, killers, killer-jigsaws and Str8ts of side 9, one after the other: a kernel takes what singles and locked
//! candidates take, tables what sums and runs take.
//!
//! - `layout`: the houses of a board.
//! - `parts`, `totals`: its cages, and the sums that they and the houses make.
//! - `sums`, `tables`, `windows`: what sums and runs leave; `sure`: what they hold for sure.
//! - `cages`, `straights`: the steps of a node; `branch`: the cell to be tried, by the `faults` so far.

mod branch;
mod cages;
mod faults;
mod layout;
mod parts;
mod straights;
mod sums;
mod sure;
mod tables;
mod totals;
mod windows;

use super::propagation::SolutionCount;
use super::search::{Counted, Question, search};
use crate::board::{Batch, Cages, Kind};
use crate::kernels::Kernel;
use crate::kernels::houses9::{Grid9, MaskTask, Masks, Needs9, singles};
use crate::kernels::vector::Vector;
use cages::Caged;
use faults::Faults;
use layout::Layout;
use parts::Joined;
use straights::{Runs, Straights};
use sums::{MOST, Sum, Sums};
use totals::{Contradiction, Totals};

/// Nodes that wait, at most: while a node is searched, each cell that was decided on the way to it left one.
const MOST_NODES: usize = 96;

/// A puzzle on its way.
#[derive(Clone)]
struct Node9 {
    /// The candidates.
    grid: Grid9,
    /// The cells that changed since sums were looked at.
    changed: u128,
}

impl Node9 {
    /// Takes the digit that a cell shall not hold.
    #[inline(always)]
    fn exclude(&mut self, question: Question) {
        if let Some((cell, others)) = question.excluded() {
            self.grid.0[cell] &= others;
        }
    }

    /// Appends the digits, 0 for cells that hold nothing.
    #[inline(always)]
    fn read(&self, solution: &mut Vec<u8>) {
        solution.extend(self.grid.0[..81].iter().map(|&mask| (u16::BITS - mask.leading_zeros()) as u8));
    }
}

/// Counts the solutions of boards of side 9. Its memory does not grow with the number of puzzles.
pub(super) struct Side9 {
    kernel: &'static Kernel,
    boxes: Layout,
    /// Of the last board with regions.
    regions: Layout,
    lines: Layout,
    runs: Runs,
    sums: Sums,
    found: Vec<Sum>,
    waiting: Vec<Node9>,
    solution: Vec<u8>,
}

impl Side9 {
    pub(super) fn new(kernel: &'static Kernel) -> Self {
        Self {
            kernel,
            boxes: Layout::boxes(),
            regions: Layout::lines(),
            lines: Layout::lines(),
            runs: Runs::new(),
            sums: Sums::new(),
            found: Vec::with_capacity(MOST),
            waiting: Vec::with_capacity(MOST_NODES),
            solution: Vec::with_capacity(81),
        }
    }

    /// Whether board `board` of a batch is of a kind and side that may be counted here. Its regions are another question.
    pub(super) fn may_take(batch: &Batch, board: usize) -> bool {
        let shape = batch.shape();
        let caged = matches!(shape.kind, Kind::Sudoku | Kind::Jigsaw | Kind::Killer | Kind::KillerJigsaw);
        let known = caged || matches!(shape.kind, Kind::Str8ts | Kind::Str8tsB);
        known && shape.side.get() == 9 && batch.groups(board).is_none()
    }

    /// Takes the houses of a board, and says whether it can be counted here: not if its regions have not nine cells each.
    pub(super) fn takes(&mut self, batch: &Batch, board: usize) -> bool {
        !batch.shape().kind.has_regions() || self.regions.read_regions(batch, board)
    }

    /// Answers a question about the board that was taken last.
    pub(super) fn count(&mut self, batch: &Batch, board: usize, question: Question) -> SolutionCount<'_> {
        let counted = self.kernel.run_masks(Count { solver: self, batch, board, question });
        counted.with(&self.solution)
    }
}

/// Counts the solutions of a board.
struct Count<'a> {
    solver: &'a mut Side9,
    batch: &'a Batch,
    board: usize,
    question: Question,
}

impl MaskTask for Count<'_> {
    type Output = Counted;

    #[inline(always)]
    fn run<M: Masks>(self, masks: M) -> Counted {
        if self.batch.shape().kind.has_black() {
            return self.straights(masks);
        }
        let Self { solver, batch, board, question } = self;
        let Side9 { boxes, regions, sums, found, waiting, solution, .. } = solver;
        let kind = batch.shape().kind;
        let layout = if kind.has_regions() { regions } else { boxes };
        let at = board * batch.stride();
        let mut node =
            Node9 { grid: givens(&batch.codes16()[at..at + 81], question.all_given), changed: (1 << 81) - 1 };
        node.exclude(question);
        found.clear();
        if kind.rules().cages == Cages::Sums {
            layout.complete();
            let totals = Totals::new(layout, sums.tables(), &mut node.grid, found);
            if add_sums(totals, batch, at).is_err() {
                solution.clear();
                return Counted::NONE;
            }
        }
        sums.set(found);
        if kind.rules().cages != Cages::Sums && kind.has_regions() {
            if let Some(count) = count_by_singles(masks, layout, &mut node)
                && question.effort > 0
            {
                solution.clear();
                if count == 1 {
                    node.read(solution);
                }
                return Counted { count, nodes: (count < question.limit).then_some(1) };
            }
            layout.complete();
        }
        search(&Caged { masks, layout, sums, faults: Faults::default() }, node, waiting, solution, question)
    }
}

impl Count<'_> {
    #[inline(always)]
    fn straights<M: Masks>(self, masks: M) -> Counted {
        let Self { solver, batch, board, question } = self;
        let Side9 { boxes, lines, runs, waiting, solution, .. } = solver;
        let layout = if batch.shape().kind.rules().boxes { boxes } else { lines };
        let codes = &batch.codes16()[board * batch.stride()..][..81];
        let mut node = Node9 { grid: Grid9::NONE, changed: (1 << 81) - 1 };
        let says = &CODES[usize::from(question.all_given)];
        let mut white = [0; 18];
        let (rows, columns) = white.split_at_mut(9);
        for (row, (masks, codes)) in node.grid.0.chunks_exact_mut(9).zip(codes.chunks_exact(9)).enumerate() {
            for (column, (mask, &code)) in masks.iter_mut().zip(codes).enumerate() {
                let says = says[usize::from(code).min(31)];
                let is_white = u32::from(says >> 15);
                *mask = says & 0x1FF;
                rows[row] |= is_white << column;
                columns[column] |= is_white << row;
            }
        }
        runs.set(layout, &white, &node.grid);
        node.exclude(question);
        let straights = Straights { masks, layout, runs, faults: Faults::default() };
        search(&straights, node, waiting, solution, question)
    }
}

/// What a cell code of a Str8ts says: the digits that the cell can hold, and in the highest bit whether it is white. Codes are
/// white clues, then black cells without and with one, then solved cells, which are givens in the second of these.
const CODES: [[u16; 32]; 2] = {
    let (mut codes, mut code) = ([[1 << 15 | 0x1FF; 32]; 2], 1);
    while code < 29 {
        let of_code = match code {
            1..=9 => 1 << 15 | 1 << (code - 1),
            10 => 0,
            11..=19 => 1 << (code - 11),
            _ => 1 << 15 | 1 << (code - 20),
        };
        codes[1][code] = of_code;
        if code < 20 {
            codes[0][code] = of_code;
        }
        code += 1;
    }
    codes
};

/// Takes what singles take, and says how many solutions there are if that is then known: one or none.
#[inline(always)]
fn count_by_singles<M: Masks>(masks: M, layout: &Layout, node: &mut Node9) -> Option<u32> {
    let Ok((cells, _)) = singles(masks, masks.load(&node.grid), &layout.frame, &Needs9::ALL, usize::MAX) else {
        return Some(0);
    };
    masks.store(cells, &mut node.grid);
    cells.several().is_zero().then_some(1)
}

/// The givens of a board as candidates.
#[inline(always)]
fn givens(codes: &[u16], all_given: bool) -> Grid9 {
    let mut grid = Grid9::NONE;
    let solved = if all_given { 9 } else { 0 };
    for (mask, &code) in grid.0.iter_mut().zip(codes) {
        // Clues come first, then solved cells.
        let digit = if code <= 9 { code } else { code - solved };
        *mask = if (1..=9).contains(&digit) { 1 << (digit - 1) } else { 0x1FF };
    }
    grid
}

/// Finds the cages of a board, and what they say together.
#[inline(always)]
fn add_sums(mut totals: Totals, batch: &Batch, at: usize) -> Result<(), Contradiction> {
    let (Some(colours), Some(contents)) =
        (batch.colours()[at..].first_chunk(), batch.contents()[at..].first_chunk::<81>())
    else {
        return Ok(());
    };
    let joined = Joined::new(colours);
    let mut starts = joined.starts((1 << 81) - 1);
    // Cages are found each from its own start, and none waits for the one before.
    while starts != 0 {
        let start = starts & starts.wrapping_neg();
        starts ^= start;
        let cage = joined.cage_of(start);
        if start == cage & cage.wrapping_neg() {
            totals.add_cage(cage, contents[start.trailing_zeros() as usize])?;
        }
    }
    totals.add_rests()
}
