//! Guesses the framing of a text, and where the strings are in it, from the extension of its name and its first lines.
//! If several framings are possible, it refuses and names them.

use super::contents::{Contents, beside};
use super::file::FILE;
use super::grid::{GRID, OBJECT_OF_ROWS, is_object_of_rows};
use super::json::{self, JSONL, array_of_boards};
use super::lines::LINES;
use super::links::LINKS;
use super::place::{Guess, NamedPlace, Unsure, only};
use super::puzzle_names::names_puzzles;
use super::table::{CSV, Column, TSV, typed};
use super::words::{WORDS, words};
use super::{BYTE_ORDER_MARK, Beside, Links, NamedFraming, REGISTRY, RecordSort, is_no_record};
use crate::error::{Code, Reject};
use crate::formats::{GridBlock, GridBlocks, Line, Within, encoding, foreign, is_file, is_string, line_at};

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
        Some(entry) if entry.records == RecordSort::Links && !has_links(text) => {
            // There may be links further on.
            by_content(text, &lines, place).or_else(|unsure| match unsure {
                Unsure::Nothing(_) => Ok(Guess::of(entry.name)),
                refused => Err(refused),
            })
        }
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
        .or_else(|| if place.column.is_none() { grids(text) } else { None })
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
    json::guess(lines, true, place).unwrap_or_else(|| match place.field {
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
    if is_file(text) {
        return Ok(Guess::of(FILE.name));
    }
    if let Some(words) = array_of_boards(text, false) {
        return Err(Unsure::Refused(words.into()));
    }
    let found = json::guess(lines, false, place)
        .or_else(|| {
            has_links(text).then(|| Ok(Guess::of(if are_strings_and_links(lines) { LINES.name } else { LINKS.name })))
        })
        .or_else(|| tables(text, b",\t;|", 2, place))
        .or_else(|| in_words(lines, place))
        .or_else(|| grids(text));
    found.unwrap_or_else(|| {
        if let Some(words) = array_of_boards(text, true) {
            return Err(Unsure::Refused(words.into()));
        }
        if is_object_of_rows(text) {
            return Err(Unsure::Refused(format!("it is {OBJECT_OF_ROWS}")));
        }
        if lines[0].trim_ascii_start().starts_with(b"{") {
            return Err(Unsure::Refused(format!("it looks like JSON, but {NO_STRINGS}")));
        }
        Err(Unsure::Nothing(match foreign(text, Within::Line) {
            Some(found) => format!("the first lines have no strings that are read: {}", found.words),
            None => "the first lines do not show what it contains; use --framing to say where the strings are".into(),
        }))
    })
}

/// The first lines that may be records.
fn records(text: &[u8]) -> Vec<&[u8]> {
    let lines = std::iter::successors(line_at(text, 0), |line: &Line| line_at(text, line.next));
    let lines = lines.map(|line| &text[line.start..line.end]);
    lines.filter(|line| !is_no_record(line, false) && !line.trim_ascii().is_empty()).take(EXAMINED_LINES).collect()
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
    let full_name = |at: usize| header.as_ref().and_then(|names| std::str::from_utf8(names[at]).ok());
    let content = |column: usize| {
        let is_named = full_name(column).is_some_and(names_puzzles);
        Contents::of(body.iter().filter_map(|row| row.get(column).copied())).named(is_named)
    };
    let contents: Vec<Contents> = (0..width).map(content).collect();
    let has_strings = |column: usize| match strict {
        true => contents[column].are_strings(),
        false => contents[column].strings() > 0,
    };
    let number = |at: usize| (at + 1).to_string();
    // What is not valid is no column; the framing says why.
    let asked = place.column.map(|column| Column::typed(column).unwrap_or(Column::Number(0)));
    let is_named = |at: &usize| asked.as_ref().is_none_or(|column| column.may_be(full_name(*at), at + 1));
    let columns: Vec<usize> = (0..width).filter(|&column| has_strings(column)).filter(is_named).collect();
    let chosen = columns.first().copied().filter(|_| place.column.is_none());
    let is_name = |text: &str| (0..width).any(|other| full_name(other) == Some(text));
    let flag = |at: usize| place.column.map_or_else(|| typed(name(at), at + 1, is_name), str::to_string);
    // The number is shown, too, since refusals of single rows have no other way to name a column.
    let shown = |&at: &usize| match name(at) {
        Some(name) => format!("{name} (column {})", number(at)),
        None => format!("column {}", number(at)),
    };
    let Dialect { delimiter, quotes } = dialect;
    let (framing, usual) = if delimiter == b'\t' && !quotes { (TSV.name, b'\t') } else { (CSV.name, b',') };
    let mut found = only(columns, shown, |column| Guess {
        column: Some(flag(column)),
        delimiter: (delimiter != usual).then_some(delimiter),
        no_header: header.is_none(),
        ..Guess::of(framing)
    });
    if let (Some(chosen), Some(Ok(guess))) = (chosen, &mut found) {
        let others = (0..width).filter(|&at| at != chosen).map(|at| (shown(&at), &contents[at]));
        let rest = |row: &Vec<&[u8]>| [&row[..chosen], &row[chosen + 1..]].concat().join(&b' ');
        let rows = body.iter().filter_map(|row| Some((*row.get(chosen)?, rest(row))));
        let rest = Contents::of_rests(rows);
        let others = others.chain([("the rest of the row".to_string(), &rest)]);
        if let Err(unsure) = beside((shown(&chosen), &contents[chosen]), guess, others, place.puzzles) {
            return Some(Err(unsure));
        }
    }
    let is_comment = |line: Line| text[line.start] == b'#' && is_no_record(&text[line.start..line.end], false);
    if found.as_ref().is_some_and(Result::is_ok) && header.is_some() && line_at(text, 0).is_some_and(is_comment) {
        let words =
            "its first line is a comment, which would be read as the header; remove it, for example with tail -n +2";
        return Some(Err(Unsure::Refused(words.into())));
    }
    found
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

/// The fields of the rows of a table that are not comments, without the quotes around them. With `quotes`, fields may be
/// quoted.
pub fn table_rows(text: &[u8], delimiter: u8, quotes: bool) -> impl Iterator<Item = Vec<&[u8]>> {
    rows(text, Dialect { delimiter, quotes })
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
    // Words of signs are numbers of a drawing in there.
    let is_markup = |line: &&&[u8]| line.trim_ascii_start().starts_with(b"<");
    if lines.iter().filter(is_markup).count() * 2 >= lines.len() {
        return None;
    }
    let most = lines.iter().map(|line| words(line).count()).max()?.min(64);
    let contents: Vec<Contents> =
        (0..most).map(|at| Contents::of(lines.iter().filter_map(|line| words(line).nth(at)))).collect();
    let is_named = |at: &usize| place.column.is_none_or(|column| (at + 1).to_string() == column);
    let columns: Vec<usize> = (0..most).filter(|&at| contents[at].are_strings()).filter(is_named).collect();
    let chosen = columns.first().copied().filter(|_| place.column.is_none());
    let shown = |&at: &usize| format!("word {}", at + 1);
    let found = only(columns, shown, |at| Guess { column: Some((at + 1).to_string()), ..Guess::of(WORDS.name) });
    // The first word is the default of `words`.
    let mut found =
        found.map(|guess| guess.map(|guess| Guess { column: guess.column.filter(|at| at != "1"), ..guess }));
    if let (Some(chosen), Some(Ok(guess))) = (chosen, &mut found) {
        let others = (0..most).filter(|&at| at != chosen).map(|at| (shown(&at), &contents[at]));
        let rest = Contents::of_rests(lines.iter().filter_map(|line| {
            let word = words(line).nth(chosen)?;
            let start = word.as_ptr() as usize - line.as_ptr() as usize;
            Some((word, [&line[..start], &line[start + word.len()..]].concat()))
        }));
        let others = others.chain([("the rest of the line".to_string(), &rest)]);
        if let Err(unsure) = beside((shown(&chosen), &contents[chosen]), guess, others, place.puzzles) {
            return Some(Err(unsure));
        }
    }
    found
}

/// Whether a text contains links that can be read.
fn has_links(text: &[u8]) -> bool {
    let done = Links { plain: true, ..Links::default() }.text(text);
    done.rewritten + done.kept > 0
}

/// Whether nearly all lines are strings or contain links, and most of them are strings. Read as lines, none is passed
/// over.
fn are_strings_and_links(lines: &[&[u8]]) -> bool {
    let strings = lines.iter().filter(|line| is_string(line)).count();
    let links = lines.iter().filter(|line| has_links(line)).count();
    strings >= links && (strings + links) * 5 >= lines.len() * 4
}

/// Grids, if more blocks of lines can be read as grids than merely look like grids, not counting one of the latter. Blocks
/// of which is known what they are, though no sudokus, count as grids: their refusals say what they are.
fn grids(text: &[u8]) -> Option<Result<Guess, Unsure>> {
    let mut blocks = GridBlocks::new(text);
    let found: Vec<GridBlock> = blocks.by_ref().collect();
    let is_named = |reject: &Reject| matches!(reject.code, Code::Ambiguous | Code::Unsupported);
    let bad = found.iter().filter(|block| block.cells.as_ref().is_err_and(|reject| !is_named(reject))).count();
    let is_alone = blocks.lines_of_text() == 0 && bad == 0;
    let is_good = |block: &&GridBlock| match &block.cells {
        Ok(_) => is_alone || !block.may_be_drawing(text),
        Err(reject) => is_named(reject),
    };
    let good = found.iter().filter(is_good).count();
    // One bad block is not counted, since the last grid may be truncated.
    (good > bad.saturating_sub(1) && good > 0).then(|| Ok(Guess::of(GRID.name)))
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
        let one = guess(both.as_bytes(), None, true, &NamedPlace { column: Some("quizzes"), ..NamedPlace::default() });
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
