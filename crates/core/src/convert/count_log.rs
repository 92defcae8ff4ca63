//! What single records have added to the counts, so that it can be taken back.
//!
//! If several records are one row of a table, a bad one makes the whole row bad, and the others must not count. Which
//! rows are bad is not known before all stages have run. Therefore whatever the other results do not show is logged when
//! it is counted. The stages count whole groups where they can; groups are therefore divided so that each consists of
//! whole rows or belongs to one row ([`CountLog::most`]).

use super::converted::Converted;
use super::counts::Counts;
use crate::error::Code;
use crate::formats::{DecidedBy, Losses};

/// The log of a call. It stays empty if no row has several records.
#[derive(Debug, Default)]
pub(super) struct CountLog {
    /// The end of each row, as a number of records; empty if no row has several.
    rows: Vec<u32>,
    /// What was counted, by its record.
    entries: Vec<(usize, Counted)>,
}

/// Something that was counted for a record.
#[derive(Debug, Clone, Copy)]
pub(super) enum Counted {
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
}

impl CountLog {
    /// Sets the rows of the next calls, by their numbers of records.
    pub(super) fn set_rows(&mut self, lengths: impl Iterator<Item = u32> + Clone) {
        self.rows.clear();
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

    /// Whether something may be taken back. Without the feature, nothing ever is, and all of this is left out.
    #[inline]
    pub(super) fn is_on(&self) -> bool {
        cfg!(feature = "rows") && !self.rows.is_empty()
    }

    #[inline]
    pub(super) fn push(&mut self, record: usize, counted: Counted) {
        if self.is_on() {
            self.entries.push((record, counted));
        }
    }

    /// The row with a record: its first record, its number, and where it ends.
    fn row(&self, record: usize) -> (usize, usize, usize) {
        let row = self.rows.partition_point(|&end| end as usize <= record);
        let end = |row: usize| self.rows.get(row).map_or(usize::MAX, |&end| end as usize);
        (row.checked_sub(1).map_or(0, end), row, end(row))
    }

    /// How many of `len` records from `first` on may be a group: whole rows, or records of one row.
    #[inline]
    pub(super) fn most(&self, first: usize, len: usize) -> usize {
        if self.is_on() { self.most_of_rows(first, len) } else { len }
    }

    fn most_of_rows(&self, first: usize, len: usize) -> usize {
        let (start, row, end) = self.row(first);
        if end >= first + len {
            return len;
        }
        let whole = self.rows[row..].iter().take_while(|&&end| end as usize <= first + len).last();
        if start < first { end - first } else { whole.map_or(len, |&end| end as usize - first) }
    }

    /// Whether a group is a part of a row, and may thus be taken back although all of its records are good.
    fn is_part(&self, first: usize, len: usize) -> bool {
        let (start, _, end) = self.row(first);
        start < first || end > first + len
    }
}

impl Converted {
    /// Counts the solved cells of records that are all good.
    #[inline]
    pub(super) fn count_solved(&mut self, first: usize, len: usize, cells: u64) {
        self.counts.solved_cells += cells;
        if self.log.is_on() && cells > 0 && self.log.is_part(first, len) {
            self.log.push(first, Counted::Solved(cells));
        }
    }

    /// Takes back what some records added to the counts. Each must be in a row with a refused record, as given to
    /// [`Converter::give_rows`](super::Converter::give_rows); at least one refused record of the row must remain.
    pub fn uncount(&self, records: impl IntoIterator<Item = usize>, counts: &mut Counts) {
        let mut log = self.log.entries.clone();
        log.sort_by_key(|&(record, _)| record);
        for record in records {
            let start = log.partition_point(|&(other, _)| other < record);
            let end = log.partition_point(|&(other, _)| other <= record);
            self.uncount_one(record, &log[start..end], counts);
        }
    }

    fn uncount_one(&self, record: usize, log: &[(usize, Counted)], counts: &mut Counts) {
        let has_form = !log.iter().any(|(_, counted)| matches!(counted, Counted::WithoutForm));
        let is_read = !log.iter().any(|(_, counted)| matches!(counted, Counted::Unread));
        let form = self.form(record).filter(|_| has_form);
        let clues = form.filter(|_| is_read).map(|_| self.facts(record).clues);
        counts.take_back_record(form, clues, self.refusal(record).map(|reject| reject.code));
        for (_, counted) in log {
            match (counted, form) {
                (Counted::Layout(by), Some(form)) => counts.take_back_layout(form, *by),
                (Counted::Code(code), _) => counts.take_back_code(*code),
                (Counted::Warning(code), _) => counts.take_back_warning(*code),
                (Counted::Losses(losses), _) => counts.take_back_losses(losses),
                (Counted::Solved(cells), _) => counts.solved_cells -= cells,
                (Counted::LeftWithNothing(cells), _) => counts.cells_left_with_nothing -= cells,
                (Counted::LeftOut(cells), _) => counts.left_out -= cells,
                (Counted::WithoutForm | Counted::Unread | Counted::Layout(_), _) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use crate::convert::{CheckLevel, Checks, Conversion, Converter};
    use crate::formats::Records;
    use crate::kernels::{Kernel, SCALAR, Texts, scalar_with};

    static DECODED: AtomicUsize = AtomicUsize::new(0);

    fn count_and_decode(texts: Texts, codes: &mut [u16]) -> u64 {
        DECODED.fetch_add(texts.starts.len(), Ordering::Relaxed);
        (SCALAR.decode_plain)(texts, codes)
    }

    /// Every stage goes through the kernel. It decodes each string once, although every row has a bad one, and taking
    /// the others out of the counts does not decode them again.
    #[test]
    fn no_string_is_converted_again() {
        let kernel: &'static Kernel = scalar_with(count_and_decode);
        let puzzle = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1";
        let row = format!("{puzzle}1{puzzle}");
        let text = row.repeat(100);
        let starts: Vec<_> = (0..100 * 3).map(|at| at / 3 * row.len() as u32 + [0, 81, 82][at as usize % 3]).collect();
        let ends: Vec<_> = starts.iter().enumerate().map(|(at, start)| start + [81, 1, 81][at % 3]).collect();
        let checks = Checks { level: CheckLevel::Unique, ..Checks::default() };
        let plan = Conversion { checks, emit: crate::convert::Emit::Nothing, ..Conversion::default() };
        let mut converter = Converter::new(plan, kernel);
        converter.give_rows([3; 100].into_iter());
        let records = Records { bytes: text.as_bytes(), starts: &starts, ends: &ends };
        let Ok(converted) = converter.convert(records) else { panic!("no layouts") };
        let mut counts = converted.counts.clone();
        converted.uncount((0..300).filter(|at| at % 3 != 1), &mut counts);
        assert_eq!(DECODED.load(Ordering::Relaxed), 200);
        assert_eq!((counts.records, counts.rejected, counts.forms().count()), (100, 100, 0));
    }
}
