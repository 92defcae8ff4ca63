//! The results of a conversion.

use super::bits;
use super::count_log::{CountEntry, CountLog};
use super::counts::Counts;
use super::facts::{FactMemory, RecordFacts};
use super::group::RecordGroup;
use crate::canon::Key;
use crate::error::{Code, Refusal, Reject};
use crate::formats::{DecidedBy, Form, Text};

/// The approximate memory that a refusal takes, here and until it is written.
pub(super) fn memory_of(reject: &Reject) -> usize {
    size_of::<Refusal>() + reject.message.len()
}

/// A cell read as solved that may have been a single candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolvedCell {
    /// The record, from 0 in its call.
    pub record: usize,
    /// The cell, from 0.
    pub cell: u16,
    /// The side of its board.
    pub side: u8,
}

/// The results of a call, in the order of its records.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Converted {
    /// The new strings; empty if good records are passed on unchanged. Each is followed by a line end, if the
    /// converter was told so.
    pub text: Text,
    /// Where the string of each record ends in `text`, including its line end. The string of a refused record is
    /// empty.
    pub ends: Vec<usize>,
    /// The refused records, each once.
    pub refused: Vec<Refusal>,
    /// Warnings, and the problems of a refused record beyond its first.
    pub notices: Vec<Refusal>,
    /// The good records whose grade was not asked for, in order: see
    /// [`Checks::grades`](super::Checks::grades).
    pub passed_over: Vec<usize>,
    /// The solved cells of good records, if the plan asks for them.
    pub solved: Vec<SolvedCell>,
    /// The form of each record, run-length encoded: the first record of a run, and its form.
    pub forms: Vec<(usize, Form)>,
    /// Whether there were strings whose layout had to be found.
    pub weighed: bool,
    /// The counts.
    pub counts: Counts,
    /// See [`Converted::facts`].
    pub(super) facts: FactMemory,
    /// What single records have added to the counts.
    pub(super) log: CountLog,
}

impl Converted {
    /// Removes all results and keeps their memory.
    pub(super) fn clear(&mut self) {
        let Self { text, ends, refused, notices, passed_over, solved, forms, weighed, counts, facts, log } = self;
        log.clear();
        text.clear();
        ends.clear();
        refused.clear();
        notices.clear();
        passed_over.clear();
        solved.clear();
        forms.clear();
        *weighed = false;
        counts.clear();
        facts.clear();
    }

    /// The new string of a record, with its line end if there is one; empty if the record was refused.
    #[inline]
    pub fn string(&self, record: usize) -> &[u8] {
        let start = record.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text.as_slice()[start..self.ends[record]]
    }

    /// The facts about a record that [`Conversion::facts`](super::Conversion::facts) asks for.
    #[inline]
    pub fn facts(&self, record: usize) -> RecordFacts {
        self.facts.by_record.get(record).copied().unwrap_or_default()
    }

    /// The only solution of a record, if the plan asks for it and there is one: a digit for each cell, with letters `A`
    /// to `P` above 9 and a point for a black cell without a digit.
    #[inline]
    pub fn solution(&self, record: usize) -> &[u8] {
        self.facts.text(record, |texts| texts.solution)
    }

    /// The map from a record's board to its replacement, if the plan asks for it: see [`crate::canon::Map`].
    #[inline]
    pub fn map(&self, record: usize) -> &[u8] {
        self.facts.text(record, |texts| texts.map)
    }

    /// The number of automorphisms of a record, in the `solution` form followed by a `/` and that of its grid, if the
    /// plan asks for it.
    #[inline]
    pub fn automorphisms(&self, record: usize) -> &[u8] {
        self.facts.text(record, |texts| texts.automorphisms)
    }

    /// The title of a record, if the plan asks for it: a text of at most [`MOST_OF_A_TITLE`](crate::formats::MOST_OF_A_TITLE)
    /// characters, tabs and line ends among them.
    #[inline]
    pub fn title(&self, record: usize) -> &[u8] {
        self.facts.text(record, |texts| texts.title)
    }

    /// The author of a record, if the plan asks for it, in a text like that of [`Converted::title`].
    #[inline]
    pub fn author(&self, record: usize) -> &[u8] {
        self.facts.text(record, |texts| texts.author)
    }

    /// The key of a record's replacement, if the plan asks for it.
    #[inline]
    pub fn key(&self, record: usize) -> Option<Key> {
        self.facts.keys.get(record)?.0
    }

    /// The key of a row with these strings: that of its only string, or the key of their keys. The row was not refused.
    pub fn key_of_row(&self, strings: impl Iterator<Item = usize>) -> Key {
        let keys: Vec<Key> = strings.filter_map(|at| self.key(at)).collect();
        match keys.as_slice() {
            &[key] => key,
            keys => Key::of(&keys.iter().flat_map(|key| key.0).collect::<Vec<_>>()),
        }
    }

    /// The key of a record's replacement as text.
    #[inline]
    pub fn key_text(&self, record: usize) -> &[u8] {
        self.facts.key_text(record)
    }

    /// Why a record was refused.
    #[inline]
    pub fn refusal(&self, record: usize) -> Option<&Reject> {
        let found = self.refused.binary_search_by_key(&record, |refusal| refusal.record);
        found.ok().map(|at| &self.refused[at].reject)
    }

    /// The form of a record, if it was recognised.
    #[inline]
    pub fn form(&self, record: usize) -> Option<Form> {
        let after = self.forms.partition_point(|&(first, _)| first <= record);
        after.checked_sub(1).map(|last| self.forms[last].1)
    }

    /// Counts the records of a group and records their form.
    pub(super) fn take(&mut self, group: &RecordGroup) {
        let form = group.form;
        self.counts.records += group.len() as u64;
        self.counts.form(form.id, form.shape.kind, group.len() as u64);
        self.counts.layouts(form.id, form.layout, group.layouts.map(|records| records.count_ones().into()));
        self.weighed |= group.layouts.iter().any(|&records| records > 0);
        if self.forms.last().is_none_or(|(_, last)| *last != form) {
            self.forms.push((group.first, form));
        }
        if self.log.is_on() {
            for (by, records) in DecidedBy::ALL.into_iter().zip(group.layouts) {
                bits(records).for_each(|i| self.log.push(group.first + i, CountEntry::Layout(by)));
            }
        }
    }

    /// Appends `len` strings of one width, each with its line end, for records of which none is refused. `fill` writes them
    /// with a distance from the start of one to the start of the next. If it returns false, nothing is appended.
    pub(super) fn push_each(
        &mut self,
        (len, width): (usize, usize),
        line_end: &[u8],
        fill: impl FnOnce(&mut [u8], usize) -> bool,
    ) -> bool {
        let (start, pitch) = (self.text.len(), width + line_end.len());
        let room = &mut self.text.room(len * pitch)[..len * pitch];
        if !fill(room, pitch) {
            return false;
        }
        // One byte or two: a copy of variable length takes longer.
        if let (Some(&first), Some(&last)) = (line_end.first(), line_end.last()) {
            for place in room.chunks_exact_mut(pitch) {
                (place[width], place[pitch - 1]) = (first, last);
            }
        }
        self.text.advance(len * pitch);
        self.ends.extend((1..=len).map(|i| start + i * pitch));
        true
    }

    /// Appends the key of a record, if there is one, to the new text.
    pub(super) fn write_key(&mut self, record: usize) {
        self.text.push(self.facts.key_text(record));
    }

    /// Refuses a record that has no form.
    pub(super) fn refuse(&mut self, reject: Reject) {
        self.counts.records += 1;
        self.weighed |= reject.code == Code::Ambiguous;
        self.counts.reject(reject.code);
        self.log.push(self.ends.len(), CountEntry::WithoutForm);
        self.refused.push(Refusal { record: self.ends.len(), reject });
        self.ends.push(self.text.len());
    }
}
