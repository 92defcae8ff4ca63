//! The inputs, outputs and threads that a run holds, and the steps that end a run.

use std::time::Instant;

use super::rejects::{ClaimedRejects, Rejects, unless_closed};
use super::report::Report;
use super::threads::Threads;
use crate::error::Error;
use crate::kernels::Kernel;
use crate::output::{Claim, LazyFile, Output, finish_together};
use crate::source::Source;

/// Writes the report of a finished run, and puts all files in their final places.
pub(super) fn finish(
    mut done: PendingOutputs,
    mut report: Option<LazyFile>,
    started: Instant,
) -> Result<Report, Error> {
    done.report.seconds = started.elapsed().as_secs_f64();
    if let Some(bytes) = done.output.array_length() {
        done.report.counts.bytes_out = bytes;
    }
    if let Some(file) = &mut report {
        unless_closed(file.write(format!("{:#}\n", done.report.to_json()).as_bytes()))?;
    }
    let mut report = done.finish(report)?;
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// A run with open inputs and started threads.
pub(super) struct PreparedRun {
    pub(super) source: Source,
    pub(super) workers: Threads,
    pub(super) kernel: &'static Kernel,
    pub(super) threads: usize,
    pub(super) chunk_size: usize,
}

/// The claimed outputs of a run.
pub(super) struct ClaimedOutputs {
    pub(super) output: Claim,
    pub(super) rejects: ClaimedRejects,
    pub(super) solved: Option<Claim>,
    pub(super) report: Option<Claim>,
}

/// The open outputs of one pass.
pub(super) struct PassOutputs {
    pub(super) output: Output,
    pub(super) rejects: Rejects,
    pub(super) solved: Option<Output>,
}

impl PassOutputs {
    pub(super) fn new(rejects: Rejects, output: Output) -> Self {
        Self { output, rejects, solved: None }
    }
}

/// A run whose outputs are written, but not in their final places yet.
pub(super) struct PendingOutputs {
    /// The report, as far as it is known here.
    pub(super) report: Report,
    pub(super) output: Output,
    pub(super) solved: Option<Output>,
    pub(super) rejects: Rejects,
    pub(super) stopped: Option<String>,
}

impl PendingOutputs {
    /// Returns the report and, for the next pass, the rejects.
    pub(super) fn into_parts(self) -> Result<(Report, Rejects), Error> {
        match self.stopped {
            None => Ok((self.report, self.rejects)),
            Some(_) => self.finish(None).map(|report| (report, Rejects::default())),
        }
    }

    /// Puts all files in their final places: first the output, then the files about it.
    pub(super) fn finish(self, report: Option<LazyFile>) -> Result<Report, Error> {
        let rejects = self.rejects.into_output();
        if let Some(reason) = self.stopped {
            // There is no output; the rejects and the list of solved cells are kept, because they explain why.
            finish_together([self.solved, rejects].into_iter().flatten())?;
            return Err(Error::Stopped(reason));
        }
        let report = report.and_then(LazyFile::into_output);
        finish_together([Some(self.output), self.solved, rejects, report].into_iter().flatten())?;
        Ok(self.report)
    }
}
