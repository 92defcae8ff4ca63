//! Recognises files of other programs by their beginning.

use crate::formats::Format;
use crate::formats::kenken_clues::{is_row, letter_clue};

/// Whether a text is XML with this element near its beginning, in any case of letters.
pub(super) fn has_element(text: &[u8], name: &str) -> bool {
    let begin = &text[..text.len().min(1024)];
    begin.starts_with(b"<") && elements(begin).any(|element| element.eq_ignore_ascii_case(name.as_bytes()))
}

/// Whether a text is XML about sudokus.
pub(super) fn is_sudoku_xml(text: &[u8]) -> bool {
    let begin = &text[..text.len().min(1024)];
    let names_sudoku = |name: &[u8]| name.to_ascii_lowercase().windows(6).any(|six| six == b"sudoku");
    (begin.starts_with(b"<?xml") && !elements(begin).any(|name| name.eq_ignore_ascii_case(b"html")))
        || begin.starts_with(b"<") && elements(begin).next().is_some_and(names_sudoku)
}

/// Returns the names of elements, without those that are closed, and of document types.
fn elements(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b'<').skip(1).filter_map(|tag| {
        let tag = tag.strip_prefix(b"!DOCTYPE ").unwrap_or(tag);
        // `opensudoku2` is the next version of `opensudoku`.
        let end = tag.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(tag.len());
        Some(&tag[..end]).filter(|name| !name.is_empty())
    })
}

/// Whether a text is an array of MiniZinc: rows between `[|` and `|]`.
pub(super) fn is_minizinc(text: &[u8]) -> bool {
    let begin = &text[..text.len().min(1024)];
    let has = |part: &[u8]| memchr::memmem::find(begin, part).is_some();
    begin.starts_with(b"[|") || has(b"array2d(") || has(b"= [|") || has(b"=[|")
}

/// Whether a text is a saved game of GNOME Sudoku, which is JSON.
pub(in crate::formats) fn is_gnome_sudoku(text: &[u8]) -> bool {
    Format::GnomeSudoku.codec().resembles(text)
}

/// Whether a text has rows of cages as its first lines that are no comments.
pub(in crate::formats) fn is_kenken_rows(text: &[u8]) -> bool {
    let mut rows = lines(text).filter(|line| !line.starts_with(b"#"));
    rows.next().is_some_and(is_row)
}

/// Whether a text begins with a square of letters and digits, after which each line has a letter and a clue.
pub(in crate::formats) fn is_kenken_letters(text: &[u8]) -> bool {
    let mut rest = lines(text).filter(|line| !line.starts_with(b"#"));
    let Some(first) = rest.next() else { return false };
    let side = first.len();
    let is_row = |line: &[u8]| line.len() == side && line.iter().all(u8::is_ascii_alphanumeric);
    if !(3..=9).contains(&side) || !is_row(first) || !rest.by_ref().take(side - 1).all(is_row) {
        return false;
    }
    let clues: Vec<_> = rest.take(3).collect();
    clues.len() >= 2 && clues.iter().all(|line| is_letter_clue(line))
}

/// Whether a line is a letter and the clue of its cage: `A 12+`, `B: 3-`. In files, spaces may stand anywhere in it.
fn is_letter_clue(line: &[u8]) -> bool {
    const LONGEST: usize = 32;
    let packed = || line.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect::<Vec<u8>>();
    line.len() <= LONGEST && letter_clue(&packed()).is_some()
}

/// Returns the lines of a text that are not blank, without spaces around them.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty())
}
