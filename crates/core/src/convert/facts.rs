//! Facts about records, such as the numbers of givens, solutions and search nodes.

use crate::board::BoardSet;
use crate::kernels::{Kernel, ROW9, SimdTask};

/// Which facts are wanted about each record. This may get more fields: create it with `..Default::default()`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Facts {
    /// The number of givens.
    pub givens: bool,
    /// Whether the givens are symmetric.
    pub symmetric: bool,
    /// The number of solutions, and the nodes of the search.
    pub search: bool,
    /// The only solution, or that of the replacement if there is a
    /// [`Conversion::canonical`](super::Conversion::canonical).
    pub solution: bool,
    /// With canonical forms: the map to the replacement.
    pub map: bool,
    /// With canonical forms: the number of automorphisms.
    pub automorphisms: bool,
    /// With canonical forms: the key of the replacement.
    pub key: bool,
}

impl Facts {
    /// Whether solutions are needed.
    pub(super) fn ask_solver(self) -> bool {
        self.search || self.solution
    }
}

/// The facts about a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct RecordFacts {
    /// The number of givens.
    pub clues: u16,
    /// Whether the cells with givens are symmetric under half a turn, if the plan asks for it.
    pub symmetric: bool,
    /// The number of solutions, up to [`Checks::max_solutions`](super::Checks::max_solutions), if the search was
    /// completed.
    pub solutions: Option<u32>,
    /// The nodes of a complete search: see [`SolutionCount::nodes`](crate::solve::SolutionCount::nodes).
    pub nodes: Option<u32>,
}

/// The positions of a record's textual facts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RecordTexts {
    /// The start and end of the only solution, and likewise for the others.
    pub(super) solution: (usize, usize),
    pub(super) map: (usize, usize),
    pub(super) automorphisms: (usize, usize),
}

/// Counts the givens of boards and, if `asked`, finds out whether they are symmetric.
pub(super) fn find_givens(boards: BoardSet<'_>, asked: bool, kernel: &Kernel, facts: &mut [RecordFacts]) {
    let BoardSet { batch, boards: good, all_given } = boards;
    let (shape, codes) = (batch.shape(), batch.shape().codes());
    // The codes of givens are one range, apart from the black cell without a digit in it.
    let limit = if all_given { codes.candidates_base() } else { codes.solved_base() };
    let black = if shape.kind.has_black() { codes.black_empty() } else { u32::MAX };
    let (stride, cells) = (shape.stride(), shape.side.cells());
    match shape.side.is_small() {
        true => {
            let (limit, black) = (limit as u16, black as u16);
            let is_given = |code: u16| (code.wrapping_sub(1) < limit) & (code != black);
            kernel.run(CountGivens { codes: batch.codes16(), stride, cells, good, is_given, asked, facts });
        }
        false => {
            let is_given = |code: u32| (code.wrapping_sub(1) < limit) & (code != black);
            kernel.run(CountGivens { codes: batch.codes32(), stride, cells, good, is_given, asked, facts });
        }
    }
}

struct CountGivens<'a, T, F> {
    codes: &'a [T],
    stride: usize,
    cells: usize,
    good: u64,
    is_given: F,
    asked: bool,
    facts: &'a mut [RecordFacts],
}

impl<T: Copy, F: Fn(T) -> bool> SimdTask for CountGivens<'_, T, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { codes, stride, cells, good, is_given, asked, facts } = self;
        for (i, (row, facts)) in codes.chunks_exact(stride).zip(facts).enumerate() {
            if good >> i & 1 == 0 {
                continue;
            }
            // Most rows have a length that is a constant here.
            facts.clues = match row.first_chunk::<ROW9>() {
                Some(row) if cells == INSIDE9 => count9(row, &is_given),
                _ => count(&row[..cells], &is_given),
            };
            let row = &row[..cells];
            facts.symmetric = asked && {
                let mut differ = false;
                for (&one, &other) in row.iter().zip(row.iter().rev()) {
                    differ |= is_given(one) != is_given(other);
                }
                !differ
            };
        }
    }
}

/// The number of cells of a board of side 9. The codes after them in a row are unspecified.
const INSIDE9: usize = 81;

/// The same as [`count`], in whole vectors.
#[inline(always)]
fn count9<T: Copy>(codes: &[T; ROW9], is_given: impl Fn(T) -> bool) -> u16 {
    let mut clues = 0;
    for (cell, &code) in codes.iter().enumerate() {
        clues += u16::from(is_given(code) & (cell < INSIDE9));
    }
    clues
}

/// The number of givens among some codes.
#[inline(always)]
fn count<T: Copy>(codes: &[T], is_given: impl Fn(T) -> bool) -> u16 {
    let mut clues = 0;
    for &code in codes {
        clues += u16::from(is_given(code));
    }
    clues
}
