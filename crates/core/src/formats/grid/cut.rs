//! Finds places at which a text with grids can be cut, from its lines there alone.

use super::classify::LineClass;
use super::line::TokenLine;
use super::{is_too_long, one_line};
use crate::formats::line_at;

/// A paragraph with this many rows is not a part of a grid that goes on in another paragraph.
const ROWS: usize = 9;

/// Finds the first place at or after `from`, the start of a line, at which a text can be cut: the grids of both parts,
/// and their lines of text, are those of the whole. `None` if there is none before the last line, nor at its start.
///
/// ```
/// use gridmill_core::formats::{GridBlocks, find_grid_cut};
///
/// let text = b"1 2 3 4 5 6 7 8 9\nPuzzle 8\n1 2 3 4 5 6 7 8 9\n";
/// let cut = find_grid_cut(text, 0).expect("the line of text");
/// assert_eq!(cut, 18);
/// let blocks = [GridBlocks::new(&text[..cut]).count(), GridBlocks::new(&text[cut..]).count()];
/// assert_eq!((blocks, GridBlocks::new(text).count()), ([1, 1], 2));
/// ```
pub fn find_grid_cut(text: &[u8], from: usize) -> Option<usize> {
    let (mut at, mut line) = (from, TokenLine::default());
    // The rows of the current paragraph, whether it has any line, and whether the one before it was all of some grids.
    let (mut rows, mut is_begun, mut follows_grid) = (0, false, false);
    while let Some(next) = line_at(text, at) {
        let bytes = &text[next.start..next.end];
        if is_too_long(bytes) {
            return Some(at);
        }
        // The last line may not be complete.
        if next.next == next.end {
            return None;
        }
        line.read(bytes);
        if one_line::read_board(bytes, &line).is_some() {
            return Some(at);
        }
        match line.classify(bytes) {
            // Before them, what was found is made into grids, as at the end of a text.
            LineClass::Text | LineClass::String => return Some(at),
            LineClass::Blank => {
                // After the paragraph before, nothing was left to go on with, so this one is read alone, as at the end
                // of a text. The rest begins with a blank line, because the next paragraph must know of it.
                let is_grid = rows >= ROWS;
                if is_grid && follows_grid {
                    return Some(at);
                }
                if is_begun {
                    follows_grid = is_grid;
                }
                (rows, is_begun) = (0, false);
            }
            class => {
                rows += usize::from(class == LineClass::Row);
                is_begun = true;
            }
        }
        at = next.next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::{GridBlock, GridBlocks};
    use super::*;

    const LINES: [&str; 24] = [
        "1 . . | . . . | 5 6 9",
        "1 2 3 4 5 6 7 8 9",
        "100000569",
        ". . . . . . . . .",
        "- - - - - - - - -",
        "|   |   |   |",
        "------+-------+------",
        "+-------+-------+-------+",
        "    1 2 3   4 5 6   7 8 9",
        "  A B C   D E F   G H I",
        "A | 5 3 . | . 7 . | . . . |",
        "Puzzle 7 (easy)",
        "v2, sudoku 9x9: 29 clues, 52 with candidates",
        "7",
        "#12",
        "2024-05-17",
        "1 2 3",
        "1 2 3 4 x",
        "board = [",
        "[1,0,0,0,0,0,5,6,9],",
        "100000569492056108056109240009640801064010000218035604040500016905061402621000005",
        "https://www.sudokuwiki.org/sudoku.htm?bd=100000569492056108056109240009640801064010000218035604040500016905061402621000005",
        "```",
        "  ",
    ];

    #[test]
    fn lines_that_are_too_long_are_cut_off_before_their_end() {
        let long = "1 ".repeat(40_000);
        let text = format!("{}\n{}\n{long}", LINES[0], LINES[1]);
        let start = text.len() - long.len();
        for rest in ["", "2", "\n", "\r\n1 2 3\n"] {
            assert_eq!(find_grid_cut(format!("{text}{rest}").as_bytes(), 0), Some(start), "{rest:?}");
        }
        let row = format!("{}{}", LINES[1], " ".repeat(80_000));
        assert_eq!(find_grid_cut(row.as_bytes(), 0), None);
        let mut blocks = GridBlocks::new(text.as_bytes());
        let block = blocks.nth(1).expect("the long line");
        assert_eq!((block.start, block.end, block.line), (start, text.len(), 2));
        assert_eq!(block.cells.map_err(|reject| reject.code), Err(crate::error::Code::TooLong));
        assert_eq!((blocks.next(), blocks.lines_of_text()), (None, 0));
    }

    fn shifted(block: GridBlock, bytes: usize) -> GridBlock {
        GridBlock { start: block.start + bytes, end: block.end + bytes, next: block.next + bytes, ..block }
    }

    /// Grids of random lines, most of them in paragraphs as they occur, cut wherever that is possible.
    #[test]
    fn the_parts_have_the_grids_of_the_whole() {
        let mut state = 7_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut cuts = 0;
        for _ in 0..1000 {
            let mut text = String::new();
            for _ in 0..1 + random(12) {
                let row = LINES[random(4) as usize];
                let rows = [9, 9, 9, 3, 3, 1, 27, 2, 10][random(9) as usize];
                for _ in 0..rows {
                    let line = if random(12) == 0 { LINES[random(24) as usize] } else { row };
                    text += &format!("{line}\n");
                }
                match random(8) {
                    0 => text += &format!("{}\n", LINES[random(24) as usize]),
                    1 => text += &format!("\n{}\n", LINES[random(24) as usize]),
                    2 | 3 => text += "\n\n",
                    4 => text += " \r\n\n\n",
                    5 => {}
                    _ => text += "\n",
                }
            }
            let text = text.as_bytes();
            let mut whole = GridBlocks::new(text);
            let blocks: Vec<_> = whole.by_ref().collect();
            let starts = (0..text.len()).filter(|&at| at > 0 && text[at - 1] == b'\n');
            for cut in starts.filter_map(|from| find_grid_cut(text, from)) {
                cuts += 1;
                let lines = memchr::memchr_iter(b'\n', &text[..cut]).count();
                let (mut one, mut two) = (GridBlocks::new(&text[..cut]), GridBlocks::of_rest(&text[cut..], lines));
                let mut parts: Vec<_> = one.by_ref().collect();
                parts.extend(two.by_ref().map(|block| shifted(block, cut)));
                assert_eq!(parts, blocks, "cut at {cut}: {}", String::from_utf8_lossy(text));
                assert_eq!(one.lines_of_text() + two.lines_of_text(), whole.lines_of_text());
            }
        }
        assert!(cuts > 2000, "{cuts}");
    }
}
