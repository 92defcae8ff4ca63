//! Str8ts: singles of lines (and boxes), then runs.

use super::Node9;
use super::branch::branch;
use super::faults::Faults;
use super::layout::Layout;
use super::sure::Sure;
use super::windows::{Windows, exact};
use crate::kernels::houses9::{Grid9, Masks, Needs9, singles};
use crate::kernels::vector::Vector;
use crate::solve::search::Tree;

/// Passes over the houses between two over the runs.
const PASSES: usize = 2;

/// White cells side by side.
#[derive(Clone, Copy)]
struct Run {
    /// They, the first `len` of these.
    cells: [u8; 9],
    len: u8,
    /// They, as bits.
    own: u128,
    /// The other cells of their line that hold a digit.
    outside: u128,
}

/// The runs of a board of two cells or more.
pub(super) struct Runs {
    windows: &'static [Windows],
    list: Vec<Run>,
    /// The runs of each cell, as bits; there are 81.
    of_cell: [u64; 128],
    /// Those of two cells, of three, of four, and of more.
    of_len: [u64; 4],
    needs: Needs9,
}

/// The first cells of a row, and of a column, for each number of them.
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

    /// Takes the white cells of each row and column of a board, and the candidates of all cells, nothing where no digit is.
    #[inline(always)]
    pub(super) fn set(&mut self, layout: &Layout, white: &[u32; 18], grid: &Grid9) {
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
            // There may be no such house.
            *needs = if house != 0 && house & !held == 0 { 0x1FF } else { 0 };
        }
        self.list.clear();
        self.of_cell = [0; 128];
        self.of_len = [0; 4];
        for (line, (&house, &white)) in layout.houses.iter().zip(white).enumerate() {
            let (mut left, held) = (white, house & held);
            // At most three in each of 18 lines.
            while left & left >> 1 != 0 {
                let start = (left & left >> 1).trailing_zeros();
                let len = (left >> start).trailing_ones();
                left &= !(((1 << len) - 1) << start);
                self.add(line, start as usize, len as usize, held);
            }
        }
    }

    /// Adds a run of a line, whose cells that hold a digit are these.
    #[inline(always)]
    fn add(&mut self, line: usize, start: usize, len: usize, held: u128) {
        let (way, step) = if line < 9 { (0, 1) } else { (1, 9) };
        let first = if way == 0 { 9 * line + start } else { 9 * start + line - 9 };
        let own = FIRST[way][len.min(9)] << first;
        let cells = std::array::from_fn(|k| (first + k * step) as u8);
        let bit = 1 << (self.list.len() & 63);
        self.of_len[len.clamp(2, 5) - 2] |= bit;
        for &cell in &cells[..len.min(9)] {
            self.of_cell[usize::from(cell & 127)] |= bit;
        }
        self.list.push(Run { cells, len: len as u8, own, outside: held & !own });
    }

    /// The runs of some cells.
    #[inline(always)]
    fn of_cells(&self, mut cells: u128) -> u64 {
        /// From so many cells on it is faster to ask the runs.
        const MANY: u32 = 12;
        let mut runs = 0;
        if cells.count_ones() > MANY {
            for (number, run) in self.list.iter().enumerate() {
                runs |= u64::from(run.own & cells != 0) << (number & 63);
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

/// A board, for the search.
pub(super) struct Straights<'a, M> {
    pub(super) masks: M,
    pub(super) layout: &'a Layout,
    pub(super) runs: &'a Runs,
    pub(super) faults: Faults,
}

/// What changed while runs were gone through.
struct Changes {
    changed: bool,
    /// Runs of cells that changed.
    touched: u64,
}

impl<M: Masks> Straights<'_, M> {
    /// Goes through some runs, the short ones first. Nothing if one has no window left.
    #[inline(always)]
    fn sweep(&self, node: &mut Node9, runs: u64, sure: &mut Sure) -> Option<Changes> {
        let mut changes = Changes { changed: false, touched: 0 };
        for (class, of_len) in self.runs.of_len.into_iter().enumerate() {
            let mut left = runs & of_len;
            while left != 0 {
                let number = left.trailing_zeros() as usize;
                left &= left - 1;
                let kept = match class {
                    0 => self.short::<2>(node, number, sure, &mut changes),
                    1 => self.short::<3>(node, number, sure, &mut changes),
                    2 => self.short::<4>(node, number, sure, &mut changes),
                    _ => match self.runs.list[number].len {
                        5 => self.long::<5>(node, number, sure, &mut changes),
                        6 => self.long::<6>(node, number, sure, &mut changes),
                        7 => self.long::<7>(node, number, sure, &mut changes),
                        8 => self.long::<8>(node, number, sure, &mut changes),
                        _ => self.long::<9>(node, number, sure, &mut changes),
                    },
                };
                if !kept {
                    return None;
                }
            }
        }
        Some(changes)
    }

    /// A run of a few cells, exactly.
    #[inline(always)]
    fn short<const N: usize>(&self, node: &mut Node9, number: usize, sure: &mut Sure, changes: &mut Changes) -> bool {
        let run = &self.runs.list[number];
        let mut old = [0_u32; N];
        for (old, &cell) in old.iter_mut().zip(&run.cells) {
            *old = node.grid.0[usize::from(cell)].into();
        }
        let (mut any, mut several) = (0_u32, 0);
        for mask in old {
            any |= mask;
            several |= mask & mask.wrapping_sub(1);
        }
        if several == 0 {
            // All are decided; what they hold their line's singles take from others.
            return any >> (any.trailing_zeros() & 31) == (1 << N) - 1;
        }
        let (left, windows) = exact(old);
        if windows == 0 {
            return false;
        }
        self.put(node, run, 1 << number, (&old, &left), changes);
        sure.push(number, self.runs.windows[N].sure[windows as usize & 511].into());
        true
    }

    /// A longer run: by the windows that its cells can fill between them.
    #[inline(always)]
    fn long<const N: usize>(&self, node: &mut Node9, number: usize, sure: &mut Sure, changes: &mut Changes) -> bool {
        let run = &self.runs.list[number];
        let tables = &self.runs.windows[N];
        let (mut old, mut left) = ([0; N], [0; N]);
        let (mut any, mut two, mut windows) = (0, 0, 0x1FF);
        for (old, &cell) in old.iter_mut().zip(&run.cells) {
            let mask = u32::from(node.grid.0[usize::from(cell)]);
            *old = mask;
            two |= any & mask;
            any |= mask;
            windows &= tables.touching[mask as usize & 511];
        }
        windows &= tables.inside[any as usize & 511];
        if windows == 0 {
            return false;
        }
        let (held, held_for_sure) = (tables.any[usize::from(windows & 511)], tables.sure[usize::from(windows & 511)]);
        let hidden = any & !two & u32::from(held_for_sure);
        let mut is_wrong = false;
        for (left, old) in left.iter_mut().zip(old) {
            let only = old & hidden;
            *left = if only != 0 { only } else { old & u32::from(held) };
            is_wrong |= *left == 0 || only & only.wrapping_sub(1) != 0;
        }
        if is_wrong {
            return false;
        }
        // What the windows leave may leave fewer windows: the run is looked at again.
        self.put(node, run, 0, (&old, &left), changes);
        sure.push(number, held_for_sure.into());
        true
    }

    /// Gives the cells of a run what is left of their candidates; `known` are runs that need not be looked at for that.
    #[inline(always)]
    fn put(&self, node: &mut Node9, run: &Run, known: u64, (old, left): (&[u32], &[u32]), changes: &mut Changes) {
        for ((&cell, &old), &left) in run.cells.iter().zip(old).zip(left) {
            let cell = usize::from(cell);
            node.grid.0[cell] = left as u16;
            changes.changed |= old != left;
            changes.touched |= if old != left { self.runs.of_cell[cell & 127] & !known } else { 0 };
        }
    }
}

impl<M: Masks> Tree for Straights<'_, M> {
    type Node = Node9;

    #[inline(always)]
    fn settle(&self, node: &mut Node9) -> bool {
        let &Self { masks, layout, runs, .. } = self;
        let (mut sure, mut dirty, mut must) = (Sure::new(), 0, true);
        loop {
            let before = masks.load(&node.grid);
            let mut cells = before;
            for &(run, digits) in sure.take() {
                cells = masks.remove(cells, runs.list[usize::from(run)].outside, digits);
            }
            if must || !cells.xor(before).is_zero() {
                let (left, more) = match singles(masks, cells, &layout.frame, &runs.needs, PASSES) {
                    Ok(left) => left,
                    Err(fault) => return self.faults.note(layout, &fault),
                };
                must = more;
                node.changed |= masks.cell_bits(left.xor(before));
                masks.store(left, &mut node.grid);
            }
            dirty |= runs.of_cells(std::mem::take(&mut node.changed));
            if dirty == 0 {
                if must {
                    continue;
                }
                return true;
            }
            let Some(changes) = self.sweep(node, dirty, &mut sure) else { return false };
            dirty = changes.touched;
            must |= changes.changed;
            if !must && dirty == 0 && sure.is_empty() {
                return true;
            }
        }
    }

    #[inline(always)]
    fn branch(&self, node: &mut Node9, waiting: &mut Vec<Node9>) -> bool {
        branch(self.masks, self.layout, &self.faults, node, waiting, |_, _| 1)
    }

    #[inline(always)]
    fn read(&self, node: &Node9, solution: &mut Vec<u8>) {
        node.read(solution);
    }
}
