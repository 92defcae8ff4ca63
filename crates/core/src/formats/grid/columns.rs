//! Maps whose pieces are parts of columns: no cell has the same sign beside it, but most have it above or below.

use super::joints;
use super::sign_rows::{is_empty, valid_part};

/// The fewest rows of such a map.
const FEWEST_ROWS: usize = 5;
/// The fewest cells of a row of digits, and of a row of letters, which may be a word.
const FEWEST_CELLS: usize = 4;
const FEWEST_OF_WORD: usize = 6;
/// At least this many of ten cells have the same sign above or below them.
const TENTHS: usize = 6;
/// The most bytes of a line, and of the name of its row.
const LONGEST: usize = 128;
const LONGEST_LABEL: usize = 24;
/// The most characters of the name of a cell.
const LONGEST_NAME: usize = 3;

/// Finds the first of some lines that looks like a row of such a map.
pub(super) fn first_of_columns(lines: &[&[u8]]) -> Option<usize> {
    if lines.len() < FEWEST_ROWS {
        return None;
    }
    let rows: Vec<Vec<&str>> = lines.iter().map(|line| cells(line)).collect();
    let mut start = 0;
    for run in rows.chunk_by(|one, two| one.len() == two.len()) {
        if let Some(first) = (0..run.len().min(2)).find(|&first| are_columns(&run[first..])) {
            return Some(start + first);
        }
        start += run.len();
    }
    None
}

/// The cells of a line, if there are some of which it consists.
fn cells(line: &[u8]) -> Vec<&str> {
    let Some(text) = Some(line).filter(|line| line.len() <= LONGEST).map(valid_part) else { return Vec::new() };
    let text = match text.split_once(':') {
        Some((label, rest)) if label.len() <= LONGEST_LABEL => rest,
        _ => text,
    };
    let words = || text.split(|c: char| c.is_whitespace() || ",;|".contains(c)).filter(|word| !word.is_empty());
    let is_short = |word: &str| word.chars().nth(LONGEST_NAME).is_none() && word.chars().all(is_of_cell);
    if words().nth(FEWEST_CELLS - 1).is_some() {
        return if words().all(is_short) { words().collect() } else { joints::parts(text).unwrap_or_default() };
    }
    let is_word =
        |word: &str| word.chars().all(char::is_alphabetic) || word.chars().all(|c| c.is_ascii_digit() || c == '.');
    match words().all(is_word) {
        true => words().flat_map(|word| word.char_indices().map(|(at, c)| &word[at..at + c.len_utf8()])).collect(),
        false => joints::parts(text).unwrap_or_default(),
    }
}

fn is_of_cell(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '-' | '_')
}

/// Whether rows of the same width are of such a map. Rows that are all the same may be the same word.
fn are_columns(rows: &[Vec<&str>]) -> bool {
    let width = rows.first().map_or(0, Vec::len);
    let are_digits =
        || rows.iter().flatten().all(|cell| cell.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'));
    if rows.len() < FEWEST_ROWS || width < FEWEST_CELLS || width < FEWEST_OF_WORD && !are_digits() {
        return false;
    }
    let (mut cells, mut near) = (0, 0);
    for column in 0..width {
        let sign = |row: usize| rows[row][column];
        let is_near =
            |&row: &usize| row > 0 && sign(row - 1) == sign(row) || row + 1 < rows.len() && sign(row + 1) == sign(row);
        let filled = || (0..rows.len()).filter(|&row| !is_empty(sign(row)));
        let count = filled().filter(is_near).count();
        // In numbers that count something up, the last digit always changes.
        if count * 3 < filled().count() {
            return false;
        }
        (cells, near) = (cells + filled().count(), near + count);
    }
    let parts = rows.windows(2).filter(|two| {
        let same = (0..width).filter(|&cell| two[0][cell] == two[1][cell]).count();
        same > 0 && same < width
    });
    let is_in_order = |row: &Vec<&str>| row.windows(2).all(|two| two[0] < two[1]);
    let are_equal = rows.iter().all(|row| *row == rows[0]);
    let may_be_words = !are_digits() && !are_pieces(rows);
    near * 10 >= cells * TENTHS
        && cells * 2 >= width * rows.len()
        && !are_equal
        && !may_be_words
        && (parts.count() >= 2 || rows.iter().all(is_in_order))
}

/// Whether each sign has one piece, as letters of words do not.
fn are_pieces(rows: &[Vec<&str>]) -> bool {
    let mut signs = Vec::new();
    (0..rows[0].len()).all(|column| {
        let column = || rows.iter().map(|row| row[column]);
        let starts = column().zip(std::iter::once("").chain(column())).filter(|(sign, above)| sign != above);
        starts.map(|(sign, _)| sign).all(|sign| {
            let is_new = !signs.contains(&sign);
            signs.push(sign);
            is_new
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::cut::tests::random_numbers;
    use crate::formats::{GridBlock, GridBlocks};

    const CLUES: &str =
        "100000569\n492056108\n056108240\n009640801\n064010000\n218035604\n040500016\n905061402\n621000005\n";

    /// The numbers of pieces that are two to four cells of a column.
    fn pieces(side: usize, random: &mut impl FnMut(u64) -> u64) -> Vec<usize> {
        let mut cells = vec![0; side * side];
        let mut number = 0;
        for column in 0..side {
            let mut row = 0;
            while row < side {
                let end = row + 2 + random(3) as usize;
                let end = if end + 2 > side { side } else { end };
                (row..end).for_each(|row| cells[row * side + column] = number);
                (row, number) = (end, number + 1);
            }
        }
        cells
    }

    #[test]
    fn maps_of_vertical_pieces_refuse_the_grids_beside_them() {
        let mut random = random_numbers();
        for side in [6, 8, 9].into_iter().cycle().take(90) {
            let cells = pieces(side, &mut random);
            let sort = random(4);
            let sign = |&piece: &usize| match sort {
                0 => char::from(if piece < 26 { b'A' } else { b'a' - 26 } + piece as u8).to_string(),
                1 => (piece % 9 + 1).to_string(),
                2 => (piece + 1).to_string(),
                _ => char::from_u32(0x3b1 + piece as u32).map(String::from).unwrap_or_default(),
            };
            let separators: &[&str] = if sort == 2 { &[" ", ", ", "|"] } else { &["", " ", ", ", " & "] };
            let separator = separators[random(separators.len() as u64) as usize];
            let mut rows: Vec<String> =
                cells.chunks(side).map(|row| row.iter().map(sign).collect::<Vec<_>>().join(separator) + "\n").collect();
            if random(2) == 0 {
                rows.remove([0, side - 1][random(2) as usize]);
            }
            if random(3) == 0 {
                rows = (1..).zip(rows).map(|(number, row)| format!("Zeile {number}: {row}")).collect();
            }
            let map: String = rows.concat();
            for text in [format!("{CLUES}\n{map}"), format!("{map}\n{CLUES}")] {
                let mut strings = GridBlocks::new(text.as_bytes()).map(GridBlock::string);
                assert!(!strings.any(|string| string.is_ok()), "{text}");
            }
        }
    }

    #[test]
    fn rows_and_columns_are_no_regions() {
        let columns = "123456789\n".repeat(9);
        let rows: String = (1..10).map(|row| format!("{row}\n").replace('\n', "").repeat(9) + "\n").collect();
        for map in [columns.replace('1', "0").as_str(), &columns, &rows, &"A B C D E F G H I\n".repeat(9)] {
            for text in [format!("{CLUES}\n{map}"), format!("{map}\n{CLUES}"), format!("{CLUES}\nRegions:\n{map}")] {
                let mut strings = GridBlocks::new(text.as_bytes()).map(GridBlock::string);
                assert!(!strings.any(|string| string.is_ok()), "{text}");
            }
        }
    }

    #[test]
    fn numbers_that_count_up_and_words_do_not_refuse_a_grid() {
        for lines in [
            "20240101\n20240102\n20240103\n20240104\n20240105\n20240106\n",
            "Expert\nExpert\nExpert\nMedium\nMedium\n",
            "Monday\nMonday\nFriday\nFriday\nSunday\n",
            "Puzzle 1\nPuzzle 2\nPuzzle 3\nPuzzle 4\nPuzzle 5\n",
        ] {
            let text = format!("{lines}\nA grid\n{CLUES}");
            assert!(GridBlocks::new(text.as_bytes()).map(GridBlock::string).any(|string| string.is_ok()), "{text}");
        }
    }
}
