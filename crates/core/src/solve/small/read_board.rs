//! Makes from a board what the kernel needs.

use super::layout::{Adjacency, CellPlacement, zeros};
use super::way_lists::{CageKey, WayList, WayLists};
use crate::board::{Batch, Cages};
use crate::kernels::SimdTask;
use crate::kernels::bytes8::{CAGES, CageHalf, Frame8, Grid8, Node8};

/// What all nodes of a puzzle share.
pub(super) type Frame = Frame8;

/// A node without candidates.
pub(super) const EMPTY_NODE: Node8 = Node8 { grid: Grid8::NONE, seen: [Grid8::NONE; 2] };

/// A frame without cells or cages.
pub(super) fn empty_frame() -> Frame {
    let half = || CageHalf { cells: Grid8::NONE, used: Grid8::NONE, places: Grid8::NONE, outside: Grid8::NONE };
    Frame { full: Grid8::NONE, boxes: false, cages: 0, halves: [half(), half()], lists: [(0, 0); CAGES], one_block: 0 }
}

/// What is known about a board before the search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Root {
    /// The board is to be searched. The root has the candidates that are left by the givens, and in cages those that
    /// occur in some way to fill them.
    Node,
    /// The board has no solution.
    NoSolution,
    /// The board has cages that are too large.
    Unsupported,
}

/// Makes the frame and the root of a board.
pub(super) struct ReadBoard<'a> {
    pub(super) batch: &'a Batch,
    pub(super) board: usize,
    pub(super) all_given: bool,
    pub(super) layout: &'a CellPlacement,
    pub(super) lists: &'a mut WayLists,
    pub(super) frame: &'a mut Frame,
    pub(super) node: &'a mut Node8,
}

impl SimdTask for ReadBoard<'_> {
    type Output = Root;

    #[inline(always)]
    fn run(self) -> Root {
        let (batch, layout, frame, node) = (self.batch, self.layout, self.frame, self.node);
        let (rules, n) = (batch.shape().kind.rules(), layout.side);
        let at = self.board * batch.stride();
        (node.grid, node.seen) = (layout.full, [Grid8::NONE; 2]);
        let all = u8::MAX >> (8 - n);
        (frame.full, frame.boxes, frame.cages) = (layout.full, rules.houses.boxes, 0);
        let solved = if self.all_given { n as u16 } else { 0 };
        let mut masks = [0; 64];
        for (mask, &code) in masks.iter_mut().zip(rows_of_eight(n, &batch.codes16()[at..]).as_flattened()) {
            // Clues come first, then solved cells.
            let digit = if code <= n as u16 { code } else { code.wrapping_sub(solved) };
            let place = digit.wrapping_sub(1);
            *mask = if place < n as u16 { (1_u16 << (place & 7)) as u8 } else { all };
        }
        for (grid, masks) in node.grid.0.as_chunks_mut().0.iter_mut().zip(masks.as_chunks().0) {
            *grid = (u64::from_le_bytes(*grid) & layout.spread(u64::from_le_bytes(*masks))).to_le_bytes();
        }
        if rules.cages == Cages::None {
            return Root::Node;
        }
        let contents = rows_of_eight(n, &batch.contents()[at..]);
        let contents: &[u16; 64] = contents.as_flattened().try_into().expect("eight rows of eight");
        let filled = nonzero(contents);
        let adjacency = Adjacency::new(layout, &rows_of_eight(n, &batch.colours()[at..]));
        for half in &mut frame.halves {
            (half.used, half.places) = (Grid8::NONE, Grid8([NO_PLACE; 64]));
        }
        frame.one_block = 0;
        let (mut single, mut is_unsolvable) = (adjacency.single(layout.cells), false);
        let starts = adjacency.starts(layout.cells & !single);
        while single != 0 {
            let cell = single.trailing_zeros() as usize;
            single &= single - 1;
            let clue = contents[cell & 63];
            let mask = &mut node.grid.0[usize::from(layout.indices[cell] & 63)];
            *mask &= if (1..=n as u16).contains(&clue) { 1 << (clue - 1) } else { 0 };
            is_unsolvable |= *mask == 0;
        }
        let Some(cages) = adjacency.cages(starts) else { return Root::Unsupported };
        for (&start, &cage) in cages.starts.iter().zip(&cages.cells).take(cages.count) {
            if start != cage & cage.wrapping_neg() {
                continue;
            }
            if cage.count_ones() > 4 || frame.cages == CAGES {
                return Root::Unsupported;
            }
            let first = start.trailing_zeros();
            let key = CageKey {
                side: n,
                shape: cage >> first,
                operator: first_content(cage & filled & !start, contents),
                clue: contents[first as usize & 63],
            };
            let list = self.lists.get(&key);
            is_unsolvable |= list.digits == 0;
            let indices = layout.four_indices(first, list.offsets).to_le_bytes();
            add_cage(frame, indices, &list);
            // A cell that is repeated after the last one keeps its digits.
            let (digits, grid) = ((list.digits | !list.used).to_le_bytes(), &mut node.grid.0);
            for (index, digits) in indices.into_iter().zip(digits) {
                grid[usize::from(index & 63)] &= digits;
            }
            // With exactly these digits the cage need not be evaluated; every way is open.
            node.seen[(frame.cages - 1) / 16 % 2].0.as_chunks_mut().0[(frame.cages - 1) % 16] =
                list.digits.to_le_bytes();
        }
        for half in &mut frame.halves[..frame.cages.div_ceil(16).min(2)] {
            for (outside, place) in half.outside.0.iter_mut().zip(&mut half.places.0) {
                *outside = if *place == NO_PLACE { u8::MAX } else { 0 };
                *place &= 63;
            }
        }
        if is_unsolvable { Root::NoSolution } else { Root::Node }
    }
}

/// The rows of a board as rows of eight. After its cells, a row has whatever follows them in the batch, whose boards
/// are long enough for that.
#[inline(always)]
fn rows_of_eight<T: Copy + Default>(side: usize, cells: &[T]) -> [[T; 8]; 8] {
    let mut rows = [[T::default(); 8]; 8];
    for (row, eight) in rows.iter_mut().enumerate().take(side) {
        if let Some(cells) = cells.get(row * side..).and_then(|cells| cells.first_chunk()) {
            *eight = *cells;
        }
    }
    rows
}

/// The place of a cell that is in none of the cages, until all cages are known.
const NO_PLACE: u8 = 0x80;

/// The cells whose content is not 0, as bits.
#[inline(always)]
fn nonzero(contents: &[u16; 64]) -> u64 {
    let mut empty = [0; 64];
    empty.iter_mut().zip(contents).for_each(|(empty, &content)| *empty = u8::from(content == 0));
    let rows = empty.as_chunks().0.iter().enumerate();
    rows.fold(0, |bits, (row, empty)| bits | zeros(u64::from_le_bytes(*empty)) << (8 * row))
}

/// The content of the first of some cells; 0 if there is none.
#[inline(always)]
fn first_content(cells: u64, contents: &[u16; 64]) -> u16 {
    // A branch would often be mispredicted.
    contents[cells.trailing_zeros() as usize & 63] & u16::from(cells == 0).wrapping_sub(1)
}

/// Adds a cage of two to four cells to a frame with fewer than [`CAGES`] cages.
#[inline(always)]
fn add_cage(frame: &mut Frame, indices: [u8; 4], list: &WayList) {
    let (half, cage) = (&mut frame.halves[frame.cages / 16 % 2], frame.cages % 16);
    half.cells.0.as_chunks_mut().0[cage] = indices;
    half.used.0.as_chunks_mut::<4>().0[cage] = list.used.to_le_bytes();
    // After the last cell, the indices repeat the first cell, which is written last.
    for byte in [3, 2, 1, 0] {
        half.places.0[usize::from(indices[byte] & 63)] = (4 * cage + byte) as u8;
    }
    frame.lists[frame.cages % CAGES] = list.blocks;
    frame.one_block |= u32::from(list.blocks.1 == 1) << (frame.cages % CAGES);
    frame.cages += 1;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Kind, Shape, Side};

    #[test]
    fn rows_of_the_last_board_of_a_batch_are_long_enough() {
        for side in 3..=8 {
            let shape = Shape::new(Kind::KenKen, Side::new(side).expect("a side"));
            let cells: Vec<u8> = (0..shape.stride()).map(|cell| 1 + cell as u8).collect();
            let rows = rows_of_eight(side, &cells);
            for (row, cells) in rows.iter().enumerate().take(side) {
                assert!((0..8).all(|column| usize::from(cells[column]) == 1 + row * side + column), "{side}");
            }
        }
    }
}
