//! Finds boards in the text around links: strings and grids, which this framing does not read. Cuts text so that none of
//! them is in two chunks.

use std::ops::Range;

use super::serialized::SerializedCutter;
use crate::error::{Code, Reject};
use crate::formats::{EachGrid, GridBlock, find_grid_cut, is_consistent, is_string, line_at, string_within};
use crate::framing::chunk::{Cut, Limits};
use crate::framing::cutter::{Cutter, TextBefore};

/// No string that is recognised is shorter.
const SHORTEST: usize = 30;

/// The first rows of a grid with this many can be recognised, even if it has faults.
const ROWS: usize = 8;

/// A board outside of links, and the message that it is not read.
pub(super) type Outside = (Range<usize>, Reject);

/// The boards of a text outside of these links, in order.
pub(super) fn boards(text: &[u8], links: &[Range<usize>]) -> Vec<Outside> {
    // Words of letters belong to no board.
    let mut rest = text.to_vec();
    links
        .iter()
        .for_each(|link| rest[link.clone()].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b'w'));
    let mut found = Vec::new();
    let mut grids = EachGrid::new(&rest).filter(|grid| is_board(&rest, grid)).peekable();
    let mut at = 0;
    while let Some(line) = line_at(&rest, at) {
        if let Some(grid) = grids.next_if(|grid| grid.start <= line.start) {
            at = grid.next.max(line.next);
            let fault =
                grid.cells.err().map_or(String::new(), |reject| format!(", though it has a fault: {}", reject.message));
            found.push((grid.start..grid.end, not_read("grid", &format!("read it with --framing grid{fault}"))));
            continue;
        }
        at = line.next;
        find_strings(&rest, line.start..line.end, &mut found);
    }
    found
}

/// The message for a board that is not read.
fn not_read(what: &str, advice: &str) -> Reject {
    Reject::whole(Code::Ambiguous, format!("a {what} outside of links, which --framing links does not read; {advice}"))
}

/// Whether a block of lines is a grid, or one with a fault, and neither a string nor a part of a drawing.
fn is_board(text: &[u8], grid: &GridBlock) -> bool {
    if grid.may_be_drawing(text) || is_string(&text[grid.start..grid.end]) {
        return false;
    }
    let text = &text[grid.start..grid.end];
    let is_cell = |byte: &&u8| byte.is_ascii_digit() || b"._*xX?".contains(byte);
    let is_row = |line: &&[u8]| line.iter().filter(is_cell).count() == 9;
    match &grid.cells {
        Ok(_) => true,
        Err(reject) => {
            reject.code == Code::Ambiguous || text.split(|&byte| byte == b'\n').filter(is_row).count() >= ROWS
        }
    }
}

/// Finds the strings of a line: the line itself, or words of it, or parts of them between other delimiters.
fn find_strings(text: &[u8], line: Range<usize>, found: &mut Vec<Outside>) {
    let content = &text[line.clone()];
    let is_one = |string: &[u8]| string.len() >= SHORTEST && is_string(string) && is_consistent(string);
    if content.len() < SHORTEST {
        return;
    }
    if is_one(content) {
        found.push((line, not_read("string", "read it with --framing lines")));
        return;
    }
    let mut advice = None;
    let mut take = |string: Range<usize>| {
        let advice = advice.get_or_insert_with(|| {
            string_within(content)
                .unwrap_or_else(|| "to read it, put it on a line of its own, in a file without links".into())
        });
        found.push((string, not_read("string", advice)));
    };
    for word in parts(text, line, |byte| byte.is_ascii_whitespace() || b"\"'<>`()".contains(&byte)) {
        if is_one(&text[word.clone()]) {
            take(word);
            continue;
        }
        parts(text, word, |byte| b",;|=&[]{}".contains(&byte))
            .filter(|part| is_one(&text[part.clone()]))
            .for_each(&mut take);
    }
}

/// The parts of a text between bytes that separate them.
fn parts(text: &[u8], range: Range<usize>, separates: fn(u8) -> bool) -> impl Iterator<Item = Range<usize>> {
    let mut at = range.start;
    text[range].split(move |&byte| separates(byte)).map(move |part| {
        let start = at;
        at += part.len() + 1;
        start..start + part.len()
    })
}

/// How many bytes a chunk may be longer, so that no grid is cut.
const ROOM: usize = 1 << 20;

/// Cuts text like [`SerializedCutter`], but not in a grid, if there is another place within [`ROOM`].
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OutsideCutter {
    inner: SerializedCutter,
}

impl Cutter for OutsideCutter {
    fn fresh(&self) -> Box<dyn Cutter> {
        Box::new(Self::default())
    }

    fn before(&self) -> TextBefore {
        self.inner.before()
    }

    fn enough(&self, limits: Limits) -> usize {
        self.inner.enough(Limits { size: limits.size.saturating_add(2 * ROOM), ..limits })
    }

    fn cut(&mut self, text: &[u8], complete: bool, limits: Limits) -> Option<Cut> {
        let most = limits.size.saturating_add(ROOM);
        let mut size = limits.size;
        loop {
            let mut inner = self.inner;
            let cut = inner.cut(text, complete, Limits { size, ..limits })?;
            let is_last = cut.end == text.len() || cut.end > most || !text[..cut.end].ends_with(b"\n");
            match find_grid_cut(text, cut.end) {
                next if is_last || next == Some(cut.end) => {
                    self.inner = inner;
                    return Some(cut);
                }
                Some(next) => size = next,
                None if complete || text.len() > most => size = most.min(text.len()).max(cut.end + 1),
                None => return None,
            }
        }
    }

    /// What comes next may belong to the same grid.
    fn cut_early(&mut self, _: &[u8], _: Limits) -> Option<Cut> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: &str = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";

    fn grid() -> String {
        P.as_bytes().chunks(9).map(|row| format!("{}\n", String::from_utf8_lossy(row))).collect()
    }

    #[test]
    fn boards_beside_links() {
        let link = format!("https://www.sudokuwiki.org/sudoku.htm?bd={P}");
        let masks = vec!["10"; 81].join(",");
        for (text, count, advice) in [
            (format!("{P}\n{link}\n{P}\n"), 2, "--framing lines"),
            (format!("1,{P},{link}\n"), 1, "--framing csv --column 2"),
            (format!("{masks}\n{link}\n"), 1, "--framing lines"),
            (format!("{P} # see {link}\n"), 1, "--framing words --column 1"),
            (format!("<b>{P}</b> {link}\n"), 1, "a line of its own"),
            (format!("{}{link}\n", grid()), 1, "--framing grid"),
            (format!("{link}\n\n{}\n{}", grid(), grid()), 2, "--framing grid"),
            (format!("{link}\n{}", grid().replacen("53", "55", 1).replace("79\n", "7\n")), 1, "has a fault"),
            (format!("{link}\n<path d=\"M1 {} 3z\"/>\n", P.replace('0', "-").replace("53", "55")), 0, ""),
            (format!("{link}\n<path d=\"M1 {} 3z\"/>\n", P.replacen('0', "-", 20).replace('0', ".")), 0, ""),
            (format!("see {link} of 2024\n| a | 1 | 2 |\n"), 0, ""),
        ] {
            let at = text.find("http").expect("a link");
            let found = boards(text.as_bytes(), std::slice::from_ref(&(at..at + link.len())));
            assert_eq!(found.len(), count, "{text} {found:?}");
            assert!(found.iter().all(|(_, reject)| reject.message.contains(advice)), "{found:?}");
        }
    }

    #[test]
    fn no_grid_is_cut() {
        let text = format!("{}text\n", grid()).repeat(50);
        let whole = boards(text.as_bytes(), &[]).len();
        assert_eq!(whole, 50);
        for size in (1..400).step_by(7) {
            let (mut cutter, mut at, mut found) = (OutsideCutter::default(), 0, 0);
            while at < text.len() {
                let limits = Limits { size, line: 1 << 16 };
                let cut = cutter.cut(&text.as_bytes()[at..], true, limits).expect("all of the text is there");
                found += boards(&text.as_bytes()[at..at + cut.end], &[]).len();
                at += cut.end;
            }
            assert_eq!(found, whole, "{size}");
        }
    }
}
