//! What stands beside a grid and says more about the same puzzle: a map of its regions or cages, a mask of its black
//! cells, numbers or sums of its cages. Neither of the two is a sudoku.

use super::{GridCells, rows};
use crate::board::Cell;
use crate::error::{Code, Reject};
use crate::formats::companions;

/// What a block is, if it is no grid of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Companion {
    /// Digits that are a map of regions or of colours.
    Map,
    /// Only 0 and 1, or two signs: black cells or clues.
    Mask,
    /// Names of regions or cages: letters, or letters and digits.
    Letters,
    /// Numbers or sums of cages.
    Numbers,
}

impl Companion {
    /// Recognises one in cells that can be read, and says so. No flag decides, since there is no format to name.
    pub(super) fn of_cells(cells: &GridCells) -> Option<(Self, Reject)> {
        let signs = cells.map(|cell| match cell {
            Cell::Clue(digit) | Cell::Solved(digit) => digit,
            _ => 0,
        });
        if companions::is_map(&signs) || is_nearly_map(cells, &signs) {
            let is_mask = signs.iter().filter(|&&sign| sign > 1).count() <= FEW;
            let (companion, what) =
                if is_mask { (Self::Mask, "of clues or black cells") } else { (Self::Map, "of regions or of colours") };
            let words = format!(
                "either a map, {what}, or a sudoku that repeats digits in many rows and columns; if it is a sudoku, \
                 write it on one line, for --from plain"
            );
            return Some((companion, rows::ambiguous(&words)));
        }
        let sets = cells.map(|cell| match cell {
            Cell::Candidates(set) => set as u16,
            other => 1_u16.unbounded_shl(other.digit().into()) >> 1,
        });
        companions::are_sums(&sets).then(|| {
            let words =
                "either sums of cages or candidates; if they are candidates, write nine characters for each cell, on one line";
            (Self::Numbers, rows::ambiguous(words))
        })
    }

    /// Refuses the block itself, if it has something else than digits.
    pub(super) fn reject(self) -> Reject {
        let words = match self {
            Self::Letters => {
                "a map of letters or other signs, such as the regions of a jigsaw or the cages of a killer or KenKen: a board only with \
                 the clues beside it, or with the sums or clues of all cages below it"
            }
            Self::Mask => {
                "a map of two signs, such as the black cells of a str8ts: a board only with the digits beside it"
            }
            Self::Map => {
                "a map of regions or colours, which is a board only with the clues beside it, or other numbers: digits stand twice in its \
                 rows, columns or boxes"
            }
            Self::Numbers => {
                "numbers of cages or their sums, such as those of a killer, which are read only as a string of a format"
            }
        };
        Reject::whole(Code::Unsupported, words)
    }

    /// Refuses the grid beside it, since the two are no board.
    pub(super) fn reject_grid(self) -> Reject {
        let (what, needs) = match self {
            Self::Map => (
                "a map of regions or colours",
                "a jigsaw has as many regions as its side, each of as many connected cells",
            ),
            Self::Mask => ("a map of black cells or clues", "a str8ts has 0 (white) and 1 (black), or . and #"),
            Self::Letters => (
                "a map of letters or other signs",
                "a jigsaw has as many regions as its side, each of as many connected cells; a killer or KenKen has sums or clues of all \
                 cages below it, such as a=20 b=7",
            ),
            Self::Numbers => (
                "numbers or sums of cages",
                "a killer can be written with letters for its cages, and their sums below, such as a=20 b=7",
            ),
        };
        let words = format!(
            "a grid and its companion, {what}: together they are another puzzle than a sudoku, but this one is not known: {needs}; if they \
             do not belong together, put them into different files"
        );
        Reject::whole(Code::Unsupported, words)
    }
}

/// This many cells of a map or mask may be wrong.
const FEW: usize = 3;

/// Whether digits are a map with some wrong cells, or other numbers: most houses have a digit twice; or a mask with some wrong cells:
/// nearly all digits are 1, and there are more of them than a sudoku has.
fn is_nearly_map(cells: &GridCells, signs: &[u8; 81]) -> bool {
    if cells.iter().any(|cell| matches!(cell, Cell::Candidates(_))) {
        return false;
    }
    let count = |is: fn(u8) -> bool| signs.iter().filter(|&&sign| is(sign)).count();
    count(|sign| sign == 1) > 9 && count(|sign| sign > 1) <= FEW || companions::repeats_in_most_houses(signs)
}

/// In a map, at least this many of ten cells have a neighbour with the same sign. In lines of words, fewer have.
const TENTHS: usize = 5;

/// Whether signs, row by row, are rather a map of pieces than words or cells of a puzzle.
pub(super) fn is_map_of_signs<T: PartialEq>(signs: &[T], width: usize) -> bool {
    let is_same = |at: usize, other: usize| signs.get(other).is_some_and(|sign| *sign == signs[at]);
    let is_beside = |at: usize| {
        !at.is_multiple_of(width) && is_same(at, at - 1)
            || at % width + 1 < width && is_same(at, at + 1)
            || at >= width && is_same(at, at - width)
            || is_same(at, at + width)
    };
    let beside = (0..signs.len()).filter(|&at| is_beside(at)).count();
    beside * 10 >= signs.len() * TENTHS && signs.iter().any(|sign| *sign != signs[0])
}
