//! The strings of a block of rows, as records for the converter.

use std::borrow::Cow;
use std::ops::Range;
use std::time::{Duration, Instant};

use gridmill_core::board::Batch;
use gridmill_core::convert::{CheckLevel, Converted, Converter, LeftSolutions, MAX_RECORD, RecordGroup};
use gridmill_core::formats::Records;
use gridmill_core::{Code, Reject};

use crate::blocks::MOST_ROWS;
use crate::session::Known;
use crate::strings::{Span, Strings};

/// Converts the strings of blocks, with memory of its own.
pub(crate) struct Reader<'k> {
    known: &'k Known<'k>,
    converter: Converter,
    starts: Vec<u32>,
    ends: Vec<u32>,
    rows: Vec<usize>,
    pace: Pace,
}

/// Who is shown boards: the rows of the records, a group of these, their boards, and a bit for each that could be read.
pub(crate) type SeeBoards<'s> = dyn FnMut(&[usize], &RecordGroup<'_>, &Batch, u64) + 's;

/// How many records are converted at a time, before it is asked whether to stop.
///
/// All of a block, but where puzzles are solved: it may be that one takes as long as a thousand others.
struct Pace {
    most: usize,
    solves: bool,
}

/// How long records are converted at a time, about.
const A_TIME: Duration = Duration::from_millis(40);

impl Pace {
    fn new(level: CheckLevel) -> Self {
        let solves = level == CheckLevel::Unique;
        Self { most: if solves { 1 } else { MOST_ROWS }, solves }
    }

    /// After so many records that took so long.
    fn learn(&mut self, records: usize, took: Duration) {
        if self.solves {
            let fit = records as u128 * A_TIME.as_nanos() / took.as_nanos().max(1);
            self.most = usize::try_from(fit).unwrap_or(MOST_ROWS).clamp(1, MOST_ROWS.min(16 * self.most));
        }
    }
}

/// What became of strings that stand in one buffer, in rows that follow each other but for those without a string.
pub(crate) struct Answers<'c> {
    /// By records.
    pub(crate) converted: &'c Converted,
    /// The solutions of all records, if they were left as digits.
    pub(crate) solutions: Option<LeftSolutions<'c>>,
    /// The rows of the records.
    pub(crate) rows: &'c [usize],
    records: Records<'c>,
}

impl Answers<'_> {
    /// The refused records, in order, and why.
    pub(crate) fn refused(&self) -> impl Iterator<Item = (usize, Cow<'_, Reject>)> {
        let refused = self.converted.refused.iter();
        refused.map(|refusal| (refusal.record, refused_as(self.records.get(refusal.record), &refusal.reject)))
    }
}

/// The refusal of a string that cannot be a line: no string with a line end is one of a format, whatever else is said of it.
pub(crate) fn refused_as<'r>(record: &[u8], reject: &'r Reject) -> Cow<'r, Reject> {
    if reject.code != Code::TooLong && (record.contains(&b'\n') || record.last() == Some(&b'\r')) {
        return Cow::Owned(Reject::whole(Code::Digit, "the string contains a line end, which puzzle strings never do"));
    }
    Cow::Borrowed(reject)
}

impl<'k> Reader<'k> {
    /// A reader that knows this.
    #[inline(never)] // once for each thread, and in one place for all sorts of work
    pub(crate) fn new(known: &'k Known<'k>) -> Self {
        let (starts, ends, rows) = Default::default();
        Self { known, converter: known.converter(), starts, ends, rows, pace: Pace::new(known.level()) }
    }

    /// The same, for whom solutions may be left as digits.
    pub(crate) fn leaving_solutions(self) -> Self {
        Self { converter: self.converter.leave_solutions_as_digits(), ..self }
    }

    /// Converts the strings of some rows: all that are neither null nor empty, unless it is to stop.
    pub(crate) fn convert(
        &mut self,
        strings: &Strings<'_>,
        rows: Range<usize>,
        stop: &dyn Fn() -> bool,
        see: &mut dyn FnMut(&Answers<'_>),
    ) {
        let mut next = rows.start;
        while let Some(records) = self.gather(strings, &mut next, rows.end) {
            let began = Instant::now();
            let records = Records { bytes: records, starts: &self.starts, ends: &self.ends };
            if self.converter.convert(records).is_err() {
                self.converter.know(self.known.evidence());
                let tied = self.converter.convert(records).is_err();
                debug_assert!(!tied, "the evidence is known");
            }
            let (converted, solutions) = (self.converter.converted(), self.converter.left_solutions());
            see(&Answers { converted, solutions, rows: &self.rows, records });
            self.pace.learn(self.rows.len(), began.elapsed());
            if next < rows.end && stop() {
                return;
            }
        }
    }

    /// Shows the boards of some rows, and then what became of all of them; `see` has the rows of the records first.
    pub(crate) fn read(
        &mut self,
        strings: &Strings<'_>,
        rows: Range<usize>,
        see: &mut SeeBoards<'_>,
        after: &mut dyn FnMut(&Answers<'_>),
    ) {
        let mut next = rows.start;
        while let Some(records) = self.gather(strings, &mut next, rows.end) {
            let Self { known, converter, starts, ends, rows, .. } = self;
            let records = Records { bytes: records, starts, ends };
            let mut see = |group: &RecordGroup<'_>, batch: &Batch, good| see(rows, group, batch, good);
            if converter.read(records, &mut see).is_err() {
                converter.know(known.evidence());
                let tied = converter.read(records, &mut see).is_err();
                debug_assert!(!tied, "the evidence is known");
            }
            after(&Answers { converted: converter.converted(), solutions: None, rows, records });
        }
    }

    /// Takes strings from row `next` on that stand in one buffer, not farther apart than their offsets reach. Returns the bytes
    /// around them; nothing, if there are no more.
    fn gather<'s>(&mut self, strings: &'s Strings<'_>, next: &mut usize, end: usize) -> Option<&'s [u8]> {
        self.starts.clear();
        self.ends.clear();
        self.rows.clear();
        let all = *next..end.min(*next + self.pace.most);
        let most = MAX_RECORD as u32 + 1;
        if !all.is_empty()
            && let Some(buffer) = strings.tell_all(all.clone(), most, &mut self.starts, &mut self.ends)
        {
            *next = all.end;
            self.rows.extend(all);
            return Some(strings.buffer(buffer));
        }
        let mut around: Option<(usize, usize)> = None;
        while *next < end && self.rows.len() < self.pace.most {
            let Some(Span { buffer, start, end }) = strings.span(*next).filter(|span| span.start < span.end) else {
                *next += 1;
                continue;
            };
            let &mut (at, base) = around.get_or_insert_with(|| {
                let fits = u32::try_from(strings.buffer(buffer).len()).is_ok();
                (buffer, if fits { 0 } else { start })
            });
            // Of a string that is too long more than that need not be known.
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
