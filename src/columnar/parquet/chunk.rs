//! Converts the strings of a row group into new chunks.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::schema::types::ColumnDescPtr;

use super::errors::{read_error, write_error};
use super::file::ParquetInput;
use super::footer::{catch, damaged};
use super::pages::{CheckedGroup, values_of};
use super::write::{ChunkWriter, NewChunk, PageSpace, Pages};
use crate::columnar::ColumnNumbers;
use crate::columnar::rows::{RowConverter, ValueResult};
use crate::columnar::values::ValueType;
use crate::convert::Bad;
use crate::engine::{ColumnContent, End, Outcome};
use crate::error::Error;
use crate::framing::Value;

/// The number of rows, or of strings in lists, that are read at a time, in several columns together. It is small enough
/// that the new strings stay in the cache until they are written.
pub(super) const ROWS: usize = 2048;

/// The number of reject rows that may wait for the turn of their row group.
const MAX_WAITING_ROWS: usize = 1 << 16;

/// The number of keys that may wait: those of a usual row group.
const MAX_WAITING_KEYS: usize = 1 << 20;

/// The number of bytes of lines that may wait; eight times as many bytes of maps may wait.
const MAX_WAITING_BYTES: usize = 8 << 20;

/// Returns how many rows to read at first: few if they may be lists of unknown length.
pub(super) fn initial_rows(are_lists: bool) -> usize {
    if are_lists { 16 } else { ROWS }
}

/// Returns how many rows to read next, after `rows` rows with `elements` elements.
pub(super) fn next_rows(rows: usize, elements: usize) -> usize {
    (rows * ROWS / elements.max(1)).clamp(1, ROWS)
}

/// The results of converting a row group.
pub(super) struct ConvertedGroup {
    /// The new chunks.
    pub(super) chunks: Vec<NewChunk>,
    /// The results that were not reported before.
    pub(super) results: RowResults,
    /// Which rows are kept, if some are not.
    pub(super) keep: Option<Vec<bool>>,
    /// The number of bytes of all old strings.
    pub(super) text: u64,
}

/// The results for rows, besides new chunks.
#[derive(Default)]
pub(super) struct RowResults {
    pub(super) outcome: Outcome,
    /// New strings that are written without a file format, one on each line.
    pub(super) lines: Vec<u8>,
}

impl RowResults {
    /// Whether they are too large to wait for the turn of the row group.
    fn is_large(&self) -> bool {
        let (keys, maps) = self.outcome.collected();
        self.outcome.rows.len() > MAX_WAITING_ROWS
            || self.lines.len() > MAX_WAITING_BYTES
            || keys > MAX_WAITING_KEYS
            || maps > 8 * MAX_WAITING_BYTES
    }
}

/// A new chunk of a row group.
pub(super) struct NewLeaf {
    pub(super) column: ColumnDescPtr,
    pub(super) properties: WriterPropertiesPtr,
    /// The content of an appended column; none for new strings that replace old ones.
    pub(super) appended: Option<ColumnContent>,
    /// The number of the column with the strings, from 0.
    pub(super) source: usize,
}

/// The strings of rows in a leaf column: the values, with their definition and repetition levels.
struct LeafColumn {
    reader: ColumnReaderImpl<ByteArrayType>,
    deepest: i16,
    values: Vec<ByteArray>,
    defined: Vec<i16>,
    repeated: Vec<i16>,
    are_lists: bool,
}

impl LeafColumn {
    /// The rows of a leaf column, before anything is read.
    fn new(group: &CheckedGroup<'_>, leaf: usize) -> Result<Self, ParquetError> {
        let column = group.metadata().column(leaf).column_descr_ptr();
        let (deepest, are_lists) = (column.max_def_level(), column.max_rep_level() > 0);
        let (values, defined, repeated) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { reader: strings_of(group, leaf)?, deepest, values, defined, repeated, are_lists })
    }

    /// Reads up to this many rows. Returns the number of rows, and the number of fields.
    fn read(&mut self, most: usize) -> Result<(usize, usize), ParquetError> {
        self.values.clear();
        self.defined.clear();
        self.repeated.clear();
        let (defined, repeated) = (Some(&mut self.defined), Some(&mut self.repeated));
        let (rows, _, levels) = catch(|| self.reader.read_records(most, defined, repeated, &mut self.values))?;
        // A page may begin within a row, but not the first one.
        let begins = || self.repeated.iter().filter(|&&level| level == 0).count();
        if self.are_lists && (self.repeated.first().is_some_and(|&level| level != 0) || begins() != rows) {
            return Err(damaged());
        }
        Ok((rows, levels))
    }

    /// Returns the value of each field, if it has one.
    fn by_field(&self) -> Vec<Option<&ByteArray>> {
        if self.deepest == 0 {
            return self.values.iter().map(Some).collect();
        }
        let mut values = self.values.iter();
        self.defined.iter().map(|&level| if level == self.deepest { values.next() } else { None }).collect()
    }

    /// Returns the fields of each row.
    fn fields_of(&self, rows: usize) -> Vec<Range<usize>> {
        if !self.are_lists {
            return (0..rows).map(|row| row..row + 1).collect();
        }
        let mut starts: Vec<_> = (0..self.repeated.len()).filter(|&field| self.repeated[field] == 0).collect();
        starts.push(self.repeated.len());
        starts.windows(2).map(|row| row[0]..row[1]).collect()
    }
}

/// The columns with strings of a row group, and those with solutions, which are read together.
pub(super) struct GroupColumns {
    strings: Vec<LeafColumn>,
    solutions: Vec<LeafColumn>,
    /// The number of rows that are read at a time.
    rows_to_read: usize,
}

impl GroupColumns {
    pub(super) fn new(group: &CheckedGroup<'_>, places: &ColumnNumbers) -> Result<Self, ParquetError> {
        let rows =
            |leaves: &[usize]| leaves.iter().map(|&leaf| LeafColumn::new(group, leaf)).collect::<Result<Vec<_>, _>>();
        let (strings, solutions) = (rows(&places.strings)?, rows(&places.solutions)?);
        let most = initial_rows(strings.iter().any(|rows| rows.are_lists)) / strings.len().max(1);
        Ok(Self { strings, solutions, rows_to_read: most.max(1) })
    }

    /// Reads the next rows. Returns how many.
    pub(super) fn read(&mut self) -> Result<usize, ParquetError> {
        let mut all = self.strings.iter_mut().chain(&mut self.solutions);
        let Some(first) = all.next() else { return Ok(0) };
        let (rows, fields) = first.read(self.rows_to_read)?;
        for other in all {
            if other.read(self.rows_to_read)?.0 != rows {
                return Err(ParquetError::General("a column has fewer rows than others".into()));
            }
        }
        if self.are_lists() {
            self.rows_to_read = next_rows(rows, fields);
        }
        Ok(rows)
    }

    fn are_lists(&self) -> bool {
        self.strings.iter().any(|rows| rows.are_lists)
    }

    /// Returns the strings of the rows, one row after the other.
    pub(super) fn interleaved(&self) -> Vec<Option<&[u8]>> {
        interleaved(&by_field(&self.strings))
    }
}

/// Returns the values of each column by field.
fn by_field(columns: &[LeafColumn]) -> Vec<Vec<Option<&ByteArray>>> {
    columns.iter().map(LeafColumn::by_field).collect()
}

/// Interleaves columns: returns the first values of all columns, then the second values, and so on.
fn interleaved<'v>(columns: &[Vec<Option<&'v ByteArray>>]) -> Vec<Option<&'v [u8]>> {
    let fields = 0..columns.first().map_or(0, Vec::len);
    fields.flat_map(|field| columns.iter().map(move |values| values[field].map(ByteArray::data))).collect()
}

/// Returns a reader for the strings of a row group.
pub(super) fn strings_of(
    group: &CheckedGroup<'_>,
    leaf: usize,
) -> Result<ColumnReaderImpl<ByteArrayType>, ParquetError> {
    match values_of(group, leaf)? {
        ColumnReader::ByteArrayColumnReader(reader) => Ok(reader),
        _ => Err(ParquetError::General("a column of strings has values of another type".into())),
    }
}

/// Settings for the conversion of a row group.
pub(super) struct ConvertOptions<'h> {
    pub(super) places: &'h ColumnNumbers,
    pub(super) bad: Bad,
    /// Only the new strings are written, without a file format.
    pub(super) strings_only: bool,
    pub(super) new: &'h [NewLeaf],
    pub(super) space: &'h Arc<PageSpace>,
    /// The pages are stored in a file from the start.
    pub(super) is_large: bool,
}

/// Converts the strings of a row group, and writes the rows that are kept into chunks of their own. If there are many
/// results, some are passed to `report` before the end.
pub(super) fn convert(
    input: &ParquetInput,
    group: usize,
    converter: &mut RowConverter<'_>,
    options: &ConvertOptions<'_>,
    mut report: impl FnMut(&mut RowResults) -> Result<(), End>,
) -> Result<ConvertedGroup, End> {
    let about = input.metadata.row_group(group);
    let failed = |error| read_error(&input.path, error);
    let mut read = GroupColumns::new(&input.group(group)?, options.places).map_err(failed)?;
    let mut results = RowResults::default();
    let (mut keep, mut text) = (Vec::new(), 0);
    let pages = options.new.iter().map(|_| Pages::new(options.space, options.is_large, input.has_checksums()));
    let mut pages = pages.collect::<Result<Vec<_>, _>>()?;
    let mut writers: Vec<_> =
        options.new.iter().zip(&mut pages).map(|(new, pages)| NewColumnWriter::new(new, pages)).collect();
    let (mut all, mut any_out) = (0, false);
    while !results.outcome.stopped {
        let rows = read.read().map_err(failed)?;
        all += rows;
        if rows == 0 || all as i64 > about.num_rows() {
            break;
        }
        let columns = read.strings.len();
        let fields = read.strings[0].fields_of(rows);
        let of_rows: Vec<_> = fields.iter().map(|row| row.start * columns..row.end * columns).collect();
        let values = by_field(&read.strings);
        let strings = interleaved(&values);
        text += strings.iter().flatten().map(|string| string.len() as u64).sum::<u64>();
        match columns == 1 && !read.are_lists() && read.solutions.is_empty() {
            true => converter.convert(&strings, &mut results.outcome)?,
            false => {
                let solutions = interleaved(&by_field(&read.solutions));
                converter.convert_several(&of_rows, &strings, &solutions, &mut results.outcome)?;
            }
        }
        let kept: Vec<_> = of_rows.into_iter().map(|row| converter.keeps(row)).collect();
        any_out |= kept.contains(&false);
        let batch = ConvertedRows { read: &read, values, fields, kept: &kept, bad: options.bad };
        writers.iter_mut().try_for_each(|writer| writer.write(&batch, converter)).map_err(write_error)?;
        if options.strings_only {
            let all = batch.rows().map(|row| row.start * columns..row.end * columns);
            all.for_each(|values| converter.write_lines(values, &mut results.lines));
        }
        keep.extend(kept);
        if results.is_large() && !results.outcome.stopped {
            report(&mut results)?;
        }
    }
    if !results.outcome.stopped && all as i64 != about.num_rows() {
        let words = format!("is damaged: row group {group} does not have the {} rows that it says", about.num_rows());
        return Err(Error::file(&input.path, words).into());
    }
    let closed = writers.into_iter().map(NewColumnWriter::close).collect::<Result<Vec<_>, _>>().map_err(write_error)?;
    let chunks = pages.into_iter().zip(closed).map(|(pages, about)| pages.end(about)).collect::<Result<_, _>>()?;
    Ok(ConvertedGroup { chunks, results, keep: any_out.then_some(keep), text })
}

/// Rows that were converted.
struct ConvertedRows<'b> {
    read: &'b GroupColumns,
    /// The old strings of each column.
    values: Vec<Vec<Option<&'b ByteArray>>>,
    /// The fields of each row, and whether the row is kept.
    fields: Vec<Range<usize>>,
    kept: &'b [bool],
    bad: Bad,
}

impl ConvertedRows<'_> {
    /// Returns the number of a value in interleaved order.
    fn value(&self, column: usize, field: usize) -> usize {
        field * self.values.len() + column
    }

    /// Returns the rows that are kept.
    fn rows(&self) -> impl Iterator<Item = &Range<usize>> + Clone {
        self.fields.iter().zip(self.kept).filter(|(_, kept)| **kept).map(|(row, _)| row)
    }
}

/// Writes a new chunk.
struct NewColumnWriter<'p> {
    column: ColumnDescPtr,
    appended: Option<ColumnContent>,
    source: usize,
    /// The strings are written to a dictionary.
    by_dictionary: bool,
    values: ValueWriter<'p>,
}

enum ValueWriter<'p> {
    Text(ChunkWriter<'p, ByteArrayType>),
    Number(ChunkWriter<'p, Int64Type>),
    Truth(ChunkWriter<'p, BoolType>),
}

impl<'p> NewColumnWriter<'p> {
    fn new(new: &NewLeaf, pages: &'p mut Pages) -> Self {
        let (column, properties) = (new.column.clone(), new.properties.clone());
        let by_dictionary = properties.dictionary_enabled(column.path());
        let values = match new.appended.map(ValueType::of) {
            None | Some(ValueType::Text) => ValueWriter::Text(ChunkWriter::new(column, properties, pages)),
            Some(ValueType::Number) => ValueWriter::Number(ChunkWriter::new(column, properties, pages)),
            Some(ValueType::Truth) => ValueWriter::Truth(ChunkWriter::new(column, properties, pages)),
        };
        Self { column: new.column.clone(), appended: new.appended, source: new.source, by_dictionary, values }
    }

    fn write(&mut self, batch: &ConvertedRows<'_>, converter: &RowConverter<'_>) -> Result<(), ParquetError> {
        let Some(what) = self.appended else { return self.replace(batch, converter) };
        // Columns are not appended beside lists, so each row is one field.
        let source = self.source;
        let values = batch.rows().map(|row| {
            let value = batch.value(source, row.start);
            match converter.result(value) {
                // An empty string does not count as a puzzle string. It is copied.
                ValueResult::Nothing if what == ColumnContent::String && batch.values[source][row.start].is_some() => {
                    Value::Text(b"")
                }
                _ => converter.value(value, what),
            }
        });
        let defined: Vec<_> = values.clone().map(|value| i16::from(value != Value::Nothing)).collect();
        match &mut self.values {
            ValueWriter::Number(writer) => {
                let number = |value| if let Value::Number(number) = value { Some(i64::from(number)) } else { None };
                writer.write(&values.filter_map(number).collect::<Vec<_>>(), &defined, &[])
            }
            ValueWriter::Truth(writer) => {
                let truth = |value| if let Value::Truth(truth) = value { Some(truth) } else { None };
                writer.write(&values.filter_map(truth).collect::<Vec<_>>(), &defined, &[])
            }
            ValueWriter::Text(writer) => {
                let mut texts = SharedText::default();
                values.for_each(|value| {
                    if let Value::Text(text) | Value::Words(text) = value {
                        texts.push(text)
                    }
                });
                writer.write(&texts.end(self.by_dictionary), &defined, &[])
            }
        }
    }

    /// Writes new strings in the place of old ones.
    fn replace(&mut self, batch: &ConvertedRows<'_>, converter: &RowConverter<'_>) -> Result<(), ParquetError> {
        let ValueWriter::Text(writer) = &mut self.values else { return Ok(()) };
        let (deepest, read) = (self.column.max_def_level(), &batch.read.strings[self.source]);
        let (mut texts, mut defined, mut repeated) = (SharedText::default(), Vec::new(), Vec::new());
        for field in batch.rows().flat_map(Range::clone) {
            // If the string itself becomes null, only its own level changes; otherwise a field around it is null.
            let mut level = read.defined.get(field).copied().unwrap_or(deepest);
            if let Some(old) = batch.values[self.source][field] {
                match converter.result(batch.value(self.source, field)) {
                    ValueResult::Written(string) => texts.push(string),
                    ValueResult::Refused if batch.bad == Bad::Null => level = deepest - 1,
                    ValueResult::Nothing | ValueResult::Good | ValueResult::Refused => texts.keep(old),
                }
            }
            defined.push(level);
            repeated.extend(read.repeated.get(field));
        }
        let defined = if deepest > 0 { &defined[..] } else { &[] };
        writer.write(&texts.end(self.by_dictionary), defined, &repeated)
    }

    fn close(self) -> Result<ColumnCloseResult, ParquetError> {
        match self.values {
            ValueWriter::Text(writer) => writer.close(),
            ValueWriter::Number(writer) => writer.close(),
            ValueWriter::Truth(writer) => writer.close(),
        }
    }
}

/// Strings that share one text.
#[derive(Default)]
struct SharedText {
    text: Vec<u8>,
    parts: Vec<TextPart>,
}

enum TextPart {
    /// A range of the text.
    New(Range<usize>),
    Old(ByteArray),
}

impl SharedText {
    fn push(&mut self, string: &[u8]) {
        let start = self.text.len();
        self.text.extend_from_slice(string);
        self.parts.push(TextPart::New(start..self.text.len()));
    }

    fn keep(&mut self, old: &ByteArray) {
        self.parts.push(TextPart::Old(old.clone()));
    }

    /// Returns the strings. If they go to a dictionary, each gets its own text: a string in the dictionary would
    /// otherwise keep the text of all others in memory.
    fn end(self, by_dictionary: bool) -> Vec<ByteArray> {
        let text = Bytes::from(self.text);
        let value = |place| match place {
            TextPart::New(range) if by_dictionary => text[range].to_vec().into(),
            TextPart::New(range) => text.slice(range).into(),
            TextPart::Old(old) => old,
        };
        self.parts.into_iter().map(value).collect()
    }
}
