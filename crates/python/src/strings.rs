//! Functions from strings to strings, and to facts about them.

use std::collections::HashMap;

use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, Field};
use gridmill_columns::{
    BadStrings, CallError, RewrittenColumn, Session, detected_type, facts_type, refused_rows, rewritten_type,
    verdict_type,
};
use gridmill_core::board::FillCandidates;
use gridmill_core::convert::{CheckLevel, Checks, Conversion, Givens};
use gridmill_core::formats::{Format, FormatLayouts, WrittenAs};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;

use crate::arrow::{ImportedColumn, import};
use crate::call::{FirstRefused, ReadArguments, first_refused, layout, value_error};
use crate::column::{PyColumn, PyColumns};
use crate::evidence::PyEvidence;

/// The arguments of `convert`, besides those about reading.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Converting {
    to: String,
    notes: String,
    lossy: bool,
    level: String,
    str8ts_write: Option<String>,
    /// `raise`, `null`, `keep` or `report`.
    errors: String,
}

impl Converting {
    fn conversion(&self, reading: &ReadArguments<'_>) -> PyResult<Conversion> {
        let candidates = FillCandidates::ALL.into_iter().find(|notes| notes.name() == self.notes).ok_or_else(|| {
            let names = FillCandidates::ALL.map(FillCandidates::name).join(", ");
            value_error(format!("notes must be one of {names}, not '{}'", self.notes))
        })?;
        let to: WrittenAs = self.to.parse().map_err(value_error)?;
        let layout = layout("str8ts_write", self.str8ts_write.as_deref(), Format::V2, true)?;
        Ok(Conversion {
            to: to.format,
            candidates,
            lossy: self.lossy,
            checks: Checks { level: level(&self.level)?, ..Checks::default() },
            write_layouts: to.with(FormatLayouts::default().with(Format::V2, layout)),
            ..reading.conversion()?
        })
    }
}

fn level(name: &str) -> PyResult<CheckLevel> {
    CheckLevel::ALL.into_iter().find(|level| level.name() == name).ok_or_else(|| {
        let names = CheckLevel::ALL.map(CheckLevel::name).join(", ");
        value_error(format!("level must be one of {names}, not '{name}'"))
    })
}

/// Returns the effort for the search of solutions.
pub(crate) fn effort(effort: i64) -> PyResult<u32> {
    u32::try_from(effort)
        .ok()
        .filter(|&effort| effort > 0)
        .ok_or_else(|| value_error(format!("effort must be 1 to 4294967295, not {effort}")))
}

/// A new column with the first refused row, and a column of all refused rows.
type ConvertedColumn<'py> = (Bound<'py, PyAny>, Option<FirstRefused>, Option<PyColumn>);

/// Converts strings.
#[pyfunction]
pub(crate) fn convert<'py>(
    py: Python<'py>,
    strings: &Bound<'py, PyAny>,
    reading: ReadArguments<'py>,
    converting: Converting,
) -> PyResult<ConvertedColumn<'py>> {
    let conversion = converting.conversion(&reading)?;
    let (bad, report) = match converting.errors.as_str() {
        "raise" | "null" => (BadStrings::Null, false),
        "report" => (BadStrings::Null, true),
        "keep" => (BadStrings::Keep, false),
        other => return Err(value_error(format!("errors must be one of raise, null, keep, report, not '{other}'"))),
    };
    let column = import(strings)?;
    let rewritten_to = new_type(column.field.data_type())?;
    let (done, rows) = reading.detached(py, conversion, report, |session| {
        let done = gridmill_columns::convert(&column.chunks, session, bad)?;
        let rows = if report { Some(refused_rows(&column.chunks, &done.refused)?) } else { None };
        Ok((done, rows))
    })?;
    let refused = first_refused(&done.refused);
    Ok((rewritten(py, &column, done, rewritten_to)?, refused, rows.map(PyColumn::new)))
}

/// How puzzles are solved.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Searching {
    effort: i64,
    max_solutions: i64,
    givens: String,
}

impl Searching {
    fn checks(&self) -> PyResult<Checks> {
        let &Self { effort, max_solutions, ref givens } = self;
        let max = u32::try_from(max_solutions).ok().filter(|max| *max >= 2);
        let max_solutions = max.ok_or_else(|| {
            value_error(format!("max_solutions must be at least 2, and less than 2**32, not {max_solutions}"))
        })?;
        let found = Givens::ALL.into_iter().find(|known| known.name() == givens);
        let givens = found.ok_or_else(|| {
            let names = Givens::ALL.map(Givens::name).join(", ");
            value_error(format!("givens must be one of {names}, not '{givens}'"))
        })?;
        Ok(Checks { effort: self::effort(effort)?, max_solutions, givens, ..Checks::default() })
    }
}

/// Solves puzzles.
#[pyfunction]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    strings: &Bound<'py, PyAny>,
    reading: ReadArguments<'py>,
    searching: Searching,
) -> PyResult<Bound<'py, PyAny>> {
    let checks = searching.checks()?;
    let conversion = Conversion { checks, ..reading.conversion()? };
    let column = import(strings)?;
    let rewritten_to = new_type(column.field.data_type())?;
    let solve = |session: &Session<'_>| gridmill_columns::solve(&column.chunks, session);
    let done = reading.detached(py, conversion, false, solve)?;
    rewritten(py, &column, done, rewritten_to)
}

/// Detects formats.
#[pyfunction]
pub(crate) fn detect<'py>(
    py: Python<'py>,
    strings: &Bound<'py, PyAny>,
    reading: ReadArguments<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let conversion = reading.conversion()?;
    let column = import(strings)?;
    new_type(column.field.data_type())?;
    let chunks =
        reading.detached(py, conversion, false, |session| gridmill_columns::detect(&column.chunks, session))?;
    like_input(py, &column, chunks, Field::new("", detected_type(), true))
}

/// Validates strings.
#[pyfunction]
pub(crate) fn validate<'py>(
    py: Python<'py>,
    strings: &Bound<'py, PyAny>,
    solutions: Option<Bound<'py, PyAny>>,
    reading: ReadArguments<'py>,
    level: &str,
    searching: Searching,
) -> PyResult<Bound<'py, PyAny>> {
    let checks = Checks { level: self::level(level)?, ..searching.checks()? };
    let conversion = Conversion { checks, ..reading.conversion()? };
    let column = import(strings)?;
    new_type(column.field.data_type())?;
    let given = solutions.as_ref().map(import).transpose()?;
    if let Some(given) = &given {
        new_type(given.field.data_type())?;
        let [strings, solutions] =
            [&column, given].map(|column| column.chunks.iter().map(|chunk| chunk.len()).sum::<usize>());
        if strings != solutions {
            return Err(value_error(format!("there are {solutions} solutions for {strings} strings")));
        }
        if checks.level == CheckLevel::Syntax {
            return Err(value_error("level syntax does not check solutions; use rules or unique"));
        }
    }
    let validate = |session: &Session<'_>| match &given {
        Some(given) => gridmill_columns::validate_given(&column.chunks, &given.chunks, session),
        None => gridmill_columns::validate(&column.chunks, session),
    };
    let chunks = reading.detached(py, conversion, false, validate)?;
    like_input(py, &column, chunks, Field::new("", verdict_type(), true))
}

/// Finds facts about puzzles.
#[pyfunction]
pub(crate) fn facts<'py>(
    py: Python<'py>,
    strings: &Bound<'py, PyAny>,
    reading: ReadArguments<'py>,
    searching: Searching,
) -> PyResult<Bound<'py, PyAny>> {
    let conversion = Conversion { checks: searching.checks()?, ..reading.conversion()? };
    let column = import(strings)?;
    new_type(column.field.data_type())?;
    let chunks = reading.detached(py, conversion, false, |session| gridmill_columns::facts(&column.chunks, session))?;
    like_input(py, &column, chunks, Field::new("", facts_type(), true))
}

/// Returns the type of the new column for a column of this type.
pub(crate) fn new_type(of: &DataType) -> PyResult<DataType> {
    rewritten_type(of).map_err(|error: CallError| PyTypeError::new_err(error.to_string()))
}

pub(crate) fn rewritten<'py>(
    py: Python<'py>,
    column: &ImportedColumn,
    done: RewrittenColumn,
    data_type: DataType,
) -> PyResult<Bound<'py, PyAny>> {
    if column.is_array && done.chunks.len() > 1 {
        let words = "the new strings have more than the 2 GiB of an array of type string; cast it to large_string, or pass chunks";
        return Err(PyOverflowError::new_err(words));
    }
    like_input(py, column, done.chunks, rewritten_field(&column.field, data_type))
}

/// The metadata that names the extension type of a field, and the type that new strings are not of.
const EXTENSION: [&str; 2] = ["ARROW:extension:name", "ARROW:extension:metadata"];
const JSON: &str = "arrow.json";

/// Returns the field of new strings of this type. A dictionary stays ordered, and an extension of the same type stays one,
/// unless it is JSON.
fn rewritten_field(of: &Field, data_type: DataType) -> Field {
    let is_json = of.metadata().get(EXTENSION[0]).is_some_and(|name| name == JSON);
    let is_same = *of.data_type() == data_type && !is_json;
    let stays = |(key, _): &(&String, &String)| is_same && EXTENSION.contains(&key.as_str());
    let metadata: HashMap<_, _> =
        of.metadata().iter().filter(stays).map(|(key, value)| (key.clone(), value.clone())).collect();
    let is_ordered = of.dict_is_ordered() == Some(true);
    Field::new(of.name(), data_type, true).with_dict_is_ordered(is_ordered).with_metadata(metadata)
}

/// Returns an array for an array, and chunks for chunks.
pub(crate) fn like_input<'py>(
    py: Python<'py>,
    column: &ImportedColumn,
    mut chunks: Vec<ArrayRef>,
    field: Field,
) -> PyResult<Bound<'py, PyAny>> {
    if column.is_array
        && let Some(array) = chunks.pop()
    {
        return Ok(Bound::new(py, PyColumn::with_field(array, field))?.into_any());
    }
    Ok(Bound::new(py, PyColumns::new(chunks, field))?.into_any())
}

/// Returns the evidence of all strings in a column.
#[pyfunction]
pub(crate) fn evidence(py: Python<'_>, strings: &Bound<'_, PyAny>, reading: ReadArguments<'_>) -> PyResult<PyEvidence> {
    let column = import(strings)?;
    let votes = reading
        .detached(py, reading.conversion()?, false, |session| gridmill_columns::weigh(&column.chunks, session))?;
    Ok(PyEvidence { votes })
}
