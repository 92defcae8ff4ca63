//! What each rule takes away from the candidates of its cells.

use std::sync::OnceLock;

use super::arithmetic;
use super::candidates::{Candidates, Contradiction};
use super::puzzle::{Constraint, Puzzle, Rule};
use super::rule_cells::RuleCells;
use crate::board::Mask;

impl Candidates {
    /// Applies rules until none takes away anything. False if one cannot be kept.
    pub(super) fn propagate(&mut self, puzzle: &Puzzle) -> bool {
        while let Some(word) = self.dirty.iter().position(|&word| word != 0) {
            let bit = self.dirty[word].trailing_zeros();
            self.dirty[word] &= self.dirty[word] - 1;
            let rule = &puzzle.rules[word * 64 + bit as usize];
            let kept = match rule.constraint {
                Constraint::Different { every } => self.different(puzzle, rule, every),
                Constraint::Crossing { shared } => self.crossing(puzzle, rule, shared.into()),
                Constraint::Sum(sum) if puzzle.side <= 9 => self.sum(puzzle, rule, sum),
                Constraint::Sum(sum) => self.large_sum(puzzle, rule, sum),
                Constraint::Straight => self.straight(puzzle, rule),
                Constraint::Arithmetic { operator, clue } => arithmetic::propagate(self, puzzle, rule, operator, clue),
            };
            // What a rule did to its own cells it has looked at already; crossings did so only once.
            if !matches!(rule.constraint, Constraint::Crossing { .. }) {
                self.dirty[word] &= !(1 << bit);
            }
            if kept.is_err() {
                puzzle.cells(rule).iter().for_each(|&cell| self.weights[usize::from(cell)] += 1);
                return false;
            }
        }
        true
    }

    /// The candidates of a rule's cells, side by side.
    fn few(&self, cells: &[u16]) -> RuleCells {
        let mut few = RuleCells { masks: [0; 25], len: cells.len() };
        few.masks.iter_mut().zip(cells).for_each(|(mask, &cell)| *mask = self.cells[usize::from(cell)]);
        few
    }

    /// Gives the cells what is left of theirs.
    fn put(&mut self, puzzle: &Puzzle, cells: &[u16], few: &RuleCells) {
        for (&cell, &mask) in cells.iter().zip(&few.masks) {
            let old = &mut self.cells[usize::from(cell)];
            if *old != mask {
                *old = mask;
                self.mark(puzzle, cell.into());
            }
        }
    }

    fn different(&mut self, puzzle: &Puzzle, rule: &Rule, every: bool) -> Result<(), Contradiction> {
        let cells = puzzle.cells(rule);
        let needed = if every { (1 << puzzle.side) - 1 } else { 0 };
        let mut few = self.few(cells);
        if few.singles(needed)? {
            self.put(puzzle, cells, &few);
        }
        Ok(())
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
        let mut few = self.few(cells);
        let combinations = combinations(cells.len(), sum);
        loop {
            let sure = few.combine(combinations.iter().map(|&set| set.into()))?;
            if !few.singles(sure)? {
                self.put(puzzle, cells, &few);
                return self.take_from_outer(puzzle, rule, sure);
            }
        }
    }

    /// The same for more than nine digits, where there are too many combinations: by the smallest and largest sums.
    fn large_sum(&mut self, puzzle: &Puzzle, rule: &Rule, sum: u32) -> Result<(), Contradiction> {
        let cells = puzzle.cells(rule);
        let mut few = self.few(cells);
        if few.singles(0)? {
            self.put(puzzle, cells, &few);
        }
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
        let mut few = self.few(cells);
        let windows = (0..=puzzle.side - cells.len()).map(|from| ((1 << cells.len()) - 1) << from);
        loop {
            let sure = few.combine(windows.clone())?;
            if !few.singles(sure)? {
                self.put(puzzle, cells, &few);
                return self.take_from_outer(puzzle, rule, sure);
            }
        }
    }
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
