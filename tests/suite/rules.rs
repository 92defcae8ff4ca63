//! The rules of the kinds, written down once more and as plainly as can be: what is against them on a board, and how many
//! solutions it has.

use std::collections::BTreeSet;

use gridmill::board::{Batch, Cell, Kind, Mask, Shape, Side, components};
use gridmill::check::{passing, problems};
use gridmill::error::{Code, Position};
use gridmill::kernels;
use gridmill::make::{Maker, Mix, Scratch};
use gridmill::solve::{PropagationSolver, UNDECIDED};

use crate::random::{Rng, boards_of, made, shapes};

/// A cage: its cells, whether its digits differ, its operator (1 adds) and its clue.
struct Cage {
    cells: Vec<usize>,
    different: bool,
    operator: u16,
    clue: u32,
}

/// A board.
struct Plain {
    n: usize,
    cells: Vec<Cell>,
    houses: Vec<Vec<usize>>,
    cages: Vec<Cage>,
    /// White runs, with the other cells of their lines.
    runs: Vec<(Vec<usize>, Vec<usize>)>,
    /// For each cell those that may not hold its digit.
    peers: Vec<Vec<usize>>,
}

impl Plain {
    fn new(batch: &Batch, board: usize) -> Self {
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

    /// What is placed, or 0.
    fn digits(&self) -> Vec<u8> {
        self.cells.iter().map(|cell| cell.digit()).collect()
    }

    /// Whether cells can be filled so that a condition on all of them holds; for few open cells.
    fn can(&self, digits: &mut Vec<u8>, cells: &[usize], holds: &mut dyn FnMut(&[u8]) -> bool) -> bool {
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

    /// What the rules have against the board: code and cell.
    fn faults(&self) -> BTreeSet<(Code, usize)> {
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
            // Digits that are placed twice are a duplicate; here they count as what they add.
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
    fn excluded(&self, digits: &[u8], i: usize, digit: u8) -> bool {
        self.peers[i].iter().any(|&j| digits[j] == digit)
    }

    /// Solutions of the givens up to a limit; `None` if that takes too long.
    fn count(&self, limit: u32) -> Option<u32> {
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

    fn search(&self, digits: &mut Vec<u8>, limit: u32, count: &mut u32, nodes: &mut u32) -> bool {
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
    /// Whether digits make the clue, and differ if they have to.
    fn holds(&self, digits: &[u8]) -> bool {
        let repeat = (1..digits.len()).any(|k| digits[..k].contains(&digits[k]));
        !(self.different && repeat) && self.makes(digits)
    }

    /// Whether digits make the clue.
    fn makes(&self, digits: &[u8]) -> bool {
        let numbers = || digits.iter().map(|&digit| u64::from(digit));
        let (large, small) = (numbers().max().unwrap_or(0), numbers().min().unwrap_or(0));
        let clue = u64::from(self.clue);
        match self.operator {
            1 => numbers().sum::<u64>() == clue,
            // Two cells that differ, as they are neighbours.
            2 => digits.len() == 2 && large - small == clue && large != small,
            3 => numbers().product::<u64>() == clue,
            _ => digits.len() == 2 && small * clue == large && large != small,
        }
    }

    /// Whether that is still possible, roughly.
    fn may_hold(&self, digits: &[u8], n: usize) -> bool {
        let placed: Vec<u8> = self.cells.iter().map(|&i| digits[i]).filter(|&digit| digit != 0).collect();
        if placed.len() == self.cells.len() {
            return self.holds(&placed);
        }
        let (open, sum) = ((self.cells.len() - placed.len()) as u32, placed.iter().map(|&d| u32::from(d)).sum::<u32>());
        let product = placed.iter().map(|&d| u64::from(d)).product::<u64>();
        match self.operator {
            1 => sum + open <= self.clue && sum + open * n as u32 >= self.clue,
            3 => u64::from(self.clue).is_multiple_of(product),
            _ => true,
        }
    }
}

/// Whether a run can still become a straight, roughly.
fn may_run(digits: &[u8], (run, _): &(Vec<usize>, Vec<usize>)) -> bool {
    let placed = || run.iter().map(|&i| digits[i]).filter(|&digit| digit != 0);
    let (Some(large), Some(small)) = (placed().max(), placed().min()) else { return true };
    usize::from(large - small) < run.len()
}

/// The candidates of a cell that holds no digit and can.
fn open(cell: Cell) -> Option<Mask> {
    match cell {
        Cell::Empty => Some(0),
        Cell::Candidates(mask) => Some(mask),
        _ => None,
    }
}

/// What the rules of the crate have against a board: code and cell.
fn found(batch: &Batch, board: usize) -> BTreeSet<(Code, usize)> {
    let side = batch.shape().side.get();
    let at = |position: Position| usize::from(position.row - 1) * side + usize::from(position.column - 1);
    let of = |reject: &gridmill::error::Reject| (reject.code, at(reject.cell.expect("a cell")));
    problems(batch, board).iter().map(|problem| of(&problem.reject)).collect()
}

/// Shapes of which boards are made in no time.
fn quick() -> impl Iterator<Item = Shape> {
    shapes().filter(|shape| shape.side.get() <= 9 || shape.kind == Kind::Sudoku)
}

/// The boards of a maker in a mix.
fn fill(maker: &Maker, mix: Mix) -> Batch {
    let mut batch = Batch::new();
    batch.reset(maker.shape(), boards_of(maker.shape()));
    maker.clone().mix(mix).fill(0, &mut batch, &mut Scratch::default());
    batch
}

/// Shapes whose cages can be tried out one way after the other.
fn small() -> impl Iterator<Item = Shape> {
    shapes().filter(|shape| shape.side.get() <= if shape.kind.has_operators() { 6 } else { 9 })
}

#[test]
fn made_boards_are_fine_in_every_mix() {
    for shape in quick() {
        let Ok(maker) = Maker::new(shape.kind, shape.side, Mix::Clues, 5) else { continue };
        for mix in [Mix::Clues, Mix::Progress, Mix::Solved] {
            let batch = fill(&maker, mix);
            for board in 0..batch.len() {
                let problems = problems(&batch, board);
                assert!(problems.is_empty(), "{shape:?} {} {board}: {}", mix.name(), problems[0]);
            }
            for kernel in kernels::available().into_iter().take(if shape.side == Side::NINE { 9 } else { 1 }) {
                let all = u64::MAX >> (64 - batch.len());
                assert_eq!(passing(&batch, all, kernel), all, "{shape:?} {} {}", mix.name(), kernel.name);
                assert_eq!(passing(&batch, all & 0xAAAA, kernel), all & 0xAAAA);
            }
        }
    }
}

/// Changes some cells to anything, most of the time little.
fn spoil(batch: &mut Batch, board: usize, rng: &mut Rng) {
    let (side, codes) = (batch.shape().side, batch.shape().codes());
    for _ in 0..*rng.pick(&[1, 1, 1, 2, 5, 40]) {
        let i = rng.below(side.cells());
        let digit = rng.below(side.get()) as u8 + 1;
        let black = batch.cell(board, i).is_black();
        let cell = match rng.below(6) {
            _ if black => Cell::BlackClue(digit),
            0 | 1 => Cell::Clue(digit),
            2 => Cell::Solved(digit),
            3 => Cell::Empty,
            4 => Cell::Candidates(codes.full_mask()),
            _ => Cell::Candidates(rng.below(codes.full_mask() as usize) as Mask + 1),
        };
        batch.set_cell(board, i, cell);
    }
}

#[test]
fn rules_find_what_the_plain_ones_find() {
    let rng = &mut Rng(11);
    let mut codes = BTreeSet::new();
    for shape in small() {
        let Ok(maker) = Maker::new(shape.kind, shape.side, Mix::Clues, 6) else { continue };
        for (seed, mix) in [Mix::Clues, Mix::Progress, Mix::Solved].into_iter().enumerate() {
            let mut batch = fill(&maker, mix);
            // Going through the ways of cages takes the plain rules long.
            let boards = if shape.kind.has_cages() { 20 } else { batch.len() };
            for board in 0..boards {
                spoil(&mut batch, board, rng);
                if shape.kind.has_cages() && rng.once_in(4) {
                    let first = Plain::new(&batch, board).cages[0].cells[0];
                    let at = board * batch.stride() + first;
                    batch.contents_mut()[at] = rng.below(50) as u16;
                }
            }
            let mut clean = 0;
            for board in 0..boards {
                let expected = Plain::new(&batch, board).faults();
                let regions = found(&batch, board).into_iter().filter(|(code, _)| *code != Code::Region);
                assert_eq!(regions.collect::<BTreeSet<_>>(), expected, "{shape:?} {} {seed} {board}", mix.name());
                clean |= u64::from(expected.is_empty()) << board;
                codes.extend(expected.into_iter().map(|(code, _)| (shape.kind, code)));
            }
            let kernels = kernels::available();
            // What has more than cells is looked at without kernels.
            let some = if shape.kind.is_plain() && shape.side == Side::NINE { &kernels[..] } else { &kernels[..1] };
            for kernel in some {
                let all = u64::MAX >> (64 - boards);
                assert_eq!(passing(&batch, all, kernel), clean, "{shape:?} {} {}", mix.name(), kernel.name);
            }
        }
    }
    // Every rule refused something in every kind that has it.
    for kind in Kind::all() {
        let rules = kind.rules();
        let cages = [(Code::Sum, kind.has_cages() && !kind.has_operators()), (Code::Operator, kind.has_operators())];
        let others = [(Code::Straight, rules.straights), (Code::Duplicate, true), (Code::Stale, true)];
        for (code, _) in cages.into_iter().chain(others).chain([(Code::NoCandidate, true)]).filter(|(_, has)| *has) {
            assert!(codes.contains(&(kind, code)), "{kind}: {code}");
        }
    }
}

/// An empty board with regions, cages and black cells of a made one.
fn empty(shape: Shape) -> Batch {
    let mut batch = made(shape, Mix::Clues, false, 3).expect("a shape that is made");
    for i in 0..shape.side.cells() {
        let black = batch.cell(0, i).is_black();
        batch.set_cell(0, i, if black { Cell::BlackEmpty } else { Cell::Empty });
    }
    batch
}

#[test]
fn every_house_refuses_a_repeated_digit_and_takes_another_one() {
    for shape in quick().filter(|shape| shape.side.get() < 25) {
        if made(shape, Mix::Clues, false, 3).is_none() {
            continue;
        }
        let mut batch = empty(shape);
        assert!(problems(&batch, 0).is_empty(), "{shape:?}");
        let plain = Plain::new(&batch, 0);
        let n = shape.side.get() as u8;
        let white = |i: &usize| !plain.cells[*i].is_black();
        for (number, house) in plain.houses.iter().enumerate() {
            let shared = |a: usize, b: usize| plain.houses.iter().filter(|h| h.contains(&a) && h.contains(&b)).count();
            let cells: Vec<usize> = house.iter().copied().filter(white).collect();
            let pairs = cells.iter().flat_map(|&a| cells.iter().map(move |&b| (a, b))).filter(|(a, b)| a < b);
            let pairs: Vec<_> = pairs.filter(|&(a, b)| shared(a, b) == 1).collect();
            // Two cells that only this house holds, and digits that the cages and runs allow.
            let shown = |batch: &mut Batch, a: usize, b: usize| {
                (1..=n).any(|digit| {
                    let other = if digit == n { digit - 1 } else { digit + 1 };
                    batch.set_cell(0, a, Cell::Clue(digit));
                    batch.set_cell(0, b, Cell::Solved(other));
                    let passes = problems(batch, 0).is_empty();
                    batch.set_cell(0, b, Cell::Solved(digit));
                    let refused = found(batch, 0) == BTreeSet::from([(Code::Duplicate, b)]);
                    batch.set_cell(0, a, Cell::Empty);
                    batch.set_cell(0, b, Cell::Empty);
                    passes && refused
                })
            };
            let alone = pairs.iter().any(|&(a, b)| shown(&mut batch, a, b));
            // A region that is a row has no such pair, and what is left white of a line may have none.
            assert!(alone || pairs.is_empty() || cells.len() < n.into(), "{shape:?} house {number}");
        }
    }
}

#[test]
fn regions_are_n_pieces_of_n_cells() {
    let shape = Shape::new(Kind::Jigsaw, Side::NINE);
    let mut batch = empty(shape);
    let regions = batch.regions()[..81].to_vec();
    // Two cells of two regions change places: sizes stay.
    let (a, b) = (0, regions.iter().rposition(|&r| r != regions[0]).expect("another region"));
    batch.regions_mut().swap(a, b);
    let warnings = problems(&batch, 0);
    assert!(
        warnings.iter().all(|w| w.warning && w.reject.code == Code::Region) && !warnings.is_empty(),
        "{warnings:?}"
    );
    batch.regions_mut()[..81].copy_from_slice(&regions);
    // One region grows by a cell of another.
    batch.regions_mut()[b] = regions[0];
    let refused = problems(&batch, 0);
    assert!(refused.iter().any(|p| !p.warning && p.reject.code == Code::Region), "{refused:?}");
}

#[test]
fn empty_cells_written_as_clue_nines_get_a_hint() {
    let mut batch = empty(Shape::new(Kind::Sudoku, Side::NINE));
    batch.set_cell(0, 0, Cell::Clue(9));
    batch.set_cell(0, 1, Cell::Clue(9));
    assert!(!problems(&batch, 0)[0].to_string().contains("'09'"));
    (0..81).for_each(|i| batch.set_cell(0, i, Cell::Clue(if i % 10 == 0 { 1 } else { 9 })));
    assert!(problems(&batch, 0)[0].to_string().contains("'09'"));
}

/// Made boards with further givens out of their solutions, some of them wrong.
fn puzzles(shape: Shape, seed: u64, rng: &mut Rng) -> Option<Batch> {
    let maker = Maker::new(shape.kind, shape.side, Mix::Clues, seed).ok()?;
    let (mut batch, solved) = (fill(&maker, Mix::Clues), fill(&maker, Mix::Solved));
    for board in 0..batch.len() {
        let share = *rng.pick(&[10, 30, 50, 70, 100]);
        for i in 0..shape.side.cells() {
            if matches!(batch.cell(board, i), Cell::Empty | Cell::Candidates(_)) && rng.below(100) < share {
                batch.set_cell(board, i, Cell::Clue(solved.cell(board, i).digit()));
            }
        }
        if rng.once_in(5) {
            let i = rng.below(shape.side.cells());
            if !batch.cell(board, i).is_black() {
                batch.set_cell(board, i, Cell::Clue(rng.below(shape.side.get()) as u8 + 1));
            }
        }
    }
    Some(batch)
}

/// Counts boards with both, `batches` batches a shape.
fn counts_agree(batches: u64, limit: u32) {
    let rng = &mut Rng(23 + u64::from(limit));
    let mut solver = PropagationSolver::new();
    for kind in Kind::all() {
        let (mut compared, mut skipped, mut seen) = (0, 0, [0_u32; 3]);
        for shape in small().filter(|shape| shape.kind == kind) {
            for seed in 0..batches {
                let Some(batch) = puzzles(shape, seed, rng) else { continue };
                for board in 0..batch.len() {
                    let plain = Plain::new(&batch, board);
                    let Some(expected) = plain.count(limit) else {
                        skipped += 1;
                        continue;
                    };
                    let counted = solver.count(&batch, board, false, limit, 100_000);
                    assert_eq!(counted.count, expected, "{shape:?} {seed} {board}");
                    assert_eq!(counted.solution.is_some(), expected > 0);
                    if let Some(solution) = counted.solution {
                        is_solution(&plain, solution);
                    }
                    seen[expected.min(2) as usize] += 1;
                    compared += 1;
                }
            }
        }
        assert!(compared > skipped * 4 && seen.iter().all(|&n| n > 0), "{kind}: {compared} {skipped} {seen:?}");
    }
}

fn is_solution(plain: &Plain, solution: &[u8]) {
    let cells = plain.cells.iter().zip(solution).map(|(&cell, &digit)| match cell {
        Cell::BlackEmpty => Cell::BlackEmpty,
        Cell::BlackClue(_) => Cell::BlackClue(digit),
        _ => Cell::Solved(digit),
    });
    let solved = Plain { cells: cells.collect(), ..plain.copy() };
    assert_eq!(solved.faults(), BTreeSet::new());
    let given = |(cell, &digit): (&Cell, &u8)| !matches!(cell, Cell::Clue(d) | Cell::BlackClue(d) if *d != digit);
    assert!(plain.cells.iter().zip(solution).all(given));
}

impl Plain {
    fn copy(&self) -> Self {
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

#[test]
fn exact_counts_are_those_of_a_plain_search() {
    counts_agree(1, 2);
    counts_agree(1, 20);
}

#[test]
#[ignore = "minutes: a thousand boards and more of each kind"]
fn exact_counts_are_those_of_a_plain_search_on_many_boards() {
    counts_agree(17, 2);
}

#[test]
fn searches_end() {
    let mut solver = PropagationSolver::new();
    for shape in quick() {
        if made(shape, Mix::Clues, false, 3).is_none() {
            continue;
        }
        let mut batch = empty(shape);
        // With billions of solutions there are soon two.
        let count = solver.count(&batch, 0, false, 2, 100_000).count;
        assert!(matches!(count, 1 | 2) || shape.side.get() > 9 && count == UNDECIDED, "{shape:?} {count}");
        let few = solver.count(&batch, 0, false, 10_000, 3).count;
        assert!(few == UNDECIDED || shape.side.get() < 6 || shape.kind.has_cages(), "{shape:?} {few}");
        // Givens that clash have none at once.
        // Cages can leave no freedom at all.
        let white: Vec<usize> = (0..shape.side.get()).filter(|&i| !batch.cell(0, i).is_black()).collect();
        for &i in white.iter().take(2) {
            batch.set_cell(0, i, Cell::Clue(1));
        }
        assert!(white.len() < 2 || solver.count(&batch, 0, false, 2, 1).count == 0, "{shape:?}");
    }
}
