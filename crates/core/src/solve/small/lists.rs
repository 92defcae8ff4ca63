//! The ways to fill a cage: lists that are made once for each shape, operator and clue and kept for the next puzzles.

use crate::kernels::bytes8::Ways;

/// Blocks of ways that are kept at most: 4 MiB. A puzzle's own come on top.
const MOST_BLOCKS: usize = 1 << 16;

/// Places for lists, a power of two. Half of them are filled at most, and a puzzle's.
const PLACES: usize = 1 << 14;

/// A cage without its place on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CageKey {
    /// The side of the board.
    pub(super) side: usize,
    /// Its two to four cells as bits, eight to a row, shifted so that the first one is the lowest bit.
    pub(super) shape: u64,
    /// 2 subtract, 3 multiply, 4 divide; everything else adds.
    pub(super) operator: u16,
    pub(super) clue: u16,
}

impl CageKey {
    /// The key as a number that is not 0, another one for each (four cells are no more than three rows further).
    #[inline(always)]
    fn number(&self) -> u64 {
        let operator = if self.operator > 4 { 1 } else { self.operator };
        self.shape << 32 | u64::from(self.clue) << 8 | u64::from(operator) << 4 | self.side as u64
    }
}

/// The ways of a cage in the making.
struct Filling {
    key: CageKey,
    /// Rows and columns of the cells, in reading order; the first `len` count.
    cells: [(i32, i32); 4],
    len: usize,
    digits: [u32; 4],
}

impl Filling {
    fn new(key: CageKey) -> Self {
        let (mut cells, mut left, len) = ([(0, 0); 4], key.shape, key.shape.count_ones() as usize);
        for cell in &mut cells[..len] {
            let bit = left.trailing_zeros() as i32;
            left &= left - 1;
            // Up to three columns before that of the first cell.
            let row = (bit + 3) / 8;
            *cell = (row, bit - 8 * row);
        }
        Self { key, cells, len, digits: [0; 4] }
    }

    fn shares_line(&self, a: usize, b: usize) -> bool {
        self.cells[a].0 == self.cells[b].0 || self.cells[a].1 == self.cells[b].1
    }

    /// Chooses a digit for cell `i`, then for the others, and appends the ways.
    fn fill(&mut self, i: usize, to: &mut Vec<u32>) {
        if i == self.len {
            if self.makes_clue() {
                to.push((0..i).fold(0, |way, i| way | 1 << (self.digits[i] - 1 + 8 * i as u32)));
            }
            return;
        }
        for digit in 1..=self.key.side as u32 {
            if (0..i).all(|k| self.digits[k] != digit || !self.shares_line(k, i)) {
                self.digits[i] = digit;
                self.fill(i + 1, to);
            }
        }
    }

    fn makes_clue(&self) -> bool {
        let clue = u32::from(self.key.clue);
        match (self.key.operator, &self.digits[..self.len]) {
            (2, &[a, b]) => a.abs_diff(b) == clue,
            (4, &[a, b]) => a.max(b) == clue * a.min(b),
            (2 | 4, _) => false,
            (3, digits) => digits.iter().product::<u32>() == clue,
            (_, digits) => digits.iter().sum::<u32>() == clue,
        }
    }
}

/// The ways of a cage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct List {
    /// The first block, and how many; none if there is no way.
    pub(super) blocks: (u32, u32),
    /// The digits of all ways, as in [`Ways`].
    pub(super) digits: u32,
}

const NO_LIST: List = List { blocks: (0, 0), digits: 0 };

/// All lists that were made.
pub(super) struct Lists {
    /// By the numbers of their keys.
    places: Vec<(u64, List)>,
    filled: usize,
    ways: Vec<Ways>,
    scratch: Vec<u32>,
}

impl Default for Lists {
    fn default() -> Self {
        Self { places: vec![(0, NO_LIST); PLACES], filled: 0, ways: Vec::new(), scratch: Vec::new() }
    }
}

impl Lists {
    /// Forgets all lists if there are too many. Those that were given out before are then gone.
    pub(super) fn make_room(&mut self) {
        if self.ways.len() > MOST_BLOCKS || self.filled > PLACES / 2 {
            self.places.fill((0, NO_LIST));
            self.ways.clear();
            self.filled = 0;
        }
    }

    /// The blocks that lists are ranges of.
    pub(super) fn ways(&self) -> &[Ways] {
        &self.ways
    }

    /// The ways of a cage.
    #[inline(always)]
    pub(super) fn get(&mut self, key: &CageKey) -> List {
        let number = key.number();
        let mut place = (number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize % PLACES;
        loop {
            match self.places[place] {
                (found, list) if found == number => return list,
                (0, _) => return self.make(key, number, place),
                _ => place = (place + 1) % PLACES,
            }
        }
    }

    #[cold]
    fn make(&mut self, key: &CageKey, number: u64, place: usize) -> List {
        self.scratch.clear();
        Filling::new(*key).fill(0, &mut self.scratch);
        let first = self.ways.len();
        for ways in self.scratch.chunks(16) {
            self.ways.push(std::array::from_fn(|i| ways[i.min(ways.len() - 1)]));
        }
        let blocks = (first as u32, (self.ways.len() - first) as u32);
        let list = List { blocks, digits: self.scratch.iter().fold(0, |digits, way| digits | way) };
        self.places[place] = (number, list);
        self.filled += 1;
        list
    }
}
