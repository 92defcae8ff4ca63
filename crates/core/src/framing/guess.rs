//! Guesses the framing of a text, and where the strings are in it, from the extension of its name and its first lines.
//! If several framings are possible, it refuses and names them.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::Value;

use super::grid::GRID;
use super::json::{JSONL, array_of_boards};
use super::lines::LINES;
use super::links::LINKS;
use super::table::{CSV, Column, TSV, typed};
use super::words::{WORDS, words};
use super::{BYTE_ORDER_MARK, Beside, Links, NamedFraming, REGISTRY, is_no_record};
use crate::formats::{GridBlocks, Line, argument, encoding, is_string, line_at};

/// The framing that a text seems to have. It may get more fields: create it with `..Default::default()`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Guess {
    /// The name of the framing.
    pub framing: &'static str,
    /// The column of the strings.
    pub column: Option<String>,
    /// The pointer to the strings.
    pub field: Option<String>,
    /// The delimiter of fields, if it is not the usual one.
    pub delimiter: Option<u8>,
    /// Whether the first row is a record.
    pub no_header: bool,
}

impl Guess {
    fn of(framing: &'static str) -> Self {
        Self { framing, ..Self::default() }
    }

    /// The equivalent flags.
    pub fn flags(&self) -> String {
        let mut flags = format!("--framing {}", self.framing);
        if let Some(delimiter) = self.delimiter {
            flags.push_str(&match delimiter {
                b'\t' => " --delimiter tab".to_string(),
                other => format!(" --delimiter '{}'", char::from(other)),
            });
        }
        for (flag, value) in [("--column", &self.column), ("--field", &self.field)] {
            flags.push_str(&value.as_ref().map_or(String::new(), |value| format!(" {flag} {}", argument(value))));
        }
        flags.push_str(if self.no_header { " --no-header" } else { "" });
        flags
    }
}

/// Where the strings are, as far as the user named it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NamedPlace<'a> {
    /// `--column`.
    pub column: Option<&'a str>,
    /// `--field`.
    pub field: Option<&'a str>,
}

/// Why the framing of a text is not certain.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unsure {
    /// Nothing known was found in it.
    Nothing(String),
    /// It can be read in several ways, or must be converted first.
    Refused(String),
}

impl fmt::Display for Unsure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Nothing(words) | Self::Refused(words)) = self;
        f.write_str(words)
    }
}

/// How many lines are examined.
const EXAMINED_LINES: usize = 60;

/// Guesses the framing of an input that begins with `text`. `ending` is the extension of its name, without the dot.
/// `whole` says that `text` is all of the input. `place` decides if there are several.
///
/// # Errors
/// Nothing is found, or several framings are possible. The message names them, and the flags that decide.
pub fn guess(text: &[u8], ending: Option<&str>, whole: bool, place: &NamedPlace) -> Result<Guess, Unsure> {
    if let Some(words) = encoding(text) {
        return Err(Unsure::Refused(words.into()));
    }
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let cut = if whole { text.len() } else { memchr::memrchr(b'\n', text).map_or(text.len(), |feed| feed + 1) };
    let text = &text[..cut];
    let lines = records(text);
    let ending = ending.unwrap_or_default();
    let has_ending = |entry: &&NamedFraming| entry.extensions.iter().any(|other| other.eq_ignore_ascii_case(ending));
    match REGISTRY.into_iter().find(has_ending) {
        Some(entry) if entry.beside == Beside::Column => named_table(entry.name, text, place),
        Some(entry) if entry.beside == Beside::Field => named_json(&lines, place),
        Some(entry) => Ok(Guess::of(entry.name)),
        None => by_content(text, &lines, place),
    }
}

/// A table, because of its extension. One string in the first lines is enough, and none is needed if the user names the
/// column.
fn named_table(name: &'static str, text: &[u8], place: &NamedPlace) -> Result<Guess, Unsure> {
    let delimiters: &[u8] = if name == CSV.name { b",;\t|" } else { b"\t" };
    let lenient = |delimiter: &u8| {
        let least = if *delimiter == delimiters[0] { 1 } else { 2 };
        variants(text, *delimiter).find_map(|dialect| table(text, dialect, least, false, place))
    };
    let found = tables(text, delimiters, 1, place)
        .or_else(|| if name == CSV.name && place.column.is_none() { grids(text) } else { None })
        .or_else(|| delimiters.iter().find_map(lenient));
    found.unwrap_or_else(|| match place.column {
        // There are no strings to recognise columns by. The first row tells whether the named column exists.
        Some(column) => {
            let has_column = |delimiter| {
                rows(text, Dialect { delimiter, quotes: true }).next().is_some_and(|row| row.contains(&column.as_bytes()))
            };
            let delimiter = delimiters.iter().copied().find(|&delimiter| has_column(delimiter));
            let delimiter = delimiter.filter(|&delimiter| delimiter != delimiters[0]);
            Ok(Guess { column: Some(column.into()), delimiter, ..Guess::of(name) })
        }
        None => Err(Unsure::Nothing(format!(
            "its name says {name}, but its first lines have no puzzle strings; name their column, for example with --framing \
             {name} --column NAME, or use another --framing"
        ))),
    })
}

/// JSON lines, because of the extension.
fn named_json(lines: &[&[u8]], place: &NamedPlace) -> Result<Guess, Unsure> {
    json(lines, true, place).unwrap_or_else(|| match place.field {
        Some(field) => Ok(Guess { field: Some(field.into()), ..Guess::of(JSONL.name) }),
        None => Err(Unsure::Nothing(format!("its name says JSON lines, but {NO_STRINGS}"))),
    })
}

/// The message for JSON in which no strings are found.
const NO_STRINGS: &str = "its first lines have no puzzle strings; use --framing jsonl --field /NAME to say where the strings are. \
    Turn lists of numbers into strings with, for example, jq -c '.NAME |= (flatten | join(\"\"))'";

/// Guesses by the text alone.
fn by_content(text: &[u8], lines: &[&[u8]], place: &NamedPlace) -> Result<Guess, Unsure> {
    let strings = lines.iter().filter(|line| is_string(line)).count();
    if lines.is_empty() || strings * 5 >= lines.len() * 4 {
        return Ok(Guess::of(LINES.name));
    }
    if let Some(words) = array_of_boards(text, false) {
        return Err(Unsure::Refused(words.into()));
    }
    let found = json(lines, false, place)
        .or_else(|| has_links(text).then(|| Ok(Guess::of(LINKS.name))))
        .or_else(|| tables(text, b",\t;|", 2, place))
        .or_else(|| in_words(lines, place))
        .or_else(|| grids(text));
    found.unwrap_or_else(|| {
        if let Some(words) = array_of_boards(text, true) {
            return Err(Unsure::Refused(words.into()));
        }
        if lines[0].trim_ascii_start().starts_with(b"{") {
            return Err(Unsure::Refused(format!("it looks like JSON, but {NO_STRINGS}")));
        }
        let words = "the first lines do not show what it contains; use --framing to say where the strings are";
        Err(Unsure::Nothing(words.into()))
    })
}

/// The first lines that may be records.
fn records(text: &[u8]) -> Vec<&[u8]> {
    let lines = std::iter::successors(line_at(text, 0), |line: &Line| line_at(text, line.next));
    let lines = lines.map(|line| &text[line.start..line.end]);
    lines.filter(|line| !is_no_record(line, false) && !line.trim_ascii().is_empty()).take(EXAMINED_LINES).collect()
}

/// The guess for the only place of strings, or a refusal that names all places.
fn only<P: Clone>(
    places: Vec<P>,
    shown: impl Fn(&P) -> String,
    guess: impl Fn(P) -> Guess,
) -> Option<Result<Guess, Unsure>> {
    match <[P; 1]>::try_from(places) {
        Ok([place]) => Some(Ok(guess(place))),
        Err(places) => {
            let flags = guess(places.first()?.clone()).flags();
            let places = places.iter().map(shown).collect::<Vec<_>>().join(" and in ");
            Some(Err(Unsure::Refused(format!("there are strings in {places}; choose one, for example with {flags}"))))
        }
    }
}

/// JSON lines with strings at one pointer. If the extension says that they are JSON lines (`named`), lines may also be
/// arrays, or invalid.
fn json(lines: &[&[u8]], named: bool, place: &NamedPlace) -> Option<Result<Guess, Unsure>> {
    if !named && !lines.first()?.trim_ascii_start().starts_with(b"{") {
        return None;
    }
    let mut pointers: Option<BTreeSet<String>> = None;
    for line in lines {
        let value: Value = match serde_json::from_slice(line) {
            Ok(value) => value,
            Err(_) if named => continue,
            Err(_) => return None,
        };
        let mut here = BTreeSet::new();
        string_pointers(&value, "", &mut here);
        pointers = Some(match pointers {
            // Lines without a string are no evidence.
            Some(before) if here.is_empty() => before,
            Some(before) if before.is_empty() => here,
            Some(before) => before.intersection(&here).cloned().collect(),
            None => here,
        });
    }
    let pointers = pointers?.into_iter().filter(|pointer| place.field.is_none_or(|field| field == pointer));
    only(pointers.collect(), String::clone, |field| Guess { field: Some(field), ..Guess::of(JSONL.name) })
}

/// The pointers to strings, and to arrays of strings, in a value.
fn string_pointers(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if is_string(text.as_bytes()) => _ = found.insert(at.into()),
        Value::Array(list) => {
            let is_one = |value: &Value| value.as_str().is_some_and(|text| is_string(text.as_bytes()));
            if !list.is_empty() && list.iter().all(is_one) {
                found.insert(at.into());
                return;
            }
            for (number, value) in list.iter().enumerate() {
                string_pointers(value, &format!("{at}/{number}"), found);
            }
        }
        Value::Object(object) => {
            for (key, value) in object {
                string_pointers(value, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        _ => {}
    }
}

/// Tables with strings in one column. With the first delimiter they need `least` columns, with others two.
fn tables(text: &[u8], delimiters: &[u8], least: usize, place: &NamedPlace) -> Option<Result<Guess, Unsure>> {
    let mut found = delimiters.iter().enumerate().filter_map(|(at, &delimiter)| {
        let least = if at == 0 { least } else { 2 };
        variants(text, delimiter).find_map(|dialect| table(text, dialect, least, true, place))
    });
    let first = found.next()?;
    let Some(second) = found.next() else { return Some(first) };
    let both = [first, second].map(|guess| guess.map_or_else(|unsure| unsure.to_string(), |guess| guess.flags()));
    Some(Err(Unsure::Refused(format!("it can be read in two ways: {}; choose one", both.join(", or ")))))
}

/// A table with strings in one column. If `strict`, nearly all of the column's fields must be strings, otherwise any.
fn table(
    text: &[u8],
    dialect: Dialect,
    least: usize,
    strict: bool,
    place: &NamedPlace,
) -> Option<Result<Guess, Unsure>> {
    let rows: Vec<_> = rows(text, dialect).take(EXAMINED_LINES).collect();
    let width = rows.first().map(Vec::len).filter(|&width| width >= least)?;
    let alike = rows.iter().filter(|row| row.len() == width).count();
    if strict && alike * 10 < rows.len() * 9 {
        return None;
    }
    let header = (!rows[0].iter().any(|field| is_string(field))).then(|| rows[0].clone());
    let body = &rows[usize::from(header.is_some())..];
    let name = |column: usize| match &header {
        Some(names) if names.iter().filter(|name| **name == names[column]).count() == 1 => {
            let is_plain =
                |name: &&str| !name.is_empty() && !name.contains(['"', '\'', '\\']) && name.parse::<usize>().is_err();
            std::str::from_utf8(names[column]).ok().filter(is_plain)
        }
        _ => None,
    };
    let has_strings = |column: usize| {
        let mut fields = body.iter().filter_map(|row| row.get(column).copied());
        if strict { are_strings(fields) } else { fields.any(is_string) }
    };
    let number = |at: usize| (at + 1).to_string();
    // What is not valid is no column; the framing says why.
    let asked = place.column.map(|column| Column::typed(column).unwrap_or(Column::Number(0)));
    let full_name = |at: usize| header.as_ref().and_then(|names| std::str::from_utf8(names[at]).ok());
    let is_named = |at: &usize| asked.as_ref().is_none_or(|column| column.may_be(full_name(*at), at + 1));
    let columns = (0..width).filter(|&column| has_strings(column)).filter(is_named).collect();
    let is_name = |text: &str| (0..width).any(|other| full_name(other) == Some(text));
    let flag = |at: usize| place.column.map_or_else(|| typed(name(at), at + 1, is_name), str::to_string);
    // The number is shown, too, since refusals of single rows have no other way to name a column.
    let shown = |&at: &usize| match name(at) {
        Some(name) => format!("{name} (column {})", number(at)),
        None => format!("column {}", number(at)),
    };
    let Dialect { delimiter, quotes } = dialect;
    let (framing, usual) = if delimiter == b'\t' && !quotes { (TSV.name, b'\t') } else { (CSV.name, b',') };
    let found = only(columns, shown, |column| Guess {
        column: Some(flag(column)),
        delimiter: (delimiter != usual).then_some(delimiter),
        no_header: header.is_none(),
        ..Guess::of(framing)
    });
    let is_comment = |line: Line| text[line.start] == b'#' && is_no_record(&text[line.start..line.end], false);
    if found.as_ref().is_some_and(Result::is_ok) && header.is_some() && line_at(text, 0).is_some_and(is_comment) {
        let words =
            "its first line is a comment, which would be read as the header; remove it, for example with tail -n +2";
        return Some(Err(Unsure::Refused(words.into())));
    }
    found
}

/// Whether nearly all fields that are not empty are strings.
fn are_strings<'t>(fields: impl Iterator<Item = &'t [u8]>) -> bool {
    let (mut strings, mut others) = (0, 0);
    for field in fields.filter(|field| !field.is_empty() && !matches!(*field, b"\\N" | b"NULL")) {
        *(if is_string(field) { &mut strings } else { &mut others }) += 1;
    }
    strings > 0 && strings >= others * 4
}

/// How the fields of a row are separated.
#[derive(Debug, Clone, Copy)]
struct Dialect {
    delimiter: u8,
    /// Whether fields may be quoted, with delimiters and line ends between the quotes.
    quotes: bool,
}

/// The possible dialects of a delimiter, most likely first. Between tabs, quotes are usually ordinary characters.
fn variants(text: &[u8], delimiter: u8) -> impl Iterator<Item = Dialect> {
    let is_tab = delimiter == b'\t';
    let has_quotes = !is_tab || memchr::memchr(b'"', text).is_some();
    [false, true]
        .into_iter()
        .filter(move |&quotes| if quotes { has_quotes } else { is_tab })
        .map(move |quotes| Dialect { delimiter, quotes })
}

/// The fields, without their quotes, of the rows of a table that are not comments.
fn rows(text: &[u8], dialect: Dialect) -> impl Iterator<Item = Vec<&[u8]>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let is_row = |line: &Line| {
            !is_no_record(&text[line.start..line.end], false) && !text[line.start..line.end].trim_ascii().is_empty()
        };
        let row = std::iter::successors(line_at(text, at), |line| line_at(text, line.next)).find(is_row)?;
        let mut fields = Vec::new();
        at = row.start;
        loop {
            let (field, end) = field(text, at, dialect);
            fields.push(field);
            at = end + 1;
            if text.get(end) != Some(&dialect.delimiter) {
                return Some(fields);
            }
        }
    })
}

/// The field that begins at `start`, without its quotes, and where the character after it is.
fn field(text: &[u8], start: usize, Dialect { delimiter, quotes }: Dialect) -> (&[u8], usize) {
    let closing =
        text[start..].strip_prefix(b"\"").filter(|_| quotes).and_then(closing_quote).map(|length| start + 1 + length);
    let from = closing.unwrap_or(start);
    let end = memchr::memchr2(delimiter, b'\n', &text[from..]).map_or(text.len(), |length| from + length);
    let field = &text[start..end];
    let field = if text.get(end) == Some(&b'\n') { field.strip_suffix(b"\r").unwrap_or(field) } else { field };
    match closing {
        Some(closing) if start + field.len() == closing + 1 => (&text[start + 1..closing], end),
        _ => (field, end),
    }
}

/// The position of the closing quote of a field. Two consecutive quotes stand for one in the field.
fn closing_quote(inner: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr(b'"', &inner[at..])?;
        if inner.get(at + 1) != Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}

/// Lines of words, one of which is the string.
fn in_words(lines: &[&[u8]], place: &NamedPlace) -> Option<Result<Guess, Unsure>> {
    let most = lines.iter().map(|line| words(line).count()).max()?.min(64);
    let columns = (0..most).filter(|&at| are_strings(lines.iter().filter_map(|line| words(line).nth(at))));
    let columns = columns.filter(|at| place.column.is_none_or(|column| (at + 1).to_string() == column));
    let found = only(
        columns.map(|at| at + 1).collect(),
        |word| format!("word {word}"),
        |word| Guess { column: Some(word.to_string()), ..Guess::of(WORDS.name) },
    );
    // The first word is the default of `words`.
    found.map(|guess| guess.map(|guess| Guess { column: guess.column.filter(|at| at != "1"), ..guess }))
}

/// Whether a text contains links that can be read.
fn has_links(text: &[u8]) -> bool {
    let done = Links { plain: true, ..Links::default() }.text(text);
    done.rewritten + done.kept > 0
}

/// Grids, if more blocks of lines can be read as grids than merely look like grids, not counting one of the latter.
fn grids(text: &[u8]) -> Option<Result<Guess, Unsure>> {
    let (good, bad): (Vec<_>, Vec<_>) = GridBlocks::new(text).map(|block| block.cells.is_ok()).partition(|&good| good);
    // One bad block is not counted, since the last grid may be truncated.
    (good.len() > bad.len().saturating_sub(1) && !good.is_empty()).then(|| Ok(Guess::of(GRID.name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: &str = "100000569492056108056109240009640801064010000218035604040500016905061402621000005";

    fn said(text: &str, ending: Option<&str>) -> String {
        guess(text.as_bytes(), ending, true, &NamedPlace::default())
            .map_or_else(|unsure| unsure.to_string(), |guess| guess.flags())
    }

    #[test]
    fn what_texts_are() {
        let grid: String = P.as_bytes().chunks(9).map(|row| format!("{}\n", String::from_utf8_lossy(row))).collect();
        for (text, flags) in [
            (format!("{P}\n{P}\n"), "--framing lines"),
            (format!("# note\n{P}"), "--framing lines"),
            (format!("id,bd\n1,{P}\n2,\n"), "--framing csv --column bd"),
            (format!("1,\"{P}\"\n"), "--framing csv --column 2 --no-header"),
            (format!("id;the board\n1;{P}\n"), "--framing csv --delimiter ';' --column 'the board'"),
            (format!("id\tbd\n1\t{P}\n2\tNULL\n"), "--framing tsv --column bd"),
            (format!("{P} # note\n{P}\n"), "--framing words"),
            (format!("{P}   \n"), "--framing words"),
            (format!("0000183b305c {P} 1.2\n"), "--framing words --column 2"),
            (format!("{{\"a\":1,\"bd\":\"{P}\"}}\n{{\"bd\":null}}\n"), "--framing jsonl --field /bd"),
            (format!("{{\"x\":{{\"b/d\":[\"{P}\"]}}}}\n"), "--framing jsonl --field '/x/b~1d'"),
            (format!("<a href=\"https://www.sudokuwiki.org/sudoku.htm?bd={P}\">\n"), "--framing links"),
            (format!("Grid 01\n{grid}Grid 02\n{grid}"), "--framing grid"),
        ] {
            assert_eq!(said(&text, None), flags, "{text}");
        }
        assert_eq!(said(&format!("bd\n{P}\n"), Some("csv")), "--framing csv --column bd");
        assert_eq!(said(&grid, Some("sdk")), "--framing grid");
    }

    #[test]
    fn two_ways_are_refused_with_both() {
        for (text, words) in [
            (format!("quizzes,solutions\n{P},{P}\n"), ["quizzes (column 1) and in solutions (column 2)", "--column"]),
            (format!("{P} {P}\n"), ["word 1 and in word 2", "--column"]),
            (format!("{{\"a\":\"{P}\",\"b\":\"{P}\"}}\n"), ["/a and in /b", "--field"]),
            ("what is this?\n".to_string(), ["do not show what it contains", "--framing"]),
            ("\u{feff}x\n".to_string(), ["do not show what it contains", "--framing"]),
        ] {
            let said = said(&text, None);
            assert!(words.iter().all(|word| said.contains(word)), "{said}");
        }
        let both = format!("quizzes,solutions\n{P},{P}\n");
        let one = guess(both.as_bytes(), None, true, &NamedPlace { column: Some("quizzes"), field: None });
        assert_eq!(one.map(|guess| guess.flags()).as_deref(), Ok("--framing csv --column quizzes"));
        assert!(
            guess(b"\xff\xfe1\0", None, true, &NamedPlace::default())
                .is_err_and(|unsure| unsure.to_string().contains("UTF-16"))
        );
        assert!(
            guess(b"what\n", Some("csv"), true, &NamedPlace::default())
                .is_err_and(|unsure| unsure.to_string().contains("its name says csv"))
        );
    }
}
