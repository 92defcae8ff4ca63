//! Every cell must have a digit left, and candidates must not include digits that placed digits exclude.

use super::Problems;
use super::sums::list;
use crate::board::{Cell, Mask, RuledBoard};
use crate::error::Code;

pub(super) fn check(board: &RuledBoard, found: &mut Problems) {
    for (cell, (&content, &seen)) in board.cells.iter().zip(&board.digits_in_houses()).enumerate() {
        let candidates = match content {
            Cell::Empty => 0,
            Cell::Candidates(mask) => mask,
            _ => continue,
        };
        if board.full() & !seen == 0 {
            found.problem(
                Code::NoCandidate,
                cell,
                "no digit is left for this cell: its houses hold all of them".into(),
            );
        }
        // Some programs write a cell without candidates as one with all of them (docs/FORMATS.md, "v2").
        if candidates & seen != 0 && candidates != board.full() {
            let words = format!("candidates excluded by a placed digit: {}", list(&digits(candidates & seen)));
            found.warning(Code::Stale, cell, words);
        }
    }
}

fn digits(mask: Mask) -> Vec<u8> {
    (1..=25).filter(|digit| mask >> (digit - 1) & 1 == 1).collect()
}
