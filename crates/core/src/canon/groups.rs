//! The groups of cell permutations under which a board remains the same puzzle, for each kind. Small groups are
//! generated here as lists; a test computes from the houses that no element is missing.

use std::sync::OnceLock;

use super::arrangement::{Arrangement, LineValues, MAX_SIDE, REGROUPED, TRANSPOSED};
use crate::board::{Kind, Side};

/// A partition of 0..n: the number of each line's part.
type Parts = LineValues;

/// The partition of lines that belongs to windoku: the rows (and columns) of the windows, 2-4 and 6-8, and the lines 1,
/// 5, 9 between them, which make the five implied windows.
const WINDOWS: [u8; 9] = [2, 0, 0, 0, 2, 1, 1, 1, 2];

/// Returns whether a digit permutation leaves boards of this kind the same puzzle.
pub(super) fn renames(kind: Kind) -> bool {
    !kind.has_cages() && !kind.has_black()
}

/// Returns whether rows and columns may be exchanged.
pub(super) fn transposes(kind: Kind, side: Side) -> bool {
    !kind.rules().houses.boxes || side.box_shape().is_none_or(|(high, wide)| high == wide)
}

/// Returns the group of a kind as a list, for all kinds but sudoku, whose groups are too large. The list is empty for
/// shapes without canonical forms.
pub(super) fn list(kind: Kind, side: Side) -> &'static [Arrangement] {
    static LISTS: [[OnceLock<Vec<Arrangement>>; MAX_SIDE + 1]; 13] =
        [const { [const { OnceLock::new() }; MAX_SIDE + 1] }; 13];
    LISTS[kind as usize][side.get()].get_or_init(|| generate(kind, side))
}

fn generate(kind: Kind, side: Side) -> Vec<Arrangement> {
    let n = side.get();
    let transpositions: &[u8] = if transposes(kind, side) { &[0, TRANSPOSED] } else { &[0] };
    let blocks = |size: usize| parts(n, |line| line / size);
    let mut found = Vec::new();
    let mut add = |flags: &[u8], rows: &[LineValues], columns: &[LineValues]| {
        for &flags in flags {
            for &rows in rows {
                found.extend(columns.iter().map(|&columns| Arrangement { flags, rows, columns }));
            }
        }
    };
    match (kind, side.box_shape()) {
        (Kind::Sudoku, _) => {}
        (_, None) if kind.rules().houses.boxes => {}
        (Kind::SudokuX, Some((high, wide))) if n < MAX_SIDE => {
            // Both diagonals are preserved if rows and columns are permuted in the same way, or in mirror image, by an
            // order that preserves the pairs of lines at the same distance from the middle.
            let (bands, stacks) = (blocks(high), blocks(wide));
            for rows in orders(n, &[(bands, bands), (stacks, stacks)], true) {
                let mut mirrored = rows;
                mirrored[..n].reverse();
                add(transpositions, &[rows], &[rows, mirrored]);
            }
        }
        (Kind::Windoku, _) if n == 9 => {
            let windows = parts(n, |line| WINDOWS[line].into());
            let keep = orders(n, &[(blocks(3), blocks(3)), (windows, windows)], false);
            let exchange = orders(n, &[(blocks(3), windows), (windows, blocks(3))], false);
            add(transpositions, &keep, &keep);
            add(transpositions, &exchange, &exchange);
        }
        (Kind::ColourSudoku, _) if n == 9 => {
            let residues = parts(n, |line| line % 3);
            let keep = orders(n, &[(blocks(3), blocks(3)), (residues, residues)], false);
            let exchange = orders(n, &[(blocks(3), residues), (residues, blocks(3))], false);
            let flags = [0, REGROUPED, TRANSPOSED, REGROUPED | TRANSPOSED];
            add(&flags, &keep, &keep);
            add(&flags, &exchange, &exchange);
        }
        (Kind::SudokuX | Kind::Windoku | Kind::ColourSudoku, _) => {}
        _ => {
            let plain = Arrangement::identity(n).rows;
            let mut mirrored = plain;
            mirrored[..n].reverse();
            add(transpositions, &[plain, mirrored], &[plain, mirrored]);
        }
    }
    found.sort_unstable();
    found
}

fn parts(n: usize, part: impl Fn(usize) -> usize) -> Parts {
    std::array::from_fn(|line| if line < n { part(line) as u8 } else { 0 })
}

/// Returns all orders of n lines that map the partition `a` to the partition `b`, for each (a, b) in `kept`. If
/// `centred`, lines at the same distance from the middle must stay at the same distance.
fn orders(n: usize, kept: &[(Parts, Parts)], centred: bool) -> Vec<LineValues> {
    let mut search = OrderSearch { n, kept, centred, order: [0; MAX_SIDE], found: Vec::new() };
    search.extend(0);
    search.found
}

/// A search for orders of lines.
struct OrderSearch<'k> {
    n: usize,
    kept: &'k [(Parts, Parts)],
    centred: bool,
    order: LineValues,
    found: Vec<LineValues>,
}

impl OrderSearch<'_> {
    /// Finds all orders that begin with the first `done` lines of the current one.
    fn extend(&mut self, done: usize) {
        if done == self.n {
            self.found.push(self.order);
            return;
        }
        for line in 0..self.n as u8 {
            if self.keeps_distance(done, line) && self.fits(done, line) {
                self.order[done] = line;
                self.extend(done + 1);
            }
        }
        self.order[done] = 0;
    }

    /// Whether a line can follow the first `done` lines, as far as the partitions are concerned.
    fn fits(&self, done: usize, line: u8) -> bool {
        (0..done).all(|i| {
            let other = usize::from(self.order[i]);
            other != usize::from(line)
                && self.kept.iter().all(|(a, b)| (a[i] == a[done]) == (b[other] == b[usize::from(line)]))
        })
    }

    /// Whether a line can follow the first `done` lines, as far as distances to the middle are concerned.
    fn keeps_distance(&self, done: usize, line: u8) -> bool {
        let mirror = self.n - 1 - done;
        !self.centred
            || mirror > done
            || usize::from(line) == self.n - 1 - usize::from(if mirror == done { line } else { self.order[mirror] })
    }
}

/// Returns whether a cell permutation is in the group of a kind. For sudokus, it is if every house becomes a house; all
/// other kinds have a list.
pub(super) fn contains(kind: Kind, side: Side, cells: &Arrangement) -> bool {
    if kind != Kind::Sudoku {
        return list(kind, side).binary_search(cells).is_ok();
    }
    let n = side.get();
    let Some((high, wide)) = side.box_shape() else { return false };
    if cells.flags & REGROUPED != 0 || (cells.flags != 0 && high != wide) {
        return false;
    }
    // Rows and columns are only exchanged if boxes are square, so both orders of the two steps agree.
    let keeps = |lines: &LineValues, size: usize| {
        (0..n).all(|i| usize::from(lines[i]) / size == usize::from(lines[i - i % size]) / size)
    };
    keeps(&cells.rows, high) && keeps(&cells.columns, wide)
}
