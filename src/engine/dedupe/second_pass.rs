//! Runs the second pass: workers pull chunks, number the records in turn, copy those that are kept, and write them in
//! turn.

use std::path::Path;

use super::buckets::Triple;
use super::classes::{FactReader, Marks};
use super::copier::{ChunkRecords, RecordCopier};
use super::groups::Groups;
use crate::engine::appended::AppendedColumn;
use crate::engine::compressor::Compressor;
use crate::engine::progress::Progress;
use crate::engine::resources::PreparedRun;
use crate::engine::run::Convert;
use crate::engine::survey::Survey;
use crate::engine::text_output::TextOutput;
use crate::error::Error;
use crate::formats::Text;
use crate::framing::Rows;
use crate::output::Output;
use crate::output::order::Turnstile;
use crate::source::{Chunk, LARGE, Source};

/// The settings of the second pass.
pub(super) struct SecondPass<'s> {
    pub(super) marks: &'s Marks,
    pub(super) invert: bool,
    pub(super) count: Option<&'s AppendedColumn>,
    /// The number of the first record, which is the number of records in other files; and how many records follow.
    pub(super) others: u64,
    pub(super) numbered: u64,
}

/// The numbering of records, which is done in turn.
struct Numbers {
    next: u64,
    facts: Option<FactReader>,
}

/// The outputs, which are written in turn.
struct PassWriter {
    output: TextOutput,
    groups: Option<Groups>,
    error: Option<Error>,
}

impl SecondPass<'_> {
    /// Reads the inputs again through `source` (the first pass read them through `first`), and writes the records that
    /// are kept. Returns the outputs, and the number of bytes written before compression.
    pub(super) fn run(
        &self,
        run: &Convert,
        first: &PreparedRun,
        source: &Source,
        (output, level): (Output, Option<i32>),
        groups: Option<Groups>,
        facts: Option<FactReader>,
    ) -> Result<(Output, Option<Output>, u64), Error> {
        let output = TextOutput::new(output, level.map(Compressor::new).transpose()?);
        let outputs = PassWriter { output, groups, error: None };
        let (numbers, outputs) = (Turnstile::new(Numbers { next: 0, facts }), Turnstile::new(outputs));
        let copier = RecordCopier {
            framing: run.framing_of(),
            plan: run.plan(),
            kernel: first.kernel,
            marks: self.marks,
            invert: self.invert,
            count: self.count,
        };
        let survey = Survey::new(source, false);
        let progress = run.progress_of();
        let shared =
            SharedState { pass: self, copier, source, survey: &survey, numbers: &numbers, outputs: &outputs, progress };
        first.workers.run_on_all(|| shared.work(level))?;
        let (numbers, outputs) = (numbers.into_inner(), outputs.into_inner());
        let is_same = || source.unchanged().and_then(|()| same_text(&first.source, source));
        if let Some(error) = outputs.error {
            // Numbers that do not match are an internal error only if the text is the same as in the first pass.
            if matches!(error, Error::Internal(_)) {
                is_same()?;
            }
            return Err(error);
        }
        is_same()?;
        if numbers.next != self.numbered {
            let words = format!("{} records were found, and then {}", self.numbered, numbers.next);
            return Err(Error::Internal(words));
        }
        let bytes = outputs.output.bytes();
        Ok((outputs.output.end(true)?, outputs.groups.map(Groups::end).transpose()?, bytes))
    }
}

struct SharedState<'j, 's> {
    pass: &'j SecondPass<'j>,
    copier: RecordCopier<'j>,
    source: &'j Source,
    survey: &'j Survey<'s>,
    numbers: &'j Turnstile<Numbers>,
    outputs: &'j Turnstile<PassWriter>,
    progress: Option<&'j Progress>,
}

impl SharedState<'_, '_> {
    fn work(&self, level: Option<i32>) -> Result<(), Error> {
        let (_one, _other) = (self.numbers.watch(), self.outputs.watch());
        let (mut rows, mut text, mut buffer) = (Rows::default(), Text::new(), Vec::new());
        let mut frames = level.map(Compressor::new).transpose()?;
        while let Some(surveyed) = self.survey.next(std::mem::take(&mut buffer)) {
            let pulled = surveyed.pulled;
            if pulled.sequence == u64::MAX {
                // Another worker panicked while it was reading, so this chunk has no turn.
                self.numbers.stop();
                self.outputs.stop();
                return pulled.chunk.map(drop);
            }
            let found = pulled.chunk.map(|chunk| (self.copier.find(&chunk, &mut rows), chunk));
            let Ok(mut turn) = self.numbers.wait(pulled.sequence) else { break };
            let numbered = found.and_then(|(found, chunk)| {
                let first = turn.next;
                turn.next += found.records().count() as u64;
                let end = turn.next + self.pass.others;
                if turn.next > self.pass.numbered {
                    return Err(Error::Internal("more records were found than before".into()));
                }
                let facts = turn.facts.as_mut().map(|facts| facts.until(end)).transpose()?;
                Ok((chunk, found, first, facts.unwrap_or_default()))
            });
            drop(turn);
            let copied = numbered.and_then(|(chunk, found, first, facts)| {
                self.copier.copy(&chunk, &found, first, &facts, self.pass.others, &mut text);
                if let Some(frames) = &mut frames {
                    frames.compress(text.as_slice())?;
                }
                Ok((chunk, found, first, facts))
            });
            let Ok(mut turn) = self.outputs.wait(pulled.sequence) else { break };
            let written = copied.and_then(|(chunk, found, first, facts)| {
                turn.output.write(chunk.input, text.as_slice(), frames.as_ref())?;
                turn.note(&chunk, &found, first + self.pass.others, &facts)?;
                Ok(chunk)
            });
            match written {
                Ok(chunk) if chunk.text().len() <= LARGE => buffer = chunk.into_buffer(),
                Ok(_) => text = Text::new(),
                Err(error) => {
                    turn.error = Some(error);
                    turn.stop();
                    self.numbers.stop();
                    self.source.stop();
                    break;
                }
            }
            if let Some(progress) = self.progress {
                progress.take(self.source.bytes_taken());
            }
        }
        Ok(())
    }
}

impl PassWriter {
    /// Writes a row for each record of a chunk that is left out. The first record of the chunk has the number `first`.
    fn note(&mut self, chunk: &Chunk, found: &ChunkRecords, first: u64, facts: &[Triple]) -> Result<(), Error> {
        let Some(groups) = &mut self.groups else { return Ok(()) };
        let mut facts = facts.iter().filter(|fact| fact[0] != fact[1]).peekable();
        for (number, span) in (first..).zip(found.records()) {
            if let Some(fact) = facts.next_if(|fact| fact[0] == number) {
                groups.row(fact, Some(chunk.offset + span.start() as u64))?;
            }
        }
        groups.write()
    }
}

/// Checks that the second pass reads the same text as the first: the same files, unchanged.
fn same_text(first: &Source, second: &Source) -> Result<(), Error> {
    first.unchanged()?;
    match second.identities().iter().all(|id| first.identities().contains(id)) {
        true => Ok(()),
        false => Err(Error::file(Path::new("<inputs>"), "were replaced by other files in the meantime; run again")),
    }
}
