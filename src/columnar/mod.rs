//! Files with columns, Parquet and Arrow: the strings of some columns are exchanged, everything else of the file stays.
//!
//! - [`run`]: a conversion of such files, with what surrounds any run; [`dedupe`]: rows that are the same are left out.
//! - `rows`: what becomes of the strings of rows; `values`: what columns hold that are appended; `output`: where files are written.
//! - `parquet`: row groups, whose other columns pass through as bytes; `arrow`: record batches of files and streams.

mod arrow;
mod output;
mod parquet;
mod rows;
mod values;

use std::path::Path;

use crate::engine::{
    ColumnJob, ColumnPasses, ColumnSink, Convert, Dedupe, Deduped, NewColumn, Report, RowSelection, StringColumns,
};
use crate::error::Error;
use crate::output::Output;
use crate::source::Input;
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
    convert.run_columns(columns, |job, inputs, output, sink| file.convert(job, inputs, output, sink))
}

/// Leaves out rows of which an earlier one is the same: of inputs, and of other files, all of one sort. Their strings are in these
/// columns.
///
/// # Errors
/// As [`run`].
pub fn dedupe(
    dedupe: Dedupe,
    file: ColumnFile,
    columns: StringColumns,
    of_others: StringColumns,
) -> Result<Deduped, Error> {
    dedupe.run_columns(columns, of_others, &file)
}

impl ColumnFile {
    /// Converts the strings of columns of all inputs, which become one output. Returns it, with the bytes that were written.
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

    fn find(
        &self,
        job: &ColumnJob,
        inputs: Vec<Input>,
        output: Output,
        sink: &mut ColumnSink<'_>,
    ) -> Result<(Output, u64), Error> {
        self.convert(job, inputs, output, sink)
    }

    fn keep(
        &self,
        job: &ColumnJob,
        inputs: Vec<Input>,
        output: Output,
        choice: &mut RowSelection<'_>,
    ) -> Result<(Output, u64), Error> {
        match self {
            Self::Parquet => parquet::keep(job, inputs, output, choice),
            Self::Arrow => arrow::keep(job, inputs, output, choice),
        }
    }
}

/// The refusal of `--bad null` for a column whose strings are never null.
fn never_null(name: &str) -> Error {
    Error::Usage(format!("--bad null: column {name:?} cannot be null; use --bad reject or --bad keep"))
}

/// Columns by their numbers: those with strings, in the order in which they were named, and those with the solutions that came with them.
#[derive(Debug)]
struct Places {
    strings: Vec<usize>,
    solutions: Vec<usize>,
}

impl Places {
    /// Where columns of these names are in the file `path`, among those of strings.
    fn find(path: &Path, columns: &StringColumns, candidates: &[(usize, String)]) -> Result<Self, Error> {
        let the_column = |name: Option<&str>| the_column(name, candidates).map_err(|words| Error::file(path, words));
        if columns.strings.is_empty() {
            the_column(None)?;
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
        let find = |names: &[String]| names.iter().map(|name| the_column(Some(name))).collect::<Result<_, _>>();
        Ok(Self { strings: find(&columns.strings)?, solutions: find(&columns.solutions)? })
    }
}

/// The column of this name, by its number, among those of strings.
///
/// # Errors
/// None is named, there is no such column (the words name those that there are), or there are several.
fn the_column(column: Option<&str>, candidates: &[(usize, String)]) -> Result<usize, String> {
    let mut named = candidates.iter().filter(|(_, name)| column == Some(name));
    if let Some((number, name)) = named.next() {
        return match named.next() {
            None => Ok(*number),
            Some(_) => Err(format!("there are several columns {name:?}; give the one with the strings a unique name")),
        };
    }
    // As they are to be typed, but a name may be empty, or have line ends in it.
    let is_plain = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_.-".contains(c));
    let as_typed = |name: &String| if is_plain(name) { name.clone() } else { format!("{name:?}") };
    let names: Vec<_> = candidates.iter().map(|(_, name)| as_typed(name)).collect();
    let there_are = match names.as_slice() {
        [] => "there is no column of strings".to_string(),
        names => format!("columns of strings: {}", names.join(", ")),
    };
    Err(match column {
        Some(column) => format!("there is no column of strings {column:?}; {there_are}"),
        None => format!("use --column to name the column with the strings; {there_are}"),
    })
}

/// What is said where a new column has the name of another.
fn same_name(new: &NewColumn) -> Error {
    Error::Usage(format!("column {:?} already exists; use {} to choose another name", new.name, new.what.flag()))
}
