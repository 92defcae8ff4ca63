//! Decides what to do with each row.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::links::refused;
use super::{ColumnValue, MigrationJob, NewValue, PAGE, SharedBytes, StoredAs, TableRow};
use crate::engine::{StringConverter, StringResult};
use crate::error::{Code, Error, Reject};
use crate::formats::{Evidence, Format};
use crate::framing::Links;
use crate::kernels::Kernel;

/// Counts of rows by what was done with them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// All rows. With several columns, a row is counted for each of them.
    pub rows: u64,
    /// Written, or to be written.
    pub written: u64,
    /// Without a string: NULL or empty. They stay as they are.
    pub empty: u64,
    /// Already in version 2, or with the new string already in its column.
    pub done: u64,
    /// Plain strings that stay as they are.
    pub plain: u64,
    /// Refused. They stay as they are.
    pub rejected: u64,
    /// Removed by others before they could be written.
    #[serde(default, skip_serializing_if = "is_none")]
    pub gone: u64,
    /// Refused rows by code.
    pub codes: BTreeMap<String, u64>,
    /// Strings by format and kind.
    pub forms: BTreeMap<String, u64>,
    /// Rows that lose something, by kind of loss.
    pub losses: BTreeMap<String, u64>,
}

impl Tally {
    /// Adds the counts of another batch.
    pub(super) fn add(&mut self, other: &Self) {
        self.rows += other.rows;
        self.written += other.written;
        self.empty += other.empty;
        self.done += other.done;
        self.plain += other.plain;
        self.rejected += other.rejected;
        self.gone += other.gone;
        let maps =
            [(&mut self.codes, &other.codes), (&mut self.forms, &other.forms), (&mut self.losses, &other.losses)];
        for (mine, theirs) in maps {
            theirs.iter().for_each(|(name, rows)| *mine.entry(name.clone()).or_default() += rows);
        }
    }

    /// Checks that each row is counted exactly once, and that there are `rejected` refused rows.
    pub(super) fn check(&self, rejected: u64) -> Result<(), Error> {
        let decisions = self.written + self.empty + self.done + self.plain + self.rejected + self.gone;
        if decisions == self.rows && rejected == self.rejected {
            return Ok(());
        }
        Err(Error::Internal(format!(
            "{} rows were read, but {decisions} are accounted for, {} of them refused, with {rejected} rows that say why",
            self.rows, self.rejected
        )))
    }

    /// Counts a row that is refused because it has disappeared.
    pub(super) fn gone_row(&mut self) -> Reject {
        let reject = Reject::whole(Code::Column, "the row no longer exists");
        self.rows += 1;
        self.reject(reject.code);
        reject
    }

    /// Counts a refused row.
    pub(super) fn reject(&mut self, code: Code) {
        self.rejected += 1;
        *self.codes.entry(code.name().to_string()).or_default() += 1;
    }
}

fn is_none(rows: &u64) -> bool {
    *rows == 0
}

/// An old string and its new one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The row's key.
    pub key: String,
    /// The column, if there are several.
    pub column: Option<String>,
    /// The old string.
    pub old: String,
    /// The new one.
    pub new: String,
}

/// What to do with a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Decision {
    /// Leave it as it is.
    Stays,
    /// Write this value.
    New(NewValue),
    /// Leave it as it is and report why.
    Refused(Reject),
}

/// Like [`Decision`], while the new strings are still being collected.
enum Decided {
    Final(Decision),
    /// Write this range of the new strings.
    New(Range<usize>),
}

/// A policy for rows: migration or restoring.
pub(super) trait Decide {
    /// Whether a transaction must include all rows up to its end, however many there are.
    const WHOLE: bool = false;

    /// Begins a transaction, also when it is repeated.
    fn begin(&mut self) {}

    /// Decides what to do with rows.
    fn decide(&mut self, rows: &[TableRow], stored: &StoredAs) -> Result<(Vec<Decision>, Tally), Error>;

    /// The rows of the transaction that were expected but have disappeared, as far as they are known.
    fn missing(&mut self) -> Vec<TableRow> {
        Vec::new()
    }
}

/// Converts strings to version 2.
pub(super) struct Decider {
    strings: StringConverter,
    evidence: Evidence,
    links: Option<Links>,
    plain: bool,
    /// For each row the number of its string, if it has one.
    numbers: Vec<Option<usize>>,
}

impl Decider {
    pub(super) fn new(job: &MigrationJob, kernel: &'static Kernel) -> Self {
        let links = Links { plain: job.plain, hints: job.plan.hints, ..Links::default() };
        let links = job.links.then_some(links);
        let (strings, evidence) = (StringConverter::new(job.plan, kernel), Evidence::default());
        Self { strings, evidence, links, plain: job.plain, numbers: Vec::new() }
    }

    /// Takes the evidence for layouts that the first strings of the table give.
    pub(super) fn set_evidence(&mut self, evidence: Evidence) {
        self.evidence = evidence;
    }

    /// The evidence of these rows for layouts, and the total length of their strings.
    pub(super) fn weigh(&mut self, rows: &[TableRow]) -> (Evidence, usize) {
        self.take(rows);
        (self.strings.weigh(), self.strings.bytes())
    }

    fn take(&mut self, rows: &[TableRow]) {
        self.strings.clear();
        self.numbers.clear();
        for row in rows {
            let string = row.old.bytes().filter(|bytes| !bytes.is_empty());
            self.numbers.push(string.map(|bytes| {
                self.strings.push(bytes);
                self.strings.len() - 1
            }));
        }
    }

    /// Decides on a row, and appends its new string to `news`.
    fn decision(&self, row: &TableRow, number: Option<usize>, news: &mut Vec<u8>, tally: &mut Tally) -> Decided {
        let stays = Decided::Final(Decision::Stays);
        let refused = |tally: &mut Tally, reject: Reject| {
            tally.reject(reject.code);
            Decided::Final(Decision::Refused(reject))
        };
        let Some(number) = number else {
            match row.old {
                ColumnValue::Number(_) => {
                    return refused(tally, Reject::whole(Code::Column, "it is a number, not a string"));
                }
                ColumnValue::TooLarge(bytes) => return refused(tally, too_large(bytes, "")),
                _ => {}
            }
            tally.empty += 1;
            return stays;
        };
        let (new, id) = match self.strings.result(number) {
            StringResult::Refused(reject) => return refused(tally, reject.clone()),
            StringResult::Written(new, id) => (new, id),
        };
        if id == Format::Plain && !self.plain {
            tally.plain += 1;
            return stays;
        }
        // Strings that are already in version 2 are left byte for byte.
        let new = if id == Format::V2 { row.old.bytes().unwrap_or_default() } else { new };
        let done = match &row.target {
            None => id == Format::V2,
            Some(target) => target.bytes() == Some(new),
        };
        if done {
            tally.done += 1;
            return stays;
        }
        if row.target.as_ref().is_some_and(|target| *target != ColumnValue::Null && target.bytes() != Some(b"")) {
            return refused(
                tally,
                Reject::whole(Code::Column, "the column for the new string already holds something else"),
            );
        }
        // All formats are ASCII, and checking for that is much faster than a lossy conversion.
        if std::str::from_utf8(new).is_err() {
            return refused(tally, Reject::whole(Code::Digit, "internal error: the new string is not text"));
        }
        tally.written += 1;
        news.extend_from_slice(new);
        Decided::New(news.len() - new.len()..news.len())
    }
}

impl Decide for Decider {
    fn decide(&mut self, rows: &[TableRow], stored: &StoredAs) -> Result<(Vec<Decision>, Tally), Error> {
        if let Some(plan) = self.links {
            let mut tally = Tally { rows: rows.len() as u64, ..Tally::default() };
            return Ok((rows.iter().map(|row| decide_text(plan, row, stored, &mut tally)).collect(), tally));
        }
        self.take(rows);
        self.strings.convert(&self.evidence);
        let counts = self.strings.counts();
        let mut tally = Tally { rows: rows.len() as u64, ..Tally::default() };
        for (id, kind, strings) in counts.forms() {
            tally.forms.insert(format!("{id} {kind}"), strings);
        }
        for (loss, strings, _) in counts.losses() {
            tally.losses.insert(loss.name().to_string(), strings);
        }
        let mut news = Vec::with_capacity(self.strings.bytes() + self.strings.bytes() / 8);
        let numbered = rows.iter().zip(&self.numbers);
        let decided: Vec<_> =
            numbered.map(|(row, number)| self.decision(row, *number, &mut news, &mut tally)).collect();
        let news = Arc::new(news);
        let decisions = rows.iter().zip(decided).map(|(row, decided)| match decided {
            Decided::Final(decision) => decision,
            Decided::New(range) => new_value(SharedBytes::part(&news, range), row, stored),
        });
        Ok((decisions.collect(), tally))
    }
}

fn new_value(new: SharedBytes, row: &TableRow, stored: &StoredAs) -> Decision {
    Decision::New(if stored.is_bytes(row) { NewValue::Blob(new) } else { NewValue::Text(new) })
}

/// What can be done about texts that are too large.
const RELINK: &str = "; use gridmill relink on an export of it";

/// Why a value was not read that has this many bytes, and what to do.
fn too_large(bytes: u64, help: &str) -> Reject {
    Reject::whole(Code::TooLong, format!("it has {bytes} bytes, and values over 4 MiB are not read{help}"))
}

/// Decides on a text with links. Either all of them are rewritten, or the row is refused and stays as it is.
fn decide_text(links: Links, row: &TableRow, stored: &StoredAs, tally: &mut Tally) -> Decision {
    if let ColumnValue::TooLarge(bytes) = row.old {
        tally.reject(Code::TooLong);
        return Decision::Refused(too_large(bytes, RELINK));
    }
    let Some(text) = row.old.bytes() else {
        tally.empty += 1;
        return Decision::Stays;
    };
    let done = links.text(text);
    if let Some(reject) = refused(&done) {
        tally.reject(reject.code);
        return Decision::Refused(reject);
    }
    let Some(new) = done.text else {
        *(if done.kept > 0 { &mut tally.done } else { &mut tally.empty }) += 1;
        return Decision::Stays;
    };
    if new.len() > PAGE {
        // It could not be read again.
        tally.reject(Code::TooLong);
        let words = format!("its new text has {} bytes, and values over 4 MiB are not written{RELINK}", new.len());
        return Decision::Refused(Reject::whole(Code::TooLong, words));
    }
    tally.written += 1;
    *tally.forms.entry("links".into()).or_default() += done.rewritten;
    new_value(new.into(), row, stored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_without_a_fate_or_with_two_is_an_error() {
        let good = Tally { rows: 9, written: 3, empty: 1, done: 1, plain: 1, rejected: 2, gone: 1, ..Tally::default() };
        assert!(good.check(2).is_ok() && good.check(1).is_err());
        assert!(Tally { rows: 8, ..good.clone() }.check(2).is_err());
        assert!(Tally { rows: 10, ..good }.check(2).is_err());
    }
}
