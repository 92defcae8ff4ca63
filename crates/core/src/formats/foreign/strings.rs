//! Recognises strings of other programs. Each function examines a line that has no spaces around it.

use super::Within;
use crate::error::Reject;
use crate::formats::GridCells;
use crate::formats::hodoku::read_fields;
use crate::formats::plain::SIDES_OF_OTHERS;

/// How many bytes of a long code are examined.
const MOST_OF_A_CODE: usize = 256;

/// `.Cage~10~R1C1~R1C2`
pub(super) fn is_constraints(line: &[u8]) -> bool {
    let name = line.iter().take(32).position(|&byte| byte == b'~').map_or(&b""[..], |end| &line[..end]);
    name.len() > 2 && name[0] == b'.' && name[1..].iter().all(u8::is_ascii_alphabetic)
}

/// Whether a byte is a digit or a sign for an empty cell.
fn is_cell(byte: &u8) -> bool {
    byte.is_ascii_digit() || b"._-*xX?".contains(byte)
}

/// What to do with a line that `--framing grid` has read, or what is wrong with it. `reads` is the advice for lines.
fn grid_instead(read: Result<GridCells, Reject>, within: Within, reads: &str) -> String {
    match read {
        Ok(_) if within == Within::Line => format!("; {reads}"),
        Ok(_) => ", which gridmill reads only from text with grids".to_string(),
        Err(reject) => format!(", but with a fault: {}", reject.message),
    }
}

/// The two parts of Susser's form, the second of which may be missing.
fn susser_parts(line: &[u8]) -> (&[u8], Option<&[u8]>) {
    match memchr::memchr(b':', line) {
        Some(colon) => (&line[..colon], Some(&line[colon + 1..])),
        None => (line, None),
    }
}

/// 81 cells, a `+` before each placed digit, and perhaps a colon and deleted candidates.
pub(super) fn is_susser(line: &[u8]) -> bool {
    let (board, deleted) = susser_parts(&line[..line.len().min(4096)]);
    if !(81..=162).contains(&board.len()) || board.len() == 81 && deleted.is_none() {
        return false;
    }
    let marks = board.iter().filter(|byte| **byte == b'+').count();
    let is_deleted = |deleted: &[u8]| {
        let mut words = deleted.split(|&byte| byte == b' ').filter(|word| !word.is_empty()).peekable();
        words.peek().is_some() && words.all(|word| word.len() == 3 && word.iter().all(u8::is_ascii_digit))
    };
    board.len() - marks == 81
        && board.iter().all(|byte| is_cell(byte) || *byte == b'+')
        && board.windows(2).all(|pair| pair[0] != b'+' || pair[1].is_ascii_digit())
        && board.last() != Some(&b'+')
        && (marks > 0 && deleted.is_none_or(|deleted| deleted.trim_ascii().is_empty())
            || deleted.is_some_and(is_deleted))
}

pub(super) fn susser_instead(text: &[u8], within: Within) -> Option<String> {
    // A board that ends with a colon is no grid.
    let is_grid = susser_parts(text).1.is_none_or(|deleted| !deleted.is_empty());
    let (board, deleted) = susser_parts(text);
    let read = read_fields(board, deleted.unwrap_or_default());
    is_grid.then(|| grid_instead(read, within, "read it with --framing grid"))
}

/// 81 signs: `#` for a black cell, a letter for a digit in one.
pub(in crate::formats) fn is_str8ts_signs(line: &[u8]) -> bool {
    if line.len() != 81 || memchr::memchr(b'#', line).is_none() {
        return false;
    }
    let is_sign = |byte: &u8| is_cell(byte) || *byte == b'#' || (b'a'..=b'i').contains(&(byte | 0x20));
    let count = |is: fn(&u8) -> bool| line.iter().filter(|byte| is(byte)).count();
    line.iter().all(is_sign) && count(|byte| *byte == b'#') >= 5 && count(u8::is_ascii_digit) >= 5
}

/// Cells such as `b0` and `w5`, separated by commas, and rows by semicolons.
pub(super) fn is_str8ts_cells(line: &[u8]) -> bool {
    if !line.first().is_some_and(|first| b"bwBW".contains(first)) {
        return false;
    }
    let mut cells = line.split(|byte| b",; |/".contains(byte)).filter(|cell| !cell.is_empty());
    let is_cell = |cell: &[u8]| matches!(cell, [b'b' | b'w' | b'B' | b'W', b'0'..=b'9']);
    (36 * 3 - 1..=81 * 4).contains(&line.len())
        && cells.by_ref().take(36).filter(|cell| is_cell(cell)).count() == 36
        && cells.all(is_cell)
}

/// Nine rows of nine cells with one separator between them.
pub(super) fn is_joined_rows(line: &[u8]) -> bool {
    separator(line).is_some()
}

/// The separator of nine rows of nine cells.
fn separator(line: &[u8]) -> Option<&[u8]> {
    // The separator may have two characters, as `\n` in a program's text has. One is left over after the last row at most.
    let width =
        (line.len() == 89 || line.len() == 90).then_some(1).or_else(|| (97..=99).contains(&line.len()).then_some(2))?;
    let separator = &line[9..9 + width];
    let rows: Vec<_> = line.chunks(9 + width).collect();
    let is_row = |row: &&[u8]| row[..row.len().min(9)].iter().all(is_cell) && row.len() >= 9;
    let is_separated = rows[..8].iter().all(|row| &row[9..] == separator);
    let is_last = rows.len() == 9 && separator.starts_with(&rows[8][9.min(rows[8].len())..]) && rows[8].len() >= 9;
    let is_mark = !separator.iter().any(u8::is_ascii_digit);
    (is_mark && is_last && is_separated && rows.iter().all(is_row)).then_some(separator)
}

const READS_WITHOUT: &str = "; gridmill reads it without the separators";

pub(super) fn joined_rows_instead(text: &[u8], within: Within) -> Option<String> {
    let [sign] = *separator(text)? else { return Some(READS_WITHOUT.to_string()) };
    let is_only_between = text.iter().filter(|&&byte| byte == sign).count() <= 9;
    Some(match sign {
        b'/' | b';' | b':' | b'.' | b'~' | b'=' | b'#' if is_only_between && within == Within::Line => {
            format!("{READS_WITHOUT}, which \"tr -d '{}'\" removes", char::from(sign))
        }
        _ => READS_WITHOUT.to_string(),
    })
}

/// Cells of several fields, each followed by a bar.
pub(super) fn is_opensudoku_cells(line: &[u8]) -> bool {
    if !line.starts_with(b"version: ") && line.get(1) != Some(&b'|') {
        return false;
    }
    let version = line.strip_prefix(b"version: ").map(|rest| rest.first().is_some_and(u8::is_ascii_digit));
    let begin = &line[..line.len().min(MOST_OF_A_CODE)];
    let bars = begin.iter().filter(|byte| **byte == b'|').count();
    version.unwrap_or(false)
        || line.len() >= 400
            && bars * 4 >= begin.len()
            && begin.iter().all(|byte| byte.is_ascii_digit() || b"|-,".contains(byte))
}

/// The side of a sudoku with this many signs.
fn other_side(line: &[u8]) -> Option<usize> {
    let has_signs = |side: &usize| line.len() == side * side && is_of_side(line, *side);
    let has_pairs = |side: &usize| *side > 9 && line.len() == 2 * side * side && is_pairs(line, *side);
    SIDES_OF_OTHERS.into_iter().find(|side| has_signs(side) || has_pairs(side))
}

/// Whether every sign is a blank or a digit of one of the alphabets of this side.
fn is_of_side(line: &[u8], side: usize) -> bool {
    let all = |is_digit: &dyn Fn(u8) -> bool| {
        let mut signs = line.iter().filter(|sign| !b"0._-*".contains(sign)).peekable();
        signs.peek().is_some() && signs.all(|&sign| is_digit(sign))
    };
    let letter = |sign: u8| usize::from((sign | 0x20).wrapping_sub(b'a')) + 1;
    let digit = |sign: u8| if sign.is_ascii_digit() { usize::from(sign - b'0') } else { letter(sign) + 9 };
    let of_ascii = |sign: u8| (usize::from(b'0') + 1..=usize::from(b'0') + side).contains(&usize::from(sign));
    all(&|sign| sign.is_ascii_alphanumeric() && digit(sign) <= side)
        || side > 9 && (all(&|sign| sign.is_ascii_alphabetic() && letter(sign) <= side) || all(&of_ascii))
}

/// Whether a text is pairs of digits up to a side, or of points.
fn is_pairs(line: &[u8], side: usize) -> bool {
    line.chunks(2).all(|pair| match pair {
        b".." => true,
        [tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => usize::from(tens - b'0') * 10 + usize::from(ones - b'0') <= side,
        _ => false,
    })
}

pub(super) fn is_other_side(line: &[u8]) -> bool {
    other_side(line).is_some()
}

pub(super) fn other_side_instead(text: &[u8], _: Within) -> Option<String> {
    Some(format!("; gridmill reads no sudokus of side {}", other_side(text)?))
}
