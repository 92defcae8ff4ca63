//! Finds maps of letters: squares of lines that have one letter for each cell. A single such line is a word.

use std::ops::Range;

use super::companion::is_map_of_signs;
use super::grid_line::GridLine;
use super::letter_row::{EMPTY, LetterRow, is_side};
use super::line::TokenLine;
use super::sign_rows::first_of_map;

/// Lines of letters with nothing but borders and blank lines between them.
#[derive(Debug, Default)]
pub(super) struct LetterLines {
    rows: Vec<(GridLine, LetterRow)>,
    /// Where runs begin, of rows like each other.
    runs: Vec<LikeRows>,
}

/// Rows that are like each other.
#[derive(Debug, Clone, Copy, Default)]
struct LikeRows {
    /// The index of its first row.
    start: usize,
    /// The index of its first row after its last blank line.
    paragraph: usize,
}

/// A map of letters.
#[derive(Debug)]
pub(super) struct LetterMap {
    /// The number of its lines, without borders.
    pub(super) lines: usize,
    pub(super) first: GridLine,
    pub(super) last: GridLine,
    /// Whether it has a square of cells.
    pub(super) is_whole: bool,
}

impl LetterLines {
    /// The last run.
    fn run(&self) -> LikeRows {
        self.runs.last().copied().unwrap_or_default()
    }

    /// Reads a line as the next row, even if it could be a row of a sudoku, too. A few lines with letters may be titles.
    pub(super) fn take(&self, line: &TokenLine) -> Option<LetterRow> {
        let paragraph = &self.rows[self.run().paragraph..];
        let (_, first) = paragraph.first()?;
        let has_letters = has_letters(paragraph);
        let least = if has_letters { 3 } else { 1 };
        let is_open = (least..first.width).contains(&paragraph.len());
        LetterRow::read_any(line).filter(|row| is_open && first.is_like(row))
    }

    /// Reads a line of empty signs as the next row of a mask, though it could be a border or text.
    pub(super) fn take_empty(&self, line: &TokenLine) -> Option<LetterRow> {
        let is_empty = |row: &LetterRow| row.signs[..row.width].iter().all(|sign| EMPTY.contains(sign));
        self.take(line).filter(|row| is_empty(row) && !has_letters(&self.rows[self.run().start..]))
    }

    /// Whether this row goes on with the last run, if there is one.
    pub(super) fn is_like(&self, row: &LetterRow) -> bool {
        self.rows.get(self.run().start).is_none_or(|(_, first)| first.is_like(row))
    }

    pub(super) fn push(&mut self, line: GridLine, row: LetterRow) {
        if self.runs.is_empty() || !self.is_like(&row) {
            self.runs.push(LikeRows { start: self.rows.len(), paragraph: self.rows.len() });
        }
        self.rows.push((line, row));
    }

    /// Reads a blank line. A paragraph that is a map by itself is complete. Returns it
    /// with what was found before, if that is so.
    pub(super) fn end_paragraph(&mut self) -> Option<Vec<LetterMap>> {
        let at = self.run().paragraph;
        let paragraph = &self.rows[at..];
        if is_square(paragraph) && is_map(paragraph) {
            return Some(self.finish());
        }
        let end = self.rows.len();
        if let Some(run) = self.runs.last_mut() {
            run.paragraph = end;
        }
        None
    }

    /// Ends the lines and returns the maps that they are, and what looks like one. The others are text; lines above a map may be its
    /// titles.
    pub(super) fn finish(&mut self) -> Vec<LetterMap> {
        let Self { rows, runs } = std::mem::take(self);
        let mut maps = Vec::new();
        // The index of the first row after the last square.
        let mut start = 0;
        let ends = runs.iter().skip(1).map(|run| run.start).chain([rows.len()]);
        for piece in runs.iter().zip(ends).flat_map(|(run, end)| pieces(&rows, *run, end)) {
            let found = maps_of(&rows[piece.clone()]);
            if !found.is_empty() {
                maps.extend(part_of_map(&rows[start..piece.start]));
                maps.extend(found);
                start = piece.end;
            }
        }
        maps.extend(part_of_map(&rows[start..]));
        maps
    }
}

/// The rows of a run before its last paragraph, and that paragraph, if it is a map by itself, or all of its rows.
fn pieces(rows: &[(GridLine, LetterRow)], run: LikeRows, end: usize) -> [Range<usize>; 2] {
    let last = &rows[run.paragraph..end];
    let at = if is_square(last) && is_map(last) { run.paragraph } else { end };
    [run.start..at, at..end]
}

/// What looks like a map, but is no square.
fn part_of_map(rows: &[(GridLine, LetterRow)]) -> Option<LetterMap> {
    let signs: Vec<&[u8]> = rows.iter().map(|(_, row)| &row.signs[..row.width]).collect();
    let first = first_of_map(&signs)?;
    Some(LetterMap { is_whole: false, ..map(&rows[first..]) })
}

/// The maps that rows are, without anything else beside them.
fn maps_of(rows: &[(GridLine, LetterRow)]) -> Vec<LetterMap> {
    let Some((_, first)) = rows.first().filter(|(_, first)| is_side(first.width)) else { return Vec::new() };
    if !rows.len().is_multiple_of(first.width) {
        return Vec::new();
    }
    rows.chunks_exact(first.width).filter(|rows| is_map(rows)).map(map).collect()
}

/// Whether some of these rows have letters, as words and titles have.
fn has_letters(rows: &[(GridLine, LetterRow)]) -> bool {
    rows.iter().any(|(_, row)| row.has_letters())
}

fn is_square(rows: &[(GridLine, LetterRow)]) -> bool {
    rows.first().is_some_and(|(_, first)| first.width == rows.len())
}

fn is_map(rows: &[(GridLine, LetterRow)]) -> bool {
    let Some((_, first)) = rows.first() else { return false };
    let signs: Vec<u8> = rows.iter().flat_map(|(_, row)| row.signs[..row.width].iter().copied()).collect();
    let filled = signs.iter().filter(|sign| !EMPTY.contains(sign)).count();
    let least = if has_letters(rows) { signs.len().div_ceil(9) } else { 1 };
    filled >= least && is_map_of_signs(&signs, first.width) && !(has_letters(rows) && is_repeated_word(rows))
}

/// Whether rows are the same word, of which each letter stands below itself. Letters in the order of the alphabet are no word, but
/// pieces that are columns.
fn is_repeated_word(rows: &[(GridLine, LetterRow)]) -> bool {
    let Some((_, first)) = rows.first() else { return false };
    let pairs = || first.signs[..first.width].windows(2);
    let doubled = pairs().filter(|two| two[0] == two[1]).count();
    let is_word = 2 * doubled < first.width && pairs().any(|two| two[1] != two[0] + 1);
    is_word && rows.iter().all(|(_, row)| row.signs == first.signs)
}

fn map(rows: &[(GridLine, LetterRow)]) -> LetterMap {
    LetterMap { lines: rows.len(), first: rows[0].0, last: rows[rows.len() - 1].0, is_whole: true }
}

#[cfg(test)]
mod tests {
    use super::super::cut::tests::{cut_everywhere, random_numbers};
    use crate::formats::{GridBlock, GridBlocks};

    const CLUES: [&str; 3] = [
        "100000569\n492056108\n056108240\n009640801\n064010000\n218035604\n040500016\n905061402\n621000005\n",
        "1 . . . 5 .\n. . 3 . . 1\n. 3 . . 6 .\n5 . . 2 . .\n. . 2 . . 5\n. 1 . 3 . .\n",
        "1.......\n.2......\n..3.....\n...4....\n....5...\n.....6..\n......7.\n.......8\n",
    ];
    /// Regions, cages and black cells, and the side of each.
    const MAPS: [(&str, usize); 9] = [
        ("111222333111222333141222333414555666444455666444455666777888999777888999777888999", 9),
        ("001000100100010001000100000010000010000010000010000010000001000100010001001000100", 9),
        ("111223411225441125441325666335666335", 6),
        ("AAABBBCCCAAABBBCCCADABBBCCCDADEEEFFFDDDDEEFFFDDDDEEFFFGGGHHHIIIGGGHHHIIIGGGHHHIII", 9),
        ("aabbccddeaafbccgdeehfbbcgddehfijkkgllhhijmmgnlooijpmqnrrostupqqnrvstuuwqnnvssxxwyyzz", 9),
        ("..#...#..#...#....#....#..##..........#.#..........##..#....#....#...#..#...#..##", 9),
        ("AAABBBCAABBDCCABDDCCEBDDCEEFFDEEEFFF", 6),
        ("aabbccadbbecaddeefghiiffghjjkkgllmmm", 6),
        ("AAAABBBBAAAABBBBCCCCDDDDCCCCDDDDEEEEFFFFEEEEFFFFGGGGHHHHGGGGHHHH", 8),
    ];

    fn read(text: &str) -> Vec<bool> {
        GridBlocks::new(text.as_bytes()).map(GridBlock::string).map(|string| string.is_ok()).collect()
    }

    #[test]
    fn a_grid_beside_a_damaged_map_is_refused() {
        for (map, side) in MAPS {
            let rows: Vec<&str> = map.as_bytes().chunks(side).map(|row| std::str::from_utf8(row).unwrap()).collect();
            let clues = CLUES.iter().find(|clues| clues.lines().count() == side).unwrap();
            for (at, between) in (0..side).flat_map(|at| ["", " "].map(|between| (at, between))) {
                for change in 0..6 {
                    let row = |(n, row): (usize, &&str)| match change {
                        _ if n != at => Some((*row).to_string()),
                        0 => None,
                        1 => Some(String::new()),
                        2 => Some(" ".repeat(side)),
                        3 => Some(row[1..].to_string()),
                        4 => Some(row[..side - 1].to_string()),
                        _ => Some(format!("{row}{}", &row[side - 1..])),
                    };
                    let spaced = |row: String| row.chars().map(String::from).collect::<Vec<_>>().join(between) + "\n";
                    let map: String = rows.iter().enumerate().filter_map(row).map(spaced).collect();
                    for text in [
                        format!("{clues}\n{map}"),
                        format!("{clues}{map}"),
                        format!("{map}\n{clues}"),
                        format!("{clues}\nRegions:\n{map}"),
                        format!("{clues}\n{map}\nMedium\n"),
                    ] {
                        assert!(!read(&text).contains(&true), "{change} of {at}\n{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn numbered_rows_of_maps_are_read() {
        let map = "AAABBBCCC\n".repeat(3) + &"DDDEEEFFF\n".repeat(3) + &"GGGHHHIII\n".repeat(3);
        let rows = |label: fn(usize) -> String| -> String {
            map.lines().enumerate().map(|(at, row)| format!("{} {row}\n", label(at + 1))).collect()
        };
        let labels: [fn(usize) -> String; 5] = [
            |n| n.to_string(),
            |n| format!("{n})"),
            |n| format!("r{n}:"),
            |n| format!("Row {n}:"),
            |n| format!("R{n}"),
        ];
        for label in labels {
            assert_eq!(read(&format!("{}\n{}", CLUES[0], rows(label))), [true], "{}", rows(label));
        }
        assert!(!read(&format!("{}\n{}", CLUES[0], rows(|n| (10 - n).to_string()))).contains(&true));
        let six = "AAABBB\nAAABBB\nCCCDDD\nCCCDDD\nEEEFFF\nEEEFFF\n".lines().enumerate();
        let six: String = six.map(|(at, row)| format!("{}: {row}\n", at + 1)).collect();
        assert_eq!(read(&format!("{}\n{six}", CLUES[1].replacen('3', ".", 2))), [true]);
        assert_eq!(read(&format!("{}\n1) Beginners\n2) Difficult\n3) Beginners\n", CLUES[0])), [true]);
    }

    #[test]
    fn a_map_on_one_line_refuses_the_board_beside_it() {
        let board = CLUES[0].replace('\n', "");
        for text in [format!("{board}\n{}\n", MAPS[3].0), format!("{}\n\n{}", MAPS[3].0, CLUES[0])] {
            assert_eq!(read(&text), [false], "{text}");
        }
        let word = "Averyveryverylongwordwithoutspaces".repeat(3);
        assert_eq!(read(&format!("{}\n{board}\n{}\n", &word[..81], &word[..36])), [true]);
    }

    #[test]
    fn words_beside_a_grid_do_not_refuse_it() {
        for words in [
            "ABCDEFGHI\n",
            "Beginners\nDifficult\nBeginners\n",
            "Easy\nEasy\nEasy\nEasy\n",
            "Monday\nTuesday\nThursday\nSaturday\nSunday\n",
            "Hello\nall\nplease\nhelp\nme\nwith\nthis\nthanks\n",
            "Naked\nHidden\nPairs\nTriples\nWings\nFish\nChains\n",
            "cheers\nAnna\n",
            "~~~~~~~~~\n=========\n~~~~~~~~~\n",
            "xxx\nOOO\n",
            "Sudoku\n******\n",
            "Thank you\nso much\nSee you\n",
        ] {
            let words = [words.to_string(), words.replace('\n', "\n\n")];
            for words in words {
                for text in [
                    format!("{words}{}", CLUES[0]),
                    format!("{}{words}", CLUES[0]),
                    format!("{words}\n{}\n{words}", CLUES[0]),
                ] {
                    assert_eq!(read(&text), [true], "{text}");
                }
            }
        }
    }

    #[test]
    fn what_is_wrong_with_a_map_is_said() {
        for rows in ["AAABBBCCC\nAAABBBCCC\nADABBCCEE\nDDADBBCE\nDDDFBEEEE\n", "AAABBBCCC\nAAABBBCCC\nADABBCCEE\n"] {
            let text = format!("{}\n{rows}", CLUES[0]);
            let found: Vec<String> =
                GridBlocks::new(text.as_bytes()).map(|block| block.cells.unwrap_err().message).collect();
            assert!(
                found.len() == 2 && found[0].starts_with("line 11 beside it ('AAABBBCCC') looks like"),
                "{found:?}"
            );
            assert!(found[1].starts_with("rows that look like a map"), "{found:?}");
        }
    }

    /// Whole and damaged maps, grids and squares of numbers with and without anything between them.
    #[test]
    fn the_parts_of_texts_with_damaged_maps_have_the_grids_of_the_whole() {
        let mut random = random_numbers();
        let lines = [
            "AABBCCCC",
            "AAABBBCCC",
            "AAABBBCCCC",
            "aabbcc",
            "aabbc",
            "a a a b b b c c c",
            "a a b b b c c c",
            "Beginners",
            "..#..#..#",
            "..#..#..",
            ".........",
            "111222333",
            "100050",
            "7",
            "ABCDEFGHI",
            "Puzzle 1",
            "Regions:",
            "a=3 b=7",
            "---+---+---",
            "A-A-A-B-B-B-C-C-C",
            "Zeile 1: \u{430}\u{430}\u{430}\u{431}\u{431}\u{431}",
            "red red blue blue",
        ];
        let mut cuts = 0;
        for _ in 0..80 {
            let mut text = String::new();
            for _ in 0..1 + random(7) {
                let line = lines[[random(13), random(22)][random(2) as usize] as usize];
                for _ in 0..[1, 3, 4, 5, 6, 8, 9, 10][random(8) as usize] {
                    let line = if random(9) == 0 { lines[random(lines.len() as u64) as usize] } else { line };
                    text += &format!("{line}\n{}", ["", "\n"][usize::from(random(15) == 0)]);
                }
                text += ["", "\n", "Regions:\n", "\n\n", CLUES[0], CLUES[2]][random(6) as usize];
            }
            cuts += cut_everywhere(text.as_bytes());
        }
        assert!(cuts > 100, "{cuts}");
    }
}
