//! Makes boards one after another, after preparing what depends only on the seed.

use std::fmt;

use super::blocks::{FullGridBlock, GridPool};
use super::cages::FramedCages;
use super::colouring::{self, Colours};
use super::mix::Mix;
use super::progress::{CELLS, CellArrays, ExtraHouses, GivenCells, Strikeouts};
use super::rng::Rng;
use super::symmetry::{Symmetries, SymmetryImage};
use super::{grids, regions, str8ts};
use crate::board::{self, Batch, Geometry, Kind, Shape, Side, geometry};
use crate::error::Unavailable;

/// The number of full boards in the pool of a maker, by side. Making the pool takes well under a second. All other full
/// boards are made from these.
const fn pool_size(side: Side) -> usize {
    match side.get() {
        0..=9 => 64,
        16 => 32,
        _ => 8,
    }
}

/// Makes boards of one kind, side, mix and seed. Threads share one maker, and each has its own [`MakerMemory`].
///
/// Board number `i` has the same solution, clues and cages in every [`Mix`].
#[derive(Clone)]
pub struct Maker {
    shape: Shape,
    mix: Mix,
    /// The family of streams of random numbers; each board has a stream.
    family: u64,
    single_candidates: bool,
    /// How many cages of each board have no sum.
    open: u16,
    pool: GridPool,
    symmetries: Symmetries,
    strikeouts: Strikeouts,
    geometry: &'static Geometry,
    /// The diagonals, windows and colour groups that are houses.
    extra_houses: Vec<Vec<u16>>,
}

impl fmt::Debug for Maker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Maker").field("shape", &self.shape).field("mix", &self.mix).finish_non_exhaustive()
    }
}

/// The working memory of a thread. No state is carried over from one board to the next.
#[derive(Default)]
pub struct MakerMemory(Box<Buffers>);

impl fmt::Debug for MakerMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MakerMemory").finish_non_exhaustive()
    }
}

struct Buffers {
    cells: CellArrays,
    order: [u16; CELLS],
    region: [u8; CELLS],
    cages: FramedCages,
    cage: [u16; CELLS],
    colours: Colours,
    block: FullGridBlock,
}

impl Default for Buffers {
    fn default() -> Self {
        Self {
            cells: CellArrays::default(),
            order: [0; CELLS],
            region: [0; CELLS],
            cages: FramedCages::default(),
            cage: [0; CELLS],
            colours: [0; CELLS],
            block: FullGridBlock::default(),
        }
    }
}

impl Maker {
    /// A maker of boards of a kind and a side.
    ///
    /// # Errors
    /// No boards of this kind and side can be made. The message names the sides that can.
    pub fn new(kind: Kind, side: Side, mix: Mix, seed: u64) -> Result<Self, Unavailable> {
        if !sides(kind).any(|made| made == side) {
            let sides: Vec<String> = sides(kind).map(|side| side.to_string()).collect();
            return Err(Unavailable(format!(
                "no {kind} boards are made with side {side}; sides of {kind}: {}",
                sides.join(", ")
            )));
        }
        let words = [seed, kind as u64, side.get() as u64];
        let mut rng = Rng::stream(Rng::family(&words), 0);
        let (mut boards, mut regions) = (Vec::new(), Vec::new());
        for _ in 0..pool_size(side) {
            if kind.has_black() {
                boards.extend(str8ts::full_board(kind, side, &mut rng));
                continue;
            }
            let grid = grids::full_grid(kind, side, &mut rng);
            if kind.has_regions() {
                regions.extend(regions::random_regions(&grid, side, &mut rng));
            }
            boards.extend(grid);
        }
        let (rules, table) = (kind.rules(), geometry(side));
        let extra_houses = [
            if rules.houses.diagonals { &table.diagonals[..] } else { &[] },
            if rules.houses.windows { &table.windows[..] } else { &[] },
            if rules.houses.colours { &table.colours[..] } else { &[] },
        ];
        let shape = Shape::new(kind, side);
        Ok(Self {
            shape,
            mix,
            family: rng.next(),
            single_candidates: false,
            open: 0,
            pool: GridPool::new(shape, seed, boards, regions, &mut rng),
            symmetries: Symmetries::of(kind, side, &mut rng),
            strikeouts: Strikeouts::new(&mut rng),
            geometry: table,
            extra_houses: extra_houses.concat(),
        })
    }

    /// Sets whether [`Mix::Progress`] may leave cells with a single candidate, which the formats plain, v0 and v1
    /// cannot represent. By default it does not: a cell with only one candidate is solved, and so are the cells that
    /// this leaves with only one.
    #[must_use]
    pub fn single_candidates(self, single_candidates: bool) -> Self {
        Self { single_candidates, ..self }
    }

    /// Sets how many full boards there are at most: board number `i` is an image of that of board `i % grids`. By default
    /// all boards are of different full boards, as far as there are that many.
    #[must_use]
    pub fn grids(self, grids: std::num::NonZeroU64) -> Self {
        Self { pool: self.pool.with_grids(grids), ..self }
    }

    /// The same boards, but this many random cages of each, or all, have no sum.
    ///
    /// # Errors
    /// Boards of this kind have no such cages: only killers do.
    pub fn open(self, open: u16) -> Result<Self, Unavailable> {
        if open > 0 && self.shape.kind.rules().cages != board::Cages::Sums {
            return Err(Unavailable(format!("a {} has no cages without a sum; killers do", self.shape.kind)));
        }
        Ok(Self { open, ..self })
    }

    /// The same boards in another mix. This is cheap, whereas a new maker would make its pool again.
    #[must_use]
    pub fn mix(self, mix: Mix) -> Self {
        Self { mix, ..self }
    }

    /// Kind and side of the boards.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The family of streams of random numbers for choosing clues, one stream for each board.
    pub(super) fn clue_family(&self) -> u64 {
        Rng::family(&[self.family])
    }

    /// Makes the boards `first`, `first + 1`, ... (modulo 2^64), as many as the batch has.
    ///
    /// # Panics
    /// If the batch has another shape than [`Maker::shape`]; see [`Batch::reset`].
    pub fn fill(&self, first: u64, batch: &mut Batch, scratch: &mut MakerMemory) {
        self.fill_with(first, batch, scratch, None);
    }

    /// Like [`Maker::fill`], but if `givens` are present, one for each board, they replace the random clues.
    pub(super) fn fill_with(
        &self,
        first: u64,
        batch: &mut Batch,
        scratch: &mut MakerMemory,
        givens: Option<&[GivenCells]>,
    ) {
        assert_eq!(batch.shape(), self.shape, "the batch is for other boards than this maker makes");
        match self.shape.side.get() {
            3 => self.fill_sized::<3>(first, batch, scratch, givens),
            4 => self.fill_sized::<4>(first, batch, scratch, givens),
            5 => self.fill_sized::<5>(first, batch, scratch, givens),
            6 => self.fill_sized::<6>(first, batch, scratch, givens),
            7 => self.fill_sized::<7>(first, batch, scratch, givens),
            8 => self.fill_sized::<8>(first, batch, scratch, givens),
            9 => self.fill_sized::<9>(first, batch, scratch, givens),
            16 => self.fill_sized::<16>(first, batch, scratch, givens),
            _ => self.fill_sized::<25>(first, batch, scratch, givens),
        }
    }

    /// Makes boards of side `N`. Since the side is a constant, loops over cells are compiled to vector instructions.
    fn fill_sized<const N: usize>(
        &self,
        first: u64,
        batch: &mut Batch,
        scratch: &mut MakerMemory,
        givens: Option<&[GivenCells]>,
    ) {
        let kind = self.shape.kind;
        let buffers = &mut *scratch.0;
        for board in 0..batch.len() {
            let from = board * batch.stride();
            let row = from..from + N * N;
            let mut rng = Rng::stream(self.family, first.wrapping_add(board as u64));
            self.draw_solution::<N>(first.wrapping_add(board as u64), buffers, &mut rng);
            if kind.has_regions() {
                let regions = &mut batch.regions_mut()[row.clone()];
                regions.iter_mut().zip(&buffers.region).for_each(|(number, &region)| *number = region + 1);
            }
            if kind.has_cages() {
                let contents = &mut batch.contents_mut()[row.clone()];
                draw_cages(self.shape, buffers, contents, &mut rng);
                if self.open > 0 {
                    // With random numbers of its own, so that everything else stays the same.
                    let mut rng = Rng::stream(Rng::family(&[self.family, OPEN]), first.wrapping_add(board as u64));
                    buffers.cages.open(self.open.into(), contents, &mut rng);
                }
                for i in 0..N * N {
                    batch.colours_mut()[from + i] = buffers.colours[buffers.cage[i] as usize];
                }
            }
            self.draw_codes::<N>(buffers, givens.map(|givens| &givens[board]), &mut rng);
            let codes = &buffers.cells.code[..N * N];
            if self.shape.side.is_small() {
                batch.codes16_mut()[row].iter_mut().zip(codes).for_each(|(code, &wide)| *code = wide as u16);
            } else {
                batch.codes32_mut()[row].copy_from_slice(codes);
            }
        }
    }

    /// Chooses digits, black cells and regions: a random image of a full board.
    fn draw_solution<const N: usize>(&self, number: u64, buffers: &mut Buffers, rng: &mut Rng) {
        let kind = self.shape.kind;
        let grid = buffers.block.board(&self.pool, number);
        let image = self.symmetries.draw(N, rng);
        let digits = self.draw_digits::<N>(rng);
        let source = &grid.cells[..N * N];
        let cells = &mut buffers.cells;
        let codes = self.shape.codes();
        cells.open[..N * N].fill(u32::MAX);
        cells.base[..N * N].fill(codes.solved_base());
        for_each_cell::<N>(&image, |i, from| {
            let digit = digits[(source[from] & 31) as usize];
            cells.digit[i] = digit;
            cells.bit[i] = 1 << digit >> 1;
        });
        if kind.has_black() {
            for_each_cell::<N>(&image, |i, from| {
                if source[from] & str8ts::BLACK != 0 {
                    cells.open[i] = 0;
                    cells.base[i] = codes.black_empty();
                    if rng.chance(1, 3) {
                        cells.digit[i] = 0;
                        cells.bit[i] = 0;
                    }
                }
            });
        }
        if kind.has_regions() {
            // Regions are renumbered in the order of their first cells.
            let regions = &grid.regions[..N * N];
            let (mut number, mut next) = ([u8::MAX; 32], 0);
            for_each_cell::<N>(&image, |i, from| {
                let number = &mut number[regions[from] as usize & 31];
                if *number == u8::MAX {
                    *number = next;
                    next += 1;
                }
                buffers.region[i] = *number;
            });
        }
    }

    /// A random substitution of digits from 1; 0 stays 0. With straights, the digits can only be reversed.
    fn draw_digits<const N: usize>(&self, rng: &mut Rng) -> [u8; 32] {
        let mut digits: [u8; 32] = std::array::from_fn(|digit| digit as u8);
        if !self.shape.kind.has_black() {
            rng.shuffle(&mut digits[1..=N]);
        } else if rng.chance(1, 2) {
            digits[1..=N].reverse();
        }
        digits
    }

    /// Chooses which cells are clues, which are solved and which candidates the others have, and writes all codes.
    fn draw_codes<const N: usize>(&self, buffers: &mut Buffers, givens: Option<&GivenCells>, rng: &mut Rng) {
        let Buffers { cells, order, region, cage, .. } = buffers;
        let kind = self.shape.kind;
        let mut white = N * N;
        if kind.has_black() {
            white = 0;
            for i in 0..N * N {
                order[white] = i as u16;
                white += usize::from(cells.open[i] != 0);
            }
        } else {
            order[..N * N].iter_mut().zip(0..).for_each(|(slot, i)| *slot = i);
        }
        let (clues, solved) = clue_ranges(kind);
        let mut order = &mut order[..white];
        if let Some(givens) = givens {
            order = place_clues(cells, order, givens);
        }
        let mut place = |cells: &mut CellArrays, (low, high): (usize, usize), base: Option<u32>, rng: &mut Rng| {
            let count = rng.between(white * low / 81, white * high / 81).min(order.len());
            rng.draw(order, count);
            let (placed, rest) = std::mem::take(&mut order).split_at_mut(count);
            order = rest;
            for &i in &*placed {
                cells.open[i as usize] = 0;
                if let Some(base) = base {
                    cells.base[i as usize] = base;
                }
            }
        };
        if givens.is_none() {
            place(cells, clues, Some(0), rng);
        }
        if self.mix != Mix::Progress {
            return cells.write_placed::<N>(self.mix == Mix::Solved);
        }
        place(cells, solved, None, rng);
        let rules = kind.rules();
        let houses = ExtraHouses {
            box_or_region: if rules.houses.boxes {
                &self.geometry.box_of
            } else if rules.houses.regions {
                &*region
            } else {
                &[]
            },
            extra: &self.extra_houses,
            cage: if rules.cages == board::Cages::Sums { &*cage } else { &[] },
        };
        let codes = self.shape.codes();
        loop {
            cells.compute_candidates::<N>(&houses, codes.full_mask());
            if self.single_candidates || !cells.solve_singles::<N>() {
                break;
            }
        }
        cells.write_progress::<N>(&self.strikeouts, codes.candidates_base(), self.single_candidates, rng);
    }
}

/// Names the family of streams that choose which cages have no sum.
const OPEN: u64 = 1;

/// Makes these cells clues, and returns the others.
#[inline(never)] // one for all sides
fn place_clues<'c>(cells: &mut CellArrays, order: &'c mut [u16], givens: &GivenCells) -> &'c mut [u16] {
    // Move the clues to the front.
    order.sort_by_key(|&i| !givens[usize::from(i)]);
    let (placed, rest) = order.split_at_mut(order.iter().filter(|&&i| givens[usize::from(i)]).count());
    for &i in &*placed {
        (cells.open[usize::from(i)], cells.base[usize::from(i)]) = (0, 0);
    }
    rest
}

/// The sides for which boards of a kind can be made.
fn sides(kind: Kind) -> impl Iterator<Item = Side> {
    let rules = kind.rules();
    let nine_only = rules.houses.windows || rules.houses.colours;
    Side::all().filter(move |side| rules.sides.contains(&(side.get() as u8)) && (!nine_only || *side == Side::NINE))
}

/// The range of the number of clues, and that of the number of solved cells in [`Mix::Progress`], for 81 white cells.
/// In kinds with cages, the cages are the clues. With some ten more solved cells, single candidates alone would solve
/// most boards completely.
fn clue_ranges(kind: Kind) -> ((usize, usize), (usize, usize)) {
    match kind {
        Kind::Sudoku | Kind::Jigsaw => ((20, 30), (0, 6)),
        Kind::SudokuX | Kind::Windoku | Kind::ColourSudoku => ((18, 26), (0, 5)),
        Kind::Killer | Kind::KillerJigsaw | Kind::KenKen | Kind::KenDoku => ((0, 0), (8, 36)),
        Kind::Str8ts | Kind::Str8tsX | Kind::Str8tsB | Kind::Str8tsBX => ((18, 30), (0, 24)),
    }
}

/// Calls `f` for each cell of an image, in order, with its index and that of the original's cell.
#[inline]
fn for_each_cell<const N: usize>(image: &SymmetryImage, mut f: impl FnMut(usize, usize)) {
    for row in 0..N {
        for column in 0..N {
            f(row * N + column, image.source(row, column));
        }
    }
}

/// Divides the board into cages, colours them and writes their contents.
#[inline(never)] // one for all sides
fn draw_cages(shape: Shape, buffers: &mut Buffers, contents: &mut [u16], rng: &mut Rng) {
    let Buffers { cells, cages, cage, colours, .. } = buffers;
    let side = shape.side.get();
    let arithmetic = shape.kind.has_operators();
    cages.divide(&cells.digit[..shape.side.cells()], shape.side, arithmetic, rng);
    colouring::colour(cages, colours, rng);
    if arithmetic {
        cages.write_arithmetic(contents, rng);
    } else {
        cages.write_sums(contents);
    }
    for row in 0..side {
        let from = cages.framed(row, 0);
        cage[row * side..(row + 1) * side].copy_from_slice(&cages.cage[from..from + side]);
    }
}
