//! Reads and writes lines of HoDoKu's libraries, `:technique:candidates:board:deleted:eliminations:placements:extra`: the board,
//! and the candidates that are no longer possible.

use super::losses::{HeldCandidates, Holds};
use super::notation::{Notation, OneBoard};
use super::samples::{BadSample, Good, Samples};
use super::{About, Format, GridCells, Hints, LayoutDoc, Text, plain_kind};
use crate::board::{Batch, Cell, Kind, Mask, Shape, Side, peers9};
use crate::error::{Code, Reject};
use crate::kernels::tables::BLANKS;

/// The format `hodoku`.
pub(super) struct Hodoku;

static ABOUT: About = About {
    id: Format::Hodoku,
    name: "hodoku",
    summary: "a line of a HoDoKu library: clues, solved digits, and deleted candidates",
    layouts: &[LayoutDoc {
        kinds: "sudoku",
        body: "`:0000:x:` 81 digits, `+` before a solved one, `:` deleted candidates `:::`",
        length: "95 or more",
    }],
};

const ALL: Mask = 0x1ff;

impl Notation for Hodoku {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn resembles(&self, text: &[u8]) -> bool {
        is_line(text)
    }

    fn read(&self, text: &[u8], hints: &Hints) -> Result<OneBoard, Reject> {
        OneBoard::of_cells(&read_line(text)?, plain_kind(hints, "hodoku")?)
    }

    fn writes(&self, shape: Shape) -> Result<Shape, Reject> {
        super::need_side_nine(shape, "hodoku")?;
        Ok(Shape::new(Kind::Sudoku, Side::NINE))
    }

    fn holds(&self, _: Shape) -> Holds {
        let candidates = HeldCandidates::Consistent;
        Holds {
            candidates,
            regions: false,
            cages: false,
            operators: false,
            black: false,
            ..Holds::all(&[Kind::Sudoku])
        }
    }

    fn write(&self, batch: &Batch, board: usize, out: &mut Text) -> Result<(), Reject> {
        out.push(b":0000:x:");
        let cells: GridCells = std::array::from_fn(|at| batch.cell(board, at));
        for cell in cells {
            if matches!(cell, Cell::Solved(_)) {
                out.push_byte(b'+');
            }
            out.push_byte(if cell.digit() == 0 { b'.' } else { b'0' + cell.digit() });
        }
        out.push_byte(b':');
        write_deleted(&cells, out);
        out.push(b":::");
        Ok(())
    }
}

/// Appends the candidates that open cells do not have although no placed digit excludes them. If there are none, one that a
/// placed digit excludes is written: without any, a line has no candidates.
fn write_deleted(cells: &GridCells, out: &mut Text) {
    let is_open = |at: &usize| matches!(cells[*at], Cell::Candidates(_));
    if !(0..81).any(|at| is_open(&at)) {
        return;
    }
    let deleted = |at: usize| match cells[at] {
        Cell::Candidates(set) => possible(cells, at) & !set,
        _ => 0,
    };
    let mut words: Vec<[u8; 3]> =
        (0..81).flat_map(|at| digits(deleted(at)).map(move |digit| word(digit, at))).collect();
    if words.is_empty() {
        let excluded =
            (0..81).filter(is_open).find_map(|at| digits(ALL & !possible(cells, at)).next().map(|digit| (digit, at)));
        let placed =
            || (0..81).find(|&at| cells[at].digit() != 0).map(|at| (if cells[at].digit() == 1 { 2 } else { 1 }, at));
        words.extend(excluded.or_else(placed).map(|(digit, at)| word(digit, at)));
    }
    out.push(&words.join(&b' '));
}

/// A candidate: its digit, row and column.
fn word(digit: u8, at: usize) -> [u8; 3] {
    [b'0' + digit, b'1' + (at / 9) as u8, b'1' + (at % 9) as u8]
}

/// The digits of a set.
fn digits(set: Mask) -> impl Iterator<Item = u8> {
    (1..=9_u8).filter(move |digit| set >> (digit - 1) & 1 == 1)
}

/// The digits that no placed digit of a house of the cell excludes.
fn possible(cells: &GridCells, at: usize) -> Mask {
    peers9(at).fold(ALL, |left, other| match cells[other].digit() {
        0 => left,
        digit => left & !(1 << (digit - 1)),
    })
}

/// Whether a text is a line of a library: it has a colon at its start, and enough others, or a board in the place of one.
pub(super) fn is_line(text: &[u8]) -> bool {
    text.starts_with(b":")
        && (memchr::memchr_iter(b':', text).count() >= 6
            || text.split(|&byte| byte == b':').nth(3).is_some_and(|board| read_board(board).is_ok()))
}

/// Reads a line.
pub(super) fn read_line(line: &[u8]) -> Result<GridCells, Reject> {
    let fields: Vec<&[u8]> = line.splitn(9, |&byte| byte == b':').collect();
    match fields[..] {
        [b"", _, _, board, deleted, _, _, ..] if fields.len() <= 8 => read_fields(board, deleted),
        _ => Err(Reject::whole(
            Code::Length,
            "a line of a HoDoKu library has six or seven colons, one of them at its start",
        )),
    }
}

/// Returns the board and the deleted candidates of a line that has nothing else: `53..+7....:812 813`.
pub(super) fn fields_alone(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = memchr::memchr(b':', text)?;
    let (board, deleted) = (&text[..colon], &text[colon + 1..]);
    let is_cell = |byte: &u8| byte.is_ascii_digit() || BLANKS.contains(byte);
    let is_board = board.iter().all(|byte| is_cell(byte) || *byte == b'+')
        && board.iter().filter(|byte| is_cell(byte)).count() == 81;
    let is_candidate = |word: &[u8]| word.len() == 3 && word.iter().all(|byte| (b'1'..=b'9').contains(byte));
    let are_candidates = deleted.split(|&byte| byte == b' ').all(|word| word.is_empty() || is_candidate(word));
    (is_board && are_candidates && !deleted.is_empty()).then_some((board, deleted))
}

/// Reads the board and the deleted candidates of a line. A `+` precedes each digit that was not given. A deleted candidate is a
/// digit, a row and a column. Without any, open cells have no candidates.
pub(super) fn read_fields(board: &[u8], deleted: &[u8]) -> Result<GridCells, Reject> {
    let mut cells = read_board(board)?;
    let deleted = deleted.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
    let mut removed = [0; 81];
    for word in deleted.clone() {
        let [digit @ b'1'..=b'9', row @ b'1'..=b'9', column @ b'1'..=b'9'] = *word else {
            return Err(Reject::whole(Code::Digit, "a deleted candidate must be a digit, a row and a column"));
        };
        removed[usize::from(row - b'1') * 9 + usize::from(column - b'1')] |= 1 << (digit - b'1');
    }
    if deleted.count() > 0 {
        let board = cells;
        for at in (0..81).filter(|&at| board[at] == Cell::Empty) {
            let left = possible(&board, at) & !removed[at];
            if left == 0 {
                return Err(Reject::at(Code::Digit, at, 9, "no candidate is left"));
            }
            cells[at] = Cell::Candidates(left);
        }
    }
    Ok(cells)
}

fn read_board(board: &[u8]) -> Result<GridCells, Reject> {
    let mut cells = Vec::with_capacity(81);
    let mut solved = false;
    for &byte in board.iter().take(2 * 81 + 2) {
        match byte {
            b'+' if !solved => solved = true,
            b'1'..=b'9' => {
                let digit = byte - b'0';
                cells.push(if std::mem::take(&mut solved) { Cell::Solved(digit) } else { Cell::Clue(digit) });
            }
            _ if BLANKS.contains(&byte) && !solved => cells.push(Cell::Empty),
            _ => {
                let words = format!("the board has the character '{}'", crate::error::escape(&[byte]));
                return Err(Reject::whole(Code::Digit, words));
            }
        }
    }
    cells.try_into().map_err(|cells: Vec<_>| {
        Reject::whole(Code::Length, format!("the board of the line has {} cells, not 81", cells.len()))
    })
}

pub(super) const SAMPLES: &[Samples] = &[Samples {
    good: &[
        Good::same(
            Kind::Sudoku,
            ":0000:x:1....+7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..:414:::",
        ),
        Good {
            kind: Kind::Sudoku,
            text: ":0361:4:400000805030000000000700000020000060000080400000010000000603070500200000104000000::412::",
            canonical: Some(
                ":0000:x:4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......::::",
            ),
        },
    ],
    bad: &[
        BadSample {
            text: ":0000:x:4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4.....::::",
            code: Code::Length,
            cell: None,
        },
        BadSample {
            text: ":0000:x:4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......:41::: ",
            code: Code::Digit,
            cell: None,
        },
        BadSample {
            text: ":0000:x:4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4.....=::::",
            code: Code::Digit,
            cell: None,
        },
        BadSample {
            text: ":0000:x:12345678..........................................................................:919:::",
            code: Code::Length,
            cell: None,
        },
        BadSample {
            text: ":0000:x:12345678.........................................................................:919:::",
            code: Code::Digit,
            cell: Some((1, 9)),
        },
    ],
}];
