//! Lists the ways to fill a cage. A list is made once for each shape, operator and clue, and kept for the next puzzles.

use crate::kernels::bytes8::Ways;

/// The largest number of blocks of ways that are kept: 4 MiB. Those of the current puzzle may come in addition.
const MAX_BLOCKS: usize = 1 << 16;

/// The number of slots for lists, a power of two. At most half of them are filled, apart from those of the current
/// puzzle.
const SLOTS: usize = 1 << 14;

/// The number of slots for the lists of a group, a power of two.
const GROUP_SLOTS: usize = 1 << 7;

/// The number of slots for groups, a power of two: there are 27 shapes, four operators or none, and six sides.
const GROUPS: usize = 1 << 10;

/// A cage without its position on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CageKey {
    /// The side of the board.
    pub(super) side: usize,
    /// Its two to four cells as bits, eight to a row, shifted so that the first one is the lowest bit.
    pub(super) shape: u64,
    /// 2 subtracts, 3 multiplies, 4 divides; everything else adds.
    pub(super) operator: u16,
    pub(super) clue: u16,
}

impl CageKey {
    /// The number of the cage's group: everything but the clue, as a unique number that is not 0. (Four cells extend
    /// over at most three more rows, so that the shape has room.)
    #[inline(always)]
    fn group(&self) -> u32 {
        let operator = if self.operator > 4 { 1 } else { self.operator };
        (self.shape as u32) << 7 | u32::from(operator) << 4 | self.side as u32
    }

    /// The slot, among those of the group, in which to look for a list first. Similar clues have neighbouring slots.
    #[inline(always)]
    fn first_slot(&self) -> usize {
        let clue = usize::from(self.clue);
        // A branch would often be mispredicted.
        let (number, is_product) = (usize::from(PRODUCT_NUMBERS[clue % PRODUCT_NUMBERS.len()]), self.operator == 3);
        clue ^ ((clue ^ number) & usize::from(is_product).wrapping_neg())
    }
}

/// For each clue of a product, its number among the products of digits, which have no prime factors but 2, 3, 5 and 7.
const PRODUCT_NUMBERS: [u8; 2048] = {
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

/// The enumeration of the ways to fill a cage.
struct WayEnumeration {
    key: CageKey,
    /// The row and column of each cell, in reading order. Only the first `len` entries are used.
    cells: [(i32, i32); 4],
    len: usize,
    digits: [u32; 4],
}

impl WayEnumeration {
    fn new(key: CageKey) -> Self {
        let (mut cells, mut left, len) = ([(0, 0); 4], key.shape, key.shape.count_ones() as usize);
        for cell in &mut cells[..len] {
            let bit = left.trailing_zeros() as i32;
            left &= left - 1;
            // A cell may be up to three columns to the left of the first cell.
            let row = (bit + 3) / 8;
            *cell = (row, bit - 8 * row);
        }
        Self { key, cells, len, digits: [0; 4] }
    }

    fn shares_line(&self, a: usize, b: usize) -> bool {
        self.cells[a].0 == self.cells[b].0 || self.cells[a].1 == self.cells[b].1
    }

    /// Chooses a digit for cell `i`, then for the cells after it, and appends the ways to `to`.
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

/// The ways to fill a cage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WayList {
    /// The first block and the number of blocks, which is 0 if there is no way.
    pub(super) blocks: (u32, u32),
    /// The union of all ways, in the form of [`Ways`].
    pub(super) digits: u32,
    /// For each cell, how far its bit is above that of the first one, in a byte; 0 after the last cell.
    pub(super) offsets: u32,
    /// All ones in the bytes of the cells.
    pub(super) used: u32,
}

/// A slot of the hash table of groups.
#[derive(Clone, Copy)]
struct Group {
    /// The number of the group, or 0 if the slot is empty.
    number: u32,
    /// Its rank in order of occurrence.
    rank: u32,
    /// See [`WayList::offsets`] and [`WayList::used`].
    offsets: u32,
    used: u32,
}

const EMPTY_GROUP: Group = Group { number: 0, rank: 0, offsets: 0, used: 0 };

/// A slot of the hash table of lists.
#[derive(Clone, Copy)]
struct Slot {
    /// The number of the list's group, or 0 if the slot is empty.
    group: u32,
    clue: u32,
    /// The first block, and in the lowest byte the number of blocks.
    blocks: u32,
    digits: u32,
}

const EMPTY_SLOT: Slot = Slot { group: 0, clue: 0, blocks: 0, digits: 0 };

/// All lists that have been made.
pub(super) struct WayLists {
    /// A hash table of lists. Lists of a group are close together, so that those of a puzzle are in few cache lines.
    slots: Box<[Slot; SLOTS]>,
    filled: usize,
    /// A hash table of the groups that have occurred.
    groups: Box<[Group; GROUPS]>,
    group_count: u32,
    ways: Vec<Ways>,
    scratch: Vec<u32>,
}

impl Default for WayLists {
    fn default() -> Self {
        Self {
            slots: boxed_array(EMPTY_SLOT),
            filled: 0,
            groups: boxed_array(EMPTY_GROUP),
            group_count: 0,
            ways: Vec::new(),
            scratch: Vec::new(),
        }
    }
}

/// An array that is made on the heap and is never on the stack.
fn boxed_array<T: Copy, const N: usize>(one: T) -> Box<[T; N]> {
    vec![one; N].into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("as many as were made"))
}

impl WayLists {
    /// Discards all lists if there are too many. Lists returned before are then invalid.
    pub(super) fn make_room(&mut self) {
        if self.ways.len() > MAX_BLOCKS || self.filled > SLOTS / 2 {
            self.slots.fill(EMPTY_SLOT);
            self.ways.clear();
            self.filled = 0;
        }
    }

    /// The blocks of all lists. Each list is a range of them.
    pub(super) fn ways(&self) -> &[Ways] {
        &self.ways
    }

    /// The ways to fill a cage. Makes their list if there is none.
    #[inline(always)]
    pub(super) fn get(&mut self, key: &CageKey) -> WayList {
        let (group, clue) = (self.group(key), u32::from(key.clue));
        let mut slot = (group.rank as usize * GROUP_SLOTS + key.first_slot()) % SLOTS;
        loop {
            let found = self.slots[slot];
            if found.group == group.number && found.clue == clue {
                let blocks = (found.blocks >> 8, found.blocks & 0xFF);
                return WayList { blocks, digits: found.digits, offsets: group.offsets, used: group.used };
            }
            if found.group == 0 {
                return self.make(key, group, slot);
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    /// The group of a cage.
    #[inline(always)]
    fn group(&mut self, key: &CageKey) -> Group {
        let number = key.group();
        let mut slot = (number.wrapping_mul(0x9E37_79B9) >> 16) as usize % GROUPS;
        loop {
            let found = self.groups[slot];
            if found.number == number {
                return found;
            }
            if found.number == 0 {
                return self.add_group(key.shape, number, slot);
            }
            slot = (slot + 1) % GROUPS;
        }
    }

    /// Adds the group of cages of a shape, and stores it in a slot.
    #[cold]
    fn add_group(&mut self, mut shape: u64, number: u32, slot: usize) -> Group {
        let (mut offsets, len) = (0, shape.count_ones());
        for byte in 0..len {
            offsets |= shape.trailing_zeros() << (8 * byte);
            shape &= shape - 1;
        }
        let group = Group { number, rank: self.group_count, offsets, used: u32::MAX >> (32 - 8 * len) };
        self.group_count += 1;
        self.groups[slot] = group;
        group
    }

    /// Makes the list of a cage, and stores it in a slot.
    #[cold]
    fn make(&mut self, key: &CageKey, group: Group, slot: usize) -> WayList {
        self.scratch.clear();
        WayEnumeration::new(*key).fill(0, &mut self.scratch);
        let first = self.ways.len();
        for ways in self.scratch.chunks(16) {
            self.ways.push(std::array::from_fn(|i| ways[i.min(ways.len() - 1)]));
        }
        let blocks = (first as u32, (self.ways.len() - first) as u32);
        let digits = self.scratch.iter().fold(0, |digits, way| digits | way);
        // Four digits of eight make no more than 4,096 ways, far less than 256 blocks.
        let packed = blocks.0 << 8 | blocks.1;
        self.slots[slot] = Slot { group: group.number, clue: key.clue.into(), blocks: packed, digits };
        self.filled += 1;
        WayList { blocks, digits, offsets: group.offsets, used: group.used }
    }
}
