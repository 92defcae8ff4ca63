//! What single records have added to the counts, so that it can be taken back.
//!
//! If several records are one row of a table, a bad one makes the whole row bad, and the others must not count. Which
//! rows are bad is not known before all stages have run. Therefore whatever the other results do not show is logged when
//! it is counted. Solved cells are counted for whole groups where possible; groups of forms that have this count are
//! therefore divided so that each consists of whole rows or belongs to one row ([`CountLog::most`]).

use crate::error::Code;
use crate::formats::{DecidedBy, Form, HeldCandidates, Losses};

/// The log of a call. It stays empty if no row has several records.
#[derive(Debug, Default)]
pub(super) struct CountLog {
    /// The end of each row, as a number of records; empty if no row has several.
    rows: Vec<u32>,
    /// The number of records of each row, if all have equally many.
    length: Option<usize>,
    /// What was counted, by its record.
    pub(super) entries: Vec<(usize, CountEntry)>,
}

/// Something that was counted for a record.
#[derive(Debug, Clone, Copy)]
pub(super) enum CountEntry {
    /// The record, but no form, since it has none.
    WithoutForm,
    /// No givens, since it could not be read.
    Unread,
    /// What decided its layout.
    Layout(DecidedBy),
    /// A code beyond that of its refusal.
    Code(Code),
    Warning(Code),
    Losses(Losses),
    /// Solved cells. For records of one row that are all good, the first one stands for all.
    Solved(u64),
    LeftWithNothing(u64),
    LeftOut(u64),
    /// Cages without a sum.
    OpenKiller,
}

impl CountLog {
    /// Sets the rows of the next calls, by their numbers of records.
    pub(super) fn set_rows(&mut self, lengths: impl Iterator<Item = u32> + Clone) {
        self.rows.clear();
        let first = lengths.clone().next();
        self.length = first
            .filter(|&first| first > 0 && lengths.clone().all(|length| length == first))
            .map(|length| length as usize);
        if lengths.clone().any(|length| length > 1) {
            let mut end = 0;
            self.rows.extend(lengths.map(|length| {
                end += length;
                end
            }));
        }
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    /// Whether something may be taken back.
    #[inline]
    pub(super) fn is_on(&self) -> bool {
        !self.rows.is_empty()
    }

    #[inline]
    pub(super) fn push(&mut self, record: usize, counted: CountEntry) {
        if self.is_on() {
            self.entries.push((record, counted));
        }
    }

    /// The row with a record: its first record, its number, and where it ends.
    fn row(&self, record: usize) -> (usize, usize, usize) {
        if let Some(length) = self.length {
            let row = record / length;
            return (row * length, row, (row + 1) * length);
        }
        let row = self.rows.partition_point(|&end| end as usize <= record);
        let end = |row: usize| self.rows.get(row).map_or(usize::MAX, |&end| end as usize);
        (row.checked_sub(1).map_or(0, end), row, end(row))
    }

    /// How many of `len` records of a form from `first` on may be a group: whole rows, or records of one row.
    #[inline]
    pub(super) fn most(&self, form: Form, first: usize, len: usize) -> usize {
        if self.is_on() && len > 1 && counts_solved(form) { self.most_of_rows(first, len) } else { len }
    }

    pub(super) fn most_of_rows(&self, first: usize, len: usize) -> usize {
        let (start, row, end) = self.row(first);
        if end >= first + len {
            return len;
        }
        let whole = self.rows[row..].iter().take_while(|&&end| end as usize <= first + len).last();
        if start < first { end - first } else { whole.map_or(len, |&end| end as usize - first) }
    }

    /// Whether a group is a part of a row, and may thus be taken back although all of its records are good.
    pub(super) fn is_part(&self, first: usize, len: usize) -> bool {
        let (start, _, end) = self.row(first);
        start < first || end > first + len
    }
}

/// Whether decoding counts the solved cells of a form: those of formats that cannot tell them from single candidates.
fn counts_solved(form: Form) -> bool {
    let holds = form.id.codec().holds(form);
    holds.candidates != HeldCandidates::None && !holds.single
}
