//! Leaves out each record that is the same puzzle as an earlier one. The inputs are read twice.
//!
//! - The first pass finds the key of each record, as a conversion that writes nothing: `collect`.
//! - Keys are stored in memory or in a file (`buckets`). Equal keys are found bucket by bucket: `classes`.
//! - The second pass finds the records again and copies those that are kept: `copier`, with `groups`, by
//!   `second_pass`.
//! - `columns`: the same for files with columns, which the caller reads and writes.
//! - `summary`: what was done.

mod buckets;
mod classes;
mod collect;
mod columns;
mod copier;
mod groups;
mod second_pass;
mod summary;

use std::path::PathBuf;
use std::time::Instant;

use super::appended::{Added, AppendedColumn, ColumnContent};
use super::rejects::Rejects;
use super::report::Report;
use super::resources::{PassOutputs, PreparedRun};
use super::run::Convert;
use super::threads::Threads;
use crate::convert::Bad;
use crate::error::{Error, escape, shown_path};
use crate::output::{LazyFile, Output, RunFiles, Target, finish_together};
use crate::source::Input;
use classes::{ClassQuery, ClassTally, FactReader, FactScope, Marks, find_classes};
use collect::{Collector, RecordPlaces, StoredText};
pub(crate) use columns::{ColumnPasses, RowSelection, SelectedRows};
use copier::RecordCopier;
use groups::GroupWriter;
use second_pass::{Numbers, SecondPass};
pub use summary::Deduped;

/// Leaves out each record that is the same as an earlier one.
#[derive(Debug)]
pub struct Dedupe {
    /// The inputs with their framing, the output, and the setting that determines when two records are the same
    /// ([`Conversion::canonical`](crate::engine::Conversion::canonical)).
    pub records: Convert,
    /// Other files, which are only read: records that are the same as one in these files are left out as well.
    pub others: Option<Convert>,
    /// Write the records that would be left out, and nothing else.
    pub invert: bool,
    /// Append the size of its class to each record, after a tab or in a column of this name.
    pub count: Option<String>,
    /// Where to write a row for each record that is left out: the record that it equals, and a map that proves this.
    pub groups: Option<Target>,
    /// About how many bytes of memory keys may take.
    pub memory: usize,
    /// The folder for temporary files.
    pub temporary: PathBuf,
}

impl Dedupe {
    /// Leaves out duplicates, with 1 GiB of memory for keys, and the system's folder for temporary files.
    pub fn new(records: Convert) -> Self {
        Self {
            records,
            others: None,
            invert: false,
            count: None,
            groups: None,
            memory: 1 << 30,
            temporary: std::env::temp_dir(),
        }
    }

    /// Runs both passes.
    ///
    /// # Errors
    /// See [`Convert::run`]; also if there is no space for temporary files.
    pub fn run(mut self) -> Result<Deduped, Error> {
        let started = Instant::now();
        self.check()?;
        self.find_keys();
        let inputs = self.records.take_inputs();
        let again: Vec<_> = inputs.iter().map(ReopenableInput::of).collect();
        let names: Vec<_> = again.iter().map(ReopenableInput::name).collect();
        let first = self.records.prepare(inputs)?;
        let others_inputs = self.others.as_mut().map(Convert::take_inputs).unwrap_or_default();
        let other_names: Vec<_> = others_inputs.iter().map(|input| ReopenableInput::of(input).name()).collect();
        let others = self.others.as_mut().map(|others| others.prepare(others_inputs)).transpose()?;
        let passes = [&first.source, &first.source];
        self.records.set_total_bytes(passes.into_iter().chain(others.iter().map(|others| &others.source)));
        let mut files = RunFiles::default();
        files.reads_these(first.source.identities());
        others.iter().for_each(|others| files.reads_these(others.source.identities()));
        let mut files = self.open(files)?;
        let mut done = None;
        if let (Some(mut run), Some(prepared)) = (self.others.take(), &others) {
            done = Some(files.find_keys(&mut run, prepared)?);
            files.collector.end_others(other_names.len());
        }
        for again in &again {
            let text = again.is_read_once().then(|| StoredText::create(&self.temporary)).transpose()?;
            files.collector.texts.push(text);
        }
        let counted = files.find_keys(&mut self.records, &first)?;
        let (marks, found) = self.find_duplicates(&mut files, &first.workers)?;
        let texts = again.into_iter().zip(&mut files.collector.texts);
        let inputs = texts.map(|(again, text)| again.open(text.as_mut()));
        let source = self.records.source(inputs.collect::<Result<_, _>>()?, first.kernel, first.chunk_size)?;
        let groups = files.groups(other_names.into_iter().chain(names).collect());
        let framing = self.records.framing_of();
        let count =
            self.count.take().map(|name| AppendedColumn::new(ColumnContent::Added(Added::Count), name, framing));
        let copier = RecordCopier {
            framing,
            plan: self.records.plan(),
            kernel: first.kernel,
            marks: &marks,
            invert: self.invert,
            count: count.as_ref(),
            others: files.collector.others,
        };
        let second = SecondPass {
            first: &first.source,
            source: &source,
            copier,
            numbered: files.collector.own(),
            level: files.level,
            progress: self.records.progress_of(),
        };
        let numbers = Numbers::new(found.facts);
        let (output, groups, bytes) = second.run(&first.workers, numbers, (files.output, groups))?;

        let mut records = Report { seconds: started.elapsed().as_secs_f64(), ..counted };
        records.counts.bytes_out = bytes;
        let deduped = Deduped::new(records, done, &files.collector, &found.tally, self.invert);
        finish(deduped, [Some(output), groups, files.rejects.into_output()], files.report)
    }

    /// Sets up what the first pass finds.
    fn find_keys(&mut self) {
        self.records.find_keys(self.groups.is_some());
        if let Some(others) = &mut self.others {
            others.find_keys(self.groups.is_some());
        }
        self.records.append_count(self.count.as_deref());
    }

    /// Opens the outputs, and prepares to collect keys.
    fn open(&mut self, mut files: RunFiles) -> Result<Files, Error> {
        let outputs = self.records.claim(&mut files)?;
        let groups = self.groups.take().map(|target| files.claim("--groups", target)).transpose()?;
        // The compression level is for the second pass: the first one writes nothing.
        let (sync, level) = (self.records.syncs(), self.records.take_level());
        outputs.output.check()?;
        let rejects = outputs.rejects.open(sync)?;
        let output = outputs.output.open(sync)?;
        let groups = groups.map(|claim| claim.open(sync)).transpose()?;
        let report = outputs.report.map(|claim| claim.open_lazily(sync)).transpose()?;
        let fact_scope = match (&self.count, &groups) {
            (Some(_), _) => Some(FactScope::All),
            (None, Some(_)) => Some(FactScope::Dropped),
            _ => None,
        };
        let memory = if fact_scope.is_some() { self.memory / 2 } else { self.memory };
        let mut collector = Collector::new(memory, &self.temporary);
        collector.places = groups.is_some().then(|| RecordPlaces::create(&self.temporary)).transpose()?;
        Ok(Files { files, output, level, rejects, groups, report, fact_scope, collector })
    }

    /// Finds which records are the same, and marks those that are left out.
    fn find_duplicates(&self, files: &mut Files, workers: &Threads) -> Result<(Marks, ClassResults), Error> {
        let collector = &mut files.collector;
        let marks = Marks::new(collector.own());
        let query = ClassQuery {
            others: collector.others,
            end: collector.next,
            memory: self.memory,
            folder: &self.temporary,
            fact_scope: files.fact_scope,
        };
        let (tally, facts) = find_classes(&collector.keys, &query, &marks, workers)?;
        if !self.invert && self.records.plan().bad == Bad::Reject {
            (0..collector.own()).filter(|&at| collector.refused.has(at)).for_each(|at| marks.set(at));
        }
        drop(std::mem::replace(&mut collector.keys, buckets::Buckets::new(0, &self.temporary)));
        Ok((marks, ClassResults { tally, facts }))
    }

    fn check(&self) -> Result<(), Error> {
        let framing = self.records.framing_of();
        if framing.facts().keeps_refused {
            let words = "links and values in XML cannot be left out of the text around them; dedupe takes lines, tables, JSON lines and grids";
            return Err(Error::Usage(words.into()));
        }
        if self.count.is_some() && self.records.plan().bad == Bad::Keep {
            return Err(Error::Usage("--count has no value for bad records; leave out --bad keep or --count".into()));
        }
        Ok(())
    }
}

/// Everything that is opened before the first pass.
struct Files {
    files: RunFiles,
    output: Output,
    level: Option<i32>,
    rejects: Rejects,
    groups: Option<Output>,
    report: Option<LazyFile>,
    /// The records about which facts are needed, besides whether they are left out.
    fact_scope: Option<FactScope>,
    collector: Collector,
}

impl Files {
    /// The output of the first pass, which discards everything.
    fn sink(&mut self) -> Result<Output, Error> {
        let sink = Target::Writer { name: "nothing".into(), writer: Box::new(std::io::sink()) };
        self.files.claim("nothing", sink)?.open(false)
    }

    /// Finds the keys of the records of a run, and writes its rejects.
    fn find_keys(&mut self, run: &mut Convert, prepared: &PreparedRun) -> Result<Report, Error> {
        let opened = PassOutputs::new(std::mem::take(&mut self.rejects), self.sink()?);
        let done = run.pass(prepared, opened, Some(&mut self.collector))?;
        let report;
        (report, self.rejects) = done.into_parts()?;
        Ok(report)
    }

    /// Returns the writer for the list of what is left out, if it is asked for. `names` are the names of the inputs.
    fn groups(&mut self, names: Vec<String>) -> Option<GroupWriter> {
        let places = self.collector.places.take();
        self.groups.take().zip(places).map(|(output, places)| GroupWriter::new(output, places, names))
    }
}

/// The results about classes.
struct ClassResults {
    tally: ClassTally,
    facts: Option<FactReader>,
}

/// Writes the report, and puts all files in their final places.
fn finish(deduped: Deduped, outputs: [Option<Output>; 3], report: Option<LazyFile>) -> Result<Deduped, Error> {
    let report = report.map(|file| deduped.write(file)).transpose()?.and_then(LazyFile::into_output);
    finish_together(outputs.into_iter().chain([report]).flatten())?;
    Ok(deduped)
}

/// An input that is opened again for the second pass.
enum ReopenableInput {
    File(PathBuf),
    /// It can be read only once.
    ReadOnce {
        name: String,
    },
}

impl ReopenableInput {
    fn of(input: &Input) -> Self {
        match input {
            Input::File(path) if path.metadata().is_ok_and(|metadata| metadata.is_file()) => Self::File(path.clone()),
            Input::File(path) => Self::ReadOnce { name: path.display().to_string() },
            Input::Stdin => Self::ReadOnce { name: "<stdin>".into() },
            Input::Reader { name, .. } => Self::ReadOnce { name: name.clone() },
        }
    }

    fn is_read_once(&self) -> bool {
        matches!(self, Self::ReadOnce { .. })
    }

    fn name(&self) -> String {
        match self {
            Self::File(path) => shown_path(path),
            Self::ReadOnce { name } => escape(name.as_bytes()),
        }
    }

    fn open(self, text: Option<&mut StoredText>) -> Result<Input, Error> {
        match (self, text) {
            (Self::ReadOnce { name }, Some(text)) => {
                text.end()?;
                Ok(Input::Reader { name, reader: Box::new(text.file.reader()) })
            }
            (Self::File(path), _) => Ok(Input::File(path)),
            (Self::ReadOnce { name }, None) => Err(Error::Internal(format!("the text of {name} was not kept"))),
        }
    }
}
