//! Finds least forms by trying every element of a group. This is for the kinds whose digits may be renamed, except
//! sudoku and jigsaw.

use super::arrangement::{Arrangement, CELLS, LineValues, MAX_SIDE};
use super::form::FoundForm;
use super::groups;
use super::map::Map;
use super::puzzle::Puzzle;

/// The length of the longest sequence: the digits and the clues of all cells.
const LONGEST: usize = 2 * CELLS;

/// The search, with its memory.
pub(super) struct ExhaustiveSearch {
    /// The least sequence so far, followed by [`AFTER`].
    best: [u16; LONGEST],
    view: FlaggedCells,
}

/// A number greater than any in a sequence.
const AFTER: u16 = u16::MAX;

impl Default for ExhaustiveSearch {
    fn default() -> Self {
        Self { best: [AFTER; LONGEST], view: FlaggedCells::default() }
    }
}

/// The cells of a puzzle after the flags of an element are applied, in reading order.
struct FlaggedCells {
    flags: Option<u8>,
    clues: [u8; CELLS],
    solution: [u8; CELLS],
}

impl Default for FlaggedCells {
    fn default() -> Self {
        Self { flags: None, clues: [0; CELLS], solution: [0; CELLS] }
    }
}

impl FlaggedCells {
    fn fill(&mut self, puzzle: &Puzzle, solution: Option<&[u8]>, flags: u8) {
        let cells = puzzle.shape.side.cells();
        self.flags = Some(flags);
        let mut sources = [0; CELLS];
        Arrangement { flags, ..Arrangement::identity(puzzle.side()) }
            .fill_sources(puzzle.side(), &mut sources[..cells]);
        let sources = &sources[..cells];
        move_cells(&puzzle.clues, sources, &mut self.clues);
        if let Some(solution) = solution {
            move_cells(solution, sources, &mut self.solution);
        }
    }
}

fn move_cells<T: Copy>(from: &[T], sources: &[u16], to: &mut [T; CELLS]) {
    to.iter_mut().zip(sources).for_each(|(to, &source)| *to = from[usize::from(source)]);
}

/// Compares a sequence of numbers with the least one so far, number by number.
struct Comparison<'a> {
    best: &'a mut [u16; LONGEST],
    at: usize,
    /// The sequence is less than the best, which it replaces from here on.
    is_less: bool,
}

impl Comparison<'_> {
    /// Adds the next number. Returns false if the sequence is greater than the best.
    #[inline(always)]
    fn put(&mut self, number: u16) -> bool {
        let best = &mut self.best[self.at];
        if self.is_less {
            *best = number;
        } else if number != *best {
            if number > *best {
                return false;
            }
            self.is_less = true;
            *best = number;
        }
        self.at += 1;
        true
    }

    /// Adds a number for each cell of a view, in the order of an arrangement. Returns false as soon as the sequence is
    /// greater.
    #[inline(always)]
    fn put_all(&mut self, cells: &Arrangement, side: usize, mut number: impl FnMut(usize) -> u16) -> bool {
        cells.rows[..side].iter().all(|&row| {
            let row = usize::from(row) * side;
            cells.columns[..side].iter().all(|&column| self.put(number(row + usize::from(column))))
        })
    }
}

/// The result of comparing one element's sequence.
#[derive(PartialEq)]
enum SequenceOrder {
    /// The grid is greater.
    Greater,
    /// The grid is equal, and the clues are greater.
    EqualGrid,
    /// The whole sequence is equal or less. If `grid_is_less`, the difference is in the grid.
    AtMost { is_less: bool, grid_is_less: bool },
}

impl ExhaustiveSearch {
    /// Finds a map to the least form of a puzzle, and the number of cell permutations that give it. With a solution,
    /// this is the `solution` form.
    pub(super) fn least(&mut self, puzzle: &Puzzle, solution: Option<&[u8]>) -> FoundForm {
        let shape = puzzle.shape;
        self.best[0] = AFTER;
        self.view.flags = None;
        let identity = Map::identity(shape.side);
        let mut found = FoundForm { map: identity, automorphisms: 0, grid_automorphisms: solution.map(|_| 0) };
        let mut grids = 0;
        for &cells in groups::list(shape.kind, shape.side) {
            if self.view.flags != Some(cells.flags) {
                self.view.fill(puzzle, solution, cells.flags);
            }
            let mut names = DigitNames::new(shape.side.get());
            match self.compare(puzzle, solution.is_some(), &cells, &mut names) {
                SequenceOrder::Greater => {}
                SequenceOrder::EqualGrid => grids += 1,
                SequenceOrder::AtMost { is_less, grid_is_less } => {
                    grids = if grid_is_less { 1 } else { grids + 1 };
                    if is_less {
                        found.automorphisms = 0;
                        found.map = Map { side: shape.side.get() as u8, cells, digits: names.all() };
                    }
                    found.automorphisms += 1;
                }
            }
        }
        found.grid_automorphisms = solution.map(|_| grids);
        found
    }

    fn compare(&mut self, puzzle: &Puzzle, solved: bool, cells: &Arrangement, names: &mut DigitNames) -> SequenceOrder {
        let n = puzzle.side();
        let view = &self.view;
        let mut comparison = Comparison { is_less: self.best[0] == AFTER, best: &mut self.best, at: 0 };
        if solved && !comparison.put_all(cells, n, |cell| names.name(view.solution[cell])) {
            return SequenceOrder::Greater;
        }
        let grid_is_less = solved && comparison.is_less;
        if comparison.put_all(cells, n, |cell| names.name(view.clues[cell])) {
            return SequenceOrder::AtMost { is_less: comparison.is_less, grid_is_less };
        }
        SequenceOrder::EqualGrid
    }
}

/// Returns the number of an item; an item that is seen for the first time gets the next number.
#[inline(always)]
fn first_seen(number: &mut u16, last: &mut u16) -> u16 {
    if *number == 0 {
        *last += 1;
        *number = *last;
    }
    *number
}

/// New names of digits, in the order of their first appearance.
struct DigitNames {
    side: usize,
    names: [u16; 32],
    last: u16,
}

impl DigitNames {
    fn new(side: usize) -> Self {
        Self { side, names: [0; 32], last: 0 }
    }

    #[inline(always)]
    fn name(&mut self, digit: u8) -> u16 {
        if digit == 0 { 0 } else { first_seen(&mut self.names[usize::from(digit & 31)], &mut self.last) }
    }

    /// Returns the names of all digits; digits that did not appear get the remaining names in ascending order.
    fn all(&mut self) -> LineValues {
        let mut all = [0; MAX_SIDE];
        for digit in 1..=self.side as u8 {
            all[usize::from(digit) - 1] = self.name(digit) as u8;
        }
        all
    }
}
