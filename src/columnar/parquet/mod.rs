//! Converts Parquet files: in each row group, the columns with strings are written again, and the others are copied as
//! bytes. If rows are left out, the others are written again, too.
//!
//! - `file`: inputs. `shared_file`: reads them. `footer`: what they say about themselves. `offsets`: checks where their column chunks are. `pages`:
//!   reads the pages of a chunk. `checksums`: those of pages. `thrift`, `kinds`, `deltas`: what these check.
//! - `schema`: finds the columns, and makes the schema of the output. `properties`: how chunks are written.
//! - `chunk`: converts strings. `filter`: leaves rows out of a chunk. `selection`: copies selected rows.
//! - `write`: writes new chunks, page by page. `ending`: writes the end of a file, in which copied chunks are described as
//!   they were. `fields`: how that is encoded. `bounds`: minima and maxima of floats. `errors`: errors of files, as errors of
//!   the run.

mod bounds;
mod checksums;
mod chunk;
mod deltas;
mod ending;
mod errors;
mod fields;
mod file;
mod filter;
mod footer;
#[cfg(test)]
mod kept;
mod kinds;
#[cfg(test)]
mod lies;
mod offsets;
mod pages;
mod properties;
mod schema;
mod selection;
mod shared_file;
#[cfg(test)]
mod tests;
mod thrift;
mod write;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{SchemaDescPtr, SchemaDescriptor};

use chunk::{ConvertOptions, ConvertedGroup, GroupColumns, NewLeaf, RowResults};
use ending::{GroupOrigin, NewFile};
use errors::{read_error, write_error};
use file::ParquetInput;
pub(super) use selection::copy_kept;
use shared_file::SequentialFile;
use write::{NewChunk, PageSpace};

use super::output::FileOutput;
use super::rows::{LayoutSurvey, LazyEvidence, RowConverter};
use super::values::ValueType;
use super::{ColumnNumbers, OrderedOutput, naming, never_null};
use crate::convert::{Bad, Emit};
use crate::engine::{
    Added, ColumnContent, ColumnJob, ColumnSink, Container, End, NextPortion, PortionQueue, Seat, Turns,
};
use crate::error::Error;
use crate::formats::Evidence;
use crate::output::Output;
use crate::source::Input;

/// If a column in a row group (or, if rows are left out, all its columns together) has more bytes than this, its new
/// pages are stored in a file.
const LARGE: i64 = 256 << 20;

/// Chunks with fewer bytes are kept in memory even then, so that there are not too many files.
const SMALL: i64 = 16 << 20;

/// The most bytes of new pages that wait in memory, and half a MiB for each thread.
const PAGES_BYTES: u64 = 24 << 20;

/// The most bytes of the buffers of all threads, and one MiB for each thread.
const BUFFERS_BYTES: u64 = 36 << 20;

/// How many threads may work, however large the pages are.
const LEAST: usize = 4;

/// What a thread needs (see [`GroupPlan::cost`]). Most files have pages of up to this size.
const THREAD_BYTES: u64 = 3 << 19;
const BUFFERS_OF_PAGE: u64 = 6;
const USUAL_PAGE: i64 = 1 << 20;

/// The settings for all row groups.
struct GroupPlan<'r> {
    job: &'r ColumnJob,
    inputs: &'r [ParquetInput],
    /// All row groups, in order: the number of the input, and the number of the group in it.
    groups: Vec<(usize, usize)>,
    /// The leaf columns with strings.
    places: ColumnNumbers,
    /// The schema of the output.
    schema: SchemaDescPtr,
    /// Where new pages are stored until their turn.
    space: Arc<PageSpace>,
    /// The number of the next row group.
    queue: PortionQueue<usize>,
    /// The bytes of the row groups that are finished.
    taken: AtomicU64,
}

/// Where row groups are written.
enum GroupOutput {
    File(Box<NewFile>),
    /// Nothing is written.
    Nowhere(Output),
    /// Only the new strings are written, one on each line.
    Strings(Output),
}

impl OrderedOutput<'_, '_, GroupOutput> {
    /// Takes the results for rows of an input.
    fn take(&mut self, input: usize, results: &RowResults) -> Result<(), End> {
        self.sink.take(input, &results.outcome)?;
        if let GroupOutput::Strings(output) = &mut self.destination {
            output.write(&results.lines)?;
        }
        Ok(())
    }
}

/// A row group that was converted.
struct GroupDone {
    converted: ConvertedGroup,
    /// Its other columns with the rows that are kept, if some are left out.
    filtered: Option<Vec<NewChunk>>,
}

/// Converts the strings in columns of all inputs into one output. Returns it, with the number of bytes written.
pub(super) fn run(
    job: &ColumnJob,
    inputs: Vec<Input>,
    output: Output,
    sink: &mut ColumnSink<'_>,
) -> Result<(Output, u64), Error> {
    keep_freed_memory();
    let inputs = open_all(inputs)?;
    let bytes = inputs.iter().map(ParquetInput::bytes).sum();
    job.set_total_bytes(bytes);
    let (plan, metadata) = GroupPlan::new(job, &inputs, output.folder())?;
    let convert = || {
        let destination = match job.plan.emit {
            Emit::Nothing => GroupOutput::Nowhere(output),
            Emit::Digits => GroupOutput::Strings(output),
            _ => plan.create_file(output, metadata)?,
        };
        let layouts = LazyEvidence::new(|| plan.weigh());
        let groups = ConvertGroups { plan: &plan, layouts: &layouts };
        let OrderedOutput { destination, sink } = job.run(&groups, OrderedOutput { destination, sink }, ())?;
        inputs.iter().try_for_each(ParquetInput::unchanged)?;
        sink.read(bytes, 0);
        destination.end(&plan)
    };
    convert().map_err(|error| naming(only(&inputs), error))
}

/// Passes the values of a column to `take`, until it answers that it takes no more. Without a name, it is the only column of
/// strings.
pub(super) fn strings(
    input: Input,
    column: Option<&str>,
    take: &mut dyn FnMut(Option<&[u8]>) -> bool,
) -> Result<(), Error> {
    let input = ParquetInput::open(input)?;
    let failed = |error| read_error(&input.path, error);
    let candidates = schema::candidates(input.metadata.file_metadata().schema_descr());
    let places = ColumnNumbers::find_one(&input.path, column, &candidates)?;
    for group in 0..input.metadata.num_row_groups() {
        let mut columns = GroupColumns::new(&input.group(group)?, &places).map_err(failed)?;
        while columns.read().map_err(failed)? > 0 {
            if !columns.interleaved().into_iter().all(&mut *take) {
                return Ok(());
            }
        }
    }
    input.unchanged()
}

/// The path of the input, if there is only one.
fn only(inputs: &[ParquetInput]) -> Option<&Path> {
    if let [input] = inputs { Some(&input.path) } else { None }
}

/// The size of the block that is freed to adjust the allocator. glibc only adjusts itself to blocks of up to 32 MiB.
const FREED_BLOCK: usize = 31 << 20;

/// Makes the allocator keep freed memory. The pages of a chunk, about a megabyte each, are allocated and freed one
/// after the other. If the memory is returned to the system each time, the system has to provide all of it again. glibc
/// keeps up to twice the size of the largest block that was freed (mallopt(3), `M_MMAP_THRESHOLD`). Nothing is written
/// to this block, so it uses no memory. It has no effect on other allocators.
fn keep_freed_memory() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(FREED_BLOCK)));
}

/// Opens the inputs, and checks that they have the same columns.
fn open_all(inputs: Vec<Input>) -> Result<Vec<ParquetInput>, Error> {
    let inputs = inputs.into_iter().map(ParquetInput::open).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = inputs.first() else { return Err(Error::Usage("no input is named".into())) };
    inputs.iter().try_for_each(|input| file::check_same_columns(first, input))?;
    Ok(inputs)
}

impl<'r> GroupPlan<'r> {
    /// Makes a plan, and the metadata of the output.
    fn new(job: &'r ColumnJob, inputs: &'r [ParquetInput], folder: PathBuf) -> Result<(Self, Vec<KeyValue>), Error> {
        let about = inputs[0].metadata.file_metadata();
        let mut schema = about.schema_descr_ptr();
        let places = schema::find(&inputs[0].path, &schema, &job.columns, &job.appended)?;
        let mut metadata = about.key_value_metadata().cloned().unwrap_or_default();
        if !job.appended.is_empty() {
            schema = Arc::new(SchemaDescriptor::new(schema::with_columns(&schema, &job.appended)?));
            metadata = schema::with_new_columns(metadata, &job.appended);
        }
        let required = places.strings.iter().find(|&&leaf| !schema.column(leaf).self_type().is_optional());
        if job.plan.bad == Bad::Null
            && job.replaces()
            && let Some(&leaf) = required
        {
            return Err(never_null(&schema.column(leaf).path().string()));
        }
        let groups = inputs.iter().enumerate();
        let groups = groups.flat_map(|(at, input)| (0..input.metadata.num_row_groups()).map(move |group| (at, group)));
        let threads = job.threads() as u64;
        let space = PageSpace::new(folder, PAGES_BYTES + (threads << 19)).into();
        let queue = PortionQueue::new(0, BUFFERS_BYTES + (threads << 20), LEAST);
        let groups = groups.collect();
        Ok((Self { job, inputs, groups, places, schema, space, queue, taken: AtomicU64::new(0) }, metadata))
    }

    /// The memory that a thread needs for a row group, without the new pages that wait: some buffers of the size of a
    /// page for each column of strings.
    fn cost(&self, number: usize) -> u64 {
        let (input, group) = self.groups[number];
        let about = self.inputs[input].metadata.row_group(group);
        let page = |&leaf: &usize| about.column(leaf).uncompressed_size().clamp(0, USUAL_PAGE).unsigned_abs();
        let pages: u64 = self.places.strings.iter().chain(&self.places.solutions).map(page).sum();
        THREAD_BYTES + BUFFERS_OF_PAGE * pages
    }

    /// Whether a Parquet file is written.
    fn writes_file(&self) -> bool {
        !matches!(self.job.plan.emit, Emit::Nothing | Emit::Digits)
    }

    /// Creates the file in this output.
    fn create_file(&self, output: Output, metadata: Vec<KeyValue>) -> Result<GroupOutput, Error> {
        let (schema, properties) = (self.schema.root_schema_ptr(), Arc::new(self.properties(metadata)));
        let writer = SerializedFileWriter::new(FileOutput::new(output), schema, properties).map_err(write_error)?;
        Ok(GroupOutput::File(Box::new(NewFile { writer, groups: Vec::new() })))
    }

    /// The properties of the whole output.
    fn properties(&self, metadata: Vec<KeyValue>) -> WriterProperties {
        let groups = self.groups.iter().map(|&(input, group)| self.inputs[input].metadata.row_group(group));
        let indexed = groups.flat_map(|group| group.columns()).any(|column| column.offset_index_offset().is_some());
        properties::of_file(metadata, indexed)
    }

    /// Returns the evidence of the first strings about layouts.
    fn weigh(&self) -> Result<Evidence, Error> {
        let mut window = LayoutSurvey::new(self.job.plan, self.job.kernel);
        for &(input, group) in &self.groups {
            let input = &self.inputs[input];
            let failed = |error| read_error(&input.path, error);
            let mut columns = GroupColumns::new(&input.group(group)?, &self.places).map_err(failed)?;
            while !window.is_full() && columns.read().map_err(failed)? > 0 {
                window.take(columns.interleaved().into_iter().flatten());
            }
            if window.is_full() {
                break;
            }
        }
        Ok(window.evidence())
    }

    /// The next row group, by its number.
    fn next(&self, seat: &mut Seat) -> Option<NextPortion<'_, usize>> {
        let cost = |next: &mut usize| (*next < self.groups.len()).then(|| Ok(self.cost(*next)));
        let pull = |next: &mut usize| {
            *next += 1;
            Some(*next - 1)
        };
        self.queue.next(seat, cost, pull)
    }

    /// Counts a row group that is finished.
    fn finish(&self, number: usize) {
        let (input, group) = self.groups[number];
        let bytes = self.inputs[input].metadata.row_group(group).compressed_size().unsigned_abs();
        self.taken.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Converts the strings of a row group, and filters its other columns if rows are left out. If there are many
    /// results, some are passed to `report` before the end.
    fn convert(
        &self,
        converter: &mut RowConverter<'_>,
        number: usize,
        report: impl FnMut(&mut RowResults) -> Result<(), End>,
    ) -> Result<GroupDone, End> {
        let (at, group) = self.groups[number];
        let input = &self.inputs[at];
        let about = input.metadata.row_group(group);
        let new = if self.writes_file() { self.new_leaves(input, group)? } else { Vec::new() };
        let bytes = self.places.strings.iter().map(|&leaf| about.column(leaf).uncompressed_size());
        let is_large = bytes.fold(0, i64::saturating_add) > LARGE;
        let strings_only = self.job.plan.emit == Emit::Digits;
        let options = ConvertOptions {
            places: &self.places,
            bad: self.job.plan.bad,
            strings_only,
            new: &new,
            space: &self.space,
            is_large,
        };
        let converted = chunk::convert(input, group, converter, &options, report)?;
        let filtered = match &converted.keep {
            Some(keep) if self.writes_file() && keep.contains(&true) => Some(self.filter(at, group, keep)?),
            _ => None,
        };
        if self.writes_file() && converted.keep.is_none() {
            self.check_copied(at, group)?;
        }
        Ok(GroupDone { converted, filtered })
    }

    /// Checks the columns of a row group that are copied as bytes, before anything of it is written.
    fn check_copied(&self, input: usize, group: usize) -> Result<(), Error> {
        let input = &self.inputs[input];
        let leaves = 0..input.metadata.row_group(group).num_columns();
        let mut copied = leaves.filter(|&leaf| !self.is_replaced_in(input, group, leaf));
        copied.try_for_each(|leaf| input.check_copied(group, leaf))
    }

    /// Writes the other columns of a row group with the rows that are kept.
    fn filter(&self, input: usize, group: usize, keep: &[bool]) -> Result<Vec<NewChunk>, Error> {
        let input = &self.inputs[input];
        let about = input.metadata.row_group(group);
        let others = (0..about.num_columns()).filter(|&leaf| !self.is_replaced(leaf));
        let filter = |leaf| {
            let is_large = about.total_byte_size() > LARGE && about.column(leaf).uncompressed_size() > SMALL;
            filter::filter(input, (group, leaf), keep, (&self.space, is_large))
        };
        others.map(filter).collect()
    }

    /// Whether the strings of a leaf column are replaced.
    fn is_replaced(&self, leaf: usize) -> bool {
        self.job.replaces() && self.places.strings.contains(&leaf)
    }

    /// Whether they are replaced in this row group. If it has no rows, its chunks are copied.
    fn is_replaced_in(&self, input: &ParquetInput, group: usize, leaf: usize) -> bool {
        self.is_replaced(leaf) && input.metadata.row_group(group).num_rows() > 0
    }

    /// Returns the new chunks of a row group, in the order of their leaf columns: the strings, if they are replaced,
    /// and the appended columns.
    fn new_leaves(&self, input: &ParquetInput, group: usize) -> Result<Vec<NewLeaf>, Error> {
        let strings = &self.places.strings;
        let mut all: Vec<_> = (0..strings.len())
            .filter(|&of| self.is_replaced_in(input, group, strings[of]))
            .map(|of| (strings[of], of, None))
            .collect();
        all.sort_unstable_by_key(|(leaf, ..)| *leaf);
        let first = self.schema.num_columns() - self.job.appended.len();
        all.extend((first..).zip(&self.job.appended).map(|(leaf, new)| (leaf, new.source, Some(new.content))));
        let leaf = |(leaf, of, appended): (_, _, Option<ColumnContent>)| {
            let old = &input.old_pages(group, strings[of])?;
            let properties = match appended.map(|what| (what, ValueType::of(what))) {
                Some((ColumnContent::Added(Added::Kind | Added::Format | Added::GradeName), _)) => {
                    properties::of_few_values(old)
                }
                Some((_, ValueType::Number | ValueType::Truth)) => properties::of_other_type(old),
                _ => properties::like(old),
            };
            Ok(NewLeaf { column: self.schema.column(leaf), properties: properties.into(), appended, source: of })
        };
        all.into_iter().map(leaf).collect()
    }

    /// Writes a row group, and passes on the results for its rows.
    fn write_group(
        &self,
        number: usize,
        done: GroupDone,
        out: &mut OrderedOutput<'_, '_, GroupOutput>,
    ) -> Result<(), End> {
        let ConvertedGroup { chunks, results, keep, text } = done.converted;
        let (input, group) = self.groups[number];
        out.take(input, &results)?;
        out.sink.read(0, text);
        let is_left_out = keep.is_some_and(|keep| !keep.contains(&true));
        let written = match &mut out.destination {
            GroupOutput::File(_) if is_left_out => Some(0),
            GroupOutput::File(file) => Some(self.append(file, number, done.filtered, chunks)?),
            _ => None,
        };
        let read = self.inputs[input].metadata.row_group(group).num_rows();
        out.sink.count_rows(read.unsigned_abs(), written);
        self.finish(number);
        Ok(())
    }

    /// Appends a row group: filtered chunks (if rows are left out), new chunks, and unchanged copies of the others.
    /// Returns the number of its rows according to the writer.
    fn append(
        &self,
        file: &mut NewFile,
        number: usize,
        filtered: Option<Vec<NewChunk>>,
        new: Vec<NewChunk>,
    ) -> Result<u64, Error> {
        let (at, group) = self.groups[number];
        let input = &self.inputs[at];
        let about = input.metadata.row_group(group);
        let mut rows = file.writer.next_row_group().map_err(write_error)?;
        let (mut filtered, mut new) = (filtered.map(Vec::into_iter), new.into_iter());
        let mut copied = Vec::with_capacity(self.schema.num_columns());
        for leaf in 0..self.schema.num_columns() {
            let is_new = leaf >= about.num_columns() || self.is_replaced_in(input, group, leaf);
            let rewritten = match is_new {
                true => new.next(),
                false => filtered.as_mut().and_then(Iterator::next),
            };
            copied.push(rewritten.is_none());
            let appended = footer::catch(|| match rewritten {
                Some(chunk) => chunk.append_to(&mut rows),
                None => rows.append_column(&SequentialFile(&input.shared), input.unchanged_chunk(group, leaf)),
            });
            appended.map_err(|error| read_error(&input.path, error))?;
        }
        let closed = footer::catch(|| rows.close()).map_err(write_error)?;
        file.groups.push(GroupOrigin { input: at, group, copied });
        Ok(closed.num_rows().unsigned_abs())
    }
}

/// Row groups whose strings are converted.
struct ConvertGroups<'p, 'r> {
    plan: &'p GroupPlan<'r>,
    layouts: &'p LazyEvidence<'p>,
}

impl<'p> Container<OrderedOutput<'_, '_, GroupOutput>> for ConvertGroups<'p, '_> {
    type Worker = RowConverter<'p>;
    type Portion = usize;

    fn worker(&self) -> Result<RowConverter<'p>, Error> {
        Ok(RowConverter::new(self.plan.job, self.layouts))
    }

    fn next(&self, _: &mut RowConverter<'p>, seat: &mut Seat) -> Option<NextPortion<'_, usize>> {
        self.plan.next(seat)
    }

    fn process(
        &self,
        converter: &mut RowConverter<'p>,
        number: usize,
        turns: &mut Turns<'_, OrderedOutput<'_, '_, GroupOutput>>,
    ) -> Result<(), End> {
        let (input, _) = self.plan.groups[number];
        let report = |results: &mut RowResults| turns.out()?.take(input, &std::mem::take(results));
        let done = self.plan.convert(converter, number, report)?;
        self.plan.write_group(number, done, turns.out()?)
    }

    fn taken(&self) -> u64 {
        self.plan.taken.load(Ordering::Relaxed)
    }
}
