//! The least clues of a sudoku of side 6, 8 or 9, whether it has one solution, several or none.
//!
//! The form is made row by row. All beginnings are kept that are the least so far, and
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
    /// The row that all of `next` have added.
    least: u64,
    /// The rows of each view that can be first: a bit each.
    first: [u16; 2],
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

/// What stands for a digit without a name in a row that is compared: it comes after all names, and the k-th new digit of a row is the
/// same in all rows that begin alike.
const NEW: u8 = 15;

/// Adds an element to the set of those with the same sequence, of which the last one is free; how many sets that makes more.
#[inline]
fn add_to_group<T: Copy + std::ops::BitOrAssign>(groups: &mut [(u32, T)], sequence: u32, element: T) -> usize {
    let Some((free, known)) = groups.split_last_mut() else { return 0 };
    match known.iter_mut().find(|(other, _)| *other == sequence) {
        Some((_, set)) => {
            *set |= element;
            0
        }
        None => {
            *free = (sequence, element);
            1
        }
    }
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
            least: u64::MAX,
            first: [0; 2],
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
        self.find_first(transposes);
        for done in 0..Self::SIDE {
            self.add_row(done, high);
        }
        self.found(puzzle)
    }

    /// Adds the least row that any beginning can have next.
    fn add_row(&mut self, done: usize, high: usize) {
        let beginnings = std::mem::take(&mut self.beginnings);
        self.next.clear();
        self.least = u64::MAX;
        for beginning in &beginnings {
            // Another row of the band that was begun, or any row of a band that was not.
            let band = |row: u8| usize::from(row) / high;
            let (chosen, begun) = (&beginning.rows[..done], !done.is_multiple_of(high));
            for row in 0..Self::SIDE as u8 {
                let may = if begun {
                    band(row) == band(chosen[done - 1]) && !chosen.contains(&row)
                } else if done == 0 {
                    self.first[usize::from(beginning.view)] >> row & 1 == 1
                } else {
                    chosen.iter().all(|&other| band(other) != band(row))
                };
                if may {
                    let mut beginning = *beginning;
                    beginning.rows[done] = row;
                    self.add_one_row(beginning, done);
                }
            }
        }
        self.beginnings = std::mem::replace(&mut self.next, beginnings);
    }

    /// Adds row number `done` of a beginning, in every way that is not greater than the least so far.
    #[inline]
    fn add_one_row(&mut self, mut beginning: Beginning<STACKS>, done: usize) {
        let (view, row) = (usize::from(beginning.view), usize::from(beginning.rows[done]));
        if !self.filled[view][row] {
            self.keep(0, &beginning);
            return;
        }
        let before = beginning;
        let clues = &self.views[view][row * Self::SIDE..][..Self::SIDE];
        let (mut new, mut count_new) = (0_u16, 0);
        let mut keys = [0_u64; STACKS];
        for stack in 0..STACKS {
            let named: [u8; WIDE] = std::array::from_fn(|i| {
                let clue = usize::from(clues[stack * WIDE + i] & 15);
                let is_new = clue != 0 && beginning.names[clue] == 0;
                new |= u16::from(is_new) << clue;
                count_new += u32::from(is_new);
                if is_new { NEW } else { beginning.names[clue] }
            });
            if named != [0; WIDE] {
                (keys[stack], beginning.inner[stack]) = self.least_order(named, beginning.inner[stack]);
            }
        }
        if count_new != new.count_ones() {
            // A new digit stands twice in the row: what is new depends on the order.
            self.add_clashing(&before, [view, row], 0, 0);
            return;
        }
        let (mut open, mut least, mut ties) = (beginning.outer, u64::MAX, 0);
        while open != 0 {
            let order = open.trailing_zeros();
            open &= open - 1;
            let stacks = &self.outer[order as usize];
            let key = stacks.iter().fold(0, |key, &stack| key << (4 * WIDE) | keys[usize::from(stack)]);
            if key <= least {
                ties = if key < least { 0 } else { ties } | 1 << order;
                least = key;
            }
        }
        if least > self.least {
            return;
        }
        beginning.outer = ties;
        match count_new {
            0 => self.keep(least, &beginning),
            1 => {
                beginning.last += 1;
                beginning.names[new.trailing_zeros() as usize] = beginning.last;
                self.keep(least, &beginning);
            }
            _ => self.name_several(&beginning, [view, row], new, least),
        }
    }

    /// The least that some orders of columns make of the digits of a stack, and which of them do.
    #[inline]
    fn least_order(&self, named: [u8; WIDE], among: u32) -> (u64, u32) {
        let (mut open, mut least, mut ties) = (among, u64::MAX, 0);
        while open != 0 {
            let order = open.trailing_zeros();
            open &= open - 1;
            let order_of = &self.inner[order as usize];
            let key = order_of.iter().fold(0, |key, &i| key << 4 | u64::from(named[usize::from(i)]));
            if key <= least {
                ties = if key < least { 0 } else { ties } | 1 << order;
                least = key;
            }
        }
        (least, ties)
    }

    /// Names several new digits of a row that is added: each order of those gives other names.
    fn name_several(&mut self, beginning: &Beginning<STACKS>, [view, row]: [usize; 2], new: u16, key: u64) {
        let has_new = |stack: u8| {
            let at = row * Self::SIDE + usize::from(stack) * WIDE;
            self.views[view][at..at + WIDE].iter().any(|&clue| new >> (clue & 15) & 1 == 1)
        };
        let with_new: [bool; STACKS] = std::array::from_fn(|stack| has_new(stack as u8));
        // Orders of stacks that differ only in where stacks without new digits stand make no difference to names.
        let (mut groups, mut count) = ([(0_u32, 0_u8); 6], 0);
        for (order, stacks) in self.outer.iter().enumerate().filter(|(order, _)| beginning.outer >> order & 1 == 1) {
            let named = stacks.iter().filter(|&&stack| with_new[usize::from(stack)]);
            let sequence = named.fold(0, |sequence, &stack| (sequence << 4) | (u32::from(stack) + 1));
            count += add_to_group(&mut groups[..=count.min(5)], sequence, 1 << order);
        }
        for &(_, outer) in &groups[..count] {
            let order = outer.trailing_zeros() as usize;
            self.name_stacks(Beginning { outer, ..*beginning }, order, [view, row], new, key, 0);
        }
    }

    /// Names the new digits of all stacks from a place on.
    fn name_stacks(
        &mut self,
        beginning: Beginning<STACKS>,
        order: usize,
        [view, row]: [usize; 2],
        new: u16,
        key: u64,
        place: usize,
    ) {
        if place == STACKS {
            self.keep(key, &beginning);
            return;
        }
        let stack = usize::from(self.outer[order][place]);
        let at = row * Self::SIDE + stack * WIDE;
        let clues: [u8; WIDE] = std::array::from_fn(|i| self.views[view][at + i] & 15);
        let (mut groups, mut count) = ([(0_u32, 0_u32); 24], 0);
        for (inner, columns) in self.inner.iter().enumerate() {
            if beginning.inner[stack] >> inner & 1 == 1 {
                let named = columns.iter().map(|&i| clues[usize::from(i)]).filter(|&clue| new >> clue & 1 == 1);
                let sequence = named.fold(0, |sequence, clue| sequence << 4 | u32::from(clue));
                count += add_to_group(&mut groups[..=count.min(23)], sequence, 1 << inner);
            }
        }
        for &(sequence, inner) in &groups[..count] {
            let mut made = beginning;
            made.inner[stack] = inner;
            for digit in (0..WIDE).rev().map(|i| sequence >> (4 * i) & 15).filter(|&digit| digit != 0) {
                made.last += 1;
                made.names[digit as usize] = made.last;
            }
            self.name_stacks(made, order, [view, row], new, key, place + 1);
        }
    }

    /// Adds what is left, from a place on, of a row in which a new digit stands twice. `key` is what the row begins with.
    #[cold]
    fn add_clashing(&mut self, beginning: &Beginning<STACKS>, [view, row]: [usize; 2], place: usize, key: u64) {
        if key > self.least.unbounded_shr((4 * WIDE * (STACKS - place)) as u32) {
            return;
        }
        if place == STACKS {
            self.keep(key, beginning);
            return;
        }
        for stack in 0..STACKS {
            let outer = beginning.outer & self.brings[place][stack];
            if outer == 0 {
                continue;
            }
            let at = row * Self::SIDE + stack * WIDE;
            let mut ways: Vec<(u64, Beginning<STACKS>)> = Vec::new();
            for order in (0..self.inner.len()).filter(|order| beginning.inner[stack] >> order & 1 == 1) {
                let mut made = Beginning { outer, ..*beginning };
                let mut box_key = key;
                for &i in &self.inner[order] {
                    let clue = usize::from(self.views[view][at + usize::from(i)] & 15);
                    let is_new = clue != 0 && made.names[clue] == 0;
                    if is_new {
                        made.last += 1;
                        made.names[clue] = made.last;
                    }
                    box_key = box_key << 4 | u64::from(if is_new { NEW } else { made.names[clue] });
                }
                made.inner[stack] = 1 << order;
                match ways.iter_mut().find(|(other, way)| *other == box_key && way.names == made.names) {
                    Some((_, way)) => way.inner[stack] |= 1 << order,
                    None => ways.push((box_key, made)),
                }
            }
            let least = ways.iter().map(|(key, _)| *key).min();
            for (key, way) in ways.iter().filter(|(key, _)| Some(*key) == least) {
                self.add_clashing(way, [view, row], place + 1, *key);
            }
        }
    }

    #[inline]
    fn keep(&mut self, key: u64, beginning: &Beginning<STACKS>) {
        if key > self.least {
            return;
        }
        if key < self.least {
            self.least = key;
            self.next.clear();
        }
        self.next.push(*beginning);
    }

    /// Which rows can be first. If no digit stands twice in a row, what it becomes at least depends only on how many clues its
    /// stacks have, and most rows are out.
    fn find_first(&mut self, transposes: bool) {
        let mut least = u32::MAX;
        let mut patterns = [[None; ROWS]; 2];
        for (view, patterns) in self.views.iter().zip(&mut patterns).take(if transposes { 2 } else { 1 }) {
            for (row, pattern) in view.chunks_exact(Self::SIDE).zip(patterns).take(Self::SIDE) {
                let mut counts = [0_u32; STACKS];
                let (mut seen, mut twice) = (0_u16, 0);
                for (count, clues) in counts.iter_mut().zip(row.chunks_exact(WIDE)) {
                    for clue in clues.iter().filter(|&&clue| clue != 0) {
                        *count += 1;
                        twice |= seen & 1 << (clue & 15);
                        seen |= 1 << (clue & 15);
                    }
                }
                if twice == 0 {
                    counts.sort_unstable();
                    let found = counts.iter().fold(0, |key, count| key << 4 | count);
                    *pattern = Some(found);
                    least = least.min(found);
                }
            }
        }
        for (first, patterns) in self.first.iter_mut().zip(&patterns) {
            let may = |pattern: &Option<u32>| pattern.is_none_or(|pattern| pattern == least);
            *first = patterns.iter().enumerate().fold(0, |set, (row, pattern)| set | u16::from(may(pattern)) << row);
        }
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
