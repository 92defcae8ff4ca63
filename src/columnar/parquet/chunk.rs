//! Column chunks that are written anew: the strings of a row group, converted, and chunks of which rows are left out.

use bytes::Bytes;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::{ColumnCloseResult, ColumnWriterImpl};
use parquet::data_type::{ByteArray, ByteArrayType, DataType};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::reader::RowGroupReader;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use super::file::ParquetInput;
use super::{unread, unwritten};
use crate::columnar::rows::{Fate, RowConverter};
use crate::convert::Bad;
use crate::engine::Outcome;
use crate::error::Error;

/// Rows that are read at a time.
const ROWS: usize = 8192;

/// A chunk in memory, with what a writer has to know to append it.
pub(super) struct NewChunk {
    pub(super) bytes: Bytes,
    pub(super) about: ColumnCloseResult,
}

/// What became of the strings of a row group.
pub(super) struct Converted {
    /// The new chunk; none where nothing is written.
    pub(super) chunk: Option<NewChunk>,
    pub(super) outcome: Outcome,
    /// Which rows stay, if not all do.
    pub(super) stay: Option<Vec<bool>>,
    /// Bytes of strings.
    pub(super) text: u64,
}

/// How the strings of a row group are written.
pub(super) struct NewStrings {
    /// The column that they go into.
    pub(super) column: ColumnDescPtr,
    pub(super) properties: WriterPropertiesPtr,
    /// They stand beside the old ones.
    pub(super) beside: bool,
}

/// Rows of strings: those that are there, and how far the fields around them are.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) values: Vec<ByteArray>,
    levels: Vec<i16>,
    rows: usize,
}

impl Rows {
    /// Reads the next ones; false if there are no more.
    pub(super) fn read(&mut self, reader: &mut ColumnReaderImpl<ByteArrayType>) -> Result<bool, ParquetError> {
        self.values.clear();
        self.levels.clear();
        (self.rows, _, _) = reader.read_records(ROWS, Some(&mut self.levels), None, &mut self.values)?;
        Ok(self.rows > 0)
    }

    /// For each row its value, if it has one; `deepest` is the level of one that has.
    fn by_row(&self, deepest: i16) -> Vec<Option<&ByteArray>> {
        if deepest == 0 {
            return self.values.iter().map(Some).collect();
        }
        let mut values = self.values.iter();
        self.levels.iter().map(|&level| if level == deepest { values.next() } else { None }).collect()
    }
}

/// The strings of a row group, to be read.
pub(super) fn strings_of(
    group: &impl RowGroupReader,
    leaf: usize,
) -> Result<ColumnReaderImpl<ByteArrayType>, ParquetError> {
    match group.get_column_reader(leaf)? {
        ColumnReader::ByteArrayColumnReader(reader) => Ok(reader),
        _ => Err(ParquetError::General("a column of strings has values of another type".into())),
    }
}

/// Converts the strings of a row group, and writes those that stay into a chunk of their own if `new` says how.
pub(super) fn convert(
    input: &ParquetInput,
    group: usize,
    leaf: usize,
    converter: &mut RowConverter<'_>,
    (bad, new): (Bad, Option<&NewStrings>),
) -> Result<Converted, Error> {
    let about = input.metadata.row_group(group);
    let deepest = about.column(leaf).column_descr().max_def_level();
    let reader = input.group(group)?;
    let mut reader = strings_of(&reader, leaf).map_err(|error| unread(&input.path, error))?;
    let (mut rows, mut outcome) = (Rows::default(), Outcome::default());
    let (mut stay, mut any_out, mut text) = (Vec::new(), false, 0);
    let mut sink = TrackedWrite::new(Vec::new());
    let mut writer = new.map(|new| {
        let pages = Box::new(SerializedPageWriter::new(&mut sink));
        ColumnWriterImpl::<ByteArrayType>::new(new.column.clone(), new.properties.clone(), pages)
    });
    while !outcome.stopped && rows.read(&mut reader).map_err(|error| unread(&input.path, error))? {
        let values = rows.by_row(deepest);
        let strings: Vec<_> = values.iter().map(|value| value.map(ByteArray::data)).collect();
        text += strings.iter().flatten().map(|string| string.len() as u64).sum::<u64>();
        converter.convert(&strings, &mut outcome)?;
        if bad == Bad::Reject {
            let refused = |row| converter.fate(row) == Fate::Refused;
            stay.extend((0..values.len()).map(|row| !refused(row)));
            any_out |= stay[stay.len() - values.len()..].contains(&false);
        }
        if let (Some(writer), Some(new)) = (&mut writer, new) {
            let (values, levels) = new_values(&values, &rows.levels, deepest, converter, (bad, new));
            let has_levels = new.column.max_def_level() > 0;
            writer.write_batch(&values, has_levels.then_some(&levels[..]), None).map_err(unwritten)?;
        }
    }
    if !outcome.stopped && outcome.counts.lines != about.num_rows() as u64 {
        let words = format!("is damaged: row group {group} has not the {} rows that it says", about.num_rows());
        return Err(Error::file(&input.path, words));
    }
    let closed = writer.map(ColumnWriterImpl::close).transpose().map_err(unwritten)?;
    let chunk = match closed {
        None => None,
        Some(about) => Some(NewChunk { bytes: sink.into_inner().map_err(unwritten)?.into(), about }),
    };
    Ok(Converted { chunk, outcome, stay: any_out.then_some(stay), text })
}

/// What is written of rows: the values, and for each row that stays its level.
fn new_values(
    values: &[Option<&ByteArray>],
    levels: &[i16],
    deepest: i16,
    converter: &RowConverter<'_>,
    (bad, new): (Bad, &NewStrings),
) -> (Vec<ByteArray>, Vec<i16>) {
    let mut text = Vec::new();
    // Of each value where it stands in the new text, or that it is the old one.
    let (mut places, mut new_levels) = (Vec::with_capacity(values.len()), Vec::with_capacity(values.len()));
    for (row, value) in values.iter().enumerate() {
        let old = match value {
            None => None,
            Some(value) => match converter.fate(row) {
                Fate::Written(string) => {
                    let start = text.len();
                    text.extend_from_slice(string);
                    places.push(Err(start..text.len()));
                    new_levels.push(new.column.max_def_level());
                    continue;
                }
                Fate::Refused if bad == Bad::Reject => continue,
                Fate::Refused if new.beside || bad == Bad::Null => None,
                Fate::Nothing | Fate::Good | Fate::Refused => Some(*value),
            },
        };
        let absent = match new.beside {
            true => 0,
            // One that was there is null itself; of others it is a field around them.
            false => levels.get(row).map_or(0, |&level| level.min(deepest - 1)),
        };
        new_levels.push(if old.is_some() { new.column.max_def_level() } else { absent });
        places.extend(old.map(|old| Ok(old.clone())));
    }
    let text = Bytes::from(text);
    let value =
        |place: Result<ByteArray, std::ops::Range<usize>>| place.unwrap_or_else(|place| text.slice(place).into());
    (places.into_iter().map(value).collect(), new_levels)
}

/// Writes a chunk anew, with the rows that stay.
pub(super) fn filter(
    input: &ParquetInput,
    group: usize,
    leaf: usize,
    stay: &[bool],
    properties: WriterPropertiesPtr,
) -> Result<NewChunk, Error> {
    let column = input.metadata.row_group(group).column(leaf).column_descr_ptr();
    let reader = input.group(group)?;
    let reader = RowGroupReader::get_column_reader(&reader, leaf).map_err(|error| unread(&input.path, error))?;
    let mut sink = TrackedWrite::new(Vec::new());
    let pages = SerializedPageWriter::new(&mut sink);
    let about = match reader {
        ColumnReader::BoolColumnReader(reader) => copy(reader, column, stay, properties, pages),
        ColumnReader::Int32ColumnReader(reader) => copy(reader, column, stay, properties, pages),
        ColumnReader::Int64ColumnReader(reader) => copy(reader, column, stay, properties, pages),
        ColumnReader::Int96ColumnReader(reader) => copy(reader, column, stay, properties, pages),
        ColumnReader::FloatColumnReader(reader) => copy(reader, column, stay, properties, pages),
        ColumnReader::DoubleColumnReader(reader) => copy(reader, column, stay, properties, pages),
        ColumnReader::ByteArrayColumnReader(reader) => copy(reader, column, stay, properties, pages),
        ColumnReader::FixedLenByteArrayColumnReader(reader) => copy(reader, column, stay, properties, pages),
    };
    let about = about.map_err(|error| unread(&input.path, error))?;
    Ok(NewChunk { bytes: sink.into_inner().map_err(unwritten)?.into(), about })
}

/// Copies the rows that stay, of whatever type.
fn copy<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    column: ColumnDescPtr,
    stay: &[bool],
    properties: WriterPropertiesPtr,
    pages: SerializedPageWriter<'_, Vec<u8>>,
) -> Result<ColumnCloseResult, ParquetError> {
    let (deepest, is_repeated) = (column.max_def_level(), column.max_rep_level() > 0);
    let mut writer = ColumnWriterImpl::<T>::new(column, properties, Box::new(pages));
    let (mut values, mut defined, mut repeated) = (Vec::new(), Vec::new(), Vec::new());
    let mut first = 0;
    while first < stay.len() {
        values.clear();
        defined.clear();
        repeated.clear();
        let (rows, _, levels) =
            reader.read_records(ROWS.min(stay.len() - first), Some(&mut defined), Some(&mut repeated), &mut values)?;
        if rows == 0 {
            return Err(ParquetError::General("a column has fewer rows than others".into()));
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
        writer.write_batch(
            &kept,
            (deepest > 0).then_some(&kept_defined[..]),
            is_repeated.then_some(&kept_repeated[..]),
        )?;
        first += rows;
    }
    writer.close()
}
