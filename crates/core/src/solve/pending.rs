//! The nodes that are still to be searched.

use crate::kernels::bitslice::{Block, Nodes};

use super::answers::Answers;

/// The nodes that are to be searched, of the puzzles of the current window and of the next one.
#[derive(Default)]
pub(super) struct PendingNodes {
    /// The nodes to be searched next: first children, and nodes that another pass may narrow further.
    pub(super) batch: Nodes,
    /// Second children of the current window's puzzles. The last ones are searched first.
    pub(super) stack: Nodes,
    /// Second children of the next window's puzzles, which are searched after those.
    pub(super) later: Nodes,
}

impl PendingNodes {
    pub(super) fn clear(&mut self) {
        for nodes in [&mut self.batch, &mut self.stack, &mut self.later] {
            nodes.truncate(0);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.batch.len() + self.stack.len() + self.later.len()
    }

    /// Makes the next window the current one, whose nodes have all been searched.
    pub(super) fn advance(&mut self) {
        std::mem::swap(&mut self.stack, &mut self.later);
    }

    /// Whether there are nodes of the current window. `is_alone` if there can be none of the next one.
    pub(super) fn has_current(&self, is_alone: bool, answers: &Answers) -> bool {
        !self.stack.is_empty()
            || !self.batch.is_empty() && (is_alone || self.batch.tags().iter().any(|&tag| answers.is_current(tag)))
    }

    /// Completes the batch to a block, with nodes of the current window if there are enough.
    pub(super) fn fill_batch(&mut self, block: &dyn Block, is_alone: bool, answers: &Answers) {
        let lanes = block.lanes();
        if !is_alone && self.batch.len() > lanes {
            // Nodes of the next window were added after all others.
            let excess = &self.batch.tags()[lanes..];
            let own = excess.iter().position(|&tag| !answers.is_current(tag)).unwrap_or(excess.len());
            self.batch.spill(lanes + own, &mut self.later);
        }
        self.batch.spill(lanes, &mut self.stack);
        block.pop(&mut self.stack, &mut self.batch, answers.counts, answers.limits.limit);
        if !is_alone {
            block.pop(&mut self.later, &mut self.batch, answers.counts, answers.limits.limit);
        }
    }
}
