//! Jigsaws, killers and killer-jigsaws: singles of houses, then sums, then locked candidates.

use super::Node9;
use super::branch::branch;
use super::faults::Faults;
use super::layout::Layout;
use super::sums::{Sums, Sweep};
use super::sure::Sure;
use crate::kernels::houses9::{Masks, Needs9, locked, singles};
use crate::kernels::vector::Vector;
use crate::solve::search::Tree;

/// Passes over the houses between two over the sums.
const PASSES: usize = 2;

/// A board, for the search.
pub(super) struct Caged<'a, M> {
    pub(super) masks: M,
    pub(super) layout: &'a Layout,
    pub(super) sums: &'a Sums,
    pub(super) faults: Faults,
}

impl<M: Masks> Tree for Caged<'_, M> {
    type Node = Node9;

    #[inline(always)]
    fn settle(&self, node: &mut Node9) -> bool {
        let &Self { masks, layout, sums, .. } = self;
        let (mut sure, mut dirty, mut must) = (Sure::new(), 0, true);
        loop {
            let before = masks.load(&node.grid);
            let mut cells = before;
            for &(sum, digits) in sure.take() {
                cells = masks.remove(cells, sums.outside(sum.into()), digits);
            }
            if must || !cells.xor(before).is_zero() {
                let passes = if sums.is_empty() { usize::MAX } else { PASSES };
                let (left, more) = match singles(masks, cells, &layout.frame, &Needs9::ALL, passes) {
                    Ok(left) => left,
                    Err(fault) => return self.faults.note(layout, &fault),
                };
                must = more;
                node.changed |= masks.cell_bits(left.xor(before));
                masks.store(left, &mut node.grid);
                cells = left;
            }
            if !sums.is_empty() {
                dirty |= sums.of_cells(std::mem::take(&mut node.changed));
                if dirty != 0 {
                    let grid = &mut node.grid;
                    let mut sweep = Sweep { masks, sums, grid, sure: &mut sure, touched: 0, changed: false };
                    let Some(left) = sweep.run(dirty) else { return false };
                    dirty = left | sweep.touched;
                    must |= sweep.changed;
                    if must || dirty != 0 || !sure.is_empty() {
                        continue;
                    }
                }
                if must {
                    continue;
                }
            }
            if cells.several().is_zero() {
                return true;
            }
            let left = locked(masks, cells, &layout.frame);
            let taken = masks.cell_bits(left.xor(cells));
            if taken == 0 {
                return true;
            }
            if !left.empty().and(masks.load(&Needs9::ALL.cells)).is_zero() {
                return false;
            }
            node.changed = taken;
            masks.store(left, &mut node.grid);
            must = true;
        }
    }

    #[inline(always)]
    fn branch(&self, node: &mut Node9, waiting: &mut Vec<Node9>) -> bool {
        branch(self.masks, self.layout, &self.faults, node, waiting, |cell, open| self.sums.urgency(cell, open))
    }

    #[inline(always)]
    fn read(&self, node: &Node9, solution: &mut Vec<u8>) {
        node.read(solution);
    }
}
