//! Tells what stands in the places of a text where strings may be: in the columns of a table, at the pointers of JSON
//! lines, among words. A place is not chosen because the strings of another one are damaged.

use std::str;

use super::place::{Guess, Unsure};
use crate::board::{Batch, Cell};
use crate::error::escape;
use crate::formats::{Evidence, Hints, detect, is_consistent, is_string, read_one};

/// The fewest cells of a board that lost some: the leading zeros of a sudoku are at most 17.
const FEWEST_CELLS: usize = 60;

/// The fewest digits of a board that is not read.
const FEWEST_DIGITS: usize = 10;

/// Words of at least this length may be boards in some other format.
const LONG_WORD: usize = 30;

/// The fewest cells of a part of a board.
const FEWEST_OF_PART: usize = 20;

/// Of so many cells of a part, at least one is empty. Puzzles have more, long numbers fewer.
const CELLS_FOR_EMPTY: usize = 3;

/// The fewest digits before dots that stand for the rest of a board.
const FEWEST_BEFORE_DOTS: usize = 6;

/// The number of characters of a field that are shown.
const SHOWN: usize = 30;

/// What the fields of a place are.
#[derive(Debug, Clone, Default)]
pub(super) struct Contents {
    strings: usize,
    /// Strings without an empty cell.
    complete: usize,
    /// Strings of digits that are twice in a row, column or box.
    inconsistent: usize,
    /// Other fields that look like boards.
    boards: usize,
    /// Parts of boards.
    parts: usize,
    /// Other long words, links, and cells with their digits.
    words: usize,
    /// Names of files, and words with digits that are too short to be boards if the name of the place does not say so.
    tokens: usize,
    others: usize,
    /// Whether the name of the place says that puzzles are there.
    is_named: bool,
    /// The first field that is one of `boards`, or else of `parts` or `words`.
    unread: Option<Vec<u8>>,
}

impl Contents {
    /// What these fields are. Fields without a value do not count.
    pub(super) fn of<'t>(fields: impl Iterator<Item = &'t [u8]>) -> Self {
        let mut contents = Self::default();
        fields.for_each(|field| contents.add(field));
        contents
    }

    /// The same with whether the name of the place says that puzzles are there.
    pub(super) fn named(self, is_named: bool) -> Self {
        Self { is_named, ..self }
    }

    /// What rows have besides a chosen field, if that is complete: boards with a field for each cell.
    pub(super) fn of_rests<'r>(rows: impl Iterator<Item = (&'r [u8], Vec<u8>)>) -> Self {
        let mut contents = Self::default();
        for (_, rest) in rows.filter(|(field, _)| is_complete(field)) {
            if looks_like_board(&rest) {
                contents.unread.get_or_insert(rest);
                contents.boards += 1;
            } else {
                contents.others += 1;
            }
        }
        contents
    }

    /// Adds a field, unless it has no value.
    pub(super) fn add(&mut self, field: &[u8]) {
        if NO_VALUES.iter().any(|no| field.eq_ignore_ascii_case(no)) {
            return;
        }
        if is_string(field) {
            self.strings += 1;
            self.complete += usize::from(is_complete(field));
            self.inconsistent += usize::from(!is_consistent(field));
        } else if looks_like_board(field) {
            if self.boards == 0 {
                self.unread = Some(field.to_vec());
            }
            self.boards += 1;
        } else if is_part(field) {
            self.unread.get_or_insert_with(|| field.to_vec());
            self.parts += 1;
        } else if is_long_word(field) || is_link(field) || names_cells(field) {
            self.unread.get_or_insert_with(|| field.to_vec());
            self.words += 1;
        } else {
            let is_token = is_token(field);
            self.tokens += usize::from(is_token);
            self.others += usize::from(!is_token);
        }
    }

    /// The number of fields that are strings.
    pub(super) fn strings(&self) -> usize {
        self.strings
    }

    /// Whether nearly all fields are strings. Words of signs whose digits are no sudoku, such as those of a drawing, are
    /// none if most are so.
    pub(super) fn are_strings(&self) -> bool {
        let others = self.fields() - self.strings;
        self.strings > 0 && self.strings >= others * 4 && self.inconsistent * 2 < self.strings.max(2)
    }

    /// Whether all strings are complete.
    fn are_complete(&self) -> bool {
        self.strings > 0 && self.complete == self.strings
    }

    /// The number of fields.
    fn fields(&self) -> usize {
        self.strings + self.boards + self.parts + self.words + self.tokens + self.others
    }

    /// Whether the fields may be boards, some of which cannot be read. Beside complete grids, parts of boards are some, too.
    fn may_be_boards(&self, chosen: &Self) -> bool {
        let parts = if chosen.are_complete() { self.parts } else { 0 };
        let boards = self.strings + self.boards + parts;
        boards > 0 && boards * 5 >= self.fields()
    }

    /// Whether puzzles may be here in an unknown format, or are missing, if the chosen place has only complete grids: by the fields,
    /// of which shorter ones are enough if the place is named as puzzles are.
    fn may_be_unknown_puzzles(&self, chosen: &Self) -> bool {
        let tokens = self.tokens + self.words;
        let is_named =
            self.is_named && !chosen.is_named && (self.fields() == 0 || tokens > 0 && tokens * 5 >= self.fields());
        let words = self.strings + self.boards + self.parts + self.words;
        chosen.are_complete() && (is_named || self.words > 0 && words * 5 >= self.fields())
    }
}

/// A place with its name, and what is there.
pub(super) type NamedContents<'c> = (String, &'c Contents);

/// Refuses a guess of a `chosen` place, although no other has strings, if another one may hold boards that cannot be read. If the
/// chosen one has only complete grids, it is enough that another one may hold puzzles in an unknown format: then it is refused if it
/// is for `puzzles`, and otherwise that is noted.
pub(super) fn beside<'c>(
    (chosen, contents): NamedContents<'_>,
    guess: &mut Guess,
    others: impl Iterator<Item = NamedContents<'c>> + Clone,
    puzzles: bool,
) -> Result<(), Unsure> {
    if let Some((other, unread)) = others.clone().find(|(_, other)| other.may_be_boards(contents)) {
        let words = unread_words(&chosen, &other, unread);
        return Err(Unsure::Refused(format!("{words}; to read {chosen} all the same, use {}", guess.flags())));
    }
    let Some((other, unread)) = others.clone().find(|(_, other)| other.may_be_unknown_puzzles(contents)) else {
        return Ok(());
    };
    let words = unread_words(&chosen, &other, unread);
    if puzzles {
        return Err(Unsure::Refused(format!("{words}; to read {chosen} all the same, use {}", guess.flags())));
    }
    guess.note = Some(words);
    Ok(())
}

/// Says what is in a place beside the chosen one, and why it is not read.
fn unread_words(chosen: &str, other: &str, unread: &Contents) -> String {
    let field = unread.unread.as_deref().unwrap_or_default();
    let shown: String = String::from_utf8_lossy(field).chars().take(SHOWN).collect();
    let dots = if shown.len() < field.len() { "..." } else { "" };
    let shown = escape(shown.as_bytes());
    let what = match (unread.strings, unread.boards) {
        (0, 0) if unread.words + unread.parts == 0 => {
            format!("{chosen} has only complete grids, and {other}, which is named as puzzles are, has no strings")
        }
        (0, 0) => format!("{chosen} has only complete grids, and the puzzles may be in {other}, which cannot be read"),
        (0, _) => {
            format!("there are strings in {chosen}, but {other} has what looks like boards, too, and cannot be read")
        }
        (read, _) if read == unread.fields() => format!(
            "there are strings in {chosen} and in {other}, where most have a digit twice in a row, column or box"
        ),
        (read, _) => format!(
            "there are strings in {chosen} and in {other}, where only {read} of {} can be read",
            unread.fields()
        ),
    };
    // The advice of other messages is for strings that are read by themselves.
    let hints = Hints::default();
    let fault = detect(field, &hints).and_then(|_| read_one(field, None, &hints, &Evidence::default()));
    let why = match fault {
        _ if str::from_utf8(field).is_ok_and(is_power) => format!(" ('{shown}': it became a number)"),
        Err(reject) if !field.is_empty() => format!(" ('{shown}{dots}': {})", reject.message),
        _ => String::new(),
    };
    format!("{what}{why}")
}

/// Whether a string has no empty cell.
fn is_complete(string: &[u8]) -> bool {
    if string.len() == 81 {
        return string.iter().all(|byte| (b'1'..=b'9').contains(byte));
    }
    let placed = |batch: &Batch| {
        let is_placed = |cell| !matches!(batch.cell(0, cell), Cell::Empty | Cell::Candidates(_));
        (0..batch.shape().side.cells()).all(is_placed)
    };
    read_one(string, None, &Hints::default(), &Evidence::default()).is_ok_and(|one| placed(&one.batch))
}

/// Whether a field that is no string looks like a board all the same: one that lost its leading zeros or became a number,
/// has other signs for empty cells, separators, or the candidates of each cell, is a list of cells, or a damaged string.
pub(super) fn looks_like_board(field: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(field) else { return false };
    is_power(text) || is_damaged(text) || text.len() >= FEWEST_CELLS && (has_cells(text) || is_list(text))
}

/// Whether a text is a number that had as many digits as a board: `8.002e+79`.
fn is_power(text: &str) -> bool {
    let text = text.trim_matches(['"', '\'', '=', ' ']);
    let Some((number, power)) = text.split_once(['e', 'E']) else { return false };
    let is_decimal = number.starts_with(|c: char| c.is_ascii_digit()) && number.parse::<f64>().is_ok();
    is_decimal && power.parse::<usize>().is_ok_and(|power| (FEWEST_CELLS..=81).contains(&power))
}

/// Whether a character may separate cells or rows.
fn separates(c: char) -> bool {
    c.is_whitespace() || "|/\\,;:[](){}+-_'\"=!".contains(c)
}

/// Whether a text has a character for each cell, with digits or up to nine letters, one or two signs for empty cells, and
/// what separates rows.
fn has_cells(text: &str) -> bool {
    let (mut digits, mut cells, mut others) = (0, 0, Vec::new());
    for c in text.chars() {
        if c.is_numeric() {
            (digits, cells) = (digits + 1, cells + 1);
        } else if !separates(c) {
            cells += 1;
            if !others.contains(&c) {
                others.push(c);
            }
        }
        if others.len() > 10 {
            return false;
        }
    }
    let all = text.chars().count();
    let is_spaced = text.chars().all(|c| c.is_numeric() || c == ' ');
    match others.len() {
        // Spaces may be empty cells, and those at the end are lost.
        0 => {
            digits >= FEWEST_CELLS
                || digits >= FEWEST_DIGITS && (if is_spaced { FEWEST_CELLS } else { 81 }..=100).contains(&all)
        }
        1 | 2 if others.iter().all(|c| !c.is_alphabetic()) => digits >= FEWEST_DIGITS && cells >= FEWEST_CELLS,
        1 | 2 => digits >= FEWEST_DIGITS && (FEWEST_CELLS..=100).contains(&cells),
        _ => digits == 0 && cells == 81 && all == 81,
    }
}

/// Whether a text is a list with the contents of each cell: `[[5, 3, null], ...]`.
fn is_list(text: &str) -> bool {
    let (mut cells, mut digits) = (0, 0);
    for token in text.split(|c: char| c.is_whitespace() || "|/,;:[](){}'\"".contains(c)).filter(|t| !t.is_empty()) {
        let is_number = token.parse::<f64>().is_ok();
        if token.len() > 9 || token.len() > 4 && !is_number {
            return false;
        }
        cells += 1;
        digits += usize::from(is_number);
    }
    cells >= FEWEST_CELLS && digits >= FEWEST_DIGITS
}

/// Whether a text has the header of a v2 string, or nearly the length of a v1 string, and their digits.
fn is_damaged(text: &str) -> bool {
    let [kind, side, version, ..] = *text.as_bytes() else { return false };
    let has_header = b"SXWCJLMKDTUBV".contains(&kind) && b"3456789GP".contains(&side) && version.is_ascii_uppercase();
    let has_length = [162, 243, 325].iter().any(|length| text.len().abs_diff(*length) <= 5);
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_v1 = |byte: u8| byte.is_ascii_digit() || byte.is_ascii_lowercase() || byte == b',';
    has_header && text.len() >= LONG_WORD && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
        || has_length && digits * 4 >= text.len() && text.bytes().all(is_v1)
}

/// Whether a field has only cells, but fewer than a board: digits and signs for empty cells, or a few digits and dots for the rest.
fn is_part(field: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(field) else { return false };
    let text = text.trim_matches(['"', '\'', ' ']);
    let cells = text.trim_end_matches(['.', '\u{2026}']);
    let is_cut = text.ends_with("...") || text.ends_with('\u{2026}');
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let are_cells = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || b".*".contains(&byte));
    let empty = text.bytes().filter(|byte| b"0.*".contains(byte)).count();
    let is_short = text.len() >= FEWEST_OF_PART && digits * 10 >= text.len() && empty * CELLS_FOR_EMPTY >= text.len();
    is_cut && digits >= FEWEST_BEFORE_DOTS && are_cells(cells) || is_short && are_cells(text)
}

/// Whether a field is an address, which may lead to a board.
fn is_link(field: &[u8]) -> bool {
    let rest = field.strip_prefix(b"http").map(|rest| rest.strip_prefix(b"s").unwrap_or(rest));
    rest.is_some_and(|rest| rest.starts_with(b"://"))
}

/// The lengths of hashes in hexadecimal.
const HASHES: [usize; 6] = [32, 40, 48, 56, 64, 128];

/// The fewest cells with their digits that may be a board.
const FEWEST_NAMED: usize = 3;

/// Whether a field names cells with their digits: `r1c5=3, r2c7=8`, `R1C5 3`.
fn names_cells(field: &[u8]) -> bool {
    let is_cell = |part: &[u8]| {
        let part: [u8; 4] = part.try_into().unwrap_or_default();
        part[0].eq_ignore_ascii_case(&b'r')
            && part[2].eq_ignore_ascii_case(&b'c')
            && part[1].is_ascii_digit()
            && part[3].is_ascii_digit()
    };
    let cells = field.windows(4).filter(|part| is_cell(part)).take(FEWEST_NAMED).count();
    cells == FEWEST_NAMED || cells > 0 && field.contains(&b'=')
}

/// Fields that have no value.
const NO_VALUES: [&[u8]; 7] = [b"", b"\\N", b"NULL", b"nan", b"None", b"N/A", b"-"];

/// The fewest characters of a word with digits that may be a puzzle if its place is named as puzzles are.
const FEWEST_OF_TOKEN: usize = 12;

/// Whether a field is the name of a file, or a word with letters and digits that is neither a hash nor a date.
fn is_token(field: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| field.iter().any(is);
    let is_file = field.contains(&b'.') && has(u8::is_ascii_alphabetic);
    let is_word = field.len() >= FEWEST_OF_TOKEN && has(u8::is_ascii_alphabetic) && has(u8::is_ascii_digit);
    !has(u8::is_ascii_whitespace) && (is_file || is_word && !is_hash(field))
}

/// Whether a field is a hash or an identifier in hexadecimal.
fn is_hash(field: &[u8]) -> bool {
    let is_hex = field.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'-');
    is_hex && (field.contains(&b'-') || HASHES.contains(&field.len()))
}

/// Whether a field is a long word that may be a board in some other format. Hashes and identifiers are none.
fn is_long_word(field: &[u8]) -> bool {
    field.len() >= LONG_WORD
        && field.iter().any(u8::is_ascii_digit)
        && !field.iter().any(u8::is_ascii_whitespace)
        && !is_hash(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: &str = "000801600090000000000000050603000000000040000705000000040200030100000800000000000";

    #[test]
    fn boards_that_cannot_be_read() {
        let rows = |between: &str| {
            P.as_bytes()
                .chunks(9)
                .map(|row| String::from_utf8_lossy(row).into_owned())
                .collect::<Vec<_>>()
                .join(between)
        };
        let cells = |between: &str| P.chars().map(|c| c.to_string()).collect::<Vec<_>>().join(between);
        for text in [
            P.trim_start_matches('0').to_string(),
            format!("{P}0"),
            P.replace('0', "~"),
            P.replace('0', " "),
            P.replace('0', "o"),
            P.replace('0', "\u{b7}"),
            P.replace('8', "\u{2467}").replace('0', "."),
            rows("."),
            rows("/"),
            rows("\n"),
            rows("\", \""),
            cells(", "),
            cells(" "),
            format!("[[{}]]", cells("], [")),
            cells(", ").replace('0', "None"),
            "8.016e+77".to_string(),
            "\"8.016E77\"".to_string(),
            P.replace('0', " ").trim_end().to_string(),
            format!("S9B{}", "0".repeat(160)),
            format!("03c848csc4cs1121g10hg0{}", "05481020".repeat(17)),
            format!("=\"{P}\""),
            "123456789".repeat(81),
            "ABCDEFGHI".repeat(9),
        ] {
            assert!(looks_like_board(text.as_bytes()), "{text}");
        }
        for text in [
            "0",
            "1.5e10",
            "2024-05-17 12:30",
            "a sudoku from a book of 1984, which is neither easy nor hard, by somebody",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "t:546978213:132465879:518234697",
            "https://example.org/a/very/long/address/of/a/page/with/a/number/1234567890?x=1",
        ] {
            assert!(!looks_like_board(text.as_bytes()), "{text}");
        }
    }

    /// Complete grids are not chosen beside puzzles of which only parts are there, or addresses.
    #[test]
    fn complete_grids_beside_broken_puzzles() {
        let solution = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        let chosen = |string: &str| Contents::of([string.as_bytes()].into_iter());
        for (field, puzzles, is_refused) in [
            ("08041007...", false, true),
            ("08041007\u{2026}", true, true),
            ("530070000600195000098000060", false, true),
            ("53..7....6..195....98....6.", true, true),
            ("https://tinyurl.com/abcdef", true, true),
            ("https://tinyurl.com/abcdef", false, false),
            ("2024-05-17 12:30", true, false),
            ("20240517123045123456", true, false),
            ("Puzzle 7...", true, false),
            ("hard", true, false),
            ("3f2504e0-4f89-11d3-9a0c-0305e82c3301", true, false),
            ("1234567890", true, false),
        ] {
            let other = Contents::of([field.as_bytes()].into_iter());
            let said = |chosen: &Contents| {
                beside(("b".into(), chosen), &mut Guess::default(), [("a".into(), &other)].into_iter(), puzzles)
            };
            assert_eq!(said(&chosen(solution)).is_err(), is_refused, "{field}");
            assert_eq!(said(&chosen(P)), Ok(()), "{field}");
        }
    }
}
