//! Records of which an earlier one is the same puzzle are left out: inputs are read twice.
//!
//! - The first pass finds the key of each record, as a conversion that writes nothing: `collect`.
//! - Keys wait in memory, or in a file: `buckets`; which are the same is found part by part: `classes`.
//! - The second pass finds the records again, and copies those that stay: `choose`, and `write` in order, with `groups`.
//! - `summary`: what was done.

mod buckets;
mod choose;
mod classes;
mod collect;
mod groups;
mod summary;
mod write;

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::appended::{Added, AppendedColumn, What};
use super::report::Report;
use super::run::{Convert, Opened};
use crate::convert::Bad;
use crate::error::{Error, escape};
use crate::output::{LazyFile, Output, RunFiles, Target, finish_together};
use crate::source::{Input, Source};
use classes::{Facts, Marks, Question, classes};
use collect::{Collector, Places, Text};
use groups::Groups;
pub use summary::Deduped;
use write::Second;

/// Leaves out records of which an earlier one is the same.
#[derive(Debug)]
pub struct Dedupe {
    /// The inputs with their framing, the output, and what makes two records the same
    /// ([`Conversion::canonical`](crate::engine::Conversion::canonical)).
    pub records: Convert,
    /// Other files, of which none is written: records that are the same as one of theirs are left out as well.
    pub others: Option<Convert>,
    /// What would be left out is written, and nothing else.
    pub invert: bool,
    /// The size of its class is appended to each record, after a tab or under this name.
    pub count: Option<String>,
    /// A row for each record that is left out: which it is the same as, and a map that proves it.
    pub groups: Option<Target>,
    /// Bytes that keys may take in memory, about.
    pub memory: usize,
    /// The folder of temporary files.
    pub temporary: PathBuf,
}

impl Dedupe {
    /// Runs it.
    ///
    /// # Errors
    /// As [`Convert::run`]; and where there is no room for temporary files.
    pub fn run(mut self) -> Result<Deduped, Error> {
        let begun = Instant::now();
        self.check()?;
        self.records.find_keys(self.groups.is_some());
        if let Some(others) = &mut self.others {
            others.find_keys(self.groups.is_some());
        }
        self.records.append_count(self.count.as_deref());
        let folder = self.temporary.clone();
        let inputs = self.records.take_inputs();
        let again: Vec<_> = inputs.iter().map(Again::of).collect();
        let names: Vec<_> = again.iter().map(Again::name).collect();
        let first = self.records.prepare(inputs)?;
        let others_inputs = self.others.as_mut().map(Convert::take_inputs).unwrap_or_default();
        let other_names: Vec<_> = others_inputs.iter().map(|input| Again::of(input).name()).collect();
        let others = self.others.as_mut().map(|others| others.prepare(others_inputs)).transpose()?;
        let passes = [&first.source, &first.source];
        self.records.expect(passes.into_iter().chain(others.iter().map(|others| &others.source)));
        let mut files = RunFiles::default();
        files.reads_these(first.source.identities());
        others.iter().for_each(|others| files.reads_these(others.source.identities()));
        let outputs = self.records.claim(&mut files)?;
        let groups = self.groups.take().map(|target| files.claim("--groups", target)).transpose()?;
        // The first pass writes nothing that could be compressed.
        let (sync, level) = (self.records.syncs(), self.records.take_level());
        let mut opened = Opened::new(outputs.rejects.open(sync)?, sink(&mut files)?);
        let output = outputs.output.open(sync)?;
        let groups = groups.map(|claim| claim.open(sync)).transpose()?;
        let report = outputs.report.map(|claim| claim.open_lazily(sync)).transpose()?;
        let facts = match (&self.count, &groups) {
            (Some(_), _) => Some(Facts::All),
            (None, Some(_)) => Some(Facts::Dropped),
            _ => None,
        };
        let memory = if facts.is_some() { self.memory / 2 } else { self.memory };
        let mut collector = Collector::new(memory, &folder);
        collector.places = groups.is_some().then(|| Places::create(&folder)).transpose()?;
        let mut done = Vec::new();
        if let (Some(mut run), Some(prepared)) = (self.others.take(), &others) {
            let written = run.pass(prepared, opened, Some(&mut collector))?;
            let (report, rejects, begun) = written.into_parts()?;
            opened = Opened::after(rejects, begun, sink(&mut files)?);
            done.push(report);
            collector.end_others(other_names.len());
        }
        for again in &again {
            collector.texts.push(again.is_gone().then(|| Text::create(&folder)).transpose()?);
        }
        let written = self.records.pass(&first, opened, Some(&mut collector))?;
        let (counted, rejects, _) = written.into_parts()?;

        let (own, numbered) = (collector.next - collector.others, collector.next);
        let marks = Marks::new(own);
        let question =
            Question { others: collector.others, end: numbered, memory: self.memory, folder: &folder, facts };
        let (tally, facts) = classes(&collector.keys, &question, &marks, &first.workers)?;
        self.leave_out_refused(&collector, &marks);
        drop(std::mem::replace(&mut collector.keys, buckets::Buckets::new(0, &folder)));
        let inputs = again.into_iter().zip(&mut collector.texts).map(|(again, text)| again.open(text.as_mut()));
        let source = self.records.source(inputs.collect::<Result<_, _>>()?, first.kernel)?;
        let names = other_names.into_iter().chain(names).collect();
        let groups = groups.zip(collector.places.take()).map(|(output, places)| Groups::new(output, places, names));
        let framing = self.records.framing_of();
        let count = self.count.take().map(|name| AppendedColumn::new(What::Added(Added::Count), name, framing));
        let second = Second {
            marks: &marks,
            invert: self.invert,
            count: count.as_ref(),
            others: collector.others,
            numbered: own,
        };
        let (output, groups, bytes) = second.run(&self.records, &first, &source, (output, level), groups, facts)?;

        let records = Report { seconds: begun.elapsed().as_secs_f64(), ..counted };
        let deduped = Deduped::new(records, done.pop(), own, collector.count_refused, &tally, bytes);
        let report = report.map(|file| deduped.write(file)).transpose()?.and_then(LazyFile::into_output);
        let rest = [Some(output), groups, rejects.into_output(), report];
        finish_together(rest.into_iter().flatten())?;
        Ok(deduped)
    }

    /// Marks refused records, where they are left out.
    fn leave_out_refused(&self, collector: &Collector, marks: &Marks) {
        if self.invert || self.records.plan().bad != Bad::Reject {
            return;
        }
        let all = collector.others..collector.next;
        all.filter(|&at| collector.is_refused(at)).for_each(|at| marks.set(at - collector.others));
    }

    fn check(&self) -> Result<(), Error> {
        let framing = self.records.framing_of();
        if framing.keeps_refused() {
            let words = "links stand within text, and cannot be left out of it; dedupe takes lines, tables, JSON lines and grids";
            return Err(Error::Usage(words.into()));
        }
        if self.count.is_some() && self.records.plan().bad == Bad::Keep {
            return Err(Error::Usage("--count says nothing of bad records; leave --bad keep out, or --count".into()));
        }
        Ok(())
    }
}

/// What takes what a pass writes: nothing.
fn sink(files: &mut RunFiles) -> Result<Output, Error> {
    files.claim("nothing", Target::Writer { name: "nothing".into(), writer: Box::new(std::io::sink()) })?.open(false)
}

/// An input, to be opened again.
enum Again {
    File(PathBuf),
    /// It can be read once.
    Gone {
        name: String,
    },
}

impl Again {
    fn of(input: &Input) -> Self {
        match input {
            Input::File(path) if path.metadata().is_ok_and(|metadata| metadata.is_file()) => Self::File(path.clone()),
            Input::File(path) => Self::Gone { name: path.display().to_string() },
            Input::Stdin => Self::Gone { name: "<stdin>".into() },
            Input::Reader { name, .. } => Self::Gone { name: name.clone() },
        }
    }

    fn is_gone(&self) -> bool {
        matches!(self, Self::Gone { .. })
    }

    fn name(&self) -> String {
        match self {
            Self::File(path) => escape(path.as_os_str().as_encoded_bytes()),
            Self::Gone { name } => escape(name.as_bytes()),
        }
    }

    fn open(self, text: Option<&mut Text>) -> Result<Input, Error> {
        match (self, text) {
            (Self::Gone { name }, Some(text)) => {
                text.end()?;
                Ok(Input::Reader { name, reader: Box::new(text.file.reader()) })
            }
            (Self::File(path), _) => Ok(Input::File(path)),
            (Self::Gone { name }, None) => Err(Error::Internal(format!("the text of {name} was not kept"))),
        }
    }
}

/// Whether a pass is the second one of the same text: the same files, as they were.
fn same_text(first: &Source, second: &Source) -> Result<(), Error> {
    first.unchanged()?;
    match second.identities().iter().all(|id| first.identities().contains(id)) {
        true => Ok(()),
        false => Err(Error::file(Path::new("<inputs>"), "were exchanged for other files meanwhile; run again")),
    }
}
