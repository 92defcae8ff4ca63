//! KenKen cages: the operator must give the clue, or must still be able to. Digits may repeat in a cage, but not in
//! adjacent cells.

use super::Problems;
use super::sums::list;
use crate::board::{Cage, RuledBoard};
use crate::error::Code;

pub(super) fn check(board: &RuledBoard, found: &mut Problems) {
    if !board.kind.has_operators() {
        return;
    }
    for cage in &board.cages {
        if let Some(words) = fault(board, cage) {
            found.problem(Code::Operator, cage.cells[0].into(), words);
        }
    }
}

fn fault(board: &RuledBoard, cage: &Cage) -> Option<String> {
    let (size, clue) = (cage.cells.len(), u64::from(cage.clue));
    let name = match cage.operator {
        0 => "",
        1 => "+",
        2 => "-",
        3 => "x",
        _ => "/",
    };
    if matches!(cage.operator, 2 | 4) && size != 2 {
        return Some(format!("{clue}{name} is in a cage of {size} cells; this operator takes two"));
    }
    let placed: Vec<u8> =
        cage.cells.iter().map(|&cell| board.digits[usize::from(cell)]).filter(|&digit| digit != 0).collect();
    let (left, n) = (size - placed.len(), board.side as u64);
    let reached = match cage.operator {
        2 => pairs(board, cage).any(|(large, small)| large - small == clue),
        4 => pairs(board, cage).any(|(large, small)| small * clue == large),
        3 => {
            let product = placed.iter().fold(1_u64, |product, &digit| product.saturating_mul(digit.into()));
            product != 0 && clue.is_multiple_of(product) && is_product(clue / product, left, n)
        }
        _ => {
            let sum = placed.iter().map(|&digit| u64::from(digit)).sum::<u64>();
            (sum + left as u64..=sum + left as u64 * n).contains(&clue)
        }
    };
    let of_these = if placed.is_empty() { String::new() } else { format!(", some of which hold {}", list(&placed)) };
    (!reached).then(|| format!("{clue}{name} cannot be made of {size} digits of 1 to {n}{of_these}"))
}

/// The pairs of different digits, larger first, that the two cells of a cage can hold.
fn pairs<'b>(board: &'b RuledBoard, cage: &'b Cage) -> impl Iterator<Item = (u64, u64)> + 'b {
    let digits = |cell: u16| match board.digits[usize::from(cell)] {
        0 => 1..=board.side as u64,
        digit => digit.into()..=digit.into(),
    };
    let (first, second) = (cage.cells[0], cage.cells[1]);
    let all = digits(first).flat_map(move |a| digits(second).map(move |b| (a, b)));
    all.filter(|(a, b)| a != b).map(|(a, b)| (a.max(b), a.min(b)))
}

/// Whether a number is the product of `count` digits of 1 to `most`. The largest digit is tried first, and the others
/// are no larger.
fn is_product(number: u64, count: usize, most: u64) -> bool {
    if number <= 1 {
        return number == 1;
    }
    let is_factor = |digit: &u64| number.is_multiple_of(*digit);
    count > 0 && (2..=most).rev().filter(is_factor).any(|digit| is_product(number / digit, count - 1, digit))
}
