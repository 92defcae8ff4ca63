//! The steps: naked and hidden singles until there are no more, then locked candidates, and again.

use super::{Grid16, Row};

/// What the cells of houses hold: digits of any of them, and digits of two or more.
#[derive(Clone, Copy)]
struct Tally<R> {
    any: R,
    two: R,
}

impl<R: Row> Tally<R> {
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

    /// Each group of four becomes what all of it holds.
    #[inline(always)]
    fn join_fours(&mut self) {
        self.merge(Self { any: self.any.turn::<1>(), two: self.two.turn::<1>() });
        self.merge(Self { any: self.any.turn::<2>(), two: self.two.turn::<2>() });
    }
}

/// [`super::Settle16`].
#[inline(always)]
pub(in crate::kernels) fn settle<R: Row>(row: R, grid: &mut Grid16) -> bool {
    let mut rows = [row; 16];
    for (row, masks) in rows.iter_mut().zip(&grid.0) {
        *row = row.load(masks);
    }
    loop {
        match singles(&mut rows) {
            None => return false,
            Some(State::Solved) => break,
            Some(State::AtRest) => {}
        }
        let across = lock(&mut rows);
        let mut columns = R::transpose(&rows);
        let down = lock(&mut columns);
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

/// What singles left.
enum State {
    /// A digit in every cell, with nothing against it.
    Solved,
    /// Cells with several candidates, of which singles take none.
    AtRest,
}

/// Naked and hidden singles, until there are no more. Nothing if a cell or a digit of a house is left with nothing.
#[inline(always)]
fn singles<R: Row>(rows: &mut [R; 16]) -> Option<State> {
    let zero = rows[0].zero();
    let full = zero.splat(u16::MAX);
    loop {
        let mut several = zero;
        for &cells in rows.iter() {
            several = several.or(cells.several());
        }
        if several.is_zero() {
            return is_solved(rows).then_some(State::Solved);
        }
        // Of each house what any cell holds, and what cells with a single digit hold.
        let (mut row, mut row_alone) = (Tally::new(zero), Tally::new(zero));
        let columns = R::transpose(rows);
        for cells in columns {
            row.add(cells);
            row_alone.add(cells.and(cells.several().empty()));
        }
        let (mut column, mut column_alone) = (Tally::new(zero), Tally::new(zero));
        let (mut boxes, mut boxes_alone) = ([Tally::new(zero); 4], [Tally::new(zero); 4]);
        let mut wrong = zero;
        for band in 0..4 {
            let (mut every, mut alone) = (Tally::new(zero), Tally::new(zero));
            for &cells in &rows[4 * band..4 * band + 4] {
                every.add(cells);
                alone.add(cells.and(cells.several().empty()));
            }
            column.merge(every);
            column_alone.merge(alone);
            every.join_fours();
            alone.join_fours();
            wrong = wrong.or(alone.two).or(full.and_not(every.any));
            (boxes[band], boxes_alone[band]) = (every, alone);
        }
        wrong = wrong.or(row_alone.two).or(column_alone.two).or(full.and_not(row.any.and(column.any)));
        if !wrong.is_zero() {
            return None;
        }
        // Of each row, to be spread over it: digits of single cells, and digits that only one cell can hold.
        let (mut taken, mut hidden) = ([0; 16], [0; 16]);
        row_alone.any.store(&mut taken);
        hidden_singles(row, row_alone).store(&mut hidden);
        let column_hidden = hidden_singles(column, column_alone);
        let mut changed = zero;
        for band in 0..4 {
            let band_taken = column_alone.any.or(boxes_alone[band].any);
            let band_hidden = column_hidden.or(hidden_singles(boxes[band], boxes_alone[band]));
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
            return Some(State::AtRest);
        }
    }
}

/// Whether all houses hold every digit, for cells of one digit at most: no two of a house are then the same.
#[inline(always)]
fn is_solved<R: Row>(rows: &[R; 16]) -> bool {
    let zero = rows[0].zero();
    let (mut column, mut boxes) = (zero, zero.splat(u16::MAX));
    for band in rows.as_chunks::<4>().0 {
        let any = band[0].or(band[1]).or(band[2]).or(band[3]);
        let pairs = any.or(any.turn::<1>());
        boxes = boxes.and(pairs.or(pairs.turn::<2>()));
        column = column.or(any);
    }
    let row = R::transpose(rows).into_iter().fold(zero, R::or);
    zero.splat(u16::MAX).and_not(row.and(column).and(boxes)).is_zero()
}

/// Digits that one cell of a house can hold, and which it does not hold yet.
#[inline(always)]
fn hidden_singles<R: Row>(every: Tally<R>, alone: Tally<R>) -> R {
    every.any.and_not(every.two.or(alone.any))
}

/// Locked candidates of boxes and rows, or of boxes and columns in a grid that is transposed: what one holds only where it
/// crosses the other, the other holds nowhere else. Returns what was taken.
#[inline(always)]
fn lock<R: Row>(rows: &mut [R; 16]) -> R {
    let zero = rows[0].zero();
    let mut taken = zero;
    for band in 0..4 {
        let mut in_box = Tally::new(zero);
        // What the part of a row in a box holds, at each of its cells.
        let mut parts = [zero; 4];
        for (part, cells) in parts.iter_mut().zip(&rows[4 * band..]) {
            let pairs = cells.or(cells.turn::<1>());
            *part = pairs.or(pairs.turn::<2>());
            in_box.add(*part);
        }
        let (mut row_two, mut locked) = ([zero; 4], zero);
        for (two, part) in row_two.iter_mut().zip(parts) {
            let mut in_row = Tally { any: part, two: zero };
            in_row.add(part.turn_fours::<1>());
            in_row.add(part.turn_fours::<2>());
            in_row.add(part.turn_fours::<3>());
            *two = in_row.two;
            locked = locked.or(part.and_not(in_row.two));
        }
        for ((cells, part), two) in rows[4 * band..4 * band + 4].iter_mut().zip(parts).zip(row_two) {
            let of_box = part.and_not(in_box.two);
            let elsewhere = of_box.turn_fours::<1>().or(of_box.turn_fours::<2>()).or(of_box.turn_fours::<3>());
            let out = cells.and(elsewhere.or(locked.and(two)));
            taken = taken.or(out);
            *cells = cells.and_not(out);
        }
    }
    taken
}
