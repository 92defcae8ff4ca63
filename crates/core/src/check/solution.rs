//! Checks solutions written as 81 digits against the givens of their puzzles and the rules, for a whole batch at once.

use std::ops::Range;

use super::lanes;
use crate::board::{BATCH, BoardSet, Side, geometry};
use crate::kernels::{Kernel, Texts};

/// The boards whose solution has a digit 1 to 9 for each cell, agrees with all givens and breaks no rule.
/// The others are not necessarily wrong: solutions in another notation, and boards other than plain sudokus of side 9,
/// need a closer check. `solution` gives the range of a board's solution in the text.
pub fn solved_by(boards: BoardSet<'_>, text: &[u8], solution: impl Fn(usize) -> Range<usize>, kernel: &Kernel) -> u64 {
    let BoardSet { batch, boards: good, all_given } = boards;
    let kind = batch.shape().kind;
    if !lanes::takes(batch) || !kind.rules().houses.boxes {
        return 0;
    }
    let (mut starts, mut likely) = ([0; BATCH], 0);
    for i in (0..batch.len()).filter(|i| good >> i & 1 == 1) {
        let place = solution(i);
        if place.len() == 81 {
            starts[i] = place.start as u32;
            likely |= 1 << i;
        }
    }
    if likely == 0 {
        return 0;
    }
    let starts = &starts[..batch.len()];
    let given = if all_given { 18 } else { 9 };
    let mut right = likely & (kernel.solved9)(Texts { bytes: text, starts }, batch.codes16(), given);
    for house in geometry(Side::NINE).houses(kind).skip(27) {
        for (i, &start) in starts.iter().enumerate() {
            let digits = &text[start as usize..][..81];
            let found = house.iter().fold(0_u16, |found, &cell| found | 1 << (digits[usize::from(cell)] & 15));
            right &= !(u64::from(found != 0b11_1111_1110) << i);
        }
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Batch, Cell, Kind, Shape};
    use crate::check::problems;
    use crate::kernels::{self, all_bits};

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
                    let found = solved_by(BoardSet { batch: &batch, boards: 1, all_given }, &text, |_| 0..81, kernel);
                    assert_eq!(found == 1, expected, "{} {kind} {}", kernel.name, String::from_utf8_lossy(&text));
                }
            }
        }
        assert!(right > 1_000, "{right}");
        let boards = BoardSet { batch: &batch, boards: 1, all_given: false };
        assert_eq!(solved_by(boards, SOLUTION, |_| 1..81, &kernels::SCALAR), 0);
    }

    #[test]
    fn each_solution_of_a_batch_has_its_own_answer() {
        let mut batch = Batch::new();
        for (boards, kernel) in (1..=5).flat_map(|boards| kernels::available().into_iter().map(move |k| (boards, k))) {
            for wrong in 0..1_u64 << boards {
                batch.reset(Shape::new(Kind::Sudoku, Side::NINE), boards);
                let mut text = Vec::new();
                for board in 0..boards {
                    let mut solution = *SOLUTION;
                    (0..81).for_each(|cell| batch.set_cell(board, cell, Cell::Empty));
                    // Either a rule or a given is broken.
                    match (wrong >> board & 1, board % 2) {
                        (1, 0) => solution.swap(80, 79),
                        (1, _) => batch.set_cell(board, 80, Cell::Clue(8)),
                        _ => batch.set_cell(board, 80, Cell::Clue(9)),
                    }
                    text.extend(solution);
                }
                let all = BoardSet { batch: &batch, boards: all_bits(boards), all_given: false };
                let found = solved_by(all, &text, |i| 81 * i..81 * (i + 1), kernel);
                assert_eq!(found, all_bits(boards) & !wrong, "{} {boards}", kernel.name);
            }
        }
    }
}
