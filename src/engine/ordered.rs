//! Does the work of a run that must happen in order: writes, numbers lines, reports rejects, and counts.

use std::ops::ControlFlow;

use super::chunk_bounds::ChunkBounds;
use super::compressor::Compressor;
use super::cross_check;
use super::ledger::{KeySink, Ledger};
use super::outcome::{Outcome, TableHeader};
use super::rejects::{self, Rejects, RejectsAs, unless_closed};
use super::resources::PendingOutputs;
use super::text_output::TextOutput;
use crate::board::Side;
use crate::convert::{Bad, too_long};
use crate::error::{Error, Position, Refused, shown_path};
use crate::framing::{Line, MAX_LINE, is_no_record, line_at, too_long_row};
use crate::output::Output;
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
    ledger: Ledger<'a>,
    rejects_as: RejectsAs,
    /// [`Report::unread`](super::report::Report::unread).
    unread: Vec<u8>,
    solved: Option<Output>,
    /// The number of bytes of each input that were processed.
    read: Vec<u64>,
    current: usize,
    overlong: Option<Overlong>,
    /// That of the first input that has one.
    header: Option<TableHeader>,
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
        let names = (0..source.inputs()).map(|i| shown_path(source.path(i))).collect();
        Ok(Self {
            source,
            output,
            ledger: Ledger::new(names, rejects, bad),
            rejects_as: RejectsAs::Report,
            unread: Vec::new(),
            solved,
            read: vec![0; source.inputs()],
            current: 0,
            overlong: None,
            header: None,
        })
    }

    /// Sets the form in which refused records are written.
    pub(super) fn write_rejects_as(&mut self, rejects_as: RejectsAs) {
        self.rejects_as = rejects_as;
    }

    /// Sets what collects the keys of records.
    pub(super) fn collect_keys(&mut self, keys: Option<&'a mut dyn KeySink>) {
        self.ledger.collect_keys(keys);
    }

    /// Stores the text of a chunk.
    pub(super) fn take_text(&mut self, input: usize, text: &Compressor) -> Result<(), Error> {
        self.ledger.take_text(input, text)
    }

    /// Whether the run ends before the end of the inputs.
    pub(super) fn is_over(&self) -> bool {
        self.ledger.stopped.is_some()
    }

    /// Begins a chunk's turn. Returns `Break` if the run does not continue.
    pub(super) fn begin_chunk(&mut self, chunk: &Chunk, bounds: &ChunkBounds) -> Result<ControlFlow<()>, Error> {
        if chunk.input != self.current {
            self.end_overlong()?;
            self.current = chunk.input;
        }
        let read = &mut self.read[self.current];
        cross_check::check_contiguous(chunk.shape.offset, *read)?;
        *read += chunk.text().len() as u64;
        if let Some(lines) = chunk.unclosed() {
            return Err(self.unclosed(lines));
        }
        if chunk.shape.continues {
            // The line ends in this chunk unless all of the chunk belongs to it. (A line end that ends the chunk may be
            // between quotes.)
            let ended = bounds.head < chunk.text().len() || !chunk.shape.open;
            self.continue_overlong(&chunk.text()[..bounds.head], ended)?;
        }
        let stopping = self.is_over() || self.ledger.bad == Bad::Stop && self.overlong.is_some();
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
        Ledger::check(outcome)?;
        self.compare_headers(outcome)?;
        self.output.write(self.current, outcome.written(chunk), frames)?;
        let line = self.lines();
        let byte = chunk.shape.offset + start as u64;
        let places = outcome.rows.iter().map(|row| (line + row.line + 1, byte + row.at as u64, row));
        match self.rejects_as {
            RejectsAs::Report => self.report(places)?,
            RejectsAs::Rows => self.write_rows(places, &chunk.text()[start..])?,
        }
        self.list(line, outcome)?;
        self.ledger.take(self.current, outcome)?;
        if self.ledger.counts.records == 0 {
            let header = outcome.header.as_ref().map_or(0, |header| header.text.len());
            remember_unread(&mut self.unread, &chunk.text()[start + header..]);
        }
        if outcome.stopped {
            self.stop_at(outcome.rows.last(), line);
        }
        Ok(())
    }

    /// Ends a chunk's turn, after its last part.
    pub(super) fn end_chunk(&mut self, chunk: &Chunk, bounds: &ChunkBounds, last: &Outcome) {
        if !last.stopped && chunk.shape.open && !(chunk.shape.continues && bounds.head == chunk.text().len()) {
            self.begin_overlong(chunk, bounds.tail);
        }
    }

    /// The error for a quote that is never closed: it opens this many lines after the start of the current row.
    fn unclosed(&self, lines: u64) -> Error {
        let row = self.overlong.as_ref().map_or(self.lines(), |row| row.line);
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
        if self.header.get_or_insert_with(|| header.clone()).names == header.names {
            return Ok(());
        }
        let message =
            "its header differs from that of the first input; convert tables with different columns separately";
        Err(Error::file(self.source.path(self.current), message))
    }

    /// The number of lines of the current input so far.
    fn lines(&self) -> u64 {
        self.ledger.inputs[self.current].lines
    }

    /// Writes reject rows, each with its line and its first byte in the input.
    fn report<'r>(&mut self, rows: impl Iterator<Item = (u64, u64, &'r Refused)>) -> Result<(), Error> {
        let rows = rows.map(|(line, byte, row)| (line, Some(byte), row));
        self.ledger.report(self.current, rows)
    }

    /// Writes refused records unchanged, as they are in `text`.
    fn write_rows<'r>(
        &mut self,
        rows: impl Iterator<Item = (u64, u64, &'r Refused)>,
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
            if self.ledger.rejects.begin() {
                let header = self.header.as_ref().map_or(&b""[..], |header| &header.text);
                out.extend_from_slice(header);
                out.extend_from_slice(if header.is_empty() || header.ends_with(b"\n") { b"" } else { b"\n" });
            }
            out.extend_from_slice(&row.record);
            out.extend_from_slice(rejects::line_end(&text[row.at + row.record.len()..]));
            if out.len() >= rejects::FLUSH_BYTES {
                self.ledger.rejects.write(&out)?;
                out.clear();
            }
        }
        if out.is_empty() { Ok(()) } else { self.ledger.rejects.write(&out) }
    }

    /// The error for a refused record that cannot be written unchanged, because it is too long to be stored.
    fn not_whole(&self, line: u64) -> Error {
        let message = format!("line {line} is too long for --rejects-as rows; leave out the flag, or remove the line");
        Error::file(self.source.path(self.current), message)
    }

    /// Lists solved cells.
    fn list(&mut self, line: u64, outcome: &Outcome) -> Result<(), Error> {
        let Some(list) = &mut self.solved else { return Ok(()) };
        let name = &self.ledger.inputs[self.current].name;
        let mut text = String::new();
        for solved in &outcome.solved {
            let cell = Position::of(solved.cell.into(), Side::new(solved.side.into()).map_or(9, Side::get));
            text.push_str(&format!("{name}\t{}\t{cell}\n", line + solved.line + 1));
        }
        unless_closed(list.write(text.as_bytes()))
    }

    fn stop_at(&mut self, row: Option<&Refused>, line: u64) {
        if let Some(row) = row {
            self.ledger.stop_at(self.current, "line", line + row.line + 1, row);
        }
    }

    fn begin_overlong(&mut self, chunk: &Chunk, tail: usize) {
        let part = &chunk.text()[tail..];
        self.overlong = Some(Overlong {
            line: self.lines(),
            byte: chunk.shape.offset + tail as u64,
            first: part[..part.len().min(Refused::SHOWN)].to_vec(),
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
        let reject = if self.source.longest_line() == MAX_LINE { too_long(&line.first) } else { too_long_row() };
        if self.rejects_as == RejectsAs::Rows {
            return Err(self.not_whole(line.line + 1));
        }
        let too_long = Some(line.length);
        let row = Refused { line: line.line, at: 0, reject, record: line.first.into(), too_long, warning: false };
        self.report(std::iter::once((line.line + 1, line.byte, &row)))?;
        let mut outcome = Outcome::default();
        (outcome.counts.lines, outcome.counts.records) = (1 + line.lines, 1);
        outcome.counts.reject(row.reject.code);
        outcome.cross_check.found = 1;
        outcome.rows.push(row.clone());
        self.ledger.count(self.current, &outcome);
        if self.ledger.bad == Bad::Stop {
            self.stop_at(Some(&row), 0);
        }
        Ok(())
    }

    /// Writes what is still missing, and syncs the outputs. They are not in their final places yet.
    pub(super) fn end(mut self) -> Result<PendingOutputs, Error> {
        if !self.is_over() {
            self.end_overlong()?;
            self.source.unchanged()?;
            self.ledger.check_all()?;
            cross_check::check_all_processed(self.source.text_bytes(), self.read.iter().sum())?;
        }
        let (bytes, is_whole) = (self.output.bytes(), !self.is_over());
        let mut done = self.ledger.end(self.output.end(is_whole)?, self.solved, bytes)?;
        done.report.unread = self.unread;
        Ok(done)
    }
}

/// The most bytes of [`Report::unread`](super::report::Report::unread).
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

#[cfg(test)]
mod tests;
