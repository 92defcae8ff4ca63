//! Parquet files: of each row group the column with the strings is written anew, and the others are passed through as bytes. Only
//! where rows are left out are these written anew, too.
//!
//! - `file`: inputs; `places`: where their chunks are; `pages`: what is in these.
//! - `schema`: where strings are, and the schema of the output; `properties`: how chunks are written.
//! - `chunk`: strings, converted; `filter`: chunks of which rows are left out; `keep`: rows that were chosen before; `write`: new
//!   chunks, page by page.

mod chunk;
mod file;
mod filter;
mod keep;
mod pages;
mod places;
mod properties;
mod schema;
#[cfg(test)]
mod tests;
mod write;

use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, RowGroupMetaData};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{SchemaDescPtr, SchemaDescriptor};

use chunk::{Columns, Converted, How, NewLeaf, Told};
use file::{InOneGo, ParquetInput};
pub(super) use keep::keep;
use write::NewChunk;

use super::output::{FileOutput, of_output};
use super::rows::{Layouts, RowConverter, Window};
use super::{Places, never_null};
use crate::convert::{Bad, Emit};
use crate::engine::{Added, ColumnContent, ColumnJob, ColumnSink};
use crate::error::Error;
use crate::formats::Evidence;
use crate::output::Output;
use crate::output::order::Turnstile;
use crate::source::Input;

/// An error of reading, or of copying: then that of the output, if it is one.
fn unread(path: &Path, error: ParquetError) -> Error {
    let damaged = |words: &dyn fmt::Display| Error::file(path, format!("cannot be read as Parquet: {words}"));
    let ParquetError::External(error) = error else { return damaged(&error) };
    match error.downcast::<io::Error>() {
        Ok(error) => of_output(*error).unwrap_or_else(|error| Error::io(path, "read", error)),
        Err(error) => damaged(&error),
    }
}

/// An error of writing: that of the output, if it is one.
fn unwritten(error: ParquetError) -> Error {
    let failed = |words: &dyn fmt::Display| Error::Usage(format!("the Parquet file cannot be written: {words}"));
    let ParquetError::External(error) = error else { return failed(&error) };
    match error.downcast::<io::Error>() {
        Ok(error) => of_output(*error).unwrap_or_else(|error| failed(&error)),
        Err(error) => failed(&error),
    }
}

/// Bytes of a column of a row group, or of all columns where rows are left out, above which its new pages wait in a file.
const LARGE: i64 = 256 << 20;

/// Those of chunks that wait in memory even then: not everything becomes a file.
const SMALL: i64 = 16 << 20;

/// What is done with all row groups.
struct Plan<'r> {
    job: &'r ColumnJob,
    inputs: &'r [ParquetInput],
    /// All row groups, in order: the input, and the number there.
    groups: Vec<(usize, usize)>,
    /// The leaves with the strings.
    places: Places,
    /// The schema of the output.
    schema: SchemaDescPtr,
    /// The folder of what does not fit into memory.
    folder: PathBuf,
}

/// Where row groups go.
enum Destination {
    File(Box<SerializedFileWriter<FileOutput>>),
    /// Nothing is written.
    Nowhere(Output),
    /// Strings are written alone, a line each.
    Strings(Output),
}

/// What is used in turn.
struct InTurn<'r, 'k> {
    destination: Destination,
    sink: &'r mut ColumnSink<'k>,
}

impl InTurn<'_, '_> {
    /// Takes what became of rows of an input.
    fn take(&mut self, input: usize, told: &Told) -> Result<ControlFlow<()>, Error> {
        let flow = self.sink.take(input, &told.outcome)?;
        if let (Destination::Strings(output), ControlFlow::Continue(())) = (&mut self.destination, flow) {
            output.write(&told.lines)?;
        }
        Ok(flow)
    }
}

/// A row group that was worked on.
struct GroupDone {
    converted: Converted,
    /// Its columns with the rows that stay, if not all do.
    filtered: Option<Vec<NewChunk>>,
}

/// Converts the strings of columns of all inputs, which become one output. Returns it, with the bytes that were written.
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
    let (plan, metadata) = Plan::new(job, &inputs, output.folder())?;
    let destination = match job.plan.emit {
        Emit::Nothing => Destination::Nowhere(output),
        Emit::Digits => Destination::Strings(output),
        _ => plan.file(output, metadata)?,
    };
    let layouts = Layouts::new(|| plan.weigh());
    let (next, turns) = (AtomicUsize::new(0), Turnstile::new(InTurn { destination, sink }));
    job.run_on_all(|| plan.work(&layouts, &next, &turns))?;
    inputs.iter().try_for_each(ParquetInput::unchanged)?;
    let InTurn { destination, sink } = turns.into_inner();
    sink.read(bytes, 0);
    destination.end()
}

/// Bytes of the block that teaches the allocator: the largest that it learns from has 32 MiB.
const LESSON: usize = 31 << 20;

/// Has the allocator keep what is freed. Pages of a chunk are made and freed one after the other, about a megabyte each, and of memory that was
/// given back to the system every page is made anew. glibc keeps up to twice the size of the largest block that was freed (mallopt(3),
/// `M_MMAP_THRESHOLD`). Nothing is written to this one, so it takes no memory; with other allocators nothing is changed.
fn keep_freed_memory() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(LESSON)));
}

/// Opens inputs, which are parts of one table.
fn open_all(inputs: Vec<Input>) -> Result<Vec<ParquetInput>, Error> {
    let inputs = inputs.into_iter().map(ParquetInput::open).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = inputs.first() else { return Err(Error::Usage("no input is named".into())) };
    inputs.iter().try_for_each(|input| file::alike(first, input))?;
    Ok(inputs)
}

impl<'r> Plan<'r> {
    /// A plan, with the metadata of the output.
    fn new(job: &'r ColumnJob, inputs: &'r [ParquetInput], folder: PathBuf) -> Result<(Self, Vec<KeyValue>), Error> {
        let about = inputs[0].metadata.file_metadata();
        let mut schema = about.schema_descr_ptr();
        let places = schema::find(&inputs[0].path, &schema, &job.columns, &job.appended)?;
        let mut metadata = about.key_value_metadata().cloned().unwrap_or_default();
        if !job.appended.is_empty() {
            schema = Arc::new(SchemaDescriptor::new(schema::with_columns(&schema, &job.appended)?));
            metadata = schema::with_arrow_columns(metadata, &job.appended);
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
        Ok((Self { job, inputs, groups: groups.collect(), places, schema, folder }, metadata))
    }

    /// Whether a Parquet file is written.
    fn writes_file(&self) -> bool {
        !matches!(self.job.plan.emit, Emit::Nothing | Emit::Digits)
    }

    /// A file that is written to this output.
    fn file(&self, output: Output, metadata: Vec<KeyValue>) -> Result<Destination, Error> {
        let (schema, properties) = (self.schema.root_schema_ptr(), Arc::new(self.properties(metadata)));
        let writer = SerializedFileWriter::new(FileOutput::new(output), schema, properties).map_err(unwritten)?;
        Ok(Destination::File(Box::new(writer)))
    }

    /// What is the same for all of the output.
    fn properties(&self, metadata: Vec<KeyValue>) -> WriterProperties {
        let all = || self.groups.iter().map(|&(input, group)| self.inputs[input].metadata.row_group(group));
        let is_indexed = |group: &RowGroupMetaData| group.columns().iter().any(|c| c.offset_index_offset().is_some());
        let replaced = if self.job.replaces() { &self.places.strings[..] } else { &[] };
        properties::of_file(metadata, properties::sorted(all(), replaced), all().any(is_indexed))
    }

    /// What the first strings say of layouts.
    fn weigh(&self) -> Result<Evidence, Error> {
        let mut window = Window::new(self.job.plan, self.job.kernel);
        for &(input, group) in &self.groups {
            let input = &self.inputs[input];
            let failed = |error| unread(&input.path, error);
            let mut columns = Columns::new(&input.group(group)?, &self.places).map_err(failed)?;
            while !window.is_full() && columns.read().map_err(failed)? > 0 {
                window.take(columns.in_turn().into_iter().flatten());
            }
            if window.is_full() {
                break;
            }
        }
        Ok(window.evidence())
    }

    /// Works on row groups until there are none: each is written when its turn comes.
    fn work(&self, layouts: &Layouts<'_>, next: &AtomicUsize, turns: &Turnstile<InTurn<'_, '_>>) -> Result<(), Error> {
        let _watch = turns.watch();
        let mut converter = RowConverter::new(self.job, layouts);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(&(input, group)) = self.groups.get(number) else { return Ok(()) };
            let mut turn = None;
            let done = self.convert(&mut converter, input, group, |told| {
                if turn.is_none() {
                    turn = turns.wait(number as u64).ok();
                }
                match &mut turn {
                    Some(turn) => turn.take(input, &std::mem::take(told)),
                    None => Ok(ControlFlow::Break(())),
                }
            });
            // Where the turns are over, somebody else says why.
            let Some(mut turn) = turn.or_else(|| turns.wait(number as u64).ok()) else { return Ok(()) };
            let put = done.and_then(|done| match done {
                Some(done) => self.put(&mut turn, input, group, done),
                None => Ok(ControlFlow::Break(())),
            });
            match put {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => {
                    turn.stop();
                    return Ok(());
                }
                Err(error) => {
                    turn.stop();
                    return Err(error);
                }
            }
        }
    }

    /// Converts the strings of a row group, and writes its other columns anew if rows of them are left out. What is said of strings is
    /// told before the end where it is much; nothing comes back if that breaks off.
    fn convert(
        &self,
        converter: &mut RowConverter<'_>,
        number: usize,
        group: usize,
        tell: impl FnMut(&mut Told) -> Result<ControlFlow<()>, Error>,
    ) -> Result<Option<GroupDone>, Error> {
        let input = &self.inputs[number];
        let about = input.metadata.row_group(group);
        let new = if self.writes_file() { self.new_leaves(input, group)? } else { Vec::new() };
        let bytes = self.places.strings.iter().map(|&leaf| about.column(leaf).uncompressed_size());
        let is_large = bytes.fold(0, i64::saturating_add) > LARGE;
        let alone = self.job.plan.emit == Emit::Digits;
        let how = How { bad: self.job.plan.bad, alone, new: &new, folder: is_large.then_some(&self.folder) };
        let Some(converted) = chunk::convert(input, (group, &self.places), converter, &how, tell)? else {
            return Ok(None);
        };
        let filtered = match &converted.stay {
            Some(stay) if self.writes_file() && stay.contains(&true) => Some(self.filter(number, group, stay)?),
            _ => None,
        };
        Ok(Some(GroupDone { converted, filtered }))
    }

    /// The columns of a row group whose strings are not replaced, with the rows that stay.
    fn filter(&self, input: usize, group: usize, stay: &[bool]) -> Result<Vec<NewChunk>, Error> {
        let input = &self.inputs[input];
        let about = input.metadata.row_group(group);
        let others = (0..about.num_columns()).filter(|&leaf| !self.is_replaced(leaf));
        let filter = |leaf| {
            let is_large = about.total_byte_size() > LARGE && about.column(leaf).uncompressed_size() > SMALL;
            filter::filter(input, (group, leaf), stay, is_large.then_some(&self.folder))
        };
        others.map(filter).collect()
    }

    /// Whether the strings of a leaf are replaced.
    fn is_replaced(&self, leaf: usize) -> bool {
        self.job.replaces() && self.places.strings.contains(&leaf)
    }

    /// The same in a row group: without rows there is nothing to be written anew.
    fn is_replaced_in(&self, input: &ParquetInput, group: usize, leaf: usize) -> bool {
        self.is_replaced(leaf) && input.metadata.row_group(group).num_rows() > 0
    }

    /// The chunks of a row group that are new, in the order of their leaves: the strings, if they are replaced, and those that come after
    /// all others.
    fn new_leaves(&self, input: &ParquetInput, group: usize) -> Result<Vec<NewLeaf>, Error> {
        let strings = &self.places.strings;
        let mut all: Vec<_> = (0..strings.len())
            .filter(|&of| self.is_replaced_in(input, group, strings[of]))
            .map(|of| (strings[of], of, None))
            .collect();
        all.sort_unstable_by_key(|(leaf, ..)| *leaf);
        let first = self.schema.num_columns() - self.job.appended.len();
        all.extend((first..).zip(&self.job.appended).map(|(leaf, new)| (leaf, new.of, Some(new.what))));
        let leaf = |(leaf, of, beside)| {
            let old = input.metadata.row_group(group).column(strings[of]);
            let rows = input.rows_of_page(group, strings[of])?;
            let properties = match beside {
                Some(ColumnContent::Added(Added::Kind | Added::Format)) => properties::of_few_values(old, rows),
                _ => properties::like(old, rows),
            };
            Ok(NewLeaf { column: self.schema.column(leaf), properties: properties.into(), beside, of })
        };
        all.into_iter().map(leaf).collect()
    }

    /// Writes a row group, and says what became of its rows.
    fn put(
        &self,
        turn: &mut InTurn<'_, '_>,
        input: usize,
        group: usize,
        done: GroupDone,
    ) -> Result<ControlFlow<()>, Error> {
        let Converted { chunks, told, stay, text } = done.converted;
        let flow = turn.take(input, &told)?;
        turn.sink.read(0, text);
        self.job.add_bytes_read(self.inputs[input].metadata.row_group(group).compressed_size().unsigned_abs());
        let is_left_out = stay.is_some_and(|stay| !stay.contains(&true));
        if let Destination::File(writer) = &mut turn.destination
            && !flow.is_break()
            && !is_left_out
        {
            self.append(writer, (input, group), done.filtered, chunks)?;
        }
        Ok(flow)
    }

    /// Appends a row group: chunks of which rows are left out, if there are any, the new ones, and the others as they are.
    fn append(
        &self,
        writer: &mut SerializedFileWriter<FileOutput>,
        (input, group): (usize, usize),
        filtered: Option<Vec<NewChunk>>,
        new: Vec<NewChunk>,
    ) -> Result<(), Error> {
        let input = &self.inputs[input];
        let about = input.metadata.row_group(group);
        let mut rows = writer.next_row_group().map_err(unwritten)?;
        let (mut filtered, mut new) = (filtered.map(Vec::into_iter), new.into_iter());
        for leaf in 0..self.schema.num_columns() {
            let is_new = leaf >= about.num_columns() || self.is_replaced_in(input, group, leaf);
            let anew = match is_new {
                true => new.next(),
                false => filtered.as_mut().and_then(Iterator::next),
            };
            let appended = match anew {
                Some(chunk) => chunk.append_to(&mut rows),
                None => rows.append_column(&InOneGo(&input.shared), input.as_it_is(group, leaf)),
            };
            appended.map_err(|error| unread(&input.path, error))?;
        }
        rows.close().map(drop).map_err(unwritten)
    }
}
