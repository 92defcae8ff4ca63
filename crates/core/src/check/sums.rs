//! Killer cages: digits differ, and the sum, if there is one, must still be possible.

use super::Problems;
use crate::board::{Cages, RuledBoard};
use crate::error::Code;

pub(super) fn check(board: &RuledBoard, found: &mut Problems) {
    if board.kind.rules().cages != Cages::Sums {
        return;
    }
    for cage in &board.cages {
        let placed: Vec<u8> =
            cage.cells.iter().map(|&cell| board.digits[usize::from(cell)]).filter(|&digit| digit != 0).collect();
        let (sum, size) = (placed.iter().map(|&digit| u32::from(digit)).sum::<u32>(), cage.cells.len());
        let (first, n) = (cage.cells[0].into(), board.side);
        let words = if size > n {
            format!("a cage of {size} cells, but only {n} different digits")
        } else if cage.clue == 0 {
            continue;
        } else if sum > cage.clue || !is_sum(board, &placed, size - placed.len(), cage.clue - sum) {
            let of_these = if placed.is_empty() {
                String::new()
            } else {
                format!(", {} of which hold {}", placed.len(), list(&placed))
            };
            format!("the sum {} cannot be made of {size} different digits{of_these}", cage.clue)
        } else {
            continue;
        };
        found.problem(Code::Sum, first, words);
    }
}

/// Whether `count` different digits that are not placed yet can add up to `sum`.
fn is_sum(board: &RuledBoard, placed: &[u8], count: usize, sum: u32) -> bool {
    // The possible sums for each count, as bits; the largest is 325, for side 25.
    let mut sums = vec![[0_u128; 3]; count + 1];
    sums[0][0] = 1;
    for digit in (1..=board.side).filter(|&digit| !placed.contains(&(digit as u8))) {
        for taken in (1..=count).rev() {
            let more = shifted(sums[taken - 1], digit);
            sums[taken].iter_mut().zip(more).for_each(|(sums, more)| *sums |= more);
        }
    }
    sum < 384 && sums[count][sum as usize / 128] >> (sum % 128) & 1 == 1
}

/// Adds `digit`, which is less than 128, to all sums.
fn shifted([a, b, c]: [u128; 3], digit: usize) -> [u128; 3] {
    [a << digit, b << digit | a >> (128 - digit), c << digit | b >> (128 - digit)]
}

/// Digits as a list for messages.
pub(super) fn list(digits: &[u8]) -> String {
    digits.iter().map(u8::to_string).collect::<Vec<_>>().join(", ")
}
