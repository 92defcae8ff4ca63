//! Random boards: puzzles, and boards with any contents that the specification permits for cells, regions, cages and
//! groups.

use gridmill_core::board::{BATCH, Batch, Cages, Cell, Groups, Kind, Mask, Shape, Side, components, geometry};
use gridmill_core::make::{Maker, MakerMemory, Mix};

/// A small generator (SplitMix64), with the same numbers on every machine.
pub(crate) struct Rng(pub u64);

impl Rng {
    /// The next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number less than `below`.
    pub(crate) fn below(&mut self, below: usize) -> usize {
        ((u128::from(self.next()) * below as u128) >> 64) as usize
    }

    /// True with a probability of one in `times`.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// A random element.
    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// Puts elements in random order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        (1..items.len()).rev().for_each(|i| items.swap(i, self.below(i + 1)));
    }

    /// A number from 1 to `most`.
    fn digit(&mut self, most: usize) -> u8 {
        self.below(most) as u8 + 1
    }
}

/// How often something random is tried: `usually`, or `in_the_gate` if `GRIDMILL_LONG` is set, which .ci/run does.
pub(crate) fn often(usually: usize, in_the_gate: usize) -> usize {
    if std::env::var_os("GRIDMILL_LONG").is_some() { in_the_gate } else { usually }
}

/// Every kind with every side for which it has a header.
pub(crate) fn shapes() -> impl Iterator<Item = Shape> {
    Kind::all().flat_map(|kind| {
        kind.rules()
            .sides
            .iter()
            .map(move |&side| Shape::new(kind, Side::new(side.into()).expect("a side of the spec")))
    })
}

/// A batch of puzzles of a mix; `None` for shapes of which none can be made.
pub(crate) fn made(shape: Shape, mix: Mix, single_candidates: bool, seed: u64) -> Option<Batch> {
    let maker = Maker::new(shape.kind, shape.side, mix, seed).ok()?.single_candidates(single_candidates);
    let mut batch = Batch::new();
    batch.reset(shape, boards_of(shape));
    maker.fill(0, &mut batch, &mut MakerMemory::default());
    Some(batch)
}

/// The number of boards for a shape, fewer for large ones.
pub(crate) fn boards_of(shape: Shape) -> usize {
    if shape.side.is_small() { BATCH } else { 6 }
}

/// A batch of boards with any contents.
pub(crate) fn anything(shape: Shape, rng: &mut Rng) -> Batch {
    let mut batch = Batch::new();
    batch.reset(shape, boards_of(shape));
    for board in 0..batch.len() {
        fill_cells(&mut batch, board, rng);
        if shape.kind.has_regions() {
            fill_regions(&mut batch, board, rng);
        }
        if shape.kind.has_cages() {
            fill_cages(&mut batch, board, rng);
        }
        if rng.once_in(3) {
            open_cages(&mut batch, board, rng);
        }
        if shape.side == Side::NINE && (shape.kind.is_plain() || shape.kind == Kind::Jigsaw) && rng.once_in(3) {
            *batch.groups_mut(board) = groups(shape.kind, rng);
        }
    }
    batch
}

/// Fills cells with contents of some sorts only, so that also weaker formats hold some of the boards.
fn fill_cells(batch: &mut Batch, board: usize, rng: &mut Rng) {
    let (n, full) = (batch.shape().side.get(), batch.shape().codes().full_mask());
    let sorts = rng.next() | 1 << rng.below(6);
    for i in 0..n * n {
        let sort = loop {
            let sort = rng.below(6);
            if sorts >> sort & 1 == 1 {
                break sort;
            }
        };
        let cell = match sort {
            0 => Cell::Empty,
            1 => Cell::Clue(rng.digit(n)),
            2 => Cell::Solved(rng.digit(n)),
            3 => Cell::Candidates(several(rng, full)),
            4 => Cell::Candidates(if rng.once_in(2) { 1 << rng.below(n) } else { full }),
            _ if !batch.shape().kind.has_black() => Cell::Empty,
            _ if rng.once_in(2) => Cell::BlackEmpty,
            _ => Cell::BlackClue(rng.digit(n)),
        };
        batch.set_cell(board, i, cell);
    }
}

/// A mask of two candidates or more.
fn several(rng: &mut Rng, full: Mask) -> Mask {
    loop {
        let mask = rng.next() as Mask & full;
        if mask.count_ones() > 1 {
            return mask;
        }
    }
}

/// Fills in regions that tile the board with numbers in any order, or arbitrary numbers.
fn fill_regions(batch: &mut Batch, board: usize, rng: &mut Rng) {
    let n = batch.shape().side.get();
    let mut numbers: Vec<u8> = (1..=n as u8).collect();
    rng.shuffle(&mut numbers);
    let mut regions: Vec<u8> = match rng.below(3) {
        0 => (0..n * n).map(|i| numbers[i / n]).collect(),
        1 => (0..n * n).map(|i| numbers[i % n]).collect(),
        _ => (0..n * n).map(|_| rng.digit(n)).collect(),
    };
    if rng.once_in(3) {
        rng.shuffle(&mut regions);
    }
    let at = board * batch.stride();
    batch.regions_mut()[at..at + n * n].copy_from_slice(&regions);
}

/// Fills in cages of any shape, including rings and single cells, with a clue and an operator if the kind has them.
fn fill_cages(batch: &mut Batch, board: usize, rng: &mut Rng) {
    let (kind, n) = (batch.shape().kind, batch.shape().side.get());
    let most = *rng.pick(&[1, 2, 3, 5, 5, 5]);
    let mut colours: Vec<u8> = (0..n * n).map(|_| rng.digit(most)).collect();
    // Cells that take a neighbour's colour make larger cages.
    for _ in 0..rng.below(4) * n * n {
        let i = rng.below(n * n);
        let beside: Vec<usize> = gridmill_core::board::Geometry::neighbours(i, n).collect();
        colours[i] = colours[*rng.pick(&beside)];
    }
    let labels = components(&colours, n);
    let most = if kind.has_operators() { (n * n * n * (n - 1) * (n - 2)).min(2047) } else { n * (n + 1) / 2 };
    let mut contents = vec![0; n * n];
    for first in (0..n * n).filter(|&i| labels[i] as usize == i) {
        contents[first] = rng.below(most) as u16 + 1;
        let within = |i: usize| i < n * n && labels[i] as usize == first;
        let operator = Some(first + 1).filter(|&i| i % n != 0 && within(i)).or(Some(first + n).filter(|&i| within(i)));
        if let Some(operator) = operator.filter(|_| kind.has_operators()) {
            contents[operator] = rng.below(4) as u16 + 1;
        }
    }
    let at = board * batch.stride();
    batch.colours_mut()[at..at + n * n].copy_from_slice(&colours);
    batch.contents_mut()[at..at + n * n].copy_from_slice(&contents);
}

/// Takes the sums of some cages away, or of all, if the kind has cages without a sum.
pub(crate) fn open_cages(batch: &mut Batch, board: usize, rng: &mut Rng) {
    if batch.shape().kind.rules().cages != Cages::Sums {
        return;
    }
    let at = board * batch.stride();
    let times = *rng.pick(&[1, 2, 2, 10]);
    let cells = batch.shape().side.cells();
    let contents = &mut batch.contents_mut()[at..at + cells];
    contents.iter_mut().filter(|_| rng.once_in(times)).for_each(|content| *content = 0);
}

/// The groups of a board: those of its kind in any order, or arbitrary ones if the kind implies none.
fn groups(kind: Kind, rng: &mut Rng) -> Groups {
    let table = geometry(Side::NINE);
    let mut own: Vec<[u8; 9]> = match kind {
        Kind::SudokuX => &table.diagonals[..],
        Kind::Windoku => &table.windows,
        Kind::ColourSudoku => &table.colours,
        _ => {
            let coloured = some_groups(rng);
            // The outlined groups of a jigsaw are its regions.
            return Groups { outlined: if kind == Kind::Jigsaw { Vec::new() } else { some_groups(rng) }, coloured };
        }
    }
    .iter()
    .map(|house| std::array::from_fn(|i| house[i] as u8))
    .collect();
    rng.shuffle(&mut own);
    own.iter_mut().for_each(|group| rng.shuffle(group));
    Groups { outlined: Vec::new(), coloured: own }
}

/// Up to as many groups as a part can have.
fn some_groups(rng: &mut Rng) -> Vec<[u8; 9]> {
    let mut cells: [u8; 81] = std::array::from_fn(|i| i as u8);
    let mut group = || {
        rng.shuffle(&mut cells);
        *cells.first_chunk().expect("nine of 81")
    };
    let mut groups = vec![group(), group(), group()];
    match rng.below(12) {
        0 => groups.resize(81, groups[0]),
        1..5 => groups.truncate(1),
        5..9 => groups.clear(),
        _ => {}
    }
    groups
}
