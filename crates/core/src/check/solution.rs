//! Solutions that are written as 81 digits, against the givens of their puzzles and the rules: yes or no, for a whole batch.

use super::lanes;
use crate::board::{BATCH, Batch, Side, geometry};
use crate::kernels::{Kernel, ROW9, Work};

/// Those of the boards in `good` whose solution is a digit 1 to 9 for each cell, has all of their givens and breaks no rule. Others
/// may be as right: what is written otherwise, and boards that are no plain sudokus of side 9, are for who looks closer.
/// `all_given`: solved cells are givens.
pub fn solved_by<'t>(
    batch: &Batch,
    good: u64,
    all_given: bool,
    solution: impl Fn(usize) -> &'t [u8],
    kernel: &Kernel,
) -> u64 {
    let kind = batch.shape().kind;
    if !lanes::takes(batch) || !kind.rules().boxes {
        return 0;
    }
    let mut bits = [[0; ROW9]; BATCH];
    let given = if all_given { 18 } else { 9 };
    let mut with_givens = kernel.run(ToBits { codes: batch.codes16(), good, given, solution, bits: &mut bits });
    let mut right = 0;
    while with_givens != 0 {
        let board = with_givens.trailing_zeros() as usize;
        with_givens &= with_givens - 1;
        let bits = &bits[board];
        let mut further = geometry(Side::NINE).houses(kind).skip(27);
        if usual_houses_are_right(bits) && further.all(|house| is_right(house, bits)) {
            right |= 1 << board;
        }
    }
    right
}

/// The digits of a solution: those below 9 are a bit, and 9 is none. As nine cells hold each of eight bits an odd number of times only if
/// they hold it once, and the ninth is a 9, the digits of a house are all different if their sum without carry is all bits.
type DigitBits = [u8; ROW9];

/// Solutions to bits. Gives the boards whose solution has their givens and a digit for each cell.
struct ToBits<'a, S> {
    codes: &'a [u16],
    good: u64,
    /// The largest code of a given.
    given: u16,
    solution: S,
    bits: &'a mut [DigitBits; BATCH],
}

impl<'t, S: Fn(usize) -> &'t [u8]> Work for ToBits<'_, S> {
    type Done = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Self { codes, good, given, solution, bits } = self;
        let (rows, _) = codes.as_chunks::<ROW9>();
        let (mut with_givens, mut rest) = (0, good);
        while rest != 0 {
            let board = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if let Ok(text) = solution(board).try_into()
                && to_bits(&rows[board], given, text, &mut bits[board])
            {
                with_givens |= 1 << board;
            }
        }
        with_givens
    }
}

#[inline(always)]
fn to_bits(codes: &[u16; ROW9], given: u16, text: &[u8; 81], bits: &mut DigitBits) -> bool {
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

/// Any house.
fn is_right(house: &[u16], bits: &DigitBits) -> bool {
    house.iter().fold(0, |sum, &cell| sum ^ bits[usize::from(cell)]) == u8::MAX
}

/// Rows, columns and boxes: eight cells of a row are a word, the ninth stands beside it.
#[inline]
fn usual_houses_are_right(bits: &DigitBits) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, Kind, Shape};
    use crate::check::problems;
    use crate::kernels;

    const SOLUTION: &[u8; 81] = b"693784512487512936125963874932651487568247391741398625319475268856129743274836159";

    /// What the rules say of digits, and the givens of the board.
    fn slowly(batch: &Batch, all_given: bool, text: &[u8]) -> bool {
        let mut filled = Batch::new();
        filled.reset(batch.shape(), 1);
        for (cell, byte) in text.iter().enumerate() {
            let digit = byte.wrapping_sub(b'0');
            let differs = match batch.cell(0, cell) {
                Cell::Clue(clue) => clue != digit,
                Cell::Solved(solved) => all_given && solved != digit,
                _ => false,
            };
            if differs || !(1..=9).contains(&digit) {
                return false;
            }
            filled.set_cell(0, cell, Cell::Solved(digit));
        }
        problems(&filled, 0).is_empty()
    }

    #[test]
    fn solutions_are_right_where_the_rules_say_so() {
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let (mut batch, mut right) = (Batch::new(), 0);
        for round in 0..4_000_usize {
            let kind = [Kind::Sudoku, Kind::SudokuX, Kind::Windoku, Kind::ColourSudoku][(round % 8).saturating_sub(4)];
            batch.reset(Shape::new(kind, Side::NINE), 1);
            let mut text = *SOLUTION;
            for (cell, byte) in SOLUTION.iter().enumerate() {
                let given = [Cell::Empty, Cell::Clue(byte - b'0'), Cell::Solved(byte - b'0'), Cell::Candidates(5)];
                batch.set_cell(0, cell, given[random(4)]);
            }
            // Digits, cells, rows and columns change places; lines of a band only leave it right.
            match round % 5 {
                0 => text.swap(random(81), random(81)),
                1 => text[random(81)] = b"123456789.0:A\xff"[random(14)],
                2 => {
                    let rows = [random(9), random(9)];
                    (0..9).for_each(|column| text.swap(9 * rows[0] + column, 9 * rows[1] + column));
                    batch.reset(batch.shape(), 1);
                    (0..81).for_each(|cell| batch.set_cell(0, cell, Cell::Empty));
                }
                3 => {
                    let [one, other] = [b'1' + random(9) as u8, b'1' + random(9) as u8];
                    for byte in &mut text {
                        *byte = if *byte == one { other } else { *byte };
                    }
                }
                _ => {}
            }
            for all_given in [false, true] {
                let expected = slowly(&batch, all_given, &text);
                right += usize::from(expected);
                for kernel in kernels::available() {
                    let found = solved_by(&batch, 1, all_given, |_| &text[..], kernel);
                    assert_eq!(found == 1, expected, "{} {kind} {}", kernel.name, String::from_utf8_lossy(&text));
                }
            }
        }
        assert!(right > 1_000, "{right}");
        assert_eq!(solved_by(&batch, 1, false, |_| &SOLUTION[1..], &kernels::SCALAR), 0);
    }
}
