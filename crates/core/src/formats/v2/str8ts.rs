//! Reads the cells of v2 Str8ts strings in every layout, and converts them to the cell code in memory, which is that of
//! `spec`.

use super::HEADER;
use super::fields::FieldSizes;
use super::str8ts_layouts::to_spec;
use crate::board::{Batch, Side};
use crate::formats::{Form, Layout};
use crate::kernels::all_bits;
use crate::kernels::tables::{BAD, DIGIT36};

/// Reads the values of a string's cells. Returns false if a character is not a digit; the value of its cell is then 0.
pub(super) fn values(form: &Form, text: &[u8], out: &mut [u32]) -> bool {
    let (width, cells) = (FieldSizes::of(form.shape).width, &text[HEADER..]);
    let mut all = 0;
    if width == 2 {
        for (&[high, low], value) in cells.as_chunks::<2>().0.iter().zip(out) {
            let (high, low) = (DIGIT36[high as usize], DIGIT36[low as usize]);
            let marks = high | low;
            *value = if marks & BAD == 0 { u32::from(high) * 36 + u32::from(low) } else { 0 };
            all |= marks;
        }
        return all & BAD == 0;
    }
    for (digits, value) in cells.chunks_exact(width).zip(out) {
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

/// Finds the doubtful cells of a string in the layout `first`. Their value means black empty or black n. It was read as
/// black empty, although no other cell of the row or column is n.
pub(super) fn doubtful_cells(form: &Form, text: &[u8]) -> Vec<usize> {
    let (side, n) = (form.shape.side, form.shape.side.get());
    let mut values = vec![0; side.cells()];
    self::values(form, text, &mut values);
    let placed = |value: u32| value as usize == n || value as usize == 3 * n;
    let sees_placed = |i: usize| (0..n).any(|k| placed(values[i / n * n + k]) || placed(values[k * n + i % n]));
    (0..values.len()).filter(|&i| values[i] as usize == 2 * n && !sees_placed(i)).collect()
}

/// Converts the values of valid records to cell codes in place. Returns the records that are still valid, and those of
/// them that have a doubtful black cell.
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

/// What was found in the values of a board.
#[derive(Default)]
struct BoardFaults {
    bad: bool,
    doubtful: bool,
}

/// Converts the values of a board.
fn row_to_spec<T>(layout: Layout, side: Side, row: &mut [T], get: fn(&T) -> u32, set: fn(u32) -> T) -> BoardFaults {
    let n = side.get();
    let mut found = BoardFaults::default();
    let (mut rows, mut columns) = (0_u32, 0_u32);
    let has_two_meanings = |value: u32| layout == Layout::First && value as usize == 2 * n;
    if row.iter().any(|value| has_two_meanings(get(value))) {
        for (i, value) in row.iter().enumerate() {
            if [n, 3 * n].contains(&(get(value) as usize)) {
                rows |= 1 << (i / n);
                columns |= 1 << (i % n);
            }
        }
        found.doubtful = row
            .iter()
            .enumerate()
            .any(|(i, value)| has_two_meanings(get(value)) && rows >> (i / n) & 1 == 0 && columns >> (i % n) & 1 == 0);
    }
    for value in row {
        match to_spec(layout, side, get(value)) {
            Some(code) => *value = set(code),
            None => found.bad = true,
        }
    }
    found
}
