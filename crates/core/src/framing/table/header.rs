//! Reads the first row of a table: finds the columns to read by their names, and counts the columns.

use super::escapes::first_row;
use super::misplaced::ends_in_record;
use super::rows::{Fields, ReadField, RowReader, after_empty_lines};
use super::wanted::{ColumnRole, Wanted};
use super::{Column, Table};
use crate::error::{escape, plural};
use crate::formats::argument;
use crate::formats::{encoding, recognise};
use crate::framing::{Asked, NewName, Piece, Unsuited};

/// How many names a message shows.
const SHOWN: usize = 20;

/// How many names are compared with one that is missing.
const SEARCHED: usize = 100_000;

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
        let is_record = |number: &usize| {
            names().nth(number - 1).is_some_and(|name| recognise(&name, asked.from, &asked.hints).is_ok())
        };
        let numbers = self
            .columns
            .iter()
            .filter_map(|column| if let Column::Number(number) = column { Some(number) } else { None });
        if numbers.into_iter().any(is_record) {
            let words = "the first row looks like a record, not a header; if it is one, use --no-header";
            return asked_for(words.into());
        }
        if let Some(name) = names().find(|name| ends_in_record(name, &asked.hints)) {
            return asked_for(format!(
                "the header contains a record, {:?}; add the missing line end, or use --no-header if the row is a record",
                shown(&name)
            ));
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
            let column = self.place(column, Some("--column"), fields, text)?;
            wanted.push(Wanted { column, role: ColumnRole::Strings(number) });
        }
        for (number, column) in (0..).zip(&self.solutions) {
            wanted
                .push(Wanted { column: self.place(column, None, fields, text)?, role: ColumnRole::Solutions(number) });
        }
        wanted.sort_by_key(|wanted| wanted.column);
        match wanted.windows(2).find(|two| two[0].column == two[1].column) {
            Some(two) => Err(format!("column {} is named twice", two[0].column + 1)),
            None => Ok(wanted),
        }
    }

    /// The number of a column, from 0, in a `text` whose first row has these fields. `flag` names the column, if only
    /// one flag does.
    fn place(&self, column: &Column, flag: Option<&str>, fields: &Fields, text: &[u8]) -> Result<usize, String> {
        let count = || fields.clone().count();
        let name = match column {
            Column::Number(number) if self.header && *number > count() => {
                let (count, s) = (count(), plural(count()));
                return Err(format!(
                    "there is no column {number}; the first row has {count} field{s}: {}",
                    all_shown(fields)
                ));
            }
            Column::Number(number) => return Ok(number.saturating_sub(1)),
            Column::Name(name) => name,
        };
        let is_name = |read: &ReadField| *fields.name(read) == *name.as_bytes();
        let mut places = (0..).zip(fields.clone()).filter_map(|(place, read)| is_name(&read).then_some(place));
        match (places.next(), places.next()) {
            (Some(place), None) => Ok(place),
            (None, _) => {
                let similar = || {
                    let names: Vec<_> = fields.clone().take(SEARCHED).map(|read| fields.name(&read)).collect();
                    similar_columns(name, flag, &names)
                };
                let why = encoding(text).map(str::to_string).or_else(similar);
                let (name, all) = (escape(name.as_bytes()), all_shown(fields));
                let why = why.or_else(|| self.other_delimiter(&name, text));
                let why = why.map_or(String::new(), |words| format!("; {words}"));
                Err(format!("there is no column {name:?}; the first row has: {all}{why}"))
            }
            _ => {
                let name = escape(name.as_bytes());
                Err(format!("there are two columns {name:?}; give the number instead"))
            }
        }
    }

    /// Advice for a missing column: another delimiter with which the first row has a column of this name.
    fn other_delimiter(&self, name: &str, text: &[u8]) -> Option<String> {
        let row = text.split(|&byte| byte == b'\n').next()?.trim_ascii();
        let is_name = |field: &[u8]| {
            field.strip_prefix(b"\"").and_then(|f| f.strip_suffix(b"\"")).unwrap_or(field) == name.as_bytes()
        };
        let fits = |delimiter: &u8| *delimiter != self.delimiter && row.split(|byte| byte == delimiter).any(is_name);
        let delimiter = *b",;\t|".iter().find(|delimiter| fits(delimiter))?;
        let shown = if delimiter == b'\t' { "tab".to_string() } else { format!("'{}'", char::from(delimiter)) };
        Some(format!("with --delimiter {shown} there is one"))
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
