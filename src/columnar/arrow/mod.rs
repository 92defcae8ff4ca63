//! Converts Arrow files and streams: in each record batch, the columns with strings are replaced.
//!
//! - `input`: reads inputs. `messages`: checks them before. `queue`: the batches of all inputs in order. `arrays`: makes
//!   new columns. `selection`: copies selected rows. `strings`: those of columns.

mod arrays;
mod input;
mod messages;
mod queue;
mod selection;
mod strings;

use std::io::BufWriter;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use arrow_select::filter::filter_record_batch;
use gridmill_columns::Strings;

use arrays::NewArray;
use input::ArrowInput;
use queue::BatchQueue;
pub(super) use selection::copy_kept;
pub(super) use strings::strings;
use strings::{candidates, interleaved, strings_of};

use super::metadata::{Metadata, note_left_out, note_range_of_pandas};
use super::output::{FileOutput, output_error};
use super::rows::{LayoutSurvey, LazyEvidence, RowConverter, ValueResult};
use super::{ColumnNumbers, OrderedOutput, naming, never_null, same_name};
use crate::convert::{Bad, Emit};
use crate::engine::{
    ColumnContent, ColumnJob, ColumnSink, Container, End, NextPortion, Outcome, PortionQueue, Seat, Turns,
};
use crate::error::{Error, escape, shown_path};
use crate::formats::Evidence;
use crate::framing::Value;
use crate::output::Output;
use crate::source::Input;

/// The number of rows whose strings are converted at a time.
const ROWS: usize = 8192;

/// The most bytes of batches in progress, and 2 MiB for each thread.
const BATCHES_BYTES: u64 = 44 << 20;

/// How many batches may be in progress, however large they are.
const LEAST: usize = 2;

/// The settings for all batches.
struct BatchPlan<'r> {
    job: &'r ColumnJob,
    places: ColumnNumbers,
    schema: SchemaRef,
    /// The numbers of rows that were read and written.
    rows: [AtomicU64; 2],
}

/// Where batches are written.
enum BatchOutput {
    File(Box<FileWriter<BufWriter<FileOutput>>>),
    Stream(Box<StreamWriter<BufWriter<FileOutput>>>),
    Nowhere(Output),
    /// Only the new strings are written, one on each line.
    Strings(Output),
}

/// A batch that was converted.
struct BatchDone {
    batch: RecordBatch,
    /// The number of rows that were read.
    rows: usize,
    results: BatchResults,
    text: u64,
}

/// The results for the rows of a batch.
#[derive(Default)]
struct BatchResults {
    outcome: Outcome,
    /// New strings, if only these are written.
    lines: Vec<u8>,
    /// For each row, whether it is written.
    keep: Vec<bool>,
}

/// Converts the strings in columns of all inputs into one output. Returns it, with the number of bytes written.
pub(super) fn run(
    job: &ColumnJob,
    inputs: Vec<Input>,
    output: Output,
    sink: &mut ColumnSink<'_>,
) -> Result<(Output, u64), Error> {
    let inputs = open_all(inputs)?;
    let plan = BatchPlan::new(job, &inputs[0])?;
    let only = if let [input] = &inputs[..] { Some(input.path.clone()) } else { None };
    let metadata = about_all(&inputs);
    let convert = || {
        let destination = plan.destination(&inputs[0], output)?;
        let mut batches = BatchQueue::new(inputs);
        let evidence = if job.plan.surveys() { plan.weigh(&mut batches)? } else { Evidence::default() };
        let layouts = LazyEvidence::new(|| Ok(evidence));
        let batches = ConvertBatches { plan: &plan, queue: plan.queue(batches), layouts: &layouts };
        let written = job.run(&batches, OrderedOutput { destination, sink }, ())?;
        written.destination.end(&plan, &metadata)
    };
    convert().map_err(|error| naming(only.as_deref(), error))
}

/// Opens the inputs, and checks that they have the same columns.
fn open_all(inputs: Vec<Input>) -> Result<Vec<ArrowInput>, Error> {
    let inputs = inputs.into_iter().map(ArrowInput::open).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = inputs.first() else { return Err(Error::Usage("no input is named".into())) };
    if let Some(other) = inputs.iter().find(|input| input.schema().fields() != first.schema().fields()) {
        let first = shown_path(&first.path);
        let words = format!("its columns are not those of {first}; convert files with different columns separately");
        return Err(Error::file(&other.path, words));
    }
    Ok(inputs)
}

/// Returns the path of each input, with what it says about itself.
fn about_all(inputs: &[ArrowInput]) -> Vec<(PathBuf, Metadata)> {
    inputs.iter().map(|input| (input.path.clone(), input.about())).collect()
}

/// The error for a failed write. If the output failed, it is the output's error.
fn write_error(error: ArrowError) -> Error {
    let failed = |words: String| {
        let words = escape(words.lines().next().unwrap_or_default().as_bytes());
        Error::Usage(format!("the Arrow file cannot be written: {words}"))
    };
    match error {
        ArrowError::IoError(_, error) => output_error(error).unwrap_or_else(|error| failed(error.to_string())),
        ArrowError::InvalidArgumentError(words) if words.starts_with("Dictionary replacement") => {
            let words = "a column has another dictionary in a later batch, but an Arrow file has one for all batches; convert files separately, or use \
                streams (pyarrow.ipc.new_stream writes one)";
            failed(words.into())
        }
        error => failed(error.to_string()),
    }
}

impl BatchOutput {
    /// Creates a file or a stream with this schema, in the format and compression of the first input.
    fn like(first: &ArrowInput, schema: &Schema, output: Output) -> Result<Self, Error> {
        let writer = BufWriter::with_capacity(1 << 20, FileOutput::new(output));
        let options = IpcWriteOptions::default().try_with_compression(first.compression).map_err(write_error)?;
        Ok(match first.metadata() {
            None => {
                let writer = StreamWriter::try_new_with_options(writer, schema, options).map_err(write_error)?;
                Self::Stream(Box::new(writer))
            }
            Some(metadata) => {
                let writer = FileWriter::try_new_with_options(writer, schema, options);
                let mut writer = writer.map_err(write_error)?;
                metadata.iter().for_each(|(key, value)| writer.write_metadata(key, value));
                Self::File(Box::new(writer))
            }
        })
    }

    /// Writes a batch, if batches are written.
    fn write(&mut self, batch: &RecordBatch, plan: &BatchPlan<'_>) -> Result<(), Error> {
        plan.rows[1].fetch_add(batch.num_rows() as u64, Ordering::Relaxed);
        match self {
            Self::File(writer) => writer.write(batch).map_err(write_error),
            Self::Stream(writer) => writer.write(batch).map_err(write_error),
            Self::Strings(_) | Self::Nowhere(_) => Ok(()),
        }
    }

    /// Ends the output. Returns it, with the number of bytes written.
    fn end(self, plan: &BatchPlan<'_>, metadata: &[(PathBuf, Metadata)]) -> Result<(Output, u64), Error> {
        if let (Self::File(_) | Self::Stream(_), Some(((path, first), others))) = (&self, metadata.split_first()) {
            others.iter().for_each(|(other_path, other)| note_left_out((path, first), (other_path, other)));
            let [read, written] = [0, 1].map(|at| plan.rows[at].load(Ordering::Relaxed));
            note_range_of_pandas(first, (read, written));
        }
        let buffered = |writer: BufWriter<FileOutput>| {
            let mut written = writer.into_inner().map_err(|error| write_error(error.into_error().into()))?;
            written.end()
        };
        match self {
            Self::Nowhere(output) | Self::Strings(output) => Ok((output, 0)),
            Self::File(writer) => buffered(writer.into_inner().map_err(write_error)?),
            Self::Stream(writer) => buffered(writer.into_inner().map_err(write_error)?),
        }
    }
}

impl<'r> BatchPlan<'r> {
    fn new(job: &'r ColumnJob, input: &ArrowInput) -> Result<Self, Error> {
        let schema = input.schema();
        let places = ColumnNumbers::find(&input.path, &job.columns, &candidates(&schema))?;
        let mut strings = places.strings.iter().map(|&column| schema.field(column));
        if job.plan.bad == Bad::Null
            && job.replaces()
            && let Some(field) = strings.clone().find(|field| !field.is_nullable())
        {
            return Err(never_null(field.name()));
        }
        let is_dictionary = |field: &&Field| matches!(field.data_type(), DataType::Dictionary(..));
        let writes_strings = job.replaces() || job.appended.iter().any(|new| new.content == ColumnContent::String);
        if let Some(field) = strings.find(is_dictionary).filter(|_| writes_strings && places.strings.len() > 1) {
            let words = format!(
                "{} is a dictionary, whose values are converted once each; convert it in a separate run",
                field.name()
            );
            return Err(Error::Usage(words));
        }
        let mut fields: Vec<_> = schema.fields().iter().cloned().collect();
        for new in &job.appended {
            if schema.field_with_name(&new.name).is_ok() {
                return Err(same_name(new));
            }
            fields.push(Arc::new(new.field(schema.field(places.strings[new.source]).data_type())));
        }
        let schema = Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()));
        Ok(Self { job, places, schema, rows: Default::default() })
    }

    /// The queue from which these batches are pulled.
    fn queue(&self, batches: BatchQueue) -> PortionQueue<BatchQueue> {
        PortionQueue::new(batches, BATCHES_BYTES + ((self.job.threads() as u64) << 21), LEAST)
    }

    /// The memory that a batch needs: its new strings exist as text, as an array and as they are written.
    fn cost(&self, batch: &RecordBatch) -> u64 {
        let bytes = batch.columns().iter().enumerate().map(|(number, column)| {
            let is_text = self.places.strings.contains(&number);
            let bytes = column.to_data().get_slice_memory_size().unwrap_or(0) as u64;
            bytes.saturating_mul(if is_text { 7 } else { 2 })
        });
        bytes.fold(0, u64::saturating_add)
    }

    /// The next batch, with the number of its input.
    fn next<'q>(
        &self,
        queue: &'q PortionQueue<BatchQueue>,
        seat: &mut Seat,
    ) -> Option<NextPortion<'q, (usize, RecordBatch)>> {
        let cost = |batches: &mut BatchQueue| Some(batches.peek()?.map(|batch| self.cost(batch)));
        let pull = |batches: &mut BatchQueue| {
            let (input, batch) = batches.pull()?;
            self.rows[0].fetch_add(batch.num_rows() as u64, Ordering::Relaxed);
            Some((input, batch))
        };
        queue.next(seat, cost, pull)
    }

    /// Creates the destination of batches: a file if the first input is one, otherwise a stream.
    fn destination(&self, first: &ArrowInput, output: Output) -> Result<BatchOutput, Error> {
        match self.job.plan.emit {
            Emit::Nothing => return Ok(BatchOutput::Nowhere(output)),
            Emit::Digits => return Ok(BatchOutput::Strings(output)),
            _ => {}
        }
        BatchOutput::like(first, &self.schema, output)
    }

    /// Returns the evidence of the first strings about layouts. Reads batches ahead for this.
    fn weigh(&self, batches: &mut BatchQueue) -> Result<Evidence, Error> {
        let mut window = LayoutSurvey::new(self.job.plan, self.job.kernel);
        while !window.is_full() {
            let Some(next) = batches.read().transpose()? else { break };
            let strings = strings_of(&next.1, &self.places.strings)?;
            window.take(interleaved(&strings, 0..next.1.num_rows()).into_iter().flatten());
            drop(strings);
            batches.ahead.push_back(next);
        }
        Ok(window.evidence())
    }

    /// Converts the strings of a batch.
    fn convert(&self, converter: &mut RowConverter<'_>, batch: RecordBatch) -> Result<BatchDone, Error> {
        let mut results = BatchResults { keep: Vec::with_capacity(batch.num_rows()), ..BatchResults::default() };
        let columns = strings_of(&batch, &self.places.strings)?;
        let text =
            interleaved(&columns, 0..batch.num_rows()).into_iter().flatten().map(|string| string.len() as u64).sum();
        let new = match (&columns[..], batch.column(self.places.strings[0])) {
            ([strings], of)
                if matches!(of.data_type(), DataType::Dictionary(..)) && self.places.solutions.is_empty() =>
            {
                self.convert_dictionary(converter, of, strings, &mut results)?
            }
            _ => self.convert_rows(converter, &batch, &columns, &mut results)?,
        };
        drop(columns);
        let rows = batch.num_rows();
        let is_needed = !results.outcome.stopped && self.job.plan.emit != Emit::Nothing;
        let keep = std::mem::take(&mut results.keep);
        let batch = if is_needed { self.with_new_columns(batch, new, keep)? } else { batch };
        Ok(BatchDone { batch, rows, results, text })
    }

    /// Converts strings row by row.
    fn convert_rows(
        &self,
        converter: &mut RowConverter<'_>,
        batch: &RecordBatch,
        columns: &[Strings<'_>],
        results: &mut BatchResults,
    ) -> Result<Vec<ArrayRef>, Error> {
        let BatchResults { outcome, lines, keep } = results;
        let solutions = strings_of(batch, &self.places.solutions)?;
        let mut new: Vec<_> = self.new_columns().map(|(_, what)| NewArray::new(what)).collect();
        let (all, several) = (batch.num_rows(), columns.len());
        for first in (0..all).step_by(ROWS) {
            let rows = first..all.min(first + ROWS);
            let values = interleaved(columns, rows.clone());
            let of_rows: Vec<_> = (0..rows.len()).map(|row| row * several..(row + 1) * several).collect();
            match several == 1 && solutions.is_empty() {
                true => converter.convert(&values, outcome)?,
                false => converter.convert_several(&of_rows, &values, &interleaved(&solutions, rows), outcome)?,
            }
            for ((of, what), new) in self.new_columns().zip(&mut new) {
                let own = values.iter().enumerate().skip(of).step_by(several);
                own.for_each(|(value, old)| new.push(self.value(converter, what, value, *old)));
            }
            if self.job.plan.emit == Emit::Digits {
                converter.write_lines(0..values.len(), lines);
            }
            keep.extend(of_rows.into_iter().map(|row| converter.keeps(row)));
            if outcome.stopped {
                break;
            }
        }
        // New strings have the type of the old ones; other columns of text do not.
        let of = |(of, what)| match what {
            ColumnContent::String => batch.column(self.places.strings[of]).data_type(),
            ColumnContent::Added(_) => &DataType::Utf8,
        };
        self.new_columns().zip(new).map(|(column, new)| new.finish(of(column))).collect()
    }

    /// Converts the values of a dictionary. The rows have keys to it.
    fn convert_dictionary(
        &self,
        converter: &mut RowConverter<'_>,
        of: &ArrayRef,
        strings: &Strings<'_>,
        results: &mut BatchResults,
    ) -> Result<Vec<ArrayRef>, Error> {
        let BatchResults { outcome, lines, keep } = results;
        let dictionary = of.as_any_dictionary();
        let values = Strings::of(dictionary.values().as_ref()).map_err(|error| Error::Usage(error.to_string()))?;
        let values: Vec<_> = (0..values.len()).map(|value| values.get(value)).collect();
        let keys: Vec<_> = (0..strings.len()).map(|row| strings.key(row)).collect();
        converter.convert_keyed(&keys, &values, outcome)?;
        keep.extend(keys.iter().map(|key| key.is_none_or(|key| converter.keeps(key..key + 1))));
        if self.job.plan.emit == Emit::Digits {
            keys.iter().flatten().for_each(|&key| converter.write_lines(key..key + 1, lines));
        }
        let columns = self.new_columns().map(|(_, what)| {
            let mut new = NewArray::new(what);
            if what == ColumnContent::String {
                let all = values.iter().enumerate();
                all.for_each(|(value, old)| new.push(self.value(converter, what, value, *old)));
                return Ok(dictionary.with_values(new.finish(dictionary.values().data_type())?));
            }
            keys.iter().for_each(|key| new.push(key.map_or(Value::Nothing, |key| converter.value(key, what))));
            new.finish(&DataType::Utf8)
        });
        columns.collect()
    }

    /// Returns the contents of new columns, each with the number of the column with strings that it describes: first
    /// the new strings, then the appended columns. There are none if nothing is written.
    fn new_columns(&self) -> impl Iterator<Item = (usize, ColumnContent)> {
        let replaced = if self.job.replaces() { self.places.strings.len() } else { 0 };
        let strings = (0..replaced).map(|of| (of, ColumnContent::String));
        let appended = self.job.appended.iter().filter(|_| self.job.plan.emit != Emit::Nothing);
        strings.chain(appended.map(|new| (new.source, new.content)))
    }

    /// Returns the value of a new column.
    fn value<'v>(
        &self,
        converter: &'v RowConverter<'_>,
        what: ColumnContent,
        value: usize,
        old: Option<&'v [u8]>,
    ) -> Value<'v> {
        if what != ColumnContent::String {
            return converter.value(value, what);
        }
        let string = match converter.result(value) {
            ValueResult::Written(string) => Some(string),
            ValueResult::Refused if !self.job.replaces() || self.job.plan.bad != Bad::Keep => None,
            ValueResult::Nothing | ValueResult::Good | ValueResult::Refused => old,
        };
        string.map_or(Value::Nothing, Value::Text)
    }

    /// Writes a batch of an input, and passes on the results for its rows.
    fn write_done(
        &self,
        input: usize,
        done: BatchDone,
        out: &mut OrderedOutput<'_, '_, BatchOutput>,
    ) -> Result<(), End> {
        out.sink.take(input, &done.results.outcome)?;
        out.sink.read(done.text, done.text);
        let written = match &mut out.destination {
            BatchOutput::Strings(output) => {
                output.write(&done.results.lines)?;
                None
            }
            BatchOutput::Nowhere(_) => None,
            destination => {
                destination.write(&done.batch, self)?;
                Some(done.batch.num_rows() as u64)
            }
        };
        out.sink.count_rows(done.rows as u64, written);
        Ok(())
    }

    /// Returns a batch with the new columns and the rows that are kept.
    fn with_new_columns(
        &self,
        mut batch: RecordBatch,
        mut new: Vec<ArrayRef>,
        keep: Vec<bool>,
    ) -> Result<RecordBatch, Error> {
        let failed = |error: ArrowError| Error::Internal(format!("a batch with new strings: {error}"));
        if !keep.is_empty() && !keep.contains(&true) {
            // A filter would leave no dictionary, but in a file all batches have the same.
            new.iter_mut().for_each(|new| *new = new.slice(0, 0));
            batch = batch.slice(0, 0);
        } else if keep.contains(&false) {
            let keep = BooleanArray::from(keep);
            let filtered = new.iter().map(|new| arrow_select::filter::filter(new, &keep));
            new = filtered.collect::<Result<_, _>>().map_err(failed)?;
            batch = filter_record_batch(&batch, &keep).map_err(failed)?;
        }
        let mut columns = batch.columns().to_vec();
        let mut new = new.into_iter();
        if self.job.replaces() {
            self.places.strings.iter().zip(&mut new).for_each(|(&column, new)| columns[column] = new);
        }
        columns.extend(new);
        RecordBatch::try_new(Arc::clone(&self.schema), columns).map_err(failed)
    }
}

/// Batches whose strings are converted.
struct ConvertBatches<'p, 'r> {
    plan: &'p BatchPlan<'r>,
    queue: PortionQueue<BatchQueue>,
    layouts: &'p LazyEvidence<'p>,
}

impl<'p> Container<OrderedOutput<'_, '_, BatchOutput>> for ConvertBatches<'p, '_> {
    type Worker = RowConverter<'p>;
    /// A batch, with the number of its input.
    type Portion = (usize, RecordBatch);

    fn worker(&self) -> Result<RowConverter<'p>, Error> {
        Ok(RowConverter::new(self.plan.job, self.layouts))
    }

    fn next(&self, _: &mut RowConverter<'p>, seat: &mut Seat) -> Option<NextPortion<'_, Self::Portion>> {
        self.plan.next(&self.queue, seat)
    }

    fn process(
        &self,
        converter: &mut RowConverter<'p>,
        (input, batch): Self::Portion,
        turns: &mut Turns<'_, OrderedOutput<'_, '_, BatchOutput>>,
    ) -> Result<(), End> {
        let done = self.plan.convert(converter, batch)?;
        self.plan.write_done(input, done, turns.out()?)
    }
}
