//! Converts strings that are not in a text but come from a database or a column, some thousands at a time.

use std::fmt;
use std::ops::Range;

use super::appended::ColumnContent;
use super::outcome::Outcome;
use super::solved_strings::SolvedStrings;
use crate::convert::{Canonize, Conversion, Converter, Counts, MAX_RECORD};
use crate::error::{Code, Reject};
use crate::formats::{Evidence, EvidenceSource, Format, Records};
use crate::framing::Value;
use crate::kernels::Kernel;

/// Converts strings that the caller stores. Each string is one record, and the order is kept.
pub struct StringConverter {
    converter: Converter,
    /// The strings, one after the other, and where each begins and ends.
    bytes: Vec<u8>,
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// Where the solutions are that came with the strings, if there are any.
    solutions: Vec<Range<u32>>,
    /// For each string that was pushed, the number of its record, or the reason why it is not a record.
    records: Vec<Result<usize, Unfit>>,
    /// The rejects for these reasons.
    unfit: [Reject; 2],
    counts: Counts,
    solved: SolvedStrings,
    /// The new strings are keys, which have no format.
    are_keys: bool,
}

impl fmt::Debug for StringConverter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StringConverter")
            .field("converter", &self.converter)
            .field("len", &self.records.len())
            .finish_non_exhaustive()
    }
}

/// Why a string is not a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unfit {
    LineEnd,
    NoRoom,
}

/// The result for one string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StringResult<'a> {
    /// The new string, and the format of the old one.
    Written(&'a [u8], Format),
    /// The string was refused, for this reason.
    Refused(&'a Reject),
}

impl StringConverter {
    /// A converter for this plan. `plan.bad` has no effect: the caller decides what to do with refused strings.
    pub fn new(plan: Conversion, kernel: &'static Kernel) -> Self {
        Self {
            converter: Converter::new(plan, kernel),
            bytes: Vec::new(),
            starts: Vec::new(),
            ends: Vec::new(),
            solutions: Vec::new(),
            records: Vec::new(),
            unfit: [
                Reject::whole(Code::Digit, "the string contains a line end, which puzzle strings never do"),
                Reject::whole(Code::TooLong, "the strings converted at once have more than 4 GiB"),
            ],
            counts: Counts::default(),
            solved: SolvedStrings::new(&plan, kernel),
            are_keys: plan.canonical.is_some_and(|canonical| canonical.canonize == Canonize::Key),
        }
    }

    /// Removes all strings and results.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.starts.clear();
        self.ends.clear();
        self.solutions.clear();
        self.records.clear();
        self.counts.clear();
    }

    /// Adds a string. All strings together may have 4 GiB; a string beyond that is refused.
    pub fn push(&mut self, string: &[u8]) {
        self.push_with_solution(string, b"");
    }

    /// Adds a string with the solution that came with it; `solution` is empty if there is none.
    pub(crate) fn push_with_solution(&mut self, string: &[u8], solution: &[u8]) {
        let is_line = !string.is_empty() && string.last() != Some(&b'\r') && memchr::memchr(b'\n', string).is_none();
        if !is_line {
            return self.records.push(Err(Unfit::LineEnd));
        }
        // These bytes are enough to show that a string is too long.
        let string = &string[..string.len().min(MAX_RECORD + 1)];
        let solution = &solution[..solution.len().min(MAX_RECORD + 1)];
        let length = string.len() + solution.len();
        let (start, end) = (u32::try_from(self.bytes.len()), u32::try_from(self.bytes.len() + length));
        let (Ok(start), Ok(end)) = (start, end) else { return self.records.push(Err(Unfit::NoRoom)) };
        let string_end = end - solution.len() as u32;
        self.records.push(Ok(self.starts.len()));
        self.starts.push(start);
        self.ends.push(string_end);
        self.bytes.extend_from_slice(string);
        if self.converter.plan().given_solutions {
            self.bytes.extend_from_slice(solution);
            self.solutions.push(string_end..end);
        }
    }

    fn unfit(&self, why: Unfit) -> &Reject {
        &self.unfit[why as usize]
    }

    /// Returns the number of strings.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are no strings.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Returns the number of bytes of all strings.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the evidence of the strings about layouts.
    pub fn weigh(&self) -> Evidence {
        let records = Records { bytes: &self.bytes, starts: &self.starts, ends: &self.ends };
        self.converter.plan().weigh((0..records.len()).map(|i| records.get(i)))
    }

    /// Converts all strings. `evidence` is asked if the layout of one depends on other strings.
    pub fn convert(&mut self, evidence: &dyn EvidenceSource) {
        let records = Records { bytes: &self.bytes, starts: &self.starts, ends: &self.ends };
        if self.converter.plan().given_solutions {
            self.converter.give_solutions(self.solutions.iter().cloned());
        }
        let converted = self.converter.convert(records, evidence);
        self.solved.take(converted, records);
        self.counts = converted.counts.clone();
        for why in self.records.iter().filter_map(|record| record.err()) {
            let code = self.unfit(why).code;
            self.counts.records += 1;
            self.counts.reject(code);
        }
    }

    /// Returns the result for string `i`; strings are numbered from 0 in the order in which they were added.
    pub fn result(&self, i: usize) -> StringResult<'_> {
        let converted = self.converter.converted();
        let record = match self.records[i] {
            Ok(record) => record,
            Err(why) => return StringResult::Refused(self.unfit(why)),
        };
        match (converted.refusal(record), converted.form(record)) {
            (None, Some(form)) => StringResult::Written(converted.string(record), form.id),
            (Some(reject), _) => StringResult::Refused(reject),
            // The new string is a key. The format is not used.
            (None, None) if self.are_keys => StringResult::Written(converted.string(record), Format::V2),
            (None, None) => StringResult::Refused(self.unfit(Unfit::LineEnd)), // impossible: strings of no form are refused
        }
    }

    /// Returns the value of an appended column for string `i`, or nothing if the string is refused.
    pub(crate) fn value(&self, i: usize, what: ColumnContent) -> Value<'_> {
        match self.records[i] {
            Ok(record) if self.converter.converted().refusal(record).is_none() => {
                what.value(self.converter.converted(), &self.solved, record)
            }
            _ => Value::Nothing,
        }
    }

    /// Whether string `i` is good, but its grade was not asked for.
    pub(crate) fn is_passed_over(&self, i: usize) -> bool {
        self.records[i].is_ok_and(|record| self.converter.converted().is_passed_over(record))
    }

    /// Collects the key of a row with these strings. If there are none, the row has no key.
    pub(crate) fn collect(&self, strings: &[usize], line: u64, outcome: &mut Outcome) {
        if strings.is_empty() {
            return outcome.collect_without_string(line);
        }
        let good = strings.iter().all(|&i| matches!(self.result(i), StringResult::Written(..)));
        let records = strings.iter().filter_map(|&i| self.records[i].ok());
        outcome.collect(self.converter.converted(), records, good, line);
    }

    /// Returns the other messages about string `i`: warnings and, for a refused string, problems beyond the first.
    pub(crate) fn notices(&self, i: usize) -> impl Iterator<Item = &Reject> {
        let notices = &self.converter.converted().notices;
        let record = self.records[i].unwrap_or(usize::MAX);
        let first = notices.partition_point(|notice| notice.record < record);
        notices[first..].iter().take_while(move |notice| notice.record == record).map(|notice| &notice.reject)
    }

    /// Returns the counts of all strings together.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }
}
