//! The steps: naked and hidden singles, then the cages that changed, and again until there is nothing more.

use super::{Bytes, Frame8, Grid8, Node8, Ways};

/// Passes over the houses between two over the cages: that there is nothing more to take need not be known before these.
const PASSES: usize = 2;

/// What the cells of houses hold: digits of any of them, and digits of two or more.
#[derive(Clone, Copy)]
struct Tally<B> {
    any: B,
    two: B,
}

impl<B: Bytes> Tally<B> {
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

    /// What each cell's row, column and box hold; without boxes the row stands in for them.
    #[inline(always)]
    fn of_houses(cells: B, boxes: bool) -> [Self; 3] {
        let alone = Self { any: cells, two: cells.zero() };
        let part = alone.columns::<1>().columns::<2>();
        let row = part.columns::<4>();
        let column = alone.rows::<1>().rows::<2>().rows::<4>();
        [row, column, if boxes { part.rows::<1>() } else { row }]
    }
}

/// [`super::Settle8`].
#[inline(always)]
pub(in crate::kernels) fn settle<B: Bytes>(bytes: B, node: &mut Node8, frame: &Frame8, ways: &[Ways]) -> bool {
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
            cells = pairs(cells, frame.boxes);
            if cells.xor(left).is_zero() {
                if is_clash(cells, frame.boxes) {
                    return false;
                }
                break;
            }
        }
    }
    cells.store(&mut node.grid.0);
    true
}

/// What naked and hidden singles leave, all of them or those of so many passes; and whether there may be more. Nothing if a cell or a
/// digit of a house is left with nothing. That two cells of a house are left with the same digit shows here only if no cell is open:
/// to look for it costs as much as all the rest, and while there is more to be taken it need not be known.
#[inline(always)]
fn singles<B: Bytes>(mut cells: B, full: B, boxes: bool, passes: usize) -> Option<(B, bool)> {
    for _ in 0..passes {
        let single = cells.several().empty();
        let alone = cells.and(single);
        let [row, column, square] = Tally::of_houses(cells, boxes);
        let [in_row, in_column, in_square] = any_of_houses(alone, boxes);
        let missing = full.and_not(row.any.and(column.any).and(square.any));
        let taken = in_row.or(in_column).or(in_square);
        let hidden = |every: Tally<B>, alone: B| every.any.and_not(every.two.or(alone));
        let hidden = hidden(row, in_row).or(hidden(column, in_column)).or(hidden(square, in_square));
        let left = cells.and_not(taken.and_not(single));
        let only = left.and(hidden);
        if !missing.or(only.several()).or(left.empty().and(full)).is_zero() {
            return None;
        }
        let next = only.empty().select(left, only);
        if next.several().is_zero() {
            // As many cells as digits: if all digits are there, no two are the same.
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

/// Whether two cells of a house are left with the same digit.
#[inline(always)]
fn is_clash<B: Bytes>(cells: B, boxes: bool) -> bool {
    let [row, column, square] = Tally::of_houses(cells.and(cells.several().empty()), boxes);
    !row.two.or(column.two).or(square.two).is_zero()
}

/// What cells of each cell's row, column and box hold.
#[inline(always)]
fn any_of_houses<B: Bytes>(cells: B, boxes: bool) -> [B; 3] {
    let part = cells.or(cells.swap_columns::<1>());
    let part = part.or(part.swap_columns::<2>());
    let row = part.or(part.swap_columns::<4>());
    let column = cells.or(cells.swap_rows::<1>());
    let column = column.or(column.swap_rows::<2>());
    let column = column.or(column.swap_rows::<4>());
    [row, column, if boxes { part.or(part.swap_rows::<1>()) } else { row }]
}

/// What naked pairs leave: where two cells of a house hold the same two digits, the others do not.
#[inline(always)]
fn pairs<B: Bytes>(cells: B, boxes: bool) -> B {
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

/// What naked pairs leave in houses of eight cells, whose halves, quarters and eighths are exchanged by `swaps`; `two` are the
/// cells of two digits.
#[inline(always)]
fn without_pairs<B: Bytes>(cells: B, two: B, swaps: impl Fn(B) -> [B; 3]) -> B {
    // Every cell meets each of the seven others.
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

/// What sixteen cages leave: those that changed since they were looked at keep the digits of the ways that are still open.
/// Nothing if one has no way left.
#[inline(always)]
fn cages<B: Bytes>(cells: B, half: usize, seen: &mut Grid8, frame: &Frame8, ways: &[Ways]) -> Option<B> {
    let where_ = &frame.halves[half];
    let now = cells.pick(cells.load(&where_.cells.0)).and(cells.load(&where_.used.0));
    let mut changed = now.xor(cells.load(&seen.0)).words();
    if changed == 0 {
        return Some(cells);
    }
    now.store(&mut seen.0);
    let lists = &frame.lists[16 * half..];
    while changed != 0 {
        let cage = changed.trailing_zeros() as usize;
        changed &= changed - 1;
        let (first, count) = lists[cage];
        let candidates: &mut [u8; 4] = &mut seen.0.as_chunks_mut().0[cage];
        let kept = cells.possible(u32::from_le_bytes(*candidates), &ways[first as usize..][..count as usize]);
        if kept == 0 {
            return None;
        }
        *candidates = kept.to_le_bytes();
    }
    let kept = cells.load(&seen.0).pick(cells.load(&where_.places.0));
    Some(cells.and(kept.or(cells.load(&where_.outside.0))))
}
