//! Replaces boards by their canonical forms, with the solver's answers if these are needed, and finds facts about them:
//! keys, maps, numbers of automorphisms.

use super::bits;
use super::canonical::{CanonicalPlan, Canonize};
use super::canonical_state::CanonicalState;
use super::converter::Converter;
use super::count_log::CountEntry;
use super::encode_plan::{EncodePlan, EncodeTarget};
use super::facts::Facts;
use super::group::RecordGroup;
use super::plan::{Conversion, Emit};
use crate::board::{BATCH, Batch, BoardSet, Cell, Shape};
use crate::canon::Key;
use crate::canon::{Canonizer, CountedSolutions, Map, STRING_WIDTH};
use crate::check;
use crate::error::{Code, Reject};
use crate::formats::Records;
use crate::formats::{Format, FormatLayouts};
use crate::kernels::Decoded;
use crate::solve::UNDECIDED;

impl Converter {
    /// Writes the replacements of the boards of a group, if the plan has canonical forms. The solver must have
    /// answered, if it is needed. Returns false, and does nothing, if the plan has none.
    pub(super) fn canonize(&mut self, group: &RecordGroup, decoded: Decoded) -> bool {
        let (Some(plan), Some(mut state)) = (self.plan.canonical, self.canonical_state.take()) else { return false };
        let good = decoded.good;
        match plan.canonize {
            Canonize::Board => self.take_boards(group, decoded),
            Canonize::Mapped => self.take_mapped(group, decoded, plan),
            _ => {
                let all_given = self.all_given(group.form);
                self.take_answers(&mut state, good, all_given);
                if plan.canonize == Canonize::Grid {
                    fill_in(&mut self.work.batch, good, &state);
                }
                let boards = BoardSet { batch: &self.work.batch, boards: good, all_given };
                let answers = CountedSolutions { counts: &state.counts, solutions: &state.solutions };
                state.canonizer.find_answered(boards, plan.form(), answers);
                let passed = self.take_canonized(group, &mut state, good);
                if !plan.carry {
                    self.count_left_out(group, passed, all_given);
                }
                self.write_canonical(group, decoded, passed, &mut state);
            }
        }
        self.canonical_state = Some(state);
        self.report(group.first);
        true
    }

    /// Whether boards of a shape are needed when the solver has answered, even if they contain nothing but givens.
    pub(super) fn needs_boards_later(&self, shape: Shape) -> bool {
        self.plan.canonical.map_or(self.plan.emit.takes_boards(), |plan| !self.takes_givens(plan, shape))
    }

    /// Whether canonical forms can be computed from givens and solutions alone.
    fn takes_givens(&self, plan: CanonicalPlan, shape: Shape) -> bool {
        let of_solution = plan.asks_solver() && plan.canonize != Canonize::Grid && !plan.carry;
        of_solution && !self.plan.facts.solution && Canonizer::takes_givens(shape)
    }

    /// Does the same as [`Converter::canonize`] for a group whose boards are not needed any more and were solved
    /// together. Returns false, and does nothing, if some do not have exactly one solution.
    pub(super) fn canonize_givens(&mut self, group: &RecordGroup, decoded: Decoded) -> bool {
        if !self.plan.canonical.is_some_and(|plan| self.takes_givens(plan, group.form.shape)) {
            return false;
        }
        let shape = group.form.shape;
        if self.writes_strings(shape) && self.put_strings(group) {
            return true;
        }
        let Some(answers) = self.verdicts.next_unique(shape.kind, group.len()) else { return false };
        let Some(mut state) = self.canonical_state.take() else { return false };
        state.canonizer.find_given(answers.givens, answers.solutions);
        self.verdicts.pass(shape.kind, group.len());
        let passed = self.take_canonized(group, &mut state, decoded.good);
        self.write_canonical(group, decoded, passed, &mut state);
        self.canonical_state = Some(state);
        self.report(group.first);
        true
    }

    /// Whether only v2 strings and keys are wanted of boards of a shape.
    fn writes_strings(&mut self, shape: Shape) -> bool {
        let of_strings = match self.plan.emit {
            Emit::Encoded => self.target(shape).is_ok_and(|target| target.form.id == Format::V2),
            Emit::Key => self.plan.facts.key,
            Emit::Nothing => true,
            _ => false,
        };
        let others = Facts { key: false, ..self.plan.facts };
        of_strings && others == Facts::default()
    }

    /// Writes the canonical strings of a group, or their keys, or both. Returns false, and does nothing, if some boards do
    /// not have exactly one solution.
    fn put_strings(&mut self, group: &RecordGroup) -> bool {
        let (len, line_end, kind) = (group.len(), self.writer.line_end, group.form.shape.kind);
        let Some(answers) = self.verdicts.next_unique(kind, len) else { return false };
        let Some(state) = &mut self.canonical_state else { return false };
        let (givens, solutions) = (answers.givens, answers.solutions);
        let only_strings = self.plan.emit == Emit::Encoded && !self.plan.facts.key;
        let done = match only_strings {
            true => self.converted.push_each((len, STRING_WIDTH), line_end, |to, pitch| {
                state.canonizer.write_strings(givens, solutions, Some((to, pitch)))
            }),
            false => state.canonizer.write_strings(givens, solutions, None),
        };
        if !done {
            return false;
        }
        self.verdicts.pass(kind, len);
        if self.plan.facts.key {
            self.put_keys(group);
        }
        self.converted.ends.resize(group.first + len, self.converted.text.len());
        true
    }

    /// Writes the keys of the strings of a group, or the strings, and keeps the keys.
    fn put_keys(&mut self, group: &RecordGroup) {
        let (len, line_end) = (group.len(), self.writer.line_end);
        let Some(state) = &mut self.canonical_state else { return };
        let keys = state.canonizer.string_keys(len);
        let mut texts = vec![[0; 32]; len];
        Key::hex_each(self.kernel, &keys, &mut texts);
        self.converted.facts.keep_keys(group.first, &keys, &texts);
        match self.plan.emit {
            Emit::Key => self.converted.push_each((len, 32), line_end, |to, pitch| copy_each(to, pitch, texts.iter())),
            Emit::Encoded => {
                let strings = state.canonizer.strings();
                self.converted.push_each((len, STRING_WIDTH), line_end, |to, pitch| copy_each(to, pitch, strings))
            }
            _ => true,
        };
    }

    /// Reads records that are keys.
    pub(super) fn take_keys(&mut self, records: Records<'_>) {
        for i in 0..records.len() {
            match Key::read(records.get(i)) {
                Ok(key) => {
                    self.converted.facts.keep_key(self.converted.ends.len(), key);
                    self.converted.counts.records += 1;
                    self.converted.ends.push(self.converted.text.len());
                }
                Err(reject) => self.converted.refuse(reject),
            }
        }
    }

    /// Takes the solver's answers about the boards in `good`, if it was asked.
    fn take_answers(&mut self, state: &mut CanonicalState, good: u64, all_given: bool) {
        let cells = self.work.batch.shape().side.cells();
        state.counts.fill(UNDECIDED);
        state.solutions.resize(BATCH * cells, 0);
        if !self.plan.asks_solver() || check::unsupported(self.work.batch.shape()).is_some() {
            return;
        }
        for i in bits(good) {
            let answer = self.verdicts.answer(&self.work.batch, i, all_given);
            state.counts[i] = answer.count;
            if let Some(solution) = answer.solution.filter(|_| answer.count == 1) {
                state.solutions[i * cells..][..cells].copy_from_slice(&solution[..cells]);
            }
        }
    }

    /// Processes the canonical forms of the boards in `good`: refuses boards without one, and records the facts about
    /// the others. Returns the others.
    fn take_canonized(&mut self, group: &RecordGroup, state: &mut CanonicalState, good: u64) -> u64 {
        let mut passed = good;
        let cells = group.form.shape.side.cells();
        let keys = if self.plan.facts.key { state.canonizer.encode().keys() } else { Vec::new() };
        let canonized = state.canonizer.canonized();
        for i in bits(good) {
            let found = match canonized.found(i) {
                Ok(found) => found,
                Err(mut reject) => {
                    reject.message.push_str(advice(reject.code, &self.plan));
                    self.work.refused.push((i, reject));
                    passed &= !(1 << i);
                    continue;
                }
            };
            let (wanted, record) = (self.plan.facts, group.first + i);
            if wanted.solution
                && let Some(solution) = state.solution(i, cells)
            {
                self.converted.facts.keep_solution(record, &mapped(solution, &found.map), self.kernel);
            }
            if wanted.map {
                self.converted.facts.keep_map(record, &found.map);
            }
            if wanted.automorphisms {
                self.converted.facts.keep_automorphisms(record, found);
            }
            if wanted.key {
                self.converted.facts.keep_key(record, keys[i]);
            }
        }
        passed
    }

    /// Writes the canonical boards of those in `passed`, or their keys.
    fn write_canonical(&mut self, group: &RecordGroup, mut decoded: Decoded, passed: u64, state: &mut CanonicalState) {
        decoded.solved = 0;
        let carries = self.plan.canonical.is_some_and(|plan| plan.carry);
        match self.plan.emit {
            Emit::Encoded => {
                if carries {
                    state.canonizer.carry(&self.work.batch, passed, self.all_given(group.form));
                }
                state.canonizer.swap_batch(&mut self.work.batch);
                self.write(group, decoded, passed);
            }
            Emit::Key if decoded.doubtful & passed == 0 => {
                for i in 0..group.len() {
                    if passed >> i & 1 == 1 {
                        self.converted.write_key(group.first + i);
                        self.converted.text.push(self.writer.line_end);
                    }
                    self.converted.ends.push(self.converted.text.len());
                }
            }
            _ => self.write_key(group, decoded, passed),
        }
    }

    /// Writes the keys of the boards in `passed`, or nothing.
    fn write_key(&mut self, group: &RecordGroup, decoded: Decoded, passed: u64) {
        self.work.scratch.clear();
        for i in 0..group.len() {
            if self.plan.emit == Emit::Key && passed >> i & 1 == 1 {
                self.work.scratch.push(self.converted.key_text(group.first + i));
            }
            self.work.ends[i] = self.work.scratch.len();
        }
        self.pass_on(group, decoded.doubtful & passed, passed);
    }

    /// Uses the boards as they are.
    fn take_boards(&mut self, group: &RecordGroup, decoded: Decoded) {
        let shape = self.work.batch.shape();
        let target = match EncodePlan::new(shape, Format::V2, FormatLayouts::default()).target {
            Ok(target) => target,
            Err(reject) => {
                self.work.refused.extend(bits(decoded.good).map(|i| (i, reject.clone())));
                return self.write_key(group, decoded, 0);
            }
        };
        let passed = self.encode_alone(group, target, decoded);
        if self.plan.facts.key {
            let (text, ends) = (self.work.scratch.as_slice(), &self.work.ends);
            let start = |i: usize| i.checked_sub(1).map_or(0, |before| ends[before]);
            let keys = Key::of_each(self.kernel, bits(passed).map(|i| &text[start(i)..ends[i]]));
            for (i, key) in bits(passed).zip(keys) {
                self.converted.facts.keep_key(group.first + i, key);
            }
        }
        self.write_key(group, Decoded { doubtful: 0, ..decoded }, passed);
    }

    /// Encodes the boards that a format can hold without loss into the scratch text. Returns these; the others are
    /// refused.
    fn encode_alone(&mut self, group: &RecordGroup, target: EncodeTarget, decoded: Decoded) -> u64 {
        let lossy = std::mem::replace(&mut self.plan.lossy, false);
        let passed = self.encode_apart(group, target, decoded.doubtful & decoded.good, decoded.good);
        self.plan.lossy = lossy;
        passed
    }

    /// Writes the images of the boards under the maps that came with them.
    fn take_mapped(&mut self, group: &RecordGroup, decoded: Decoded, plan: CanonicalPlan) {
        let all_given = self.all_given(group.form);
        self.writer.flat.reset(self.work.batch.shape(), group.len());
        let mut passed = decoded.good;
        for i in bits(decoded.good) {
            let map = parse_map(&group.records.bytes[self.given.place(group.first + i)]);
            let applied = map.and_then(|map| {
                map.apply(&self.work.batch, i, all_given, &mut self.writer.flat)?;
                if plan.carry {
                    map.carry(&self.work.batch, i, all_given, &mut self.writer.flat);
                }
                Ok(())
            });
            if let Err(reject) = applied {
                self.work.refused.push((i, reject));
                passed &= !(1 << i);
            }
        }
        if !plan.carry {
            self.count_left_out(group, passed, all_given);
        }
        std::mem::swap(&mut self.work.batch, &mut self.writer.flat);
        self.write(group, Decoded { solved: 0, ..decoded }, passed);
    }

    /// Counts the cells of the boards in `good` that are neither empty nor givens.
    fn count_left_out(&mut self, group: &RecordGroup, good: u64, all_given: bool) {
        let (shape, codes) = (self.work.batch.shape(), self.work.batch.shape().codes());
        let most = if all_given { codes.candidates_base() } else { codes.solved_base() };
        let count = |i: usize| {
            let row = i * shape.stride()..i * shape.stride() + shape.side.cells();
            // Every cell is visited, so that the loop is compiled to vector instructions.
            match shape.side.is_small() {
                true => {
                    self.work.batch.codes16()[row].iter().map(|&code| u32::from(u32::from(code) > most)).sum::<u32>()
                }
                false => self.work.batch.codes32()[row].iter().map(|&code| u32::from(code > most)).sum(),
            }
        };
        for i in bits(good) {
            let cells = u64::from(count(i));
            self.converted.counts.left_out += cells;
            self.converted.log.push(group.first + i, CountEntry::LeftOut(cells));
        }
    }
}

/// Copies strings of one width, with this distance from the start of one to the start of the next.
fn copy_each<'s, const WIDTH: usize>(
    to: &mut [u8],
    pitch: usize,
    strings: impl Iterator<Item = &'s [u8; WIDTH]>,
) -> bool {
    to.chunks_exact_mut(pitch).zip(strings).for_each(|(to, string)| to[..WIDTH].copy_from_slice(string));
    true
}

/// Parses a map.
fn parse_map(text: &[u8]) -> Result<Map, Reject> {
    if text.is_empty() {
        return Err(Reject::whole(Code::Map, "this string comes without a map"));
    }
    let text = String::from_utf8_lossy(text);
    text.parse().map_err(|bad: crate::canon::BadMap| Reject::whole(Code::Map, bad.to_string()))
}

/// The image of a solution under a map.
fn mapped(solution: &[u8], map: &Map) -> Vec<u8> {
    let side = map.side();
    let of = |cell: usize| {
        let (row, column) = map.source(cell / side, cell % side);
        map.digit(solution[row * side + column])
    };
    (0..solution.len()).map(of).collect()
}

/// Turns the solutions of the boards in `good` into givens.
fn fill_in(batch: &mut Batch, good: u64, state: &CanonicalState) {
    let cells = batch.shape().side.cells();
    for i in bits(good) {
        let Some(solution) = state.solution(i, cells) else { continue };
        for (cell, &digit) in solution.iter().enumerate() {
            if !batch.cell(i, cell).is_black() {
                batch.set_cell(i, cell, Cell::Clue(digit));
            }
        }
    }
}

/// Further advice for the owner of a refused record.
fn advice(code: Code, plan: &Conversion) -> &'static str {
    let is_form = plan.canonical.is_some_and(|plan| matches!(plan.canonize, Canonize::Form(_)));
    match code {
        Code::Undecided => "; --effort allows more",
        Code::NoSolution | Code::ManySolutions if is_form => "; --form puzzle accepts it",
        _ => "",
    }
}
