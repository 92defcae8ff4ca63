//! Reads and writes sudokus of 729 characters, nine for each cell: the digits that are its candidates, and a blank in the place
//! of each of the others.

use super::losses::{HeldCandidates, Holds};
use super::notation::{Notation, OneBoard};
use super::samples::{BadSample, Good, Samples};
use super::{About, Format, GridCells, Hints, LayoutDoc, Text, plain_kind};
use crate::board::{Batch, Cell, Kind, Shape, Side, peers9};
use crate::error::{Code, Position, Reject};
use crate::kernels::tables::BLANKS;

/// The format `pencilmarks`.
pub(super) struct Pencilmarks;

static ABOUT: About = About {
    id: Format::Pencilmarks,
    name: "pencilmarks",
    summary: "nine characters for each cell: its candidates, and blanks; a digit alone is a clue",
    layouts: &[LayoutDoc {
        kinds: "sudoku",
        body: "a digit in its place, or one of `. 0 _ - *`; a digit alone is a clue unless an open cell of its houses has it",
        length: "729",
    }],
};

/// The characters of a string.
const WIDTH: usize = 729;

impl Notation for Pencilmarks {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn resembles(&self, text: &[u8]) -> bool {
        is_string(text)
    }

    fn read(&self, text: &[u8], hints: &Hints) -> Result<OneBoard, Reject> {
        OneBoard::of_cells(&read_cells(text)?, plain_kind(hints, "pencilmarks")?)
    }

    fn writes(&self, shape: Shape) -> Result<Shape, Reject> {
        super::need_side_nine(shape, "pencilmarks")?;
        Ok(Shape::new(Kind::Sudoku, Side::NINE))
    }

    fn holds(&self, _: Shape) -> Holds {
        let candidates = HeldCandidates::NotAlone;
        let holds = Holds { candidates, solved: false, ..Holds::all(&[Kind::Sudoku]) };
        Holds { regions: false, cages: false, operators: false, black: false, ..holds }
    }

    fn write(&self, batch: &Batch, board: usize, out: &mut Text) -> Result<(), Reject> {
        let mut sets = [0; 81];
        for (at, set) in sets.iter_mut().enumerate() {
            *set = match batch.cell(board, at) {
                Cell::Candidates(set) => set,
                cell if cell.digit() != 0 => 1 << (cell.digit() - 1),
                _ => {
                    let words = "a cell without a digit must have candidates in 729 characters; --notes auto or full fills them in";
                    return Err(Reject::at(Code::Unsupported, at, 9, words));
                }
            };
        }
        for (at, cell) in told_apart(&sets).into_iter().enumerate() {
            let (is_placed, becomes_placed) = (batch.cell(board, at).digit() != 0, cell.digit() != 0);
            if is_placed != becomes_placed {
                return Err(misread(at, &sets, is_placed));
            }
        }
        for set in sets {
            for digit in 0..9 {
                out.push_byte(if set >> digit & 1 == 1 { b'1' + digit } else { b'.' });
            }
        }
        Ok(())
    }
}

/// The refusal of a board with a cell that would be read back as another one.
fn misread(at: usize, sets: &[u32; 81], is_placed: bool) -> Reject {
    let digit = sets[at].trailing_zeros() + 1;
    let other = peers9(at).find(|&other| sets[other].count_ones() > 1 && sets[other] & sets[at] != 0);
    let words = match other.filter(|_| is_placed) {
        Some(other) => format!(
            "in 729 characters the digit {digit} would be read as a candidate, since {} has it, too; leave it out there",
            Position::of(other, 9)
        ),
        None => format!("in 729 characters the only candidate {digit} would be read as a clue"),
    };
    Reject::at(Code::Unsupported, at, 9, words)
}

/// Tells clues from candidates: a digit alone is a clue unless an open cell of its houses has it as a candidate.
fn told_apart(sets: &[u32; 81]) -> GridCells {
    std::array::from_fn(|at| {
        let set = sets[at];
        let has_it = |other: usize| sets[other].count_ones() > 1 && sets[other] & set != 0;
        match set.count_ones() == 1 && !peers9(at).any(has_it) {
            true => Cell::Clue(set.trailing_zeros() as u8 + 1),
            false => Cell::Candidates(set),
        }
    })
}

/// Whether a text has the length and the characters of a string.
pub(super) fn is_string(text: &[u8]) -> bool {
    text.len() == WIDTH && text.iter().all(|byte| byte.is_ascii_digit() || BLANKS.contains(byte))
}

/// Reads a string.
pub(super) fn read_cells(text: &[u8]) -> Result<GridCells, Reject> {
    if text.len() != WIDTH {
        let words = format!("{} characters; nine for each of 81 cells are {WIDTH}", super::text::length(text));
        return Err(Reject::whole(Code::Length, words));
    }
    let mut sets = [0; 81];
    for (at, nine) in text.chunks_exact(9).enumerate() {
        for (n, &byte) in (0_u8..).zip(nine) {
            if byte == b'1' + n {
                sets[at] |= 1 << n;
            } else if !BLANKS.contains(&byte) {
                let what = if byte.is_ascii_digit() { "the digit" } else { "the character" };
                let words = format!("{what} {} is in the place of {}", crate::error::escape(&[byte]), n + 1);
                return Err(Reject::at(Code::Digit, at, 9, words));
            }
        }
        if sets[at] == 0 {
            return Err(Reject::at(Code::Digit, at, 9, "no candidate is left"));
        }
    }
    Ok(told_apart(&sets))
}

/// The characters of all cells after the second one of the samples.
macro_rules! other_cells {
    () => {
        "..345.78...3.567....3..6.89....5678...34...89..3..6..9.2........23....8.........9..3...78....4.....\
         123..6.8.12...678.1.3....8.....5......3..6.8..2345..8..2.4...8......6...123.5....123....8912..5..8.\
         ......7..1.3.....9..34...89.2.4.6.8.....5....1..4..78.........912.4.6.....3......12.....8.12...67..\
         .....678..234.6.8912.4.6.8.1.34...8912...6.........7..12.4.6...123.5..89123..6..9..3.56.89.23..6..9\
         12...67..1.3...7.9.......8.....5....12...6...123.....9...4.......3..67.9......7..1..4...8.1..45..89\
         123.5....1234...8.12.45..8......6....23.....9..345...9...456.....3......1..45....12..567..12.4.6...\
         ........9.2.45...........8....45.7.....456.89...4.6.8..2.........3.567....34.6.8....45678...345...9\
         ..3...7.91........"
    };
}

const CANONICAL: &str = concat!("1..............78.", other_cells!());

pub(super) const SAMPLES: &[Samples] = &[Samples {
    good: &[
        Good::same(Kind::Sudoku, CANONICAL),
        Good {
            kind: Kind::Sudoku,
            text: "100000000000000780003450780003056700003006089000056780003400089003006009020000000023000080000000009\
                   003000780000400000123006080120006780103000080000050000003006080023450080020400080000006000123050000\
                   123000089120050080000000700103000009003400089020406080000050000100400780000000009120406000003000000\
                   120000080120006700000006780023406089120406080103400089120006000000000700120406000123050089123006009\
                   003056089023006009120006700103000709000000080000050000120006000123000009000400000003006709000000700\
                   100400080100450089123050000123400080120450080000006000023000009003450009000456000003000000100450000\
                   120056700120406000000000009020450000000000080000450700000456089000406080020000000003056700003406080\
                   000456780003450009003000709100000000",
            canonical: Some(CANONICAL),
        },
    ],
    bad: &[
        BadSample { text: "1........", code: Code::Length, cell: None },
        BadSample { text: concat!("1........2.....78.", other_cells!()), code: Code::Digit, cell: Some((1, 2)) },
        BadSample { text: concat!("...............78.", other_cells!()), code: Code::Digit, cell: Some((1, 1)) },
    ],
}];
