//! Finds the records of a chunk again in the second pass, and copies those that are kept.

use std::ops::Range;

use super::buckets::Row;
use super::classes::Marks;
use crate::convert::Conversion;
use crate::engine::appended::AppendedColumn;
use crate::engine::fields::piece;
use crate::engine::parts::{Parts, mark_length};
use crate::engine::worker::is_between_records;
use crate::formats::Text;
use crate::framing::{Framing, Line, Rows, Value, line_at};
use crate::kernels::Kernel;
use crate::source::Chunk;

/// Copies records of chunks.
pub(super) struct Choice<'c> {
    pub(super) framing: &'c dyn Framing,
    pub(super) plan: Conversion,
    pub(super) kernel: &'static Kernel,
    pub(super) marks: &'c Marks,
    /// Write the marked records, and no others.
    pub(super) invert: bool,
    /// The column with the size of each record's class, if it is appended.
    pub(super) count: Option<&'c AppendedColumn>,
}

/// The position of a row in a chunk.
#[derive(Clone, Copy)]
pub(super) struct Place {
    start: usize,
    end: usize,
    next: usize,
    /// The row has a string, or was refused.
    is_record: bool,
}

impl Place {
    /// Returns the position of its first byte in the chunk.
    pub(super) fn start(&self) -> usize {
        self.start
    }
}

/// The records of a chunk, located.
pub(super) struct Found {
    parts: Parts,
    header: usize,
    places: Vec<Place>,
}

impl Found {
    /// Returns the rows that have a number.
    pub(super) fn records(&self) -> impl Iterator<Item = &Place> {
        self.places.iter().filter(|place| place.is_record)
    }
}

impl Choice<'_> {
    /// Finds the records of a chunk.
    pub(super) fn find(&self, chunk: &Chunk, rows: &mut Rows) -> Found {
        let parts = Parts::of(chunk, self.plan.bad);
        let text = &chunk.text()[..parts.tail];
        let mut found = Found { header: parts.start, parts, places: Vec::new() };
        if self.framing.is_lines() {
            let lines = std::iter::successors(line_at(text, found.parts.start), |line| line_at(text, line.next));
            let records = lines.filter(|line| !is_between_records(&self.plan, &text[line.start..line.end]));
            let place = |line: Line| Place { start: line.start, end: line.end, next: line.next, is_record: true };
            found.places.extend(records.map(place));
            return found;
        }
        if chunk.first && found.parts.start <= mark_length(chunk) {
            found.header += self.framing.header(&text[found.parts.start..]);
        }
        let mut at = found.header;
        while at < text.len() {
            rows.clear();
            self.framing.rows(&piece(chunk, at..text.len(), self.kernel), self.count.is_some(), rows);
            take_rows(rows, at, &mut found.places);
            at = rows.stopped.map_or(text.len(), |stopped| at + stopped);
        }
        found
    }

    /// Copies the records that are kept. The first record of the chunk has the number `first` among those of the
    /// inputs. `facts` are the facts about the records of the chunk; in them, the first record of the inputs has the
    /// number `others`.
    pub(super) fn copy(&self, chunk: &Chunk, found: &Found, first: u64, facts: &[Row], others: u64, out: &mut Text) {
        out.clear();
        let (text, parts) = (chunk.text(), &found.parts);
        let keeps_rest = !self.invert;
        if parts.keep_ends && keeps_rest {
            out.push(&text[..parts.head]);
        }
        if parts.keep_mark {
            out.push(&text[parts.head..parts.start]);
        }
        self.header(chunk, parts.start..found.header, out);
        let (mut copied, mut number, mut facts) = (found.header, first, facts.iter().peekable());
        for place in &found.places {
            if !place.is_record {
                if keeps_rest {
                    self.append(text, &mut copied, place, None, out);
                }
                continue;
            }
            let is_marked = self.marks.has(number);
            let fact = facts.next_if(|fact| fact[0] == number + others);
            number += 1;
            if is_marked != self.invert {
                if keeps_rest {
                    out.push(&text[copied..place.start]);
                }
                copied = place.next;
                continue;
            }
            if self.invert {
                copied = place.start;
            }
            self.append(text, &mut copied, place, Some(fact.map_or(1, |fact| fact[2])), out);
            if self.invert {
                out.push(&text[copied..place.next]);
                copied = place.next;
            }
        }
        if keeps_rest {
            out.push(&text[copied..parts.tail]);
            if parts.keep_ends {
                out.push(&text[parts.tail..]);
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
    fn append(&self, text: &[u8], copied: &mut usize, place: &Place, count: Option<u64>, out: &mut Text) {
        let Some(column) = self.count else { return };
        let value = match count {
            // In practice, no class is larger.
            Some(count) => Value::Number(u32::try_from(count).unwrap_or(u32::MAX)),
            None => Value::Nothing,
        };
        if self.framing.is_lines() {
            out.push(&text[*copied..place.end]);
            out.push(b"\t");
            value.write(out);
            *copied = place.end;
            return;
        }
        let end = place.start + self.framing.end_of_fields(&text[place.start..place.end]);
        out.push(&text[*copied..end]);
        *copied = end;
        self.framing.append(&column.label, &[value], false, out);
    }
}

/// Adds the positions of rows that were found in the text from `at` on.
fn take_rows(rows: &Rows, at: usize, places: &mut Vec<Place>) {
    let mut refused = rows.refused.iter().map(|(row, _)| *row).peekable();
    for (index, row) in rows.rows.iter().enumerate() {
        let is_record = refused.next_if_eq(&index).is_some() || row.fields > 0;
        places.push(Place {
            start: at + row.start as usize,
            end: at + row.end as usize,
            next: at + row.next as usize,
            is_record,
        });
    }
}
