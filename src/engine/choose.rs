//! Chooses boards among those that are made: distinct ones, and those of some grades.

use std::collections::HashSet;

use crate::amounts::{counted, grouped};
use crate::board::{BATCH, Batch, Cell};
use crate::canon::Key;
use crate::error::Error;
use crate::kernels::Kernel;
use crate::solve::{GradeRange, Grader};

/// Which grades puzzles must have.
#[derive(Debug, Clone, Copy)]
pub struct GradeSearch {
    /// The grades.
    pub grades: GradeRange,
    /// After this many puzzles the run fails, if too few of them have these grades.
    pub tries: u64,
}

/// The boards that were chosen so far.
pub(super) struct ChosenBoards {
    /// Their number.
    pub(super) found: u64,
    /// The number of the last one, from 1.
    last: u64,
    /// The keys of those written so far, if all must be distinct.
    seen: Option<HashSet<Key>>,
    /// The number of duplicates since the last new puzzle.
    repeats: u64,
}

/// After this many duplicates in a row, it is assumed that there are no further puzzles.
const MAX_REPEATS: u64 = 100_000;

impl ChosenBoards {
    pub(super) fn new(distinct: bool) -> Self {
        Self { found: 0, last: 0, seen: distinct.then(HashSet::new), repeats: 0 }
    }

    /// Returns the lines of a text that are chosen, until there are `most` in all. The text comes with the keys of its
    /// lines, if all must be distinct, and with the numbers of their boards.
    pub(super) fn new_lines(
        &mut self,
        (text, keys, numbers): (&[u8], &[Key], &[u64]),
        most: u64,
    ) -> Result<Vec<u8>, Error> {
        let mut lines = Vec::new();
        for (at, (line, number)) in text.split_inclusive(|&byte| byte == b'\n').zip(numbers).enumerate() {
            if self.found >= most {
                break;
            }
            if let (Some(seen), Some(key)) = (&mut self.seen, keys.get(at)) {
                self.repeats += 1;
                if !seen.insert(*key) {
                    continue;
                }
                self.repeats = 0;
            }
            (self.found, self.last) = (self.found + 1, number + 1);
            lines.extend_from_slice(line);
        }
        if self.repeats > MAX_REPEATS {
            let words = format!(
                "{} were found, but none of the next {MAX_REPEATS} is new; ask for fewer, or leave out --distinct",
                counted(self.found, "distinct puzzle")
            );
            return Err(Error::Usage(words));
        }
        Ok(lines)
    }

    /// Ends a run. Returns how many boards were tried.
    ///
    /// # Errors
    /// There are too few.
    pub(super) fn end(&self, count: u64, search: Option<GradeSearch>) -> Result<u64, Error> {
        match search {
            Some(GradeSearch { grades, tries }) if self.found < count => Err(Error::Usage(format!(
                "only {} of {} with a grade of {grades} among {}; --tries allows more, and --minimal makes harder ones",
                grouped(self.found),
                counted(count, "puzzle"),
                counted(tries, "puzzle"),
            ))),
            _ => Ok(self.last),
        }
    }
}

/// Finds boards of some grades.
pub(super) struct GradeFilter {
    grader: Grader,
    chosen: Batch,
}

impl GradeFilter {
    pub(super) fn new(kernel: &'static Kernel) -> Self {
        Self { grader: Grader::new(kernel), chosen: Batch::default() }
    }

    /// Leaves the boards of these grades in the batch, and adds their numbers to `numbers`. All have one solution, and the
    /// first has the number `first`.
    pub(super) fn choose(&mut self, batch: &mut Batch, first: u64, grades: GradeRange, numbers: &mut Vec<u64>) {
        let mut givens = Vec::with_capacity(81 * batch.len());
        for board in 0..batch.len() {
            givens.extend((0..81).map(|cell| match batch.cell(board, cell) {
                Cell::Clue(digit) => digit,
                _ => 0,
            }));
        }
        let mut found = [None; BATCH];
        self.grader.grade(&givens, 81, &[1; BATCH][..batch.len()], &mut found);
        let is_wanted = |board: &usize| found[*board].is_some_and(|grade| grades.contains(grade));
        let wanted: Vec<usize> = (0..batch.len()).filter(is_wanted).collect();
        self.chosen.reset(batch.shape(), wanted.len());
        for (to, &from) in wanted.iter().enumerate() {
            self.chosen.copy_board(to, batch, from);
            numbers.push(first + from as u64);
        }
        std::mem::swap(&mut self.chosen, batch);
    }
}
