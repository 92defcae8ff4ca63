//! Column chunks that are written anew, since rows of them are left out.

use std::path::Path;

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::schema::types::ColumnDescPtr;

use super::chunk::{rows_at_first, rows_from_now};
use super::file::ParquetInput;
use super::pages::values_of;
use super::write::{ChunkWriter, NewChunk, Pages};
use super::{properties, unread};
use crate::error::Error;

/// Writes a chunk anew, with the rows that stay; its pages are kept in a file in the folder, if there is one.
pub(super) fn filter(
    input: &ParquetInput,
    (group, leaf): (usize, usize),
    stay: &[bool],
    folder: Option<&Path>,
) -> Result<NewChunk, Error> {
    let about = input.metadata.row_group(group).column(leaf);
    let column = about.column_descr_ptr();
    let properties = properties::like(about, input.rows_of_page(group, leaf)?).into();
    let reader = input.group(group)?;
    let reader = values_of(&reader, leaf).map_err(|error| unread(&input.path, error))?;
    let mut pages = Pages::new(folder)?;
    let about = match reader {
        ColumnReader::BoolColumnReader(reader) => copy(reader, column, stay, properties, &mut pages),
        ColumnReader::Int32ColumnReader(reader) => copy(reader, column, stay, properties, &mut pages),
        ColumnReader::Int64ColumnReader(reader) => copy(reader, column, stay, properties, &mut pages),
        ColumnReader::Int96ColumnReader(reader) => copy(reader, column, stay, properties, &mut pages),
        ColumnReader::FloatColumnReader(reader) => copy(reader, column, stay, properties, &mut pages),
        ColumnReader::DoubleColumnReader(reader) => copy(reader, column, stay, properties, &mut pages),
        ColumnReader::ByteArrayColumnReader(reader) => copy(reader, column, stay, properties, &mut pages),
        ColumnReader::FixedLenByteArrayColumnReader(reader) => copy(reader, column, stay, properties, &mut pages),
    };
    pages.end(about.map_err(|error| unread(&input.path, error))?)
}

/// Copies the rows that stay, of whatever type.
fn copy<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    column: ColumnDescPtr,
    stay: &[bool],
    properties: WriterPropertiesPtr,
    pages: &mut Pages,
) -> Result<ColumnCloseResult, ParquetError> {
    let (deepest, is_repeated) = (column.max_def_level(), column.max_rep_level() > 0);
    let mut writer = ChunkWriter::<T>::new(column, properties, pages);
    let (mut values, mut defined, mut repeated) = (Vec::new(), Vec::new(), Vec::new());
    let (mut first, mut most) = (0, rows_at_first(is_repeated));
    while first < stay.len() {
        values.clear();
        defined.clear();
        repeated.clear();
        let (rows, _, levels) =
            reader.read_records(most.min(stay.len() - first), Some(&mut defined), Some(&mut repeated), &mut values)?;
        if rows == 0 {
            return Err(ParquetError::General("a column has fewer rows than others".into()));
        }
        if is_repeated {
            most = rows_from_now(rows, levels);
        }
        let (mut kept, mut kept_defined, mut kept_repeated) = (Vec::new(), Vec::new(), Vec::new());
        let (mut row, mut all) = (first, values.drain(..));
        for level in 0..levels {
            if level > 0 && repeated.get(level).is_none_or(|&repeated| repeated == 0) {
                row += 1;
            }
            let value = if defined.get(level).is_none_or(|&defined| defined == deepest) { all.next() } else { None };
            if stay.get(row) != Some(&true) {
                continue;
            }
            kept.extend(value);
            kept_defined.extend(defined.get(level));
            kept_repeated.extend(repeated.get(level));
        }
        writer.write(&kept, &kept_defined, &kept_repeated)?;
        first += rows;
    }
    writer.close()
}
