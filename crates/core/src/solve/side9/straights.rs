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
    /// The other cells of their line that hold a digit.
    outside: u128,
}

/// The runs of a board of two cells or more, the short ones first.
pub(super) struct Runs {
    windows: &'static [Windows],
    list: Vec<Run>,
    found: Vec<Run>,
    /// The runs of each cell, as bits.
    of_cell: [u64; 81],
    /// Those of two cells, of three, of four, and of more.
    of_len: [u64; 4],
    needs: Needs9,
}

impl Runs {
    pub(super) fn new() -> Self {
        let (list, found, needs) = (Vec::with_capacity(64), Vec::with_capacity(64), Needs9::ALL);
        Self { windows: Windows::get(), list, found, of_cell: [0; 81], of_len: [0; 4], needs }
    }

    /// Takes the white cells of a board, and the candidates of all cells, nothing where no digit is.
    #[inline(always)]
    pub(super) fn set(&mut self, layout: &Layout, white: u128, grid: &Grid9) {
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
        self.found.clear();
        for (line, &house) in layout.houses[..18].iter().enumerate() {
            let mut left = house & white;
            while left != 0 {
                let run = Run::first(&mut left, if line < 9 { 1 } else { 9 });
                if run.len > 1 {
                    self.found.push(Run { outside: house & held & !run.outside, ..run });
                }
            }
        }
        self.list.clear();
        self.of_cell = [0; 81];
        self.of_len = [0; 4];
        for (class, of_len) in self.of_len.iter_mut().enumerate() {
            // At most three in each of 18 lines.
            for run in self.found.iter().filter(|run| usize::from(run.len.min(5)) == class + 2) {
                let bit = 1 << (self.list.len() & 63);
                *of_len |= bit;
                for &cell in &run.cells[..usize::from(run.len)] {
                    self.of_cell[usize::from(cell)] |= bit;
                }
                self.list.push(*run);
            }
        }
    }
}

impl Run {
    /// Takes the first cells in a row, so far apart, from the cells of a line; they are what is outside, too.
    #[inline(always)]
    fn first(left: &mut u128, step: usize) -> Self {
        let (mut next, mut cells, mut len, mut own) = (left.trailing_zeros() as usize, [0; 9], 0, 0);
        while next < 81 && *left >> next & 1 == 1 && len < 9 {
            cells[len] = next as u8;
            own |= 1 << next;
            len += 1;
            next += step;
        }
        *left &= !own;
        Self { cells, len: len as u8, outside: own }
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
                    _ => self.long(node, number, sure, &mut changes),
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
        let mut old = [0; N];
        for (old, &cell) in old.iter_mut().zip(&run.cells) {
            *old = node.grid.0[usize::from(cell)].into();
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
    fn long(&self, node: &mut Node9, number: usize, sure: &mut Sure, changes: &mut Changes) -> bool {
        let run = &self.runs.list[number];
        let len = usize::from(run.len);
        let tables = &self.runs.windows[len];
        let (mut old, mut left) = ([0; 9], [0; 9]);
        let (mut any, mut two, mut windows) = (0, 0, 0x1FF);
        for (old, &cell) in old[..len].iter_mut().zip(&run.cells) {
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
        for (left, old) in left[..len].iter_mut().zip(&old) {
            let only = old & hidden;
            *left = if only != 0 { only } else { old & u32::from(held) };
            if *left == 0 || only & only.wrapping_sub(1) != 0 {
                return false;
            }
        }
        // What the windows leave may leave fewer windows: the run is looked at again.
        self.put(node, run, 0, (&old[..len], &left[..len]), changes);
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
            changes.touched |= if old != left { self.runs.of_cell[cell] & !known } else { 0 };
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
                cells = masks.take(cells, runs.list[usize::from(run)].outside, digits);
            }
            if must || !cells.xor(before).is_zero() {
                let (left, more) = match singles(masks, cells, &layout.frame, &runs.needs, PASSES) {
                    Ok(left) => left,
                    Err(fault) => return self.faults.note(layout, &fault),
                };
                must = more;
                node.changed |= masks.bits(left.xor(before));
                masks.store(left, &mut node.grid);
            }
            let mut changed = std::mem::take(&mut node.changed);
            while changed != 0 {
                dirty |= runs.of_cell[changed.trailing_zeros() as usize % 81];
                changed &= changed - 1;
            }
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
