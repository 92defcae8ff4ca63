//! Reads cells of side 16 that have only a cell code: four characters for each cell, and a code of 32 bits. A board is
//! processed in two loops that compilers turn into vector instructions.

use super::HEADER;
use super::fields::FieldSizes;
use crate::board::Batch;
use crate::formats::Records;
use crate::kernels::{Kernel, SimdTask};

/// The number of cells of a board, and of the characters of its text.
const CELLS: usize = 256;
const TEXT: usize = 4 * CELLS;

/// Whether the boards of a batch have such cells.
pub(super) fn applies(batch: &Batch, fields: &FieldSizes) -> bool {
    batch.shape().side.cells() == CELLS && fields.width == 4 && fields.only_code()
}

/// Decodes the bodies of a batch. Returns a bit for each valid body.
pub(super) fn decode_all(records: Records, fields: &FieldSizes, batch: &mut Batch, kernel: &Kernel) -> u64 {
    kernel.run(DecodeLarge { records, max: fields.code.high, rows: batch.codes32_mut().as_chunks_mut().0 })
}

struct DecodeLarge<'a> {
    records: Records<'a>,
    max: u32,
    rows: &'a mut [[u32; CELLS]],
}

impl SimdTask for DecodeLarge<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let (mut digits, mut good) = ([0; TEXT], 0);
        for (i, codes) in self.rows.iter_mut().enumerate() {
            if let Some(body) = self.records.get(i)[HEADER..].first_chunk() {
                good |= u64::from(read(body, &mut digits, self.max, codes)) << i;
            }
        }
        good
    }
}

/// Converts bytes to digits, then words to codes. Returns false if a character is not a digit, or if a code is too
/// large.
#[inline(always)]
fn read(body: &[u8; TEXT], digits: &mut [u8; TEXT], max: u32, codes: &mut [u32; CELLS]) -> bool {
    let mut bad = 0;
    for (&byte, digit) in body.iter().zip(digits.iter_mut()) {
        let (decimal, letter) = (byte.wrapping_sub(b'0'), (byte | 0x20).wrapping_sub(b'a'));
        let letter = if letter < 26 { letter + 10 } else { 0xff };
        *digit = if decimal < 10 { decimal } else { letter };
        bad |= *digit;
    }
    let mut over = 0;
    for (digits, code) in digits.as_chunks::<4>().0.iter().zip(codes) {
        let word = u32::from_le_bytes(*digits);
        let pairs = (word & 0xff_00ff) * 36 + (word >> 8 & 0xff_00ff);
        *code = (pairs & 0xffff) * 1296 + (pairs >> 16);
        // Both numbers are less than 2^31, so the top bit of the difference is set if the second is larger.
        over |= max.wrapping_sub(*code);
    }
    bad < 64 && over >> 31 == 0
}
