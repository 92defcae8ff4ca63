//! Converts the strings of rows.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use crate::convert::{Bad, Conversion, Counts, Emit};
use crate::engine::{ColumnContent, ColumnJob, Outcome, RecordAt, SURVEY_BYTES, StringConverter, StringResult};
use crate::error::{Code, Error, Reject};
use crate::formats::{AskedEvidence, Evidence};
use crate::framing::Value;
use crate::kernels::Kernel;

/// Converts the strings of rows, and reuses its memory.
pub(super) struct RowConverter<'r> {
    plan: Conversion,
    /// The names of the columns with strings.
    columns: &'r [String],
    layouts: &'r LazyEvidence<'r>,
    strings: StringConverter,
    /// For each value the number of its string, if it has one.
    numbers: Vec<Option<usize>>,
    /// Good values in rows that are left out, in order, with the code of the reject that is the reason.
    left_out: Vec<(usize, Code)>,
    /// The number of values in all calls so far.
    seen: usize,
    /// The keys of rows are collected.
    collects: bool,
}

/// The result for one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueResult<'a> {
    /// There is no string.
    Nothing,
    /// The string was converted to this one.
    Written(&'a [u8]),
    /// The string is good, and nothing is written in its place.
    Good,
    /// The string was refused.
    Refused,
}

impl<'r> RowConverter<'r> {
    pub(super) fn new(job: &'r ColumnJob, layouts: &'r LazyEvidence<'r>) -> Self {
        let strings = StringConverter::new(job.plan, job.kernel);
        let columns = &job.columns.strings;
        let (numbers, left_out, collects) = (Vec::new(), Vec::new(), job.collects_keys());
        Self { plan: job.plan, columns, layouts, strings, numbers, left_out, seen: 0, collects }
    }

    /// Converts the strings of the rows that follow those in `outcome`, and adds the messages about them.
    pub(super) fn convert(&mut self, rows: &[Option<&[u8]>], outcome: &mut Outcome) -> Result<(), Error> {
        self.convert_values(rows, &[])?;
        let passed_over = self.report_rows((0..rows.len()).map(|row| row..row + 1), Some, rows, outcome);
        outcome.counts.add(&self.counts(passed_over));
        Ok(())
    }

    /// Does the same for rows with several values each, of which `values` are all. `solutions` are those that came with
    /// the values, if there are any.
    pub(super) fn convert_several(
        &mut self,
        rows: &[Range<usize>],
        values: &[Option<&[u8]>],
        solutions: &[Option<&[u8]>],
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        self.convert_values(values, solutions)?;
        let left_out = self.left_out_of(rows);
        if !left_out.is_empty() {
            // The strings that are left out are not converted, so that losses and other facts count written strings
            // only.
            let mut rest = values.to_vec();
            left_out.iter().for_each(|(value, _)| rest[*value] = None);
            self.convert_values(&rest, solutions)?;
        }
        self.left_out = left_out;
        let passed_over = self.report_rows(rows.iter().cloned(), Some, values, outcome);
        outcome.counts.add(&self.counts(passed_over));
        outcome.counts.records += self.left_out.len() as u64;
        self.left_out.iter().for_each(|(_, code)| outcome.counts.reject(*code));
        Ok(())
    }

    /// Does the same for rows whose strings are in a dictionary: each value is converted once, and `keys` are those of
    /// the rows. The counts of forms and losses are counts of dictionary values.
    pub(super) fn convert_keyed(
        &mut self,
        keys: &[Option<usize>],
        values: &[Option<&[u8]>],
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        self.convert_values(values, &[])?;
        let rows = (0..keys.len()).map(|row| row..row + 1);
        let passed_over = self.report_rows(rows, |row| keys[row], values, outcome);
        let mut counts = self.counts(passed_over);
        (counts.records, counts.rejected) = (0, 0);
        counts.codes.clear();
        for number in keys.iter().filter_map(|key| self.numbers[(*key)?]) {
            counts.records += 1;
            if let StringResult::Refused(reject) = self.strings.result(number) {
                counts.reject(reject.code);
            }
        }
        outcome.counts.add(&counts);
        Ok(())
    }

    /// Writes the new strings of values, one on each line.
    pub(super) fn write_lines(&self, values: Range<usize>, lines: &mut Vec<u8>) {
        for value in values {
            if let ValueResult::Written(string) = self.result(value) {
                lines.extend_from_slice(string);
                lines.push(b'\n');
            }
        }
    }

    /// Returns the value of an appended column.
    pub(super) fn value(&self, value: usize, what: ColumnContent) -> Value<'_> {
        self.numbers[value].map_or(Value::Nothing, |number| self.strings.value(number, what))
    }

    /// Returns the result for a value.
    pub(super) fn result(&self, value: usize) -> ValueResult<'_> {
        let Some(number) = self.numbers[value] else { return ValueResult::Nothing };
        match self.strings.result(number) {
            StringResult::Refused(_) => ValueResult::Refused,
            StringResult::Written(string, _) if self.plan.emit.writes() => ValueResult::Written(string),
            StringResult::Written(..) => ValueResult::Good,
        }
    }

    /// The counts of all strings, of which this many are in rows that are passed over.
    fn counts(&self, passed_over: u64) -> Counts {
        let mut counts = self.strings.counts().clone();
        counts.passed_over = passed_over;
        counts
    }

    /// Whether a row with these values is written: it has no bad string if these are left out, and is not passed over.
    pub(super) fn keeps(&self, mut row: Range<usize>) -> bool {
        !self.passes_over(row.clone())
            && (self.plan.bad != Bad::Reject || !row.any(|value| self.result(value) == ValueResult::Refused))
    }

    /// Whether a row is passed over: all of its strings are good, but the grade of one was not asked for.
    fn passes_over(&self, mut row: impl Iterator<Item = usize> + Clone) -> bool {
        self.plan.checks.grades.is_some()
            && !row.clone().any(|value| self.result(value) == ValueResult::Refused)
            && row.any(|value| self.numbers[value].is_some_and(|number| self.strings.is_passed_over(number)))
    }

    fn convert_values(&mut self, values: &[Option<&[u8]>], solutions: &[Option<&[u8]>]) -> Result<(), Error> {
        self.strings.clear();
        self.numbers.clear();
        self.left_out.clear();
        for (at, value) in values.iter().enumerate() {
            let string = value.filter(|string| !string.is_empty());
            self.numbers.push(string.map(|_| self.strings.len()));
            let solution = solutions.get(at).copied().flatten().unwrap_or_default();
            string.iter().for_each(|string| self.strings.push_with_solution(string, solution));
        }
        let collect = || self.layouts.evidence();
        let evidence = AskedEvidence::new(&collect);
        self.strings.convert(&evidence);
        evidence.end()?;
        Ok(())
    }

    /// Returns the good strings in rows that are left out because of another string, with that string's reject code. If
    /// an array is written from several columns, rows without a string in each column are left out, too.
    fn left_out_of(&self, rows: &[Range<usize>]) -> Vec<(usize, Code)> {
        let leaves_out = self.plan.bad == Bad::Reject && self.plan.emit != Emit::Nothing;
        let is_array = self.plan.emit == Emit::Digits && self.columns.len() > 1;
        let any_out = leaves_out && self.strings.counts().rejected > 0;
        if !is_array && !any_out {
            return Vec::new();
        }
        let refusal = |value: usize| match self.strings.result(self.numbers[value]?) {
            StringResult::Refused(reject) => Some(reject.code),
            StringResult::Written(..) => None,
        };
        let mut left_out = Vec::new();
        for row in rows {
            let lacks = is_array && row.clone().any(|value| self.numbers[value].is_none());
            let code = row.clone().find_map(refusal).filter(|_| leaves_out).or(lacks.then_some(Code::Column));
            let Some(code) = code else { continue };
            let good = row.clone().filter(|&value| self.numbers[value].is_some() && refusal(value).is_none());
            left_out.extend(good.map(|value| (value, code)));
        }
        left_out
    }

    /// Adds the counts of rows, and the rows of refused strings and of warnings. Each row consists of places, and `key`
    /// gives the value of a place. With [`Bad::Stop`], stops at the first refused string. Returns the number of strings in
    /// rows that are passed over.
    fn report_rows(
        &mut self,
        rows: impl Iterator<Item = Range<usize>>,
        key: impl Fn(usize) -> Option<usize>,
        values: &[Option<&[u8]>],
        outcome: &mut Outcome,
    ) -> u64 {
        let (mut found, mut good, mut passed_over, mut places) = (0, 0, 0, 0);
        let (mut left_out, mut of_row) = (self.left_out.iter().peekable(), Vec::new());
        for row in rows {
            of_row.clear();
            let line = outcome.counts.lines;
            outcome.counts.lines += 1;
            let before = found;
            places = row.end;
            let is_out = self.passes_over(row.clone().filter_map(&key));
            outcome.rows_passed_over += u64::from(is_out);
            for place in row {
                let Some((key, record)) = key(place).and_then(|key| Some((key, values[key]?))) else { continue };
                let at = self.seen + place;
                if let Some((_, code)) = left_out.next_if(|(value, _)| *value == key) {
                    found += 1;
                    let words = match code {
                        Code::Column => "the row does not have a string in each of the columns",
                        _ => "another string of the row is rejected, so the row is left out",
                    };
                    let reject = self.with_column_name(place, Reject::whole(*code, words));
                    outcome.add_row(RecordAt { line, at, bytes: record }, reject, false);
                    if self.plan.bad == Bad::Stop {
                        outcome.stopped = true;
                        return passed_over;
                    }
                    continue;
                }
                let Some(number) = self.numbers[key] else { continue };
                found += 1;
                of_row.push(number);
                let refusal = match self.strings.result(number) {
                    StringResult::Refused(reject) => Some(reject),
                    StringResult::Written(..) => None,
                };
                match is_out {
                    true => passed_over += 1,
                    false => good += u64::from(refusal.is_none()),
                }
                let messages = refusal.into_iter().chain(self.strings.notices(number));
                messages.for_each(|reject| {
                    let reject = self.with_column_name(place, reject.clone());
                    outcome.add_row(RecordAt { line, at, bytes: record }, reject, refusal.is_none());
                });
                if refusal.is_some() && self.plan.bad == Bad::Stop {
                    outcome.stopped = true;
                    return passed_over;
                }
            }
            outcome.counts.without += u64::from(found == before);
            if self.collects {
                self.strings.collect(&of_row, line, outcome);
            }
        }
        self.seen += places;
        outcome.add_to_cross_check(found, good);
        passed_over
    }

    /// Puts the name of the column at the start of a message, if there are several columns.
    fn with_column_name(&self, place: usize, mut reject: Reject) -> Reject {
        if let [_, _, ..] = self.columns {
            reject.message.insert_str(0, &format!("{}: ", self.columns[place % self.columns.len()]));
        }
        reject
    }
}

/// The evidence about layouts, which is only looked for if a string needs it.
pub(super) struct LazyEvidence<'r> {
    found: Mutex<Option<Evidence>>,
    weigh: Box<dyn Fn() -> Result<Evidence, Error> + Sync + 'r>,
}

impl<'r> LazyEvidence<'r> {
    /// The evidence that `weigh` finds in the first strings of the run.
    pub(super) fn new(weigh: impl Fn() -> Result<Evidence, Error> + Sync + 'r) -> Self {
        Self { found: Mutex::default(), weigh: Box::new(weigh) }
    }

    fn evidence(&self) -> Result<Evidence, Error> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.is_none() {
            *found = Some((self.weigh)()?);
        }
        Ok(found.unwrap_or_default())
    }
}

/// Collects the evidence about layouts in the first 4 MiB of all strings, as is done with the lines of text.
pub(super) struct LayoutSurvey {
    strings: StringConverter,
    evidence: Evidence,
    position: u64,
}

impl LayoutSurvey {
    pub(super) fn new(plan: Conversion, kernel: &'static Kernel) -> Self {
        Self { strings: StringConverter::new(plan, kernel), evidence: Evidence::default(), position: 0 }
    }

    /// Whether all strings that matter have been taken.
    pub(super) fn is_full(&self) -> bool {
        self.position >= SURVEY_BYTES
    }

    /// Takes the next strings.
    pub(super) fn take<'v>(&mut self, strings: impl Iterator<Item = &'v [u8]>) {
        self.strings.clear();
        for string in strings {
            if self.is_full() {
                break;
            }
            self.position += string.len() as u64 + 1;
            if !string.is_empty() {
                self.strings.push(string);
            }
        }
        self.evidence.join(&self.strings.weigh());
    }

    /// Returns the evidence in these strings.
    pub(super) fn evidence(&self) -> Evidence {
        self.evidence
    }
}
