//! What is found out of records besides what becomes of them: how many givens, how many solutions, what the search took.

use crate::board::Batch;
#[cfg(feature = "keys")]
use crate::canon::Key;
use crate::kernels::{Kernel, Work};

/// What is to be found out of each record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Facts {
    /// The number of givens, and whether they are symmetric.
    pub givens: bool,
    /// The number of solutions, and the nodes of the search.
    pub search: bool,
    /// The only solution; that of what stands for the record, where [`Conversion::canonical`](super::Conversion::canonical) says.
    pub solution: bool,
    /// With canonical forms: the map to what stands for the record.
    pub map: bool,
    /// With canonical forms: the number of automorphisms.
    pub automorphisms: bool,
    /// With canonical forms: the key of what stands for the record.
    #[cfg(feature = "keys")]
    pub key: bool,
}

impl Facts {
    /// Whether the solver has to be asked.
    pub(super) fn ask_solver(self) -> bool {
        self.search || self.solution
    }
}

/// What was found out of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct RecordFacts {
    /// Givens.
    pub clues: u16,
    /// The cells with givens are the same after half a turn of the board.
    pub symmetric: bool,
    /// Solutions, up to [`Checks::max_solutions`](super::Checks::max_solutions), if the search came to an end.
    pub solutions: Option<u32>,
    /// Nodes of the search, if all of it was done: see [`SolutionCount::nodes`](crate::solve::SolutionCount::nodes).
    pub nodes: Option<u32>,
    /// Where the only solution stands among what is said, and so on.
    pub(super) solution: (usize, usize),
    pub(super) map: (usize, usize),
    pub(super) automorphisms: (usize, usize),
    /// The key, and where it stands as text.
    #[cfg(feature = "keys")]
    pub(super) key: (Option<Key>, usize),
}

/// The cells of a board that has the most.
const MOST_CELLS: usize = 625;

/// The number of givens of a board, and whether they are symmetric.
pub(super) fn givens(batch: &Batch, board: usize, all_given: bool, kernel: &Kernel) -> (u16, bool) {
    let (shape, codes) = (batch.shape(), batch.shape().codes());
    let from = board * shape.stride();
    let row = from..from + shape.side.cells();
    // Codes of givens are in one range, but for the black cell without a digit among them.
    let limit = if all_given { codes.candidates_base() } else { codes.solved_base() };
    let black = if shape.kind.has_black() { codes.black_empty() } else { u32::MAX };
    match shape.side.is_small() {
        true => kernel.run(Givens { codes: &batch.codes16()[row], limit, black }),
        false => kernel.run(Givens { codes: &batch.codes32()[row], limit, black }),
    }
}

struct Givens<'a, T> {
    codes: &'a [T],
    limit: u32,
    black: u32,
}

impl<T: Copy + Into<u32>> Work for Givens<'_, T> {
    type Done = (u16, bool);

    #[inline(always)]
    fn run(self) -> (u16, bool) {
        let mut given = [0_u8; MOST_CELLS];
        let given = &mut given[..self.codes.len()];
        let mut clues = 0_u16;
        for (given, &code) in given.iter_mut().zip(self.codes) {
            let code: u32 = code.into();
            let is_given = code.wrapping_sub(1) < self.limit && code != self.black;
            *given = u8::from(is_given);
            clues += u16::from(is_given);
        }
        let mut differ = 0;
        for (one, other) in given.iter().zip(given.iter().rev()) {
            differ |= one ^ other;
        }
        (clues, differ == 0)
    }
}
