//! Encodes boards, and handles losses.

use super::converter::Converter;
use super::count_log::CountEntry;
use super::digits::digit_char;
use super::encode_plan::{BoardWriter, EncodeTarget};
use super::facts::Facts;
use super::group::{GroupWork, RecordGroup};
use super::plan::{CheckLevel, Emit};
use super::{SolvedCell, bits};
use crate::board::{Cell, FillCandidates, Shape};
use crate::error::{Code, Reject};
use crate::formats::{Flattening, Form, Format, Losses, StringsOut};
use crate::kernels::{Decoded, all_bits};

/// The boards of a group that may lose something, with a bit for each board.
struct Doubts {
    /// The boards without a problem.
    good: u64,
    /// The boards that lost something in reading.
    doubtful: u64,
    /// The boards that the target holds without loss.
    held: u64,
    /// The good boards that are not held or are doubtful.
    losing: u64,
}

impl Converter {
    /// Lets a kernel convert strings directly to strings, if it can and the plan does not need the boards. Returns
    /// false, having done nothing, otherwise.
    pub(super) fn rewrite(&mut self, group: &RecordGroup) -> bool {
        let plan = &self.plan;
        let examines_boards = plan.checks.level > CheckLevel::Syntax
            || plan.checks.clue_counts
            || plan.list_solved
            || plan.given_solutions
            || plan.canonical.is_some()
            || plan.facts != Facts::default()
            || !self.names_beside(group).is_empty();
        if examines_boards || plan.candidates != FillCandidates::Keep || plan.emit != Emit::Encoded {
            return false;
        }
        let form = group.form;
        let Ok(target) = self.target(form.shape) else { return false };
        if !target.holds_shape {
            return false;
        }
        let out =
            StringsOut { text: &mut self.converted.text, gap: self.writer.line_end.len(), ends: &mut self.work.ends };
        let done = form.id.codec().rewrite([form, target.form], group.records, self.kernel, out);
        let Some(decoded) = done else { return false };
        self.finish_strings(group.len());
        self.write_blanks(target.form, group.len());
        self.converted.take(group);
        self.converted.count_solved(group.first, group.len(), decoded.solved.into());
        true
    }

    /// Writes the records in `good` as planned. The others are refused, for known reasons.
    pub(super) fn write(&mut self, group: &RecordGroup, decoded: Decoded, good: u64) {
        let shape = self.work.batch.shape();
        let written = match self.plan.emit {
            Emit::Solution if self.plan.emit.writes_digits(shape) => self.pass_on(group, decoded.doubtful & good, good),
            Emit::Encoded | Emit::SolvedBoard | Emit::Solution => match self.target(shape) {
                Ok(target) => self.encode(group, target, decoded.doubtful & good, good),
                Err(reject) => {
                    self.work.refused.extend(bits(good).map(|i| (i, reject.clone())));
                    self.move_written(group.len(), 0)
                }
            },
            Emit::Digits => self.write_digits(group, decoded.doubtful & good, good),
            _ => self.pass_on(group, decoded.doubtful & good, good),
        };
        self.count_solved(group, written, &decoded);
        self.report(group.first);
    }

    /// The target for boards of a shape, computed once for each shape.
    pub(super) fn target(&mut self, shape: Shape) -> Result<EncodeTarget, Reject> {
        self.writer.target(shape, &self.plan)
    }

    /// Encodes the boards in `good`. Returns the records that were written.
    fn encode(&mut self, group: &RecordGroup, target: EncodeTarget, doubtful: u64, good: u64) -> u64 {
        let format = target.form.id.codec();
        let all = all_bits(group.len());
        if good == all && target.holds_shape && doubtful == 0 && !self.work.batch.has_groups() {
            let text = &mut self.converted.text;
            let start = text.len();
            let out = StringsOut { text, gap: self.writer.line_end.len(), ends: &mut self.work.ends };
            let held = format.encode(target.form, &self.work.batch, self.kernel, out);
            if held == all {
                self.finish_strings(group.len());
                self.write_blanks(target.form, group.len());
                return all;
            }
            self.converted.text.truncate(start);
        }
        let written = self.encode_apart(group, target, doubtful, good);
        let written = self.move_written(group.len(), written);
        self.write_blanks(target.form, group.len());
        written
    }

    /// Replaces the empty cells of the last records by the planned sign, if strings of the form can have it.
    fn write_blanks(&mut self, form: Form, records: usize) {
        let (Some(blank), Some(written)) = (self.plan.blank, form.written_blank()) else { return };
        let ends = &self.converted.ends;
        let first = ends.len() - records;
        let start = first.checked_sub(1).map_or(0, |before| ends[before]);
        let empty = self.converted.text.as_mut_slice()[start..].iter_mut().filter(|byte| **byte == written);
        empty.for_each(|byte| *byte = blank);
    }

    /// Encodes into the scratch text and handles losses. Returns the records that can be written.
    pub(super) fn encode_apart(&mut self, group: &RecordGroup, target: EncodeTarget, doubtful: u64, good: u64) -> u64 {
        let format = target.form.id.codec();
        self.work.scratch.clear();
        let mut held = 0;
        if target.holds_shape {
            let out = StringsOut { text: &mut self.work.scratch, gap: 0, ends: &mut self.work.ends };
            held = format.encode(target.form, &self.work.batch, self.kernel, out);
        }
        if !target.holds.groups && self.work.batch.has_groups() {
            let kind = self.work.batch.shape().kind;
            let lost = |&i: &usize| self.work.batch.groups(i).is_some_and(|groups| !groups.implied_by(kind));
            bits(good).filter(lost).for_each(|i| held &= !(1 << i));
        }
        let losing = good & !held | doubtful;
        if losing == 0 {
            return good;
        }
        let (from, to) = (self.work.batch.shape(), target.form.shape);
        let flattening = self.writer.take_flattening(from, to, &target.holds);
        let written = self.encode_losing(group, target, &flattening, &Doubts { good, doubtful, held, losing });
        self.writer.flattening = Some(flattening);
        written
    }

    /// Like [`Converter::encode_apart`], if some records lose something or are not held.
    fn encode_losing(
        &mut self,
        group: &RecordGroup,
        target: EncodeTarget,
        flattening: &Flattening,
        doubts: &Doubts,
    ) -> u64 {
        let mut written = doubts.good;
        let mut lost = Vec::with_capacity(group.len());
        for i in bits(doubts.losing) {
            let mut losses = flattening.losses(&self.work.batch, i);
            if doubts.doubtful >> i & 1 == 1 {
                losses.join(&self.read_losses(group, i));
            }
            match self.refusal(target, i, doubts.held, &losses) {
                Some(reject) => {
                    self.work.refused.push((i, reject));
                    written &= !(1 << i);
                }
                None if losses.is_empty() => {}
                None => lost.push((i, losses)),
            }
        }
        if lost.is_empty() {
            return written;
        }
        let format = target.form.id.codec();
        flattening.flatten(&self.work.batch, &mut self.writer.flat);
        self.work.scratch.clear();
        let out = StringsOut { text: &mut self.work.scratch, gap: 0, ends: &mut self.work.ends };
        let held = format.encode(target.form, &self.writer.flat, self.kernel, out);
        for i in bits(written & !held) {
            self.work.refused.push((i, no_loss_found(target.form.id)));
        }
        written &= held;
        for &(i, losses) in lost.iter().filter(|(i, _)| written >> i & 1 == 1) {
            self.converted.counts.lose(&losses);
            self.converted.log.push(group.first + i, CountEntry::Losses(losses));
        }
        written
    }

    /// What a record lost in reading, apart from names that are kept.
    fn read_losses(&self, group: &RecordGroup, i: usize) -> Losses {
        let losses = self.remainder(group, i).losses;
        losses.but_names(self.converted.facts.whole_names(group.first + i))
    }

    /// Why a record that loses something, or is not held, is not written.
    fn refusal(&self, target: EncodeTarget, i: usize, held: u64, losses: &Losses) -> Option<Reject> {
        if held >> i & 1 == 0
            && let Some(reject) = target.form.id.codec().unwritable(target.form, &self.work.batch, i)
        {
            return Some(reject);
        }
        if losses.is_empty() {
            // What was lost in reading may be names that are kept.
            return (held >> i & 1 == 0).then(|| no_loss_found(target.form.id));
        }
        (!self.plan.lossy && losses.need_consent())
            .then(|| losses.reject(target.form.id.name(), self.work.batch.shape().side.get()))
    }

    /// Writes the digits of boards. Returns those that are written.
    fn write_digits(&mut self, group: &RecordGroup, doubtful: u64, good: u64) -> u64 {
        let passed = self.refuse_doubtful(group, doubtful, good);
        let GroupWork { batch, scratch, ends, .. } = &mut self.work;
        scratch.clear();
        for (i, end) in ends[..group.len()].iter_mut().enumerate() {
            if passed >> i & 1 == 1 {
                for cell in 0..batch.shape().side.cells() {
                    scratch.push_byte(match batch.cell(i, cell) {
                        Cell::Clue(digit) | Cell::Solved(digit) | Cell::BlackClue(digit) => digit_char(digit),
                        _ => digit_char(0),
                    });
                }
            }
            *end = scratch.len();
        }
        self.move_written(group.len(), passed)
    }

    /// Passes good records on unchanged, or their solutions instead. Returns those that are passed on.
    pub(super) fn pass_on(&mut self, group: &RecordGroup, doubtful: u64, good: u64) -> u64 {
        let passed = self.refuse_doubtful(group, doubtful, good);
        match self.plan.emit {
            Emit::Solution => self.move_written(group.len(), passed),
            Emit::Key => self.move_written(group.len(), passed),
            _ => {
                let end = self.converted.text.len();
                self.converted.ends.resize(group.first + group.len(), end);
                passed
            }
        }
    }

    /// Refuses records that lost something in reading other than names, and counts the names that are lost with the rest of a
    /// record. Returns the rest of `good`.
    pub(super) fn refuse_doubtful(&mut self, group: &RecordGroup, doubtful: u64, good: u64) -> u64 {
        let mut passed = good;
        let keeps_strings = !self.plan.emit.writes();
        for i in bits(doubtful) {
            let losses = self.read_losses(group, i);
            if !losses.need_consent() {
                if !keeps_strings && !losses.is_empty() {
                    self.converted.counts.lose(&losses);
                    self.converted.log.push(group.first + i, CountEntry::Losses(losses));
                }
                continue;
            }
            passed &= !(1 << i);
            let mut reject = losses.reject("", self.work.batch.shape().side.get());
            reject.message = format!("reading it loses: {losses}");
            self.work.refused.push((i, reject));
        }
        passed
    }

    /// Completes strings that were appended to the new text with room for line ends: writes the line ends, and records
    /// where the strings end.
    fn finish_strings(&mut self, len: usize) {
        let Self { work: GroupWork { ends, .. }, writer: BoardWriter { line_end, .. }, converted, .. } = self;
        let bytes = converted.text.as_mut_slice();
        match **line_end {
            [] => {}
            [byte] => ends[..len].iter().for_each(|&end| bytes[end] = byte),
            _ => ends[..len].iter().for_each(|&end| bytes[end..end + line_end.len()].copy_from_slice(line_end)),
        }
        converted.ends.extend(ends[..len].iter().map(|end| end + line_end.len()));
    }

    /// Counts the solved cells of the records that were written, and lists them if the plan asks for it.
    pub(super) fn count_solved(&mut self, group: &RecordGroup, written: u64, decoded: &Decoded) {
        if decoded.solved == 0 {
            return;
        }
        if written == all_bits(group.len()) && !self.plan.list_solved {
            self.converted.count_solved(group.first, group.len(), decoded.solved.into());
            return;
        }
        let side = self.work.batch.shape().side;
        let fills_in = match self.plan.emit {
            Emit::SolvedBoard => true,
            emit => emit == Emit::Solution && !emit.writes_digits(self.work.batch.shape()),
        };
        for i in bits(written) {
            let before = self.converted.counts.solved_cells;
            for cell in 0..side.cells() {
                // What the solver filled in was not read.
                let was_solved = match fills_in {
                    true => self.work.solved_before.binary_search(&(i, cell)).is_ok(),
                    false => matches!(self.work.batch.cell(i, cell), Cell::Solved(_)),
                };
                if !was_solved {
                    continue;
                }
                self.converted.counts.solved_cells += 1;
                if self.plan.list_solved {
                    let (record, cell, side) = (group.first + i, cell as u16, side.get() as u8);
                    self.held_bytes += size_of::<SolvedCell>();
                    self.converted.solved.push(SolvedCell { record, cell, side });
                }
            }
            let cells = self.converted.counts.solved_cells - before;
            self.converted.log.push(group.first + i, CountEntry::Solved(cells));
        }
    }

    /// Moves the strings in `written` from the scratch text to the new text.
    fn move_written(&mut self, len: usize, written: u64) -> u64 {
        let Self { work: GroupWork { ends, scratch, .. }, writer: BoardWriter { line_end, .. }, converted, .. } = self;
        let mut from = 0;
        for (i, &end) in ends[..len].iter().enumerate() {
            if written >> i & 1 == 1 {
                converted.text.push(&scratch.as_slice()[from..end]);
                converted.text.push(line_end);
            }
            from = end;
            converted.ends.push(converted.text.len());
        }
        written
    }
}

/// The refusal of a board that a format does not take although nothing would be lost. This is a bug, which must not be
/// hidden.
fn no_loss_found(target: Format) -> Reject {
    Reject::whole(
        Code::Unsupported,
        format!("internal error: {target} does not take this board, but no loss was found"),
    )
}
