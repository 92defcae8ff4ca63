//! The sums of a board: its cages, and what cages say together. The digits of a house add up to 45; so the cells of a few houses
//! that the cages inside leave over have a sum, and so have those by which the cages that touch them stick out.

use super::layout::Layout;
use super::sums::{MOST, Sum};
use super::tables::Tables;
use crate::kernels::houses9::Grid9;

/// Cells at most for which a sum of what is left over says enough to be worth its time,
const MOST_CELLS: u32 = 4;

/// and of cells that may be equal, since no house holds them all.
const MOST_LOOSE: u32 = 3;

/// Rows or columns side by side, at most.
const MOST_LINES: usize = 4;

/// Some cages together.
#[derive(Clone, Copy)]
struct Cages {
    cells: u128,
    sum: i32,
}

impl Cages {
    const NONE: Self = Self { cells: 0, sum: 0 };

    #[inline(always)]
    fn add(&mut self, other: Self) {
        self.cells |= other.cells;
        self.sum += other.sum;
    }
}

/// A sum cannot be.
pub(super) struct Contradiction;

/// The cages of a board by where they are.
struct Spread {
    /// In rows, and in columns: for up to four lines side by side, how many after the first, by their first one.
    lines: [[[Cages; 9]; MOST_LINES]; 2],
    /// By their first row, and column, and by their last one.
    from: [[Cages; 9]; 2],
    to: [[Cages; 9]; 2],
    /// Those that lie in a region,
    inside: [Cages; 9],
    /// and those that touch it.
    touching: [Cages; 9],
    all: Cages,
}

/// The sums of a board in the making.
pub(super) struct Totals<'a> {
    layout: &'a Layout,
    tables: &'static Tables,
    /// Sums of one cell decide it here.
    grid: &'a mut Grid9,
    spread: Spread,
    sums: &'a mut Vec<Sum>,
    /// The cells of each sum.
    sets: [u128; MOST],
    totals: [i32; MOST],
    /// The number of a sum after one, by a hash of its cells.
    places: [u8; PLACES],
}

/// Places for numbers of sums, a power of two. A quarter of them are filled at most.
const PLACES: usize = 4 * MOST;

impl<'a> Totals<'a> {
    /// No cage yet; `sums` becomes the sums of the board.
    #[inline(always)]
    pub(super) fn new(
        layout: &'a Layout,
        tables: &'static Tables,
        grid: &'a mut Grid9,
        sums: &'a mut Vec<Sum>,
    ) -> Self {
        sums.clear();
        let spread = Spread {
            lines: [[[Cages::NONE; 9]; MOST_LINES]; 2],
            from: [[Cages::NONE; 9]; 2],
            to: [[Cages::NONE; 9]; 2],
            inside: [Cages::NONE; 9],
            touching: [Cages::NONE; 9],
            all: Cages::NONE,
        };
        Self { layout, tables, grid, spread, sums, sets: [0; MOST], totals: [0; MOST], places: [0; PLACES] }
    }

    /// Adds a cage.
    #[inline(always)]
    pub(super) fn add_cage(&mut self, cells: u128, sum: u16) -> Result<(), Contradiction> {
        let cage = Cages { cells, sum: sum.into() };
        let (touched, shared) = self.houses(cells);
        for way in 0..2 {
            let of_way = touched >> (9 * way) & 0x1FF;
            let (first, last) = (of_way.trailing_zeros() as usize, 31 - of_way.leading_zeros() as usize);
            if let Some(lines) = self.spread.lines[way].get_mut(last - first) {
                lines[first].add(cage);
            }
            self.spread.from[way][first].add(cage);
            self.spread.to[way][last].add(cage);
        }
        let mut regions = touched >> 18;
        if regions & (regions - 1) == 0 {
            self.spread.inside[regions.trailing_zeros() as usize].add(cage);
        }
        while regions != 0 {
            self.spread.touching[regions.trailing_zeros() as usize].add(cage);
            regions &= regions - 1;
        }
        self.spread.all.add(cage);
        self.add(cells, cage.sum, shared, true)
    }

    /// Adds what the cages say together.
    #[inline(always)]
    pub(super) fn add_rests(&mut self) -> Result<(), Contradiction> {
        for way in 0..2 {
            self.add_rests_of_lines(way)?;
        }
        for region in 0..9 {
            let area = self.layout.houses[18 + region];
            self.add_rests_of(area, 45, self.spread.inside[region], self.spread.touching[region])?;
        }
        Ok(())
    }

    /// What is left over in rows (or columns) side by side.
    #[inline(always)]
    fn add_rests_of_lines(&mut self, way: usize) -> Result<(), Contradiction> {
        let all = self.spread.all;
        // The cages that end before a line, and that begin at or after it.
        let (mut before, mut after) = ([Cages::NONE; 10], [Cages::NONE; 10]);
        for line in 0..9 {
            before[line + 1] = before[line];
            before[line + 1].add(self.spread.to[way][line]);
            after[8 - line] = after[9 - line];
            after[8 - line].add(self.spread.from[way][8 - line]);
        }
        // What lies within one line less, and two, by the first one.
        let (mut shorter, mut still_shorter) = ([Cages::NONE; 10], [Cages::NONE; 10]);
        for count in 1..=MOST_LINES {
            let mut area = (0..count).fold(0, |area, line| area | self.layout.houses[9 * way + line]);
            let mut within = [Cages::NONE; 10];
            for first in 0..=9 - count {
                let end = first + count;
                let mut inside = self.spread.lines[way][count - 1][first];
                inside.add(shorter[first + 1]);
                inside.add(shorter[first]);
                inside.sum -= still_shorter[first + 1].sum;
                within[first] = inside;
                let (past, coming) = (before[first], after[end]);
                let cells = all.cells & !(past.cells | coming.cells);
                let touching = Cages { cells, sum: all.sum - past.sum - coming.sum };
                self.add_rests_of(area, 45 * count as i32, inside, touching)?;
                area <<= if way == 0 { 9 } else { 1 };
            }
            (shorter, still_shorter) = (within, shorter);
        }
        Ok(())
    }

    /// What is left over in an area by the cages inside, and outside it by those that touch it.
    #[inline(always)]
    fn add_rests_of(&mut self, area: u128, total: i32, inside: Cages, touching: Cages) -> Result<(), Contradiction> {
        self.add_rest(area & !inside.cells, total - inside.sum)?;
        self.add_rest(touching.cells & !area, touching.sum - total)
    }

    #[inline(always)]
    fn add_rest(&mut self, cells: u128, sum: i32) -> Result<(), Contradiction> {
        let size = cells.count_ones();
        if size > MOST_CELLS {
            return if sum < 0 { Err(Contradiction) } else { Ok(()) };
        }
        if size == 0 || sum <= 0 {
            return if size == 0 && sum == 0 { Ok(()) } else { Err(Contradiction) };
        }
        if let Ok(known) = self.find(cells) {
            return if self.totals[known] == sum { Ok(()) } else { Err(Contradiction) };
        }
        let (_, shared) = self.houses(cells);
        self.add(cells, sum, shared, false)
    }

    /// Adds a sum of cells that share these houses.
    #[inline(always)]
    fn add(&mut self, cells: u128, sum: i32, shared: u32, is_cage: bool) -> Result<(), Contradiction> {
        let size = cells.count_ones();
        let sum = u8::try_from(sum).map_err(|_| Contradiction)?;
        if size == 1 {
            let digit = if (1..=9).contains(&sum) { 1 << (sum - 1) } else { 0 };
            let mask = &mut self.grid.0[cells.trailing_zeros() as usize];
            *mask &= digit;
            return if *mask == 0 { Err(Contradiction) } else { Ok(()) };
        }
        let tables = if is_cage || shared != 0 {
            self.tables.different(size as usize, sum.into()).ok_or(Contradiction)?
        } else if !(size..=9 * size).contains(&sum.into()) {
            return Err(Contradiction);
        } else if size > MOST_LOOSE {
            return Ok(());
        } else {
            self.tables.any(sum.into())
        };
        if self.sums.len() < MOST {
            // Two cells share no more than two houses.
            let outside = self.layout.first_house(shared) | self.layout.first_house(shared & shared.wrapping_sub(1));
            if let Err(place) = self.find(cells) {
                self.places[place] = self.sums.len() as u8 + 1;
            }
            self.sets[self.sums.len()] = cells;
            self.totals[self.sums.len()] = sum.into();
            self.sums.push(Sum::new(cells, sum, outside & !cells, tables));
        }
        Ok(())
    }

    /// The number of the sum of these cells; or the place for it.
    #[inline(always)]
    fn find(&self, cells: u128) -> Result<usize, usize> {
        let mixed = (cells as u64 ^ ((cells >> 64) as u64).rotate_left(41)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut place = (mixed >> 40) as usize % PLACES;
        loop {
            match usize::from(self.places[place]) {
                0 => return Err(place),
                number if self.sets[(number - 1) % MOST] == cells => return Ok(number - 1),
                _ => place = (place + 1) % PLACES,
            }
        }
    }

    /// The houses that some of these cells are in, and those that all are in.
    #[inline(always)]
    fn houses(&self, cells: u128) -> (u32, u32) {
        let (mut some, mut all, mut left) = (0, u32::MAX, cells);
        let mut add = |cells: u128| {
            let of_cell = self.layout.of_cell[cells.trailing_zeros() as usize];
            some |= of_cell;
            all &= of_cell;
        };
        // Few have more than four, and how many less cannot be guessed.
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
