//! Reads and writes cells with several fields at sides up to 9. A value fits in 32 bits, and a board is processed field
//! by field, which compilers turn into vector instructions. Processing it value by value was four times slower.

use super::HEADER;
use super::fields::{FieldSizes, PackedField};
use crate::board::Batch;
use crate::formats::Records;
use crate::kernels::tables::{BAD, DIGIT36, DIGITS, PAIR36, table};
use crate::kernels::{Kernel, SLACK, SimdTask};

/// The number of cells of the largest board here, rounded up to whole vectors.
const CELLS: usize = 96;

/// Marks an invalid digit: larger than any value, and small enough that the sum of five marks fits in 32 bits.
const MARK: u32 = 1 << 28;

table! {
    /// The value of each byte as a base-36 digit at each position, last position first, or [`MARK`] for bytes that are
    /// not digits.
    DIGIT_VALUES: [[u32; 256]; 5] = {
        let mut table = [[MARK; 256]; 5];
        let (mut place, mut weight) = (0, 1);
        while place < 5 {
            let mut byte = 0;
            while byte < 256 {
                if DIGIT36[byte] != BAD {
                    table[place][byte] = DIGIT36[byte] as u32 * weight;
                }
                byte += 1;
            }
            weight *= 36;
            place += 1;
        }
        table
    }
}

/// Decodes the bodies of a batch. Returns a bit for each body whose fields are in range. The side is at most 9.
pub(super) fn decode_all(records: Records, fields: &FieldSizes, batch: &mut Batch, kernel: &Kernel) -> u64 {
    kernel.run(DecodePacked { records, fields, batch })
}

struct DecodePacked<'a> {
    records: Records<'a>,
    fields: &'a FieldSizes,
    batch: &'a mut Batch,
}

impl SimdTask for DecodePacked<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        // Loops of constant length are twice as fast, so the most common sides have their own.
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

/// The digits of a body with four digits for each cell, padded with 0.
type Quads = [u8; 4 * CELLS];

impl DecodePacked<'_> {
    /// Reads all bodies with `read`. Fills `ROW` entries of each row, or the whole row if it is shorter.
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

/// Reads a body of `TEXT` characters, four for each cell, by arithmetic: converts bytes to digits, then words to
/// values.
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

/// Reads a body with `W` characters for each cell from tables.
#[inline(always)]
fn read<const W: usize>(body: &[u8], values: &mut [u32; CELLS]) {
    let digit_values: &[[u32; 256]; 5] = &DIGIT_VALUES;
    for (digits, value) in body.as_chunks::<W>().0.iter().zip(values) {
        *value = 0;
        for place in 0..W {
            *value += digit_values[place][digits[W - 1 - place] as usize];
        }
    }
}

/// Stores a row of values. Returns false if one is too large. Entries after the cells become 0.
#[inline(always)]
fn check_and_split(values: &[u32], fields: &FieldSizes, batch: &mut Batch, board: usize) -> bool {
    let mut over = 0;
    for &value in values {
        // Both numbers are less than 2^31, so the top bit of the difference is set if the second is larger.
        over |= (fields.max as u32).wrapping_sub(value);
    }
    over >> 31 == 0 && split(values, fields, batch, board)
}

/// Stores the fields of values. Returns false if a field is out of range.
#[inline(always)]
fn split(values: &[u32], fields: &FieldSizes, batch: &mut Batch, board: usize) -> bool {
    let (shape, stride) = (batch.shape(), batch.stride());
    let row = board * stride..board * stride + values.len();
    let mut reader = FieldReader { values, shift: 0, bad: false };
    reader.read(fields.code, 0, &mut batch.codes16_mut()[row.clone()]);
    if shape.kind.has_cages() {
        reader.read(fields.content, 0, &mut batch.contents_mut()[row.clone()]);
        reader.read(fields.colour, 1, &mut batch.colours_mut()[row.clone()]);
    }
    if shape.kind.has_regions() {
        reader.read(fields.region, 1, &mut batch.regions_mut()[row.clone()]);
    }
    !reader.bad
}

/// Values, and the number of their low bits that have been read.
struct FieldReader<'a> {
    values: &'a [u32],
    shift: u32,
    bad: bool,
}

impl FieldReader<'_> {
    /// Reads the next field of all values, and adds its lower bound.
    #[inline(always)]
    fn read<T: ColumnInt>(&mut self, field: PackedField, lowest: u32, to: &mut [T]) {
        let mask = (1 << field.bits) - 1;
        let mut over = 0;
        for (to, value) in to.iter_mut().zip(self.values) {
            let stored = value >> self.shift & mask;
            // Both numbers are small, so the top bit of the difference is set if the second is larger.
            over |= field.high.wrapping_sub(stored);
            *to = T::truncate(stored + lowest);
        }
        self.bad |= over >> 31 == 1;
        self.shift += field.bits;
    }
}

/// An integer type of the columns of a batch.
trait ColumnInt {
    fn truncate(value: u32) -> Self;
}

impl ColumnInt for u8 {
    #[inline(always)]
    fn truncate(value: u32) -> Self {
        value as Self
    }
}

impl ColumnInt for u16 {
    #[inline(always)]
    fn truncate(value: u32) -> Self {
        value as Self
    }
}

/// Writes the bodies of a batch, `pitch` bytes apart. The side is at most 9. A row without a board is written as
/// arbitrary digits.
pub(super) fn encode_all(fields: &FieldSizes, batch: &Batch, kernel: &Kernel, out: &mut [u8], pitch: usize) {
    kernel.run(EncodeAll { fields, batch, out, pitch });
}

struct EncodeAll<'a> {
    fields: &'a FieldSizes,
    batch: &'a Batch,
    out: &'a mut [u8],
    pitch: usize,
}

impl SimdTask for EncodeAll<'_> {
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

impl EncodeAll<'_> {
    /// Writes all bodies with `write`, which may write past the end of each.
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

/// Computes the values of a row of cells, and of its padding.
#[inline(always)]
fn join(fields: &FieldSizes, batch: &Batch, board: usize, values: &mut [u32]) {
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

/// Writes four digits for each cell by arithmetic: converts words to digits, then bytes to characters.
#[inline(always)]
fn write_quads<const N: usize>(values: &[u32], out: &mut [u8]) {
    let mut digits = [0; 4 * CELLS];
    for (digits, &value) in digits.as_chunks_mut::<4>().0.iter_mut().zip(&values[..N]) {
        let value = value % (1296 * 1296); // a row without a board may have larger values
        let high = value / 1296;
        let pairs = high | (value - 1296 * high) << 16;
        // 1821 / 2^16 is slightly more than 1 / 36, which makes no difference below 1296.
        let firsts = ((pairs & 0xffff) * 1821) >> 16 | (((pairs >> 16) * 1821) >> 16) << 16;
        *digits = (firsts | (pairs - 36 * firsts) << 8).to_le_bytes();
    }
    let (cells, _) = digits.as_chunks::<4>();
    for (digit, character) in cells[..N].as_flattened().iter().zip(out) {
        *character = digit + if *digit < 10 { b'0' } else { b'a' - 10 };
    }
}

/// Writes `W` digits for each cell from tables. Overwrites eight bytes after them.
#[inline(always)]
fn write<const W: usize>(values: &[u32], out: &mut [u8]) {
    let pairs: &[[u8; 2]; 2048] = &PAIR36;
    for (i, &value) in values.iter().enumerate() {
        let (high, low) = (value / 1296, pairs[(value % 1296) as usize]);
        let middle = pairs[(high % 1296) as usize];
        let first = DIGITS[(high / 1296 % 36) as usize];
        // Writes eight bytes at once; the next cell overwrites the excess.
        let digits = match W {
            2 => [low[0], low[1], 0, 0, 0, 0, 0, 0],
            3 => [middle[1], low[0], low[1], 0, 0, 0, 0, 0],
            4 => [middle[0], middle[1], low[0], low[1], 0, 0, 0, 0],
            _ => [first, middle[0], middle[1], low[0], low[1], 0, 0, 0],
        };
        out[W * i..][..8].copy_from_slice(&digits);
    }
}
