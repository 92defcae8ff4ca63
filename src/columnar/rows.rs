//! What becomes of the strings of rows.

use std::sync::{Mutex, PoisonError};

use crate::convert::{Bad, Conversion};
use crate::engine::{Became, ColumnJob, Outcome, Strings, WINDOW};
use crate::error::Error;
use crate::formats::Evidence;
use crate::kernels::Kernel;

/// Converts the strings of rows, with memory of its own.
pub(super) struct RowConverter<'r> {
    plan: Conversion,
    layouts: &'r Layouts<'r>,
    strings: Strings,
    /// For each value the number of its string, if it has one.
    numbers: Vec<Option<usize>>,
}

/// What becomes of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate<'a> {
    /// There is no string.
    Nothing,
    /// A new string.
    Written(&'a [u8]),
    /// It is good, and nothing is written in its place.
    Good,
    /// It is refused.
    Refused,
}

impl<'r> RowConverter<'r> {
    pub(super) fn new(job: &ColumnJob, layouts: &'r Layouts<'r>) -> Self {
        let strings = Strings::new(job.plan, job.kernel);
        Self { plan: job.plan, layouts, strings, numbers: Vec::new() }
    }

    /// Converts the strings of rows that follow those in `outcome`, and adds what is to be said of them.
    pub(super) fn convert(&mut self, rows: &[Option<&[u8]>], outcome: &mut Outcome) -> Result<(), Error> {
        self.convert_values(rows)?;
        self.tell((0..rows.len()).map(Some), rows, outcome);
        outcome.counts.add(self.strings.counts());
        Ok(())
    }

    /// The same where rows have the keys of their strings in a dictionary: each is converted once. Counts of forms and losses are those
    /// of the dictionary.
    pub(super) fn convert_keyed(
        &mut self,
        keys: &[Option<usize>],
        values: &[Option<&[u8]>],
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        self.convert_values(values)?;
        self.tell(keys.iter().copied(), values, outcome);
        let mut counts = self.strings.counts().clone();
        (counts.records, counts.rejected) = (0, 0);
        counts.codes.clear();
        for number in keys.iter().filter_map(|key| self.numbers[(*key)?]) {
            counts.records += 1;
            if let Became::Refused(reject) = self.strings.became(number) {
                counts.reject(reject.code);
            }
        }
        outcome.counts.add(&counts);
        Ok(())
    }

    /// What became of a value.
    pub(super) fn fate(&self, value: usize) -> Fate<'_> {
        let Some(number) = self.numbers[value] else { return Fate::Nothing };
        match self.strings.became(number) {
            Became::Refused(_) => Fate::Refused,
            Became::Written(string, _) if self.plan.emit.writes() => Fate::Written(string),
            Became::Written(..) => Fate::Good,
        }
    }

    fn convert_values(&mut self, values: &[Option<&[u8]>]) -> Result<(), Error> {
        self.strings.clear();
        self.numbers.clear();
        for value in values {
            let string = value.filter(|string| !string.is_empty());
            self.numbers.push(string.map(|_| self.strings.len()));
            string.iter().for_each(|string| self.strings.push(string));
        }
        if self.strings.convert().is_err() {
            self.strings.know(self.layouts.evidence()?);
            let known = self.strings.convert();
            known.map_err(|tied| Error::Internal(tied.to_string()))?;
        }
        Ok(())
    }

    /// Accounts for rows, and lists those that are refused and what is noted of others; with [`Bad::Stop`] up to the first refused one.
    fn tell(&self, keys: impl Iterator<Item = Option<usize>>, values: &[Option<&[u8]>], outcome: &mut Outcome) {
        let (mut found, mut good) = (0, 0);
        for key in keys {
            let line = outcome.counts.lines;
            outcome.counts.lines += 1;
            let place = key.and_then(|key| Some((self.numbers[key]?, values[key]?)));
            let Some((number, record)) = place else {
                outcome.counts.without += 1;
                continue;
            };
            found += 1;
            let refusal = match self.strings.became(number) {
                Became::Refused(reject) => Some(reject),
                Became::Written(..) => None,
            };
            good += u64::from(refusal.is_none());
            let said = refusal.into_iter().chain(self.strings.notices(number));
            said.for_each(|reject| outcome.tell(line, line as usize, record, reject.clone(), refusal.is_none()));
            if refusal.is_some() && self.plan.bad == Bad::Stop {
                outcome.stopped = true;
                return;
            }
        }
        outcome.account_for(found, good);
    }
}

/// In which layouts strings are read that do not say it: asked only where it matters.
pub(super) struct Layouts<'r> {
    found: Mutex<Option<Evidence>>,
    weigh: Box<dyn Fn() -> Result<Evidence, Error> + Sync + 'r>,
}

impl<'r> Layouts<'r> {
    /// Those that `weigh` finds, out of the first strings of the run.
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

/// Weighs the strings that begin in the first 4 MiB of all, as lines of a file are weighed.
pub(super) struct Window {
    strings: Strings,
    evidence: Evidence,
    position: u64,
}

impl Window {
    pub(super) fn new(plan: Conversion, kernel: &'static Kernel) -> Self {
        Self { strings: Strings::new(plan, kernel), evidence: Evidence::default(), position: 0 }
    }

    /// Whether no more strings are of interest.
    pub(super) fn is_full(&self) -> bool {
        self.position >= WINDOW
    }

    /// Takes strings that follow those before them.
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

    /// What they say.
    pub(super) fn evidence(&self) -> Evidence {
        self.evidence
    }
}
