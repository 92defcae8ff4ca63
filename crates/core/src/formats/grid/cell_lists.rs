//! Lines that list cells by their names: those of a region, a cage or a thermometer (`Cage 12: r1c1 r1c2`). They make another puzzle of the
//! grid beside them. A solver's log names cells, too, but says something else about them (`r1c1 = 7`, `pair in r1c1 and r1c2`).

use super::sign_rows::valid_part;

/// Words that only a definition has, in the singular.
const OF_DEFINITIONS: [&str; 14] = [
    "arrow",
    "cage",
    "entropic",
    "k\u{e4}fig",
    "kropki",
    "nabner",
    "nonomino",
    "palindrome",
    "polyomino",
    "renban",
    "thermo",
    "thermometer",
    "whisper",
    "zipper",
];
/// Words of definitions that logs have, too.
const OF_BOTH: [&str; 43] = [
    "area",
    "between",
    "black",
    "blue",
    "cell",
    "circle",
    "clone",
    "color",
    "colour",
    "consecutive",
    "diagonal",
    "difference",
    "dot",
    "even",
    "extra",
    "gray",
    "green",
    "grey",
    "inequality",
    "jigsaw",
    "killer",
    "line",
    "lockout",
    "max",
    "maximum",
    "min",
    "minimum",
    "nonet",
    "odd",
    "pink",
    "piece",
    "quadruple",
    "ratio",
    "red",
    "region",
    "sandwich",
    "shaded",
    "shape",
    "square",
    "white",
    "yellow",
    "zone",
    "xv",
];
/// The same of houses and of sums, of which logs say that some cells of them are left.
const OF_HOUSES: [&str; 8] = ["block", "box", "group", "house", "row", "column", "set", "sum"];
/// Words of logs only, at their beginning: `naked`, `hidden`, `pairs`.
const OF_LOGS: [&str; 22] = [
    "als",
    "candidate",
    "chain",
    "claim",
    "cycle",
    "elimin",
    "fish",
    "hidden",
    "in",
    "link",
    "locked",
    "loop",
    "naked",
    "on",
    "pair",
    "point",
    "single",
    "step",
    "swordfish",
    "tripl",
    "wing",
    "quad",
];
/// The fewest cells of a list that may be about a house.
const FEWEST_OF_HOUSE: usize = 3;
/// The most words of a heading or of what is before a list.
const MOST_WORDS: usize = 4;
/// This many lists of at least this many cells, without a cell that is in two of them, are regions without more words.
const LISTS: usize = 3;
const CELLS: usize = 4;
/// The largest number of a cell.
const LARGEST: u32 = 25;

/// What a line with names of cells says.
#[derive(Debug)]
struct CellList<'t> {
    names: Vec<&'t str>,
    /// How many cells these are: `r1c23` is two.
    count: usize,
    /// What is before the first name.
    head: &'t str,
    /// What is between them, and after the last.
    rest: Vec<&'t str>,
}

/// Finds the first of some lines that defines something by the names of cells.
pub(super) fn first_definition(lines: &[&[u8]]) -> Option<usize> {
    let mut run: Vec<(usize, CellList)> = Vec::new();
    // The fewest cells of a list below the last line, if that is a heading.
    let mut heading = None;
    for (at, line) in lines.iter().enumerate() {
        let Some(list) = may_have_cells(line).then(|| CellList::read(valid_part(line))).flatten() else {
            if let Some(first) = first_of_lists(&run) {
                return Some(first);
            }
            run.clear();
            heading = fewest_below(line);
            continue;
        };
        let is_pure = list.is_pure();
        let is_headed = heading.is_some_and(|fewest| list.count >= fewest);
        if list.is_definition() || is_pure && is_headed {
            return first_of_lists(&run).or(Some(at));
        }
        if !is_pure || run.iter().any(|(_, other)| other.has_name_of(&list)) {
            if let Some(first) = first_of_lists(&run) {
                return Some(first);
            }
            run.clear();
        }
        if is_pure {
            run.push((at, list));
            // Whatever follows, these are regions, so long lists are compared with few others.
            if run.iter().filter(|(_, list)| list.count >= CELLS).count() >= LISTS {
                return Some(run[0].0);
            }
        } else {
            heading = None;
        }
    }
    first_of_lists(&run)
}

/// The first of lists that are regions or cages together.
fn first_of_lists(lists: &[(usize, CellList)]) -> Option<usize> {
    let count = |fewest: usize| lists.iter().filter(|(_, list)| list.count >= fewest).count();
    let are_cages = || count(2) >= 2 && lists.iter().all(|(_, list)| list.has_sum());
    let are_named = || count(2) >= 2 && lists.iter().all(|(_, list)| list.has_letter());
    (count(CELLS) >= LISTS || are_cages() || are_named()).then(|| lists[0].0)
}

/// Whether a line may have a name of a cell. Most lines have none.
fn may_have_cells(line: &[u8]) -> bool {
    let is_name = |two: &[u8]| two[1].is_ascii_digit() && (two[0].is_ascii_alphabetic() || b"([".contains(&two[0]));
    line.windows(2).any(is_name)
}

/// The fewest cells of a list below a line, if the line is a heading of words of definitions.
fn fewest_below(line: &[u8]) -> Option<usize> {
    // A longer line has more words.
    let text = Some(valid_part(line)).filter(|text| text.len() <= 20 * MOST_WORDS)?;
    let mut fewest = None;
    for (count, word) in words(text).enumerate() {
        fewest = Some(fewest_of(&word).filter(|_| count < MOST_WORDS)?.max(fewest.unwrap_or(0)));
    }
    fewest
}

/// The fewest cells that a definition with this word lists.
fn fewest_of(word: &str) -> Option<usize> {
    let is_in =
        |words: &[&str]| words.contains(&word) || word.strip_suffix('s').is_some_and(|word| words.contains(&word));
    match word {
        "boxes" => Some(FEWEST_OF_HOUSE),
        _ if is_in(&OF_HOUSES) => Some(FEWEST_OF_HOUSE),
        _ if is_in(&OF_BOTH) || is_of_definition(word) => Some(2),
        _ => None,
    }
}

fn is_of_definition(word: &str) -> bool {
    OF_DEFINITIONS.iter().any(|known| word.strip_prefix(known).is_some_and(|end| matches!(end, "" | "s")))
}

/// The words of a text in small letters, without the names of single letters and numbers.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphabetic()).filter(|word| word.chars().nth(1).is_some()).map(str::to_lowercase)
}

impl<'t> CellList<'t> {
    /// Reads a line that has at least one name.
    fn read(text: &'t str) -> Option<Self> {
        [name_of_row_and_column, name_of_pair, name_of_letter].into_iter().find_map(|name| Self::of_names(text, name))
    }

    /// Reads the names of one sort.
    fn of_names(text: &'t str, name: fn(&[u8]) -> Option<(usize, usize)>) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut list = Self { names: Vec::new(), count: 0, head: "", rest: Vec::new() };
        let (mut at, mut from) = (0, 0);
        while at < bytes.len() {
            let is_start = at == from || !bytes[at - 1].is_ascii_alphanumeric();
            match is_start.then(|| name(&bytes[at..])).flatten() {
                Some((length, cells)) => {
                    match list.names.is_empty() {
                        true => list.head = &text[..at],
                        false => list.rest.push(&text[from..at]),
                    }
                    list.names.push(&text[at..at + length]);
                    list.count += cells;
                    at += length;
                    from = at;
                }
                None => at += 1,
            }
        }
        list.rest.push(&text[from..]);
        (!list.names.is_empty()).then_some(list)
    }

    fn has_name_of(&self, other: &Self) -> bool {
        self.names.iter().any(|name| other.names.iter().any(|other| other.eq_ignore_ascii_case(name)))
    }

    /// Whether the line has nothing else than a short name, cells and a number.
    fn is_pure(&self) -> bool {
        let (last, between) = self.rest.split_last().unwrap_or((&"", &[]));
        let separates = |c: char| c.is_whitespace() || ",;+&|/.:-\u{2013}\u{2192}[](){}\"'\u{d7}*".contains(c);
        let is_between = |text: &&str| {
            let text = text.trim();
            matches!(text, "and" | "->" | "to") || text.chars().all(separates)
        };
        let ends =
            |word: &str| word.bytes().all(|byte| byte.is_ascii_digit()) || matches!(word, "sum" | "total" | "is");
        let is_end = last.split(|c| separates(c) || c == '=').all(ends);
        let is_of_log =
            |word: String| OF_LOGS.iter().any(|known| word.starts_with(known)) && fewest_of(&word).is_none();
        let is_head = words(self.head).count() <= MOST_WORDS && !words(self.head).any(is_of_log);
        is_head && is_end && number_of(last).is_ok() && between.iter().all(is_between)
    }

    /// Whether it says what holds for the cells.
    fn is_definition(&self) -> bool {
        if self.count < 2 {
            return false;
        }
        let is_named = || {
            self.is_pure()
                && words(self.head).take(2).filter_map(|word| fewest_of(&word)).any(|fewest| self.count >= fewest)
        };
        let mut all = words(self.head).chain(self.rest.iter().flat_map(|text| words(text)));
        all.any(|word| is_of_definition(&word)) || self.is_relation() || is_named()
    }

    /// Whether it is an inequality of two cells, or what cells make together.
    fn is_relation(&self) -> bool {
        let Some((last, between)) = self.rest.split_last().filter(|(_, between)| !between.is_empty()) else {
            return false;
        };
        let are = |signs: &[&str]| between.iter().all(|text| signs.contains(&text.trim()));
        let is_alone = self.head.trim().is_empty() && last.trim().is_empty();
        let has_result = || last.trim_start().starts_with('=') || self.head.trim_end().ends_with('=');
        is_alone && are(&["<", ">"]) || are(&["+", "*", "\u{d7}"]) && self.has_sum() && has_result()
    }

    /// Whether its name is a letter: `A = r1c1, r1c2`.
    fn has_letter(&self) -> bool {
        let name = self.head.trim().strip_suffix(['=', ':']).unwrap_or_default().trim();
        let mut letters = name.chars();
        letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none()
    }

    /// Whether it has a number that is the sum of as many cells.
    fn has_sum(&self) -> bool {
        let last = self.rest.last().and_then(|text| number_of(text).ok().flatten());
        let head = || number_of(self.head).ok().flatten();
        let count = self.count as u32;
        last.or_else(head)
            .is_some_and(|sum| (count.saturating_mul(count + 1) / 2..=count.saturating_mul(LARGEST)).contains(&sum))
    }
}

/// The only number of a text.
fn number_of(text: &str) -> Result<Option<u32>, ()> {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let number = numbers.next().map(|digits| digits.parse().map_err(drop)).transpose()?;
    if numbers.next().is_some() { Err(()) } else { Ok(number) }
}

/// The number of digits at the start of a text.
fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// The length of the name at the start of a text, and how many cells it names: `r1c1`, `R1C23`.
fn name_of_row_and_column(text: &[u8]) -> Option<(usize, usize)> {
    let part = |text: &[u8], letter: u8| {
        let is_letter = text.first().is_some_and(|first| first | 0x20 == letter);
        Some(digits(text.get(1..)?)).filter(|&digits| is_letter && (1..=9).contains(&digits))
    };
    let rows = part(text, b'r')?;
    let columns = part(&text[1 + rows..], b'c')?;
    let length = 2 + rows + columns;
    let is_over = match text.get(length) {
        Some(b'r' | b'R') => text.get(length + 1).is_some_and(u8::is_ascii_digit),
        next => !next.is_some_and(u8::is_ascii_alphanumeric),
    };
    // Digits that rise are several rows or columns (`r12`), and others are a number (`r10`, `r11`).
    let count = |of: &[u8]| if of[0] > b'0' && of.is_sorted_by(|one, next| one < next) { of.len() } else { 1 };
    is_over.then_some((length, count(&text[1..1 + rows]) * count(&text[2 + rows..length])))
}

/// The same of a name in brackets: `(1,1)`.
fn name_of_pair(text: &[u8]) -> Option<(usize, usize)> {
    let inner = text.strip_prefix(b"(").or(text.strip_prefix(b"["))?;
    let rows = digits(inner);
    let rest = inner[rows..].strip_prefix(b",")?;
    let spaces = usize::from(rest.starts_with(b" "));
    let columns = digits(&rest[spaces..]);
    let is_closed = rest.get(spaces + columns).is_some_and(|byte| b")]".contains(byte));
    let is_number = |digits| (1..=2).contains(&digits);
    (is_closed && is_number(rows) && is_number(columns)).then_some((3 + rows + spaces + columns, 1))
}

/// The same of a letter and a number: `A1`.
fn name_of_letter(text: &[u8]) -> Option<(usize, usize)> {
    let digits = digits(text.get(1..)?);
    let is_row = (b'a'..=b'p').contains(&(text[0] | 0x20));
    let is_over = !text.get(1 + digits).is_some_and(u8::is_ascii_alphanumeric);
    (is_row && is_over && (1..=2).contains(&digits)).then_some((1 + digits, 1))
}

#[cfg(test)]
mod tests {
    use super::super::cut::tests::random_numbers;
    use crate::formats::{GridBlock, GridBlocks};

    const CLUES: &str =
        "100000569\n492056108\n056108240\n009640801\n064010000\n218035604\n040500016\n905061402\n621000005\n";

    fn read(text: &str, is_kind_known: bool) -> Vec<bool> {
        let blocks = GridBlocks::new(text.as_bytes()).with_kind_known(is_kind_known);
        blocks.map(GridBlock::string).map(|string| string.is_ok()).collect()
    }

    /// The name of a cell in some notation.
    fn name(sort: u64, row: u64, column: u64) -> String {
        let letter = char::from(b'A' + row as u8);
        match sort {
            0 => format!("r{}c{}", row + 1, column + 1),
            1 => format!("R{}C{}", row + 1, column + 1),
            2 => format!("({},{})", row + 1, column + 1),
            3 => format!("({}, {})", row + 1, column + 1),
            _ => format!("{letter}{}", column + 1),
        }
    }

    /// Lists of cells that share none, in rows of a grid.
    fn lists(lengths: std::ops::Range<u64>, random: &mut impl FnMut(u64) -> u64) -> Vec<Vec<String>> {
        let sort = random(5);
        let count = 2 + random(8);
        let mut list = |row: u64| {
            let length = lengths.start + random(lengths.end - lengths.start);
            let first = random(10 - length);
            (first..first + length).map(|column| name(sort, row, column)).collect()
        };
        (0..count.min(9)).map(&mut list).collect()
    }

    fn is_refused(lines: &str) {
        for text in
            [format!("{CLUES}\n{lines}"), format!("{lines}\n{CLUES}"), format!("Hello\n{CLUES}My puzzle:\n{lines}")]
        {
            assert!(!read(&text, false).contains(&true), "{text}");
            assert!(read(&text, true).contains(&true), "{text}");
        }
    }

    #[test]
    fn definitions_of_cells_refuse_the_grids_beside_them() {
        let mut random = random_numbers();
        let words = [
            "Cage",
            "thermo",
            "Arrow",
            "region",
            "Extra region",
            "Renban line",
            "WHISPER",
            "Palindrome",
            "Zone",
            "Jigsaw piece",
        ];
        let separators = [" ", ", ", ",", "-", " - ", ";", "+", " -> ", "/"];
        for _ in 0..200 {
            let word = words[random(10) as usize];
            let separator = separators[random(9) as usize];
            let dress = random(8);
            let mut text = if dress == 0 { format!("{word}s:\n") } else { String::new() };
            for (number, list) in (1..).zip(lists(2..6, &mut random)) {
                let cells = list.join(separator);
                text += &match dress {
                    0 => format!("{cells}\n"),
                    1 => format!("{word} {number}: {cells}\n"),
                    2 => format!("{word}: [{cells}]\n"),
                    3 => format!("- {word} = {cells}\n"),
                    4 => format!("# {word} ({cells})\n"),
                    5 => format!("{number}. {word} {cells}.\n"),
                    6 => format!("* {word} {number} = {{{cells}}}\n"),
                    _ => format!("{word}, {}: {cells}\n", 20 + number),
                };
                if random(3) == 0 {
                    break;
                }
            }
            is_refused(&text);
        }
    }

    #[test]
    fn lists_that_share_no_cell_refuse_the_grids_beside_them() {
        let mut random = random_numbers();
        for _ in 0..200 {
            let dress = random(7);
            let fewest = if dress == 6 { 4 } else { 2 };
            let mut lists = lists(fewest..7, &mut random);
            if dress == 6 {
                lists.extend((0..3).map(|row| (0..4).map(|column| name(0, row, column)).collect()));
                lists.drain(..lists.len() - 3);
            }
            let line = |(at, cells): (usize, &Vec<String>)| {
                let sum = cells.len() * 5;
                let letter = char::from(b'a' + at as u8);
                match dress {
                    0 => format!("{letter} = {} ({sum})\n", cells.join(",")),
                    1 => format!("{sum}: {}\n", cells.join(" ")),
                    2 => format!("{} = {sum}\n", cells.join("+")),
                    3 => format!("{sum}={}\n", cells.join("+")),
                    4 => format!("{}: {sum}\n", cells.join(" ")),
                    5 => format!("{letter}: {}\n", cells.join(", ")),
                    _ => format!("{}) {}\n", at + 1, cells.join(" ")),
                }
            };
            is_refused(&lists.iter().enumerate().map(line).collect::<String>());
        }
        is_refused("r1c1 < r1c2\n");
        is_refused("r1c1 + r1c2 = 12\n");
        is_refused("A greater-than sudoku\nA1 > A2\n");
    }

    #[test]
    fn logs_of_solvers_do_not_refuse_the_grids_beside_them() {
        let mut random = random_numbers();
        for _ in 0..300 {
            let mut text = String::new();
            for list in lists(2..5, &mut random) {
                let (one, two, digit) = (&list[0], &list[1], 1 + random(9));
                text += &match random(19) {
                    0 => format!("Naked pair {{{digit},2}} in {one} and {two}\n"),
                    1 => format!("Naked Pair {digit}2: {one}, {two}\n"),
                    2 => format!("Hidden triple in {one}, {two} => {two}<>{digit}\n"),
                    3 => format!("{one} = {digit}\n"),
                    4 => format!("{one}={digit}, {two}={digit}\n"),
                    5 => format!("I am stuck at {one}\n"),
                    6 => format!("{digit} must be in {one} or {two}.\n"),
                    7 => format!("Pointing pair in box {digit}: {} => {two}<>{digit}\n", list.join(", ")),
                    8 => format!("X-Wing: {digit} {}\n", list.join(" ")),
                    9 => format!("({digit}){one}=({digit}){two}-(3)r9c9\n"),
                    10 => format!("Hidden single: {one}={digit}\n"),
                    11 => format!("What follows from {one} and {two}?\n"),
                    12 => format!("Step {digit}: {one}, {two}\n"),
                    13 => format!("{one} sees {two}\n"),
                    14 => format!("{one} -> {digit}\n"),
                    15 => format!("{one}: {digit}{digit}7\n"),
                    16 => format!("Locked candidates {digit} in {}\n", list.join(", ")),
                    17 => format!("r1{}c11 = {digit}\n", random(2)).repeat(3),
                    _ => format!("Box {digit}: only {one} can be {digit}\n"),
                };
                text += ["", "\n", "Then I do not know how to go on.\n"][random(3) as usize];
            }
            for text in [format!("{CLUES}\nHelp!\n{text}"), format!("{text}\nThe grid is this\n{CLUES}")] {
                let found: Vec<bool> = read(&text, false).into_iter().filter(|is_read| *is_read).collect();
                assert_eq!(found, [true], "{text}\n{:?}", GridBlocks::new(text.as_bytes()).collect::<Vec<_>>());
            }
        }
    }
}
