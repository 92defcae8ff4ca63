//! The rows whose strings were refused.

use std::collections::BTreeMap;
use std::fmt;

use gridmill_core::{Code, Refusal, Reject};

/// The rows whose strings were refused.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedRows {
    /// The rows in order, each with its number from 0 in the column; only the first one, unless [`Session::list_refused`](crate::Session::list_refused) is set.
    pub rows: Vec<Refusal>,
    /// The number of rows by code.
    pub codes: BTreeMap<Code, usize>,
}

impl RefusedRows {
    /// Returns the first row.
    pub fn first(&self) -> Option<&Refusal> {
        self.rows.first()
    }

    /// Returns the number of rows.
    pub fn count(&self) -> usize {
        self.codes.values().sum()
    }

    /// Adds a row after the others.
    pub(crate) fn add(&mut self, row: usize, reject: &Reject, list: bool) {
        *self.codes.entry(reject.code).or_default() += 1;
        if list || self.rows.is_empty() {
            self.rows.push(Refusal { record: row, reject: reject.clone() });
        }
    }

    /// Adds later rows.
    pub(crate) fn join(&mut self, after: Self, list: bool) {
        after.codes.iter().for_each(|(&code, count)| *self.codes.entry(code).or_default() += count);
        if list || self.rows.is_empty() {
            self.rows.extend(after.rows);
        }
    }
}

impl fmt::Display for RefusedRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Refusal { record: row, reject }) = self.first() else { return f.write_str("no row is rejected") };
        write!(f, "row {row}: {reject}")?;
        match self.count() - 1 {
            0 => Ok(()),
            1 => f.write_str(" (and one more row)"),
            more => write!(f, " (and {more} more rows)"),
        }
    }
}
