//! Makes cages: divides a full grid at random into small connected parts, and finds their sums or their arithmetic.

use super::rng::Rng;
use crate::board::Side;

/// The number of cells of the largest board with a border of one cell, so that every cell has four neighbours in the
/// array.
pub(super) const FRAMED: usize = 27 * 27;

/// Marks a cell that is in no cage yet.
const FREE: u16 = u16::MAX;
/// Marks a cell outside the board.
pub(super) const BORDER: u16 = u16::MAX - 1;

/// The intended sizes of cages, of which one is drawn for each cage. A cage becomes smaller where there is no room.
const KILLER_SIZES: [u8; 16] = [1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 5, 5];
const ARITHMETIC_SIZES: [u8; 16] = [1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4];

/// The cages of one board. Cells are indices of the framed board (see [`FramedCages::framed`]).
pub(super) struct FramedCages {
    side: usize,
    /// Cells from one row of the framed board to the next.
    pub row: usize,
    /// The number of cages.
    pub count: usize,
    /// The cage of each cell, or [`BORDER`].
    pub cage: [u16; FRAMED],
    /// The first cell of each cage in reading order.
    pub first: [u16; 625],
    /// The next cell of the same cage, in unspecified order; 0 after the last.
    next: [u16; FRAMED],
    /// The digit of each cell.
    digit: [u8; FRAMED],
    size: [u8; 625],
    /// The digits in each cage.
    digits: [u32; 625],
}

impl Default for FramedCages {
    fn default() -> Self {
        Self {
            side: 0,
            row: 0,
            count: 0,
            cage: [0; FRAMED],
            first: [0; 625],
            next: [0; FRAMED],
            digit: [0; FRAMED],
            size: [0; 625],
            digits: [0; 625],
        }
    }
}

impl FramedCages {
    /// The index, on the framed board, of the cell at `row`, `column`.
    #[inline]
    pub(super) fn framed(&self, row: usize, column: usize) -> usize {
        (row + 1) * self.row + column + 1
    }

    /// The four neighbours of a cell. Some may be on the border.
    #[inline]
    pub(super) fn neighbours(&self, cell: usize) -> [usize; 4] {
        [cell - self.row, cell - 1, cell + 1, cell + self.row]
    }

    /// The cells of a cage.
    #[inline]
    pub(super) fn cells(&self, cage: usize) -> impl Iterator<Item = usize> {
        let next = &self.next;
        std::iter::successors(Some(self.first[cage] as usize), |&cell| {
            Some(next[cell] as usize).filter(|&cell| cell != 0)
        })
    }

    /// Divides a full grid into cages at random. For sums, no digit repeats in a cage and cages have up to five cells;
    /// for arithmetic, digits may repeat and cages have up to four.
    pub(super) fn divide(&mut self, grid: &[u8], side: Side, arithmetic: bool, rng: &mut Rng) {
        self.frame(grid, side.get());
        let (sizes, largest) = if arithmetic { (ARITHMETIC_SIZES, 4) } else { (KILLER_SIZES, 5) };
        for row in 0..self.side {
            for column in 0..self.side {
                let cell = self.framed(row, column);
                if self.cage[cell] == FREE {
                    let size = sizes[rng.below(sizes.len())];
                    self.grow_cage(cell, size, arithmetic, rng);
                    if size > 1 && self.size[self.count - 1] == 1 {
                        self.merge_single(cell, largest, arithmetic);
                    }
                }
            }
        }
    }

    /// Copies a grid into the framed board, without cages.
    fn frame(&mut self, grid: &[u8], side: usize) {
        (self.side, self.row, self.count) = (side, side + 2, 0);
        self.cage[..self.row * self.row].fill(BORDER);
        for (row, digits) in grid.chunks_exact(side).enumerate() {
            let from = self.framed(row, 0);
            self.cage[from..from + side].fill(FREE);
            self.digit[from..from + side].copy_from_slice(digits);
        }
    }

    /// Starts a new cage at `first` and adds random neighbouring cells.
    fn grow_cage(&mut self, first: usize, size: u8, repeats: bool, rng: &mut Rng) {
        let cage = self.count;
        self.count += 1;
        self.first[cage] = first as u16;
        self.next[first] = 0;
        self.cage[first] = cage as u16;
        self.size[cage] = 1;
        self.digits[cage] = 1 << self.digit[first];
        // The cells next to the cage. A cell may be listed twice; then it is added the first time.
        let mut frontier = [0_u16; 20];
        let mut count = 0;
        let mut last = first;
        while self.size[cage] < size {
            for neighbour in self.neighbours(last) {
                if self.cage[neighbour] == FREE {
                    frontier[count] = neighbour as u16;
                    count += 1;
                }
            }
            last = loop {
                if count == 0 {
                    return;
                }
                let k = rng.below(count);
                let cell = frontier[k] as usize;
                count -= 1;
                frontier[k] = frontier[count];
                if self.cage[cell] == FREE && self.admits(cage, cell, repeats) {
                    break cell;
                }
            };
            self.add(cage, last);
        }
    }

    /// Whether a cell can be added to a cage without repeating a digit, if that matters.
    fn admits(&self, cage: usize, cell: usize, repeats: bool) -> bool {
        repeats || self.digits[cage] >> self.digit[cell] & 1 == 0
    }

    fn add(&mut self, cage: usize, cell: usize) {
        let first = self.first[cage] as usize;
        self.next[cell] = self.next[first];
        self.next[first] = cell as u16;
        self.cage[cell] = cage as u16;
        self.size[cage] += 1;
        self.digits[cage] |= 1 << self.digit[cell];
    }

    /// Moves the only cell of the newest cage to an older neighbouring cage that accepts it. That cage's first cell
    /// remains the first, since it comes before this one in reading order.
    fn merge_single(&mut self, cell: usize, largest: u8, repeats: bool) {
        let newest = self.count - 1;
        for neighbour in self.neighbours(cell) {
            let cage = self.cage[neighbour] as usize;
            if cage < newest && self.size[cage] < largest && self.admits(cage, cell, repeats) {
                self.count = newest;
                self.add(cage, cell);
                return;
            }
        }
    }

    /// Writes the sum of each cage into its first cell, and 0 into the others.
    pub(super) fn write_sums(&self, contents: &mut [u16]) {
        contents.fill(0);
        for cage in 0..self.count {
            let sum: u16 = self.cells(cage).map(|cell| u16::from(self.digit[cell])).sum();
            contents[self.unframed(self.first[cage] as usize)] = sum;
        }
    }

    /// Takes the sums of random cages out of the contents again: of `count` cages, or of all.
    pub(super) fn open(&self, count: usize, contents: &mut [u16], rng: &mut Rng) {
        let mut cages = self.first;
        let cages = &mut cages[..self.count];
        rng.draw(cages, count);
        cages.iter().take(count).for_each(|&first| contents[self.unframed(first.into())] = 0);
    }

    /// Writes the clue of each cage into its first cell and, if it has several, an operator (1 `+` 2 `-` 3 `x` 4 `/`)
    /// into the cell to the right of the first if that is in the cage, or else into the one below. The others get 0.
    pub(super) fn write_arithmetic(&self, contents: &mut [u16], rng: &mut Rng) {
        contents.fill(0);
        let n = self.side as u32;
        let limit = (n * n * n * (n - 1) * (n - 2)).min(2047);
        for cage in 0..self.count {
            let first = self.first[cage] as usize;
            let at = self.unframed(first);
            if self.size[cage] == 1 {
                contents[at] = self.digit[first].into();
                continue;
            }
            let (operator, clue) = self.operation(cage, limit, rng);
            contents[at] = clue;
            let beside = self.cage[first + 1] as usize == cage;
            contents[if beside { at + 1 } else { at + self.side }] = operator;
        }
    }

    /// A random operator that fits the digits of a cage of two or more cells, and its clue, 1 to `limit`. A sum always
    /// fits: on side 3 it is at most 12, and the limit is 54. The two cells of a difference are in one line, so it is
    /// never 0.
    fn operation(&self, cage: usize, limit: u32, rng: &mut Rng) -> (u16, u16) {
        let (mut sum, mut product, mut least, mut most) = (0, 1, u32::MAX, 0);
        for cell in self.cells(cage) {
            let digit = u32::from(self.digit[cell]);
            (sum, product, least, most) = (sum + digit, product * digit, least.min(digit), most.max(digit));
        }
        let pair = self.size[cage] == 2;
        let from = rng.below(4);
        for k in 0..3 {
            match (from + k) % 4 {
                1 if pair => return (2, (most - least) as u16),
                2 if product <= limit => return (3, product as u16),
                3 if pair && most.is_multiple_of(least) => return (4, (most / least) as u16),
                0 => break,
                _ => {}
            }
        }
        (1, sum as u16)
    }

    fn unframed(&self, cell: usize) -> usize {
        (cell / self.row - 1) * self.side + cell % self.row - 1
    }
}
