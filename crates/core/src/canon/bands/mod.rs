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

mod numbering;
mod tables;

use std::cmp::Ordering;

use super::arrangement::{Arrangement, MOST, TRANSPOSED};
use super::form::Found;
use super::map::Map;
use crate::board::{BATCH, Side};
use crate::kernels::bytes16::{Bytes16, Bytes16Work};
use crate::kernels::{Kernel, ROW9};
use numbering::{BandKeys, NumberBands, exchange, order_of};
use tables::{BandOrders, ORDERS, Tables, tables};

/// The digits of a board by cell; what follows the last cell is unspecified.
pub(super) type Digits = [u8; ROW9];

/// Sixteen digits from the start of a row on: its nine, and what follows them.
#[inline(always)]
pub(super) fn row_of(digits: &Digits, row: u8) -> &[u8; 16] {
    let row = usize::from(row).min(8);
    digits[9 * row..].first_chunk().unwrap_or(&[0; 16])
}

/// Rows for columns.
#[inline(always)]
pub(super) fn transposed(digits: &Digits) -> Digits {
    let mut turned = [0; ROW9];
    // Eight rows of eight as words; and the last row and column.
    let mut words = [0; 8];
    for (word, row) in words.iter_mut().zip(digits.as_chunks::<9>().0) {
        *word = u64::from_le_bytes([row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7]]);
    }
    exchange(&mut words);
    for (row, word) in words.iter().enumerate() {
        turned[9 * row..9 * row + 8].copy_from_slice(&word.to_le_bytes());
        turned[9 * row + 8] = digits[72 + row];
        turned[72 + row] = digits[9 * row + 8];
    }
    turned[80] = digits[80];
    turned
}

/// A way that may lead to the least grid: a band on top, and one of the orders that make it least.
#[derive(Clone, Copy)]
struct Candidate {
    board: u8,
    band: u8,
    sorted: u8,
    /// By its number.
    order: u32,
}

/// A way with all that follows: cell (i, j) of the grid it makes is the name of cell (rows\[i\], columns\[j\]), of the transposed
/// grid if so.
#[derive(Clone, Copy)]
struct Way {
    /// The fourth row of that grid, as a number. The first three are the same for all ways of a board.
    fourth: u128,
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

    /// Row `row` of what it makes of a board, transposed if it is to be, as a number.
    #[inline(always)]
    fn row<B: Bytes16>(&self, bytes: B, digits: &Digits, row: usize) -> u128 {
        let mut made = [0; 16];
        let picked = bytes.load(row_of(digits, self.rows[row])).pick(bytes.load(&self.columns));
        bytes.load(&self.names).pick(picked).store(&mut made);
        u128::from_be_bytes(made) >> (7 * 8)
    }
}

/// The search. It holds the memory for it.
pub(super) struct BandSearch {
    tables: &'static Tables,
    keys: Box<BandKeys>,
    /// The grids transposed.
    transposed: Box<[Digits; BATCH]>,
    candidates: Vec<Candidate>,
    ways: Vec<Way>,
}

impl BandSearch {
    /// Makes the tables, if no other one has.
    pub(super) fn new() -> Self {
        Self {
            tables: tables(),
            keys: Box::new(BandKeys::NONE),
            transposed: Box::new([[0; ROW9]; BATCH]),
            candidates: Vec::new(),
            ways: Vec::new(),
        }
    }

    /// Looks at the bands of boards, at most [`BATCH`]. A bit for each board that obeys the rules.
    pub(super) fn number(&mut self, kernel: &Kernel, grids: &[Digits]) -> u64 {
        kernel.run(NumberBands { rows: grids, keys: &mut self.keys, transposed: &mut self.transposed })
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

    /// Lists the candidates of a board. There is no branch that depends on its class, for it would be guessed wrong.
    #[inline(always)]
    fn list(&mut self, board: usize) {
        let board = board % BATCH;
        let (mut orders, mut least) = ([BandOrders::NONE; 6], BandOrders::NONE);
        for band in 0..6 {
            let BandKeys { top, second, middle, right, .. } = &*self.keys;
            orders[band] =
                self.tables.band([top[band][board], second[band][board], middle[band][board], right[band][board]]);
            least = least.min(orders[band]);
        }
        for (band, orders) in orders.iter().enumerate() {
            let (first, count) = (orders.first(), orders.count());
            let sorted = self.keys.sorted[band][board];
            let candidate = |order| Candidate { board: board as u8, band: band as u8, sorted, order };
            let end = self.candidates.len() + if orders.class() == least.class() { count as usize } else { 0 };
            // Two are written whatever the count; more are rare.
            self.candidates.extend_from_slice(&[candidate(first), candidate(first + 1)]);
            if count > 2 {
                self.candidates.extend((first + 2..first + count).map(candidate));
            }
            self.candidates.truncate(end);
        }
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
        self.search.candidates.clear();
        let mut rest = self.boards;
        while rest != 0 {
            self.search.list(rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
        // Without a branch that depends on the grids; what is compared then is at hand.
        let BandSearch { tables, candidates, ways, transposed, .. } = &mut *self.search;
        ways.clear();
        for candidate in candidates.iter() {
            let board = usize::from(candidate.board) % BATCH;
            let grid = if candidate.band < 3 { &self.grids[board] } else { &transposed[board] };
            let mut way = complete(bytes, tables, grid, candidate);
            way.fourth = way.row(bytes, grid, 3);
            ways.push(way);
        }
        let mut rest = &ways[..];
        while let Some(first) = rest.first() {
            let board = usize::from(first.board) % BATCH;
            let of_board = rest.iter().take_while(|way| way.board == first.board).count();
            let (ways, others) = rest.split_at(of_board);
            rest = others;
            let clues = &self.clues[board];
            (self.found)(
                board,
                match ways {
                    [way] => Found { map: way.map(), automorphisms: 1, grid_automorphisms: Some(1) },
                    _ => best(bytes, ways, &self.grids[board], &transposed[board], clues),
                },
            );
        }
    }
}

/// The least grid that some ways make, and then the least clues.
#[inline(always)]
fn best<B: Bytes16>(bytes: B, ways: &[Way], grid: &Digits, transposed: &Digits, clues: &Digits) -> Found {
    let rest = |way: &Way| -> [u128; 5] {
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
    let turned = self::transposed(clues);
    let (mut least, mut map, mut automorphisms) = ([u128::MAX; 9], Map::identity(Side::NINE), 0);
    for way in ways {
        let clues = if way.transposed { &turned } else { clues };
        let carried: [u128; 9] = std::array::from_fn(|row| way.row(bytes, clues, row));
        if carried < least {
            (least, map, automorphisms) = (carried, way.map(), 1);
        } else if carried == least {
            automorphisms += 1;
        }
    }
    Found { map, automorphisms, grid_automorphisms: Some(ties) }
}

/// The columns, names and rows that follow from a candidate.
#[inline(always)]
fn complete<B: Bytes16>(bytes: B, tables: &Tables, grid: &Digits, candidate: &Candidate) -> Way {
    let (row_order, sorted, columns) = tables.order(candidate.sorted, candidate.order);
    let columns = bytes.load(sorted).pick(bytes.load(columns));
    let band = candidate.band % 3;
    let mut way = Way {
        fourth: 0,
        board: candidate.board,
        transposed: candidate.band >= 3,
        rows: [0; 9],
        columns: [0; 16],
        names: [0; 16],
    };
    columns.store(&mut way.columns);
    for (row, order) in way.rows.iter_mut().zip(ORDERS[row_order]) {
        *row = 3 * band + order;
    }
    let mut digits = [0; 16];
    bytes.load(row_of(grid, way.rows[0])).pick(columns).store(&mut digits);
    for (digit, name) in digits.iter().zip(1..10) {
        way.names[usize::from(digit & 15)] = name;
    }
    let next = NEXT[usize::from(band)];
    let (first, one) = lower(grid, &way, next);
    let (second, other) = lower(grid, &way, NEXT[usize::from(next)]);
    let (one, other) = if first < second { (one, other) } else { (other, one) };
    way.rows[3..6].copy_from_slice(&one);
    way.rows[6..9].copy_from_slice(&other);
    way
}

/// The least digit that a way makes of a band's first column, and the rows of the band in the order of these digits.
#[inline(always)]
fn lower(grid: &Digits, way: &Way, band: u8) -> (u8, [u8; 3]) {
    let head = |row: u8| way.names[usize::from(row_of(grid, row)[usize::from(way.columns[0] & 15)] & 15)];
    let (a, b, c) = (head(3 * band), head(3 * band + 1), head(3 * band + 2));
    let [first, second, third] = ASCENDING[usize::from(order_of(a, b, c)) % 6];
    (a.min(b).min(c), [3 * band + first, 3 * band + second, 3 * band + third])
}

/// The band that comes after a band, around.
const NEXT: [u8; 3] = [1, 2, 0];

/// By the order in which three values stand: which comes first, second, third.
const ASCENDING: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0]];
