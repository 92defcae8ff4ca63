//! Rows whose strings are refused.

use std::collections::BTreeMap;
use std::fmt;

use gridmill_core::{Code, Reject};

/// A row whose string is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowRefusal {
    /// The row, from 0 in the column.
    pub row: usize,
    /// Why.
    pub reject: Reject,
}

/// The rows whose strings are refused.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refused {
    /// In their order; only the first one, unless [`Session::list_refused`](crate::Session::list_refused).
    pub rows: Vec<RowRefusal>,
    /// How many there are of each code.
    pub codes: BTreeMap<Code, usize>,
}

impl Refused {
    /// The first one.
    pub fn first(&self) -> Option<&RowRefusal> {
        self.rows.first()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.codes.values().sum()
    }

    /// Adds a row after those before it.
    pub(crate) fn add(&mut self, row: usize, reject: &Reject, list: bool) {
        *self.codes.entry(reject.code).or_default() += 1;
        if list || self.rows.is_empty() {
            self.rows.push(RowRefusal { row, reject: reject.clone() });
        }
    }

    /// Adds rows that come after those before them.
    pub(crate) fn join(&mut self, after: Self, list: bool) {
        after.codes.iter().for_each(|(&code, count)| *self.codes.entry(code).or_default() += count);
        if list || self.rows.is_empty() {
            self.rows.extend(after.rows);
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(RowRefusal { row, reject }) = self.first() else { return f.write_str("no row is rejected") };
        write!(f, "row {row}: {reject}")?;
        match self.count() - 1 {
            0 => Ok(()),
            1 => f.write_str(" (and one more row)"),
            more => write!(f, " (and {more} more rows)"),
        }
    }
}
