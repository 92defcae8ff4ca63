//! Lets groups wait for the solver, which answers about all puzzles of a call at once, and then completes them.

use super::converter::Converter;
use super::digits::push_digits;
use super::group::{RecordGroup, Waiting};
use super::plan::Emit;
use crate::board::{BATCH, Kind};
use crate::formats::Records;
use crate::kernels::{Decoded, all_bits};

/// The fewest records of a group whose boards are kept. To decode fewer again takes little time beside solving them.
const KEPT_GROUP: usize = 8;

impl Converter {
    /// Adds the boards of a group to the solver's puzzles, and postpones the other stages.
    pub(super) fn ask_solver(&mut self, group: &RecordGroup, decoded: Decoded) {
        let &RecordGroup { form, first, .. } = group;
        let given_right =
            if self.plan.given_solutions { self.quick_check_given(group, decoded.good) } else { decoded.good };
        let question =
            self.verdicts.enqueue(&self.work.batch, decoded.good, self.all_given(form), decoded.good & !given_right);
        // If all boards consist of givens and are passed on unchanged, few will be needed again. They are not kept but
        // decoded again. So are the boards of small groups, of which there are thousands if most records are of another
        // kind than the one before.
        let keeps_boards = group.len() >= KEPT_GROUP && (question.needs_boards || self.needs_boards_later(form.shape));
        let boards = keeps_boards.then(|| {
            let mut kept = self.waiting.spare.pop().unwrap_or_default();
            std::mem::swap(&mut self.work.batch, &mut kept);
            kept
        });
        self.waiting.groups.push(Waiting { form, first, len: group.len(), decoded, question, given_right, boards });
        self.converted.ends.resize(first + group.len(), 0);
    }

    /// Solves all puzzles at once, beside those of the `next` call if they are known, and completes the waiting groups. If
    /// the results exceed `most` bytes and some groups remain, stops and returns the number of records that are done.
    pub(super) fn answer(&mut self, records: Records<'_>, most: usize, next: Option<&mut Self>) -> Option<usize> {
        self.verdicts.count(next.map(|next| &mut next.verdicts));
        if self.leave_solutions() {
            return None;
        }
        let len = self.converted.ends.len();
        self.converted.ends.clear();
        let mut waiting = std::mem::take(&mut self.waiting.groups);
        let mut groups = waiting.drain(..);
        for group in groups.by_ref() {
            if self.held_bytes > most && group.first > 0 {
                return Some(group.first);
            }
            self.converted.ends.resize(group.first, self.converted.text.len());
            self.answer_group(group, records);
        }
        drop(groups);
        self.waiting.groups = waiting;
        self.converted.ends.resize(len, self.converted.text.len());
        self.converted.passed_over.sort_unstable();
        // Records without a form were refused before.
        for refusals in [&mut self.converted.refused, &mut self.converted.notices] {
            refusals.sort_by_key(|refusal| refusal.record);
        }
        None
    }

    /// Completes a group with the solver's answers.
    fn answer_group(&mut self, waiting: Waiting, records: Records<'_>) {
        let (complete, only_solutions) = (waiting.is_complete(), self.needs_only_solutions(&waiting));
        let Waiting { form, first, len, decoded, question, given_right, boards } = waiting;
        if only_solutions && self.answer_unique(form.shape.kind, first, len) {
            self.converted.count_solved(first, len, decoded.solved.into());
            self.waiting.spare.extend(boards);
            return;
        }
        let group =
            RecordGroup { form, first, records: records.slice(first..first + len), layouts: Default::default() };
        if complete && !question.needs_boards && self.canonize_givens(&group, decoded) {
            return;
        }
        match boards {
            Some(mut boards) => {
                std::mem::swap(&mut self.work.batch, &mut boards);
                self.waiting.spare.push(boards);
            }
            None => {
                self.decode(&group);
                self.fill_candidates(decoded.good, |_, _, _| {});
            }
        }
        self.refuse_unreadable(&group, decoded.good);
        if self.canonize(&group, decoded) {
            return;
        }
        let passed = self.check_solved(&group, decoded.good, given_right);
        self.write(&group, decoded, passed);
    }

    /// Completes boards that consist of givens and have exactly one solution each. Returns false, having done nothing,
    /// if some do not.
    fn answer_unique(&mut self, kind: Kind, first: usize, len: usize) -> bool {
        let Self { plan, converted, kernel, writer, verdicts, .. } = self;
        let Some(answers) = verdicts.next_unique(kind, len) else { return false };
        if plan.facts.search || plan.facts.solution {
            converted.facts.keep_unique(first..first + len, answers.nodes);
            if plan.facts.solution {
                for (i, solution) in answers.solutions.iter().enumerate() {
                    converted.facts.keep_solution(first + i, solution, kernel);
                }
            }
        }
        if plan.facts.grade {
            // There are none in a kind without a ladder.
            let grades = if answers.grades.is_empty() { &[None; BATCH][..len] } else { answers.grades };
            converted.keep_grades(first, grades);
        }
        match plan.emit {
            Emit::Solution => {
                for solution in answers.solutions {
                    push_digits(solution, kernel, &mut converted.text);
                    converted.text.push(writer.line_end);
                    converted.ends.push(converted.text.len());
                }
            }
            _ => converted.ends.resize(first + len, converted.text.len()),
        }
        self.verdicts.pass(kind, len);
        self.pass_over(first, all_bits(len));
        true
    }
}
