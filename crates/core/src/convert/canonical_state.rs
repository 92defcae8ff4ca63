//! The memory for making canonical forms.

use crate::board::BATCH;
use crate::canon::Canonizer;
use crate::kernels::Kernel;
use crate::solve::UNDECIDED;

/// The canonizer, and the solver's answers about the boards of a group.
pub(super) struct CanonicalState {
    pub(super) canonizer: Canonizer,
    pub(super) counts: [u32; BATCH],
    pub(super) solutions: Vec<u8>,
}

impl CanonicalState {
    /// `effort` is the limit in search nodes.
    pub(super) fn new(effort: u32, kernel: &'static Kernel) -> Self {
        let canonizer = Canonizer::new(kernel).effort(effort);
        Self { canonizer, counts: [UNDECIDED; BATCH], solutions: Vec::new() }
    }

    /// The solution of a board with `cells` cells, if it has one.
    pub(super) fn solution(&self, board: usize, cells: usize) -> Option<&[u8]> {
        (self.counts[board] == 1).then(|| self.solutions.get(board * cells..(board + 1) * cells)).flatten()
    }
}
