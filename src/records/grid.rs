//! Sudokus over several lines, as people paste them and as other programs write them: rules and borders of any kind, nine lines
//! of nine, candidate grids, HoDoKu's library lines, lines of 81 and of 729 characters. The shapes and rules are those of
//! Simple Sudoku, HoDoKu and SudoCue.

use super::lines::{Line, line_at};

/// What stands in a cell of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GridCell {
    /// Nothing.
    Empty,
    /// A digit: most grids do not say whether it was given.
    Given(u8),
    /// A digit of which the grid says that it was not given.
    Solved(u8),
    /// Candidates: digit d is bit d - 1.
    Candidates(u16),
}

/// A grid, or lines that look like one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Its first byte.
    pub start: usize,
    /// Behind its last byte; the line end does not count.
    pub end: usize,
    /// Behind its line end.
    pub next: usize,
    /// Its first line, from 0.
    pub line: u64,
    /// Its cells, row by row, or what keeps it from having them.
    pub cells: Result<[GridCell; 81], String>,
}

/// The grids of a text, in order. Blank lines, comments and headings are none of them.
pub fn blocks(text: &[u8]) -> Vec<Block> {
    let mut found = Vec::new();
    let (mut at, mut number) = (0, 0);
    let mut open: Option<Open> = None;
    while let Some(line) = line_at(text, at) {
        let content = &text[line.start..line.end];
        match sort(content) {
            Sort::Nothing => found.extend(open.take().map(|open| open.close(text))),
            Sort::Alone(cells) => {
                found.extend(open.take().map(|open| open.close(text)));
                let (start, end, next) = (line.start, line.end, line.next);
                found.push(Block { start, end, next, line: number, cells: *cells });
            }
            Sort::Border => match &mut open {
                // The border below a grid belongs to it; the next one is above the next grid.
                Some(last) => {
                    last.add(line, false);
                    if last.rows == 9 {
                        found.extend(open.take().map(|open| open.close(text)));
                    }
                }
                None => open = Some(Open::new(line, number, false)),
            },
            Sort::Row => {
                if open.as_ref().is_some_and(|open| open.rows == 9) {
                    found.extend(open.take().map(|open| open.close(text)));
                }
                match &mut open {
                    Some(open) => open.add(line, true),
                    None => open = Some(Open::new(line, number, true)),
                }
            }
        }
        at = line.next;
        number += 1;
    }
    found.extend(open.take().map(|open| open.close(text)));
    found
}

/// A block whose end was not seen yet.
struct Open {
    lines: Vec<(Line, bool)>,
    number: u64,
    rows: usize,
}

impl Open {
    fn new(line: Line, number: u64, row: bool) -> Self {
        Self { lines: vec![(line, row)], number, rows: usize::from(row) }
    }

    fn add(&mut self, line: Line, row: bool) {
        self.lines.push((line, row));
        self.rows += usize::from(row);
    }

    fn close(self, text: &[u8]) -> Block {
        let (first, last) = (self.lines[0].0, self.lines[self.lines.len() - 1].0);
        let rows: Vec<&[u8]> =
            self.lines.iter().filter(|(_, row)| *row).map(|(line, _)| &text[line.start..line.end]).collect();
        Block { start: first.start, end: last.end, next: last.next, line: self.number, cells: read(&rows) }
    }
}

/// What a line is.
enum Sort {
    /// Blank, a comment (`# ...`, `#A ...`) or a heading (`[Puzzle]`).
    Nothing,
    /// A board by itself.
    Alone(Box<Result<[GridCell; 81], String>>),
    /// Above, below or between rows.
    Border,
    /// A part of a grid.
    Row,
}

fn sort(line: &[u8]) -> Sort {
    let line = line.trim_ascii();
    match line {
        [] | [b'#', ..] | [b'[', .., b']'] => return Sort::Nothing,
        [b':', ..] if line.iter().filter(|&&byte| byte == b':').count() >= 6 => {
            return Sort::Alone(Box::new(library(line)));
        }
        _ => {}
    }
    if line.len() == 81 && line.iter().all(|&byte| byte.is_ascii_digit() || BLANKS.contains(&byte)) {
        return Sort::Alone(Box::new(by_characters(line)));
    }
    if line.len() == 729 && line.iter().all(|&byte| byte.is_ascii_digit() || BLANKS.contains(&byte)) {
        return Sort::Alone(Box::new(sukaku(line)));
    }
    let is_border =
        line.iter().all(|byte| b"-+|*=:.' ".contains(byte)) && line.windows(3).any(|w| w == b"---" || w == b"===");
    if is_border { Sort::Border } else { Sort::Row }
}

/// What stands for an empty cell, in the order in which it is looked for.
const BLANKS: &[u8] = b"0.Xx*_-?";

/// The cells of rows of any length.
fn read(rows: &[&[u8]]) -> Result<[GridCell; 81], String> {
    let is_space = |byte: &u8| byte.is_ascii_whitespace() || b"|,;".contains(byte);
    let words: Vec<&[u8]> = rows.iter().flat_map(|row| row.split(is_space)).filter(|word| !word.is_empty()).collect();
    if words.len() == 81 {
        return by_words(&words);
    }
    let all: Vec<u8> =
        rows.iter().flat_map(|row| row.iter().copied()).filter(|byte| !b"|,;\r".contains(byte)).collect();
    by_characters(&all)
}

/// Digits and one other character for empty cells, 81 in all.
fn by_characters(text: &[u8]) -> Result<[GridCell; 81], String> {
    let digits = text.iter().filter(|byte| (b'1'..=b'9').contains(byte)).count();
    let fits = |&blank: &u8| digits + text.iter().filter(|&&byte| byte == blank).count() == 81;
    let blank = BLANKS.iter().chain(b" ").copied().find(fits);
    let Some(blank) = blank.or((digits == 81).then_some(b'0')) else {
        return Err(format!("{digits} digits, and no other character that makes them 81 cells"));
    };
    let mut cells = text.iter().filter(|&&byte| byte == blank || (b'1'..=b'9').contains(&byte));
    Ok(std::array::from_fn(|_| match cells.next() {
        Some(digit @ b'1'..=b'9') => GridCell::Given(digit - b'0'),
        _ => GridCell::Empty,
    }))
}

/// 81 words: a digit, candidates, or something that stands for nothing; with marks beside them.
fn by_words(words: &[&[u8]]) -> Result<[GridCell; 81], String> {
    let mut sets = [0_u16; 81];
    let mut placed = [false; 81];
    for (at, word) in words.iter().enumerate() {
        for &byte in *word {
            match byte {
                b'1'..=b'9' => sets[at] |= 1 << (byte - b'1'),
                b'u' => placed[at] = true, // SudoCue's mark of what was not given
                _ if BLANKS.contains(&byte) || b"#@+^%&()$!".contains(&byte) || byte.is_ascii_alphabetic() => {}
                _ => return Err(format!("cell {} has the character {:?}", at + 1, char::from(byte))),
            }
        }
    }
    let digits = words.iter().map(|word| word.iter().filter(|byte| (b'1'..=b'9').contains(byte)).count());
    let has_candidates = digits.clone().any(|digits| digits > 1);
    Ok(std::array::from_fn(|at| match (sets[at].count_ones(), sets[at]) {
        (0, _) => GridCell::Empty,
        (1, set) if placed[at] => GridCell::Solved(set.trailing_zeros() as u8 + 1),
        // A digit that is still a candidate of a cell it sees was not placed yet.
        (1, set) if has_candidates && seen(at).any(|other| sets[other].count_ones() > 1 && sets[other] & set != 0) => {
            GridCell::Candidates(set)
        }
        (1, set) => GridCell::Given(set.trailing_zeros() as u8 + 1),
        (_, set) => GridCell::Candidates(set),
    }))
}

/// The other cells of a cell's row, column and box.
fn seen(at: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (at / 9, at % 9);
    (0..81).filter(move |&other| {
        let (r, c) = (other / 9, other % 9);
        other != at && (r == row || c == column || r / 3 == row / 3 && c / 3 == column / 3)
    })
}

/// Nine characters a cell: its candidates, with something else for those that are excluded.
fn sukaku(line: &[u8]) -> Result<[GridCell; 81], String> {
    let mut cells = [GridCell::Empty; 81];
    for (at, nine) in line.chunks_exact(9).enumerate() {
        let mut set = 0;
        for (n, &byte) in nine.iter().enumerate() {
            if byte == b'1' + n as u8 {
                set |= 1 << n;
            } else if (b'1'..=b'9').contains(&byte) {
                return Err(format!("cell {} has the digit {} in place of {}", at + 1, char::from(byte), n + 1));
            }
        }
        if set == 0 {
            return Err(format!("cell {} has no candidate", at + 1));
        }
        cells[at] = GridCell::Candidates(set);
    }
    Ok(cells)
}

/// A line of HoDoKu's library: `:technique:candidates:givens:deleted:...`, where `+` stands before digits that were not given, and
/// deleted candidates are digit, row and column.
fn library(line: &[u8]) -> Result<[GridCell; 81], String> {
    let fields: Vec<&[u8]> = line.split(|&byte| byte == b':').collect();
    let mut cells = Vec::new();
    let mut solved = false;
    for &byte in fields[3] {
        match byte {
            b'+' => solved = true,
            b'1'..=b'9' => {
                let digit = byte - b'0';
                cells.push(if std::mem::take(&mut solved) { GridCell::Solved(digit) } else { GridCell::Given(digit) });
            }
            _ if BLANKS.contains(&byte) => cells.push(GridCell::Empty),
            _ => return Err(format!("the board has the character {:?}", char::from(byte))),
        }
    }
    let mut cells: [GridCell; 81] =
        cells.try_into().map_err(|cells: Vec<_>| format!("the board has {} cells, not 81", cells.len()))?;
    let deleted = fields[4].split(|&byte| byte == b' ').filter(|word| !word.is_empty());
    let mut gone = [0_u16; 81];
    for word in deleted.clone() {
        let [digit @ b'1'..=b'9', row @ b'1'..=b'9', column @ b'1'..=b'9'] = *word else {
            return Err("a deleted candidate is no digit, row and column".into());
        };
        gone[usize::from(row - b'1') * 9 + usize::from(column - b'1')] |= 1 << (digit - b'1');
    }
    if deleted.count() > 0 {
        let board = cells;
        for at in (0..81).filter(|&at| board[at] == GridCell::Empty) {
            let placed = seen(at).fold(0, |all, other| match board[other] {
                GridCell::Given(digit) | GridCell::Solved(digit) => all | 1 << (digit - 1),
                _ => all,
            });
            let left = 0x1ff & !placed & !gone[at];
            if left == 0 {
                return Err(format!("cell {} has no candidate left", at + 1));
            }
            cells[at] = GridCell::Candidates(left);
        }
    }
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str = "100000569492056108056109240009640801064010000218035604040500016905061402621000005";

    fn plain(cells: &[GridCell; 81]) -> String {
        let character = |cell: &GridCell| match cell {
            GridCell::Empty => '0',
            GridCell::Given(digit) => char::from(b'0' + digit),
            GridCell::Solved(_) => 's',
            GridCell::Candidates(_) => 'c',
        };
        cells.iter().map(character).collect()
    }

    fn rows(cut: impl Fn(usize, &str) -> String) -> String {
        (0..9).map(|row| cut(row, &PLAIN[9 * row..9 * row + 9])).collect()
    }

    #[test]
    fn grids_with_borders_of_every_kind() {
        let third = |row: &str, between: &str| format!("{}{between}{}{between}{}", &row[..3], &row[3..6], &row[6..]);
        let spaced = |row: &str| row.chars().map(|c| format!("{c} ")).collect::<String>();
        let shapes = [
            rows(|_, row| format!("{row}\n")),
            rows(|_, row| format!("{}\r\n", row.replace('0', "."))),
            format!(
                "*-----------*\n{}*-----------*\n",
                rows(|n, row| {
                    let rule = if n % 3 == 2 && n < 8 { "|---+---+---|\n" } else { "" };
                    format!("|{}|\n{rule}", third(&row.replace('0', "."), "|"))
                })
            ),
            format!(
                "+-------+-------+-------+\n{}",
                rows(|n, row| {
                    let rule = if n % 3 == 2 { "+-------+-------+-------+\n" } else { "" };
                    format!(
                        "| {}| {}| {}|\n{rule}",
                        spaced(&row[..3].replace('0', ".")),
                        spaced(&row[3..6].replace('0', ".")),
                        spaced(&row[6..].replace('0', "."))
                    )
                })
            ),
            rows(|_, row| format!("  {}\n", third(&row.replace('0', "_"), " "))),
            rows(|n, row| {
                format!("{}{}\n", third(&row.replace('0', "*"), "|"), if n % 3 == 2 { "\n---+---+---" } else { "" })
            }),
            PLAIN.replace('0', ".") + "\n",
            format!("{}\n{}\n", &PLAIN[..50], &PLAIN[50..]),
            format!(":0000:x:{PLAIN}::::\n"),
        ];
        for shape in shapes {
            let text = format!("#A me\n[Puzzle]\n\n{shape}\n# end\n");
            let found = blocks(text.as_bytes());
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(found[0].cells.as_ref().map(plain).as_deref(), Ok(PLAIN), "{text}");
            assert_eq!((found[0].start, found[0].line), (16, 3), "{text}");
            // One after the other, with and without a line between.
            for between in ["", "\n", "# x\n"] {
                // Where a grid has not nine rows, only that says where it ends.
                if between.is_empty() && shape.lines().count() == 2 {
                    continue;
                }
                let text = [shape.as_str(), &shape, &shape].join(between);
                let found = blocks(text.as_bytes());
                assert_eq!(found.len(), 3, "{text}");
                assert!(found.iter().all(|block| block.cells.as_ref().map(plain).as_deref() == Ok(PLAIN)), "{text}");
            }
        }
    }

    #[test]
    fn grids_of_candidates() {
        let cell = |at: usize| match PLAIN.as_bytes()[at] {
            b'0' => "1234567".to_string(),
            digit => char::from(digit).to_string(),
        };
        let grid: String = (0..81)
            .map(|at| {
                format!(
                    "{:<9}{}",
                    cell(at),
                    if at % 9 == 8 {
                        "|\n"
                    } else if at % 3 == 2 {
                        "|"
                    } else {
                        ""
                    }
                )
            })
            .collect();
        let text = format!(".---------.----------.--------.\n{grid}'---------'---------'---------'\n");
        let found = blocks(text.as_bytes());
        assert_eq!(found.len(), 1, "{text}");
        let cells = found[0].cells.as_ref().expect("a grid");
        // 8 and 9 are candidates nowhere: placed. The others are single candidates wherever a cell is open in their sight.
        for (at, digit) in PLAIN.bytes().enumerate() {
            let open = seen(at).any(|other| PLAIN.as_bytes()[other] == b'0');
            let expected = match digit {
                b'0' => GridCell::Candidates(0x7f),
                b'8' | b'9' => GridCell::Given(digit - b'0'),
                _ if open => GridCell::Candidates(1 << (digit - b'1')),
                _ => GridCell::Given(digit - b'0'),
            };
            assert_eq!(cells[at], expected, "cell {at}");
        }
        let marked: String = (0..81)
            .map(|at| {
                if at == 4 {
                    "12* ".into()
                } else if at == 0 {
                    "u5 ".into()
                } else {
                    "(7)# ".to_string()
                }
            })
            .collect();
        let cells = blocks(marked.as_bytes())[0].cells.clone().expect("a grid");
        assert_eq!(
            cells[..5],
            [GridCell::Solved(5), GridCell::Given(7), GridCell::Given(7), GridCell::Given(7), GridCell::Candidates(3)]
        );
        let line: String = PLAIN
            .bytes()
            .map(|digit| match digit {
                b'0' => "12.4....9".to_string(),
                digit => (b'1'..=b'9').map(|other| if other == digit { char::from(digit) } else { '.' }).collect(),
            })
            .collect();
        let cells = blocks(line.as_bytes())[0].cells.clone().expect("a grid");
        assert_eq!(cells[..2], [GridCell::Candidates(1), GridCell::Candidates(0b1_0000_1011)]);
    }

    #[test]
    fn lines_of_the_library() {
        let found = blocks(format!(":0300:x:{}:::r1:", &PLAIN[1..]).into_bytes().as_slice()).remove(0);
        assert_eq!(found.cells, Err("the board has 80 cells, not 81".into()));
        let given = PLAIN.replacen('4', "+4", 1);
        let cells = blocks(format!(":0300:x:{given}:712::r1:").as_bytes())[0].cells.clone().expect("a board");
        assert_eq!((cells[0], cells[9]), (GridCell::Given(1), GridCell::Solved(4)));
        // Of 3, 7 and 8, which row 1, column 2 and box 1 leave, 7 was deleted.
        assert_eq!(cells[1], GridCell::Candidates(0b1000_0100));
    }

    #[test]
    fn what_is_no_grid() {
        for (text, why) in [
            ("some words\n", "0 digits"),
            (&PLAIN[..80], "45 digits, and no other"),
            (&format!("{}\n{}", &PLAIN[..40], &PLAIN[42..]), "digits, and no other"),
            (&".".repeat(729), "cell 1 has no candidate"),
            (&"2".repeat(729), "cell 1 has the digit 2 in place of 1"),
            (&"<7> ".repeat(81), "cell 1 has the character '<'"),
            (":1:2:3:4:5:6:", "1 cells, not 81"),
        ] {
            let found = blocks(text.as_bytes());
            assert_eq!(found.len(), 1, "{text}");
            let error = found[0].cells.as_ref().expect_err(text);
            assert!(error.contains(why), "{error}");
        }
        assert!(blocks(b"\n# x\n\n[Puzzle]\n").is_empty());
    }
}
