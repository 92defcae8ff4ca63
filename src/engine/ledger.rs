//! What every run adds up in the order of its records: counts, refused records, keys, and the check that each record is
//! written or refused.

use super::compressor::Compressor;
use super::cross_check::{self, CrossCheck};
use super::outcome::Outcome;
use super::rejects::{self, Rejects};
use super::report::{InputReport, Report};
use super::resources::PendingOutputs;
use super::unsupported::UnsupportedNames;
use crate::convert::{Bad, Counts};
use crate::error::{Error, Refused};
use crate::output::Output;

/// The counts of a run and its refused records.
pub(super) struct Ledger<'k> {
    pub(super) bad: Bad,
    pub(super) counts: Counts,
    pub(super) cross_check: CrossCheck,
    pub(super) inputs: Vec<InputReport>,
    /// The first refused records.
    refused: Vec<Refused>,
    /// What was on the boards of refused records.
    unsupported: UnsupportedNames,
    pub(super) rejects: Rejects,
    /// Collects the keys of records, if they are found.
    keys: Option<&'k mut dyn KeySink>,
    /// Why the run ends before the end of the inputs.
    pub(super) stopped: Option<String>,
}

/// The place of a part of an input: the input, and the number of lines or rows before the part.
pub(super) struct PartPlace {
    pub(super) input: usize,
    pub(super) line: u64,
}

/// Collects the keys of records, in their order.
pub(super) trait KeySink: Send {
    /// Collects the keys of a part of an input.
    fn take(&mut self, place: &PartPlace, outcome: &Outcome) -> Result<(), Error>;

    /// Whether the text of an input is stored.
    fn keeps_text(&self, input: usize) -> bool;

    /// Stores the text of a chunk, which a worker has compressed.
    fn take_text(&mut self, input: usize, text: &Compressor) -> Result<(), Error>;
}

impl<'k> Ledger<'k> {
    /// An empty one, for inputs with these names.
    pub(super) fn new(names: Vec<String>, rejects: Rejects, bad: Bad) -> Self {
        let inputs = names.into_iter().map(|name| InputReport { name, ..InputReport::default() }).collect();
        Self {
            bad,
            counts: Counts::default(),
            cross_check: CrossCheck::default(),
            inputs,
            refused: Vec::new(),
            unsupported: UnsupportedNames::default(),
            rejects,
            keys: None,
            stopped: None,
        }
    }

    /// Sets what collects the keys of records.
    pub(super) fn collect_keys(&mut self, keys: Option<&'k mut dyn KeySink>) {
        self.keys = keys;
    }

    /// Stores the text of a chunk.
    pub(super) fn take_text(&mut self, input: usize, text: &Compressor) -> Result<(), Error> {
        self.keys.as_mut().map_or(Ok(()), |keys| keys.take_text(input, text))
    }

    /// Checks that every record of a part of an input is written or refused.
    pub(super) fn check(outcome: &Outcome) -> Result<(), Error> {
        if outcome.stopped { Ok(()) } else { cross_check::check_records(outcome.cross_check(), &outcome.counts) }
    }

    /// Writes reject rows of an input, each with its line from 1 and its first byte.
    pub(super) fn report<'r>(
        &mut self,
        input: usize,
        rows: impl Iterator<Item = (u64, Option<u64>, &'r Refused)>,
    ) -> Result<(), Error> {
        self.rejects.report(&self.inputs[input].name, rows)
    }

    /// Takes the keys and counts of a part of an input.
    pub(super) fn take(&mut self, input: usize, outcome: &Outcome) -> Result<(), Error> {
        rejects::remember_first(&mut self.refused, &outcome.rows);
        self.unsupported.take(&outcome.rows);
        if let Some(keys) = &mut self.keys {
            keys.take(&PartPlace { input, line: self.inputs[input].lines }, outcome)?;
        }
        self.count(input, outcome);
        Ok(())
    }

    /// Adds the counts of a part of an input.
    pub(super) fn count(&mut self, input: usize, outcome: &Outcome) {
        self.counts.add(&outcome.counts);
        self.cross_check.add(outcome.cross_check());
        let input = &mut self.inputs[input];
        input.lines += outcome.counts.lines;
        input.records += outcome.counts.records;
        input.rejected += outcome.counts.rejected;
    }

    /// Ends the run at a bad record. `number` is that of its line or row, called `unit`.
    pub(super) fn stop_at(&mut self, input: usize, unit: &str, number: u64, row: &Refused) {
        self.stopped = Some(format!("{}: {unit} {number}: {}", self.inputs[input].name, row.reject));
    }

    /// Checks that no record of the run is lost, unless it was stopped.
    pub(super) fn check_all(&self) -> Result<(), Error> {
        if self.stopped.is_some() { Ok(()) } else { cross_check::check_records(self.cross_check, &self.counts) }
    }

    /// Ends the run, after `bytes` were written: syncs the outputs, which are not in their final places yet.
    pub(super) fn end(
        mut self,
        mut output: Output,
        mut solved: Option<Output>,
        bytes: u64,
    ) -> Result<PendingOutputs, Error> {
        self.counts.bytes_out = bytes;
        if self.stopped.is_none() {
            output.sync()?;
        }
        solved.as_mut().map_or(Ok(()), Output::sync)?;
        self.rejects.sync()?;
        let report = Report { unsupported: self.unsupported, ..Report::new(self.counts, self.inputs, self.refused) };
        Ok(PendingOutputs { report, output, solved, rejects: self.rejects, stopped: self.stopped })
    }
}
