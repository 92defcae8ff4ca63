//! Makes a column of the messages about refused rows.

use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, StructArray};
use arrow_schema::{DataType, Field, Fields};
use gridmill_core::error::escape;

use crate::error::CallError;
use crate::refused::RefusedRows;
use crate::strings::Strings;

/// Returns the refused rows of a column as structs: `row`, from 0 in the column; `code`; `cell`, null if it is no
/// particular one; `message`; and `record`, the string, which is escaped if it is not UTF-8.
///
/// # Errors
/// [`CallError::Type`].
pub fn refused_rows(chunks: &[ArrayRef], refused: &RefusedRows) -> Result<ArrayRef, CallError> {
    let columns = Strings::of_all(chunks)?;
    let mut row_numbers = Int64Builder::new();
    let [mut codes, mut cells, mut messages, mut records] = [(); 4].map(|()| StringBuilder::new());
    let (mut chunk, mut first) = (0, 0);
    for refused in &refused.rows {
        while chunk + 1 < columns.len() && refused.record >= first + columns[chunk].len() {
            (chunk, first) = (chunk + 1, first + columns[chunk].len());
        }
        let record = columns.get(chunk).and_then(|strings| strings.get(refused.record - first));
        row_numbers.append_value(refused.record as i64);
        codes.append_value(refused.reject.code.name());
        cells.append_option(refused.reject.cell.map(|cell| cell.to_string()));
        messages.append_value(&refused.reject.message);
        records
            .append_option(record.map(|record| str::from_utf8(record).map_or_else(|_| escape(record), str::to_string)));
    }
    let text = |name: &str| Field::new(name, DataType::Utf8, true);
    let fields =
        vec![Field::new("row", DataType::Int64, false), text("code"), text("cell"), text("message"), text("record")];
    let columns: [&mut dyn ArrayBuilder; 5] = [&mut row_numbers, &mut codes, &mut cells, &mut messages, &mut records];
    Ok(Arc::new(StructArray::new(Fields::from(fields), columns.map(ArrayBuilder::finish).to_vec(), None)))
}
