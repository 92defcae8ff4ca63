//! Gives advice for rejected strings: what the string looks like, and which flags would read it.

use super::decode_one::decode_one;
use super::text::length;
use super::{Evidence, Hints, detect, resolve_layout};
use crate::error::Code;

/// The number of fields of a line that are examined.
const MAX_FIELDS: usize = 64;

/// Only strings with at least this many bytes are recognised in text whose format is unknown. The shortest string of
/// any shape has 30 bytes: a KenKen of side 3 in v2.
const MIN_LENGTH: usize = 16;

/// Returns advice for a string that was rejected for its length, header or digits, if it looks like something known.
pub(super) fn advice(text: &[u8]) -> Option<String> {
    let words = |known: Option<&'static str>| known.map(str::to_string);
    let one_of_several = || field(text).or_else(|| hodoku(text)).or_else(|| words(link(text)));
    let of_several_lines = || words(candidates(text)).or_else(|| words(grid(text)));
    words(foreign_encoding(text)).or_else(one_of_several).or_else(of_several_lines)
}

/// Says what to do first with a text that is not in UTF-8, or whose line ends are single carriage returns.
pub fn encoding(text: &[u8]) -> Option<&'static str> {
    let begin = &text[..text.len().min(8)];
    let has_wide_digit = begin.windows(4).any(|four| matches!(four, [0, 0, 0, one] | [one, 0, 0, 0] if *one != 0));
    if text.starts_with(b"\xff\xfe\0\0") || text.starts_with(b"\0\0\xfe\xff") || has_wide_digit {
        return Some("it looks like UTF-32; convert it to UTF-8 first, for example with 'iconv -f UTF-32 -t UTF-8'");
    }
    if text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff") || text.len() > 8 && text[1..8].contains(&0) {
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
    if text.windows(3).any(|three| three == b"://") || text.starts_with(b"www.") {
        return Some(
            "it contains a link; 'gridmill convert --framing links' converts the boards of links, and 'gridmill relink' rewrites links in files",
        );
    }
    let query = text.strip_prefix(b"?").or_else(|| text.strip_prefix(b"&")).unwrap_or(text);
    let is_parameter = query.starts_with(b"bd=") || query.starts_with(b"n=");
    is_parameter
        .then_some("it is a link parameter: the string is what follows the '='; 'gridmill convert --framing links' reads whole links")
}

/// Advises about a line of HoDoKu's library: `:technique:candidates:board:...`.
fn hodoku(text: &[u8]) -> Option<String> {
    let board = text.strip_prefix(b":")?.split(|&byte| byte == b':').nth(2)?;
    let digits = board.iter().filter(|&&byte| byte != b'+').count();
    (digits == 81).then(|| {
        let plus = if digits == board.len() { "" } else { "; remove the + before placed digits first" };
        format!("it is a line of a HoDoKu library; read its board with {} --column 4 --no-header{plus}", table(b':'))
    })
}

/// Advises about a line of which one field is a string, and about a string with quotes or spaces around it.
fn field(text: &[u8]) -> Option<String> {
    if is_string(text.trim_ascii()) {
        return Some("it is a well-formed string surrounded by spaces; read it with --framing words".to_string());
    }
    if text.len() > 1 && unquoted(text).len() < text.len() && is_string(unquoted(text)) {
        return Some(
            "it is a well-formed string in quotes; read it with --framing csv --column 1 (add --delimiter tab if tabs separate \
             fields), and --no-header if the first row has no names"
                .to_string(),
        );
    }
    if text.starts_with(b"{") && !is_numbers(text) {
        return Some("it looks like JSON; read it with --framing jsonl --field /NAME".to_string());
    }
    [b',', b'\t', b';', b'|']
        .into_iter()
        .find_map(|delimiter| {
            let mut fields = text.split(|&byte| byte == delimiter).take(MAX_FIELDS);
            let number = fields.position(|field| is_string(unquoted(field)))? + 1;
            let flags = table(delimiter);
            Some(format!(
                "its field {number} is a well-formed string; read it with {flags} --column {number}, and --no-header if the first row \
                 has no names"
            ))
        })
        .or_else(|| {
            let number = text
                .split(u8::is_ascii_whitespace)
                .filter(|word| !word.is_empty())
                .take(MAX_FIELDS)
                .position(is_string)?
                + 1;
            Some(format!("its word {number} is a well-formed string; read it with --framing words --column {number}"))
        })
}

/// Returns a field without its quotes.
fn unquoted(field: &[u8]) -> &[u8] {
    field.strip_prefix(b"\"").and_then(|field| field.strip_suffix(b"\"")).unwrap_or(field)
}

/// Returns the flags that read a table with this delimiter.
fn table(delimiter: u8) -> String {
    match delimiter {
        b',' => "--framing csv".to_string(),
        b'\t' => "--framing tsv".to_string(),
        other => format!("--framing csv --delimiter '{}'", char::from(other)),
    }
}

/// Advises about text with nine characters for each cell.
fn candidates(text: &[u8]) -> Option<&'static str> {
    let is_digit = |byte: &u8| byte.is_ascii_digit() || b".-_*".contains(byte);
    (text.len() == 729 && text.iter().all(is_digit)).then_some(
        "729 characters are nine for each of 81 cells, which is not a supported format; write the candidates as a grid of 81 numbers and \
         read it with --framing grid",
    )
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

/// Whether a text alone is a valid string of some format.
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
    form.is_some_and(|form| (form.width == 0 || form.width == text.len()) && decode_one(form, text).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Batch, Cell, Kind, Shape, Side};
    use crate::formats::{Format, write_one};

    /// Writes a board without clues for every kind and side in every format: the shortest strings of their shapes.
    #[test]
    fn no_string_that_is_recognised_is_shorter() {
        let shapes = Kind::all().flat_map(|kind| Side::all().map(move |side| Shape::new(kind, side)));
        let strings = shapes.flat_map(|shape| {
            let mut batch = Batch::new();
            batch.reset(shape, 1);
            for cell in 0..shape.side.cells() {
                batch.set_cell(0, cell, Cell::Empty);
            }
            Format::ALL.into_iter().filter_map(move |id| write_one(&batch, 0, id).ok())
        });
        let known = strings.filter(|string| detect(string.as_bytes(), &Hints::default()).is_ok());
        let shortest = known.map(|string| string.len()).min().expect("a string");
        assert_eq!(shortest, 30);
        const { assert!(MIN_LENGTH <= 30) };
    }
}
