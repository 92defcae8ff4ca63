//! The steps of propagation: naked and hidden singles until there are no more, then locked candidates, and again.

use super::{Grid16, Row16};

/// Digits that at least one cell of a house can have (`any`), and digits that at least two can have (`two`).
#[derive(Clone, Copy)]
struct HouseDigits<R> {
    any: R,
    two: R,
}

impl<R: Row16> HouseDigits<R> {
    #[inline(always)]
    fn new(zero: R) -> Self {
        Self { any: zero, two: zero }
    }

    #[inline(always)]
    fn add(&mut self, cells: R) {
        self.two = self.two.or(self.any.and(cells));
        self.any = self.any.or(cells);
    }

    #[inline(always)]
    fn merge(&mut self, other: Self) {
        self.two = self.two.or(other.two).or(self.any.and(other.any));
        self.any = self.any.or(other.any);
    }

    /// Merges each group of four masks: all four become the tally of the group.
    #[inline(always)]
    fn merge_groups(&mut self) {
        self.merge(Self { any: self.any.rotate::<1>(), two: self.two.rotate::<1>() });
        self.merge(Self { any: self.any.rotate::<2>(), two: self.two.rotate::<2>() });
    }
}

/// Implements [`super::Propagate16`].
#[inline(always)]
pub(in crate::kernels) fn propagate<R: Row16>(row: R, grid: &mut Grid16) -> bool {
    let mut rows = [row; 16];
    for (row, masks) in rows.iter_mut().zip(&grid.0) {
        *row = row.load(masks);
    }
    loop {
        match singles(&mut rows) {
            None => return false,
            Some(SinglesResult::Solved) => break,
            Some(SinglesResult::Stable) => {}
        }
        let across = remove_locked(&mut rows);
        let mut columns = R::transpose(&rows);
        let down = remove_locked(&mut columns);
        if !down.is_zero() {
            rows = R::transpose(&columns);
        } else if across.is_zero() {
            break;
        }
    }
    for (row, masks) in rows.iter().zip(&mut grid.0) {
        row.store(masks);
    }
    true
}

/// The result of [`singles`].
enum SinglesResult {
    /// Every cell has one digit, and no rule is broken.
    Solved,
    /// Some cells have several candidates, and singles remove none of them.
    Stable,
}

/// Applies naked and hidden singles until there are no more. Returns `None` on a contradiction: a cell without
/// candidates, or a house in which a digit has no cell or is placed twice.
#[inline(always)]
fn singles<R: Row16>(rows: &mut [R; 16]) -> Option<SinglesResult> {
    let zero = rows[0].zero();
    let full = zero.splat(u16::MAX);
    loop {
        let mut several = zero;
        for &cells in rows.iter() {
            several = several.or(cells.several());
        }
        if several.is_zero() {
            return is_solved(rows).then_some(SinglesResult::Solved);
        }
        // The candidates of each house (`row`, `column`, `boxes`), and the digits of its cells with a single candidate
        // (`.._placed`).
        let (mut row, mut row_placed) = (HouseDigits::new(zero), HouseDigits::new(zero));
        let columns = R::transpose(rows);
        for cells in columns {
            row.add(cells);
            row_placed.add(cells.and(cells.several().empty()));
        }
        let (mut column, mut column_placed) = (HouseDigits::new(zero), HouseDigits::new(zero));
        let (mut boxes, mut boxes_placed) = ([HouseDigits::new(zero); 4], [HouseDigits::new(zero); 4]);
        let mut wrong = zero;
        for band in 0..4 {
            let (mut every, mut placed) = (HouseDigits::new(zero), HouseDigits::new(zero));
            for &cells in &rows[4 * band..4 * band + 4] {
                every.add(cells);
                placed.add(cells.and(cells.several().empty()));
            }
            column.merge(every);
            column_placed.merge(placed);
            every.merge_groups();
            placed.merge_groups();
            wrong = wrong.or(placed.two).or(full.and_not(every.any));
            (boxes[band], boxes_placed[band]) = (every, placed);
        }
        wrong = wrong.or(row_placed.two).or(column_placed.two).or(full.and_not(row.any.and(column.any)));
        if !wrong.is_zero() {
            return None;
        }
        // For each row, values for all its cells: digits that are placed in the row, and digits that only one cell can
        // have.
        let (mut taken, mut hidden) = ([0; 16], [0; 16]);
        row_placed.any.store(&mut taken);
        hidden_singles(row, row_placed).store(&mut hidden);
        let column_hidden = hidden_singles(column, column_placed);
        let mut changed = zero;
        for band in 0..4 {
            let band_taken = column_placed.any.or(boxes_placed[band].any);
            let band_hidden = column_hidden.or(hidden_singles(boxes[band], boxes_placed[band]));
            for i in 4 * band..4 * band + 4 {
                let cells = rows[i];
                let taken = band_taken.or(zero.splat(taken[i]));
                let left = cells.and_not(taken.and_not(cells.several().empty()));
                let only = left.and(band_hidden.or(zero.splat(hidden[i])));
                wrong = wrong.or(only.several()).or(left.empty());
                rows[i] = only.empty().select(left, only);
                changed = changed.or(rows[i].xor(cells));
            }
        }
        if !wrong.is_zero() {
            return None;
        }
        if changed.is_zero() {
            return Some(SinglesResult::Stable);
        }
    }
}

/// Returns whether all houses have every digit, for boards whose cells have at most one digit; then no digit is twice
/// in a house.
#[inline(always)]
fn is_solved<R: Row16>(rows: &[R; 16]) -> bool {
    let zero = rows[0].zero();
    let (mut column, mut boxes) = (zero, zero.splat(u16::MAX));
    for band in rows.as_chunks::<4>().0 {
        let any = band[0].or(band[1]).or(band[2]).or(band[3]);
        let pairs = any.or(any.rotate::<1>());
        boxes = boxes.and(pairs.or(pairs.rotate::<2>()));
        column = column.or(any);
    }
    let row = R::transpose(rows).into_iter().fold(zero, R::or);
    zero.splat(u16::MAX).and_not(row.and(column).and(boxes)).is_zero()
}

/// Returns the digits that only one cell of a house can have and that are not placed yet.
#[inline(always)]
fn hidden_singles<R: Row16>(every: HouseDigits<R>, placed: HouseDigits<R>) -> R {
    every.any.and_not(every.two.or(placed.any))
}

/// Applies locked candidates between boxes and rows (or between boxes and columns, if the board is transposed): if one
/// house has a digit only where it crosses the other, the digit is removed from the rest of the other. Returns the
/// removed candidates.
#[inline(always)]
fn remove_locked<R: Row16>(rows: &mut [R; 16]) -> R {
    let zero = rows[0].zero();
    let mut removed = zero;
    for band in 0..4 {
        let mut in_box = HouseDigits::new(zero);
        // The candidates in each part of a row inside a box, at each of its cells.
        let mut parts = [zero; 4];
        for (part, cells) in parts.iter_mut().zip(&rows[4 * band..]) {
            let pairs = cells.or(cells.rotate::<1>());
            *part = pairs.or(pairs.rotate::<2>());
            in_box.add(*part);
        }
        let (mut row_two, mut locked) = ([zero; 4], zero);
        for (two, part) in row_two.iter_mut().zip(parts) {
            let mut in_row = HouseDigits { any: part, two: zero };
            in_row.add(part.rotate_groups::<1>());
            in_row.add(part.rotate_groups::<2>());
            in_row.add(part.rotate_groups::<3>());
            *two = in_row.two;
            locked = locked.or(part.and_not(in_row.two));
        }
        for ((cells, part), two) in rows[4 * band..4 * band + 4].iter_mut().zip(parts).zip(row_two) {
            let of_box = part.and_not(in_box.two);
            let elsewhere = of_box.rotate_groups::<1>().or(of_box.rotate_groups::<2>()).or(of_box.rotate_groups::<3>());
            let out = cells.and(elsewhere.or(locked.and(two)));
            removed = removed.or(out);
            *cells = cells.and_not(out);
        }
    }
    removed
}
