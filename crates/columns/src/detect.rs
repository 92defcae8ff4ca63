//! Detects the formats of strings.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder, StringBuilder, StringDictionaryBuilder, UInt8Builder};
use arrow_array::types::Int8Type;
use arrow_array::{ArrayRef, StructArray};
use arrow_schema::{DataType, Field, Fields};
use gridmill_core::Reject;
use gridmill_core::convert::{CheckLevel, Conversion, MAX_RECORD, too_long};
use gridmill_core::formats::{Form, recognise};

use crate::blocks;
use crate::error::CallError;
use crate::reader::refused_as;
use crate::session::Session;
use crate::strings::Strings;

/// The type of the result of [`detect()`].
pub fn detected_type() -> DataType {
    DataType::Struct(fields())
}

fn fields() -> Fields {
    let names = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8));
    Fields::from(vec![
        Field::new("format", names.clone(), true),
        Field::new("kind", names, true),
        Field::new("side", DataType::UInt8, true),
        Field::new("code", DataType::Utf8, true),
        Field::new("message", DataType::Utf8, true),
    ])
}

/// Detects the format of each string in a column from its length and header. The result has a struct for each row, with
/// `format`, `kind` and `side`, or with the `code` and `message` that say why no format fits. All fields are null if
/// there is no string.
///
/// # Errors
/// [`CallError::Type`], [`CallError::Interrupted`].
pub fn detect(chunks: &[ArrayRef], session: &Session<'_>) -> Result<Vec<ArrayRef>, CallError> {
    let columns = Strings::of_all(chunks)?;
    let rows = columns.iter().map(Strings::len).sum();
    let plan = &session.conversion;
    let found = blocks::run_jobs(
        session,
        rows,
        blocks::of_columns(&columns, session, CheckLevel::Syntax),
        || (),
        |(), (chunk, rows), _| recognise_all(&columns[chunk], rows, plan),
    )?;
    let mut found = found.into_iter().flatten();
    Ok(columns.iter().map(|strings| as_struct(found.by_ref().take(strings.len()))).collect())
}

/// The result for a row; `None` if there is no string.
type Detected = Option<Result<Form, Reject>>;

fn recognise_all(strings: &Strings<'_>, rows: Range<usize>, plan: &Conversion) -> Vec<Detected> {
    let form = |string: &[u8]| match string.len() {
        0 => None,
        MAX_RECORD_AND_MORE.. => Some(Err(too_long(string))),
        _ => Some(recognise(string, plan.from, &plan.hints).map_err(|reject| refused_as(string, &reject).into_owned())),
    };
    rows.map(|row| strings.get(row).and_then(form)).collect()
}

/// The minimum length of strings that are too long.
const MAX_RECORD_AND_MORE: usize = MAX_RECORD + 1;

fn as_struct(found: impl Iterator<Item = Detected>) -> ArrayRef {
    let mut formats = StringDictionaryBuilder::<Int8Type>::new();
    let mut kinds = StringDictionaryBuilder::<Int8Type>::new();
    let (mut sides, mut codes, mut messages) = (UInt8Builder::new(), StringBuilder::new(), StringBuilder::new());
    for found in found {
        let form = found.as_ref().and_then(|found| found.as_ref().ok());
        formats.append_option(form.map(|form| form.id.name()));
        kinds.append_option(form.map(|form| form.shape.kind.name()));
        sides.append_option(form.map(|form| form.shape.side.get() as u8));
        let reject = found.and_then(Result::err);
        codes.append_option(reject.as_ref().map(|reject| reject.code.name()));
        messages.append_option(reject.map(|reject| reject.message));
    }
    let columns: [&mut dyn ArrayBuilder; 5] = [&mut formats, &mut kinds, &mut sides, &mut codes, &mut messages];
    Arc::new(StructArray::new(fields(), columns.map(ArrayBuilder::finish).to_vec(), None))
}
