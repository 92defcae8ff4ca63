//! Runs a conversion of files with columns, which the caller reads and writes. Everything around that is as in any run.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::appended::{ColumnContent, NewColumn};
use super::cross_check::{self, CrossCheck};
use super::driver::{self, Container, End};
use super::ordered::{KeySink, PartPlace, PendingOutputs};
use super::outcome::{Outcome, collects_keys};
use super::progress::Progress;
use super::rejects::{self, Rejects};
use super::report::{InputReport, RefusedRecord, Report};
use super::resources::record_settings;
use super::threads::Threads;
use crate::convert::{Bad, Conversion, Counts, Emit};
use crate::error::{Error, escape};
use crate::kernels::Kernel;
use crate::output::{Output, RunFiles};
use crate::source::Input;

/// The columns of a file that contain strings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StringColumns {
    /// The names of the columns with strings.
    pub strings: Vec<String>,
    /// The names of the columns with the solutions that came with these strings: one for each column, in the same
    /// order, or none.
    pub solutions: Vec<String>,
}

/// The work to do on columns.
pub(crate) struct ColumnJob {
    pub(crate) plan: Conversion,
    pub(crate) kernel: &'static Kernel,
    pub(crate) columns: StringColumns,
    /// The new columns, which follow all others.
    pub(crate) appended: Vec<NewColumn>,
    pub(super) workers: Threads,
    pub(super) progress: Option<Arc<Progress>>,
}

impl ColumnJob {
    /// Whether new strings replace the old ones.
    pub(crate) fn replaces(&self) -> bool {
        self.plan.emit.writes()
            && self.plan.emit != Emit::Digits
            && !self.appended.iter().any(|column| column.content == ColumnContent::String)
    }

    /// Whether the keys of rows are collected.
    pub(crate) fn collects_keys(&self) -> bool {
        collects_keys(&self.plan)
    }

    /// Processes a file on all threads, see [`driver::run`].
    pub(crate) fn run<Out: Send, Numbers: Send>(
        &self,
        container: &impl Container<Out, Numbers>,
        out: Out,
        numbers: Numbers,
    ) -> Result<Out, Error> {
        driver::run(container, &self.workers, self.progress.as_deref(), out, numbers)
    }

    /// The number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.workers.count()
    }

    /// Sets how many bytes there are to read, unless this is already set for all passes.
    pub(crate) fn set_total_bytes(&self, bytes: u64) {
        if let Some(progress) = &self.progress
            && progress.total.load(Ordering::Relaxed) == 0
        {
            progress.total.store(bytes, Ordering::Relaxed);
        }
    }
}

/// Registers the inputs that a run reads.
pub(super) fn register_inputs(files: &mut RunFiles, inputs: &[Input]) {
    for input in inputs {
        match input {
            Input::File(path) => files.reads(path),
            Input::Stdin | Input::Reader { .. } => files.reads_stdin(),
        }
    }
}

/// Returns the name of an input for messages and reports.
pub(super) fn name(input: &Input) -> String {
    match input {
        Input::Stdin => "<stdin>".into(),
        Input::File(path) => escape(path.as_os_str().as_encoded_bytes()),
        Input::Reader { name, .. } => escape(name.as_bytes()),
    }
}

/// Takes the outcomes of rows, in order: writes reject rows and adds up counts.
pub(crate) struct ColumnSink<'k> {
    rejects: Rejects,
    any_rejects: bool,
    /// Collects the keys of rows, if they are found.
    keys: Option<&'k mut dyn KeySink>,
    refused: Vec<RefusedRecord>,
    bad: Bad,
    counts: Counts,
    cross_check: CrossCheck,
    /// The number of rows according to the reader.
    rows_read: u64,
    /// The number of rows according to the writer, if rows are written.
    rows_written: Option<u64>,
    /// The number of rows with a rejected string, if they are left out.
    rows_left_out: u64,
    inputs: Vec<InputReport>,
    raw_bytes: u64,
    text_bytes: u64,
    stopped: Option<String>,
}

impl<'k> ColumnSink<'k> {
    pub(super) fn new(names: Vec<String>, rejects: Rejects, bad: Bad) -> Self {
        let inputs = names.into_iter().map(|name| InputReport { name, ..InputReport::default() }).collect();
        Self {
            rejects,
            any_rejects: false,
            keys: None,
            refused: Vec::new(),
            bad,
            counts: Counts::default(),
            cross_check: CrossCheck::default(),
            rows_read: 0,
            rows_written: None,
            rows_left_out: 0,
            inputs,
            raw_bytes: 0,
            text_bytes: 0,
            stopped: None,
        }
    }

    /// Sets what collects the keys of rows, and whether an earlier pass has written rejects.
    pub(super) fn collecting(mut self, keys: &'k mut dyn KeySink, any_rejects: bool) -> Self {
        (self.keys, self.any_rejects) = (Some(keys), any_rejects);
        self
    }

    /// Takes the outcome of the next rows of an input; its lines are rows. A bad row may end the run.
    pub(crate) fn take(&mut self, input: usize, outcome: &Outcome) -> Result<(), End> {
        if !outcome.stopped {
            cross_check::check_records(outcome.cross_check(), &outcome.counts)?;
        }
        let before = self.inputs[input].lines;
        let rows = outcome.rows.iter().map(|row| (before + row.line + 1, None, row));
        self.rejects.report(&mut self.any_rejects, &self.inputs[input].name, rows)?;
        rejects::remember_first(&mut self.refused, &outcome.rows);
        if let Some(keys) = &mut self.keys {
            keys.take(&PartPlace { input, line: before }, outcome)?;
        }
        self.counts.add(&outcome.counts);
        self.cross_check.add(outcome.cross_check());
        if self.bad == Bad::Reject {
            self.rows_left_out += rejected_rows(outcome);
        }
        let input = &mut self.inputs[input];
        input.lines += outcome.counts.lines;
        input.records += outcome.counts.records;
        input.rejected += outcome.counts.rejected;
        let bad = outcome.rows.iter().rfind(|row| !row.warning).filter(|_| self.bad == Bad::Stop);
        match bad {
            None => Ok(()),
            Some(row) => {
                self.stopped = Some(format!("{}: row {}: {}", input.name, before + row.line + 1, row.reject));
                Err(End::Over)
            }
        }
    }

    /// Counts bytes that were read: of files, and of strings.
    pub(crate) fn read(&mut self, raw: u64, text: u64) {
        self.raw_bytes += raw;
        self.text_bytes += text;
    }

    /// Counts rows a second time: as the reader counted them and, if rows are written, as the writer did.
    pub(crate) fn count_rows(&mut self, read: u64, written: Option<u64>) {
        self.rows_read += read;
        if let Some(written) = written {
            *self.rows_written.get_or_insert(0) += written;
        }
    }

    /// Ends the run. Its files are not in their final places yet.
    pub(super) fn end(mut self, job: &ColumnJob, mut output: Output, written: u64) -> Result<PendingOutputs, Error> {
        if self.stopped.is_none() {
            cross_check::check_records(self.cross_check, &self.counts)?;
            cross_check::check_rows(self.rows_read, &self.counts, self.rows_left_out, self.rows_written)?;
        }
        self.counts.bytes_out = written;
        if self.stopped.is_none() {
            output.sync()?;
        }
        self.rejects.sync()?;
        let mut report = Report::new(self.counts, self.inputs, self.refused);
        (report.raw_bytes, report.text_bytes) = (self.raw_bytes, self.text_bytes);
        record_settings(&mut report, &job.plan, job.kernel, job.workers.count());
        Ok(PendingOutputs::of_columns(report, output, (self.rejects, self.any_rejects), self.stopped))
    }
}

/// The number of rows with a rejected string. The messages about a row are adjacent.
fn rejected_rows(outcome: &Outcome) -> u64 {
    let mut lines: Vec<_> = outcome.rows.iter().filter(|row| !row.warning).map(|row| row.line).collect();
    lines.dedup();
    lines.len() as u64
}

impl Outcome {
    /// Adds strings that were found in rows to the second count, and how many of them are good.
    pub(crate) fn add_to_cross_check(&mut self, found: u64, good: u64) {
        self.cross_check.add(CrossCheck { found, good, reported: 0 });
    }
}

#[cfg(test)]
mod tests;
