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
        self.weights.extend(
            (0..self.cells.len()).map(|cell| puzzle.of_cell(cell).iter().map(|rules| rules.count_ones()).sum::<u32>()),
        );
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
        self.dirty.iter_mut().zip(puzzle.of_cell(cell)).for_each(|(dirty, rules)| *dirty |= rules);
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
            // What a rule did to its own cells it has looked at already; crossings did so only once.
            if !matches!(rule.demand, Demand::Crossing { .. }) {
                self.dirty[word] &= !(1 << bit);
            }
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

    /// The candidates of a rule's cells, side by side.
    fn few(&self, cells: &[u16]) -> Few {
        let mut few = Few { masks: [0; 25], len: cells.len() };
        few.masks.iter_mut().zip(cells).for_each(|(mask, &cell)| *mask = self.cells[usize::from(cell)]);
        few
    }

    /// Gives the cells what is left of theirs.
    fn put(&mut self, puzzle: &Puzzle, cells: &[u16], few: &Few) {
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

/// The candidates of the cells of one rule.
struct Few {
    masks: [Mask; 25],
    len: usize,
}

impl Few {
    /// What the cells hold: in any of them, in two or more, alone in a cell.
    #[inline]
    fn look(&self) -> Result<(Mask, Mask, Mask), Contradiction> {
        let (mut once, mut twice, mut alone) = (0, 0, 0);
        for &mask in &self.masks[..self.len] {
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

    /// Naked singles, and of the digits in `needed` hidden ones, until there are no more. Whether there were any.
    #[inline]
    fn singles(&mut self, needed: Mask) -> Result<bool, Contradiction> {
        let mut any = false;
        loop {
            let (once, twice, alone) = self.look()?;
            if needed & !once != 0 {
                return Err(Contradiction);
            }
            let hidden = needed & !twice & !alone;
            if hidden == 0 && twice & alone == 0 {
                return Ok(any);
            }
            any = true;
            for mask in &mut self.masks[..self.len] {
                if *mask & (*mask - 1) == 0 {
                    continue;
                }
                *mask &= !alone;
                if *mask & hidden != 0 {
                    *mask &= hidden;
                    if *mask & (*mask - 1) != 0 {
                        return Err(Contradiction);
                    }
                }
                if *mask == 0 {
                    return Err(Contradiction);
                }
            }
        }
    }

    /// Leaves each cell what it can hold in one of these sets of different digits, of which all cells together hold one.
    /// Returns the digits that are in all sets that are possible.
    #[inline]
    fn combine(&mut self, sets: impl Iterator<Item = Mask>) -> Result<Mask, Contradiction> {
        let (once, _, alone) = self.look()?;
        let (mut any, mut sure) = (0, !0);
        // Of a few cells it is cheap to see which digits of a set each can hold while the others hold the rest.
        let mut supported = [0; 3];
        let masks = &mut self.masks[..self.len];
        for set in sets {
            if set & !once != 0 || alone & !set != 0 || masks.iter().any(|mask| mask & set == 0) {
                continue;
            }
            let held = match *masks {
                [a, b] => pairs(set, [a, b], &mut supported),
                [a, b, c] => triples(set, [a, b, c], &mut supported),
                _ => true,
            };
            if held {
                any |= set;
                sure &= set;
            }
        }
        if any == 0 {
            return Err(Contradiction);
        }
        if matches!(masks.len(), 2 | 3) {
            masks.iter_mut().zip(supported).for_each(|(mask, supported)| *mask &= supported);
        } else {
            masks.iter_mut().for_each(|mask| *mask &= any);
        }
        Ok(sure)
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
