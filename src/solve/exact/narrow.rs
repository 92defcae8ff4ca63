//! Candidates, and what each rule takes away from them.

use std::sync::OnceLock;

use super::arithmetic;
use super::puzzle::{Demand, Puzzle, Rule};
use crate::board::Mask;

/// The candidates of all cells, and which rules have something to look at. Cells that hold nothing are 0 and in no rule.
#[derive(Debug, Default)]
pub struct Candidates {
    /// A mask for each cell.
    pub cells: Vec<Mask>,
    /// A bit for each rule, lowest first.
    dirty: Vec<u64>,
    /// For each cell how many rules it is in, and how often one of them could not be kept: where it is hard, the search goes
    /// on. (The "weighted degree" of constraint solving; without it searches of empty boards with odd regions never ended.)
    weights: Vec<u32>,
}

/// A rule cannot be kept.
pub struct Contradiction;

impl Candidates {
    /// Begins a puzzle.
    pub fn begin(&mut self, cells: impl Iterator<Item = Mask>) {
        self.cells.clear();
        self.cells.extend(cells);
    }

    /// Every rule is to be looked at.
    pub fn all_changed(&mut self, puzzle: &Puzzle) {
        let count = puzzle.rules.len();
        self.dirty.clear();
        self.dirty.resize(count.div_ceil(64), u64::MAX);
        self.weights.clear();
        self.weights.extend((0..self.cells.len()).map(|cell| puzzle.of_cell(cell).len() as u32));
        if let (Some(last), 1..) = (self.dirty.last_mut(), count % 64) {
            *last = (1 << (count % 64)) - 1;
        }
    }

    /// Only the rules of a cell are to be looked at: it changed in what was narrowed before.
    pub fn changed(&mut self, puzzle: &Puzzle, cell: usize) {
        self.dirty.fill(0);
        self.mark(puzzle, cell);
    }

    fn mark(&mut self, puzzle: &Puzzle, cell: usize) {
        puzzle.of_cell(cell).iter().for_each(|&rule| self.dirty[usize::from(rule / 64)] |= 1 << (rule % 64));
    }

    /// Takes a cell for a digit.
    pub fn assume(&mut self, puzzle: &Puzzle, cell: usize, digit: Mask) {
        self.cells[cell] = digit;
        self.mark(puzzle, cell);
    }

    /// The cell with the fewest candidates for its weight; none if all cells are decided.
    pub fn fewest(&self) -> Option<usize> {
        let open = self.cells.iter().zip(&self.weights).enumerate().filter(|(_, (mask, _))| mask.count_ones() > 1);
        let (mut best, mut few, mut heavy) = (None, 1, 0);
        for (cell, (mask, &weight)) in open {
            let count = u64::from(mask.count_ones());
            if count * heavy < few * u64::from(weight) || best.is_none() {
                (best, few, heavy) = (Some(cell), count, u64::from(weight));
            }
        }
        best
    }

    /// Applies rules until none takes away anything. False if one cannot be kept.
    pub fn narrow(&mut self, puzzle: &Puzzle) -> bool {
        while let Some(word) = self.dirty.iter().position(|&word| word != 0) {
            let bit = self.dirty[word].trailing_zeros();
            self.dirty[word] &= self.dirty[word] - 1;
            let rule = &puzzle.rules[word * 64 + bit as usize];
            let kept = match rule.demand {
                Demand::Different { every } => self.different(puzzle, rule, every),
                Demand::Crossing { shared } => self.crossing(puzzle, rule, shared.into()),
                Demand::Sum(sum) if puzzle.side <= 9 => self.sum(puzzle, rule, sum),
                Demand::Sum(sum) => self.large_sum(puzzle, rule, sum),
                Demand::Straight => self.straight(puzzle, rule),
                Demand::Arithmetic { operator, clue } => arithmetic::narrow(self, puzzle, rule, operator, clue),
            };
            if kept.is_err() {
                puzzle.cells(rule).iter().for_each(|&cell| self.weights[usize::from(cell)] += 1);
                return false;
            }
        }
        true
    }

    /// Gives a cell what is left of its candidates.
    #[inline]
    pub fn set(&mut self, puzzle: &Puzzle, cell: u16, mask: Mask) -> Result<(), Contradiction> {
        let old = &mut self.cells[usize::from(cell)];
        if mask == 0 {
            return Err(Contradiction);
        }
        if *old != mask {
            *old = mask;
            self.mark(puzzle, cell.into());
        }
        Ok(())
    }

    /// What the cells of a rule hold: in any of them, in two or more, alone in a cell.
    fn look(&self, cells: &[u16]) -> Result<(Mask, Mask, Mask), Contradiction> {
        let (mut once, mut twice, mut alone) = (0, 0, 0);
        for &cell in cells {
            let mask = self.cells[usize::from(cell)];
            twice |= once & mask;
            once |= mask;
            if mask & (mask - 1) == 0 {
                if alone & mask != 0 {
                    return Err(Contradiction);
                }
                alone |= mask;
            }
        }
        Ok((once, twice, alone))
    }

    /// Naked singles, and of the digits in `needed` hidden ones.
    fn singles(&mut self, puzzle: &Puzzle, cells: &[u16], needed: Mask) -> Result<(), Contradiction> {
        let (once, twice, alone) = self.look(cells)?;
        if needed & !once != 0 {
            return Err(Contradiction);
        }
        let hidden = needed & !twice & !alone;
        if hidden == 0 && twice & alone == 0 {
            return Ok(());
        }
        for &cell in cells {
            let mask = self.cells[usize::from(cell)];
            if mask & (mask - 1) == 0 {
                continue;
            }
            let mut left = mask & !alone;
            if left & hidden != 0 {
                left &= hidden;
                if left & (left - 1) != 0 {
                    return Err(Contradiction);
                }
            }
            self.set(puzzle, cell, left)?;
        }
        Ok(())
    }

    fn different(&mut self, puzzle: &Puzzle, rule: &Rule, every: bool) -> Result<(), Contradiction> {
        let cells = puzzle.cells(rule);
        let needed = if every { (1 << puzzle.side) - 1 } else { 0 };
        self.singles(puzzle, cells, needed)
    }

    /// What one house holds only where it crosses another, the other holds nowhere else.
    fn crossing(&mut self, puzzle: &Puzzle, rule: &Rule, shared: usize) -> Result<(), Contradiction> {
        let (both, apart) = puzzle.cells(rule).split_at(shared);
        let (one, other) = apart.split_at(puzzle.side - shared);
        let union = |cells: &[u16]| cells.iter().fold(0, |union, &cell| union | self.cells[usize::from(cell)]);
        let (both, in_one, in_other) = (union(both), union(one), union(other));
        for (cells, locked) in [(other, both & !in_one & in_other), (one, both & !in_other & in_one)] {
            if locked != 0 {
                for &cell in cells {
                    self.set(puzzle, cell, self.cells[usize::from(cell)] & !locked)?;
                }
            }
        }
        Ok(())
    }

    /// Digits that the cells of a rule surely hold are taken from the cells that see all of them.
    fn take_from_outer(&mut self, puzzle: &Puzzle, rule: &Rule, sure: Mask) -> Result<(), Contradiction> {
        if sure != 0 {
            for &cell in puzzle.outer(rule) {
                self.set(puzzle, cell, self.cells[usize::from(cell)] & !sure)?;
            }
        }
        Ok(())
    }

    /// Combinations of digits with the sum that the cells can still hold.
    fn sum(&mut self, puzzle: &Puzzle, rule: &Rule, sum: u32) -> Result<(), Contradiction> {
        let cells = puzzle.cells(rule);
        let (once, _, alone) = self.look(cells)?;
        let (mut any, mut sure) = (0, !0);
        // Of a few cells it is cheap to see which digits of a combination each can hold while the others hold the rest.
        let mut supported = [0; 3];
        for &combination in combinations(cells.len(), sum) {
            let combination = Mask::from(combination);
            let fits = |&cell: &u16| self.cells[usize::from(cell)] & combination != 0;
            if combination & !once != 0 || alone & !combination != 0 || !cells.iter().all(fits) {
                continue;
            }
            let mask = |i: usize| self.cells[usize::from(cells[i])] & combination;
            let held = match cells.len() {
                2 => pairs(combination, [mask(0), mask(1)], &mut supported),
                3 => triples(combination, [mask(0), mask(1), mask(2)], &mut supported),
                _ => true,
            };
            if held {
                any |= combination;
                sure &= combination;
            }
        }
        if any == 0 {
            return Err(Contradiction);
        }
        for (i, &cell) in cells.iter().enumerate() {
            let kept = if matches!(cells.len(), 2 | 3) { supported[i] } else { any };
            self.set(puzzle, cell, self.cells[usize::from(cell)] & kept)?;
        }
        self.singles(puzzle, cells, sure & any)?;
        self.take_from_outer(puzzle, rule, sure & any)
    }

    /// The same for more than nine digits, where there are too many combinations: by the smallest and largest sums.
    fn large_sum(&mut self, puzzle: &Puzzle, rule: &Rule, sum: u32) -> Result<(), Contradiction> {
        let cells = puzzle.cells(rule);
        self.singles(puzzle, cells, 0)?;
        let least = |mask: Mask| mask.trailing_zeros() + 1;
        let most = |mask: Mask| 32 - mask.leading_zeros();
        let all = cells.iter().map(|&cell| self.cells[usize::from(cell)]);
        let (low, high) = all.fold((0, 0), |(low, high), mask| (low + least(mask), high + most(mask)));
        if sum < low || sum > high {
            return Err(Contradiction);
        }
        for &cell in cells {
            let mask = self.cells[usize::from(cell)];
            // With all others at their largest this one is at least so large, and the reverse.
            let (from, to) = (sum.saturating_sub(high - most(mask)).max(1), (sum - (low - least(mask))).min(25));
            let between = if from > to { 0 } else { (1 << to) - (1 << (from - 1)) };
            self.set(puzzle, cell, mask & between)?;
        }
        Ok(())
    }

    /// Windows of consecutive digits that the cells can still hold.
    fn straight(&mut self, puzzle: &Puzzle, rule: &Rule) -> Result<(), Contradiction> {
        let cells = puzzle.cells(rule);
        let (once, _, alone) = self.look(cells)?;
        let (mut any, mut sure) = (0, !0);
        for from in 0..=puzzle.side - cells.len() {
            let window: Mask = ((1 << cells.len()) - 1) << from;
            let fits = |&cell: &u16| self.cells[usize::from(cell)] & window != 0;
            if window & !once == 0 && alone & !window == 0 && cells.iter().all(fits) {
                any |= window;
                sure &= window;
            }
        }
        if any == 0 {
            return Err(Contradiction);
        }
        for &cell in cells {
            self.set(puzzle, cell, self.cells[usize::from(cell)] & any)?;
        }
        self.singles(puzzle, cells, sure & any)?;
        self.take_from_outer(puzzle, rule, sure & any)
    }
}

/// Which of two digits each of two cells can hold, with the other in the other. False if neither way.
fn pairs(combination: Mask, cells: [Mask; 2], supported: &mut [Mask; 3]) -> bool {
    let low = combination & combination.wrapping_neg();
    let high = combination & !low;
    let mut held = false;
    for (a, b) in [(low, high), (high, low)] {
        if cells[0] & a != 0 && cells[1] & b != 0 {
            supported[0] |= a;
            supported[1] |= b;
            held = true;
        }
    }
    held
}

/// The same for three.
fn triples(combination: Mask, cells: [Mask; 3], supported: &mut [Mask; 3]) -> bool {
    let low = combination & combination.wrapping_neg();
    let rest = combination & !low;
    let middle = rest & rest.wrapping_neg();
    let high = rest & !middle;
    let mut held = false;
    for (a, b, c) in [
        (low, middle, high),
        (low, high, middle),
        (middle, low, high),
        (middle, high, low),
        (high, low, middle),
        (high, middle, low),
    ] {
        if cells[0] & a != 0 && cells[1] & b != 0 && cells[2] & c != 0 {
            supported[0] |= a;
            supported[1] |= b;
            supported[2] |= c;
            held = true;
        }
    }
    held
}

/// The sets of `count` digits of 1 to 9 that add up to `sum`. (For smaller sides the larger digits fit no cell.)
fn combinations(count: usize, sum: u32) -> &'static [u16] {
    static TABLE: OnceLock<Vec<Vec<u16>>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table = vec![Vec::new(); 10 * 46];
        for set in 1_u16..512 {
            let sum: u32 = (0..9).filter(|digit| set >> digit & 1 == 1).map(|digit| digit + 1).sum();
            table[set.count_ones() as usize * 46 + sum as usize].push(set);
        }
        table
    });
    if count > 9 || sum > 45 { &[] } else { &table[count * 46 + sum as usize] }
}
