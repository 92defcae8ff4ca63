//! A naive implementation of boards and their rules.

use std::collections::BTreeSet;

use gridmill_core::board::{Batch, Cell, Mask, components};
use gridmill_core::error::Code;

/// A cage: its cells, whether digits must differ, its operator (1 adds) and its clue (0 for none).
pub(super) struct Cage {
    pub(super) cells: Vec<usize>,
    pub(super) different: bool,
    pub(super) operator: u16,
    pub(super) clue: u32,
}

/// A board.
pub(super) struct Plain {
    pub(super) n: usize,
    pub(super) cells: Vec<Cell>,
    pub(super) houses: Vec<Vec<usize>>,
    pub(super) cages: Vec<Cage>,
    /// White runs, with the other cells of their lines.
    pub(super) runs: Vec<(Vec<usize>, Vec<usize>)>,
    /// For each cell the cells that may not have its digit.
    pub(super) peers: Vec<Vec<usize>>,
}

impl Plain {
    pub(super) fn new(batch: &Batch, board: usize) -> Self {
        let (kind, n) = (batch.shape().kind, batch.shape().side.get());
        let cells: Vec<Cell> = (0..n * n).map(|i| batch.cell(board, i)).collect();
        let name = kind.name();
        let lines: Vec<Vec<usize>> =
            (0..n).flat_map(|k| [(0..n).map(|i| k * n + i).collect(), (0..n).map(|i| i * n + k).collect()]).collect();
        let diagonals = [(0..n).map(|i| i * n + i).collect(), (0..n).map(|i| i * n + n - 1 - i).collect()];
        let mut houses = lines.clone();
        if name.contains("sudoku") || matches!(name, "windoku" | "killer" | "kendoku" | "str8ts-b" | "str8ts-bx") {
            let (height, width) = match n {
                6 => (2, 3),
                8 => (2, 4),
                9 => (3, 3),
                16 => (4, 4),
                _ => (5, 5),
            };
            for b in 0..n {
                let (top, left) = (b / (n / width) * height, b % (n / width) * width);
                houses.push((0..n).map(|i| (top + i / width) * n + left + i % width).collect());
            }
        }
        if matches!(name, "sudoku-x" | "str8ts-x" | "str8ts-bx") {
            houses.extend(diagonals.clone());
        }
        if name == "windoku" {
            for (top, left) in [(1, 1), (1, 5), (5, 1), (5, 5)] {
                houses.push((0..9).map(|i| (top + i / 3) * 9 + left + i % 3).collect());
            }
        }
        if name == "colour-sudoku" {
            houses.extend((0..9).map(|k| (0..9).map(|b| (b / 3 * 3 + k / 3) * 9 + b % 3 * 3 + k % 3).collect()));
        }
        let row = board * batch.stride()..board * batch.stride() + n * n;
        if name.contains("jigsaw") {
            let regions = &batch.regions()[row.clone()];
            let of = |number: usize| (0..n * n).filter(|&i| usize::from(regions[i]) == number).collect::<Vec<_>>();
            if (1..=n).all(|number| of(number).len() == n) {
                houses.extend((1..=n).map(of));
            } else {
                let pieces = components(regions, n);
                let first = |i: &usize| usize::from(pieces[*i]) == *i;
                houses
                    .extend((0..n * n).filter(first).map(|f| (0..n * n).filter(|&i| pieces[i] == f as u16).collect()));
            }
        }
        let mut cages = Vec::new();
        if name.starts_with("k") {
            let (pieces, contents) = (components(&batch.colours()[row.clone()], n), &batch.contents()[row]);
            for first in (0..n * n).filter(|&i| usize::from(pieces[i]) == i) {
                let cells: Vec<usize> = (0..n * n).filter(|&i| usize::from(pieces[i]) == first).collect();
                let operator = cells[1..].iter().map(|&i| contents[i]).max().unwrap_or(0).max(1);
                let different = name.starts_with("killer");
                let (operator, clue) = (if different { 1 } else { operator }, contents[first].into());
                cages.push(Cage { cells, different, operator, clue });
            }
        }
        let mut runs = Vec::new();
        if name.starts_with("str8ts") {
            let diagonals = diagonals.into_iter().filter(|_| name.contains('x'));
            for line in lines.into_iter().chain(diagonals) {
                for run in line.split(|&i| cells[i].is_black()).filter(|run| !run.is_empty()) {
                    let others = line.iter().copied().filter(|i| !run.contains(i)).collect();
                    runs.push((run.to_vec(), others));
                }
            }
        }
        let different = cages.iter().filter(|cage| cage.different).map(|cage| &cage.cells);
        let groups: Vec<&Vec<usize>> = houses.iter().chain(different).collect();
        let sees = |i: usize, j: usize| i != j && groups.iter().any(|group| group.contains(&i) && group.contains(&j));
        let peers = (0..n * n).map(|i| (0..n * n).filter(|&j| sees(i, j)).collect()).collect();
        Self { n, cells, houses, cages, runs, peers }
    }

    /// The placed digits, or 0.
    pub(super) fn digits(&self) -> Vec<u8> {
        self.cells.iter().map(|cell| cell.digit()).collect()
    }

    /// Whether cells can be filled so that a condition on all of them holds. Only for few open cells.
    pub(super) fn can(&self, digits: &mut Vec<u8>, cells: &[usize], holds: &mut dyn FnMut(&[u8]) -> bool) -> bool {
        match cells.iter().position(|&i| digits[i] == 0) {
            None => holds(&cells.iter().map(|&i| digits[i]).collect::<Vec<_>>()),
            Some(open) => (1..=self.n as u8).any(|digit| {
                digits[cells[open]] = digit;
                let held = self.can(digits, cells, holds);
                digits[cells[open]] = 0;
                held
            }),
        }
    }

    /// The violations on the board: code and cell.
    pub(super) fn faults(&self) -> BTreeSet<(Code, usize)> {
        let digits = self.digits();
        let mut found = BTreeSet::new();
        let cages = self.cages.iter().filter(|cage| cage.different).map(|cage| &cage.cells);
        for house in self.houses.iter().chain(cages) {
            for (k, &i) in house.iter().enumerate() {
                if digits[i] != 0 && house[..k].iter().any(|&j| digits[j] == digits[i]) {
                    found.insert((Code::Duplicate, i));
                }
            }
        }
        for cage in &self.cages {
            // Digits that are placed twice are reported as duplicates; in sums each of them counts.
            let placed: Vec<u8> = cage.cells.iter().map(|&i| digits[i]).collect();
            let again =
                |of: &[u8]| (0..of.len()).any(|k| placed[k] == 0 && (0..of.len()).any(|j| j != k && of[j] == of[k]));
            let holds = &mut |of: &[u8]| !(cage.different && again(of)) && cage.makes(of);
            if !self.can(&mut digits.clone(), &cage.cells, holds) {
                found.insert((if cage.different { Code::Sum } else { Code::Operator }, cage.cells[0]));
            }
        }
        for (run, others) in &self.runs {
            let outside: Vec<u8> = others.iter().map(|&i| digits[i]).collect();
            let within = |from: u8| {
                let to = from + run.len() as u8 - 1;
                run.iter().all(|&i| digits[i] == 0 || (from..=to).contains(&digits[i]))
                    && !outside.iter().any(|digit| (from..=to).contains(digit))
            };
            if !(1..=(self.n + 1 - run.len()) as u8).any(within) {
                found.insert((Code::Straight, run[0]));
            }
        }
        for (i, cell) in self.cells.iter().enumerate() {
            let Some(candidates) = open(*cell) else { continue };
            let excluded = (1..=self.n as u8).filter(|&digit| self.excluded(&digits, i, digit));
            let excluded: Mask = excluded.map(|digit| 1 << (digit - 1)).sum();
            let full: Mask = (1 << self.n) - 1;
            if excluded == full {
                found.insert((Code::NoCandidate, i));
            }
            if excluded & candidates != 0 && candidates != full {
                found.insert((Code::Stale, i));
            }
        }
        found
    }

    /// Whether a digit stands in a house or a cage of a cell already.
    pub(super) fn excluded(&self, digits: &[u8], i: usize, digit: u8) -> bool {
        self.peers[i].iter().any(|&j| digits[j] == digit)
    }

    /// The number of solutions of the givens, up to a limit; `None` if that takes too long.
    pub(super) fn count(&self, limit: u32) -> Option<u32> {
        let given = |cell: &Cell| match cell {
            Cell::Clue(digit) | Cell::BlackClue(digit) => *digit,
            _ => 0,
        };
        let mut digits: Vec<u8> = self.cells.iter().map(given).collect();
        if (0..self.cells.len()).any(|i| digits[i] != 0 && self.excluded(&digits, i, digits[i])) {
            return Some(0);
        }
        let (mut count, mut nodes) = (0, 0);
        self.search(&mut digits, limit, &mut count, &mut nodes).then_some(count)
    }

    pub(super) fn search(&self, digits: &mut Vec<u8>, limit: u32, count: &mut u32, nodes: &mut u32) -> bool {
        *nodes += 1;
        if *nodes > 4_000 {
            return false;
        }
        if !self.cages.iter().all(|cage| cage.may_hold(digits, self.n)) || !self.runs.iter().all(|r| may_run(digits, r))
        {
            return true;
        }
        let is_open = |i: &usize| digits[*i] == 0 && self.cells[*i] != Cell::BlackEmpty;
        let can = |i: usize| (1..=self.n as u8).filter(|&digit| !self.excluded(digits, i, digit)).collect::<Vec<_>>();
        let Some((i, can)) = (0..self.cells.len()).filter(is_open).map(|i| (i, can(i))).min_by_key(|(_, c)| c.len())
        else {
            *count += 1;
            return true;
        };
        for digit in can {
            digits[i] = digit;
            let ended = self.search(digits, limit, count, nodes);
            digits[i] = 0;
            if !ended || *count >= limit {
                return ended;
            }
        }
        true
    }
}

impl Cage {
    /// Whether the digits only differ.
    fn is_open(&self) -> bool {
        self.different && self.clue == 0
    }

    /// Whether digits satisfy the cage, and differ if they must.
    pub(super) fn holds(&self, digits: &[u8]) -> bool {
        let repeat = (1..digits.len()).any(|k| digits[..k].contains(&digits[k]));
        !(self.different && repeat) && self.makes(digits)
    }

    /// Whether digits give the clue.
    pub(super) fn makes(&self, digits: &[u8]) -> bool {
        let numbers = || digits.iter().map(|&digit| u64::from(digit));
        let (large, small) = (numbers().max().unwrap_or(0), numbers().min().unwrap_or(0));
        let clue = u64::from(self.clue);
        match self.operator {
            1 if self.is_open() => true,
            1 => numbers().sum::<u64>() == clue,
            // Two cells differ, since they are neighbours.
            2 => digits.len() == 2 && large - small == clue && large != small,
            3 => numbers().product::<u64>() == clue,
            _ => digits.len() == 2 && small * clue == large && large != small,
        }
    }

    /// Whether the cage can still be satisfied, approximately.
    pub(super) fn may_hold(&self, digits: &[u8], n: usize) -> bool {
        let placed: Vec<u8> = self.cells.iter().map(|&i| digits[i]).filter(|&digit| digit != 0).collect();
        if placed.len() == self.cells.len() {
            return self.holds(&placed);
        }
        let (open, sum) = ((self.cells.len() - placed.len()) as u32, placed.iter().map(|&d| u32::from(d)).sum::<u32>());
        let product = placed.iter().map(|&d| u64::from(d)).product::<u64>();
        match self.operator {
            1 if self.is_open() => true,
            1 => sum + open <= self.clue && sum + open * n as u32 >= self.clue,
            3 => u64::from(self.clue).is_multiple_of(product),
            _ => true,
        }
    }
}

/// Whether a run can still become a straight, approximately.
pub(super) fn may_run(digits: &[u8], (run, _): &(Vec<usize>, Vec<usize>)) -> bool {
    let placed = || run.iter().map(|&i| digits[i]).filter(|&digit| digit != 0);
    let (Some(large), Some(small)) = (placed().max(), placed().min()) else { return true };
    usize::from(large - small) < run.len()
}

/// The candidates of a cell that has no digit but may have one.
pub(super) fn open(cell: Cell) -> Option<Mask> {
    match cell {
        Cell::Empty => Some(0),
        Cell::Candidates(mask) => Some(mask),
        _ => None,
    }
}

impl Plain {
    pub(super) fn copy(&self) -> Self {
        let cage = |c: &Cage| Cage { cells: c.cells.clone(), ..*c };
        Self {
            n: self.n,
            cells: self.cells.clone(),
            houses: self.houses.clone(),
            cages: self.cages.iter().map(cage).collect(),
            runs: self.runs.clone(),
            peers: self.peers.clone(),
        }
    }
}
