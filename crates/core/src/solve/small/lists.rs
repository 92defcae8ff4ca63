//! The ways to fill a cage: lists that are made once for each shape, operator and clue and kept for the next puzzles.

use crate::kernels::bytes8::Ways;

/// Blocks of ways that are kept at most: 4 MiB. A puzzle's own come on top.
const MOST_BLOCKS: usize = 1 << 16;

/// Places for lists, a power of two. Half of them are filled at most, and a puzzle's.
const PLACES: usize = 1 << 14;

/// Places for the lists of a group, a power of two.
const OF_GROUP: usize = 1 << 7;

/// Places for groups, a power of two: there are 27 shapes, four operators or none, and six sides.
const GROUPS: usize = 1 << 10;

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
    /// All but the clue, as a number that is not 0, another one for each (four cells are no more than three rows further).
    #[inline(always)]
    fn group(&self) -> u32 {
        let operator = if self.operator > 4 { 1 } else { self.operator };
        (self.shape as u32) << 7 | u32::from(operator) << 4 | self.side as u32
    }

    /// The place among those of its group at which a list is looked for first: clues that are near each other are there, too.
    #[inline(always)]
    fn first_place(&self) -> usize {
        let clue = usize::from(self.clue);
        if self.operator == 3 { PRODUCTS[clue % PRODUCTS.len()].into() } else { clue }
    }
}

/// For each clue of a product its number among those that have no divisors but digits, as far as there are so many.
const PRODUCTS: [u8; 2048] = {
    let (mut numbers, mut count, mut product) = ([0; 2048], 0, 1);
    while product < 2048 {
        let (mut rest, mut digit) = (product, 2);
        while digit < 8 {
            while rest % digit == 0 {
                rest /= digit;
            }
            digit += 1;
        }
        numbers[product] = count;
        count += (rest == 1) as u8;
        product += 1;
    }
    numbers
};

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

/// A list in its place.
#[derive(Clone, Copy)]
struct Place {
    /// The number of its group and its clue, or 0 where there is no list.
    group: u32,
    clue: u32,
    /// The first block, and in the lowest byte how many.
    blocks: u32,
    digits: u32,
}

const NO_LIST: Place = Place { group: 0, clue: 0, blocks: 0, digits: 0 };

/// All lists that were made.
pub(super) struct Lists {
    /// Lists of a group are near each other: a puzzle's are then in few lines of the cache.
    places: Box<[Place; PLACES]>,
    filled: usize,
    /// The groups that were met, each with its number in order of that.
    groups: Box<[(u32, u32); GROUPS]>,
    group_count: u32,
    ways: Vec<Ways>,
    scratch: Vec<u32>,
}

impl Default for Lists {
    fn default() -> Self {
        Self {
            places: boxed(NO_LIST),
            filled: 0,
            groups: boxed((0, 0)),
            group_count: 0,
            ways: Vec::new(),
            scratch: Vec::new(),
        }
    }
}

/// So many of something, which never were on the stack.
fn boxed<T: Copy, const N: usize>(one: T) -> Box<[T; N]> {
    vec![one; N].into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("as many as were made"))
}

impl Lists {
    /// Forgets all lists if there are too many. Those that were given out before are then gone.
    pub(super) fn make_room(&mut self) {
        if self.ways.len() > MOST_BLOCKS || self.filled > PLACES / 2 {
            self.places.fill(NO_LIST);
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
        let (group, clue) = (key.group(), u32::from(key.clue));
        let first = self.first_of(group);
        let mut place = (first + key.first_place()) % PLACES;
        loop {
            let found = self.places[place];
            if found.group == group && found.clue == clue {
                return List { blocks: (found.blocks >> 8, found.blocks & 0xFF), digits: found.digits };
            }
            if found.group == 0 {
                return self.make(key, place);
            }
            place = (place + 1) % PLACES;
        }
    }

    /// The first place of a group.
    #[inline(always)]
    fn first_of(&mut self, group: u32) -> usize {
        let mut place = (group.wrapping_mul(0x9E37_79B9) >> 16) as usize % GROUPS;
        loop {
            match self.groups[place] {
                (found, number) if found == group => return number as usize * OF_GROUP,
                (0, _) => {
                    self.groups[place] = (group, self.group_count);
                    self.group_count += 1;
                }
                _ => place = (place + 1) % GROUPS,
            }
        }
    }

    #[cold]
    fn make(&mut self, key: &CageKey, place: usize) -> List {
        self.scratch.clear();
        Filling::new(*key).fill(0, &mut self.scratch);
        let first = self.ways.len();
        for ways in self.scratch.chunks(16) {
            self.ways.push(std::array::from_fn(|i| ways[i.min(ways.len() - 1)]));
        }
        let blocks = (first as u32, (self.ways.len() - first) as u32);
        let digits = self.scratch.iter().fold(0, |digits, way| digits | way);
        // Four digits of eight make no more than 4,096 ways, far less than 256 blocks.
        let packed = blocks.0 << 8 | blocks.1;
        self.places[place] = Place { group: key.group(), clue: key.clue.into(), blocks: packed, digits };
        self.filled += 1;
        List { blocks, digits }
    }
}
