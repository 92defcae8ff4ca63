//! Whether the digits of a grid can be clues of the cages of a map. A grid beside a map may be a puzzle of its own.

use crate::board::{Kind, Shape, Side};
use crate::formats::kenken_text::NamedCage;
use crate::formats::neutral::NeutralCell;
use crate::formats::plain;

/// Checks that a grid beside a map of cages with sums or clues contradicts nothing. Without digits, nothing can.
///
/// # Errors
/// What contradicts.
pub(super) fn check(cages: &[NamedCage], clues: &[NeutralCell], side: usize, is_kenken: bool) -> Result<(), String> {
    let digits: Vec<u8> = clues.iter().map(|cell| cell.given.max(cell.solved)).collect();
    if digits.iter().all(|&digit| digit > 0) {
        return Err("the grid is complete, so it is the solution of this or of another puzzle".into());
    }
    let kind = if is_kenken { Kind::KenKen } else { Kind::Sudoku };
    if let Some(side) = Side::new(side)
        && plain::repeats(&digits, Shape::new(kind, side)) > 0
    {
        return Err("a digit of the grid stands twice in a row, column or box".into());
    }
    for cage in cages {
        let name = crate::error::escape(&cage.name);
        let known: Vec<u32> =
            cage.cells.iter().map(|&cell| digits[usize::from(cell)].into()).filter(|&digit| digit > 0).collect();
        let Some((clue, operator)) = cage.clue.filter(|_| !known.is_empty()) else { continue };
        let is_full = known.len() == cage.cells.len();
        let is_repeated = || (1..known.len()).any(|at| known[..at].contains(&known[at]));
        if !is_kenken && is_repeated() {
            return Err(format!("a digit of the grid stands twice in {name}"));
        }
        if !can_make(&known, is_full, clue, operator) {
            return Err(format!("the digits of the grid in {name} do not make {clue}"));
        }
    }
    Ok(())
}

/// Whether digits of a cage, all or some, can make its number. Without an operator, it is their sum.
fn can_make(known: &[u32], is_full: bool, clue: u32, operator: u16) -> bool {
    let (sum, most) = (known.iter().sum::<u32>(), known.iter().copied().max().unwrap_or(0));
    match (operator, is_full) {
        (0 | 1, true) => sum == clue,
        (0 | 1, false) => sum < clue,
        (2, true) => most - (sum - most) == clue || sum - most > most,
        (3, _) => {
            let product = known.iter().fold(1_u64, |product, &digit| product.saturating_mul(digit.into()));
            if is_full { product == u64::from(clue) } else { u64::from(clue).is_multiple_of(product) }
        }
        (4, true) => (sum - most).checked_mul(clue) == Some(most),
        _ => true,
    }
}
