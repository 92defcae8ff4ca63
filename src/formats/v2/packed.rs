//! Cells of several fields at sides up to 9: a value fits 32 bits, and a board is worked on field by field, which compilers
//! turn into vector instructions; value by value it was four times slower.

use super::HEADER;
use super::fields::{Field, Fields};
use crate::board::{BATCH, Batch};
use crate::formats::{Form, Records, cages};
use crate::kernels::tables::{BAD, DIGIT36, DIGITS, PAIR36};
use crate::kernels::{Kernel, Pairs, Texts};

/// Cells of the largest side here, filled up to whole vectors.
const CELLS: usize = 96;

/// The mark of what is no digit: more than any value, and five of them fit 32 bits.
const MARK: u32 = 1 << 28;

/// What a base-36 digit is worth at each place, the last one first, or [`MARK`].
static WORTH: [[u32; 256]; 5] = {
    let mut table = [[MARK; 256]; 5];
    let (mut place, mut worth) = (0, 1);
    while place < 5 {
        let mut byte = 0;
        while byte < 256 {
            if DIGIT36[byte] != BAD {
                table[place][byte] = DIGIT36[byte] as u32 * worth;
            }
            byte += 1;
        }
        worth *= 36;
        place += 1;
    }
    table
};

/// Decodes the bodies of a batch. Returns a bit for each in which nothing is wrong. The side is at most 9.
pub(super) fn decode_all(form: Form, records: Records, fields: &Fields, batch: &mut Batch, kernel: &Kernel) -> u64 {
    if fields.width == 4 {
        return decode_quads(form, records, fields, batch, kernel);
    }
    let one = |i: usize| u64::from(decode(&records.get(i)[HEADER..], fields, batch, i)) << i;
    (0..records.len()).map(one).fold(0, |bits, bit| bits | bit)
}

/// Bodies of four digits a cell: two pairs, which a kernel reads three times as fast as tables do. Half a body is a row of
/// pairs.
fn decode_quads(form: Form, records: Records, fields: &Fields, batch: &mut Batch, kernel: &Kernel) -> u64 {
    const PART: usize = BATCH / 2;
    let pairs = Pairs { cells: form.shape.side.cells(), row: form.shape.stride(), max: 1295 };
    let mut rows = [0; BATCH * CELLS];
    let mut good = 0;
    for (part, starts) in records.starts.chunks(PART).enumerate() {
        let mut halves = [0; BATCH];
        for (halves, &start) in halves.as_chunks_mut::<2>().0.iter_mut().zip(starts) {
            *halves = [start + HEADER as u32, start + (HEADER + 2 * pairs.cells) as u32];
        }
        let texts = Texts { bytes: records.bytes, starts: &halves[..2 * starts.len()] };
        let rows = &mut rows[..2 * starts.len() * pairs.row];
        let halves_good = (kernel.decode_pairs36)(texts, pairs, rows);
        for (i, rows) in rows.chunks_exact(2 * pairs.row).enumerate() {
            let board = part * PART + i;
            good |= u64::from(halves_good >> (2 * i) & 3 == 3 && join(rows, pairs, fields, batch, board)) << board;
        }
    }
    good
}

/// Joins pairs to values, and decodes those.
fn join(rows: &[u16], pairs: Pairs, fields: &Fields, batch: &mut Batch, board: usize) -> bool {
    let (first, second) = rows.split_at(pairs.row);
    let mut both = [0; 2 * CELLS];
    both[..pairs.cells].copy_from_slice(&first[..pairs.cells]);
    both[pairs.cells..2 * pairs.cells].copy_from_slice(&second[..pairs.cells]);
    let mut values = [0; CELLS];
    for ([high, low], value) in both.as_chunks::<2>().0.iter().zip(&mut values) {
        *value = u32::from(*high) * 1296 + u32::from(*low);
    }
    check_and_split(&values, fields, batch, board)
}

/// Decodes one body; false if anything is wrong with it. The side is at most 9.
fn decode(body: &[u8], fields: &Fields, batch: &mut Batch, board: usize) -> bool {
    let mut values = [0; CELLS];
    match fields.width {
        2 => read::<2>(body, &mut values),
        3 => read::<3>(body, &mut values),
        4 => read::<4>(body, &mut values),
        _ => read::<5>(body, &mut values),
    }
    check_and_split(&values, fields, batch, board)
}

/// Puts values in their places, if none is too large. Behind those of the cells they are 0, to fill up the row.
fn check_and_split(values: &[u32; CELLS], fields: &Fields, batch: &mut Batch, board: usize) -> bool {
    // The top bit of the difference says which is larger: both are less than 2^31.
    let over = values.iter().fold(0, |over, &value| over | (fields.max as u32).wrapping_sub(value));
    over >> 31 == 0 && split(values, fields, batch, board)
}

fn read<const W: usize>(body: &[u8], values: &mut [u32]) {
    let (cells, _) = body.as_chunks::<W>();
    for (digits, value) in cells.iter().zip(values) {
        *value = 0;
        for place in 0..W {
            *value += WORTH[place][digits[W - 1 - place] as usize];
        }
    }
}

/// Puts the fields of values in their places; false if one is out of its range or the cages are not right.
fn split(values: &[u32; CELLS], fields: &Fields, batch: &mut Batch, board: usize) -> bool {
    let (shape, stride) = (batch.shape(), batch.stride());
    let row = board * stride..(board + 1) * stride;
    let mut left = Left { values, shift: 0, bad: false };
    left.take(fields.code, 0, &mut batch.codes16_mut()[row.clone()]);
    if shape.kind.has_cages() {
        left.take(fields.content, 0, &mut batch.contents_mut()[row.clone()]);
        left.take(fields.colour, 1, &mut batch.colours_mut()[row.clone()]);
    }
    if shape.kind.has_regions() {
        left.take(fields.region, 1, &mut batch.regions_mut()[row.clone()]);
    }
    if left.bad {
        return false;
    }
    !shape.kind.has_cages() || {
        let row = row.start..row.start + shape.side.cells();
        cages::right(shape.kind, shape.side.get(), &batch.colours()[row.clone()], &batch.contents()[row])
    }
}

/// Values of which the lower fields were taken.
struct Left<'a> {
    values: &'a [u32; CELLS],
    shift: u32,
    bad: bool,
}

impl Left<'_> {
    /// Takes the next field of all values, and adds its lower bound.
    fn take<T: Small>(&mut self, field: Field, lowest: u32, to: &mut [T]) {
        let mask = (1 << field.bits) - 1;
        let mut over = 0;
        for (to, value) in to.iter_mut().zip(self.values) {
            let stored = value >> self.shift & mask;
            // The top bit of the difference says which is larger: both are small.
            over |= field.high.wrapping_sub(stored);
            *to = T::low(stored + lowest);
        }
        self.bad |= over >> 31 == 1;
        self.shift += field.bits;
    }
}

/// A small number.
trait Small {
    fn low(value: u32) -> Self;
}

impl Small for u8 {
    fn low(value: u32) -> Self {
        value as Self
    }
}

impl Small for u16 {
    fn low(value: u32) -> Self {
        value as Self
    }
}

/// Writes one body. The side is at most 9; a row that holds no board is written as some digits.
pub(super) fn encode(fields: &Fields, batch: &Batch, board: usize, out: &mut [u8]) {
    let (shape, stride) = (batch.shape(), batch.stride());
    let row = board * stride..board * stride + shape.side.cells();
    let mut values = [0; CELLS];
    let values = &mut values[..shape.side.cells()];
    values.iter_mut().zip(&batch.codes16()[row.clone()]).for_each(|(value, &code)| *value = code.into());
    let mut shift = fields.code.bits;
    if shape.kind.has_cages() {
        let contents = &batch.contents()[row.clone()];
        values.iter_mut().zip(contents).for_each(|(value, &content)| *value |= u32::from(content) << shift);
        shift += fields.content.bits;
        let colours = &batch.colours()[row.clone()];
        values.iter_mut().zip(colours).for_each(|(value, &c)| *value |= u32::from(c.wrapping_sub(1)) << shift);
        shift += fields.colour.bits;
    }
    if shape.kind.has_regions() {
        let regions = &batch.regions()[row];
        values.iter_mut().zip(regions).for_each(|(value, &r)| *value |= u32::from(r.wrapping_sub(1)) << shift);
    }
    match fields.width {
        2 => write::<2>(values, out),
        3 => write::<3>(values, out),
        4 => write::<4>(values, out),
        _ => write::<5>(values, out),
    }
}

fn write<const W: usize>(values: &[u32], out: &mut [u8]) {
    let (cells, _) = out.as_chunks_mut::<W>();
    for (digits, &value) in cells.iter_mut().zip(values) {
        let (high, low) = (value / 1296, PAIR36[(value % 1296) as usize]);
        [digits[W - 2], digits[W - 1]] = low;
        if W == 3 {
            digits[0] = DIGITS[(high % 36) as usize];
        }
        if W > 3 {
            let middle = PAIR36[(high % 1296) as usize];
            [digits[W - 4], digits[W - 3]] = middle;
        }
        if W == 5 {
            digits[0] = DIGITS[(high / 1296 % 36) as usize];
        }
    }
}
