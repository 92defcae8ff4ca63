//! CSV and TSV: a string in a column of each row.
//!
//! - `header`: reads the first row: the names and the number of the columns.
//! - `wanted`: the columns to read, and the texts that mean "no string".
//! - `rows`: reads any row, field by field.
//! - `plain`: reads common rows many at a time, from the positions of delimiters, line feeds and quotes; `marks` finds
//!   these positions.
//! - [`quotes`]: tells line ends between quotes from those that end rows, and finds stray quotes.
//! - `escapes`: tells which line ends and delimiters after a backslash belong to a field.
//! - `misplaced`: recognises rows that lost a line end or a delimiter.

mod escapes;
mod header;
mod marks;
mod misplaced;
mod plain;
pub mod quotes;
mod rows;
mod wanted;

use super::cutter::Cutter;
use super::embedding::push_escaped;
use super::{
    Appends, Asked, Beside, Framing, FramingFacts, NamedFraming, NewName, Options, Piece, RecordSort, RowWriter, Rows,
    Unsuited, Value,
};
use crate::error::{Code, Reject, escape};
use crate::formats::{Hints, Text, Within};
use crate::kernels::Kernel;
use escapes::EscapesCutter;
pub use header::similar_columns;
use misplaced::ends_in_record;
use rows::{RowReader, RowsText, after_empty_lines};
use wanted::Null;

pub(super) static CSV: NamedFraming = NamedFraming {
    name: "csv",
    plural: "tables",
    help: "A column of CSV; fields may be quoted and contain line ends",
    flags: &FLAGS,
    extensions: &["csv"],
    rows_extension: Some("csv"),
    beside: Beside::Column,
    records: RecordSort::Rows,
    within: Within::Field,
    make: |options| asked_for(b',', true, options),
};

pub(super) static TSV: NamedFraming = NamedFraming {
    name: "tsv",
    plural: "tables",
    help: "A column of TSV; quotes have no special meaning",
    flags: &FLAGS,
    extensions: &["tsv", "tab"],
    rows_extension: Some("tsv"),
    beside: Beside::Column,
    records: RecordSort::Rows,
    within: Within::TsvField,
    make: |options| asked_for(b'\t', false, options),
};

/// The message about column 0.
const FROM_1: &str = "columns are numbered from 1";

const FLAGS: [&str; 5] = ["--column", "--solution-column", "--delimiter", "--no-header", "--null"];

fn asked_for(delimiter: u8, quotes: bool, options: &Options) -> Result<Box<dyn Framing>, String> {
    let columns = options.columns.iter().map(|column| Column::typed(column)).collect::<Result<Vec<_>, _>>()?;
    let solutions = options.solution_columns.iter().map(|column| Column::typed(column)).collect::<Result<_, _>>()?;
    if columns.is_empty() {
        return Err(
            "use --column to name the column with the strings: by its name in the header, or its number from 1".into(),
        );
    }
    let mut table = Table::new(options.delimiter.unwrap_or(delimiter), quotes, columns);
    if let Some(null) = &options.null {
        let most = Null::MOST;
        table.reader.null =
            Null::new(null.as_bytes()).ok_or_else(|| format!("--null can have at most {most} bytes"))?;
    }
    Ok(Box::new(Table { header: !options.no_header, solutions, ..table }))
}

/// A table, and which of its columns have the strings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    delimiter: u8,
    quotes: bool,
    header: bool,
    columns: Vec<Column>,
    /// The columns of the solutions that came with the strings: as many as `columns`, or none.
    solutions: Vec<Column>,
    /// Reads the rows after the header, as the first row requires.
    reader: RowReader,
    hints: Hints,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Column {
    /// By its number, from 1.
    Number(usize),
    /// By its name in the header.
    Name(String),
    /// By a number, which may be the name of another column in the header.
    NumberOrName(String),
}

impl Column {
    /// The column that a user means: `name:NAME` or `number:N`, or without these words a number or, if it is none, a name.
    ///
    /// # Errors
    /// There is no number after `number:`.
    pub fn typed(text: &str) -> Result<Self, String> {
        if let Some(name) = text.strip_prefix("name:") {
            return Ok(Self::Name(name.to_string()));
        }
        match text.strip_prefix("number:").map(str::parse) {
            Some(Ok(number)) => Ok(Self::Number(number)),
            Some(Err(_)) => {
                Err(format!("{text:?} has no number after 'number:'; a column of this name is \"name:{text}\""))
            }
            None if text.parse::<usize>().is_ok() => Ok(Self::NumberOrName(text.to_string())),
            None => Ok(Self::Name(text.to_string())),
        }
    }

    /// Whether it may be the column with this name and number.
    pub(super) fn may_be(&self, column: Option<&str>, number: usize) -> bool {
        let is_name = |name: &String| column == Some(name);
        self.number() == Some(number) || matches!(self, Self::Name(name) | Self::NumberOrName(name) if is_name(name))
    }

    /// Its number, if that is what the user gave.
    fn number(&self) -> Option<usize> {
        match self {
            Self::Number(number) => Some(*number),
            Self::NumberOrName(number) => number.parse().ok(),
            Self::Name(_) => None,
        }
    }

    /// The name or number that the user gave.
    fn shown(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Name(name) | Self::NumberOrName(name) => name.clone(),
        }
    }
}

/// A delimiter as it is given with `--delimiter`.
fn delimiter_flag(delimiter: u8) -> String {
    if delimiter == b'\t' { "tab".to_string() } else { format!("'{}'", char::from(delimiter)) }
}

/// The column as a user names it: by its name if it has one, or its number. A number that is the name of a column needs a
/// word before it, and so does a name that begins with such a word.
pub(super) fn typed(name: Option<&str>, number: usize, is_name: impl Fn(&str) -> bool) -> String {
    match (name, number.to_string()) {
        (Some(name), _) if name.starts_with("name:") || name.starts_with("number:") => format!("name:{name}"),
        (Some(name), _) => name.to_string(),
        (None, number) if is_name(&number) => format!("number:{number}"),
        (None, number) => number,
    }
}

impl Table {
    /// A table whose fields are separated by commas and may be quoted, with a header.
    pub fn csv(column: Column) -> Self {
        Self::new(b',', true, vec![column])
    }

    /// A table whose fields are separated by tabs, with a header. Quotes have no special meaning. A backslash makes the
    /// line end or the tab after it part of a field, if only then the row has as many fields as the first one.
    pub fn tsv(column: Column) -> Self {
        Self::new(b'\t', false, vec![column])
    }

    fn new(delimiter: u8, quotes: bool, columns: Vec<Column>) -> Self {
        let (wanted, null) = (Vec::new(), Null::default());
        let escapes = !quotes && delimiter != b'\\';
        let reader = RowReader { delimiter, quotes, escapes, wanted, width: None, exact_width: false, null };
        Self { delimiter, quotes, header: true, columns, solutions: Vec::new(), reader, hints: Hints::default() }
    }

    /// The least number of fields in a row.
    fn least(&self) -> usize {
        self.columns.iter().chain(&self.solutions).filter_map(Column::number).max().unwrap_or(1)
    }

    /// The same table without a header: the first row is a record.
    #[must_use]
    pub fn without_header(mut self) -> Self {
        self.header = false;
        self
    }
}

impl Framing for Table {
    fn facts(&self) -> FramingFacts {
        let appends_bare = b",\t;|".contains(&self.delimiter);
        FramingFacts { appends: Appends::Named, appends_bare, rows_stand_alone: true, ..FramingFacts::default() }
    }

    fn cutter(&self, kernel: &'static Kernel) -> Option<Box<dyn Cutter>> {
        match self.quotes {
            true => Some(Box::new(quotes::QuotesCutter::new(self.delimiter, kernel))),
            false if self.reader.escapes => Some(Box::new(EscapesCutter::new(self.delimiter, self.least()))),
            false => None,
        }
    }

    fn check(&self, asked: &Asked) -> Result<(), String> {
        let in_solution = matches!(self.delimiter, b'.' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z');
        if matches!(self.delimiter, b'\n' | b'\r' | b'"') {
            return Err("a line end or a quote cannot be the delimiter".into());
        }
        // Names escape it with a backslash, too.
        if (in_solution || self.delimiter == b'\\') && !self.quotes && !asked.names.is_empty() {
            return Err(
                "appended values may contain this delimiter, and fields of TSV cannot be quoted; use csv".into()
            );
        }
        let breaks = |new: &&NewName| new.name.bytes().any(|byte| [self.delimiter, b'\r', b'\n'].contains(&byte));
        if let Some(NewName { name, .. }) = asked.names.iter().find(breaks).filter(|_| self.header && !self.quotes) {
            let words =
                "contains a delimiter or a line end, and fields of TSV cannot be quoted; use another name, or csv";
            return Err(format!("the name {name:?} {words}"));
        }
        if !self.solutions.is_empty() && self.solutions.len() != self.columns.len() {
            let (columns, solutions) = (self.columns.len(), self.solutions.len());
            return Err(format!(
                "each --column needs a --solution-column, in the same order: got {solutions} for {columns}"
            ));
        }
        let columns = || self.columns.iter().chain(&self.solutions);
        for (at, column) in columns().enumerate() {
            match column {
                twice if columns().take(at).any(|other| other == twice) => {
                    return Err(format!("column {} is named twice", escape(twice.shown().as_bytes())));
                }
                Column::Number(0) => return Err(FROM_1.into()),
                Column::NumberOrName(_) if !self.header && column.number() == Some(0) => return Err(FROM_1.into()),
                Column::Name(name) if !self.header => {
                    return Err(format!(
                        "without a header, columns have no names; give the number instead of {name:?}"
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn columns(&self) -> Vec<String> {
        self.columns.iter().map(Column::shown).collect()
    }

    fn begin(&mut self, first: &Piece, asked: &Asked) -> Result<(), Unsuited> {
        self.hints = asked.hints;
        self.reader = self.reader_after(first, asked)?;
        Ok(())
    }

    fn header(&self, text: &[u8]) -> usize {
        if self.header { self.reader.header_end(text) } else { 0 }
    }

    fn names(&self, header: &[u8]) -> Vec<u8> {
        let fields = self.reader.fields(after_empty_lines(header));
        // A table may have millions of columns, so their names are not collected.
        let mut names = Vec::with_capacity(header.len());
        for (number, read) in fields.clone().enumerate() {
            names.extend((number > 0).then_some(self.delimiter));
            names.extend_from_slice(&fields.name(&read));
        }
        names
    }

    fn find_rows(&self, piece: &Piece, all: bool, rows: &mut Rows) {
        let Piece { text, start, quotes, .. } = *piece;
        let spoiled = quotes.map_or(&[][..], |quotes| &quotes.spoiled).iter();
        let within = spoiled.filter(|row| row.start >= start && row.end <= start + text.len());
        let spoiled: Vec<_> = within.map(|row| row.start - start..row.end - start).collect();
        // Most tables have no quotes; then rows need not be searched for them.
        let any_quotes = self.quotes && quotes.is_none_or(|quotes| quotes.any);
        let ends_in_record = |field: &[u8]| ends_in_record(field, &self.hints);
        // Recorded positions are relative to the start of the chunk.
        let recorded = quotes.filter(|_| start == 0).map(|quotes| &quotes.marks);
        let reader = RowReader { quotes: any_quotes, ..self.reader.clone() };
        let whole = RowsText { text, all, ends_in_record: &ends_in_record };
        reader.rows(whole, &spoiled, reader.marks(text, piece.kernel, recorded), rows);
    }
}

impl RowWriter for Table {
    fn is_bare(&self, strings: &[u8]) -> bool {
        memchr::memchr2(self.delimiter, b'"', strings).is_none()
    }

    fn fits(&self, string: &[u8]) -> Result<(), Reject> {
        if self.quotes || !string.contains(&self.delimiter) {
            return Ok(());
        }
        let message = "the new string contains the delimiter, and fields of TSV cannot be quoted; use csv";
        Err(Reject::whole(Code::Column, message))
    }

    fn put(&self, string: &[u8], quoted: bool, out: &mut Text) {
        let special = |byte: &u8| [self.delimiter, b'"', b'\r', b'\n'].contains(byte);
        if !self.quotes || !string.iter().any(special) {
            return out.push(string);
        }
        let around: &[u8] = if quoted { b"" } else { b"\"" };
        out.push(around);
        for part in string.split_inclusive(|&byte| byte == b'"') {
            out.push(part);
            out.push(if part.ends_with(b"\"") { b"\"" } else { b"" });
        }
        out.push(around);
    }

    fn label(&self, _: &str) -> Vec<u8> {
        vec![self.delimiter]
    }

    fn append(&self, label: &[u8], values: &[Value], _: bool, out: &mut Text) {
        out.push(label);
        for value in values {
            match value {
                Value::Words(text) if !self.quotes => push_escaped(text, self.delimiter, out),
                Value::Text(text) | Value::Words(text) => self.put(text, false, out),
                other => other.write(out),
            }
        }
    }

    fn append_name(&self, name: &str, out: &mut Text) {
        self.append(&self.label(name), &[Value::Text(name.as_bytes())], false, out);
    }

    /// A refused row also needs the new columns, so that it is as wide as the others, unless it has too few columns
    /// itself or is too long to be read.
    fn appends_to_refused(&self, of_row: Option<Code>) -> bool {
        !matches!(of_row, Some(Code::Column | Code::TooLong))
    }
}
