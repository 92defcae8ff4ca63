//! The answers for puzzles while they are searched.

use std::ops::Range;

use crate::kernels::bitslice::{Bits, PUZZLE, WORDS};

use super::UNDECIDED;
use super::ordered::{SearchLimits, SearchVerdict};

/// The answers for puzzles, by their numbers.
pub(super) struct Answers<'a> {
    /// The numbers of the puzzles of the current window. All others are those of the next window, or are not in use.
    pub(super) current: Range<usize>,
    pub(super) counts: &'a mut [u32],
    pub(super) limits: SearchLimits,
    pub(super) solutions: Option<&'a mut [[u8; 81]]>,
    /// Whether some puzzle became done in the current block.
    pub(super) any_done: bool,
    /// Whether the answer for each puzzle may depend on the order of its search: it has a solution that is not near the
    /// root, or was abandoned.
    pub(super) order_dependent: &'a mut [bool],
}

impl Answers<'_> {
    /// Writes zeros for the puzzles of the window that have no solution. Writing zeros for all of them before the search
    /// would take all of that memory through the cache once more.
    pub(super) fn clear_missing_solutions(&mut self) {
        if let Some(solutions) = &mut self.solutions {
            let (counts, solutions) = (&self.counts[self.current.clone()], &mut solutions[self.current.clone()]);
            let missing = counts.iter().zip(solutions).filter(|(count, _)| **count == 0);
            missing.for_each(|(_, solution)| *solution = [0; 81]);
        }
    }

    /// Whether the search of a puzzle has ended before its tree: it has as many solutions as the limit, or was
    /// abandoned.
    pub(super) fn is_done(&self, puzzle: u32) -> bool {
        self.counts[puzzle as usize] >= self.limits.limit
    }

    /// Counts a solution, which is a node with this tag. Returns whether to write the solution.
    pub(super) fn add_solution(&mut self, tag: u32) -> bool {
        let puzzle = tag & PUZZLE;
        let count = &mut self.counts[puzzle as usize];
        if *count >= self.limits.limit {
            return false;
        }
        *count += 1;
        self.any_done |= *count == self.limits.limit;
        if !self.limits.near_root.contains(tag) {
            self.order_dependent[puzzle as usize] = true;
        }
        *count == 1 && self.solutions.is_some()
    }

    pub(super) fn abandon(&mut self, puzzle: u32) {
        if !self.is_done(puzzle) {
            self.counts[puzzle as usize] = UNDECIDED;
            self.any_done = true;
            self.order_dependent[puzzle as usize] = true;
        }
    }

    /// The puzzles of the window that must be searched again in a fixed order. If all of a tree was searched, the order
    /// did not matter.
    pub(super) fn puzzles_to_repeat(&self) -> Vec<u32> {
        let puzzles = self.current.clone().filter(|&puzzle| self.order_dependent[puzzle]);
        puzzles.map(|puzzle| puzzle as u32).filter(|&puzzle| self.is_done(puzzle)).collect()
    }

    /// Whether a node with this tag is one of a puzzle of the window.
    pub(super) fn is_current(&self, tag: u32) -> bool {
        self.current.contains(&((tag & PUZZLE) as usize))
    }

    /// The lanes of a block with nodes of the window, by the tags of all lanes.
    pub(super) fn current_lanes(&self, tags: &[u32], width: usize) -> Bits {
        let mut current = Bits::default();
        for (bit, tags) in tags.chunks_exact(width).take(32).enumerate() {
            for (lanes, &tag) in current.iter_mut().zip(tags) {
                *lanes |= u32::from(self.is_current(tag)) << bit;
            }
        }
        current
    }

    /// Replaces the answer for a puzzle with that of the search in a fixed order.
    pub(super) fn replace(&mut self, verdict: &SearchVerdict) {
        let puzzle = verdict.puzzle as usize;
        self.counts[puzzle] = verdict.count;
        if let Some(solutions) = &mut self.solutions {
            solutions[puzzle] = verdict.solution.map_or([0; 81], |words| digits(&words));
        }
    }
}

/// The digits of a solved node.
fn digits(words: &[u32; WORDS]) -> [u8; 81] {
    let mut digits = [0; 81];
    for (word, &cells) in words.iter().enumerate() {
        let mut cells = cells;
        while cells != 0 {
            digits[word % 3 * 27 + cells.trailing_zeros() as usize % 27] = (word / 3 + 1) as u8;
            cells &= cells - 1;
        }
    }
    digits
}
