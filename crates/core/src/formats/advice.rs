//! Gives advice for rejected strings: what the string looks like, and which flags would read it.

use super::decode_one::decode_one;
use super::foreign::foreign_line;
use super::text::length;
use super::{Evidence, Format, Hints, Within, detect, resolve_layout};
use crate::error::{Code, escape};

/// The number of fields of a line that are examined.
const MAX_FIELDS: usize = 64;

/// Only strings with at least this many bytes are recognised in text whose format is unknown. The shortest string of
/// any shape has 30 bytes, a KenKen of side 3 in v2, apart from game ids of boards with hardly any clues.
const MIN_LENGTH: usize = 16;

/// Returns advice for a string that was rejected for its length, header or digits, if it looks like something known.
/// `from` is the format that the user named.
pub(super) fn advice(text: &[u8], from: Option<Format>, hints: &Hints) -> Option<String> {
    let within = hints.within;
    let words = |known: Option<&'static str>| known.map(str::to_string);
    words(foreign_encoding(text))
        .or_else(|| from.and_then(|from| of_another_format(text, from, hints)))
        .or_else(|| surrounded(text, within))
        .or_else(|| foreign_line(text, within).map(|found| found.words))
        .or_else(|| if within == Within::Line { part(text).or_else(|| words(link(text))) } else { None })
        .or_else(|| damaged(text))
        .or_else(|| words(grid(text).filter(|_| within == Within::Line)))
}

/// Says what to do about a line of a text with grids that is a string, or looks like one.
pub(super) fn not_a_grid(line: &[u8]) -> String {
    if is_string(line) {
        return "a string, not a grid; read it with --framing lines".to_string();
    }
    let known = surrounded(line, Within::Line)
        .or_else(|| foreign_line(line, Within::Line).map(|found| found.words))
        .or_else(|| part(line))
        .or_else(|| link(line).map(str::to_string))
        .or_else(|| damaged(line));
    let what = "a string or a link, not a grid";
    known.map_or(what.to_string(), |words| format!("{what}; {words}"))
}

/// Says what a string is that the user took for one of format `from`.
fn of_another_format(text: &[u8], from: Format, hints: &Hints) -> Option<String> {
    let found = detect(text, hints).ok()?.id;
    (found != from && is_string(text)).then(|| format!("it is {found}: leave out --from, or use --from {found}"))
}

/// Says what to do first with a text that is not in UTF-8, or whose line ends are single carriage returns.
pub fn encoding(text: &[u8]) -> Option<&'static str> {
    // Characters of this width, each of one byte, whose NULs are in the same places. (The line before may have ended in the
    // middle of a character.)
    let begin = &text[..text.len().min(8)];
    let is_wide = |width: usize| {
        begin.len() >= width
            && (0..width).any(|at| begin.iter().enumerate().all(|(i, &byte)| (byte != 0) == (i % width == at)))
    };
    if text.starts_with(b"\xff\xfe\0\0") || text.starts_with(b"\0\0\xfe\xff") || is_wide(4) {
        return Some("it looks like UTF-32; convert it to UTF-8 first, for example with 'iconv -f UTF-32 -t UTF-8'");
    }
    if text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff") || text.len() > 8 && is_wide(2) {
        return Some("it looks like UTF-16; convert it to UTF-8 first, for example with 'iconv -f UTF-16 -t UTF-8'");
    }
    let first = memchr::memchr2(b'\r', b'\n', text)?;
    let is_alone = text[first] == b'\r' && text.get(first + 1).is_some_and(|&next| next != b'\n');
    carriage_returns(text).filter(|_| is_alone)
}

/// Advises about line ends and encodings of other systems.
fn foreign_encoding(text: &[u8]) -> Option<&'static str> {
    if let Some(words) = encoding(text) {
        return Some(words);
    }
    if text.starts_with(b"\xef\xbb\xbf") {
        return Some("it begins with a byte order mark; remove it");
    }
    carriage_returns(text)
}

/// Says what to do about a line that contains carriage returns.
pub fn carriage_returns(text: &[u8]) -> Option<&'static str> {
    // Reject rows escape backslashes, so a command that is to be copied from them must not contain any.
    let words = "it contains carriage returns; if they are line ends, convert them to line feeds first, for example with \
        'perl -015 -l012 -pe 1'";
    memchr::memchr(b'\r', text).map(|_| words)
}

/// Advises about links and parts of links.
fn link(text: &[u8]) -> Option<&'static str> {
    memchr::memchr(b'=', text)?;
    let is_whole = text.windows(3).any(|three| three == b"://") || text.starts_with(b"www.");
    // The string of a parameter ends where none of its characters follows.
    let reads = |name: &[u8]| {
        memchr::memmem::find_iter(text, name).take(MAX_FIELDS).any(|at| {
            let value = &text[at + name.len()..];
            let end = value.iter().position(|byte| b"&#\"'<> \t".contains(byte)).unwrap_or(value.len());
            let is_start = at == 0 || b"?&;".contains(&text[at - 1]);
            is_start && (value[..end].contains(&b'%') || is_string(&value[..end]))
        })
    };
    let is_board = reads(b"bd=") || reads(b"n=");
    match is_whole {
        true => is_board.then_some(
            "it contains a link; 'gridmill convert --framing links' converts the boards of links, and 'gridmill relink' rewrites links in files",
        ),
        false => (is_board && text.iter().take(4).any(|&byte| byte == b'=')).then_some(
            "it is a link parameter: the string is what follows the '='; 'gridmill convert --framing links' reads whole links",
        ),
    }
}

/// Advises about a string with something around it.
fn surrounded(text: &[u8], within: Within) -> Option<String> {
    let bare = text.trim_ascii();
    if bare.len() < text.len() && is_string(bare) {
        let what = if within == Within::Line { "read it with --framing words" } else { "remove them" };
        return Some(format!("it is a well-formed string surrounded by spaces; {what}"));
    }
    if unquoted(bare).len() < bare.len() && is_string(unquoted(bare)) {
        let what = match within {
            Within::Line => {
                "read it with --framing csv --column 1 (add --delimiter tab if tabs separate fields), and --no-header if the first row \
                 has no names"
            }
            Within::TsvField => "read the table with --framing csv --delimiter tab instead of --framing tsv",
            Within::Field | Within::Nothing => "remove them",
        };
        return Some(format!("it is a well-formed string in quotes; {what}"));
    }
    let is_around = |byte: Option<&u8>| byte.is_some_and(|byte| !byte.is_ascii() || b"='\"".contains(byte));
    if !is_around(bare.first()) && !is_around(bare.last()) {
        return None;
    }
    let inner = trimmed(bare);
    if inner.len() == text.len() || !is_string(inner) {
        return None;
    }
    let start = inner.as_ptr() as usize - text.as_ptr() as usize;
    let (before, after) = (&text[..start], &text[start + inner.len()..]);
    Some(match before {
        _ if !before.is_ascii() || !after.is_ascii() => {
            "it is a well-formed string with characters around it that do not show; remove them".to_string()
        }
        [b'=', ..] => "it is a well-formed string in a formula of a spreadsheet; remove what is around it".to_string(),
        b"'" if after.is_empty() => {
            "it is a well-formed string after an apostrophe, with which spreadsheets mark text; remove it".to_string()
        }
        _ => return None,
    })
}

/// Returns a text without signs around it that are no part of a string: apostrophes, what surrounds a formula of a
/// spreadsheet, and characters that do not show.
fn trimmed(text: &[u8]) -> &[u8] {
    let is_around = |c: char| {
        matches!(c, '=' | '"' | '\'' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
            || c.is_whitespace()
    };
    str::from_utf8(text).map_or(text, |text| text.trim_matches(is_around).as_bytes())
}

/// Advises about a line of which one part is a string.
fn part(text: &[u8]) -> Option<String> {
    if text.starts_with(b"{") && !is_numbers(text) {
        return json_pointer(text).map(|pointer| {
            let pointer = argument(&pointer);
            format!("it looks like JSON; read it with --framing jsonl --field {pointer}")
        });
    }
    // A board in a line of HoDoKu that is cut off has lost what stood beside it.
    let is_cut = memchr::memchr_iter(b':', text).count() < 6 && Format::Hodoku.codec().resembles(text);
    let delimiters: &[u8] = if is_cut { b",\t;|" } else { b",\t;|:" };
    delimiters.iter().find_map(|&delimiter| {
        memchr::memchr(delimiter, text)?;
        let mut fields = text.split(|&byte| byte == delimiter).take(MAX_FIELDS);
        let number = fields.position(|field| is_string(unquoted(field)))? + 1;
        let flags = table(delimiter);
        Some(format!(
            "its field {number} is a well-formed string; read it with {flags} --column {number}, and --no-header if the first row \
             has no names"
        ))
    })
    .or_else(|| {
        memchr::memchr2(b' ', b'\t', text)?;
        let words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let number = words.take(MAX_FIELDS).position(is_string)? + 1;
        Some(format!("its word {number} is a well-formed string; read it with --framing words --column {number}"))
    })
}

/// Returns a field without its quotes.
fn unquoted(field: &[u8]) -> &[u8] {
    field.strip_prefix(b"\"").and_then(|field| field.strip_suffix(b"\"")).unwrap_or(field)
}

/// Returns the pointer to the first string in a line of JSON that is an object. Strings in arrays are not found.
fn json_pointer(text: &[u8]) -> Option<String> {
    let mut keys: Vec<&[u8]> = Vec::new();
    let (mut last, mut rest) = (None, text);
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'{' => keys.extend(last.take().or(keys.is_empty().then_some(&b""[..]))),
            b'}' => _ = keys.pop(),
            b'[' => return None,
            b'"' => {
                let end = memchr::memchr(b'"', rest)?;
                let (word, after) = (&rest[..end], &rest[end + 1..]);
                if word.contains(&b'\\') {
                    return None;
                }
                rest = after;
                match after.trim_ascii_start().first() {
                    Some(b':') => last = Some(word),
                    _ if is_string(word) => {
                        let place = keys.iter().skip(1).copied().chain(last);
                        let place = place.map(|key| String::from_utf8_lossy(key).replace('~', "~0").replace('/', "~1"));
                        return Some(place.map(|key| format!("/{key}")).collect());
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns the value of a flag as it is typed in a shell.
pub fn argument(value: &str) -> String {
    let bare = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/_-.".contains(&byte));
    if bare { value.to_string() } else { format!("'{}'", escape(value.as_bytes())) }
}

/// Returns the flags that read a table with this delimiter.
fn table(delimiter: u8) -> String {
    match delimiter {
        b',' => "--framing csv".to_string(),
        b'\t' => "--framing tsv".to_string(),
        other => format!("--framing csv --delimiter '{}'", char::from(other)),
    }
}

/// Advises about a string that something has changed: a spreadsheet, or a copy that is not complete.
fn damaged(text: &[u8]) -> Option<String> {
    if is_rounded(text) {
        return Some(
            "it is a number that a spreadsheet has rounded, and its digits are lost; export the column again as text"
                .to_string(),
        );
    }
    let all = |is_sign: fn(&u8) -> bool| text.iter().all(is_sign);
    let is_number = all(u8::is_ascii_digit);
    if is_number && (50..81).contains(&text.len()) && text[0] != b'0' && text.contains(&b'0') {
        let missing = 81 - text.len();
        return Some(format!(
            "{missing} of 81 digits {} missing: a spreadsheet removes the leading zeros of a number; put them back, or export \
             the column again as text",
            if missing == 1 { "is" } else { "are" }
        ));
    }
    let off = |expected: usize, what: &str| {
        let amount = expected.abs_diff(text.len());
        let words = match text.len() < expected {
            true => {
                if amount == 1 {
                    "is missing"
                } else {
                    "are missing"
                }
            }
            false => {
                if amount == 1 {
                    "is too many"
                } else {
                    "are too many"
                }
            }
        };
        let number = if amount == 1 { "one" } else { "two" };
        (1..=2).contains(&amount).then(|| format!("{number} {words} for the {expected} of {what}"))
    };
    let is_sign = |byte: &u8| byte.is_ascii_digit() || b"._-*xX?".contains(byte);
    if all(is_sign) && text.iter().any(u8::is_ascii_digit) {
        return off(81, "a plain sudoku").or_else(|| off(162, "a plain str8ts, or of a v1 sudoku"));
    }
    let is_digit32 = |byte: &u8| byte.is_ascii_digit() || (b'a'..=b'v').contains(&(byte | 0x20));
    if all(is_digit32) {
        return off(162, "a v1 sudoku").or_else(|| off(243, "a v1 str8ts"));
    }
    let numbers = memchr::memchr_iter(b',', text).count() + 1;
    let is_list = numbers > 9 && all(|byte| byte.is_ascii_digit() || *byte == b',' || *byte == b' ');
    let amount = numbers.abs_diff(81);
    (is_list && (1..=2).contains(&amount)).then(|| format!("{numbers} numbers, but v0 and lists of digits have 81"))
}

/// Whether a text is a large number with an exponent, as spreadsheets write it: `4.00004E+75`, `4,0E+75`.
fn is_rounded(text: &[u8]) -> bool {
    let Some(at) = text.iter().take(24).position(|byte| byte | 0x20 == b'e') else { return false };
    let (mantissa, exponent) = (&text[..at], &text[at + 1..]);
    let digits = exponent.strip_prefix(b"+").unwrap_or(exponent);
    let is_digits = |digits: &[u8]| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let mut parts = mantissa.splitn(2, |byte| b".,".contains(byte));
    // Numbers of fewer digits are not written so, and no string has more.
    matches!(digits, [b'1'..=b'9', b'0'..=b'9'] | [b'1'..=b'3', b'0'..=b'9', b'0'..=b'9'])
        && parts.next().is_some_and(is_digits)
        && parts.next().is_none_or(is_digits)
}

/// Advises about rows of a board, a board as JSON, and the text around them.
fn grid(text: &[u8]) -> Option<&'static str> {
    let cells = text.iter().filter(|byte| byte.is_ascii_digit() || b".-_*xX?".contains(byte)).count();
    let is_row = cells == 9 && text.iter().all(|byte| byte.is_ascii_digit() || b".-_*xX? |,\t".contains(byte));
    let is_tag = text.len() < 40 && text.starts_with(b"[") && text.ends_with(b"]") && text.contains(&b'e');
    (is_row || is_tag || is_numbers(text))
        .then_some("it looks like part of a sudoku over several lines; read it with --framing grid")
}

/// Whether text is JSON with a list of numbers.
fn is_numbers(text: &[u8]) -> bool {
    let digits = text.iter().filter(|byte| byte.is_ascii_digit()).count();
    let is_sign = |byte: &u8| byte.is_ascii_digit() || b"[], \t\"".contains(byte);
    let list = text.iter().position(|&byte| byte == b'[').map(|start| &text[start..]);
    digits >= 9 && list.is_some_and(|list| list.strip_suffix(b"}").unwrap_or(list).iter().all(is_sign))
}

/// Whether a text alone is a valid string of some format. Links to the pages that `relink` is for are none: a text of them is one
/// with links.
pub fn is_string(text: &[u8]) -> bool {
    if text.len() < MIN_LENGTH {
        return false; // most fields are short, and a detailed rejection of each would take a microsecond
    }
    let form = detect(text, &Hints::default());
    if form.as_ref().is_err_and(|reject| reject.code == Code::Ambiguous) {
        return true;
    }
    let form = form.ok().filter(|form| form.width == 0 || form.width == length(text));
    let form = form.and_then(|form| resolve_layout(form, text, &Evidence::default()).ok());
    let form = form.filter(|form| form.id != Format::Link);
    form.is_some_and(|form| (form.width == 0 || form.width == text.len()) && decode_one(form, text).is_ok())
}

/// Whether a plain sudoku may be one: no digit is twice in a row, column or box, and the signs for empty cells are not both
/// `-` and `.`, which drawings have between numbers. In other texts, this is not looked for.
pub fn is_consistent(text: &[u8]) -> bool {
    let is_cell = |byte: &u8| byte.is_ascii_digit() || b"._-*xX?".contains(byte);
    if text.len() != 81 || !text.iter().all(is_cell) {
        return true;
    }
    let mut houses = [0_u16; 27];
    let digits = text.iter().enumerate().filter(|(_, byte)| (b'1'..=b'9').contains(*byte));
    let is_placed_once = |(at, byte): (usize, &u8)| {
        let (row, column, bit) = (at / 9, at % 9, 1 << (byte - b'0'));
        [row, 9 + column, 18 + row / 3 * 3 + column / 3].into_iter().all(|house| {
            let is_new = houses[house] & bit == 0;
            houses[house] |= bit;
            is_new
        })
    };
    digits.into_iter().all(is_placed_once) && !(text.contains(&b'-') && text.contains(&b'.'))
}

/// Says which flags read the string that a line contains.
pub fn string_within(line: &[u8]) -> Option<String> {
    if is_string(line) {
        Some("read it with --framing lines".into())
    } else {
        surrounded(line, Within::Line).or_else(|| part(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Batch, Cell, Kind, Shape, Side};
    use crate::formats::{Format, write_one};

    /// Writes a board without clues for every kind and side in every format: the shortest strings of their shapes.
    #[test]
    fn no_string_that_is_recognised_is_shorter_apart_from_game_ids() {
        let shapes = Kind::all().flat_map(|kind| Side::all().map(move |side| Shape::new(kind, side)));
        let strings = shapes.flat_map(|shape| {
            let mut batch = Batch::new();
            batch.reset(shape, 1);
            for cell in 0..shape.side.cells() {
                batch.set_cell(0, cell, Cell::Empty);
            }
            Format::ALL.into_iter().filter_map(move |id| write_one(&batch, 0, id).ok())
        });
        let known = strings.filter_map(|string| Some((detect(string.as_bytes(), &Hints::default()).ok()?.id, string)));
        let known: Vec<(Format, String)> = known.collect();
        let short = |least: usize| known.iter().filter(move |(_, string)| string.len() < least);
        for (id, string) in short(30) {
            assert!(matches!(id, Format::SgtSolo | Format::SgtKeen | Format::Puzzlink), "{id}: {string}");
        }
        assert!(short(31).any(|(id, _)| *id == Format::V2));
        const { assert!(MIN_LENGTH <= 30) };
    }
}
