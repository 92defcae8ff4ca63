//! Ends a file. What the inputs say about what is copied is put into its metadata as it was encoded: the writer of the
//! crate would leave out what it does not know, and say some of it in another way.

use std::io::Write;
use std::path::Path;

use parquet::basic::{LogicalType, Type as PhysicalType};
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::ChunkReader;
use parquet::file::writer::SerializedFileWriter;

use super::bounds::{drop_bounds, with_zeros_of_both_signs, without_numbers_that_are_none};
use super::errors::{read_error, write_error};
use super::fields::{I32, I64, LIST, STRUCT, StructFields, list};
use super::footer::{catch, damaged};
use super::{GroupOutput, GroupPlan};
use crate::columnar::metadata::{note_left_out, note_range_of_pandas};
use crate::columnar::output::FileOutput;
use crate::error::Error;
use crate::output::Output;

/// Fields of the metadata of a file,
const VERSION: i16 = 1;
const SCHEMA: i16 = 2;
const ROWS: i16 = 3;
const GROUPS: i16 = 4;
const KEYS_AND_VALUES: i16 = 5;
const ORDERS: i16 = 7;
const ENCRYPTION: [i16; 2] = [8, 9];

/// of an element of its schema,
const CHILDREN: i16 = 5;

/// of a row group,
const CHUNKS: i16 = 1;
const BYTES_AND_ROWS: [i16; 2] = [2, 3];
const SORTED: i16 = 4;
/// (where it is, its compressed size, and its number)
const PLACE: [i16; 3] = [5, 6, 7];

/// of a column by which it is sorted,
const LEAF: i16 = 1;

/// of a column chunk,
const OF_FILE: i16 = 2;
const ABOUT: i16 = 3;
const OFFSET_INDEX: [i16; 2] = [4, 5];
const COLUMN_INDEX: [i16; 2] = [6, 7];

/// and of its own metadata.
const OF_CHUNK: i16 = 8;
const INDEX_PAGE: i16 = 10;
const STATISTICS: i16 = 12;
/// (the data, the dictionary, and the Bloom filter with its length)
const PLACES: [i16; 4] = [9, 11, 14, 15];

/// A file that is being written.
pub(super) struct NewFile {
    pub(super) writer: SerializedFileWriter<FileOutput>,
    /// Where each of its row groups comes from.
    pub(super) groups: Vec<GroupOrigin>,
}

/// Where a row group comes from.
pub(super) struct GroupOrigin {
    pub(super) input: usize,
    pub(super) group: usize,
    /// For each column, whether it was copied as bytes.
    pub(super) copied: Vec<bool>,
}

impl GroupOutput {
    /// Ends the output. Returns it, with the number of bytes written.
    pub(super) fn end(self, plan: &GroupPlan<'_>) -> Result<(Output, u64), Error> {
        let mut file = match self {
            Self::Nowhere(output) | Self::Strings(output) => return Ok((output, 0)),
            Self::File(file) => file,
        };
        note_differences(plan, &file);
        file.writer.flush().map_err(|error| write_error(error.into()))?;
        let start = file.writer.inner_mut().hold_back();
        catch(|| file.writer.finish()).map_err(write_error)?;
        let output = file.writer.inner_mut();
        let written = output.held_back();
        let ending = Ending::of(plan, &file.groups, start, &written)?;
        output.write_all(&ending).map_err(|error| write_error(error.into()))?;
        output.end()
    }
}

/// Says what the inputs say about themselves that is not in the output.
fn note_differences(plan: &GroupPlan<'_>, file: &NewFile) {
    let all: Vec<_> = plan.inputs.iter().map(|input| (&*input.path, input.about())).collect();
    let Some(((first_path, first), others)) = all.split_first() else { return };
    others.iter().for_each(|(path, other)| note_left_out((*first_path, first), (*path, other)));
    let rows = |group: &RowGroupMetaData| group.num_rows().unsigned_abs();
    let read = plan.inputs.iter().flat_map(|input| input.metadata.row_groups()).map(rows).sum();
    let written = file.writer.flushed_row_groups().iter().map(rows).sum();
    note_range_of_pandas(first, (read, written));
}

/// The metadata of a file, and its parts.
struct FileMetadata<'f> {
    fields: &'f StructFields<'f>,
    groups: Vec<&'f [u8]>,
    /// The orders of the values of all columns, if they are given.
    orders: Option<Vec<&'f [u8]>>,
}

impl<'f> FileMetadata<'f> {
    fn of(fields: &'f StructFields<'f>) -> Option<Self> {
        let orders = if fields.get(ORDERS).is_some() { Some(fields.elements(ORDERS)?) } else { None };
        Some(Self { fields, groups: fields.elements(GROUPS)?, orders })
    }

    fn order(&self, leaf: usize) -> Option<&'f [u8]> {
        self.orders.as_ref()?.get(leaf).copied()
    }
}

/// Makes the end of a file out of that which the crate has written.
struct Ending<'e> {
    plan: &'e GroupPlan<'e>,
    origins: &'e [GroupOrigin],
    /// The end as the crate has written it, and where it begins in the file.
    written: &'e [u8],
    start: u64,
    new: FileMetadata<'e>,
    old: Vec<FileMetadata<'e>>,
}

/// A chunk of the new file.
struct ChunkOutput<'e> {
    origin: &'e GroupOrigin,
    leaf: usize,
    /// As the crate describes it.
    new: StructFields<'e>,
    /// As the input describes what it replaces or copies. None for an appended one.
    old: Option<StructFields<'e>>,
}

/// Where an index is: its position and length.
type IndexPlace = Option<(u64, usize)>;

impl<'e> Ending<'e> {
    fn of(plan: &GroupPlan<'_>, origins: &[GroupOrigin], start: u64, written: &[u8]) -> Result<Vec<u8>, Error> {
        let unreadable = || Error::Internal("the metadata of the new file cannot be read".into());
        let fields = encoded_metadata(written).and_then(StructFields::of).ok_or_else(unreadable)?;
        let new = FileMetadata::of(&fields).ok_or_else(unreadable)?;
        let of_inputs = plan.inputs.iter().map(|input| StructFields::of(&input.footer));
        let of_inputs: Vec<_> = of_inputs.collect::<Option<_>>().ok_or_else(unreadable)?;
        let old = of_inputs.iter().map(FileMetadata::of).collect::<Option<_>>().ok_or_else(unreadable)?;
        Ending { plan, origins, written, start, new, old }.write()
    }

    /// Returns the end of the file: the indexes of its pages, and its metadata.
    fn write(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let columns = self.write_indexes(&mut bytes, COLUMN_INDEX)?;
        let offsets = self.write_indexes(&mut bytes, OFFSET_INDEX)?;
        let mut groups = Vec::with_capacity(self.origins.len());
        let mut places = columns.into_iter().zip(offsets);
        for (number, origin) in self.origins.iter().enumerate() {
            groups.push(self.group(number, origin, &mut places).ok_or_else(|| self.damaged(origin))?);
        }
        let metadata = self.metadata(&groups).ok_or_else(|| read_error(self.path(0), damaged()))?;
        bytes.extend_from_slice(&metadata);
        bytes.extend_from_slice(&(metadata.len() as u32).to_le_bytes());
        bytes.extend_from_slice(b"PAR1");
        Ok(bytes)
    }

    fn path(&self, input: usize) -> &Path {
        &self.plan.inputs[input].path
    }

    fn damaged(&self, origin: &GroupOrigin) -> Error {
        read_error(self.path(origin.input), damaged())
    }

    /// Returns the chunks of a row group.
    fn chunks(&self, number: usize, origin: &'e GroupOrigin) -> Option<Vec<ChunkOutput<'e>>> {
        let of = |group: &'e [u8]| {
            StructFields::of(group).and_then(|group| group.take(CHUNKS)).and_then(super::fields::elements)
        };
        let (new, old) = (of(self.new.groups.get(number)?)?, of(self.old[origin.input].groups.get(origin.group)?)?);
        let chunk = |(leaf, new): (usize, &&'e [u8])| {
            let old = if let Some(old) = old.get(leaf) { Some(StructFields::of(old)?) } else { None };
            Some(ChunkOutput { origin, leaf, new: StructFields::of(new)?, old })
        };
        new.iter().enumerate().map(chunk).collect()
    }

    /// Writes the indexes of all chunks that are in these fields. Returns the place of each.
    fn write_indexes(&self, bytes: &mut Vec<u8>, fields: [i16; 2]) -> Result<Vec<IndexPlace>, Error> {
        let mut places = Vec::new();
        for (number, origin) in self.origins.iter().enumerate() {
            for chunk in self.chunks(number, origin).ok_or_else(|| self.damaged(origin))? {
                let index = self.index(&chunk, fields).map_err(|error| read_error(self.path(origin.input), error))?;
                places.push(index.as_ref().map(|index| (self.start + bytes.len() as u64, index.len())));
                bytes.extend(index.unwrap_or_default());
            }
        }
        Ok(places)
    }

    /// Returns an index of a chunk, which these fields describe.
    fn index(&self, chunk: &ChunkOutput<'_>, fields: [i16; 2]) -> Result<Option<Vec<u8>>, ParquetError> {
        let place = |of: &StructFields<'_>| {
            let [at, length] = fields.map(|field| of.number(field).and_then(|number| usize::try_from(number).ok()));
            Some((at?, length?)).filter(|(_, length)| *length > 0)
        };
        let of_new = place(&chunk.new).and_then(|(at, length)| {
            let at = at.checked_sub(usize::try_from(self.start).ok()?)?;
            self.written.get(at..at.checked_add(length)?)
        });
        let is_of_columns = fields == COLUMN_INDEX;
        match &chunk.old {
            Some(old) if is_of_columns && chunk.is_copied() => {
                // In another order, it would be wrong.
                let Some((at, length)) = place(old).filter(|_| self.is_in_order(chunk)) else { return Ok(None) };
                self.plan.inputs[chunk.origin.input].shared.get_bytes(at as u64, length).map(|index| Some(index.into()))
            }
            _ if is_of_columns && !chunk.is_copied() => Ok(match self.bounds(chunk.leaf) {
                Bounds::Same => of_new.map(<[u8]>::to_vec),
                Bounds::Floats => of_new.and_then(without_numbers_that_are_none),
                Bounds::Unknown => None,
            }),
            _ => Ok(of_new.map(<[u8]>::to_vec)),
        }
    }

    /// Whether the values of a chunk that is copied have the order that the file will say.
    fn is_in_order(&self, chunk: &ChunkOutput<'_>) -> bool {
        self.old[chunk.origin.input].order(chunk.leaf) == self.old[0].order(chunk.leaf)
    }

    /// How the crate's minima and maxima of a new chunk relate to the order of values that the file will say.
    fn bounds(&self, leaf: usize) -> Bounds {
        let column = self.plan.schema.column(leaf);
        match column.physical_type() {
            _ if leaf >= self.own_leaves() || self.new.order(leaf) == self.old[0].order(leaf) => Bounds::Same,
            PhysicalType::FLOAT | PhysicalType::DOUBLE => Bounds::Floats,
            _ if column.logical_type_ref() == Some(&LogicalType::Float16) => Bounds::Floats,
            PhysicalType::INT96 => Bounds::Unknown,
            _ => Bounds::Same,
        }
    }

    /// The number of columns that the inputs have.
    fn own_leaves(&self) -> usize {
        self.plan.schema.num_columns() - self.plan.job.appended.len()
    }

    /// Returns a row group. Its indexes are at the next places: those of columns and of offsets.
    fn group(
        &self,
        number: usize,
        origin: &GroupOrigin,
        places: &mut impl Iterator<Item = (IndexPlace, IndexPlace)>,
    ) -> Option<Vec<u8>> {
        let new = StructFields::of(self.new.groups.get(number)?)?;
        let mut group = StructFields::of(self.old[origin.input].groups.get(origin.group)?)?;
        let mut chunks = Vec::new();
        for (chunk, (columns, offsets)) in self.chunks(number, origin)?.into_iter().zip(places) {
            let mut fields = if chunk.is_copied() { self.copied(&chunk)? } else { self.rewritten(&chunk)? };
            for ([at, length], place) in [(COLUMN_INDEX, columns), (OFFSET_INDEX, offsets)] {
                match place {
                    Some((position, bytes)) => {
                        fields.set_number(at, I64, position as i64);
                        fields.set_number(length, I32, bytes as i64);
                    }
                    None => [at, length].into_iter().for_each(|field| fields.remove(field)),
                }
            }
            chunks.push(fields.write());
        }
        group.set(CHUNKS, LIST, list(STRUCT, &chunks));
        BYTES_AND_ROWS.into_iter().for_each(|field| group.set_as_in(&new, field));
        PLACE.into_iter().for_each(|field| group.update_from(&new, field));
        self.cut_sorting(&mut group)?;
        Some(group.write())
    }

    /// Leaves out by which columns rows are sorted, from the first whose strings are replaced.
    fn cut_sorting(&self, group: &mut StructFields<'_>) -> Option<()> {
        let Some(sorted) = group.elements(SORTED) else { return Some(()) };
        let leaves = sorted.iter().map(|column| StructFields::of(column)?.number(LEAF)).collect::<Option<Vec<_>>>()?;
        let is_kept = |leaf: &&i64| !usize::try_from(**leaf).is_ok_and(|leaf| self.plan.is_replaced(leaf));
        match leaves.iter().take_while(is_kept).count() {
            0 => group.remove(SORTED),
            kept => {
                let kept = list(STRUCT, &sorted[..kept]);
                group.set(SORTED, LIST, kept);
            }
        }
        Some(())
    }

    /// Returns what the input says about a chunk that was copied, with its new places.
    fn copied(&self, chunk: &ChunkOutput<'_>) -> Option<StructFields<'e>> {
        let origin = chunk.origin;
        let old = chunk.old.as_ref()?;
        let (mut fields, mut about, new) = (old.clone(), old.fields(ABOUT)?, chunk.new.fields(ABOUT)?);
        let (start, _) =
            self.plan.inputs[origin.input].metadata.row_group(origin.group).column(chunk.leaf).byte_range();
        let shift = new.number(PLACES[1]).or(new.number(PLACES[0]))?.wrapping_sub(start as i64);
        PLACES.into_iter().for_each(|field| about.set_as_in(&new, field));
        if let Some(at) = about.number(INDEX_PAGE) {
            about.set_number(INDEX_PAGE, I64, at.wrapping_add(shift));
        }
        if !self.is_in_order(chunk)
            && let Some(mut statistics) = about.fields(STATISTICS)
        {
            drop_bounds(&mut statistics);
            let statistics = statistics.write();
            about.set(STATISTICS, STRUCT, statistics);
        }
        let about = about.write();
        // Many writers say 0.
        if let Some(at) = fields.number(OF_FILE).filter(|at| *at != 0) {
            fields.set_number(OF_FILE, I64, at.wrapping_add(shift));
        }
        fields.set(ABOUT, STRUCT, about);
        Some(fields.into_owned())
    }

    /// Returns what the crate says about a new chunk, with the metadata of the column.
    fn rewritten(&self, chunk: &ChunkOutput<'_>) -> Option<StructFields<'e>> {
        let (mut fields, mut about) = (chunk.new.clone(), chunk.new.fields(ABOUT)?);
        if let Some(old) = &chunk.old {
            about.set_as_in(&old.fields(ABOUT)?, OF_CHUNK);
        }
        let bounds = self.bounds(chunk.leaf);
        if let Some(mut statistics) = about.fields(STATISTICS).filter(|_| bounds != Bounds::Same) {
            match bounds {
                Bounds::Floats => with_zeros_of_both_signs(&mut statistics),
                _ => drop_bounds(&mut statistics),
            }
            let statistics = statistics.write();
            about.set(STATISTICS, STRUCT, statistics);
        }
        let about = about.write();
        fields.set(ABOUT, STRUCT, about);
        Some(fields.into_owned())
    }

    /// Returns the metadata of the file.
    fn metadata(&self, groups: &[Vec<u8>]) -> Option<Vec<u8>> {
        let (first, appended) = (&self.old[0], self.plan.job.appended.len());
        let mut metadata = first.fields.clone();
        let versions = self.old.iter().filter_map(|old| old.fields.number(VERSION));
        if let Some(version) = versions.max().filter(|version| Some(*version) != first.fields.number(VERSION)) {
            metadata.set_number(VERSION, I32, version);
        }
        if appended > 0 {
            let (mut schema, new) = (first.fields.elements(SCHEMA)?, self.new.fields.elements(SCHEMA)?);
            let mut root = StructFields::of(schema.first()?)?;
            root.set_number(CHILDREN, I32, root.number(CHILDREN)? + appended as i64);
            let root = root.write();
            schema[0] = &root;
            schema.extend(&new[new.len().checked_sub(appended)?..]);
            metadata.set(SCHEMA, LIST, list(STRUCT, &schema));
            metadata.set_as_in(self.new.fields, KEYS_AND_VALUES);
            if let Some(orders) = &first.orders {
                let new = (0..appended).map(|new| self.new.order(self.own_leaves() + new));
                let orders: Vec<_> = orders.iter().copied().map(Some).chain(new).collect::<Option<_>>()?;
                metadata.set(ORDERS, LIST, list(STRUCT, &orders));
            }
        }
        metadata.set_as_in(self.new.fields, ROWS);
        metadata.set(GROUPS, LIST, list(STRUCT, groups));
        ENCRYPTION.into_iter().for_each(|field| metadata.remove(field));
        Some(metadata.write())
    }
}

impl ChunkOutput<'_> {
    fn is_copied(&self) -> bool {
        self.origin.copied[self.leaf]
    }
}

/// How minima and maxima relate to an order of values.
#[derive(PartialEq, Eq)]
enum Bounds {
    /// They are of this order.
    Same,
    /// They are of numbers, of which some are neither less nor greater than others: zeros of both signs, and NaN.
    Floats,
    /// They are of another order.
    Unknown,
}

/// Returns the encoded metadata in the end of a file.
fn encoded_metadata(end: &[u8]) -> Option<&[u8]> {
    let (rest, _magic) = end.split_last_chunk::<4>()?;
    let (rest, length) = rest.split_last_chunk::<4>()?;
    rest.get(rest.len().checked_sub(u32::from_le_bytes(*length) as usize)?..)
}
