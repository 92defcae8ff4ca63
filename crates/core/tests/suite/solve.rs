//! The solver with every kernel, compared with a naive search.

use gridmill_core::board::{Batch, Cell, Kind, Shape, Side};
use gridmill_core::error::Unavailable;
use gridmill_core::kernels::{self, Kernel};
use gridmill_core::make::Mix;
use gridmill_core::solve::{Answer, BatchSolver, Puzzles, Query, Solver, UNDECIDED, solve_one};

use crate::puzzles::{Grid, KINDS, counts, grids, puzzles, text};
use crate::random::{Rng, made, often, shapes};
use crate::shared::shared;

/// A search cell by cell, those with the fewest candidates first.
struct Plain {
    houses: Vec<Vec<usize>>,
    /// The houses of each cell.
    of: Vec<Vec<usize>>,
}

struct Search<'a> {
    plain: &'a Plain,
    masks: &'a [u16; 81],
    grid: Grid,
    used: Vec<u16>,
    limit: u32,
    count: u32,
    first: Option<Grid>,
    nodes: u32,
}

impl Plain {
    fn new(kind: Kind) -> Self {
        let mut houses: Vec<Vec<usize>> = Vec::new();
        for k in 0..9 {
            houses.push((0..9).map(|i| k * 9 + i).collect());
            houses.push((0..9).map(|i| i * 9 + k).collect());
            houses.push((0..9).map(|i| (k / 3 * 3 + i / 3) * 9 + k % 3 * 3 + i % 3).collect());
            if kind == Kind::ColourSudoku {
                houses.push((0..81).filter(|i| i / 9 % 3 == k / 3 && i % 9 % 3 == k % 3).collect());
            }
        }
        if kind == Kind::SudokuX {
            houses.push((0..81).filter(|i| i / 9 == i % 9).collect());
            houses.push((0..81).filter(|i| i / 9 + i % 9 == 8).collect());
        }
        if kind == Kind::Windoku {
            for (top, left) in [(1, 1), (1, 5), (5, 1), (5, 5)] {
                houses.push((0..9).map(|i| (top + i / 3) * 9 + left + i % 3).collect());
            }
        }
        let of = (0..81).map(|i| (0..houses.len()).filter(|&h| houses[h].contains(&i)).collect()).collect();
        Self { houses, of }
    }

    /// The number of solutions up to a limit, and the first one; `None` if that takes too long.
    fn count_masks(&self, masks: &[u16; 81], limit: u32) -> Option<(u32, Option<Grid>)> {
        let used = vec![0; self.houses.len()];
        let mut search = Search { plain: self, masks, grid: [0; 81], used, limit, count: 0, first: None, nodes: 0 };
        search.go().then_some((search.count, search.first))
    }

    fn count(&self, puzzle: &Grid, limit: u32) -> Option<(u32, Option<Grid>)> {
        self.count_masks(&masks(puzzle), limit)
    }

    /// Whether a grid has every digit in every house and the givens of a puzzle.
    fn is_solution(&self, grid: &Grid, masks: &[u16; 81]) -> bool {
        let full = |house: &Vec<usize>| house.iter().fold(0, |seen, &i| seen | 1u32 << grid[i]) == 0x3FE;
        self.houses.iter().all(full) && (0..81).all(|i| masks[i] >> (grid[i] - 1) & 1 == 1)
    }
}

impl Search<'_> {
    /// Whether the search was completed.
    fn go(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes > 100_000 {
            return false;
        }
        let can = |i: usize| self.plain.of[i].iter().fold(self.masks[i] & 0x1FF, |can, &h| can & !self.used[h]);
        let next = (0..81).filter(|&i| self.grid[i] == 0).map(|i| (can(i).count_ones(), i, can(i))).min();
        let Some((_, i, can)) = next else {
            self.count += 1;
            self.first.get_or_insert(self.grid);
            return true;
        };
        for d in (0..9).filter(|d| can >> d & 1 == 1) {
            self.grid[i] = d + 1;
            self.plain.of[i].iter().for_each(|&h| self.used[h] |= 1 << d);
            let ended = self.go();
            self.grid[i] = 0;
            self.plain.of[i].iter().for_each(|&h| self.used[h] &= !(1 << d));
            if !ended || self.count >= self.limit {
                return ended;
            }
        }
        true
    }
}

fn masks(puzzle: &Grid) -> [u16; 81] {
    puzzle.map(|byte| match byte {
        1..=9 => 1 << (byte - 1),
        b'1'..=b'9' => 1 << (byte - b'1'),
        _ => 0x1FF,
    })
}

fn solver(kind: Kind, kernel: &'static Kernel) -> BatchSolver {
    BatchSolver::new(kind, kernel).unwrap()
}

#[test]
fn every_kernel_counts_and_solves_like_a_plain_search() {
    for kind in KINDS {
        let plain = Plain::new(kind);
        let puzzles = puzzles(kind, 700, 1);
        let expected: Vec<_> = puzzles.iter().map(|puzzle| plain.count(puzzle, 50)).collect();
        let known = expected.iter().flatten();
        let sorts = [0, 1, 2, 50].map(|n| known.clone().filter(|(count, _)| *count == n).count());
        assert!(sorts.iter().all(|&n| n > 10) && known.count() > 650, "{kind}: {sorts:?}");
        for kernel in kernels::available() {
            let mut solver = solver(kind, kernel);
            for (limit, pitch) in [(1, 81), (2, 82), (3, 100), (50, 83)] {
                let (mut found, mut solutions) = (vec![9; puzzles.len()], vec![[7; 81]; puzzles.len()]);
                let text = text(&puzzles, pitch);
                solver.solve(Puzzles::of_text(&text, pitch, puzzles.len()), limit, &mut found, &mut solutions);
                for (i, expected) in expected.iter().enumerate() {
                    let at = format!("{kind} {} {limit}: {:?}", kernel.name, puzzles[i]);
                    let Some((count, first)) = expected else { continue };
                    assert_eq!(found[i], *(count.min(&limit)), "{at}");
                    match first {
                        None => assert_eq!(solutions[i], [0; 81], "{at}"),
                        Some(first) if *count == 1 => assert_eq!(solutions[i], *first, "{at}"),
                        Some(_) => assert!(plain.is_solution(&solutions[i], &masks(&puzzles[i])), "{at}"),
                    }
                }
                let mut alone = vec![9; puzzles.len()];
                solver.count(Puzzles::of_text(&text, pitch, puzzles.len()), limit, &mut alone);
                assert_eq!(alone, found);
            }
        }
    }
}

#[test]
fn batches_of_every_size_count_like_one_at_a_time() {
    for kind in KINDS {
        let puzzles = puzzles(kind, 2000, 2);
        for kernel in kernels::available() {
            let mut solver = solver(kind, kernel);
            let all = counts(&mut solver, &puzzles, 2);
            let single: Vec<u32> =
                puzzles.iter().take(130).flat_map(|puzzle| counts(&mut solver, &[*puzzle], 2)).collect();
            assert_eq!(single, all[..130]);
            for size in [0, 1, 63, 64, 65, 127, 255, 256, 257, 511, 512, 513, 1025] {
                assert_eq!(counts(&mut solver, &puzzles[..size], 2), all[..size], "{kind} {} {size}", kernel.name);
            }
        }
    }
}

#[test]
fn candidates_are_counted_like_givens() {
    for kind in KINDS {
        let plain = Plain::new(kind);
        let puzzles = puzzles(kind, 600, 3);
        let rng = &mut Rng(3);
        let mut given: Vec<[u16; 81]> = puzzles.iter().map(masks).collect();
        let by_text = counts(&mut solver(kind, kernels::best()), &puzzles, 3);
        for kernel in kernels::available() {
            let mut found = vec![9; given.len()];
            solver(kind, kernel).count(Puzzles::of_masks(&given), 3, &mut found);
            assert_eq!(found, by_text, "{kind} {}", kernel.name);
        }
        // Candidates are removed at random, and unused bits set.
        for masks in &mut given {
            for mask in masks {
                let struck = if rng.once_in(20) { 1 << rng.below(9) } else { 0 };
                *mask = *mask & !struck | 0xFE00;
            }
        }
        let expected: Vec<_> = given.iter().map(|masks| plain.count_masks(masks, 3)).collect();
        assert!(expected.iter().flatten().filter(|(count, _)| *count > 0).count() > 50);
        for kernel in kernels::available() {
            let (mut found, mut solutions) = (vec![9; given.len()], vec![[7; 81]; given.len()]);
            solver(kind, kernel).solve(Puzzles::of_masks(&given), 3, &mut found, &mut solutions);
            for (i, expected) in expected.iter().enumerate() {
                let Some((count, _)) = expected else { continue };
                assert_eq!(found[i], *count, "{kind} {}", kernel.name);
                assert!(*count == 0 || plain.is_solution(&solutions[i], &given[i]));
            }
        }
    }
}

/// Boards whose clues, solved digits and candidates are all given, with the solver of each of their kinds.
#[test]
fn candidates_of_boards_are_respected() {
    let mut solver = Solver::new(crate::kernel());
    for kind in KINDS {
        let (plain, rng) = (Plain::new(kind), &mut Rng(8));
        let (mut batch, mut seen) = (Batch::new(), [0; 3]);
        batch.reset(Shape::new(kind, Side::NINE), 1);
        for grid in grids(kind, 8).iter().cycle().take(200) {
            // Each cell has the digit of the grid, or candidates, few of them or nearly all. Some lack that digit.
            let (share, most) = (rng.below(60), *rng.pick(&[2, 3, 5, 9]));
            let masks: [u16; 81] = std::array::from_fn(|cell| {
                let extra = (0..most).fold(0, |mask, _| mask | 1 << rng.below(9));
                let own = if rng.once_in(300) { 0 } else { 1 << (grid[cell] - 1) };
                let (is_placed, is_open) = (rng.below(100) < share, rng.once_in(10));
                let (content, mask) = match (is_placed, is_open) {
                    (true, _) if rng.once_in(2) => (Cell::Solved(grid[cell]), 1 << (grid[cell] - 1)),
                    (true, _) => (Cell::Clue(grid[cell]), 1 << (grid[cell] - 1)),
                    (_, true) => (Cell::Empty, 0x1FF),
                    _ => (Cell::Candidates((extra | own).into()), extra | own),
                };
                batch.set_cell(0, cell, content);
                mask
            });
            let Some((expected, _)) = plain.count_masks(&masks, 3) else { continue };
            let found = solver.count(&batch, 0, Query::count(3, 100_000).candidates_given());
            assert_eq!(found.count, expected, "{kind} {masks:?}");
            let solution = found.solution.and_then(|solution| solution.try_into().ok());
            assert!(solution.is_none_or(|solution| plain.is_solution(solution, &masks)) || expected == 0);
            seen[expected.min(2) as usize] += 1;
        }
        assert!(seen.iter().all(|&n| n > 5), "{kind} {seen:?}");
    }
}

/// For the other kinds: all candidates change nothing, those of a solution lead to it, and without one of its digits there is none.
#[test]
fn candidates_are_respected_in_every_kind() {
    let mut solver = Solver::new(crate::kernel());
    for shape in shapes().filter(|shape| shape.side.get() <= 9) {
        let (Some(solved), rng) = (made(shape, Mix::Solved, false, 8), &mut Rng(9)) else { continue };
        let mut batch = Batch::new();
        batch.reset(shape, 1);
        for board in 0..12 {
            let digits: Vec<u8> = (0..shape.side.cells()).map(|cell| solved.cell(board, cell).digit()).collect();
            let mut with = |candidates: &mut dyn FnMut(usize) -> u32| {
                batch.copy_board(0, &solved, board);
                for cell in 0..digits.len() {
                    if matches!(batch.cell(0, cell), Cell::Clue(_) | Cell::Solved(_)) {
                        batch.set_cell(0, cell, Cell::Candidates(candidates(cell)));
                    }
                }
                let found = solver.count(&batch, 0, Query::count(2, 20_000).candidates_given());
                (found.count, found.solution.map(<[u8]>::to_vec))
            };
            let own = |cell: usize| 1 << (digits[cell] - 1);
            let one = with(&mut own.clone());
            assert_eq!(one, (1, Some(digits.clone())), "{shape:?} {board}");
            let beside = 1 + rng.below(shape.side.get());
            let two = with(&mut |cell| own(cell) | if cell % 7 == 0 { 1 << (beside - 1) } else { 0 });
            assert!(two.0 >= 1, "{shape:?} {board}");
            let white: Vec<usize> =
                (0..digits.len()).filter(|&cell| matches!(solved.cell(board, cell), Cell::Solved(_))).collect();
            if let Some(&missing) = white.first() {
                let other = if digits[missing] == 1 { 2 } else { 1 };
                let none = with(&mut |cell| if cell == missing { 1 << (other - 1) } else { own(cell) });
                // A row with black cells may have another digit.
                let expected = if shape.kind.has_black() { none.0 } else { 0 };
                assert_eq!(none.0, expected, "{shape:?} {board}");
                assert!(none.1.is_none_or(|solution| solution[missing] == other));
            }
        }
    }
}

/// The number of solutions, however long that takes.
fn count_in_parts(plain: &Plain, puzzle: Grid) -> u32 {
    let count = plain.count(&puzzle, u32::MAX).map(|(count, _)| count);
    count.unwrap_or_else(|| {
        let empty = puzzle.iter().position(|&digit| digit == 0).expect("an empty cell");
        (1..=9).map(|digit| count_in_parts(plain, with(puzzle, empty, digit))).sum()
    })
}

#[test]
fn large_limits_are_counted_to_the_end() {
    // Without five digits.
    let plain = Plain::new(Kind::Sudoku);
    let mut puzzle = grids(Kind::Sudoku, 4)[1];
    puzzle.iter_mut().filter(|d| **d <= 5).for_each(|d| *d = 0);
    let many = count_in_parts(&plain, puzzle);
    assert!(many > 10_000, "{many}");
    for kernel in kernels::available() {
        for kind in KINDS {
            let mut solver = solver(kind, kernel);
            let found = counts(&mut solver, &[[b'.'; 81], puzzle, [b'.'; 81]], 10_000);
            assert_eq!((found[0], found[2]), (10_000, 10_000));
            if kind == Kind::Sudoku {
                assert_eq!((found[1], counts(&mut solver, &[puzzle], u32::MAX)), (10_000, vec![many]));
            }
            assert_eq!(counts(&mut solver, &[[b'.'; 81]], 0), [1]);
        }
    }
}

#[test]
fn a_search_without_end_is_given_up() {
    for kernel in kernels::available() {
        let mut solver = solver(Kind::Sudoku, kernel).budget(100);
        let puzzle = grids(Kind::Sudoku, 5)[0];
        let found = counts(&mut solver, &[puzzle, [b'.'; 81], puzzle], 10_000);
        assert_eq!(found, [1, UNDECIDED, 1], "{}", kernel.name);
    }
}

#[test]
fn one_puzzle_is_answered_with_its_solution() {
    let puzzle = *b"..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";
    let solution = *b"987654321246173985351928746128537694634892157795461832519286473472319568863745219";
    assert_eq!(
        solve_one(Kind::Sudoku, &puzzle, 2).unwrap(),
        Answer { count: 1, solution: Some(solution.map(|digit| digit - b'0')) }
    );
    assert_eq!(solve_one(Kind::SudokuX, &puzzle, 2).unwrap(), Answer { count: 0, solution: None });
    let empty = solve_one(Kind::Windoku, &[0; 81], 2).unwrap();
    assert_eq!(empty.count, 2);
    assert!(Plain::new(Kind::Windoku).is_solution(&empty.solution.unwrap(), &[0x1FF; 81]));
}

#[test]
fn one_puzzle_is_answered_like_many() {
    let puzzle = *b"..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";
    // Some of the first ones have several solutions, and some of the last ones have none.
    let mut some: Vec<[u8; 81]> = (0..81).filter(|&i| puzzle[i] != b'.').map(|i| with(puzzle, i, b'.')).collect();
    some.extend((0..81).map(|i| with(puzzle, i, 1 + i as u8 % 9)));
    some.push([0; 81]);
    for limit in [0, 1, 2, 30, 10_000] {
        let (mut counts, mut solutions) = (vec![0; some.len()], vec![[0; 81]; some.len()]);
        let mut solver = BatchSolver::new(Kind::Sudoku, crate::kernel()).unwrap();
        solver.solve(Puzzles::of_text(some.as_flattened(), 81, some.len()), limit, &mut counts, &mut solutions);
        for (puzzle, count) in some.iter().zip(counts) {
            let answer = solve_one(Kind::Sudoku, puzzle, limit).unwrap();
            assert_eq!(answer.count, count, "limit {limit}");
            let masks = masks(puzzle);
            let is_one = |solution: [u8; 81]| Plain::new(Kind::Sudoku).is_solution(&solution, &masks);
            assert_eq!(answer.solution.map(is_one), (count > 0).then_some(true), "limit {limit}");
        }
    }
}

fn with(mut puzzle: [u8; 81], cell: usize, byte: u8) -> [u8; 81] {
    puzzle[cell] = byte;
    puzzle
}

#[test]
fn kinds_that_are_no_sudoku_of_givens_are_refused() {
    for kind in Kind::all().filter(|kind| !KINDS.contains(kind)) {
        let Err(Unavailable(message)) = BatchSolver::new(kind, &kernels::SCALAR) else { panic!("{kind} is solved") };
        assert!(
            message.contains(kind.name()) && message.contains("sudoku, sudoku-x, windoku, colour-sudoku"),
            "{message}"
        );
    }
}

#[test]
fn the_shared_lists_have_the_solutions_that_their_origin_says() {
    for (file, puzzles, solutions, step) in [
        ("puzzles2_17_clue", 49_158, 1, 97),
        ("puzzles3_magictour_top1465", 1_465, 1, 5),
        ("puzzles5_forum_hardest_1905_11+", 48_766, 1, 197),
        ("puzzles6_forum_hardest_1106", 375, 1, 3),
        ("puzzles7_serg_benchmark", 10_000, 2, 37),
    ] {
        let Some(text) = shared(&format!("data/{file}")) else { continue };
        let mut list: Vec<Grid> = text.split(|&b| b == b'\n').filter_map(|line| line.first_chunk().copied()).collect();
        list.retain(|line| line[0] != b'#');
        assert_eq!(list.len(), puzzles, "{file}");
        let plain = Plain::new(Kind::Sudoku);
        let samples: Vec<Grid> = list.iter().step_by(step).copied().collect();
        let expected: Vec<_> = samples.iter().map(|puzzle| plain.count(puzzle, 50)).collect();
        for kernel in kernels::available() {
            // All of a list only with the best kernel, since it takes long without optimisation.
            let most = if kernel.name == kernels::best().name { often(4000, list.len()) } else { 1000 };
            let list = &list[..list.len().min(most)];
            let mut solver = solver(Kind::Sudoku, kernel);
            let found = counts(&mut solver, list, 2);
            assert!(found.iter().all(|&count| count == solutions), "{file} {}", kernel.name);
            for (found, expected) in counts(&mut solver, &samples, 50).into_iter().zip(&expected) {
                let Some((count, _)) = *expected else { continue };
                assert_eq!(found, count, "{file} {}", kernel.name);
            }
        }
    }
}
