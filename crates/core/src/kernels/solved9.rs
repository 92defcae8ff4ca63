//! Checks solutions of 81 digits against the givens of their puzzles and the rules of rows, columns and boxes.

use super::{ROW9, Texts};

/// The digits of a solution as bits: the digits 1 to 8 are one bit each, and 9 is no bit. Nine cells contain each of
/// the eight bits an odd number of times only if they contain each of them once and the ninth cell is a 9. So the
/// digits of a house are all different exactly if the exclusive or of its cells has all bits set.
type DigitBits = [u8; ROW9];

/// [`Kernel::solved9`](super::Kernel::solved9) in loops that the compiler vectorises.
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

/// Translates the digits of a solution to bits. Returns whether every cell has a digit and the givens of the puzzle
/// agree.
#[inline(always)]
fn to_bits(codes: &[u16; ROW9], given: u16, text: &[u8], bits: &mut DigitBits) -> bool {
    // The rows are padded to full vectors; what follows the 81 cells is ignored.
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

/// Checks rows, columns and boxes. Eight cells of a row are one word; the ninth is handled separately.
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
