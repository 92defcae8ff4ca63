//! The groups: which cell permutations make a puzzle of a kind the same puzzle. They are generated here, small ones as lists;
//! that they are all there are is computed from the houses by a test.

use std::sync::OnceLock;

use super::arrangement::{Arrangement, Lines, MOST, REGROUPED, TRANSPOSED};
use crate::board::{Kind, Side};

/// Parts of 0..n: for each line the number of its part.
type Parts = Lines;

/// The windows' rows (and columns) 2-4 and 6-8, and 1, 5, 9, which make the five windows that follow.
const WINDOWS: [u8; 9] = [2, 0, 0, 0, 2, 1, 1, 1, 2];

/// Whether boards of the kind are the same puzzle under all digit permutations.
pub(super) fn renames(kind: Kind) -> bool {
    !kind.has_cages() && !kind.has_black()
}

/// Whether rows and columns may be exchanged.
pub(super) fn transposes(kind: Kind, side: Side) -> bool {
    !kind.rules().boxes || side.box_shape().is_none_or(|(high, wide)| high == wide)
}

/// The group of a kind as a list, for all kinds but sudoku, whose groups are too large. Empty for the shapes without canonical
/// forms.
pub(super) fn list(kind: Kind, side: Side) -> &'static [Arrangement] {
    static LISTS: [[OnceLock<Vec<Arrangement>>; MOST + 1]; 13] = [const { [const { OnceLock::new() }; MOST + 1] }; 13];
    LISTS[kind as usize][side.get()].get_or_init(|| generate(kind, side))
}

fn generate(kind: Kind, side: Side) -> Vec<Arrangement> {
    let n = side.get();
    let turns: &[u8] = if transposes(kind, side) { &[0, TRANSPOSED] } else { &[0] };
    let near = |size: usize| parts(n, |line| line / size);
    let mut found = Vec::new();
    let mut add = |flags: &[u8], rows: &[Lines], columns: &[Lines]| {
        for &flags in flags {
            for &rows in rows {
                found.extend(columns.iter().map(|&columns| Arrangement { flags, rows, columns }));
            }
        }
    };
    match (kind, side.box_shape()) {
        (Kind::Sudoku, _) => {}
        (_, None) if kind.rules().boxes => {}
        (Kind::SudokuX, Some((high, wide))) if n < MOST => {
            // Both diagonals stay if rows and columns are permuted alike, or in mirror image, by an order that keeps the pairs
            // of lines that are as far from the middle.
            let (bands, stacks) = (near(high), near(wide));
            for rows in orders(n, &[(bands, bands), (stacks, stacks)], true) {
                let mut mirrored = rows;
                mirrored[..n].reverse();
                add(turns, &[rows], &[rows, mirrored]);
            }
        }
        (Kind::Windoku, _) if n == 9 => {
            let windows = parts(n, |line| WINDOWS[line].into());
            let keep = orders(n, &[(near(3), near(3)), (windows, windows)], false);
            let exchange = orders(n, &[(near(3), windows), (windows, near(3))], false);
            add(turns, &keep, &keep);
            add(turns, &exchange, &exchange);
        }
        (Kind::ColourSudoku, _) if n == 9 => {
            let far = parts(n, |line| line % 3);
            let keep = orders(n, &[(near(3), near(3)), (far, far)], false);
            let exchange = orders(n, &[(near(3), far), (far, near(3))], false);
            let flags = [0, REGROUPED, TRANSPOSED, REGROUPED | TRANSPOSED];
            add(&flags, &keep, &keep);
            add(&flags, &exchange, &exchange);
        }
        (Kind::SudokuX | Kind::Windoku | Kind::ColourSudoku, _) => {}
        _ => {
            let plain = Arrangement::identity(n).rows;
            let mut mirrored = plain;
            mirrored[..n].reverse();
            add(turns, &[plain, mirrored], &[plain, mirrored]);
        }
    }
    found.sort_unstable();
    found
}

fn parts(n: usize, part: impl Fn(usize) -> usize) -> Parts {
    std::array::from_fn(|line| if line < n { part(line) as u8 } else { 0 })
}

/// All orders of n lines under which two lines are in one part of `a` if and only if their images are in one part of `b`, for
/// each (a, b); `centred`: and lines as far from the middle stay so.
fn orders(n: usize, kept: &[(Parts, Parts)], centred: bool) -> Vec<Lines> {
    let (mut found, mut order) = (Vec::new(), [0; MOST]);
    extend(0, n, kept, centred, &mut order, &mut found);
    found
}

fn extend(done: usize, n: usize, kept: &[(Parts, Parts)], centred: bool, order: &mut Lines, found: &mut Vec<Lines>) {
    if done == n {
        found.push(*order);
        return;
    }
    for line in 0..n as u8 {
        let fits = |&i: &usize| {
            let other = usize::from(order[i]);
            other != usize::from(line)
                && kept.iter().all(|(a, b)| (a[i] == a[done]) == (b[other] == b[usize::from(line)]))
        };
        let mirror = n - 1 - done;
        let far = !centred
            || mirror > done
            || usize::from(line) == n - 1 - usize::from(if mirror == done { line } else { order[mirror] });
        if far && (0..done).all(|i| fits(&i)) {
            order[done] = line;
            extend(done + 1, n, kept, centred, order, found);
        }
    }
    order[done] = 0;
}

/// Whether a cell permutation is in the group of a kind: every house becomes a house for the kinds without neighbours, and all
/// others have a list.
pub(super) fn contains(kind: Kind, side: Side, cells: &Arrangement) -> bool {
    if kind != Kind::Sudoku {
        return list(kind, side).binary_search(cells).is_ok();
    }
    let n = side.get();
    let Some((high, wide)) = side.box_shape() else { return false };
    if cells.flags & REGROUPED != 0 || (cells.flags != 0 && high != wide) {
        return false;
    }
    // What is exchanged before are square boxes.
    let keeps = |lines: &Lines, size: usize| {
        (0..n).all(|i| usize::from(lines[i]) / size == usize::from(lines[i - i % size]) / size)
    };
    keeps(&cells.rows, high) && keeps(&cells.columns, wide)
}
