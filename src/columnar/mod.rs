//! Files with columns, Parquet and Arrow: the strings of some columns are exchanged, everything else of the file stays.
//!
//! - [`run`]: a conversion of such files, with what surrounds any run.
//! - `rows`: what becomes of the strings of rows; `values`: what columns hold that are appended; `output`: where files are written.
//! - `parquet`: row groups, whose other columns pass through as bytes; `arrow`: record batches of files and streams.

mod arrow;
mod output;
mod parquet;
mod rows;
mod values;

use crate::engine::{Convert, NewColumn, Report, StringColumns};
use crate::error::Error;
#[cfg(feature = "cli")]
pub(crate) use arrow::is_reading;

/// What a file with columns is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnFile {
    /// Apache Parquet.
    Parquet,
    /// A file or a stream of Arrow's IPC format.
    Arrow,
}

/// Runs a conversion on the strings of columns: of the inputs of `convert`, which are files of one sort and schema.
///
/// # Errors
/// As [`Convert::run`]; there is no such column (the words name those that there are), or a file is damaged.
pub fn run(convert: Convert, file: ColumnFile, columns: StringColumns) -> Result<Report, Error> {
    convert.run_columns(columns, |job, inputs, output, sink| match file {
        ColumnFile::Parquet => parquet::run(job, inputs, output, sink),
        ColumnFile::Arrow => arrow::run(job, inputs, output, sink),
    })
}

/// The refusal of `--bad null` for a column whose strings are never null.
fn never_null(name: &str) -> Error {
    Error::Usage(format!("--bad null: column {name:?} may not be null; say --bad reject or keep"))
}

/// Columns by their numbers: those with strings, in the order in which they were named, and those with the solutions that came with them.
#[derive(Debug)]
struct Places {
    strings: Vec<usize>,
    solutions: Vec<usize>,
}

impl Places {
    /// Where columns of these names are, among those of strings.
    fn find(columns: &StringColumns, candidates: &[(usize, String)]) -> Result<Self, Error> {
        if columns.strings.is_empty() {
            the_column(None, candidates)?;
        }
        let (of, solutions) = (columns.strings.len(), columns.solutions.len());
        if solutions > 0 && solutions != of {
            let words = format!("each --column needs its --solution-column, in the same order: {of} and {solutions}");
            return Err(Error::Usage(words));
        }
        let all = || columns.strings.iter().chain(&columns.solutions);
        if let Some((_, twice)) = all().enumerate().find(|(at, name)| all().take(*at).any(|other| other == *name)) {
            return Err(Error::Usage(format!("column {twice:?} is named twice")));
        }
        let find =
            |names: &[String]| names.iter().map(|name| the_column(Some(name), candidates)).collect::<Result<_, _>>();
        Ok(Self { strings: find(&columns.strings)?, solutions: find(&columns.solutions)? })
    }
}

/// The column of this name, by its number, among those of strings.
///
/// # Errors
/// None is named, there is no such column (the words name those that there are), or there are several.
fn the_column(column: Option<&str>, candidates: &[(usize, String)]) -> Result<usize, Error> {
    let mut named = candidates.iter().filter(|(_, name)| column == Some(name));
    if let Some((number, name)) = named.next() {
        return match named.next() {
            None => Ok(*number),
            Some(_) => Err(Error::Usage(format!(
                "there are several columns {name:?}; give the one with the strings a name of its own"
            ))),
        };
    }
    let names: Vec<_> = candidates.iter().map(|(_, name)| name.as_str()).collect();
    let there_are = match names.as_slice() {
        [] => "there is no column of strings".to_string(),
        names => format!("columns of strings: {}", names.join(", ")),
    };
    Err(Error::Usage(match column {
        Some(column) => format!("there is no column of strings {column:?}; {there_are}"),
        None => format!("say with --column which column has the strings; {there_are}"),
    }))
}

/// What is said where a new column has the name of another.
fn same_name(new: &NewColumn) -> Error {
    Error::Usage(format!("there is a column {:?} already; name another one with {}", new.name, new.what.flag()))
}
