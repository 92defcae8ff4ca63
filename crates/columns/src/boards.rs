//! Converts strings to arrays of numbers, with a row for each board and a number for each cell.

use std::ops::Range;

use arrow_array::ArrayRef;
use gridmill_core::board::{Batch, Codes, Mask};
use gridmill_core::convert::RecordGroup;
use gridmill_core::formats::recognise;
use gridmill_core::{Code, Reject, Side};

use crate::blocks::{self, ROWS};
use crate::error::CallError;
use crate::reader::Reader;
use crate::refused::RefusedRows;
use crate::session::{KnownEvidence, Session};
use crate::strings::Strings;

/// The value to return for each cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CellValue {
    /// The placed digit; 0 if there is none.
    Digits,
    /// Whether the digit is given: 0 or 1.
    Given,
    /// The cell code (docs/FORMATS.md).
    Codes,
    /// The candidates, digit d as bit d - 1; the bit of a placed digit; 0 if the cell is empty.
    Masks,
    /// The number of the region, 1 to n; 0 for kinds without regions.
    Regions,
    /// The colour of the cage, 1 to 5; 0 for kinds without cages.
    Colours,
    /// The contents of cages as in v2; 0 for kinds without cages.
    Contents,
    /// Whether the cell is black: 0 or 1.
    Black,
}

impl CellValue {
    /// All values, with their names.
    pub const ALL: [(&'static str, Self); 8] = [
        ("digits", Self::Digits),
        ("given", Self::Given),
        ("codes", Self::Codes),
        ("masks", Self::Masks),
        ("regions", Self::Regions),
        ("colours", Self::Colours),
        ("contents", Self::Contents),
        ("black", Self::Black),
    ];

    /// The bytes of each number for boards of this side: 1, 2 or 4.
    pub fn width(self, side: Side) -> usize {
        match self {
            Self::Digits | Self::Given | Self::Regions | Self::Colours | Self::Black => 1,
            Self::Contents => 2,
            Self::Codes | Self::Masks if side.is_small() => 2,
            Self::Codes | Self::Masks => 4,
        }
    }
}

/// Memory for the numbers, one for each cell of each board, with the width that [`CellValue::width`] returns.
#[derive(Debug)]
#[non_exhaustive]
pub enum Values<'a> {
    /// Numbers of one byte.
    Small(&'a mut [u8]),
    /// Numbers of two bytes.
    Medium(&'a mut [u16]),
    /// Numbers of four bytes.
    Large(&'a mut [u32]),
}

/// The boards of a column, all of one side.
pub struct Boards<'a> {
    columns: Vec<Strings<'a>>,
    session: &'a Session<'a>,
    side: Side,
}

impl std::fmt::Debug for Boards<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Boards").field("side", &self.side).field("len", &self.len()).finish_non_exhaustive()
    }
}

impl<'a> Boards<'a> {
    /// Finds the boards of a column. Their side is that of the first string with a known format, or 9 if there is none.
    ///
    /// # Errors
    /// [`CallError::Type`].
    pub fn of(chunks: &'a [ArrayRef], session: &'a Session<'a>) -> Result<Self, CallError> {
        let columns = Strings::of_all(chunks)?;
        let plan = &session.conversion;
        let mut strings = columns.iter().flat_map(|strings| (0..strings.len()).filter_map(|row| strings.get(row)));
        let side =
            strings.find_map(|string| recognise(string, plan.from, &plan.hints).ok().map(|form| form.shape.side));
        Ok(Self { columns, session, side: side.unwrap_or(Side::NINE) })
    }

    /// Returns the number of boards.
    pub fn len(&self) -> usize {
        self.columns.iter().map(Strings::len).sum()
    }

    /// Whether there are no boards.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the side of the boards.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Reads a value for each cell of all boards.
    ///
    /// # Errors
    /// [`CallError::Refused`] if a row has no string, a string that cannot be read, or a board of another side.
    /// [`CallError::Usage`] if the memory has another size or width.
    pub fn read(&self, what: CellValue, to: Values<'_>) -> Result<(), CallError> {
        let width = what.width(self.side);
        match to {
            Values::Small(to) if width == 1 => {
                self.fill(to, |batch, row, all_given, to| fill_bytes(what, batch, row, all_given, to))
            }
            Values::Medium(to) if width == 2 => self.fill(to, |batch, row, _, to| match what {
                CellValue::Contents if batch.shape().kind.has_cages() => to.copy_from_slice(&batch.contents()[row]),
                CellValue::Contents => to.fill(0),
                CellValue::Codes => to.copy_from_slice(&batch.codes16()[row]),
                _ => map_cells(batch, row, to, |codes, code| mask(codes, code) as u16),
            }),
            Values::Large(to) if width == 4 => self.fill(to, |batch, row, _, to| match what {
                CellValue::Codes => to.copy_from_slice(&batch.codes32()[row]),
                _ => map_cells(batch, row, to, mask),
            }),
            _ => Err(CallError::Usage(format!("numbers of {width} bytes are needed"))),
        }
    }
}

/// Some rows of a chunk, and the memory for their boards.
struct FillJob<'j, T> {
    strings: &'j Strings<'j>,
    /// The number of rows in earlier chunks.
    before: usize,
    /// The first of the rows in the chunk.
    first: usize,
    to: &'j mut [T],
}

impl Boards<'_> {
    /// Fills the memory, one board after the other. `fill` fills it for one board of a batch: it gets the range of the
    /// board's cells in the arrays of the batch, and whether all digits are given.
    fn fill<T: Send>(
        &self,
        to: &mut [T],
        fill: impl Fn(&Batch, Range<usize>, bool, &mut [T]) + Sync,
    ) -> Result<(), CallError> {
        let cells = self.side.cells();
        if to.len() != self.len() * cells {
            return Err(CallError::Usage(format!("memory for {} boards of {cells} cells is needed", self.len())));
        }
        let (mut jobs, mut rest, mut before) = (Vec::new(), to, 0);
        for strings in &self.columns {
            let (own, after) = rest.split_at_mut(strings.len() * cells);
            let firsts = (0..).step_by(ROWS);
            let parts = firsts.zip(own.chunks_mut(ROWS * cells));
            jobs.extend(parts.map(|(first, to)| FillJob { strings, before, first, to }));
            (rest, before) = (after, before + strings.len());
        }
        let known = KnownEvidence::new(self.session, self.session.conversion, &self.columns);
        let blocks = blocks::run_jobs(
            self.session,
            self.len(),
            jobs,
            || Reader::new(&known),
            |reader, job, _| self.fill_block(reader, job, &fill),
        )?;
        let mut refused = RefusedRows::default();
        let list = self.session.list_refused;
        blocks.into_iter().flatten().for_each(|(row, reject)| refused.add(row, &reject, list));
        if refused.first().is_some() { Err(CallError::Refused(refused)) } else { Ok(()) }
    }

    /// Fills the memory for some rows of a chunk. Returns the rows that cannot be read.
    fn fill_block<T>(
        &self,
        reader: &mut Reader<'_>,
        FillJob { strings, before, first, to }: FillJob<'_, T>,
        fill: &impl Fn(&Batch, Range<usize>, bool, &mut [T]),
    ) -> Vec<(usize, Reject)> {
        let cells = self.side.cells();
        let rows = first..first + to.len() / cells;
        let has_string = |row: usize| strings.span(row).is_some_and(|span| span.start < span.end);
        let without = rows.clone().filter(|&row| !has_string(row));
        let nothing = Reject::whole(Code::Length, "there is no string in this row, and therefore no board");
        let mut refused: Vec<_> = without.map(|row| (before + row, nothing.clone())).collect();
        let mut others = Vec::new();
        let mut visit = |rows: &[usize], group: &RecordGroup<'_>, batch: &Batch, good: u64| {
            let side = batch.shape().side;
            let all_given = !group.form.id.codec().holds(group.form).clue;
            for (i, &row) in rows[group.first..group.first + group.len()].iter().enumerate() {
                if good >> i & 1 == 0 {
                    continue;
                }
                if side != self.side {
                    let words = format!("a board of side {side} among boards of side {}", self.side);
                    others.push((before + row, Reject::whole(Code::Unsupported, words)));
                    continue;
                }
                let from = i * batch.stride();
                let at = (row - first) * cells;
                fill(batch, from..from + cells, all_given, &mut to[at..at + cells]);
            }
        };
        reader.read(strings, rows, &mut visit, &mut |answers| {
            let rows = answers.rows;
            refused.extend(answers.refused().map(|(record, reject)| (before + rows[record], reject.into_owned())));
        });
        refused.extend(others);
        refused.sort_unstable_by_key(|&(row, _)| row);
        refused
    }
}

/// Fills the memory with values of one byte.
fn fill_bytes(what: CellValue, batch: &Batch, row: Range<usize>, all_given: bool, to: &mut [u8]) {
    let kind = batch.shape().kind;
    match what {
        CellValue::Regions if kind.has_regions() => to.copy_from_slice(&batch.regions()[row]),
        CellValue::Colours if kind.has_cages() => to.copy_from_slice(&batch.colours()[row]),
        CellValue::Digits => map_cells(batch, row, to, |codes, code| digit(codes, code) as u8),
        CellValue::Given if all_given => map_cells(batch, row, to, |codes, code| u8::from(digit(codes, code) > 0)),
        CellValue::Given => {
            map_cells(batch, row, to, |codes, code| u8::from(digit(codes, code) > 0 && code <= codes.solved_base()))
        }
        CellValue::Black if kind.has_black() => map_cells(batch, row, to, |codes, code| {
            u8::from(code >= codes.black_empty() && code <= codes.solved_base())
        }),
        _ => to.fill(0),
    }
}

/// Maps the code of each cell.
#[inline]
fn map_cells<T>(batch: &Batch, row: Range<usize>, to: &mut [T], take: impl Fn(Codes, u32) -> T) {
    let codes = batch.shape().codes();
    if batch.shape().side.is_small() {
        to.iter_mut().zip(&batch.codes16()[row]).for_each(|(to, &code)| *to = take(codes, code.into()));
    } else {
        to.iter_mut().zip(&batch.codes32()[row]).for_each(|(to, &code)| *to = take(codes, code));
    }
}

/// Returns the placed digit of a cell, or 0.
#[inline]
fn digit(codes: Codes, code: u32) -> u32 {
    // Clues are followed by the codes of black cells. If there are none of these, their range is empty.
    let (clues, blacks) = (codes.black_empty() - 1, codes.solved_base());
    // All cases are computed, so that the loop over the cells becomes vector instructions at every level of optimisation.
    let (of_black, of_solved) = (code.wrapping_sub(codes.black_empty()), code.wrapping_sub(blacks));
    let solved = if code <= codes.candidates_base() { of_solved } else { 0 };
    let not_given = if code <= blacks { of_black } else { solved };
    if code <= clues { code } else { not_given }
}

/// Returns the candidates of a cell, or the bit of its digit.
#[inline]
fn mask(codes: Codes, code: u32) -> Mask {
    match digit(codes, code) {
        0 => code.saturating_sub(codes.candidates_base()),
        digit => 1 << (digit - 1),
    }
}
