//! Least forms by trying every element of a group: for the kinds that have all digits renamed, but sudoku and jigsaw.

use super::arrangement::{Arrangement, CELLS, Lines, MOST};
use super::form::Found;
use super::groups;
use super::map::Map;
use super::puzzle::Puzzle;

/// Numbers of the longest sequence: digits and clues.
const LONGEST: usize = 2 * CELLS;

/// The search. It holds the memory for it.
pub(super) struct SmallGroups {
    /// The least sequence so far; what follows its end is [`AFTER`].
    best: [u16; LONGEST],
    view: View,
}

/// Greater than any number of a sequence.
const AFTER: u16 = u16::MAX;

impl Default for SmallGroups {
    fn default() -> Self {
        Self { best: [AFTER; LONGEST], view: View::default() }
    }
}

/// The fields of a puzzle as an element's flags leave them, in reading order.
struct View {
    flags: Option<u8>,
    clues: [u8; CELLS],
    solution: [u8; CELLS],
}

impl Default for View {
    fn default() -> Self {
        Self { flags: None, clues: [0; CELLS], solution: [0; CELLS] }
    }
}

impl View {
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

/// A sequence of numbers against the least one so far, number by number.
struct Race<'a> {
    best: &'a mut [u16; LONGEST],
    at: usize,
    /// It is less than the best, which it replaces from here on.
    leads: bool,
}

impl Race<'_> {
    /// The next number; false if the sequence is greater than the best.
    #[inline(always)]
    fn put(&mut self, number: u16) -> bool {
        let best = &mut self.best[self.at];
        if self.leads {
            *best = number;
        } else if number != *best {
            if number > *best {
                return false;
            }
            self.leads = true;
            *best = number;
        }
        self.at += 1;
        true
    }

    /// A number for each cell of a view in the order of an arrangement; false as soon as the sequence is greater.
    #[inline(always)]
    fn run(&mut self, cells: &Arrangement, side: usize, mut number: impl FnMut(usize) -> u16) -> bool {
        cells.rows[..side].iter().all(|&row| {
            let row = usize::from(row) * side;
            cells.columns[..side].iter().all(|&column| self.put(number(row + usize::from(column))))
        })
    }
}

/// What one element's sequence turned out to be.
#[derive(PartialEq)]
enum Standing {
    /// Greater before the clues.
    Lost,
    /// The grid ties, the clues are greater.
    GridOnly,
    /// All of it ties or leads; `grid_leads`: the difference is before the clues.
    Whole { leads: bool, grid_leads: bool },
}

impl SmallGroups {
    /// The map to the least form of a puzzle, and how many cell permutations give it. With a solution it is the `solution` form.
    pub(super) fn least(&mut self, puzzle: &Puzzle, solution: Option<&[u8]>) -> Found {
        let shape = puzzle.shape;
        self.best[0] = AFTER;
        self.view.flags = None;
        let identity = Map::identity(shape.side);
        let mut found = Found { map: identity, automorphisms: 0, grid_automorphisms: solution.map(|_| 0) };
        let mut grids = 0;
        for &cells in groups::list(shape.kind, shape.side) {
            if self.view.flags != Some(cells.flags) {
                self.view.fill(puzzle, solution, cells.flags);
            }
            let mut names = Names::new(shape.side.get());
            match self.compare(puzzle, solution.is_some(), &cells, &mut names) {
                Standing::Lost => {}
                Standing::GridOnly => grids += 1,
                Standing::Whole { leads, grid_leads } => {
                    grids = if grid_leads { 1 } else { grids + 1 };
                    if leads {
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

    fn compare(&mut self, puzzle: &Puzzle, solved: bool, cells: &Arrangement, names: &mut Names) -> Standing {
        let n = puzzle.side();
        let view = &self.view;
        let mut race = Race { leads: self.best[0] == AFTER, best: &mut self.best, at: 0 };
        if solved && !race.run(cells, n, |cell| names.name(view.solution[cell])) {
            return Standing::Lost;
        }
        let grid_leads = solved && race.leads;
        if race.run(cells, n, |cell| names.name(view.clues[cell])) {
            return Standing::Whole { leads: race.leads, grid_leads };
        }
        Standing::GridOnly
    }
}

/// The number of something that is seen, which becomes its own when it is seen first.
#[inline(always)]
fn first_seen(number: &mut u16, last: &mut u16) -> u16 {
    if *number == 0 {
        *last += 1;
        *number = *last;
    }
    *number
}

/// New names of digits, by first appearance.
struct Names {
    side: usize,
    names: [u16; 32],
    last: u16,
}

impl Names {
    fn new(side: usize) -> Self {
        Self { side, names: [0; 32], last: 0 }
    }

    #[inline(always)]
    fn name(&mut self, digit: u8) -> u16 {
        if digit == 0 { 0 } else { first_seen(&mut self.names[usize::from(digit & 31)], &mut self.last) }
    }

    /// The names of all digits; those that did not appear get what is left, ascending.
    fn all(&mut self) -> Lines {
        let mut all = [0; MOST];
        for digit in 1..=self.side as u8 {
            all[usize::from(digit) - 1] = self.name(digit) as u8;
        }
        all
    }
}
