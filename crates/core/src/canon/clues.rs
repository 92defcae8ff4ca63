//! The least clues of a sudoku of side 6, 8 or 9, whether it has one solution, several or none.
//!
//! The form is made from its first cell on, the width of a box at a time. All beginnings are kept that are the least so far, and
//! what is not yet decided of one stays open: a set of orders of the stacks, and for each stack a set of orders of its columns. A
//! row without clues, say, decides nothing. So only a few beginnings are on the way at a time.

use super::arrangement::{Arrangement, MOST, TRANSPOSED};
use super::form::Found;
use super::groups;
use super::map::Map;
use super::puzzle::Puzzle;

/// Cells and rows of side 9.
const CELLS: usize = 81;
const ROWS: usize = 9;

/// The search for one size of boxes: `WIDE` columns in each of `STACKS` stacks.
pub(super) struct ClueSearch<const WIDE: usize, const STACKS: usize> {
    /// The orders of the columns of a stack, and of the stacks. Sets of them are bits.
    inner: Vec<[u8; WIDE]>,
    outer: Vec<[u8; STACKS]>,
    /// Those orders of the stacks that bring stack s to place k: at `[k][s]`.
    brings: [[u8; STACKS]; STACKS],
    /// The clues, and the same transposed.
    views: [[u8; CELLS]; 2],
    /// For each row of each view whether it has clues.
    filled: [[bool; ROWS]; 2],
    beginnings: Vec<Beginning<STACKS>>,
    next: Vec<Beginning<STACKS>>,
    /// What the least of `next` have at the place in question.
    least: u32,
}

/// A beginning of the form, and what is left open of it.
#[derive(Clone, Copy, PartialEq)]
struct Beginning<const STACKS: usize> {
    view: u8,
    /// The rows of the form, as far as they are chosen.
    rows: [u8; ROWS],
    /// By digit; 0 for those that have none yet.
    names: [u8; 16],
    last: u8,
    outer: u8,
    inner: [u32; STACKS],
}

/// All orders of 0..N.
fn orders<const N: usize>() -> Vec<[u8; N]> {
    let mut all = vec![[0; N]];
    for i in 0..N {
        let extend = |order: &[u8; N]| {
            let order = *order;
            (0..N as u8).filter(move |thing| !order[..i].contains(thing)).map(move |thing| {
                let mut order = order;
                order[i] = thing;
                order
            })
        };
        all = all.iter().flat_map(extend).collect();
    }
    all
}

impl<const WIDE: usize, const STACKS: usize> ClueSearch<WIDE, STACKS> {
    const SIDE: usize = WIDE * STACKS;

    pub(super) fn new() -> Self {
        let (inner, outer) = (orders(), orders::<STACKS>());
        let mut brings = [[0; STACKS]; STACKS];
        for (number, order) in outer.iter().enumerate() {
            order.iter().enumerate().for_each(|(place, &stack)| brings[place][usize::from(stack)] |= 1 << number);
        }
        Self {
            inner,
            outer,
            brings,
            views: [[0; CELLS]; 2],
            filled: [[false; ROWS]; 2],
            beginnings: Vec::new(),
            next: Vec::new(),
            least: u32::MAX,
        }
    }

    /// The map to the least clues, and how many cell permutations give them.
    pub(super) fn least(&mut self, puzzle: &Puzzle) -> Found {
        let transposes = groups::transposes(puzzle.shape.kind, puzzle.shape.side);
        let high = puzzle.shape.side.box_shape().map_or(1, |(high, _)| high);
        for cell in 0..Self::SIDE * Self::SIDE {
            let (row, column) = (cell / Self::SIDE, cell % Self::SIDE);
            self.views[0][cell] = puzzle.clues[cell];
            self.views[1][cell] = puzzle.clues[column * Self::SIDE + row];
        }
        for (filled, view) in self.filled.iter_mut().zip(&self.views) {
            for (filled, row) in filled.iter_mut().zip(view.chunks_exact(Self::SIDE)) {
                *filled = row.iter().any(|&clue| clue != 0);
            }
        }
        let open = Beginning {
            view: 0,
            rows: [0; ROWS],
            names: [0; 16],
            last: 0,
            outer: ((1_u32 << self.outer.len()) - 1) as u8,
            inner: [((1_u64 << self.inner.len()) - 1) as u32; STACKS],
        };
        self.beginnings.clear();
        self.beginnings.push(open);
        if transposes {
            self.beginnings.push(Beginning { view: 1, ..open });
        }
        for done in 0..Self::SIDE {
            self.add_row(done, high);
        }
        self.found(puzzle)
    }

    /// Adds the least row that any beginning can have next.
    fn add_row(&mut self, done: usize, high: usize) {
        for place in 0..STACKS {
            let beginnings = std::mem::take(&mut self.beginnings);
            self.next.clear();
            self.least = u32::MAX;
            for beginning in &beginnings {
                if place > 0 {
                    self.add_box_width(beginning, done, place);
                    continue;
                }
                // Another row of the band that was begun, or any row of a band that was not.
                let band = |row: u8| usize::from(row) / high;
                let (chosen, begun) = (&beginning.rows[..done], !done.is_multiple_of(high));
                for row in 0..Self::SIDE as u8 {
                    let may = if begun {
                        band(row) == band(chosen[done - 1]) && !chosen.contains(&row)
                    } else {
                        chosen.iter().all(|&other| band(other) != band(row))
                    };
                    if may {
                        let mut beginning = *beginning;
                        beginning.rows[done] = row;
                        self.add_box_width(&beginning, done, 0);
                    }
                }
            }
            self.beginnings = std::mem::replace(&mut self.next, beginnings);
        }
        // What differs in the order of stacks only, and was told apart on the way, is one again.
        self.beginnings.dedup_by(|later, earlier| {
            let same = *later == Beginning { outer: later.outer, ..*earlier };
            if same {
                earlier.outer |= later.outer;
            }
            same
        });
    }

    /// Goes on by the width of a box in row number `done` of the form, in every way that is not greater than the least so far.
    #[inline]
    fn add_box_width(&mut self, beginning: &Beginning<STACKS>, done: usize, place: usize) {
        let (view, row) = (usize::from(beginning.view), usize::from(beginning.rows[done]));
        if !self.filled[view][row] {
            self.keep(0, beginning);
            return;
        }
        for stack in 0..STACKS {
            let outer = beginning.outer & self.brings[place][stack];
            if outer == 0 {
                continue;
            }
            let beginning = Beginning { outer, ..*beginning };
            let at = row * Self::SIDE + stack * WIDE;
            let clues: [u8; WIDE] = std::array::from_fn(|i| self.views[view][at + i]);
            let is_new = |&clue: &u8| clue != 0 && beginning.names[usize::from(clue & 15)] == 0;
            match clues.iter().filter(|clue| is_new(clue)).count() {
                0 | 1 => self.add_named(beginning, stack, clues),
                _ => self.add_several_new(&beginning, stack, clues),
            }
        }
    }

    /// Adds clues of which at most one has no name yet: then the order of columns makes no difference to names.
    #[inline]
    fn add_named(&mut self, mut beginning: Beginning<STACKS>, stack: usize, clues: [u8; WIDE]) {
        let mut named = [0; WIDE];
        for (named, clue) in named.iter_mut().zip(clues.map(|clue| usize::from(clue & 15))) {
            if clue != 0 && beginning.names[clue] == 0 {
                beginning.last += 1;
                beginning.names[clue] = beginning.last;
            }
            *named = u32::from(beginning.names[clue]);
        }
        let (mut open, mut least, mut ties) = (beginning.inner[stack], u32::MAX, 0);
        if named == [0; WIDE] {
            self.keep(0, &beginning);
            return;
        }
        while open != 0 {
            let order = open.trailing_zeros();
            open &= open - 1;
            let key = self.inner[order as usize].iter().fold(0, |key, &i| key << 4 | named[usize::from(i)]);
            if key <= least {
                ties = if key < least { 0 } else { ties } | 1 << order;
                least = key;
            }
        }
        beginning.inner[stack] = ties;
        self.keep(least, &beginning);
    }

    /// Adds clues of which several have no name yet: each order of those gives other names.
    #[cold]
    fn add_several_new(&mut self, beginning: &Beginning<STACKS>, stack: usize, clues: [u8; WIDE]) {
        let mut ways: Vec<(u32, Beginning<STACKS>)> = Vec::new();
        for order in (0..self.inner.len()).filter(|order| beginning.inner[stack] >> order & 1 == 1) {
            let mut made = *beginning;
            let mut key = 0;
            for &i in &self.inner[order] {
                let clue = usize::from(clues[usize::from(i)] & 15);
                if clue != 0 && made.names[clue] == 0 {
                    made.last += 1;
                    made.names[clue] = made.last;
                }
                key = key << 4 | u32::from(made.names[clue]);
            }
            made.inner[stack] = 1 << order;
            match ways.iter_mut().find(|(other, way)| *other == key && way.names == made.names) {
                Some((_, way)) => way.inner[stack] |= 1 << order,
                None => ways.push((key, made)),
            }
        }
        ways.iter().for_each(|(key, way)| self.keep(*key, way));
    }

    #[inline]
    fn keep(&mut self, key: u32, beginning: &Beginning<STACKS>) {
        if key > self.least {
            return;
        }
        if key < self.least {
            self.least = key;
            self.next.clear();
        }
        self.next.push(*beginning);
    }

    /// The map of the first way, and the number of all.
    fn found(&self, puzzle: &Puzzle) -> Found {
        let ways = |one: &Beginning<STACKS>| {
            one.inner.iter().fold(u64::from(one.outer.count_ones()), |ways, set| ways * u64::from(set.count_ones()))
        };
        let side = puzzle.shape.side;
        let mut map = Map::identity(side);
        if let Some(first) = self.beginnings.first() {
            let (mut rows, mut columns, mut digits) = ([0; MOST], [0; MOST], [0; MOST]);
            rows[..Self::SIDE].copy_from_slice(&first.rows[..Self::SIDE]);
            let stacks = self.outer[first.outer.trailing_zeros() as usize];
            for (&stack, columns) in stacks.iter().zip(columns.chunks_exact_mut(WIDE)) {
                let order = self.inner[first.inner[usize::from(stack)].trailing_zeros() as usize];
                columns.iter_mut().zip(order).for_each(|(column, i)| *column = stack * WIDE as u8 + i);
            }
            let mut last = first.last;
            for (digit, &name) in digits.iter_mut().zip(&first.names[1..=Self::SIDE]) {
                last += u8::from(name == 0);
                *digit = if name == 0 { last } else { name };
            }
            let flags = if first.view == 1 { TRANSPOSED } else { 0 };
            map = Map { side: Self::SIDE as u8, cells: Arrangement { flags, rows, columns }, digits };
        }
        Found { map, automorphisms: self.beginnings.iter().map(ways).sum(), grid_automorphisms: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_all_different() {
        let mut all = orders::<4>();
        assert_eq!(all.len(), 24);
        all.dedup();
        assert!(all.len() == 24 && all.is_sorted());
        assert_eq!(orders::<3>()[1], [0, 2, 1]);
    }
}
