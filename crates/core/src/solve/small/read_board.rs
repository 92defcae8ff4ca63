//! Makes from a board what the kernel needs.

use super::layout::{Adjacency, CellPlacement};
use super::way_lists::{CageKey, WayLists};
use crate::board::{Batch, Cages};
use crate::kernels::SimdTask;
use crate::kernels::bytes8::{CAGES, CageHalf, Frame8, Grid8, Node8};

/// What all nodes of a puzzle share.
pub(super) type Frame = Frame8;

/// A frame without cells or cages.
pub(super) fn empty_frame() -> Frame {
    let half = || CageHalf { cells: Grid8::NONE, used: Grid8::NONE, places: Grid8::NONE, outside: Grid8::NONE };
    Frame { full: Grid8::NONE, boxes: false, cages: 0, halves: [half(), half()], lists: [(0, 0); CAGES] }
}

/// The root of the search of a board.
pub(super) enum Root {
    /// The candidates that are left by the givens and by the ways to fill cages without givens.
    Node(Node8),
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
}

impl SimdTask for ReadBoard<'_> {
    type Output = Root;

    #[inline(always)]
    fn run(self) -> Root {
        let (batch, layout, frame) = (self.batch, self.layout, self.frame);
        let (rules, n) = (batch.shape().kind.rules(), layout.side);
        let at = self.board * batch.stride();
        let mut node = Node8 { grid: layout.full, seen: [Grid8::NONE; 2] };
        let all = u8::MAX >> (8 - n);
        (frame.full, frame.boxes, frame.cages) = (layout.full, rules.boxes, 0);
        let solved = if self.all_given { n as u16 } else { 0 };
        for (row, codes) in rows_of_eight(n, &batch.codes16()[at..]).iter().enumerate().take(n) {
            let mut masks = [0; 8];
            for (mask, &code) in masks.iter_mut().zip(codes) {
                // Clues come first, then solved cells.
                let digit = if code <= n as u16 { code } else { code.wrapping_sub(solved) };
                let place = digit.wrapping_sub(1);
                *mask = if place < n as u16 { 1 << (place & 7) } else { all };
            }
            let grid = &mut node.grid.0.as_chunks_mut().0[row % 8];
            *grid = (u64::from_le_bytes(*grid) & layout.spread(u64::from_le_bytes(masks))).to_le_bytes();
        }
        if rules.cages == Cages::None {
            return Root::Node(node);
        }
        let contents = &rows_of_eight(n, &batch.contents()[at..]);
        let adjacency = Adjacency::new(layout, &rows_of_eight(n, &batch.colours()[at..]));
        for half in &mut frame.halves {
            (half.used, half.outside) = (Grid8::NONE, Grid8([u8::MAX; 64]));
        }
        let (mut single, mut is_unsolvable) = (adjacency.single(layout.cells), false);
        let starts = adjacency.starts(layout.cells & !single);
        while single != 0 {
            let cell = single.trailing_zeros() as usize;
            single &= single - 1;
            let clue = contents[cell / 8 % 8][cell % 8];
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
            let (cells, (clue, operator)) = (cage_cells(cage), clue_and_operator(cage, contents));
            let shape = cage >> cells[0];
            let list = self.lists.get(&CageKey { side: n, shape, operator, clue });
            is_unsolvable |= list.digits == 0;
            let (indices, len) = (cells.map(|cell| layout.indices[cell] & 63), cage.count_ones() as usize);
            let grid = &mut node.grid.0;
            if indices.iter().fold(all, |common, &index| common & grid[usize::from(index)]) == all {
                // In a cage without givens, exactly the digits of its ways are left.
                let digits = list.digits.to_le_bytes();
                node.seen[frame.cages / 16 % 2].0.as_chunks_mut().0[frame.cages % 16] = digits;
                // After the last cell, the indices repeat the first cell, which is written last.
                for byte in [3, 2, 1, 0] {
                    grid[usize::from(indices[byte])] = digits[byte];
                }
            }
            add_cage(frame, indices, len, list.blocks);
        }
        if is_unsolvable { Root::NoSolution } else { Root::Node(node) }
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

/// The bits of a cage of one to four cells. After the last one, the first is repeated.
#[inline(always)]
fn cage_cells(cage: u64) -> [usize; 4] {
    let (mut cells, mut left) = ([0; 4], cage);
    for cell in &mut cells {
        *cell = if left == 0 { cage } else { left }.trailing_zeros() as usize & 63;
        left &= left.wrapping_sub(1);
    }
    cells
}

/// The clue of a cage, in its first cell, and the operator: the content of the only other cell that has one.
#[inline(always)]
fn clue_and_operator(cage: u64, contents: &[[u16; 8]; 8]) -> (u16, u16) {
    let content = |cell: usize| contents[cell / 8 % 8][cell % 8];
    let [first, others @ ..] = cage_cells(cage);
    let mut operator = 0;
    for cell in others {
        // Where the first cell is repeated, its content is masked out. A branch would often be mispredicted.
        let content = content(cell) & u16::from(cell == first).wrapping_sub(1);
        operator = if operator == 0 { content } else { operator };
    }
    (content(first), operator)
}

/// Adds a cage of two to four cells to a frame with fewer than [`CAGES`] cages.
#[inline(always)]
fn add_cage(frame: &mut Frame, indices: [u8; 4], len: usize, list: (u32, u32)) {
    let (half, cage) = (&mut frame.halves[frame.cages / 16 % 2], frame.cages % 16);
    half.cells.0.as_chunks_mut().0[cage] = indices;
    half.used.0.as_chunks_mut::<4>().0[cage] = (u32::MAX >> (32 - 8 * len)).to_le_bytes();
    // After the last cell, the indices repeat the first cell, which is written last.
    for byte in [3, 2, 1, 0] {
        let index = usize::from(indices[byte] & 63);
        half.places.0[index] = (4 * cage + byte) as u8;
        half.outside.0[index] = 0;
    }
    frame.lists[frame.cages % CAGES] = list;
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
