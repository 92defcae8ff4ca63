//! Applies rules: removes the candidates that each rule excludes from its cells.

use std::sync::OnceLock;

use super::arithmetic;
use super::candidates::{BrokenRule, Candidates};
use super::puzzle::{Constraint, PuzzleRules, Rule};
use super::rule_cells::RuleCells;
use crate::board::Mask;

impl Candidates {
    /// Applies rules until none of them removes a candidate. Returns false if one cannot be satisfied.
    pub(super) fn propagate(&mut self, puzzle: &PuzzleRules) -> bool {
        while let Some(word) = self.dirty.iter().position(|&word| word != 0) {
            let bit = self.dirty[word].trailing_zeros();
            self.dirty[word] &= self.dirty[word] - 1;
            let rule = &puzzle.rules[word * 64 + bit as usize];
            let kept = match rule.constraint {
                Constraint::Different { every } => self.different(puzzle, rule, every),
                Constraint::Intersection { shared } => self.locked_candidates(puzzle, rule, shared.into()),
                Constraint::Sum(sum) if puzzle.side <= 9 => self.sum(puzzle, rule, sum),
                Constraint::Sum(sum) => self.large_sum(puzzle, rule, sum),
                Constraint::Run => self.run(puzzle, rule),
                Constraint::Arithmetic { operator, clue } => arithmetic::propagate(self, puzzle, rule, operator, clue),
            };
            // A rule is applied to its own changes until nothing changes, so it need not be applied again. Only the
            // rule for intersections is applied once.
            if !matches!(rule.constraint, Constraint::Intersection { .. }) {
                self.dirty[word] &= !(1 << bit);
            }
            if kept.is_err() {
                puzzle.cells(rule).iter().for_each(|&cell| self.weights[usize::from(cell)] += 1);
                return false;
            }
        }
        true
    }

    /// Copies the candidates of a rule's cells.
    fn rule_cells(&self, cells: &[u16]) -> RuleCells {
        let mut rule_cells = RuleCells { masks: [0; 25], len: cells.len() };
        rule_cells.masks.iter_mut().zip(cells).for_each(|(mask, &cell)| *mask = self.cells[usize::from(cell)]);
        rule_cells
    }

    /// Writes back the candidates that are left in a rule's cells.
    fn store(&mut self, puzzle: &PuzzleRules, cells: &[u16], rule_cells: &RuleCells) {
        for (&cell, &mask) in cells.iter().zip(&rule_cells.masks) {
            let old = &mut self.cells[usize::from(cell)];
            if *old != mask {
                *old = mask;
                self.mark(puzzle, cell.into());
            }
        }
    }

    /// Removes digits by naked singles, and by hidden singles if the cells have `every` digit.
    fn different(&mut self, puzzle: &PuzzleRules, rule: &Rule, every: bool) -> Result<(), BrokenRule> {
        let cells = puzzle.cells(rule);
        let needed = if every { (1 << puzzle.side) - 1 } else { 0 };
        let mut rule_cells = self.rule_cells(cells);
        if rule_cells.singles(needed)? {
            self.store(puzzle, cells, &rule_cells);
        }
        Ok(())
    }

    /// Removes locked candidates: if one house can have a digit only where it intersects another house, the other house
    /// cannot have it elsewhere.
    fn locked_candidates(&mut self, puzzle: &PuzzleRules, rule: &Rule, shared: usize) -> Result<(), BrokenRule> {
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

    /// Removes digits that are required in the cells of a rule from the common peers of these cells.
    fn remove_from_common_peers(
        &mut self,
        puzzle: &PuzzleRules,
        rule: &Rule,
        required: Mask,
    ) -> Result<(), BrokenRule> {
        if required != 0 {
            for &cell in puzzle.common_peers(rule) {
                self.set(puzzle, cell, self.cells[usize::from(cell)] & !required)?;
            }
        }
        Ok(())
    }

    /// Keeps the digits of combinations that have the sum and that the cells can still have.
    fn sum(&mut self, puzzle: &PuzzleRules, rule: &Rule, sum: u32) -> Result<(), BrokenRule> {
        let cells = puzzle.cells(rule);
        let mut rule_cells = self.rule_cells(cells);
        let combinations = combinations(cells.len(), sum);
        loop {
            let required = rule_cells.combine(combinations.iter().map(|&set| set.into()))?;
            if !rule_cells.singles(required)? {
                self.store(puzzle, cells, &rule_cells);
                return self.remove_from_common_peers(puzzle, rule, required);
            }
        }
    }

    /// Does the same for more than nine digits, where there are too many combinations. It uses only the smallest and
    /// the largest sum that the cells can have.
    fn large_sum(&mut self, puzzle: &PuzzleRules, rule: &Rule, sum: u32) -> Result<(), BrokenRule> {
        let cells = puzzle.cells(rule);
        let mut rule_cells = self.rule_cells(cells);
        if rule_cells.singles(0)? {
            self.store(puzzle, cells, &rule_cells);
        }
        let least = |mask: Mask| mask.trailing_zeros() + 1;
        let most = |mask: Mask| 32 - mask.leading_zeros();
        let all = cells.iter().map(|&cell| self.cells[usize::from(cell)]);
        let (low, high) = all.fold((0, 0), |(low, high), mask| (low + least(mask), high + most(mask)));
        if sum < low || sum > high {
            return Err(BrokenRule);
        }
        for &cell in cells {
            let mask = self.cells[usize::from(cell)];
            // The smallest digit of this cell goes with the largest digits of all others, and the reverse.
            let (from, to) = (sum.saturating_sub(high - most(mask)).max(1), (sum - (low - least(mask))).min(25));
            let between = if from > to { 0 } else { (1 << to) - (1 << (from - 1)) };
            self.set(puzzle, cell, mask & between)?;
        }
        Ok(())
    }

    /// Keeps the digits of windows, which are sets of consecutive digits, that the cells of a run can still have.
    fn run(&mut self, puzzle: &PuzzleRules, rule: &Rule) -> Result<(), BrokenRule> {
        let cells = puzzle.cells(rule);
        let mut rule_cells = self.rule_cells(cells);
        let windows = (0..=puzzle.side - cells.len()).map(|from| ((1 << cells.len()) - 1) << from);
        loop {
            let required = rule_cells.combine(windows.clone())?;
            if !rule_cells.singles(required)? {
                self.store(puzzle, cells, &rule_cells);
                return self.remove_from_common_peers(puzzle, rule, required);
            }
        }
    }
}

/// The sets of `count` digits from 1 to 9 that add up to `sum`. (On smaller sides, no cell can have the larger digits.)
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
