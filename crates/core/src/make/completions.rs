//! Finds other full grids near one: takes some digits out of it, and searches for all ways to put them back.
//!
//! Only the cells of these digits matter, at most 64, so a set of cells is a word and there is one word for each digit.

use super::rng::Rng;
use super::str8ts::{BLACK, StraightLines};
use crate::board::{Kind, Side, geometry};

/// How many digits can be taken out.
const MAX_DIGITS: usize = 5;

/// How many cells can be open: one for each bit of a [`CellSet`].
const MAX_OPEN: usize = 64;

/// A set of open cells.
type CellSet = u64;

/// The open cells that can have each digit; for a completion, those that have it.
pub(super) type DigitCells = [CellSet; MAX_DIGITS];

/// What a search must know about a kind and a side.
#[derive(Clone)]
pub(super) struct GridRules {
    pub side: Side,
    /// With straights, the lines.
    pub lines: Option<StraightLines>,
    most_digits: usize,
    houses: Vec<&'static [u16]>,
    /// The height of the bands whose rows can be exchanged.
    band: Option<usize>,
    /// All cells, in groups of those in equally many houses. A search decides first what is most restricted.
    groups: Vec<Vec<u16>>,
}

impl GridRules {
    pub(super) fn of(kind: Kind, side: Side) -> Self {
        let rules = kind.rules();
        let houses: Vec<&[u16]> = geometry(side).houses(kind).collect();
        let count = |cell: u16| houses.iter().filter(|house| house.contains(&cell)).count();
        let group = |houses: usize| (0..side.cells() as u16).filter(|&cell| count(cell) == houses).collect();
        let groups = (2..=5).rev().map(group).filter(|group: &Vec<u16>| !group.is_empty()).collect();
        let lines = rules.straights.then(|| StraightLines::of(kind, side));
        // Regions and straights leave so little choice that searches for more digits mostly fail.
        let most_digits =
            if rules.houses.regions || rules.straights { 4 } else { MAX_DIGITS }.min(MAX_OPEN / side.get());
        let band = side.box_shape().filter(|_| rules.houses.boxes && !rules.straights).map(|(height, _)| height);
        Self { side, lines, most_digits, houses, band, groups }
    }

    /// How many digits can be taken out of a grid at a time.
    pub(super) fn most_digits(&self) -> usize {
        self.most_digits.min(self.side.get())
    }

    /// The sizes of the parts into which the digits are divided. Some digit may be left.
    pub(super) fn parts(&self) -> impl ExactSizeIterator<Item = usize> {
        let (n, most) = (self.side.get(), self.most_digits());
        let parts = match n {
            0..=5 => 1,
            6..=9 => 2,
            16 => 4,
            _ => 12,
        };
        (0..parts).map(move |part| most.min((n + part) / parts))
    }

    /// All digits in random order. With straights they ascend or descend, so that digits that are taken out together
    /// are neighbours.
    pub(super) fn draw_order(&self, rng: &mut Rng) -> [u8; 25] {
        let mut order = std::array::from_fn(|k| k as u8 + 1);
        let order_of = &mut order[..self.side.get()];
        if self.lines.is_none() {
            rng.shuffle(order_of);
        } else if rng.chance(1, 2) {
            order_of.reverse();
        }
        order
    }

    /// Whether two rows that can be exchanged have these digits in the same columns. Then it makes no difference whether
    /// the rows exchange these digits or all others.
    pub(super) fn has_twin_rows(&self, grid: &[u8], digits: &[u8]) -> bool {
        let Some(height) = self.band else { return false };
        let wanted = digits.iter().fold(0_u32, |set, digit| set | 1 << digit);
        let columns = |row: &[u8]| row.iter().rev().fold(0_u32, |set, &digit| set << 1 | wanted >> digit & 1);
        let twins = |band: &[u8]| {
            let mut rows = [0; 5];
            rows.iter_mut().zip(band.chunks_exact(self.side.get())).for_each(|(set, row)| *set = columns(row));
            (0..height).any(|a| (0..a).any(|b| rows[a] == rows[b]))
        };
        grid.chunks_exact(height * self.side.get()).any(twins)
    }
}

/// A full grid. Black cells have [`BLACK`] and their digit, if any.
#[derive(Clone, Copy)]
pub(super) struct FullGrid<'a> {
    pub cells: &'a [u8],
    /// The regions from 0; empty for kinds without regions.
    pub regions: &'a [u8],
}

/// What is taken out of a grid.
#[derive(Clone, Copy)]
pub(super) struct Taken<'a> {
    pub grid: FullGrid<'a>,
    /// With straights, neighbouring digits in ascending or descending order.
    pub digits: &'a [u8],
    /// The row that keeps its digits, so that no completion is the grid with its digits renamed. With straights they
    /// cannot be renamed, and no row is kept.
    pub kept_row: usize,
}

/// A grid with some digits taken out.
pub(super) struct GridCompletions {
    digits: [u8; MAX_DIGITS],
    digit_count: usize,
    /// The open cells and their number.
    open: [u16; MAX_OPEN],
    count: usize,
    /// The place in `open` of each cell, or [`CLOSED`].
    place: [u8; 625],
    /// The other open cells in the houses of each open cell.
    peers: [CellSet; MAX_OPEN],
    /// The other open cells in the white runs that an open cell is in, in its row, its column and the diagonals, and the
    /// lengths of these runs. The sets are empty where there is none.
    runs: [[(CellSet, u8); 4]; MAX_OPEN],
    straights: bool,
    /// What each cell can be at first.
    possible: DigitCells,
    /// The completions found: the first is the grid itself.
    pub found: Vec<DigitCells>,
}

const CLOSED: u8 = u8::MAX;

impl Default for GridCompletions {
    fn default() -> Self {
        Self {
            digits: [0; MAX_DIGITS],
            digit_count: 0,
            open: [0; MAX_OPEN],
            count: 0,
            place: [CLOSED; 625],
            peers: [0; MAX_OPEN],
            runs: [[(0, 0); 4]; MAX_OPEN],
            straights: false,
            possible: [0; MAX_DIGITS],
            found: Vec::new(),
        }
    }
}

/// How much a search may still do.
struct CompletionLimits {
    found: usize,
    nodes: usize,
    random: u64,
}

/// The elements of a set of cells.
fn cells(mut set: CellSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then_some(set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        cell
    })
}

impl GridCompletions {
    /// Takes digits out of their grid, and finds up to `most` ways to put them back, the first of them that of the grid.
    pub(super) fn search(&mut self, rules: &GridRules, taken: Taken<'_>, most: usize, rng: &mut Rng) {
        let grid = taken.grid;
        self.open_cells(rules, taken, rng);
        self.find_peers(rules, grid.regions);
        self.straights = rules.lines.is_some();
        if let Some(lines) = &rules.lines {
            self.runs[..self.count].fill([(0, 0); 4]);
            lines.numbered(rules.side).for_each(|(of, line)| self.find_runs(grid.cells, line, of));
        }
        let mut limits = CompletionLimits { found: most, nodes: 32 * most + 64, random: rng.next() };
        if most > 1 && self.count > 0 {
            self.extend(self.possible, self.all(), &mut limits);
        }
    }

    /// Writes the cells of a completion of `grid` into `row`.
    pub(super) fn write(&self, completion: &DigitCells, grid: &[u8], row: &mut [u8]) {
        for (&set, &digit) in completion.iter().zip(&self.digits) {
            for k in cells(set) {
                let cell = usize::from(self.open[k]);
                row[cell] = grid[cell] & BLACK | digit;
            }
        }
    }

    /// The set of all open cells. There must be one.
    fn all(&self) -> CellSet {
        CellSet::MAX >> (MAX_OPEN - self.count)
    }

    /// Finds the cells of the digits, in random order within their groups, and the digits that they can have.
    fn open_cells(&mut self, rules: &GridRules, taken: Taken<'_>, rng: &mut Rng) {
        let grid = taken.grid.cells;
        let mut slot = [CLOSED; 32];
        for (k, &digit) in taken.digits.iter().enumerate() {
            slot[usize::from(digit)] = k as u8;
            self.digits[k] = digit;
        }
        let slot_of = |cell: u16| slot[usize::from(grid[usize::from(cell)] & 31)];
        (self.count, self.digit_count) = (0, taken.digits.len());
        for group in &rules.groups {
            let from = self.count;
            for &cell in group {
                if slot_of(cell) != CLOSED {
                    self.open[self.count] = cell;
                    self.count += 1;
                }
            }
            rng.shuffle(&mut self.open[from..self.count]);
        }
        let (mut original, mut fixed) = ([0; MAX_DIGITS], 0);
        self.place[..grid.len()].fill(CLOSED);
        let n = rules.side.get();
        let kept = if rules.lines.is_some() { 0..0 } else { taken.kept_row * n..(taken.kept_row + 1) * n };
        for (k, &cell) in self.open[..self.count].iter().enumerate() {
            self.place[usize::from(cell)] = k as u8;
            original[usize::from(slot_of(cell))] |= 1 << k;
            fixed |= u64::from(kept.contains(&usize::from(cell))) << k;
        }
        self.possible = [0; MAX_DIGITS];
        if self.count > 0 {
            let (all, possible) = (self.all(), self.possible.iter_mut().zip(original));
            possible.take(self.digit_count).for_each(|(set, own)| *set = all & (!fixed | own));
        }
        self.found.clear();
        self.found.push(original);
    }

    fn find_peers(&mut self, rules: &GridRules, regions: &[u8]) {
        self.peers[..self.count].fill(0);
        for house in &rules.houses {
            let set = house.iter().map(|&i| self.place[usize::from(i)]).filter(|&place| place != CLOSED);
            let set = set.fold(0, |set, place| set | 1 << place);
            cells(set).for_each(|k| self.peers[k] |= set);
        }
        if !regions.is_empty() {
            let mut sets = [0; 32];
            let region = |cell: u16| usize::from(regions[usize::from(cell)] & 31);
            self.open[..self.count].iter().zip(0..).for_each(|(&cell, k)| sets[region(cell)] |= 1 << k);
            self.open[..self.count].iter().zip(&mut self.peers).for_each(|(&cell, peers)| *peers |= sets[region(cell)]);
        }
        self.peers[..self.count].iter_mut().zip(0..).for_each(|(peers, k)| *peers &= !(1 << k));
    }

    /// Finds the white runs of a line, and excludes what the closed cells of a run do not permit. The digits of a run
    /// are a straight if any two of them differ, by less than its length.
    fn find_runs(&mut self, grid: &[u8], line: &[u16], of: usize) {
        for run in line.split(|&cell| grid[usize::from(cell)] & BLACK != 0) {
            let (mut set, mut low, mut high) = (0, u8::MAX, 0);
            for cell in run.iter().map(|&cell| usize::from(cell)) {
                match self.place[cell] {
                    CLOSED => (low, high) = (low.min(grid[cell]), high.max(grid[cell])),
                    place => set |= 1 << place,
                }
            }
            let length = run.len() as u8;
            if high > 0 {
                for (possible, &digit) in self.possible.iter_mut().zip(&self.digits) {
                    if digit + length <= high || low + length <= digit {
                        *possible &= !set;
                    }
                }
            }
            cells(set).for_each(|k| self.runs[k][of] = (set & !(1 << k), length));
        }
    }

    /// Adds the completions to `found`. Returns false if the limits are reached.
    fn extend(&mut self, mut possible: DigitCells, mut undecided: CellSet, limits: &mut CompletionLimits) -> bool {
        loop {
            let (mut one, mut two, mut three) = (0, 0, 0);
            for set in possible {
                three |= two & set;
                two |= one & set;
                one |= set;
            }
            if one != self.all() {
                return true;
            }
            let singles = undecided & !two;
            if singles == 0 {
                if undecided != 0 {
                    let pairs = undecided & !three;
                    let cell = if pairs != 0 { pairs } else { undecided }.trailing_zeros() as usize;
                    return self.branch(&possible, undecided, cell, limits);
                }
                if possible != self.found[0] {
                    self.found.push(possible);
                }
                return self.found.len() < limits.found;
            }
            undecided &= !singles;
            cells(singles).for_each(|cell| self.exclude(&mut possible, cell));
        }
    }

    /// Tries every digit of a cell, from a random one on.
    fn branch(
        &mut self,
        possible: &DigitCells,
        undecided: CellSet,
        cell: usize,
        limits: &mut CompletionLimits,
    ) -> bool {
        limits.random = limits.random.rotate_right(7);
        let from = ((limits.random & 0xff) as usize * self.digit_count) >> 8;
        for k in (from..self.digit_count).chain(0..from).filter(|&k| possible[k] >> cell & 1 == 1) {
            if limits.nodes == 0 {
                return false;
            }
            limits.nodes -= 1;
            let mut next = possible.map(|set| set & !(1 << cell));
            next[k] |= 1 << cell;
            self.exclude(&mut next, cell);
            if !self.extend(next, undecided & !(1 << cell), limits) {
                return false;
            }
        }
        true
    }

    /// Excludes what the digit of a decided cell does not permit in others. Nothing, if it has lost its digit.
    #[inline]
    fn exclude(&self, possible: &mut DigitCells, cell: usize) {
        let has = possible.map(|set| set >> cell & 1);
        possible.iter_mut().zip(has).for_each(|(set, has)| *set &= !(self.peers[cell] & has.wrapping_neg()));
        if !self.straights {
            return;
        }
        let Some(digit) = has.iter().position(|&has| has == 1) else { return };
        for (run, length) in self.runs[cell].into_iter().filter(|run| run.0 != 0) {
            for (k, set) in possible.iter_mut().enumerate() {
                *set &= if k.abs_diff(digit) < usize::from(length) { CellSet::MAX } else { !run };
            }
        }
    }
}
