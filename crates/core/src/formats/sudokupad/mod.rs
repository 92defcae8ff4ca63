//! Reads and writes ids of SudokuPad, the last part of its links: a puzzle as JSON, packed by lz-string (`scl`, `ctc`), a puzzle of
//! f-puzzles (`fpuz`), or the digits of a sudoku as run lengths (`scf`, `classic`).

mod drawings;
mod puzzle;
mod runs;
mod samples;
mod zip;

use super::addresses::{Address, holds_puzzle, program_id, unescaped, without_settings};
use super::fpuzzles::{self, Fpuzzles};
use super::json_values::Arena;
use super::losses::Holds;
use super::neutral::NeutralBoard;
use super::notation::{Notation, OneBoard};
use super::{About, Format, Hints, LayoutDoc, Text, advice};
use crate::board::{Batch, Cell, Kind, Shape, Side};
use crate::error::{Code, Reject, escape};
pub(super) use samples::SAMPLES;
use std::borrow::Cow;

/// The format `sudokupad`.
pub(super) struct Sudokupad;

static ABOUT: About = About {
    id: Format::Sudokupad,
    name: "sudokupad",
    summary: "an id of SudokuPad, also in a link: packed JSON, or run lengths of clues",
    layouts: &[LayoutDoc {
        kinds: "sudoku, -x, windoku, colour-sudoku, jigsaw, killer, killer-jigsaw; kenken and kendoku are read",
        body: "`scl`, `ctc` or `fpuz` and base 64; `scf` or `classic` and a sign for each digit",
        length: "any",
    }],
};

impl Notation for Sudokupad {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn resembles(&self, text: &[u8]) -> bool {
        if exchange(text).is_some() {
            return true;
        }
        match id(text) {
            Some((id, true)) => holds_puzzle(&id) || is_short(&id),
            Some((id, false)) => is_like_an_id(&id),
            None => false,
        }
    }

    fn read(&self, text: &[u8], hints: &Hints) -> Result<OneBoard, Reject> {
        if let Some(code) = exchange(text) {
            return read_exchange(&code);
        }
        let no_id = || Reject::whole(Code::Header, "an id of SudokuPad begins with scl, ctc, scf, classic or fpuz");
        let (id, is_link) = id(text).ok_or_else(no_id)?;
        if id.starts_with(b"fpuz") {
            return Fpuzzles.read(&id, hints);
        }
        if let Some(packed) = id.strip_prefix(b"scl").or_else(|| id.strip_prefix(b"ctc")) {
            return read_packed(packed);
        }
        if let Some(code) = id.strip_prefix(b"scf") {
            return read_runs(code);
        }
        if let Some(code) = id.strip_prefix(b"classic") {
            return read_classic(code);
        }
        if Address::of(text).is_some_and(|address| address.is_page_of_sudokupad()) {
            return Err(Reject::whole(Code::Header, "a page of SudokuPad's site that no puzzle is on"));
        }
        if is_link && is_short(&id) {
            let words = "a short id: the puzzle is on SudokuPad's server, and gridmill fetches nothing";
            return Err(Reject::whole(Code::Remote, words));
        }
        Err(no_id())
    }

    fn writes(&self, shape: Shape) -> Result<Shape, Reject> {
        fpuzzles::need_writable(shape, "sudokupad")
    }

    fn holds(&self, shape: Shape) -> Holds {
        Notation::holds(&Fpuzzles, shape)
    }

    fn write(&self, batch: &Batch, board: usize, out: &mut Text) -> Result<(), Reject> {
        let Shape { kind, side } = batch.shape();
        let mark: &[u8] = match kind {
            Kind::Sudoku => b"",
            Kind::SudokuX => b"*x",
            Kind::Windoku => b"*w",
            _ => return write_fpuzzles(batch, board, out),
        };
        let clue = |at: usize| match batch.cell(board, at) {
            Cell::Empty => Some(0),
            Cell::Clue(digit) => Some(digit),
            _ => None,
        };
        let clues = (0..side.cells()).map(clue).collect::<Option<Vec<_>>>();
        let Some(clues) = clues.filter(|_| side == Side::NINE) else {
            return write_fpuzzles(batch, board, out);
        };
        out.push(b"scf");
        out.push(&runs::write(&clues));
        out.push(mark);
        Ok(())
    }
}

/// Writes a board of which run lengths do not say everything.
fn write_fpuzzles(batch: &Batch, board: usize, out: &mut Text) -> Result<(), Reject> {
    out.push(b"fpuz");
    Fpuzzles.write(batch, board, out)
}

/// Whether an id may be the name of a puzzle on the server.
fn is_short(id: &[u8]) -> bool {
    let is_sign = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-/".contains(byte);
    (1..=MOST_OF_SHORT_ID).contains(&id.len()) && id.iter().all(is_sign)
}

/// The most characters of an id that stands for a puzzle on the server.
const MOST_OF_SHORT_ID: usize = 60;

/// Finds the id in a text, and whether an address around it says what it is. Percent codes are decoded.
fn id(text: &[u8]) -> Option<(Cow<'_, [u8]>, bool)> {
    if let Some(id) = program_id(text) {
        return Some((decoded(without_settings(id)), true));
    }
    let Some(address) = Address::of(text).filter(Address::is_sudokupad) else {
        return holds_puzzle(text).then(|| (decoded(without_settings(text)), false));
    };
    Some((decoded(address.sudokupad_id()), true))
}

/// The clues in a link of Sudoku Exchange: 81 digits, or run lengths.
fn exchange(text: &[u8]) -> Option<Cow<'_, [u8]>> {
    let address = Address::of(text).filter(|address| address.host == "sudokuexchange.com")?;
    address.parameter("s").map(decoded)
}

fn read_exchange(code: &[u8]) -> Result<OneBoard, Reject> {
    let is_digit = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    if code.len() == 81 && code.iter().all(is_digit) {
        let digits: Vec<u8> = code.iter().map(|&byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
        return board_of(&digits)?.into_board();
    }
    let mut cells = runs::read(code).map_err(|at| wrong_sign(code, at))?;
    if cells.len() > 81 && cells[81..].iter().all(|&digit| digit == 0) {
        cells.truncate(81);
    }
    board_of(&cells)?.into_board()
}

fn decoded(id: &[u8]) -> Cow<'_, [u8]> {
    match memchr::memchr(b'%', id) {
        Some(_) => Cow::Owned(unescaped(id)),
        None => Cow::Borrowed(id),
    }
}

/// Whether an id that stands by itself cannot be a word.
fn is_like_an_id(id: &[u8]) -> bool {
    const SHORTEST: usize = 16;
    if let Some(packed) = id.strip_prefix(b"scl").or_else(|| id.strip_prefix(b"ctc")) {
        let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/= ".contains(byte);
        return packed.starts_with(b"N4") && packed.len() >= SHORTEST && packed.iter().all(is_base64);
    }
    let cells = match (id.strip_prefix(b"scf"), id.strip_prefix(b"classic")) {
        (Some(code), _) => scf_cells(code).ok().filter(|(cells, _)| cells.len() == 81).map(|(cells, _)| cells),
        (_, Some(code)) => classic_cells(code),
        _ => None,
    };
    let Some(digits) = cells else { return false };
    let digits: Vec<u8> = digits.iter().map(|digit| digit + b'0').collect();
    digits.iter().any(|&digit| digit != b'0') && advice::is_consistent(&digits)
}

/// Reads a puzzle from what lz-string has made of its JSON.
fn read_packed(packed: &[u8]) -> Result<OneBoard, Reject> {
    let text = fpuzzles::unpack(packed, |text| zip::unzip(&Arena::new(), text).is_ok())?;
    let arena = Arena::new();
    let value = zip::unzip(&arena, &text).map_err(|error| {
        let words = format!("what it unpacks to is not SudokuPad's JSON: {error}");
        Reject::whole(Code::Digit, words)
    })?;
    puzzle::read_puzzle(&arena, &value)?.into_board()
}

fn wrong_sign(code: &[u8], at: usize) -> Reject {
    Reject::whole(Code::Digit, format!("'{}' is no sign of the run lengths", escape(&code[at..=at])))
}

/// The cells of an `scf` id, and where its marks begin. Its last run may be too long, or missing.
fn scf_cells(code: &[u8]) -> Result<(Vec<u8>, usize), Reject> {
    let (mut cells, marks) = match memchr::memchr(b'*', code) {
        Some(star) => (runs::read(&code[..star]).map_err(|at| wrong_sign(code, at))?, star + 1),
        None => runs::read_until_full(code).map_err(|at| wrong_sign(code, at))?,
    };
    if cells.len() > 81 && cells[81..].iter().all(|&digit| digit == 0) {
        cells.truncate(81);
    }
    Ok((cells, marks))
}

fn read_runs(code: &[u8]) -> Result<OneBoard, Reject> {
    let (mut cells, at) = scf_cells(code)?;
    if cells.len() < 81 {
        cells.resize(81, 0);
    }
    let mut board = board_of(&cells)?;
    read_marks(&code[at..], &mut board);
    board.into_board()
}

/// Reads what stands after the digits: rules, each a letter, and texts, which a star ends. Two stars in a text are one of it.
fn read_marks(marks: &[u8], board: &mut NeutralBoard) {
    let mut rest = marks;
    while let Some((&mark, after)) = rest.split_first() {
        rest = after;
        match mark {
            b'w' => board.further.windows = true,
            b'x' => (board.further.rising, board.further.falling) = (true, true),
            b't' | b'a' => {
                let (name, left) = read_text(after);
                match mark {
                    b't' => board.take_title(&name),
                    _ => board.take_author(&name),
                }
                rest = left;
            }
            b'*' => {}
            other => board.refuse(format!("scf constraint {}", escape(&[other]))),
        }
    }
}

/// A text up to the star that ends it, and what follows.
fn read_text(marks: &[u8]) -> (String, &[u8]) {
    let mut text = Vec::new();
    let mut rest = marks;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte == b'*' {
            match after.strip_prefix(b"*") {
                Some(after) => rest = after,
                None => break,
            }
        }
        text.push(byte);
    }
    (String::from_utf8_lossy(&text).into_owned(), rest)
}

/// The cells of a `classic` id, in the newer code if that gives 81.
fn classic_cells(code: &[u8]) -> Option<Vec<u8>> {
    let is_square = |cells: &Vec<u8>| matches!(cells.len(), 16 | 36 | 81);
    let newer = runs::read(code).ok().filter(is_square);
    newer.or_else(|| runs::read_older(code).filter(is_square)).filter(|cells| cells.len() == 81)
}

fn read_classic(code: &[u8]) -> Result<OneBoard, Reject> {
    let words = "neither of the two codes of run lengths gives 81 cells";
    board_of(&classic_cells(code).ok_or_else(|| Reject::whole(Code::Length, words))?)?.into_board()
}

/// The board of side 9 with these clues.
fn board_of(clues: &[u8]) -> Result<NeutralBoard, Reject> {
    if clues.len() != 81 {
        return Err(Reject::whole(Code::Length, format!("its run lengths have {} cells, not 81", clues.len())));
    }
    let mut board = NeutralBoard::new(9)?;
    board.cells.iter_mut().zip(clues).for_each(|(cell, &clue)| cell.given = clue);
    Ok(board)
}
