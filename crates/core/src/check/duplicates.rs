//! No digit occurs twice in a house, nor in a cage in which digits must differ.

use super::Problems;
use crate::board::{Cages, Cell, House, RuledBoard};
use crate::error::Code;

/// In how many houses clues of 9 must repeat before the message suggests that they stand for empty cells.
const MANY: usize = 3;

pub(super) fn check(board: &RuledBoard, found: &mut Problems) {
    let hint = if nines_clash(board) {
        "; many clues are 9 and clash: empty cells may have been written as '09', which is a clue 9 ('00' is empty)"
    } else {
        ""
    };
    for house in &board.houses {
        in_house(board, &house.cells, &format!("are in {}", house.name), hint, found);
    }
    if board.kind.rules().cages == Cages::Sums {
        for cage in &board.cages {
            let words = format!("are in the cage of {}", found.at(cage.cells[0].into()));
            in_house(board, &cage.cells, &words, hint, found);
        }
    }
}

fn in_house(board: &RuledBoard, cells: &[u16], words: &str, hint: &str, found: &mut Problems) {
    let mut first = [usize::MAX; 32];
    for cell in cells.iter().map(|&cell| usize::from(cell)) {
        let digit = board.digits[cell];
        let place = &mut first[usize::from(digit)];
        if digit == 0 {
        } else if *place == usize::MAX {
            *place = cell;
        } else {
            let hint = if digit == 9 { hint } else { "" };
            let words = format!("{digit} is also in {}, and both {words}{hint}", found.at(*place));
            found.problem(Code::Duplicate, cell, words);
        }
    }
}

/// Whether clues of 9 repeat in several houses: a packing routine on the site's page writes empty cells that way.
fn nines_clash(board: &RuledBoard) -> bool {
    let nines = |house: &&House| {
        house.cells.iter().filter(|&&cell| board.cells[usize::from(cell)] == Cell::Clue(9)).count() > 1
    };
    board.side == 9 && board.houses.iter().filter(nines).count() >= MANY
}
