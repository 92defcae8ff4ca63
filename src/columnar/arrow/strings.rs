//! The strings of columns.

use std::ops::Range;

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use gridmill_columns::{Strings, rewritten_type};

use super::input::ArrowInput;
use crate::columnar::ColumnNumbers;
use crate::error::Error;
use crate::source::Input;

/// The columns of strings, with their names.
pub(super) fn candidates(schema: &Schema) -> Vec<(usize, String)> {
    let texts = schema.fields().iter().enumerate().filter(|(_, field)| rewritten_type(field.data_type()).is_ok());
    texts.map(|(number, field)| (number, field.name().clone())).collect()
}

/// Passes the values of a column to `take`, until it answers that it takes no more. Without a name, it is the only column of
/// strings.
pub(in crate::columnar) fn strings(
    input: Input,
    column: Option<&str>,
    take: &mut dyn FnMut(Option<&[u8]>) -> bool,
) -> Result<(), Error> {
    let mut input = ArrowInput::open(input)?;
    let places = ColumnNumbers::find_one(&input.path, column, &candidates(&input.schema()))?;
    while let Some(batch) = input.next().transpose()? {
        let columns = strings_of(&batch, &places.strings)?;
        if !interleaved(&columns, 0..batch.num_rows()).into_iter().all(&mut *take) {
            return Ok(());
        }
    }
    Ok(())
}

/// Returns the strings in columns of a batch.
pub(super) fn strings_of<'b>(batch: &'b RecordBatch, columns: &[usize]) -> Result<Vec<Strings<'b>>, Error> {
    let of = |&column: &usize| Strings::of(batch.column(column).as_ref());
    columns.iter().map(of).collect::<Result<_, _>>().map_err(|error| Error::Usage(error.to_string()))
}

/// Interleaves columns: returns the strings of these rows, one row after the other.
pub(super) fn interleaved<'s>(columns: &'s [Strings<'_>], rows: Range<usize>) -> Vec<Option<&'s [u8]>> {
    rows.flat_map(|row| columns.iter().map(move |strings| strings.get(row))).collect()
}
