//! Does the work of a run that must happen in order: writes, numbers lines, reports rejects, and counts.

use std::ops::ControlFlow;

use super::chunk_bounds::ChunkBounds;
use super::compressor::Compressor;
use super::cross_check::{self, CrossCheck};
use super::outcome::{Outcome, RejectRow, SHOWN};
use super::rejects::{self, Rejects, RejectsAs, unless_closed};
use super::report::{InputReport, RefusedRecord, Report};
use super::text_output::TextOutput;
use crate::board::Side;
use crate::convert::{Bad, Counts, too_long};
use crate::error::{Error, Position, escape};
use crate::framing::{Line, MAX_LINE, is_no_record, line_at, too_long_row};
use crate::output::{LazyFile, Output, finish_together};
use crate::source::{Chunk, Source};

/// A line that is longer than a chunk. Its row is written when its end, and therefore its length, is known.
struct Overlong {
    line: u64,
    byte: u64,
    first: Vec<u8>,
    length: u64,
    /// The last byte so far. It does not count if it is a CR before the LF.
    last: u8,
    /// The number of line ends between quotes.
    lines: u64,
}

/// The state that is used in turn.
pub(super) struct Ordered<'a> {
    source: &'a Source,
    output: TextOutput,
    rejects: Rejects,
    rejects_as: RejectsAs,
    any_rejects: bool,
    /// The first refused records.
    refused: Vec<RefusedRecord>,
    /// [`Report::unread`].
    unread: Vec<u8>,
    solved: Option<Output>,
    bad: Bad,
    counts: Counts,
    cross_check: CrossCheck,
    inputs: Vec<InputReport>,
    names: Vec<String>,
    /// The number of bytes of each input that were processed.
    read: Vec<u64>,
    current: usize,
    overlong: Option<Overlong>,
    longest: usize,
    /// The header of the first input that has one.
    header: Option<Vec<u8>>,
    /// The names in it.
    header_names: Vec<u8>,
    /// Collects the keys of records, if they are found.
    keys: Option<&'a mut dyn KeySink>,
    stopped: Option<String>,
}

/// The place of a part of a chunk: its input, and the number of lines before it in this input.
pub(super) struct PartPlace {
    pub(super) input: usize,
    pub(super) line: u64,
}

/// Collects the keys of records, in their order.
pub(super) trait KeySink: Send {
    /// Collects the keys of a part of a chunk.
    fn take(&mut self, place: &PartPlace, outcome: &Outcome) -> Result<(), Error>;

    /// Whether the text of an input is stored.
    fn keeps_text(&self, input: usize) -> bool;

    /// Stores the text of a chunk, which a worker has compressed.
    fn take_text(&mut self, input: usize, text: &Compressor) -> Result<(), Error>;
}

impl<'a> Ordered<'a> {
    pub(super) fn new(
        source: &'a Source,
        output: TextOutput,
        rejects: Rejects,
        mut solved: Option<Output>,
        bad: Bad,
    ) -> Result<Self, Error> {
        if let Some(solved) = &mut solved {
            unless_closed(solved.write(b"input\tline\tcell\n"))?;
        }
        let names: Vec<_> =
            (0..source.inputs()).map(|i| escape(source.path(i).as_os_str().as_encoded_bytes())).collect();
        let inputs = names.iter().map(|name| InputReport { name: name.clone(), ..InputReport::default() }).collect();
        Ok(Self {
            source,
            output,
            rejects,
            rejects_as: RejectsAs::Report,
            any_rejects: false,
            refused: Vec::new(),
            unread: Vec::new(),
            solved,
            bad,
            counts: Counts::default(),
            cross_check: CrossCheck::default(),
            read: vec![0; names.len()],
            inputs,
            names,
            current: 0,
            overlong: None,
            longest: MAX_LINE,
            header: None,
            header_names: Vec::new(),
            keys: None,
            stopped: None,
        })
    }

    /// Sets the maximum length of records, which is [`MAX_LINE`] otherwise.
    pub(super) fn expect_longest(&mut self, bytes: usize) {
        self.longest = bytes;
    }

    /// Sets the form in which refused records are written, and whether an earlier pass has written some.
    pub(super) fn write_rejects_as(&mut self, rejects_as: RejectsAs, any_rejects: bool) {
        self.any_rejects = any_rejects;
        self.rejects_as = rejects_as;
    }

    /// Sets what collects the keys of records.
    pub(super) fn collect_keys(&mut self, keys: Option<&'a mut dyn KeySink>) {
        self.keys = keys;
    }

    /// Stores the text of a chunk.
    pub(super) fn take_text(&mut self, input: usize, text: &Compressor) -> Result<(), Error> {
        self.keys.as_mut().map_or(Ok(()), |keys| keys.take_text(input, text))
    }

    /// Whether the run ends before the end of the inputs.
    pub(super) fn is_over(&self) -> bool {
        self.stopped.is_some()
    }

    /// Begins a chunk's turn. Returns `Break` if the run does not continue.
    pub(super) fn begin_chunk(&mut self, chunk: &Chunk, bounds: &ChunkBounds) -> Result<ControlFlow<()>, Error> {
        if chunk.input != self.current {
            self.end_overlong()?;
            self.current = chunk.input;
        }
        let read = &mut self.read[self.current];
        cross_check::check_contiguous(chunk.offset, *read)?;
        *read += chunk.text().len() as u64;
        if let Some(lines) = chunk.unclosed() {
            return Err(self.unclosed(lines));
        }
        if chunk.continues {
            // The line ends in this chunk unless all of the chunk belongs to it. (A line end that ends the chunk may be
            // between quotes.)
            let ended = bounds.head < chunk.text().len() || !chunk.open;
            self.continue_overlong(&chunk.text()[..bounds.head], ended)?;
        }
        let stopping = self.stopped.is_some() || self.bad == Bad::Stop && self.overlong.is_some();
        // Under `--bad stop`, the rest of the run was only needed for the end of the overlong line.
        Ok(if stopping { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Writes and counts the outcome of the part of the chunk that begins at `start`.
    pub(super) fn take(
        &mut self,
        chunk: &Chunk,
        start: usize,
        outcome: &Outcome,
        frames: Option<&Compressor>,
    ) -> Result<(), Error> {
        if !outcome.stopped {
            cross_check::check_records(outcome.cross_check(), &outcome.counts)?;
        }
        self.compare_headers(outcome)?;
        self.output.write(self.current, outcome.written(chunk), frames)?;
        let line = self.inputs[self.current].lines;
        let byte = chunk.offset + start as u64;
        let places = outcome.rows.iter().map(|row| (line + row.line + 1, byte + row.at as u64, row));
        match self.rejects_as {
            RejectsAs::Report => self.report(places)?,
            RejectsAs::Rows => self.write_rows(places, &chunk.text()[start..])?,
        }
        rejects::remember_first(&mut self.refused, &outcome.rows);
        self.list(line, outcome)?;
        if let Some(keys) = &mut self.keys {
            keys.take(&PartPlace { input: self.current, line }, outcome)?;
        }
        self.count(outcome);
        if self.counts.records == 0 {
            let header = outcome.header.as_ref().map_or(0, Vec::len);
            remember_unread(&mut self.unread, &chunk.text()[start + header..]);
        }
        if outcome.stopped {
            self.stop_at(outcome.rows.last(), line);
        }
        Ok(())
    }

    /// Ends a chunk's turn, after its last part.
    pub(super) fn end_chunk(&mut self, chunk: &Chunk, bounds: &ChunkBounds, last: &Outcome) {
        if !last.stopped && chunk.open && !(chunk.continues && bounds.head == chunk.text().len()) {
            self.begin_overlong(chunk, bounds.tail);
        }
    }

    /// The error for a quote that is never closed: it opens this many lines after the start of the current row.
    fn unclosed(&self, lines: u64) -> Error {
        let row = self.overlong.as_ref().map_or(self.inputs[self.current].lines, |row| row.line);
        let message = format!(
            "line {}: a quote opens there and is not closed where a row may end, and no later line begins rows with as many \
             fields as the first one; repair it, or use --framing tsv and --delimiter, where quotes have no meaning",
            row + lines + 1
        );
        Error::file(self.source.path(self.current), message)
    }

    /// Checks that all headers are the same: several inputs are one table.
    fn compare_headers(&mut self, outcome: &Outcome) -> Result<(), Error> {
        let Some(header) = &outcome.header else { return Ok(()) };
        if self.header.is_none() {
            (self.header, self.header_names) = (Some(header.clone()), outcome.names.clone());
        }
        if self.header_names == outcome.names {
            return Ok(());
        }
        let message =
            "its header differs from that of the first input; convert tables with different columns separately";
        Err(Error::file(self.source.path(self.current), message))
    }

    fn count(&mut self, outcome: &Outcome) {
        self.counts.add(&outcome.counts);
        self.cross_check.add(outcome.cross_check());
        let input = &mut self.inputs[self.current];
        input.lines += outcome.counts.lines;
        input.records += outcome.counts.records;
        input.rejected += outcome.counts.rejected;
    }

    /// Writes reject rows, each with its line and its first byte in the input.
    fn report<'r>(&mut self, rows: impl Iterator<Item = (u64, u64, &'r RejectRow)>) -> Result<(), Error> {
        let rows = rows.map(|(line, byte, row)| (line, Some(byte), row));
        self.rejects.report(&mut self.any_rejects, &self.names[self.current], rows)
    }

    /// Writes refused records unchanged, as they are in `text`.
    fn write_rows<'r>(
        &mut self,
        rows: impl Iterator<Item = (u64, u64, &'r RejectRow)>,
        text: &[u8],
    ) -> Result<(), Error> {
        let (mut out, mut last) = (Vec::new(), None);
        for (line, _, row) in rows.filter(|(_, _, row)| !row.warning) {
            if last.replace(row.at) == Some(row.at) {
                continue;
            }
            if row.too_long.is_some() {
                return Err(self.not_whole(line));
            }
            if !self.any_rejects {
                self.any_rejects = true;
                let header = self.header.as_deref().unwrap_or_default();
                out.extend_from_slice(header);
                out.extend_from_slice(if header.is_empty() || header.ends_with(b"\n") { b"" } else { b"\n" });
            }
            out.extend_from_slice(&row.record);
            out.extend_from_slice(rejects::line_end(&text[row.at + row.record.len()..]));
            if out.len() >= rejects::FLUSH_BYTES {
                self.rejects.write(&out)?;
                out.clear();
            }
        }
        if out.is_empty() { Ok(()) } else { self.rejects.write(&out) }
    }

    /// The error for a refused record that cannot be written unchanged, because it is too long to be stored.
    fn not_whole(&self, line: u64) -> Error {
        let message = format!("line {line} is too long for --rejects-as rows; leave out the flag, or remove the line");
        Error::file(self.source.path(self.current), message)
    }

    /// Lists solved cells.
    fn list(&mut self, line: u64, outcome: &Outcome) -> Result<(), Error> {
        let Some(list) = &mut self.solved else { return Ok(()) };
        let mut text = String::new();
        for solved in &outcome.solved {
            let cell = Position::of(solved.cell.into(), Side::new(solved.side.into()).map_or(9, Side::get));
            text.push_str(&format!("{}\t{}\t{cell}\n", self.names[self.current], line + solved.line + 1));
        }
        unless_closed(list.write(text.as_bytes()))
    }

    fn stop_at(&mut self, row: Option<&RejectRow>, line: u64) {
        let Some(row) = row else { return };
        let name = &self.names[self.current];
        self.stopped = Some(format!("{name}: line {}: {}", line + row.line + 1, row.reject));
    }

    fn begin_overlong(&mut self, chunk: &Chunk, tail: usize) {
        let part = &chunk.text()[tail..];
        self.overlong = Some(Overlong {
            line: self.inputs[self.current].lines,
            byte: chunk.offset + tail as u64,
            first: part[..part.len().min(SHOWN)].to_vec(),
            length: part.len() as u64,
            last: part.last().copied().unwrap_or(0),
            lines: memchr::memchr_iter(b'\n', part).count() as u64,
        });
    }

    /// Adds to an overlong line, and ends it if its line end is in this chunk.
    fn continue_overlong(&mut self, part: &[u8], ended: bool) -> Result<(), Error> {
        let Some(line) = &mut self.overlong else { return Ok(()) };
        line.lines += memchr::memchr_iter(b'\n', part).count() as u64;
        match part.strip_suffix(b"\n").filter(|_| ended) {
            None => {
                line.length += part.len() as u64;
                line.last = part.last().copied().unwrap_or(line.last);
                Ok(())
            }
            Some(end) => {
                line.length += end.len() as u64;
                line.last = end.last().copied().unwrap_or(line.last);
                line.length -= u64::from(line.last == b'\r');
                line.lines -= 1;
                self.end_overlong()
            }
        }
    }

    /// Writes the row of an overlong line, whose end has been reached.
    fn end_overlong(&mut self) -> Result<(), Error> {
        let Some(line) = self.overlong.take() else { return Ok(()) };
        let reject = if self.longest == MAX_LINE { too_long(&line.first) } else { too_long_row() };
        if self.rejects_as == RejectsAs::Rows {
            return Err(self.not_whole(line.line + 1));
        }
        let too_long = Some(line.length);
        let row = RejectRow { line: line.line, at: 0, reject, record: line.first.into(), too_long, warning: false };
        self.report(std::iter::once((line.line + 1, line.byte, &row)))?;
        let mut outcome = Outcome::default();
        (outcome.counts.lines, outcome.counts.records) = (1 + line.lines, 1);
        outcome.counts.reject(row.reject.code);
        outcome.cross_check.found = 1;
        outcome.rows.push(row.clone());
        self.count(&outcome);
        if self.bad == Bad::Stop {
            self.stop_at(Some(&row), 0);
        }
        Ok(())
    }

    /// Writes what is still missing, and syncs the outputs. They are not in their final places yet.
    pub(super) fn end(mut self) -> Result<PendingOutputs, Error> {
        if self.stopped.is_none() {
            self.end_overlong()?;
            self.source.unchanged()?;
            cross_check::check_records(self.cross_check, &self.counts)?;
            cross_check::check_all_processed(self.source.text_bytes(), self.read.iter().sum())?;
        }
        self.counts.bytes_out = self.output.bytes();
        let mut output = self.output.end(self.stopped.is_none())?;
        if self.stopped.is_none() {
            output.sync()?;
        }
        self.solved.as_mut().map_or(Ok(()), Output::sync)?;
        self.rejects.sync()?;
        let mut report = Report::new(self.counts, self.inputs, self.refused);
        report.unread = self.unread;
        Ok(PendingOutputs {
            report,
            output,
            solved: self.solved,
            rejects: self.rejects,
            any_rejects: self.any_rejects,
            stopped: self.stopped,
        })
    }
}

/// The most bytes of [`Report::unread`].
const UNREAD: usize = 64 << 10;

/// Adds text without a record to the text that is remembered, which begins with a line that says something.
fn remember_unread(unread: &mut Vec<u8>, text: &[u8]) {
    let lines = std::iter::successors(line_at(text, 0), |line| line_at(text, line.next));
    let says_something = |line: &Line| {
        let line = &text[line.start..line.end];
        !is_no_record(line, false) && !line.trim_ascii().is_empty()
    };
    let first = if unread.is_empty() { lines.filter(says_something).map(|line| line.start).next() } else { Some(0) };
    let text = &text[first.unwrap_or(text.len())..];
    unread.extend_from_slice(&text[..text.len().min(UNREAD - unread.len())]);
}

/// A run whose outputs are written, but not in their final places yet.
pub(super) struct PendingOutputs {
    /// The report, as far as it is known here.
    pub(super) report: Report,
    pub(super) output: Output,
    solved: Option<Output>,
    rejects: Rejects,
    any_rejects: bool,
    stopped: Option<String>,
}

impl PendingOutputs {
    /// The results of a run on files with columns.
    pub(super) fn of_columns(
        report: Report,
        output: Output,
        (rejects, any_rejects): (Rejects, bool),
        stopped: Option<String>,
    ) -> Self {
        Self { report, output, solved: None, rejects, any_rejects, stopped }
    }

    /// Returns the report and, for the next pass, where rejects go and whether there are some.
    pub(super) fn into_parts(self) -> Result<(Report, Rejects, bool), Error> {
        match self.stopped {
            None => Ok((self.report, self.rejects, self.any_rejects)),
            Some(_) => self.finish(None).map(|report| (report, Rejects::Nowhere, false)),
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

#[cfg(test)]
mod tests;
