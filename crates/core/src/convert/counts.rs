//! The counts of a run. Each worker has its own, and they are added in order.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::board::Kind;
use crate::error::Code;
use crate::formats::{DecidedBy, Form, Format, Layout, Loss, Losses};
use crate::solve::Grade;

/// The counts of a chunk, an input or a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Lines, whether they are records or not.
    pub lines: u64,
    /// Records, good and bad.
    pub records: u64,
    /// Records that were refused.
    pub rejected: u64,
    /// Links whose strings stay as they are. They count as good records.
    pub kept: u64,
    /// Rows of a table, or JSON lines, without a string. They are copied.
    pub without: u64,
    /// Lines of text between grids. They are copied, and are not records.
    pub text: u64,
    /// Refused records by code. If all problems of a record are listed, it counts for the code of each.
    pub codes: BTreeMap<Code, u64>,
    /// Records with warnings, by code.
    pub warnings: BTreeMap<Code, u64>,
    /// Boards by the number of their givens, if the plan asks for it.
    pub clue_counts: BTreeMap<u16, u64>,
    /// Good records that were passed over, because their grade was not asked for.
    pub passed_over: u64,
    /// Boards by grade, those without one first, if grades are found.
    grades: [u64; Grade::ALL.len() + 1],
    /// Records by format and kind, if their form was recognised.
    forms: [[u64; Kind::COUNT]; Format::ALL.len()],
    /// Records whose layout was found, by format, layout, and what decided it.
    layouts: [[[u64; DecidedBy::ALL.len()]; Layout::ALL.len()]; Format::ALL.len()],
    /// Losses with `--lossy`: records and cells by kind of loss.
    losses: [(u64, u64); Loss::ALL.len()],
    /// Records with a loss with `--lossy`.
    pub lossy_records: u64,
    /// Solved cells read from formats that cannot tell them from a single candidate (v0, v1).
    pub solved_cells: u64,
    /// Cells for which `--notes auto` left no digit.
    pub cells_left_with_nothing: u64,
    /// Cells with progress that canonical forms leave out.
    pub left_out: u64,
    /// Killers with open cages: cages without a sum.
    pub open_killers: u64,
    /// Bytes written, before compression.
    pub bytes_out: u64,
}

impl Counts {
    /// Counts a refused record.
    pub fn reject(&mut self, code: Code) {
        self.rejected += 1;
        *self.codes.entry(code).or_default() += 1;
    }

    /// Counts a warning about a record.
    pub fn warn(&mut self, code: Code) {
        *self.warnings.entry(code).or_default() += 1;
    }

    /// Counts records of a form.
    pub fn form(&mut self, id: Format, kind: Kind, records: u64) {
        self.forms[id as usize][kind as usize] += records;
    }

    /// Counts boards with this grade, or with none.
    #[inline]
    pub(super) fn grade(&mut self, grade: Option<Grade>, boards: u64) {
        self.grades[place(grade)] += boards;
    }

    /// Boards by grade, those without one last. Zeros are left out. Nothing if no grades were found.
    pub fn grades(&self) -> impl Iterator<Item = (Option<Grade>, u64)> {
        let all = Grade::ALL.into_iter().map(Some).chain([None]);
        all.map(|grade| (grade, self.grades[place(grade)])).filter(|(_, boards)| *boards > 0)
    }

    /// Counts records whose layout was found, by what decided it.
    pub fn layouts(&mut self, id: Format, layout: Layout, by: [u64; DecidedBy::ALL.len()]) {
        let counts = &mut self.layouts[id as usize][layout as usize];
        counts.iter_mut().zip(by).for_each(|(mine, more)| *mine += more);
    }

    /// Records whose layout was found: format, layout, and how many by what decided it. Zeros are left out.
    pub fn found_layouts(&self) -> impl Iterator<Item = (Format, Layout, [u64; DecidedBy::ALL.len()])> {
        Format::ALL
            .into_iter()
            .zip(&self.layouts)
            .flat_map(|(id, layouts)| Layout::ALL.into_iter().zip(layouts).map(move |(layout, &by)| (id, layout, by)))
            .filter(|(_, _, by)| by.iter().any(|&n| n > 0))
    }

    /// Counts the losses of one record.
    pub fn lose(&mut self, losses: &Losses) {
        self.lossy_records += 1;
        for (loss, cells) in losses.iter() {
            let (records, all_cells) = &mut self.losses[loss as usize];
            *records += 1;
            *all_cells += u64::from(cells);
        }
    }

    /// Records by format and kind. Zeros are left out.
    pub fn forms(&self) -> impl Iterator<Item = (Format, Kind, u64)> {
        Format::ALL.into_iter().flat_map(move |id| {
            Kind::all()
                .map(move |kind| (id, kind, self.forms[id as usize][kind as usize]))
                .filter(|(_, _, records)| *records > 0)
        })
    }

    /// Losses by kind: records and cells. Zeros are left out.
    pub fn losses(&self) -> impl Iterator<Item = (Loss, u64, u64)> {
        Loss::ALL
            .into_iter()
            .map(|loss| (loss, self.losses[loss as usize]))
            .filter_map(|(loss, (records, cells))| (records > 0).then_some((loss, records, cells)))
    }

    /// Adds the counts of another worker or chunk.
    pub fn add(&mut self, other: &Self) {
        self.lines += other.lines;
        self.records += other.records;
        self.rejected += other.rejected;
        self.kept += other.kept;
        self.passed_over += other.passed_over;
        self.grades.iter_mut().zip(other.grades).for_each(|(mine, theirs)| *mine += theirs);
        self.without += other.without;
        self.text += other.text;
        self.lossy_records += other.lossy_records;
        self.solved_cells += other.solved_cells;
        self.cells_left_with_nothing += other.cells_left_with_nothing;
        self.left_out += other.left_out;
        self.open_killers += other.open_killers;
        self.bytes_out += other.bytes_out;
        for (mine, theirs) in [(&mut self.codes, &other.codes), (&mut self.warnings, &other.warnings)] {
            theirs.iter().for_each(|(&code, records)| *mine.entry(code).or_default() += records);
        }
        other.clue_counts.iter().for_each(|(&clues, boards)| *self.clue_counts.entry(clues).or_default() += boards);
        for (mine, theirs) in self.forms.iter_mut().flatten().zip(other.forms.iter().flatten()) {
            *mine += theirs;
        }
        for (id, layout, by) in other.found_layouts() {
            self.layouts(id, layout, by);
        }
        for (mine, theirs) in self.losses.iter_mut().zip(&other.losses) {
            mine.0 += theirs.0;
            mine.1 += theirs.1;
        }
    }

    /// Takes back a record with its form, the number of its givens if it was read, and the code if it was refused.
    pub(super) fn take_back_record(&mut self, form: Option<Form>, clues: Option<u16>, refused: Option<Code>) {
        self.records -= 1;
        if let Some(form) = form {
            self.forms[form.id as usize][form.shape.kind as usize] -= 1;
        }
        if let Some(clues) = clues {
            take_back(&mut self.clue_counts, clues);
        }
        if let Some(code) = refused {
            self.rejected -= 1;
            self.take_back_code(code);
        }
    }

    /// Takes back a board with this grade, if grades are counted.
    pub(super) fn take_back_grade(&mut self, grade: Option<Grade>) {
        let boards = &mut self.grades[place(grade)];
        *boards = boards.saturating_sub(1);
    }

    /// Takes back that the layout of a record was found.
    pub(super) fn take_back_layout(&mut self, form: Form, by: DecidedBy) {
        self.layouts[form.id as usize][form.layout as usize][by as usize] -= 1;
    }

    /// Takes back a code of a refused record.
    pub(super) fn take_back_code(&mut self, code: Code) {
        take_back(&mut self.codes, code);
    }

    /// Takes back a warning.
    pub(super) fn take_back_warning(&mut self, code: Code) {
        take_back(&mut self.warnings, code);
    }

    /// Takes back the losses of one record.
    pub(super) fn take_back_losses(&mut self, losses: &Losses) {
        self.lossy_records -= 1;
        for (loss, cells) in losses.iter() {
            let (records, all_cells) = &mut self.losses[loss as usize];
            *records -= 1;
            *all_cells -= u64::from(cells);
        }
    }

    /// Sets everything to zero.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// The place of a grade in the counts.
fn place(grade: Option<Grade>) -> usize {
    grade.map_or(0, |grade| grade.number().into())
}

/// Lowers a count by one, and removes it if it becomes zero. Counts that were not asked for are not there.
fn take_back<K: Ord>(counts: &mut BTreeMap<K, u64>, key: K) {
    if let Entry::Occupied(mut count) = counts.entry(key) {
        *count.get_mut() -= 1;
        if *count.get() == 0 {
            count.remove();
        }
    }
}
