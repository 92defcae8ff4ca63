//! The grades of records: kept, counted, and used to choose records.

use super::bits;
use super::converted::Converted;
use super::converter::Converter;
use super::counts::Counts;
use crate::solve::Grade;

impl Converted {
    /// Keeps and counts the grades of records, of which the first has this number.
    pub(super) fn keep_grades(&mut self, first: usize, grades: &[Option<Grade>]) {
        self.facts.keep_grades(first, grades);
        grades.iter().for_each(|&grade| self.counts.grade(grade, 1));
    }

    /// Whether a record was passed over, because its grade was not asked for: see
    /// [`Checks::grades`](super::Checks::grades).
    #[inline]
    pub fn is_passed_over(&self, record: usize) -> bool {
        !self.passed_over.is_empty() && self.passed_over.binary_search(&record).is_ok()
    }

    /// Takes back what the grade of a record has added to the counts.
    pub(super) fn take_back_grade(&self, record: usize, counts: &mut Counts) {
        counts.take_back_grade(self.facts(record).grade);
        counts.passed_over -= u64::from(self.is_passed_over(record));
    }
}

impl Converter {
    /// Counts boards without a grade, if grades are counted.
    pub(super) fn count_without_grade(&mut self, boards: u64) {
        if self.plan.facts.grade {
            self.converted.counts.grade(None, boards.count_ones().into());
        }
    }

    /// Passes over those of some good records whose grade was not asked for. `first` is the number of the first.
    pub(super) fn pass_over(&mut self, first: usize, good: u64) {
        let Some(grades) = self.plan.checks.grades else { return };
        for i in bits(good) {
            if !self.converted.facts(first + i).grade.is_some_and(|grade| grades.contains(grade)) {
                self.converted.passed_over.push(first + i);
                self.converted.counts.passed_over += 1;
            }
        }
    }
}
