//! Solutions that are written as 81 digits, against the givens of their puzzles and the rules of rows, columns and boxes.

use super::{ROW9, Texts};

/// The digits of a solution: those below 9 are a bit, and 9 is none. As nine cells hold each of eight bits an odd number of times only if
/// they hold it once, and the ninth is a 9, the digits of a house are all different if their sum without carry is all bits.
type DigitBits = [u8; ROW9];

/// As [`Kernel::solved9`](super::Kernel::solved9), in loops that a compiler makes vectors of.
#[inline(always)]
pub(super) fn portable(solutions: Texts, codes: &[u16], given: u16) -> u64 {
    let mut right = 0;
    for (i, codes) in codes.as_chunks().0.iter().take(solutions.starts.len()).enumerate() {
        let mut bits = [0; ROW9];
        if to_bits(codes, given, solutions.get(i, 81), &mut bits) && houses_are_right(&bits) {
            right |= 1 << i;
        }
    }
    right
}

/// Whether a solution has a digit for each cell, and the givens of its puzzle; its digits as bits.
#[inline(always)]
fn to_bits(codes: &[u16; ROW9], given: u16, text: &[u8], bits: &mut DigitBits) -> bool {
    // Rows of whole vectors; of what comes after the 81 cells nothing is asked.
    let mut row = [0; ROW9];
    row[..81].copy_from_slice(text);
    let mut wrong = [0_u16; ROW9];
    for cell in 0..ROW9 {
        let (digit, code) = (u16::from(row[cell].wrapping_sub(b'1')), codes[cell]);
        let clue = if code > 9 { code - 9 } else { code }.wrapping_sub(1);
        let differs = (code.wrapping_sub(1) < given) & (clue != digit);
        wrong[cell] = u16::from(differs | (digit > 8));
        bits[cell] = (1_u16 << (digit & 15)) as u8;
    }
    let mut any = 0;
    for &wrong in &wrong[..81] {
        any |= wrong;
    }
    any == 0
}

/// Rows, columns and boxes: eight cells of a row are a word, the ninth stands beside it.
#[inline(always)]
fn houses_are_right(bits: &DigitBits) -> bool {
    let (rows, _) = bits.as_chunks::<9>();
    let (mut all, mut columns, mut last_column) = (u64::MAX, 0, 0);
    for band in 0..3 {
        let (mut boxes, mut last_of_boxes) = (0, 0);
        for &[a, b, c, d, e, f, g, h, ninth] in &rows[3 * band..3 * band + 3] {
            let eight = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
            let four = eight ^ eight >> 32;
            let two = four ^ four >> 16;
            all &= two ^ two >> 8 ^ u64::from(ninth) | !0xFF;
            boxes ^= eight;
            last_of_boxes ^= u64::from(ninth);
        }
        columns ^= boxes;
        last_column ^= last_of_boxes;
        all &= boxes ^ boxes >> 8 ^ boxes >> 16 | !0xFF00_00FF;
        all &= boxes >> 48 ^ boxes >> 56 ^ last_of_boxes | !0xFF;
    }
    all & columns & (last_column | !0xFF) == u64::MAX
}
