//! The inputs, outputs and threads that a run holds, and the steps that end a run.

use std::time::Instant;

use super::ordered::PendingOutputs;
use super::rejects::{ClaimedRejects, Rejects, unless_closed};
use super::report::Report;
use super::threads::Threads;
use crate::convert::Conversion;
use crate::error::Error;
use crate::kernels::Kernel;
use crate::output::{Claim, LazyFile, Output};
use crate::source::Source;

/// Enters the settings of a run into its report.
pub(super) fn record_settings(report: &mut Report, plan: &Conversion, kernel: &Kernel, threads: usize) {
    (report.to, report.emit, report.check_level) = (plan.to, plan.emit, plan.checks.level);
    (report.kernel, report.threads) = (kernel.name, threads);
}

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
    /// An earlier pass has written rejects, and with them their header.
    pub(super) any_rejects: bool,
    pub(super) solved: Option<Output>,
}

impl PassOutputs {
    pub(super) fn new(rejects: Rejects, output: Output) -> Self {
        Self { output, rejects, any_rejects: false, solved: None }
    }

    /// The outputs of a pass after another one, which may have written rejects.
    pub(super) fn after(rejects: Rejects, any_rejects: bool, output: Output) -> Self {
        Self { any_rejects, ..Self::new(rejects, output) }
    }
}
