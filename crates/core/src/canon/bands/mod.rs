//! The least grids of solved sudokus of side 9, by the classes of their bands.
//!
//! 1. The first three rows of the least grid are the least that any of the six bands (three of rows, three of columns) can become:
//!    every map puts one of them on top, and the order of columns, of the three rows and the names can be chosen for that band.
//! 2. What a band can become depends on its class only, of which there are 416. The [`Tables`] have for each band its class and the
//!    orders of rows and columns that make it least: 1.24 on average.
//! 3. So only bands of the least class count, each with its few orders: 1.73 candidates a grid. Given one, columns and names are
//!    settled. The rows of another band must ascend, and so must the two bands: digits of the first column are different, so they
//!    decide.
//!
//! Bands are numbered for all boards of a batch side by side; then all candidates are listed; then each is looked at.

mod lower;
mod numbering;
mod tables;

use std::cmp::Ordering;
use std::hint::select_unpredictable;

use super::arrangement::{Arrangement, MOST, TRANSPOSED};
use super::form::Found;
use super::map::Map;
use crate::board::{BATCH, Side};
use crate::kernels::bytes16::{Bytes16, Bytes16Work};
use crate::kernels::cells9::Cells9;
use crate::kernels::{Kernel, ROW9};
use lower::LOWER;
use numbering::{BandKeys, Lane, NumberBands};
use tables::{ORDERS, Order, Tables, tables};

/// The digits of a board by cell.
pub(super) type Digits = Cells9;

/// Sixteen digits from the start of a row on: its nine, and what follows them.
#[inline(always)]
pub(super) fn row_of(digits: &Digits, row: u8) -> &[u8; 16] {
    let row = usize::from(row).min(8);
    digits[9 * row..].first_chunk().unwrap_or(&[0; 16])
}

/// A band that is of the least class of its board.
#[derive(Clone, Copy, Default)]
struct TopBand {
    board: u8,
    band: u8,
    number: usize,
    /// Of its orders the number of the first, and how many there are.
    orders: (u32, u32),
}

/// A way that may lead to the least grid: a band on top, and one of the orders that make it least.
#[derive(Clone, Copy, Default)]
struct Candidate {
    board: u8,
    band: u8,
    sorted: u8,
    /// By its number; then the order itself.
    order: u32,
}

/// A way with all that follows: cell (i, j) of the grid it makes is the name of cell (rows\[i\], columns\[j\]), of the transposed
/// grid if so.
#[derive(Clone, Copy)]
struct Way {
    /// The fourth row of that grid, as [`Way::row`]. The first three are the same for all ways of a board.
    fourth: u64,
    board: u8,
    transposed: bool,
    rows: [u8; 9],
    columns: [u8; 16],
    /// By digit; 0 stays 0.
    names: [u8; 16],
}

impl Way {
    fn map(&self) -> Map {
        let (mut rows, mut columns, mut digits) = ([0; MOST], [0; MOST], [0; MOST]);
        rows[..9].copy_from_slice(&self.rows);
        columns[..9].copy_from_slice(&self.columns[..9]);
        digits[..9].copy_from_slice(&self.names[1..10]);
        let flags = if self.transposed { TRANSPOSED } else { 0 };
        Map { side: 9, cells: Arrangement { flags, rows, columns }, digits }
    }

    /// The first sixteen digits from row `row` on of what it makes of a board, transposed if it is to be.
    #[inline(always)]
    fn digits<B: Bytes16>(&self, bytes: B, digits: &Digits, row: usize) -> [u8; 16] {
        let mut made = [0; 16];
        let picked = bytes.load(row_of(digits, self.rows[row])).pick(bytes.load(&self.columns));
        bytes.load(&self.names).pick(picked).store(&mut made);
        made
    }

    /// A row of what it makes of a grid as a number: eight digits, as the ninth follows from them.
    #[inline(always)]
    fn row<B: Bytes16>(&self, bytes: B, grid: &Digits, row: usize) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = self.digits(bytes, grid, row);
        u64::from_be_bytes([a, b, c, d, e, f, g, h])
    }

    /// A row of what it makes of clues as a number.
    #[inline(always)]
    fn clues<B: Bytes16>(&self, bytes: B, clues: &Digits, row: usize) -> u128 {
        u128::from_be_bytes(self.digits(bytes, clues, row)) >> (7 * 8)
    }
}

/// The search. It holds the memory for it.
pub(super) struct BandSearch {
    tables: &'static Tables,
    cells: Box<[Lane; ROW9]>,
    keys: Box<BandKeys>,
    /// The grids transposed.
    transposed: Box<[Digits; BATCH]>,
    tops: Vec<TopBand>,
    /// With room for more than there are.
    candidates: Vec<Candidate>,
    ways: Vec<Way>,
}

impl BandSearch {
    /// Makes the tables, if no other one has.
    pub(super) fn new() -> Self {
        Self {
            tables: tables(),
            cells: Box::new([[0; BATCH]; ROW9]),
            keys: Box::new(BandKeys::NONE),
            transposed: Box::new([[0; ROW9]; BATCH]),
            tops: Vec::new(),
            candidates: Vec::new(),
            ways: Vec::new(),
        }
    }

    /// Looks at the bands of boards. A bit for each board that obeys the rules.
    pub(super) fn number(&mut self, kernel: &Kernel, grids: &[Digits; BATCH]) -> u64 {
        kernel.by_cell(grids, &mut self.cells);
        kernel.run(NumberBands { cells: &self.cells, keys: &mut self.keys })
    }

    /// Of the boards whose bits are set in `boards`, all of those numbered and found to obey the rules: the maps that carry their
    /// grids to the least ones and their clues to the least clues that any such map makes.
    pub(super) fn least(
        &mut self,
        kernel: &Kernel,
        boards: u64,
        grids: &[Digits],
        clues: &[Digits],
        found: impl FnMut(usize, Found),
    ) {
        kernel.run_bytes16(LeastGrids { search: self, boards, grids, clues, found });
    }

    /// Lists the candidates of boards, and returns how many. There is no branch that depends on classes, for it would be guessed wrong;
    /// and look-ups in the large tables have loops of their own, in which many of them can be waited for at once.
    #[inline(always)]
    fn list(&mut self, boards: u64) -> usize {
        let Self { tables, keys, tops, candidates, .. } = self;
        let BandKeys { top, second, middle, right, sorted } = &**keys;
        let mut numbers = [[0; 6]; BATCH];
        for (board, numbers) in numbers.iter_mut().enumerate().filter(|(board, _)| boards >> board & 1 == 1) {
            for (band, number) in numbers.iter_mut().enumerate() {
                *number =
                    tables.number([top[band][board], second[band][board], middle[band][board], right[band][board]]);
            }
        }
        tops.resize(6 * (BATCH + 1), TopBand::default());
        let mut end = 0;
        for (board, numbers) in numbers.iter().enumerate().filter(|(board, _)| boards >> board & 1 == 1) {
            let (mut classes, mut least) = ([0; 6], u16::MAX);
            for (class, number) in classes.iter_mut().zip(numbers) {
                *class = tables.class(*number);
                least = least.min(*class);
            }
            for (band, (&number, class)) in numbers.iter().zip(classes).enumerate() {
                tops[end] = TopBand { board: board as u8, band: band as u8, number, orders: (0, 0) };
                end += usize::from(class == least);
            }
        }
        let (tops, mut end) = (&mut tops[..end], 0);
        for top in &mut *tops {
            top.orders = tables.orders(top.number);
        }
        for &TopBand { board, band, orders: (first, count), .. } in &*tops {
            let sorted = sorted[usize::from(band)][usize::from(board)];
            let next = end + count as usize;
            if candidates.len() < next + 2 {
                candidates.resize(2 * (next + 2), Candidate::default());
            }
            // Two are written whatever the count; more are rare.
            for k in 0..2 {
                candidates[end + k] = Candidate { board, band, sorted, order: first + k as u32 };
            }
            for k in 2..count as usize {
                candidates[end + k] = Candidate { board, band, sorted, order: first + k as u32 };
            }
            end = next;
        }
        for candidate in &mut candidates[..end] {
            candidate.order = tables.order(candidate.order).into();
        }
        end
    }
}

/// Looks at the candidates.
struct LeastGrids<'a, F> {
    search: &'a mut BandSearch,
    boards: u64,
    grids: &'a [Digits],
    clues: &'a [Digits],
    found: F,
}

impl<F: FnMut(usize, Found)> Bytes16Work for LeastGrids<'_, F> {
    type Done = ();

    #[inline(always)]
    fn run<B: Bytes16>(mut self, bytes: B) {
        let candidates = self.search.list(self.boards);
        // Without a branch that depends on the grids; what is compared then is at hand.
        let BandSearch { tables, candidates: all, ways, transposed, .. } = &mut *self.search;
        ways.clear();
        let mut rest = self.boards;
        while rest != 0 {
            let board = rest.trailing_zeros() as usize % BATCH;
            rest &= rest - 1;
            transposed[board] = bytes.transposed(&self.grids[board]);
        }
        let (mut least, mut best_of, mut ties) = ([u64::MAX; BATCH], [0; BATCH], 0);
        for candidate in &all[..candidates] {
            let board = usize::from(candidate.board) % BATCH;
            let (grid, turned) = (&self.grids[board], &transposed[board]);
            let (grid, turned) = if candidate.band < 3 { (grid, turned) } else { (turned, grid) };
            let way = complete(bytes, tables, (grid, turned), candidate);
            let is_less = way.fourth < least[board];
            ties |= u64::from(way.fourth == least[board]) << board;
            best_of[board] = select_unpredictable(is_less, ways.len(), best_of[board]);
            least[board] = select_unpredictable(is_less, way.fourth, least[board]);
            ways.push(way);
        }
        let mut rest = self.boards;
        while rest != 0 {
            let board = rest.trailing_zeros() as usize % BATCH;
            rest &= rest - 1;
            let found = if ties >> board & 1 == 0 {
                Found { map: ways[best_of[board]].map(), automorphisms: 1, grid_automorphisms: Some(1) }
            } else {
                let first = ways.partition_point(|way| usize::from(way.board) < board);
                let after = ways.partition_point(|way| usize::from(way.board) <= board);
                let ways = &ways[first..after];
                best(bytes, ways, &self.grids[board], &transposed[board], &self.clues[board])
            };
            (self.found)(board, found);
        }
    }
}

/// The least grid that some ways make, and then the least clues.
#[inline(always)]
fn best<B: Bytes16>(bytes: B, ways: &[Way], grid: &Digits, transposed: &Digits, clues: &Digits) -> Found {
    let rest = |way: &Way| -> [u64; 5] {
        let grid = if way.transposed { transposed } else { grid };
        [4, 5, 6, 7, 8].map(|row| way.row(bytes, grid, row))
    };
    let (mut least, mut ties) = (&ways[0], 1);
    for way in &ways[1..] {
        let order = way.fourth.cmp(&least.fourth);
        match order.then_with(|| rest(way).cmp(&rest(least))) {
            Ordering::Less => (least, ties) = (way, 1),
            Ordering::Equal => ties += 1,
            Ordering::Greater => {}
        }
    }
    if ties == 1 {
        return Found { map: least.map(), automorphisms: 1, grid_automorphisms: Some(1) };
    }
    let grid_rest = rest(least);
    let ways = ways.iter().filter(|way| way.fourth == least.fourth && rest(way) == grid_rest);
    let turned = bytes.transposed(clues);
    let (mut least, mut map, mut automorphisms) = ([u128::MAX; 9], Map::identity(Side::NINE), 0);
    for way in ways {
        let clues = if way.transposed { &turned } else { clues };
        let carried: [u128; 9] = std::array::from_fn(|row| way.clues(bytes, clues, row));
        if carried < least {
            (least, map, automorphisms) = (carried, way.map(), 1);
        } else if carried == least {
            automorphisms += 1;
        }
    }
    Found { map, automorphisms, grid_automorphisms: Some(ties) }
}

/// The columns, names and rows that follow from a candidate, for a grid and the same one turned.
#[inline(always)]
fn complete<B: Bytes16>(bytes: B, tables: &Tables, (grid, turned): (&Digits, &Digits), candidate: &Candidate) -> Way {
    let (row_order, sorted, columns) = tables.columns(candidate.sorted, candidate.order as Order);
    let columns = bytes.load(sorted).pick(bytes.load(columns));
    let band = candidate.band % 3;
    let [a, b, c] = ORDERS[row_order % 6].map(|row| 3 * band + row);
    let names = bytes.load(row_of(grid, a)).pick(columns).inverse();
    let mut way = Way {
        fourth: 0,
        board: candidate.board,
        transposed: candidate.band >= 3,
        rows: [0; 9],
        columns: [0; 16],
        names: [0; 16],
    };
    columns.store(&mut way.columns);
    names.store(&mut way.names);
    let heads = names.pick(bytes.load(row_of(turned, way.columns[0])));
    let [d, e, f, g, h, i] = LOWER[usize::from(band)].rows(bytes, heads);
    way.rows = [a, b, c, d, e, f, g, h, i];
    way.fourth = way.row(bytes, grid, 3);
    way
}
