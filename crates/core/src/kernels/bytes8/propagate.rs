//! The steps of propagation: naked and hidden singles, then the cages that changed, and again until nothing changes;
//! then naked pairs.

use super::{Bytes64, CageLists, Frame8, Grid8, Node8, Ways};

/// The number of passes over the houses between two passes over the cages. With few passes, it is not yet known whether
/// singles find more, but that need not be known before the cages are evaluated.
const PASSES: usize = 2;

/// Digits that at least one cell of a house can have (`any`), and digits that at least two can have (`two`).
#[derive(Clone, Copy)]
struct HouseDigits8<B> {
    any: B,
    two: B,
}

impl<B: Bytes64> HouseDigits8<B> {
    #[inline(always)]
    fn merged(self, other: Self) -> Self {
        Self { any: self.any.or(other.any), two: self.two.or(other.two).or(self.any.and(other.any)) }
    }

    #[inline(always)]
    fn columns<const BY: usize>(self) -> Self {
        self.merged(Self { any: self.any.swap_columns::<BY>(), two: self.two.swap_columns::<BY>() })
    }

    #[inline(always)]
    fn rows<const BY: usize>(self) -> Self {
        self.merged(Self { any: self.any.swap_rows::<BY>(), two: self.two.swap_rows::<BY>() })
    }

    /// Returns the tallies of each cell's row, column and box; without boxes, the row replaces the box.
    #[inline(always)]
    fn of_houses(cells: B, boxes: bool) -> [Self; 3] {
        let cell = Self { any: cells, two: cells.zero() };
        let part = cell.columns::<1>().columns::<2>();
        let row = part.columns::<4>();
        let column = cell.rows::<1>().rows::<2>().rows::<4>();
        [row, column, if boxes { part.rows::<1>() } else { row }]
    }
}

/// Implements [`super::Propagate8`].
#[inline(always)]
pub(in crate::kernels) fn propagate<B: Bytes64>(bytes: B, node: &mut Node8, frame: &Frame8, ways: &[Ways]) -> bool {
    let full = bytes.load(&frame.full.0);
    let mut cells = bytes.load(&node.grid.0);
    loop {
        let passes = if frame.cages == 0 { usize::MAX } else { PASSES };
        let Some((left, more)) = singles(cells, full, frame.boxes, passes) else { return false };
        cells = left;
        for half in 0..frame.cages.div_ceil(16).min(2) {
            let Some(kept) = cages(cells, half, &mut node.seen[half], frame, ways) else { return false };
            cells = kept;
        }
        if !more && cells.xor(left).is_zero() {
            if cells.several().is_zero() {
                break;
            }
            cells = remove_naked_pairs(cells, frame.boxes);
            if cells.xor(left).is_zero() {
                if has_conflict(cells, frame.boxes) {
                    return false;
                }
                break;
            }
        }
    }
    cells.store(&mut node.grid.0);
    true
}

/// Applies naked and hidden singles until there are no more, but at most `passes` times. Returns the cells, and whether
/// there may be more singles. Returns `None` if a cell has no candidates or a house has no cell for a digit. That two
/// cells of a house have the same digit is only found if no cell is open: checking this in every pass would cost as
/// much as all the rest, and while more candidates can be removed it need not be known.
#[inline(always)]
fn singles<B: Bytes64>(mut cells: B, full: B, boxes: bool, passes: usize) -> Option<(B, bool)> {
    for _ in 0..passes {
        let single = cells.several().empty();
        let placed = cells.and(single);
        let [row, column, square] = HouseDigits8::of_houses(cells, boxes);
        let [in_row, in_column, in_square] = any_of_houses(placed, boxes);
        let missing = full.and_not(row.any.and(column.any).and(square.any));
        let taken = in_row.or(in_column).or(in_square);
        let hidden = |every: HouseDigits8<B>, placed: B| every.any.and_not(every.two.or(placed));
        let hidden = hidden(row, in_row).or(hidden(column, in_column)).or(hidden(square, in_square));
        let left = cells.and_not(taken.and_not(single));
        let only = left.and(hidden);
        if !missing.or(only.several()).or(left.empty().and(full)).is_zero() {
            return None;
        }
        let next = only.empty().select(left, only);
        if next.several().is_zero() {
            // There are as many cells as digits, so if all digits are there, no two are the same.
            let [row, column, square] = any_of_houses(next, boxes);
            return full.and_not(row.and(column).and(square)).is_zero().then_some((next, false));
        }
        if next.xor(cells).is_zero() {
            return Some((cells, false));
        }
        cells = next;
    }
    Some((cells, true))
}

/// Returns whether two cells of a house have the same single candidate.
#[inline(always)]
fn has_conflict<B: Bytes64>(cells: B, boxes: bool) -> bool {
    let [row, column, square] = HouseDigits8::of_houses(cells.and(cells.several().empty()), boxes);
    !row.two.or(column.two).or(square.two).is_zero()
}

/// Returns the digits of any cell in each cell's row, column and box.
#[inline(always)]
fn any_of_houses<B: Bytes64>(cells: B, boxes: bool) -> [B; 3] {
    let part = cells.or(cells.swap_columns::<1>());
    let part = part.or(part.swap_columns::<2>());
    let row = part.or(part.swap_columns::<4>());
    let column = cells.or(cells.swap_rows::<1>());
    let column = column.or(column.swap_rows::<2>());
    let column = column.or(column.swap_rows::<4>());
    [row, column, if boxes { part.or(part.swap_rows::<1>()) } else { row }]
}

/// Applies naked pairs: where two cells of a house have the same two candidates, these are removed from the other cells
/// of the house.
#[inline(always)]
fn remove_naked_pairs<B: Bytes64>(cells: B, boxes: bool) -> B {
    let second = cells.several();
    let two = cells.and(second.several().empty().and_not(second.empty()));
    let mut left = without_pairs(cells, two, |cells| {
        [cells.swap_columns::<1>(), cells.swap_columns::<2>(), cells.swap_columns::<4>()]
    });
    left = left.and(without_pairs(cells, two, |cells| {
        [cells.swap_rows::<1>(), cells.swap_rows::<2>(), cells.swap_rows::<4>()]
    }));
    if boxes {
        left = left.and(without_pairs(cells, two, |cells| {
            [cells.swap_columns::<1>(), cells.swap_columns::<2>(), cells.swap_rows::<1>()]
        }));
    }
    left
}

/// Applies naked pairs in houses of eight cells. `swaps` exchanges the eighths, quarters and halves of the houses, in
/// some order; `two` are the cells with two candidates.
#[inline(always)]
fn without_pairs<B: Bytes64>(cells: B, two: B, swaps: impl Fn(B) -> [B; 3]) -> B {
    // This way every cell is compared with each of the seven others.
    let mut paired = two.zero();
    let mut other = two;
    for which in [0, 1, 0, 2, 0, 1, 0] {
        other = swaps(other)[which];
        paired = paired.or(other.xor(two).empty());
    }
    let paired = paired.and_not(two.empty());
    let mut digits = cells.and(paired);
    for which in 0..3 {
        digits = digits.or(swaps(digits)[which]);
    }
    cells.and_not(digits.and_not(paired))
}

/// Evaluates the sixteen cages of one half: cages that changed since they were last evaluated keep the digits of the
/// ways that are still open. Returns `None` if a cage has no way left.
#[inline(always)]
fn cages<B: Bytes64>(cells: B, half: usize, seen: &mut Grid8, frame: &Frame8, ways: &[Ways]) -> Option<B> {
    let positions = &frame.halves[half];
    let now = cells.pick(cells.load(&positions.cells.0)).and(cells.load(&positions.used.0));
    let changed = now.xor(cells.load(&seen.0)).nonzero_words();
    if changed == 0 {
        return Some(cells);
    }
    let (ranges, one_block) = (frame.lists.as_chunks().0.get(half)?, frame.one_block >> (16 * half));
    let kept = now.restrict_cages(changed, CageLists { ranges, one_block, ways });
    if changed & !kept.nonzero_words() != 0 {
        return None;
    }
    kept.store(&mut seen.0);
    let kept = kept.pick(cells.load(&positions.places.0));
    Some(cells.and(kept.or(cells.load(&positions.outside.0))))
}
