//! The blocks of a search: the kernel's block, and one with fewer lanes for short lists and for the end of long ones.

use crate::kernels::Kernel;
use crate::kernels::bitslice::{Block, ExtraHouse, Nodes, Outcomes, node_lanes};

use super::few_nodes::FewNodes;

/// Two blocks for the same kind of puzzle. A pass over the wide one takes the same time however many of its lanes are
/// in use, so a few puzzles are faster in the narrow one, and very few nodes one by one.
pub(super) struct BlockPair {
    wide: Box<dyn Block>,
    narrow: Option<Box<dyn Block>>,
    is_narrow: bool,
    /// What propagates nodes one by one. It does not support other houses than those of a sudoku.
    few: Option<Box<FewNodes>>,
    /// The largest number of nodes that are propagated one by one.
    most_few: usize,
    /// Whether the chosen block has nodes as [`Block::store_nodes`] would store them.
    is_stored: bool,
}

impl BlockPair {
    pub(super) fn new(kernel: &'static Kernel, houses: Vec<ExtraHouse>) -> Self {
        let narrow = kernel.solving.narrow_block.map(|block| block(houses.clone()));
        let most_few = if houses.is_empty() { kernel.solving.few_nodes } else { 0 };
        let few = (most_few > 0).then(|| Box::new(FewNodes::new(kernel)));
        Self { wide: (kernel.solving.block)(houses), narrow, is_narrow: false, few, most_few, is_stored: false }
    }

    pub(super) fn widest(&self) -> &dyn Block {
        &*self.wide
    }

    /// Chooses the narrow block if it has room for this number of nodes or puzzles, otherwise the wide one.
    pub(super) fn choose(&mut self, nodes: usize) -> &mut dyn Block {
        self.is_narrow = self.narrow.as_ref().is_some_and(|narrow| nodes <= narrow.lanes());
        self.is_stored = false;
        self.chosen()
    }

    /// The block that was chosen last.
    pub(super) fn chosen(&mut self) -> &mut dyn Block {
        match &mut self.narrow {
            Some(narrow) if self.is_narrow => &mut **narrow,
            _ => &mut *self.wide,
        }
    }

    /// Whether [`BlockPair::run_nodes`] propagates this number of nodes one by one.
    pub(super) fn are_few(&self, nodes: usize) -> bool {
        nodes <= self.most_few
    }

    /// Propagates all nodes of a list, for which the widest block has room.
    pub(super) fn run_nodes(&mut self, nodes: &Nodes) -> Outcomes {
        self.choose(nodes.len());
        let block = match &mut self.narrow {
            Some(narrow) if self.is_narrow => narrow,
            _ => &mut self.wide,
        };
        if let Some(few) = self.few.as_ref().filter(|_| nodes.len() <= self.most_few) {
            self.is_stored = true;
            return few.run(nodes, &mut **block);
        }
        block.load_nodes(nodes);
        block.run(&node_lanes(nodes.len(), block.lanes()), false)
    }

    /// Stores the nodes of the chosen block, for [`Block::collect`] and [`Block::write_solutions`].
    pub(super) fn store_nodes(&mut self) {
        if !self.is_stored {
            self.chosen().store_nodes();
        }
    }
}
