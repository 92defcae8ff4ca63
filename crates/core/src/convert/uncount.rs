//! Takes records out of the counts again, if their row is bad.

use super::converted::Converted;
use super::count_log::CountEntry;
use super::counts::Counts;

impl Converted {
    /// Counts the solved cells of records that are all good.
    #[inline]
    pub(super) fn count_solved(&mut self, first: usize, len: usize, cells: u64) {
        self.counts.solved_cells += cells;
        if self.log.is_on() && cells > 0 {
            debug_assert_eq!(self.log.most_of_rows(first, len), len, "a group of parts of several rows");
            if self.log.is_part(first, len) {
                self.log.push(first, CountEntry::Solved(cells));
            }
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

    fn uncount_one(&self, record: usize, log: &[(usize, CountEntry)], counts: &mut Counts) {
        let has_form = !log.iter().any(|(_, counted)| matches!(counted, CountEntry::WithoutForm));
        let is_read = !log.iter().any(|(_, counted)| matches!(counted, CountEntry::Unread));
        let form = self.form(record).filter(|_| has_form);
        let clues = form.filter(|_| is_read).map(|_| self.facts(record).clues);
        counts.take_back_record(form, clues, self.refusal(record).map(|reject| reject.code));
        if clues.is_some() {
            self.take_back_grade(record, counts);
        }
        for (_, counted) in log {
            match (counted, form) {
                (CountEntry::Layout(by), Some(form)) => counts.take_back_layout(form, *by),
                (CountEntry::Code(code), _) => counts.take_back_code(*code),
                (CountEntry::Warning(code), _) => counts.take_back_warning(*code),
                (CountEntry::Losses(losses), _) => counts.take_back_losses(losses),
                (CountEntry::Solved(cells), _) => counts.solved_cells -= cells,
                (CountEntry::LeftWithNothing(cells), _) => counts.cells_left_with_nothing -= cells,
                (CountEntry::LeftOut(cells), _) => counts.left_out -= cells,
                (CountEntry::OpenKiller, _) => counts.open_killers -= 1,
                (CountEntry::WithoutForm | CountEntry::Unread | CountEntry::Layout(_), _) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use crate::convert::{CheckLevel, Checks, Conversion, Converter};
    use crate::formats::{Evidence, Records};
    use crate::kernels::{Kernel, SCALAR, Texts, scalar_with};

    static DECODED: AtomicUsize = AtomicUsize::new(0);

    fn count_and_decode(texts: Texts, codes: &mut [u16]) -> u64 {
        DECODED.fetch_add(texts.starts.len(), Ordering::Relaxed);
        (SCALAR.codecs.decode_plain)(texts, codes)
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
        let converted = converter.convert(records, &Evidence::default());
        let mut counts = converted.counts.clone();
        converted.uncount((0..300).filter(|at| at % 3 != 1), &mut counts);
        assert_eq!(DECODED.load(Ordering::Relaxed), 200);
        assert_eq!((counts.records, counts.rejected, counts.forms().count()), (100, 100, 0));
    }
}
