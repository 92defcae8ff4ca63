//! The rules of the kinds, compared with a naive implementation: the violations on a board, and the number of its
//! solutions.

mod plain;

use std::collections::BTreeSet;

use gridmill_core::board::{Batch, Cell, Kind, Mask, Shape, Side};
use gridmill_core::check::{passing, problems};
use gridmill_core::error::{Code, Position};
use gridmill_core::kernels;
use gridmill_core::make::{Maker, MakerMemory, Mix};
use gridmill_core::solve::{PropagationSolver, Query, UNDECIDED};

use crate::random::{Rng, boards_of, made, open_cages, shapes};
use plain::Plain;

/// The violations that the crate finds on a board: code and cell.
fn found(batch: &Batch, board: usize) -> BTreeSet<(Code, usize)> {
    let side = batch.shape().side.get();
    let at = |position: Position| usize::from(position.row - 1) * side + usize::from(position.column - 1);
    let of = |reject: &gridmill_core::error::Reject| (reject.code, at(reject.cell.expect("a cell")));
    problems(batch, board).iter().map(|problem| of(&problem.reject)).collect()
}

/// Shapes for which boards are made quickly.
fn quick() -> impl Iterator<Item = Shape> {
    shapes().filter(|shape| shape.side.get() <= 9 || shape.kind == Kind::Sudoku)
}

/// The boards of a maker in a mix.
fn fill(maker: &Maker, mix: Mix) -> Batch {
    let mut batch = Batch::new();
    batch.reset(maker.shape(), boards_of(maker.shape()));
    maker.clone().mix(mix).fill(0, &mut batch, &mut MakerMemory::default());
    batch
}

/// Shapes whose cages can be checked by trying all combinations.
fn small() -> impl Iterator<Item = Shape> {
    shapes().filter(|shape| shape.side.get() <= if shape.kind.has_operators() { 6 } else { 9 })
}

#[test]
fn made_boards_pass_in_every_mix() {
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

/// Changes some cells to any contents, usually a few.
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
            // Trying all combinations of cages is slow.
            let boards = if shape.kind.has_cages() { 20 } else { batch.len() };
            for board in 0..boards {
                spoil(&mut batch, board, rng);
                if rng.once_in(3) {
                    open_cages(&mut batch, board, rng);
                }
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
            // Boards of other kinds and sides are checked without kernels.
            let some = if shape.kind.is_plain() && shape.side == Side::NINE { &kernels[..] } else { &kernels[..1] };
            for kernel in some {
                let all = u64::MAX >> (64 - boards);
                assert_eq!(passing(&batch, all, kernel), clean, "{shape:?} {} {}", mix.name(), kernel.name);
            }
        }
    }
    // Every rule was violated in every kind that has it.
    for kind in Kind::all() {
        let rules = kind.rules();
        let cages = [(Code::Sum, kind.has_cages() && !kind.has_operators()), (Code::Operator, kind.has_operators())];
        let others = [(Code::Straight, rules.straights), (Code::Duplicate, true), (Code::Stale, true)];
        for (code, _) in cages.into_iter().chain(others).chain([(Code::NoCandidate, true)]).filter(|(_, has)| *has) {
            assert!(codes.contains(&(kind, code)), "{kind}: {code}");
        }
    }
}

/// An empty board with the regions, cages and black cells of a made one.
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
            // A region that is a row has no such pair, and a line may have too few white cells.
            assert!(alone || pairs.is_empty() || cells.len() < n.into(), "{shape:?} house {number}");
        }
    }
}

#[test]
fn regions_are_n_pieces_of_n_cells() {
    let shape = Shape::new(Kind::Jigsaw, Side::NINE);
    let mut batch = empty(shape);
    let regions = batch.regions()[..81].to_vec();
    // Two cells of two regions are exchanged: sizes stay the same.
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
    batch.set_cell(0, 9, Cell::Clue(9));
    assert!(problems(&batch, 0).iter().all(|problem| !problem.to_string().contains("'09'")));
    (0..81).for_each(|i| batch.set_cell(0, i, Cell::Clue(if i % 10 == 0 { 1 } else { 9 })));
    assert!(problems(&batch, 0)[0].to_string().contains("'09'"));
}

/// Boards with further givens from their solutions, some of them wrong.
fn puzzles(shape: Shape, seed: u64, rng: &mut Rng) -> Option<Batch> {
    let maker = Maker::new(shape.kind, shape.side, Mix::Clues, seed).ok()?;
    let (mut batch, solved) = (fill(&maker, Mix::Clues), fill(&maker, Mix::Solved));
    for board in 0..batch.len() {
        let share = *rng.pick(&[10, 30, 50, 70, 100]);
        if rng.once_in(2) {
            open_cages(&mut batch, board, rng);
        }
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

/// Counts solutions with both implementations, for `batches` batches of each shape.
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
                    let counted = solver.count(&batch, board, Query::count(limit, 100_000));
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

#[test]
fn exact_counts_are_those_of_a_plain_search() {
    counts_agree(1, 2);
    counts_agree(1, 20);
}

#[test]
#[ignore = "by hand, when rules change: minutes, a thousand boards and more of each kind"]
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
        // With billions of solutions, two are soon found.
        let count = solver.count(&batch, 0, Query::count(2, 100_000)).count;
        assert!(matches!(count, 1 | 2) || shape.side.get() > 9 && count == UNDECIDED, "{shape:?} {count}");
        let few = solver.count(&batch, 0, Query::count(10_000, 3)).count;
        assert!(few == UNDECIDED || shape.side.get() < 6 || shape.kind.has_cages(), "{shape:?} {few}");
        // Contradictory givens have none, which is found at once.
        // Cages may leave no choice at all.
        let white: Vec<usize> = (0..shape.side.get()).filter(|&i| !batch.cell(0, i).is_black()).collect();
        for &i in white.iter().take(2) {
            batch.set_cell(0, i, Cell::Clue(1));
        }
        assert!(white.len() < 2 || solver.count(&batch, 0, Query::count(2, 1)).count == 0, "{shape:?}");
    }
}
