//! Arrow files and streams: of each record batch the column with the strings is exchanged.
//!
//! - `input`: what is read; `strings`: new arrays.

mod input;
mod strings;

use std::collections::VecDeque;
use std::io::BufWriter;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use arrow_select::filter::filter_record_batch;
use gridmill_columns::{Strings, rewritten_type};

use input::ArrowInput;
use strings::NewStrings;

use super::output::{FileOutput, of_output};
use super::rows::{Fate, Layouts, RowConverter, Window};
use super::{same_name, the_column};
use crate::convert::{Bad, Emit};
use crate::engine::{ColumnJob, ColumnSink, Outcome};
use crate::error::{Error, escape};
use crate::formats::Evidence;
use crate::output::Output;
use crate::output::order::Turnstile;
use crate::source::Input;

/// Rows whose strings are converted at a time.
const ROWS: usize = 8192;

/// What is done with all batches.
struct Plan<'r> {
    job: &'r ColumnJob,
    column: usize,
    schema: SchemaRef,
}

/// The batches of all inputs, pulled in order.
struct Batches {
    inputs: VecDeque<ArrowInput>,
    /// The number of the first of them.
    input: usize,
    /// Batches that were read ahead.
    ahead: VecDeque<(usize, RecordBatch)>,
    pulled: u64,
}

/// Where batches go.
enum Destination {
    File(Box<FileWriter<BufWriter<FileOutput>>>),
    Stream(Box<StreamWriter<BufWriter<FileOutput>>>),
    Nowhere(Output),
}

/// What is used in turn.
struct InTurn<'r> {
    destination: Destination,
    sink: &'r mut ColumnSink,
}

/// A batch that was worked on.
struct BatchDone {
    batch: RecordBatch,
    outcome: Outcome,
    text: u64,
}

/// Converts the strings of a column of all inputs, which become one output. Returns it, with the bytes that were written.
pub(super) fn run(
    job: &ColumnJob,
    column: Option<&str>,
    inputs: Vec<Input>,
    output: Output,
    sink: &mut ColumnSink,
) -> Result<(Output, u64), Error> {
    let inputs = inputs.into_iter().map(ArrowInput::open).collect::<Result<VecDeque<_>, _>>()?;
    let Some(first) = inputs.front() else { return Err(Error::Usage("no input is named".into())) };
    if let Some(other) = inputs.iter().find(|input| input.schema().fields() != first.schema().fields()) {
        let first = escape(first.path.as_os_str().as_encoded_bytes());
        let words = format!("its columns are not those of {first}; files with different columns go one by one");
        return Err(Error::file(&other.path, words));
    }
    let plan = Plan::new(job, column, &first.schema())?;
    let destination = plan.destination(first, output)?;
    let mut batches = Batches { inputs, input: 0, ahead: VecDeque::new(), pulled: 0 };
    let evidence = if job.plan.surveys() { plan.weigh(&mut batches)? } else { Evidence::default() };
    let (layouts, batches) = (Layouts::new(|| Ok(evidence)), Mutex::new(batches));
    let turns = Turnstile::new(InTurn { destination, sink });
    job.together(|| plan.work(&layouts, &batches, &turns))?;
    let buffered = |writer: BufWriter<FileOutput>| {
        let written = writer.into_inner().map_err(|error| unwritten(error.into_error().into()))?;
        Ok(written.end())
    };
    match turns.into_inner().destination {
        Destination::Nowhere(output) => Ok((output, 0)),
        Destination::File(writer) => buffered(writer.into_inner().map_err(unwritten)?),
        Destination::Stream(writer) => buffered(writer.into_inner().map_err(unwritten)?),
    }
}

/// An error of writing: that of the output, if it is one.
fn unwritten(error: ArrowError) -> Error {
    let failed = |words: String| Error::Usage(format!("the Arrow file cannot be written: {words}"));
    match error {
        ArrowError::IoError(_, error) => of_output(error).unwrap_or_else(|error| failed(error.to_string())),
        error => failed(error.to_string()),
    }
}

impl Batches {
    /// The next batch, with its number and that of its input.
    fn pull(&mut self) -> Option<Result<(u64, usize, RecordBatch), Error>> {
        let next = match self.ahead.pop_front() {
            Some(next) => Ok(next),
            None => self.read()?,
        };
        Some(next.map(|(input, batch)| {
            self.pulled += 1;
            (self.pulled - 1, input, batch)
        }))
    }

    fn read(&mut self) -> Option<Result<(usize, RecordBatch), Error>> {
        loop {
            if let Some(batch) = self.inputs.front_mut()?.next() {
                return Some(batch.map(|batch| (self.input, batch)));
            }
            self.inputs.pop_front();
            self.input += 1;
        }
    }
}

impl<'r> Plan<'r> {
    fn new(job: &'r ColumnJob, column: Option<&str>, schema: &Schema) -> Result<Self, Error> {
        let texts = schema.fields().iter().enumerate().filter(|(_, field)| rewritten_type(field.data_type()).is_ok());
        let texts: Vec<_> = texts.map(|(number, field)| (number, field.name().clone())).collect();
        let column = the_column(column, &texts)?;
        let field = schema.field(column);
        if job.plan.bad == Bad::Null && job.to_column.is_none() && !field.is_nullable() {
            let words = "--bad null is for a column that may be null, which this one may not; say --bad reject or keep";
            return Err(Error::Usage(words.into()));
        }
        let mut fields: Vec<_> = schema.fields().iter().cloned().collect();
        if let Some(name) = &job.to_column {
            if schema.field_with_name(name).is_ok() {
                return Err(same_name(name));
            }
            fields.push(Arc::new(Field::new(name, field.data_type().clone(), true)));
        }
        let schema = Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()));
        Ok(Self { job, column, schema })
    }

    /// Where batches go: into a file if they come out of one, else into a stream, compressed as they were.
    fn destination(&self, first: &ArrowInput, output: Output) -> Result<Destination, Error> {
        if self.job.plan.emit == Emit::Nothing {
            return Ok(Destination::Nowhere(output));
        }
        let writer = BufWriter::with_capacity(1 << 20, FileOutput::new(output));
        let options = IpcWriteOptions::default().try_with_compression(first.compression).map_err(unwritten)?;
        Ok(match first.metadata() {
            None => {
                let writer = StreamWriter::try_new_with_options(writer, &self.schema, options).map_err(unwritten)?;
                Destination::Stream(Box::new(writer))
            }
            Some(metadata) => {
                let writer = FileWriter::try_new_with_options(writer, &self.schema, options);
                let mut writer = writer.map_err(unwritten)?;
                metadata.iter().for_each(|(key, value)| writer.write_metadata(key, value));
                Destination::File(Box::new(writer))
            }
        })
    }

    /// What the first strings say of layouts; batches are read ahead for that.
    fn weigh(&self, batches: &mut Batches) -> Result<Evidence, Error> {
        let mut window = Window::new(self.job.plan, self.job.kernel);
        while !window.is_full() {
            let Some(next) = batches.read().transpose()? else { break };
            let strings = self.strings(&next.1)?;
            window.take((0..strings.len()).filter_map(|row| strings.get(row)));
            drop(strings);
            batches.ahead.push_back(next);
        }
        Ok(window.evidence())
    }

    fn strings<'b>(&self, batch: &'b RecordBatch) -> Result<Strings<'b>, Error> {
        Strings::of(batch.column(self.column).as_ref()).map_err(|error| Error::Usage(error.to_string()))
    }

    /// Works on batches until there are none: each is written when its turn comes.
    fn work(
        &self,
        layouts: &Layouts<'_>,
        batches: &Mutex<Batches>,
        turns: &Turnstile<InTurn<'_>>,
    ) -> Result<(), Error> {
        let _watch = turns.watch();
        let mut converter = RowConverter::new(self.job, layouts);
        loop {
            let next = batches.lock().unwrap_or_else(PoisonError::into_inner).pull();
            let (number, input, batch) = match next {
                None => return Ok(()),
                Some(Ok(next)) => next,
                Some(Err(error)) => {
                    turns.stop();
                    return Err(error);
                }
            };
            let done = self.convert(&mut converter, batch);
            // Where the turns are over, somebody else says why.
            let Ok(mut turn) = turns.wait(number) else { return Ok(()) };
            match done.and_then(|done| put(&mut turn, input, done)) {
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

    /// Converts the strings of a batch.
    fn convert(&self, converter: &mut RowConverter<'_>, batch: RecordBatch) -> Result<BatchDone, Error> {
        let strings = self.strings(&batch)?;
        let of = batch.column(self.column);
        let (mut outcome, mut stay) = (Outcome::default(), Vec::with_capacity(batch.num_rows()));
        let text = (0..strings.len()).filter_map(|row| strings.get(row)).map(|string| string.len() as u64).sum();
        let new = match of.data_type() {
            DataType::Dictionary(..) => self.convert_dictionary(converter, of, &strings, &mut outcome, &mut stay)?,
            of => {
                let mut new = NewStrings::default();
                for first in (0..strings.len()).step_by(ROWS) {
                    let rows: Vec<_> = (first..strings.len().min(first + ROWS)).map(|row| strings.get(row)).collect();
                    converter.convert(&rows, &mut outcome)?;
                    rows.iter().enumerate().for_each(|(row, old)| new.push(self.value(converter.fate(row), *old)));
                    stay.extend((0..rows.len()).map(|row| converter.fate(row) != Fate::Refused));
                    if outcome.stopped {
                        break;
                    }
                }
                new.finish(of)?
            }
        };
        drop(strings);
        let batch = if outcome.stopped { batch } else { self.with(batch, new, stay)? };
        Ok(BatchDone { batch, outcome, text })
    }

    /// Converts the values of a dictionary; rows have their keys.
    fn convert_dictionary(
        &self,
        converter: &mut RowConverter<'_>,
        of: &ArrayRef,
        strings: &Strings<'_>,
        outcome: &mut Outcome,
        stay: &mut Vec<bool>,
    ) -> Result<ArrayRef, Error> {
        let dictionary = of.as_any_dictionary();
        let values = Strings::of(dictionary.values().as_ref()).map_err(|error| Error::Usage(error.to_string()))?;
        let values: Vec<_> = (0..values.len()).map(|value| values.get(value)).collect();
        let keys: Vec<_> = (0..strings.len()).map(|row| strings.key(row)).collect();
        converter.convert_keyed(&keys, &values, outcome)?;
        stay.extend(keys.iter().map(|key| key.is_none_or(|key| converter.fate(key) != Fate::Refused)));
        let mut new = NewStrings::default();
        values.iter().enumerate().for_each(|(value, old)| new.push(self.value(converter.fate(value), *old)));
        Ok(dictionary.with_values(new.finish(dictionary.values().data_type())?))
    }

    /// What is written in the place of a string, or beside it.
    fn value<'v>(&self, fate: Fate<'v>, old: Option<&'v [u8]>) -> Option<&'v [u8]> {
        match fate {
            Fate::Written(string) => Some(string),
            Fate::Refused if self.job.to_column.is_some() || self.job.plan.bad != Bad::Keep => None,
            Fate::Nothing | Fate::Good | Fate::Refused => old,
        }
    }

    /// A batch with the new strings, and with the rows that stay.
    fn with(&self, mut batch: RecordBatch, mut new: ArrayRef, stay: Vec<bool>) -> Result<RecordBatch, Error> {
        let failed = |error: ArrowError| Error::Internal(format!("a batch with new strings: {error}"));
        if self.job.plan.bad == Bad::Reject && stay.contains(&false) {
            let stay = BooleanArray::from(stay);
            new = arrow_select::filter::filter(&new, &stay).map_err(failed)?;
            batch = filter_record_batch(&batch, &stay).map_err(failed)?;
        }
        self.exchange(batch, new).map_err(failed)
    }

    fn exchange(&self, batch: RecordBatch, new: ArrayRef) -> Result<RecordBatch, ArrowError> {
        if !self.job.plan.emit.writes() {
            return Ok(batch);
        }
        let mut columns = batch.columns().to_vec();
        match self.job.to_column {
            Some(_) => columns.push(new),
            None => columns[self.column] = new,
        }
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
    }
}

/// Writes a batch, and says what became of its rows.
fn put(turn: &mut InTurn<'_>, input: usize, done: BatchDone) -> Result<ControlFlow<()>, Error> {
    let flow = turn.sink.take(input, &done.outcome)?;
    turn.sink.read(done.text, done.text);
    if flow.is_break() {
        return Ok(flow);
    }
    match &mut turn.destination {
        Destination::File(writer) => writer.write(&done.batch).map_err(unwritten)?,
        Destination::Stream(writer) => writer.write(&done.batch).map_err(unwritten)?,
        Destination::Nowhere(_) => {}
    }
    Ok(flow)
}
