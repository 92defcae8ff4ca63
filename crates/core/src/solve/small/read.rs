//! A board as what the kernel needs.

use super::lists::{CageKey, Lists};
use super::parts::{Joined, Layout};
use crate::board::{Batch, Cages};
use crate::kernels::SimdTask;
use crate::kernels::bytes8::{CAGES, CageHalf, Frame8, Grid8, Node8};

/// What is the same for all nodes of a puzzle.
pub(super) type Frame = Frame8;

/// A frame without cells or cages.
pub(super) fn empty_frame() -> Frame {
    let half = || CageHalf { cells: Grid8::NONE, used: Grid8::NONE, places: Grid8::NONE, outside: Grid8::NONE };
    Frame { full: Grid8::NONE, boxes: false, cages: 0, halves: [half(), half()], lists: [(0, 0); CAGES] }
}

/// What is known of a board before its search.
pub(super) enum Root {
    /// The candidates, as givens and the ways of untouched cages leave them.
    Node(Node8),
    NoSolution,
    /// It has cages that are too large.
    NotHere,
}

/// Makes the frame and the first node of a board.
pub(super) struct Read<'a> {
    pub(super) batch: &'a Batch,
    pub(super) board: usize,
    pub(super) all_given: bool,
    pub(super) layout: &'a Layout,
    pub(super) lists: &'a mut Lists,
    pub(super) frame: &'a mut Frame,
}

impl SimdTask for Read<'_> {
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
        let joined = Joined::new(layout, &rows_of_eight(n, &batch.colours()[at..]));
        for half in &mut frame.halves {
            (half.used, half.outside) = (Grid8::NONE, Grid8([u8::MAX; 64]));
        }
        let (mut single, mut no_way) = (joined.single(layout.cells), false);
        let starts = joined.starts(layout.cells & !single);
        while single != 0 {
            let cell = single.trailing_zeros() as usize;
            single &= single - 1;
            let clue = contents[cell / 8 % 8][cell % 8];
            let mask = &mut node.grid.0[usize::from(layout.places[cell] & 63)];
            *mask &= if (1..=n as u16).contains(&clue) { 1 << (clue - 1) } else { 0 };
            no_way |= *mask == 0;
        }
        let Some(cages) = joined.cages(starts) else { return Root::NotHere };
        for (&start, &cage) in cages.starts.iter().zip(&cages.cells).take(cages.count) {
            if start != cage & cage.wrapping_neg() {
                continue;
            }
            if cage.count_ones() > 4 || frame.cages == CAGES {
                return Root::NotHere;
            }
            let (cells, (clue, operator)) = (cells_of(cage), what_is_in(cage, contents));
            let shape = cage >> cells[0];
            let list = self.lists.get(&CageKey { side: n, shape, operator, clue });
            no_way |= list.digits == 0;
            let (places, len) = (cells.map(|cell| layout.places[cell] & 63), cage.count_ones() as usize);
            let grid = &mut node.grid.0;
            if places.iter().fold(all, |common, &place| common & grid[usize::from(place)]) == all {
                // Without givens the cage leaves what its ways leave.
                let digits = list.digits.to_le_bytes();
                node.seen[frame.cages / 16 % 2].0.as_chunks_mut().0[frame.cages % 16] = digits;
                // What comes after the last cell is the first again, and is overwritten by it.
                for byte in [3, 2, 1, 0] {
                    grid[usize::from(places[byte])] = digits[byte];
                }
            }
            add_cage(frame, places, len, list.blocks);
        }
        if no_way { Root::NoSolution } else { Root::Node(node) }
    }
}

/// The rows of a board as rows of eight, after whose cells comes whatever follows them: rows of a batch are long enough for that.
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

/// The bits of a cage of one to four cells; after the last one the first again.
#[inline(always)]
fn cells_of(cage: u64) -> [usize; 4] {
    let (mut cells, mut left) = ([0; 4], cage);
    for cell in &mut cells {
        *cell = if left == 0 { cage } else { left }.trailing_zeros() as usize & 63;
        left &= left.wrapping_sub(1);
    }
    cells
}

/// The clue of a cage, and what stands in the only cell after its first that holds something.
#[inline(always)]
fn what_is_in(cage: u64, contents: &[[u16; 8]; 8]) -> (u16, u16) {
    let content = |cell: usize| contents[cell / 8 % 8][cell % 8];
    let [first, others @ ..] = cells_of(cage);
    let mut operator = 0;
    for cell in others {
        // After the last cell comes the first again; where there is one cannot be guessed.
        let content = content(cell) & u16::from(cell == first).wrapping_sub(1);
        operator = if operator == 0 { content } else { operator };
    }
    (content(first), operator)
}

/// Adds a cage of two to four cells, of which there are fewer than [`CAGES`].
#[inline(always)]
fn add_cage(frame: &mut Frame, places: [u8; 4], len: usize, list: (u32, u32)) {
    let (half, cage) = (&mut frame.halves[frame.cages / 16 % 2], frame.cages % 16);
    half.cells.0.as_chunks_mut().0[cage] = places;
    half.used.0.as_chunks_mut::<4>().0[cage] = (u32::MAX >> (32 - 8 * len)).to_le_bytes();
    // What comes after the last cell is the first again, and is overwritten by it.
    for byte in [3, 2, 1, 0] {
        let place = usize::from(places[byte] & 63);
        half.places.0[place] = (4 * cage + byte) as u8;
        half.outside.0[place] = 0;
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
