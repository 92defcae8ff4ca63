//! Boards for layouts.

use gridmill::board::{Batch, Cell, Kind, Shape, Side};
use gridmill::make::Mix;

use super::layouts::Style;
use crate::random::{Rng, made};

/// The cells of a board of side 9.
pub(super) type Cells = [Cell; 81];

/// Boards to write.
pub(super) struct Pool {
    puzzles: Vec<Cells>,
    solutions: Vec<Cells>,
    candidates: Vec<Cells>,
    positions: Vec<Cells>,
}

impl Pool {
    pub(super) fn new(seed: u64) -> Self {
        let shape = Shape::new(Kind::Sudoku, Side::NINE);
        let boards = |mix| -> Vec<Cells> {
            let batch = made(shape, mix, true, seed).expect("sudokus are made");
            (0..batch.len()).map(|board| grid(&batch, board)).collect()
        };
        let given = |cells: &Cells| {
            cells.map(|cell| match cell {
                Cell::Solved(digit) => Cell::Clue(digit),
                other => other,
            })
        };
        let puzzles = boards(Mix::Clues);
        Self {
            solutions: boards(Mix::Solved).iter().map(given).collect(),
            candidates: puzzles.iter().map(with_candidates).collect(),
            positions: boards(Mix::Progress),
            puzzles,
        }
    }

    pub(super) fn board(&self, rng: &mut Rng, style: Style) -> Cells {
        match style {
            Style::Candidates => *rng.pick(&self.candidates),
            Style::Tall => *rng.pick(&self.positions),
            _ if rng.once_in(6) => *rng.pick(&self.solutions),
            _ => *rng.pick(&self.puzzles),
        }
    }
}

/// The cells of a board.
pub(super) fn grid(batch: &Batch, board: usize) -> Cells {
    std::array::from_fn(|cell| batch.cell(board, cell))
}

fn sees(a: usize, b: usize) -> bool {
    let (row, column) = (|at: usize| at / 9, |at: usize| at % 9);
    a != b && (row(a) == row(b) || column(a) == column(b) || row(a) / 3 == row(b) / 3 && column(a) / 3 == column(b) / 3)
}

/// A puzzle with the candidates that its placed digits allow. A single candidate that no open cell in its houses has
/// becomes a placed digit, as when grids of candidates are read.
fn with_candidates(puzzle: &Cells) -> Cells {
    let left = |at: usize| match puzzle[at] {
        Cell::Clue(_) => 0,
        _ => (0..81).filter(|&other| sees(at, other)).fold(0x1ff, |left, other| match puzzle[other] {
            Cell::Clue(digit) => left & !(1 << (digit - 1)),
            _ => left,
        }),
    };
    let sets: [u32; 81] = std::array::from_fn(left);
    std::array::from_fn(|at| match (puzzle[at], sets[at]) {
        (Cell::Clue(digit), _) => Cell::Clue(digit),
        (_, set) => {
            let is_open =
                (0..81).any(|other| sees(at, other) && sets[other].count_ones() > 1 && sets[other] & set != 0);
            if set.count_ones() == 1 && !is_open {
                Cell::Clue(set.trailing_zeros() as u8 + 1)
            } else {
                Cell::Candidates(set)
            }
        }
    })
}
