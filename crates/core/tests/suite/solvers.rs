use gridmill_core::board::{Batch, Cell, Kind, Shape, Side};
use gridmill_core::check::problems;
use gridmill_core::kernels::{self, SCALAR};
use gridmill_core::make::{Maker, MakerMemory, Mix};
use gridmill_core::solve::{PropagationSolver, Query, Solver, UNDECIDED};

use crate::random::{Rng, open_cages};

/// The shapes with a solver of their own.
fn fast() -> Vec<Shape> {
    let small = [(Kind::Sudoku, 6), (Kind::Sudoku, 8), (Kind::KenDoku, 6), (Kind::KenDoku, 8)];
    let of = |(kind, side)| Shape::new(kind, Side::new(side).expect("a side"));
    let kenken = (3..=8).map(|side| (Kind::KenKen, side));
    let nine = [Kind::Sudoku, Kind::Jigsaw, Kind::Killer, Kind::KillerJigsaw, Kind::Str8ts, Kind::Str8tsB];
    let nine = nine.map(|kind| (kind, 9));
    [(Kind::Sudoku, 16)].into_iter().chain(nine).chain(small).chain(kenken).map(of).collect()
}

/// Boards of a shape with one solution, several or none: clues are removed from made boards, and some are changed, also
/// those of cages.
fn altered(shape: Shape, seed: u64, rng: &mut Rng) -> Batch {
    let maker = Maker::new(shape.kind, shape.side, Mix::Solved, seed).expect("a shape that is made");
    let mut batch = Batch::new();
    batch.reset(shape, 64);
    maker.fill(0, &mut batch, &mut MakerMemory::default());
    let cells = shape.side.cells();
    // Cages alone determine much already.
    let shares: &[usize] = if shape.kind.has_cages() { &[0, 0, 3, 10, 30, 60] } else { &[38, 42, 46, 50, 60, 75, 100] };
    for board in 0..batch.len() {
        let share = *rng.pick(shares);
        for i in 0..cells {
            let digit = batch.cell(board, i).digit();
            if batch.cell(board, i).is_black() {
                continue;
            }
            let cell = match rng.below(100) < share {
                true => Cell::Clue(digit),
                // Cells that are not clues do not matter.
                false => *rng.pick(&[Cell::Empty, Cell::Candidates(1), Cell::Solved(digit)]),
            };
            batch.set_cell(board, i, cell);
        }
        if rng.once_in(2) {
            open_cages(&mut batch, board, rng);
        }
        for _ in 0..*rng.pick(&[0, 0, 0, 1, 1, 2, 20]) {
            alter(&mut batch, board, rng);
        }
        if shape.kind.has_regions() && rng.once_in(8) {
            break_regions(&mut batch, board, rng);
        }
    }
    batch
}

/// Changes one clue of a cell or cage, usually by little.
fn alter(batch: &mut Batch, board: usize, rng: &mut Rng) {
    let (side, at) = (batch.shape().side, board * batch.stride());
    let i = rng.below(side.cells());
    if batch.shape().kind.has_cages() && !rng.once_in(4) {
        let content = &mut batch.contents_mut()[at + i];
        *content = match rng.below(8) {
            0 => rng.below(2000) as u16,
            1 => rng.below(5) as u16,
            2..5 if *content > 0 => *content - 1,
            _ => *content + u16::from(*content > 0),
        };
    } else if matches!(batch.cell(board, i), Cell::Clue(_)) || rng.once_in(3) {
        let digit = rng.below(side.get()) as u8 + 1;
        let others = [Cell::BlackClue(digit), Cell::BlackEmpty, Cell::Clue(digit), Cell::Empty];
        let is_black = batch.shape().kind.has_black() && rng.once_in(2);
        batch.set_cell(board, i, if is_black { *rng.pick(&others) } else { Cell::Clue(digit) });
    }
}

/// Exchanges the regions of two cells, or gives one cell another's region.
fn break_regions(batch: &mut Batch, board: usize, rng: &mut Rng) {
    let (cells, at) = (batch.shape().side.cells(), board * batch.stride());
    let (a, b) = (at + rng.below(cells), at + rng.below(cells));
    let regions = batch.regions_mut();
    match rng.below(2) {
        0 => regions.swap(a, b),
        _ => regions[a] = regions[b],
    }
}

/// Compares the numbers of solutions of altered boards, `batches` batches of each shape, with those of propagation.
fn counts_are_those_of_propagation(batches: u64, effort: u32) {
    let (mut plain, mut solver) = (PropagationSolver::new(), Solver::new(crate::kernel()));
    for shape in fast() {
        let rng = &mut Rng(77);
        let (mut seen, mut left_open) = ([0_u32; 4], [0_u32; 2]);
        // Propagation is slow for boards of side 9.
        let batches = if batches < 100 && shape.side == Side::NINE { batches / 4 } else { batches };
        for seed in 0..batches {
            let batch = altered(shape, seed, rng);
            for board in 0..batch.len() {
                let limit = *rng.pick(&[1, 2, 2, 5, 100]);
                let expected = plain.count(&batch, board, Query::count(limit, effort));
                let found = solver.count(&batch, board, Query::count(limit, effort));
                left_open[0] += u32::from(expected.count == UNDECIDED);
                left_open[1] += u32::from(found.count == UNDECIDED);
                if found.count == UNDECIDED || expected.count == UNDECIDED {
                    continue;
                }
                assert_eq!(found.count, expected.count, "{shape:?} {seed} {board} {limit}");
                assert_eq!(found.solution.is_some(), found.count > 0, "{shape:?} {seed} {board}");
                if found.count == 1 && limit > 1 {
                    assert_eq!(found.solution, expected.solution, "{shape:?} {seed} {board}");
                }
                if let Some(solution) = found.solution {
                    is_solution(&batch, board, solution);
                }
                seen[found.count.min(3) as usize] += 1;
            }
        }
        let most = batches as u32 * 8;
        assert!(seen.iter().all(|&n| n > 0) && left_open[1] < most, "{shape:?} {seen:?} {left_open:?}");
    }
}

/// Checks that a solution has the clues of a board and breaks no rule.
fn is_solution(batch: &Batch, board: usize, solution: &[u8]) {
    let mut solved = Batch::new();
    solved.reset(batch.shape(), 1);
    solved.copy_board(0, batch, board);
    for (i, &digit) in solution.iter().enumerate() {
        let cell = batch.cell(board, i);
        match cell {
            Cell::Clue(given) | Cell::BlackClue(given) => assert_eq!(given, digit, "{board} {i}"),
            Cell::BlackEmpty => assert_eq!(digit, 0, "{board} {i}"),
            _ => {}
        }
        solved.set_cell(0, i, if cell.is_black() { cell } else { Cell::Clue(digit) });
    }
    let found =
        |batch: &Batch| -> Vec<_> { problems(batch, 0).into_iter().filter(|problem| !problem.warning).collect() };
    let all = found(&solved);
    // Problems of the regions do not depend on digits.
    (0..solution.len()).for_each(|i| solved.set_cell(0, i, Cell::Empty));
    assert!(all.len() == found(&solved).len(), "{board}: {}", all[0]);
}

#[test]
fn counts_are_those_of_propagation_where_both_are_decided() {
    counts_are_those_of_propagation(40, 300);
}

#[test]
#[ignore = "by hand, when solvers change: minutes, 20,000 boards of each shape"]
fn counts_are_those_of_propagation_for_many_boards() {
    counts_are_those_of_propagation(320, 1_000);
}

#[test]
fn every_kernel_counts_and_finds_the_same() {
    for shape in fast() {
        let batch = altered(shape, 9, &mut Rng(3));
        let mut scalar = Solver::new(&SCALAR);
        for kernel in kernels::available() {
            let mut solver = Solver::new(kernel);
            for board in 0..batch.len() {
                for (effort, limit) in [(1, 2), (2, 2), (7, 100), (40, 3), (300, 100), (1_000, 2)] {
                    let expected = scalar.count(&batch, board, Query::count(limit, effort));
                    let found = solver.count(&batch, board, Query::count(limit, effort));
                    assert_eq!(found, expected, "{} {shape:?} {board} {effort}", kernel.name);
                }
            }
        }
    }
}

#[test]
fn more_effort_only_decides_more() {
    for shape in fast() {
        let batch = altered(shape, 4, &mut Rng(5));
        let mut solver = Solver::new(crate::kernel());
        let (mut undecided, mut all) = (0, Vec::new());
        for board in 0..batch.len() {
            let mut before = UNDECIDED;
            for effort in [0, 1, 2, 3, 7, 40, 300, 2_000] {
                let found = solver.count(&batch, board, Query::count(2, effort)).count;
                assert!(found == before || before == UNDECIDED, "{shape:?} {board} {effort}");
                assert!(effort > 0 || found == UNDECIDED || found == 0);
                undecided += u32::from(found == UNDECIDED && effort > 0);
                before = found;
            }
            all.push(before);
        }
        assert!(undecided > 0 && [0, 1, 2].iter().all(|count| all.contains(count)), "{shape:?} {all:?}");
    }
}

#[test]
fn solved_cells_are_givens_where_there_are_no_clues() {
    for shape in fast() {
        let maker = Maker::new(shape.kind, shape.side, Mix::Solved, 8).expect("a shape that is made");
        let mut batch = Batch::new();
        batch.reset(shape, 1);
        maker.fill(0, &mut batch, &mut MakerMemory::default());
        let digits: Vec<u8> = (0..shape.side.cells()).map(|i| batch.cell(0, i).digit()).collect();
        for (i, &digit) in digits.iter().enumerate() {
            if !batch.cell(0, i).is_black() {
                batch.set_cell(0, i, Cell::Solved(digit));
            }
        }
        let mut solver = Solver::new(crate::kernel());
        let found = solver.count(&batch, 0, Query::count(2, 1).all_given(true));
        assert_eq!((found.count, found.solution), (1, Some(&digits[..])), "{shape:?}");
    }
}

#[test]
fn open_boards_have_as_many_solutions_as_are_asked_for() {
    for shape in fast().into_iter().filter(|shape| !shape.kind.has_cages() && !shape.kind.has_black()) {
        let maker = Maker::new(shape.kind, shape.side, Mix::Solved, 3).expect("a shape that is made");
        let mut batch = Batch::new();
        batch.reset(shape, 1);
        maker.fill(0, &mut batch, &mut MakerMemory::default());
        (0..shape.side.cells()).for_each(|i| batch.set_cell(0, i, Cell::Empty));
        for limit in [1, 2, 100] {
            let mut solver = Solver::new(crate::kernel());
            let found = solver.count(&batch, 0, Query::count(limit, 100_000));
            assert_eq!(found.count, limit, "{shape:?}");
            is_solution(&batch, 0, found.solution.expect("a solution"));
        }
    }
}
