//! Writes column chunks again without the rows that are left out.

use std::sync::Arc;

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::schema::types::ColumnDescPtr;

use super::chunk::{initial_rows, next_rows};
use super::errors::read_error;
use super::file::ParquetInput;
use super::footer::catch;
use super::pages::values_of;
use super::properties;
use super::write::{ChunkWriter, NewChunk, PageSpace, Pages};
use crate::error::Error;

/// Writes a chunk with the rows that are kept. `is_large` says that its pages are stored in a file from the start.
pub(super) fn filter(
    input: &ParquetInput,
    (group, leaf): (usize, usize),
    keep: &[bool],
    (space, is_large): (&Arc<PageSpace>, bool),
) -> Result<NewChunk, Error> {
    let about = input.metadata.row_group(group).column(leaf);
    let column = about.column_descr_ptr();
    let properties = properties::like(&input.old_pages(group, leaf)?).into();
    let reader = input.group(group)?;
    let reader = values_of(&reader, leaf).map_err(|error| read_error(&input.path, error))?;
    let mut pages = Pages::new(space, is_large, input.has_checksums())?;
    let about = match reader {
        ColumnReader::BoolColumnReader(reader) => copy(reader, column, keep, properties, &mut pages),
        ColumnReader::Int32ColumnReader(reader) => copy(reader, column, keep, properties, &mut pages),
        ColumnReader::Int64ColumnReader(reader) => copy(reader, column, keep, properties, &mut pages),
        ColumnReader::Int96ColumnReader(reader) => copy(reader, column, keep, properties, &mut pages),
        ColumnReader::FloatColumnReader(reader) => copy(reader, column, keep, properties, &mut pages),
        ColumnReader::DoubleColumnReader(reader) => copy(reader, column, keep, properties, &mut pages),
        ColumnReader::ByteArrayColumnReader(reader) => copy(reader, column, keep, properties, &mut pages),
        ColumnReader::FixedLenByteArrayColumnReader(reader) => copy(reader, column, keep, properties, &mut pages),
    };
    pages.end(about.map_err(|error| read_error(&input.path, error))?)
}

/// Copies the rows that are kept, for values of any type.
fn copy<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    column: ColumnDescPtr,
    keep: &[bool],
    properties: WriterPropertiesPtr,
    pages: &mut Pages,
) -> Result<ColumnCloseResult, ParquetError> {
    let (deepest, is_repeated) = (column.max_def_level(), column.max_rep_level() > 0);
    let mut writer = ChunkWriter::<T>::new(column, properties, pages);
    let (mut values, mut defined, mut repeated) = (Vec::new(), Vec::new(), Vec::new());
    let (mut first, mut most) = (0, initial_rows(is_repeated));
    while first < keep.len() {
        values.clear();
        defined.clear();
        repeated.clear();
        let most_now = most.min(keep.len() - first);
        let (rows, _, levels) =
            catch(|| reader.read_records(most_now, Some(&mut defined), Some(&mut repeated), &mut values))?;
        if rows == 0 {
            return Err(ParquetError::General("a column has fewer rows than others".into()));
        }
        if is_repeated {
            most = next_rows(rows, levels);
        }
        let (mut kept, mut kept_defined, mut kept_repeated) = (Vec::new(), Vec::new(), Vec::new());
        let (mut row, mut all) = (first, values.drain(..));
        for level in 0..levels {
            if level > 0 && repeated.get(level).is_none_or(|&repeated| repeated == 0) {
                row += 1;
            }
            let value = if defined.get(level).is_none_or(|&defined| defined == deepest) { all.next() } else { None };
            if keep.get(row) != Some(&true) {
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
