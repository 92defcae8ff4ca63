//! A board as rules over cells.

use super::totals;
use crate::board::{Batch, Cages, Cell, House, Mask, RuledBoard, bit};

/// What a rule demands of its cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Constraint {
    /// Different digits. With as many cells as there are digits, every digit.
    Different {
        /// There are.
        every: bool,
    },
    /// Two houses that hold every digit: a digit that one holds only where they cross is nowhere else in the other. The
    /// rule's cells are the shared ones, then those of the one house, then those of the other.
    Crossing {
        /// How many are shared.
        shared: u16,
    },
    /// Different digits with this sum.
    Sum(u32),
    /// A white run: consecutive digits, in any order.
    Straight,
    /// A clue and an operator, 1 to 4; digits differ where cells share a line.
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
    /// What it demands.
    pub constraint: Constraint,
    cells: (u32, u32),
    /// Cells in a house with all cells of the rule: what these surely hold, those do not.
    outer: (u32, u32),
}

/// The rules of a board. Its memory is kept from board to board.
#[derive(Debug, Default)]
pub(super) struct Puzzle {
    /// The side.
    pub side: usize,
    /// The cheap ones first.
    pub rules: Vec<Rule>,
    lists: Vec<u16>,
    /// For each cell a bit for each of its rules.
    of_cells: Vec<u64>,
}

impl Puzzle {
    /// Takes a board, and gives the candidates of its cells. False if it has no solution for a reason that no rule says.
    pub(super) fn read(&mut self, batch: &Batch, index: usize, all_given: bool, cells: &mut Vec<Mask>) -> bool {
        let board = RuledBoard::new(batch, index);
        self.side = board.side;
        self.rules.clear();
        self.lists.clear();
        cells.clear();
        cells.extend(board.cells.iter().map(|&cell| match cell {
            Cell::Clue(digit) | Cell::BlackClue(digit) => bit(digit),
            Cell::Solved(digit) if all_given => bit(digit),
            Cell::BlackEmpty => 0,
            _ => board.full(),
        }));
        let held = |cell: &u16| !matches!(board.cells[usize::from(*cell)], Cell::BlackEmpty);
        for house in &board.houses {
            let cells: Vec<u16> = house.cells.iter().copied().filter(held).collect();
            let every = cells.len() == self.side;
            if cells.len() > self.side {
                return false;
            }
            self.add(Constraint::Different { every }, &cells, &[]);
        }
        for (line, run) in board.runs() {
            let outer: Vec<u16> = line.iter().copied().filter(|cell| held(cell) && !run.contains(cell)).collect();
            self.add(Constraint::Straight, &run, &outer);
        }
        let sums = board.kind.rules().cages == Cages::Sums;
        let houses: Vec<CellSet> = board.houses.iter().map(|house| CellSet::of(&house.cells)).collect();
        for cage in &board.cages {
            if sums && cage.cells.len() > self.side {
                return false;
            }
            if sums {
                self.sum(&houses, &cage.cells, cage.clue);
            } else {
                let (operator, clue) = (cage.operator, cage.clue);
                self.add(Constraint::Arithmetic { operator, clue }, &cage.cells, &[]);
            }
        }
        if sums && self.side <= 9 && !totals::each(&board, |cells, sum| self.sum(&houses, cells, sum)) {
            return false;
        }
        self.crossings(&board);
        self.index(board.cells.len());
        true
    }

    /// Adds what houses that cross say of each other.
    fn crossings(&mut self, board: &RuledBoard) {
        let n = board.side;
        let full = |house: &&House| house.cells.len() == n && !board.kind.has_black();
        let houses: Vec<&House> = board.houses.iter().filter(full).collect();
        // Which houses hold a cell, as bits.
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
                    self.add(Constraint::Crossing { shared: shared as u16 }, &cells, &[]);
                }
            }
        }
    }

    /// Adds a sum of different digits.
    fn sum(&mut self, houses: &[CellSet], cells: &[u16], sum: u32) {
        let set = CellSet::of(cells);
        let mut outer = Vec::new();
        for house in houses.iter().filter(|house| set.is_within(house)) {
            house.without(&set, &mut outer);
        }
        self.add(Constraint::Sum(sum), cells, &outer);
    }

    fn add(&mut self, constraint: Constraint, cells: &[u16], outer: &[u16]) {
        let mut list = |cells: &[u16]| {
            let start = self.lists.len() as u32;
            self.lists.extend_from_slice(cells);
            (start, self.lists.len() as u32)
        };
        let (cells, outer) = (list(cells), list(outer));
        self.rules.push(Rule { constraint, cells, outer });
    }

    /// The cells of a rule.
    pub(super) fn cells(&self, rule: &Rule) -> &[u16] {
        &self.lists[rule.cells.0 as usize..rule.cells.1 as usize]
    }

    /// The cells that see all cells of a rule.
    pub(super) fn outer(&self, rule: &Rule) -> &[u16] {
        &self.lists[rule.outer.0 as usize..rule.outer.1 as usize]
    }

    /// The rules of a cell: a bit for each rule, lowest first.
    #[inline]
    pub(super) fn of_cell(&self, cell: usize) -> &[u64] {
        let words = self.rules.len().div_ceil(64);
        &self.of_cells[cell * words..][..words]
    }

    /// Finds the rules of each cell.
    fn index(&mut self, cells: usize) {
        let words = self.rules.len().div_ceil(64);
        self.of_cells.clear();
        self.of_cells.resize(cells * words, 0);
        for (number, rule) in self.rules.iter().enumerate() {
            for &cell in &self.lists[rule.cells.0 as usize..rule.cells.1 as usize] {
                self.of_cells[usize::from(cell) * words + number / 64] |= 1 << (number % 64);
            }
        }
    }
}

/// Cells as bits.
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

    /// Appends the cells that are not in another set.
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
