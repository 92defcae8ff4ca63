//! The strings of a row group, converted into new chunks.

use std::ops::{ControlFlow, Range};
use std::path::Path;

use bytes::Bytes;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::reader::RowGroupReader;
use parquet::schema::types::ColumnDescPtr;

use super::file::ParquetInput;
use super::pages::values_of;
use super::write::{ChunkWriter, NewChunk, Pages};
use super::{unread, unwritten};
use crate::columnar::Places;
use crate::columnar::rows::{Fate, RowConverter};
use crate::columnar::values::ValueType;
use crate::convert::Bad;
use crate::engine::{ColumnContent, Outcome};
use crate::error::Error;
use crate::framing::Value;

/// Rows, or strings in lists, that are read at a time, as many of several columns together: few enough for their new strings to stay in the
/// cache until they are written.
pub(super) const ROWS: usize = 2048;

/// Refused and warned of strings that wait for the turn of their row group.
const MANY: usize = 1 << 16;

/// Keys of rows that do, which are of a row group as most of them are.
const MANY_KEYS: usize = 1 << 20;

/// Bytes of lines that do, and an eighth of those of maps.
const MANY_BYTES: usize = 8 << 20;

/// How many rows are read at a time where they may be lists: few, before it is known how long these are.
pub(super) fn rows_at_first(are_lists: bool) -> usize {
    if are_lists { 16 } else { ROWS }
}

/// How many rows are to be read where so many before had so many elements.
pub(super) fn rows_from_now(rows: usize, elements: usize) -> usize {
    (rows * ROWS / elements.max(1)).clamp(1, ROWS)
}

/// What became of the strings of a row group.
pub(super) struct Converted {
    /// The new chunks.
    pub(super) chunks: Vec<NewChunk>,
    /// What was not yet told.
    pub(super) told: Told,
    /// Which rows stay, if not all do.
    pub(super) stay: Option<Vec<bool>>,
    /// Bytes of strings.
    pub(super) text: u64,
}

/// What became of rows, besides new chunks.
#[derive(Default)]
pub(super) struct Told {
    pub(super) outcome: Outcome,
    /// New strings that are written alone, a line each.
    pub(super) lines: Vec<u8>,
}

impl Told {
    /// Whether it is too much to wait for the turn of its row group.
    fn is_much(&self) -> bool {
        let (keys, maps) = self.outcome.collected();
        self.outcome.rows.len() > MANY || self.lines.len() > MANY_BYTES || keys > MANY_KEYS || maps > 8 * MANY_BYTES
    }
}

/// A new chunk of a row group.
pub(super) struct NewLeaf {
    pub(super) column: ColumnDescPtr,
    pub(super) properties: WriterPropertiesPtr,
    /// What it says beside the strings; none where it takes their place.
    pub(super) beside: Option<ColumnContent>,
    /// The column of the strings, from 0.
    pub(super) of: usize,
}

/// Strings of rows of a leaf: those that are there, and how far the fields around them are.
struct Rows {
    reader: ColumnReaderImpl<ByteArrayType>,
    deepest: i16,
    values: Vec<ByteArray>,
    defined: Vec<i16>,
    repeated: Vec<i16>,
    are_lists: bool,
}

impl Rows {
    /// None yet of a leaf.
    fn new(group: &impl RowGroupReader, leaf: usize) -> Result<Self, ParquetError> {
        let column = group.metadata().column(leaf).column_descr_ptr();
        let (deepest, are_lists) = (column.max_def_level(), column.max_rep_level() > 0);
        let (values, defined, repeated) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { reader: strings_of(group, leaf)?, deepest, values, defined, repeated, are_lists })
    }

    /// Reads so many more; says how many rows, and how many fields.
    fn read(&mut self, most: usize) -> Result<(usize, usize), ParquetError> {
        self.values.clear();
        self.defined.clear();
        self.repeated.clear();
        let (defined, repeated) = (Some(&mut self.defined), Some(&mut self.repeated));
        let (rows, _, levels) = self.reader.read_records(most, defined, repeated, &mut self.values)?;
        Ok((rows, levels))
    }

    /// For each field its value, if it has one.
    fn by_field(&self) -> Vec<Option<&ByteArray>> {
        if self.deepest == 0 {
            return self.values.iter().map(Some).collect();
        }
        let mut values = self.values.iter();
        self.defined.iter().map(|&level| if level == self.deepest { values.next() } else { None }).collect()
    }

    /// The fields of each of so many rows.
    fn fields_of(&self, rows: usize) -> Vec<Range<usize>> {
        if !self.are_lists {
            return (0..rows).map(|row| row..row + 1).collect();
        }
        let mut starts: Vec<_> = (0..self.repeated.len()).filter(|&field| self.repeated[field] == 0).collect();
        starts.push(self.repeated.len());
        starts.windows(2).map(|row| row[0]..row[1]).collect()
    }
}

/// The columns with strings of a row group, and those with solutions, read side by side.
pub(super) struct Columns {
    strings: Vec<Rows>,
    solutions: Vec<Rows>,
    /// As many rows are read at a time.
    most: usize,
}

impl Columns {
    pub(super) fn new(group: &impl RowGroupReader, places: &Places) -> Result<Self, ParquetError> {
        let rows = |leaves: &[usize]| leaves.iter().map(|&leaf| Rows::new(group, leaf)).collect::<Result<Vec<_>, _>>();
        let (strings, solutions) = (rows(&places.strings)?, rows(&places.solutions)?);
        let most = rows_at_first(strings.iter().any(|rows| rows.are_lists)) / strings.len().max(1);
        Ok(Self { strings, solutions, most: most.max(1) })
    }

    /// Reads the next rows; says how many.
    pub(super) fn read(&mut self) -> Result<usize, ParquetError> {
        let mut all = self.strings.iter_mut().chain(&mut self.solutions);
        let Some(first) = all.next() else { return Ok(0) };
        let (rows, fields) = first.read(self.most)?;
        for other in all {
            if other.read(self.most)?.0 != rows {
                return Err(ParquetError::General("a column has fewer rows than others".into()));
            }
        }
        if self.are_lists() {
            self.most = rows_from_now(rows, fields);
        }
        Ok(rows)
    }

    fn are_lists(&self) -> bool {
        self.strings.iter().any(|rows| rows.are_lists)
    }

    /// The strings of the rows, one row after the other.
    pub(super) fn in_turn(&self) -> Vec<Option<&[u8]>> {
        in_turn(&by_field(&self.strings))
    }
}

/// The values of columns.
fn by_field(columns: &[Rows]) -> Vec<Vec<Option<&ByteArray>>> {
    columns.iter().map(Rows::by_field).collect()
}

/// The first of all columns, the second of all, and so on.
fn in_turn<'v>(columns: &[Vec<Option<&'v ByteArray>>]) -> Vec<Option<&'v [u8]>> {
    let fields = 0..columns.first().map_or(0, Vec::len);
    fields.flat_map(|field| columns.iter().map(move |values| values[field].map(ByteArray::data))).collect()
}

/// The strings of a row group, to be read.
pub(super) fn strings_of(
    group: &impl RowGroupReader,
    leaf: usize,
) -> Result<ColumnReaderImpl<ByteArrayType>, ParquetError> {
    match values_of(group, leaf)? {
        ColumnReader::ByteArrayColumnReader(reader) => Ok(reader),
        _ => Err(ParquetError::General("a column of strings has values of another type".into())),
    }
}

/// How a row group is worked on.
pub(super) struct How<'h> {
    pub(super) bad: Bad,
    /// New strings are written alone.
    pub(super) alone: bool,
    pub(super) new: &'h [NewLeaf],
    /// Where pages are kept, if not in memory.
    pub(super) folder: Option<&'h Path>,
}

/// Converts the strings of a row group, and writes what stays into chunks of their own. Where much is to be said of them, `tell` is given
/// that before the end; nothing comes back if it breaks off.
pub(super) fn convert(
    input: &ParquetInput,
    (group, places): (usize, &Places),
    converter: &mut RowConverter<'_>,
    how: &How<'_>,
    mut tell: impl FnMut(&mut Told) -> Result<ControlFlow<()>, Error>,
) -> Result<Option<Converted>, Error> {
    let about = input.metadata.row_group(group);
    let failed = |error| unread(&input.path, error);
    let mut read = Columns::new(&input.group(group)?, places).map_err(failed)?;
    let mut told = Told::default();
    let (mut stay, mut text) = (Vec::new(), 0);
    let mut pages = how.new.iter().map(|_| Pages::new(how.folder)).collect::<Result<Vec<_>, _>>()?;
    let mut writers: Vec<_> = how.new.iter().zip(&mut pages).map(|(new, pages)| Writer::new(new, pages)).collect();
    let (mut all, mut any_out) = (0, false);
    while !told.outcome.stopped {
        let rows = read.read().map_err(failed)?;
        if rows == 0 {
            break;
        }
        all += rows;
        let columns = read.strings.len();
        let fields = read.strings[0].fields_of(rows);
        let of_rows: Vec<_> = fields.iter().map(|row| row.start * columns..row.end * columns).collect();
        let values = by_field(&read.strings);
        let strings = in_turn(&values);
        text += strings.iter().flatten().map(|string| string.len() as u64).sum::<u64>();
        match columns == 1 && !read.are_lists() && read.solutions.is_empty() {
            true => converter.convert(&strings, &mut told.outcome)?,
            false => {
                let solutions = in_turn(&by_field(&read.solutions));
                converter.convert_several(&of_rows, &strings, &solutions, &mut told.outcome)?;
            }
        }
        let is_out = |row: &Range<usize>| row.clone().any(|value| converter.fate(value) == Fate::Refused);
        let stays: Vec<_> = of_rows.iter().map(|row| how.bad != Bad::Reject || !is_out(row)).collect();
        any_out |= stays.contains(&false);
        let batch = Batch { read: &read, values, fields, stays: &stays, bad: how.bad };
        writers.iter_mut().try_for_each(|writer| writer.write(&batch, converter)).map_err(unwritten)?;
        if how.alone {
            let all = batch.rows().map(|row| row.start * columns..row.end * columns);
            all.for_each(|values| converter.write_lines(values, &mut told.lines));
        }
        stay.extend(stays);
        if told.is_much() && !told.outcome.stopped && tell(&mut told)?.is_break() {
            return Ok(None);
        }
    }
    if !told.outcome.stopped && all as i64 != about.num_rows() {
        let words = format!("is damaged: row group {group} does not have the {} rows that it says", about.num_rows());
        return Err(Error::file(&input.path, words));
    }
    let closed = writers.into_iter().map(Writer::close).collect::<Result<Vec<_>, _>>().map_err(unwritten)?;
    let chunks = pages.into_iter().zip(closed).map(|(pages, about)| pages.end(about)).collect::<Result<_, _>>()?;
    Ok(Some(Converted { chunks, told, stay: any_out.then_some(stay), text }))
}

/// Rows that were converted.
struct Batch<'b> {
    read: &'b Columns,
    /// The old strings of each column.
    values: Vec<Vec<Option<&'b ByteArray>>>,
    /// The fields of each row, and whether it stays.
    fields: Vec<Range<usize>>,
    stays: &'b [bool],
    bad: Bad,
}

impl Batch<'_> {
    /// The number of a value of a column among those of all.
    fn value(&self, column: usize, field: usize) -> usize {
        field * self.values.len() + column
    }

    /// The rows that stay.
    fn rows(&self) -> impl Iterator<Item = &Range<usize>> + Clone {
        self.fields.iter().zip(self.stays).filter(|(_, stays)| **stays).map(|(row, _)| row)
    }
}

/// Writes a new chunk.
struct Writer<'p> {
    column: ColumnDescPtr,
    beside: Option<ColumnContent>,
    of: usize,
    /// Strings are in a dictionary.
    by_dictionary: bool,
    values: ValueWriter<'p>,
}

enum ValueWriter<'p> {
    Text(ChunkWriter<'p, ByteArrayType>),
    Number(ChunkWriter<'p, Int64Type>),
    Truth(ChunkWriter<'p, BoolType>),
}

impl<'p> Writer<'p> {
    fn new(new: &NewLeaf, pages: &'p mut Pages) -> Self {
        let (column, properties) = (new.column.clone(), new.properties.clone());
        let by_dictionary = properties.dictionary_enabled(column.path());
        let values = match new.beside.map(ValueType::of) {
            None | Some(ValueType::Text) => ValueWriter::Text(ChunkWriter::new(column, properties, pages)),
            Some(ValueType::Number) => ValueWriter::Number(ChunkWriter::new(column, properties, pages)),
            Some(ValueType::Truth) => ValueWriter::Truth(ChunkWriter::new(column, properties, pages)),
        };
        Self { column: new.column.clone(), beside: new.beside, of: new.of, by_dictionary, values }
    }

    fn write(&mut self, batch: &Batch<'_>, converter: &RowConverter<'_>) -> Result<(), ParquetError> {
        let Some(what) = self.beside else { return self.replace(batch, converter) };
        // Lists have nothing beside them: each row is a field.
        let of = self.of;
        let said = batch.rows().map(|row| {
            let value = batch.value(of, row.start);
            match converter.fate(value) {
                // The empty string is no string, and stays one.
                Fate::Nothing if what == ColumnContent::String && batch.values[of][row.start].is_some() => {
                    Value::Text(b"")
                }
                _ => converter.said(value, what),
            }
        });
        let defined: Vec<_> = said.clone().map(|value| i16::from(value != Value::Nothing)).collect();
        match &mut self.values {
            ValueWriter::Number(writer) => {
                let number = |value| if let Value::Number(number) = value { Some(i64::from(number)) } else { None };
                writer.write(&said.filter_map(number).collect::<Vec<_>>(), &defined, &[])
            }
            ValueWriter::Truth(writer) => {
                let truth = |value| if let Value::Truth(truth) = value { Some(truth) } else { None };
                writer.write(&said.filter_map(truth).collect::<Vec<_>>(), &defined, &[])
            }
            ValueWriter::Text(writer) => {
                let mut texts = Texts::default();
                said.for_each(|value| {
                    if let Value::Text(text) = value {
                        texts.push(text)
                    }
                });
                writer.write(&texts.end(self.by_dictionary), &defined, &[])
            }
        }
    }

    /// Writes new strings in the place of old ones.
    fn replace(&mut self, batch: &Batch<'_>, converter: &RowConverter<'_>) -> Result<(), ParquetError> {
        let ValueWriter::Text(writer) = &mut self.values else { return Ok(()) };
        let (deepest, read) = (self.column.max_def_level(), &batch.read.strings[self.of]);
        let (mut texts, mut defined, mut repeated) = (Texts::default(), Vec::new(), Vec::new());
        for field in batch.rows().flat_map(Range::clone) {
            // One that was there is null itself; of others it is a field around them.
            let mut level = read.defined.get(field).copied().unwrap_or(deepest);
            if let Some(old) = batch.values[self.of][field] {
                match converter.fate(batch.value(self.of, field)) {
                    Fate::Written(string) => texts.push(string),
                    Fate::Refused if batch.bad == Bad::Null => level = deepest - 1,
                    Fate::Nothing | Fate::Good | Fate::Refused => texts.keep(old),
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
struct Texts {
    text: Vec<u8>,
    places: Vec<Place>,
}

enum Place {
    /// In the text.
    New(Range<usize>),
    Old(ByteArray),
}

impl Texts {
    fn push(&mut self, string: &[u8]) {
        let start = self.text.len();
        self.text.extend_from_slice(string);
        self.places.push(Place::New(start..self.text.len()));
    }

    fn keep(&mut self, old: &ByteArray) {
        self.places.push(Place::Old(old.clone()));
    }

    /// The strings. Each has a text of its own if a dictionary takes them: one that stays there would keep that of all others.
    fn end(self, by_dictionary: bool) -> Vec<ByteArray> {
        let text = Bytes::from(self.text);
        let value = |place| match place {
            Place::New(range) if by_dictionary => text[range].to_vec().into(),
            Place::New(range) => text.slice(range).into(),
            Place::Old(old) => old,
        };
        self.places.into_iter().map(value).collect()
    }
}
