//! What killers as text have in common: cells that say which cage they belong to.

use super::neutral::{NeutralBoard, NeutralCage};
use crate::error::{Code, Reject};

/// Returns a text without its white space.
pub(super) fn packed(text: &[u8]) -> Vec<u8> {
    text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
}

/// Adds the cages of a board. Each cell has the key of its cage and its sum, or is in no cage.
pub(super) fn add_cages(board: &mut NeutralBoard, cells: &[Option<(u16, u32)>]) -> Result<(), Reject> {
    let mut keys: Vec<u16> = Vec::new();
    for (cell, &(key, sum)) in cells.iter().enumerate().filter_map(|(cell, of)| Some((cell, of.as_ref()?))) {
        let at = keys.iter().position(|&other| other == key).unwrap_or_else(|| {
            keys.push(key);
            board.cages.push(NeutralCage { cells: Vec::new(), clue: Some(sum), operator: 0 });
            keys.len() - 1
        });
        let cage = &mut board.cages[at];
        if cage.clue != Some(sum) {
            let first = cage.clue.unwrap_or(0);
            let words = format!("the cage {key} has two sums, {first} and {sum}");
            return Err(Reject::at(Code::Cage, cell, board.side, words));
        }
        cage.cells.push(cell as u16);
    }
    Ok(())
}
