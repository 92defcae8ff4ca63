//! Finds the least clues of a sudoku of side 6, 8 or 9, whether it has one solution, several or none.
//!
//! The form is built row by row. The search keeps all prefixes that are the least so far, and decides as little as
//! possible about each: what is open is a set of orders of the stacks, and for each stack a set of orders of its
//! columns. A row without clues, for example, decides nothing. So there are only a few prefixes at a time.

use super::arrangement::{Arrangement, MAX_SIDE, TRANSPOSED};
use super::form::FoundForm;
use super::groups;
use super::map::Map;
use super::puzzle::Puzzle;

/// The number of rows and columns of side 9.
const ROWS: usize = 9;

/// The search for one size of boxes: `STACKS` stacks of `WIDE` columns each.
pub(super) struct ClueSearch<const WIDE: usize, const STACKS: usize> {
    /// The orders of the columns of a stack, and of the stacks. Sets of orders are bit masks.
    inner: Vec<[u8; WIDE]>,
    outer: Vec<[u8; STACKS]>,
    /// The stack orders that have stack s at place k: the set `[k][s]`.
    orders_with: [[u8; STACKS]; STACKS],
    least_of_three: Box<LeastOfThree>,
    /// The rows of the clues, and of the transposed clues.
    views: [[ClueRow; ROWS]; 2],
    prefixes: Vec<Prefix<STACKS>>,
    next: Vec<Prefix<STACKS>>,
    /// The row that was added to all prefixes in `next`.
    least: u64,
    /// The rows of each view that can be first: one bit each.
    first: [u16; 2],
}

/// A row of clues.
#[derive(Clone, Copy)]
struct ClueRow {
    clues: [u8; ROWS],
    /// The digits of the row, and those that occur several times: one bit each.
    digits: u16,
    twice: u16,
    /// The number of clues in each stack, in ascending order, four bits each.
    pattern: u32,
}

impl ClueRow {
    const EMPTY: Self = Self { clues: [0; ROWS], digits: 0, twice: 0, pattern: 0 };

    #[inline(always)]
    fn new<const WIDE: usize, const STACKS: usize>(clues: [u8; ROWS]) -> Self {
        let (mut digits, mut twice, mut counts) = (0_u16, 0, [0; STACKS]);
        for (count, clues) in counts.iter_mut().zip(clues.chunks_exact(WIDE)) {
            for &clue in clues {
                let digit = 1 << (clue & 15) & !1;
                twice |= digits & digit;
                digits |= digit;
                *count += u32::from(digit != 0);
            }
        }
        counts.sort_unstable();
        Self { clues, digits, twice, pattern: counts.iter().fold(0, |pattern, count| pattern << 4 | count) }
    }
}

/// New digits of a row, to be named.
#[derive(Clone, Copy)]
struct NewDigits {
    /// The order of the stacks.
    order: usize,
    row: usize,
    /// The digits, with a bit for each.
    new: u16,
    /// The beginning of the row.
    key: u64,
}

/// A prefix of the form, and what is still open about it.
#[derive(Clone, Copy, PartialEq)]
struct Prefix<const STACKS: usize> {
    view: u8,
    /// The rows of the form that are chosen.
    rows: [u8; ROWS],
    /// The name of each digit; [`NEW`] for digits without a name.
    names: [u8; 16],
    last: u8,
    /// The digits with names: one bit each.
    known: u16,
    outer: u8,
    inner: [u32; STACKS],
}

/// The value of a digit without a name when rows are compared. It is greater than all names. This is sufficient,
/// because the k-th new digit gets the same name in all rows with the same beginning.
const NEW: u8 = 15;

/// The names of digits before any digit has one.
const UNNAMED: [u8; 16] = {
    let mut names = [NEW; 16];
    names[0] = 0;
    names
};

impl<const STACKS: usize> Prefix<STACKS> {
    /// Gives a digit the next name.
    #[inline(always)]
    fn name(&mut self, digit: usize) {
        self.last += 1;
        self.names[digit & 15] = self.last;
        self.known |= 1 << (digit & 15);
    }
}

/// Adds an element to the group with the same sequence; the last entry of `groups` is free for a new group. Returns how
/// many groups were added.
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

/// Indexed by a comparison pattern of three things and a set of their orders: the orders of the set that give the least
/// sequence of the things.
type LeastOfThree = [[u8; 64]; 64];

/// Returns how three things compare, as bits.
#[inline(always)]
fn pattern<T: Ord>(a: T, b: T, c: T) -> usize {
    let pair = |a: &T, b: &T| usize::from(a < b) | usize::from(a == b) << 1;
    pair(&a, &b) | pair(&a, &c) << 2 | pair(&b, &c) << 4
}

fn least_of_three() -> Box<LeastOfThree> {
    let (mut table, orders) = (Box::new([[0; 64]; 64]), orders::<3>());
    for things in (0..27).map(|number| [number / 9, number / 3 % 3, number % 3]) {
        for (among, least) in table[pattern(things[0], things[1], things[2])].iter_mut().enumerate() {
            let made = |order: usize| orders[order].map(|place| things[usize::from(place)]);
            let among = || (0..6).filter(|order| among >> order & 1 == 1);
            let first = among().map(made).min();
            *least = among().filter(|&order| Some(made(order)) == first).fold(0, |set, order| set | 1 << order);
        }
    }
    table
}

/// Returns all orders of 0..N.
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
        let mut orders_with = [[0; STACKS]; STACKS];
        for (number, order) in outer.iter().enumerate() {
            order.iter().enumerate().for_each(|(place, &stack)| orders_with[place][usize::from(stack)] |= 1 << number);
        }
        Self {
            inner,
            outer,
            orders_with,
            least_of_three: least_of_three(),
            views: [[ClueRow::EMPTY; ROWS]; 2],
            prefixes: Vec::new(),
            next: Vec::new(),
            least: u64::MAX,
            first: [0; 2],
        }
    }

    /// Finds a map to the least clues, and the number of cell permutations that give them.
    pub(super) fn least(&mut self, puzzle: &Puzzle) -> FoundForm {
        let transposes = groups::transposes(puzzle.shape.kind, puzzle.shape.side);
        let high = puzzle.shape.side.box_shape().map_or(1, |(high, _)| high);
        let clues = &puzzle.clues;
        for line in 0..Self::SIDE {
            let (mut row, mut column) = ([0; ROWS], [0; ROWS]);
            for i in 0..Self::SIDE {
                (row[i], column[i]) = (clues[line * Self::SIDE + i], clues[i * Self::SIDE + line]);
            }
            self.views[0][line] = ClueRow::new::<WIDE, STACKS>(row);
            self.views[1][line] = ClueRow::new::<WIDE, STACKS>(column);
        }
        let open = Prefix {
            view: 0,
            rows: [0; ROWS],
            names: UNNAMED,
            last: 0,
            known: 0,
            outer: ((1_u32 << self.outer.len()) - 1) as u8,
            inner: [((1_u64 << self.inner.len()) - 1) as u32; STACKS],
        };
        self.prefixes.clear();
        self.prefixes.push(open);
        if transposes {
            self.prefixes.push(Prefix { view: 1, ..open });
        }
        self.find_first(transposes);
        for done in 0..Self::SIDE {
            self.add_row(done, high);
        }
        self.found(puzzle)
    }

    /// Adds the least row that any prefix can have next.
    fn add_row(&mut self, done: usize, high: usize) {
        let prefixes = std::mem::take(&mut self.prefixes);
        self.next.clear();
        self.least = u64::MAX;
        for prefix in &prefixes {
            // The next row is another row of an unfinished band, or any row of a new band.
            let chosen = prefix.rows[..done].iter().fold(0, |set, row| set | 1_u16 << row);
            let band = match prefix.rows[..done].last() {
                Some(&last) if !done.is_multiple_of(high) => ((1 << high) - 1) << (usize::from(last) / high * high),
                _ => (1 << Self::SIDE) - 1,
            };
            let first = if done == 0 { self.first[usize::from(prefix.view)] } else { u16::MAX };
            let mut rows = band & first & !chosen;
            while rows != 0 {
                self.add_one_row(prefix, done, rows.trailing_zeros() as usize);
                rows &= rows - 1;
            }
        }
        self.prefixes = std::mem::replace(&mut self.next, prefixes);
    }

    /// Adds a row to a prefix of `done` rows, in every way that is not greater than the least so far.
    #[inline]
    fn add_one_row(&mut self, before: &Prefix<STACKS>, done: usize, row: usize) {
        let line = &self.views[usize::from(before.view & 1)][row];
        let new = line.digits & !before.known;
        let (mut keys, mut inner) = ([0; STACKS], [0; STACKS]);
        for stack in 0..STACKS {
            let name = |i: usize| before.names[usize::from(line.clues[stack * WIDE + i] & 15)];
            (keys[stack], inner[stack]) = self.least_order(std::array::from_fn(name), before.inner[stack]);
        }
        let (least, outer) = self.least_stacks(keys, before.outer);
        if line.twice & new != 0 {
            // A new digit occurs twice in the row, so which occurrence is new depends on the order.
            let mut made = *before;
            made.rows[done] = row as u8;
            self.add_repeating(&made, row, 0, 0);
            return;
        }
        if least > self.least {
            return;
        }
        let mut made = Prefix { inner, outer, ..*before };
        made.rows[done] = row as u8;
        match new.count_ones() {
            0 => self.keep(least, &made),
            1 => {
                made.name(new.trailing_zeros() as usize);
                self.keep(least, &made);
            }
            _ => self.name_several(&made, row, new, least),
        }
    }

    /// Returns the least sequence that a set of column orders can make of the digits of a stack, and the orders that
    /// make it.
    #[inline(always)]
    fn least_order(&self, named: [u8; WIDE], among: u32) -> (u64, u32) {
        if WIDE == 3 {
            let ties = self.least_of_three[pattern(named[0], named[1], named[2])][among as usize & 63];
            let order = &self.inner[ties.trailing_zeros() as usize];
            return (order.iter().fold(0, |key, &i| key << 4 | u64::from(named[usize::from(i)])), ties.into());
        }
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

    /// Does the same for orders of the stacks.
    #[inline(always)]
    fn least_stacks(&self, keys: [u64; STACKS], among: u8) -> (u64, u8) {
        let key_of = |order: u32| {
            let stacks = &self.outer[order as usize];
            stacks.iter().fold(0, |key, &stack| key << (4 * WIDE) | keys[usize::from(stack)])
        };
        if STACKS == 3 {
            let ties = self.least_of_three[pattern(keys[0], keys[1], keys[2])][usize::from(among) & 63];
            return (key_of(ties.trailing_zeros()), ties);
        }
        let (mut open, mut least, mut ties) = (among, u64::MAX, 0);
        while open != 0 {
            let order = open.trailing_zeros();
            open &= open - 1;
            let key = key_of(order);
            if key <= least {
                ties = if key < least { 0 } else { ties } | 1 << order;
                least = key;
            }
        }
        (least, ties)
    }

    /// Names several new digits of a row that is added: each order of them gives different names.
    fn name_several(&mut self, prefix: &Prefix<STACKS>, row: usize, new: u16, key: u64) {
        let line = &self.views[usize::from(prefix.view & 1)][row];
        let has_new = |stack: u8| {
            let at = usize::from(stack) * WIDE;
            line.clues[at..at + WIDE].iter().any(|&clue| new >> (clue & 15) & 1 == 1)
        };
        let with_new: [bool; STACKS] = std::array::from_fn(|stack| has_new(stack as u8));
        // Orders of stacks that differ only in the places of stacks without new digits give the same names.
        let (mut groups, mut count) = ([(0_u32, 0_u8); 6], 0);
        for (order, stacks) in self.outer.iter().enumerate().filter(|(order, _)| prefix.outer >> order & 1 == 1) {
            let named = stacks.iter().filter(|&&stack| with_new[usize::from(stack)]);
            let sequence = named.fold(0, |sequence, &stack| (sequence << 4) | (u32::from(stack) + 1));
            count += add_to_group(&mut groups[..=count.min(5)], sequence, 1 << order);
        }
        for &(_, outer) in &groups[..count] {
            let order = outer.trailing_zeros() as usize;
            self.name_stacks(Prefix { outer, ..*prefix }, NewDigits { order, row, new, key }, 0);
        }
    }

    /// Names the new digits of all stacks from a place on.
    fn name_stacks(&mut self, prefix: Prefix<STACKS>, digits: NewDigits, place: usize) {
        let NewDigits { order, row, new, key } = digits;
        if place == STACKS {
            self.keep(key, &prefix);
            return;
        }
        let stack = usize::from(self.outer[order][place]);
        let line = &self.views[usize::from(prefix.view & 1)][row];
        let clues: [u8; WIDE] = std::array::from_fn(|i| line.clues[stack * WIDE + i] & 15);
        let mut named = clues.iter().filter(|&&clue| new >> clue & 1 == 1);
        match (named.next(), named.next()) {
            (None, _) => return self.name_stacks(prefix, digits, place + 1),
            (Some(&digit), None) => {
                let mut made = prefix;
                made.name(digit.into());
                return self.name_stacks(made, digits, place + 1);
            }
            _ => {}
        }
        let (mut groups, mut count) = ([(0_u32, 0_u32); 24], 0);
        for (inner, columns) in self.inner.iter().enumerate() {
            if prefix.inner[stack] >> inner & 1 == 1 {
                let named = columns.iter().map(|&i| clues[usize::from(i)]).filter(|&clue| new >> clue & 1 == 1);
                let sequence = named.fold(0, |sequence, clue| sequence << 4 | u32::from(clue));
                count += add_to_group(&mut groups[..=count.min(23)], sequence, 1 << inner);
            }
        }
        for &(sequence, inner) in &groups[..count] {
            let mut made = prefix;
            made.inner[stack] = inner;
            for digit in (0..WIDE).rev().map(|i| sequence >> (4 * i) & 15).filter(|&digit| digit != 0) {
                made.name(digit as usize);
            }
            self.name_stacks(made, digits, place + 1);
        }
    }

    /// Adds the rest, from a place on, of a row in which a new digit occurs twice. `key` is the beginning of the row.
    #[cold]
    fn add_repeating(&mut self, prefix: &Prefix<STACKS>, row: usize, place: usize, key: u64) {
        if key > self.least.unbounded_shr((4 * WIDE * (STACKS - place)) as u32) {
            return;
        }
        if place == STACKS {
            self.keep(key, prefix);
            return;
        }
        for stack in 0..STACKS {
            let outer = prefix.outer & self.orders_with[place][stack];
            if outer == 0 {
                continue;
            }
            let clues = self.views[usize::from(prefix.view & 1)][row].clues;
            let mut ways: Vec<(u64, Prefix<STACKS>)> = Vec::new();
            for order in (0..self.inner.len()).filter(|order| prefix.inner[stack] >> order & 1 == 1) {
                let mut made = Prefix { outer, ..*prefix };
                let mut box_key = key;
                for &i in &self.inner[order] {
                    let clue = usize::from(clues[stack * WIDE + usize::from(i)] & 15);
                    box_key = box_key << 4 | u64::from(made.names[clue]);
                    if made.names[clue] == NEW {
                        made.name(clue);
                    }
                }
                made.inner[stack] = 1 << order;
                match ways.iter_mut().find(|(other, way)| *other == box_key && way.names == made.names) {
                    Some((_, way)) => way.inner[stack] |= 1 << order,
                    None => ways.push((box_key, made)),
                }
            }
            let least = ways.iter().map(|(key, _)| *key).min();
            for (key, way) in ways.iter().filter(|(key, _)| Some(*key) == least) {
                self.add_repeating(way, row, place + 1, *key);
            }
        }
    }

    #[inline]
    fn keep(&mut self, key: u64, prefix: &Prefix<STACKS>) {
        if key > self.least {
            return;
        }
        if key < self.least {
            self.least = key;
            self.next.clear();
        }
        self.next.push(*prefix);
    }

    /// Finds the rows that can be first. If no digit occurs twice in a row, the least form of the row depends only on
    /// the number of clues in its stacks, and most rows drop out.
    fn find_first(&mut self, transposes: bool) {
        let views = &self.views[..if transposes { 2 } else { 1 }];
        let lines = || views.iter().flat_map(|view| &view[..Self::SIDE]);
        let least = lines().filter(|line| line.twice == 0).fold(u32::MAX, |least, line| least.min(line.pattern));
        for (first, view) in self.first.iter_mut().zip(views) {
            let may = |line: &ClueRow| line.twice != 0 || line.pattern == least;
            *first =
                view[..Self::SIDE].iter().enumerate().fold(0, |set, (row, line)| set | u16::from(may(line)) << row);
        }
    }

    /// Returns the map of the first prefix, and the number of all maps.
    fn found(&self, puzzle: &Puzzle) -> FoundForm {
        let ways = |one: &Prefix<STACKS>| {
            one.inner.iter().fold(u64::from(one.outer.count_ones()), |ways, set| ways * u64::from(set.count_ones()))
        };
        let side = puzzle.shape.side;
        let mut map = Map::identity(side);
        if let Some(first) = self.prefixes.first() {
            let (mut rows, mut columns, mut digits) = ([0; MAX_SIDE], [0; MAX_SIDE], [0; MAX_SIDE]);
            rows[..Self::SIDE].copy_from_slice(&first.rows[..Self::SIDE]);
            let stacks = self.outer[first.outer.trailing_zeros() as usize];
            for (&stack, columns) in stacks.iter().zip(columns.chunks_exact_mut(WIDE)) {
                let order = self.inner[first.inner[usize::from(stack)].trailing_zeros() as usize];
                columns.iter_mut().zip(order).for_each(|(column, i)| *column = stack * WIDE as u8 + i);
            }
            let mut last = first.last;
            for (digit, &name) in digits.iter_mut().zip(&first.names[1..=Self::SIDE]) {
                last += u8::from(name == NEW);
                *digit = if name == NEW { last } else { name };
            }
            let flags = if first.view == 1 { TRANSPOSED } else { 0 };
            map = Map { side: Self::SIDE as u8, cells: Arrangement { flags, rows, columns }, digits };
        }
        FoundForm { map, automorphisms: self.prefixes.iter().map(ways).sum(), grid_automorphisms: None }
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
