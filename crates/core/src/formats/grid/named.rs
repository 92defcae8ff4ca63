//! Says what lines are that look like a grid but are no sudoku of side 9: grids of other sides, a Str8ts in signs, names
//! or numbers of cages, candidates with the marks of a step.

use super::classify::LineClass;
use super::companion::{Companion, is_map_of_signs};
use super::glyphs::EMPTY_SIGNS;
use super::grid_line::{GridLine, LineRole};
use super::letter_row::{number_words, row_number};
use super::line::TokenLine;
use super::marked_string;
use crate::error::{Code, Reject};
use crate::formats::{companions, line_at, plain};

/// The cells of a row, if they can be counted.
type Row = Vec<Vec<u8>>;

/// Sides of grids that people write, besides 9.
const SIDES: [usize; 11] = [4, 5, 6, 7, 8, 10, 12, 15, 16, 20, 25];
/// The most rows of which all are looked at: of a grid, its companions and some titles. Of more, the ends are.
const MOST_ROWS: usize = 100;
/// The fewest numbers of cages above 9. Fewer may be errors in a grid of digits.
const FEWEST_NUMBERS: usize = 6;
/// The fewest black cells of a Str8ts.
const FEWEST_BLACK: usize = 3;

/// What refused lines are, if that is known.
pub(super) struct NamedLines {
    /// What they accompany a grid as.
    pub(super) companion: Option<Companion>,
    /// What they are, if they are a square of another side than 9.
    pub(super) square: Option<Square>,
    /// Why they are no sudoku of side 9.
    pub(super) reject: Reject,
}

/// A square of signs or numbers that is no sudoku of side 9.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Square {
    pub(super) side: usize,
    /// Its string, if it is a board.
    pub(super) string: Option<Box<[u8]>>,
}

impl Square {
    /// Its digits, if it can be a sudoku.
    pub(super) fn digits(&self) -> Option<Vec<u8>> {
        plain::square_digits(self.string.as_deref()?, self.side)
    }
}

impl NamedLines {
    fn refused(reject: Reject) -> Self {
        Self { companion: None, square: None, reject }
    }

    fn of_side(side: usize, cells: &[Vec<u8>]) -> Self {
        let square = Square { side, string: plain_string(side, cells) };
        Self { companion: None, square: Some(square), reject: of_another_side(side) }
    }
}

/// Says what refused lines are.
pub(super) fn name(text: &[u8], lines: &[GridLine]) -> Option<NamedLines> {
    let mut lines: Vec<&GridLine> = lines.iter().filter(|line| line.role != LineRole::Border).collect();
    if lines.len() > MOST_ROWS {
        lines.drain(9..lines.len() - 9);
    }
    let read = |line: &&GridLine| {
        let mut tokens = TokenLine::default();
        tokens.read(&text[line.start as usize..line.end as usize]);
        tokens
    };
    let rows: Vec<TokenLine> = lines.iter().map(read).collect();
    let splits: [fn(&TokenLine) -> Row; 2] = [words, glyphs];
    let unsupported = |words: String| Reject::whole(Code::Unsupported, words);
    for split in splits {
        let cells = without_labels(rows.iter().map(split).collect());
        if cells.len() == 9 && cells.iter().all(|row| row.len() == 18) {
            let words = "two grids side by side; write one below the other";
            return Some(NamedLines::refused(unsupported(words.into())));
        }
        if let Some(side) = side_of(&cells) {
            return Some(NamedLines::of_side(side, &cells.concat()));
        }
        // Of more rows, those at one end may be a companion, whatever is between them.
        let ends = [cells.get(..9), cells.len().checked_sub(9).map(|at| &cells[at..])];
        for nine in ends.into_iter().flatten() {
            if nine.iter().any(|row| row.len() != 9) {
                continue;
            }
            let cells: Vec<&[u8]> = nine.iter().flatten().map(Vec::as_slice).collect();
            if let Some(string) = str8ts_string(&cells).filter(|_| rows.len() == 9) {
                let square = Square { side: 9, string: Some(string) };
                let reject = Reject::whole(Code::Unsupported, "a str8ts in signs");
                return Some(NamedLines { companion: None, square: Some(square), reject });
            }
            if let Some(companion) = companion_of(&cells) {
                let all = Some(companion).filter(|_| rows.len() == 9);
                return Some(NamedLines { companion: all, ..NamedLines::refused(companion.reject()) });
            }
        }
    }
    rows.iter().zip(lines).find_map(|(row, line)| {
        let what = marked(row)?;
        let words = format!("not a grid of 9 rows of 9 cells: line {} has {what}", line.number + 1);
        Some(NamedLines::refused(unsupported(words)))
    })
}

/// The cells of lines that are a square, row by row, and its side. Borders are passed over.
pub(super) fn cells_of_lines(text: &[u8]) -> Option<(usize, Vec<Vec<u8>>)> {
    let (mut lines, mut at) = (Vec::new(), 0);
    while let Some(line) = line_at(text, at) {
        let mut tokens = TokenLine::default();
        tokens.read(&text[line.start..line.end]);
        let class = tokens.classify(&text[line.start..line.end]);
        if !matches!(class, LineClass::Blank | LineClass::Border) {
            lines.push((class, tokens));
        }
        if lines.len() > MOST_ROWS {
            return None;
        }
        at = line.next;
    }
    let may_be_border = |class: LineClass| matches!(class, LineClass::RuleOrRow | LineClass::SpaceOrRow);
    let splits: [fn(&TokenLine) -> Row; 3] = [words, glyphs, numbered];
    [false, true].into_iter().find_map(|has_borders| {
        let rows = || lines.iter().filter(|(class, _)| !has_borders || !may_be_border(*class)).map(|(_, line)| line);
        splits.into_iter().find_map(|split| {
            let rows = without_labels(rows().map(split).collect());
            let side = rows.len();
            let is_square = (3..=25).contains(&side) && rows.iter().all(|row| row.len() == side);
            is_square.then(|| (side, rows.concat()))
        })
    })
}

/// The words of a row without the number of the row, or the glyphs of one word or of a word for each box.
fn numbered(line: &TokenLine) -> Row {
    let mut words: Row = words(line).split_off(number_words(line));
    if words.len() <= 3 {
        words = words.concat().into_iter().map(|glyph| vec![glyph]).collect();
    }
    let number = line.words().nth(number_words(line).saturating_sub(1)).filter(|_| number_words(line) > 0);
    // The number comes back, and is compared with those of the other rows.
    number.map_or_else(Row::new, |number| [vec![number.to_vec()], words].concat())
}

/// Whether lines that are numbers are a square of digits, and no titles.
pub(super) fn square_of_digits(text: &[u8], lines: &[GridLine]) -> Option<NamedLines> {
    if !SIDES.contains(&lines.len()) {
        return None;
    }
    let number = |line: &GridLine| {
        let mut tokens = TokenLine::default();
        tokens.read(&text[line.start as usize..line.end as usize]);
        tokens.glyphs.bytes.trim_ascii().to_vec()
    };
    let rows: Vec<Vec<u8>> = lines.iter().map(number).collect();
    // Digits above the side are wrong, or those of years, amounts and other numbers, none of which begins with 0.
    let zeros = rows.iter().flatten().filter(|&&digit| digit == b'0').count();
    let begins_with_zero = rows.iter().any(|row| row.starts_with(b"0"));
    let most = if lines.len() == 4 && zeros >= 8 && begins_with_zero { 9 } else { lines.len() };
    let is_digit = |byte: &u8| byte.is_ascii_digit() && usize::from(byte - b'0') <= most;
    rows.iter().all(|row| row.len() == rows.len() && row.iter().all(is_digit)).then(|| {
        let cells: Vec<Vec<u8>> = rows.concat().into_iter().map(|digit| vec![digit]).collect();
        NamedLines::of_side(rows.len(), &cells)
    })
}

/// The refusal of a square that is not read.
fn of_another_side(side: usize) -> Reject {
    let why = match plain::is_side(side) {
        true => {
            "a digit stands twice in a row, column or box, or its signs are of no alphabet; if it is a sudoku, write it on one line, for --from plain"
        }
        false => "no format has sudokus of this side",
    };
    Reject::whole(Code::Unsupported, format!("a grid of side {side}: {why}"))
}

/// The plain string of a square, if it can be a sudoku.
fn plain_string(side: usize, cells: &[Vec<u8>]) -> Option<Box<[u8]>> {
    let has_numbers = cells.iter().any(|cell| cell.len() > 1);
    let sign =
        |cell: &[u8]| if is_empty(cell) && (has_numbers || *cell != b"0"[..]) { b".".to_vec() } else { cell.to_vec() };
    let string = cells.iter().map(|cell| sign(cell)).collect::<Vec<_>>().join(&b","[..usize::from(has_numbers)]);
    plain::square_digits(&string, side).map(|_| string.into())
}

/// The words of a row.
fn words(line: &TokenLine) -> Row {
    line.words().map(<[u8]>::to_vec).collect()
}

/// The glyphs of the words of a row, if each box is a word, or the whole row.
fn glyphs(line: &TokenLine) -> Row {
    let mut words = line.words();
    let length = words.next().map_or(0, <[u8]>::len);
    match words.all(|word| word.len() == length) {
        true => line.words().flatten().map(|&glyph| vec![glyph]).collect(),
        false => Row::new(),
    }
}

/// Rows without their first cells, if these number them and the others are a square.
fn without_labels(mut rows: Vec<Row>) -> Vec<Row> {
    let side = rows.len();
    let is_label = |(at, row): (usize, &Row)| {
        row.len() == side + 1 && row.first().and_then(|label| row_number(label)) == Some(at + 1)
    };
    if rows.iter().enumerate().all(is_label) {
        rows.iter_mut().for_each(|row| _ = row.remove(0));
    }
    rows
}

fn is_empty(cell: &[u8]) -> bool {
    matches!(cell, [sign] if EMPTY_SIGNS.contains(sign))
}

fn number(cell: &[u8]) -> Option<usize> {
    std::str::from_utf8(cell).ok()?.parse().ok()
}

/// The side of a square of cells.
fn side_of(rows: &[Row]) -> Option<usize> {
    let side = rows.len();
    let is_sign = |cell: &[u8]| match cell {
        [sign] => sign.is_ascii_alphanumeric(),
        _ => number(cell).is_some_and(|number| number <= side),
    };
    let cells = || rows.iter().flatten().map(Vec::as_slice);
    let filled = cells().filter(|cell| !is_empty(cell));
    let is_square = SIDES.contains(&side) && rows.iter().all(|row| row.len() == side);
    (is_square && cells().all(|cell| is_empty(cell) || is_sign(cell)) && filled.count() > 0).then_some(side)
}

/// The string of 81 cells that are those of a Str8ts: `#` is black, a letter a black clue; or all are `w` or `b` and a digit.
fn str8ts_string(cells: &[&[u8]]) -> Option<Box<[u8]>> {
    let is_named = cells.iter().all(|cell| matches!(cell, [b'w' | b'b', b'0'..=b'9']));
    let cell = |cell: &&[u8]| match **cell {
        [colour, digit] if is_named => Some((digit - b'0', colour == b'b')),
        [b'#'] => Some((0, true)),
        [digit @ b'1'..=b'9'] => Some((digit - b'0', false)),
        _ if is_empty(cell) => Some((0, false)),
        [letter] if (b'a'..=b'i').contains(&(letter | 0x20)) => Some(((letter | 0x20) - b'a' + 1, true)),
        _ => None,
    };
    let read = cells.iter().map(cell).collect::<Option<Vec<_>>>()?;
    let (digits, black): (Vec<u8>, Vec<bool>) = read.into_iter().unzip();
    let signs = cells.iter().filter(|cell| **cell == b"#").count();
    let has_both = black.contains(&true) && digits.iter().zip(&black).any(|(&digit, &black)| digit > 0 && !black);
    let is_str8ts = if is_named { has_both } else { signs >= FEWEST_BLACK && has_both };
    is_str8ts.then(|| marked_string(&plain_str8ts(&digits, &black), &[]))
}

/// The string of a Str8ts in the format plain.
pub(super) fn plain_str8ts(digits: &[u8], black: &[bool]) -> String {
    let digits = digits.iter().map(|digit| char::from(b'0' + digit));
    digits.chain(black.iter().map(|&black| if black { '1' } else { '0' })).collect()
}

/// What 81 cells are that accompany a grid.
fn companion_of(cells: &[&[u8]]) -> Option<Companion> {
    let mut signs: Vec<&[u8]> = cells.to_vec();
    signs.sort_unstable();
    signs.dedup();
    let is_sign = |cell: &&[u8]| cell.len() == 1 && (!cell[0].is_ascii_digit() || matches!(cell[0], b'0' | b'1'));
    if signs.len() == 2 && signs.iter().all(is_sign) {
        return Some(Companion::Mask);
    }
    let is_name = |cell: &&[u8]| (1..=3).contains(&cell.len()) && cell.iter().all(u8::is_ascii_alphanumeric);
    let has_letter = |cell: &&[u8]| cell.iter().any(u8::is_ascii_alphabetic) && !is_empty(cell);
    if signs.iter().any(has_letter)
        && cells.iter().all(|cell| is_empty(cell) || is_name(cell))
        && is_map_of_signs(cells, 9)
    {
        return Some(Companion::Letters);
    }
    let digit = |cell: &&[u8]| match cell {
        [digit @ b'1'..=b'9'] => Some(digit - b'0'),
        _ => Some(0).filter(|_| is_empty(cell)),
    };
    if let Some(digits) = cells.iter().map(digit).collect::<Option<Vec<u8>>>().and_then(|digits| digits.try_into().ok())
        && companions::is_map(&digits)
    {
        return Some(if digits.iter().all(|&digit| digit <= 1) { Companion::Mask } else { Companion::Map });
    }
    // As candidates, the digits of a number ascend, and hardly any cell is empty. Sums of cages are 405 together, or
    // stand in one cell of each cage.
    let number_of = |cell: &[u8]| number(cell).filter(|_| cell.len() <= 2);
    let descends = |cell: &&[u8]| matches!(cell, [tens, ones] if tens >= ones);
    let large = cells.iter().filter(|cell| cell.len() == 2).count();
    let empty = cells.iter().filter(|cell| is_empty(cell)).count();
    let total = || cells.iter().filter_map(|cell| number_of(cell)).sum::<usize>();
    (large >= FEWEST_NUMBERS
        && cells.iter().all(|cell| is_empty(cell) || number_of(cell).is_some())
        && (signs.iter().any(descends) || 2 * empty > cells.len() || total() == companions::ALL_SUMS as usize))
        .then_some(Companion::Numbers)
}

/// What the first word of a row of candidates has besides digits, if it is a mark that people make in a step of solving.
fn marked(line: &TokenLine) -> Option<String> {
    let digits = |word: &[u8]| word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let count = line.words().filter(|word| digits(word) > 0 || is_empty(word)).count();
    if count != 9 || line.words().count() != 9 {
        return None;
    }
    line.words().find_map(|word| {
        let others: Vec<u8> = word.iter().copied().filter(|byte| !byte.is_ascii_digit()).collect();
        let what = match &others[..] {
            _ if digits(word) == 0 => return None,
            letters if !letters.is_empty() && letters.iter().all(u8::is_ascii_alphabetic) => {
                "a letter beside candidates"
            }
            signs if !signs.is_empty() && signs.iter().all(|sign| b"-~!/\\".contains(sign)) && digits(word) > 1 => {
                "a minus sign or another mark of a deleted candidate"
            }
            signs if signs.iter().any(|sign| b"<>[]{}".contains(sign)) => "brackets around a digit",
            _ => return None,
        };
        let word = String::from_utf8_lossy(word);
        Some(format!("{what}, {word}: a mark of a step of solving; remove such marks"))
    })
}

#[cfg(test)]
mod tests {
    use crate::formats::{Evidence, Format, GridBlock, GridBlocks, Hints, read_one};

    /// Rows of signs, of numbers, with borders and empty cells: the board of their plain string.
    #[test]
    fn grids_of_other_sides_are_read() {
        let six = "123456456123234561561234345612612345".replace(['3', '5'], ".");
        let rows = |between: &str, empty: &str| -> String {
            let line =
                |row: &str| row.chars().map(String::from).collect::<Vec<_>>().join(between).replace('.', empty) + "\n";
            six.as_bytes().chunks(6).map(|row| line(std::str::from_utf8(row).unwrap())).collect()
        };
        let bordered: String =
            rows(" ", ".").lines().enumerate().fold("+-------+-------+\n".into(), |text, (at, line)| {
                let border = if at % 2 == 1 { "+-------+-------+\n" } else { "" };
                format!("{text}| {} | {} |\n{border}", &line[..5], &line[6..])
            });
        let sixteen: Vec<u32> =
            (0..256).map(|at| if at % 3 == 0 { 0 } else { (at % 16 + at / 16 % 4 * 4 + at / 64) % 16 + 1 }).collect();
        let numbers =
            sixteen.chunks(16).map(|row| row.iter().map(|digit| format!("{digit:>3}")).collect::<String>() + "\n");
        let hexadecimal = sixteen.chunks(16).map(|row| {
            row.iter().map(|&digit| b".123456789ABCDEFG"[digit as usize] as char).collect::<String>() + "\n"
        });
        let six: Vec<u32> = six.bytes().map(|sign| if sign == b'.' { 0 } else { (sign - b'0').into() }).collect();
        for (text, want) in [
            (rows("", "0"), &six),
            (rows(" ", "."), &six),
            (rows(" ", "_"), &six),
            (bordered, &six),
            (numbers.collect(), &sixteen),
            (hexadecimal.collect(), &sixteen),
        ] {
            let one = read_one(text.as_bytes(), Some(Format::Grid), &Hints::default(), &Evidence::default());
            let one = one.unwrap_or_else(|reject| panic!("{reject}\n{text}"));
            let codes: Vec<u32> = (0..want.len()).map(|cell| one.batch.code(0, cell)).collect();
            assert_eq!((&codes, one.form.id), (want, Format::Grid), "{text}");
            // As it is found in a text.
            let blocks: Vec<_> = GridBlocks::new(text.as_bytes()).map(GridBlock::string).collect();
            let string = blocks[0].as_ref().unwrap();
            let again = read_one(string, Some(Format::Grid), &Hints::default(), &Evidence::default()).unwrap();
            assert!(blocks.len() == 1 && (0..want.len()).all(|cell| again.batch.code(0, cell) == want[cell]), "{text}");
        }
    }

    /// Letters beside a square of side 16 are its map, or refuse it.
    #[test]
    fn letters_beside_a_square_of_side_16() {
        let clues: String = (0..16)
            .map(|at| format!("{:016}\n", if at < 9 { 10_u64.pow(at) * u64::from(at + 1) } else { 0 }))
            .collect();
        let map = |first: char| -> String {
            let letter = |at: usize| char::from(b'A' + (at / 64 * 4 + at % 16 / 4) as u8);
            let rows = (0..16).map(|row| (16 * row..16 * row + 16).map(letter).collect::<String>() + "\n");
            rows.collect::<String>().replacen('A', &first.to_string(), 1)
        };
        let read = |text: &str| -> Vec<bool> {
            GridBlocks::new(text.as_bytes()).map(|block| block.string().is_ok()).collect()
        };
        assert_eq!(read(&clues), [true]);
        assert_eq!(read(&format!("{clues}\n{}", map('A'))), [true]);
        assert_eq!(read(&format!("{clues}\n{}", map('B'))), [false, false]);
    }

    const NINE: &str =
        "100000569\n492056108\n056108240\n009640801\n064010000\n218035604\n040500016\n905061402\n621000005\n";

    /// A square beside its map is a jigsaw, and beside itself at another stage, it is refused; two puzzles, and a puzzle and its solution,
    /// are read.
    #[test]
    fn squares_beside_their_maps_and_stages() {
        let clues = "1 . . . 5 .\n. . 3 . . 1\n. 3 . . 6 .\n5 . . 2 . .\n. . 2 . . 5\n. 1 . 3 . .\n";
        let later = clues.replacen("1 .", "1 2", 1);
        let map = "111222\n111222\n333444\n333444\n555666\n555666\n";
        let letters = "AAABBB\nAAABBB\nCCCDDD\nCCCDDD\nEEEFFF\nEEEFFF\n";
        let solution = "123456\n456123\n231564\n564231\n312645\n645312\n";
        let read = |text: &str| -> Vec<bool> {
            GridBlocks::new(text.as_bytes()).map(|block| block.string().is_ok()).collect()
        };
        for (text, want) in [
            (clues.to_string(), vec![true]),
            (format!("{clues}\n{map}"), vec![true]),
            (format!("{map}\n{clues}"), vec![true]),
            (format!("{clues}\n{letters}"), vec![true]),
            (format!("{letters}\n{clues}"), vec![true]),
            (format!("{clues}\n{letters}\n{clues}"), vec![false, false, false]),
            (format!("{clues}\n{}", letters.replacen('A', "B", 1)), vec![false, false]),
            (format!("{clues}\n{later}"), vec![false, false]),
            (format!("[Puzzle]\n{clues}[State]\n{solution}"), vec![false, false]),
            (format!("{clues}\n{solution}"), vec![true, true]),
            (format!("Puzzle 1\n{clues}Puzzle 2\n{solution}"), vec![true, true]),
            (format!("{solution}{NINE}"), vec![true, true]),
            (format!("1000\n0000\n0070\n0000\n\n{NINE}"), vec![false, true]),
            (format!("1998\n1999\n2000\n2001\n\n{NINE}"), vec![true]),
            (format!("{NINE}{solution}7\n{NINE}"), vec![true, true, true]),
            (format!("{letters}{}{NINE}", clues.replace(' ', "").replace('.', "0")), vec![true, true]),
        ] {
            assert_eq!(read(&text), want, "{text}");
        }
    }
}
