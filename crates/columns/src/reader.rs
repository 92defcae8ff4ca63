//! Reads the strings of a block of rows as records for the converter.

use std::borrow::Cow;
use std::ops::Range;
use std::time::{Duration, Instant};

use gridmill_core::board::Batch;
use gridmill_core::convert::{Converted, Converter, LeftSolutions, MAX_RECORD, RecordGroup};
use gridmill_core::formats::Records;
use gridmill_core::{Code, Reject};

use crate::blocks::MAX_ROWS;
use crate::session::KnownEvidence;
use crate::strings::{ByteSpan, Strings};

/// Converts the strings of blocks, and reuses its memory.
pub(crate) struct Reader<'k> {
    known: &'k KnownEvidence<'k>,
    converter: Converter,
    starts: Vec<u32>,
    ends: Vec<u32>,
    rows: Vec<usize>,
    pace: RecordPace,
    given: Option<CopiedSolutions<'k>>,
}

/// The solutions that came with the strings of a column, row by row.
struct CopiedSolutions<'k> {
    columns: &'k [Strings<'k>],
    /// The number of the first row of each chunk.
    starts: Vec<usize>,
    /// The number of the first row of the chunk whose strings are converted.
    first: usize,
    /// The strings that are converted, each followed by its solution, and where the solutions are.
    bytes: Vec<u8>,
    places: Vec<Range<u32>>,
}

impl CopiedSolutions<'_> {
    /// The solution that came with a row of the chunk; empty if there is none.
    fn get(&self, row: usize) -> &[u8] {
        let row = self.first + row;
        let chunk = self.starts.partition_point(|&start| start <= row).saturating_sub(1);
        self.columns.get(chunk).and_then(|strings| strings.get(row - self.starts[chunk])).unwrap_or_default()
    }
}

/// The bytes of strings and their solutions that are copied at a time.
const COPIED: usize = 64 << 20;

/// A callback that gets boards: the rows of all records, a group of records, their boards, and a bit for each board
/// that could be read.
pub(crate) type VisitBoards<'s> = dyn FnMut(&[usize], &RecordGroup<'_>, &Batch, u64) + 's;

/// The number of records that are converted before asking whether to stop.
///
/// It is the whole block, unless puzzles are solved: one puzzle may take as long as a thousand others.
struct RecordPace {
    max_records: usize,
    solves: bool,
}

/// About how long to convert records at a time.
const TARGET_TIME: Duration = Duration::from_millis(40);

impl RecordPace {
    fn new(solves: bool) -> Self {
        Self { max_records: if solves { 1 } else { MAX_ROWS }, solves }
    }

    /// Adjusts the number, after this many records took this long.
    fn adjust(&mut self, records: usize, took: Duration) {
        if self.solves {
            let fit = records as u128 * TARGET_TIME.as_nanos() / took.as_nanos().max(1);
            self.max_records = usize::try_from(fit).unwrap_or(MAX_ROWS).clamp(1, MAX_ROWS.min(16 * self.max_records));
        }
    }
}

/// The results for strings that are in one buffer, in consecutive rows apart from those without a string.
pub(crate) struct StringAnswers<'c> {
    /// The results by record.
    pub(crate) converted: &'c Converted,
    /// The solutions of all records, if they were left in the form of digits.
    pub(crate) solutions: Option<LeftSolutions<'c>>,
    /// The rows of the records.
    pub(crate) rows: &'c [usize],
    records: Records<'c>,
}

impl StringAnswers<'_> {
    /// Returns the refused records in order, with the reasons.
    pub(crate) fn refused(&self) -> impl Iterator<Item = (usize, Cow<'_, Reject>)> {
        let refused = self.converted.refused.iter();
        refused.map(|refusal| (refusal.record, refused_as(self.records.get(refusal.record), &refusal.reject)))
    }
}

/// Returns the reject for a record. A string with a line end gets a reject of its own, whatever else is wrong, because
/// no format has line ends.
pub(crate) fn refused_as<'r>(record: &[u8], reject: &'r Reject) -> Cow<'r, Reject> {
    if reject.code != Code::TooLong && (record.contains(&b'\n') || record.last() == Some(&b'\r')) {
        return Cow::Owned(Reject::whole(Code::Digit, "the string contains a line end, which puzzle strings never do"));
    }
    Cow::Borrowed(reject)
}

impl<'k> Reader<'k> {
    /// A reader with this evidence about layouts.
    #[inline(never)] // once for each thread, and in one place for all sorts of work
    pub(crate) fn new(known: &'k KnownEvidence<'k>) -> Self {
        let (starts, ends, rows) = Default::default();
        Self {
            known,
            converter: known.converter(),
            starts,
            ends,
            rows,
            pace: RecordPace::new(known.solves()),
            given: None,
        }
    }

    /// Leaves solutions in the form of digits where this is possible.
    pub(crate) fn leaving_solutions(self) -> Self {
        Self { converter: self.converter.leave_solutions_as_digits(), ..self }
    }

    /// Takes the solutions that came with the strings: a column of as many rows. The plan must ask for them.
    pub(crate) fn with_solutions(self, columns: Option<&'k [Strings<'k>]>) -> Self {
        let given = columns.map(|columns| CopiedSolutions {
            columns,
            starts: first_rows(columns),
            first: 0,
            bytes: Vec::new(),
            places: Vec::new(),
        });
        Self { given, ..self }
    }

    /// Begins with the strings of a chunk, whose first row has this number in the column.
    pub(crate) fn begin_chunk(&mut self, first: usize) {
        if let Some(given) = &mut self.given {
            given.first = first;
        }
    }

    /// Converts the strings of these rows that are neither null nor empty, until `stop` says so.
    pub(crate) fn convert(
        &mut self,
        strings: &Strings<'_>,
        rows: Range<usize>,
        stop: &dyn Fn() -> bool,
        visit: &mut dyn FnMut(&StringAnswers<'_>),
    ) {
        let mut next = rows.start;
        while self.copy_with_solutions(strings, &mut next, rows.end) {
            let Some(given) = &self.given else { return };
            let started = Instant::now();
            let records = Records { bytes: &given.bytes, starts: &self.starts, ends: &self.ends };
            self.converter.give_solutions(given.places.iter().cloned());
            self.converter.convert(records, self.known);
            visit(&StringAnswers { converted: self.converter.converted(), solutions: None, rows: &self.rows, records });
            self.pace.adjust(self.rows.len(), started.elapsed());
            if next < rows.end && stop() {
                return;
            }
        }
        while let Some(records) = self.gather(strings, &mut next, rows.end) {
            let started = Instant::now();
            let records = Records { bytes: records, starts: &self.starts, ends: &self.ends };
            self.converter.convert(records, self.known);
            let (converted, solutions) = (self.converter.converted(), self.converter.left_solutions());
            visit(&StringAnswers { converted, solutions, rows: &self.rows, records });
            self.pace.adjust(self.rows.len(), started.elapsed());
            if next < rows.end && stop() {
                return;
            }
        }
    }

    /// Passes the boards of these rows to `visit`, and then all results to `after`.
    pub(crate) fn read(
        &mut self,
        strings: &Strings<'_>,
        rows: Range<usize>,
        visit: &mut VisitBoards<'_>,
        after: &mut dyn FnMut(&StringAnswers<'_>),
    ) {
        let mut next = rows.start;
        while let Some(records) = self.gather(strings, &mut next, rows.end) {
            let Self { known, converter, starts, ends, rows, .. } = self;
            let records = Records { bytes: records, starts, ends };
            let mut visit = |group: &RecordGroup<'_>, batch: &Batch, good| visit(rows, group, batch, good);
            converter.read(records, *known, &mut visit);
            after(&StringAnswers { converted: converter.converted(), solutions: None, rows, records });
        }
    }

    /// Copies strings from row `next` on, each with the solution that came with it. Returns false if there are no more, or if
    /// no solutions came with them.
    fn copy_with_solutions(&mut self, strings: &Strings<'_>, next: &mut usize, end: usize) -> bool {
        let Some(mut given) = self.given.take() else { return false };
        self.starts.clear();
        self.ends.clear();
        self.rows.clear();
        given.bytes.clear();
        given.places.clear();
        while *next < end && self.rows.len() < self.pace.max_records && given.bytes.len() < COPIED {
            let (row, string) = (*next, strings.get(*next).unwrap_or_default());
            *next += 1;
            if string.is_empty() {
                continue;
            }
            // These bytes are enough to show that a string is too long.
            self.starts.push(given.bytes.len() as u32);
            given.bytes.extend_from_slice(&string[..string.len().min(MAX_RECORD + 1)]);
            let start = given.bytes.len() as u32;
            self.ends.push(start);
            let solution = given.get(row);
            let solution = solution[..solution.len().min(MAX_RECORD + 1)].to_vec();
            given.bytes.extend_from_slice(&solution);
            given.places.push(start..given.bytes.len() as u32);
            self.rows.push(row);
        }
        self.given = Some(given);
        !self.rows.is_empty()
    }

    /// Gathers strings from row `next` on that are in one buffer, and not farther apart than 32-bit offsets can
    /// address. Returns the bytes around them, or `None` if there are no more.
    fn gather<'s>(&mut self, strings: &'s Strings<'_>, next: &mut usize, end: usize) -> Option<&'s [u8]> {
        self.starts.clear();
        self.ends.clear();
        self.rows.clear();
        let all = *next..end.min(*next + self.pace.max_records);
        let max = MAX_RECORD as u32 + 1;
        if !all.is_empty()
            && let Some(buffer) = strings.locate_all(all.clone(), max, &mut self.starts, &mut self.ends)
        {
            *next = all.end;
            self.rows.extend(all);
            return Some(strings.buffer(buffer));
        }
        let mut around: Option<(usize, usize)> = None;
        while *next < end && self.rows.len() < self.pace.max_records {
            let Some(ByteSpan { buffer, start, end }) = strings.span(*next).filter(|span| span.start < span.end) else {
                *next += 1;
                continue;
            };
            let &mut (at, base) = around.get_or_insert_with(|| {
                let fits = u32::try_from(strings.buffer(buffer).len()).is_ok();
                (buffer, if fits { 0 } else { start })
            });
            // These bytes are enough to show that a string is too long.
            let end = end.min(start + MAX_RECORD + 1);
            let offsets = (start.checked_sub(base).map(u32::try_from), end.checked_sub(base).map(u32::try_from));
            let (Some(Ok(start)), Some(Ok(end)), true) = (offsets.0, offsets.1, at == buffer) else { break };
            self.starts.push(start);
            self.ends.push(end);
            self.rows.push(*next);
            *next += 1;
        }
        around.map(|(buffer, base)| &strings.buffer(buffer)[base..])
    }
}

/// The number in the column of the first row of each chunk.
pub(crate) fn first_rows(columns: &[Strings<'_>]) -> Vec<usize> {
    let next = |next: &mut usize, strings: &Strings<'_>| Some(std::mem::replace(next, *next + strings.len()));
    columns.iter().scan(0, next).collect()
}
