//! Makes Str8ts boards: a symmetric pattern of black cells, white cells whose runs are straights, and digits for black
//! cells.

use super::grids::nth_bit;
use super::rng::Rng;
use crate::board::{Geometry, Kind, Mask, Side, geometry};

/// Marks a black cell. The other bits are its digit, if it has one.
pub(super) const BLACK: u8 = 0x80;

/// A random full board: white cells have their digit, and black ones [`BLACK`] with a digit that they may show, if one
/// is possible.
///
/// If the search fails, the cell at which it failed most often and the opposite cell become black, and a new search
/// begins. So the pattern changes where it contradicts the rules. This ends, since a board with only black cells would
/// need no search.
pub(super) fn full_board(kind: Kind, side: Side, rng: &mut Rng) -> Vec<u8> {
    let cells = side.cells();
    let mut black = pattern(side.get(), cells * (min_black_percentage(kind, side) + rng.below(7)) / 100, rng);
    loop {
        let lines = LineRules::of(kind, side, &black);
        match lines.search(cells * STEPS / 4, rng) {
            Ok(left) => {
                let digit = |i: usize| left[i].trailing_zeros() as u8 + 1;
                let mut board: Vec<u8> = (0..cells).map(|i| if black[i] { BLACK } else { digit(i) }).collect();
                show_black_digits(&mut board, kind, side, rng);
                return board;
            }
            Err(hard_cells) => {
                for cell in hard_cells {
                    (black[cell], black[cells - 1 - cell]) = (true, true);
                }
                blacken_isolated(&mut black, side.get());
            }
        }
    }
}

/// The least percentage of black cells to begin with. The longer the lines, the fewer patterns with long runs can be
/// filled; boards of side 16 and 25 begin close to the percentage that the search would end with.
fn min_black_percentage(kind: Kind, side: Side) -> usize {
    let rules = kind.rules();
    let further = 6 * usize::from(rules.houses.boxes) + 4 * usize::from(rules.houses.diagonals);
    match side.get() {
        16 => 26 + further,
        25 => 33 + further,
        _ => 18,
    }
}

/// A random pattern of black cells in opposite pairs.
fn pattern(n: usize, blacks: usize, rng: &mut Rng) -> Vec<bool> {
    let cells = n * n;
    let mut half: Vec<usize> = (0..cells.div_ceil(2)).collect();
    rng.draw(&mut half, blacks.div_ceil(2));
    let mut black = vec![false; cells];
    for &i in half.iter().take(blacks.div_ceil(2)) {
        (black[i], black[cells - 1 - i]) = (true, true);
    }
    blacken_isolated(&mut black, n);
    black
}

/// Makes white cells without a white neighbour black.
fn blacken_isolated(black: &mut [bool], n: usize) {
    let cells = n * n;
    for i in 0..cells {
        if !black[i] && Geometry::neighbours(i, n).all(|j| black[j]) {
            (black[i], black[cells - 1 - i]) = (true, true);
        }
    }
}

/// Gives black cells, in random order, a random digit that no other cell of their houses has. Cells for which there is
/// none stay without a digit.
fn show_black_digits(board: &mut [u8], kind: Kind, side: Side, rng: &mut Rng) {
    let mut order: Vec<usize> = (0..board.len()).filter(|&i| board[i] == BLACK).collect();
    rng.shuffle(&mut order);
    let houses: Vec<&[u16]> = geometry(side).houses(kind).collect();
    for i in order {
        let mut free: Mask = (1 << side.get()) - 1;
        for house in houses.iter().filter(|house| house.contains(&(i as u16))) {
            for &j in *house {
                let digit = board[j as usize] & !BLACK;
                if digit != 0 {
                    free &= !(1 << (digit - 1));
                }
            }
        }
        if free != 0 {
            board[i] |= nth_bit(free, rng.below(free.count_ones() as usize)) as u8 + 1;
        }
    }
}

/// The lines whose runs are straights.
#[derive(Clone)]
pub(super) struct StraightLines {
    lines: Vec<&'static [u16]>,
    /// The lines of each cell, and its place in each.
    of_cell: Vec<Vec<(usize, usize)>>,
}

/// How many boards [`StraightLines::recolour`] usually makes of one, and how many at most: twice as many for each cell that can
/// change its colour.
pub(super) const RECOLOURED: usize = 1 << 4;
const MOST_RECOLOURED: usize = 1 << 6;

/// How many cells are tried.
const COLOUR_TRIES: usize = 40;

impl StraightLines {
    pub(super) fn of(kind: Kind, side: Side) -> Self {
        let table = geometry(side);
        let diagonals = table.diagonals.iter().filter(|_| kind.rules().houses.diagonals);
        let lines: Vec<&[u16]> = table.lines.iter().chain(diagonals).map(Vec::as_slice).collect();
        let place = |cell: u16| lines.iter().map(move |line| line.iter().position(|&i| i == cell)).enumerate();
        let of_cell = |cell| place(cell).filter_map(|(line, place)| Some((line, place?))).collect();
        Self { of_cell: (0..side.cells() as u16).map(of_cell).collect(), lines }
    }

    /// The lines, each with its number among those of a cell: 0 for rows, 1 for columns, 2 and 3 for diagonals.
    pub(super) fn numbered(&self, side: Side) -> impl Iterator<Item = (usize, &'static [u16])> {
        let n = side.get();
        self.lines
            .iter()
            .enumerate()
            .map(move |(i, line)| if i < 2 * n { (i / n, *line) } else { (2 + i - 2 * n, *line) })
    }

    /// Appends a full board, and others that have some of its cells in the other colour. Cells that have no line in
    /// common can change independently of each other. No digit changes.
    pub(super) fn recolour(&self, board: &[u8], boards: &mut Vec<u8>, rng: &mut Rng) {
        let mut used = 0_u64;
        let begin = boards.len();
        boards.extend_from_slice(board);
        for _ in 0..COLOUR_TRIES {
            let cell = rng.below(board.len());
            let lines = self.of_cell[cell].iter().fold(0_u64, |set, &(line, _)| set | 1 << line);
            if lines & used == 0 && self.can_change(board, cell) {
                used |= lines;
                let end = boards.len();
                boards.extend_from_within(begin..);
                boards[end..].iter_mut().skip(cell).step_by(board.len()).for_each(|cell| *cell ^= BLACK);
                if boards.len() - begin == MOST_RECOLOURED * board.len() {
                    break;
                }
            }
        }
    }

    /// Whether all runs stay straights if a cell changes its colour.
    fn can_change(&self, board: &[u8], cell: usize) -> bool {
        let digit = board[cell] & !BLACK;
        digit != 0
            && self.of_cell[cell].iter().all(|&(line, place)| {
                let (before, after) = self.lines[line].split_at(place);
                let white = |i: &&u16| board[usize::from(**i)] & BLACK == 0;
                let digits = |set: Mask, i: &u16| set | 1 << board[usize::from(*i)];
                let before = before.iter().rev().take_while(white).fold(0, digits);
                let after = after[1..].iter().take_while(white).fold(0, digits);
                match board[cell] & BLACK {
                    BLACK => is_straight(before | after | 1 << digit),
                    _ => is_straight(before) && is_straight(after),
                }
            })
    }
}

/// Whether the digits of a set follow each other.
fn is_straight(digits: Mask) -> bool {
    digits == 0 || (digits >> digits.trailing_zeros()).wrapping_add(1).is_power_of_two()
}

/// The white cells of one house.
struct WhiteLine {
    cells: Vec<u16>,
    /// The start and end, in `cells`, of each maximal white run. A box has none.
    runs: Vec<(usize, usize)>,
}

/// How many quarter steps a search may take for each cell of the board. A good pattern needs about one per cell.
const STEPS: usize = 3;

/// The rules for the white cells of a board.
struct LineRules {
    n: usize,
    lines: Vec<WhiteLine>,
    /// The lines that each cell belongs to.
    of_cell: Vec<Vec<u16>>,
    white: Vec<u16>,
}

/// The digits left for each cell, and the lines to be propagated because one of their cells lost a digit.
#[derive(Clone)]
struct SearchState {
    left: Vec<Mask>,
    dirty: u128,
}

impl LineRules {
    fn of(kind: Kind, side: Side, black: &[bool]) -> Self {
        let n = side.get();
        let table = geometry(side);
        let mut lines = Vec::new();
        let mut of_cell = vec![Vec::new(); black.len()];
        for house in table.houses(kind) {
            let is_box = table.boxes.iter().any(|cells| cells == house);
            let (mut cells, mut runs) = (Vec::new(), Vec::new());
            for part in house.split(|&i| black[i as usize]).filter(|part| !part.is_empty()) {
                if !is_box {
                    runs.push((cells.len(), cells.len() + part.len()));
                }
                cells.extend_from_slice(part);
            }
            cells.iter().for_each(|&i| of_cell[i as usize].push(lines.len() as u16));
            lines.push(WhiteLine { cells, runs });
        }
        let white = (0..black.len() as u16).filter(|&i| !black[i as usize]).collect();
        Self { n, lines, of_cell, white }
    }

    /// Finds a digit for each white cell, as masks of one bit. If that is impossible, or takes more than `steps` steps,
    /// returns the white cell whose choices failed most often. The board must have a white cell.
    fn search(&self, steps: usize, rng: &mut Rng) -> Result<Vec<Mask>, Vec<usize>> {
        let mut failures = vec![0_u32; self.of_cell.len()];
        let mut state =
            SearchState { left: vec![(1 << self.n) - 1; self.of_cell.len()], dirty: (1 << self.lines.len()) - 1 };
        // The states to return to, in which the digit that was chosen is excluded, and the cells of these choices.
        let mut before: Vec<(SearchState, u16)> = Vec::new();
        let mut possible = self.propagate(&mut state);
        for _ in 0..steps {
            if !possible {
                let Some((back, cell)) = before.pop() else { break };
                failures[cell as usize] += 1;
                state = back;
                possible = self.propagate(&mut state);
                continue;
            }
            let open = self.white.iter().copied().filter(|&i| !state.left[i as usize].is_power_of_two());
            let Some(cell) = open.min_by_key(|&i| state.left[i as usize].count_ones()) else {
                return Ok(state.left);
            };
            let choices = state.left[cell as usize];
            let choice = 1 << nth_bit(choices, rng.below(choices.count_ones() as usize));
            let mut back = state.clone();
            self.restrict(&mut back, cell, !choice);
            before.push((back, cell));
            self.restrict(&mut state, cell, choice);
            possible = self.propagate(&mut state);
        }
        let mut worst = self.white.clone();
        worst.sort_by_key(|&i| std::cmp::Reverse(failures[i as usize]));
        worst.truncate(1 + failures.len() / 300);
        Err(worst.into_iter().map(usize::from).collect())
    }

    /// Restricts a cell to the digits of `mask`.
    fn restrict(&self, state: &mut SearchState, cell: u16, mask: Mask) {
        let left = &mut state.left[cell as usize];
        if *left & !mask != 0 {
            *left &= mask;
            self.of_cell[cell as usize].iter().for_each(|&line| state.dirty |= 1 << line);
        }
    }

    /// Applies the rules until nothing changes. Returns false if a cell has no digit left or a rule is broken.
    fn propagate(&self, state: &mut SearchState) -> bool {
        while state.dirty != 0 {
            let line = &self.lines[state.dirty.trailing_zeros() as usize];
            state.dirty &= state.dirty - 1;
            if !self.propagate_repeats(state, line) || !self.propagate_runs(state, line) {
                state.dirty = 0;
                return false;
            }
        }
        true
    }

    /// Removes the digits of solved cells from the other cells of a line.
    fn propagate_repeats(&self, state: &mut SearchState, line: &WhiteLine) -> bool {
        let mut placed = 0;
        for &cell in &line.cells {
            let left = state.left[cell as usize];
            if left.is_power_of_two() {
                if placed & left != 0 {
                    return false;
                }
                placed |= left;
            }
        }
        for &cell in &line.cells {
            let left = state.left[cell as usize];
            if left & !placed == 0 && !left.is_power_of_two() {
                return false;
            }
            if left & placed != 0 && !left.is_power_of_two() {
                self.restrict(state, cell, !placed);
            }
        }
        true
    }

    /// A run of k cells has k consecutive digits: removes digits that are in no possible straight from its cells, and
    /// digits that are in every possible straight from the other cells of the line.
    fn propagate_runs(&self, state: &mut SearchState, line: &WhiteLine) -> bool {
        for &(begin, end) in &line.runs {
            let run = &line.cells[begin..end];
            let length = run.len();
            // Bit `low` is set if the straight that begins with this digit is possible: each of its digits is in the
            // run's union, and each cell has one of its digits.
            let union = run.iter().fold(0, |union, &i| union | state.left[i as usize]);
            let mut lows = (1..length).fold(union, |lows, k| lows & union >> k);
            for &i in run {
                let left = state.left[i as usize];
                lows &= (1..length).fold(left, |lows, k| lows | left >> k);
            }
            if lows == 0 {
                return false;
            }
            let some = (1..length).fold(lows, |some, k| some | lows << k);
            run.iter().for_each(|&i| self.restrict(state, i, some));
            // The digits from the start of the highest straight to the end of the lowest.
            let (lowest, highest) = (lows.trailing_zeros(), lows.ilog2());
            let every = ((1 << length) - 1) << lowest >> highest << highest;
            if every != 0 {
                for &i in line.cells[..begin].iter().chain(&line.cells[end..]) {
                    if state.left[i as usize] & !every == 0 {
                        return false;
                    }
                    self.restrict(state, i, !every);
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_of_all_str8ts_kinds_are_found_with_a_fair_part_of_them_white() {
        let mut rng = Rng::stream(9, 9);
        for kind in Kind::all().filter(|kind| kind.has_black()) {
            for side in [6, 8, 9].map(|side| Side::new(side).unwrap()) {
                let (mut white, mut shown) = (0, 0);
                for _ in 0..20 {
                    let board = full_board(kind, side, &mut rng);
                    white += board.iter().filter(|&&cell| cell & BLACK == 0).count();
                    shown += board.iter().filter(|&&cell| cell > BLACK).count();
                }
                assert!(white > 20 * side.cells() / 2, "{kind} {side}: {white} white cells");
                assert!(shown > 20, "{kind} {side}: {shown} black clues");
            }
        }
    }
}
