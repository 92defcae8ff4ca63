//! The second pass: workers pull chunks, number the records in turn, copy those that are kept, and write them in turn.

use std::path::Path;

use super::classes::FactReader;
use super::copier::{ChunkRecords, NumberedRecords, RecordCopier};
use super::groups::GroupWriter;
use crate::engine::compressor::Compressor;
use crate::engine::driver::{self, Container, End, NextPortion, Seat, Turns};
use crate::engine::progress::Progress;
use crate::engine::survey::Survey;
use crate::engine::text_output::TextOutput;
use crate::engine::threads::Threads;
use crate::error::Error;
use crate::formats::Text;
use crate::framing::Rows;
use crate::output::Output;
use crate::source::{Chunk, LARGE, Source};

/// The settings of the second pass.
pub(super) struct SecondPass<'s> {
    /// The source that the first pass has read.
    pub(super) first: &'s Source,
    /// The same inputs again.
    pub(super) source: &'s Source,
    pub(super) copier: RecordCopier<'s>,
    /// How many records the first pass has found.
    pub(super) numbered: u64,
    pub(super) level: Option<i32>,
    pub(super) progress: Option<&'s Progress>,
}

/// The numbering of records, which is done in turn.
pub(super) struct Numbers {
    next: u64,
    facts: Option<FactReader>,
}

impl Numbers {
    pub(super) fn new(facts: Option<FactReader>) -> Self {
        Self { next: 0, facts }
    }
}

/// The outputs, which are written in turn.
pub(super) struct PassWriter {
    output: TextOutput,
    groups: Option<GroupWriter>,
}

/// The memory of a worker.
#[derive(Default)]
pub(super) struct CopyWorker {
    rows: Rows,
    text: Text,
    frames: Option<Compressor>,
    /// The chunk that was written last.
    written: Option<Chunk>,
}

impl SecondPass<'_> {
    /// Reads the inputs again, and writes the records that are kept. Returns the outputs, and the number of bytes written
    /// before compression.
    pub(super) fn run(
        &self,
        workers: &Threads,
        mut numbers: Numbers,
        (output, groups): (Output, Option<GroupWriter>),
    ) -> Result<(Output, Option<Output>, u64), Error> {
        let output = TextOutput::new(output, self.level.map(Compressor::new).transpose()?);
        let survey = Survey::new(self.source, false);
        let pass = CopyPass { settings: self, survey: &survey };
        let written = driver::run(&pass, workers, self.progress, PassWriter { output, groups }, &mut numbers);
        let is_same = || self.source.unchanged().and_then(|()| same_text(self.first, self.source));
        // Numbers that do not match are an internal error only if the text is the same as in the first pass.
        if written.as_ref().err().is_none_or(|error| matches!(error, Error::Internal(_))) {
            is_same()?;
        }
        let written = written?;
        if numbers.next != self.numbered {
            let words = format!("{} records were found, and then {}", self.numbered, numbers.next);
            return Err(Error::Internal(words));
        }
        let bytes = written.output.bytes();
        Ok((written.output.end(true)?, written.groups.map(GroupWriter::end).transpose()?, bytes))
    }

    /// Numbers the records of the next chunk.
    fn number(&self, numbers: &mut Numbers, found: ChunkRecords) -> Result<NumberedRecords, Error> {
        let first = numbers.next;
        numbers.next += found.records().count() as u64;
        let end = numbers.next + self.copier.others;
        if numbers.next > self.numbered {
            return Err(Error::Internal("more records were found than before".into()));
        }
        let facts = numbers.facts.as_mut().map(|facts| facts.until(end)).transpose()?;
        Ok(NumberedRecords { found, first, facts: facts.unwrap_or_default() })
    }
}

struct CopyPass<'j, 's> {
    settings: &'j SecondPass<'j>,
    survey: &'j Survey<'s>,
}

impl Container<PassWriter, &mut Numbers> for CopyPass<'_, '_> {
    type Worker = CopyWorker;
    type Portion = Chunk;

    fn worker(&self) -> Result<CopyWorker, Error> {
        let frames = self.settings.level.map(Compressor::new).transpose()?;
        Ok(CopyWorker { frames, ..CopyWorker::default() })
    }

    fn next(&self, worker: &mut CopyWorker, _: &mut Seat) -> Option<NextPortion<'_, Chunk>> {
        let buffer = match worker.written.take() {
            Some(chunk) if chunk.text().len() <= LARGE => chunk.into_buffer(),
            Some(_) => {
                worker.text = Text::new();
                Vec::new()
            }
            None => Vec::new(),
        };
        let pulled = self.survey.next(buffer)?.pulled;
        Some(NextPortion::new(pulled.sequence, pulled.chunk))
    }

    fn process(
        &self,
        worker: &mut CopyWorker,
        chunk: Chunk,
        turns: &mut Turns<'_, PassWriter, &mut Numbers>,
    ) -> Result<(), End> {
        let SecondPass { copier, .. } = self.settings;
        let found = copier.find(&chunk, &mut worker.rows);
        let records = turns.number(|numbers| self.settings.number(numbers, found))??;
        copier.copy(&chunk, &records, &mut worker.text);
        if let Some(frames) = &mut worker.frames {
            frames.compress(worker.text.as_slice())?;
        }
        let out = turns.out()?;
        out.output.write(chunk.input, worker.text.as_slice(), worker.frames.as_ref())?;
        out.note(&chunk, &records, copier.others)?;
        worker.written = Some(chunk);
        Ok(())
    }

    fn taken(&self) -> u64 {
        self.settings.source.bytes_taken()
    }

    fn stop(&self) {
        self.settings.source.stop();
    }
}

impl PassWriter {
    /// Writes a row for each record of a chunk that is left out. In the facts about records, the first one of the inputs
    /// has the number `others`.
    fn note(&mut self, chunk: &Chunk, records: &NumberedRecords, others: u64) -> Result<(), Error> {
        let Some(groups) = &mut self.groups else { return Ok(()) };
        let mut facts = records.facts.iter().filter(|fact| fact[0] != fact[1]).peekable();
        for (number, span) in (records.first + others..).zip(records.found.records()) {
            if let Some(fact) = facts.next_if(|fact| fact[0] == number) {
                groups.row(fact, Some(chunk.shape.offset + span.start() as u64))?;
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
