//! Propagates the nodes of Str8ts: singles of lines (and boxes), then runs.

use super::Node9;
use super::branch::choose;
use super::conflicts::Conflicts;
use super::layout::RegionHouses;
use super::required::RequiredDigits;
use super::windows::{Windows, exact};
use crate::kernels::houses9::{Grid9, Masks, Needs9, singles};
use crate::kernels::vector::Vector;
use crate::solve::search::SearchTree;

/// The number of passes over the houses between two passes over the runs.
const PASSES: usize = 2;

/// A compartment, or run: white cells between black cells or borders.
#[derive(Clone, Copy)]
struct Compartment {
    /// The first `len` entries are the cells.
    cells: [u8; 9],
    len: u8,
    /// The cells, as bits.
    set: u128,
    /// The other cells of their line that have a digit.
    peers: u128,
}

/// The runs of a board that have two cells or more.
pub(super) struct Runs {
    windows: &'static [Windows],
    list: Vec<Compartment>,
    /// The runs of each cell, as bits. Only the first 81 entries are used.
    of_cell: [u64; 128],
    /// The runs of two cells, of three, of four, and of more, as bits.
    of_len: [u64; 4],
    needs: Needs9,
}

/// For each number of cells, that many first cells of the first row, and of the first column.
const FIRST: [[u128; 10]; 2] = {
    let (mut first, mut len) = ([[0; 10]; 2], 0);
    while len < 9 {
        first[0][len + 1] = first[0][len] | 1 << len;
        first[1][len + 1] = first[1][len] | 1 << (9 * len);
        len += 1;
    }
    first
};

impl Runs {
    pub(super) fn new() -> Self {
        let (list, needs) = (Vec::with_capacity(64), Needs9::ALL);
        Self { windows: Windows::get(), list, of_cell: [0; 128], of_len: [0; 4], needs }
    }

    /// Replaces the runs by those of another board. `white` has the white cells of each row and column, and `grid` the
    /// candidates of all cells, which are none for black cells without a digit.
    #[inline(always)]
    pub(super) fn set(&mut self, layout: &RegionHouses, white: &[u32; 18], grid: &Grid9) {
        let mut held = 0;
        for (row, masks) in grid.0[..81].chunks_exact(9).enumerate() {
            let mut bits = 0;
            for (column, &mask) in masks.iter().enumerate() {
                bits |= u32::from(mask != 0) << column;
            }
            held |= u128::from(bits) << (9 * row);
        }
        for (needs, &mask) in self.needs.cells.0.iter_mut().zip(&grid.0) {
            *needs = if mask == 0 { 0 } else { u16::MAX };
        }
        for (needs, &house) in self.needs.houses.iter_mut().zip(&layout.houses) {
            // Entries without a house are 0.
            *needs = if house != 0 && house & !held == 0 { 0x1FF } else { 0 };
        }
        self.list.clear();
        self.of_cell = [0; 128];
        self.of_len = [0; 4];
        for (line, (&house, &white)) in layout.houses.iter().zip(white).enumerate() {
            let (mut left, held) = (white, house & held);
            // There are at most three runs in each of 18 lines.
            while left & left >> 1 != 0 {
                let start = (left & left >> 1).trailing_zeros();
                let len = (left >> start).trailing_ones();
                left &= !(((1 << len) - 1) << start);
                self.add(line, start as usize, len as usize, held);
            }
        }
    }

    /// Adds a run of a line. `held` is the set of the cells of the line that have a digit.
    #[inline(always)]
    fn add(&mut self, line: usize, start: usize, len: usize, held: u128) {
        let (direction, step) = if line < 9 { (0, 1) } else { (1, 9) };
        let first = if direction == 0 { 9 * line + start } else { 9 * start + line - 9 };
        let set = FIRST[direction][len.min(9)] << first;
        let cells = std::array::from_fn(|k| (first + k * step) as u8);
        let bit = 1 << (self.list.len() & 63);
        self.of_len[len.clamp(2, 5) - 2] |= bit;
        for &cell in &cells[..len.min(9)] {
            self.of_cell[usize::from(cell & 127)] |= bit;
        }
        self.list.push(Compartment { cells, len: len as u8, set, peers: held & !set });
    }

    /// The runs of some cells.
    #[inline(always)]
    fn of_cells(&self, mut cells: u128) -> u64 {
        /// For more cells than these it is faster to loop over the runs.
        const MANY: u32 = 12;
        let mut runs = 0;
        if cells.count_ones() > MANY {
            for (number, run) in self.list.iter().enumerate() {
                runs |= u64::from(run.set & cells != 0) << (number & 63);
            }
            return runs;
        }
        while cells != 0 {
            runs |= self.of_cell[cells.trailing_zeros() as usize & 127];
            cells &= cells - 1;
        }
        runs
    }
}

/// The search tree of a Str8ts.
pub(super) struct Str8tsBoard<'a, M> {
    pub(super) masks: M,
    pub(super) layout: &'a RegionHouses,
    pub(super) runs: &'a Runs,
    pub(super) conflicts: Conflicts,
}

/// Runs being applied to a node, and what changed because of them.
struct RunSweep<'a> {
    node: &'a mut Node9,
    required: &'a mut RequiredDigits,
    /// Whether a cell changed.
    changed: bool,
    /// The runs whose cells changed, and that must be applied again.
    touched: u64,
}

impl<M: Masks> Str8tsBoard<'_, M> {
    /// Applies some runs, short ones first. Returns `None` if a run has no window left.
    #[inline(always)]
    fn sweep<'n>(&self, node: &'n mut Node9, runs: u64, required: &'n mut RequiredDigits) -> Option<RunSweep<'n>> {
        let mut sweep = RunSweep { node, required, changed: false, touched: 0 };
        for (class, of_len) in self.runs.of_len.into_iter().enumerate() {
            let mut left = runs & of_len;
            while left != 0 {
                let number = left.trailing_zeros() as usize;
                left &= left - 1;
                let kept = match class {
                    0 => self.apply_short::<2>(&mut sweep, number),
                    1 => self.apply_short::<3>(&mut sweep, number),
                    2 => self.apply_short::<4>(&mut sweep, number),
                    _ => match self.runs.list[number].len {
                        5 => self.apply_long::<5>(&mut sweep, number),
                        6 => self.apply_long::<6>(&mut sweep, number),
                        7 => self.apply_long::<7>(&mut sweep, number),
                        8 => self.apply_long::<8>(&mut sweep, number),
                        _ => self.apply_long::<9>(&mut sweep, number),
                    },
                };
                if !kept {
                    return None;
                }
            }
        }
        Some(sweep)
    }

    /// Applies a run of two to four cells, exactly.
    #[inline(always)]
    fn apply_short<const N: usize>(&self, sweep: &mut RunSweep<'_>, number: usize) -> bool {
        let run = &self.runs.list[number];
        let mut old = [0_u32; N];
        for (old, &cell) in old.iter_mut().zip(&run.cells) {
            *old = sweep.node.grid.0[usize::from(cell)].into();
        }
        let (mut any, mut several) = (0_u32, 0);
        for mask in old {
            any |= mask;
            several |= mask & mask.wrapping_sub(1);
        }
        if several == 0 {
            // All cells are solved. The singles of their line remove their digits from other cells.
            return any >> (any.trailing_zeros() & 31) == (1 << N) - 1;
        }
        let (left, windows) = exact(old);
        if windows == 0 {
            return false;
        }
        self.store(sweep, run, [&old, &left], 1 << number);
        sweep.required.push(number, self.runs.windows[N].common[windows as usize & 511].into());
        true
    }

    /// Applies a longer run: keeps the digits of the windows that the candidates of its cells can fill together, and
    /// finds hidden singles.
    #[inline(always)]
    fn apply_long<const N: usize>(&self, sweep: &mut RunSweep<'_>, number: usize) -> bool {
        let run = &self.runs.list[number];
        let tables = &self.runs.windows[N];
        let (mut old, mut left) = ([0; N], [0; N]);
        let (mut any, mut two, mut windows) = (0, 0, 0x1FF);
        for (old, &cell) in old.iter_mut().zip(&run.cells) {
            let mask = u32::from(sweep.node.grid.0[usize::from(cell)]);
            *old = mask;
            two |= any & mask;
            any |= mask;
            windows &= tables.overlapping[mask as usize & 511];
        }
        windows &= tables.inside[any as usize & 511];
        if windows == 0 {
            return false;
        }
        let (held, common) = (tables.union[usize::from(windows & 511)], tables.common[usize::from(windows & 511)]);
        let hidden = any & !two & u32::from(common);
        let mut is_wrong = false;
        for (left, old) in left.iter_mut().zip(old) {
            let only = old & hidden;
            *left = if only != 0 { only } else { old & u32::from(held) };
            is_wrong |= *left == 0 || only & only.wrapping_sub(1) != 0;
        }
        if is_wrong {
            return false;
        }
        // With the candidates that are left, fewer windows may be possible, so the run is marked to be applied again.
        self.store(sweep, run, [&old, &left], 0);
        sweep.required.push(number, common.into());
        true
    }

    /// Replaces the candidates of the cells of a run by those that are left. The runs `done` need not be applied again
    /// because of this.
    #[inline(always)]
    fn store(&self, sweep: &mut RunSweep<'_>, run: &Compartment, [old, left]: [&[u32]; 2], done: u64) {
        for ((&cell, &old), &left) in run.cells.iter().zip(old).zip(left) {
            let cell = usize::from(cell);
            sweep.node.grid.0[cell] = left as u16;
            sweep.changed |= old != left;
            sweep.touched |= if old != left { self.runs.of_cell[cell & 127] & !done } else { 0 };
        }
    }
}

impl<M: Masks> SearchTree for Str8tsBoard<'_, M> {
    type Node = Node9;

    #[inline(always)]
    fn propagate(&self, node: &mut Node9) -> bool {
        let &Self { masks, layout, runs, .. } = self;
        let (mut required, mut dirty, mut rerun_singles) = (RequiredDigits::new(), 0, true);
        loop {
            let before = masks.load(&node.grid);
            let mut cells = before;
            for &(run, digits) in required.take() {
                cells = masks.remove(cells, runs.list[usize::from(run)].peers, digits);
            }
            if rerun_singles || !cells.xor(before).is_zero() {
                let (left, more) = match singles(masks, cells, &layout.frame, &runs.needs, PASSES) {
                    Ok(left) => left,
                    Err(fault) => return self.conflicts.record(layout, &fault),
                };
                rerun_singles = more;
                node.changed |= masks.cell_bits(left.xor(before));
                masks.store(left, &mut node.grid);
            }
            dirty |= runs.of_cells(std::mem::take(&mut node.changed));
            if dirty == 0 {
                if rerun_singles {
                    continue;
                }
                return true;
            }
            let Some(RunSweep { touched, changed, .. }) = self.sweep(node, dirty, &mut required) else { return false };
            dirty = touched;
            rerun_singles |= changed;
            if !rerun_singles && dirty == 0 && required.is_empty() {
                return true;
            }
        }
    }

    #[inline(always)]
    fn branch(&self, node: &mut Node9, waiting: &mut Vec<Node9>) -> bool {
        let cell = choose(self.masks, self.layout, &self.conflicts, &node.grid, |_, _| 1);
        node.guess(cell, waiting)
    }

    #[inline(always)]
    fn read(&self, node: &Node9, solution: &mut Vec<u8>) {
        node.read(solution);
    }
}
