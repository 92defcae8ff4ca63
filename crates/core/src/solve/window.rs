//! Puzzles that are searched together, and their numbers.

use std::fmt;
use std::ops::Range;

use crate::kernels::bitslice::{PUZZLE, WORDS};

/// How many puzzles can have numbers at the same time: a tag has room for so many.
pub(crate) const MAX_PUZZLES: usize = PUZZLE as usize + 1;

/// Puzzles, as callers have them.
#[derive(Clone, Copy)]
pub(super) enum PuzzleSource<'a> {
    /// Puzzles of 81 bytes, and the distance from the start of one to the start of the next.
    Text(&'a [u8], usize),
    /// The candidates of each cell.
    Masks(&'a [[u16; 81]]),
}

impl PuzzleSource<'_> {
    /// The puzzles from puzzle `first` on, of which there may be none.
    fn from(self, first: usize) -> Self {
        match self {
            Self::Text(text, pitch) => Self::Text(text.get(first * pitch..).unwrap_or_default(), pitch),
            Self::Masks(masks) => Self::Masks(&masks[first..]),
        }
    }

    /// A puzzle as a node.
    fn words(self, puzzle: usize) -> [u32; WORDS] {
        match self {
            Self::Masks(masks) => words(&masks[puzzle]),
            Self::Text(text, pitch) => {
                let mut masks = [0x1FF; 81];
                for (mask, byte) in masks.iter_mut().zip(&text[puzzle * pitch..][..81]) {
                    if let digit @ 1..=9 | digit @ b'1'..=b'9' = byte {
                        *mask = 1 << ((digit & 15) - 1);
                    }
                }
                words(&masks)
            }
        }
    }
}

/// Consecutive puzzles of side 9. In the tags of their nodes, and in lists of answers, they have consecutive numbers,
/// usually from 0.
#[derive(Clone, Copy)]
pub struct Puzzles<'a> {
    pub(super) source: PuzzleSource<'a>,
    /// The number of the first puzzle.
    pub(super) first: usize,
    pub(super) len: usize,
}

impl fmt::Debug for Puzzles<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Puzzles").field("first", &self.first).field("len", &self.len).finish_non_exhaustive()
    }
}

impl<'a> Puzzles<'a> {
    /// The `len` puzzles of a text: puzzle `i` is the 81 bytes at `i * pitch`. The ASCII digits `1` to `9` and the bytes 1
    /// to 9 are givens; every other byte is an empty cell.
    ///
    /// # Panics
    /// If the text is too short for so many puzzles, or `pitch` is less than 81.
    pub fn of_text(text: &'a [u8], pitch: usize, len: usize) -> Self {
        assert!(pitch >= 81, "puzzles of 81 bytes overlap");
        assert!(len == 0 || text.len() >= (len - 1) * pitch + 81, "the text has fewer puzzles than told");
        Self { source: PuzzleSource::Text(text, pitch), first: 0, len }
    }

    /// Puzzles whose cells have candidates: bit d-1 of a mask allows digit d. Bits above the lowest nine are ignored.
    pub fn of_masks(masks: &'a [[u16; 81]]) -> Self {
        Self { source: PuzzleSource::Masks(masks), first: 0, len: masks.len() }
    }

    /// The same puzzles, whose numbers begin with `first`.
    pub(crate) fn numbered_from(self, first: usize) -> Self {
        Self { first, ..self }
    }

    /// The number after the last one.
    pub(crate) fn end(&self) -> usize {
        self.first + self.len
    }

    /// The numbers of the puzzles.
    pub(crate) fn numbers(&self) -> Range<usize> {
        self.first..self.end()
    }

    /// `len` of the puzzles, without the first `skipped`.
    pub(super) fn slice(&self, skipped: usize, len: usize) -> Self {
        Self { source: self.source.from(skipped), first: self.first + skipped, len }
    }

    /// The puzzle with a number, as a node.
    pub(super) fn words(&self, number: usize) -> [u32; WORDS] {
        self.source.words(number - self.first)
    }
}

/// The puzzles of a call. Lanes that would have nothing to do search puzzles of the next call, if these are known.
#[derive(Clone, Copy)]
pub(crate) struct WindowPair<'a> {
    pub(crate) current: Puzzles<'a>,
    pub(crate) next: Option<Puzzles<'a>>,
}

/// The node of a puzzle that is given by its candidates.
fn words(masks: &[u16; 81]) -> [u32; WORDS] {
    let mut words = [0; WORDS];
    for (cell, mask) in masks.iter().enumerate() {
        for digit in 0..9 {
            words[digit * 3 + cell / 27] |= u32::from(mask >> digit & 1) << (cell % 27);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Kind;
    use crate::kernels::{Kernel, available};
    use crate::solve::BatchSolver;

    /// Windows of different lengths, each as text.
    fn windows(mut random: impl FnMut(usize) -> usize, most: usize) -> Vec<Vec<u8>> {
        let mut puzzle = || {
            let (band, stack, shift) = (random(3), random(3), random(9));
            let digit = |row: usize, column: usize| {
                let (row, column) = ((row + band * 3) % 9, (column + stack * 3) % 9);
                ((row * 3 + row / 3 + column) * [1, 2, 4, 5, 7, 8][shift % 6] + shift) % 9 + 1
            };
            let mut puzzle: Vec<u8> = (0..81).map(|cell| digit(cell / 9, cell % 9) as u8).collect();
            // From 18 to 59 givens, so that many puzzles are split and some have very many solutions; one of eight has a
            // wrong given.
            let mut cells: Vec<usize> = (0..81).collect();
            (1..81).for_each(|i| cells.swap(i, random(i + 1)));
            cells[18 + random(10 + 4 * (shift % 9))..].iter().for_each(|&cell| puzzle[cell] = 0);
            if random(8) == 0 {
                puzzle[random(81)] = 1 + random(9) as u8;
            }
            puzzle
        };
        let lengths =
            [most, most, most, most, most, most, most + 37, 1, most / 3, 0, most, most - 1, 3, most / 2, most];
        lengths.iter().map(|&len| (0..len).flat_map(|_| puzzle()).collect()).collect()
    }

    /// Counts windows one after the other, each with the next one, and compares the answers with those about each window
    /// alone.
    fn compare(kernel: &'static Kernel, windows: &[Vec<u8>], limit: u32, effort: u32, nodes: bool, solve: bool) {
        let solver = || {
            let solver = BatchSolver::new(Kind::Sudoku, kernel).expect("sudokus can be solved").budget(effort);
            if nodes { solver.with_nodes() } else { solver }
        };
        let (mut alone, mut rolling) = (solver(), solver());
        let most = windows.iter().map(|window| window.len() / 81).max().unwrap_or_default();
        let (mut counts, mut solutions) = (vec![7; 2 * most], vec![[7; 81]; 2 * most]);
        let at = |i: usize| {
            let text = windows.get(i)?;
            Some(Puzzles::of_text(text, 81, text.len() / 81).numbered_from(i % 2 * most))
        };
        for (i, text) in windows.iter().enumerate() {
            let window = at(i).expect("it is one of them");
            let n = window.len;
            let (mut expected, mut solved) = (vec![0; n], vec![[0; 81]; n]);
            alone.solve(Puzzles::of_text(text, 81, n), limit, &mut expected, &mut solved);
            let solutions_wanted = solve.then_some(&mut solutions[..]);
            let windows = WindowPair { current: window, next: at(i + 1) };
            rolling.count_window(windows, limit, &mut counts, solutions_wanted);
            let what = format!("{}, window {i}, limit {limit}, effort {effort}", kernel.name);
            assert!(counts[window.numbers()] == expected, "{what}");
            assert_eq!(rolling.searched_nodes(), alone.searched_nodes(), "{what}");
            if solve {
                for (puzzle, (count, solution)) in expected.iter().zip(&solved).enumerate() {
                    let found = &solutions[window.first + puzzle];
                    match count {
                        1 if limit > 1 => assert_eq!(found, solution, "{what}"),
                        _ => assert_eq!(found[0] == 0, solution[0] == 0, "{what}"),
                    }
                }
            }
        }
    }

    #[test]
    fn answers_do_not_depend_on_the_next_window() {
        let mut state = 5_u64;
        let random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (((state >> 33) * below as u64) >> 31) as usize
        };
        let windows = windows(random, 700);
        for kernel in available() {
            for (limit, effort, nodes) in [(2, 100_000, false), (1, 50, false), (5, 3, true), (100, 2_000, true)] {
                compare(kernel, &windows, limit, effort, nodes, true);
                compare(kernel, &windows, limit, effort, nodes, false);
            }
        }
    }
}
