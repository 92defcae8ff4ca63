//! Solutions as strings that can be read back, for columns that are appended.

use crate::board::{BATCH, Batch, Cell, Shape};
use crate::convert::{Conversion, Converted, Emit};
use crate::formats::{Form, Format, FormatLayouts, Holds, Records, StringsOut, Text};
use crate::kernels::Kernel;

/// The solutions of the records of a call, as far as their digits alone would be refused or misread. These are
/// filled-in v2 strings, as written by `solve`. The memory is reused between calls.
pub(super) struct SolvedStrings {
    /// Solutions of the boards that were read are written. Canonical forms have solutions of other boards.
    is_wanted: bool,
    layouts: FormatLayouts,
    kernel: &'static Kernel,
    batch: Batch,
    text: Text,
    ends: [usize; BATCH],
    /// Where the string of each record begins and ends in `text`; both are the same if the record has none. Records after
    /// the last entry have none.
    places: Vec<(usize, usize)>,
}

impl SolvedStrings {
    pub(super) fn new(plan: &Conversion, kernel: &'static Kernel) -> Self {
        Self {
            is_wanted: plan.facts.solution && plan.canonical.is_none(),
            layouts: plan.write_layouts,
            kernel,
            batch: Batch::new(),
            text: Text::new(),
            ends: [0; BATCH],
            places: Vec::new(),
        }
    }

    /// Takes the solutions that were found for these records.
    pub(super) fn take(&mut self, converted: &Converted, records: Records<'_>) {
        self.text.clear();
        self.places.clear();
        if !self.is_wanted || converted.forms.iter().all(|(_, form)| are_digits_read(form.shape)) {
            return;
        }
        let form = |record| {
            let form = converted.form(record).filter(|form| !are_digits_read(form.shape))?;
            (!converted.solution(record).is_empty()).then_some(form)
        };
        let (mut next, all) = (0, converted.ends.len().min(records.len()));
        while next < all {
            let Some(same) = form(next) else {
                next += 1;
                continue;
            };
            let alike = (next..all.min(next + BATCH)).take_while(|&record| form(record) == Some(same)).count();
            self.fill_in(same, records.slice(next..next + alike), converted, next);
            next += alike;
        }
    }

    /// Returns the solution of a record; empty if there is none.
    #[inline(always)]
    pub(super) fn of<'s>(&'s self, converted: &'s Converted, record: usize) -> &'s [u8] {
        match self.places.get(record) {
            Some(&(start, end)) if start < end => &self.text.as_slice()[start..end],
            _ => converted.solution(record),
        }
    }

    /// Writes the solutions of records of one form, the first of which is `first`.
    fn fill_in(&mut self, form: Form, records: Records<'_>, converted: &Converted, first: usize) {
        let decoded = form.id.codec().decode(form, records, &mut self.batch, self.kernel);
        let Some((target, holds)) = self.target() else { return };
        let cells = self.batch.shape().side.cells();
        for i in 0..records.len() {
            let solution = converted.solution(first + i);
            for (cell, &digit) in (0..cells).zip(solution) {
                if !matches!(self.batch.cell(i, cell), Cell::Clue(_) | Cell::BlackEmpty | Cell::BlackClue(_)) {
                    self.batch.set_cell(i, cell, Cell::Solved(value_of(digit)));
                }
            }
        }
        let before = self.text.len();
        let codec = target.id.codec();
        let held = codec.encode(
            target,
            &self.batch,
            self.kernel,
            StringsOut { text: &mut self.text, gap: 0, ends: &mut self.ends },
        ) & decoded.good;
        let kind = self.batch.shape().kind;
        self.places.resize(first, (0, 0));
        for i in 0..records.len() {
            let start = i.checked_sub(1).map_or(before, |last| self.ends[last]);
            let loses = !holds.groups && self.batch.groups(i).is_some_and(|groups| !groups.implied_by(kind));
            // `solve` refuses such a board, because v2 would lose something of it. Here, its digits stay.
            let end = if held >> i & 1 == 0 || loses { start } else { self.ends[i] };
            self.places.push((start, end));
        }
    }

    /// Returns the form of the strings for the current boards, if v2 holds boards of their shape without loss.
    fn target(&self) -> Option<(Form, Holds)> {
        let shape = self.batch.shape();
        let form = Format::V2.codec().writes(shape).ok()?;
        let form = form.write_as(self.layouts.get(Format::V2).unwrap_or(form.layout));
        let holds = Format::V2.codec().holds(form);
        holds.whole_shape(shape).then_some((form, holds))
    }
}

/// Whether the digits of a solution are read back as the board that they are.
fn are_digits_read(shape: Shape) -> bool {
    Emit::Solution.writes_digits(shape)
}

/// Returns the value of a digit of [`Converted::solution`].
fn value_of(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => digit.wrapping_sub(b'A').wrapping_add(10),
    }
}
