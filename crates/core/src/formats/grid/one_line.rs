//! Reads boards that are written on one line: 81 characters, nine rows of nine characters with a sign between them, 81
//! separate cells, and the strings of the formats `hodoku` and `pencilmarks`.

use super::GridCells;
use super::glyphs::EMPTY_SIGNS;
use super::line::{RowLayout, Span, TokenKind, TokenLine};
use super::rows::read_spans;
use crate::board::Cell;
use crate::error::Reject;
use crate::formats::detect::is_ruled_line;
use crate::formats::{hodoku, pencilmarks};

/// Reads the board of a line, if the line looks like a board. `text` is the line; `line` is the same line in tokens.
pub(super) fn read_board(text: &[u8], line: &TokenLine) -> Option<Result<GridCells, Reject>> {
    let text = text.trim_ascii();
    if hodoku::is_line(text) {
        return Some(hodoku::read_line(text));
    }
    if text.len() < 81 {
        return None;
    }
    if let Some((board, deleted)) = hodoku::fields_alone(text) {
        return Some(hodoku::read_fields(board, deleted));
    }
    let mut words = line.words();
    if let (Some(word), None) = (words.next(), words.next()) {
        let is_board = word.iter().all(is_cell);
        match word.len() {
            81 if is_board && !is_ruled_line(word) => return Some(Ok(read_characters(word, line))),
            729 if is_board => return Some(pencilmarks::read_cells(word)),
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
