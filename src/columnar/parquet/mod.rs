//! Parquet files: of each row group the column with the strings is written anew, and the others are passed through as bytes. Only
//! where rows are left out are these written anew, too.
//!
//! - `file`: inputs; `schema`: where strings are, and the schema of the output; `properties`: how chunks are written.
//! - `chunk`: chunks that are written anew.

mod chunk;
mod file;
mod properties;
mod schema;

use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, RowGroupMetaData};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{SchemaDescPtr, SchemaDescriptor};

use chunk::{Converted, NewChunk, NewStrings, Rows};
use file::ParquetInput;

use super::output::{FileOutput, of_output};
use super::rows::{Layouts, RowConverter, Window};
use crate::convert::{Bad, Emit};
use crate::engine::{ColumnJob, ColumnSink};
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

/// What is done with all row groups.
struct Plan<'r> {
    job: &'r ColumnJob,
    inputs: &'r [ParquetInput],
    /// All row groups, in order: the input, and the number there.
    groups: Vec<(usize, usize)>,
    /// The leaf with the strings.
    leaf: usize,
    /// The schema of the output, and the leaf that new strings go into, if any are written.
    schema: SchemaDescPtr,
    written: Option<usize>,
}

/// Where row groups go.
enum Destination {
    File(Box<SerializedFileWriter<FileOutput>>),
    /// Nothing is written.
    Nowhere(Output),
}

/// What is used in turn.
struct InTurn<'r> {
    destination: Destination,
    sink: &'r mut ColumnSink,
}

/// A row group that was worked on.
struct GroupDone {
    converted: Converted,
    /// Its columns with the rows that stay, if not all do.
    filtered: Option<Vec<NewChunk>>,
}

/// Converts the strings of a column of all inputs, which become one output. Returns it, with the bytes that were written.
pub(super) fn run(
    job: &ColumnJob,
    column: Option<&str>,
    inputs: Vec<Input>,
    output: Output,
    sink: &mut ColumnSink,
) -> Result<(Output, u64), Error> {
    let inputs = inputs.into_iter().map(ParquetInput::open).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = inputs.first() else { return Err(Error::Usage("no input is named".into())) };
    inputs.iter().try_for_each(|input| file::alike(first, input))?;
    let bytes = inputs.iter().map(ParquetInput::bytes).sum();
    job.expect_bytes(bytes);
    let (plan, metadata) = Plan::new(job, column, &inputs, first)?;
    let destination = match job.plan.emit {
        Emit::Nothing => Destination::Nowhere(output),
        _ => {
            let (schema, properties) = (plan.schema.root_schema_ptr(), Arc::new(plan.properties(metadata)));
            let writer = SerializedFileWriter::new(FileOutput::new(output), schema, properties).map_err(unwritten)?;
            Destination::File(Box::new(writer))
        }
    };
    let layouts = Layouts::new(|| plan.weigh());
    let (next, turns) = (AtomicUsize::new(0), Turnstile::new(InTurn { destination, sink }));
    job.together(|| plan.work(&layouts, &next, &turns))?;
    inputs.iter().try_for_each(ParquetInput::unchanged)?;
    let InTurn { destination, sink } = turns.into_inner();
    sink.read(bytes, 0);
    match destination {
        Destination::Nowhere(output) => Ok((output, 0)),
        Destination::File(writer) => Ok(writer.into_inner().map_err(unwritten)?.end()),
    }
}

impl<'r> Plan<'r> {
    /// A plan, with the metadata of the output.
    fn new(
        job: &'r ColumnJob,
        column: Option<&str>,
        inputs: &'r [ParquetInput],
        first: &ParquetInput,
    ) -> Result<(Self, Vec<KeyValue>), Error> {
        let about = first.metadata.file_metadata();
        let mut schema = about.schema_descr_ptr();
        let leaf = schema::find(&schema, column)?;
        let mut metadata = about.key_value_metadata().cloned().unwrap_or_default();
        let mut written = job.plan.emit.writes().then_some(leaf);
        if let Some(name) = &job.to_column {
            schema = Arc::new(SchemaDescriptor::new(schema::with_column(&schema, name)?));
            written = Some(schema.num_columns() - 1);
            metadata = schema::with_arrow_column(metadata, name);
        } else if job.plan.bad == Bad::Null && !schema.column(leaf).self_type().is_optional() {
            let words = "--bad null is for a column that may be null, which this one may not; say --bad reject or keep";
            return Err(Error::Usage(words.into()));
        }
        let groups = inputs.iter().enumerate();
        let groups = groups.flat_map(|(at, input)| (0..input.metadata.num_row_groups()).map(move |group| (at, group)));
        Ok((Self { job, inputs, groups: groups.collect(), leaf, schema, written }, metadata))
    }

    /// What is the same for all of the output.
    fn properties(&self, metadata: Vec<KeyValue>) -> WriterProperties {
        let all = || self.groups.iter().map(|&(input, group)| self.inputs[input].metadata.row_group(group));
        let is_indexed = |group: &RowGroupMetaData| group.columns().iter().any(|c| c.offset_index_offset().is_some());
        let replaced = self.written.filter(|&leaf| leaf == self.leaf);
        properties::of_file(metadata, properties::sorted(all(), replaced), all().any(is_indexed))
    }

    /// What the first strings say of layouts.
    fn weigh(&self) -> Result<Evidence, Error> {
        let mut window = Window::new(self.job.plan, self.job.kernel);
        for &(input, group) in &self.groups {
            let input = &self.inputs[input];
            let failed = |error| unread(&input.path, error);
            let reader = input.group(group)?;
            let (mut strings, mut rows) = (chunk::strings_of(&reader, self.leaf).map_err(failed)?, Rows::default());
            while !window.is_full() && rows.read(&mut strings).map_err(failed)? {
                window.take(rows.values.iter().map(ByteArray::data));
            }
            if window.is_full() {
                break;
            }
        }
        Ok(window.evidence())
    }

    /// Works on row groups until there are none: each is written when its turn comes.
    fn work(&self, layouts: &Layouts<'_>, next: &AtomicUsize, turns: &Turnstile<InTurn<'_>>) -> Result<(), Error> {
        let _watch = turns.watch();
        let mut converter = RowConverter::new(self.job, layouts);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(&(input, group)) = self.groups.get(number) else { return Ok(()) };
            let done = self.convert(&mut converter, input, group);
            // Where the turns are over, somebody else says why.
            let Ok(mut turn) = turns.wait(number as u64) else { return Ok(()) };
            match done.and_then(|done| self.put(&mut turn, input, group, done)) {
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

    /// Converts the strings of a row group, and writes its other columns anew if rows of them are left out.
    fn convert(&self, converter: &mut RowConverter<'_>, input: usize, group: usize) -> Result<GroupDone, Error> {
        let input = &self.inputs[input];
        let about = input.metadata.row_group(group);
        let new = self.written.map(|leaf| NewStrings {
            column: self.schema.column(leaf),
            properties: Arc::new(properties::like(about.column(self.leaf))),
            beside: leaf != self.leaf,
        });
        // Without rows there is nothing to be written anew.
        let new = new.filter(|_| about.num_rows() > 0);
        let converted = chunk::convert(input, group, self.leaf, converter, (self.job.plan.bad, new.as_ref()))?;
        let filtered = match &converted.stay {
            Some(stay) if self.job.plan.emit != Emit::Nothing && stay.contains(&true) => {
                let others = (0..about.num_columns()).filter(|&leaf| self.written != Some(leaf));
                let filter = |leaf| {
                    let properties = Arc::new(properties::like(about.column(leaf)));
                    chunk::filter(input, group, leaf, stay, properties)
                };
                Some(others.map(filter).collect::<Result<Vec<_>, _>>()?)
            }
            _ => None,
        };
        Ok(GroupDone { converted, filtered })
    }

    /// Writes a row group, and says what became of its rows.
    fn put(
        &self,
        turn: &mut InTurn<'_>,
        input: usize,
        group: usize,
        done: GroupDone,
    ) -> Result<ControlFlow<()>, Error> {
        let Converted { chunk, outcome, stay, text } = done.converted;
        let flow = turn.sink.take(input, &outcome)?;
        turn.sink.read(0, text);
        let input = &self.inputs[input];
        let about = input.metadata.row_group(group);
        self.job.took_bytes(about.compressed_size().unsigned_abs());
        let is_empty = match stay {
            Some(stay) => !stay.contains(&true),
            None => about.num_rows() == 0 && self.job.to_column.is_some(),
        };
        let Destination::File(writer) = &mut turn.destination else { return Ok(flow) };
        if flow.is_break() || is_empty {
            return Ok(flow);
        }
        let mut rows = writer.next_row_group().map_err(unwritten)?;
        let mut filtered = done.filtered.map(Vec::into_iter);
        let mut new = chunk.zip(self.written);
        for leaf in 0..self.schema.num_columns() {
            let anew = match new.take_if(|(_, written)| *written == leaf) {
                Some((new, _)) => Some(new),
                None => filtered.as_mut().and_then(Iterator::next),
            };
            let appended = match anew {
                Some(NewChunk { bytes, about }) => rows.append_column(&bytes, about),
                None => rows.append_column(&*input.shared, input.as_it_is(group, leaf)),
            };
            appended.map_err(|error| unread(&input.path, error))?;
        }
        rows.close().map_err(unwritten)?;
        Ok(flow)
    }
}
