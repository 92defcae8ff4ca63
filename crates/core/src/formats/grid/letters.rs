//! Finds maps of letters: squares of lines that have one letter for each cell. A single such line is a word.

use std::ops::Range;

use super::companion::is_map_of_signs;
use super::grid_line::GridLine;
use super::letter_row::{EMPTY, LetterRow, MOST, WIDTH, is_side};
use super::line::TokenLine;

/// The fewest rows of a map of width 9, some of whose rows look like something else.
const FEWEST_ROWS: usize = 6;
/// The fewest rows of a map that lacks others, or whose others are longer or shorter.
const FEWEST_DAMAGED: usize = 3;
/// In what is left of a map, at least this many of ten cells have a neighbour with the same sign, and
const TENTHS: usize = 7;
/// at least this many of ten have one beside them. A word that is written several times has none.
const TENTHS_BESIDE: usize = 3;
/// A row of a map may have this many signs more or less than the others.
const MOST_WRONG: usize = 2;

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
    /// What is wrong with its rows.
    pub(super) fault: Option<String>,
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

    /// Ends the lines and returns the maps that they are. The others are text; lines above a map may be its titles.
    pub(super) fn finish(&mut self) -> Vec<LetterMap> {
        let Self { rows, runs } = std::mem::take(self);
        let mut maps = Vec::new();
        // What was found since the last square, and the index of its first row.
        let (mut parts, mut start) = (Vec::new(), 0);
        let ends = runs.iter().skip(1).map(|run| run.start).chain([rows.len()]);
        for piece in runs.iter().zip(ends).flat_map(|(run, end)| pieces(&rows, *run, end)) {
            let found = maps_of(&rows[piece.clone()]);
            if found.iter().all(|map| map.fault.is_some()) {
                parts.extend(found);
                continue;
            }
            let parts = std::mem::take(&mut parts);
            maps.extend(damaged_map(&rows[start..piece.start]).map_or(parts, |map| vec![map]));
            maps.extend(found);
            start = piece.end;
        }
        maps.extend(damaged_map(&rows[start..]).map_or(parts, |map| vec![map]));
        maps
    }
}

/// The rows of a run before its last paragraph, and that paragraph, if it is a map by itself, or all of its rows.
fn pieces(rows: &[(GridLine, LetterRow)], run: LikeRows, end: usize) -> [Range<usize>; 2] {
    let last = &rows[run.paragraph..end];
    let at = if is_square(last) && is_map(last) { run.paragraph } else { end };
    [run.start..at, at..end]
}

/// What is left of a map, if rows are one of which some are longer or shorter or are missing.
fn damaged_map(rows: &[(GridLine, LetterRow)]) -> Option<LetterMap> {
    let mut counts = [0; MOST + 1];
    rows.iter().for_each(|(_, row)| counts[row.width] += 1);
    let width = (0..=MOST).filter(|&width| is_side(width)).max_by_key(|&width| counts[width])?;
    let is_of_width = |(_, row): &(GridLine, LetterRow)| row.width == width;
    let mut start = rows.iter().position(is_of_width)?;
    let mut end = rows.iter().rposition(is_of_width)? + 1;
    let is_near = |at: usize| rows.get(at).is_some_and(|(_, row)| row.width.abs_diff(width) <= MOST_WRONG);
    while end - start < width && is_near(end) {
        end += 1;
    }
    while end - start < width && start > 0 && is_near(start - 1) {
        start -= 1;
    }
    let rows = &rows[start..end];
    let is_enough = match has_letters(rows) {
        true => counts[width] >= FEWEST_DAMAGED,
        false => rows.len() >= FEWEST_DAMAGED.max(width.div_ceil(2)),
    };
    let is_damaged = is_enough && 2 * counts[width] > rows.len() && is_left_of_map(rows, width);
    is_damaged.then(|| faulty_map(rows, width))
}

/// Whether rows of this width are rather what is left of a map than words.
fn is_left_of_map(rows: &[(GridLine, LetterRow)], width: usize) -> bool {
    let (mut cells, mut near, mut beside, mut empty) = (0, 0, 0, 0);
    for rows in rows.chunk_by(|(_, one), (_, two)| (one.width == width) == (two.width == width)) {
        if rows[0].1.width != width {
            continue;
        }
        for (at, (_, row)) in rows.iter().enumerate() {
            let is_same = |other: Option<&(GridLine, LetterRow)>, cell: usize| {
                other.is_some_and(|(_, other)| other.signs[cell] == row.signs[cell])
            };
            for cell in 0..width {
                let is_beside = cell > 0 && row.signs[cell - 1] == row.signs[cell]
                    || cell + 1 < width && row.signs[cell + 1] == row.signs[cell];
                let above = at.checked_sub(1).and_then(|above| rows.get(above));
                cells += 1;
                beside += usize::from(is_beside);
                near += usize::from(is_beside || is_same(above, cell) || is_same(rows.get(at + 1), cell));
                empty += usize::from(EMPTY.contains(&row.signs[cell]));
            }
        }
    }
    let first = rows.iter().find(|(_, row)| row.width == width).map(|(_, row)| row.signs[0]);
    let has_several = rows.iter().any(|(_, row)| row.signs[..row.width].iter().any(|sign| Some(*sign) != first));
    let is_word = is_repeated_word(rows);
    !is_word
        && has_several
        && near * 10 >= cells * TENTHS
        && beside * 10 >= cells * TENTHS_BESIDE
        && empty * 9 <= cells * 8
}

/// The maps that rows are, without anything else beside them. If there are more rows than those of some maps, it is not known which
/// are those, so all are one map, which has no square.
fn maps_of(rows: &[(GridLine, LetterRow)]) -> Vec<LetterMap> {
    let Some((_, first)) = rows.first().filter(|(_, first)| is_side(first.width)) else { return Vec::new() };
    let width = first.width;
    let least = if width == WIDTH { FEWEST_ROWS } else { (2 * width).div_ceil(3) };
    let may_lack_rows = width == WIDTH || !has_letters(rows);
    if may_lack_rows && (least..width).contains(&rows.len()) && is_map(rows) {
        return vec![faulty_map(rows, width)];
    }
    let more = rows.len() % width;
    let squares = |rows: &[(GridLine, LetterRow)]| -> Vec<LetterMap> {
        rows.chunks_exact(width).filter(|rows| is_map(rows)).map(map).collect()
    };
    let [upper, lower] = [squares(&rows[..rows.len() - more]), squares(&rows[more..])];
    if more > 0 && !(upper.is_empty() && lower.is_empty()) { vec![faulty_map(rows, width)] } else { lower }
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
    LetterMap { lines: rows.len(), first: rows[0].0, last: rows[rows.len() - 1].0, fault: None }
}

/// A map that is no square of this width.
fn faulty_map(rows: &[(GridLine, LetterRow)], width: usize) -> LetterMap {
    let count = |count: usize| if count == 1 { "1 cell".to_string() } else { format!("{count} cells") };
    let fault = match rows.iter().find(|(_, row)| row.width != width) {
        Some((line, row)) => format!("of whose rows line {} has {}, not {width}", line.number + 1, count(row.width)),
        None => format!("which has {} rows of {}, not {width}", rows.len(), count(width)),
    };
    LetterMap { fault: Some(fault), ..map(rows) }
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
            assert_eq!(read(&text), [false, false], "{text}");
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
        let rows = ["AAABBBCCC", "AAABBBCCC", "ADABBCCEE"];
        let fault = |rows: &[&str]| -> Vec<String> {
            let text = format!("{}\n{}\n", CLUES[0], rows.join("\n"));
            GridBlocks::new(text.as_bytes()).map(|block| block.cells.unwrap_err().message).collect()
        };
        let [grid, map] = &fault(&[rows[0], rows[1], rows[2], "DDADBBCE", "DDDFBEEEE", "DDFFBGEEH"])[..] else {
            panic!("two blocks")
        };
        assert_eq!(map, "a map of regions, cages or black cells of whose rows line 14 has 8 cells, not 9");
        assert!(grid.starts_with(&format!("a grid beside {map}: ")), "{grid}");
        assert!(fault(&rows)[1].ends_with(" which has 3 rows of 9 cells, not 9"));
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
        ];
        let mut cuts = 0;
        for _ in 0..80 {
            let mut text = String::new();
            for _ in 0..1 + random(7) {
                let line = lines[random(13) as usize];
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
