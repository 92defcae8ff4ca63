//! The stages of a conversion in their order.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::canonical::Canonize;
use super::canonical_state::CanonicalState;
use super::converted::{Converted, memory_of};
use super::count_log::CountEntry;
use super::encode_plan::BoardWriter;
use super::facts::Facts;
use super::given::GivenSolutions;
use super::group::{GroupWork, RecordGroup, WaitingGroups};
use super::plan::{CheckLevel, Conversion, Givens};
use super::recognise::{Recogniser, RecordClass};
use super::verdicts::Verdicts;
use super::{MAX_HELD_BYTES, bits};
use crate::board::{BATCH, FillCandidates, Side, fill_candidates};
use crate::error::Refusal;
use crate::formats::{EvidenceSource, Form, Loss, Names, Records, Remainder, Text, explain};
use crate::kernels::{Decoded, Kernel, all_bits};

/// Converts records. Its memory is reused between calls.
///
/// A record is a range of bytes of a text. [`Converter::convert`] takes all records of a text at once. A caller that
/// finds records while they are converted uses [`Converter::begin`], [`Converter::add`] and [`Converter::finish`].
pub struct Converter {
    pub(super) plan: Conversion,
    pub(super) kernel: &'static Kernel,
    pub(super) work: GroupWork,
    pub(super) writer: BoardWriter,
    pub(super) verdicts: Verdicts,
    /// Solutions that came with the records.
    pub(super) given: GivenSolutions,
    /// Names that stand beside the records, with the numbers of these, in order.
    given_names: Vec<(usize, Arc<Names>)>,
    /// The memory for canonical forms, if the plan has some.
    pub(super) canonical_state: Option<Box<CanonicalState>>,
    pub(super) waiting: WaitingGroups,
    pub(super) converted: Converted,
    /// The approximate number of bytes that refusals and facts take.
    pub(super) held_bytes: usize,
}

impl fmt::Debug for Converter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Converter").field("plan", &self.plan).field("kernel", &self.kernel.name).finish_non_exhaustive()
    }
}

impl Converter {
    /// A converter for a plan, with a kernel of this machine.
    pub fn new(plan: Conversion, kernel: &'static Kernel) -> Self {
        Self {
            plan,
            kernel,
            work: GroupWork::default(),
            writer: BoardWriter::default(),
            verdicts: Verdicts::new(&plan, kernel),
            given: GivenSolutions::default(),
            given_names: Vec::new(),
            canonical_state: plan.canonical.map(|_| Box::new(CanonicalState::new(plan.checks.effort, kernel))),
            waiting: WaitingGroups::default(),
            converted: Converted::default(),
            held_bytes: 0,
        }
    }

    /// Ends each new string with a line feed, for clients that write lines.
    #[must_use]
    pub fn with_line_feeds(mut self) -> Self {
        self.end_lines(false);
        self
    }

    /// Ends each new string of later calls with a line feed, after a carriage return if `carriage_returns`.
    pub fn end_lines(&mut self, carriage_returns: bool) {
        self.writer.line_end = if carriage_returns { b"\r\n" } else { b"\n" };
    }

    /// The converter's plan.
    pub fn plan(&self) -> &Conversion {
        &self.plan
    }

    /// Sets the solutions that came with the next records, as one range of the same bytes for each record. The range is
    /// empty if there is none. They apply to all calls until others are set; [`Conversion::given_solutions`] must be
    /// set.
    pub fn give_solutions(&mut self, solutions: impl Iterator<Item = Range<u32>>) {
        self.given.take(solutions);
    }

    /// Sets the titles and authors that do not stand in the next records but beside them, with the numbers of their records,
    /// in order. They are names of these records like those in their strings: kept or lost. They apply to all calls until
    /// others are set.
    pub fn give_names(&mut self, names: &[(usize, Arc<Names>)]) {
        self.given_names.clear();
        self.given_names.extend_from_slice(names);
    }

    /// Sets the rows of the next records, by their numbers of records. Bad rows can then be taken out of the counts: see
    /// [`Converted::uncount`]. They apply to all calls until others are set, each of which may end before the last row.
    pub fn give_rows(&mut self, lengths: impl Iterator<Item = u32> + Clone) {
        self.converted.log.set_rows(lengths);
    }

    /// Converts the records of a text. `evidence` is asked if the layout of a Str8ts string depends on other strings.
    pub fn convert(&mut self, records: Records<'_>, evidence: &dyn EvidenceSource) -> &Converted {
        self.begin();
        self.add(records, evidence);
        self.finish(records)
    }

    /// Converts the first records of the last call again, in a call of their own. The answers of the solver about puzzles
    /// that are solved together are kept.
    pub fn convert_first(&mut self, records: Records<'_>, evidence: &dyn EvidenceSource) -> &Converted {
        self.verdicts.keep_answers();
        self.convert(records, evidence)
    }

    /// Begins a call.
    pub fn begin(&mut self) {
        self.converted.clear();
        (self.waiting.left, self.held_bytes) = (None, 0);
        self.verdicts.begin();
        self.waiting.spare.extend(self.waiting.groups.drain(..).filter_map(|group| group.boards));
    }

    /// Adds records, which follow the earlier ones. Converts them as far as no solutions are needed. `evidence` is asked as
    /// for [`Converter::convert`].
    pub fn add(&mut self, records: Records<'_>, evidence: &dyn EvidenceSource) {
        if self.plan.canonical.is_some_and(|canonical| canonical.canonize == Canonize::Key) {
            return self.take_keys(records);
        }
        self.add_groups(records, evidence, Self::convert_group);
    }

    /// Divides records, which follow the earlier ones, into groups and calls `take` for each. `take` returns false,
    /// having done nothing, if a group that was formed by the fast check does not decode as a whole. Its records are
    /// then given again, each recognised by itself.
    #[inline]
    pub(super) fn add_groups(
        &mut self,
        records: Records<'_>,
        evidence: &dyn EvidenceSource,
        mut take: impl FnMut(&mut Self, &RecordGroup, bool) -> bool,
    ) {
        // Records up to this one are recognised one by one, since a group that was formed by the fast check did not
        // decode.
        let (mut next, mut careful) = (0, 0);
        while next < records.len() {
            let class = match self.likely_form().filter(|_| next >= careful) {
                Some(form) if self.recogniser().alike(&form, &records, next) > 0 => RecordClass::Form(form, None),
                _ => self.recogniser().classify(records.get(next), evidence),
            };
            let (form, by) = match class {
                RecordClass::Form(form, by) => (form, by),
                RecordClass::Refused(reject) => {
                    self.held_bytes += memory_of(&reject);
                    self.converted.refuse(reject);
                    next += 1;
                    continue;
                }
            };
            let (quick, first) = (next >= careful, self.converted.ends.len());
            let rest = records.slice(next..records.len().min(next + self.group_size(form)));
            let mut group = RecordGroup::of_first(rest, form, by, first);
            self.recogniser().extend(&mut group, rest, evidence, quick);
            let most = self.converted.log.most(form, first, group.len());
            let group = if most < group.len() { group.truncated(most) } else { group };
            if take(self, &group, quick) {
                next += group.len();
            } else {
                careful = next + group.len();
            }
        }
    }

    /// The length of a record that is like the previous one. `None` if records of its form have no fixed length, or
    /// each must be recognised by itself.
    pub fn likely_width(&self) -> Option<usize> {
        self.likely_form().map(|form| form.width)
    }

    /// Converts the records at the start that are like the previous one, at most 64, if all of these can be read. All
    /// records must have [`Converter::likely_width`] bytes. Returns their number. If it is 0, nothing was done, and the
    /// ranges may not even be records.
    pub fn add_alike(&mut self, records: Records<'_>) -> usize {
        let Some(form) = self.likely_form() else { return 0 };
        let len = self.recogniser().alike(&form, &records, 0).min(self.group_size(form));
        if len == 0 {
            return 0;
        }
        let first = self.converted.ends.len();
        let group = RecordGroup { form, first, records: records.slice(0..len), layouts: Default::default() };
        if self.convert_group(&group, true) { len } else { 0 }
    }

    /// The form of the previous record, if the fast check can recognise others of that form.
    fn likely_form(&self) -> Option<Form> {
        let &(_, form) = self.converted.forms.last()?;
        (form.width > 0).then_some(form)
    }

    /// Ends a call: solves the puzzles, and completes the groups that waited for this. `records` are all records of the
    /// call.
    pub fn finish(&mut self, records: Records<'_>) -> &Converted {
        self.finish_within(records, usize::MAX, None);
        &self.converted
    }

    /// Like [`Converter::finish`], unless the results of the solver take too much memory. Then it returns the number of
    /// records, at least one, that should be converted in a call of their own, and this call has no results.
    pub fn finish_bounded(&mut self, records: Records<'_>) -> Result<&Converted, usize> {
        self.finish_beside(records, None)
    }

    /// Like [`Converter::finish_bounded`], and begins to solve the puzzles of the next call, which must have been added to
    /// the converter `next`, of the same plan and kernel. They fill the lanes of the solver that the last puzzles of this
    /// call leave empty. [`Converter::hand_over`] then has to give `next` the solver.
    pub fn finish_beside(&mut self, records: Records<'_>, next: Option<&mut Self>) -> Result<&Converted, usize> {
        match self.finish_within(records, MAX_HELD_BYTES, next) {
            Some(answered) => {
                self.verdicts.keep_answers();
                Err(answered)
            }
            None => Ok(&self.converted),
        }
    }

    /// Whether new strings, refusals, facts and puzzles take so much memory that the call should be ended.
    pub fn is_full(&self) -> bool {
        self.held_bytes >= MAX_HELD_BYTES || self.converted.text.len() >= MAX_TEXT || self.verdicts.is_full()
    }

    /// Ends a call. If the results take more than `most` bytes, returns the number of records after which they did.
    fn finish_within(&mut self, records: Records<'_>, most: usize, next: Option<&mut Self>) -> Option<usize> {
        if self.waiting.groups.is_empty() { None } else { self.answer(records, most, next) }
    }

    /// Whether [`Converter::finish_beside`] can use a next call: this one has puzzles that are solved side by side, and
    /// does not take so much memory that there should be no other one beside it.
    pub fn wants_next(&self) -> bool {
        self.verdicts.wants_next() && self.waiting.groups.len() <= MAX_WAITING_BESIDE
    }

    /// Gives the converter of the next call what [`Converter::finish_beside`] found out about its puzzles. The results of
    /// this call must not be used any more.
    pub fn hand_over(&mut self, next: &mut Self) {
        self.waiting.left = None;
        self.verdicts.hand_over(&mut next.verdicts);
    }

    /// The most records to decode together: fewer for large boards if all of their problems are listed.
    fn group_size(&self, form: Form) -> usize {
        if self.plan.checks.all && form.shape.side > Side::NINE { LISTED_BATCH } else { BATCH }
    }

    /// The results of the last finished call.
    pub fn converted(&self) -> &Converted {
        &self.converted
    }

    /// Exchanges the new text of the last call for another buffer, which saves copying it.
    pub fn swap_text(&mut self, other: &mut Text) {
        std::mem::swap(&mut self.converted.text, other);
    }

    fn recogniser(&self) -> Recogniser<'_> {
        Recogniser { plan: &self.plan }
    }

    /// Converts a group. Returns false, having done nothing, if it was formed by the `quick` check and does not decode
    /// as a whole.
    fn convert_group(&mut self, group: &RecordGroup, quick: bool) -> bool {
        if self.rewrite(group) {
            return true;
        }
        let mut decoded = self.decode(group);
        if decoded.good != all_bits(group.len()) && quick {
            return false;
        }
        decoded.doubtful &= decoded.good;
        self.converted.take(group);
        self.count_open(group, decoded.good);
        self.fill_candidates(decoded.good, |converted, i, left| {
            converted.counts.cells_left_with_nothing += left;
            converted.log.push(group.first + i, CountEntry::LeftWithNothing(left));
        });
        self.count_givens(group, decoded.good);
        self.keep_names(group, decoded.doubtful);
        if self.plan.asks_solver_about(group.form.shape) {
            self.ask_solver(group, decoded);
            return true;
        }
        self.count_without_grade(decoded.good);
        self.refuse_unreadable(group, decoded.good);
        if self.canonize(group, decoded) {
            return true;
        }
        let mut passed = decoded.good;
        if self.plan.checks.level > CheckLevel::Syntax {
            passed = self.check_rules(group, passed);
        }
        if self.plan.given_solutions {
            passed = self.check_given(group, passed);
        }
        self.pass_over(group.first, passed);
        self.write(group, decoded, passed);
        true
    }

    /// Keeps the names of the records that lost something in reading, if the plan asks for them.
    fn keep_names(&mut self, group: &RecordGroup, doubtful: u64) {
        let Facts { title, author, .. } = self.plan.facts;
        if !title && !author {
            return;
        }
        for i in bits(doubtful) {
            let names = self.remainder(group, i).names;
            self.held_bytes += self.converted.facts.keep_names(group.first + i, &names, [title, author]);
        }
    }

    /// Counts the killers in `good` with cages without a sum.
    fn count_open(&mut self, group: &RecordGroup, good: u64) {
        for i in bits(self.work.batch.open_boards(good)) {
            self.converted.counts.open_killers += 1;
            self.converted.log.push(group.first + i, CountEntry::OpenKiller);
        }
    }

    pub(super) fn decode(&mut self, group: &RecordGroup) -> Decoded {
        let mut decoded = group.form.id.codec().decode(group.form, group.records, &mut self.work.batch, self.kernel);
        for (record, _) in self.names_beside(group) {
            decoded.doubtful |= decoded.good & 1 << (record - group.first);
        }
        decoded
    }

    /// The names beside the records of a group.
    pub(super) fn names_beside(&self, group: &RecordGroup) -> &[(usize, Arc<Names>)] {
        let start = self.given_names.partition_point(|(record, _)| *record < group.first);
        let rest = &self.given_names[start..];
        &rest[..rest.partition_point(|(record, _)| *record < group.first + group.len())]
    }

    /// What the board of a record does not hold of its string and of what stands beside it.
    pub(super) fn remainder(&self, group: &RecordGroup, i: usize) -> Remainder {
        let mut remainder = group.form.id.codec().remainder(group.form, group.records.get(i));
        let beside = self.names_beside(group).iter().find(|(record, _)| *record == group.first + i);
        if let Some((_, names)) = beside {
            let Remainder { losses, names: all } = &mut remainder;
            for (loss, name, to) in
                [(Loss::Title, &names.title, &mut all.title), (Loss::Author, &names.author, &mut all.author)]
            {
                if !name.is_empty() {
                    losses.add(loss);
                    to.join(name);
                }
            }
        }
        remainder
    }

    /// Fills in or removes candidates of the boards in `good` as planned. `count` is told about each board in which some
    /// cells have none left, and how many.
    pub(super) fn fill_candidates(&mut self, good: u64, count: impl Fn(&mut Converted, usize, u64)) {
        if self.plan.candidates == FillCandidates::Keep {
            return;
        }
        for i in bits(good) {
            let left = fill_candidates(&mut self.work.batch, i, self.plan.candidates);
            if left > 0 {
                count(&mut self.converted, i, left as u64);
            }
        }
    }

    /// Refuses the records that could not be read.
    pub(super) fn refuse_unreadable(&mut self, group: &RecordGroup, good: u64) {
        for i in bits(all_bits(group.len()) & !good) {
            self.converted.log.push(group.first + i, CountEntry::Unread);
            self.work.refused.push((i, explain(group.form, group.records.get(i), self.plan.from, &self.plan.hints)));
        }
    }

    /// Whether solved cells are givens.
    pub(super) fn all_given(&self, form: Form) -> bool {
        self.digits_given(form) || self.plan.canonical.is_some_and(|canonical| canonical.all_given)
    }

    /// Whether solved cells are givens, without regard to canonical forms.
    pub(super) fn digits_given(&self, form: Form) -> bool {
        all_given(form) || self.plan.checks.givens > Givens::Clues
    }

    /// Adds the refusals and notices of a group to the results.
    pub(super) fn report(&mut self, first: usize) {
        self.work.refused.sort_by_key(|&(i, _)| i);
        for (i, reject) in self.work.refused.drain(..) {
            self.held_bytes += memory_of(&reject);
            self.converted.counts.reject(reject.code);
            self.converted.refused.push(Refusal { record: first + i, reject });
        }
        for (i, reject) in self.work.notices.drain(..) {
            self.held_bytes += memory_of(&reject);
            self.converted.notices.push(Refusal { record: first + i, reject });
        }
    }
}

/// How many groups may wait for the solver if there is to be another call beside this one. Usually there are about a
/// hundred; if each record is of another kind than the one before, there are many thousands.
const MAX_WAITING_BESIDE: usize = 1024;

/// How many bytes of new strings a call should have at most. A chunk of plain sudokus becomes 1 MiB of version 2; one of
/// wolfram strings of a few characters, as nearly empty puzzles have, would become 25 MiB.
const MAX_TEXT: usize = 2 << 20;

/// How many large boards are decoded together if all of their problems are listed.
const LISTED_BATCH: usize = 8;

/// Whether solved cells are givens, as in formats without clues.
pub(super) fn all_given(form: Form) -> bool {
    !form.id.codec().holds(form).clue
}
