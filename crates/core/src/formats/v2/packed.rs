//! Cells with several fields at sides up to 9. A value fits 32 bits, and a board is processed field by field, which
//! compilers turn into vector instructions; value by value was four times slower.

use super::HEADER;
use super::fields::{Fields, PackedField};
use crate::board::Batch;
use crate::formats::{Form, Records, cages};
use crate::kernels::tables::{BAD, DIGIT36, DIGITS, PAIR36, table};
use crate::kernels::{Kernel, SLACK, SimdTask};

/// Cells of the largest board here, padded to whole vectors.
const CELLS: usize = 96;

/// The mark of an invalid digit: larger than any value, and small enough that the sum of five fits 32 bits.
const MARK: u32 = 1 << 28;

table! {
    /// The value of a base-36 digit at each position, last one first, or [`MARK`].
    WORTH: [[u32; 256]; 5] = {
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
    }
}

/// Decodes the bodies of a batch. Returns a bit for each that is valid. The side is at most 9.
pub(super) fn decode_all(form: Form, records: Records, fields: &Fields, batch: &mut Batch, kernel: &Kernel) -> u64 {
    let good = kernel.run(Read { records, fields, batch });
    if form.shape.kind.has_cages() { cages::right_of(batch, good, kernel) } else { good }
}

struct Read<'a> {
    records: Records<'a>,
    fields: &'a Fields,
    batch: &'a mut Batch,
}

impl SimdTask for Read<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        // Loops of constant length are twice as fast, so the usual sides have their own.
        match (self.fields.width, self.batch.shape().side.get()) {
            (4, 9) => self.all::<CELLS>(read_quads::<324>),
            (4, 6) => self.all::<64>(read_quads::<144>),
            (2, _) => self.all::<CELLS>(|body, _, values| read::<2>(body, values)),
            (3, 9) => self.all::<CELLS>(|body, _, values| read::<3>(&body[..243], values)),
            (3, _) => self.all::<CELLS>(|body, _, values| read::<3>(body, values)),
            (4, _) => self.all::<CELLS>(|body, _, values| read::<4>(body, values)),
            (_, 9) => self.all::<CELLS>(|body, _, values| read::<5>(&body[..405], values)),
            _ => self.all::<CELLS>(|body, _, values| read::<5>(body, values)),
        }
    }
}

/// The digits of a body with four per cell, padded with 0.
type Quads = [u8; 4 * CELLS];

impl Read<'_> {
    /// Reads all bodies with `read`. `ROW` entries of each row are filled, if it has as many.
    #[inline(always)]
    fn all<const ROW: usize>(self, read: impl Fn(&[u8], &mut Quads, &mut [u32; CELLS])) -> u64 {
        let (mut digits, mut values) = ([0; 4 * CELLS], [0; CELLS]);
        let mut good = 0;
        for i in 0..self.records.len() {
            read(&self.records.get(i)[HEADER..], &mut digits, &mut values);
            let row: &[u32] = if self.batch.stride() < ROW { &values[..self.batch.stride()] } else { &values[..ROW] };
            good |= u64::from(check_and_split(row, self.fields, self.batch, i)) << i;
        }
        good
    }
}

/// Reads a body of `TEXT` characters, four per cell, by arithmetic: bytes to digits, then words to values.
#[inline(always)]
fn read_quads<const TEXT: usize>(body: &[u8], digits: &mut Quads, values: &mut [u32; CELLS]) {
    let mut bad = 0;
    for (&byte, digit) in body[..TEXT].iter().zip(&mut digits[..TEXT]) {
        let (decimal, letter) = (byte.wrapping_sub(b'0'), (byte | 0x20).wrapping_sub(b'a'));
        let letter = if letter < 26 { letter + 10 } else { 0xff };
        *digit = if decimal < 10 { decimal } else { letter };
        bad |= *digit;
    }
    for (digits, value) in digits.as_chunks::<4>().0[..TEXT.next_multiple_of(64) / 4].iter().zip(values.iter_mut()) {
        let word = u32::from_le_bytes(*digits);
        let pairs = (word & 0xff_00ff) * 36 + (word >> 8 & 0xff_00ff);
        *value = (pairs & 0xffff) * 1296 + (pairs >> 16);
    }
    if bad > 63 {
        values[0] = MARK;
    }
}

#[inline(always)]
fn read<const W: usize>(body: &[u8], values: &mut [u32; CELLS]) {
    let worth: &[[u32; 256]; 5] = &WORTH;
    for (digits, value) in body.as_chunks::<W>().0.iter().zip(values) {
        *value = 0;
        for place in 0..W {
            *value += worth[place][digits[W - 1 - place] as usize];
        }
    }
}

/// Stores a row of values, unless one is too large. Entries after the cells become 0.
#[inline(always)]
fn check_and_split(values: &[u32], fields: &Fields, batch: &mut Batch, board: usize) -> bool {
    let mut over = 0;
    for &value in values {
        // The top bit of the difference is set if the second is larger: both are less than 2^31.
        over |= (fields.max as u32).wrapping_sub(value);
    }
    over >> 31 == 0 && split(values, fields, batch, board)
}

/// Stores the fields of values. Returns false if one is out of range.
#[inline(always)]
fn split(values: &[u32], fields: &Fields, batch: &mut Batch, board: usize) -> bool {
    let (shape, stride) = (batch.shape(), batch.stride());
    let row = board * stride..board * stride + values.len();
    let mut left = WriteLeft { values, shift: 0, bad: false };
    left.take(fields.code, 0, &mut batch.codes16_mut()[row.clone()]);
    if shape.kind.has_cages() {
        left.take(fields.content, 0, &mut batch.contents_mut()[row.clone()]);
        left.take(fields.colour, 1, &mut batch.colours_mut()[row.clone()]);
    }
    if shape.kind.has_regions() {
        left.take(fields.region, 1, &mut batch.regions_mut()[row.clone()]);
    }
    !left.bad
}

/// Values whose lower fields have been removed.
struct WriteLeft<'a> {
    values: &'a [u32],
    shift: u32,
    bad: bool,
}

impl WriteLeft<'_> {
    /// Removes the next field from all values, and adds its lower bound.
    #[inline(always)]
    fn take<T: Small>(&mut self, field: PackedField, lowest: u32, to: &mut [T]) {
        let mask = (1 << field.bits) - 1;
        let mut over = 0;
        for (to, value) in to.iter_mut().zip(self.values) {
            let stored = value >> self.shift & mask;
            // The top bit of the difference is set if the second is larger: both are small.
            over |= field.high.wrapping_sub(stored);
            *to = T::low(stored + lowest);
        }
        self.bad |= over >> 31 == 1;
        self.shift += field.bits;
    }
}

/// A small integer.
trait Small {
    fn low(value: u32) -> Self;
}

impl Small for u8 {
    #[inline(always)]
    fn low(value: u32) -> Self {
        value as Self
    }
}

impl Small for u16 {
    #[inline(always)]
    fn low(value: u32) -> Self {
        value as Self
    }
}

/// Writes the bodies of a batch, `pitch` apart. The side is at most 9. A row without a board is written as arbitrary
/// digits.
pub(super) fn encode_all(fields: &Fields, batch: &Batch, kernel: &Kernel, out: &mut [u8], pitch: usize) {
    kernel.run(Write { fields, batch, out, pitch });
}

struct Write<'a> {
    fields: &'a Fields,
    batch: &'a Batch,
    out: &'a mut [u8],
    pitch: usize,
}

impl SimdTask for Write<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        match (self.fields.width, self.batch.shape().side.get()) {
            (2, _) => self.all(write::<2>),
            (3, 9) => self.all(|values, out| write::<3>(&values[..81], out)),
            (3, _) => self.all(write::<3>),
            (4, 9) => self.all(write_quads::<81>),
            (4, 6) => self.all(write_quads::<36>),
            (4, _) => self.all(write::<4>),
            (_, 9) => self.all(|values, out| write::<5>(&values[..81], out)),
            _ => self.all(write::<5>),
        }
    }
}

impl Write<'_> {
    /// Writes all bodies with `write`, which has room after each.
    #[inline(always)]
    fn all(self, write: impl Fn(&[u32], &mut [u8])) {
        let mut values = [0; CELLS];
        let cells = self.batch.shape().side.cells();
        for i in 0..self.batch.len() {
            let values = &mut values[..self.batch.stride()];
            join(self.fields, self.batch, i, values);
            write(&values[..cells], &mut self.out[i * self.pitch..][..self.fields.width * cells + SLACK - HEADER]);
        }
    }
}

/// The values of a row of cells, and of its padding.
#[inline(always)]
fn join(fields: &Fields, batch: &Batch, board: usize, values: &mut [u32]) {
    let shape = batch.shape();
    let row = board * values.len()..(board + 1) * values.len();
    for (value, &code) in values.iter_mut().zip(&batch.codes16()[row.clone()]) {
        *value = code.into();
    }
    let mut shift = fields.code.bits;
    if shape.kind.has_cages() {
        for (value, &content) in values.iter_mut().zip(&batch.contents()[row.clone()]) {
            *value |= u32::from(content) << shift;
        }
        shift += fields.content.bits;
        for (value, &colour) in values.iter_mut().zip(&batch.colours()[row.clone()]) {
            *value |= u32::from(colour.wrapping_sub(1)) << shift;
        }
        shift += fields.colour.bits;
    }
    if shape.kind.has_regions() {
        for (value, &region) in values.iter_mut().zip(&batch.regions()[row]) {
            *value |= u32::from(region.wrapping_sub(1)) << shift;
        }
    }
}

/// Writes four digits per cell by arithmetic: words to digits, then bytes to characters.
#[inline(always)]
fn write_quads<const N: usize>(values: &[u32], out: &mut [u8]) {
    let mut digits = [0; 4 * CELLS];
    for (digits, &value) in digits.as_chunks_mut::<4>().0.iter_mut().zip(&values[..N]) {
        let value = value % (1296 * 1296); // a row without a board may have larger ones
        let high = value / 1296;
        let pairs = high | (value - 1296 * high) << 16;
        // 1821 / 2^16 exceeds 1 / 36 by too little to matter below 1296.
        let firsts = ((pairs & 0xffff) * 1821) >> 16 | (((pairs >> 16) * 1821) >> 16) << 16;
        *digits = (firsts | (pairs - 36 * firsts) << 8).to_le_bytes();
    }
    let (cells, _) = digits.as_chunks::<4>();
    for (digit, character) in cells[..N].as_flattened().iter().zip(out) {
        *character = digit + if *digit < 10 { b'0' } else { b'a' - 10 };
    }
}

/// Writes `W` digits per cell from tables, and overwrites eight bytes after them.
#[inline(always)]
fn write<const W: usize>(values: &[u32], out: &mut [u8]) {
    let pairs: &[[u8; 2]; 2048] = &PAIR36;
    for (i, &value) in values.iter().enumerate() {
        let (high, low) = (value / 1296, pairs[(value % 1296) as usize]);
        let middle = pairs[(high % 1296) as usize];
        let first = DIGITS[(high / 1296 % 36) as usize];
        // All digits of a cell at once; the next cell overwrites the excess.
        let digits = match W {
            2 => [low[0], low[1], 0, 0, 0, 0, 0, 0],
            3 => [middle[1], low[0], low[1], 0, 0, 0, 0, 0],
            4 => [middle[0], middle[1], low[0], low[1], 0, 0, 0, 0],
            _ => [first, middle[0], middle[1], low[0], low[1], 0, 0, 0],
        };
        out[W * i..][..8].copy_from_slice(&digits);
    }
}
