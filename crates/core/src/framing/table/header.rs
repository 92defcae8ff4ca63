//! Reads the first row of a table: finds the columns to read by their names, and counts the columns.

use super::escapes::first_row;
use super::misplaced::ends_in_record;
use super::rows::{Fields, ReadField, RowReader, after_empty_lines};
use super::wanted::{ColumnRole, Wanted};
use super::{Column, FROM_1, Table, delimiter_flag};
use crate::error::{escape, plural};
use crate::formats::argument;
use crate::formats::{encoding, recognise};
use crate::framing::{Asked, NewName, Piece, Unsuited, is_no_record, line_at};

/// How many names a message shows.
const SHOWN: usize = 20;

/// How many names are compared with one that is missing.
const SEARCHED: usize = 100_000;

/// How many lines are searched for the header, if it is not the first one, and for rows with row names.
const SEARCHED_LINES: usize = 50;

impl Table {
    /// Creates the reader for the rows after the first one.
    ///
    /// # Errors
    /// A requested column does not exist, a column to be appended already exists, the header has a stray quote, or it
    /// looks like a record.
    pub(super) fn reader_after(&self, first: &Piece, asked: &Asked) -> Result<RowReader, Unsuited> {
        let asked_for = |words: String| Err(Unsuited::Asked(words));
        let text = after_empty_lines(first.text);
        let start = first.start + first.text.len() - text.len();
        if self.header && first.quotes.is_some_and(|quotes| quotes.spoiled.iter().any(|row| row.start == start)) {
            let words = "a quote in the header row is not closed; repair it";
            return Err(Unsuited::Input(words.into()));
        }
        let mut reader = RowReader { wanted: Vec::new(), width: None, ..self.reader.clone() };
        let fields = self.reader.fields(text);
        let names = || fields.clone().map(|read| fields.name(&read));
        let count = || fields.clone().count();
        reader.width = match first.quotes {
            Some(quotes) => quotes.width,
            None if self.reader.escapes => {
                first_row(text, self.delimiter, self.least(), true).map(|row| row.width).filter(|&width| width > 0)
            }
            None => (!text.is_empty()).then(count),
        };
        if !asked.names.is_empty() {
            reader.width = reader.width.filter(|_| self.reader.escapes).or_else(|| Some(count()));
            reader.exact_width = true;
        }
        reader.wanted = self.wanted(&fields, text).map_err(Unsuited::Input)?;
        if !self.header {
            return Ok(reader);
        }
        let strings = || reader.wanted.iter().filter(|wanted| wanted.strings().is_some());
        let is_record = |name: &[u8]| recognise(name, asked.from, &asked.hints).is_ok();
        if strings().any(|wanted| names().nth(wanted.column).is_some_and(|name| is_record(&name))) {
            let words = "the first row looks like a record, not a header; if it is a record, use --no-header";
            return Err(Unsuited::Input(words.into()));
        }
        if let Some(name) = names().find(|name| ends_in_record(name, &asked.hints)) {
            return asked_for(format!(
                "the header contains a record, {:?}; add the missing line end, or use --no-header if the row is a record",
                shown(&name)
            ));
        }
        if let Some(words) = self.misses_row_names(&fields, text, &reader.wanted, &is_record) {
            return Err(Unsuited::Input(words));
        }
        let is_there = |new: &&NewName| names().any(|name| *name == *new.name.as_bytes());
        if let Some(NewName { name, flag }) = asked.names.iter().find(is_there) {
            let name = escape(name.as_bytes());
            return asked_for(format!("column {name:?} already exists; use {flag} to choose another name"));
        }
        Ok(reader)
    }

    /// The columns to read, from left to right, for a first row of these fields.
    fn wanted(&self, fields: &Fields, text: &[u8]) -> Result<Vec<Wanted>, String> {
        let mut wanted = Vec::new();
        for (number, column) in (0..).zip(&self.columns) {
            let column = self.place(column, "--column", fields, text)?;
            wanted.push(Wanted { column, role: ColumnRole::Strings(number) });
        }
        for (number, column) in (0..).zip(&self.solutions) {
            let column = self.place(column, "--solution-column", fields, text)?;
            wanted.push(Wanted { column, role: ColumnRole::Solutions(number) });
        }
        wanted.sort_by_key(|wanted| wanted.column);
        match wanted.windows(2).find(|two| two[0].column == two[1].column) {
            Some(two) => Err(format!("column {} is named twice", two[0].column + 1)),
            None => Ok(wanted),
        }
    }

    /// The number of a column, from 0, in a `text` whose first row has these fields. `flag` names the column.
    fn place(&self, column: &Column, flag: &str, fields: &Fields, text: &[u8]) -> Result<usize, String> {
        let count = || fields.clone().count();
        let named = |name: &str| {
            let is_name = |read: &ReadField| *fields.name(read) == *name.as_bytes();
            let mut places = (0..).zip(fields.clone()).filter_map(|(place, read)| is_name(&read).then_some(place));
            (places.next(), places.next())
        };
        let number = column.number();
        let name = match column {
            Column::Number(_) => None,
            Column::NumberOrName(_) if !self.header => None,
            Column::NumberOrName(name) => match (named(name), number) {
                ((None, _), _) => None,
                ((Some(place), None), Some(number)) if place + 1 == number => None,
                (_, Some(number)) if (1..=count()).contains(&number) => {
                    let read = fields.clone().nth(number - 1);
                    let other = read.map_or(String::new(), |read| shown(&fields.name(&read)));
                    return Err(format!(
                        "{flag} {name} is ambiguous: column number {number} is named {other:?}, and another column is named {name:?}; \
                         use {flag} number:{number} or {flag} name:{name}"
                    ));
                }
                _ => Some(name),
            },
            Column::Name(name) => Some(name),
        };
        let name = match (name, number) {
            (Some(name), _) => name,
            (None, Some(0)) => return Err(FROM_1.into()),
            (None, Some(number)) if self.header && number > count() => {
                let (count, s) = (count(), plural(count()));
                let why = self.header_below(text, |fields| fields.clone().count() >= number);
                let why = why.map_or(String::new(), |words| format!("; {words}"));
                return Err(format!(
                    "there is no column {number}; the first row has {count} field{s}: {}{why}",
                    all_shown(fields)
                ));
            }
            (None, number) => {
                let is_more = |other: &Fields| text.starts_with(b"sep=") || other.clone().count() > count();
                let note = if self.header && is_note(text) { self.header_below(text, is_more) } else { None };
                return note.map_or(Ok(number.unwrap_or(1) - 1), Err);
            }
        };
        match named(name) {
            (Some(place), None) => Ok(place),
            (None, _) => {
                let similar = || {
                    let names: Vec<_> = fields.clone().take(SEARCHED).map(|read| fields.name(&read)).collect();
                    similar_columns(name, (flag == "--column").then_some(flag), &names)
                };
                let is_name = |fields: &Fields| fields.clone().any(|read| *fields.name(&read) == *name.as_bytes());
                let below = || self.header_below(text, is_name);
                let spaced = || self.spaced_name(name, fields);
                let why = encoding(text).map(str::to_string).or_else(below).or_else(spaced).or_else(similar);
                let (shown, all) = (escape(name.as_bytes()), all_shown(fields));
                let why = why.or_else(|| self.other_delimiter(name, text));
                let why = why.map_or(String::new(), |words| format!("; {words}"));
                Err(format!("there is no column {shown:?}; the first row has: {all}{why}"))
            }
            (Some(first), _) => {
                let name = escape(name.as_bytes());
                let number = first + 1;
                Err(format!(
                    "there are two columns {name:?}; give the number instead ({flag} number:{number} for the first)"
                ))
            }
        }
    }

    /// Advice for a missing column: a name with spaces around it.
    fn spaced_name(&self, name: &str, fields: &Fields) -> Option<String> {
        let mut names = fields.clone().map(|read| fields.name(&read));
        let other = names.find(|other| other.trim_ascii() == name.as_bytes())?;
        let (other, flag) = (shown(&other), delimiter_flag(self.delimiter));
        let by_hand = match self.delimiter {
            b'\t' | b'|' | b' ' => "remove them".to_string(),
            delimiter => {
                let delimiter = char::from(delimiter);
                format!("remove those after {flag}, for example with sed 's/{delimiter} */{delimiter}/g'")
            }
        };
        Some(format!(
            "there is \"{other}\", with spaces around it; if the strings have spaces around them, too, {by_hand}"
        ))
    }

    /// Advice for a missing column: a line below the first one that is the header. `is_header` says whether a row is.
    fn header_below(&self, text: &[u8], is_header: impl Fn(&Fields) -> bool) -> Option<String> {
        let reader = |delimiter| RowReader { delimiter, ..self.reader.clone() };
        let first = line_at(text, 0)?;
        let line = &text[first.start..first.end];
        let separator = separator(line);
        let own = self.reader.clone();
        let rows = |reader: &RowReader| {
            let lines = std::iter::successors(Some(first), |line| line_at(text, line.next)).take(SEARCHED_LINES);
            lines.skip(1).position(|line| is_header(&reader.fields(&text[line.start..]))).map(|row| row + 2)
        };
        let (row, delimiter) = match separator.filter(|&separator| separator != self.delimiter) {
            Some(separator) => (rows(&reader(separator))?, Some(separator)),
            None => (rows(&own)?, None),
        };
        let what = match line {
            _ if separator.is_some() => "the first line is a note of Excel about the separator".to_string(),
            _ if line.trim_ascii().is_empty() => "the first line is blank".to_string(),
            _ if is_no_record(line, false) => "the first line is a comment".to_string(),
            _ => format!("line {row} seems to be the header"),
        };
        let delimiter =
            delimiter.map_or(String::new(), |byte| format!(", and use --delimiter {}", delimiter_flag(byte)));
        Some(format!("{what}: remove what is before the header, for example with tail -n +{row}{delimiter}"))
    }

    /// The message about a header that is one field shorter than all rows after it, if the string is in the place of the
    /// field that has no name. (R's `write.table` writes such tables: the names of rows come first.)
    fn misses_row_names(
        &self,
        names: &Fields,
        text: &[u8],
        wanted: &[Wanted],
        is_record: &dyn Fn(&[u8]) -> bool,
    ) -> Option<String> {
        let width = names.clone().count();
        let mut last = names.clone();
        last.by_ref().for_each(drop);
        let (mut at, mut rows, mut is_filled, mut is_moved) = (last.at, 0, false, false);
        while at < text.len() && rows < SEARCHED_LINES {
            let row = after_empty_lines(&text[at..]);
            let mut fields = self.reader.fields(row);
            let names = fields.clone();
            let mut count = 0;
            for read in fields.by_ref().take(width + 2) {
                is_filled |= count == width && !names.name(&read).is_empty();
                is_moved |= wanted.iter().any(|wanted| wanted.column + 1 == count) && is_record(&names.name(&read));
                count += 1;
            }
            if count != width + 1 {
                return None;
            }
            (at, rows) = (text.len() - row.len() + fields.at, rows + 1);
        }
        let delimiter = match self.delimiter {
            b'\t' => "\\t".to_string(),
            other => char::from(other).to_string(),
        };
        (rows > 1 && is_filled && is_moved).then(|| {
            format!(
                "the header has {width} field{}, and rows have one more, as in tables with row names that R writes; name the first \
                 column in the header, too, for example with sed '1s/^/row{delimiter}/'",
                plural(width)
            )
        })
    }

    /// Advice for a missing column: another delimiter with which the first row has a column of this name.
    fn other_delimiter(&self, name: &str, text: &[u8]) -> Option<String> {
        let row = text.split(|&byte| byte == b'\n').next()?.trim_ascii();
        let is_name = |field: &[u8]| {
            field.strip_prefix(b"\"").and_then(|f| f.strip_suffix(b"\"")).unwrap_or(field) == name.as_bytes()
        };
        let fits = |delimiter: &u8| *delimiter != self.delimiter && row.split(|byte| byte == delimiter).any(is_name);
        let delimiter = *b",;\t|".iter().find(|delimiter| fits(delimiter))?;
        Some(format!("with --delimiter {} there is one", delimiter_flag(delimiter)))
    }
}

/// Advice for a missing column: several columns that were given as one, or a column whose name is in another case.
/// `flag` is the flag that names the column, if it is known.
pub fn similar_columns(name: &str, flag: Option<&str>, names: &[impl AsRef<[u8]>]) -> Option<String> {
    let is_number = |part: &str| part.parse().is_ok_and(|number: usize| (1..=names.len()).contains(&number));
    let is_column = |part: &&str| is_number(part) || names.iter().any(|name| name.as_ref() == part.as_bytes());
    let parts: Vec<_> = name.split(',').map(|part| part.trim_matches(' ')).collect();
    if parts.len() > 1 && parts.iter().all(is_column) {
        let example = |flag| parts.iter().map(|part| format!(" {flag} {}", argument(part))).collect::<String>();
        let example = flag.map_or(String::new(), |flag| format!(":{}", example(flag)));
        return Some(format!("repeat the flag for each column{example}"));
    }
    // Only the case of ASCII letters is ignored: the tables of Unicode would make the code for browsers larger.
    let other = names.iter().map(AsRef::as_ref).find(|other| other.eq_ignore_ascii_case(name.as_bytes()))?;
    Some(format!("did you mean \"{}\"? Upper and lower case differ", shown(other)))
}

/// The delimiter in Excel's note about it.
fn separator(line: &[u8]) -> Option<u8> {
    line.strip_prefix(b"sep=").filter(|rest| rest.len() == 1).map(|rest| rest[0])
}

/// Whether the first line is a comment, or Excel's note about the delimiter.
fn is_note(text: &[u8]) -> bool {
    line_at(text, 0).is_some_and(|line| {
        let line = &text[line.start..line.end];
        separator(line).is_some() || !line.is_empty() && is_no_record(line, false)
    })
}

/// A name as messages show it.
fn shown(name: &[u8]) -> String {
    escape(&name[..name.len().min(100)])
}

/// The first names as messages show them, and how many more there are.
fn all_shown(fields: &Fields) -> String {
    let mut rest = fields.clone();
    let names: Vec<_> = rest.by_ref().take(SHOWN).map(|read| shown(&fields.name(&read))).collect();
    match rest.count() {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
