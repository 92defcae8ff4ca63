//! Reads boards that are written on one line: 81 or 729 characters, 81 separate cells, and lines of HoDoKu's library.

use super::GridCells;
use super::line::{RowLayout, Span, TokenKind, TokenLine};
use super::rows::{EMPTY_SIGNS, peers, read_spans};
use crate::board::Cell;
use crate::error::{Code, Reject};
use crate::formats::detect::is_ruled_line;

/// Reads the board of a line, if the line looks like a board. `text` is the line; `line` is the same line in tokens.
pub(super) fn read_board(text: &[u8], line: &TokenLine) -> Option<Result<GridCells, Reject>> {
    let text = text.trim_ascii();
    if text.starts_with(b":") && memchr::memchr_iter(b':', text).count() >= 6 {
        return Some(read_library_line(text));
    }
    let mut words = line.words();
    if let (Some(word), None) = (words.next(), words.next()) {
        let is_board = word.iter().all(|byte| byte.is_ascii_digit() || EMPTY_SIGNS.contains(byte));
        match word.len() {
            81 if is_board && !is_ruled_line(word) => return Some(Ok(read_characters(word))),
            729 if is_board => return Some(read_candidates(word)),
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

/// Reads 81 digits and empty-cell signs, as in the format plain.
fn read_characters(text: &[u8]) -> GridCells {
    std::array::from_fn(|at| match text.get(at) {
        Some(digit @ b'1'..=b'9') => Cell::Clue(digit - b'0'),
        _ => Cell::Empty,
    })
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
fn read_candidates(line: &[u8]) -> Result<GridCells, Reject> {
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

/// Reads a line of HoDoKu's library: `:technique:candidates:givens:deleted:...`. A `+` precedes each digit that was not
/// given. A deleted candidate is a digit, a row and a column.
fn read_library_line(line: &[u8]) -> Result<GridCells, Reject> {
    let fields: Vec<&[u8]> = line.split(|&byte| byte == b':').collect();
    let mut cells = Vec::with_capacity(81);
    let mut solved = false;
    for &byte in fields[3] {
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
    let deleted = fields[4].split(|&byte| byte == b' ').filter(|word| !word.is_empty());
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
