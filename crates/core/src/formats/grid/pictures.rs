//! Pictures beside a grid that are no maps of pieces, in which most cells have the same sign beside them: cells of two signs in any order,
//! such as the odd and the even cells, the walls of pieces, and cells one below the other.

use super::sign_rows::{is_empty, valid_part};

/// The fewest rows of a picture.
const FEWEST_ROWS: usize = 4;
/// The fewest cells of a row.
const FEWEST_CELLS: usize = 4;
/// The most cells of a row, in bytes of a line. Longer lines are looked at by others.
const LONGEST: usize = 256;
/// The most signs of a picture, if one of them is an empty cell. Otherwise, it has two.
const MOST_SIGNS: usize = 3;
/// The fewest lines with one cell each that are a picture.
const FEWEST_IN_COLUMN: usize = 16;
/// The longest name of a cell that stands alone on its line.
const LONGEST_NAME: usize = 8;

/// Finds the first of some lines that looks like a part of a picture.
pub(super) fn first_of_picture(lines: &[&[u8]]) -> Option<usize> {
    let firsts = [first_of_few_signs(lines), first_of_walls(lines), first_of_column(lines)];
    firsts.into_iter().flatten().min()
}

/// The first of rows of the same width that have two or three signs together.
fn first_of_few_signs(lines: &[&[u8]]) -> Option<usize> {
    if lines.len() < FEWEST_ROWS {
        return None;
    }
    let rows: Vec<Option<FewSigns>> = lines.iter().map(|line| FewSigns::read(line)).collect();
    let mut start = 0;
    while start < rows.len() {
        let width = rows[start].as_ref().map(|row| row.cells.len());
        let count = rows[start..].iter().take_while(|row| row.as_ref().map(|row| row.cells.len()) == width).count();
        let alike: Vec<&FewSigns> = rows[start..start + count].iter().flatten().collect();
        // A line above the picture may be of the same width.
        let mut parts = alike.windows(FEWEST_ROWS);
        if let Some(first) = parts.position(are_picture) {
            return Some(start + first);
        }
        start += count;
    }
    None
}

/// Whether rows of the same width are of the same few signs, and neither words that are written several times nor rules.
fn are_picture(rows: &[&FewSigns]) -> bool {
    let mut signs: Vec<&str> = Vec::new();
    for sign in rows.iter().flat_map(|row| &row.signs) {
        if !signs.contains(sign) {
            signs.push(sign);
        }
    }
    let has_empty = signs.iter().any(|sign| is_empty(sign));
    let is_few = signs.len() == 2 || signs.len() == MOST_SIGNS && has_empty;
    let is_mixed = |row: &&&FewSigns| row.signs.len() > 1;
    is_few && rows.iter().any(|row| row.cells != rows[0].cells) && rows.iter().filter(is_mixed).count() * 2 > rows.len()
}

/// The cells of a line with few signs.
#[derive(Debug)]
struct FewSigns<'t> {
    cells: Vec<&'t str>,
    signs: Vec<&'t str>,
}

impl<'t> FewSigns<'t> {
    /// Reads a line with one sign for each cell, with or without spaces. Most lines end this soon, since they have more signs.
    fn read(line: &'t [u8]) -> Option<Self> {
        let text = Some(line).filter(|line| line.len() <= LONGEST).map(valid_part)?;
        let mut row = Self { cells: Vec::new(), signs: Vec::new() };
        for (at, c) in
            text.char_indices().filter(|(_, c)| !c.is_whitespace() && !matches!(c, '|' | ',' | '\u{fe0e}' | '\u{fe0f}'))
        {
            let sign = &text[at..at + c.len_utf8()];
            if !row.signs.contains(&sign) {
                row.signs.push(sign);
            }
            row.cells.push(sign);
            if row.signs.len() > MOST_SIGNS {
                return None;
            }
        }
        (row.cells.len() >= FEWEST_CELLS).then_some(row)
    }
}

/// The first of lines of walls, with open places between them.
pub(super) fn first_of_walls(lines: &[&[u8]]) -> Option<usize> {
    let is_wall = |c: char| ('\u{2500}'..='\u{257f}').contains(&c) || "+-|_=".contains(c);
    let is_part = |line: &[u8]| {
        let may_be = line.trim_ascii_start().first().is_some_and(|&byte| b"+-|_=".contains(&byte) || byte == 0xe2);
        may_be && valid_part(line).chars().all(|c| is_wall(c) || c.is_whitespace())
    };
    let is_open = |line: &[u8]| {
        let text = valid_part(line);
        let walls = text.chars().filter(|c| "|\u{2502}\u{2503}\u{2551}".contains(*c)).count();
        walls >= 2 && text.contains(' ')
    };
    let mut start = 0;
    while start + FEWEST_ROWS <= lines.len() {
        let count = lines[start..].iter().take_while(|line| is_part(line)).count();
        let open = lines[start..start + count].iter().filter(|line| is_open(line)).count();
        if count >= FEWEST_ROWS && open >= 2 && open < count {
            return Some(start);
        }
        start += count.max(1);
    }
    None
}

/// The first of lines with one cell each.
fn first_of_column(lines: &[&[u8]]) -> Option<usize> {
    let is_short = |line: &&[u8]| {
        let line = line.trim_ascii();
        line.len() <= LONGEST_NAME && !line.contains(&b' ')
    };
    let mut start = 0;
    while start + FEWEST_IN_COLUMN <= lines.len() {
        let count = lines[start..].iter().take_while(|line| is_short(line)).count();
        let cells: Vec<&str> = lines[start..start + count].iter().map(|line| valid_part(line)).collect();
        if let Some(first) = cells.windows(FEWEST_IN_COLUMN).position(are_column) {
            return Some(start + first);
        }
        start += count.max(1);
    }
    None
}

/// Whether cells one below the other are of a map: one sign each, or names of which most stand beside themselves.
fn are_column(cells: &[&str]) -> bool {
    let is_sign = |cell: &&str| cell.chars().nth(1).is_none();
    let repeated = cells.windows(2).filter(|two| two[0] == two[1]).count();
    cells.iter().all(is_sign) || repeated * 2 >= cells.len() && cells.iter().any(|cell| *cell != cells[0])
}

#[cfg(test)]
mod tests {
    use super::super::cut::tests::random_numbers;
    use crate::formats::{GridBlock, GridBlocks};

    const CLUES: &str =
        "100000569\n492056108\n056108240\n009640801\n064010000\n218035604\n040500016\n905061402\n621000005\n";

    fn is_refused(lines: &str) {
        for text in [format!("{CLUES}\n{lines}"), format!("{lines}\n{CLUES}"), format!("{CLUES}Medium\n\n{lines}")] {
            let mut strings = GridBlocks::new(text.as_bytes()).map(GridBlock::string);
            assert!(!strings.any(|string| string.is_ok()), "{text}");
        }
    }

    #[test]
    fn pictures_of_few_signs_refuse_the_grids_beside_them() {
        let mut random = random_numbers();
        for (signs, side) in
            ["o\u{25a1}", "\u{25cb}\u{25a1}", "\u{2b1c}\u{2b1b}", "eo", "EO", "xo", ".os", ".\u{25cb}\u{25a1}", "#+"]
                .into_iter()
                .flat_map(|signs| [6, 8, 9, 16].map(|side| (signs, side)))
        {
            let signs: Vec<char> = signs.chars().collect();
            for is_board in [true, false] {
                let separator = ["", " ", "|"][random(3) as usize];
                let mut cell = |at: u64| match is_board {
                    true => signs[((at / side + at % side) % signs.len() as u64) as usize].to_string(),
                    false => signs[random(signs.len() as u64) as usize].to_string(),
                };
                let cells: Vec<String> = (0..side * side).map(&mut cell).collect();
                is_refused(&cells.chunks(side as usize).map(|row| row.join(separator) + "\n").collect::<String>());
            }
        }
    }

    /// The pieces of a map, as lines between them.
    #[test]
    fn walls_refuse_the_grids_beside_them() {
        let mut random = random_numbers();
        for side in [6_usize, 9].into_iter().cycle().take(20) {
            let width = side / 3;
            let mut pieces: Vec<usize> = (0..side * side).map(|at| at / side / width * 3 + at % side / 3).collect();
            for _ in 0..side {
                let at = random((side * side - side) as u64) as usize;
                pieces.swap(at, at + side);
            }
            let piece = |row: usize, column: usize| pieces.get(row * side + column).filter(|_| column < side);
            let (joint, rule, wall) =
                [("+", "---", "|"), ("\u{253c}", "\u{2500}\u{2500}", "\u{2502}"), ("+", "-", "|")][random(3) as usize];
            let open = " ".repeat(rule.chars().count());
            let mut text = String::new();
            for row in 0..=side {
                for column in 0..side {
                    let is_same = row > 0 && piece(row - 1, column) == piece(row, column);
                    text += &format!("{joint}{}", if is_same { &open } else { rule });
                }
                text += &format!("{joint}\n");
                for column in (0..=side).filter(|_| row < side) {
                    let is_same = column > 0 && piece(row, column - 1) == piece(row, column);
                    text += if is_same { " " } else { wall };
                    text += if column < side { &open } else { "\n" };
                }
            }
            is_refused(&text);
        }
    }

    #[test]
    fn cells_one_below_the_other_refuse_the_grids_beside_them() {
        let pieces: Vec<usize> = (0..81).map(|cell| cell / 27 * 3 + cell % 9 / 3).collect();
        for names in [
            "A B C D E F G H I",
            "1 2 3 4 5 6 7 8 9",
            "red blue pink grey green white black brown gold",
            "c1 c2 c3 c4 c5 c6 c7 c8 c9",
        ] {
            let names: Vec<&str> = names.split(' ').collect();
            is_refused(&pieces.iter().map(|&piece| format!("{}\n", names[piece])).collect::<String>());
        }
    }
}
