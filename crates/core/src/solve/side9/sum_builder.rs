//! Builds the sums of a board: those of its cages, and those that cages and houses imply together. The digits of a
//! house add up to 45. So the cells of one or more houses that are in none of the cages inside have a known sum
//! (innies), and so have the cells outside the houses that belong to cages touching them (outies).

use super::layout::RegionHouses;
use super::sums::{MAX_SUMS, Sum};
use super::tables::AllSums;
use crate::kernels::houses9::Grid9;

/// The largest number of cells for which an implied sum excludes enough to be worth its time.
const MAX_CELLS: u32 = 4;

/// The same for cells whose digits may be equal, since they share no house.
const MAX_LOOSE_CELLS: u32 = 3;

/// The largest number of adjacent rows or columns whose sums are used together.
const MAX_LINES: usize = 4;

/// The cells and the sum of some cages together.
#[derive(Clone, Copy)]
struct CageUnion {
    cells: u128,
    sum: i32,
}

impl CageUnion {
    const NONE: Self = Self { cells: 0, sum: 0 };

    #[inline(always)]
    fn add(&mut self, other: Self) {
        self.cells |= other.cells;
        self.sum += other.sum;
    }
}

/// A sum is impossible.
pub(super) struct ImpossibleSum;

/// The cages of a board, grouped by their lines and regions. Arrays of two are for rows and for columns.
struct CageIndex {
    /// The cages that extend over one to four lines, by the number of further lines and by their first line.
    lines: [[[CageUnion; 9]; MAX_LINES]; 2],
    /// The cages by their first line.
    starting: [[CageUnion; 9]; 2],
    /// The cages by their last line.
    ending: [[CageUnion; 9]; 2],
    /// The cages inside each region.
    inside: [CageUnion; 9],
    /// The cages with a cell in each region.
    touching: [CageUnion; 9],
    all: CageUnion,
}

/// Collects the sums of a board.
pub(super) struct SumBuilder<'a> {
    layout: &'a RegionHouses,
    tables: &'static AllSums,
    /// The candidates of the board. A sum of one cell solves that cell here.
    grid: &'a mut Grid9,
    index: CageIndex,
    sums: &'a mut Vec<Sum>,
    /// The cells of each sum.
    sets: [u128; MAX_SUMS],
    /// The value of each sum.
    totals: [i32; MAX_SUMS],
    /// A hash table of sums by their cells: the number of a sum plus one, or 0 for an empty slot.
    slots: [u8; SLOTS],
}

/// The number of slots of the hash table, a power of two. At most a quarter of them are filled.
const SLOTS: usize = 4 * MAX_SUMS;

impl<'a> SumBuilder<'a> {
    /// Starts without cages. The sums of the board are written to `sums`, whose contents are discarded.
    #[inline(always)]
    pub(super) fn new(
        layout: &'a RegionHouses,
        tables: &'static AllSums,
        grid: &'a mut Grid9,
        sums: &'a mut Vec<Sum>,
    ) -> Self {
        sums.clear();
        let index = CageIndex {
            lines: [[[CageUnion::NONE; 9]; MAX_LINES]; 2],
            starting: [[CageUnion::NONE; 9]; 2],
            ending: [[CageUnion::NONE; 9]; 2],
            inside: [CageUnion::NONE; 9],
            touching: [CageUnion::NONE; 9],
            all: CageUnion::NONE,
        };
        Self { layout, tables, grid, index, sums, sets: [0; MAX_SUMS], totals: [0; MAX_SUMS], slots: [0; SLOTS] }
    }

    /// Adds the sum of a cage.
    #[inline(always)]
    pub(super) fn add_cage(&mut self, cells: u128, sum: u16) -> Result<(), ImpossibleSum> {
        let cage = CageUnion { cells, sum: sum.into() };
        let (touched, shared) = self.houses(cells);
        if sum == 0 {
            return self.add_open_cage(cells, shared);
        }
        for direction in 0..2 {
            let lines_touched = touched >> (9 * direction) & 0x1FF;
            let (first, last) = (lines_touched.trailing_zeros() as usize, 31 - lines_touched.leading_zeros() as usize);
            if let Some(lines) = self.index.lines[direction].get_mut(last - first) {
                lines[first].add(cage);
            }
            self.index.starting[direction][first].add(cage);
            self.index.ending[direction][last].add(cage);
        }
        let mut regions = touched >> 18;
        if regions & (regions - 1) == 0 {
            self.index.inside[regions.trailing_zeros() as usize].add(cage);
        }
        while regions != 0 {
            self.index.touching[regions.trailing_zeros() as usize].add(cage);
            regions &= regions - 1;
        }
        self.index.all.add(cage);
        self.add_sum(cells, cage.sum, shared, true)
    }

    /// Adds a cage without a sum, which implies no other sums. If its cells share a house, they differ anyway.
    fn add_open_cage(&mut self, cells: u128, shared: u32) -> Result<(), ImpossibleSum> {
        if cells.count_ones() > 9 {
            return Err(ImpossibleSum);
        }
        if cells.count_ones() > 1 && shared == 0 && self.sums.len() < MAX_SUMS {
            self.sums.push(Sum::new(cells, 0, 0, self.tables.any(0)));
        }
        Ok(())
    }

    /// Adds the sums that cages and houses imply together.
    #[inline(always)]
    pub(super) fn add_implied(&mut self) -> Result<(), ImpossibleSum> {
        for direction in 0..2 {
            self.add_implied_by_lines(direction)?;
        }
        for region in 0..9 {
            let area = self.layout.houses[18 + region];
            self.add_implied_by_area(area, 45, self.index.inside[region], self.index.touching[region])?;
        }
        Ok(())
    }

    /// Adds the sums that are implied by adjacent rows (or columns).
    #[inline(always)]
    fn add_implied_by_lines(&mut self, direction: usize) -> Result<(), ImpossibleSum> {
        let all = self.index.all;
        // The cages that end before a line, and those that start at or after it.
        let (mut before, mut after) = ([CageUnion::NONE; 10], [CageUnion::NONE; 10]);
        for line in 0..9 {
            before[line + 1] = before[line];
            before[line + 1].add(self.index.ending[direction][line]);
            after[8 - line] = after[9 - line];
            after[8 - line].add(self.index.starting[direction][8 - line]);
        }
        // The cages within one line less, and within two lines less, by the first line.
        let (mut shorter, mut still_shorter) = ([CageUnion::NONE; 10], [CageUnion::NONE; 10]);
        for count in 1..=MAX_LINES {
            let mut area = (0..count).fold(0, |area, line| area | self.layout.houses[9 * direction + line]);
            let mut within = [CageUnion::NONE; 10];
            for first in 0..=9 - count {
                let end = first + count;
                let mut inside = self.index.lines[direction][count - 1][first];
                inside.add(shorter[first + 1]);
                inside.add(shorter[first]);
                inside.sum -= still_shorter[first + 1].sum;
                within[first] = inside;
                let (past, coming) = (before[first], after[end]);
                let cells = all.cells & !(past.cells | coming.cells);
                let touching = CageUnion { cells, sum: all.sum - past.sum - coming.sum };
                self.add_implied_by_area(area, 45 * count as i32, inside, touching)?;
                area <<= if direction == 0 { 9 } else { 1 };
            }
            (shorter, still_shorter) = (within, shorter);
        }
        Ok(())
    }

    /// Adds the sum of the cells of an area that are in none of the cages inside, and that of the cells outside the
    /// area that belong to cages touching it, if each cell of the area is in a cage with a sum.
    #[inline(always)]
    fn add_implied_by_area(
        &mut self,
        area: u128,
        total: i32,
        inside: CageUnion,
        touching: CageUnion,
    ) -> Result<(), ImpossibleSum> {
        self.add_implied_sum(area & !inside.cells, total - inside.sum)?;
        if area & !touching.cells != 0 {
            return Ok(());
        }
        self.add_implied_sum(touching.cells & !area, touching.sum - total)
    }

    /// Adds an implied sum, if it is useful and not known yet.
    #[inline(always)]
    fn add_implied_sum(&mut self, cells: u128, sum: i32) -> Result<(), ImpossibleSum> {
        let size = cells.count_ones();
        if size > MAX_CELLS {
            return if sum < 0 { Err(ImpossibleSum) } else { Ok(()) };
        }
        if size == 0 || sum <= 0 {
            return if size == 0 && sum == 0 { Ok(()) } else { Err(ImpossibleSum) };
        }
        if let Ok(known) = self.find(cells) {
            return if self.totals[known] == sum { Ok(()) } else { Err(ImpossibleSum) };
        }
        let (_, shared) = self.houses(cells);
        self.add_sum(cells, sum, shared, false)
    }

    /// Adds the sum of some cells. `shared` are the houses that all of them share.
    #[inline(always)]
    fn add_sum(&mut self, cells: u128, sum: i32, shared: u32, is_cage: bool) -> Result<(), ImpossibleSum> {
        let size = cells.count_ones();
        let sum = u8::try_from(sum).map_err(|_| ImpossibleSum)?;
        if size == 1 {
            let digit = if (1..=9).contains(&sum) { 1 << (sum - 1) } else { 0 };
            let mask = &mut self.grid.0[cells.trailing_zeros() as usize];
            *mask &= digit;
            return if *mask == 0 { Err(ImpossibleSum) } else { Ok(()) };
        }
        let tables = if is_cage || shared != 0 {
            self.tables.different(size as usize, sum.into()).ok_or(ImpossibleSum)?
        } else if !(size..=9 * size).contains(&sum.into()) {
            return Err(ImpossibleSum);
        } else if size > MAX_LOOSE_CELLS {
            return Ok(());
        } else {
            self.tables.any(sum.into())
        };
        if self.sums.len() < MAX_SUMS {
            // Two cells share at most two houses.
            let peers = self.layout.first_house(shared) | self.layout.first_house(shared & shared.wrapping_sub(1));
            if let Err(slot) = self.find(cells) {
                self.slots[slot] = self.sums.len() as u8 + 1;
            }
            self.sets[self.sums.len()] = cells;
            self.totals[self.sums.len()] = sum.into();
            self.sums.push(Sum::new(cells, sum, peers & !cells, tables));
        }
        Ok(())
    }

    /// Finds the sum of some cells. Returns its number, or as an error the slot for it if there is none.
    #[inline(always)]
    fn find(&self, cells: u128) -> Result<usize, usize> {
        let mixed = (cells as u64 ^ ((cells >> 64) as u64).rotate_left(41)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut slot = (mixed >> 40) as usize % SLOTS;
        loop {
            match usize::from(self.slots[slot]) {
                0 => return Err(slot),
                number if self.sets[(number - 1) % MAX_SUMS] == cells => return Ok(number - 1),
                _ => slot = (slot + 1) % SLOTS,
            }
        }
    }

    /// The houses of any of these cells, and the houses that all of them share.
    #[inline(always)]
    fn houses(&self, cells: u128) -> (u32, u32) {
        let (mut some, mut all, mut left) = (0, u32::MAX, cells);
        let mut add = |cells: u128| {
            let of_cell = self.layout.of_cell[cells.trailing_zeros() as usize];
            some |= of_cell;
            all &= of_cell;
        };
        // Few sums have more than four cells. For fewer, a loop of four steps avoids a branch that would often be
        // mispredicted.
        for _ in 0..4 {
            add(if left == 0 { cells } else { left });
            left &= left.wrapping_sub(1);
        }
        while left != 0 {
            add(left);
            left &= left - 1;
        }
        (some, all)
    }
}
