//! Reads the lines below a map of cages that say their sums, or the clues of a KenKen: `a=20 b=7`, `A 12x`, `c: 3-`.

use super::labels::{Label, label};
use super::neighbours::is_frame;
use crate::formats::kenken_clues::{NamedClue, letter_clue};
use crate::formats::line_at;

/// The most clues of a list: one for each letter, small and large.
const MOST: usize = 52;

/// A letter and the sum or clue of its cage.
pub(super) type LetterClue = (u8, NamedClue);

/// The sums or clues of cages, by their letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ClueList {
    pub(super) clues: Vec<LetterClue>,
    /// The offset after the last byte of its last line.
    pub(super) end: usize,
    /// The offset after the line end of it.
    pub(super) next: usize,
}

/// Reads the list that begins at or after `from`, the start of a line, with only blank lines, a label and the last border of the map
/// before it. It ends before the first other line.
pub(super) fn read_list(text: &[u8], from: usize) -> Option<ClueList> {
    let (mut at, mut list) = (from, ClueList { clues: Vec::new(), end: from, next: from });
    while let Some(line) = line_at(text, at) {
        let bytes = text[line.start..line.end].trim_ascii();
        at = line.next;
        match clues_of(bytes) {
            Some(clues) if list.clues.len() + clues.len() <= MOST => list.clues.extend(clues),
            None if list.clues.is_empty()
                && (bytes.is_empty() || label(bytes) == Some(Label::Clues) || is_frame(bytes)) =>
            {
                continue;
            }
            _ => break,
        }
        (list.end, list.next) = (line.end, line.next);
    }
    Some(list).filter(|list| !list.clues.is_empty())
}

/// The clues of a line that has nothing else. `None` if it has none.
fn clues_of(line: &[u8]) -> Option<Vec<LetterClue>> {
    let line = std::str::from_utf8(line).ok()?;
    // `A -> 45` and `A(45)` are `A=45`.
    let line = line.replace("->", "=").replace("\u{2192}", "=").replace('(', "=").replace(')', " ");
    let line = line.as_bytes();
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || b",;".contains(byte);
    let mut words = line.split(is_between).filter(|word| !word.is_empty());
    let mut clues = Vec::new();
    while let Some(word) = words.next() {
        // `a = 20`, `a: 20` and `a 20`: what stands before the number, and then the number.
        let mut clue = word.to_vec();
        while matches!(&clue[..], [_] | [_, b':' | b'=']) {
            clue.extend(words.next()?);
        }
        clues.push(letter_clue(&clue)?);
    }
    Some(clues).filter(|clues| !clues.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_as_people_write_them() {
        let read = |text: &str| read_list(text.as_bytes(), 0).map(|list| (list.clues, list.end));
        let three = vec![(b'a', (16, 0)), (b'b', (6, 0)), (b'C', (31, 0))];
        for text in [
            "a16,b6,C31,",
            "a=16 b=6\nC=31\n",
            "a: 16\nb: 6\nC: 31",
            "\nSums:\na = 16; b : 6; C 31",
            "a(16) b(6)\nC (31)",
            "a -> 16\nb->6\nC \u{2192} 31",
        ] {
            assert_eq!(read(text).map(|found| found.0), Some(three.clone()), "{text}");
        }
        let kenken = vec![(b'A', (12, 3)), (b'B', (3, 2)), (b'C', (4, 0)), (b'D', (2, 4))];
        assert_eq!(read("A 12x\nB: 3-\nC 4\nD=2/\n\nE 7+"), Some((kenken, 20)));
        for text in ["", "a", "a=", "a 1 2", "words 12", "12", "a16 and b6"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
