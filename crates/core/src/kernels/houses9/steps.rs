//! The steps of propagation: naked and hidden singles of all houses, and locked candidates.

use super::frame::{Frame9, Needs9, Segments};
use super::masks::Masks;
use crate::kernels::vector::Vector;

/// The place of a contradiction.
pub(crate) enum Contradiction {
    /// In these houses, two cells have the same digit, or no cell can have some digit.
    Houses(u32),
    /// These cells have no candidates.
    Cells(u128),
}

/// Applies naked and hidden singles until there are no more, but at most `passes` times. Returns the cells, and whether
/// there may be more singles.
#[inline(always)]
pub(crate) fn singles<M: Masks>(
    masks: M,
    mut cells: M::Cells,
    frame: &Frame9,
    needs: &Needs9,
    passes: usize,
) -> Result<(M::Cells, bool), Contradiction> {
    let (full, held) = (masks.load_houses(&needs.houses), masks.load(&needs.cells));
    let none = full.zero();
    for _ in 0..passes {
        // The digits of each house that at least one (`any`) and at least two cells can have (`two`), and those of at
        // least one (`placed`) and at least two cells with a single candidate (`clash`).
        let (mut any, mut two, mut placed, mut clash) = (none, none, none, none);
        for cell in masks.house_cells(cells, frame) {
            two = two.or(any.and(cell));
            any = any.or(cell);
            let single = cell.and(cell.several().empty());
            clash = clash.or(placed.and(single));
            placed = placed.or(single);
        }
        let wrong = clash.or(full.and_not(any));
        if !wrong.is_zero() {
            return Err(Contradiction::Houses(masks.house_bits(wrong)));
        }
        let hidden = full.and(any).and_not(two.or(placed));
        let taken = broadcast_houses(masks, placed, frame);
        let left = cells.and_not(taken.and_not(cells.several().empty()));
        let only = left.and(broadcast_houses(masks, hidden, frame));
        let wrong = only.several().or(left.empty().and(held));
        if !wrong.is_zero() {
            return Err(Contradiction::Cells(masks.cell_bits(wrong)));
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

/// Gives each cell the masks of its houses.
#[inline(always)]
fn broadcast_houses<M: Masks>(masks: M, houses: M::Houses, frame: &Frame9) -> M::Cells {
    let of_lines = masks.broadcast_rows(houses).or(masks.broadcast_columns(houses));
    if frame.has_regions { of_lines.or(masks.broadcast_regions(houses, frame)) } else { of_lines }
}

/// Applies locked candidates: if a line has a digit only where it crosses a region, the digit is removed from the rest
/// of the region, and the reverse.
#[inline(always)]
pub(crate) fn locked<M: Masks>(masks: M, cells: M::Cells, frame: &Frame9) -> M::Cells {
    let cells = locked_in_lines(masks, cells, frame, &frame.segments[0]);
    locked_in_lines(masks, cells, frame, &frame.segments[1])
}

#[inline(always)]
fn locked_in_lines<M: Masks>(masks: M, cells: M::Cells, frame: &Frame9, segments: &Segments) -> M::Cells {
    // The board of segments: its rows are the lines, and its columns are the regions.
    let held = masks.gather_segments(cells, segments);
    let house_cells = masks.house_cells(held, frame);
    let none = house_cells[0].zero();
    let (mut any, mut two) = (none, none);
    for segment in house_cells {
        two = two.or(any.and(segment));
        any = any.or(segment);
    }
    // For each line the digits of a segment that the region has nowhere else, and the reverse.
    let once = any.and_not(two);
    let mut claimed = none;
    for (k, segment) in house_cells.into_iter().enumerate() {
        claimed = claimed.or(segment.and(masks.across(once, k)));
    }
    let gone = masks
        .broadcast_columns(claimed)
        .and(masks.broadcast_rows(two))
        .or(masks.broadcast_rows(claimed).and(masks.broadcast_columns(two)));
    cells.and(masks.broadcast_segments(held.and_not(gone), segments))
}
