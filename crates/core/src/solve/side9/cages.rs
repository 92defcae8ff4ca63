//! Propagates the nodes of sudokus, jigsaws, killers and killer-jigsaws: singles of houses, then sums, then locked
//! candidates.

use super::Node9;
use super::branch::choose;
use super::conflicts::Conflicts;
use super::layout::RegionHouses;
use super::required::RequiredDigits;
use super::sums::{Sums, Sweep};
use crate::kernels::houses9::{Masks, Needs9, locked, singles};
use crate::kernels::vector::Vector;
use crate::solve::search::SearchTree;

/// The number of passes over the houses between two passes over the sums.
const PASSES: usize = 2;

/// The search tree of a board with houses and sums.
pub(super) struct CagedBoard<'a, M> {
    pub(super) masks: M,
    pub(super) layout: &'a RegionHouses,
    pub(super) sums: &'a Sums,
    pub(super) conflicts: Conflicts,
}

impl<M: Masks> SearchTree for CagedBoard<'_, M> {
    type Node = Node9;

    #[inline(always)]
    fn propagate(&self, node: &mut Node9) -> bool {
        let &Self { masks, layout, sums, .. } = self;
        let (mut required, mut dirty, mut rerun_singles) = (RequiredDigits::new(), 0, true);
        loop {
            let before = masks.load(&node.grid);
            let mut cells = before;
            for &(sum, digits) in required.take() {
                cells = masks.remove(cells, sums.common_peers(sum.into()), digits);
            }
            if rerun_singles || !cells.xor(before).is_zero() {
                let passes = if sums.is_empty() { usize::MAX } else { PASSES };
                let (left, more) = match singles(masks, cells, &layout.frame, &Needs9::ALL, passes) {
                    Ok(left) => left,
                    Err(fault) => return self.conflicts.record(layout, &fault),
                };
                rerun_singles = more;
                node.changed |= masks.cell_bits(left.xor(before));
                masks.store(left, &mut node.grid);
                cells = left;
            }
            if !sums.is_empty() {
                dirty |= sums.of_cells(std::mem::take(&mut node.changed));
                if dirty != 0 {
                    let grid = &mut node.grid;
                    let mut sweep = Sweep { masks, sums, grid, required: &mut required, touched: 0, changed: false };
                    let Some(left) = sweep.run(dirty) else { return false };
                    dirty = left | sweep.touched;
                    rerun_singles |= sweep.changed;
                    if rerun_singles || dirty != 0 || !required.is_empty() {
                        continue;
                    }
                }
                if rerun_singles {
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
            rerun_singles = true;
        }
    }

    #[inline(always)]
    fn branch(&self, node: &mut Node9, waiting: &mut Vec<Node9>) -> bool {
        let urgency = |cell, open| self.sums.urgency(cell, open);
        let cell = choose(self.masks, self.layout, &self.conflicts, &node.grid, urgency);
        node.guess(cell, waiting)
    }

    #[inline(always)]
    fn read(&self, node: &Node9, solution: &mut Vec<u8>) {
        node.read(solution);
    }
}
