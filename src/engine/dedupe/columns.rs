//! Finds duplicates in files with columns, which the caller reads and writes. Every row has a number, with or without a
//! string, so the second pass does not need to read strings.

use std::fs::Metadata;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::classes::{FactReader, Marks};
use super::collect::Bits;
use super::groups::GroupWriter;
use super::{Dedupe, Deduped, Files, finish};
use crate::engine::columns::{ColumnJob, ColumnSink, StringColumns, name, register_inputs};
use crate::engine::report::Report;
use crate::engine::run::Convert;
use crate::engine::text_pass::TEXT_LEVEL;
use crate::error::Error;
use crate::output::{Output, RunFiles, Scratch};
use crate::source::Input;
use crate::source::open::Stamp;

/// The two passes over files of one format.
pub(crate) trait ColumnPasses {
    /// Whether inputs may be streams. Streams are stored so that they can be read twice.
    fn may_be_streams(&self) -> bool;

    /// Finds the keys of rows and passes them to the sink. Nothing is written to the output.
    fn find_keys(
        &self,
        job: &ColumnJob,
        inputs: Vec<Input>,
        output: Output,
        sink: &mut ColumnSink<'_>,
    ) -> Result<(Output, u64), Error>;

    /// Writes the selected rows. Returns the output and the number of bytes written.
    fn copy_kept(
        &self,
        job: &ColumnJob,
        inputs: Vec<Input>,
        output: Output,
        selection: &mut RowSelection<'_>,
    ) -> Result<(Output, u64), Error>;
}

/// Decides which rows are kept. It must be asked in the order of the rows.
pub(crate) struct RowSelection<'c> {
    marks: &'c Marks,
    without: &'c Bits,
    /// Marked rows are kept, and no others.
    invert: bool,
    counts: bool,
    facts: Option<FactReader>,
    groups: Option<GroupWriter>,
    /// The number of rows so far, of all rows, and of rows in other files.
    next: u64,
    rows: u64,
    others: u64,
}

/// The decision about some rows.
pub(crate) struct SelectedRows {
    /// For each row, whether it is kept.
    pub(crate) keep: Vec<bool>,
    /// For each row that is kept, how many rows are the same; `None` if it has no string. Only if counts are appended.
    pub(crate) counts: Option<Vec<Option<i64>>>,
}

impl SelectedRows {
    /// Whether no row is kept, of one or more.
    pub(crate) fn are_left_out(&self) -> bool {
        self.keep.contains(&false) && !self.keep.contains(&true)
    }

    /// Checks that as many rows were written as are kept.
    pub(crate) fn check_written(&self, written: u64) -> Result<(), Error> {
        let kept = self.keep.iter().filter(|&&keep| keep).count() as u64;
        match kept == written {
            true => Ok(()),
            false => Err(Error::Internal(format!("{kept} rows are to be kept, but {written} were written"))),
        }
    }
}

impl RowSelection<'_> {
    /// Decides about the next rows.
    pub(crate) fn next(&mut self, rows: u64) -> Result<SelectedRows, Error> {
        let first = self.next;
        self.next += rows;
        if self.next > self.rows {
            return Err(Error::Internal("more rows were found than before".into()));
        }
        let end = self.next + self.others;
        let facts = self.facts.as_mut().map_or(Ok(Vec::new()), |facts| facts.until(end))?;
        if let Some(groups) = &mut self.groups {
            facts.iter().filter(|fact| fact[0] != fact[1]).try_for_each(|fact| groups.row(fact, None))?;
            groups.write()?;
        }
        let keep: Vec<_> = (first..self.next).map(|row| self.marks.has(row) == self.invert).collect();
        let mut facts = facts.iter().peekable();
        let counts = self.counts.then(|| {
            let all = (first..).zip(&keep).map(|(row, keep)| {
                let fact = facts.next_if(|fact| fact[0] == row + self.others);
                let count = fact.map_or(1, |fact| fact[2] as i64);
                keep.then_some((!self.without.has(row)).then_some(count))
            });
            all.flatten().collect()
        });
        Ok(SelectedRows { keep, counts })
    }

    /// Ends the rows. Returns the output with the list of what was left out.
    fn end(self) -> Result<Option<Output>, Error> {
        if self.next != self.rows {
            return Err(Error::Internal(format!("the first pass found {} rows, the second {}", self.rows, self.next)));
        }
        self.groups.map(GroupWriter::end).transpose()
    }
}

impl Dedupe {
    /// Finds duplicates in files with columns. The strings are in `columns`, and those of the other files in
    /// `of_others`.
    ///
    /// # Errors
    /// See [`Dedupe::run`].
    pub(crate) fn run_columns(
        mut self,
        columns: StringColumns,
        of_others: StringColumns,
        passes: &impl ColumnPasses,
    ) -> Result<Deduped, Error> {
        let started = Instant::now();
        self.check()?;
        self.find_keys();
        let inputs = self.records.take_inputs();
        let job = self.records.column_job(columns)?;
        let of_others = self.others.as_mut().map(|others| others.column_job(of_others)).transpose()?;
        let others = self.others.as_mut().map(Convert::take_inputs).unwrap_or_default();
        expect_passes(&job, &inputs, &others);
        let (names, other_names) = (names(&inputs), names(&others));
        let mut files = RunFiles::default();
        register_inputs(&mut files, &inputs);
        register_inputs(&mut files, &others);
        let mut files = self.open(files)?;
        let mut done = None;
        if let Some(job) = &of_others {
            done = Some(files.find_keys_of_rows(passes, job, others, other_names.clone())?);
            files.collector.end_others(other_names.len());
        }
        let again =
            inputs.into_iter().map(|input| ReopenableTable::of(input, passes.may_be_streams(), &self.temporary));
        let again = again.collect::<Result<Vec<_>, _>>()?;
        let inputs = || again.iter().map(ReopenableTable::open).collect::<Result<Vec<_>, _>>();
        let counted = files.find_keys_of_rows(passes, &job, inputs()?, names.clone())?;

        let (marks, found) = self.find_duplicates(&mut files, &job.workers)?;
        let groups = files.groups(other_names.into_iter().chain(names).collect());
        let mut selection = RowSelection {
            marks: &marks,
            without: &files.collector.without,
            invert: self.invert,
            counts: self.count.is_some(),
            facts: found.facts,
            groups,
            next: 0,
            rows: files.collector.own(),
            others: files.collector.others,
        };
        let kept = passes.copy_kept(&job, inputs()?, files.output, &mut selection);
        // Check this first: if a file was replaced, that is the cause of all other errors.
        again.iter().try_for_each(ReopenableTable::unchanged)?;
        let (mut output, bytes) = kept?;
        let groups = selection.end()?;
        output.sync()?;

        let mut records = Report { seconds: started.elapsed().as_secs_f64(), ..counted };
        records.counts.bytes_out = bytes;
        let deduped = Deduped::new(records, done, &files.collector, &found.tally, self.invert);
        finish(deduped, [Some(output), groups, files.rejects.into_output()], files.report)
    }
}

impl Files {
    /// Finds the keys of the rows of some inputs, which have these names, and writes rejects.
    fn find_keys_of_rows(
        &mut self,
        passes: &impl ColumnPasses,
        job: &ColumnJob,
        inputs: Vec<Input>,
        names: Vec<String>,
    ) -> Result<Report, Error> {
        let nothing = self.sink()?;
        let sink = ColumnSink::new(names, std::mem::take(&mut self.rejects), job.plan.bad);
        let mut sink = sink.collecting(&mut self.collector);
        let (nothing, _) = passes.find_keys(job, inputs, nothing, &mut sink)?;
        let report;
        (report, self.rejects) = sink.end(job, nothing, 0)?.into_parts()?;
        Ok(report)
    }
}

fn names(inputs: &[Input]) -> Vec<String> {
    inputs.iter().map(name).collect()
}

/// Sets how many bytes there are to read: inputs are read twice, other files once.
fn expect_passes(job: &ColumnJob, inputs: &[Input], others: &[Input]) {
    let length = |input: &Input| match input {
        Input::File(path) => path.metadata().ok().filter(Metadata::is_file).map(|metadata| metadata.len()),
        Input::Stdin | Input::Reader { .. } => None,
    };
    let all = inputs.iter().chain(inputs).chain(others);
    if let (Some(progress), Some(total)) = (&job.progress, all.map(length).sum::<Option<u64>>()) {
        progress.total.store(total, Ordering::Relaxed);
    }
}

/// An input that can be opened twice.
enum ReopenableTable {
    File {
        path: PathBuf,
        stamp: Stamp,
    },
    /// It can be read only once, and was stored, compressed.
    Stored {
        name: String,
        text: Scratch,
    },
    /// Not a file. The reader of the format reports that as an error.
    Stdin,
}

impl ReopenableTable {
    fn of(input: Input, may_be_stream: bool, folder: &Path) -> Result<Self, Error> {
        if let Input::File(path) = &input {
            let metadata = path.metadata().map_err(|error| Error::io(path, "open", error))?;
            if metadata.is_file() || !may_be_stream {
                let stamp = Stamp::at(path).map_err(|error| Error::io(path, "open", error))?;
                return Ok(Self::File { path: path.clone(), stamp });
            }
        }
        let (path, mut stream): (PathBuf, Box<dyn Read>) = match input {
            Input::Stdin | Input::Reader { .. } if !may_be_stream => return Ok(Self::Stdin),
            Input::Stdin => ("<stdin>".into(), Box::new(io::stdin())),
            Input::Reader { name, reader } => (name.into(), reader),
            Input::File(path) => {
                let file = std::fs::File::open(&path).map_err(|error| Error::io(&path, "open", error))?;
                (path, Box::new(file))
            }
        };
        let failed = |error: io::Error| match error.downcast::<Error>() {
            Ok(error) => error,
            Err(error) => Error::io(&path, "read", error),
        };
        let mut writer = zstd::Encoder::new(ScratchWriter(Scratch::create(folder)?), TEXT_LEVEL).map_err(failed)?;
        io::copy(&mut stream, &mut writer).map_err(failed)?;
        let ScratchWriter(text) = writer.finish().map_err(failed)?;
        Ok(Self::Stored { name: path.to_string_lossy().into_owned(), text })
    }

    fn open(&self) -> Result<Input, Error> {
        Ok(match self {
            Self::File { path, .. } => Input::File(path.clone()),
            Self::Stdin => Input::Stdin,
            Self::Stored { name, text } => {
                let damaged = |error: io::Error| Error::Internal(format!("the stored copy of {name}: {error}"));
                let reader = zstd::Decoder::new(text.reader()).map_err(damaged)?;
                Input::Reader { name: name.clone(), reader: Box::new(reader) }
            }
        })
    }

    /// Checks that the file has not changed.
    fn unchanged(&self) -> Result<(), Error> {
        let Self::File { path, stamp } = self else { return Ok(()) };
        let now = Stamp::at(path).map_err(|error| Error::io(path, "read", error))?;
        stamp.compare(path, &now, true)
    }
}

/// Writes bytes to a scratch file.
struct ScratchWriter(Scratch);

impl Write for ScratchWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.append(bytes).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
