//! Represents a board as rules over cells.

use super::Query;
use super::implied_sums;
use crate::board::{Batch, Cages, Cell, House, Mask, RuledBoard, bit};

/// What a rule requires of its cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Constraint {
    /// All digits are different.
    Different {
        /// There are as many cells as digits, so that every digit occurs.
        every: bool,
    },
    /// The intersection of two houses in which every digit occurs: if one house has a digit only in the intersection,
    /// the other house has it nowhere else. The rule's cells are those of the intersection, then the other cells of the
    /// first house, then those of the second.
    Intersection {
        /// The number of cells in the intersection.
        shared: u16,
    },
    /// All digits are different and have this sum.
    Sum(u32),
    /// The cells are a run of white cells: they have consecutive digits, in any order.
    Run,
    /// The digits make the clue with an operator from 1 to 4. Digits may only repeat in cells that share no line.
    Arithmetic {
        /// The operator; 0 and 1 add.
        operator: u16,
        /// The clue.
        clue: u32,
    },
}

/// A rule over some cells.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    /// What the rule requires.
    pub constraint: Constraint,
    /// The cells of the rule, as a range of [`PuzzleRules::lists`].
    cells: (u32, u32),
    /// The other cells that share a house with all cells of the rule, as such a range. They cannot have the digits that
    /// the cells of the rule are known to have.
    common_peers: (u32, u32),
}

/// The rules of a board. The memory is reused for the next board.
#[derive(Debug, Default)]
pub(super) struct PuzzleRules {
    /// The side of the board.
    pub side: usize,
    /// The rules, cheap ones first.
    pub rules: Vec<Rule>,
    /// The cells of all rules.
    lists: Vec<u16>,
    /// For each cell, a bit for each rule: set for the rules of the cell.
    rules_of_cells: Vec<u64>,
}

impl PuzzleRules {
    /// Reads the rules of a board, and writes the candidates of its cells to `cells`. Returns false if the board has no
    /// solution for a reason that no rule expresses.
    pub(super) fn read(&mut self, batch: &Batch, index: usize, query: Query, cells: &mut Vec<Mask>) -> bool {
        let board = RuledBoard::new(batch, index);
        self.side = board.side;
        self.rules.clear();
        self.lists.clear();
        cells.clear();
        cells.extend(board.cells.iter().map(|&cell| match cell {
            Cell::Clue(digit) | Cell::BlackClue(digit) => bit(digit),
            Cell::Solved(digit) if query.all_given => bit(digit),
            Cell::Candidates(mask) if query.candidates_given => mask,
            Cell::BlackEmpty => 0,
            _ => board.full(),
        }));
        let has_digit = |cell: &u16| !matches!(board.cells[usize::from(*cell)], Cell::BlackEmpty);
        for house in &board.houses {
            let cells: Vec<u16> = house.cells.iter().copied().filter(has_digit).collect();
            let every = cells.len() == self.side;
            if cells.len() > self.side {
                return false;
            }
            self.add(Constraint::Different { every }, &cells, &[]);
        }
        for (line, run) in board.runs() {
            let common_peers: Vec<u16> =
                line.iter().copied().filter(|cell| has_digit(cell) && !run.contains(cell)).collect();
            self.add(Constraint::Run, &run, &common_peers);
        }
        let sums = board.kind.rules().cages == Cages::Sums;
        let houses: Vec<CellSet> = board.houses.iter().map(|house| CellSet::of(&house.cells)).collect();
        for cage in &board.cages {
            if sums && cage.cells.len() > self.side {
                return false;
            }
            if sums && cage.clue == 0 {
                self.add(Constraint::Different { every: false }, &cage.cells, &[]);
            } else if sums {
                self.add_sum(&houses, &cage.cells, cage.clue);
            } else {
                let (operator, clue) = (cage.operator, cage.clue);
                self.add(Constraint::Arithmetic { operator, clue }, &cage.cells, &[]);
            }
        }
        if sums && self.side <= 9 && !implied_sums::for_each(&board, |cells, sum| self.add_sum(&houses, cells, sum)) {
            return false;
        }
        self.add_intersections(&board);
        self.index(board.cells.len());
        true
    }

    /// Adds the rules for intersections of houses.
    fn add_intersections(&mut self, board: &RuledBoard) {
        let n = board.side;
        let full = |house: &&House| house.cells.len() == n && !board.kind.has_black();
        let houses: Vec<&House> = board.houses.iter().filter(full).collect();
        // The houses of each cell, as bits.
        let mut holders = vec![0_u128; board.cells.len()];
        for (number, house) in houses.iter().enumerate().take(128) {
            house.cells.iter().for_each(|&cell| holders[usize::from(cell)] |= 1 << number);
        }
        let mut cells = Vec::with_capacity(2 * n);
        for (number, a) in houses.iter().enumerate().take(128) {
            for (other, b) in houses[..number].iter().enumerate() {
                cells.clear();
                cells.extend(a.cells.iter().filter(|&&cell| holders[usize::from(cell)] >> other & 1 == 1));
                let shared = cells.len();
                if (2..n).contains(&shared) {
                    cells.extend(a.cells.iter().filter(|&&cell| holders[usize::from(cell)] >> other & 1 == 0));
                    cells.extend(b.cells.iter().filter(|&&cell| holders[usize::from(cell)] >> number & 1 == 0));
                    self.add(Constraint::Intersection { shared: shared as u16 }, &cells, &[]);
                }
            }
        }
    }

    /// Adds the rule that cells have different digits with a sum.
    fn add_sum(&mut self, houses: &[CellSet], cells: &[u16], sum: u32) {
        let set = CellSet::of(cells);
        let mut common_peers = Vec::new();
        for house in houses.iter().filter(|house| set.is_within(house)) {
            house.without(&set, &mut common_peers);
        }
        self.add(Constraint::Sum(sum), cells, &common_peers);
    }

    fn add(&mut self, constraint: Constraint, cells: &[u16], common_peers: &[u16]) {
        let mut list = |cells: &[u16]| {
            let start = self.lists.len() as u32;
            self.lists.extend_from_slice(cells);
            (start, self.lists.len() as u32)
        };
        let (cells, common_peers) = (list(cells), list(common_peers));
        self.rules.push(Rule { constraint, cells, common_peers });
    }

    /// The cells of a rule.
    pub(super) fn cells(&self, rule: &Rule) -> &[u16] {
        &self.lists[rule.cells.0 as usize..rule.cells.1 as usize]
    }

    /// The cells that share a house with all cells of a rule.
    pub(super) fn common_peers(&self, rule: &Rule) -> &[u16] {
        &self.lists[rule.common_peers.0 as usize..rule.common_peers.1 as usize]
    }

    /// The rules of a cell, as a bit for each rule, lowest first.
    #[inline]
    pub(super) fn rules_of_cell(&self, cell: usize) -> &[u64] {
        let words = self.rules.len().div_ceil(64);
        &self.rules_of_cells[cell * words..][..words]
    }

    /// Finds the rules of each cell.
    fn index(&mut self, cells: usize) {
        let words = self.rules.len().div_ceil(64);
        self.rules_of_cells.clear();
        self.rules_of_cells.resize(cells * words, 0);
        for (number, rule) in self.rules.iter().enumerate() {
            for &cell in &self.lists[rule.cells.0 as usize..rule.cells.1 as usize] {
                self.rules_of_cells[usize::from(cell) * words + number / 64] |= 1 << (number % 64);
            }
        }
    }
}

/// A set of cells, as bits.
struct CellSet([u128; 5]);

impl CellSet {
    fn of(cells: &[u16]) -> Self {
        let mut set = [0; 5];
        cells.iter().for_each(|&cell| set[usize::from(cell / 128)] |= 1 << (cell % 128));
        Self(set)
    }

    fn is_within(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, theirs)| mine & !theirs == 0)
    }

    /// Appends the cells that are not in another set to `to`.
    fn without(&self, other: &Self, to: &mut Vec<u16>) {
        for (word, (mine, theirs)) in self.0.iter().zip(&other.0).enumerate() {
            let mut left = mine & !theirs;
            while left != 0 {
                to.push(word as u16 * 128 + left.trailing_zeros() as u16);
                left &= left - 1;
            }
        }
    }
}
