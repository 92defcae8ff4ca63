//! The structure of cages: where clues and operators must stand (FORMATS.md, "Regions and cages", "KenKen cage content").

use crate::board::{Kind, components};

/// The first fault of a board's cages in reading order: the cell and what is wrong with it. Whether sums, arities and
/// shapes make sense is not asked here.
///
/// `colours` and `contents` are one board's rows, `side * side` long.
pub(super) fn fault(kind: Kind, side: usize, colours: &[u8], contents: &[u16]) -> Option<(usize, String)> {
    let labels = components(colours, side);
    let operators = kind.has_operators();
    (0..colours.len()).find_map(|i| {
        let content = contents[i];
        let first = labels[i] as usize;
        let words = if i == first {
            (content == 0).then(|| "a cage without a clue in its first cell".to_string())
        } else if operators && Some(i) == operator_cell(&labels, side, first) {
            match content {
                1..=4 => None,
                0 => Some("the operator of this cage is missing".to_string()),
                _ => Some(format!("{content} is not an operator (1 +, 2 -, 3 x, 4 /)")),
            }
        } else if content == 0 {
            None
        } else if operators {
            Some(format!("cage content {content} in a cell that holds neither clue nor operator"))
        } else {
            Some(format!("cage clue {content} in a cell that is not the first of its cage"))
        };
        words.map(|words| (i, words))
    })
}

/// Where a cage keeps its operator: right of its first cell if that is in the cage, else below it; a cage of one cell has
/// none.
pub(super) fn operator_cell(labels: &[u16], side: usize, first: usize) -> Option<usize> {
    let within = |i: usize| i < side * side && labels[i] as usize == first;
    let right = first + 1;
    if !right.is_multiple_of(side) && within(right) {
        Some(right)
    } else {
        Some(first + side).filter(|&below| within(below))
    }
}
