//! Finds the least grids of solved sudokus of side 9, with the classes of their bands.
//!
//! 1. The first three rows of the least grid are the least that any of the six bands (three of rows, three of columns)
//!    can become: every map puts one of them on top, and the order of its columns and rows and the names of its digits
//!    can be chosen freely.
//! 2. What a band can become only depends on its class, and there are 416 classes. The [`BandTables`] have, for each band,
//!    its class and the orders of rows and columns that make it least: 1.24 on average.
//! 3. So only bands of the least class matter, each with its few orders: 1.73 candidates per grid. A candidate
//!    determines the columns and the names. The rows of every other band must ascend, and so must the two other bands.
//!    The first digits of these rows are all different, so they decide the order.
//!
//! The bands of all boards of a batch are numbered in parallel; then all candidates are listed; then each candidate is
//! evaluated.

mod numbering;
mod other_rows;
mod tables;

use std::hint::select_unpredictable;

use super::arrangement::{MAX_SIDE, TRANSPOSED};
use super::form::FoundForm;
use super::map::Map;
use crate::board::BATCH;
use crate::kernels::bytes16::{Bytes16, Bytes16Task, Permutation9, row_of};
use crate::kernels::cells9::Cells9;
use crate::kernels::{Kernel, ROW9, bits};
use numbering::{Lane, NumberBands, NumberedBands};
use other_rows::OTHER_ROWS;
use tables::{BandTables, ORDERS, Order, tables};

/// The digits of a board by cell.
pub(super) type Digits = Cells9;

/// A candidate for the map to the least grid: a band on top, and one of the orders that make it least.
#[derive(Clone, Copy, Default)]
struct Candidate {
    board: u8,
    band: u8,
    sorted: u8,
    order: Order,
}

/// A map as far as it is needed for the first four rows of the image: cell (i, j) of the image is the name of cell (row
/// i, columns\[j\]) of the grid, or of the transposed grid if the band on top is one of columns.
#[derive(Clone, Copy)]
struct PartialMap {
    /// The fourth row of the image, as in [`FullMap::row`]. The first three rows are the same for all candidates of a
    /// board.
    fourth: u64,
    board: u8,
    band: u8,
    /// The order of the three rows on top.
    row_order: u8,
    columns: [u8; 16],
    /// The name of each digit; 0 stays 0.
    names: [u8; 16],
}

/// A partial map completed with all nine rows.
#[derive(Clone, Copy)]
struct FullMap<'w> {
    partial: &'w PartialMap,
    rows: [u8; 9],
}

impl PartialMap {
    /// Returns whether it maps the transposed grid.
    #[inline(always)]
    fn is_transposed(&self) -> bool {
        self.band >= 3
    }

    /// Completes the map with all rows. `transposed` is the transpose of the grid that it maps.
    #[inline(always)]
    fn with_all_rows<B: Bytes16>(&self, bytes: B, transposed: &Digits) -> FullMap<'_> {
        let heads = bytes.load(&self.names).pick(bytes.load(row_of(transposed, self.columns[0])));
        let [a, b, c] = top_rows(self.band, self.row_order.into());
        let [d, e, f, g, h, i] = OTHER_ROWS[usize::from(self.band % 3)].rows(bytes, heads);
        FullMap { partial: self, rows: [a, b, c, d, e, f, g, h, i] }
    }
}

/// Receives the forms that are found, in the order of boards.
pub(super) trait FormSink {
    /// Receives the form of a board.
    fn put<B: Bytes16>(&mut self, bytes: B, board: usize, least: &LeastForm);
}

/// A sink that passes forms to a function.
pub(super) struct SinkFn<F>(pub(super) F);

impl<F: FnMut(usize, &LeastForm<'_>)> FormSink for SinkFn<F> {
    #[inline(always)]
    fn put<B: Bytes16>(&mut self, _: B, board: usize, least: &LeastForm<'_>) {
        (self.0)(board, least);
    }
}

/// The map of a board to its canonical form, and the numbers of automorphisms.
pub(super) struct LeastForm<'w> {
    full: FullMap<'w>,
    automorphisms: u64,
    grid_automorphisms: u64,
}

impl LeastForm<'_> {
    /// Applies the map to the clues of the board.
    #[inline(always)]
    pub(super) fn moved<B: Bytes16>(&self, bytes: B, clues: &Digits) -> Digits {
        let FullMap { partial, rows: nine } = &self.full;
        let mut rows = [0; 16];
        rows[..9].copy_from_slice(nine);
        let (columns, names) = (bytes.load(&partial.columns), bytes.load(&partial.names));
        bytes.moved(clues, Permutation9 { transpose: partial.is_transposed(), rows: &rows, columns, names })
    }

    /// Writes the form directly to its place, because it is too large to be moved cheaply.
    #[inline(always)]
    pub(super) fn write(&self, to: &mut FoundForm) {
        let FullMap { partial, rows } = &self.full;
        let Map { side, cells, digits } = &mut to.map;
        (*side, cells.flags) = (9, if partial.is_transposed() { TRANSPOSED } else { 0 });
        for (lines, nine) in
            [(&mut cells.rows, &rows[..]), (&mut cells.columns, &partial.columns), (digits, &partial.names[1..])]
        {
            *lines = [0; MAX_SIDE];
            lines[..9].copy_from_slice(&nine[..9]);
        }
        (to.automorphisms, to.grid_automorphisms) = (self.automorphisms, Some(self.grid_automorphisms));
    }
}

impl FullMap<'_> {
    /// Returns the first sixteen digits of the image of a board from row `row` on; the board must be transposed already
    /// if the map requires it.
    #[inline(always)]
    fn digits<B: Bytes16>(&self, bytes: B, digits: &Digits, row: usize) -> [u8; 16] {
        let mut made = [0; 16];
        let picked = bytes.load(row_of(digits, self.rows[row])).pick(bytes.load(&self.partial.columns));
        bytes.load(&self.partial.names).pick(picked).store(&mut made);
        made
    }

    /// Returns a row of the image of a grid as a number.
    #[inline(always)]
    fn row<B: Bytes16>(&self, bytes: B, grid: &Digits, row: usize) -> u64 {
        as_number(self.digits(bytes, grid, row))
    }

    /// Returns a row of the image of clues as a number.
    #[inline(always)]
    fn clues<B: Bytes16>(&self, bytes: B, clues: &Digits, row: usize) -> u128 {
        u128::from_be_bytes(self.digits(bytes, clues, row)) >> (7 * 8)
    }
}

/// Returns a row of a grid as a number: eight digits, because the ninth follows from them.
#[inline(always)]
fn as_number([a, b, c, d, e, f, g, h, ..]: [u8; 16]) -> u64 {
    u64::from_be_bytes([a, b, c, d, e, f, g, h])
}

/// Returns the rows of a band in an order.
#[inline(always)]
fn top_rows(band: u8, order: usize) -> [u8; 3] {
    ORDERS[order % 6].map(|row| 3 * (band % 3) + row)
}

/// The search, with its memory.
pub(super) struct BandSearch {
    tables: &'static BandTables,
    cells: Box<[Lane; ROW9]>,
    numbered: Box<NumberedBands>,
    /// The transposed grids.
    transposed: Box<[Digits; BATCH]>,
    /// The candidates; the list is longer than their number.
    candidates: Vec<Candidate>,
    partials: Vec<PartialMap>,
}

impl BandSearch {
    /// Makes a search, and the tables if they do not exist yet.
    pub(super) fn new() -> Self {
        Self {
            tables: tables(),
            cells: Box::new([[0; BATCH]; ROW9]),
            numbered: Box::new(NumberedBands::NONE),
            transposed: Box::new([[0; ROW9]; BATCH]),
            candidates: Vec::new(),
            partials: Vec::new(),
        }
    }

    /// Numbers the bands of boards. Returns one bit for each board that obeys the rules.
    pub(super) fn number(&mut self, kernel: &Kernel, grids: &[Digits; BATCH]) -> u64 {
        kernel.by_cell(grids, &mut self.cells);
        let Self { tables, cells, numbered, .. } = self;
        kernel.run(NumberBands { tables, cells, numbered })
    }

    /// Lists the candidates of boards, band by band, and returns their number. No branch depends on classes, because it
    /// would be mispredicted. Lookups in the large tables have a loop of their own, so that many cache misses overlap.
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
                // Two are written whatever the count is; more are rare.
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

/// Finds the maps that carry the grids of boards to the least grids, and their clues to the least clues that any such map
/// makes.
pub(super) struct LeastGrids<'a, F> {
    pub(super) search: &'a mut BandSearch,
    /// A bit for each board. All of them must have been numbered and must obey the rules.
    pub(super) boards: u64,
    pub(super) grids: &'a [Digits],
    pub(super) clues: &'a [Digits],
    pub(super) found: F,
}

impl<F: FormSink> Bytes16Task for LeastGrids<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<B: Bytes16>(mut self, bytes: B) {
        let candidates = self.search.list(self.boards);
        // This loop has no branch that depends on the grids, and its data is in the cache.
        let BandSearch { tables, candidates: all, partials, transposed, .. } = &mut *self.search;
        partials.clear();
        for board in bits(self.boards) {
            transposed[board] = bytes.transposed(&self.grids[board]);
        }
        let (mut least, mut best_of, mut ties) = ([u64::MAX; BATCH], [0; BATCH], 0);
        for candidate in &all[..candidates] {
            let board = usize::from(candidate.board) % BATCH;
            let (grid, transposed) = oriented(candidate.band, &self.grids[board], &transposed[board]);
            let partial = partial_map(bytes, tables, (grid, transposed), candidate);
            let is_less = partial.fourth < least[board];
            ties |= u64::from(partial.fourth == least[board]) << board;
            best_of[board] = select_unpredictable(is_less, partials.len(), best_of[board]);
            least[board] = select_unpredictable(is_less, partial.fourth, least[board]);
            partials.push(partial);
        }
        for board in bits(self.boards) {
            let (grid, transposed) = (&self.grids[board], &transposed[board]);
            let least = if ties >> board & 1 == 0 {
                let partial = &partials[best_of[board]];
                let full = partial.with_all_rows(bytes, oriented(partial.band, grid, transposed).1);
                Some(LeastForm { full, automorphisms: 1, grid_automorphisms: 1 })
            } else {
                let tied =
                    |partial: &&PartialMap| usize::from(partial.board) == board && partial.fourth == least[board];
                least_of_tied(bytes, partials.iter().filter(tied), (grid, transposed), &self.clues[board])
            };
            if let Some(least) = least {
                self.found.put(bytes, board, &least);
            }
        }
    }
}

/// Returns the grid in which a band is one of rows, and its transpose.
#[inline(always)]
fn oriented<'g>(band: u8, grid: &'g Digits, transposed: &'g Digits) -> (&'g Digits, &'g Digits) {
    if band < 3 { (grid, transposed) } else { (transposed, grid) }
}

/// Finds the least grid, and then the least clues, of partial maps with the same fourth row.
#[inline(always)]
fn least_of_tied<'w, B: Bytes16>(
    bytes: B,
    partials: impl Iterator<Item = &'w PartialMap>,
    (grid, transposed): (&Digits, &Digits),
    clues: &Digits,
) -> Option<LeastForm<'w>> {
    let transposed_clues = bytes.transposed(clues);
    let (mut least, mut least_rows, mut least_clues) = (None, [u64::MAX; 5], [u128::MAX; 9]);
    for partial in partials {
        let (grid, transposed) = oriented(partial.band, grid, transposed);
        let full = partial.with_all_rows(bytes, transposed);
        let rows = [4, 5, 6, 7, 8].map(|row| full.row(bytes, grid, row));
        let clues = if partial.is_transposed() { &transposed_clues } else { clues };
        let clues: [u128; 9] = std::array::from_fn(|row| full.clues(bytes, clues, row));
        match &mut least {
            Some(LeastForm { grid_automorphisms, automorphisms, .. }) if rows == least_rows && clues >= least_clues => {
                *grid_automorphisms += 1;
                *automorphisms += u64::from(clues == least_clues);
            }
            Some(_) if rows > least_rows => {}
            least => {
                let ties = least.as_ref().filter(|_| rows == least_rows).map_or(0, |least| least.grid_automorphisms);
                *least = Some(LeastForm { full, automorphisms: 1, grid_automorphisms: ties + 1 });
                (least_rows, least_clues) = (rows, clues);
            }
        }
    }
    least
}

/// Computes the columns and names that follow from a candidate, for a grid and its transpose, and the fourth row.
#[inline(always)]
fn partial_map<B: Bytes16>(
    bytes: B,
    tables: &BandTables,
    (grid, transposed): (&Digits, &Digits),
    candidate: &Candidate,
) -> PartialMap {
    let (row_order, sorted, columns) = tables.columns(candidate.sorted, candidate.order);
    let columns = bytes.load(sorted).pick(bytes.load(columns));
    let [first, ..] = top_rows(candidate.band, row_order);
    let top = bytes.load(row_of(grid, first)).pick(columns);
    let names = top.inverse();
    let mut partial = PartialMap {
        fourth: 0,
        board: candidate.board,
        band: candidate.band,
        row_order: row_order as u8,
        columns: [0; 16],
        names: [0; 16],
    };
    columns.store(&mut partial.columns);
    names.store(&mut partial.names);
    // The fourth row begins with 2, the least digit that is left below the 1 in the first column. The first box has its
    // 2 in the top row, so the 2 of the first column is in a row of another band.
    let two = top.pick(bytes.load(&[1; 16]));
    let fourth = bytes.load(row_of(transposed, columns.first())).equal(two).trailing_zeros() as u8;
    let mut made = [0; 16];
    names.pick(bytes.load(row_of(grid, fourth)).pick(columns)).store(&mut made);
    partial.fourth = as_number(made);
    partial
}
