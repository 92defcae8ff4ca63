//! Functions about which puzzles are the same: canonical forms, keys, duplicates.

use arrow_schema::{DataType, Field};
use gridmill_columns::{BadStrings, Session};
use gridmill_core::canon::CanonicalForm;
use gridmill_core::convert::{CanonicalPlan, Canonize, Checks, Conversion, Givens};
use gridmill_core::formats::{FormatLayouts, WrittenAs};
use pyo3::prelude::*;

use crate::arrow::import;
use crate::call::{FirstRefused, ReadArguments, first_refused, value_error};
use crate::strings::{effort, like_input, new_type, rewritten};

/// What counts as the same puzzle.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Comparing {
    by: String,
    form: String,
    givens: String,
    effort: i64,
}

impl Comparing {
    /// Returns a conversion that finds what is compared. `auto` says whether each puzzle may have a form of its own.
    fn conversion(&self, reading: &ReadArguments<'_>, auto: bool) -> PyResult<Conversion> {
        let canonize = match (self.by.as_str(), self.form.as_str()) {
            ("puzzle", "auto") if auto => Canonize::EitherForm,
            ("puzzle", "solution") => Canonize::Form(CanonicalForm::Solution),
            ("puzzle", "puzzle") => Canonize::Form(CanonicalForm::Puzzle),
            ("puzzle", form) => {
                let names = if auto { "auto, solution, puzzle" } else { "solution, puzzle" };
                return Err(value_error(format!("form must be one of {names}, not '{form}'")));
            }
            ("grid" | "string", form) if form != "auto" => {
                return Err(value_error("form is only for by='puzzle': a grid has one form, and a string none"));
            }
            ("grid", _) => Canonize::Grid,
            ("string", _) => Canonize::Board,
            (by, _) => return Err(value_error(format!("by must be one of puzzle, grid, string, not '{by}'"))),
        };
        let all_given = match self.givens.as_str() {
            name if name == Givens::Clues.name() => false,
            name if name == Givens::Placed.name() => true,
            name if name == Givens::Candidates.name() => {
                return Err(value_error("unsupported: a puzzle whose candidates are given has no canonical form"));
            }
            name => {
                let names = [Givens::Clues, Givens::Placed].map(Givens::name).join(", ");
                return Err(value_error(format!("givens must be one of {names}, not '{name}'")));
            }
        };
        Ok(Conversion {
            checks: Checks { effort: effort(self.effort)?, ..Checks::default() },
            canonical: Some(CanonicalPlan::new(canonize).all_given(all_given)),
            ..reading.conversion()?
        })
    }
}

/// Returns what becomes of refused strings.
fn bad(errors: &str) -> PyResult<BadStrings> {
    match errors {
        "raise" | "null" => Ok(BadStrings::Null),
        "keep" => Ok(BadStrings::Keep),
        other => Err(value_error(format!("errors must be one of raise, null, keep, not '{other}'"))),
    }
}

/// A column, with the first refused row.
type ComparedColumn<'py> = (Bound<'py, PyAny>, Option<FirstRefused>);

/// Returns canonical forms in a format, or their keys if there is none.
#[pyfunction]
pub(crate) fn canonical<'py>(
    py: Python<'py>,
    strings: &Bound<'py, PyAny>,
    reading: ReadArguments<'py>,
    comparing: Comparing,
    to: Option<String>,
    errors: &str,
) -> PyResult<ComparedColumn<'py>> {
    let (bad, mut conversion) = (bad(errors)?, comparing.conversion(&reading, to.is_none())?);
    if let Some(to) = &to {
        let to: WrittenAs = to.parse().map_err(value_error)?;
        (conversion.to, conversion.write_layouts) = (to.format, to.with(FormatLayouts::default()));
    }
    let column = import(strings)?;
    let rewritten_to = new_type(column.field.data_type())?;
    let rewrite = |session: &Session<'_>| match to {
        Some(_) => gridmill_columns::convert(&column.chunks, session, bad),
        None => gridmill_columns::keys(&column.chunks, session, bad),
    };
    let done = reading.detached(py, conversion, false, rewrite)?;
    let refused = first_refused(&done.refused);
    Ok((rewritten(py, &column, done, rewritten_to)?, refused))
}

/// Returns for each row whether it is the first of its class, or if `groups` are wanted, the row that is.
#[pyfunction]
pub(crate) fn duplicates<'py>(
    py: Python<'py>,
    strings: &Bound<'py, PyAny>,
    reading: ReadArguments<'py>,
    comparing: Comparing,
    groups: bool,
) -> PyResult<ComparedColumn<'py>> {
    let conversion = comparing.conversion(&reading, true)?;
    let column = import(strings)?;
    new_type(column.field.data_type())?;
    let done =
        reading.detached(py, conversion, false, |session| gridmill_columns::duplicates(&column.chunks, session))?;
    let refused = first_refused(&done.refused);
    let (chunks, of) = if groups { (done.first, DataType::Int64) } else { (done.keep, DataType::Boolean) };
    Ok((like_input(py, &column, chunks, Field::new("", of, true))?, refused))
}
