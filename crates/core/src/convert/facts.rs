//! What is found out of records besides what becomes of them: how many givens, how many solutions, what the search took.

use crate::board::Batch;
#[cfg(feature = "keys")]
use crate::canon::Key;
use crate::kernels::{Kernel, Work};

/// What is to be found out of each record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Facts {
    /// The number of givens.
    pub givens: bool,
    /// Whether the givens are symmetric.
    pub symmetric: bool,
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
    /// The cells with givens are the same after half a turn of the board, if that was asked.
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

/// The number of givens of a board, and, if that is `asked`, whether they are symmetric.
pub(super) fn givens(batch: &Batch, board: usize, all_given: bool, asked: bool, kernel: &Kernel) -> (u16, bool) {
    let (shape, codes) = (batch.shape(), batch.shape().codes());
    let from = board * shape.stride();
    let row = from..from + shape.side.cells();
    // Codes of givens are in one range, but for the black cell without a digit among them.
    let limit = if all_given { codes.candidates_base() } else { codes.solved_base() };
    let black = if shape.kind.has_black() { codes.black_empty() } else { u32::MAX };
    match shape.side.is_small() {
        true => kernel.run(Givens { codes: &batch.codes16()[row], limit, black, asked }),
        false => kernel.run(Givens { codes: &batch.codes32()[row], limit, black, asked }),
    }
}

struct Givens<'a, T> {
    codes: &'a [T],
    limit: u32,
    black: u32,
    asked: bool,
}

impl<T: Copy + Into<u32>> Work for Givens<'_, T> {
    type Done = (u16, bool);

    #[inline(always)]
    fn run(self) -> (u16, bool) {
        let Self { codes, limit, black, asked } = self;
        let is_given = |code: T| {
            let code: u32 = code.into();
            u32::from(code.wrapping_sub(1) < limit && code != black)
        };
        // Most rows have a length that is known here.
        let clues = match codes.first_chunk::<81>() {
            Some(row) if codes.len() == row.len() => count(row, is_given),
            _ => count(codes, is_given),
        };
        let mut differ = 0;
        if asked {
            for (&one, &other) in codes.iter().zip(codes.iter().rev()) {
                differ |= is_given(one) ^ is_given(other);
            }
        }
        (clues, differ == 0)
    }
}

#[inline(always)]
fn count<T: Copy>(codes: &[T], is_given: impl Fn(T) -> u32) -> u16 {
    let mut clues = 0;
    for &code in codes {
        clues += is_given(code);
    }
    clues as u16
}
