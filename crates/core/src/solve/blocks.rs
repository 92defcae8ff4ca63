//! The blocks of a search: the kernel's block, and one with fewer lanes for short lists and for the end of long ones.

use crate::kernels::Kernel;
use crate::kernels::bitslice::{Block, ExtraHouse};

/// Two blocks for the same kind of puzzle. A pass over the wide one takes the same time however many of its lanes are
/// in use, so a few puzzles are faster in the narrow one.
pub(super) struct Blocks {
    wide: Box<dyn Block>,
    narrow: Option<Box<dyn Block>>,
    is_narrow: bool,
}

impl Blocks {
    pub(super) fn new(kernel: &Kernel, houses: Vec<ExtraHouse>) -> Self {
        let narrow = kernel.narrow_block.map(|block| block(houses.clone()));
        Self { wide: (kernel.block)(houses), narrow, is_narrow: false }
    }

    pub(super) fn widest(&self) -> &dyn Block {
        &*self.wide
    }

    /// Chooses the narrow block if it has room for this number of nodes or puzzles, otherwise the wide one.
    pub(super) fn choose(&mut self, nodes: usize) -> &mut dyn Block {
        self.is_narrow = self.narrow.as_ref().is_some_and(|narrow| nodes <= narrow.lanes());
        self.chosen()
    }

    /// The block that was chosen last.
    pub(super) fn chosen(&mut self) -> &mut dyn Block {
        match &mut self.narrow {
            Some(narrow) if self.is_narrow => &mut **narrow,
            _ => &mut *self.wide,
        }
    }
}
