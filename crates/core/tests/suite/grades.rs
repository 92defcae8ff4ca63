use gridmill_core::board::{Batch, Cell, Kind, Side};
use gridmill_core::kernels::{Kernel, SCALAR, available};
use gridmill_core::make::{Clues, Maker, MakerMemory, Mix, UniqueMaker};
use gridmill_core::solve::{BatchSolver, Grade, Grader, Puzzles, UNDECIDED, solve_one};

use crate::random::Rng;
use crate::shared::shared;

/// The grades of puzzles, as a run finds them.
fn grades(puzzles: &[String], kernel: &'static Kernel) -> Vec<Option<Grade>> {
    let text = puzzles.concat().into_bytes();
    let (mut counts, mut grades) = (vec![0; puzzles.len()], vec![None; puzzles.len()]);
    let mut solver = BatchSolver::new(Kind::Sudoku, kernel).expect("sudokus");
    solver.count(Puzzles::of_text(&text, 81, puzzles.len()), 2, &mut counts);
    Grader::new(kernel).grade(&text, 81, &counts, &mut grades);
    grades
}

#[test]
fn shared_vectors_have_these_grades() {
    let Some(text) = shared("oracle/grade/vectors.tsv") else { return };
    let text = String::from_utf8(text).expect("text");
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    assert!(rows.len() > 2000);
    let puzzles: Vec<String> = rows.iter().map(|row| row[0].to_string()).collect();
    let found = grades(&puzzles, available()[0]);
    for (row, grade) in rows.iter().zip(found) {
        let (number, name) = grade.map_or(("-".into(), ""), |grade| (grade.number().to_string(), grade.name()));
        assert_eq!((row[1], row[2]), (&number[..], name), "{}", row[0]);
    }
}

/// Puzzles with one solution, many of them minimal.
fn made(seed: u64, count: usize, clues: Clues) -> Vec<String> {
    let maker = Maker::new(Kind::Sudoku, Side::NINE, Mix::Clues, seed).expect("sudokus");
    let mut unique = UniqueMaker::new(&maker, clues, crate::kernel()).expect("sudokus");
    let mut batch = Batch::new();
    batch.reset(maker.shape(), count);
    unique.fill(0, &mut batch, &mut MakerMemory::default()).expect("puzzles");
    let digit = |board, cell| match batch.cell(board, cell) {
        Cell::Clue(digit) => char::from(b'0' + digit),
        _ => '.',
    };
    (0..count).map(|board| (0..81).map(|cell| digit(board, cell)).collect()).collect()
}

/// A random turn of the board, with other names of the digits.
fn turned(puzzle: &str, rng: &mut Rng) -> String {
    let mut lines = || -> Vec<usize> {
        let mut bands = [0, 1, 2];
        rng.shuffle(&mut bands);
        bands
            .iter()
            .flat_map(|band| {
                let mut three = [0, 1, 2].map(|line| 3 * band + line);
                rng.shuffle(&mut three);
                three
            })
            .collect()
    };
    let (rows, columns) = (lines(), lines());
    let mut digits: Vec<u8> = (b'1'..=b'9').collect();
    rng.shuffle(&mut digits);
    let across = rng.once_in(2);
    let cell = |i: usize| {
        let (row, column) = (rows[i / 9], columns[i % 9]);
        let byte = puzzle.as_bytes()[if across { column * 9 + row } else { row * 9 + column }];
        char::from(if byte == b'.' { byte } else { digits[usize::from(byte - b'1')] })
    };
    (0..81).map(cell).collect()
}

#[test]
fn no_turn_and_no_names_of_digits_change_a_grade() {
    let rng = &mut Rng(3);
    let mut puzzles = made(31, 30, Clues::Minimal);
    puzzles.extend(made(32, 10, Clues::Drawn));
    let expected = grades(&puzzles, crate::kernel());
    assert!(expected.iter().collect::<std::collections::HashSet<_>>().len() > 4, "grades of all sorts: {expected:?}");
    for _ in 0..10 {
        let turned: Vec<_> = puzzles.iter().map(|puzzle| turned(puzzle, rng)).collect();
        assert_eq!(grades(&turned, crate::kernel()), expected);
    }
}

/// A thousand turns, and as many renamings of digits, of a puzzle of each grade.
#[test]
fn a_thousand_turns_of_one_puzzle_have_its_grade() {
    let rng = &mut Rng(4);
    let puzzles: Vec<_> = (33..43).flat_map(|seed| made(seed, 60, Clues::Minimal)).collect();
    let found = grades(&puzzles, crate::kernel());
    let mut all = Vec::new();
    for grade in Grade::ALL {
        let one = found.iter().position(|found| *found == Some(grade));
        all.extend(one.map(|at| (&puzzles[at], grade)));
    }
    assert!(all.len() > 8, "{all:?}");
    for (puzzle, grade) in all {
        let images: Vec<_> = (0..1000).map(|_| turned(puzzle, rng)).collect();
        assert!(grades(&images, crate::kernel()).iter().all(|found| *found == Some(grade)), "{puzzle}: {grade}");
    }
}

#[test]
fn every_kernel_finds_the_same_grades() {
    let mut puzzles = made(41, 30, Clues::Minimal);
    puzzles.extend(made(42, 30, Clues::Drawn));
    // Without a solution, with several, and filled in.
    puzzles.extend([".".repeat(81), "11".to_string() + &".".repeat(79)]);
    let expected = grades(&puzzles, &SCALAR);
    assert_eq!(expected[60..], [None, None]);
    for kernel in available() {
        assert_eq!(grades(&puzzles, kernel), expected, "{}", kernel.name);
    }
}

/// With one more digit of the solution, a puzzle is never harder; and singles solve those of the first three rungs alone.
#[test]
fn another_given_never_raises_a_grade() {
    let rng = &mut Rng(9);
    let puzzles = made(51, 20, Clues::Minimal);
    let before = grades(&puzzles, crate::kernel());
    for (puzzle, before) in puzzles.iter().zip(before) {
        let bytes: &[u8; 81] = puzzle.as_bytes().try_into().expect("81 cells");
        let solution = solve_one(Kind::Sudoku, bytes, 2).expect("a sudoku").solution.expect("a solution");
        let mut more = Vec::new();
        for _ in 0..6 {
            let mut text = *bytes;
            let cell = rng.below(81);
            text[cell] = b'0' + solution[cell];
            more.push(String::from_utf8(text.to_vec()).expect("digits"));
        }
        for after in grades(&more, crate::kernel()) {
            assert!(after.is_some() && after <= before, "{puzzle}: {before:?}, then {after:?}");
        }
    }
}

/// Singles, written once more in the plainest way.
fn singles_solve(puzzle: &str) -> bool {
    let mut cells: Vec<Vec<u8>> =
        puzzle.bytes().map(|b| if b == b'.' { (b'1'..=b'9').collect() } else { vec![b] }).collect();
    let sees =
        |a: usize, b: usize| a != b && (a / 9 == b / 9 || a % 9 == b % 9 || a / 27 == b / 27 && a % 9 / 3 == b % 9 / 3);
    let units: Vec<Vec<usize>> = (0..9)
        .flat_map(|n| {
            let of_box = (0..9).map(|i| (n / 3 * 3 + i / 3) * 9 + n % 3 * 3 + i % 3).collect();
            [(0..9).map(|i| 9 * n + i).collect(), (0..9).map(|i| 9 * i + n).collect(), of_box]
        })
        .collect();
    loop {
        let before = cells.clone();
        for cell in 0..81 {
            if let [digit] = cells[cell][..] {
                (0..81).filter(|&other| sees(cell, other)).for_each(|other| cells[other].retain(|&d| d != digit));
            }
        }
        for (unit, digit) in units.iter().flat_map(|unit| (b'1'..=b'9').map(move |digit| (unit, digit))) {
            let places: Vec<usize> = unit.iter().copied().filter(|&cell| cells[cell].contains(&digit)).collect();
            if let [only] = places[..] {
                cells[only] = vec![digit];
            }
        }
        if cells == before {
            return cells.iter().all(|digits| digits.len() == 1);
        }
    }
}

#[test]
fn singles_solve_the_first_three_grades_and_no_others() {
    let mut puzzles = made(61, 40, Clues::Minimal);
    puzzles.extend(made(62, 40, Clues::Drawn));
    let found = grades(&puzzles, crate::kernel());
    for (puzzle, grade) in puzzles.iter().zip(found) {
        assert_eq!(singles_solve(puzzle), grade <= Some(Grade::Single), "{puzzle}: {grade:?}");
    }
}

/// The fourth rung is what the solver finds without guessing.
#[test]
fn the_first_four_grades_take_one_node() {
    let mut puzzles = made(71, 60, Clues::Minimal);
    puzzles.extend(made(72, 60, Clues::Drawn));
    let text = puzzles.concat().into_bytes();
    let mut solver = BatchSolver::new(Kind::Sudoku, crate::kernel()).expect("sudokus").with_nodes();
    solver.count(Puzzles::of_text(&text, 81, puzzles.len()), 2, &mut vec![0; puzzles.len()]);
    let nodes = solver.searched_nodes().to_vec();
    for ((puzzle, grade), nodes) in puzzles.iter().zip(grades(&puzzles, crate::kernel())).zip(nodes) {
        assert_eq!(nodes == 1, grade <= Some(Grade::Locked), "{puzzle}: {grade:?}, {nodes} nodes");
    }
}

#[test]
fn an_undecided_puzzle_has_a_grade_only_if_a_rung_solves_it() {
    let puzzles = [
        "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1".to_string(),
        made(81, 1, Clues::Drawn).remove(0),
    ];
    let text = puzzles.concat().into_bytes();
    let mut found = [None; 2];
    Grader::new(crate::kernel()).grade(&text, 81, &[UNDECIDED; 2], &mut found);
    assert!(found[0].is_none() && found[1].is_some(), "{found:?}");
    let mut certain = [None; 2];
    Grader::new(crate::kernel()).grade(&text, 81, &[1; 2], &mut certain);
    assert_eq!(certain, [Some(Grade::Beyond), found[1]]);
}
