//! Reads boards that are written on one line: 81 or 729 characters, nine rows of nine characters with a sign between
//! them, 81 separate cells, and lines of HoDoKu's library.

use super::GridCells;
use super::glyphs::EMPTY_SIGNS;
use super::line::{RowLayout, Span, TokenKind, TokenLine};
use super::rows::{peers, read_spans};
use crate::board::Cell;
use crate::error::{Code, Reject};
use crate::formats::detect::is_ruled_line;

/// Reads the board of a line, if the line looks like a board. `text` is the line; `line` is the same line in tokens.
pub(super) fn read_board(text: &[u8], line: &TokenLine) -> Option<Result<GridCells, Reject>> {
    let text = text.trim_ascii();
    if text.starts_with(b":") && memchr::memchr_iter(b':', text).count() >= 6 {
        return Some(read_library_line(text));
    }
    if text.len() < 81 {
        return None;
    }
    if let Some((board, deleted)) = library_fields_alone(text) {
        return Some(read_library_fields(board, deleted));
    }
    let mut words = line.words();
    if let (Some(word), None) = (words.next(), words.next()) {
        let is_board = word.iter().all(is_cell);
        match word.len() {
            81 if is_board && !is_ruled_line(word) => return Some(Ok(read_characters(word, line))),
            729 if is_board => return Some(read_candidates(word)),
            89 => {
                if let Some(board) = without_joints(word) {
                    return Some(Ok(read_characters(&board, line)));
                }
            }
            _ => {}
        }
    }
    if line.glyphs.bytes.len() < 81 {
        return None;
    }
    let layout = if line.tokens.iter().any(|token| token.kind == TokenKind::Comma) {
        RowLayout::Commas
    } else {
        RowLayout::Words
    };
    read_spans(line, &cell_spans(line)?, layout)
}

fn is_cell(byte: &u8) -> bool {
    byte.is_ascii_digit() || EMPTY_SIGNS.contains(byte)
}

/// Reads 81 digits and empty-cell signs, as in the format plain. Digits after a `+` are placed.
fn read_characters(text: &[u8], line: &TokenLine) -> GridCells {
    let start = line.tokens.iter().find(|token| token.kind == TokenKind::Word).map_or(0, |token| token.span.start);
    std::array::from_fn(|at| match text.get(at) {
        Some(digit @ b'1'..=b'9') if line.glyphs.is_solved(start + at) => Cell::Solved(digit - b'0'),
        Some(digit @ b'1'..=b'9') => Cell::Clue(digit - b'0'),
        _ => Cell::Empty,
    })
}

/// Returns the 81 characters of nine rows with the same sign between them, which is in no cell: `004130506.00007...`.
fn without_joints(word: &[u8]) -> Option<Vec<u8>> {
    let joint = *word.get(9).filter(|sign| b"./-_:+*~".contains(sign))?;
    let rows: Vec<&[u8]> = word.chunks(10).map(|row| row.strip_suffix(&[joint]).unwrap_or(row)).collect();
    let is_row = |row: &&[u8]| row.len() == 9 && row.iter().all(|byte| is_cell(byte) && *byte != joint);
    (rows.len() == 9 && rows.iter().all(is_row)).then(|| rows.concat())
}

/// Returns the board and the deleted candidates of a library line that has nothing else: `53..+7....:812 813`.
fn library_fields_alone(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = memchr::memchr(b':', text)?;
    let (board, deleted) = (&text[..colon], &text[colon + 1..]);
    let is_board = board.iter().all(|byte| is_cell(byte) || *byte == b'+')
        && board.iter().filter(|byte| is_cell(byte)).count() == 81;
    let is_candidate = |word: &[u8]| word.len() == 3 && word.iter().all(|byte| (b'1'..=b'9').contains(byte));
    let are_candidates = deleted.split(|&byte| byte == b' ').all(|word| word.is_empty() || is_candidate(word));
    (is_board && are_candidates && !deleted.is_empty()).then_some((board, deleted))
}

/// Finds the spans of 81 cells in a line: one word for each cell or one word for each nine, with or without commas.
/// Brackets and bars may only be between rows.
fn cell_spans(line: &TokenLine) -> Option<Vec<Span>> {
    let has_commas = line.tokens.iter().any(|token| token.kind == TokenKind::Comma);
    let cells_per_word = if line.words().count() == 9 { 9 } else { 1 };
    let mut spans: Vec<Span> = Vec::new();
    // What precedes a comma: a word, the end of a row, or nothing, which means an empty cell.
    let (mut after_word, mut after_row) = (false, false);
    for &super::line::Token { kind, span } in &line.tokens {
        match kind {
            TokenKind::Word if has_commas && after_word => return None,
            TokenKind::Word if cells_per_word == 9 && span.end - span.start != 9 => return None,
            TokenKind::Word if cells_per_word == 9 => {
                spans.extend((span.start..span.end).map(|at| Span { start: at, end: at + 1 }));
            }
            TokenKind::Word => spans.push(span),
            TokenKind::Comma if !after_word && !after_row => spans.push(Span::default()),
            TokenKind::Comma | TokenKind::Tab => {}
            TokenKind::Bar | TokenKind::HeavyBar if has_commas => return None,
            TokenKind::Close if has_commas && !after_word && !after_row => return None,
            TokenKind::Open | TokenKind::Close | TokenKind::Bar | TokenKind::HeavyBar => {
                spans.len().is_multiple_of(9).then_some(())?
            }
        }
        if kind != TokenKind::Tab {
            (after_word, after_row) = (kind == TokenKind::Word, kind == TokenKind::Close);
        }
        if spans.len() > 81 {
            return None;
        }
    }
    (spans.len() == 81).then_some(spans)
}

/// Reads nine characters for each cell: the digits that are candidates, and any other character in the place of the
/// rest.
pub(in crate::formats) fn read_candidates(line: &[u8]) -> Result<GridCells, Reject> {
    let mut cells = [Cell::Empty; 81];
    for (at, nine) in line.chunks_exact(9).enumerate() {
        let mut set = 0;
        for (n, &byte) in nine.iter().enumerate() {
            if byte == b'1' + n as u8 {
                set |= 1 << n;
            } else if (b'1'..=b'9').contains(&byte) {
                let words = format!("the digit {} is in the place of {}", char::from(byte), n + 1);
                return Err(Reject::at(Code::Digit, at, 9, words));
            }
        }
        if set == 0 {
            return Err(Reject::at(Code::Digit, at, 9, "no candidate is left"));
        }
        cells[at] = Cell::Candidates(set);
    }
    Ok(cells)
}

/// Reads a line of HoDoKu's library: `:technique:candidates:board:deleted:...`.
pub(in crate::formats) fn read_library_line(line: &[u8]) -> Result<GridCells, Reject> {
    let fields: Vec<&[u8]> = line.split(|&byte| byte == b':').collect();
    match fields[..] {
        [_, _, _, board, deleted, _, _, ..] => read_library_fields(board, deleted),
        _ => Err(Reject::whole(Code::Length, "a line of HoDoKu's library has at least six colons")),
    }
}

/// Reads the board and the deleted candidates of such a line. A `+` precedes each digit that was not given. A deleted
/// candidate is a digit, a row and a column.
fn read_library_fields(board: &[u8], deleted: &[u8]) -> Result<GridCells, Reject> {
    let mut cells = Vec::with_capacity(81);
    let mut solved = false;
    for &byte in board {
        match byte {
            b'+' if !solved => solved = true,
            b'1'..=b'9' => {
                let digit = byte - b'0';
                cells.push(if std::mem::take(&mut solved) { Cell::Solved(digit) } else { Cell::Clue(digit) });
            }
            _ if EMPTY_SIGNS.contains(&byte) && !solved => cells.push(Cell::Empty),
            _ => return Err(Reject::whole(Code::Digit, format!("the board has the character {:?}", char::from(byte)))),
        }
    }
    let mut cells: GridCells = cells.try_into().map_err(|cells: Vec<_>| {
        Reject::whole(Code::Length, format!("the board of the library's line has {} cells, not 81", cells.len()))
    })?;
    let deleted = deleted.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
    let mut removed = [0_u32; 81];
    for word in deleted.clone() {
        let [digit @ b'1'..=b'9', row @ b'1'..=b'9', column @ b'1'..=b'9'] = *word else {
            return Err(Reject::whole(Code::Digit, "a deleted candidate must be a digit, a row and a column"));
        };
        removed[usize::from(row - b'1') * 9 + usize::from(column - b'1')] |= 1 << (digit - b'1');
    }
    if deleted.count() > 0 {
        let board = cells;
        for at in (0..81).filter(|&at| board[at] == Cell::Empty) {
            let placed = peers(at).fold(0, |all, other| match board[other] {
                Cell::Clue(digit) | Cell::Solved(digit) => all | 1 << (digit - 1),
                _ => all,
            });
            let left = 0x1ff & !placed & !removed[at];
            if left == 0 {
                return Err(Reject::at(Code::Digit, at, 9, "no candidate is left"));
            }
            cells[at] = Cell::Candidates(left);
        }
    }
    Ok(cells)
}
