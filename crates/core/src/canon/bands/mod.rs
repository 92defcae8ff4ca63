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

use std::hint::select_unpredictable;

use super::arrangement::{MOST, TRANSPOSED};
use super::form::Found;
use super::map::Map;
use crate::board::BATCH;
use crate::kernels::bytes16::{Bytes16, Bytes16Task, row_of};
use crate::kernels::cells9::Cells9;
use crate::kernels::{Kernel, ROW9, bits};
use lower::LOWER;
use numbering::{Lane, NumberBands, NumberedBands};
use tables::{ORDERS, Order, Tables, tables};

/// The digits of a board by cell.
pub(super) type Digits = Cells9;

/// A way that may lead to the least grid: a band on top, and one of the orders that make it least.
#[derive(Clone, Copy, Default)]
struct Candidate {
    board: u8,
    band: u8,
    sorted: u8,
    order: Order,
}

/// A way as far as the first four rows of the grid it makes need it: cell (i, j) of that is the name of cell (row i, columns\[j\]), of
/// the transposed grid if the band on top is one of columns.
#[derive(Clone, Copy)]
struct Way {
    /// The fourth row of that grid, as [`Whole::row`]. The first three are the same for all ways of a board.
    fourth: u64,
    board: u8,
    band: u8,
    /// The order of the three rows on top.
    row_order: u8,
    columns: [u8; 16],
    /// By digit; 0 stays 0.
    names: [u8; 16],
}

/// A way with all nine rows.
#[derive(Clone, Copy)]
struct Whole<'w> {
    way: &'w Way,
    rows: [u8; 9],
}

impl Way {
    /// Whether it is of the transposed grid.
    #[inline(always)]
    fn is_transposed(&self) -> bool {
        self.band >= 3
    }

    /// The same with all rows. `turned` is the grid with columns for the rows of this way.
    #[inline(always)]
    fn whole<B: Bytes16>(&self, bytes: B, turned: &Digits) -> Whole<'_> {
        let heads = bytes.load(&self.names).pick(bytes.load(row_of(turned, self.columns[0])));
        let [a, b, c] = top_rows(self.band, self.row_order.into());
        let [d, e, f, g, h, i] = LOWER[usize::from(self.band % 3)].rows(bytes, heads);
        Whole { way: self, rows: [a, b, c, d, e, f, g, h, i] }
    }
}

/// Takes what is found, in the order of boards.
pub(super) trait Finds {
    /// What is found of a board.
    fn take<B: Bytes16>(&mut self, bytes: B, board: usize, least: &Least);
}

/// Has a function take what is found.
pub(super) struct Each<F>(pub(super) F);

impl<F: FnMut(usize, &Least<'_>)> Finds for Each<F> {
    #[inline(always)]
    fn take<B: Bytes16>(&mut self, _: B, board: usize, least: &Least<'_>) {
        (self.0)(board, least);
    }
}

/// What makes a board its canonical form.
pub(super) struct Least<'w> {
    whole: Whole<'w>,
    automorphisms: u64,
    grid_automorphisms: u64,
}

impl Least<'_> {
    /// What it makes of the clues of its board.
    #[inline(always)]
    pub(super) fn moved<B: Bytes16>(&self, bytes: B, clues: &Digits) -> Digits {
        let Whole { way, rows: nine } = &self.whole;
        let mut rows = [0; 16];
        rows[..9].copy_from_slice(nine);
        bytes.moved(clues, way.is_transposed(), &rows, bytes.load(&way.columns), bytes.load(&way.names))
    }

    /// Writes it where it is to stay: it is no small thing to be moved.
    #[inline(always)]
    pub(super) fn write(&self, to: &mut Found) {
        let Whole { way, rows } = &self.whole;
        let Map { side, cells, digits } = &mut to.map;
        (*side, cells.flags) = (9, if way.is_transposed() { TRANSPOSED } else { 0 });
        for (lines, nine) in
            [(&mut cells.rows, &rows[..]), (&mut cells.columns, &way.columns), (digits, &way.names[1..])]
        {
            *lines = [0; MOST];
            lines[..9].copy_from_slice(&nine[..9]);
        }
        (to.automorphisms, to.grid_automorphisms) = (self.automorphisms, Some(self.grid_automorphisms));
    }
}

impl Whole<'_> {
    /// The first sixteen digits from row `row` on of what it makes of a board, transposed if it is to be.
    #[inline(always)]
    fn digits<B: Bytes16>(&self, bytes: B, digits: &Digits, row: usize) -> [u8; 16] {
        let mut made = [0; 16];
        let picked = bytes.load(row_of(digits, self.rows[row])).pick(bytes.load(&self.way.columns));
        bytes.load(&self.way.names).pick(picked).store(&mut made);
        made
    }

    /// A row of what it makes of a grid as a number.
    #[inline(always)]
    fn row<B: Bytes16>(&self, bytes: B, grid: &Digits, row: usize) -> u64 {
        as_number(self.digits(bytes, grid, row))
    }

    /// A row of what it makes of clues as a number.
    #[inline(always)]
    fn clues<B: Bytes16>(&self, bytes: B, clues: &Digits, row: usize) -> u128 {
        u128::from_be_bytes(self.digits(bytes, clues, row)) >> (7 * 8)
    }
}

/// A row of a grid as a number: eight digits, as the ninth follows from them.
#[inline(always)]
fn as_number([a, b, c, d, e, f, g, h, ..]: [u8; 16]) -> u64 {
    u64::from_be_bytes([a, b, c, d, e, f, g, h])
}

/// The rows of a band in an order.
#[inline(always)]
fn top_rows(band: u8, order: usize) -> [u8; 3] {
    ORDERS[order % 6].map(|row| 3 * (band % 3) + row)
}

/// The search. It holds the memory for it.
pub(super) struct BandSearch {
    tables: &'static Tables,
    cells: Box<[Lane; ROW9]>,
    numbered: Box<NumberedBands>,
    /// The grids transposed.
    transposed: Box<[Digits; BATCH]>,
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
            numbered: Box::new(NumberedBands::NONE),
            transposed: Box::new([[0; ROW9]; BATCH]),
            candidates: Vec::new(),
            ways: Vec::new(),
        }
    }

    /// Looks at the bands of boards. A bit for each board that obeys the rules.
    pub(super) fn number(&mut self, kernel: &Kernel, grids: &[Digits; BATCH]) -> u64 {
        kernel.by_cell(grids, &mut self.cells);
        let Self { tables, cells, numbered, .. } = self;
        kernel.run(NumberBands { tables, cells, numbered })
    }

    /// Of the boards whose bits are set in `boards`, all of those numbered and found to obey the rules: the maps that carry their
    /// grids to the least ones and their clues to the least clues that any such map makes.
    pub(super) fn least(
        &mut self,
        kernel: &Kernel,
        boards: u64,
        grids: &[Digits],
        clues: &[Digits],
        found: impl Finds,
    ) {
        kernel.run_bytes16(LeastGrids { search: self, boards, grids, clues, found });
    }

    /// Lists the candidates of boards, band by band, and returns how many. There is no branch that depends on classes, for it would be
    /// guessed wrong; and look-ups in the large tables have a loop of their own, in which many of them can be waited for at once.
    #[inline(always)]
    fn list(&mut self, boards: u64) -> usize {
        let Self { tables, numbered, candidates, .. } = self;
        let NumberedBands { orders, sorted, least } = &**numbered;
        let mut end = 0;
        for (band, ((orders, sorted), least)) in (0..).zip(orders.iter().zip(sorted).zip(least)) {
            for board in bits(boards & least) {
                let (orders, sorted) = (orders[board], sorted[board]);
                let next = end + orders.count();
                if candidates.len() < next + 2 {
                    candidates.resize(2 * (next + 2), Candidate::default());
                }
                let candidate = |k| Candidate { board: board as u8, band, sorted, order: tables.order(orders, k) };
                // Two are written whatever the count; more are rare.
                for k in 0..2 {
                    candidates[end + k] = candidate(k);
                }
                for k in 2..orders.count() {
                    candidates[end + k] = candidate(k);
                }
                end = next;
            }
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

impl<F: Finds> Bytes16Task for LeastGrids<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<B: Bytes16>(mut self, bytes: B) {
        let candidates = self.search.list(self.boards);
        // Without a branch that depends on the grids; what is compared then is at hand.
        let BandSearch { tables, candidates: all, ways, transposed, .. } = &mut *self.search;
        ways.clear();
        for board in bits(self.boards) {
            transposed[board] = bytes.transposed(&self.grids[board]);
        }
        let (mut least, mut best_of, mut ties) = ([u64::MAX; BATCH], [0; BATCH], 0);
        for candidate in &all[..candidates] {
            let board = usize::from(candidate.board) % BATCH;
            let (grid, turned) = sides(candidate.band, &self.grids[board], &transposed[board]);
            let way = complete(bytes, tables, (grid, turned), candidate);
            let is_less = way.fourth < least[board];
            ties |= u64::from(way.fourth == least[board]) << board;
            best_of[board] = select_unpredictable(is_less, ways.len(), best_of[board]);
            least[board] = select_unpredictable(is_less, way.fourth, least[board]);
            ways.push(way);
        }
        for board in bits(self.boards) {
            let (grid, transposed) = (&self.grids[board], &transposed[board]);
            let least = if ties >> board & 1 == 0 {
                let way = &ways[best_of[board]];
                let whole = way.whole(bytes, sides(way.band, grid, transposed).1);
                Some(Least { whole, automorphisms: 1, grid_automorphisms: 1 })
            } else {
                let tied = |way: &&Way| usize::from(way.board) == board && way.fourth == least[board];
                best(bytes, ways.iter().filter(tied), (grid, transposed), &self.clues[board])
            };
            if let Some(least) = least {
                self.found.take(bytes, board, &least);
            }
        }
    }
}

/// The grid in which a band is one of rows, and the same with columns for these.
#[inline(always)]
fn sides<'g>(band: u8, grid: &'g Digits, transposed: &'g Digits) -> (&'g Digits, &'g Digits) {
    if band < 3 { (grid, transposed) } else { (transposed, grid) }
}

/// The least grid that some ways with the same fourth row make, and then the least clues.
#[inline(always)]
fn best<'w, B: Bytes16>(
    bytes: B,
    ways: impl Iterator<Item = &'w Way>,
    (grid, transposed): (&Digits, &Digits),
    clues: &Digits,
) -> Option<Least<'w>> {
    let turned_clues = bytes.transposed(clues);
    let (mut least, mut least_rows, mut least_clues) = (None, [u64::MAX; 5], [u128::MAX; 9]);
    for way in ways {
        let (grid, turned) = sides(way.band, grid, transposed);
        let whole = way.whole(bytes, turned);
        let rows = [4, 5, 6, 7, 8].map(|row| whole.row(bytes, grid, row));
        let clues = if way.is_transposed() { &turned_clues } else { clues };
        let clues: [u128; 9] = std::array::from_fn(|row| whole.clues(bytes, clues, row));
        match &mut least {
            Some(Least { grid_automorphisms, automorphisms, .. }) if rows == least_rows && clues >= least_clues => {
                *grid_automorphisms += 1;
                *automorphisms += u64::from(clues == least_clues);
            }
            Some(_) if rows > least_rows => {}
            least => {
                let ties = least.as_ref().filter(|_| rows == least_rows).map_or(0, |least| least.grid_automorphisms);
                *least = Some(Least { whole, automorphisms: 1, grid_automorphisms: ties + 1 });
                (least_rows, least_clues) = (rows, clues);
            }
        }
    }
    least
}

/// The columns and names that follow from a candidate, for a grid and the same one turned; and the fourth row.
#[inline(always)]
fn complete<B: Bytes16>(bytes: B, tables: &Tables, (grid, turned): (&Digits, &Digits), candidate: &Candidate) -> Way {
    let (row_order, sorted, columns) = tables.columns(candidate.sorted, candidate.order);
    let columns = bytes.load(sorted).pick(bytes.load(columns));
    let [first, ..] = top_rows(candidate.band, row_order);
    let top = bytes.load(row_of(grid, first)).pick(columns);
    let names = top.inverse();
    let mut way = Way {
        fourth: 0,
        board: candidate.board,
        band: candidate.band,
        row_order: row_order as u8,
        columns: [0; 16],
        names: [0; 16],
    };
    columns.store(&mut way.columns);
    names.store(&mut way.names);
    // It begins with 2: below 1 no other row can. The first box has 2 in its top row, so it is a row of another band.
    let two = top.pick(bytes.load(&[1; 16]));
    let fourth = bytes.load(row_of(turned, columns.first())).equal(two).trailing_zeros() as u8;
    let mut made = [0; 16];
    names.pick(bytes.load(row_of(grid, fourth)).pick(columns)).store(&mut made);
    way.fourth = as_number(made);
    way
}
