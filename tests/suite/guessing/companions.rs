//! What accompanies boards and looks like them: numbers and sums of cages, maps of regions, masks of clues. None of them
//! becomes a board, and real boards stay boards.

use gridmill::board::{BATCH, Cell, Kind, Shape, Side, components};
use gridmill::error::Code;
use gridmill::formats::{Evidence, Format, GridBlocks, Hints, read_one, write_one};
use gridmill::make::Mix;

use super::{digits, list};
use crate::random::{Rng, made, often};
use crate::support::{Folder, convert, gridmill, run};

/// How many texts of each sort are tried in the gate, and otherwise.
const TEXTS: usize = 100_000;
const USUAL_TEXTS: usize = 5_000;

pub(super) type Board = [usize; 81];

/// A complete grid: the digits, the rows and columns of a band, and the bands themselves change places.
pub(super) fn solution(rng: &mut Rng) -> Board {
    let mut order = |of: &mut dyn FnMut(usize) -> usize| -> [usize; 9] {
        let mut bands = [0, 1, 2];
        rng.shuffle(&mut bands);
        let lines = bands.map(|band| {
            let mut lines = [0, 1, 2].map(|line| of(3 * band + line));
            rng.shuffle(&mut lines);
            lines
        });
        std::array::from_fn(|at| lines[at / 3][at % 3])
    };
    let (rows, columns) = (order(&mut |line| line), order(&mut |line| line));
    let mut digits: [usize; 9] = std::array::from_fn(|digit| digit + 1);
    rng.shuffle(&mut digits);
    std::array::from_fn(|cell| {
        let (row, column) = (rows[cell / 9], columns[cell % 9]);
        digits[(3 * row + row / 3 + column) % 9]
    })
}

fn neighbours(cell: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (cell / 9, cell % 9);
    let all = [(row > 0, -9), (row < 8, 9), (column > 0, -1), (column < 8, 1)];
    all.into_iter()
        .filter(|(is_inside, _)| *is_inside)
        .map(move |(_, step): (bool, isize)| cell.wrapping_add_signed(step))
}

/// Connected cages of different digits, numbered from 0 in reading order of their first cells.
pub(super) fn cages(rng: &mut Rng, solution: &Board, most: usize) -> Board {
    let mut cages = [usize::MAX; 81];
    let mut next = 0;
    for first in 0..81 {
        if cages[first] < usize::MAX {
            continue;
        }
        let size = 1 + rng.below(most);
        let (mut cells, mut digits) = (vec![first], 1 << solution[first]);
        cages[first] = next;
        for _ in 0..4 * size {
            let from = *rng.pick(&cells);
            let to: Vec<usize> = neighbours(from).collect();
            let to = *rng.pick(&to);
            if cells.len() < size && cages[to] == usize::MAX && digits >> solution[to] & 1 == 0 {
                cages[to] = next;
                digits |= 1 << solution[to];
                cells.push(to);
            }
        }
        next += 1;
    }
    cages
}

/// The 81 numbers of a killer, in one of the ways in which they are written.
fn numbers_of_cages(rng: &mut Rng) -> Board {
    let solution = solution(rng);
    let most = *rng.pick(&[2, 3, 4, 5, 6, 9]);
    let cages = cages(rng, &solution, most);
    let count = 1 + cages.iter().max().copied().unwrap_or_default();
    let mut numbers: Vec<usize> = (1..=count).collect();
    let mut sums = vec![0; count];
    (0..81).for_each(|cell| sums[cages[cell]] += solution[cell]);
    match rng.below(6) {
        0 => cages,
        1 => cages.map(|cage| cage + 1),
        2 => {
            rng.shuffle(&mut numbers);
            cages.map(|cage| numbers[cage])
        }
        // Numbers that leave some out, of which the last one has two digits.
        3 => cages.map(|cage| (2 * cage + 9).min(99)),
        4 => cages.map(|cage| std::mem::take(&mut sums[cage])),
        _ => cages.map(|cage| sums[cage]),
    }
}

/// Changes a map of regions a little: two cells of two regions that touch change their regions.
pub(super) fn change(rng: &mut Rng, map: &mut Board) {
    for _ in 0..3 {
        let cell = rng.below(81);
        let beside: Vec<usize> = neighbours(cell).filter(|&other| map[other] != map[cell]).collect();
        if beside.is_empty() {
            continue;
        }
        let (from, to) = (map[cell], map[*rng.pick(&beside)]);
        let touches =
            |&other: &usize| map[other] == to && neighbours(other).any(|next| map[next] == from && next != cell);
        let others: Vec<usize> = (0..81).filter(touches).collect();
        if others.is_empty() {
            continue;
        }
        let other = *rng.pick(&others);
        map.swap(cell, other);
        let labels = components(&map.map(|region| region as u8), 9);
        if (0..81).filter(|&at| usize::from(labels[at]) == at).count() != 9 {
            map.swap(cell, other);
        }
    }
}

/// A map of the boxes, for a start.
pub(super) fn boxes() -> Board {
    std::array::from_fn(|cell| cell / 27 * 3 + cell % 9 / 3)
}

/// A puzzle of a solution: some of its clues, or a few more digits than the clues.
pub(super) fn is_clue(rng: &mut Rng) -> [bool; 81] {
    let mut cells: [usize; 81] = std::array::from_fn(|cell| cell);
    rng.shuffle(&mut cells);
    let mut clues = [false; 81];
    if rng.once_in(20) {
        return std::array::from_fn(|cell| cell % 2 == 1); // no two are neighbours
    }
    let count = 17 + rng.below(23);
    cells[..count].iter().for_each(|&cell| clues[cell] = true);
    clues
}

/// 81 digits of a sudoku, and a mask of its clues or of its other cells.
fn sudoku_and_mask(rng: &mut Rng) -> String {
    let (solution, clues) = (solution(rng), is_clue(rng));
    let placed = rng.below(30);
    let sort = rng.below(3);
    let digits: Board = std::array::from_fn(|cell| match sort {
        0 => solution[cell],
        1 if clues[cell] => solution[cell],
        2 if clues[cell] || rng.below(60) < placed => solution[cell],
        _ => 0,
    });
    let marked = usize::from(rng.once_in(2));
    list(&digits, "") + &list(&clues.map(|clue| if clue { marked } else { 1 - marked }), "")
}

/// Counts the texts that are read as a board. Those that are refused must name a flag that reads them, in some samples.
fn all_refused(name: &str, mut make: impl FnMut(&mut Rng) -> String, with: (Option<Format>, Option<Kind>)) {
    let mut rng = Rng(430);
    for at in 0..often(USUAL_TEXTS, TEXTS) {
        let text = make(&mut rng);
        let Err(reject) = read_one(text.as_bytes(), None, &Hints::default(), &Evidence::default()) else {
            panic!("{name}: {text} is read");
        };
        assert_eq!(reject.code, Code::Ambiguous, "{name}: {reject}: {text}");
        if at % 100 == 0 {
            let flag = with.0.map_or("--kind str8ts".into(), |id| format!("--from {id}"));
            assert!(reject.message.contains(&flag) && reject.message.contains(" or "), "{reject}");
            let hints = Hints { kind: with.1, ..Hints::default() };
            let read = read_one(text.as_bytes(), with.0, &hints, &Evidence::default());
            assert!(read.is_ok(), "{name}: {flag} does not read {text}");
        }
    }
}

#[test]
fn numbers_of_cages_are_no_masks() {
    let has_one_above_nine = |rng: &mut Rng| loop {
        let numbers = numbers_of_cages(rng);
        if numbers.iter().any(|&number| number > 9) {
            return list(&numbers, ",");
        }
    };
    all_refused("cages", has_one_above_nine, (Some(Format::V0), None));
}

#[test]
fn numbers_of_nine_digits_are_no_rows_of_a_sudoku() {
    let mut rng = Rng(436);
    for _ in 0..often(USUAL_TEXTS, TEXTS) / 50 {
        let grid: String = (0..9).map(|_| list(&digits(&mut rng)[..9], "") + "\n").collect();
        assert!(GridBlocks::new(grid.as_bytes()).all(|block| block.cells.is_err()), "{grid}");
    }
}

#[test]
fn maps_of_clues_and_colours_are_no_sudokus() {
    let plain = (Some(Format::Plain), None);
    let clues = |rng: &mut Rng| is_clue(rng).map(usize::from);
    all_refused("clues", |rng| list(&clues(rng), ""), plain);
    all_refused("open cells", |rng| list(&clues(rng).map(|clue| 1 - clue), ","), plain);
    let colours = |rng: &mut Rng| -> Board {
        let most = 2 + rng.below(7);
        std::array::from_fn(|_| 1 + rng.below(most))
    };
    all_refused("colours", |rng| list(&colours(rng), ""), plain);
}

#[test]
fn maps_of_regions_are_no_sudokus() {
    let (mut regions, mut names) = (boxes(), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let mut map = |rng: &mut Rng| {
        change(rng, &mut regions);
        rng.shuffle(&mut names);
        regions.map(|region| names[region] - usize::from(names[0] < 4))
    };
    let plain = (Some(Format::Plain), None);
    all_refused("map", |rng| list(&map(rng), ""), plain);
    all_refused("map with a point", |rng| list(&map(rng), "").replace('0', "."), plain);
    all_refused("map as a list", |rng| list(&map(rng), if rng.once_in(2) { "," } else { ", " }), plain);
    let mut rng = Rng(431);
    for _ in 0..often(USUAL_TEXTS, TEXTS) / 50 {
        let map = map(&mut rng);
        let between = if rng.once_in(2) { "" } else { " " };
        let grid: String = map.chunks(9).map(|row| list(row, between) + "\n").collect();
        assert!(GridBlocks::new(grid.as_bytes()).all(|block| block.cells.is_err()), "{grid}");
        let line = list(&map, " ");
        assert!(GridBlocks::new(line.as_bytes()).all(|block| block.cells.is_err()), "{line}");
    }
}

#[test]
fn sums_in_grids_are_no_candidates() {
    let mut rng = Rng(432);
    for _ in 0..often(USUAL_TEXTS, TEXTS) / 50 {
        let numbers = numbers_of_cages(&mut rng);
        for between in [" ", "\t", ",", " | "] {
            let grid: String = numbers.chunks(9).map(|row| list(row, between) + "\n").collect();
            let found: Vec<_> = GridBlocks::new(grid.as_bytes()).filter(|block| block.cells.is_ok()).collect();
            assert!(found.is_empty(), "{grid}");
        }
    }
    // In each cell 45, which are the candidates 4 and 5.
    let grid = format!("{}\n", "45 ".repeat(9)).repeat(9);
    assert!(GridBlocks::new(grid.as_bytes()).all(|block| block.cells.is_err()));
}

#[test]
fn sudokus_and_masks_are_no_str8ts() {
    all_refused("mask", sudoku_and_mask, (None, Some(Kind::Str8ts)));
    let (mut rng, plain) = (Rng(433), Some(Format::Plain));
    let text = sudoku_and_mask(&mut rng);
    assert!(read_one(text.as_bytes(), plain, &Hints::default(), &Evidence::default()).is_ok());
}

/// How many of these strings are refused.
fn refused(strings: impl IntoIterator<Item = String>) -> usize {
    let read = |text: &String| read_one(text.as_bytes(), None, &Hints::default(), &Evidence::default()).is_err();
    strings.into_iter().filter(read).count()
}

#[test]
fn solutions_and_wrong_solutions_are_sudokus() {
    let mut rng = Rng(434);
    let mut wrong = |exchanged: usize| {
        let mut digits = solution(&mut rng);
        for _ in 0..exchanged {
            digits.swap(rng.below(81), rng.below(81));
        }
        list(&digits, "")
    };
    let count = often(2_000, 20_000);
    for exchanged in 0..3 {
        assert_eq!(refused((0..count).map(|_| wrong(exchanged))), 0);
    }
    // Without one of the digits.
    let lacks_nine = |digits: String| digits.replace('9', "0");
    assert_eq!(refused((0..count).map(|_| lacks_nine(wrong(0)))), 0);
    let mut digits = wrong(0).into_bytes();
    digits.swap(0, 1);
    digits[2] = digits[0];
    let found = run(&mut gridmill(["validate", "--from", "plain"]), &digits);
    assert!(found.code == Some(1) && found.text().contains("\tduplicate\t"), "{}", found.text());
}

#[test]
fn str8ts_are_str8ts() {
    let shape = Shape::new(Kind::Str8ts, Side::NINE);
    for (seed, mix) in [(1, Mix::Clues), (2, Mix::Clues), (3, Mix::Solved), (4, Mix::Progress), (5, Mix::Progress)] {
        let mut batch = made(shape, mix, false, seed).expect("boards");
        for (board, cell) in (0..BATCH).flat_map(|board| (0..81).map(move |cell| (board, cell))) {
            match batch.cell(board, cell) {
                Cell::Solved(digit) => batch.set_cell(board, cell, Cell::Clue(digit)),
                Cell::Candidates(_) => batch.set_cell(board, cell, Cell::Empty),
                _ => {}
            }
        }
        let strings = (0..BATCH).map(|board| write_one(&batch, board, Format::Plain).expect("no loss"));
        assert_eq!(refused(strings), 0, "{mix:?}");
    }
}

#[test]
fn masks_are_masks() {
    let shape = Shape::new(Kind::Sudoku, Side::NINE);
    for (seed, mix) in (0..often(5, 30) as u64).flat_map(|seed| Mix::ALL.map(|mix| (seed, mix))) {
        let mut batch = made(shape, mix, false, seed).expect("boards");
        for (board, cell) in (0..BATCH).flat_map(|board| (0..81).map(move |cell| (board, cell))) {
            if let Cell::Clue(digit) = batch.cell(board, cell) {
                batch.set_cell(board, cell, Cell::Solved(digit));
            }
        }
        let candidates_as_digits = |text: &String| {
            let refused = read_one(text.as_bytes(), None, &Hints::default(), &Evidence::default());
            refused.is_err_and(|reject| reject.message.contains("candidates written as digits"))
        };
        let strings = (0..BATCH).map(|board| write_one(&batch, board, Format::V0).expect("no loss"));
        assert_eq!(refused(strings.filter(|text| !candidates_as_digits(text))), 0, "{mix:?}");
    }
}

/// Among records that are read together, the others are found, too.
#[test]
fn companions_among_boards() {
    let mut rng = Rng(435);
    let shape = Shape::new(Kind::Str8ts, Side::NINE);
    let str8ts = made(shape, Mix::Clues, false, 9).expect("boards");
    let mut map = boxes();
    let mut text = String::new();
    let mut bad = Vec::new();
    for line in 0..600 {
        let is_str8ts = line / 100 % 2 == 1;
        let is_bad = rng.once_in(40);
        change(&mut rng, &mut map);
        let string = match (is_str8ts, is_bad) {
            (false, false) => list(&solution(&mut rng), ""),
            (false, true) => list(&map.map(|region| region + 1), ""),
            (true, false) => write_one(&str8ts, line % BATCH, Format::Plain).expect("no loss"),
            (true, true) => sudoku_and_mask(&mut rng),
        };
        text += &format!("{string}\n");
        bad.extend(is_bad.then(|| (line + 1).to_string()));
    }
    let folder = Folder::new();
    let file = folder.write("boards.txt", &text);
    for command in ["convert", "validate", "canon", "dedupe"] {
        let done = run(&mut gridmill([command.as_ref(), "-q".as_ref(), file.as_os_str()]), b"");
        let said = done.stderr.lines().chain(done.text().lines()).filter(|row| row.contains("\tambiguous\t"));
        let lines: Vec<&str> = said.filter_map(|row| row.split('\t').nth(1)).collect();
        assert_eq!(lines, bad, "{command}: {}", done.stderr);
    }
    let table: String = text.lines().enumerate().map(|(row, string)| format!("{row},{string}\n")).collect();
    let done = convert(["--framing", "csv", "--column", "2", "--no-header"], table.as_bytes());
    assert_eq!(done.stderr.lines().filter(|row| row.contains("\tambiguous\t")).count(), bad.len());
}
