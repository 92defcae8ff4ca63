//! What stands beside a board and looks like cells, but was not read: the board may be a part of something else than it seems to be by
//! itself.

use std::ops::Range;

use super::cell_lists::first_definition;
use super::columns::first_of_columns;
use super::groups::Role;
use super::neighbours::{FARTHEST, Neighbours, REACH};
use super::pictures::first_of_picture;
use super::sign_rows::first_of_map;
use crate::error::{Code, Reject};
use crate::formats::line_at;

/// The most characters of a line that are shown.
const SHOWN: usize = 30;

/// Lines on one side of a board.
#[derive(Debug)]
pub(super) struct SideLines<'b> {
    lines: Vec<(usize, &'b [u8])>,
    /// Whether they end where the text or the known blocks end. There may be more.
    pub(super) is_open: bool,
}

impl<'b> Neighbours<'b> {
    /// Refuses a board beside which is something that looks like cells and was not read.
    pub(super) fn reject_unread(&self, board: &Range<usize>) -> Option<Reject> {
        let sides = [self.lines_before(board.start), self.lines_after(board.end - 1)];
        let (start, line) = sides.iter().find_map(SideLines::unread)?;
        let block = &self.blocks[board.start];
        let count = |range: Range<usize>| memchr::memchr_iter(b'\n', &self.text[range]).count() as u64;
        let number = match start < block.start {
            true => block.line - count(start..block.start),
            false => block.line + count(block.start..start),
        };
        let shown: String = String::from_utf8_lossy(line.trim_ascii()).chars().take(SHOWN).collect();
        let words = format!(
            "line {} beside it ('{}') looks like cells of a map or of another grid that cannot be read, so this may be a part of another \
             puzzle; correct or remove that, or use --kind to say what the grid is by itself",
            number + 1,
            crate::error::escape(shown.as_bytes())
        );
        Some(Reject::whole(Code::Ambiguous, words))
    }

    /// Whether a block is no board and belongs to none, seen from a board.
    fn is_unread(&self, board: usize, at: usize) -> bool {
        let block = &self.blocks[at];
        let beyond = if at > board { Some(at + 1) } else { at.checked_sub(1) };
        match block.role() {
            Role::Scrap => true,
            Role::Map => {
                let is_map_of = |other: usize| other < self.blocks.len() && self.may_be_map_of(at, other);
                !is_map_of(board) && !beyond.is_some_and(is_map_of)
            }
            Role::Grid | Role::Barrier => false,
        }
    }

    /// The lines after a board, up to the next one.
    pub(super) fn lines_after(&self, board: usize) -> SideLines<'b> {
        let next = (board + 1..self.blocks.len()).find(|&at| at > board + REACH || !self.is_unread(board, at));
        let end = next.map_or(self.text.len(), |next| self.blocks[next].start);
        let mut side = SideLines { lines: Vec::new(), is_open: next.is_none() };
        let mut at = self.blocks[board].next;
        while let Some(line) = line_at(self.text, at).filter(|line| line.start < end) {
            if !side.push(line.start, &self.text[line.start..line.end]) {
                break;
            }
            at = line.next;
        }
        side
    }

    /// The lines before a board, from the one before it on.
    pub(super) fn lines_before(&self, board: usize) -> SideLines<'b> {
        let last = (0..board).rev().find(|&at| at + REACH < board || !self.is_unread(board, at));
        let start = last.map_or(self.from, |last| self.blocks[last].next);
        let mut side = SideLines { lines: Vec::new(), is_open: last.is_none() };
        let mut end = self.blocks[board].start;
        while end > start {
            let line = memchr::memrchr(b'\n', &self.text[start..end - 1]).map_or(start, |feed| start + feed + 1);
            if !side.push(line, &self.text[line..end]) {
                break;
            }
            end = line;
        }
        side.lines.reverse();
        side
    }
}

impl<'b> SideLines<'b> {
    /// Adds a line. Returns false if there are enough.
    fn push(&mut self, start: usize, line: &'b [u8]) -> bool {
        if !line.trim_ascii().is_empty() {
            if self.lines.len() == FARTHEST {
                self.is_open = false;
                return false;
            }
            self.lines.push((start, line));
        }
        true
    }

    /// The first line that looks like cells.
    pub(super) fn unread(&self) -> Option<(usize, &'b [u8])> {
        let lines: Vec<&[u8]> = self.lines.iter().map(|(_, line)| *line).collect();
        let firsts =
            [first_of_map(&lines), first_definition(&lines), first_of_picture(&lines), first_of_columns(&lines)];
        firsts.into_iter().flatten().min().map(|at| self.lines[at])
    }
}

#[cfg(test)]
mod tests {
    use super::super::cut::tests::random_numbers;
    use crate::formats::{GridBlock, GridBlocks};

    const CLUES: &str =
        "100000569\n492056108\n056108240\n009640801\n064010000\n218035604\n040500016\n905061402\n621000005\n";
    const OTHER: &str =
        "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n....8..79\n";

    fn read(text: &str) -> Vec<bool> {
        GridBlocks::new(text.as_bytes()).map(GridBlock::string).map(|string| string.is_ok()).collect()
    }

    /// How many texts of each sort are made.
    fn texts() -> usize {
        std::env::var("GRIDMILL_TEXTS").ok().and_then(|texts| texts.parse().ok()).unwrap_or(10)
    }

    /// The numbers of the pieces of a map: boxes, of which some border cells have changed sides.
    fn map(side: usize, random: &mut impl FnMut(u64) -> u64) -> Vec<usize> {
        let (height, width) = match side {
            6 => (2, 3),
            8 => (2, 4),
            10 => (2, 5),
            12 => (3, 4),
            16 => (4, 4),
            _ => (3, 3),
        };
        let mut cells: Vec<usize> =
            (0..side * side).map(|cell| cell / side / height * (side / width) + cell % side / width).collect();
        for _ in 0..random(side as u64) {
            let cell = random((side * side - side) as u64) as usize;
            cells.swap(cell, cell + side);
        }
        cells
    }

    /// Signs of pieces.
    fn signs(sort: usize) -> Vec<String> {
        let from = |first: char| -> Vec<String> {
            (0..16).filter_map(|number| char::from_u32(first as u32 + number)).map(String::from).collect()
        };
        match sort {
            0 => from('A'),
            1 => from('a'),
            2 => from('\u{3b1}'),
            3 => from('\u{430}'),
            4 => from('\u{ff21}'),
            5 => from('\u{1f34e}'),
            6 => from('\u{2460}'),
            7 => "red green blue white black pink grey brown gold cyan lime navy teal plum rose sand"
                .split(' ')
                .map(String::from)
                .collect(),
            8 => (1..=16).map(|number| format!("c{number}")).collect(),
            _ => "@#$%&+=?!*~^<>:/".chars().map(String::from).collect(),
        }
    }

    /// Rows of a map, dressed in some way that no reader of maps knows.
    fn dressed(cells: &[usize], side: usize, random: &mut impl FnMut(u64) -> u64) -> String {
        let sort = random(9) as usize;
        let signs = signs(sort);
        let separators: &[&str] = if sort >= 7 { &[" ", ", ", "|", ";"] } else { &["", " ", "-", "/", ".", "_", ","] };
        let separator = separators[random(separators.len() as u64) as usize];
        let dress = random(10);
        let skipped = random(side as u64) as usize;
        let row = |(at, row): (usize, &[usize])| {
            let mut row: Vec<&str> = row.iter().map(|&piece| signs[piece].as_str()).collect();
            match dress {
                0 if at == skipped => _ = row.pop(),
                1 => row.push(row[side - 1]),
                2 if at == skipped => return String::new(),
                _ => {}
            }
            let row = row.join(separator);
            let letter = char::from(b'A' + at as u8);
            match dress {
                3 => format!("{letter} {row}\n"),
                4 => format!("{row} {letter}\n"),
                5 => format!("{row}  # row {}\n", at + 1),
                6 => format!("Zeile {}: {row}\n", at + 1),
                7 => format!("{row}{}", if at + 1 < side { " " } else { "\n" }),
                8 => format!(
                    "{}{row}{}",
                    ["", "Regions: "][usize::from(at == 0)],
                    if at + 1 < side { " " } else { "\n" }
                ),
                _ => format!("{row}\n"),
            }
        };
        let rows = cells.chunks(side).enumerate().map(row);
        if dress == 9 { rows.skip(side - 4).collect() } else { rows.collect() }
    }

    #[test]
    fn maps_in_any_dress_refuse_the_grids_beside_them() {
        let mut random = random_numbers();
        for side in [6, 8, 9, 10, 12, 16] {
            for _ in 0..texts() * 4 {
                let cells = map(side, &mut random);
                let map = dressed(&cells, side, &mut random);
                let (before, after) = ["\n", "", "\nRegions:\n", "\n\n\n", "# the map\n"]
                    .map(|between| (format!("{CLUES}{between}{map}"), format!("{map}{between}{CLUES}")))
                    [random(5) as usize]
                    .clone();
                for text in [before, after] {
                    // A map that can be read makes a jigsaw.
                    let board = GridBlocks::new(text.as_bytes()).find(|block| block.cells.is_ok());
                    assert!(board.is_none(), "{text}\n{board:?}");
                }
            }
        }
    }

    /// A map after copies and stages of a puzzle is of all of them, and two maps after two puzzles are of both.
    #[test]
    fn grids_that_share_maps_are_refused() {
        let map = "AAABBBCCC\n".repeat(3) + &"DDDEEEFFF\n".repeat(3) + &"GGGHHHIII\n".repeat(3);
        let state = CLUES.replacen("100", "173", 1);
        for text in [
            format!("{CLUES}\n{CLUES}\n{map}"),
            format!("{map}\n{CLUES}\n{CLUES}\n{CLUES}"),
            format!("{CLUES}\n{state}\n{map}"),
            format!("{CLUES}\n{OTHER}\nMap 1\n{map}\nMap 2\n{map}"),
            format!("{map}\n{map}\n{CLUES}\n{OTHER}"),
            format!("Current\n{state}\n{map}"),
            format!("[Puzzle]\n{CLUES}\n[State]\n{state}\n[Layout]\n{map}"),
        ] {
            assert!(!read(&text).contains(&true), "{text}");
        }
        assert_eq!(read(&format!("{CLUES}\n{map}\n{OTHER}")), [false, false, false]);
        assert_eq!(read(&format!("{OTHER}\nAnother\n{CLUES}\nRegions:\n{map}")), [true, true]);
    }

    /// Two signs may be anything.
    #[test]
    fn a_mask_beside_a_grid_is_one_of_black_cells_if_nothing_says_otherwise() {
        for signs in ["01", ".#"] {
            let mask: String = ["010010010\n", "001001000\n"].into_iter().cycle().take(9).collect();
            let mask = mask.replace('0', &signs[..1]).replace('1', &signs[1..]);
            for title in ["", "Black cells:\n", "[Mask]\n", "The black cells of this str8ts\n"] {
                for text in [format!("{OTHER}\n{title}{mask}"), format!("{title}{mask}\n{OTHER}")] {
                    assert_eq!(read(&text), [true], "{text}");
                }
            }
            for title in ["@G", "G", "Givens:", "Even cells", "Parity:", "[Thermo]", "Clues", "<odd>"] {
                for text in [format!("{OTHER}\n{title}\n{mask}"), format!("{title}\n{mask}\n{OTHER}")] {
                    assert!(!read(&text).contains(&true), "{text}");
                }
            }
            assert_eq!(read(&format!("Puzzle 1\n{mask}\n{OTHER}")), [true]);
            assert!(!read(&format!("{OTHER}\nAnother picture\n{mask}")).contains(&true));
        }
    }

    #[test]
    fn pictures_and_columns_refuse_the_grids_beside_them() {
        for map in [
            "**..**..*\n..**..**.\n**..**..*\n..**..**.\n",
            "ABCDEFGHI\n".repeat(9).as_str(),
            "A B C D E F G H I\n".repeat(8).as_str(),
            "Regions:\nAAABBBCCC\n",
            "...|...|...\n...|#..|...\n...|...|...\n---+---+---\n...|...|...\n...|#..|...\n.##|.#.|...\n---+---+---\n.#.|#..|...\n\
             ...|...|.#.\n#.#|...|...\n",
            "Regions:\n\nABACBCDDE\n",
            "Regions: ADABBCCEE\n",
            "1 1 1 1 2 2 2 2 3 3 3 3 4 4 4 4\n".repeat(15).as_str(),
            "111222\n111222\n333444\n333444\n555666\n555666\n",
            "\u{2b1c}\u{2b1b}\u{2b1c}\u{2b1c}\u{2b1c}\u{2b1b}\u{2b1c}\u{2b1c}\u{2b1c}\n".repeat(4).as_str(),
        ] {
            for text in [
                format!("{CLUES}\n{map}"),
                format!("{map}\n{CLUES}"),
                format!("{CLUES}Medium\n\n{map}"),
                format!("Puzzle 1\n{map}Cages\n{CLUES}"),
            ] {
                assert!(!read(&text).contains(&true), "{text}");
                let known = GridBlocks::new(text.as_bytes()).with_kind_known(true);
                assert!(known.map(|block| block.cells).any(|cells| cells.is_ok()), "{text}");
            }
        }
    }

    const PROSE: [&str; 44] = [
        "Hello all, need help with this puzzle please. I am stuck at r4c5, and I will not guess.",
        "Committee of access: coffee, Mississippi, bookkeepers",
        "Difficulty: \u{2605}\u{2605}\u{2605}\u{2606}\u{2606}",
        "Rating 7.2 (ER), 7.2 (EP), 2.6 (ED)",
        "SE 9.1/1.2/1.2",
        "2022-11-22",
        "2022-11-22 11:22:33",
        "11/22/2022",
        "(c) 2009 Anna Hallmann <anna@example.org>",
        "https://www.example.org/wwwwww/aaabbbccc?x=1",
        "http://www.oo.com",
        "r1c1 = 7",
        "r1c1=6, r1c2=6, r1c3=9",
        "Naked pair {1,2} in r1c1 and r1c2 => r1c3<>1, r1c4<>2",
        "r2c3: 123 456 789",
        "| id | name | level |",
        "|----|------|-------|",
        "| 7  | easy | 3     |",
        "```",
        "~~~~",
        "--------------------",
        "====================",
        "*********************",
        "+-------+-------+-------+",
        ".-------.-------.-------.",
        "### A puzzle ###",
        "guesses: 0, backtracks: 0, nodes: 81",
        "Solved in 0.001 s (1 of 1)",
        "[=====>      ] 45%",
        "easy",
        "Puzzle 7",
        "Tuesday",
        "7",
        "1998",
        "Hmm...",
        "Yes!!!",
        "Sudoku ........ 12",
        "#AUTHOR: somebody",
        "Keywords: logic, puzzle, grid, free, daily",
        "sha1 da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "A: 24 clues, B: 25 clues, C: 26 clues",
        "yes no yes no",
        "100000",
        "Schwierigkeit: mittel (f\u{fc}r Anf\u{e4}nger)",
    ];

    /// Words, titles, ratings, dates, addresses, tables and logs beside grids.
    #[test]
    fn words_beside_grids_do_not_refuse_them() {
        let mut random = random_numbers();
        // Not as many as above: of more, some have three lines in turn that look like rows together, and are refused.
        for _ in 0..400 {
            let (mut text, mut grids) = (String::new(), Vec::new());
            for _ in 0..1 + random(3) {
                let line = PROSE[random(PROSE.len() as u64) as usize];
                for _ in 0..random(6) {
                    let line = if random(2) == 0 { line } else { PROSE[random(PROSE.len() as u64) as usize] };
                    text += &format!("{line}\n{}", ["", "", "\n"][random(3) as usize]);
                }
                // A border or a title of digits directly below a grid, or a fence above it, is its own.
                text += "\nA grid\n";
                text += [CLUES, OTHER][random(2) as usize];
                text += "\nSome text\n";
                grids.push(true);
            }
            let found: Vec<bool> = read(&text).into_iter().filter(|is_read| *is_read).collect();
            assert_eq!(found, grids, "{text}\n{:?}", GridBlocks::new(text.as_bytes()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn ratings_in_brackets_are_text() {
        for line in ["Rating 7.2 (ER), 7.2 (EP), 2.6 (ED)", "SE (7.2), HoDoKu (1234), nodes (1), clues (24), (easy)"] {
            assert_eq!(read(&format!("{line}\n\n{CLUES}\n{line}\n")), [true], "{line}");
        }
    }

    #[test]
    fn one_line_of_repeated_letters_does_not_refuse_a_grid() {
        for line in [
            "Happy New Year MMXXII",
            "Copyright MMXXIII by AAA",
            "Teams: AA BB CC",
            "DD/MM/YYYY",
            "commit aabbccddeeff",
            "Mississippi Committee",
            "Anna xxx ooo",
            "AAAA-BBBB-CCCC-DDDD",
        ] {
            assert_eq!(read(&format!("{line}\n{CLUES}")), [true], "{line}");
            assert_eq!(read(&format!("{CLUES}{line}\n")), [true], "{line}");
        }
    }
}
