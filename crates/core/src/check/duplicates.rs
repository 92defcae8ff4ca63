//! No digit occurs twice in a house, nor in a cage in which digits must differ.

use super::Problems;
use crate::board::{Cages, Cell, RuledBoard};
use crate::error::Code;

pub(super) fn check(board: &RuledBoard, found: &mut Problems) {
    // A packing routine on the site's page writes empty cells of version 2 that way.
    let nines = board.cells.iter().filter(|&&cell| cell == Cell::Clue(9)).count();
    let hint = match board.side == 9 && nines > 9 {
        true => format!(
            "; {nines} clues are 9: empty cells may have been written as 9 ('09' in version 2, where '00' is empty)"
        ),
        false => String::new(),
    };
    for house in &board.houses {
        in_house(board, &house.cells, &format!("are in {}", house.name), &hint, found);
    }
    if board.kind.rules().cages == Cages::Sums {
        for cage in &board.cages {
            let words = format!("are in the cage of {}", found.at(cage.cells[0].into()));
            in_house(board, &cage.cells, &words, &hint, found);
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
