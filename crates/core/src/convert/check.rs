//! Checks boards with the rules and the solver.

use super::bits;
use super::converter::Converter;
use super::count_log::CountEntry;
use super::digits::push_digits;
use super::group::RecordGroup;
use super::judge::judge;
use super::plan::{CheckLevel, Emit};
use crate::board::{Cell, Side};
use crate::check::{self, Problem};
use crate::error::{Code, Reject};

impl Converter {
    /// Applies the rules to the boards in `good`. Returns those that pass; the others are refused.
    pub(super) fn check_rules(&mut self, group: &RecordGroup, good: u64) -> u64 {
        let passing = check::passing(&self.work.batch, good, self.kernel);
        let mut passed = good;
        for i in bits(good & !passing) {
            if self.report_problems(group, i, check::problems(&self.work.batch, i)) {
                passed &= !(1 << i);
            }
        }
        passed
    }

    /// Judges the boards in `good` by the solver's answers and the rules, as far as the plan asks for it. Returns those
    /// that pass; the others are refused. If solutions are written, leaves them in the scratch text or in the boards.
    /// For boards in `given_right`, the solution that came with them is not checked again.
    pub(super) fn check_solved(&mut self, group: &RecordGroup, good: u64, given_right: u64) -> u64 {
        let all_given = self.digits_given(group.form);
        let level = self.plan.checks.level;
        // Where the rules must be applied board by board, this takes as long as the search. If the search found the
        // solution of a board with nothing but givens, only rules about its regions can still be broken.
        let later = level == CheckLevel::Unique && !check::is_quick(&self.work.batch);
        let passing =
            if later || level == CheckLevel::Syntax { 0 } else { check::passing(&self.work.batch, good, self.kernel) };
        let mut passed = good;
        self.work.scratch.clear();
        self.work.ends.fill(0);
        self.work.solved_before.clear();
        if level > CheckLevel::Syntax
            && let Some(reject) = check::unsupported(group.form.shape)
        {
            self.work.refused.extend(bits(good).map(|i| (i, reject.clone())));
            self.count_without_grade(good);
            return 0;
        }
        for i in bits(good) {
            let mut problems = Vec::new();
            let is_given = self.is_given(i, all_given);
            problems.extend(self.take_answer(group.first + i, i, all_given, is_given));
            let solved = later && problems.is_empty() && is_given;
            let nothing = passing >> i & 1 == 1 || solved && check::are_regions_usual(&self.work.batch, i);
            if !nothing && level > CheckLevel::Syntax {
                let rules = check::problems(&self.work.batch, i);
                // A rule that explains why there is no solution is enough.
                if rules.iter().any(|problem| !problem.warning) {
                    problems.retain(|problem| problem.reject.code != Code::NoSolution);
                }
                problems.splice(0..0, rules);
            }
            if given_right >> i & 1 == 0 && (self.plan.checks.all || problems.iter().all(|problem| problem.warning)) {
                let only = (!self.work.solution.is_empty()).then_some(&self.work.solution[..]);
                let found = self.given_problem(group, i, only);
                problems.extend(found.map(|reject| Problem { reject, warning: false }));
            }
            match self.report_problems(group, i, problems) {
                true => passed &= !(1 << i),
                false => self.write_solution(i),
            }
        }
        // Boards that could not be read have nothing in the scratch text.
        (1..group.len()).for_each(|i| self.work.ends[i] = self.work.ends[i].max(self.work.ends[i - 1]));
        self.pass_over(group.first, passed);
        passed
    }

    /// Takes the solver's answer about a board, and returns the problems that it shows. The only solution, if there is
    /// one, becomes the current solution.
    fn take_answer(
        &mut self,
        record: usize,
        i: usize,
        all_given: bool,
        is_given: bool,
    ) -> impl Iterator<Item = Problem> + use<> {
        if self.plan.facts.grade {
            let grade = self.verdicts.next_grade(&self.work.batch, i);
            self.converted.keep_grades(record, &[grade]);
        }
        let answer = self.verdicts.answer(&self.work.batch, i, all_given);
        let unique = answer.count == 1;
        self.work.solution.clear();
        if unique {
            self.work.solution.extend_from_slice(answer.solution.unwrap_or_default());
        }
        if self.plan.facts.search || self.plan.facts.solution {
            self.converted.facts.keep_answer(record, answer.count, answer.nodes);
            if unique && self.plan.facts.solution {
                self.converted.facts.keep_solution(record, &self.work.solution, self.kernel);
            }
        }
        // A solution never contradicts its givens.
        let nothing = is_given && unique || self.plan.checks.level < CheckLevel::Unique;
        let rejects = if nothing { Vec::new() } else { judge(&self.work.batch, i, &answer, &self.plan.checks) };
        rejects.into_iter().map(|reject| Problem { reject, warning: false })
    }

    /// Writes the current solution of a board, if solutions are written.
    fn write_solution(&mut self, i: usize) {
        match self.plan.emit {
            Emit::Solution if self.plan.emit.writes_digits(self.work.batch.shape()) => {
                push_digits(&self.work.solution, self.kernel, &mut self.work.scratch);
                self.work.ends[i] = self.work.scratch.len();
            }
            Emit::SolvedBoard | Emit::Solution => self.fill_in(i),
            _ => {}
        }
    }

    /// Fills the current solution into a board, as far as the target distinguishes digits from clues.
    fn fill_in(&mut self, i: usize) {
        let Ok(target) = self.target(self.work.batch.shape()) else { return };
        for cell in 0..self.work.solution.len() {
            let digit = self.work.solution[cell];
            let before = self.work.batch.cell(i, cell);
            if matches!(before, Cell::Solved(_)) {
                self.work.solved_before.push((i, cell));
            }
            let filled = match before {
                black @ (Cell::BlackEmpty | Cell::BlackClue(_)) => black,
                Cell::Clue(_) if target.holds.clue => continue,
                _ if target.holds.solved => Cell::Solved(digit),
                _ => Cell::Clue(digit),
            };
            self.work.batch.set_cell(i, cell, filled);
        }
    }

    /// Whether a board contains nothing but givens.
    fn is_given(&self, i: usize, all_given: bool) -> bool {
        let (shape, codes) = (self.work.batch.shape(), self.work.batch.shape().codes());
        let most = if all_given { codes.candidates_base() } else { codes.solved_base() };
        let row = i * shape.stride()..i * shape.stride() + shape.side.cells();
        // Every cell is visited, so that the loop is compiled to vector instructions.
        if shape.side.is_small() {
            self.work.batch.codes16()[row].iter().fold(true, |given, &code| given & (u32::from(code) <= most))
        } else {
            self.work.batch.codes32()[row].iter().fold(true, |given, &code| given & (code <= most))
        }
    }

    /// Reports the problems and warnings of a board. Returns whether it is refused, which is due to its first problem.
    fn report_problems(&mut self, group: &RecordGroup, i: usize, problems: Vec<Problem>) -> bool {
        let (warnings, problems): (Vec<_>, Vec<_>) = problems.into_iter().partition(|problem| problem.warning);
        let refused = !problems.is_empty();
        let all = self.plan.checks.all;
        let listed = most_listed(self.work.batch.shape().side);
        let left = (problems.len() + warnings.len()).saturating_sub(listed);
        let mut codes = Vec::new();
        for Problem { mut reject, warning } in problems.into_iter().chain(warnings) {
            let is_new = !codes.contains(&reject.code);
            codes.push(reject.code);
            if warning {
                if is_new {
                    self.converted.counts.warn(reject.code);
                    self.converted.log.push(group.first + i, CountEntry::Warning(reject.code));
                }
                reject.message.insert_str(0, "warning: ");
            } else if codes.len() == 1 {
                self.work.refused.push((i, reject));
                continue;
            } else if is_new && all {
                *self.converted.counts.codes.entry(reject.code).or_default() += 1;
                self.converted.log.push(group.first + i, CountEntry::Code(reject.code));
            }
            if all && codes.len() <= listed {
                self.work.notices.push((i, reject));
            } else if all && codes.len() == listed + 1 {
                let kind = if warning { "warning: " } else { "" };
                let words = format!(
                    "{kind}and {left} more in this record from here on; at most {listed} per record are listed"
                );
                self.work.notices.push((i, Reject { message: words, ..reject }));
            }
        }
        refused
    }
}

/// How many problems and warnings of a record are listed: one for each cell, but at least a hundred. A board full of
/// one digit has some thousands.
fn most_listed(side: Side) -> usize {
    side.cells().max(100)
}
