//! Counts the givens of boards.

use super::bits;
use super::converter::Converter;
use super::facts::{Facts, RecordFacts, find_givens};
use super::group::RecordGroup;
use crate::board::BoardSet;

impl Converter {
    /// Counts the givens of the boards in `good`, if the plan asks for it.
    pub(super) fn count_givens(&mut self, group: &RecordGroup, good: u64) {
        let Facts { givens: counted, symmetric, .. } = self.plan.facts;
        if !counted && !symmetric && !self.plan.checks.clue_counts {
            return;
        }
        let boards = BoardSet { batch: &self.work.batch, boards: good, all_given: self.digits_given(group.form) };
        self.converted.facts.by_record.resize(group.first + group.len(), RecordFacts::default());
        let facts = &mut self.converted.facts.by_record[group.first..];
        find_givens(boards, symmetric, self.kernel, facts);
        if self.plan.checks.clue_counts {
            for i in bits(good) {
                *self.converted.counts.clue_counts.entry(facts[i].clues).or_default() += 1;
            }
        }
    }
}
