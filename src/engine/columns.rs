//! Runs a conversion of files with columns, which the caller reads and writes. Everything around that is as in any run.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::appended::{ColumnContent, NewColumn};
use super::cross_check::{self, CrossCheck};
use super::driver::{self, Container, End};
use super::ledger::{KeySink, Ledger};
use super::outcome::{Outcome, collects_keys};
use super::progress::Progress;
use super::rejects::Rejects;
use super::report::RunSettings;
use super::resources::PendingOutputs;
use super::threads::Threads;
use crate::convert::{Bad, Conversion, Emit};
use crate::error::{Error, escape, shown_path};
use crate::kernels::Kernel;
use crate::output::{Output, RunFiles};
use crate::source::Input;

/// A format of files with columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnFile {
    /// Apache Parquet.
    Parquet,
    /// A file or a stream of Arrow's IPC format.
    Arrow,
}

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
        Input::File(path) => shown_path(path),
        Input::Reader { name, .. } => escape(name.as_bytes()),
    }
}

/// Takes the outcomes of rows, in order: writes reject rows and adds up counts.
pub(crate) struct ColumnSink<'k> {
    ledger: Ledger<'k>,
    /// The number of rows according to the reader.
    rows_read: u64,
    /// The number of rows according to the writer, if rows are written.
    rows_written: Option<u64>,
    /// The number of rows with a rejected string, if they are left out, and of those that were passed over.
    rows_left_out: u64,
    raw_bytes: u64,
    text_bytes: u64,
}

impl<'k> ColumnSink<'k> {
    pub(super) fn new(names: Vec<String>, rejects: Rejects, bad: Bad) -> Self {
        Self {
            ledger: Ledger::new(names, rejects, bad),
            rows_read: 0,
            rows_written: None,
            rows_left_out: 0,
            raw_bytes: 0,
            text_bytes: 0,
        }
    }

    /// Sets what collects the keys of rows.
    pub(super) fn collecting(mut self, keys: &'k mut dyn KeySink) -> Self {
        self.ledger.collect_keys(Some(keys));
        self
    }

    /// Takes the outcome of the next rows of an input; its lines are rows. A bad row may end the run.
    pub(crate) fn take(&mut self, input: usize, outcome: &Outcome) -> Result<(), End> {
        let ledger = &mut self.ledger;
        Ledger::check(outcome)?;
        let before = ledger.inputs[input].lines;
        ledger.report(input, outcome.rows.iter().map(|row| (before + row.line + 1, None, row)))?;
        ledger.take(input, outcome)?;
        if ledger.bad == Bad::Reject {
            self.rows_left_out += rejected_rows(outcome);
        }
        self.rows_left_out += outcome.rows_passed_over;
        let bad = outcome.rows.iter().rfind(|row| !row.warning).filter(|_| ledger.bad == Bad::Stop);
        match bad {
            None => Ok(()),
            Some(row) => {
                ledger.stop_at(input, "row", before + row.line + 1, row);
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
    pub(super) fn end(self, job: &ColumnJob, output: Output, written: u64) -> Result<PendingOutputs, Error> {
        self.ledger.check_all()?;
        if self.ledger.stopped.is_none() {
            cross_check::check_rows(self.rows_read, &self.ledger.counts, self.rows_left_out, self.rows_written)?;
        }
        let mut done = self.ledger.end(output, None, written)?;
        (done.report.raw_bytes, done.report.text_bytes) = (self.raw_bytes, self.text_bytes);
        done.report.settings = RunSettings::new(&job.plan, job.kernel, job.workers.count());
        Ok(done)
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
