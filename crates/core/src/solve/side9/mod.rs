//! Solves sudokus, jigsaws, killers, killer-jigsaws and Str8ts of side 9, one by one. A kernel applies singles and
//! locked candidates; tables apply sums and runs.
//!
//! - `layout`: the houses of a board.
//! - `adjacency`: the cages of a board; `sum_builder`: their sums, and those that cages and houses imply together.
//! - `sums`, `tables`, `windows`: restrict the cells of sums and runs; `required`: collects the digits that these cells
//!   are known to have.
//! - `cages`, `straights`: propagate a node.
//! - `branch`: chooses the cell to branch on, with the help of the `conflicts` so far.

mod adjacency;
mod branch;
mod cages;
mod conflicts;
mod layout;
mod required;
mod straights;
mod sum_builder;
mod sums;
mod tables;
mod windows;

use super::search::{Query, SearchCount, SolutionCount, search};
use crate::board::{Batch, Cages, Kind};
use crate::kernels::Kernel;
use crate::kernels::houses9::{Grid9, MaskTask, Masks, Needs9, singles};
use crate::kernels::vector::Vector;
use adjacency::Adjacency9;
use cages::CagedBoard;
use conflicts::Conflicts;
use layout::RegionHouses;
use straights::{Runs, Str8tsBoard};
use sum_builder::{ImpossibleSum, SumBuilder};
use sums::{MAX_SUMS, Sum, Sums};

/// The largest number of nodes that wait: each guess on the way to the current node leaves one, and each guess decides
/// a cell.
const MAX_WAITING: usize = 96;

/// A node of the search.
#[derive(Clone)]
struct Node9 {
    /// The candidates of all cells.
    grid: Grid9,
    /// The cells that changed since sums or runs were applied last.
    changed: u128,
}

impl Node9 {
    /// Removes the digit that the query excludes from a cell.
    #[inline(always)]
    fn exclude(&mut self, query: Query) {
        if let Some((cell, others)) = query.exclusion() {
            self.grid.0[cell] &= others;
        }
    }

    /// Guesses: places the lowest digit of an open cell, and pushes a node without this digit to `waiting`. Returns false
    /// if there is no open cell.
    #[inline(always)]
    fn guess(&mut self, cell: Option<usize>, waiting: &mut Vec<Self>) -> bool {
        let Some(cell) = cell else { return false };
        let mask = self.grid.0[cell];
        let first = mask & mask.wrapping_neg();
        self.changed = 1 << cell;
        self.grid.0[cell] = mask & !first;
        waiting.push(self.clone());
        self.grid.0[cell] = first;
        true
    }

    /// Appends the digits of all cells to a solution, 0 for cells without a digit.
    #[inline(always)]
    fn read(&self, solution: &mut Vec<u8>) {
        solution.extend(self.grid.0[..81].iter().map(|&mask| (u16::BITS - mask.leading_zeros()) as u8));
    }
}

/// Counts the solutions of boards of side 9. Its memory does not grow with the number of puzzles.
pub(super) struct Side9Solver {
    kernel: &'static Kernel,
    /// The layout of boards with boxes.
    boxes: RegionHouses,
    /// The layout of the last board with regions.
    regions: RegionHouses,
    /// The layout of boards without boxes and regions.
    lines: RegionHouses,
    runs: Runs,
    sums: Sums,
    /// The sums of a board in the order in which they are found.
    found: Vec<Sum>,
    waiting: Vec<Node9>,
    solution: Vec<u8>,
}

impl Side9Solver {
    pub(super) fn new(kernel: &'static Kernel) -> Self {
        Self {
            kernel,
            boxes: RegionHouses::boxes(),
            regions: RegionHouses::lines(),
            lines: RegionHouses::lines(),
            runs: Runs::new(),
            sums: Sums::new(),
            found: Vec::with_capacity(MAX_SUMS),
            waiting: Vec::with_capacity(MAX_WAITING),
            solution: Vec::with_capacity(81),
        }
    }

    /// Whether this solver supports the kind and side of board `board` of a batch. [`Self::takes`] checks its regions.
    pub(super) fn may_take(batch: &Batch, board: usize) -> bool {
        let shape = batch.shape();
        let caged = matches!(shape.kind, Kind::Sudoku | Kind::Jigsaw | Kind::Killer | Kind::KillerJigsaw);
        let is_supported = caged || matches!(shape.kind, Kind::Str8ts | Kind::Str8tsB);
        is_supported && shape.side.get() == 9 && batch.groups(board).is_none()
    }

    /// Whether this solver takes candidates into account on boards that it supports.
    pub(super) fn takes_candidates(batch: &Batch) -> bool {
        batch.shape().side.get() == 9 && !batch.shape().kind.has_black()
    }

    /// Reads the regions of a board. Returns whether this solver can count its solutions: it cannot if the regions do
    /// not have nine cells each.
    pub(super) fn takes(&mut self, batch: &Batch, board: usize) -> bool {
        !batch.shape().kind.has_regions() || self.regions.read_regions(batch, board)
    }

    /// Answers a query about the board whose regions were read last.
    pub(super) fn count(&mut self, batch: &Batch, board: usize, query: Query) -> SolutionCount<'_> {
        let counted = self.kernel.run_masks(Count { solver: self, batch, board, query });
        counted.with(&self.solution)
    }
}

/// Counts the solutions of a board with the vectors of an instruction set.
struct Count<'a> {
    solver: &'a mut Side9Solver,
    batch: &'a Batch,
    board: usize,
    query: Query,
}

impl MaskTask for Count<'_> {
    type Output = SearchCount;

    #[inline(always)]
    fn run<M: Masks>(self, masks: M) -> SearchCount {
        if self.batch.shape().kind.has_black() {
            return self.straights(masks);
        }
        let Self { solver, batch, board, query } = self;
        let Side9Solver { boxes, regions, sums, found, waiting, solution, .. } = solver;
        let kind = batch.shape().kind;
        let layout = if kind.has_regions() { regions } else { boxes };
        let at = board * batch.stride();
        let mut node = Node9 { grid: givens(&batch.codes16()[at..at + 81], query), changed: (1 << 81) - 1 };
        node.exclude(query);
        found.clear();
        if kind.rules().cages == Cages::Sums {
            layout.complete();
            let builder = SumBuilder::new(layout, sums.tables(), &mut node.grid, found);
            if add_sums(builder, batch, at).is_err() {
                solution.clear();
                return SearchCount::NONE;
            }
        }
        sums.set(found);
        if kind.rules().cages != Cages::Sums && kind.has_regions() {
            if let Some(count) = count_by_singles(masks, layout, &mut node)
                && query.effort > 0
            {
                solution.clear();
                if count == 1 {
                    node.read(solution);
                }
                return SearchCount { count, nodes: (count < query.limit).then_some(1) };
            }
            layout.complete();
        }
        search(&CagedBoard { masks, layout, sums, conflicts: Conflicts::default() }, node, waiting, solution, query)
    }
}

impl Count<'_> {
    /// Counts the solutions of a Str8ts.
    #[inline(always)]
    fn straights<M: Masks>(self, masks: M) -> SearchCount {
        let Self { solver, batch, board, query } = self;
        let Side9Solver { boxes, lines, runs, waiting, solution, .. } = solver;
        let layout = if batch.shape().kind.rules().houses.boxes { boxes } else { lines };
        let codes = &batch.codes16()[board * batch.stride()..][..81];
        let mut node = Node9 { grid: Grid9::NONE, changed: (1 << 81) - 1 };
        let meanings = &CODE_MEANINGS[usize::from(query.all_given)];
        let mut white = [0; 18];
        let (rows, columns) = white.split_at_mut(9);
        for (row, (masks, codes)) in node.grid.0.chunks_exact_mut(9).zip(codes.chunks_exact(9)).enumerate() {
            for (column, (mask, &code)) in masks.iter_mut().zip(codes).enumerate() {
                let meaning = meanings[usize::from(code).min(31)];
                let is_white = u32::from(meaning >> 15);
                *mask = meaning & 0x1FF;
                rows[row] |= is_white << column;
                columns[column] |= is_white << row;
            }
        }
        runs.set(layout, &white, &node.grid);
        node.exclude(query);
        let straights = Str8tsBoard { masks, layout, runs, conflicts: Conflicts::default() };
        search(&straights, node, waiting, solution, query)
    }
}

/// For each cell code of a Str8ts, the candidates of the cell, and in the highest bit whether it is white. The codes
/// are those of white clues, then of black cells without and with a clue, then of solved cells. Solved cells are givens
/// only in the second table.
const CODE_MEANINGS: [[u16; 32]; 2] = {
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

/// Applies singles. Returns the number of solutions, one or none, if that is enough to know it.
#[inline(always)]
fn count_by_singles<M: Masks>(masks: M, layout: &RegionHouses, node: &mut Node9) -> Option<u32> {
    if masks.solve_by_singles(&mut node.grid, &layout.frame) {
        return Some(1);
    }
    let Ok((cells, _)) = singles(masks, masks.load(&node.grid), &layout.frame, &Needs9::ALL, usize::MAX) else {
        return Some(0);
    };
    masks.store(cells, &mut node.grid);
    cells.several().is_zero().then_some(1)
}

/// The candidates of a board with its givens.
#[inline(always)]
fn givens(codes: &[u16], query: Query) -> Grid9 {
    let mut grid = Grid9::NONE;
    let solved = if query.all_given { 9 } else { 0 };
    for (mask, &code) in grid.0.iter_mut().zip(codes) {
        // Clues come first, then solved cells.
        let digit = if code <= 9 { code } else { code - solved };
        *mask = if (1..=9).contains(&digit) { 1 << (digit - 1) } else { 0x1FF };
    }
    if query.candidates_given {
        // Their codes come after those of 9 clues and 9 solved digits.
        let cells = grid.0.iter_mut().zip(codes).filter(|(_, code)| **code > 18);
        cells.for_each(|(mask, &code)| *mask &= code - 18);
    }
    grid
}

/// Adds the sums of the cages of a board, and those that cages and houses imply together.
#[inline(always)]
fn add_sums(mut builder: SumBuilder, batch: &Batch, at: usize) -> Result<(), ImpossibleSum> {
    let (Some(colours), Some(contents)) =
        (batch.colours()[at..].first_chunk(), batch.contents()[at..].first_chunk::<81>())
    else {
        return Ok(());
    };
    let adjacency = Adjacency9::new(colours);
    let mut starts = adjacency.starts((1 << 81) - 1);
    // Each cage is found from its own start, so that the processor can find several at once.
    while starts != 0 {
        let start = starts & starts.wrapping_neg();
        starts ^= start;
        let cage = adjacency.cage_of(start);
        if start == cage & cage.wrapping_neg() {
            builder.add_cage(cage, contents[start.trailing_zeros() as usize])?;
        }
    }
    builder.add_implied()
}
