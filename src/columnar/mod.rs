//! Converts files with columns, Parquet and Arrow: replaces the strings in some columns and copies everything else.
//!
//! - [`run`]: a conversion of such files, with everything that belongs to any run. [`dedupe`]: leaves out rows that are
//!   the same. `strings`: those of one column, as they are.
//! - `rows`: converts the strings of rows. `values`: the types of appended columns. `output`: the output as file
//!   writers use it. `damage`: what damaged files must not do. `metadata`: what of it is not in the output.
//! - `parquet`: works on row groups, whose other columns are copied as bytes. `arrow`: works on record batches of files
//!   and streams.

mod arrow;
mod damage;
mod metadata;
mod output;
mod parquet;
mod rows;
mod values;

use std::path::Path;

pub use crate::engine::ColumnFile;
use crate::engine::{
    ColumnJob, ColumnPasses, ColumnSink, Convert, Dedupe, Deduped, NewColumn, Report, RowSelection, StringColumns,
};
use crate::error::Error;
use crate::framing::similar_columns;
use crate::output::Output;
use crate::source::Input;
#[doc(hidden)]
pub use damage::is_reading;

/// Runs a conversion on the strings of columns. The inputs of `convert` are files of one format and schema.
///
/// # Errors
/// See [`Convert::run`]; also if there is no such column (the message lists those that exist), or a file is damaged.
pub fn run(convert: Convert, file: ColumnFile, columns: StringColumns) -> Result<Report, Error> {
    convert.run_columns(columns, |job, inputs, output, sink| file.convert(job, inputs, output, sink))
}

/// Leaves out each row that is the same as an earlier one, in inputs and other files of one format. The strings are in
/// `columns`, and those of the other files in `of_others`.
///
/// # Errors
/// See [`run`].
pub fn dedupe(
    dedupe: Dedupe,
    file: ColumnFile,
    columns: StringColumns,
    of_others: StringColumns,
) -> Result<Deduped, Error> {
    dedupe.run_columns(columns, of_others, &file)
}

/// Passes the strings of a column of a file to `take`, until it answers that it takes no more, each with its number. Rows
/// without a string count, but are not passed. Without a name, it is the only column of strings.
///
/// # Errors
/// There is no such column, several could be meant (the message lists those that exist), or the file is damaged.
pub(crate) fn strings(
    path: &Path,
    file: ColumnFile,
    column: Option<&str>,
    take: &mut dyn FnMut(usize, &[u8]) -> bool,
) -> Result<(), Error> {
    let mut number = 0;
    let mut values = |value: Option<&[u8]>| {
        number += 1;
        value.filter(|string| !string.is_empty()).is_none_or(|string| take(number, string))
    };
    let input = Input::File(path.to_path_buf());
    match file {
        ColumnFile::Parquet => parquet::strings(input, column, &mut values),
        ColumnFile::Arrow => arrow::strings(input, column, &mut values),
    }
}

impl ColumnFile {
    /// Converts the strings in columns of all inputs into one output. Returns it, with the number of bytes written.
    fn convert(
        self,
        job: &ColumnJob,
        inputs: Vec<Input>,
        output: Output,
        sink: &mut ColumnSink<'_>,
    ) -> Result<(Output, u64), Error> {
        match self {
            Self::Parquet => parquet::run(job, inputs, output, sink),
            Self::Arrow => arrow::run(job, inputs, output, sink),
        }
    }
}

impl ColumnPasses for ColumnFile {
    fn may_be_streams(&self) -> bool {
        *self == Self::Arrow
    }

    fn find_keys(
        &self,
        job: &ColumnJob,
        inputs: Vec<Input>,
        output: Output,
        sink: &mut ColumnSink<'_>,
    ) -> Result<(Output, u64), Error> {
        self.convert(job, inputs, output, sink)
    }

    fn copy_kept(
        &self,
        job: &ColumnJob,
        inputs: Vec<Input>,
        output: Output,
        selection: &mut RowSelection<'_>,
    ) -> Result<(Output, u64), Error> {
        match self {
            Self::Parquet => parquet::copy_kept(job, inputs, output, selection),
            Self::Arrow => arrow::copy_kept(job, inputs, output, selection),
        }
    }
}

/// The state that is used in turn.
struct OrderedOutput<'r, 'k, Destination> {
    destination: Destination,
    sink: &'r mut ColumnSink<'k>,
}

/// The error for `--bad null` if a column cannot have nulls.
fn never_null(name: &str) -> Error {
    Error::Usage(format!("--bad null: column {name:?} cannot be null; use --bad reject or --bad keep"))
}

/// Names the file in an error about what is in it. With several inputs, it is unknown which one it is.
fn naming(only: Option<&Path>, error: Error) -> Error {
    match (only, error) {
        (Some(path), Error::Usage(message)) => Error::file(path, message),
        (_, error) => error,
    }
}

/// Columns by number: those with strings, in the order in which they were named, and those with the solutions that came
/// with them.
#[derive(Debug)]
struct ColumnNumbers {
    strings: Vec<usize>,
    solutions: Vec<usize>,
}

impl ColumnNumbers {
    /// Finds the column of this name in the file `path` or, without one, the only column of strings.
    fn find_one(path: &Path, column: Option<&str>, candidates: &[(usize, String)]) -> Result<Self, Error> {
        let column = match (column, candidates) {
            (None, [(only, _)]) => *only,
            _ => find_column(column, candidates).map_err(|words| Error::file(path, words))?,
        };
        Ok(Self { strings: vec![column], solutions: Vec::new() })
    }

    /// Finds the columns of these names in the file `path`. `candidates` are its columns of strings.
    fn find(path: &Path, columns: &StringColumns, candidates: &[(usize, String)]) -> Result<Self, Error> {
        let find_column = |name: Option<&str>| find_column(name, candidates).map_err(|words| Error::file(path, words));
        if columns.strings.is_empty() {
            find_column(None)?;
        }
        let (of, solutions) = (columns.strings.len(), columns.solutions.len());
        if solutions > 0 && solutions != of {
            let words = format!("each --column needs a --solution-column, in the same order: got {solutions} for {of}");
            return Err(Error::Usage(words));
        }
        let all = || columns.strings.iter().chain(&columns.solutions);
        if let Some((_, twice)) = all().enumerate().find(|(at, name)| all().take(*at).any(|other| other == *name)) {
            return Err(Error::Usage(format!("column {twice:?} is named twice")));
        }
        let find = |names: &[String]| names.iter().map(|name| find_column(Some(name))).collect::<Result<_, _>>();
        Ok(Self { strings: find(&columns.strings)?, solutions: find(&columns.solutions)? })
    }
}

/// Finds the column of this name among the columns of strings, and returns its number.
///
/// # Errors
/// No name is given, there is no such column (the message lists those that exist), or there are several.
fn find_column(column: Option<&str>, candidates: &[(usize, String)]) -> Result<usize, String> {
    let mut named = candidates.iter().filter(|(_, name)| column == Some(name));
    if let Some((number, name)) = named.next() {
        return match named.next() {
            None => Ok(*number),
            Some(_) => Err(format!("there are several columns {name:?}; give the one with the strings a unique name")),
        };
    }
    // Names are shown as they must be typed. Those that are empty or have special characters are quoted.
    let is_plain = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_.-".contains(c));
    let as_typed = |name: &String| if is_plain(name) { name.clone() } else { format!("{name:?}") };
    let names: Vec<_> = candidates.iter().map(|(_, name)| as_typed(name)).collect();
    let there_are = match names.as_slice() {
        [] => "there is no column of strings".to_string(),
        names => format!("columns of strings: {}", names.join(", ")),
    };
    Err(match column {
        Some(column) => {
            let all: Vec<_> = candidates.iter().map(|(_, name)| name).collect();
            let similar = similar_columns(column, None, &all).map_or(String::new(), |words| format!("; {words}"));
            format!("there is no column of strings {column:?}; {there_are}{similar}")
        }
        None => format!("use --column to name the column with the strings; {there_are}"),
    })
}

/// The error for a new column with the name of an existing one.
fn same_name(new: &NewColumn) -> Error {
    Error::Usage(format!("column {:?} already exists; use {} to choose another name", new.name, new.flag))
}
