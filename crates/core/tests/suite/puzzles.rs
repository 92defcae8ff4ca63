//! Sudokus of all sorts as digits, and as text for the solver.

use gridmill_core::board::{Cell, Kind, Shape, Side};
use gridmill_core::make::Mix;
use gridmill_core::solve::{BatchSolver, Puzzles};

use crate::random::{Rng, made};

/// The kinds that are solved together.
pub(crate) const KINDS: [Kind; 4] = [Kind::Sudoku, Kind::SudokuX, Kind::Windoku, Kind::ColourSudoku];

/// A puzzle or a solution.
pub(crate) type Grid = [u8; 81];

/// Full grids of a kind.
pub(crate) fn grids(kind: Kind, seed: u64) -> Vec<Grid> {
    let batch = made(Shape::new(kind, Side::NINE), Mix::Solved, false, seed).unwrap();
    let digit = |board: usize, i: usize| match batch.cell(board, i) {
        Cell::Clue(d) | Cell::Solved(d) => d,
        other => panic!("a full grid has {other:?}"),
    };
    (0..batch.len()).map(|board| std::array::from_fn(|i| digit(board, i))).collect()
}

/// A character for a cell without a given.
fn empty(rng: &mut Rng) -> u8 {
    *rng.pick(&[b'.', b'0', 0, b'-', b' ', b'\n', b':', b'/', 0x0A, 0x11, 0x21, 0x39 + 0x80, 0x81, 0xB1, 0xFF, b'a'])
}

/// Puzzles of all sorts: with few and many clues, with changed clues, and with random clues.
pub(crate) fn puzzles(kind: Kind, count: usize, seed: u64) -> Vec<Grid> {
    let rng = &mut Rng(seed * 77 + 5);
    let grids = grids(kind, seed);
    let mut puzzles = vec![[b'.'; 81], [9; 81], [b'1'; 81], grids[0]];
    while puzzles.len() < count {
        let mut grid = *rng.pick(&grids);
        let mut order: Vec<usize> = (0..81).collect();
        rng.shuffle(&mut order);
        let sort = rng.below(8);
        let clues = match sort {
            0 => rng.below(82),
            1 => 15 + rng.below(10),
            _ => 20 + rng.below(20),
        };
        if sort == 2 {
            // Without two digits: rectangles with two solutions, and many of these.
            let (a, b) = (rng.below(9) as u8 + 1, rng.below(9) as u8 + 1);
            order.retain(|&i| grid[i] == a || grid[i] == b);
            order.iter().for_each(|&i| grid[i] = 0);
        } else {
            order[clues..].iter().for_each(|&i| grid[i] = 0);
        }
        if sort == 3 || sort == 4 {
            let i = order[0];
            grid[i] = rng.below(9) as u8 + 1;
        }
        if sort == 5 {
            let some = 2 + rng.below(16);
            grid = [0; 81];
            order[..some].iter().for_each(|&i| grid[i] = rng.below(9) as u8 + 1);
        }
        let text = rng.once_in(2);
        puzzles.push(grid.map(|d| match d {
            0 => empty(rng),
            d if text => d + b'0',
            d => d,
        }));
    }
    puzzles
}

/// Lines of text at a distance of `pitch`.
pub(crate) fn text(puzzles: &[Grid], pitch: usize) -> Vec<u8> {
    let mut text = vec![b'7'; puzzles.len() * pitch];
    for (line, puzzle) in text.chunks_exact_mut(pitch).zip(puzzles) {
        line[..81].copy_from_slice(puzzle);
    }
    // The last puzzle may end the text.
    text.truncate((puzzles.len() * pitch).saturating_sub(pitch - 81));
    text
}

pub(crate) fn counts(solver: &mut BatchSolver, puzzles: &[Grid], limit: u32) -> Vec<u32> {
    let mut counts = vec![7; puzzles.len()];
    solver.count(Puzzles::of_text(&text(puzzles, 82), 82, puzzles.len()), limit, &mut counts);
    counts
}
