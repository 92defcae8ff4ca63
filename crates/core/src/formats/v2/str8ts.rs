//! The cells of v2 Str8ts strings in every layout, and the code in memory, which is that of `spec`.

use super::HEADER;
use super::fields::Fields;
use super::str8ts_layouts::to_spec;
use crate::board::{Batch, Cell, Codes, Side};
use crate::formats::{Form, Layout};
use crate::kernels::all_bits;
use crate::kernels::tables::{BAD, DIGIT36};

/// The values of a string's cells; false if a character is no digit (its cell is then 0).
pub(super) fn values(form: &Form, text: &[u8], out: &mut [u32]) -> bool {
    let width = Fields::of(form.shape).width;
    let mut all = 0;
    for (digits, value) in text[HEADER..].chunks_exact(width).zip(out) {
        let (mut marks, mut sum) = (0, 0);
        for &byte in digits {
            let digit = DIGIT36[byte as usize];
            marks |= digit;
            sum = sum * 36 + u32::from(digit & !BAD);
        }
        *value = if marks & BAD == 0 { sum } else { 0 };
        all |= marks;
    }
    all & BAD == 0
}

/// The faults of a board under a layout in which all its values are in range; `None` if two clues of a row or column are equal:
/// see [`super::layout_rules::V2Layouts`].
pub(super) fn faults(layout: Layout, side: Side, values: &[u32]) -> Option<u32> {
    let (n, codes) = (side.get(), Codes::new(side, true));
    let cell = |value| to_spec(layout, side, value).and_then(|code| codes.read(code)).unwrap_or(Cell::Empty);
    // Digits of each line, and in the upper half those that are clues.
    let (mut rows, mut columns) = ([0_u64; 25], [0_u64; 25]);
    let (mut faults, mut clues_twice) = (0, 0);
    for (i, &value) in values.iter().enumerate() {
        let cell = cell(value);
        let digit = cell.digit();
        if digit > 0 {
            let bit = 1_u64 << (digit - 1);
            let clue = if matches!(cell, Cell::Solved(_)) { 0 } else { bit << 32 };
            let (row, column) = (&mut rows[i / n], &mut columns[i % n]);
            faults += u32::from(*row & bit != 0) + u32::from(*column & bit != 0);
            clues_twice |= (*row | *column) & clue;
            *row |= bit | clue;
            *column |= bit | clue;
        }
    }
    if clues_twice != 0 {
        return None;
    }
    for (i, &value) in values.iter().enumerate() {
        if let Cell::Candidates(mask) = cell(value)
            && mask != codes.full_mask()
        {
            faults += u32::from(mask & (rows[i / n] | columns[i % n]) as u32 != 0);
        }
    }
    Some(faults)
}

/// The cells of a string in `first` whose value, black empty or black n, was read as black empty without need: neither row
/// nor column holds another n.
pub(super) fn doubtful_cells(form: &Form, text: &[u8]) -> Vec<usize> {
    let (side, n) = (form.shape.side, form.shape.side.get());
    let mut values = vec![0; side.cells()];
    self::values(form, text, &mut values);
    let placed = |value: u32| value as usize == n || value as usize == 3 * n;
    let sees = |i: usize| (0..n).any(|k| placed(values[i / n * n + k]) || placed(values[k * n + i % n]));
    (0..values.len()).filter(|&i| values[i] as usize == 2 * n && !sees(i)).collect()
}

/// Turns the values of well-formed records into codes, in place. Returns the records that stay well-formed, and those of
/// them in which a black cell is in doubt.
pub(super) fn codes_to_spec(layout: Layout, batch: &mut Batch, good: u64) -> (u64, u64) {
    let (side, stride) = (batch.shape().side, batch.stride());
    let (mut bad, mut doubtful) = (0, 0);
    for i in (0..batch.len()).filter(|i| good >> i & 1 == 1) {
        let found = if side.is_small() {
            let row = &mut batch.codes16_mut()[i * stride..][..side.cells()];
            row_to_spec(layout, side, row, |&value| value.into(), |code| code as u16)
        } else {
            let row = &mut batch.codes32_mut()[i * stride..][..side.cells()];
            row_to_spec(layout, side, row, |&value| value, |code| code)
        };
        bad |= u64::from(found.bad) << i;
        doubtful |= u64::from(found.doubtful) << i;
    }
    let good = good & !bad & all_bits(batch.len());
    (good, doubtful & good)
}

#[derive(Default)]
struct RowFaults {
    bad: bool,
    doubtful: bool,
}

fn row_to_spec<T>(layout: Layout, side: Side, row: &mut [T], get: fn(&T) -> u32, set: fn(u32) -> T) -> RowFaults {
    let n = side.get();
    let mut found = RowFaults::default();
    let (mut rows, mut columns) = (0_u32, 0_u32);
    let twice = |value: u32| layout == Layout::First && value as usize == 2 * n;
    if row.iter().any(|value| twice(get(value))) {
        for (i, value) in row.iter().enumerate() {
            if [n, 3 * n].contains(&(get(value) as usize)) {
                rows |= 1 << (i / n);
                columns |= 1 << (i % n);
            }
        }
        found.doubtful = row
            .iter()
            .enumerate()
            .any(|(i, value)| twice(get(value)) && rows >> (i / n) & 1 == 0 && columns >> (i % n) & 1 == 0);
    }
    for value in row {
        match to_spec(layout, side, get(value)) {
            Some(code) => *value = set(code),
            None => found.bad = true,
        }
    }
    found
}
