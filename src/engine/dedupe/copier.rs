//! Finds the records of a chunk again in the second pass, and copies those that are kept.

use std::ops::Range;

use super::buckets::Triple;
use super::classes::Marks;
use crate::convert::Conversion;
use crate::engine::appended::AppendedColumn;
use crate::engine::chunk_bounds::{ChunkBounds, mark_length};
use crate::engine::fields::piece;
use crate::engine::worker::is_between_records;
use crate::formats::Text;
use crate::framing::{Framing, Line, Rows, Value, line_at};
use crate::kernels::Kernel;
use crate::source::Chunk;

/// Copies records of chunks.
pub(super) struct RecordCopier<'c> {
    pub(super) framing: &'c dyn Framing,
    pub(super) plan: Conversion,
    pub(super) kernel: &'static Kernel,
    pub(super) marks: &'c Marks,
    /// Write the marked records, and no others.
    pub(super) invert: bool,
    /// The column with the size of each record's class, if it is appended.
    pub(super) count: Option<&'c AppendedColumn>,
    /// The number of records in other files. Facts have numbers that go on from there.
    pub(super) others: u64,
}

/// The position of a row in a chunk.
#[derive(Clone, Copy)]
pub(super) struct RowSpan {
    start: usize,
    end: usize,
    next: usize,
    /// The row has a string, or was refused.
    is_record: bool,
}

impl RowSpan {
    /// Returns the position of its first byte in the chunk.
    pub(super) fn start(&self) -> usize {
        self.start
    }
}

/// The records of a chunk, located.
pub(super) struct ChunkRecords {
    bounds: ChunkBounds,
    header: usize,
    spans: Vec<RowSpan>,
}

impl ChunkRecords {
    /// Returns the rows that have a number.
    pub(super) fn records(&self) -> impl Iterator<Item = &RowSpan> {
        self.spans.iter().filter(|span| span.is_record)
    }
}

/// The records of a chunk, with their numbers.
pub(super) struct NumberedRecords {
    pub(super) found: ChunkRecords,
    /// The number of the first one among those of the inputs.
    pub(super) first: u64,
    /// What is known about them.
    pub(super) facts: Vec<Triple>,
}

impl RecordCopier<'_> {
    /// Finds the records of a chunk.
    pub(super) fn find(&self, chunk: &Chunk, rows: &mut Rows) -> ChunkRecords {
        let bounds = ChunkBounds::of(chunk, self.plan.bad);
        let text = &chunk.text()[..bounds.tail];
        let mut found = ChunkRecords { header: bounds.start, bounds, spans: Vec::new() };
        if self.framing.facts().is_lines {
            let lines = std::iter::successors(line_at(text, found.bounds.start), |line| line_at(text, line.next));
            let records = lines.filter(|line| !is_between_records(&self.plan, &text[line.start..line.end]));
            let span = |line: Line| RowSpan { start: line.start, end: line.end, next: line.next, is_record: true };
            found.spans.extend(records.map(span));
            return found;
        }
        if chunk.shape.first && found.bounds.start <= mark_length(chunk) {
            found.header += self.framing.header(&text[found.bounds.start..]);
        }
        let mut at = found.header;
        while at < text.len() {
            rows.clear();
            self.framing.rows(&piece(chunk, at..text.len(), self.kernel), self.count.is_some(), rows);
            add_spans(rows, at, &mut found.spans);
            at = rows.stopped.map_or(text.len(), |stopped| at + stopped);
        }
        found
    }

    /// Copies the records that are kept.
    pub(super) fn copy(&self, chunk: &Chunk, records: &NumberedRecords, out: &mut Text) {
        let NumberedRecords { found, first, facts } = records;
        out.clear();
        let (text, bounds) = (chunk.text(), &found.bounds);
        let keeps_rest = !self.invert;
        if bounds.keep_ends && keeps_rest {
            out.push(&text[..bounds.head]);
        }
        if bounds.keep_mark {
            out.push(&text[bounds.head..bounds.start]);
        }
        self.header(chunk, bounds.start..found.header, out);
        let mut copied = CopiedText { text, end: found.header };
        let (mut number, mut facts) = (*first, facts.iter().peekable());
        for span in &found.spans {
            if !span.is_record {
                if keeps_rest {
                    self.append(&mut copied, span, None, out);
                }
                continue;
            }
            let is_marked = self.marks.has(number);
            let fact = facts.next_if(|fact| fact[0] == number + self.others);
            number += 1;
            if is_marked != self.invert {
                if keeps_rest {
                    copied.copy(span.start, out);
                }
                copied.end = span.next;
                continue;
            }
            if self.invert {
                copied.end = span.start;
            }
            self.append(&mut copied, span, Some(fact.map_or(1, |fact| fact[2])), out);
            if self.invert {
                copied.copy(span.next, out);
            }
        }
        if keeps_rest {
            copied.copy(bounds.tail, out);
            if bounds.keep_ends {
                out.push(&text[bounds.tail..]);
            }
        }
    }

    /// Copies the header, for the first input that has one only.
    fn header(&self, chunk: &Chunk, range: Range<usize>, out: &mut Text) {
        let header = &chunk.text()[range];
        if header.is_empty() || !chunk.leads {
            return;
        }
        let line = header.strip_suffix(b"\n").unwrap_or(header);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        out.push(line);
        if let Some(column) = self.count {
            self.framing.append_name(&column.name, out);
        }
        out.push(&header[line.len()..]);
    }

    /// Copies the text up to where the size of the class is appended, and appends it. Does nothing if sizes are not
    /// appended.
    fn append(&self, copied: &mut CopiedText, span: &RowSpan, count: Option<u64>, out: &mut Text) {
        let Some(column) = self.count else { return };
        let value = match count {
            // In practice, no class is larger.
            Some(count) => Value::Number(u32::try_from(count).unwrap_or(u32::MAX)),
            None => Value::Nothing,
        };
        if self.framing.facts().is_lines {
            copied.copy(span.end, out);
            out.push(b"\t");
            value.write(out);
            return;
        }
        let end = span.start + self.framing.end_of_fields(&copied.text[span.start..span.end]);
        copied.copy(end, out);
        self.framing.append(&column.label, &[value], false, out);
    }
}

/// A text that is copied in parts.
struct CopiedText<'t> {
    text: &'t [u8],
    /// The end of what was copied or left out.
    end: usize,
}

impl CopiedText<'_> {
    /// Copies the text up to a position.
    fn copy(&mut self, end: usize, out: &mut Text) {
        out.push(&self.text[self.end..end]);
        self.end = end;
    }
}

/// Adds the positions of rows that were found in the text from `at` on.
fn add_spans(rows: &Rows, at: usize, spans: &mut Vec<RowSpan>) {
    let mut refused = rows.refused.iter().map(|(row, _)| *row).peekable();
    for (index, row) in rows.rows.iter().enumerate() {
        let is_record = refused.next_if_eq(&index).is_some() || row.fields > 0;
        spans.push(RowSpan {
            start: at + row.start as usize,
            end: at + row.end as usize,
            next: at + row.next as usize,
            is_record,
        });
    }
}
