//! Finds places at which a text with grids can be cut, from its lines there alone.

use super::classify::LineClass;
use super::find::letter_row;
use super::grid_line::{GridLine, LineRole};
use super::letter_row::LetterRow;
use super::letters::LetterLines;
use super::line::TokenLine;
use super::rows::is_header;
use super::{is_too_long_for_grid, one_line};
use crate::formats::line_at;

/// A paragraph with this many rows is not a part of a grid that goes on in another paragraph.
const ROWS: usize = 9;

/// After this many [`EvenParagraphs`], a paragraph at another distance belongs to other grids.
const EVEN: usize = 3;

/// Finds the first place at or after `from`, the start of a line, at which a text can be cut: the grids of both parts,
/// each read by itself, and their lines of text, are those of the whole. `None` if there is none before the last line,
/// nor at its start.
///
/// ```
/// use gridmill_core::formats::{EachGrid, find_grid_cut};
///
/// let text = b"1 2 3 4 5 6 7 8 9\nPuzzle 8\n1 2 3 4 5 6 7 8 9\n";
/// let cut = find_grid_cut(text, 0).expect("the line of text");
/// assert_eq!(cut, 18);
/// let blocks = [EachGrid::new(&text[..cut]).count(), EachGrid::new(&text[cut..]).count()];
/// assert_eq!((blocks, EachGrid::new(text).count()), ([1, 1], 2));
/// ```
pub fn find_grid_cut(text: &[u8], from: usize) -> Option<usize> {
    let (mut at, mut line) = (from, TokenLine::default());
    let mut paragraphs = Paragraphs::default();
    let mut letters = Letters::default();
    while let Some(next) = line_at(text, at) {
        let bytes = &text[next.start..next.end];
        if is_too_long_for_grid(bytes) {
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
        let class = line.classify(bytes);
        let is_end_of_letters = letters.take(class, &line);
        let can_be_cut = is_end_of_letters
            || match class {
                // It may be a row of a mask, of which the others are before it.
                LineClass::Text if LetterRow::read_any(&line).is_some() => {
                    paragraphs = Paragraphs::default();
                    false
                }
                // Before them, what was found is made into grids, as at the end of a text.
                LineClass::Text | LineClass::String => true,
                LineClass::Blank => paragraphs.take_blank_line(),
                LineClass::Letters => {
                    paragraphs = Paragraphs::default();
                    false
                }
                class => paragraphs.take_line(class, &line),
            };
        if can_be_cut {
            return Some(at);
        }
        at = next.next;
    }
    None
}

/// The lines of letters since the place where the search began.
#[derive(Debug, Default)]
struct Letters {
    lines: LetterLines,
    before: BeforeLetters,
    /// Whether the line before was one of letters.
    is_inside: bool,
    /// Whether all lines of the paragraph are known.
    is_whole: bool,
}

/// What is known about the lines before a line of letters.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum BeforeLetters {
    /// It may go on with lines of letters.
    #[default]
    Unknown,
    /// A blank line is directly before it, perhaps after lines of letters.
    Blank,
    /// It begins a map: something else was before it.
    Other,
}

impl Letters {
    /// Takes a line. Returns whether the text can be cut before it, because lines of letters begin or end there.
    fn take(&mut self, class: LineClass, line: &TokenLine) -> bool {
        let was_inside = std::mem::take(&mut self.is_inside);
        if let Some(row) = letter_row(line, class, &self.lines) {
            if class == LineClass::Letters && self.before == BeforeLetters::Other {
                return true;
            }
            if !self.lines.is_like(&row) {
                self.lines = LetterLines::default();
                self.is_whole = false;
            }
            self.is_whole |= self.before == BeforeLetters::Blank;
            self.before = BeforeLetters::Unknown;
            self.is_inside = class == LineClass::Letters;
            self.lines.push(NO_LINE, row);
            return false;
        }
        match class {
            LineClass::Blank => {
                let is_map = self.lines.end_paragraph().is_some() && self.is_whole;
                if self.before != BeforeLetters::Other {
                    self.before = BeforeLetters::Blank;
                }
                is_map
            }
            LineClass::Row | LineClass::Malformed | LineClass::Number | LineClass::Header => {
                self.lines = LetterLines::default();
                self.is_whole = false;
                // After some lines of letters, the line may be one more, and it may be the first one.
                let may_be_letters = LetterRow::read_any(line).is_some();
                self.before = if may_be_letters { BeforeLetters::Unknown } else { BeforeLetters::Other };
                was_inside && !may_be_letters
            }
            LineClass::Text => {
                self.lines = LetterLines::default();
                self.is_whole = false;
                self.before = BeforeLetters::Unknown;
                false
            }
            _ => false,
        }
    }
}

/// Only the letters of these lines are needed.
const NO_LINE: GridLine = GridLine {
    role: LineRole::Malformed,
    has_list_name: false,
    follows_blank_line: false,
    start: 0,
    end: 0,
    next: 0,
    number: 0,
};

/// The paragraphs since the place where the search began.
#[derive(Debug, Default)]
struct Paragraphs {
    /// Whether the current line follows a line of the same paragraph.
    is_inside: bool,
    last: Paragraph,
    /// The number of blank lines after the last paragraph, if it has ended.
    blank_lines: usize,
    /// Whether the paragraph before was all of some grids.
    follows_grid: bool,
    even: EvenParagraphs,
}

#[derive(Debug, Default)]
struct Paragraph {
    /// The number of blank lines before it; 0 for the first one.
    distance: usize,
    rows: usize,
    /// It has something besides borders, and rows that cannot be column names.
    has_others: bool,
}

/// The last paragraphs, all of which have as many rows: one, or three as a band of boxes, and nothing else but borders.
/// The distances between them are equal.
///
/// The reader takes such paragraphs for parts of one grid only as long as the distance does not change. It may have
/// joined earlier paragraphs with the first or the second of these, but the third belongs to a run with their distance
/// in any case. So if another distance follows it, the run ends there.
#[derive(Debug, Default)]
struct EvenParagraphs {
    number: usize,
    rows: usize,
    /// The number of blank lines between two of them, if there are two.
    distance: usize,
}

impl Paragraphs {
    /// Takes a line that may belong to a grid. Returns whether the text can be cut before it.
    fn take_line(&mut self, class: LineClass, line: &TokenLine) -> bool {
        if !self.is_inside {
            let distance = std::mem::take(&mut self.blank_lines);
            if distance > 0 && self.even.number >= EVEN && self.even.distance != distance {
                return true;
            }
            self.is_inside = true;
            self.last = Paragraph { distance, ..Paragraph::default() };
        }
        let is_row = class == LineClass::Row;
        self.last.rows += usize::from(is_row);
        self.last.has_others |= class != LineClass::Border && (!is_row || is_header(line));
        false
    }

    /// Takes a blank line. Returns whether the text can be cut before it.
    fn take_blank_line(&mut self) -> bool {
        if !std::mem::take(&mut self.is_inside) {
            self.blank_lines += usize::from(self.blank_lines > 0);
            return false;
        }
        // After the paragraph before, nothing was left to go on with, so this one is read alone, as at the end of a
        // text. The rest begins with a blank line, because the next paragraph must know of it.
        let is_grid = self.last.rows >= ROWS;
        if is_grid && self.follows_grid {
            return true;
        }
        self.follows_grid = is_grid;
        self.blank_lines = 1;
        self.even.take(&self.last);
        false
    }
}

impl EvenParagraphs {
    fn take(&mut self, &Paragraph { distance, rows, has_others }: &Paragraph) {
        let number = match self.number {
            _ if has_others || rows != 1 && rows != 3 => 0,
            number if number == 0 || rows != self.rows => 1,
            number if number == 1 || distance == self.distance => number + 1,
            _ => 2,
        };
        *self = Self { number, rows, distance };
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::{EachGrid, GridBlock, GridBlocks, find_puzzle_cut};
    use super::*;
    use std::collections::BTreeSet;

    const LINES: [&str; 32] = [
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
        "111222333",
        "001000100",
        "AABBBCCCC",
        "a a b b b c c c c",
        "ABCDEFGHI",
        "Beginners",
        "x.x.xxx.x",
        "..ab..ab.",
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

    /// Cuts a text wherever that is possible, and compares the grids of the parts with those of the whole. Returns the
    /// number of cuts.
    pub(in super::super) fn cut_everywhere(text: &[u8]) -> usize {
        let mut whole = EachGrid::new(text);
        let blocks: Vec<_> = whole.by_ref().collect();
        let starts = || (0..text.len()).filter(|&at| at > 0 && text[at - 1] == b'\n');
        let mut cuts = 0;
        for cut in starts().filter_map(|from| find_grid_cut(text, from)) {
            cuts += 1;
            let lines = memchr::memchr_iter(b'\n', &text[..cut]).count();
            let (mut one, mut two) = (EachGrid::new(&text[..cut]), EachGrid::of_rest(&text[cut..], lines));
            let mut parts: Vec<_> = one.by_ref().collect();
            parts.extend(two.by_ref().map(|block| shifted(block, cut)));
            assert_eq!(parts, blocks, "cut at {cut}: {}", String::from_utf8_lossy(text));
            assert_eq!(one.lines_of_text() + two.lines_of_text(), whole.lines_of_text());
        }
        cuts + cut_between_puzzles(text)
    }

    /// The same for the places at which no grid is separated from what says more about it.
    fn cut_between_puzzles(text: &[u8]) -> usize {
        let mut whole = GridBlocks::new(text);
        let blocks: Vec<_> = whole.by_ref().collect();
        let starts = (0..text.len()).filter(|&at| at > 0 && text[at - 1] == b'\n');
        let found: BTreeSet<usize> = starts.step_by(9).filter_map(|from| find_puzzle_cut(text, from)).collect();
        for &cut in &found {
            let lines = memchr::memchr_iter(b'\n', &text[..cut]).count();
            let (mut one, mut two) = (GridBlocks::new(&text[..cut]), GridBlocks::of_rest(&text[cut..], lines));
            let mut parts: Vec<_> = one.by_ref().collect();
            parts.extend(two.by_ref().map(|block| shifted(block, cut)));
            assert_eq!(parts, blocks, "cut at {cut}: {}", String::from_utf8_lossy(text));
            assert_eq!(one.lines_of_text() + two.lines_of_text(), whole.lines_of_text());
        }
        found.len()
    }

    pub(in super::super) fn random_numbers() -> impl FnMut(u64) -> u64 {
        let mut state = 7_u64;
        move |below| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        }
    }

    /// Grids of random lines, most of them in paragraphs as they occur.
    #[test]
    fn the_parts_have_the_grids_of_the_whole() {
        let mut random = random_numbers();
        let mut cuts = 0;
        for _ in 0..1000 {
            let mut text = String::new();
            for _ in 0..1 + random(12) {
                let row = LINES[random(4) as usize];
                let rows = [9, 9, 9, 3, 3, 1, 27, 2, 10][random(9) as usize];
                for _ in 0..rows {
                    let line = if random(12) == 0 { LINES[random(32) as usize] } else { row };
                    text += &format!("{line}\n");
                }
                match random(8) {
                    0 => text += &format!("{}\n", LINES[random(32) as usize]),
                    1 => text += &format!("\n{}\n", LINES[random(32) as usize]),
                    2 | 3 => text += "\n\n",
                    4 => text += " \r\n\n\n",
                    5 => {}
                    _ => text += "\n",
                }
            }
            cuts += cut_everywhere(text.as_bytes());
        }
        assert!(cuts > 2000, "{cuts}");
    }

    /// Grids in paragraphs of one or three rows, with other lines between some of them.
    #[test]
    fn the_parts_of_grids_in_paragraphs_have_the_grids_of_the_whole() {
        let mut random = random_numbers();
        let mut cuts = 0;
        for _ in 0..1000 {
            let mut text = String::new();
            let rows = [1, 3][random(2) as usize];
            let (between_paragraphs, between_grids) = (1 + random(2) as usize, 1 + random(3) as usize);
            let rare = 10 + random(90);
            for _ in 0..2 + random(5) {
                for paragraph in 1..=9 / rows {
                    for _ in 0..if random(rare) == 0 { 1 + random(4) } else { rows } {
                        text += LINES[if random(rare) == 0 { random(20) } else { 0 } as usize];
                        text += "\n";
                    }
                    let usual = if paragraph == 9 / rows { between_grids } else { between_paragraphs };
                    text += &"\n".repeat(if random(rare) == 0 { random(4) as usize } else { usual });
                    if random(rare) == 0 {
                        text += &format!("{}\n\n", LINES[8 + random(2) as usize]);
                    }
                }
            }
            cuts += cut_everywhere(text.as_bytes());
        }
        assert!(cuts > 10_000, "{cuts}");
    }

    const PIECES: [&str; 14] = [
        "aaabbbccc\naaabbbccc\naaabbbccc\ndddeeefff\ndddeeefff\ndddeeefff\nggghhhiii\nggghhhiii\nggghhhiii\n",
        "a=45 b=45 c=45\nd=45 e=45 f=45\ng=45 h=45 i=45\n",
        "a=45\n",
        "aabb\ncddb\nceff\ncegg\na=3+\nb=7+\nc=8x\nd=5+\ne=4+\nf=6+\ng=3-\n",
        "aabb\ncddb\nceff\ncegg\n",
        "1 . . .\n. 2 . .\n. . 3 .\n. . . 4\n",
        "100000569\n492056108\n056108240\n009640801\n064010000\n218035604\n040500016\n905061402\n621000005\n",
        "173824569\n492756138\n856139247\n539647821\n764218395\n218395674\n347582916\n985361472\n621974385\n",
        "Killer 7\n",
        "Killer 8 (hard)\n",
        "Sums:\n",
        "[State]\n",
        "Puzzle\n",
        "State\n",
    ];

    fn cut_pieces(seed: u64, texts: usize) -> usize {
        let mut random = random_numbers();
        (0..seed).for_each(|_| _ = random(2));
        let mut cuts = 0;
        for _ in 0..texts {
            let mut text = String::new();
            let usual = PIECES[random(14) as usize].to_string() + PIECES[random(14) as usize] + "\n";
            for _ in 0..2 + random(14) {
                text += if random(2) == 0 { &usual } else { PIECES[random(14) as usize] };
                text += &"\n".repeat([0, 1, 1, 2][random(4) as usize]);
            }
            cuts += cut_everywhere(text.as_bytes());
        }
        cuts
    }

    /// Killers and KenKens, with and without grids beside them.
    #[test]
    fn the_parts_of_texts_with_cages_have_the_grids_of_the_whole() {
        let cuts = cut_pieces(0, 150);
        assert!(cuts > 200, "{cuts}");
    }

    #[test]
    #[ignore = "by hand, when the reader of grids changes: minutes, with other seeds"]
    fn the_parts_of_more_texts_with_cages_have_the_grids_of_the_whole() {
        (1..20).for_each(|seed| _ = cut_pieces(seed * 7, 150));
    }

    #[test]
    fn texts_of_killers_alone_are_cut_between_them() {
        for one in [PIECES[0].to_string() + PIECES[1] + "\n", PIECES[3].to_string() + "\n"] {
            for title in ["", "Killer 7\n"] {
                let text = format!("{title}{one}").repeat(40);
                let from = text.len() / 4;
                let cut = find_puzzle_cut(text.as_bytes(), from);
                assert!(cut.is_some_and(|cut| cut < text.len() / 2), "{cut:?} {title}{one}");
            }
        }
    }

    /// No grid goes on after a line that is too long, and nothing before it decides on anything after it.
    #[test]
    fn the_parts_of_texts_with_long_lines_have_the_grids_of_the_whole() {
        let mut random = random_numbers();
        let (long, mut cuts) = ("1 ".repeat(33_000), 0);
        for _ in 0..60 {
            let mut text = String::new();
            for _ in 0..4 {
                let row = LINES[random(32) as usize];
                for _ in 0..[1, 9, 9, 18][random(4) as usize] {
                    text += &format!("{row}\n");
                }
                text += ["\n", "Puzzle 7\n", "[State]\n", ""][random(4) as usize];
                if random(3) == 0 {
                    text += &format!("{long}\n");
                }
            }
            cuts += cut_everywhere(text.as_bytes());
        }
        assert!(cuts > 500, "{cuts}");
    }

    /// A line without an end may be the last thing in memory.
    #[test]
    fn puzzles_are_cut_before_a_long_line_that_has_not_ended() {
        let row = format!("{}\n", LINES[1]);
        let text = format!("{}{}", row.repeat(9), "1 ".repeat(40_000));
        assert_eq!(find_puzzle_cut(text.as_bytes(), row.len()), Some(9 * row.len()));
    }

    #[test]
    fn bands_are_cut_where_the_distance_between_them_changes() {
        let band = format!("{}\n", LINES[0]).repeat(3);
        let grid = [band.as_str(); 3].join("\n");
        let cut = |text: &str| find_grid_cut(text.as_bytes(), 0);
        assert_eq!(cut(&format!("{grid}\n\n{grid}\n")), Some(grid.len() + 2));
        assert_eq!(cut(&format!("{grid}\n{grid}\n")), None);
        // A run of paragraphs may begin with the second of these.
        assert_eq!(cut(&format!("{band}\n{band}\n\n{band}\n{band}\n")), None);
    }
}
