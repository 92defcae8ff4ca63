//! The steps: naked and hidden singles of all houses, and locked candidates.

use super::frame::{Frame9, Needs9, Segments};
use super::masks::Masks;
use crate::kernels::vector::Vector;

/// Where something is missing.
pub(crate) enum Fault {
    /// Two cells of these houses hold the same digit, or no cell of them can hold some digit.
    Houses(u32),
    /// These cells can hold nothing.
    Cells(u128),
}

/// Naked and hidden singles, until there are no more or in so many passes; and whether there may be more. An error
/// if a cell or a house is left without what it needs.
#[inline(always)]
pub(crate) fn singles<M: Masks>(
    masks: M,
    mut cells: M::Cells,
    frame: &Frame9,
    needs: &Needs9,
    passes: usize,
) -> Result<(M::Cells, bool), Fault> {
    let (full, held) = (masks.load_houses(&needs.houses), masks.load(&needs.cells));
    let none = full.zero();
    for _ in 0..passes {
        // Of each house what any cell holds, or two, and what single cells hold, or two.
        let (mut any, mut two, mut alone, mut clash) = (none, none, none, none);
        for cell in masks.by_place(cells, frame) {
            two = two.or(any.and(cell));
            any = any.or(cell);
            let single = cell.and(cell.several().empty());
            clash = clash.or(alone.and(single));
            alone = alone.or(single);
        }
        let wrong = clash.or(full.and_not(any));
        if !wrong.is_zero() {
            return Err(Fault::Houses(masks.house_bits(wrong)));
        }
        let hidden = full.and(any).and_not(two.or(alone));
        let taken = of_houses(masks, alone, frame);
        let left = cells.and_not(taken.and_not(cells.several().empty()));
        let only = left.and(of_houses(masks, hidden, frame));
        let wrong = only.several().or(left.empty().and(held));
        if !wrong.is_zero() {
            return Err(Fault::Cells(masks.bits(wrong)));
        }
        let next = only.empty().select(left, only);
        let is_same = next.xor(cells).is_zero();
        cells = next;
        if is_same {
            return Ok((cells, false));
        }
    }
    Ok((cells, true))
}

/// For each cell what its houses have.
#[inline(always)]
fn of_houses<M: Masks>(masks: M, houses: M::Houses, frame: &Frame9) -> M::Cells {
    let of_lines = masks.of_row(houses).or(masks.of_column(houses));
    if frame.has_regions { of_lines.or(masks.of_region(houses, frame)) } else { of_lines }
}

/// What locked candidates leave: what a line holds only where it crosses a region, the region holds nowhere else, and the reverse.
#[inline(always)]
pub(crate) fn locked<M: Masks>(masks: M, cells: M::Cells, frame: &Frame9) -> M::Cells {
    let cells = locked_in_lines(masks, cells, frame, &frame.segments[0]);
    locked_in_lines(masks, cells, frame, &frame.segments[1])
}

#[inline(always)]
fn locked_in_lines<M: Masks>(masks: M, cells: M::Cells, frame: &Frame9, segments: &Segments) -> M::Cells {
    // A board whose rows are the lines and whose columns are the regions.
    let held = masks.segments(cells, segments);
    let by_place = masks.by_place(held, frame);
    let none = by_place[0].zero();
    let (mut any, mut two) = (none, none);
    for segment in by_place {
        two = two.or(any.and(segment));
        any = any.or(segment);
    }
    // Of each line what some region holds only there, and the reverse.
    let once = any.and_not(two);
    let mut claimed = none;
    for (k, segment) in by_place.into_iter().enumerate() {
        claimed = claimed.or(segment.and(masks.across(once, k)));
    }
    let gone = masks.of_column(claimed).and(masks.of_row(two)).or(masks.of_row(claimed).and(masks.of_column(two)));
    cells.and(masks.of_segment(held.and_not(gone), segments))
}
