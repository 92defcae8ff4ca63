//! A board as what the kernel needs.

use super::lists::{CageKey, Lists};
use super::parts::{Joined, Layout};
use crate::board::{Batch, Cages};
use crate::kernels::Work;
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

impl Work for Read<'_> {
    type Done = Root;

    #[inline(always)]
    fn run(self) -> Root {
        let (batch, layout, frame) = (self.batch, self.layout, self.frame);
        let (rules, n) = (batch.shape().kind.rules(), layout.side);
        let row = self.board * batch.stride()..self.board * batch.stride() + n * n;
        let mut node = Node8 { grid: layout.full, seen: [Grid8::NONE; 2] };
        let all = u8::MAX >> (8 - n);
        (frame.full, frame.boxes, frame.cages) = (layout.full, rules.boxes, 0);
        let codes = &batch.codes16()[row.clone()];
        // Most boards with cages have nothing in their cells.
        if codes.iter().fold(0, |any, code| any | code) != 0 {
            let solved = if self.all_given { n as u16 } else { 0 };
            for (row, codes) in codes.chunks_exact(n).enumerate() {
                for (column, &code) in codes.iter().enumerate() {
                    // Clues come first, then solved cells.
                    let digit = if code <= n as u16 { code } else { code - solved };
                    let mask = if (1..=n as u16).contains(&digit) { 1 << (digit - 1) } else { all };
                    node.grid.0[layout.place(row, column)] = mask;
                }
            }
        }
        if rules.cages == Cages::None {
            return Root::Node(node);
        }
        let contents = &batch.contents()[row.clone()];
        let joined = Joined::new(layout, &batch.colours()[row]);
        for half in &mut frame.halves {
            (half.used, half.outside) = (Grid8::NONE, Grid8([u8::MAX; 64]));
        }
        let (mut single, mut no_way) = (joined.single(layout.cells), false);
        // Cages are found each from its own start, and none waits for the one before.
        let mut starts = joined.starts(layout.cells & !single);
        while single != 0 {
            let cell = single.trailing_zeros() as usize;
            single &= single - 1;
            let clue = contents[cell / 8 * n + cell % 8];
            let mask = &mut node.grid.0[usize::from(layout.places[cell] & 63)];
            *mask &= if (1..=n as u16).contains(&clue) { 1 << (clue - 1) } else { 0 };
            no_way |= *mask == 0;
        }
        while starts != 0 {
            let start = starts & starts.wrapping_neg();
            starts ^= start;
            let cage = joined.cage_of(start);
            if start != cage & cage.wrapping_neg() {
                continue;
            }
            if cage.count_ones() > 4 || frame.cages == CAGES {
                return Root::NotHere;
            }
            let (cells, (clue, operator)) = (cells_of(cage), what_is_in(cage, n, contents));
            let shape = cage >> cells[0];
            let list = self.lists.get(&CageKey { side: n, shape, operator, clue });
            no_way |= list.digits == 0;
            let (places, len) = (cells.map(|cell| layout.places[cell] & 63), cage.count_ones() as usize);
            if places.iter().all(|&place| node.grid.0[usize::from(place)] == all) {
                // Without givens the cage leaves what its ways leave.
                let digits = list.digits.to_le_bytes();
                node.seen[frame.cages / 16 % 2].0.as_chunks_mut().0[frame.cages % 16] = digits;
                // What comes after the last cell is the first again, and is overwritten by it.
                for (&place, digits) in places.iter().zip(digits).rev() {
                    node.grid.0[usize::from(place)] = digits;
                }
            }
            add_cage(frame, places, len, list.blocks);
        }
        if no_way { Root::NoSolution } else { Root::Node(node) }
    }
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
fn what_is_in(cage: u64, side: usize, contents: &[u16]) -> (u16, u16) {
    let content = |cell: usize| contents[cell / 8 * side + cell % 8];
    let [first, others @ ..] = cells_of(cage);
    let mut operator = 0;
    for cell in others {
        let content = if cell == first { 0 } else { content(cell) };
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
    for (byte, place) in places.iter().enumerate().rev() {
        half.places.0[usize::from(*place)] = (4 * cage + byte) as u8;
        half.outside.0[usize::from(*place)] = 0;
    }
    frame.lists[frame.cages % CAGES] = list;
    frame.cages += 1;
}
